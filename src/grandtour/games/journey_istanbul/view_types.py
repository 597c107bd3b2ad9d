"""The type of a view of The Journey: Istanbul. `make types` generates the page's types from it."""

from typing import Literal, NotRequired, TypedDict

Phase = Literal["turn", "evening", "over"]
Step = Literal["move", "pay", "look", "leave", "journey", "work", "over"]
Ending = Literal["all", "days", "cards"]
Partner = int | Literal["all"]
"""Whom a player talks to: a seat or everybody."""
Saying = Literal["told", "shown", "offered", "asked", "refused", "requested", "denied", "answering"]


class Spot(TypedDict):
    """A square of the sheet."""

    day: str
    square: int


class Square(TypedDict):
    """A square and its card. Without a card, only `lies` is set."""

    square: int
    lies: bool
    sideways: NotRequired[bool]
    due: NotRequired[int]
    """The day on which it is turned up, counted from 1 to 18."""
    looked: NotRequired[list[int]]
    up: NotRequired[bool]
    card: NotRequired[str | None]


class Row(TypedDict):
    day: str
    squares: list[Square]


class Place(TypedDict):
    name: str
    eyes: int
    cards: int
    pile: list[int]
    """Seats, the lowest marker first."""


class Deck(TypedDict):
    left: int
    top: str | None


class Buried(TypedDict):
    """A card whose row was full; the player who drew it knows which one it is."""

    day: str
    by: int | None
    card: str | None


class Discards(TypedDict):
    up: list[str]
    down: list[Buried]


class Progress(TypedDict):
    """How far a task is done."""

    circles: list[bool]
    place: str | None
    """Where the next part is done; null if there is none left."""
    days: list[int] | None
    """The days on which the next part can be done; null means any day."""


class Obstacle(Progress):
    name: str
    complete: bool


class Opportunity(Progress):
    name: str
    complete: int


class Jail(TypedDict):
    fine: int
    until: int


class Out(TypedDict):
    day: int
    cost: int


class Person(TypedDict):
    seat: int
    place: str | None
    was: str | None
    """Where the player was last after a move."""
    money: int
    obstacle: Obstacle
    opportunity: Opportunity
    looked_at: list[Spot]
    fined: bool
    jail: Jail | None
    out: Out | None


class EveningOffer(TypedDict):
    """The journey or work that is offered to the turn's player."""

    kind: Literal["journey", "work"]
    card: str
    place: str
    amount: int


class CardOnSquare(TypedDict):
    square: int
    card: str


class Evening(TypedDict):
    """The events of the last evening."""

    day: int
    date: str
    cards: list[str]
    squares: list[CardOnSquare]
    raids: int
    fine: int
    raided: list[str]
    until: int
    cards_completed: list[str]
    completed: list[int]
    fined: list[int]
    jailed: list[int]
    spared: list[int]


Asked = TypedDict("Asked", {"from": int, "to": Partner, "noes": list[int]})


class Question(Asked, Spot):
    """A question about a card. `noes` are the seats that refused."""

    price: int
    answers: list[int]
    """Who offers to answer. The asker chooses one of them and pays."""


class Request(Asked):
    """A request for money. `noes` are the seats that refused."""

    amount: int


Heard = TypedDict("Heard", {"from": int, "card": str})


class Told(TypedDict):
    to: int
    card: str


class Entry(Spot):
    """A future card, as the seat's planner has it."""

    due: int
    card: str | None
    """The card, if the viewer has seen it."""
    written: str | None
    """What the viewer's planner says, true or not. It can be shown to others."""
    heard: list[Heard]
    told: list[Told]


class Trust(TypedDict):
    """How many statements of this seat to the viewer have proved true, and how many false."""

    seat: int
    true: int
    false: int


_OfferBetween = TypedDict("_OfferBetween", {"from": int, "to": int})


class Offer(_OfferBetween, Spot):
    """A statement that one seat offers another for a price. Only the seller sees the statement."""

    price: int
    card: NotRequired[str]


class Reply(Spot):
    """The answer that the viewer has offered to a question."""

    to: int
    card: str


class DayNotes(TypedDict):
    """Boxes and a note of one day in a planner."""

    day: int
    date: str
    boxes: list[str]
    note: str | None


Page = TypedDict("Page", {"from": int, "weeks": list[int], "days": list[DayNotes]})
"""A page of another planner that the viewer was shown, true or not."""


class Dialogue(TypedDict):
    to: Partner | None
    """Null: the seat writes in its own planner."""
    about: Spot | None
    page: int | None
    subject: str | None
    statement: str | None
    answering: bool


Words = TypedDict(
    "Words",
    {
        "what": Saying,
        "from": int,
        "week": NotRequired[int],
        "day": NotRequired[str],
        "square": NotRequired[int],
        "card": NotRequired[str | None],
        "price": NotRequired[int],
    },
)


class LastWords(TypedDict):
    """How many messages the viewer got, and the last one."""

    count: int
    last: Words | None


class View(TypedDict):
    """A position as one seat may see it. A spectator's view ends with `result`."""

    phase: Phase
    step: Step
    turn: int
    asked: int | None
    """Whom the turn's player waits for after asking everybody for money."""
    day: int
    last_day: int
    date: str
    starter: int
    looks: int
    ranked: bool
    places: list[Place]
    sheet: list[Row]
    deck: Deck
    discards: Discards
    players: list[Person]
    offer: EveningOffer | None
    evening: Evening | None
    questions: list[Question]
    requests: list[Request]
    ending: Ending | None
    result: list[float] | None
    you: NotRequired[int]
    planner: NotRequired[list[Entry]]
    short: NotRequired[int]
    """The money that the viewer lacks to travel, pay for the task or leave jail now."""
    trust: NotRequired[list[Trust]]
    offers: NotRequired[list[Offer]]
    reply: NotRequired[Reply | None]
    talks_left: NotRequired[int]
    notes: NotRequired[list[DayNotes]]
    notes_left: NotRequired[int]
    pages: NotRequired[list[Page]]
    dialogue: NotRequired[Dialogue | None]
    words: NotRequired[LastWords]
