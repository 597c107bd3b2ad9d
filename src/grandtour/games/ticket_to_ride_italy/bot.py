# compiled
"""The bot of Ticket to Ride: Italy.

It keeps tickets that one network can complete with the trains and turns that are left (`strategy/plan.py`). Then it
builds one path at a time, the most rewarding one, to complete a ticket or reach a region. For this it claims the
path's routes and draws the cards it lacks. It draws more tickets when its network is likely to complete them. In the
last turn it makes the move that scores most."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.ticket_to_ride_italy import parts
from grandtour.games.ticket_to_ride_italy.knowledge import tickets_in
from grandtour.games.ticket_to_ride_italy.mechanics.board import (
    BIT,
    FARE_CARDS,
    FARE_COLOUR,
    FARE_FERRIES,
    FARE_LOCOMOTIVES,
    GROUP,
    LENGTH,
    ONE,
    POINTS,
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
    KINDS,
    LATER_TICKETS,
    LOCOMOTIVE,
    MAX_FERRY_CARDS,
    N_PLACES,
    N_ROUTES,
    N_TICKETS,
    PAYMENTS,
)
from grandtour.games.ticket_to_ride_italy.rules import (
    CLAIM,
    COLOURED,
    DRAW,
    DRAW_TICKETS,
    FARES,
    FERRY,
    KEEP,
    RETURN,
    SAIL,
    State,
)
from grandtour.games.ticket_to_ride_italy.state import STEP_CHOOSE, STEP_KEEP, STEP_SECOND
from grandtour.games.ticket_to_ride_italy.strategy.plan import (
    KIND,
    WAVES,
    Plan,
    Planner,
    ticket_gains,
    ticket_values,
    turns_left,
)

MIN_TICKETS_VALUE: Final = 4
"""The expected value of new tickets, in points, that is worth a turn."""

NEVER: Final = -1_000_000
NOT_COMPUTED: Final = -1_000_000
"""The value of drawing tickets has not been computed yet."""


def choose(state: State, seat: int, dice: Dice) -> int:
    """The bot's move, using only what the seat may know."""
    if state.step == STEP_CHOOSE:
        return int(keep(state, seat, state.held[seat], FIRST_KEPT))
    if state.step == STEP_KEEP:
        return int(keep(state, seat, state.drawn, parts.LATER_KEPT))
    moves = state.legal_numbers(seat)
    if len(moves) == 1:
        return int(moves[0])
    return int(Evaluation(state, seat, moves, next_path(state, seat)).best_move())


def keep(state: State, seat: i64, choice: i64, min_kept: i64) -> i64:
    """The next move of choosing tickets: keep those that the plan completes, give back as many others as allowed."""
    first = state.step == STEP_CHOOSE
    effort = (9 if first else 6) * turns_left(state)
    plan = Planner(state, seat, effort).plan(ticket_gains(0 if first else state.held[seat], choice))
    kept = choice & plan.tickets
    while size(kept) < min_kept:
        cheapest: i64 = -1
        for ticket in tickets_in(choice & ~kept):
            if cheapest < 0 or TICKET_POINTS[ticket] < TICKET_POINTS[cheapest]:
                cheapest = ticket
        if cheapest < 0:
            break
        kept |= ONE[cheapest]
    back = choice & ~kept & ~state.aside[seat]
    if not back or size(choice & ~state.aside[seat]) <= min_kept:
        return KEEP
    return RETURN + tickets_in(back)[0]


def next_path(state: State, seat: i64) -> Plan:
    """The path to build now: the most rewarding one."""
    return Planner(state, seat, 10 * turns_left(state)).next_path(ticket_gains(state.held[seat], 0))


