"""The bodies of HTTP requests and responses. `docs/protocol.md` explains them."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from grandtour.protocol.messages import Body, Json, Number, Scalar, SeatNumber, Secret
from grandtour.server.records import PATIENCE

PlayerName = Annotated[str, Meta(max_length=80)]


class WantedSeat(Body):
    kind: Literal["me", "open", "bot"]
    name: PlayerName = ""
    bot: Annotated[str, Meta(max_length=64)] | None = None


class WantedTable(Body):
    game: Annotated[str, Meta(max_length=64)]
    seats: Annotated[list[WantedSeat], Meta(min_length=1, max_length=12)]
    options: Json = msgspec.field(default_factory=dict)
    public: bool = False
    hints: bool = True
    patience: float = PATIENCE
    guided: bool = False
    """A guided first game: one seat, yours; the guide says who else plays, by which options and how it is dealt."""


class WantedPlace(Body):
    name: PlayerName = ""
    seat: SeatNumber | None = None
    secret: Secret | None = None


class WantedBranch(Body):
    step: Number
    """The step of the replay from which it is played on."""
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=64)] | None = None
    """Who plays the other seats."""
    name: PlayerName = ""


class OpenedTable(Struct):
    table: str
    seat: int | None
    secret: str | None


class Place(Struct):
    seat: int
    secret: str


class OptionInfo(Struct):
    name: str
    label: str
    help: str
    default: Scalar
    alone: Scalar
    """What to suggest to one person who plays with bots."""
    choices: list[Scalar]


class BotInfo(Struct):
    name: str
    label: str


class GameInfo(Struct):
    name: str
    title: str
    subtitle: str
    summary: str
    players: tuple[int, int]
    minutes: int
    version: int
    options: list[OptionInfo]
    bots: list[BotInfo]
    """The strengths, weakest first."""
    guided: bool
    """Whether there is a guided first game."""


class Paragraph(Struct):
    id: str
    ruling: bool
    html: str


class Section(Struct):
    title: str
    paragraphs: list[Paragraph]


class Rulebook(Struct):
    title: str
    short: str
    """The game in a few lines, as HTML."""
    sections: list[Section]


class Note(Struct, forbid_unknown_fields=True):
    """A short note of a guided game. Notes come in order; one whose moment does not come is skipped."""

    text: str
    at: list[str]
    """What it points at: names of anchors on the page."""
    when: Json | None = None
    """Part of a move: the note is for when such a move is legal. Without it, it follows the note before."""
    until: Json | None = None
    """Part of a move: the note stays until the player has made such a move. Without it, until it has been read."""


class Guide(Struct, forbid_unknown_fields=True):
    """A guided first game: who plays, how it is dealt, and what the player is told."""

    deal: str
    """Any words; the dice of the match are made from them."""
    players: int
    bots: str
    notes: list[Note]
    options: dict[str, Scalar] = msgspec.field(default_factory=dict)


class Moment(Struct):
    n: int
    """The step of the replay in which the move was made."""
    played: str
    better: str
    cost: float
    """How much of a win the move gave away, from 0 to 1."""


class Moments(Struct):
    """The turning points of a seat in a finished match; `done` of `of` decisions have been reviewed so far."""

    seat: int
    done: int
    of: int
    over: bool
    moments: list[Moment]


class Health(Struct):
    ok: bool
    tables: int
    sockets: int


class Ready(Struct):
    ok: bool


class RefusalBody(Struct):
    code: str
    rule: str | None
    reason: str
