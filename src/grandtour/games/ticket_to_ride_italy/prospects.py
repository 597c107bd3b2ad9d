# compiled
"""What a position promises each seat: quick, for players that search.

The seat that imagines a position knows its own tickets, and a plan for them tells what it will come to. The others'
tickets and cards are guesses there, so they are judged by what everyone can see. The figures are fitted to games of the
sensible player.
"""

from math import exp, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.state import State as Position
from grandtour.games.ticket_to_ride_italy.board import BONUS, CITIES, ONE, PLACES, TICKET_POINTS, bonus, regions, size
from grandtour.games.ticket_to_ride_italy.deck import names
from grandtour.games.ticket_to_ride_italy.plan import Planner, worth_of
from grandtour.games.ticket_to_ride_italy.rules import State
from grandtour.games.ticket_to_ride_italy.table import KINDS, LOCOMOTIVE, STEP_ACT


def inner(state: State, seat: i64, turns: i64) -> list[float]:
    planner = Planner(state, seat, 10 * turns)
    plan = planner.plan(worth_of(state.held[seat], 0))
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
    cards: i64 = 0
    best: i64 = 0
    for card in range(i64(LOCOMOTIVE)):
        held = state.hand[KINDS * seat + card]
        cards += held
        if held > best:
            best = held
    tight = float(plan.effort) / float(10 * turns + 1)
    return [
        1.0,
        float(state.score[seat]),
        float(met),
        float(planned),
        float(missed),
        float(bonus(state.reach, seat)),
        float(bonus(planner.joined, 0)),
        float(plan.points),
        float(turns),
        float(10 * turns - plan.effort) / 10.0,
        float(state.trains[seat] - plan.trains),
        float(cards),
        float(state.hand[KINDS * seat + LOCOMOTIVE]),
        float(state.ferries[seat]),
        float(best),
        float(planned) * tight,
        float(plan.points) * tight,
        float(state.turn == seat),
        float(state.step != STEP_ACT and state.turn == seat),
    ]


def outer(state: State, seat: i64, turns: i64) -> list[float]:
    cards: i64 = 0
    for card in range(i64(KINDS)):
        cards += state.hand[KINDS * seat + card]
    most: i64 = 0
    for city in range(i64(CITIES)):
        count = regions(state.reach[PLACES * seat + city])
        if count > most:
            most = count
    return [
        1.0,
        float(state.score[seat]),
        float(bonus(state.reach, seat)),
        float(most),
        float(turns),
        float(state.trains[seat]),
        float(cards),
        float(state.ferries[seat]),
        float(size(state.held[seat])),
        float(state.turn == seat),
        float(state.step != STEP_ACT and state.turn == seat),
    ]
