"""The rules of Word Traveler, written for speed; `referee.py` has the same rules, written for people.

The fields of the position are in `state.py`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event, event
from grandtour.engine.options import Options, named_starter
from grandtour.engine.state import CLOCK, Result, write_run
from grandtour.engine.vocabulary import Names, Vocabulary
from grandtour.games.word_traveler.knowledge import Knowledge
from grandtour.games.word_traveler.parts import (
    ARROW_RANGE,
    CENTRE,
    CITIES,
    DAYS,
    DIRECTIONS,
    HAND,
    MAX_ARROWS,
    MAX_CHANGES,
    MAX_STEPS,
    N_MAPS,
    N_SOUVENIRS,
    N_SURENESS,
    N_WORDS,
    RATINGS,
    SIDE_RANGE,
    SIZE,
    SPACE_NAMES,
    SPACE_RANGE,
    SPACES,
    SURENESS,
    SYMBOLS,
    VALUES,
    WORD_RANGE,
    WORDS,
)
from grandtour.games.word_traveler.state import (
    EAST,
    NORTH,
    SOUTH,
    STEP_GUESS,
    STEP_OVER,
    STEP_PLAN,
    STEP_READY,
    WEST,
    direction_of,
)

MOVES: Final = Vocabulary(
    {
        "aim": {"arrow": ARROW_RANGE, "space": SPACE_RANGE},
        "place": {"word": SIDE_RANGE, "arrow": ARROW_RANGE},
        "take-back": {"word": WORD_RANGE},
        "done": {},
        "footprint": {"number": ARROW_RANGE, "space": SPACE_RANGE},
        "sure": {"number": ARROW_RANGE, "how": Names(*SURENESS)},
        "agree": {},
        "ask": {},
        "time-up": {},
        "ready": {},
    }
)
AIM: Final[i64] = MOVES.first("aim")
PLACE: Final[i64] = MOVES.first("place")
TAKE_BACK: Final[i64] = MOVES.first("take-back")
DONE: Final[i64] = MOVES.first("done")
FOOTPRINT: Final[i64] = MOVES.first("footprint")
SURE: Final[i64] = MOVES.first("sure")
AGREE: Final[i64] = MOVES.first("agree")
ASK: Final[i64] = MOVES.first("ask")
TIME_UP: Final[i64] = MOVES.first("time-up")
READY: Final[i64] = MOVES.first("ready")


VALUE: Final = vec[i64]([VALUES[symbol] for card in SYMBOLS for side in card for symbol in side])
"""The value of each space on each side of each map card."""

IN_LINE: Final = 2 * (SIZE - 1)
LINES: Final = vec[i64](
    [
        other
        for space in range(SPACES)
        for other in range(SPACES)
        if other != space and (other // SIZE == space // SIZE or other % SIZE == space % SIZE)
    ]
)
"""The spaces in line with each space. There are equally many for each."""


class State(Knowledge):
    """A position of Word Traveler."""

    def waiting(self) -> list[int]:
        if self.step == STEP_PLAN or self.step == STEP_READY:
            return [seat for seat in range(self.seats) if not self.done >> seat & 1]
        if self.step == STEP_OVER:
            return []
        if self.deciding:
            return [self.left_neighbour()]
        traveler = self.traveler()
        return [seat for seat in range(self.seats) if seat != traveler and not self.agreed >> seat & 1]

    def result(self) -> Result | None:
        if self.step != STEP_OVER:
            return None
        return [self.souvenirs() / N_SOUVENIRS] * int(self.seats)

    def write_legal(self, seat: i64, moves: vec[i64]) -> i64:
        count: i64 = 0
        if self.step == STEP_PLAN:
            if seat == CLOCK:
                if self.timer:
                    moves[count] = TIME_UP
                    count += 1
            elif not self.done >> seat & 1:
                if self.changes[seat] < MAX_CHANGES:
                    count = self._write_planning_moves(seat, moves)
                moves[count] = DONE
                count += 1
        elif self.step == STEP_GUESS:
            if seat == CLOCK:
                if self.discussion and not self.deciding and self.seats > 2:
                    moves[count] = TIME_UP
                    count += 1
                if self.unread():
                    moves[count] = READY
                    count += 1
            elif seat == self.left_neighbour() if self.deciding else seat != self.traveler():
                count = self._write_guessing_moves(seat, moves)
        elif self.step == STEP_READY and (seat == CLOCK or not self.done >> seat & 1):
            # By the clock, which does not wait for the others.
            moves[count] = READY
            count += 1
        return count

    def _write_planning_moves(self, me: i64, moves: vec[i64]) -> i64:
        count: i64 = 0
        hand = self.hand
        put = self.put
        journey = self.journey_of(me)
        arrows = self.arrows()
        here = self.marker[me]
        for arrow in range(arrows):
            there = self.aim[MAX_ARROWS * journey + arrow]
            aim = AIM + SPACES * arrow
            for n in range(IN_LINE * here, IN_LINE * here + IN_LINE):
                moves[count] = aim + LINES[n]
                if LINES[n] != there:
                    count += 1
            if there < 0:
                break
            here = there
        first = HAND * journey
        for i in range(first, first + HAND):
            front = PLACE + 2 * MAX_ARROWS * hand[i]
            back = front + MAX_ARROWS
            now = put[i]
            if not now:
                count = write_run(moves, count, front, front + arrows)
                count = write_run(moves, count, back, back + arrows)
            else:
                lies = (front if now % 2 else back) + (now - 1) // 2
                for move in range(front, front + arrows):
                    moves[count] = move
                    if move != lies:
                        count += 1
                for move in range(back, back + arrows):
                    moves[count] = move
                    if move != lies:
                        count += 1
        for i in range(first, first + HAND):
            if put[i]:
                moves[count] = TAKE_BACK + hand[i]
                count += 1
        return count

    def _write_guessing_moves(self, me: i64, moves: vec[i64]) -> i64:
        count: i64 = 0
        box = self.box
        journey = self.journey_of(self.traveler())
        used = self.used[journey]
        missing = False
        free = self.steps[me] < MAX_STEPS
        decides = self.version > 1 and self.decides(me)
        for n in range(used):
            there = self.feet[MAX_ARROWS * journey + n]
            if there < 0:
                missing = True
            footprint = FOOTPRINT + SPACES * n
            if free or (decides and not self.again >> n & 1):
                for row in range(box[4 * n], box[4 * n + 1] + 1):
                    for space in range(SIZE * row + box[4 * n + 2], SIZE * row + box[4 * n + 3] + 1):
                        moves[count] = footprint + space
                        if space != there:
                            count += 1
            elif there < 0:
                for space in range(i64(SPACES)):
                    if self.can_stand(n, space) and self.fits(journey, n, space):
                        moves[count] = footprint + space
                        count += 1
        for n in range(used):
            if self.placer[n] == me and not self.sure[n]:
                count = write_run(moves, count, SURE + N_SURENESS * n, SURE + N_SURENESS * n + N_SURENESS)
        if not missing and not self.agreed >> me & 1:
            moves[count] = AGREE
            count += 1
        if self.seats > 2 and not self.deciding:
            moves[count] = ASK
            count += 1
        if self.unread() >> me & 1:
            moves[count] = READY
            count += 1
        return count

    def play(self, seat: int, move: int) -> None:
        me: i64 = seat
        m: i64 = move
        if self.step == STEP_GUESS:
            # A player who takes part has seen the last journey.
            self.unseen = 0 if me == CLOCK else self.unseen & ~(i64(1) << me)
        if m < DONE:
            self._change_plan(me, m)
        elif m == DONE:
            self.done |= i64(1) << me
            if self.events is not None:
                self.events.append(event("done", seat=int(me)))
            if self.done == (i64(1) << self.seats) - 1:
                self._end_planning()
        elif m < SURE:
            self._footprint(me, (m - FOOTPRINT) // SPACES, (m - FOOTPRINT) % SPACES)
        elif m < AGREE:
            n = (m - SURE) // N_SURENESS
            self.sure[n] = (m - SURE) % N_SURENESS + 1
            if self.events is not None:
                how = SURENESS[(m - SURE) % N_SURENESS]
                space = SPACE_NAMES[self.feet[MAX_ARROWS * self.journey_of(self.traveler()) + n]]
                self.events.append(event("sure", seat=int(me), number=int(n) + 1, how=how, space=space))
        elif m == AGREE:
            self._agree(me)
        elif m == ASK:
            if self.events is not None:
                self.events.append(event("asked", seat=int(me), decides=int(self.left_neighbour())))
            self._decide()
        elif m == READY:
            self._ready(me)
        elif self.step == STEP_PLAN:
            if self.events is not None:
                self.events.append(event("time-up", of="planning"))
            self._end_planning()
        else:
            if self.events is not None:
                self.events.append(event("time-up", of="discussion", decides=int(self.left_neighbour())))
            self._decide()

    def _change_plan(self, me: i64, m: i64) -> None:
        """Change a plan: aim an arrow, place a card, or take one back."""
        journey = self.journey_of(me)
        self.changes[me] += 1
        moved: i64 = 0
        if m < PLACE:
            moved = self._aim(journey, (m - AIM) // SPACES, (m - AIM) % SPACES)
        elif m < TAKE_BACK:
            side = (m - PLACE) // MAX_ARROWS
            self.put_card(journey, self._slot(journey, side // 2), 1 + 2 * ((m - PLACE) % MAX_ARROWS) + side % 2)
        else:
            self.put_card(journey, self._slot(journey, m - TAKE_BACK), 0)
        if self.events is not None:
            # The others learn only that somebody is planning.
            mine: dict[str, object] = {"move": MOVES.name(int(m))}
            if moved:
                mine["moved"] = [
                    self._aim_record(journey, later) for later in range(self.arrows()) if moved >> later & 1
                ]
            self.events.append(event("planned", {int(me): mine}, seat=int(me)))

    def _slot(self, journey: i64, word: i64) -> i64:
        i = HAND * journey
        while self.hand[i] != word:
            i += 1
        return i

    def _aim(self, journey: i64, arrow: i64, space: i64) -> i64:
        """Aim an arrow. Returns a bit for each later arrow whose aim has moved or is lost."""
        at = MAX_ARROWS * journey
        moved: i64 = 0
        was = self.aim[at + arrow]
        before = space
        self.aim[at + arrow] = space
        for later in range(at + arrow + 1, at + MAX_ARROWS):
            here = self.aim[later]
            if here < 0:
                break
            there = here
            if before < 0 or before == here or (before // SIZE != here // SIZE and before % SIZE != here % SIZE):
                there = self._shifted_aim(before, was, here) if before >= 0 and self.version > 1 else -1
                self.aim[later] = there
                moved |= i64(1) << (later - at)
            before = there
            was = here
        return moved

    def _shifted_aim(self, here: i64, was: i64, there: i64) -> i64:
        """The new end of an arrow that now starts at `here` and led from `was` to `there`. It keeps its direction and
        leads to the same row or column, or one space far if it cannot; -1 if that is off the board."""
        to = direction_of(was, there)
        row = here // SIZE
        column = here % SIZE
        if to in (EAST, WEST):
            column = there % SIZE
        else:
            row = there // SIZE
        carried = SIZE * row + column
        if carried != here and direction_of(here, carried) == to:
            return carried
        row = here // SIZE + (1 if to == SOUTH else -1 if to == NORTH else 0)
        column = here % SIZE + (1 if to == EAST else -1 if to == WEST else 0)
        return SIZE * row + column if 0 <= row < SIZE and 0 <= column < SIZE else -1

    def _aim_record(self, journey: i64, arrow: i64) -> dict[str, object]:
        """The new aim of an arrow after an earlier one was changed. It is None if its direction leads off the board."""
        there = self.aim[MAX_ARROWS * journey + arrow]
        if there < 0:
            return {"arrow": int(arrow) + 1, "space": None, "place": None}
        return {"arrow": int(arrow) + 1, "space": SPACE_NAMES[there], "place": self.place_name(there)}

    def _end_planning(self) -> None:
        """Drop incomplete arrows and those after them, then begin the first journey."""
        for seat in range(self.seats):
            journey = self.journey_of(seat)
            worded: i64 = 0
            for i in range(HAND * journey, HAND * journey + HAND):
                if self.put[i]:
                    worded |= i64(1) << ((self.put[i] - 1) // 2)
            used: i64 = 0
            while used < self.arrows() and self.aim[MAX_ARROWS * journey + used] >= 0 and worded >> used & 1:
                used += 1
            self.used[journey] = used
            for arrow in range(used, i64(MAX_ARROWS)):
                self.aim[MAX_ARROWS * journey + arrow] = -1
            for i in range(HAND * journey, HAND * journey + HAND):
                if self.put[i] > 2 * used:
                    self.put[i] = 0
                    self.rank[i] = 0
            self.changes[seat] = 0
        self.done = 0
        self.step = STEP_GUESS
        self._next_journey()

    def _next_journey(self) -> None:
        """Begin the journey of the next player who has an arrow. After the last one, the day is over."""
        while self.gone < self.seats:
            traveler = self.traveler()
            journey = self.journey_of(traveler)
            self.reveals += 1
            self._announce(traveler, journey)
            if self.used[journey]:
                self.find_directions(journey)
                self.clear_footprints()
                return
            self._arrive(traveler, journey)
        if self.day:
            self.step = STEP_OVER
            if self.events is not None:
                rating = RATINGS[self.souvenirs()]
                self.events.append(event("ended", score=int(self.score), souvenirs=self.souvenirs(), rating=rating))
        else:
            self.day = 1
            self._begin_day()

    def _announce(self, traveler: i64, journey: i64) -> None:
        if self.events is not None:
            here = self.start[journey]
            read: list[dict[str, object]] = []
            for arrow in range(self.used[journey]):
                there = self.aim[MAX_ARROWS * journey + arrow]
                to = DIRECTIONS[direction_of(here, there)]
                read.append({"arrow": int(arrow) + 1, "to": to, "words": self.words(journey, arrow)})
                here = there
            self.events.append(
                event(
                    "journey",
                    seat=int(traveler),
                    start=SPACE_NAMES[self.start[journey]],
                    arrows=read,
                    unused=self.words(journey, -1),
                )
            )

    def _footprint(self, me: i64, n: i64, space: i64) -> None:
        journey = self.journey_of(self.traveler())
        came = self.feet[MAX_ARROWS * journey + n]
        self.feet[MAX_ARROWS * journey + n] = space
        self.placer[n] = me
        self.sure[n] = 0
        if self.steps[me] >= MAX_STEPS and self.decides(me):
            self.again |= i64(1) << n
        self.steps[me] += 1
        self.agreed = 0
        lifted: i64 = 0
        for k in range(i64(MAX_ARROWS)):
            there = self.feet[MAX_ARROWS * journey + k]
            if there >= 0 and k != n:
                if self.can_lead(k, there, n, space) if k < n else self.can_lead(n, space, k, there):
                    continue
                self.feet[MAX_ARROWS * journey + k] = -1
                self.placer[k] = -1
                self.sure[k] = 0
                lifted |= i64(1) << k
        if self.events is not None:
            self.events.append(
                event(
                    "footprint",
                    seat=int(me),
                    number=int(n) + 1,
                    space=SPACE_NAMES[space],
                    place=self.place_name(space),
                    came=SPACE_NAMES[came] if came >= 0 else None,
                    lifted=[k + 1 for k in range(MAX_ARROWS) if lifted >> k & 1],
                )
            )

    def _agree(self, me: i64) -> None:
        self.agreed |= i64(1) << me
        if self.events is not None:
            self.events.append(event("agreed", seat=int(me)))
        traveler = self.traveler()
        everyone = (i64(1) << self.seats) - 1
        if self.deciding or self.agreed | i64(1) << traveler == everyone:
            self._arrive(traveler, self.journey_of(traveler))
            self._next_journey()
            self.unseen = everyone if self.step == STEP_GUESS else 0

    def _decide(self) -> None:
        self.deciding = True
        self.agreed = 0
        if self.version > 1:
            self.steps[self.left_neighbour()] = 0

    def _arrive(self, traveler: i64, journey: i64) -> None:
        """Reveal the map and score the footprints."""
        self.reveals += 1
        side = SPACES * (DAYS * self.maps[traveler] + self.day)
        if self.events is not None:
            shown = SYMBOLS[self.maps[traveler]][self.day]
            self.events.append(event("revealed", seat=int(traveler), map=shown))
        for n in range(self.used[journey]):
            space = self.feet[MAX_ARROWS * journey + n]
            value = VALUE[side + space]
            for earlier in range(MAX_ARROWS * journey, MAX_ARROWS * journey + n):
                if self.feet[earlier] == space:
                    value = 0
            collected = self.souvenirs()
            self.score += value
            self.points[MAX_ARROWS * journey + n] = value
            if self.events is not None:
                self.events.append(
                    event(
                        "stop",
                        seat=int(traveler),
                        number=int(n) + 1,
                        space=SPACE_NAMES[space],
                        place=self.place_name(space),
                        meant=SPACE_NAMES[self.aim[MAX_ARROWS * journey + n]],
                        meant_place=self.place_name(self.aim[MAX_ARROWS * journey + n]),
                        points=int(value),
                        score=int(self.score),
                    )
                )
                if self.souvenirs() > collected:
                    self.events.append(event("souvenir", souvenirs=self.souvenirs()))
            self.marker[traveler] = space
        self.gone += 1

    def _begin_day(self) -> None:
        """Deal ten words to each player. They look at today's side of their map cards when planning begins."""
        self.gone = 0
        self.done = 0
        self.reveals += 1
        dealt: dict[int, dict[str, object]] = {}
        waits = self.version > 1 and self.timer > 0
        self.hand = self.hand[:]
        self.deck = self.deck[:]
        for seat in range(self.seats):
            journey = self.journey_of(seat)
            self.start[journey] = self.marker[seat]
            ten = sorted([self.deck[self.drawn + i] for i in range(HAND)])
            for i in range(i64(HAND)):
                self.hand[HAND * journey + i] = ten[i]
                self.deck[self.drawn + i] = -1
            self.drawn += HAND
            if self.events is not None:
                dealt[int(seat)] = {"words": [WORDS[word] for word in ten]}
                if not waits:
                    dealt[int(seat)]["map"] = SYMBOLS[self.maps[seat]][self.day]
        self.step = STEP_READY if waits else STEP_PLAN
        if self.events is not None:
            self.events.append(event("day", dealt, day=int(self.day) + 1, arrows=int(self.arrows())))

    def _ready(self, me: i64) -> None:
        """Start the sand timer when all players are ready or the clock says so, and the time to discuss when all locals
        are ready."""
        everyone = (i64(1) << self.seats) - 1
        if me != CLOCK and self.events is not None:
            self.events.append(event("ready", seat=int(me)))
        if self.step == STEP_GUESS:
            return
        self.done = everyone if me == CLOCK else self.done | i64(1) << me
        if self.done == everyone:
            self.step = STEP_PLAN
            self.done = 0
            self.reveals += 1
            if self.events is not None:
                maps = {int(seat): {"map": SYMBOLS[self.maps[seat]][self.day]} for seat in range(self.seats)}
                self.events.append(event("planning", maps, seconds=int(self.timer)))

    def imagine(self, seat: int, dice: Dice) -> "State":
        me: i64 = seat
        copy = self.copy_with(dice)
        copy.clear_unused(me)
        copy.deal_maps(me)
        before = self.step == STEP_PLAN or self.step == STEP_READY
        hidden = [s for s in range(self.seats) if s != me and (before or self.turn_of(s) > self.gone)]
        if self.step == STEP_OVER:
            hidden = []
        copy.deal_words(hidden)
        if self.step != STEP_READY:
            for other in hidden:
                copy.imagine_plan(other)
        if self.step == STEP_GUESS and me != self.traveler():
            copy.imagine_path(self.journey_of(self.traveler()))
        return copy


