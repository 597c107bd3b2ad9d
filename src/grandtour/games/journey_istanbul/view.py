# compiled
"""What each seat may see of The Journey: Istanbul.

A view is built from what is public and what belongs to the seat; nothing is ever removed from a fuller one.
The words are in `words.py`.
"""

from collections.abc import Sequence
from typing import Any, Final

from grandtour.engine import words as say
from grandtour.games.journey_istanbul import tasks
from grandtour.games.journey_istanbul.parts import (
    ALL,
    BILL,
    CARDS,
    DAYS,
    DISCOUNT,
    DRIVER,
    JAIL,
    JOURNEY,
    LAST_DAY,
    NOTES_A_DAY,
    OBSTACLES,
    OPPORTUNITIES,
    OUT,
    PLACES,
    SQUARES,
    SUBJECTS,
    TALKS_A_DAY,
    WEEKS,
    date,
    money,
    statement_name,
    symbols,
)
from grandtour.games.journey_istanbul.planner import days_of, name_of
from grandtour.games.journey_istanbul.rules import (
    STEP_JOURNEY,
    STEP_OVER,
    STEP_WORK,
    STEPS,
    State,
)
from grandtour.games.journey_istanbul.state import (
    ABOUT,
    ANSWERING,
    ASK_AT,
    ASK_NO,
    ASK_PRICE,
    ASK_TO,
    EV_DAY,
    LAST,
    LOOKS,
    MONEY,
    PAGE,
    REPLY_CARD,
    REPLY_TO,
    SELL_AT,
    SELL_CARD,
    SELL_PRICE,
    SELL_TO,
    SHOWN_ONCE,
    STATEMENT,
    SUBJECT,
    TALK_SIZE,
    TALKS,
    TO,
    WORDS,
    WRITES,
    last_evening,
)
from grandtour.games.journey_istanbul.talk import DENIED, REQUESTED, SAID, SHOWN
from grandtour.games.journey_istanbul.view_types import (
    Asked,
    Buried,
    DayNotes,
    Dialogue,
    Discards,
    Ending,
    Entry,
    EveningOffer,
    Jail,
    Offer,
    Out,
    Page,
    Person,
    Place,
    Question,
    Reply,
    Request,
    Row,
    Spot,
    Square,
    Trust,
    View,
    Words,
)
from grandtour.games.journey_istanbul.words import describe, describe_move, prompt_text, tl

__all__ = ["describe", "describe_move", "final", "prompt", "view"]

SLOTS: Final = len(DAYS) * SQUARES
CHEAPEST: Final = min(card.amount for card in CARDS if card.kind == JOURNEY)


def view(state: State, seat: int | None) -> View:
    """Everything a seat may see, as JSON. A spectator (None) sees only what is public."""
    return _with_own(state, seat, _open(state))


def views(state: State, seats: Sequence[int | None]) -> list[View]:
    """The views of several seats, which share what everybody sees."""
    seen = _open(state)
    return [_with_own(state, seat, seen) for seat in seats]


def _open(state: State) -> View:
    """What everybody sees. What looks different to each seat is empty."""
    over = state.step == STEP_OVER
    evening = state.step in (STEP_JOURNEY, STEP_WORK)
    return {
        "phase": "over" if over else "evening" if evening else "turn",
        "step": STEPS[state.step],
        "turn": int(state.turn),
        "asked": _asked_for_help(state),
        "day": int(state.day),
        "last_day": LAST_DAY,
        "date": date(int(state.day)),
        "starter": int(state.starter),
        "looks": int(state.looks),
        "ranked": bool(state.ranked),
        "places": _places(state),
        "sheet": [],
        "deck": {"left": len(CARDS) - int(state.drawn), "top": _top(state)},
        "discards": {"up": [], "down": []},
        "players": [_player(state, other) for other in range(state.seats)],
        "offer": _offer(state) if evening else None,
        "evening": last_evening(state) if state.evening[EV_DAY] else None,
        "questions": [],
        "requests": [],
        "ending": ending(state) if over else None,
        "result": state.result(),
    }


