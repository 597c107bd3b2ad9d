"""The rules of Ticket to Ride: Italy, written for speed; `referee.py` has the same rules, written for people.

The fields of the position are in `state.py`, the board in `mechanics/board.py`, the deck of tickets in `knowledge.py`.
"""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event, event
from grandtour.engine.options import Options, named_starter
from grandtour.engine.state import Result, shared
from grandtour.engine.vocabulary import Names, Numbers, Vocabulary
from grandtour.games.ticket_to_ride_italy import knowledge, parts
from grandtour.games.ticket_to_ride_italy.mechanics.board import (
    BIT,
    FARE_CARDS,
    FARE_COLOUR,
    FARE_FERRIES,
    FARE_LOCOMOTIVES,
    FERRY_KIND,
    FERRY_KINDS,
    FERRY_LENGTH,
    FERRY_WAVES,
    FIRST,
    GROUP,
    GROUP_ROUTES,
    LENGTH,
    ONE,
    PARALLEL,
    POINTS,
    ROUTES_UP_TO,
    SHAPE_CARDS,
    SHAPE_FARE,
    SHAPE_FERRIES,
    SHAPE_LOCOMOTIVES,
    SHAPES_FROM,
    TICKET_POINTS,
    A,
    B,
    bonus,
    join,
    met,
    size,
)
from grandtour.games.ticket_to_ride_italy.parts import (
    BLIND,
    FIRST_KEPT,
    GROUPS,
    KINDS,
    LAST_TRAINS,
    LATER_TICKETS,
    LOCOMOTIVE,
    MAX_COLOURED_LENGTH,
    MAX_FERRY_CARDS,
    MAX_LENGTH,
    N_PLACES,
    N_ROUTES,
    N_TICKETS,
    PAYMENTS,
    ROW,
    SINGLE_TRACK_SEATS,
)
from grandtour.games.ticket_to_ride_italy.state import (
    STEP_ACT,
    STEP_CHOOSE,
    STEP_KEEP,
    STEP_OVER,
    STEP_SECOND,
    Table,
    ticket_names,
)

MOVES: Final = Vocabulary(
    {
        "draw": {"card": Names(*parts.CARDS, "deck")},
        "ferry": {},
        "claim": {
            "route": Names(*(route.name for route in parts.ROUTES[: parts.COLOURED])),
            "locomotives": Numbers(0, MAX_COLOURED_LENGTH),
        },
        "sail": {"route": Names(*(route.name for route in parts.ROUTES[parts.COLOURED :])), "pay": parts.Fares()},
        "tickets": {},
        "return": {"ticket": parts.TICKET_NAMES},
        "keep": {},
        "pass": {},
    }
)
DRAW: Final[i64] = MOVES.first("draw")
FERRY: Final[i64] = MOVES.first("ferry")
CLAIM: Final[i64] = MOVES.first("claim")
SAIL: Final[i64] = MOVES.first("sail")
DRAW_TICKETS: Final[i64] = MOVES.first("tickets")
RETURN: Final[i64] = MOVES.first("return")
KEEP: Final[i64] = MOVES.first("keep")
PASS: Final[i64] = MOVES.first("pass")

COLOURED: Final[i64] = parts.COLOURED
FARES: Final[i64] = len(parts.FARES)


