"""Why a hint suggests a move in Round Trip Italy, in a sentence, from what the seat knows."""

from grandtour.engine import words as say
from grandtour.games.round_trip.bot import Evaluation
from grandtour.games.round_trip.parts import GRAND_TOUR, LENGTHS_TO_WIN, TICKETS, TRIPS
from grandtour.games.round_trip.rules import DISCARD, LAY, TAKE, State
from grandtour.games.round_trip.search import too_late_for_race, turns_after
from grandtour.games.round_trip.state import STEP_TAKE

MAX_TURNS_MENTIONED = 30.0
"""If more turns than this are left, a hint does not mention their number."""


def why(state: State, seat: int, move: int) -> str:
    """A reason for a legal move."""
    evaluation = Evaluation(state, seat)
    if LAY <= move < DISCARD:
        return _reason_to_lay(evaluation, int(move - LAY))
    known = ""
    if state.step == STEP_TAKE:
        top = evaluation.known_in_pile(int(move - TAKE), 0)
        if top >= 0:
            known = f"You know that {TICKETS[top].title} is on top. "
    if too_late_for_race(state):
        return f"{known}There is no time for the grand tour, so this goes for one more round trip."
    turns = turns_after(evaluation, move)
    best = min(turns_after(evaluation, other) for other in state.legal(seat))
    if turns < best + 1:
        turns = best  # Rounding would make a difference of less than a turn look like a whole one.
    if turns >= MAX_TURNS_MENTIONED:
        return f"{known}The grand tour is still a long way off either way."
    return f"{known}It leaves you about {say.plural(max(1, round(turns)), 'turn')} from the grand tour."


def _reason_to_lay(evaluation: Evaluation, number: int) -> str:
    trip = TRIPS[number]
    if trip.length == GRAND_TOUR:
        return "The grand tour wins the game."
    made = evaluation.state.lengths[evaluation.seat]
    missing = [length for length in LENGTHS_TO_WIN if length != trip.length and not made >> length & 1]
    if not missing:
        return "It is the last length you were missing, so you win."
    then = " and gives you another turn" if trip.extra_turn else ""
    return f"It completes a round trip of length {trip.length}{then}; you still need {_lengths(missing)}."


def _lengths(missing: list[int]) -> str:
    return f"length{'s' if len(missing) > 1 else ''} {say.join_and([str(length) for length in missing])}"