def _with_own(state: State, seat: int | None, seen: View) -> View:
    """What everybody sees, and what this seat sees in its own way or alone."""
    seen = seen.copy()
    seen["sheet"] = [_row(state, row, seat) for row in range(len(DAYS))]
    seen["discards"] = _discards(state, seat)
    seen["questions"] = _questions(state, seat)
    seen["requests"] = _requests(state, seat)
    if seat is not None:
        seen["you"] = seat
        seen["planner"] = _planner(state, seat)
        seen["short"] = int(state.short(seat)) * BILL
        seen["trust"] = _trust(state, seat)
        seen["offers"] = _offers(state, seat)
        seen["reply"] = _reply(state, seat)
        seen["talks_left"] = TALKS_A_DAY - int(state.talk[TALK_SIZE * seat + TALKS])
        seen["notes"] = _notes(state, seat)
        seen["notes_left"] = NOTES_A_DAY - int(state.talk[TALK_SIZE * seat + WRITES]) if state.version > 1 else 0
        seen["pages"] = _pages(state, seat)
        seen["dialogue"] = _dialogue(state, seat)
        seen["words"] = {"count": int(state.talk[TALK_SIZE * seat + WORDS]), "last": _last_words(state, seat)}
    return seen


def ending(state: State) -> Ending:
    """How the game ended."""
    if all(state.place[seat] == OUT for seat in range(state.seats)):
        return "all"
    return "days" if state.day == LAST_DAY else "cards"


def _places(state: State) -> list[Place]:
    eyes, cards = symbols(int(state.seats))
    return [
        {"name": name, "eyes": eyes[place], "cards": cards[place], "pile": _pile(state, place)}
        for place, name in enumerate(PLACES)
    ]


def _pile(state: State, place: int) -> list[int]:
    """The seats whose markers lie in a place, the lowest first."""
    here = [seat for seat in range(state.seats) if state.place[seat] == place]
    return sorted(here, key=lambda seat: state.arrived[seat])


def _row(state: State, row: int, seat: int | None) -> Row:
    squares: list[Square] = []
    for slot in range(SQUARES * row, SQUARES * row + SQUARES):
        lies = state.sheet[slot] >= 0
        up = lies and not state.hidden(slot)
        square: Square = {"square": slot - SQUARES * row + 1, "lies": lies}
        if lies:
            square["sideways"] = bool(state.sideways >> slot & 1)
            square["due"] = int(state.due(slot))
            square["looked"] = _seats(state, state.looked[slot])
            square["up"] = up
            known = up or (seat is not None and state.known(seat, slot) >= 0)
            square["card"] = CARDS[state.sheet[slot]].name if known else None
        squares.append(square)
    return {"day": DAYS[row], "squares": squares}


def _top(state: State) -> str | None:
    return DAYS[CARDS[state.deck[state.drawn]].day] if state.drawn < len(CARDS) else None


def _discards(state: State, seat: int | None) -> Discards:
    """The cards that were revealed, and the backs of those that found their row full."""
    up = [card.name for number, card in enumerate(CARDS) if state.gone >> number & 1]
    down: list[Buried] = []
    for row, day in enumerate(DAYS):
        if state.buried[row] >= 0:
            by = int(state.buried[len(DAYS) + row])
            known = seat is not None and by == seat
            card = CARDS[state.buried[row]].name if known else None
            down.append({"day": day, "by": by if by >= 0 else None, "card": card})
    return {"up": up, "down": down}


