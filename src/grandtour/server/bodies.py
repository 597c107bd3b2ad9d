"""What HTTP requests bring and what they get. `docs/protocol.md` says what it means."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from grandtour.server.messages import Body, Final, Json, Prompt, SeatNumber, Secret
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


class WantedPlace(Body):
    name: PlayerName = ""
    seat: SeatNumber | None = None
    secret: Secret | None = None


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
    default: Any
    choices: list[Any]


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


class ReplayStep(Struct):
    n: int
    seat: int | None
    move: Json | None
    events: list[Json]
    text: list[str]
    view: Json
    prompt: Prompt


class Replay(Struct):
    game: str
    options: Json
    names: list[str]
    seal: str | None
    result: list[float] | None
    final: list[Final] | None
    steps: list[ReplayStep]


class Moment(Struct):
    n: int
    played: str
    better: str
    cost: float


class Moments(Struct):
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
