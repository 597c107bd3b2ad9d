"""Why a hint suggests a move in The Journey: Istanbul, in a sentence, from what the seat knows."""

from typing import Final

from grandtour.engine import words as say
from grandtour.games.journey_istanbul.mechanics.moves import (
    DECLINE,
    END_LOOKING,
    LEAVE,
    LOOK,
    MOVE,
    MOVES,
    PAY,
    POINT,
    REMAIN,
    SHOW,
    STAY,
    TRAVEL,
    WORK,
)
from grandtour.games.journey_istanbul.mechanics.tasks import obstacle, opportunity
from grandtour.games.journey_istanbul.parts import (
    N_DAYS,
    NEIGHBOURS,
    OBSTACLES,
    OPPORTUNITIES,
    PLACES,
    RAIDED_BY_MORE,
    RAIDED_BY_ONE,
    money,
    symbols,
)
from grandtour.games.journey_istanbul.rules import STEP_JOURNEY, STEP_PAY, State
from grandtour.games.journey_istanbul.strategy.plan import QUICK_HORIZON, Plan

MIN_CHANCE: Final = 0.3
"""Less likely journeys and work are no reason to go somewhere."""

TALK_REASONS: Final = {
    "talk": "Others may know something you need, or need something you know.",
    "ask": "Somebody else may know the card.",
    "show": "The more everybody knows, the more of you get out.",
    "buy": "What they know may spare you a raid, or bring you work or a journey.",
    "refuse": "It is not worth the price to you.",
    "accept": "What they know may spare you a raid, or bring you work or a journey.",
    "help": "They need the money now.",
    "deny": "You keep your money, and what you know, for yourself.",
    "request": "You are short of money for what you want to do now.",
    "hush": "There is nothing more to gain from talking now.",
    "withdraw": "You no longer need an answer.",
    "give": "They need the money more than you do.",
}
ANSWER_REASON: Final = "Others pay for a true answer, or return the favour."
NOTE_REASON: Final = "Notes help you remember what is coming."
NOTE_VERBS: Final = ("write", "page", "tick", "note", "erase")


def why(state: State, seat: int, move: int) -> str:
    """A reason for a legal move."""
    if MOVE <= move < STAY:
        return _reason_to_be_in(state, seat, int(move - MOVE))
    if move == STAY:
        return _reason_to_be_in(state, seat, int(state.place[seat]))
    if LEAVE <= move < REMAIN:
        return _reason_to_be_in(state, seat, int(move - LEAVE))
    if move == REMAIN:
        return "Paying the fine would leave you too little for what comes next."
    if LOOK <= move < END_LOOKING:
        return f"You have not seen this card, and it is turned up {_when(state, int(move - LOOK))}."
    if move == END_LOOKING:
        return "Another card would not tell you anything you need."
    if POINT <= move < SHOW:
        return f"The card is turned up {_when(state, int(move - POINT))}."
    if move == PAY:
        return "It pays for a part of one of your tasks."
    if move == DECLINE:
        return _reason_to_decline(state, seat)
    if move == TRAVEL:
        return f"Your obstacle is behind you, and the journey costs {money(int(state.cost(seat, state.card)))}."
    if move == WORK:
        return f"It pays {money(int(state.wage(seat, state.card)))}."
    verb = MOVES.verb(move).name
    return NOTE_REASON if verb in NOTE_VERBS else TALK_REASONS.get(verb, ANSWER_REASON)


def _when(state: State, slot: int) -> str:
    ahead = int(state.due(slot) - state.day)
    return "tonight" if ahead == 0 else "tomorrow" if ahead == 1 else f"in {ahead} days"


def _reason_to_decline(state: State, seat: int) -> str:
    if state.step == STEP_PAY:
        return "You have no money for it, or need it for something else."
    if state.step != STEP_JOURNEY:
        return "You are better off without it."
    if state.money[seat] < state.cost(seat, state.card):
        return "You cannot pay for this journey."
    return "You can expect to get out later with more money left."


def _reason_to_be_in(state: State, seat: int, place: int) -> str:
    """A reason to be in a neighbourhood today."""
    today = int(state.day)
    here = PLACES[place]
    next_places: list[tuple[str, str]] = []
    for name, part in (
        (f"Your obstacle ({OBSTACLES[state.obstacle[seat]]})", obstacle(state, seat)),
        (f"Your opportunity ({OPPORTUNITIES[state.opportunity[seat]]})", opportunity(state, seat)),
    ):
        wanted, days = part["place"], part["days"]
        if wanted is None:
            continue
        if wanted == here and (days is None or today in days):
            return f"{name} needs {here}{' today' if days else ''}."
        if days is None or max(days, default=0) > today:
            next_places.append((name, wanted))
    plan = Plan(state, seat, QUICK_HORIZON)
    if state.done >> seat & 1:
        journeys = range(N_DAYS * place, N_DAYS * place + plan.journeys[place])
        if any(plan.chance[i] >= MIN_CHANCE for i in journeys):
            return f"A journey from {here} may be turned up tonight, and your obstacle is behind you."
    if plan.work[place] >= MIN_CHANCE:
        return f"There may be work in {here} tonight."
    for name, wanted in next_places:
        if state.place[seat] not in (place, PLACES.index(wanted)) and PLACES.index(wanted) in NEIGHBOURS[place]:
            return f"{name} needs {wanted}, which is next to {here}."
    if _raid(plan, place) < max(_raid(plan, other) for other in range(len(PLACES))):
        return f"A raid is less likely in {here} than elsewhere today."
    eyes = symbols(state.seats)[0][place]
    good = f"you can look at {say.plural(eyes, 'event card')} in {here}" if eyes else f"the police never come to {here}"
    for name, _ in next_places:
        return f"{name} can wait, and {good}."
    return f"{say.capitalize(good)}."


def _raid(plan: Plan, place: int) -> float:
    """The chance of a raid in a place tonight, as far as the seat can tell."""
    if place in RAIDED_BY_ONE:
        return plan.raid_one[0]
    return plan.raid_more[0] if place in RAIDED_BY_MORE else 0.0
