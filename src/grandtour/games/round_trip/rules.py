"""Round Trip Italy: the rules, written for speed; `referee.py` has the same rules, written for people.

Cities, piles and kinds of ticket are small ints (see `parts.py`). Counts are stored in flat lists: `hand[25 * seat +
kind]`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event, event
from grandtour.engine.options import Options, named_starter
from grandtour.engine.vocabulary import Names, Vocabulary
from grandtour.games.round_trip.knowledge import EVERYONE, MIXED_SIZE, NOBODY, deal_mixed, depart, learn
from grandtour.games.round_trip.parts import (
    CITIES,
    GRAND_TOUR,
    KINDS,
    MAX_HAND,
    MIN_LENGTH,
    N_CITIES,
    N_LENGTHS,
    N_PILES,
    PER_PILE,
    PILE_SIZE,
    PILES,
    SELECTION_CARDS,
    SELECTIONS,
    TICKET_NAMES,
    TICKETS,
    TRIPS,
    Trips,
)
from grandtour.games.round_trip.state import (
    BY_FOUR,
    BY_GRAND_TOUR,
    BY_LIMIT,
    COPIES,
    FOUR_LENGTHS,
    PILE,
    STEP_ACT,
    STEP_GIVE,
    STEP_LAY,
    STEP_OVER,
    STEP_TAKE,
    Table,
)

MOVES: Final = Vocabulary(
    {
        "take": {"pile": Names(*PILES)},
        "exchange": {"ticket": TICKET_NAMES, "with": Names("left", "right")},
        "give": {"ticket": TICKET_NAMES},
        "lay": {"tickets": Trips()},
        "discard": {"ticket": TICKET_NAMES},
        "end-turn": {},
    }
)
TAKE: Final[i64] = MOVES.first("take")
EXCHANGE: Final[i64] = MOVES.first("exchange")
GIVE: Final[i64] = MOVES.first("give")
LAY: Final[i64] = MOVES.first("lay")
DISCARD: Final[i64] = MOVES.first("discard")
END_TURN: Final[i64] = MOVES.first("end-turn")

TRIP_LENGTH: Final = vec[i64]([trip.length for trip in TRIPS])
TRIP_EXTRA: Final = vec[i64]([int(trip.extra_turn) for trip in TRIPS])
TRIP_TICKETS: Final = vec[i64]([kind for trip in TRIPS for kind in (*trip.tickets, *[-1] * (GRAND_TOUR - trip.length))])
SELECTION: Final = {name: [sum(1 << city for city in cities) for cities in cards] for name, cards in SELECTIONS.items()}


def _tree() -> tuple[list[int], list[int], list[int]]:
    """All round trips as a tree over their sorted tickets, so that a hand is searched along branches it holds.

    Of each node the children as a set of bits, and where each child is: a node, or -1 - trip at the end. Apart from
    the tree, the trips of one kind twice.
    """
    children = [0]
    where = [0] * KINDS
    twice = [0] * KINDS
    for number, trip in enumerate(TRIPS):
        if trip.tickets[0] == trip.tickets[1]:
            twice[trip.tickets[0]] = number
            continue
        node = 0
        for kind in trip.tickets[:-1]:
            if not children[node] >> kind & 1:
                children[node] |= 1 << kind
                where[KINDS * node + kind] = len(children)
                children.append(0)
                where.extend([0] * KINDS)
            node = where[KINDS * node + kind]
        children[node] |= 1 << trip.tickets[-1]
        where[KINDS * node + trip.tickets[-1]] = -1 - number
    return children, where, twice


_branches: Final = _tree()
CHILDREN: Final = vec[i64](_branches[0])
WHERE: Final = vec[i64](_branches[1])
TWICE: Final = vec[i64](_branches[2])
PLACE: Final = vec[i64]([next((b for b in range(36) if (1 << b) % 37 == r), 0) for r in range(37)])
"""The index of a single bit, by its remainder: 2 is a primitive root of 37."""
PILE_KINDS: Final = vec[i64]([((1 << PER_PILE) - 1) << PER_PILE * pile for pile in range(N_PILES)])
"""The kinds of ticket of each pile: one bit each."""
TOUCHING: Final = vec[i64](
    [sum(1 << kind for kind, ticket in enumerate(TICKETS) if city in ticket[:2]) for city in range(N_CITIES)]
)
"""The kinds of ticket from or to each city."""


def without_dead_ends(held: i64) -> i64:
    """These kinds of ticket without those that lead to a city that no other leads to: no round trip can use them."""
    before: i64 = -1
    while held != before:
        before = held
        for city in range(i64(N_CITIES)):
            here = held & TOUCHING[city]
            if not here & (here - 1):
                held ^= here
    return held


def write_branch(node: i64, held: i64, made: i64, moves: vec[i64], count: i64) -> i64:
    """Write the round trips below a node of the tree that these kinds of ticket make, but for lengths that are made."""
    rest = held & CHILDREN[node]
    first = KINDS * node
    while rest:
        at = first + PLACE[(rest & -rest) % 37]
        rest &= rest - 1
        there = WHERE[at]
        if there >= 0:
            count = write_branch(there, held, made, moves, count)
        else:
            trip = -1 - there
            if not made >> TRIP_LENGTH[trip] & 1:
                moves[count] = LAY + trip
                count += 1
    return count


class State(Table):
    """A position of Round Trip Italy."""

    def write_legal(self, seat: i64, moves: vec[i64]) -> i64:
        count: i64 = 0
        step = self.step
        if step == STEP_TAKE:
            if seat == self.turn:
                for pile in range(i64(N_PILES)):
                    if self.card >> pile & 1 and self.count[pile]:
                        moves[count] = TAKE + pile
                        count += 1
        elif step == STEP_GIVE:
            if seat == self.partner:
                hand = self.hand
                first = PER_PILE * self._wanted()
                for kind in range(first, first + PER_PILE):
                    at = KINDS * seat + kind
                    if hand[at]:
                        moves[count] = GIVE + kind
                        count += 1
        elif step != STEP_OVER and seat == self.turn:
            held: i64 = 0
            size: i64 = 0
            hand = self.hand
            at = KINDS * seat
            for kind in range(i64(KINDS)):
                copies = hand[at]
                at += 1
                if copies:
                    held |= i64(1) << kind
                    size += copies
            if step == STEP_ACT:
                count = self._write_exchanges(seat, held, moves)
            count = self._write_trips(seat, held, moves, count)
            if size == MAX_HAND:
                while held:
                    moves[count] = DISCARD + PLACE[(held & -held) % 37]
                    held &= held - 1
                    count += 1
            else:
                moves[count] = END_TURN
                count += 1
        return count

    def _write_exchanges(self, me: i64, held: i64, moves: vec[i64]) -> i64:
        count: i64 = 0
        left = self.neighbour(me, 0)
        right = self.neighbour(me, 1)
        for pile in range(i64(N_PILES)):
            rest = held & PILE_KINDS[pile]
            if rest:
                with_left = left >= 0 and self.backs(left, (pile + N_PILES - 1) % N_PILES) > 0
                with_right = right >= 0 and self.backs(right, (pile + 1) % N_PILES) > 0
                if with_left or with_right:
                    while rest:
                        move = EXCHANGE + 2 * PLACE[(rest & -rest) % 37]
                        rest &= rest - 1
                        if with_left:
                            moves[count] = move
                            count += 1
                        if with_right:
                            moves[count] = move + 1
                            count += 1
        return count

    def _write_trips(self, me: i64, held: i64, moves: vec[i64], count: i64) -> i64:
        made = self.lengths[me]
        first = KINDS * me
        rest = held
        usable = without_dead_ends(held)
        while rest:
            bit = rest & -rest
            kind = PLACE[bit % 37]
            rest ^= bit
            at = first + kind
            if self.hand[at] > 1 and not made & 1 << MIN_LENGTH:
                moves[count] = LAY + TWICE[kind]
                count += 1
            if CHILDREN[0] & usable & bit:
                count = write_branch(WHERE[kind], usable, made, moves, count)
        return count

    def play(self, seat: int, move: int) -> None:
        m: i64 = move
        if m < EXCHANGE:
            self._take(m - TAKE)
        elif m < GIVE:
            self._offer((m - EXCHANGE) >> 1, (m - EXCHANGE) & 1)
        elif m < LAY:
            self._exchange(m - GIVE)
        elif m < DISCARD:
            self._lay(m - LAY)
        elif m < END_TURN:
            self._discard(m - DISCARD)
        else:
            self._next_turn(False)

    def _take(self, pile: i64) -> None:
        place = PILE_SIZE * pile + self.top[pile]
        kind = self.pile[place]
        if self.seen[place]:
            learn(self.known, self.seats, self.turn, kind, self.seen[place])
            self.seen[place] = 0
        self.top[pile] = (self.top[pile] + 1) % PILE_SIZE
        self.count[pile] -= 1
        self.hand[KINDS * self.turn + kind] += 1
        self.step = STEP_ACT
        self.reveals += 1
        if self.events is not None:
            private = {int(self.turn): {"ticket": TICKETS[kind].name}}
            self.events.append(event("took", private, seat=int(self.turn), pile=CITIES[pile]))

    def _wanted(self) -> i64:
        """The pile that the ticket on offer asks for."""
        step: i64 = 1 if self._with_right() else N_PILES - 1
        return (PILE[self.offer] + step) % N_PILES

    def _with_right(self) -> bool:
        return self.neighbour(self.turn, 1) == self.partner

    def _offer(self, kind: i64, right: i64) -> None:
        self.offer = kind
        self.partner = self.neighbour(self.turn, right)
        self.step = STEP_GIVE
        wanted = self._wanted()
        if self.events is not None:
            self.events.append(
                event(
                    "offered",
                    {int(self.turn): {"ticket": TICKETS[kind].name}},
                    **{"seat": int(self.turn), "to": int(self.partner), "with": "right" if right else "left"},
                    back=CITIES[PILE[kind]],
                    wanted=CITIES[wanted],
                )
            )
        # With a single ticket there is no choice. With several of one kind there is none either, but not asking would
        # reveal that.
        if self.backs(self.partner, wanted) == 1:
            for other in range(PER_PILE * wanted, PER_PILE * wanted + PER_PILE):
                if self.hand[KINDS * self.partner + other]:
                    self._exchange(other)
                    return

    def _exchange(self, back: i64) -> None:
        """The partner gives a ticket back for the one on offer."""
        me = self.turn
        partner = self.partner
        kind = self.offer
        learn(self.known, self.seats, partner, kind, self._depart(me, partner, kind, i64(1) << partner))
        learn(self.known, self.seats, me, back, self._depart(partner, me, back, i64(1) << me))
        self.hand[KINDS * me + kind] -= 1
        self.hand[KINDS * partner + kind] += 1
        self.hand[KINDS * partner + back] -= 1
        self.hand[KINDS * me + back] += 1
        self.offer = -1
        self.partner = -1
        self.step = STEP_LAY
        self.reveals += 1
        if self.events is not None:
            fronts = {"gave_ticket": TICKETS[kind].name, "got_ticket": TICKETS[back].name}
            self.events.append(
                event(
                    "exchanged",
                    {int(me): fronts, int(partner): fronts},
                    seat=int(me),
                    to=int(partner),
                    gave=CITIES[PILE[kind]],
                    got=CITIES[PILE[back]],
                )
            )

    def _depart(self, holder: i64, to: i64, kind: i64, watchers: i64) -> i64:
        """A ticket is about to leave a hand: what the seats still know of that hand. Returns those who know which it
        is."""
        backs = self.backs(holder, PILE[kind])
        return depart(self.known, self.mixed, self.seats, holder, to, kind, backs, watchers)

    def _lay(self, trip: i64) -> None:
        me = self.turn
        length = TRIP_LENGTH[trip]
        for i in range(GRAND_TOUR * trip, GRAND_TOUR * trip + length):
            kind = TRIP_TICKETS[i]
            self._depart(me, -1, kind, EVERYONE)
            self.hand[KINDS * me + kind] -= 1
        self.lengths[me] |= i64(1) << length
        self.trips[N_LENGTHS * me + length - MIN_LENGTH] = trip + 1
        extra = TRIP_EXTRA[trip] != 0
        self.reveals += 1
        if self.events is not None:
            laid = TRIPS[trip]
            self.events.append(
                event(
                    "laid",
                    seat=int(me),
                    tickets=[TICKETS[kind].name for kind in laid.ring],
                    cities=[CITIES[city] for city in laid.cities],
                    length=laid.length,
                    extra=extra,
                )
            )
        if length == GRAND_TOUR:
            self._end(i64(1) << me, BY_GRAND_TOUR)
        elif self.lengths[me] & FOUR_LENGTHS == FOUR_LENGTHS:
            self._end(i64(1) << me, BY_FOUR)
        else:
            self._next_turn(extra)

    def _discard(self, kind: i64) -> None:
        me = self.turn
        pile = PILE[kind]
        place = PILE_SIZE * pile + (self.top[pile] + self.count[pile]) % PILE_SIZE
        self.pile[place] = kind
        self.seen[place] = self._depart(me, -1, kind, NOBODY)
        self.count[pile] += 1
        self.hand[KINDS * me + kind] -= 1
        if self.events is not None:
            private = {int(me): {"ticket": TICKETS[kind].name}}
            self.events.append(event("discarded", private, seat=int(me), pile=CITIES[pile]))
        self._next_turn(False)

    def _next_turn(self, extra: bool) -> None:
        self.extra = extra
        if not extra:
            self.turn = (self.turn + 1) % self.seats
            if self.turn == self.starter:
                if self.round == self.turn_limit:
                    self._end(self._ahead(), BY_LIMIT)
                    return
                self.round += 1
        self._begin_turn()

    def _begin_turn(self) -> None:
        """Turn over selection cards until one shows a pile with a ticket. There always is one."""
        if self.events is not None:
            self.events.append(event("turn", seat=int(self.turn), extra=self.extra, round=int(self.round)))
        filled: i64 = 0
        for pile in range(i64(N_PILES)):
            if self.count[pile]:
                filled |= i64(1) << pile
        passed: list[list[str]] = []
        while True:
            if self.turned == SELECTION_CARDS:
                self._shuffle_deck()
                if self.events is not None:
                    self.events.append(event("shuffled"))
            self.card = self.deck[self.turned]
            self.turned += 1
            if self.card & filled:
                break
            if self.events is not None:
                passed.append(shown(self.card))
        self.step = STEP_TAKE
        self.reveals += 1
        if self.events is not None:
            self.events.append(event("turned", seat=int(self.turn), cities=shown(self.card), passed=passed))

    def _shuffle_deck(self) -> None:
        self.dice.shuffle(self.deck, 0, SELECTION_CARDS)
        self.turned = 0

    def _ahead(self) -> i64:
        """Who leads when the turns are used up: most round trips, then most tickets laid."""
        best: i64 = -1
        ahead: i64 = 0
        for seat in range(self.seats):
            value: i64 = 0
            for length in range(i64(MIN_LENGTH), i64(GRAND_TOUR)):
                if self.lengths[seat] >> length & 1:
                    value += 100 + length
            if value > best:
                best = value
                ahead = 0
            if value == best:
                ahead |= i64(1) << seat
        return ahead

    def _end(self, winners: i64, how: i64) -> None:
        self.winners = winners
        self.how = how
        self.step = STEP_OVER
        if self.events is not None:
            seats = [int(seat) for seat in range(self.seats) if winners >> seat & 1]
            self.events.append(event("won", seats=seats, how=("", "four", "grand", "limit")[how]))

    def imagine(self, seat: int, dice: Dice) -> "State":
        me: i64 = seat
        copy = self.copy_with(dice)
        for pile in range(i64(N_PILES)):
            copy._redeal(me, pile)
        if self.seats > 2:
            # What others know of each other is not this seat's to know, nor, where a third one may have passed on a
            # ticket that another knew, what they know of its own hand.
            copy.known = vec[i64]([0] * len(self.known))
            for i in range(KINDS * self.seats * me, KINDS * self.seats * (me + 1)):
                copy.known[i] = self.known[i]
            copy.mixed = vec[i64]([0] * len(self.mixed))
            for i in range(N_PILES * MIXED_SIZE * me, N_PILES * MIXED_SIZE * (me + 1)):
                copy.mixed[i] = self.mixed[i]
        if self.offer >= 0 and me != self.turn:
            copy.offer = copy._any_ticket(self.turn, PILE[self.offer])
        rest = sorted([copy.deck[i] for i in range(self.turned, i64(SELECTION_CARDS))])
        for i in range(len(rest)):
            copy.deck[self.turned + i] = rest[i]
        dice.shuffle(copy.deck, self.turned, SELECTION_CARDS)
        return copy

    def _redeal(self, me: i64, pile: i64) -> None:
        """Deal again those of a pile's sixteen tickets that a seat does not know, in the pile and in other hands."""
        first = PER_PILE * pile
        left = vec[i64]([COPIES[first + i] for i in range(PER_PILE)])
        for seat in range(self.seats):
            known = KINDS * (self.seats * me + seat) + first
            for i in range(i64(PER_PILE)):
                left[i] -= self.hand[KINDS * seat + first + i] if seat == me else self.known[known + i]
            for length in range(i64(N_LENGTHS)):
                trip = self.trips[N_LENGTHS * seat + length] - 1
                if trip >= 0:
                    for i in range(GRAND_TOUR * trip, GRAND_TOUR * trip + length + MIN_LENGTH):
                        kind = TRIP_TICKETS[i]
                        if PILE[kind] == pile:
                            left[kind - first] -= 1
        for n in range(self.count[pile]):
            place = PILE_SIZE * pile + (self.top[pile] + n) % PILE_SIZE
            self.seen[place] &= i64(1) << me
            if self.seen[place]:
                left[self.pile[place] - first] -= 1
        sizes = vec[i64]([0] * self.seats)
        for seat in range(self.seats):
            if seat != me:
                sizes[seat] = self.backs(seat, pile)
                known = KINDS * (self.seats * me + seat) + first
                for i in range(i64(PER_PILE)):
                    self.hand[KINDS * seat + first + i] = self.known[known + i]
                    sizes[seat] -= self.known[known + i]
        deal_mixed(self.mixed, self.seats, me, pile, self.hand, left, sizes, self.dice)
        stock = vec[i64]([first + i for i in range(PER_PILE) for _ in range(left[i])])
        self.dice.shuffle(stock, 0, len(stock))
        used: i64 = 0
        for seat in range(self.seats):
            for _ in range(sizes[seat]):
                self.hand[KINDS * seat + stock[used]] += 1
                used += 1
        for n in range(i64(PILE_SIZE)):
            place = PILE_SIZE * pile + (self.top[pile] + n) % PILE_SIZE
            if n >= self.count[pile]:
                # A place that is empty still holds the ticket that was taken from it.
                self.pile[place] = -1
                self.seen[place] = 0
            elif not self.seen[place]:
                self.pile[place] = stock[used]
                used += 1

    def _any_ticket(self, seat: i64, pile: i64) -> i64:
        """One of the tickets of a pile in a hand, by the dice."""
        skip = self.dice.below(self.backs(seat, pile))
        for kind in range(PER_PILE * pile, PER_PILE * pile + PER_PILE):
            skip -= self.hand[KINDS * seat + kind]
            if skip < 0:
                return kind
        raise AssertionError("the hand holds no ticket of that pile")