def _player(state: State, seat: int) -> Person:
    place = state.place[seat]
    jail: Jail | None = None
    out: Out | None = None
    if place == JAIL:
        jail = {"fine": CARDS[state.fine_card[seat]].amount * BILL, "until": int(state.release[seat])}
    if place == OUT:
        out = {"day": int(state.out_day[seat]), "cost": int(state.out_cost[seat]) * BILL}
    return {
        "seat": seat,
        "place": PLACES[place] if place < JAIL else None,
        "was": _was(state, seat),
        "money": int(state.money[seat]) * BILL,
        "obstacle": {
            "name": OBSTACLES[state.obstacle[seat]],
            "complete": bool(state.done >> seat & 1),
            **tasks.obstacle(state, seat),
        },
        "opportunity": {
            "name": OPPORTUNITIES[state.opportunity[seat]],
            "complete": int(state.bonus[seat]),
            **tasks.opportunity(state, seat),
        },
        "looked_at": _looked_at(int(state.peeked[seat])),
        "fined": bool(state.fined >> seat & 1),
        "jail": jail,
        "out": out,
    }


def _looked_at(peeked: int) -> list[Spot]:
    """The squares looked at in a turn, in order; one that was looked at twice is there twice."""
    squares: list[Spot] = []
    while peeked:
        peeked, slot = divmod(peeked, LOOKS)
        squares.insert(0, _square(slot - 1))
    return squares


def _was(state: State, seat: int) -> str | None:
    """Where a seat was last after a move: for those in jail or out, where they were taken or left from."""
    days = [int(state.visits[len(PLACES) * seat + place]) for place in range(len(PLACES))]
    return PLACES[days.index(max(days))] if any(days) else None


def _offer(state: State) -> EveningOffer:
    """The journey or the work that is offered to the one whose turn it is."""
    card, seat = state.card, state.turn
    journey = state.step == STEP_JOURNEY
    amount = state.cost(seat, card) if journey else state.wage(seat, card)
    return {
        "kind": "journey" if journey else "work",
        "card": CARDS[card].name,
        "place": PLACES[CARDS[card].place],
        "amount": int(amount) * BILL,
    }


def _asked_for_help(state: State) -> int | None:
    """Whom the player whose turn it is waits for after asking everybody for money."""
    seat = int(state.asked_for_help()) if state.step != STEP_OVER else -1
    return seat if seat >= 0 else None


def _questions(state: State, seat: int | None) -> list[Question]:
    """The questions about cards that are to everybody, to this seat, or its own; who has said no, and who would
    answer."""
    return [
        {
            **asked,
            **_square(_talk(state, asker, ASK_AT)),
            "price": _talk(state, asker, ASK_PRICE) * BILL,
            "answers": [other for other in range(state.seats) if _talk(state, other, REPLY_TO) == asker],
        }
        for asker, asked in _asked(state, seat)
        if _talk(state, asker, ASK_AT) != MONEY
    ]


def _requests(state: State, seat: int | None) -> list[Request]:
    """The same for requests for money."""
    return [
        {**asked, "amount": _talk(state, asker, ASK_PRICE) * BILL}
        for asker, asked in _asked(state, seat)
        if _talk(state, asker, ASK_AT) == MONEY
    ]


def _asked(state: State, seat: int | None) -> list[tuple[int, Asked]]:
    found: list[tuple[int, Asked]] = []
    for asker in range(state.seats):
        to = _talk(state, asker, ASK_TO)
        if to == ALL or (to >= 0 and seat in (asker, to)):
            noes = _seats(state, _talk(state, asker, ASK_NO))
            found.append((asker, {"from": asker, "to": name_of(to), "noes": noes}))
    return found


def _offers(state: State, seat: int) -> list[Offer]:
    """What is for sale to this seat, and what it sells itself."""
    found: list[Offer] = []
    for seller in range(state.seats):
        to = _talk(state, seller, SELL_TO)
        if to >= 0 and seat in (seller, to):
            slot = _talk(state, seller, SELL_AT)
            offer: Offer = {
                "from": seller,
                "to": to,
                "day": _day(slot),
                "square": _number(slot),
                "price": _talk(state, seller, SELL_PRICE) * BILL,
            }
            if seller == seat:
                offer["card"] = _statement(slot, _talk(state, seller, SELL_CARD))
            found.append(offer)
    return found


