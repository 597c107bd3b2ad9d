"""The type of a view of Itchy Feet. `make types` generates the page's types from it."""

from typing import Literal, NotRequired, TypedDict

Step = Literal[
    "act", "pay", "take", "react", "pick", "tray", "answer", "look", "return", "redraw", "mix-up", "limit", "over"
]
Purpose = Literal["recycle", "steal", "get-rid", "country", "post", "early-bird", "found", "travel"]
"""What a payment is for."""
Ending = Literal["centre", "postcards", "countries", "limit"]


class Counted(TypedDict):
    card: str
    count: int


class Extensions(TypedDict):
    events: bool
    special_items: bool
    forbidden_items: bool
    postcards: bool
    characters: bool


class Unused(TypedDict):
    """The pile of countries that are not in play; those at its bottom were seen when they were put there."""

    count: int
    bottom: list[str]


class DrawPile(TypedDict):
    count: int
    shuffled_in: list[Counted]


class Unknown(TypedDict):
    """What the viewer can tell about the cards in a hand that it does not know."""

    cards: int
    others: int
    """The maximum number of extension cards among them."""
    passports: int
    """The maximum number of passports among them."""
    drawn: int
    """The minimum number of them that were drawn from the current draw pile."""


class PlayerView(TypedDict):
    seat: int
    cards: int
    limit: int
    known: list[str]
    unknown: Unknown
    character: str | None
    quiet: bool
    chosen: bool
    country: NotRequired[str]
    """Classic: the player's own country."""
    visited: NotRequired[bool]
    """Classic: whether the player has travelled there."""
    passport: NotRequired[str]
    """Bucket List: where the passport is from."""
    countries: NotRequired[list[str]]
    """Bucket List: the countries travelled to."""


Payment = TypedDict(
    "Payment",
    {"for": Purpose, "paid": list[str], "left": int, "whom": NotRequired[int], "country": NotRequired[str]},
)
"""What the turn's player is paying for, or about to take a card for."""

Trade = TypedDict(
    "Trade",
    {"from": int, "to": int, "gives": list[str], "wants": list[str], "counters": int, "counters_left": int},
)


class Reaction(TypedDict):
    """What a player may react to, and with which card. Who is asked does not reveal who could react."""

    asked: int
    to: Literal["steal", "travel"]
    seat: int
    card: str
    country: NotRequired[str]


class KnownCard(TypedDict):
    """A card in the draw pile that the viewer knows, and how many lie above it."""

    above: int
    card: str


class View(TypedDict):
    """A position as one seat may see it. A spectator's view ends with `ended`."""

    variant: Literal["classic", "bucket-list"]
    extensions: Extensions
    turn: int
    step: Step
    round: int
    turn_limit: int
    starter: int
    actions: int
    offers_left: int
    centre: str | None
    unused: Unused
    draw_pile: DrawPile
    discards: list[Counted]
    players: list[PlayerView]
    payment: Payment | None
    trade: Trade | None
    reaction: Reaction | None
    result: list[float] | None
    ended: Ending | None
    you: NotRequired[int]
    hand: NotRequired[list[str]]
    top: NotRequired[list[KnownCard]]
    looking: NotRequired[list[str]]
    """The cards that the viewer is looking at now."""
    handing_on: NotRequired[str | None]
