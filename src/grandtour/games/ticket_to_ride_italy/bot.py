"""What a sensible player looks at.

It plans one network for all its tickets and as many regions as it has trains and time for (`plan.py`), claims what the
plan names, draws what the plan lacks, takes more tickets when its network is likely to meet them, and in the last turn
takes whatever scores most.
"""

from typing import Final

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.ticket_to_ride_italy.board import POINTS, TICKET_POINTS, bonus, met
from grandtour.games.ticket_to_ride_italy.deck import TICKETS, names
from grandtour.games.ticket_to_ride_italy.parts import (
    CARDS,
    COLOURED,
    FARES,
    FIRST_KEPT,
    LATER_KEPT,
    LATER_TICKETS,
    LOCOMOTIVE,
    MOST_FERRY_CARDS,
    ROUTES,
)
from grandtour.games.ticket_to_ride_italy.plan import Plan, Planner, ticket_values
from grandtour.games.ticket_to_ride_italy.rules import (
    CLAIM,
    DRAW,
    DRAW_TICKETS,
    FERRY,
    KEEP,
    PAYMENTS,
    RETURN,
    SAIL,
    State,
)
from grandtour.games.ticket_to_ride_italy.table import KINDS, STEP_CHOOSE, STEP_KEEP, STEP_SECOND

DECK: Final = len(CARDS)
"""Among the cards to draw: unseen, from the deck."""

PACE: Final = 6
"""Turns that ten trains last, claiming and drawing."""

WORTH_A_TURN: Final = 4
"""Points that tickets must promise before a turn goes into drawing them."""


def choose(position: Position, seat: int, dice: Dice) -> int:
    """A sensible move. It looks at what the seat may know and at nothing else."""
    assert isinstance(position, State)
    if position.step == STEP_CHOOSE:
        return _tickets(position, seat, int(position.held[seat]), FIRST_KEPT)
    if position.step == STEP_KEEP:
        return _tickets(position, seat, int(position.drawn), LATER_KEPT)
    moves = position.legal(seat)
    if len(moves) == 1:
        return moves[0]
    plan = Planner(position, seat, 10 * _turns_left(position)).plan(_gains(position, seat))
    wants = Wants(position, seat, plan)
    if position.step == STEP_SECOND:
        return _best_draw(position, moves, wants)[0]
    return _act(position, seat, moves, plan, wants)


def _turns_left(state: State) -> int:
    """How many more turns each may hope for: somebody's trains run out."""
    if state.last > 0:
        return 1
    return 1 + int(min(state.trains)) * PACE // 10


def _gains(state: State, seat: int) -> dict[int, int]:
    """What it is worth to meet each ticket in hand: its points won, and not lost."""
    return {ticket: 2 * int(TICKET_POINTS[ticket]) for ticket in names(state.held[seat])}


def _tickets(state: State, seat: int, choice: int, least: int) -> int:
    """Keep what the plan meets; give the rest back, as far as allowed."""
    first = state.step == STEP_CHOOSE
    gains = {} if first else _gains(state, seat)
    fresh = names(choice)
    gains.update({ticket: int(TICKET_POINTS[ticket]) for ticket in fresh})
    plan = Planner(state, seat, 6 * _turns_left(state)).plan(gains)
    good = [ticket for ticket in fresh if plan.tickets >> ticket & 1]
    bad = sorted((ticket for ticket in fresh if not plan.tickets >> ticket & 1), key=lambda t: (TICKET_POINTS[t], t))
    kept = good + bad[: max(least - len(good), 0)]
    back = [ticket for ticket in fresh if ticket not in kept and not state.aside[seat] >> ticket & 1]
    enough = len(fresh) - len(names(state.aside[seat])) <= least
    return int(KEEP) if enough or not back else int(RETURN) + back[0]


class Wants:
    """Which cards the plan lacks: of each colour the routes it names, less what is in hand."""

    def __init__(self, state: State, seat: int, plan: Plan) -> None:
        self.hand = [int(count) for count in state.hand[KINDS * seat : KINDS * (seat + 1)]]
        self.ferries = int(state.ferries[seat])
        self.needed = [0] * KINDS
        self.close = [0] * KINDS  # how soon a colour completes a route: the fewer cards it lacks, the more
        self.waves = 0
        for number in plan.routes:
            route = ROUTES[number]
            if route.ferry:
                self.waves += route.waves
                continue
            self.needed[route.colour] += route.length
            lacking = route.length - self.hand[route.colour]
            if 0 < lacking < 4:
                self.close[route.colour] = max(self.close[route.colour], 4 - lacking)
        self.plain = max((ROUTES[n].length - ROUTES[n].waves for n in plan.routes if ROUTES[n].ferry), default=0)
        self.idle = not plan.routes
        self.favourite = max(range(LOCOMOTIVE), key=lambda card: (self.hand[card] - self.needed[card], -card))

    def value(self, card: int) -> int:
        """What one more card of a kind is worth, about ten for one that is wanted."""
        if card == LOCOMOTIVE:
            return 12
        if self.idle:
            return 5 + min(self.hand[card], 5)
        if self.hand[card] < self.needed[card]:
            return 10 + 2 * self.close[card]
        if card == self.favourite and self.hand[card] - self.needed[card] < self.plain:
            return 9
        return 2

    def unseen(self) -> int:
        """What a card from the deck is worth on average."""
        return sum(self.value(card) for card in range(KINDS)) // KINDS + 1

    def ferry(self) -> int:
        """What a ferry card is worth: two cards, for as many waves as are not served yet."""
        short = self.waves - 2 * self.ferries - self.hand[LOCOMOTIVE] // 2
        return 11 * min(short, 2) if short > 0 else 3

    def cost(self, move: int) -> int:
        """What a payment takes away, in the same measure; a locomotive is spared, for it could serve anywhere."""
        if move < SAIL:
            route, locomotives = divmod(move - int(CLAIM), PAYMENTS)
            return 18 * locomotives + self._spent(ROUTES[route].colour, ROUTES[route].length - locomotives, True)
        fare = FARES[(move - int(SAIL)) % len(FARES)]
        cards = self._spent(fare.colour, fare.shape.cards, False)
        return 18 * fare.shape.locomotives + 11 * fare.shape.ferries + cards

    def _spent(self, colour: int, count: int, own: bool) -> int:
        if not count:
            return 0
        spare = self.hand[colour] if own else max(self.hand[colour] - self.needed[colour], 0)
        return 5 * count + 10 * max(count - spare, 0)