def _reply(state: State, seat: int) -> Reply | None:
    """The answer this seat has offered to a question, and what it would say."""
    asker = _talk(state, seat, REPLY_TO)
    if asker < 0:
        return None
    slot = _talk(state, asker, ASK_AT)
    return {"to": asker, **_square(slot), "card": _statement(slot, _talk(state, seat, REPLY_CARD))}


def _planner(state: State, seat: int) -> list[Entry]:
    """The cards still to come: what this seat knows, what its planner says, what it was told, and what it told."""
    entries = []
    for slot in range(SLOTS):
        if not state.hidden(slot):
            continue
        known = state.known(seat, slot)
        heard = [(other, state.claim(seat, other, slot)) for other in range(state.seats)]
        told = [(other, state.claim(other, seat, slot)) for other in range(state.seats)]
        entry: Entry = {
            **_square(slot),
            "due": int(state.due(slot)),
            "card": CARDS[known].name if known >= 0 else None,
            "written": _said(slot, int(state.entry(seat, slot))),
            "heard": [{"from": other, "card": _statement(slot, int(said))} for other, said in heard if said],
            "told": [{"to": other, "card": _statement(slot, int(said))} for other, said in told if said],
        }
        if entry["card"] or entry["written"] or entry["heard"] or entry["told"]:
            entries.append(entry)
    return sorted(entries, key=lambda entry: int(entry["due"]))


def _trust(state: State, seat: int) -> list[Trust]:
    """How often what each seat told this one has proved true, and false."""
    rows: list[Trust] = []
    for other in range(state.seats):
        pair = 2 * (state.seats * seat + other)
        rows.append({"seat": other, "true": int(state.truths[pair]), "false": int(state.truths[pair + 1])})
    return rows


def _dialogue(state: State, seat: int) -> Dialogue | None:
    """Whom this seat is talking to (None: it writes in its own planner), about which card or day, and what it is about
    to say."""
    to, about = _talk(state, seat, TO), _talk(state, seat, ABOUT)
    if to < 0:
        return None
    subject, statement = _talk(state, seat, SUBJECT), _talk(state, seat, STATEMENT)
    return {
        "to": None if to == seat else name_of(to),
        "about": _square(about) if 0 <= about < PAGE else None,
        "page": about - PAGE if about > PAGE else None,
        "subject": SUBJECTS[subject] if subject >= 0 else None,
        "statement": _said(about, statement) if statement >= 0 else None,
        "answering": _talk(state, seat, ANSWERING) >= 0,
    }


def _last_words(state: State, seat: int) -> Words | None:
    """What was said to this seat last."""
    said = _talk(state, seat, LAST)
    if said < 0:
        return None
    said, price = divmod(said, 8)
    said, card = divmod(said, 256)
    said, about = divmod(said, 32)
    what, speaker = divmod(said, 8)
    words: Words = {"what": SAID[what], "from": speaker}
    if what == SHOWN:
        words["week"] = about + 1
    elif what not in (REQUESTED, DENIED):
        words["day"] = _day(about)
        words["square"] = _number(about)
        words["card"] = _said(about, card)
        words["price"] = price * BILL
    return words


def _notes(state: State, seat: int) -> list[DayNotes]:
    """The days of this seat's own planner that have boxes ticked or a note."""
    first = WEEKS * seat
    return [
        day
        for week in range(WEEKS)
        for day in days_of(week, int(state.boxes[first + week]), int(state.notes[first + week]))
    ]


