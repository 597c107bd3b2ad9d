"""The type of a view of Ticket to Ride: Italy. `make types` generates the page's types from it."""

from typing import Literal, NotRequired, TypedDict

Step = Literal["choose", "act", "second", "keep", "over"]
Counts = dict[str, int]
"""Cards by kind, without kinds that are missing."""


class Network(TypedDict):
    places: list[str]
    regions: dict[str, int]
    """How often each region counts (once or twice)."""
    count: int
    points: int


class HeldTicket(TypedDict):
    ticket: str
    points: int
    met: bool


class DrawnTicket(HeldTicket):
    back: bool
    """Whether it will be given back."""


class ReturnedTicket(TypedDict):
    """A ticket that the viewer gave back, and where it can be: in the deck or with one of these seats."""

    ticket: str
    deck: bool
    seats: list[int]


class Player(TypedDict):
    seat: int
    score: int
    trains: int
    cards: int
    known: Counts
    ferries: int
    tickets: int
    drawn: int
    chosen: bool
    barred: list[str]
    """Routes that others can still claim and this player cannot."""
    networks: list[Network]
    bonus: int
    shown: list[HeldTicket] | None
    """The player's tickets, once the game is over."""
    met: int | None


class View(TypedDict):
    """A position as one seat may see it. A spectator's view ends with `result`."""

    turn: int
    step: Step
    starter: int
    row: list[str | None]
    """The face-up cards; null is a gap."""
    swept: list[str]
    deck: int
    discards: Counts
    ferries: int
    ticket_deck: int
    owners: dict[str, int]
    """The claimed routes, and the seat that owns each."""
    closed: list[str]
    last_round: int | None
    players: list[Player]
    result: list[float] | None
    you: NotRequired[int]
    hand: NotRequired[Counts]
    tickets: NotRequired[list[HeldTicket]]
    drawn: NotRequired[list[DrawnTicket]]
    least: NotRequired[int]
    """How many of the drawn tickets the viewer must keep."""
    returned: NotRequired[list[ReturnedTicket]]
