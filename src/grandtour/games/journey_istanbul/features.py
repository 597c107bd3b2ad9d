"""Encodes views of The Journey: Istanbul as numbers."""

from grandtour.games.journey_istanbul.mechanics.talk import SAID
from grandtour.games.journey_istanbul.parts import (
    AMOUNTS,
    BILL,
    BOXES,
    CARDS,
    DAYS,
    LAST_DAY,
    MAX_NOTES_PER_DAY,
    MAX_TALKS_PER_DAY,
    NOTES,
    OBSTACLES,
    OF_DAY,
    OPPORTUNITIES,
    PLACES,
    SQUARES,
    SUBJECTS,
    WEEKS,
    statement_name,
)
from grandtour.games.journey_istanbul.rules import STEPS
from grandtour.rl.features import (
    ByName,
    BySeat,
    Counts,
    Each,
    Flag,
    Kind,
    LeftOut,
    Maybe,
    Number,
    OneOf,
    Record,
    Seat,
    Seats,
)

MONEY = 100 * BILL
PRICE = 10 * BILL
MAX_CIRCLES = 3
MAX_MESSAGES = 200
LIES = 30
LAST_DUE_DAY = LAST_DAY + len(DAYS)
NAMES = [card.name for card in CARDS]
RANK = {CARDS[card].name: f"card {rank + 1}" for day in OF_DAY for rank, card in enumerate(day)}
"""The index of a card among the six of its day, which is enough where the day is known."""
CLAIMED = {
    (name := statement_name(day, number)): RANK.get(name, "no such card")
    for day in range(len(DAYS))
    for number in range(1, len(SUBJECTS) * len(AMOUNTS) + 1)
}
"""The same for a statement about a card, which may not exist."""
SQUARE = {"day": LeftOut("the place in the vector says it"), "square": LeftOut("the place in the vector says it")}
PLACE_OF_SQUARE = [(day, square + 1) for day in DAYS for square in range(SQUARES)]
WRITTEN_SQUARE = {"day": OneOf(DAYS), "square": OneOf(range(1, SQUARES + 1))}


