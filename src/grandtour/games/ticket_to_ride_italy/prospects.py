# compiled
"""What a position promises each seat, when all hands are known: quick, for players that search."""

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.ticket_to_ride_italy.board import BONUS, ONE, TICKET_POINTS, bonus, regions
from grandtour.games.ticket_to_ride_italy.deck import names
from grandtour.games.ticket_to_ride_italy.plan import Plan, Planner, worth_of
from grandtour.games.ticket_to_ride_italy.rules import State
from grandtour.games.ticket_to_ride_italy.table import KINDS, LOCOMOTIVE


def features(state: State, seat: i64, turns: i64, explore: bool) -> list[int]:
    planner = Planner(state, seat, 10 * turns)
    plan = Plan()
    gains = worth_of(state.held[seat], 0)
    while planner.grow(plan, gains, explore):
        pass
    joined = state.tickets_met(seat)
    met: i64 = 0
    planned: i64 = 0
    missed: i64 = 0
    for ticket in names(state.held[seat]):
        if joined & ONE[ticket]:
            met += TICKET_POINTS[ticket]
        elif plan.tickets & ONE[ticket]:
            planned += TICKET_POINTS[ticket]
        else:
            missed += TICKET_POINTS[ticket]
    now = bonus(state.reach, seat)
    then: i64 = 0
    for place in range(i64(34)):
        network = planner.joined[place]
        if network & -network == ONE[place] and network != ONE[place]:
            then += BONUS[regions(network)]
    cards: i64 = 0
    best: i64 = 0
    for card in range(i64(LOCOMOTIVE)):
        cards += state.hand[KINDS * seat + card]
        if state.hand[KINDS * seat + card] > best:
            best = state.hand[KINDS * seat + card]
    return [
        int(state.score[seat]), int(met), int(planned), int(missed), int(now), int(then), int(plan.points),
        int(plan.effort), int(plan.trains), int(turns), int(state.trains[seat]), int(cards),
        int(state.hand[KINDS * seat + LOCOMOTIVE]), int(state.ferries[seat]), int(best), int(state.turn == seat),
    ]
