"""The log of a table as it is stored: record n of a table is event n of the protocol, record 0 how the table was made.

A record holds what cannot be worked out again, and nothing else: the match is rebuilt by playing it.
"""

import time as clock
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

By = Literal["person", "bot", "clock", "stand-in"]
"""Who made a move. A stand-in is a bot that moved for a person who was away while the others waited."""
How = Literal["sat", "bot", "back", "free"]
Why = Literal["late", "failed", "hasty"]
"""Why a move was drawn for a bot: it thought too long, or what it chose was no legal move. A hasty one is not drawn but
a normal bot's, for one that had no time to think ahead."""


PATIENCE: Final = 120.0
"""Of a table whose maker chose nothing else, and of those from before there was a choice."""


class Owner(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose seat it was before the host gave it back."""

    name: str
    key: str


class SeatRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """Who has a seat. `key` is the hash of its secret; a seat with neither key nor bot is open."""

    name: str = ""
    key: str | None = None
    bot: str | None = None
    owner: Owner | None = None
    """Who may still come back to it: until another person sits down there, the old secret is good."""


class Made(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="made"):
    game: str
    version: int
    options: dict[str, Any]
    seats: list[SeatRecord]
    public: bool
    made: float
    dice: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    hints: bool = True
    """Whether those who play here may ask for hints."""
    patience: float = PATIENCE
    """Seconds after which a bot moves for someone who is away while others wait; 0 is never."""


class Seated(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="seat"):
    """What a seat is from now on."""

    seat: int
    now: SeatRecord
    how: How
    id: str | None = None
    by: int | None = None
    """The seat that asked for it with that id."""


class Started(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="start"):
    id: str | None = None
    by: int | None = None
    time: float = field(default_factory=clock.time)
    """When it happened: a clock that it set going is measured from then, whatever becomes of the server."""


class Moved(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="move"):
    seat: int
    move: dict[str, Any]
    by: By
    id: str | None = None
    why: Why | None = None
    time: float = field(default_factory=clock.time)
    asked: int | None = None
    """The host's seat, where the host asked for a move of the clock's seat."""


class Undone(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="undo"):
    seat: int
    id: str
    time: float = field(default_factory=clock.time)


class Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="say"):
    seat: int
    text: str
    id: str


class Over(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="over"):
    result: list[float]


Record = Made | Seated | Started | Moved | Undone | Said | Over

_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


def encode(record: Record) -> bytes:
    return msgspec.json.encode(record)


def decode(data: bytes) -> Record:
    return _decoder.decode(data)
