"""The stored log of a table: record n is event n of the protocol, and record 0 says how the table was opened.

Records hold only what cannot be computed: a match is rebuilt by replaying it.
"""

import time as clock
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from grandtour.protocol.messages import Branch, By, TimeControl

SeatChange = Literal["sat", "bot", "back", "free", "late", "conceded"]
"""How a seat changed hands; "late" means that its player's time had run out too often, so a bot took over."""
PauseChange = Literal["asked", "agreed", "withdrew", "resumed"]
"""Somebody asked for a pause, the last player agreed to it, a request was withdrawn, or the pause ended."""
FallbackReason = Literal["late", "failed", "hasty"]
"""Why another bot moved instead of the chosen one. The bot was too late, or it failed: a random move was made. It had
no time to search ("hasty"): the normal bot moved."""


PATIENCE: Final = 120.0
"""The default of `Made.patience`, also for tables that were stored before it existed."""


class Owner(Struct, frozen=True, forbid_unknown_fields=True):
    """The person whose seat it was before the host freed it."""

    name: str
    key: str


class SeatRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """Who has a seat. `key` is the hash of its secret; a seat with neither key nor bot is open."""

    name: str = ""
    key: str | None = None
    bot: str | None = None
    owner: Owner | None = None
    """The former owner, who can come back with the old secret until another person sits down."""
    conceded: bool = False
    """The person has given up this match, and a bot plays it to the end."""


class Made(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="made"):
    """The first record: how the table was opened."""

    game: str
    version: int
    options: dict[str, Any]
    seats: list[SeatRecord]
    public: bool
    made: float
    dice: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    hints: bool = True
    """Whether players may ask for hints."""
    patience: float = PATIENCE
    """Seconds after which a bot moves for an absent player whom others are waiting for; 0 means never."""
    guided: bool = False
    """A guided first game, whose deal is known."""
    branch: Branch | None = None
    """For a branch: the match from which the first moves and the dice come. The secret of the dice is public."""
    rematch_of: str | None = None
    """The table where the same people played before."""
    rated: bool = False
    """Whether the match counts for the ratings of players with a passport. Rated matches have no undo."""
    ask: bool = False
    """Whether the host decides who takes over from a bot during the match."""
    quick: bool = False
    """A quick match: anyone may be seated here, and after a short wait bots take the free seats."""
    time: TimeControl | None = None
    """The players' clocks."""
    daily: str | None = None
    """For a deal of the day: the day, by UTC. The bots are then deterministic, and there is no undo."""


class Seated(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="seat"):
    """The new holder of a seat."""

    seat: int
    now: SeatRecord
    how: SeatChange
    id: str | None = None
    by: int | None = None
    """The seat that sent the request with this id."""
    time: float = field(default_factory=clock.time)


class Started(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="start"):
    id: str | None = None
    by: int | None = None
    time: float = field(default_factory=clock.time)
    """When it happened. Clocks that it started are measured from then, even after a restart of the server."""


class Moved(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="move", gc=False):
    """A move. It is part of no reference cycle, so the garbage collector need not look at it."""

    seat: int
    move: dict[str, Any]
    by: By
    id: str | None = None
    why: FallbackReason | None = None
    time: float = field(default_factory=clock.time)
    asked: int | None = None
    """The host's seat, if the host asked the clock to make this move."""


class Undone(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="undo"):
    seat: int
    id: str
    time: float = field(default_factory=clock.time)


class Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="say"):
    seat: int
    text: str
    id: str


class Paused(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="pause"):
    """A pause was requested, agreed to, withdrawn or ended."""

    seat: int
    how: PauseChange
    id: str
    time: float = field(default_factory=clock.time)


class Outage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="outage"):
    """The server was down while clocks were running. That time is not charged to anyone."""

    seconds: float
    time: float = field(default_factory=clock.time)


class Over(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="over"):
    result: list[float]


class Rematched(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="rematch"):
    """A rematch: the table where the same people play again."""

    seat: int
    table: str
    game: str
    id: str


Record = Made | Seated | Started | Moved | Undone | Said | Paused | Outage | Over | Rematched

_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


encode: Callable[[Record], bytes] = msgspec.json.Encoder().encode


def decode(data: bytes) -> Record:
    return _decoder.decode(data)