def _act(state: State, seat: int, moves: list[int], plan: Plan, wants: Wants) -> int:
    claims = _cheapest(moves, wants)
    if state.last > 0:
        return _last_turn(state, seat, moves, claims)
    promise = 0
    if DRAW_TICKETS in moves and _turns_left(state) > 2 and not _unmet(state, seat):
        promise = _promise(state, seat, Planner(state, seat, 4 * _turns_left(state)))
    if promise >= 3 * WORTH_A_TURN:
        return int(DRAW_TICKETS)
    spare = wants.hand[LOCOMOTIVE] - max(wants.waves - 2 * MOST_FERRY_CARDS, 0)
    hurry = _turns_left(state) < 8
    for route in plan.routes:
        if route in claims and (hurry or _locomotives(claims[route]) <= max(spare, 0) or ROUTES[route].ferry):
            return claims[route]
    if promise >= WORTH_A_TURN:
        return int(DRAW_TICKETS)
    if not plan.routes and claims:
        best = max(claims, key=lambda route: (POINTS[route], -route))
        if POINTS[best] >= 4 or state.trains[seat] < 7 or DRAW + DECK not in moves:
            return claims[best]
    draw, value = _best_draw(state, moves, wants)
    if FERRY in moves and (value < 0 or wants.ferry() > value):
        return int(FERRY)
    if value >= 0:
        return draw
    return claims[max(claims, key=lambda route: (POINTS[route], -route))] if claims else int(DRAW_TICKETS)


def _cheapest(moves: list[int], wants: Wants) -> dict[int, int]:
    """Of each route that can be claimed now, the payment that takes the least away."""
    found: dict[int, int] = {}
    for move in moves:
        if CLAIM <= move < DRAW_TICKETS:
            route = _route(move)
            if route not in found or wants.cost(move) < wants.cost(found[route]):
                found[route] = move
    return found


def _route(move: int) -> int:
    return (move - int(CLAIM)) // PAYMENTS if move < SAIL else COLOURED + (move - int(SAIL)) // len(FARES)


def _locomotives(move: int) -> int:
    if move < SAIL:
        return (move - int(CLAIM)) % PAYMENTS
    return FARES[(move - int(SAIL)) % len(FARES)].shape.locomotives


def _best_draw(state: State, moves: list[int], wants: Wants) -> tuple[int, int]:
    """The train card to draw, and what the whole draw is worth; -1 when there is none."""
    second = state.step == STEP_SECOND
    choices = [int(move - DRAW) for move in moves if move <= DRAW + DECK]
    values = {card: wants.unseen() if card == DECK else wants.value(card) for card in choices}
    if not values:
        return -1, -1
    lone = values.pop(LOCOMOTIVE, -1)
    if not values:
        return int(DRAW) + LOCOMOTIVE, lone
    best = max(values, key=lambda card: (values[card], card))
    others = [wants.value(int(card)) for card in state.row if 0 <= card < LOCOMOTIVE and card != best]
    both = values[best] + (0 if second else max([*others, wants.unseen() if state.decked > 1 else 0]))
    if not second and lone > both:
        return int(DRAW) + LOCOMOTIVE, lone
    return int(DRAW) + best, both


def _unmet(state: State, seat: int) -> list[int]:
    """Tickets in hand that are still to be met."""
    return [ticket for ticket in names(state.held[seat]) if not met(state.reach, seat, ticket)]


def _promise(state: State, seat: int, planner: Planner) -> int:
    """What four tickets from the deck promise: all that can be met are kept, and at least one must be."""
    deck = (1 << TICKETS) - 1
    unknown = sum(1 << ticket for ticket in range(TICKETS) if state.maybe[TICKETS * seat + ticket] & deck)
    values = ticket_values(planner, unknown)
    if not values:
        return 0
    good = [value for value in values if value > 0]
    share = len(good) / len(values)
    drawn = min(LATER_TICKETS, int(state.left))
    lost = min(-value for value in values if value <= 0) if len(good) < len(values) else 0
    return int(drawn * share * (sum(good) / max(len(good), 1)) - (1 - share) ** drawn * (lost + 2))


def _last_turn(state: State, seat: int, moves: list[int], claims: dict[int, int]) -> int:
    """Whatever scores most: a route with all it joins, or tickets that are met already."""
    before = _standing(state, seat)
    best, best_gain = moves[0], 0
    for route, move in claims.items():
        after = state.clone()
        after.occupy(seat, route)
        gain = _standing(after, seat) - before
        if gain > best_gain:
            best, best_gain = move, gain
    if DRAW_TICKETS in moves and _promise(state, seat, Planner(state, seat, 0)) > best_gain:
        return int(DRAW_TICKETS)
    return best


def _standing(state: State, seat: int) -> int:
    """A seat's points if the game ended now."""
    tickets = sum(
        int(TICKET_POINTS[ticket]) * (1 if met(state.reach, seat, ticket) else -1) for ticket in names(state.held[seat])
    )
    return int(state.score[seat]) + tickets + int(bonus(state.reach, seat))