class Evaluation:
    """The path to build now, the cards it lacks, and the value of each move.

    There is only one path: a player who builds several at once completes too few of them.
    """

    def __init__(self, state: State, seat: i64, moves: vec[i64], plan: Plan) -> None:
        self.state: Final = state
        self.seat: Final[i64] = seat
        self.moves: Final = moves
        self.turns: Final[i64] = turns_left(state)
        self.plan: Final[Plan] = plan
        self.tickets_value: i64 = NOT_COMPUTED  # the value of drawing tickets, once computed
        self.hand = state.hand[KINDS * seat : KINDS * seat + KINDS]
        self.needed = vec[i64]([0] * KINDS)
        self.urgency = vec[i64]([0] * KINDS)  # of each colour: higher if a route lacks only a few cards of it
        self.waves: i64 = 0
        self.ferry_colour_cards: i64 = 0  # cards of one colour for the spaces without waves of a planned ferry
        for route in self.plan.routes:
            self._add_route(route)
        self.spare_colour: i64 = 0
        for colour in range(i64(LOCOMOTIVE)):
            if self._spare(colour) > self._spare(self.spare_colour):
                self.spare_colour = colour
        self.card_values = vec[i64]([0] * (BLIND + 1))  # at BLIND, the average
        for card in range(i64(KINDS)):
            self.card_values[card] = self._value(card)
            self.card_values[BLIND] += self.card_values[card]
        self.card_values[BLIND] = self.card_values[BLIND] // KINDS + 1
        # The cheapest way to claim each route; -1 if it cannot be claimed now.
        self.cheapest_claims = vec[i64]([-1] * N_ROUTES)
        self.can_draw_unseen = False
        self.can_take_ferry = False
        self.can_draw_tickets = False
        lowest_cost: i64 = 0
        ferry: i64 = -1  # the last ferry whose fares were compared
        skip_to: i64 = 0  # where the moves for the next route begin
        for move in moves:
            if move < skip_to:
                continue
            if move < CLAIM:
                if move == FERRY:
                    self.can_take_ferry = True
                elif move == DRAW + BLIND:
                    self.can_draw_unseen = True
            elif move < SAIL:
                # All payments for a route come together. The first has the fewest locomotives, so it costs least.
                route = (move - CLAIM) // PAYMENTS
                self.cheapest_claims[route] = move
                skip_to = CLAIM + PAYMENTS * (route + 1)
            elif move < DRAW_TICKETS:
                route = COLOURED + (move - SAIL) // FARES
                first = self.cheapest_claims[route] < 0
                if first and ferry >= 0 and KIND[ferry] == KIND[route]:
                    # Ferries of one kind have the same fares.
                    self.cheapest_claims[route] = self.cheapest_claims[ferry] + FARES * (route - ferry)
                    skip_to = SAIL + FARES * (route - COLOURED + 1)
                    continue
                ferry = route
                cost = self.cost(move)
                if first or cost < lowest_cost:
                    self.cheapest_claims[route] = move
                    lowest_cost = cost
            elif move == DRAW_TICKETS:
                self.can_draw_tickets = True

    def _add_route(self, route: i64) -> None:
        colour = GROUP[route]
        length = LENGTH[route]
        if colour == LOCOMOTIVE:
            self.waves += WAVES[route]
            if length - WAVES[route] > self.ferry_colour_cards:
                self.ferry_colour_cards = length - WAVES[route]
            return
        self.needed[colour] += length
        lacking = length - self.hand[colour]
        if 0 < lacking < 4 and 4 - lacking > self.urgency[colour]:
            self.urgency[colour] = 4 - lacking

    def _spare(self, colour: i64) -> i64:
        return self.hand[colour] - self.needed[colour]

    def _value(self, card: i64) -> i64:
        """The value of one more card of a kind: about ten if the path needs it."""
        if card == LOCOMOTIVE:
            return 8
        if not len(self.plan.routes):
            return 5 + (self.hand[card] if self.hand[card] < 5 else 5)
        if self.hand[card] < self.needed[card]:
            return 10 + 2 * self.urgency[card]
        if card == self.spare_colour and self._spare(card) < self.ferry_colour_cards:
            return 9
        return 2

    def ferry_card_value(self) -> i64:
        """The value of a ferry card. It replaces two cards if planned ferries still need that many for their waves."""
        short = self.waves - 2 * self.state.ferries[self.seat] - self.hand[LOCOMOTIVE] // 2
        if short <= 0:
            return 3
        return 22 if short > 1 else 11

    def cost(self, move: i64) -> i64:
        """The value of the cards in a payment. Locomotives cost most, since they can be used anywhere."""
        if move < SAIL:
            route = (move - CLAIM) // PAYMENTS
            locomotives = (move - CLAIM) % PAYMENTS
            return 18 * locomotives + self._cost_of_cards(LENGTH[route] - locomotives, self.hand[GROUP[route]])
        fare = (move - SAIL) % FARES
        spare = self._spare(FARE_COLOUR[fare])
        return 18 * FARE_LOCOMOTIVES[fare] + 11 * FARE_FERRIES[fare] + self._cost_of_cards(FARE_CARDS[fare], spare)

    def _cost_of_cards(self, count: i64, spare: i64) -> i64:
        if spare < 0:
            spare = 0
        return 5 * count + (10 * (count - spare) if count > spare else 0)

    def best_move(self) -> i64:
        """The bot's move."""
        if self.state.step == STEP_SECOND:
            return self.best_draw()
        if self.state.last > 0:
            return self._last_turn()
        tickets = self.can_draw_tickets
        tickets_value: i64 = 0
        if tickets and self.turns > 2 and not has_incomplete_ticket(self.state, self.seat):
            if self.tickets_value == NOT_COMPUTED:
                self.tickets_value = self.expected_tickets_value(Planner(self.state, self.seat, 4 * self.turns))
            tickets_value = self.tickets_value
        if tickets_value >= 3 * MIN_TICKETS_VALUE:
            return DRAW_TICKETS
        planned = self._planned_claim()
        if planned >= 0:
            return planned
        if tickets_value >= MIN_TICKETS_VALUE:
            return DRAW_TICKETS
        if not len(self.plan.routes):
            richest = self._richest()
            few = self.state.trains[self.seat] < 7 or not self.can_draw_unseen
            if richest >= 0 and (few or POINTS[richest] >= 4):
                return self.cheapest_claims[richest]
        draw = self.best_draw()
        value = self.draw_value(draw)
        if self.can_take_ferry and (value < 0 or self.ferry_card_value() > value):
            return FERRY
        if draw >= 0:
            return draw
        richest = self._richest()
        return self.cheapest_claims[richest] if richest >= 0 else DRAW_TICKETS

    def estimate(self, move: i64) -> i64:
        """A first estimate of a move's value, in cards."""
        if move < FERRY:
            return self.draw_value(move)
        if move == FERRY:
            return self.ferry_card_value()
        if move < DRAW_TICKETS:
            route = route_of(move)
            worth = 3 * POINTS[route] - 10
            left = i64(len(self.plan.routes))
            for planned in self.plan.routes:
                if planned == route:
                    worth += 30 + left
                left -= 1
            return worth - (self.cost(move) - self.cost(self.cheapest_claims[route])) // 2
        return 0

    def _planned_claim(self) -> i64:
        """The claim of the first planned route that can be claimed without wasting locomotives, or -1."""
        spare = self.hand[LOCOMOTIVE]
        if self.waves > 2 * MAX_FERRY_CARDS:
            spare -= self.waves - 2 * MAX_FERRY_CARDS
        if spare < 0:
            spare = 0
        hurry = self.turns < 8
        for route in self.plan.routes:
            move = self.cheapest_claims[route]
            if move >= 0 and (hurry or GROUP[route] == LOCOMOTIVE or (move - CLAIM) % PAYMENTS <= spare):
                return move
        return -1

    def _richest(self) -> i64:
        """The route with the most points among those that can be claimed, or -1."""
        best: i64 = -1
        for route in range(i64(N_ROUTES)):
            if self.cheapest_claims[route] >= 0 and (best < 0 or POINTS[route] > POINTS[best]):
                best = route
        return best

    def best_draw(self) -> i64:
        """The train card to draw, or -1 when there is none."""
        best: i64 = -1
        most: i64 = NEVER
        for move in self.moves:
            if move < FERRY:
                # The order does not change the value of two cards. Better ones first: then another is turned up.
                value = 100 * self.draw_value(move) + self.card_values[move - DRAW]
                if value >= most:
                    most = value
                    best = move
        return best

    def draw_value(self, move: i64) -> i64:
        """The value of drawing a train card together with the best second card; -1 for no card."""
        card = move - DRAW
        if move < 0:
            return -1
        worth = self.card_values[card]
        if card == LOCOMOTIVE:
            # A face-up locomotive is the whole draw; two cards worth as much are better.
            return worth - 1
        if self.state.step == STEP_SECOND:
            return worth
        other: i64 = self.card_values[BLIND] if self.state.decked > 1 else 0
        skipped = False
        for up in self.state.row:
            if up == card and not skipped:
                skipped = True
            elif 0 <= up < LOCOMOTIVE and self.card_values[up] > other:
                other = self.card_values[up]
        return worth + other

    def expected_tickets_value(self, planner: Planner) -> i64:
        """The expected value of drawing four tickets. Those that can be completed are kept, and at least one must be
        kept."""
        deck = ONE[N_TICKETS] - 1
        unknown: i64 = 0
        maybe = self.state.maybe
        for ticket in range(i64(N_TICKETS)):
            if maybe[N_TICKETS * self.seat + ticket] & deck:
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
        """The move that scores most: to claim a route, or to draw tickets that may be complete already."""
        seat = self.seat
        reach = self.state.reach
        held = self.state.held[seat]
        before = network_points(reach, seat, held)
        best: i64 = self.moves[0]
        most: i64 = 0
        for route in range(i64(N_ROUTES)):
            if self.cheapest_claims[route] >= 0:
                gain = POINTS[route]
                if not reach[N_PLACES * seat + A[route]] & ONE[B[route]]:
                    after = reach[:]
                    join(after, seat, A[route], B[route])
                    gain += network_points(after, seat, held) - before
                if gain > most:
                    best = self.cheapest_claims[route]
                    most = gain
        if self.can_draw_tickets and self.expected_tickets_value(Planner(self.state, self.seat, 0)) > most:
            return DRAW_TICKETS
        return best


def has_incomplete_ticket(state: State, seat: i64) -> bool:
    """Whether a ticket in hand is still incomplete."""
    return state.tickets_met(seat) != state.held[seat]


def route_of(move: i64) -> i64:
    return (move - CLAIM) // PAYMENTS if move < SAIL else COLOURED + (move - SAIL) // FARES


def network_points(reach: vec[i64], seat: i64, held: i64) -> i64:
    """What a seat's network scores at the end of the game, for these tickets and for regions."""
    points = bonus(reach, seat)
    rest = held
    while rest:
        bit = rest & -rest
        rest ^= bit
        ticket = BIT[bit % 67]
        points += TICKET_POINTS[ticket] if met(reach, seat, ticket) else -TICKET_POINTS[ticket]
    return points