def features(seats: int) -> Record:
    """The features for a table with this many seats."""
    lying = {
        "square": LeftOut("squares come in their order"),
        "lies": Flag(),
        "sideways": Flag(),
        "due": Number(LAST_DUE_DAY),
        "looked": Seats(seats),
        "up": Flag(),
        "card": Kind(RANK),
    }
    row = {"day": LeftOut("days come in their order"), "squares": Each(SQUARES, Record(lying))}
    task = {
        "circles": Each(MAX_CIRCLES, Flag()),
        "place": OneOf(PLACES),
        "days": Maybe(Counts(range(1, LAST_DUE_DAY + 1))),
    }
    player = {
        "place": OneOf(PLACES),
        "was": OneOf(PLACES),
        "money": Number(MONEY, BILL),
        "obstacle": Record({"name": OneOf(OBSTACLES), "complete": Flag(), **task}),
        "opportunity": Record({"name": OneOf(OPPORTUNITIES), "complete": Number(LAST_DAY), **task}),
        "looked_at": ByName(PLACE_OF_SQUARE, Record(SQUARE), ("day", "square")),
        "fined": Flag(),
        "jail": Maybe(Record({"fine": Number(PRICE, BILL), "until": Number(LAST_DUE_DAY)})),
        "out": Maybe(Record({"day": Number(LAST_DAY), "cost": Number(MONEY, BILL)})),
    }
    place = {
        "name": LeftOut("places come in their order"),
        "eyes": LeftOut("printed on the board"),
        "cards": LeftOut("printed on the board"),
        "pile": Each(seats, Seat(seats)),
    }
    down = {"day": LeftOut("the place in the vector says it"), "by": Seat(seats), "card": Kind(RANK)}
    evening = {
        "day": Number(LAST_DAY),
        "date": LeftOut("the day in words"),
        "cards": Counts(NAMES),
        "squares": ByName(
            [(square + 1,) for square in range(SQUARES)],
            Record({"square": LeftOut("the place in the vector says it"), "card": Kind(RANK)}),
            ("square",),
        ),
        "raids": LeftOut("so many of the cards are police"),
        "fine": LeftOut("printed on the cards"),
        "raided": LeftOut("as many places as there are raids"),
        "until": LeftOut("always so many days later"),
        "cards_completed": LeftOut("those of the seats that completed one"),
        "completed": Seats(seats),
        "fined": Seats(seats),
        "jailed": Seats(seats),
        "spared": Seats(seats),
    }
    offer = {
        "kind": OneOf(("journey", "work")),
        "card": OneOf(NAMES),
        "place": OneOf(PLACES),
        "amount": Number(MONEY, BILL),
    }
    planned = {
        **SQUARE,
        "due": LeftOut("the sheet says it"),
        "card": LeftOut("the sheet says it"),
        "written": Kind(CLAIMED),
        "heard": BySeat(seats, {"card": Kind(CLAIMED)}, "from"),
        "told": BySeat(seats, {"card": Kind(CLAIMED)}, "to"),
    }
    noted = {
        "day": LeftOut("the place in the vector says it"),
        "date": LeftOut("the day in words"),
        "boxes": Counts(BOXES),
        "note": OneOf(NOTES),
    }
    days = ByName([(day + 1,) for day in range(LAST_DAY)], Record(noted), ("day",), always=True)
    asked = {"to": Seat(seats, "all"), "noes": Seats(seats)}
    question = {**asked, **WRITTEN_SQUARE, "price": Number(PRICE, BILL), "answers": Seats(seats)}
    sale = {"to": Seat(seats), **WRITTEN_SQUARE, "price": Number(PRICE, BILL), "card": Kind(CLAIMED)}
    reply = {"to": Seat(seats), **WRITTEN_SQUARE, "card": Kind(CLAIMED)}
    dialogue = {
        "to": Seat(seats, "all"),
        "about": Record(WRITTEN_SQUARE),
        "page": OneOf(range(1, LAST_DAY + 1)),
        "subject": OneOf(SUBJECTS),
        "statement": Kind(CLAIMED),
        "answering": Flag(),
    }
    last = {
        "what": OneOf(SAID),
        "from": Seat(seats),
        "week": Number(len(DAYS)),
        **WRITTEN_SQUARE,
        "card": Kind(CLAIMED),
        "price": Number(PRICE, BILL),
    }
    return Record(
        {
            "you": LeftOut("always the first seat"),
            "phase": LeftOut("the step says it"),
            "step": OneOf(STEPS),
            "turn": Seat(seats),
            "asked": Maybe(Seat(seats)),
            "day": Number(LAST_DAY),
            "last_day": LeftOut("always the same"),
            "date": LeftOut("the day in words"),
            "starter": Seat(seats),
            "looks": Number(SQUARES),
            "ranked": Flag(),
            "places": Each(len(PLACES), Record(place)),
            "sheet": Each(len(DAYS), Record(row)),
            "deck": Record({"left": Number(len(CARDS)), "top": OneOf(DAYS)}),
            "discards": Record({"up": Counts(NAMES), "down": ByName([(day,) for day in DAYS], Record(down), ("day",))}),
            "players": BySeat(seats, player, always=True),
            "offer": Record(offer),
            "evening": Record(evening),
            "questions": BySeat(seats, question, "from"),
            "requests": BySeat(seats, {**asked, "amount": Number(PRICE, BILL)}, "from"),
            "ending": LeftOut("said only when the game is over"),
            "result": LeftOut("the reward"),
            "planner": ByName(PLACE_OF_SQUARE, Record(planned), ("day", "square"), always=True),
            "short": Number(MONEY, BILL),
            "trust": BySeat(seats, {"true": Number(LIES), "false": Number(LIES)}, always=True),
            "offers": BySeat(seats, sale, "from"),
            "talks_left": Number(MAX_TALKS_PER_DAY),
            "reply": Maybe(Record(reply)),
            "notes": days,
            "notes_left": Number(MAX_NOTES_PER_DAY),
            "pages": BySeat(seats, {"weeks": Counts(range(1, WEEKS + 1)), "days": days}, "from"),
            "dialogue": Maybe(Record(dialogue)),
            "words": Record({"count": Number(MAX_MESSAGES), "last": Record(last)}),
        }
    )