def shown(card: i64) -> list[str]:
    """The cities on a selection card."""
    return [CITIES[city] for city in range(N_PILES) if card >> city & 1]


def new(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
    """Set up a match."""
    named = named_starter(options, seats)
    state = State()
    state.seats = seats
    state.dice = dice
    state.events = events
    state.turn_limit = options["turn_limit"]
    state.top = vec[i64]([0] * N_PILES)
    state.count = vec[i64]([PILE_SIZE] * N_PILES)
    state.seen = vec[i64]([0] * (N_PILES * PILE_SIZE))
    state.hand = vec[i64]([0] * (KINDS * seats))
    state.known = vec[i64]([0] * (KINDS * seats * seats))
    state.mixed = vec[i64]([0] * (N_PILES * MIXED_SIZE * seats))
    state.lengths = vec[i64]([0] * seats)
    state.trips = vec[i64]([0] * (N_LENGTHS * seats))
    state.pile = vec[i64]([kind for kind in range(KINDS) for _ in range(COPIES[kind])])
    for pile in range(N_PILES):
        dice.shuffle(state.pile, PILE_SIZE * pile, PILE_SIZE * pile + PILE_SIZE)
    state.deck = vec[i64](SELECTION[options["selection"]])
    state._shuffle_deck()
    state.starter = dice.below(seats) if named < 0 else named
    state.turn = state.starter
    state._begin_turn()
    return state