def new(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
    """Set up a match."""
    return _new(2, seats, options, dice, events)


def new_by_first_version(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
    """Set up a match with version 1 of the rules (see "What changed" in the rulebook)."""
    return _new(1, seats, options, dice, events)


def _new(version: int, seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
    named = named_starter(options, seats)
    city = options["city"]
    state = State()
    state.version = version
    state.seats = seats
    state.dice = dice
    state.events = events
    state.names = options["names"] == "shown"
    state.timer = options["timer"]
    state.discussion = options["discussion"]
    state.maps = vec[i64](range(N_MAPS))
    dice.shuffle(state.maps, 0, N_MAPS)
    state.deck = vec[i64](range(N_WORDS))
    dice.shuffle(state.deck, 0, N_WORDS)
    state.city = dice.below(len(CITIES)) if city == "drawn" else CITIES.index(city)
    state.starter = dice.below(seats) if named < 0 else named
    both = 2 * seats
    state.hand = vec[i64]([-1] * (HAND * both))
    state.put = vec[i64]([0] * (HAND * both))
    state.rank = vec[i64]([0] * (HAND * both))
    state.aim = vec[i64]([-1] * (MAX_ARROWS * both))
    state.feet = vec[i64]([-1] * (MAX_ARROWS * both))
    state.points = vec[i64]([0] * (MAX_ARROWS * both))
    state.used = vec[i64]([0] * both)
    state.start = vec[i64]([CENTRE] * both)
    state.marker = vec[i64]([CENTRE] * seats)
    state.changes = vec[i64]([0] * seats)
    state.way = vec[i64]([0] * MAX_ARROWS)
    state.box = vec[i64]([0] * (4 * MAX_ARROWS))
    state.placer = vec[i64]([-1] * MAX_ARROWS)
    state.sure = vec[i64]([0] * MAX_ARROWS)
    state.steps = vec[i64]([0] * seats)
    if events is not None:
        events.append(event("arrived", city=CITIES[state.city], first=int(state.starter)))
    state._begin_day()
    return state
