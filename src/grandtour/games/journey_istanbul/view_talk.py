# compiled
"""What a seat may see of talk and notes: questions, offers, its own notes, and pages that it was shown."""

from grandtour.games.journey_istanbul.mechanics.planner import days_of, name_of
from grandtour.games.journey_istanbul.mechanics.talk import DENIED, REQUESTED, SAID, SHOWN
from grandtour.games.journey_istanbul.parts import (
    ALL,
    BILL,
    DAYS,
    MAX_NOTES_PER_DAY,
    MAX_TALKS_PER_DAY,
    SQUARES,
    SUBJECTS,
    WEEKS,
    statement_name,
)
from grandtour.games.journey_istanbul.rules import State
from grandtour.games.journey_istanbul.state import (
    ABOUT,
    ANSWERING,
    ASK_AT,
    ASK_NO,
    ASK_PRICE,
    ASK_TO,
    LAST_MESSAGE,
    MESSAGES,
    MONEY,
    NOTES_WRITTEN,
    PAGE,
    REPLY_CARD,
    REPLY_TO,
    SELL_AT,
    SELL_CARD,
    SELL_PRICE,
    SELL_TO,
    SHOWN_BIT,
    STATEMENT,
    SUBJECT,
    TALK_SIZE,
    TALKS,
    TO,
)
from grandtour.games.journey_istanbul.view_types import (
    Asked,
    DayNotes,
    Dialogue,
    Offer,
    Page,
    Question,
    Reply,
    Request,
    Spot,
    View,
    Words,
)


def show_talk(state: State, seat: int, seen: View) -> None:
    """Add what this seat is told and asked, and what it says itself, to its view."""
    if any(talk_of(state, asker, ASK_TO) >= 0 for asker in range(state.seats)):
        seen["questions"] = questions_to(state, seat)
        seen["requests"] = requests_to(state, seat)
    seen["offers"] = _offers(state, seat)
    seen["reply"] = _reply(state, seat)
    seen["talks_left"] = MAX_TALKS_PER_DAY - int(state.talk[TALK_SIZE * seat + TALKS])
    written = int(state.talk[TALK_SIZE * seat + NOTES_WRITTEN])
    seen["notes_left"] = MAX_NOTES_PER_DAY - written if state.version > 1 else 0
    seen["dialogue"] = _dialogue(state, seat)
    seen["words"] = {"count": int(state.talk[TALK_SIZE * seat + MESSAGES]), "last": _last_words(state, seat)}


def questions_to(state: State, seat: int | None) -> list[Question]:
    """The questions about cards that this seat sees: those to everybody or to it, and its own. Each comes with the
    seats that refused and those that offer an answer."""
    return [
        {
            **asked,
            **square_of(talk_of(state, asker, ASK_AT)),
            "price": talk_of(state, asker, ASK_PRICE) * BILL,
            "answers": [other for other in range(state.seats) if talk_of(state, other, REPLY_TO) == asker],
        }
        for asker, asked in _asked(state, seat)
        if talk_of(state, asker, ASK_AT) != MONEY
    ]


def requests_to(state: State, seat: int | None) -> list[Request]:
    """The same for requests for money."""
    return [
        {**asked, "amount": talk_of(state, asker, ASK_PRICE) * BILL}
        for asker, asked in _asked(state, seat)
        if talk_of(state, asker, ASK_AT) == MONEY
    ]


def _asked(state: State, seat: int | None) -> list[tuple[int, Asked]]:
    found: list[tuple[int, Asked]] = []
    for asker in range(state.seats):
        to = talk_of(state, asker, ASK_TO)
        if to == ALL or (to >= 0 and seat in (asker, to)):
            noes = seats_in(state, talk_of(state, asker, ASK_NO))
            found.append((asker, {"from": asker, "to": name_of(to), "noes": noes}))
    return found


def _offers(state: State, seat: int) -> list[Offer]:
    """The offers to this seat, and its own."""
    found: list[Offer] = []
    for seller in range(state.seats):
        to = talk_of(state, seller, SELL_TO)
        if to >= 0 and seat in (seller, to):
            slot = talk_of(state, seller, SELL_AT)
            offer: Offer = {
                "from": seller,
                "to": to,
                "day": _day(slot),
                "square": _number(slot),
                "price": talk_of(state, seller, SELL_PRICE) * BILL,
            }
            if seller == seat:
                offer["card"] = statement_of(slot, talk_of(state, seller, SELL_CARD))
            found.append(offer)
    return found


def _reply(state: State, seat: int) -> Reply | None:
    """The answer that this seat has offered to a question."""
    asker = talk_of(state, seat, REPLY_TO)
    if asker < 0:
        return None
    slot = talk_of(state, asker, ASK_AT)
    return {"to": asker, **square_of(slot), "card": statement_of(slot, talk_of(state, seat, REPLY_CARD))}


def _dialogue(state: State, seat: int) -> Dialogue | None:
    """Whom this seat is talking to (None if it writes in its planner), about which card or day, and its statement."""
    to, about = talk_of(state, seat, TO), talk_of(state, seat, ABOUT)
    if to < 0:
        return None
    subject, statement = talk_of(state, seat, SUBJECT), talk_of(state, seat, STATEMENT)
    return {
        "to": None if to == seat else name_of(to),
        "about": square_of(about) if 0 <= about < PAGE else None,
        "page": about - PAGE if about > PAGE else None,
        "subject": SUBJECTS[subject] if subject >= 0 else None,
        "statement": said_of(about, statement) if statement >= 0 else None,
        "answering": talk_of(state, seat, ANSWERING) >= 0,
    }


def _last_words(state: State, seat: int) -> Words | None:
    """The last message to this seat."""
    said = talk_of(state, seat, LAST_MESSAGE)
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
        words["card"] = said_of(about, card)
        words["price"] = price * BILL
    return words


def notes_of(state: State, seat: int) -> list[DayNotes]:
    """The days of this seat's own planner that have boxes ticked or a note."""
    first = WEEKS * seat
    return [
        day
        for week in range(WEEKS)
        for day in days_of(week, int(state.boxes[first + week]), int(state.notes[first + week]))
    ]


def pages_of(state: State, seat: int) -> list[Page]:
    """The weeks of other planners that this seat was shown, with boxes and notes. They need not be true."""
    found: list[Page] = []
    for other in range(state.seats):
        first = 2 * WEEKS * (state.seats * seat + other)
        weeks = [week for week in range(WEEKS) if state.pages[first + WEEKS + week] >> SHOWN_BIT & 1]
        if weeks:
            days = [
                day
                for week in weeks
                for day in days_of(week, int(state.pages[first + week]), int(state.pages[first + WEEKS + week]))
            ]
            found.append({"from": other, "weeks": [week + 1 for week in weeks], "days": days})
    return found


def said_of(slot: int, statement: int) -> str | None:
    """The name of a statement about the card on a square, in the form of a card's name; None for none."""
    return statement_of(slot, statement) if statement else None


def statement_of(slot: int, statement: int) -> str:
    return statement_name(slot // SQUARES, statement)


def talk_of(state: State, seat: int, field: int) -> int:
    return int(state.talk[TALK_SIZE * seat + field])


def seats_in(state: State, bits: int) -> list[int]:
    return [seat for seat in range(state.seats) if bits >> seat & 1]


def square_of(slot: int) -> Spot:
    return {"day": _day(slot), "square": _number(slot)}


def _day(slot: int) -> str:
    return DAYS[slot // SQUARES]


def _number(slot: int) -> int:
    """A square's number in its row, from 1."""
    return slot % SQUARES + 1
