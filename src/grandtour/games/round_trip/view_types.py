"""The type of a view of Round Trip Italy. `make types` generates the page's types from it."""

from typing import Literal, NotRequired, TypedDict

Step = Literal["take", "act", "lay", "give", "over"]
Side = Literal["left", "right"]
Circle = Literal["black", "grey"]


class Selection(TypedDict):
    """The face-up selection card, and how many are left to turn over."""

    cities: list[str]
    left: int


class Pile(TypedDict):
    city: str
    count: int


class Trip(TypedDict):
    """A round trip that was made; `extra` says whether it earned an extra turn."""

    length: int
    tickets: list[str]
    cities: list[str]
    extra: bool


class PlayerView(TypedDict):
    seat: int
    tickets: int
    backs: dict[str, int]
    """How many tickets of each pile the player holds."""
    trips: list[Trip]
    known: list[str]
    """Tickets in this hand whose fronts the viewer knows."""


Offer = TypedDict(
    "Offer",
    {"from": int, "to": int, "back": str, "wanted": str, "ticket": NotRequired[str]},
)
"""A ticket on offer: its back, the city wanted for it, and for its owner which ticket it is."""


class Mixed(TypedDict):
    """Tickets that some players hold together. The viewer does not know who holds which."""

    pile: str
    tickets: list[str]
    others: int
    """The number of further tickets of this pile among them that the viewer does not know."""
    holders: dict[str, int]
    """How many of all these tickets each seat holds."""


class Bottom(TypedDict):
    """A ticket in a pile that the viewer knows, and how many lie above it."""

    pile: str
    ticket: str
    above: int


class Neighbour(TypedDict):
    seat: int
    circle: Circle


class View(TypedDict):
    """A position as one seat may see it. A spectator's view ends with `result`."""

    turn: int
    step: Step
    round: int
    turn_limit: int
    extra: bool
    starter: int
    selection: Selection
    piles: list[Pile]
    players: list[PlayerView]
    offer: Offer | None
    result: list[float] | None
    you: NotRequired[int]
    hand: NotRequired[list[str]]
    mixed: NotRequired[list[Mixed]]
    bottoms: NotRequired[list[Bottom]]
    neighbours: NotRequired[dict[Side, Neighbour]]
