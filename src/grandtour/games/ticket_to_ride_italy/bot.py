# compiled
"""What a sensible player looks at.

It keeps tickets for which one network can be planned with the trains and the time there are (`plan.py`). Then it
builds one way at a time, the most rewarding there is, to a ticket or a region: it claims what the way is made of and
draws what it lacks. It takes more tickets when its network is likely to meet them, and in the last turn whatever scores
most.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.ticket_to_ride_italy import parts
from grandtour.games.ticket_to_ride_italy.board import (
    FARE_CARDS,
    FARE_COLOUR,
    FARE_FERRIES,
    FARE_LOCOMOTIVES,
    GROUP,
    LENGTH,
    ONE,
    POINTS,
    TICKET_POINTS,
    bonus,
    size,
)
from grandtour.games.ticket_to_ride_italy.deck import TICKETS, names
from grandtour.games.ticket_to_ride_italy.plan import WAVES, Plan, Planner, ticket_values, turns_left, worth_of
from grandtour.games.ticket_to_ride_italy.rules import (
    BLIND,
    CLAIM,
    COLOURED,
    DRAW,
    DRAW_TICKETS,
    FARES,
    FERRY,
    FIRST_KEPT,
    KEEP,
    LATER_TICKETS,
    MOST_FERRY_CARDS,
    PAYMENTS,
    RETURN,
    SAIL,
    State,
)
from grandtour.games.ticket_to_ride_italy.table import (
    KINDS,
    LOCOMOTIVE,
    ROUTES,
    STEP_ACT,
    STEP_CHOOSE,
    STEP_KEEP,
    STEP_SECOND,
)

WORTH_A_TURN: Final = 4
"""Points that tickets must promise before a turn goes into drawing them."""

NEVER: Final = -1_000_000
UNKNOWN: Final = -1_000_000
"""Of what tickets promise: it was not asked yet."""


def choose(position: Position, seat: int, dice: Dice) -> int:
    """A sensible move. It looks at what the seat may know and at nothing else."""
    assert isinstance(position, State)
    if position.step == STEP_CHOOSE:
        return int(keep(position, seat, position.held[seat], FIRST_KEPT))
    if position.step == STEP_KEEP:
        return int(keep(position, seat, position.drawn, parts.LATER_KEPT))
    moves = position.legal(seat)
    if len(moves) == 1:
        return moves[0]
    return int(Thought(position, seat, moves, next_way(position, seat)).best())


def rank(position: Position, seat: int, moves: list[int]) -> list[float]:
    """How much a seat likes some of its legal moves at first sight: the sensible one most, then what is like it."""
    assert isinstance(position, State)
    if position.step == STEP_CHOOSE or position.step == STEP_KEEP:
        wanted = choose(position, seat, position.dice)
        return [float(move == wanted) for move in moves]
    thought = Thought(position, seat, position.legal(seat), next_way(position, seat))
    best = thought.best()
    return [1000.0 if move == best else float(thought.liking(move)) for move in moves]


def own(position: Position, seat: int) -> bool:
    """Whether this bot decides even for a player that thinks ahead: which tickets to keep, and the second card."""
    assert isinstance(position, State)
    return position.step != STEP_ACT


def keep(state: State, seat: i64, choice: i64, least: i64) -> i64:
    """Keep what the plan meets; give the rest back, as far as allowed."""
    first = state.step == STEP_CHOOSE
    effort = (9 if first else 6) * turns_left(state)
    plan = Planner(state, seat, effort).plan(worth_of(0 if first else state.held[seat], choice))
    kept = choice & plan.tickets
    while size(kept) < least:
        cheapest: i64 = -1
        for ticket in names(choice & ~kept):
            if cheapest < 0 or TICKET_POINTS[ticket] < TICKET_POINTS[cheapest]:
                cheapest = ticket
        if cheapest < 0:
            break
        kept |= ONE[cheapest]
    back = choice & ~kept & ~state.aside[seat]
    if not back or size(choice & ~state.aside[seat]) <= least:
        return KEEP
    return RETURN + names(back)[0]


def next_way(state: State, seat: i64) -> Plan:
    """The way to build now, the most rewarding there is."""
    return Planner(state, seat, 10 * turns_left(state)).next_way(worth_of(state.held[seat], 0))


class Thought:
    """The one way to build now, what it lacks, and what each move does for it. Who builds several finishes too few."""

    def __init__(self, state: State, seat: i64, moves: list[int], plan: Plan) -> None:
        self.state: Final = state
        self.seat: Final[i64] = seat
        self.moves: Final = moves
        self.turns: Final[i64] = turns_left(state)
        self.plan: Final[Plan] = plan
        self.promised: i64 = UNKNOWN  # what tickets promise, once it was asked
        self.hand = state.hand[KINDS * seat : KINDS * seat + KINDS]
        self.needed = vec[i64]([0] * KINDS)
        self.close = vec[i64]([0] * KINDS)  # how soon a colour completes a route: the fewer cards it lacks, the more
        self.waves: i64 = 0
        self.plain: i64 = 0  # the most cards of one colour that a planned ferry takes beside its waves
        for route in self.plan.routes:
            self._lacks(route)
        self.favourite: i64 = 0
        for colour in range(i64(LOCOMOTIVE)):
            if self._spare(colour) > self._spare(self.favourite):
                self.favourite = colour
        self.worth = vec[i64]([0] * (BLIND + 1))  # what a card is worth, the unseen one on average
        for card in range(i64(KINDS)):
            self.worth[card] = self._value(card)
            self.worth[BLIND] += self.worth[card]
        self.worth[BLIND] = self.worth[BLIND] // KINDS + 1
        self.claims = vec[i64]([-1] * ROUTES)  # of each route that can be claimed now, the payment that costs least
        for move in moves:
            if CLAIM <= move < DRAW_TICKETS:
                route = _route(move)
                if self.claims[route] < 0 or self.cost(move) < self.cost(self.claims[route]):
                    self.claims[route] = move

    def _lacks(self, route: i64) -> None:
        colour = GROUP[route]
        length = LENGTH[route]
        if colour == LOCOMOTIVE:
            self.waves += WAVES[route]
            if length - WAVES[route] > self.plain:
                self.plain = length - WAVES[route]
            return
        self.needed[colour] += length
        lacking = length - self.hand[colour]
        if 0 < lacking < 4 and 4 - lacking > self.close[colour]:
            self.close[colour] = 4 - lacking

    def _spare(self, colour: i64) -> i64:
        return self.hand[colour] - self.needed[colour]

    def _value(self, card: i64) -> i64:
        """What one more card of a kind is worth, about ten for one that is wanted."""
        if card == LOCOMOTIVE:
            return 8
        if not len(self.plan.routes):
            return 5 + (self.hand[card] if self.hand[card] < 5 else 5)
        if self.hand[card] < self.needed[card]:
            return 10 + 2 * self.close[card]
        if card == self.favourite and self._spare(card) < self.plain:
            return 9
        return 2

    def ferry(self) -> i64:
        """What a ferry card is worth: two cards, for as many waves as are not served yet."""
        short = self.waves - 2 * self.state.ferries[self.seat] - self.hand[LOCOMOTIVE] // 2
        if short <= 0:
            return 3
        return 22 if short > 1 else 11

    def cost(self, move: i64) -> i64:
        """What a payment takes away, in the same measure; a locomotive is spared, for it could serve anywhere."""
        if move < SAIL:
            route = (move - CLAIM) // PAYMENTS
            locomotives = (move - CLAIM) % PAYMENTS
            return 18 * locomotives + self._spent(LENGTH[route] - locomotives, self.hand[GROUP[route]])
        fare = (move - SAIL) % FARES
        spare = self._spare(FARE_COLOUR[fare])
        return 18 * FARE_LOCOMOTIVES[fare] + 11 * FARE_FERRIES[fare] + self._spent(FARE_CARDS[fare], spare)

    def _spent(self, count: i64, spare: i64) -> i64:
        if spare < 0:
            spare = 0
        return 5 * count + (10 * (count - spare) if count > spare else 0)

    def best(self) -> i64:
        """The sensible move."""
        if self.state.step == STEP_SECOND:
            return self.best_draw()
        if self.state.last > 0:
            return self._last_turn()
        tickets = self._can(DRAW_TICKETS)
        promise: i64 = 0
        if tickets and self.turns > 2 and not unmet(self.state, self.seat):
            if self.promised == UNKNOWN:
                self.promised = self.promise(Planner(self.state, self.seat, 4 * self.turns))
            promise = self.promised
        if promise >= 3 * WORTH_A_TURN:
            return DRAW_TICKETS
        planned = self._planned_claim()
        if planned >= 0:
            return planned
        if promise >= WORTH_A_TURN:
            return DRAW_TICKETS
        richest = self._richest()
        few = self.state.trains[self.seat] < 7 or not self._can(DRAW + BLIND)
        if not len(self.plan.routes) and richest >= 0 and (few or POINTS[richest] >= 4):
            return self.claims[richest]
        draw = self.best_draw()
        value = self.draw_value(draw)
        if self._can(FERRY) and (value < 0 or self.ferry() > value):
            return FERRY
        if draw >= 0:
            return draw
        return self.claims[richest] if richest >= 0 else DRAW_TICKETS

    def liking(self, move: i64) -> i64:
        """What a move is worth at first sight, in the measure of cards."""
        if move < FERRY:
            return self.draw_value(move)
        if move == FERRY:
            return self.ferry()
        if move < DRAW_TICKETS:
            route = _route(move)
            worth = 3 * POINTS[route] - 10
            left = i64(len(self.plan.routes))
            for planned in self.plan.routes:
                if planned == route:
                    worth += 30 + left
                left -= 1
            return worth - (self.cost(move) - self.cost(self.claims[route])) // 2
        return 0

    def _can(self, move: i64) -> bool:
        return int(move) in self.moves

    def _planned_claim(self) -> i64:
        """The first route of the plan that can be claimed without wasting locomotives, or -1."""
        spare = self.hand[LOCOMOTIVE]
        if self.waves > 2 * MOST_FERRY_CARDS:
            spare -= self.waves - 2 * MOST_FERRY_CARDS
        if spare < 0:
            spare = 0
        hurry = self.turns < 8
        for route in self.plan.routes:
            move = self.claims[route]
            if move >= 0 and (hurry or GROUP[route] == LOCOMOTIVE or (move - CLAIM) % PAYMENTS <= spare):
                return move
        return -1

    def _richest(self) -> i64:
        """The route with the most points among those that can be claimed, or -1."""
        best: i64 = -1
        for route in range(i64(ROUTES)):
            if self.claims[route] >= 0 and (best < 0 or POINTS[route] > POINTS[best]):
                best = route
        return best

    def best_draw(self) -> i64:
        """The train card to draw, or -1 when there is none."""
        best: i64 = -1
        most: i64 = NEVER
        for move in self.moves:
            if move < FERRY:
                # Two cards are worth the same in either order; the better one first, for another is turned up then.
                value = 100 * self.draw_value(move) + self.worth[move - DRAW]
                if value >= most:
                    most = value
                    best = move
        return best

    def draw_value(self, move: i64) -> i64:
        """What drawing a train card is worth, the second one with it; -1 for no card at all."""
        card = move - DRAW
        if move < 0:
            return -1
        worth = self.worth[card]
        if card == LOCOMOTIVE:
            # It is the whole draw; two cards that are worth as much are better.
            return worth - 1
        if self.state.step == STEP_SECOND:
            return worth
        other: i64 = self.worth[BLIND] if self.state.decked > 1 else 0
        skipped = False
        for up in self.state.row:
            if up == card and not skipped:
                skipped = True
            elif 0 <= up < LOCOMOTIVE and self.worth[up] > other:
                other = self.worth[up]
        return worth + other

    def promise(self, planner: Planner) -> i64:
        """What four tickets from the deck promise: all that can be met are kept, and at least one must be."""
        deck = ONE[TICKETS] - 1
        unknown: i64 = 0
        for ticket in range(i64(TICKETS)):
            if self.state.maybe[TICKETS * self.seat + ticket] & deck:
                unknown |= ONE[ticket]
        values = ticket_values(planner, unknown)
        if not len(values):
            return 0
        good: i64 = 0
        total: i64 = 0
        lost: i64 = 99
        for value in values:
            if value > 0:
                good += 1
                total += value
            elif -value < lost:
                lost = -value
        if good == len(values):
            lost = 0
        share = float(good) / float(i64(len(values)))
        drawn = int(self.state.left if self.state.left < LATER_TICKETS else LATER_TICKETS)
        won = drawn * share * float(total) / float(good if good else 1)
        return i64(int(won - (1.0 - share) ** drawn * float(lost + 2)))

    def _last_turn(self) -> i64:
        """Whatever scores most: a route with all it joins, or tickets that are met already."""
        before = standing(self.state, self.seat)
        best: i64 = self.moves[0]
        most: i64 = 0
        for route in range(i64(ROUTES)):
            if self.claims[route] >= 0:
                after = self.state.clone()
                after.occupy(self.seat, route)
                gain = standing(after, self.seat) - before
                if gain > most:
                    best = self.claims[route]
                    most = gain
        if self._can(DRAW_TICKETS) and self.promise(Planner(self.state, self.seat, 0)) > most:
            return DRAW_TICKETS
        return best


def unmet(state: State, seat: i64) -> bool:
    """Whether a ticket in hand is still to be met."""
    return state.tickets_met(seat) != state.held[seat]


def _route(move: i64) -> i64:
    return (move - CLAIM) // PAYMENTS if move < SAIL else COLOURED + (move - SAIL) // FARES


def standing(state: State, seat: i64) -> i64:
    """A seat's points if the game ended now."""
    points = state.score[seat] + bonus(state.reach, seat)
    joined = state.tickets_met(seat)
    for ticket in names(state.held[seat]):
        points += TICKET_POINTS[ticket] if joined & ONE[ticket] else -TICKET_POINTS[ticket]
    return points
