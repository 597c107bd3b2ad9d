# compiled
"""A fast player and a fast evaluation of Round Trip Italy, for searching players.

They consider only the race to the grand tour; see `strategy/race.py`.
"""

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.game import SearchHooks
from grandtour.games.round_trip.bot import Evaluation
from grandtour.games.round_trip.parts import (
    GRAND_TOUR,
    KINDS,
    N_PILES,
    PER_PILE,
    PILE_SIZE,
    PILES,
    ROMA,
    TICKETS,
    TRIPS,
)
from grandtour.games.round_trip.rules import DISCARD, END_TURN, EXCHANGE, GIVE, LAY, TAKE, State
from grandtour.games.round_trip.state import FOUR_LENGTHS, PILE, STEP_ACT, STEP_GIVE, STEP_TAKE
from grandtour.games.round_trip.strategy.hand_value import LINK
from grandtour.games.round_trip.strategy.race import race

MORE_THAN_ANY: Final = 1000.0
"""More turns than any hand needs."""
MIN_RACE_ROUNDS: Final = 10
"""The minimum number of rounds left for a race to the grand tour."""
ROUND_COST: Final = 2.2
"""The cost, in turns, of being one round behind."""


def _by_distance(near: float, across: float, roma: float) -> list[float]:
    """One number per kind of ticket, by the city it leads to: a neighbour on the ring, a city across, or Roma."""
    found: list[float] = []
    for ticket in TICKETS:
        step = (ticket.other - ticket.pile) % len(PILES)
        found.append(roma if ticket.other == ROMA else near if step in (1, len(PILES) - 1) else across)
    return found


GIVEN_WEIGHTS: Final = _by_distance(1.57, 0.7, 0.05)
"""How often a partner with a choice gives a ticket of each kind, relative to a random one. Counted in games of hard."""
OFFERED_WEIGHTS: Final = _by_distance(1.28, 0.72, 0.08)
"""The same for the ticket on offer, relative to a random one of its pile."""


def quick(state: State, seat: int, dice: Dice) -> int:
    """The legal move that brings the grand tour closest, found in a few microseconds."""
    legal = state.legal(seat)
    if len(legal) == 1:
        return legal[0]
    if state.step == STEP_TAKE:
        return _best_pile(state, seat, legal)
    if state.step == STEP_GIVE:
        return _cheapest_to_lose(state, seat, legal, int(GIVE))
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
            value = _expected(
                turns, _held(state, seat, kind), (TICKETS[kind].pile + (1 if side else N_PILES - 1)) % N_PILES
            )
            if value < least:
                least = value
                best = move
    if best >= 0:
        return best
    if legal[-1] == END_TURN:
        return legal[-1]
    return _cheapest_to_lose(state, seat, [move for move in legal if move >= DISCARD], int(DISCARD))


def rank(state: State, seat: int, moves: list[int]) -> list[float]:
    """Rank each move by the expected number of turns left after it: the fewer, the better."""
    evaluation = Evaluation(state, seat)
    return [-turns_after(evaluation, move) for move in moves]


def bot_decides(state: State, seat: int) -> bool:
    """Whether the bot in `bot.py` decides: it does so in the last rounds, when the most round trips may win."""
    return too_late_for_race(state)


def turn_begins(state: State, seat: int) -> bool:
    """Whether a turn of this seat begins here."""
    return bool(state.step == STEP_TAKE and state.turn == seat)


def too_late_for_race(state: State) -> bool:
    """Whether too few rounds are left for a race to the grand tour."""
    return bool(state.turn_limit - state.round < MIN_RACE_ROUNDS)


