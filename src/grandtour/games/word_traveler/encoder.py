# compiled
"""Encodes what a seat sees of Word Traveler, directly from the position. `features.py` defines the encoding."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from grandtour.engine.state import State as Position
from grandtour.games.word_traveler.features import features
from grandtour.games.word_traveler.parts import DAYS, HAND, MAX_ARROWS, MAX_CHANGES, SIZE, SPACES, SYMBOLS, VALUES
from grandtour.games.word_traveler.rules import State
from grandtour.games.word_traveler.state import (
    EAST,
    NORTH,
    SOUTH,
    STEP_GUESS,
    STEP_PLAN,
    STEP_READY,
    WEST,
    direction_of,
    range_after,
)
from grandtour.games.word_traveler.view import STEPS
from grandtour.rl.encoder import Encoder as Base


class Encoder(Base):
    def __init__(self, seats: int) -> None:
        super().__init__(features(seats))
        self.city: i64 = self.place("city")
        self.day: i64 = self.place("day")
        self.step = vec[i64]([self.place(f"step.{STEPS[step]}") for step in range(len(STEPS))])
        self.starter: i64 = self.place("first")
        self.score: i64 = self.place("score")
        you = "players.you"
        self.player: i64 = self.place("players.+1") - self.place(you)
        self.marker: i64 = self.place(f"{you}.marker")
        self.ready: i64 = self.place(f"{you}.ready")
        self.done: i64 = self.place(f"{you}.done")
        self.traveled: i64 = self.place(f"{you}.traveled")
        self.moved: i64 = self.place(f"{you}.moved")
        self.map: i64 = self.place("map")
        letters = "".join(VALUES)
        self.maps = vec[i64](
            [
                len(letters) * space + letters.index(symbol)
                for card in SYMBOLS
                for side in card
                for space, symbol in enumerate(side)
            ]
        )
        self._place_journey()
        self._place_sheets()
        self._place_plan()

    def _place_journey(self) -> None:
        first = "journey.arrows.1"
        self.traveler: i64 = self.place("journey.seat")
        self.start: i64 = self.place("journey.start")
        self.announced: i64 = self.place(f"{first}.there")
        self.next: i64 = self.place("journey.arrows.2") - self.announced
        self.way: i64 = self.place(f"{first}.to") - self.announced
        self.words: i64 = self.place(f"{first}.words") - self.announced
        self.footprint: i64 = self.place(f"{first}.footprint") - self.announced
        self.placed_by: i64 = self.place(f"{first}.placed_by") - self.announced
        self.sure: i64 = self.place(f"{first}.sure") - self.announced
        self.again: i64 = self.place(f"{first}.again") - self.announced
        self.keeps: i64 = self.place(f"{first}.keeps") - self.announced
        self.unused: i64 = self.place("journey.unused")
        self.agreed: i64 = self.place("journey.agreed")
        self.deciding: i64 = self.place("journey.deciding")

    def _place_sheets(self) -> None:
        self.sheets: i64 = self.place("sheets.1.there")
        self.sheet: i64 = self.place("sheets.2") - self.sheets
        self.sheet_seat: i64 = self.place("sheets.1.seat") - self.sheets
        self.sheet_start: i64 = self.place("sheets.1.start") - self.sheets
        self.sheet_map: i64 = self.place("sheets.1.map") - self.sheets
        self.sheet_unused: i64 = self.place("sheets.1.unused") - self.sheets
        first = "sheets.1.arrows.1"
        self.read: i64 = self.place(f"{first}.there") - self.sheets
        self.next_read: i64 = self.place("sheets.1.arrows.2") - self.sheets - self.read
        start = self.sheets + self.read
        self.read_way: i64 = self.place(f"{first}.to") - start
        self.read_words: i64 = self.place(f"{first}.words") - start
        self.read_word: i64 = self.place(f"{first}.words.2") - start - self.read_words
        self.meant: i64 = self.place(f"{first}.meant") - start
        self.guess: i64 = self.place(f"{first}.guess") - start
        self.points: i64 = self.place(f"{first}.points") - start

    def _place_plan(self) -> None:
        self.plan_start: i64 = self.place("plan.start")
        self.plan: i64 = self.place("plan.arrows.1.there")
        self.planned: i64 = self.place("plan.arrows.2") - self.plan
        self.plan_way: i64 = self.place("plan.arrows.1.to") - self.plan
        self.aim: i64 = self.place("plan.arrows.1.aim") - self.plan
        self.hand: i64 = self.place("plan.hand.1.there")
        self.held: i64 = self.place("plan.hand.2") - self.hand
        self.word: i64 = self.place("plan.hand.1.word") - self.hand
        self.put_at: i64 = self.place("plan.hand.1.arrow") - self.hand
        self.side: i64 = self.place("plan.hand.1.side") - self.hand
        self.rank: i64 = self.place("plan.hand.1.rank") - self.hand
        self.used: i64 = self.place("plan.used")
        self.changes_left: i64 = self.place("plan.changes_left")

    def encode(self, position: Position, me: i64, out: vec[u8], at: i64) -> None:
        assert isinstance(position, State)
        state = position
        seats = state.seats
        out[at + self.city + state.city] = 1
        out[at + self.day + state.day] = 1
        out[at + self.step[state.step]] = 1
        out[at + self.starter + (state.starter - me + seats) % seats] = 1
        self.put(out, at, self.score, state.score)
        for seat in range(seats):
            self._player(state, me, seat, out, at)
        if state.step == STEP_GUESS:
            self._journey(state, me, out, at)
        place = at + self.sheets
        for day in range(state.day + 1):
            over = seats
            if day == state.day:
                over = state.gone
                if state.step == STEP_PLAN:
                    over = 0
            for turn in range(over):
                self._sheet(state, me, day, (state.starter + turn) % seats, out, place)
                place += self.sheet
        if state.step != STEP_READY:
            self._map(state.maps[me], state.day, out, at + self.map)
        self._plan(state, me, out, at)

    def _player(self, state: State, me: i64, seat: i64, out: vec[u8], at: i64) -> None:
        shift = self.player * ((seat - me + state.seats) % state.seats)
        said = state.done >> seat & 1
        before = state.step == STEP_READY or state.step == STEP_PLAN
        out[at + shift + self.marker + state.marker[seat]] = 1
        if (state.step != STEP_READY or said) and not state.unread() >> seat & 1:
            out[at + shift + self.ready] = 1
        if not before or (state.step == STEP_PLAN and said):
            out[at + shift + self.done] = 1
        if not before and state.turn_of(seat) < state.gone:
            out[at + shift + self.traveled] = 1
        if state.step == STEP_GUESS:
            self.put(out, at, shift + self.moved, state.steps[seat])

    def _map(self, card: i64, day: i64, out: vec[u8], place: i64) -> None:
        for space in range(SPACES * (DAYS * card + day), SPACES * (DAYS * card + day + 1)):
            out[place + self.maps[space]] = 1

    def _order(self, state: State, journey: i64, i: i64) -> i64:
        """The number of cards before a card under its arrow."""
        if state.version > 1:
            return state.rank[i] - 1
        before: i64 = 0
        for k in range(HAND * journey, i):
            if (state.put[k] + 1) // 2 == (state.put[i] + 1) // 2:
                before += 1
        return before

    def _journey(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        """Write what the traveler has announced, and where the footprints are."""
        seats = state.seats
        traveler = state.traveler()
        journey = state.journey_of(traveler)
        out[at + self.traveler + (traveler - me + seats) % seats] = 1
        out[at + self.start + state.start[journey]] = 1
        here = state.start[journey]
        place = at + self.announced
        for n in range(state.used[journey]):
            there = state.aim[MAX_ARROWS * journey + n]
            out[place] = 1
            out[place + self.way + direction_of(here, there)] = 1
            here = there
            foot = state.feet[MAX_ARROWS * journey + n]
            if foot >= 0:
                out[place + self.footprint + foot] = 1
                out[place + self.placed_by + (state.placer[n] - me + seats) % seats] = 1
            if state.sure[n]:
                out[place + self.sure + state.sure[n] - 1] = 1
            out[place + self.again] = u8(state.again >> n & 1)
            self._keeps(state, journey, n, foot, out, place + self.keeps)
            place += self.next
        for i in range(HAND * journey, HAND * journey + HAND):
            put = state.put[i]
            if not put:
                out[at + self.unused + state.hand[i]] = 1
            elif (put - 1) // 2 < state.used[journey]:
                side = 2 * state.hand[i] + (put - 1) % 2
                place = at + self.announced + self.next * ((put - 1) // 2) + self.words
                out[place + side] = u8(HAND - self._order(state, journey, i))
        for seat in range(seats):
            out[at + self.agreed + (seat - me + seats) % seats] = u8(state.agreed >> seat & 1)
        out[at + self.deciding] = 1 if state.deciding else 0

    def _keeps(self, state: State, journey: i64, n: i64, foot: i64, out: vec[u8], place: i64) -> None:
        """Write where a footprint can be placed so that all others stay: between those before and after it."""
        top, bottom = state.box[4 * n], state.box[4 * n + 1]
        first, last = state.box[4 * n + 2], state.box[4 * n + 3]
        m = n - 1
        while m >= 0 and state.feet[MAX_ARROWS * journey + m] < 0:
            m -= 1
        if m >= 0:
            there = state.feet[MAX_ARROWS * journey + m]
            low, high, left, right = there // SIZE, there // SIZE, there % SIZE, there % SIZE
            for k in range(m + 1, n + 1):
                low, high = range_after(state.way[k], NORTH, SOUTH, low, high)
                left, right = range_after(state.way[k], WEST, EAST, left, right)
            top, bottom, first, last = max(top, low), min(bottom, high), max(first, left), min(last, right)
        m = n + 1
        while m < MAX_ARROWS and state.feet[MAX_ARROWS * journey + m] < 0:
            m += 1
        if m < MAX_ARROWS:
            there = state.feet[MAX_ARROWS * journey + m]
            low, high, left, right = there // SIZE, there // SIZE, there % SIZE, there % SIZE
            while m > n:
                # Followed backwards, an arrow to the north leads south.
                low, high = range_after(state.way[m], SOUTH, NORTH, low, high)
                left, right = range_after(state.way[m], EAST, WEST, left, right)
                m -= 1
            top, bottom, first, last = max(top, low), min(bottom, high), max(first, left), min(last, right)
        for row in range(top, bottom + 1):
            for space in range(SIZE * row + first, SIZE * row + last + 1):
                out[place + space] = 1
        if foot >= 0:
            out[place + foot] = 0

    def _sheet(self, state: State, me: i64, day: i64, seat: i64, out: vec[u8], place: i64) -> None:
        """Write a journey that is over: the intended stops, the guesses and the points."""
        journey = state.seats * day + seat
        used = state.used[journey]
        here = state.start[journey]
        out[place] = 1
        out[place + self.sheet_seat + (seat - me + state.seats) % state.seats] = 1
        out[place + self.sheet_start + here] = 1
        self._map(state.maps[seat], day, out, place + self.sheet_map)
        arrow = place + self.read
        for n in range(used):
            there = state.aim[MAX_ARROWS * journey + n]
            guess = state.feet[MAX_ARROWS * journey + n]
            out[arrow] = 1
            out[arrow + self.read_way + direction_of(here, there)] = 1
            out[arrow + self.meant + there] = 1
            out[arrow + self.guess + guess] = 1
            out[arrow + self.points] = u8(state.points[MAX_ARROWS * journey + n])
            here = there
            arrow += self.next_read
        unused: i64 = 0
        for i in range(HAND * journey, HAND * journey + HAND):
            put = state.put[i]
            if not put:
                out[place + self.sheet_unused + 2 * unused] = 1
                out[place + self.sheet_unused + 2 * unused + 1] = u8(state.hand[i] + 1)
                unused += 1
            elif (put - 1) // 2 < used:
                arrow = place + self.read + self.next_read * ((put - 1) // 2)
                at = arrow + self.read_words + self.read_word * self._order(state, journey, i)
                out[at] = 1
                out[at + 1] = u8(state.hand[i] + 1)
                out[at + 2] = u8((put - 1) % 2)

    def _plan(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        """Write a player's own plan for today."""
        journey = state.journey_of(me)
        arrows = state.arrows()
        out[at + self.plan_start + state.start[journey]] = 1
        self.put(out, at, self.changes_left, MAX_CHANGES - state.changes[me])
        worded: i64 = 0
        place = at + self.hand
        for i in range(HAND * journey, HAND * journey + HAND):
            put = state.put[i]
            out[place] = 1
            out[place + self.word + state.hand[i]] = 1
            if put:
                arrow = (put - 1) // 2
                worded |= i64(1) << arrow
                out[place + self.put_at + arrow] = 1
                out[place + self.side + (put - 1) % 2] = 1
                out[place + self.rank] = u8(state.rank[i])
            place += self.held
        here = state.start[journey]
        used: i64 = 0
        place = at + self.plan
        for n in range(arrows):
            there = state.aim[MAX_ARROWS * journey + n]
            out[place] = 1
            if there >= 0:
                out[place + self.aim + there] = 1
                out[place + self.plan_way + direction_of(here, there)] = 1
                if used == n and worded >> n & 1:
                    used += 1
            here = there
            place += self.planned
        self.put(out, at, self.used, used)
