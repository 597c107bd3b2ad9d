# compiled
"""A quick player of Round Trip Italy, for a search that plays many games to their end.

Practically every game between sensible players ends with the grand tour, so it looks at nothing else: how many of the
sixty ways through all six cities the hand still leaves open, and how near each of them is.
"""

from math import exp
from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.round_trip.bot import EASE, LINK, LINKS, OTHER_WAYS, RINGS
from grandtour.games.round_trip.parts import GRAND_TOUR, TICKETS, TRIPS
from grandtour.games.round_trip.rules import (
    DISCARD,
    END_TURN,
    EXCHANGE,
    GIVE,
    KINDS,
    LAY,
    STEP_GIVE,
    STEP_TAKE,
    TAKE,
    State,
)

UNKNOWN: Final = -1.0
SWAP: Final = 0.005
"""What an exchange has to bring: the neighbour gains by it too."""

_hopes: list[float] = [UNKNOWN] * (1 << len(LINKS))


def hope(held: int) -> float:
    """How near a set of links comes to the grand tour."""
    known = _hopes[held]
    if known != UNKNOWN:
        return known
    best = 0.0
    total = 0.0
    for ring in RINGS[GRAND_TOUR]:
        missing = ring & ~held
        chance = 1.0
        link = 0
        while missing:
            if missing & 1:
                chance *= EASE[link]
            missing >>= 1
            link += 1
        total += chance
        best = max(best, chance)
    value = best + OTHER_WAYS * (total - best)
    _hopes[held] = value
    return value


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
    best = -1
    most = 0.0
    for move in legal:
        if move >= DISCARD:
            break
        if move >= LAY:
            if TRIPS[move - int(LAY)].length == GRAND_TOUR:
                return move
        elif move < GIVE:
            gain = _exchange(state, seat, move)
            if gain > most:
                most = gain
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


def _expected(held: int, pile: int) -> float:
    """How near the grand tour is, on average, with one more ticket of a pile."""
    total = 0.0
    for kind in range(5 * pile, 5 * pile + 5):
        total += COPIES[kind] * hope(held | 1 << LINK[kind])
    return total / PILE


def _take(state: State, seat: int, legal: list[int]) -> int:
    held = _held(state, seat)
    best = legal[0]
    most = UNKNOWN
    for move in legal:
        value = _expected(held, move - int(TAKE))
        if value > most:
            most = value
            best = move
    return best


def _exchange(state: State, seat: int, move: int) -> float:
    """What an exchange adds, on average."""
    kind, side = (move - int(EXCHANGE)) // 2, (move - int(EXCHANGE)) % 2
    wanted = (TICKETS[kind].pile + (1 if side else 4)) % 5
    return _expected(_held(state, seat, kind), wanted) - hope(_held(state, seat)) - SWAP


def _part_with(state: State, seat: int, legal: list[int], verb: int) -> int:
    """The ticket whose loss hurts least."""
    best = legal[0]
    most = UNKNOWN
    for move in legal:
        value = hope(_held(state, seat, move - verb))
        if value > most:
            most = value
            best = move
    return best


COPIES: Final = [ticket.copies for ticket in TICKETS]
PILE: Final = float(sum([ticket.copies for ticket in TICKETS]) / 5)


def evaluate(position: Position) -> list[float]:
    """Each seat's chance of winning, by how near its hand comes to the grand tour.

    The weight was fitted on games of the sensible player with itself: 1.7 for two players, 2.5 for three, 3.2 for four.
    """
    assert isinstance(position, State)
    state: State = position
    weight = 0.2 + 0.75 * float(state.seats)
    shares = [exp(weight * hope(_held(state, seat))) for seat in range(state.seats)]
    total = sum(shares)
    return [share / total for share in shares]
