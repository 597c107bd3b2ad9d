# compiled
"""A quick player of Round Trip Italy and a quick look at who is ahead, both for a player that searches.

They see nothing but the race to the grand tour: see `race.py`.
"""

from math import exp
from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.round_trip import bot
from grandtour.games.round_trip.bot import LINK, Thought, of_pile, without
from grandtour.games.round_trip.parts import GRAND_TOUR, PILE_SIZE, PILES, ROMA, TICKETS, TRIPS
from grandtour.games.round_trip.race import race
from grandtour.games.round_trip.rules import (
    DISCARD,
    END_TURN,
    EXCHANGE,
    FOUR_LENGTHS,
    GIVE,
    KINDS,
    LAY,
    STEP_ACT,
    STEP_GIVE,
    STEP_TAKE,
    TAKE,
    State,
)

NEVER: Final = 1000.0
RACE: Final = 10
"""Rounds in which a race can be won."""
LATER: Final = 2.2
"""What it costs to be a round later, in turns."""


def _by_link(near: float, across: float, roma: float) -> list[float]:
    """A number a kind of ticket: to a city beside its own on the ring, to one across, to Roma."""
    found: list[float] = []
    for ticket in TICKETS:
        step = (ticket.other - ticket.pile) % len(PILES)
        found.append(roma if ticket.other == ROMA else near if step in (1, len(PILES) - 1) else across)
    return found


GIVEN: Final = _by_link(1.57, 0.7, 0.05)
"""How often a partner who has a choice gives a ticket, beside giving any: counted over games of hard with itself."""
OFFERED: Final = _by_link(1.28, 0.72, 0.08)
"""The same for a ticket on offer, beside any of its pile."""


def choose(position: Position, seat: int, dice: Dice) -> int:
    """A legal move that brings the grand tour nearer, found in a few microseconds."""
    assert isinstance(position, State)
    state: State = position
    legal = state.legal(seat)
    if len(legal) == 1:
        return legal[0]
    if state.step == STEP_TAKE:
        return _take(state, seat, legal)
    if state.step == STEP_GIVE:
        return _part_with(state, seat, legal, int(GIVE))
    turns = race().laying
    best = -1
    least = turns[_held(state, seat)]
    for move in legal:
        if move >= DISCARD:
            break
        if move >= LAY:
            if TRIPS[move - int(LAY)].length == GRAND_TOUR:
                return move
        elif move < GIVE:
            kind, side = (move - int(EXCHANGE)) // 2, (move - int(EXCHANGE)) % 2
            value = _expected(turns, _held(state, seat, kind), (TICKETS[kind].pile + (1 if side else 4)) % 5)
            if value < least:
                least = value
                best = move
    if best >= 0:
        return best
    if legal[-1] == END_TURN:
        return legal[-1]
    return _part_with(state, seat, [move for move in legal if move >= DISCARD], int(DISCARD))


def rank(position: Position, seat: int, moves: list[int]) -> list[float]:
    """How few turns each of these moves leaves, on average over what the seat does not know."""
    assert isinstance(position, State)
    thought = Thought(position, seat)
    return [-_turns(thought, move) for move in moves]


def own(position: Position, seat: int) -> bool:
    """With more than two players a search was measured to be worse than its own ranking: then that decides. And in the
    last rounds, when the most round trips may win, the sensible player does."""
    assert isinstance(position, State)
    return position.seats > 2 or _late(position)


def think(position: Position, seat: int, dice: Dice, effort: int) -> list[tuple[int, int]]:
    """The move that is ranked highest; in the last rounds that of the sensible player."""
    assert isinstance(position, State)
    if _late(position):
        return [(bot.choose(position, seat, dice), 1)]
    legal = position.legal(seat)
    ranks = rank(position, seat, legal)
    return [(legal[ranks.index(max(ranks))], 1)]


def _late(state: State) -> bool:
    """Whether the rounds are too few for a race to the grand tour."""
    return bool(state.turn_limit - state.round < RACE)


