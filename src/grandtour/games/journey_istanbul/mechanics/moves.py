# compiled
"""The moves of The Journey: Istanbul. `rules.py`, `talk.py` and `planner.py` say when each is legal.

In the first version of the rules a statement names a card of the game (`tell`, `sell`, `answer`). Since the second, it
is put together (`claim`, `amount`) and then said, offered or written down.
"""

from typing import Final

from mypy_extensions import i64

from grandtour.engine.vocabulary import Names, Numbers, Vocabulary
from grandtour.games.journey_istanbul.parts import (
    AMOUNTS,
    ANSWER_PRICES,
    BOXES,
    CARD_NAMES,
    DAYS,
    GIFT_AMOUNTS,
    MAX_SEATS,
    NOTES,
    PLACES,
    PRICES,
    REQUEST_AMOUNTS,
    SQUARES,
    SUBJECTS,
    WEEKS,
    Amounts,
    Listeners,
)

_PLACE: Final = Names(*PLACES)
_DAY: Final = Names(*DAYS)
_SQUARE: Final = Numbers(1, SQUARES)
_SEAT: Final = Numbers(0, MAX_SEATS - 1)

MOVES: Final = Vocabulary(
    {
        "move": {"to": _PLACE},
        "stay": {},
        "pay": {},
        "decline": {},
        "look": {"day": _DAY, "square": _SQUARE},
        "end-looking": {},
        "leave": {"to": _PLACE},
        "remain": {},
        "travel": {},
        "work": {},
        "talk": {"to": Listeners()},
        "give": {"amount": Amounts(GIFT_AMOUNTS)},
        "point": {"day": _DAY, "square": _SQUARE},
        "show": {"week": Numbers(1, WEEKS)},
        "tell": {"card": CARD_NAMES},
        "sell": {"card": CARD_NAMES, "price": Amounts(PRICES)},
        "ask": {"price": Amounts(ANSWER_PRICES)},
        "hush": {},
        "withdraw": {},
        "buy": {"from": _SEAT},
        "refuse": {"from": _SEAT},
        "answer": {"to": _SEAT, "card": CARD_NAMES},
        "request": {"amount": Amounts(REQUEST_AMOUNTS)},
        "help": {"to": _SEAT},
        "deny": {"to": _SEAT},
        "claim": {"subject": Names(*SUBJECTS)},
        "amount": {"amount": Amounts(AMOUNTS)},
        "state": {},
        "offer": {"price": Amounts(PRICES)},
        "reply": {"to": _SEAT},
        "accept": {"from": _SEAT},
        "write": {},
        "page": {"week": Numbers(1, WEEKS), "day": _DAY},
        "tick": {"box": Names(*BOXES)},
        "note": {"note": Names(*NOTES)},
        "erase": {},
    }
)
MOVE: Final[i64] = MOVES.first("move")
STAY: Final[i64] = MOVES.first("stay")
PAY: Final[i64] = MOVES.first("pay")
DECLINE: Final[i64] = MOVES.first("decline")
LOOK: Final[i64] = MOVES.first("look")
END_LOOKING: Final[i64] = MOVES.first("end-looking")
LEAVE: Final[i64] = MOVES.first("leave")
REMAIN: Final[i64] = MOVES.first("remain")
TRAVEL: Final[i64] = MOVES.first("travel")
WORK: Final[i64] = MOVES.first("work")
TALK: Final[i64] = MOVES.first("talk")
GIVE: Final[i64] = MOVES.first("give")
POINT: Final[i64] = MOVES.first("point")
SHOW: Final[i64] = MOVES.first("show")
TELL: Final[i64] = MOVES.first("tell")
SELL: Final[i64] = MOVES.first("sell")
ASK: Final[i64] = MOVES.first("ask")
HUSH: Final[i64] = MOVES.first("hush")
WITHDRAW: Final[i64] = MOVES.first("withdraw")
BUY: Final[i64] = MOVES.first("buy")
REFUSE: Final[i64] = MOVES.first("refuse")
ANSWER: Final[i64] = MOVES.first("answer")
REQUEST: Final[i64] = MOVES.first("request")
HELP: Final[i64] = MOVES.first("help")
DENY: Final[i64] = MOVES.first("deny")
CLAIM: Final[i64] = MOVES.first("claim")
AMOUNT: Final[i64] = MOVES.first("amount")
STATE: Final[i64] = MOVES.first("state")
OFFER: Final[i64] = MOVES.first("offer")
REPLY: Final[i64] = MOVES.first("reply")
ACCEPT: Final[i64] = MOVES.first("accept")
WRITE: Final[i64] = MOVES.first("write")
OPEN_PAGE: Final[i64] = MOVES.first("page")
TICK: Final[i64] = MOVES.first("tick")
NOTE: Final[i64] = MOVES.first("note")
ERASE: Final[i64] = MOVES.first("erase")