class State(Table):
    """A position of Ticket to Ride: Italy."""

    def waiting(self) -> list[int]:
        if self.step == STEP_OVER:
            return []
        if self.step == STEP_CHOOSE:
            return [int(seat) for seat in range(self.seats) if not self.chosen >> seat & 1]
        return [self.turn]

    def result(self) -> Result | None:
        if self.step != STEP_OVER:
            return None
        return shared(self.winners, self.seats)

    def write_legal(self, seat: i64, moves: vec[i64]) -> i64:
        count: i64 = 0
        if self.step == STEP_CHOOSE:
            if seat >= 0 and not self.chosen >> seat & 1:
                count = self._write_choices(self.held[seat] & ~self.aside[seat], FIRST_KEPT, moves)
        elif seat == self.turn:
            if self.step == STEP_ACT:
                count = self._write_draws(i64(LOCOMOTIVE), moves)
                if self.ferries[seat] < MAX_FERRY_CARDS:
                    moves[count] = FERRY
                    count += 1
                count = self._write_claims(seat, moves, count)
                count = self._write_ferry_claims(seat, moves, count)
                if self.left:
                    moves[count] = DRAW_TICKETS
                    count += 1
                if not count:
                    moves[count] = PASS
                    count += 1
            elif self.step == STEP_SECOND:
                count = self._write_draws(i64(LOCOMOTIVE - 1), moves)
            elif self.step == STEP_KEEP:
                count = self._write_choices(self.drawn & ~self.aside[seat], 1, moves)
        return count

    def _write_choices(self, tickets: i64, least: i64, moves: vec[i64]) -> i64:
        count: i64 = 0
        if size(tickets) > least:
            while tickets:
                bit = tickets & -tickets
                moves[count] = RETURN + BIT[bit % 67]
                count += 1
                tickets ^= bit
        moves[count] = KEEP
        return count + 1

    def _write_draws(self, highest: i64, moves: vec[i64]) -> i64:
        """Append the draws of train cards, up to a kind: a face-up locomotive may not be the second card."""
        row = self.row
        up: i64 = 0
        for place in range(i64(ROW)):
            if row[place] >= 0:
                up |= ONE[row[place]]
        count: i64 = 0
        for card in range(highest + 1):
            if up >> card & 1:
                moves[count] = DRAW + card
                count += 1
        if self.decked:
            moves[count] = DRAW + BLIND
            count += 1
        return count

    def _write_claims(self, me: i64, moves: vec[i64], count: i64) -> i64:
        hand = self.hand
        locomotives = hand[KINDS * me + LOCOMOTIVE]
        limit = self.trains[me]
        if limit > MAX_LENGTH:
            limit = MAX_LENGTH
        for colour in range(i64(LOCOMOTIVE)):
            cards = hand[KINDS * me + colour]
            longest = cards + locomotives
            if longest > limit:
                longest = limit
            rest = self.open[GROUPS * me + colour] & ROUTES_UP_TO[(MAX_LENGTH + 1) * colour + longest]
            while rest:
                bit = rest & -rest
                rest ^= bit
                route = FIRST[colour] + BIT[bit % 67]
                length = LENGTH[route]
                paid = length - cards if length > cards else 0
                most = length if length < locomotives else locomotives
                for move in range(CLAIM + PAYMENTS * route + paid, CLAIM + PAYMENTS * route + most + 1):
                    moves[count] = move
                    count += 1
        return count

    def _write_ferry_claims(self, me: i64, moves: vec[i64], count: i64) -> i64:
        hand = self.hand
        locomotives = hand[KINDS * me + LOCOMOTIVE]
        ferries = self.ferries[me]
        trains = self.trains[me]
        free = self.open[GROUPS * me + LOCOMOTIVE]
        for kind in range(i64(FERRY_KINDS)):
            rest = free & FERRY_KIND[kind]
            if not rest or FERRY_LENGTH[kind] > trains or FERRY_WAVES[kind] > locomotives + 2 * ferries:
                continue
            bit = rest & -rest
            rest ^= bit
            base = SAIL + FARES * BIT[bit % 67]
            first = count
            for shape in range(SHAPES_FROM[kind], SHAPES_FROM[kind + 1]):
                if SHAPE_LOCOMOTIVES[shape] <= locomotives and SHAPE_FERRIES[shape] <= ferries:
                    cards = SHAPE_CARDS[shape]
                    fare = base + SHAPE_FARE[shape]
                    if not cards:
                        moves[count] = fare
                        count += 1
                    else:
                        for colour in range(i64(LOCOMOTIVE)):
                            if hand[KINDS * me + colour] >= cards:
                                moves[count] = fare + colour
                                count += 1
            fares = count - first
            if fares:
                # All ferries of this kind have the same fares.
                while rest:
                    bit = rest & -rest
                    rest ^= bit
                    further = SAIL + FARES * BIT[bit % 67] - base
                    for n in range(first, first + fares):
                        moves[count] = moves[n] + further
                        count += 1
        return count

    def play(self, seat: int, move: int) -> None:
        me: i64 = seat
        m: i64 = move
        if m < FERRY:
            self._draw(m - DRAW)
        elif m == FERRY:
            self.ferries[me] += 1
            if self.events is not None:
                self.events.append(event("ferry", seat=int(me), held=int(self.ferries[me])))
            self._end_turn(False)
        elif m < SAIL:
            route = (m - CLAIM) // PAYMENTS
            locomotives = (m - CLAIM) % PAYMENTS
            self._claim(route, GROUP[route], LENGTH[route] - locomotives, locomotives, 0)
        elif m < DRAW_TICKETS:
            fare = (m - SAIL) % FARES
            route = COLOURED + (m - SAIL) // FARES
            self._claim(route, FARE_COLOUR[fare], FARE_CARDS[fare], FARE_LOCOMOTIVES[fare], FARE_FERRIES[fare])
        elif m == DRAW_TICKETS:
            self._draw_tickets()
        elif m < KEEP:
            self.aside[me] |= ONE[m - RETURN]
        elif m == KEEP:
            if self.step == STEP_CHOOSE:
                self._end_first_choice(me)
            else:
                self._keep()
        else:
            if self.events is not None:
                self.events.append(event("passed", seat=int(me)))
            self._end_turn(True)

    def _draw(self, card: i64) -> None:
        me = self.turn
        if card == BLIND:
            got = self.draw_from_deck()
            self.blind[KINDS * me + got] += 1
            self.drew[me] += 1
            if self.events is not None:
                private = {int(me): {"card": parts.CARDS[got]}}
                self.events.append(event("drew", private, **{"seat": int(me), "from": "deck"}))
        else:
            got = card
            place: i64 = 0
            while self.row[place] != card:
                place += 1
            self.row[place] = -1
            self.known[KINDS * me + card] += 1
            if self.events is not None:
                taken = {"from": "row", "card": parts.CARDS[card]}
                self.events.append(event("drew", None, seat=int(me), place=int(place), **taken))
        self.hand[KINDS * me + got] += 1
        self.fill()
        if self.step == STEP_ACT and card != LOCOMOTIVE:
            self.step = STEP_SECOND
            left = self.decked > 0
            for place in range(i64(ROW)):
                if 0 <= self.row[place] < LOCOMOTIVE:
                    left = True
            if left:
                return
        self._end_turn(False)

    def _claim(self, route: i64, colour: i64, cards: i64, locomotives: i64, ferries: i64) -> None:
        me = self.turn
        self._spend(me, colour, cards)
        self._spend(me, LOCOMOTIVE, locomotives)
        self.ferries[me] -= ferries
        self.occupy(me, route)
        if self.events is not None:
            paid = {parts.CARDS[colour]: int(cards), "locomotive": int(locomotives), "ferry": int(ferries)}
            self.events.append(
                event(
                    "claimed",
                    seat=int(me),
                    route=parts.ROUTES[route].name,
                    points=int(POINTS[route]),
                    pay={card: count for card, count in paid.items() if count},
                )
            )
        self.fill()
        self._end_turn(False)

    def occupy(self, me: i64, route: i64) -> None:
        """Put a seat's trains on a route and score it."""
        self.trains[me] -= LENGTH[route]
        self.score[me] += POINTS[route]
        self.owner[route] = me
        join(self.reach, me, A[route], B[route])
        self._close(route, -1)
        for i in range(2 * route, 2 * route + 2):
            if PARALLEL[i] >= 0:
                self._close(PARALLEL[i], me if self.seats > SINGLE_TRACK_SEATS else -1)

    def _spend(self, me: i64, card: i64, count: i64) -> None:
        at = KINDS * me + card
        self.hand[at] -= count
        self.discards[card] += count
        if count > self.known[at]:
            self.spent[at] += count - self.known[at]
            self.reveals += 1
            self.known[at] = 0
        else:
            self.known[at] -= count

    def _close(self, route: i64, only: i64) -> None:
        """Close a route to a seat, or to everybody (-1)."""
        bit = ONE[route - FIRST[GROUP[route]]]
        for seat in range(self.seats):
            if only < 0 or seat == only:
                self.open[GROUPS * seat + GROUP[route]] &= ~bit

    def _draw_tickets(self) -> None:
        count = self.left if self.left < LATER_TICKETS else i64(LATER_TICKETS)
        self.drawn = self.take_tickets(count)
        self.maybe = self.maybe[:]
        knowledge.tickets_drawn(
            self.maybe, self.seats, self.turn, self.drawn, knowledge.slots(self.top - count + N_TICKETS, count)
        )
        self.step = STEP_KEEP
        self.reveals += 1
        if self.events is not None:
            private = {int(self.turn): {"tickets": ticket_names(self.drawn)}}
            self.events.append(event("drew-tickets", private, seat=int(self.turn), count=int(count)))

    def _end_first_choice(self, me: i64) -> None:
        """Record that a seat has chosen its first tickets. When everyone has, the first turn begins."""
        self.chosen |= ONE[me]
        if self.events is not None:
            self.events.append(event("chose", seat=int(me)))
        if self.chosen + 1 < ONE[self.seats]:
            return
        self.reveals += 1
        back: i64 = 0
        for seat in range(self.seats):
            back |= self.aside[seat]
            self.held[seat] &= ~self.aside[seat]
        self.maybe = self.maybe[:]
        self.returned = self.returned[:]
        knowledge.first_choices_made(self.maybe, self.seats, self.aside, self.put_tickets_under(back))
        for seat in range(self.seats):
            self._record_kept(seat, self.held[seat])
            self.returned[seat] = self.aside[seat]
            self.aside[seat] = 0
        self._begin_turn()

    def _keep(self) -> None:
        me = self.turn
        back = self.aside[me]
        kept = self.drawn & ~back
        self.held[me] |= kept
        self.maybe = self.maybe[:]
        self.returned = self.returned[:]
        self.returned[me] |= back
        self._record_kept(me, kept)
        knowledge.tickets_chosen(self.maybe, self.seats, me, back, self.put_tickets_under(back))
        self.drawn = 0
        self.aside[me] = 0
        self._end_turn(False)

    def _record_kept(self, seat: i64, kept: i64) -> None:
        if self.events is not None:
            back = self.aside[seat]
            private = {int(seat): {"tickets": ticket_names(kept), "back": ticket_names(back)}}
            counts = {"kept": int(size(kept)), "returned": int(size(back))}
            self.events.append(event("kept", private, seat=int(seat), **counts))

    def _end_turn(self, passed: bool) -> None:
        self.passes = self.passes + 1 if passed else 0
        if self.last > 0:
            self.last -= 1
        elif self.trains[self.turn] <= LAST_TRAINS:
            self.last = self.seats
            if self.events is not None:
                trains = int(self.trains[self.turn])
                self.events.append(event("last-round", seat=int(self.turn), trains=trains))
        if self.last == 0 or self.passes == self.seats:
            self._end()
        else:
            self.turn = (self.turn + 1) % self.seats
            self._begin_turn()

    def _begin_turn(self) -> None:
        self.step = STEP_ACT
        if self.events is not None:
            self.events.append(event("turn", seat=int(self.turn), last=self.last > 0))

    def tickets_met(self, seat: i64) -> i64:
        """The completed tickets of a seat, as a set."""
        found: i64 = 0
        rest = self.held[seat]
        while rest:
            bit = rest & -rest
            rest ^= bit
            if met(self.reach, seat, BIT[bit % 67]):
                found |= bit
        return found

    def _end(self) -> None:
        self.step = STEP_OVER
        self.reveals += 1
        best: i64 = -1000000
        for seat in range(self.seats):
            joined = self.tickets_met(seat)
            for ticket in range(i64(N_TICKETS)):
                if self.held[seat] >> ticket & 1:
                    self.score[seat] += TICKET_POINTS[ticket] if joined >> ticket & 1 else -TICKET_POINTS[ticket]
            self.score[seat] += bonus(self.reach, seat)
            value = 100 * self.score[seat] + size(joined)
            if value > best:
                best = value
                self.winners = 0
            if value == best:
                self.winners |= ONE[seat]
        self.maybe = self.maybe[:]
        knowledge.tickets_shown(self.maybe, self.seats, self.held)
        if self.events is not None:
            tickets = [ticket_names(self.held[seat]) for seat in range(self.seats)]
            self.events.append(event("tickets-shown", tickets=tickets))
            seats = [int(seat) for seat in range(self.seats) if self.winners >> seat & 1]
            scores = [int(score) for score in self.score]
            tickets_met = [int(size(self.tickets_met(seat))) for seat in range(self.seats)]
            self.events.append(event("won", seats=seats, scores=scores, met=tickets_met))

    def imagine(self, seat: int, dice: Dice) -> "State":
        return self.imagine_likely(seat, dice, None)

    def imagine_likely(self, seat: i64, dice: Dice, likely: knowledge.Likely | None) -> "State":
        """A position as a seat imagines it, in which the others hold likely tickets (see `strategy/belief.py`)."""
        copy = self.copy_with(dice)
        copy.redeal_cards(seat)
        copy.redeal_tickets(seat, likely)
        return copy


