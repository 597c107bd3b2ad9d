"""Every message of the socket, in and out. `docs/protocol.md` says what they mean."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from grandtour.engine.refusal import Refusal
from grandtour.server.records import By

Id = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=99)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Secret = Annotated[str, Meta(min_length=1, max_length=128)]
Json = dict[str, Any]


class Body(Struct, forbid_unknown_fields=True):
    """What a client sends."""


class Hello(Body, tag_field="type", tag="hello"):
    secret: Secret | None
    last: Number


class Move(Body, tag_field="type", tag="move"):
    id: Id
    at: Number
    move: Any


class Undo(Body, tag_field="type", tag="undo"):
    id: Id
    at: Number


class Bot(Body, tag_field="type", tag="bot"):
    id: Id
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=64)] | None


class Free(Body, tag_field="type", tag="free"):
    id: Id
    seat: SeatNumber


class Start(Body, tag_field="type", tag="start"):
    id: Id


class Say(Body, tag_field="type", tag="say"):
    id: Id
    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Ping(Body, tag_field="type", tag="ping"):
    pass


class Hint(Body, tag_field="type", tag="hint"):
    id: Id


Asked = Move | Undo | Bot | Free | Start | Say
Incoming = Hello | Asked | Hint | Ping


class Seat(Struct):
    seat: int
    name: str
    kind: Literal["open", "person", "bot"]
    bot: str | None
    here: bool
    away: float | None = None
    """Seconds since a person's last connection ended."""


Phase = Literal["waiting", "playing", "over"]


class Card(Struct):
    """A table as the lobby lists it."""

    table: str
    game: str
    title: str
    seats: list[Seat]
    state: Phase
    made: str


class Table(Card):
    options: Json
    public: bool
    host: int | None
    seal: str | None
    result: list[float] | None
    hints: bool
    patience: float


class Prompt(Struct):
    text: str
    rules: list[str]


class LegalMove(Struct):
    move: Json
    text: str


class FinalLine(Struct):
    label: str
    value: Any


class Final(Struct):
    seat: int
    score: Any
    won: bool
    lines: list[FinalLine]
    outcome: str | None = None


class Welcome(Struct, tag_field="type", tag="welcome"):
    table: Table
    seat: int | None
    last: int


class StartEvent(Struct, tag_field="type", tag="event"):
    n: int
    events: list[Json]
    text: list[str]
    seal: str
    kind: Literal["start"] = "start"


class MoveEvent(Struct, tag_field="type", tag="event"):
    n: int
    seat: int
    by: By
    events: list[Json]
    text: list[str]
    move: Json | UnsetType = UNSET
    kind: Literal["move"] = "move"


class UndoEvent(Struct, tag_field="type", tag="event"):
    n: int
    seat: int
    back: int
    text: list[str]
    kind: Literal["undo"] = "undo"


class SeatEvent(Struct, tag_field="type", tag="event"):
    n: int
    seat: int
    text: list[str]
    kind: Literal["seat"] = "seat"


class SayEvent(Struct, tag_field="type", tag="event"):
    n: int
    seat: int
    text: str
    kind: Literal["say"] = "say"


class OverEvent(Struct, tag_field="type", tag="event"):
    n: int
    result: list[float]
    secret: str
    text: list[str]
    kind: Literal["over"] = "over"


EventMessage = StartEvent | MoveEvent | UndoEvent | SeatEvent | SayEvent | OverEvent


class Now(Struct, tag_field="type", tag="now"):
    n: int
    view: Json | None
    legal: list[LegalMove]
    prompt: Prompt
    waiting: list[int]
    undo: bool
    result: list[float] | None
    final: list[Final] | None
    clock: Json | None


class Ack(Struct, tag_field="type", tag="ack"):
    id: str
    n: int


class HintedMove(Struct):
    move: Json
    text: str
    share: float
    cost: float | None


class Hinted(Struct, tag_field="type", tag="hint"):
    id: str
    n: int
    own: bool
    looked: int
    moves: list[HintedMove]


class Refused(Struct, tag_field="type", tag="refused"):
    id: str | None
    code: str
    rule: str | None
    reason: str


class TableMessage(Struct, tag_field="type", tag="table"):
    table: Table


class Pong(Struct, tag_field="type", tag="pong"):
    pass


class Notice(Struct, tag_field="type", tag="notice"):
    reason: str | None


Outgoing = Welcome | EventMessage | Now | Ack | Hinted | Refused | TableMessage | Notice | Pong


class _Named(Struct):
    id: str | None = None


_incoming: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
_named = msgspec.json.Decoder(_Named)


def read(text: str | bytes) -> Incoming:
    """A message of a client; a refusal when it is none."""
    if isinstance(text, bytes):
        raise Refusal("malformed", "Messages are sent as text.")
    try:
        return _incoming.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise malformed(error) from None
    except RecursionError:
        raise Refusal("malformed", "This message is nested too deeply.") from None


def id_in(text: str | bytes) -> str | None:
    """The id of a message that cannot be read otherwise, so that its refusal finds its sender."""
    try:
        found = _named.decode(text).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if found is not None and len(found) <= 64 else None


def malformed(error: Exception) -> Refusal:
    what = "is not what the protocol asks for" if isinstance(error, msgspec.ValidationError) else "is not JSON"
    return Refusal("malformed", f"This message {what}: {error}.")


def refused(refusal: Refusal, id: str | None = None) -> Refused:
    return Refused(id, refusal.code, refusal.rule, refusal.reason)


def encode(message: Struct | list[Any]) -> bytes:
    return msgspec.json.encode(message)
