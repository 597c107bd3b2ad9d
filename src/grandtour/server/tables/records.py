"""The stored log of a table: record n is event n of the protocol, and record 0 says how the table was opened.

Records hold only what cannot be computed: a match is rebuilt by replaying it.
"""

import time as clock
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from grandtour.protocol.messages import Branch, By, TimeControl

How = Literal["sat", "bot", "back", "free", "late", "conceded"]
"""How a seat changed hands; "late" means that the clock gave it to a bot."""
Pausing = Literal["asked", "agreed", "withdrew", "resumed"]
"""What was said about a pause: somebody asked for it, the last one agreed, a wish was withdrawn, the pause ended."""
Why = Literal["late", "failed", "hasty"]
"""Why a bot's move is not its own: it was late or chose an illegal move, so a random move was made; or it was "hasty",
without time to search, so the normal bot moved."""


PATIENCE: Final = 120.0
"""The default, also for tables from before there was a choice."""


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
    """The former owner, whose secret is valid until another person sits down here."""
    conceded: bool = False
    """The person has given up this match, and a bot plays it to the end."""


class Made(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="made"):
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
    """For a branch: the match that the first moves and the dice come from. The secret of its dice is known."""
    rematch_of: str | None = None
    """The table where the same people played before."""
    rated: bool = False
    """Whether the match counts for the ratings of those who have a passport. Then nobody takes moves back."""
    ask: bool = False
    """Whether the host decides who takes over from a bot during the match."""
    quick: bool = False
    """A quick match: anyone is seated here, and bots take the seats that are free after a moment."""
    time: TimeControl | None = None
    """The players' clocks."""
    daily: str | None = None
    """The day whose deal this is, by UTC. Bots then always do the same, and nobody takes moves back."""


class Seated(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="seat"):
    """The new holder of a seat."""

    seat: int
    now: SeatRecord
    how: How
    id: str | None = None
    by: int | None = None
    """The seat that sent the request with this id."""
    time: float = field(default_factory=clock.time)


class Started(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="start"):
    id: str | None = None
    by: int | None = None
    time: float = field(default_factory=clock.time)
    """When it happened. A clock that it started is measured from then, even across restarts."""


class Moved(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="move"):
    seat: int
    move: dict[str, Any]
    by: By
    id: str | None = None
    why: Why | None = None
    time: float = field(default_factory=clock.time)
    asked: int | None = None
    """The host's seat, if the host asked for this move of the clock."""


class Undone(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="undo"):
    seat: int
    id: str
    time: float = field(default_factory=clock.time)


class Said(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="say"):
    seat: int
    text: str
    id: str


class Paused(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="pause"):
    """Something was said about a pause of the clocks."""

    seat: int
    how: Pausing
    id: str
    time: float = field(default_factory=clock.time)


class Outage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="outage"):
    """The server was down while clocks were running. Nobody is charged for that."""

    seconds: float
    time: float = field(default_factory=clock.time)


class Over(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="over"):
    result: list[float]


class Rematched(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="rematch"):
    """After the match: the table where the same people play on."""

    seat: int
    table: str
    game: str
    id: str


Record = Made | Seated | Started | Moved | Undone | Said | Paused | Outage | Over | Rematched

_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)


encode: Callable[[Record], bytes] = msgspec.json.Encoder().encode


def decode(data: bytes) -> Record:
    return _decoder.decode(data)
