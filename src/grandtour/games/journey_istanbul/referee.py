"""The referee: the rules written a second time, for people. It says why a move is refused, by paragraph of
`rulebook.md`.

It shares nothing with `rules.py`: every check reads the fields of the position and stands alone.
"""

from collections.abc import Callable, Iterator
from typing import Final

from grandtour.engine.refusal import Objection
from grandtour.engine.vocabulary import Named
from grandtour.games.journey_istanbul.parts import (
    ALL,
    BILL,
    CARD_NAMES,
    CARDS,
    DAYS,
    DISCOUNT,
    DRIVER,
    LINES,
    MAX_NOTES_PER_DAY,
    MAX_TALKS_PER_DAY,
    OUT,
    PLACES,
    SQUARES,
    TASK_PRICE,
    WEEKS,
    money,
)
from grandtour.games.journey_istanbul.rules import MOVES, STEPS, State
from grandtour.games.journey_istanbul.state import (
    ABOUT,
    ANSWERING,
    ASK_AT,
    ASK_NO,
    ASK_PRICE,
    ASK_TO,
    MONEY,
    NOTES_WRITTEN,
    PAGE,
    REPLY_TO,
    SELL_PRICE,
    SELL_TO,
    STATEMENT,
    SUBJECT,
    TALK_SIZE,
    TALKS,
    TO,
)

Check = Callable[[State, int, Named], Iterator[Objection]]

IN_STEP: Final = {
    "move": ("move",),
    "stay": ("move",),
    "pay": ("pay",),
    "decline": ("pay", "journey", "work"),
    "look": ("look",),
    "end-looking": ("look",),
    "leave": ("leave",),
    "remain": ("leave",),
    "travel": ("journey",),
    "work": ("work",),
}
"""The steps in which each move of a turn or an evening is possible."""

FIRST_VERSION_MOVES: Final = ("tell", "sell", "answer")
"""The moves that only the first version of the rules has."""

SECOND_VERSION_MOVES: Final = (
    "claim",
    "amount",
    "state",
    "offer",
    "reply",
    "accept",
    "write",
    "page",
    "tick",
    "note",
    "erase",
)
"""The moves that exist since the second version."""

REQUIRED: Final = {
    "move": ("JI-22", "First move, or stay."),
    "pay": ("JI-54", "First decide whether to pay for this part of your task."),
    "look": ("JI-22", "First look at event cards, or continue without looking."),
    "leave": ("JI-48", "First decide whether to leave jail."),
    "journey": ("JI-38", "First accept or decline the journey."),
    "work": ("JI-42", "First accept or decline the work."),
}


def objection(state: State, seat: int, move: int) -> Objection | None:
    """Why a seat may not make a move: the first paragraph it breaks, or None if it is legal."""
    return next(_objections(state, seat, MOVES.name(move)), None)


def _objections(state: State, seat: int, named: Named) -> Iterator[Objection]:
    """All objections to a move. A later check may rely on the earlier ones."""
    step = STEPS[state.step]
    if step == "over":
        yield Objection("JI-73", "The game is over.")
    if state.place[seat] == OUT:
        yield Objection("JI-72", "You have travelled out of Istanbul and take no further part.")
    verb = named["do"]
    if verb in (SECOND_VERSION_MOVES if state.version == 1 else FIRST_VERSION_MOVES):
        yield Objection("JI-78", "This match is played by another version of the rules, which does not have that move.")
    if verb in IN_STEP:
        if seat != state.turn:
            evening = step in ("journey", "work")
            yield Objection("JI-40" if evening else "JI-21", "It is not your turn.")
        if step not in IN_STEP[verb]:
            yield Objection(*REQUIRED[step])
    yield from CHECKS[verb](state, seat, named)


def _always_allowed(state: State, seat: int, named: Named) -> Iterator[Objection]:
    """Always allowed at the right moment."""
    yield from ()


def _move(state: State, seat: int, named: Named) -> Iterator[Objection]:
    here, there = state.place[seat], PLACES.index(named["to"])
    if there == here:
        yield Objection("JI-23", f"You are in {named['to']} already. You can stay there.")
    if (here, there) not in LINES and (there, here) not in LINES:
        yield Objection("JI-23", f"No white line connects {PLACES[here]} and {named['to']}.")


