# compiled
"""How the bot of The Journey: Istanbul talks: what it sells, buys, asks and answers, and when it gives money.

It tells the truth, and judges what others say by what it knows and by how often they have told the truth."""

from typing import Final

from mypy_extensions import i64

from grandtour.games.journey_istanbul.mechanics.moves import (
    ACCEPT,
    AMOUNT,
    ANSWER,
    ASK,
    BUY,
    CLAIM,
    DENY,
    HELP,
    HUSH,
    OFFER,
    POINT,
    REFUSE,
    REPLY,
    REQUEST,
    SELL,
    SHOW,
    TALK,
    WITHDRAW,
)
from grandtour.games.journey_istanbul.mechanics.talk import DENIED, REFUSED, SAYING
from grandtour.games.journey_istanbul.parts import (
    ALL,
    AMOUNTS,
    CARDS,
    DISCOUNT,
    DRIVER,
    FIRST_JOURNEY,
    FIRST_WORK,
    JAIL,
    JOURNEY,
    LAST_DAY,
    MAX_TALKS_PER_DAY,
    N_CARDS,
    N_DAYS,
    OUT,
    PRICES,
    REQUEST_AMOUNTS,
    SLOTS,
    SOURCE,
)
from grandtour.games.journey_istanbul.rules import STEP_JOURNEY, STEP_LEAVE, STEP_MOVE, STEP_PAY, State
from grandtour.games.journey_istanbul.state import (
    ABOUT,
    ANSWERING,
    ASK_AT,
    ASK_NO,
    ASK_PRICE,
    ASK_TO,
    LAST_MESSAGE,
    MONEY,
    REPLY_TO,
    SELL_AT,
    SELL_PRICE,
    SELL_TO,
    STATEMENT,
    STATEMENT_OF,
    SUBJECT,
    TALK_SIZE,
    TALKS,
    TO,
)
from grandtour.games.journey_istanbul.strategy.plan import belief

BOT_TALKS_PER_DAY: Final = 2  # not counting answers
BOT_TALKS_WITH_SOURCE: Final = 6
RICH_BUYER: Final = 8  # a player with this much money is asked 2 000 TL for a card that comes soon
MAX_JOURNEY_COST: Final[i64] = max(card.amount for card in CARDS if card.kind == JOURNEY)


def choose_talk(state: State, seat: int) -> int:
    """The next move of a talk with others, on the seat's own turn or not; -1 for none."""
    at = TALK_SIZE * seat
    to = state.talk[at + TO]
    if to >= 0:
        return _continue_talk(state, seat, to)
    about = state.talk[at + ASK_AT]
    if 0 <= about < MONEY:
        if state.knows[about] >> seat & 1:
            return int(WITHDRAW)
        answer = _best_answer(state, seat)
        if answer >= 0:
            return int(ACCEPT) + answer
    reply = _reply(state, seat)
    if reply >= 0 or state.talk[at + TALKS] >= _max_talks(state, seat) or not _has_listeners(state, seat):
        return reply
    if seat != state.turn:
        return int(TALK + state.turn) if state.ranked and _wants_to_sell(state, seat, state.turn) else -1
    if _wants_to_request_money(state, seat):
        return int(TALK + ALL)
    if state.step != STEP_MOVE or _was_refused(state, seat):
        return -1
    worth = _week_to_show(state, seat) >= 0 if not state.ranked else _wants_to_ask(state, seat)
    return int(TALK + ALL) if worth else -1


def _max_talks(state: State, seat: int) -> int:
    """How often to talk to others in one day: more often for a seat that looks at many cards."""
    return BOT_TALKS_WITH_SOURCE if state.opportunity[seat] == SOURCE and state.bonus[seat] > 0 else BOT_TALKS_PER_DAY


def _wants_to_sell(state: State, seat: int, other: i64) -> bool:
    """Whether to offer information to a player who is about to move and has no other offer to answer."""
    if state.step != STEP_MOVE or state.talk[TALK_SIZE * seat + SELL_TO] == other or _was_refused(state, seat):
        return False
    return _card_to_sell(state, seat, other) >= 0


def _wants_to_ask(state: State, seat: int) -> bool:
    """Whether to ask everybody about a card that they have not been asked about before."""
    about = _card_to_ask_about(state, seat)
    return about >= 0 and about != state.talk[TALK_SIZE * seat + ASK_AT]


