# compiled
"""The bot of The Journey: Istanbul.

It plans a few days ahead (`strategy/plan.py`). For each route through the city it estimates what its task still needs,
how likely the police are, what it may earn, and which journeys it could take at what price, from the cards it knows and
the odds of those it does not. It talks (`strategy/bargain.py`): it asks in its own turn, offers what it knows to the
one who is about to move, and answers at any time."""

from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.journey_istanbul.mechanics.moves import (
    DECLINE,
    END_LOOKING,
    LEAVE,
    LOOK,
    MOVE,
    PAY,
    REMAIN,
    STAY,
    TRAVEL,
    WORK,
)
from grandtour.games.journey_istanbul.parts import CARDS, LAST_DAY, OUT, SLOTS
from grandtour.games.journey_istanbul.rules import (
    STEP_JOURNEY,
    STEP_LEAVE,
    STEP_LOOK,
    STEP_MOVE,
    STEP_OVER,
    STEP_PAY,
    State,
)
from grandtour.games.journey_istanbul.state import ASK_AT, TALK_SIZE
from grandtour.games.journey_istanbul.strategy.bargain import choose_talk, would_pay_to_leave
from grandtour.games.journey_istanbul.strategy.plan import HORIZON, QUICK_HORIZON, Plan, belief

LOOK_VALUES: Final[list[float]] = [0.05, 1.0, 0.9, 0.7, 0.5, 0.3, 0.1]
"""The value of looking at a card, by how many days ahead it is turned up."""

MIN_MONEY_AFTER_FINE: Final = 3
"""The money to keep after paying to leave jail."""


def choose(state: State, seat: int, dice: Dice) -> int:
    """A sensible move, using only what the seat may know."""
    talk = choose_talk(state, seat)
    return talk if talk >= 0 else _act(state, seat, HORIZON)


def quick(state: State, seat: int, dice: Dice) -> int:
    """A quick move: it plans fewer days, and does not start talks on its own turn."""
    return _act(state, seat, QUICK_HORIZON) if seat == state.turn else choose_talk(state, seat)


def _act(state: State, seat: int, horizon: int) -> int:
    """The seat's move in its turn, planned this many days ahead."""
    step = state.step
    if step == STEP_LOOK:
        return _look(state, seat)
    if step == STEP_PAY:
        return int(PAY if state.money[seat] > 0 else DECLINE)
    if step == STEP_MOVE:
        place = Plan(state, seat, horizon).best_today()
        return int(STAY if place == state.place[seat] else MOVE + place)
    if step == STEP_LEAVE:
        return _leave(state, seat, horizon)
    if step == STEP_JOURNEY:
        return _journey(state, seat, horizon)
    return int(WORK)


def speaks(state: State, seat: int) -> bool:
    """Whether this seat wants to say something out of turn. Like `choose`, it uses only what the seat may know."""
    if state.step == STEP_OVER or seat == state.turn or state.place[seat] == OUT:
        return False
    return choose_talk(state, seat) >= 0


def _look(state: State, seat: int) -> int:
    """Look at the card that matters soonest and is least known."""
    best = END_LOOKING
    most = 0.0
    for slot in range(i64(SLOTS)):
        if state.sheet[slot] >= 0 and not (state.looked[slot] | state.knows[slot]) >> seat & 1:
            due = state.due(slot)
            if due <= LAST_DAY and slot != state.talk[TALK_SIZE * seat + ASK_AT]:
                worth = LOOK_VALUES[due - state.day] * (1.0 - belief(state, seat, slot)[1])
                if worth > most:
                    most = worth
                    best = LOOK + slot
    return int(best)


def _leave(state: State, seat: int, horizon: int) -> int:
    fine = CARDS[state.fine_card[seat]].amount
    free = state.day >= state.release[seat]
    left = 0 if would_pay_to_leave(state, seat) else MIN_MONEY_AFTER_FINE
    if not free and state.money[seat] < fine + left:
        return int(REMAIN)
    return int(LEAVE + Plan(state, seat, horizon).best_release(0 if free else fine))


def _journey(state: State, seat: int, horizon: int) -> int:
    cost = state.cost(seat, state.card)
    if state.money[seat] < cost:
        return int(DECLINE)
    if not state.ranked:
        return int(TRAVEL)
    plan = Plan(state, seat, horizon)
    if (
        state.day == LAST_DAY
        or plan.value_of_travelling_out(float(state.money[seat] - cost)) >= plan.value_of_staying()
    ):
        return int(TRAVEL)
    return int(DECLINE)
