# compiled
"""Encodes what a seat sees of The Journey: Istanbul, directly from the position. `features.py` defines the encoding."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from grandtour.engine.state import State as Position
from grandtour.games.journey_istanbul.encoder_talk import TalkEncoder
from grandtour.games.journey_istanbul.parts import (
    BURDEN,
    DAYS,
    DOCUMENTS,
    DRIVER,
    FAMILY,
    FATIH,
    JAIL,
    MEDICINE,
    N_CARDS,
    N_DAYS,
    N_PLACES,
    OUT,
    PARTS,
    PERMIT,
    PLACES,
    SLOTS,
    SOURCE,
    SQUARES,
    SULTANAHMET,
    TAKSIM,
    TRANSFER,
    USKUDAR,
)
from grandtour.games.journey_istanbul.rules import (
    AMOUNT,
    FINAL_DAY,
    PLACE_OF,
    STEP_JOURNEY,
    STEP_OVER,
    STEP_WORK,
    STEPS,
    State,
)
from grandtour.games.journey_istanbul.state import (
    BIT,
    DAY_OF,
    EV_CARDS,
    EV_COMPLETED,
    EV_DAY,
    EV_FINED,
    EV_JAILED,
    EV_SPARED,
    EV_SQUARES,
    RANK,
    SQUARE_BASE,
)


class Encoder(TalkEncoder):
    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.step = vec[i64]([self.place(f"step.{step}") for step in STEPS])
        self.turn: i64 = self.place("turn")
        self.asked: i64 = self.place("asked.there")
        self.day: i64 = self.place("day")
        self.starter: i64 = self.place("starter")
        self.looks: i64 = self.place("looks")
        self.ranked: i64 = self.place("ranked")
        self.places_at = vec[i64]([self.place(f"places.{n + 1}.there") for n in range(len(PLACES))])
        self.pile: i64 = self.place("places.1.pile") - self.places_at[0]
        self.rows = vec[i64]([self.place(f"sheet.{n + 1}.there") for n in range(N_DAYS)])
        self.squares = vec[i64](
            [self.place(f"sheet.{slot // SQUARES + 1}.squares.{slot % SQUARES + 1}.there") for slot in range(SLOTS)]
        )
        square = "sheet.1.squares.1"
        there = self.place(f"{square}.there")
        self.lies: i64 = self.place(f"{square}.lies") - there
        self.sideways: i64 = self.place(f"{square}.sideways") - there
        self.due: i64 = self.place(f"{square}.due") - there
        self.looked: i64 = self.place(f"{square}.looked") - there
        self.up: i64 = self.place(f"{square}.up") - there
        self.card: i64 = self.place(f"{square}.card") - there
        self.left: i64 = self.place("deck.left")
        self.top: i64 = self.place("deck.top")
        self.gone: i64 = self.place("discards.up")
        self.down = vec[i64]([self.place(f"discards.down.{day}.there") for day in DAYS])
        self.by: i64 = self.place("discards.down.1st.by") - self.down[0]
        self.buried: i64 = self.place("discards.down.1st.card") - self.down[0]
        self._place_players()
        self.evening: i64 = self.place("evening.day")
        self.turned_up: i64 = self.place("evening.cards")
        self.evening_squares: i64 = self.place("evening.squares.1.there")
        self.evening_square: i64 = self.place("evening.squares.2") - self.evening_squares
        self.completed: i64 = self.place("evening.completed")
        self.fined_then: i64 = self.place("evening.fined")
        self.jailed: i64 = self.place("evening.jailed")
        self.spared: i64 = self.place("evening.spared")
        self.to_travel: i64 = self.place("offer.kind.journey")
        self.to_work: i64 = self.place("offer.kind.work")
        self.offered: i64 = self.place("offer.card")
        self.offered_at: i64 = self.place("offer.place")
        self.offered_for: i64 = self.place("offer.amount")
        self.short: i64 = self.place("short")

    def _place_players(self) -> None:
        you = "players.you"
        self.player: i64 = self.place("players.+1") - self.place(you)
        self.where: i64 = self.place(f"{you}.place")
        self.was: i64 = self.place(f"{you}.was")
        self.money: i64 = self.place(f"{you}.money")
        self.obstacle: i64 = self.place(f"{you}.obstacle.name")
        self.overcome: i64 = self.place(f"{you}.obstacle.complete")
        self.obstacle_task: i64 = self.place(f"{you}.obstacle.circles")
        self.obstacle_circles = vec[i64]([len(card["circles"]) for card in PARTS["obstacles"]])
        self.opportunity: i64 = self.place(f"{you}.opportunity.name")
        self.seized: i64 = self.place(f"{you}.opportunity.complete")
        self.opportunity_task: i64 = self.place(f"{you}.opportunity.circles")
        self.opportunity_circles = vec[i64]([len(card["circles"]) for card in PARTS["opportunities"]])
        self.task_place: i64 = self.place(f"{you}.obstacle.place") - self.obstacle_task
        self.task_days: i64 = self.place(f"{you}.obstacle.days.there") - self.obstacle_task
        self.looked_at: i64 = self.place(f"{you}.looked_at")
        self.fined: i64 = self.place(f"{you}.fined")
        self.jail: i64 = self.place(f"{you}.jail.there")
        self.fine: i64 = self.place(f"{you}.jail.fine")
        self.until: i64 = self.place(f"{you}.jail.until")
        self.out: i64 = self.place(f"{you}.out.there")
        self.out_day: i64 = self.place(f"{you}.out.day")
        self.out_cost: i64 = self.place(f"{you}.out.cost")

    def encode(self, position: Position, me: i64, out: vec[u8], at: i64) -> None:
        assert isinstance(position, State)
        state = position
        seats = state.seats
        out[at + self.step[state.step]] = 1
        out[at + self.turn + (state.turn - me + seats) % seats] = 1
        if state.step != STEP_OVER:
            asked = state.asked_for_help()
            if asked >= 0:
                out[at + self.asked] = 1
                out[at + self.asked + 1 + (asked - me + seats) % seats] = 1
        self.put(out, at, self.day, state.day)
        out[at + self.starter + (state.starter - me + seats) % seats] = 1
        self.put(out, at, self.looks, state.looks)
        out[at + self.ranked] = 1 if state.ranked else 0
        self._sheet(state, me, out, at)
        self._discards(state, me, out, at)
        for place in range(i64(N_PLACES)):
            out[at + self.places_at[place]] = 1
        for seat in range(seats):
            self._player(state, me, seat, out, at)
        if state.step == STEP_JOURNEY or state.step == STEP_WORK:
            journey = state.step == STEP_JOURNEY
            out[at + (self.to_travel if journey else self.to_work)] = 1
            out[at + self.offered + state.card] = 1
            out[at + self.offered_at + PLACE_OF[state.card]] = 1
            amount = state.cost(state.turn, state.card) if journey else state.wage(state.turn, state.card)
            self.put(out, at, self.offered_for, amount)
        if state.evening[EV_DAY]:
            self._evening(state, me, out, at)
        self.put(out, at, self.short, state.short(me))
        self.encode_talk(state, me, out, at)

    def _sheet(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        for row in range(i64(N_DAYS)):
            out[at + self.rows[row]] = 1
        for slot in range(i64(SLOTS)):
            place = at + self.squares[slot]
            out[place] = 1
            card = state.sheet[slot]
            if card < 0:
                continue
            out[place + self.lies] = 1
            out[place + self.sideways] = u8(state.sideways >> slot & 1)
            out[place + self.due] = u8(state.due(slot))
            self._seats(state, me, state.looked[slot], out, place + self.looked)
            up = state.revealed >> card & 1
            out[place + self.up] = u8(up)
            if up or state.knows[slot] >> me & 1:
                out[place + self.card + RANK[card]] = 1

    def _discards(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        """Write the deck and the discards."""
        self.put(out, at, self.left, N_CARDS - state.drawn)
        if state.drawn < N_CARDS:
            out[at + self.top + DAY_OF[state.deck[state.drawn]]] = 1
        self._cards(state.gone, out, at + self.gone)
        for row in range(i64(N_DAYS)):
            card = state.buried[row]
            if card < 0:
                continue
            place = at + self.down[row]
            by = state.buried[N_DAYS + row]
            out[place] = 1
            if by >= 0:
                out[place + self.by + (by - me + state.seats) % state.seats] = 1
            if by == me:
                out[place + self.buried + RANK[card]] = 1

    def _player(self, state: State, me: i64, seat: i64, out: vec[u8], at: i64) -> None:
        seats = state.seats
        turn = (seat - me + seats) % seats
        here = state.place[seat]
        if here < JAIL:
            below: i64 = 0
            for other in range(seats):
                if state.place[other] == here:
                    first = state.arrived[other] - state.arrived[seat]
                    if first < 0 or (first == 0 and other < seat):
                        below += 1
            pile = at + self.places_at[here] + self.pile + (1 + seats) * below
            out[pile] = 1
            out[pile + 1 + turn] = 1
        at += self.player * turn
        if here < JAIL:
            out[at + self.where + here] = 1
        was: i64 = 0
        for place in range(i64(1), i64(N_PLACES)):
            if state.visits[N_PLACES * seat + place] > state.visits[N_PLACES * seat + was]:
                was = place
        if state.visits[N_PLACES * seat + was]:
            out[at + self.was + was] = 1
        self.put(out, at, self.money, state.money[seat])
        out[at + self.obstacle + state.obstacle[seat]] = 1
        out[at + self.overcome] = u8(state.done >> seat & 1)
        out[at + self.opportunity + state.opportunity[seat]] = 1
        self.put(out, at, self.seized, state.bonus[seat])
        self._tasks(state, seat, out, at)
        peeked = state.peeked[seat]
        while peeked:
            out[at + self.looked_at + peeked % SQUARE_BASE - 1] = 1
            peeked //= SQUARE_BASE
        out[at + self.fined] = u8(state.fined >> seat & 1)
        if here == JAIL:
            out[at + self.jail] = 1
            self.put(out, at, self.fine, AMOUNT[state.fine_card[seat]])
            self.put(out, at, self.until, state.release[seat])
        elif here == OUT:
            out[at + self.out] = 1
            self.put(out, at, self.out_day, state.out_day[seat])
            self.put(out, at, self.out_cost, state.out_cost[seat])

    def _tasks(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write a seat's progress with its obstacle and its opportunity (see `mechanics/tasks.py`)."""
        card = state.obstacle[seat]
        first = N_PLACES * seat
        fatih = state.visits[first + FATIH]
        taksim = state.visits[first + TAKSIM]
        uskudar = state.visits[first + USKUDAR]
        soonest = self._soonest(state, seat)
        task = at + self.obstacle_task
        if state.done >> seat & 1:
            self._circles(self.obstacle_circles[card], -1, out, task)
        elif card == BURDEN:
            self._part(fatih << 1, soonest, FATIH, FATIH, out, task)
        elif card == DOCUMENTS:
            self._part(taksim << 2, soonest, FATIH, TAKSIM, out, task)
        elif card == MEDICINE:
            self._part(uskudar << 1 | uskudar << 2 | uskudar << 3, soonest, SULTANAHMET, USKUDAR, out, task)
        elif card == FAMILY:
            sultanahmet = state.visits[first + SULTANAHMET]
            self._circles(3, _bit(fatih) + 2 * _bit(sultanahmet) + 4 * _bit(uskudar), out, task)
            there: i64 = USKUDAR
            if not fatih:
                there = FATIH
            elif not sultanahmet:
                there = SULTANAHMET
            out[task + self.task_place + there] = 1
        else:
            self._circles(2, _bit(state.paid[seat]), out, task)
            out[task + self.task_place + TAKSIM] = 1
        card = state.opportunity[seat]
        task = at + self.opportunity_task
        if state.bonus[seat]:
            self._circles(self.opportunity_circles[card], -1, out, task)
        elif card == TRANSFER and state.place[seat] == TAKSIM:
            latest = taksim
            while latest & (latest - 1):
                latest &= latest - 1
            self._circles(2, 1, out, task)
            out[task + self.task_place + TAKSIM] = 1
            self._days(latest << 2 | latest << 3, soonest + 1, out, task)
        elif card == TRANSFER:
            left = BIT[state.left[seat]] & ~i64(1)
            self._part(left << 1 | left << 2 | left << 3, soonest, TAKSIM, TAKSIM, out, task)
        elif card == PERMIT:
            self._circles(2, _bit(fatih), out, task)
            out[task + self.task_place + _either(fatih, TAKSIM, FATIH)] = 1
        elif card == SOURCE:
            self._circles(2, _bit(uskudar), out, task)
            out[task + self.task_place + _either(uskudar, FATIH, USKUDAR)] = 1
        else:
            self._circles(1, 0, out, task)
            out[task + self.task_place + _either(i64(card == DRIVER), TAKSIM, SULTANAHMET)] = 1

    def _soonest(self, state: State, seat: i64) -> i64:
        """The next day on which this seat's place counts: today if it has not moved yet."""
        seats = state.seats
        over = state.step == STEP_JOURNEY or state.step == STEP_WORK
        for place in range(i64(N_PLACES)):
            if state.visits[N_PLACES * seat + place] >> state.day & 1:
                over = True
        if state.place[seat] == JAIL:
            acted = (seat - state.starter + seats) % seats < (state.turn - state.starter + seats) % seats
            over = over or acted
        return state.day + 1 if over else state.day

    def _part(self, days: i64, soonest: i64, there: i64, before: i64, out: vec[u8], task: i64) -> None:
        """Write a task in two parts. The second part must be done in a place on one of `days`. If all of these have
        passed, the first part has to be done again."""
        if self._left(days, soonest):
            self._circles(2, 1, out, task)
            out[task + self.task_place + there] = 1
            self._days(days, soonest, out, task)
        else:
            self._circles(2, 0, out, task)
            out[task + self.task_place + before] = 1

    def _left(self, days: i64, soonest: i64) -> i64:
        """The days of this set that are still to come."""
        return days & (BIT[FINAL_DAY + 1] - 1) & ~(BIT[soonest] - 1)

    def _days(self, days: i64, soonest: i64, out: vec[u8], task: i64) -> None:
        left = self._left(days, soonest)
        out[task + self.task_days] = 1
        for day in range(soonest, FINAL_DAY + 1):
            out[task + self.task_days + day] = u8(left >> day & 1)

    def _circles(self, many: i64, marked: i64, out: vec[u8], task: i64) -> None:
        for circle in range(many):
            out[task + 2 * circle] = 1
            out[task + 2 * circle + 1] = u8(marked >> circle & 1)

    def _evening(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        evening = state.evening
        self.put(out, at, self.evening, evening[EV_DAY])
        self._cards(evening[EV_CARDS], out, at + self.turned_up)
        for square in range(i64(SQUARES)):
            rank = evening[EV_SQUARES] >> 3 * square & 7
            if rank:
                place = at + self.evening_squares + self.evening_square * square
                out[place] = 1
                out[place + rank] = 1
        self._seats(state, me, evening[EV_COMPLETED], out, at + self.completed)
        self._seats(state, me, evening[EV_FINED], out, at + self.fined_then)
        self._seats(state, me, evening[EV_JAILED], out, at + self.jailed)
        self._seats(state, me, evening[EV_SPARED], out, at + self.spared)

    def _cards(self, cards: i64, out: vec[u8], place: i64) -> None:
        while cards:
            out[place] = u8(cards & 1)
            cards >>= 1
            place += 1

    def _seats(self, state: State, me: i64, bits: i64, out: vec[u8], place: i64) -> None:
        if bits:
            for seat in range(state.seats):
                out[place + (seat - me + state.seats) % state.seats] = u8(bits >> seat & 1)


def _bit(number: i64) -> i64:
    """1 for anything but 0."""
    return 1 if number else 0


def _either(which: i64, one: i64, other: i64) -> i64:
    return one if which else other