def _pay(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.money[seat] < TASK_PRICE:
        yield Objection("JI-54", f"This costs {money(TASK_PRICE)}, and you have no money.")


def _look(state: State, seat: int, named: Named) -> Iterator[Objection]:
    slot = _slot(named)
    if state.sheet[slot] < 0:
        yield Objection("JI-26", f"There is no card on square {named['square']} of the {named['day']} day.")
    if state.version == 1 and state.looked[slot] & 2**seat:
        yield Objection("JI-27", "You have already seen this card: it is in your planner.")


def _leave(state: State, seat: int, named: Named) -> Iterator[Objection]:
    fine = CARDS[state.fine_card[seat]].amount
    if state.day < state.release[seat] and state.money[seat] < fine:
        yield Objection("JI-48", f"The fine is {money(fine)}, and you have {money(state.money[seat])}.")


def _remain(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.day >= state.release[seat]:
        yield Objection("JI-49", "This is your release day: choose a neighbourhood.")


def _travel(state: State, seat: int, named: Named) -> Iterator[Objection]:
    cost = CARDS[state.card].amount
    if state.opportunity[seat] == DRIVER and state.bonus[seat] and state.bonus[seat] < state.day:
        cost = max(0, cost - DISCOUNT)
    if state.money[seat] < cost:
        yield Objection("JI-38", f"The journey costs {money(cost)}, and you have {money(state.money[seat])}.")


def _talk(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if _said(state, seat, TO) >= 0:
        yield Objection("JI-66", "You are talking to somebody already: finish that, or cancel.")
    if _said(state, seat, TALKS) >= MAX_TALKS_PER_DAY:
        yield Objection("JI-70", f"You can talk to others only {MAX_TALKS_PER_DAY} times a day.")
    if named["to"] == "all":
        if not any(state.place[other] != OUT for other in range(state.seats) if other != seat):
            yield Objection("JI-72", "Everybody else has travelled out of Istanbul.")
    else:
        yield from _somebody(state, seat, named["to"])


def _somebody(state: State, seat: int, other: int) -> Iterator[Objection]:
    if other == seat:
        yield Objection("JI-66", "You can only talk to other players.")
    if other >= state.seats:
        yield Objection("JI-66", "There is no such player.")
    if state.place[other] == OUT:
        yield Objection("JI-72", "That player has travelled out of Istanbul.")


def _talking(state: State, seat: int, about_a_card: bool) -> Iterator[Objection]:
    """Checks for the moves of a dialogue, before or after pointing at a card."""
    if _said(state, seat, TO) < 0:
        yield Objection("JI-66", "First choose someone to talk to.")
    if about_a_card and _said(state, seat, ABOUT) < 0:
        yield Objection("JI-66", "First point at the card you want to talk about.")
    if not about_a_card and _said(state, seat, ABOUT) >= 0:
        yield Objection("JI-66", "You have pointed at a card: talk about it, or cancel.")


def _to_others(state: State, seat: int) -> Iterator[Objection]:
    if _said(state, seat, TO) == seat:
        yield Objection("JI-77", "You are writing in your planner: finish that, or cancel.")


def _give(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _talking(state, seat, False)
    yield from _to_others(state, seat)
    if _said(state, seat, TO) == ALL:
        yield Objection("JI-66", "Money is given to one player, not to all.")
    yield from _has(state, seat, named["amount"], "JI-64")


def _point(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _talking(state, seat, False)
    if not _face_down(state, _slot(named)):
        yield Objection("JI-66", f"No card lies face down on square {named['square']} of the {named['day']} day.")


def _show(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _talking(state, seat, False)
    yield from _to_others(state, seat)
    if state.version > 1:
        return
    weeks = set()
    for slot in range(len(state.sheet)):
        if _face_down(state, slot) and state.knows[slot] & 2**seat:
            weeks.add((_day_of(state, slot) - 1) // len(DAYS) + 1)
    if named["week"] not in weeks:
        yield Objection("JI-69", f"Your planner has no card that is still to come in week {named['week']}.")


def _tell(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _talking(state, seat, True)
    yield from _possible(_said(state, seat, ABOUT), named["card"])


def _sell(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _talking(state, seat, True)
    if _said(state, seat, TO) == ALL:
        yield Objection("JI-66", "A statement is sold to one player, not to all.")
    yield from _possible(_said(state, seat, ABOUT), named["card"])


def _ask(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _talking(state, seat, True)
    yield from _to_others(state, seat)
    if _said(state, seat, ANSWERING) >= 0:
        yield Objection("JI-68", "You are answering a question.")
    if _said(state, seat, SUBJECT) >= 0:
        yield Objection("JI-66", "You have begun to say what it is: continue, or cancel.")
    yield from _has(state, seat, named["price"], "JI-68")


def _hush(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if _said(state, seat, TO) < 0:
        yield Objection("JI-66", "You are not talking to anybody.")


def _withdraw(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if all(_said(state, seat, field) < 0 for field in (SELL_TO, ASK_TO, REPLY_TO)):
        yield Objection("JI-68", "You have offered nothing and asked nothing.")


def _buy(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _refuse(state, seat, named)
    yield from _has(state, seat, _said(state, named["from"], SELL_PRICE) * BILL, "JI-68")


def _refuse(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if named["from"] >= state.seats or _said(state, named["from"], SELL_TO) != seat:
        yield Objection("JI-68", "That player has nothing for sale to you.")


def _answer(state: State, seat: int, named: Named) -> Iterator[Objection]:
    asker = named["to"]
    yield from _asked(state, seat, asker)
    if _said(state, asker, ASK_AT) == MONEY:
        yield Objection("JI-68", "That player has asked for money, not about a card.")
    if state.money[asker] < _said(state, asker, ASK_PRICE):
        yield Objection("JI-68", "That player can no longer pay for the answer.")
    yield from _possible(_said(state, asker, ASK_AT), named["card"])


def _asked(state: State, seat: int, asker: int) -> Iterator[Objection]:
    if asker >= state.seats or asker == seat or _said(state, asker, ASK_TO) not in (seat, ALL):
        yield Objection("JI-68", "That player has not asked you anything.")


def _request(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _talking(state, seat, False)
    yield from _to_others(state, seat)


def _help(state: State, seat: int, named: Named) -> Iterator[Objection]:
    asker = named["to"]
    yield from _asked(state, seat, asker)
    if _said(state, asker, ASK_AT) != MONEY:
        yield Objection("JI-68", "That player has asked about a card, not for money.")
    yield from _has(state, seat, _said(state, asker, ASK_PRICE) * BILL, "JI-64")


def _deny(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _asked(state, seat, named["to"])
    if _said(state, named["to"], ASK_NO) & 2**seat:
        yield Objection("JI-68", "You have already said no.")


def _claim(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _may_speak(state, seat)
    if _said(state, seat, SUBJECT) >= 0:
        yield Objection("JI-67", "You have already said what it is about.")


def _amount(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _may_speak(state, seat)
    if _said(state, seat, SUBJECT) < 0:
        yield Objection("JI-67", "First say what it is about.")
    if _said(state, seat, STATEMENT) >= 0:
        yield Objection("JI-67", "You have already said the amount.")


def _state(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _may_speak(state, seat)
    if _said(state, seat, STATEMENT) < 0:
        yield Objection("JI-67", "First put together what you want to say.")


def _offer(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _state(state, seat, named)
    if _said(state, seat, TO) == ALL:
        yield Objection("JI-66", "A statement is sold to one player, not to all.")


def _may_speak(state: State, seat: int) -> Iterator[Objection]:
    """A statement needs a card that was pointed at or asked about. An answer needs a player who can pay for it."""
    yield from _talking(state, seat, True)
    if _said(state, seat, ABOUT) > PAGE:
        yield Objection("JI-77", "You have opened a day of your planner, not pointed at a card.")
    if _said(state, seat, ANSWERING) >= 0:
        yield from _can_pay(state, _said(state, seat, TO))


def _can_pay(state: State, asker: int) -> Iterator[Objection]:
    if state.money[asker] < _said(state, asker, ASK_PRICE):
        yield Objection("JI-68", "The answer can no longer be paid for.")


def _reply(state: State, seat: int, named: Named) -> Iterator[Objection]:
    asker = named["to"]
    yield from _not_busy(state, seat)
    if _said(state, seat, TALKS) >= MAX_TALKS_PER_DAY:
        yield Objection("JI-70", f"You can talk to others only {MAX_TALKS_PER_DAY} times a day.")
    yield from _asked(state, seat, asker)
    if _said(state, asker, ASK_AT) == MONEY:
        yield Objection("JI-68", "That player has asked for money, not about a card.")
    yield from _can_pay(state, asker)


def _accept(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if named["from"] >= state.seats or _said(state, named["from"], REPLY_TO) != seat:
        yield Objection("JI-68", "That player has not offered to answer you.")
    yield from _can_pay(state, seat)


def _not_busy(state: State, seat: int) -> Iterator[Objection]:
    if _said(state, seat, TO) >= 0:
        yield Objection("JI-66", "You are talking or writing already: finish that, or cancel.")


def _write(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from _not_busy(state, seat)
    if _said(state, seat, NOTES_WRITTEN) >= MAX_NOTES_PER_DAY:
        yield Objection("JI-77", f"You can write in your planner only {MAX_NOTES_PER_DAY} times a day.")


def _page(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if _said(state, seat, TO) != seat:
        yield Objection("JI-77", "First open your planner.")
    if _said(state, seat, ABOUT) >= 0:
        yield Objection("JI-77", "You have already chosen what to write about.")


def _on_a_page(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if _said(state, seat, TO) != seat or _said(state, seat, ABOUT) <= PAGE:
        yield Objection("JI-77", "First open a day of your planner.")


def _erase(state: State, seat: int, named: Named) -> Iterator[Objection]:
    about = _said(state, seat, ABOUT)
    if _said(state, seat, TO) != seat or about < 0:
        yield Objection("JI-77", "First choose what to erase.")
    if about > PAGE:
        week, day = divmod(about - PAGE - 1, len(DAYS))
        written = state.notes[WEEKS * seat + week] // 2 ** (5 * day) % 32
    else:
        written = state.written[len(DAYS) * seat + about // SQUARES] // 2 ** (8 * (about % SQUARES)) % 256
        if _said(state, seat, SUBJECT) >= 0:
            yield Objection("JI-77", "You have begun to write something else: continue, or cancel.")
    if not written:
        yield Objection("JI-77", "Nothing is written there.")


CHECKS: Final[dict[str, Check]] = {
    "move": _move,
    "stay": _always_allowed,
    "pay": _pay,
    "decline": _always_allowed,
    "look": _look,
    "end-looking": _always_allowed,
    "leave": _leave,
    "remain": _remain,
    "travel": _travel,
    "work": _always_allowed,
    "talk": _talk,
    "give": _give,
    "point": _point,
    "show": _show,
    "tell": _tell,
    "sell": _sell,
    "ask": _ask,
    "hush": _hush,
    "withdraw": _withdraw,
    "buy": _buy,
    "refuse": _refuse,
    "answer": _answer,
    "request": _request,
    "help": _help,
    "deny": _deny,
    "claim": _claim,
    "amount": _amount,
    "state": _state,
    "offer": _offer,
    "reply": _reply,
    "accept": _accept,
    "write": _write,
    "page": _page,
    "tick": _on_a_page,
    "note": _on_a_page,
    "erase": _erase,
}


def _has(state: State, seat: int, amount: int, rule: str) -> Iterator[Objection]:
    if state.money[seat] * BILL < amount:
        yield Objection(rule, f"You have {money(state.money[seat])}, which is not enough.")


def _possible(slot: int, name: str) -> Iterator[Objection]:
    """A statement about a card must fit its back (JI-67)."""
    day = slot // SQUARES
    if CARDS[CARD_NAMES.numbers[name]].day != day:
        yield Objection("JI-67", f"The back of that card says {DAYS[day]} day: it cannot be this one.")


def _said(state: State, seat: int, field: int) -> int:
    return int(state.talk[TALK_SIZE * seat + field])


def _slot(named: Named) -> int:
    return SQUARES * DAYS.index(named["day"]) + int(named["square"]) - 1


def _face_down(state: State, slot: int) -> bool:
    card = state.sheet[slot]
    return bool(card >= 0 and not state.revealed & 2**card)


def _day_of(state: State, slot: int) -> int:
    """The day on which the card on this square is turned up: today, or the next day of that name (JI-33)."""
    day = int(state.day)
    while (day - 1) % len(DAYS) != slot // SQUARES or (day == state.day and state.sideways & 2**slot):
        day += 1
    return day