def new(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
    """Set up a match."""
    named = named_starter(options, seats)
    state = State()
    state.seats = seats
    state.dice = dice
    state.events = events
    state.trains = vec[i64]([parts.TRAINS] * seats)
    state.score = vec[i64]([0] * seats)
    state.hand = vec[i64]([0] * (KINDS * seats))
    state.known = state.hand[:]
    state.blind = state.hand[:]
    state.spent = state.hand[:]
    state.drew = vec[i64]([0] * seats)
    state.deck = vec[i64](parts.COPIES)
    state.stock = state.deck[:]
    state.decked = sum(parts.COPIES)
    state.discards = vec[i64]([0] * KINDS)
    state.row = vec[i64]([-1] * ROW)
    state.ferries = vec[i64]([0] * seats)
    state.owner = vec[i64]([-1] * N_ROUTES)
    state.open = vec[i64]([GROUP_ROUTES[group] for _ in range(seats) for group in range(GROUPS)])
    state.reach = vec[i64]([1 << place for _ in range(seats) for place in range(N_PLACES)])
    state.queue = vec[i64](list(range(N_TICKETS)))
    dice.shuffle(state.queue, 0, N_TICKETS)
    state.left = N_TICKETS
    state.held = vec[i64]([0] * seats)
    state.aside = vec[i64]([0] * seats)
    state.returned = vec[i64]([0] * seats)
    state.maybe = vec[i64]([0] * (N_TICKETS * seats))
    state.starter = dice.below(seats) if named < 0 else named
    state.turn = state.starter
    private: dict[int, dict[str, Any]] = {}
    for seat in range(seats):
        cards: list[str] = []
        for _ in range(parts.FIRST_CARDS):
            card = state.draw_from_deck()
            state.hand[KINDS * seat + card] += 1
            state.blind[KINDS * seat + card] += 1
            state.drew[seat] += 1
            cards.append(parts.CARDS[card])
        state.held[seat] = state.take_tickets(parts.FIRST_TICKETS)
        private[seat] = {"cards": sorted(cards, key=parts.CARDS.index), "tickets": ticket_names(state.held[seat])}
    knowledge.dealt(state.maybe, seats, state.held, knowledge.slots(state.top, state.left))
    if events is not None:
        events.append(event("dealt", private, starter=int(state.starter)))
    state.fill()
    return state