def _turns(thought: Thought, move: int) -> float:
    """The turns to the grand tour after a move, this one among them."""
    table = race()
    state = thought.state
    seat = thought.seat
    if state.step == STEP_TAKE:
        pile = move - int(TAKE)
        top = thought.known_in_pile(pile, 0)
        chances = [(top, 1.0)] if top >= 0 else [(kind, float(thought.unseen[kind])) for kind in of_pile(pile)]
        return _average(table.acting, _held(state, seat), chances)
    if state.step == STEP_GIVE:
        chances = _weighed(thought.likely(int(state.turn), TICKETS[state.offer].pile), OFFERED)
        return _average(table.taking, _held(state, seat, move - int(GIVE)), chances)
    if move < GIVE:
        kind, side = (move - int(EXCHANGE)) // 2, (move - int(EXCHANGE)) % 2
        wanted = (TICKETS[kind].pile + (1 if side else 4)) % 5
        partner = int(state.neighbour(seat, side))
        chances = thought.likely(partner, wanted)
        if state.backs(partner, wanted) > 1:
            chances = _weighed(chances, GIVEN)
        return _average(table.laying, _held(state, seat, kind), chances)
    if move < DISCARD:
        trip = TRIPS[move - int(LAY)]
        if trip.length == GRAND_TOUR or (thought.made | 1 << trip.length) & FOUR_LENGTHS == FOUR_LENGTHS:
            return 0.0
        rest = 0
        for kind in without(thought.hand, trip.tickets):
            rest |= 1 << LINK[kind]
        return table.taking[rest] + (0.0 if trip.extra_turn else 1.0)
    return 1.0 + table.taking[_held(state, seat, -1 if move == END_TURN else move - int(DISCARD))]


def _weighed(chances: list[tuple[int, float]], weights: list[float]) -> list[tuple[int, float]]:
    return [(kind, chance * weights[kind]) for kind, chance in chances]


def _average(turns: list[float], held: int, chances: list[tuple[int, float]]) -> float:
    total = 0.0
    weight = 0.0
    for kind, chance in chances:
        total += chance * turns[held | 1 << LINK[kind]]
        weight += chance
    return total / weight


def _held(state: State, seat: int, besides: int = -1) -> int:
    """The links of a hand, one bit each; one ticket of the kind `besides` left out."""
    held = 0
    first: i64 = KINDS * seat
    for kind in range(KINDS):
        count = state.hand[first + kind]
        if count > 1 or (count == 1 and kind != besides):
            held |= 1 << LINK[kind]
    return held


def _expected(turns: list[float], held: int, pile: int) -> float:
    """How many turns are left, on average, with one more ticket of a pile."""
    total = 0.0
    for kind in range(5 * pile, 5 * pile + 5):
        total += COPIES[kind] * turns[held | 1 << LINK[kind]]
    return total / PILE_SIZE


def _take(state: State, seat: int, legal: list[int]) -> int:
    turns = race().acting
    held = _held(state, seat)
    best = legal[0]
    least = NEVER
    for move in legal:
        value = _expected(turns, held, move - int(TAKE))
        if value < least:
            least = value
            best = move
    return best


def _part_with(state: State, seat: int, legal: list[int], verb: int) -> int:
    """The ticket whose loss hurts least."""
    turns = race().taking
    best = legal[0]
    least = NEVER
    for move in legal:
        value = turns[_held(state, seat, move - verb)]
        if value < least:
            least = value
            best = move
    return best


COPIES: Final = [ticket.copies for ticket in TICKETS]


def evaluate(position: Position) -> list[float]:
    """Each seat's chance of winning, by the turns it is from the grand tour.

    The weights were fitted on games of the sensible player with one who looks at the race alone.
    """
    assert isinstance(position, State)
    state: State = position
    if state.step == STEP_GIVE:
        state = state.clone()
        partner = int(state.partner)
        state.play(partner, _part_with(state, partner, state.legal(partner), int(GIVE)))
    table = race()
    mover = int(state.turn)
    held = _held(state, mover)
    if table.complete[held]:
        return [1.0 if seat == mover else 0.0 for seat in range(state.seats)]
    weight = 0.01 + 0.0475 * float(state.seats)
    shares = [0.0] * state.seats
    total = 0.0
    for after in range(state.seats):
        seat = (mover + after) % int(state.seats)
        if after:
            turns = table.taking[_held(state, seat)] + LATER * float(after) / float(state.seats)
        elif state.step == STEP_TAKE:
            turns = table.taking[held]
        elif state.step == STEP_ACT:
            turns = table.acting[held]
        else:
            turns = table.laying[held]
        share = exp(-weight * turns)
        shares[seat] = share
        total += share
    return [share / total for share in shares]