def turns_after(evaluation: Evaluation, move: int) -> float:
    """The turns to the grand tour after a move, including this one."""
    table = race()
    state = evaluation.state
    seat = int(evaluation.seat)
    if state.step == STEP_TAKE:
        pile: i64 = move - TAKE
        held = _held(state, seat)
        top = evaluation.known_in_pile(pile, 0)
        if top >= 0:
            return table.acting[held | 1 << LINK[top]]
        unseen = vec[float](
            [float(evaluation.unseen[kind]) for kind in range(PER_PILE * pile, PER_PILE * pile + PER_PILE)]
        )
        return _average(table.acting, held, pile, unseen)
    if state.step == STEP_GIVE:
        pile = PILE[state.offer]
        chances = _with_weights(evaluation.ticket_chances(state.turn, pile), pile, OFFERED_WEIGHTS)
        return _average(table.taking, _held(state, seat, move - int(GIVE)), pile, chances)
    if move < GIVE:
        kind, side = (move - int(EXCHANGE)) // 2, (move - int(EXCHANGE)) % 2
        wanted: i64 = (PILE[kind] + (1 if side else N_PILES - 1)) % N_PILES
        partner = state.neighbour(seat, side)
        chances = evaluation.ticket_chances(partner, wanted)
        if state.backs(partner, wanted) > 1:
            chances = _with_weights(chances, wanted, GIVEN_WEIGHTS)
        return _average(table.laying, _held(state, seat, kind), wanted, chances)
    if move < DISCARD:
        trip = TRIPS[move - int(LAY)]
        if trip.length == GRAND_TOUR or (evaluation.hand.made | 1 << trip.length) & FOUR_LENGTHS == FOUR_LENGTHS:
            return 0.0
        return table.taking[evaluation.hand.held_without(move - LAY)] + (0.0 if trip.extra_turn else 1.0)
    return 1.0 + table.taking[_held(state, seat, -1 if move == END_TURN else move - int(DISCARD))]


def _with_weights(chances: vec[float], pile: i64, weights: list[float]) -> vec[float]:
    return vec[float]([chances[i] * weights[PER_PILE * pile + i] for i in range(PER_PILE)])


def _average(turns: list[float], held: int, pile: i64, chances: vec[float]) -> float:
    """The expected turns left with one more ticket of a pile, given the chance of each kind."""
    total = 0.0
    weight = 0.0
    for i in range(i64(PER_PILE)):
        total += chances[i] * turns[held | 1 << LINK[PER_PILE * pile + i]]
        weight += chances[i]
    return total / weight


def _held(state: State, seat: int, without: int = -1) -> int:
    """The links of a hand, one bit each. One ticket of the kind `without` is left out."""
    held = 0
    first: i64 = KINDS * seat
    for kind in range(KINDS):
        count = state.hand[first + kind]
        if count > 1 or (count == 1 and kind != without):
            held |= 1 << LINK[kind]
    return held


def _expected(turns: list[float], held: int, pile: int) -> float:
    """The expected number of turns left with one more ticket of a pile."""
    total = 0.0
    for kind in range(PER_PILE * pile, PER_PILE * pile + PER_PILE):
        total += COPIES[kind] * turns[held | 1 << LINK[kind]]
    return total / PILE_SIZE


def _best_pile(state: State, seat: int, legal: list[int]) -> int:
    """The move that takes a ticket from the best pile."""
    turns = race().acting
    held = _held(state, seat)
    best = legal[0]
    least = MORE_THAN_ANY
    for move in legal:
        value = _expected(turns, held, move - int(TAKE))
        if value < least:
            least = value
            best = move
    return best


def _cheapest_to_lose(state: State, seat: int, legal: list[int], verb: int) -> int:
    """The move of this verb whose ticket costs least to lose."""
    turns = race().taking
    best = legal[0]
    least = MORE_THAN_ANY
    for move in legal:
        value = turns[_held(state, seat, move - verb)]
        if value < least:
            least = value
            best = move
    return best


COPIES: Final = [ticket.copies for ticket in TICKETS]


def evaluate(state: State) -> list[float]:
    """Each seat's chance of winning, estimated from its number of turns to the grand tour.

    The weights were fitted to games between the normal player and one that considers only the race.
    """
    if state.step == STEP_GIVE:
        state = state.clone()
        partner = int(state.partner)
        state.play(partner, _cheapest_to_lose(state, partner, state.legal(partner), int(GIVE)))
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
            turns = table.taking[_held(state, seat)] + ROUND_COST * float(after) / float(state.seats)
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


HOOKS: Final = SearchHooks(rank=rank, quick=quick, evaluate=evaluate, bot_decides=bot_decides, turn_begins=turn_begins)