def _pages(state: State, seat: int) -> list[Page]:
    """What this seat was shown of others' planners last: weeks, and the boxes and notes in them. All may be untrue."""
    found: list[Page] = []
    for other in range(state.seats):
        first = 2 * WEEKS * (state.seats * seat + other)
        weeks = [week for week in range(WEEKS) if state.pages[first + WEEKS + week] >> SHOWN_ONCE & 1]
        if weeks:
            days = [
                day
                for week in weeks
                for day in days_of(week, int(state.pages[first + week]), int(state.pages[first + WEEKS + week]))
            ]
            found.append({"from": other, "weeks": [week + 1 for week in weeks], "days": days})
    return found


def _said(slot: int, statement: int) -> str | None:
    """A statement about the card on a square, named as a card would be; None for nothing."""
    return _statement(slot, statement) if statement else None


def _statement(slot: int, statement: int) -> str:
    return statement_name(slot // SQUARES, statement)


def prompt(state: State, seat: int | None) -> dict[str, Any]:
    """What the seat should do now, or whom it is waiting for, with the paragraphs that explain it."""
    return prompt_for_view(view(state, seat), seat)


def prompt_for_view(seen: View, seat: int | None) -> dict[str, Any]:
    """The same, read from the seat's view."""
    text, rules = prompt_text(seen, seat)
    return say.prompt(text, *rules)


def final(state: State) -> list[dict[str, Any]]:
    """The final result of each seat: who travelled out, when and at what price, and what the others still lacked.

    Without a winner there is no score and no money to compare: some made the journey, some did not.
    """
    result = state.result() or []
    rows = []
    for seat in range(state.seats):
        out = state.place[seat] == OUT
        cash = int(state.money[seat]) * BILL
        lines: list[dict[str, Any]] = []
        if out:
            cost = int(state.out_cost[seat]) * BILL
            lines.append({"label": "Travelled out", "value": date(int(state.out_day[seat]))})
            if state.ranked:
                lines.append({"label": "Money before the journey", "value": tl(cash + cost)})
                lines.append({"label": "Price of the journey", "value": f"−{tl(cost)}"})
        else:
            lines.append({"label": "Still in Istanbul", "value": _still(state, seat)})
            task = "completed" if state.done >> seat & 1 else "not completed"
            lines.append({"label": OBSTACLES[state.obstacle[seat]], "value": task})
            lines.append({"label": "Still needed", "value": _lacked(state, seat)})
        if state.ranked:
            lines.append({"label": "Money left", "value": tl(cash)})
            won = bool(result and result[seat])
            rows.append({"seat": seat, "score": cash if out else 0, "won": won, "lines": lines})
        else:
            outcome = "made the journey" if out else "did not make it"
            rows.append({"seat": seat, "score": None, "won": False, "lines": lines, "outcome": outcome})
    return rows


def _lacked(state: State, seat: int) -> str:
    """What kept a seat from travelling out."""
    lacked = [] if state.done >> seat & 1 else ["the task"]
    cheapest = CHEAPEST - (DISCOUNT if state.opportunity[seat] == DRIVER and state.bonus[seat] else 0)
    if state.money[seat] < cheapest:
        lacked.append(f"{money(int(cheapest - state.money[seat]))} for the cheapest journey")
    if state.place[seat] == JAIL:
        lacked.append("freedom")
    return say.all_of(lacked) if lacked else "only a journey from where they were"


def _still(state: State, seat: int) -> str:
    place = state.place[seat]
    return "in jail" if place == JAIL else f"in {PLACES[place]}"


def _talk(state: State, seat: int, field: int) -> int:
    return int(state.talk[TALK_SIZE * seat + field])


def _seats(state: State, bits: int) -> list[int]:
    return [seat for seat in range(state.seats) if bits >> seat & 1]


def _square(slot: int) -> Spot:
    return {"day": _day(slot), "square": _number(slot)}


def _day(slot: int) -> str:
    return DAYS[slot // SQUARES]


def _number(slot: int) -> int:
    """A square's number in its row, from 1."""
    return slot % SQUARES + 1
