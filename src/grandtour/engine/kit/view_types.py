"""The type of a kit game's view. `make types` generates the types of the page's plain board from it.

`owner` is a seat, or None for the middle of the table.
"""

from typing import Literal, NotRequired, TypedDict


class Cards(TypedDict):
    """A row, a hand or a display. A card that lies face down has no name here."""

    kind: Literal["cards"]
    title: str
    owner: int | None
    count: int
    cards: list[str | None]


class Pile(TypedDict):
    kind: Literal["pile"]
    title: str
    owner: int | None
    count: int
    top: str | None
    """The face-up card on top."""
    known: NotRequired[list[str | None]]
    """All cards from the top down, if the viewer knows some below the top; unknown ones are None."""


class Token(TypedDict):
    seat: int
    at: int


class Track(TypedDict):
    kind: Literal["track"]
    title: str
    owner: None
    places: list[str]
    tokens: list[Token]


class Count(TypedDict):
    kind: Literal["count"]
    title: str
    owner: int | None
    count: int


Section = Cards | Pile | Track | Count


class View(TypedDict):
    """A position as one seat may see it: sections in the order in which they are drawn."""

    layout: list[Section]
    kinds: NotRequired[list[str]]
    """The names of all cards, as the game declares them: the page gives each kind its own colour."""
    turn: int | None
    round: int
