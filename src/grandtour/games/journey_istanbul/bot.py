# compiled
"""What a sensible player of The Journey: Istanbul looks at.

It plans some days ahead (`plan.py`): for each way through the city, what its task still needs, how likely the police
are, what it may earn, and which journeys it could take at what price, from the cards it knows and the chances of those
it does not. It talks (`bargain.py`): it asks in its own turn, offers what it knows to the one who is about to move, and
answers at any time.
"""

from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.journey_istanbul.bargain import words, would_pay_to_leave
from grandtour.games.journey_istanbul.board import ASK_AT, OUT, SLOTS, TALK_SIZE
from grandtour.games.journey_istanbul.moves import (
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
from grandtour.games.journey_istanbul.parts import CARDS, LAST_DAY
from grandtour.games.journey_istanbul.plan import HORIZON, NEAR, Plan, belief
from grandtour.games.journey_istanbul.rules import (
    STEP_JOURNEY,
    STEP_LEAVE,
    STEP_LOOK,
    STEP_MOVE,
    STEP_OVER,
    STEP_PAY,
    State,
)

SOON: Final[list[float]] = [0.05, 1.0, 0.9, 0.7, 0.5, 0.3, 0.1]
"""How much a card that is turned up so many days ahead is worth looking at."""

LEFT_AFTER_A_FINE: Final = 3
"""Money one wants to have left after paying to leave jail."""


def choose(position: Position, seat: int, dice: Dice) -> int:
    """A sensible move, from nothing but what the seat may know."""
    assert isinstance(position, State)
    state: State = position
    talk = words(state, seat)
    return talk if talk >= 0 else _act(state, seat, HORIZON)


def quick(position: Position, seat: int, dice: Dice) -> int:
    """A move in no time: a plan for the nearest days, and no word but to one who is waiting for it."""
    assert isinstance(position, State)
    return _act(position, seat, NEAR) if seat == position.turn else words(position, seat)


def _act(state: State, seat: int, horizon: int) -> int:
    """What to do in one's turn, planning so many days ahead."""
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


def speaks(position: Position, seat: int) -> bool:
    """Whether this seat has something to say though it is not its turn. It knows no more of it than `choose`."""
    assert isinstance(position, State)
    state: State = position
    if state.step == STEP_OVER or seat == state.turn or state.place[seat] == OUT:
        return False
    return words(state, seat) >= 0


def _look(state: State, seat: int) -> int:
    """The card that matters soonest and is known least."""
    best = END_LOOKING
    most = 0.0
    for slot in range(i64(SLOTS)):
        if state.sheet[slot] >= 0 and not (state.looked[slot] | state.knows[slot]) >> seat & 1:
            due = state.due(slot)
            if due <= LAST_DAY and slot != state.talk[TALK_SIZE * seat + ASK_AT]:
                worth = SOON[due - state.day] * (1.0 - belief(state, seat, slot)[1])
                if worth > most:
                    most = worth
                    best = LOOK + slot
    return int(best)


def _leave(state: State, seat: int, horizon: int) -> int:
    fine = CARDS[state.fine_card[seat]].amount
    free = state.day >= state.release[seat]
    left = 0 if would_pay_to_leave(state, seat) else LEFT_AFTER_A_FINE
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
    if state.day == LAST_DAY or plan.out(float(state.money[seat] - cost)) >= plan.from_tomorrow():
        return int(TRAVEL)
    return int(DECLINE)
