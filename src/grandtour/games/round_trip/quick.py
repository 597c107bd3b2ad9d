# compiled
"""A quick player of Round Trip Italy and a quick look at who is ahead, both for a player that searches.

They see nothing but the race to the grand tour: see `race.py`.
"""

from math import exp
from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.round_trip.bot import LINK
from grandtour.games.round_trip.parts import GRAND_TOUR, PILE_SIZE, TICKETS, TRIPS
from grandtour.games.round_trip.race import race
from grandtour.games.round_trip.rules import (
    DISCARD,
    END_TURN,
    EXCHANGE,
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
LATER: Final = 2.0
"""What it costs to be a round later, in turns."""


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
    turns = race().resting
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

    The weights were fitted on games of the sensible player and one who looks at the race alone.
    """
    assert isinstance(position, State)
    state: State = position
    table = race()
    mover = int(state.turn)
    held = _held(state, mover)
    if table.complete[held]:
        return [1.0 if seat == mover else 0.0 for seat in range(state.seats)]
    weight = 0.01 + 0.0575 * float(state.seats)
    shares = [0.0] * state.seats
    total = 0.0
    for after in range(state.seats):
        seat = (mover + after) % int(state.seats)
        if after:
            turns = table.resting[_held(state, seat)] + LATER * float(after) / float(state.seats)
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
