# compiled
"""What a position promises each seat: quick, for players that search.

The seat that imagines a position knows its own tickets and cards, and a plan for them tells what it may come to. The
others' are guesses there, so they are judged by what everyone can see. All figures are fitted to final scores in some
thousand games of the sensible player with itself, two to five at a table.
"""

from math import exp, sqrt

from mypy_extensions import i64

from grandtour.engine.state import State as Position
from grandtour.games.ticket_to_ride_italy.board import CITIES, ONE, PLACES, TICKET_POINTS, bonus, regions, size
from grandtour.games.ticket_to_ride_italy.deck import names
from grandtour.games.ticket_to_ride_italy.plan import Planner, turns_left, worth_of
from grandtour.games.ticket_to_ride_italy.rules import State
from grandtour.games.ticket_to_ride_italy.table import KINDS, LOCOMOTIVE, STEP_ACT


def evaluate(position: Position) -> list[float]:
    """Each seat's chance to win. Who imagines the position sees the others from outside; in a real one all is known."""
    assert isinstance(position, State)
    turns = turns_left(position)
    expected: list[float] = []
    for seat in range(position.seats):
        known = position.eyes < 0 or position.eyes == seat
        expected.append(from_inside(position, seat, turns) if known else from_outside(position, seat, turns))
    scale = 4.0 + 2.0 * sqrt(float(turns))  # a lead of so many points makes a win e times as likely as a loss
    best = max(expected)
    chances = [exp((points - best) / scale) for points in expected]
    total = sum(chances)
    return [chance / total for chance in chances]


def from_inside(state: State, seat: i64, turns: i64) -> float:
    """The final score that a seat may expect which knows its tickets and cards."""
    planner = Planner(state, seat, 10 * turns)
    plan = planner.plan(worth_of(state.held[seat], 0))
    tight = float(plan.effort) / float(10 * turns + 1)
    joined = state.tickets_met(seat)
    points = 1.29 * float(state.score[seat]) + (1.67 - 0.6 * tight) * float(plan.points)
    points += 0.13 * float(bonus(state.reach, seat)) + 0.96 * float(bonus(planner.joined, 0))
    for ticket in names(state.held[seat]):
        worth = float(TICKET_POINTS[ticket])
        if joined & ONE[ticket]:
            points += 0.94 * worth
        elif plan.tickets & ONE[ticket]:
            points += (1.45 * tight - 0.46) * worth
        else:
            points -= 0.8 * worth
    points += 0.56 * float(turns) + 0.182 * float(10 * turns - plan.effort)
    points += 2.49 * float(state.trains[seat] - plan.trains)
    points += 0.52 * float(state.hand[KINDS * seat + LOCOMOTIVE])
    return points - 21.2 - 2.56 * float(state.seats) + _to_move(state, seat, 0.99, 1.12)


def from_outside(state: State, seat: i64, turns: i64) -> float:
    """The final score that others expect of a seat."""
    cards: i64 = 0
    for card in range(i64(KINDS)):
        cards += state.hand[KINDS * seat + card]
    most: i64 = 0
    for city in range(i64(CITIES)):
        count = regions(state.reach[PLACES * seat + city])
        if count > most:
            most = count
    points = 1.15 * float(state.score[seat]) + 0.09 * float(bonus(state.reach, seat)) + 4.52 * float(most)
    points += 2.58 * float(turns) + 1.14 * float(state.trains[seat]) + 0.25 * float(cards)
    points += 3.36 * float(state.ferries[seat]) + 3.99 * float(size(state.held[seat]))
    return points - 7.6 - 2.65 * float(state.seats) + _to_move(state, seat, 1.1, 1.36)


def _to_move(state: State, seat: i64, turn: float, begun: float) -> float:
    """What it is worth to have the turn, and how much less when it has begun."""
    if state.turn != seat:
        return 0.0
    return turn if state.step == STEP_ACT else turn - begun