def _best_answer(state: State, seat: int) -> int:
    """Whose answer to accept, among those who have seen the card and have never lied; -1 for none."""
    if state.talk[TALK_SIZE * seat + ASK_PRICE] > state.money[seat]:
        return -1
    slot = state.talk[TALK_SIZE * seat + ASK_AT]
    best = -1
    most: i64 = -1
    for other in range(state.seats):
        if state.talk[TALK_SIZE * other + REPLY_TO] == seat and state.looked[slot] >> other & 1:
            pair = 2 * (state.seats * seat + other)
            if state.truths[pair + 1] == 0 and state.truths[pair] > most:
                most = state.truths[pair]
                best = int(other)
    return best


def _continue_statement(state: State, seat: int, slot: i64) -> int:
    """The next move of a statement about a card that the seat knows."""
    at = TALK_SIZE * seat
    card = state.known(seat, slot)
    if card < 0 or (state.talk[at + ANSWERING] >= 0 and not _can_pay(state, state.talk[at + TO])):
        return int(HUSH)
    said = STATEMENT_OF[card] - 1
    if state.talk[at + SUBJECT] < 0:
        return int(CLAIM + said // len(AMOUNTS))
    return int(AMOUNT + said % len(AMOUNTS))


def _can_pay(state: State, asker: i64) -> bool:
    """Whether the asker can still pay for the answer."""
    return state.talk[TALK_SIZE * asker + ASK_PRICE] <= state.money[asker]


def _continue_talk(state: State, seat: int, to: i64) -> int:
    """The next move of a talk that has begun."""
    slot = state.talk[TALK_SIZE * seat + ABOUT]
    if to == seat:
        return int(HUSH)
    if state.talk[TALK_SIZE * seat + ANSWERING] >= 0:
        return _continue_statement(state, seat, slot)
    if slot < 0:
        if to == ALL and _wants_to_request_money(state, seat):
            need = state.short(seat)
            return int(REQUEST) + min(i for i in range(len(REQUEST_AMOUNTS)) if REQUEST_AMOUNTS[i] >= need)
        if to == ALL and not state.ranked:
            page = _week_to_show(state, seat)
            return int(SHOW + page) if page >= 0 else int(HUSH)
        about = _card_to_ask_about(state, seat) if to == ALL else _card_to_sell(state, seat, to)
        return int(POINT + about) if about >= 0 else int(HUSH)
    if to == ALL:
        fits = state.money[seat] > 0 and state.talk[TALK_SIZE * seat + SUBJECT] < 0
        return int(ASK + 1) if fits else int(HUSH)
    card = state.known(seat, slot)
    soon = state.due(slot) - state.day <= 2
    dear = 1 if soon and state.money[to] >= RICH_BUYER else 0
    if card < 0:
        return int(HUSH)
    if state.version == 1:
        return int(SELL + len(PRICES) * card) + dear
    return (
        int(OFFER) + dear if state.talk[TALK_SIZE * seat + STATEMENT] >= 0 else _continue_statement(state, seat, slot)
    )


def _was_refused(state: State, seat: int) -> bool:
    """Whether the last message to this seat was a refusal."""
    last = state.talk[TALK_SIZE * seat + LAST_MESSAGE]
    return last >= 0 and last // SAYING in (REFUSED, DENIED)


def _wants_to_request_money(state: State, seat: int) -> bool:
    """Whether to ask the others for money. They may help if the game has no single winner."""
    fits = state.step in (STEP_JOURNEY, STEP_PAY) or (state.step == STEP_LEAVE and would_pay_to_leave(state, seat))
    return fits and not state.ranked and 0 < state.short(seat) <= REQUEST_AMOUNTS[-1] and not _was_refused(state, seat)


def would_pay_to_leave(state: State, seat: int) -> bool:
    """Whether to spend all money on leaving jail, because others may help and the release is still days away."""
    return not state.ranked and state.release[seat] - state.day >= 2


def _wants_to_help(state: State, seat: int, other: i64, amount: i64) -> bool:
    """Whether to give another player the money it asks for: it needs the money now, and this seat can spare it."""
    need = state.short(other)
    if need == 0 or amount > need + 2 or amount > state.money[seat]:
        return False
    if _is_stuck(state, seat):
        return True
    discount = DISCOUNT if state.opportunity[seat] == DRIVER and state.bonus[seat] else 0
    ready = state.done >> seat & 1 == 1 and state.place[seat] != JAIL
    return not state.ranked and ready and state.money[seat] - amount >= MAX_JOURNEY_COST - discount


def _is_stuck(state: State, seat: int) -> bool:
    """Whether it is the last evening and this seat can no longer get out, so that its money is useless."""
    if state.day < LAST_DAY or state.step < STEP_JOURNEY:
        return False
    if state.place[seat] == JAIL or state.fined >> seat & 1 or not state.done >> seat & 1:
        return True
    for card in range(max(int(state.card), FIRST_JOURNEY), FIRST_WORK):
        if state.revealed >> card & 1 and CARDS[card].place == state.place[seat]:
            return False
    return True


def _has_listeners(state: State, seat: int) -> bool:
    return any(other != seat and state.place[other] != OUT for other in range(state.seats))


def _week_to_show(state: State, seat: int) -> int:
    """A week of the planner with a card that some players have not seen or been told of by this seat; -1 for none."""
    for slot in range(i64(SLOTS)):
        due = state.due(slot)
        kept = state.version == 1 or state.entry(seat, slot) > 0
        if state.known(seat, slot) >= 0 and state.day < due <= LAST_DAY and kept:
            for other in range(state.seats):
                seen = state.looked[slot] >> other & 1 or state.claim(other, seat, slot) > 0
                if other != seat and state.place[other] != OUT and not seen:
                    return int((due - 1) // N_DAYS)
    return -1


def _may_share(state: State, seat: int, card: i64) -> bool:
    """Whether to tell others about a card: not if it is a journey or work that the seat may want itself."""
    return card < FIRST_JOURNEY or (card < FIRST_WORK and not state.done >> seat & 1 and state.money[seat] < 8)


def _card_to_sell(state: State, seat: int, other: i64) -> int:
    """The square of a card that another player may pay to hear about; -1 for none."""
    if state.place[other] >= JAIL or state.money[other] < 4:
        return -1
    for slot in range(i64(SLOTS)):
        card = state.known(seat, slot)
        if card >= 0 and not state.looked[slot] >> other & 1 and state.claim(other, seat, slot) == 0:
            ahead = state.due(slot) - state.day
            if 1 <= ahead <= 3 and state.due(slot) <= LAST_DAY and _may_share(state, seat, card):
                return int(slot)
    return -1


def _card_to_ask_about(state: State, seat: int) -> int:
    """The square of a card worth asking about: it matters soon, and somebody has seen it; -1 for none."""
    if state.money[seat] < 7:
        return -1
    for slot in range(i64(SLOTS)):
        if state.hidden(slot) and not state.knows[slot] >> seat & 1 and state.looked[slot]:
            ahead = state.due(slot) - state.day
            if 1 <= ahead <= 2 and state.due(slot) <= LAST_DAY and belief(state, seat, slot)[1] < 0.5:
                return int(slot)
    return -1


def _reply(state: State, seat: int) -> int:
    """An answer to an offer, a question or a request; -1 for none."""
    for other in range(state.seats):
        at = TALK_SIZE * other
        if other == seat:
            continue
        if state.talk[at + SELL_TO] == seat:
            return int(BUY + other) if _wants_to_buy(state, seat, other) else int(REFUSE + other)
        to = state.talk[at + ASK_TO]
        if (to != seat and to != ALL) or state.talk[at + ASK_NO] >> seat & 1:
            continue
        price = state.talk[at + ASK_PRICE]
        if state.talk[at + ASK_AT] == MONEY:
            return int(HELP + other) if _wants_to_help(state, seat, other, price) else int(DENY + other)
        card = state.known(seat, state.talk[at + ASK_AT])
        willing = not state.ranked or (price > 0 and _may_share(state, seat, card))
        if card >= 0 and price <= state.money[other] and willing:
            if state.version == 1:
                return int(ANSWER + N_CARDS * other + card)
            if state.talk[TALK_SIZE * seat + REPLY_TO] == other:
                continue
            if state.talk[TALK_SIZE * seat + TALKS] < MAX_TALKS_PER_DAY:
                return int(REPLY + other)
        if to == seat:
            return int(DENY + other)
    return -1


def _wants_to_buy(state: State, seat: int, other: i64) -> bool:
    """Whether an offered statement is worth its price and the seller is credible."""
    at = TALK_SIZE * other
    slot = state.talk[at + SELL_AT]
    price = state.talk[at + SELL_PRICE]
    ahead = state.due(slot) - state.day
    new = not state.knows[slot] >> seat & 1 and belief(state, seat, slot)[1] < 0.5
    honest = state.truths[2 * (state.seats * seat + other) + 1] == 0 and state.looked[slot] >> other & 1 == 1
    dear = price > (2 if ahead <= 2 and state.money[seat] >= RICH_BUYER else 1)
    return new and honest and not dear and 1 <= ahead <= 3 and state.money[seat] >= 5
