"""All messages of the socket, incoming and outgoing. `docs/protocol.md` explains them."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET as UNSET
from msgspec import Meta, Struct, UnsetType

from grandtour.engine.json_encoder import encode as encode
from grandtour.engine.refusal import Refusal

Id = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=99)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Secret = Annotated[str, Meta(min_length=1, max_length=128)]
By = Literal["person", "bot", "clock", "stand-in"]
"""Who made a move. A stand-in is a bot that moves for a person who is away while others wait. The clock makes the
clock's own moves, and moves for a person whose time has run out."""
Json = dict[str, Any]
Scalar = str | int | float | bool
Patch = list[list[Any]]
"""The edits of a view. `grandtour.protocol.patch` describes them."""
View = Mapping[str, Any]
"""What a seat may see. Each game declares the type of its views in `view_types.py`."""


def _with_fields(**kinds: str) -> Meta:
    """The JSON schema of an object that may have any fields, and always has these."""
    return Meta(
        extra_json_schema={
            "properties": {name: {"type": kind} for name, kind in kinds.items()},
            "required": list(kinds),
        }
    )


NamedMove = Annotated[Json, _with_fields(do="string")]
"""A move by name: `{"do": "take", "pile": "Milano"}`."""
GameEvent = Annotated[Json, _with_fields(event="string")]
"""An event of the game, as this client may see it: `{"event": "took", "seat": 1, …}`."""
Clock = Annotated[Json, _with_fields(of="string", seconds="number", left="number")]
"""The game's clock: what it times, the seconds it was set to, and the seconds left when this was sent."""


class Body(Struct, forbid_unknown_fields=True):
    """The base class of what clients send. Unknown fields are refused."""


class Hello(Body, tag_field="type", tag="hello"):
    secret: Secret | None
    last: Number
    passport: Secret | None = None
    """The secret of the device's passport, for the seat that the passport has at this table."""
    name: Annotated[str, Meta(max_length=80)] = ""
    """The name of a spectator who has no passport."""


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


class Concede(Body, tag_field="type", tag="concede"):
    id: Id


class Start(Body, tag_field="type", tag="start"):
    id: Id


class Pause(Body, tag_field="type", tag="pause"):
    id: Id
    on: bool
    """True asks for a pause; false ends it, or withdraws the request."""


class Rematch(Body, tag_field="type", tag="rematch"):
    id: Id
    game: Annotated[str, Meta(max_length=64)] | None = None
    """Another game for the same people; null means the same game with the same options."""


class Consult(Body, tag_field="type", tag="consult"):
    id: Id


class Say(Body, tag_field="type", tag="say"):
    id: Id
    text: Annotated[str, Meta(min_length=1, max_length=500)]


class AskSeat(Body, tag_field="type", tag="ask-seat"):
    id: Id
    name: Annotated[str, Meta(max_length=80)] = ""


class Admit(Body, tag_field="type", tag="admit"):
    id: Id
    ask: Number
    seat: SeatNumber | None
    """The seat that the spectator gets; null declines the request."""


class Ping(Body, tag_field="type", tag="ping"):
    pass


class Look(Body, tag_field="type", tag="look"):
    pass


class JoinRoom(Body, tag_field="type", tag="room"):
    id: Id
    room: Annotated[str, Meta(pattern="^[a-z0-9]{4,24}$")]
    lead: bool = False
    """Whether this client becomes the leader."""


class Show(Body, tag_field="type", tag="show"):
    step: Annotated[int, Meta(ge=0, le=10**6)]
    viewer: Annotated[str, Meta(pattern="^(none|all|[0-9]{1,2})$")]
    """A seat, a spectator ("none"), or a spectator who sees all hands ("all")."""


class Visible(Body, tag_field="type", tag="visible"):
    on: bool
    """Whether the page is visible. People who can see the page get no notices about this table."""


class BotPause(Body, tag_field="type", tag="bot-pause"):
    on: bool
    """Whether bots pause before each move, so that people can follow."""


class Hint(Body, tag_field="type", tag="hint"):
    id: Id


Acknowledged = Move | Undo | Bot | Free | Concede | Start | Consult | Say | Pause | Rematch
"""The messages to which the server responds with `ack` or `refused`."""
Incoming = Hello | Acknowledged | Hint | AskSeat | Admit | Look | Visible | BotPause | JoinRoom | Show | Ping


class Seat(Struct):
    seat: int
    name: str
    kind: Literal["open", "person", "bot"]
    bot: str | None
    here: bool
    away: float | None = None
    """Seconds since a person's last connection ended."""
    conceded: bool = False
    """Whether the person has conceded, so that a bot plays the match to its end."""


Phase = Literal["waiting", "playing", "over"]


class TimeControl(Struct, frozen=True, forbid_unknown_fields=True):
    """The players' clocks: time for the whole match, with some added after each turn, or time for each move."""

    kind: Literal["match", "move"]
    seconds: float
    added: float = 0.0


class Card(Struct):
    """A table as the lobby lists it."""

    table: str
    game: str
    title: str
    seats: list[Seat]
    state: Phase
    made: str
    time: TimeControl | None = None
    """The players' clocks; null if there are none."""


class Branch(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a branch of a finished match started: the table, the step of its replay, and the name of the branch."""

    table: str
    step: int
    name: str


class Table(Card, kw_only=True):
    options: dict[str, Scalar]
    public: bool
    host: int | None
    seal: str | None
    result: list[float] | None
    hints: bool
    """Whether players may ask for hints."""
    patience: float
    """Seconds after which a bot moves for somebody who is away while others wait; 0 means never."""
    guided: bool = False
    """Whether this is a guided first game. It is never public, because its dice are known."""
    branch: Branch | None = None
    rated: bool = False
    """Whether the match counts for ratings."""
    ask: bool = False
    """Whether the host decides who takes over from a bot during the match."""
    quick: bool = False
    """Whether this is a quick match. Anyone can take a free seat; after a moment, bots take them."""
    daily: str | None = None
    """The day, if this is a deal of the day."""


class Prompt(Struct):
    text: str
    rules: list[str]


class LegalMove(Struct):
    move: NamedMove
    text: str


class FinalLine(Struct):
    label: str
    value: Scalar


class Final(Struct):
    seat: int
    score: int | float | None
    """Null if the game has no score; then there is an outcome in words."""
    won: bool
    lines: list[FinalLine]
    outcome: str | None = None


class Silence(Struct):
    """The seats that may not chat at the moment, and why. A view may have it as `silent`."""

    seats: list[int]
    rule: str | None
    reason: str


class Welcome(Struct, tag_field="type", tag="welcome"):
    table: Table
    seat: int | None
    last: int


class StartEvent(Struct, tag_field="type", tag="event"):
    n: int
    events: list[GameEvent]
    text: list[str]
    seal: str
    kind: Literal["start"] = "start"


class MoveEvent(Struct, tag_field="type", tag="event"):
    n: int
    seat: int
    by: By
    events: list[GameEvent]
    text: list[str]
    move: NamedMove | UnsetType = UNSET
    """Sent only to the seat that made the move."""
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


class RematchEvent(Struct, tag_field="type", tag="event"):
    n: int
    seat: int
    table: str
    """The table of the rematch."""
    game: str
    text: list[str]
    kind: Literal["rematch"] = "rematch"


class ClockEvent(Struct, tag_field="type", tag="event"):
    n: int
    seat: int | None
    """Who asked for a pause or ended it; null for an outage of the server, which costs no player time."""
    text: list[str]
    kind: Literal["clock"] = "clock"


EventMessage = StartEvent | MoveEvent | UndoEvent | SeatEvent | SayEvent | OverEvent | RematchEvent | ClockEvent


class Times(Struct):
    """The players' clocks when this was sent."""

    left: list[float]
    """Seconds left for each seat; empty if the players have no clocks."""
    running: list[int]
    """The seats whose clocks are running, unless they are paused."""
    paused: bool
    wishes: list[int]
    """The seats that have asked for a pause."""


class Now(Struct, tag_field="type", tag="now"):
    n: int
    view: View | None
    legal: list[LegalMove]
    prompt: Prompt
    waiting: list[int]
    undo: bool
    result: list[float] | None
    final: list[Final] | None
    clock: Clock | None
    times: Times | None = None


class Change(Struct, tag_field="type", tag="change"):
    """The differences between the position after event `base` and the one after event `n`. Fields that are left out
    have not changed."""

    n: int
    base: int
    view: Patch | UnsetType = UNSET
    legal: list[int | LegalMove] | UnsetType = UNSET
    """A number is the index of a move in the client's last list of moves that was not empty."""
    prompt: Prompt | UnsetType = UNSET
    waiting: list[int] | UnsetType = UNSET
    undo: bool | UnsetType = UNSET
    result: list[float] | UnsetType | None = UNSET
    final: list[Final] | UnsetType | None = UNSET
    clock: Clock | UnsetType | None = UNSET
    times: Times | UnsetType | None = UNSET


class HandPart(Struct):
    """Lines about things that only one seat could see."""

    title: str
    lines: list[str]


class OpenHand(Struct):
    """The things that a seat could see and spectators could not."""

    seat: int
    parts: list[HandPart]


class ReplayStep(Struct):
    n: int
    seat: int | None
    move: NamedMove | None
    events: list[GameEvent]
    text: list[str]
    view: View
    prompt: Prompt
    hands: list[OpenHand] | UnsetType = UNSET
    """Only if all hands are shown."""
    note: str | UnsetType = UNSET
    """If no event describes the move: the choice, or that a hidden choice was made."""


class Replay(Struct):
    game: str
    options: dict[str, Scalar]
    names: list[str]
    seal: str | None
    result: list[float] | None
    final: list[Final] | None
    steps: list[ReplayStep]


class Ack(Struct, tag_field="type", tag="ack"):
    id: str
    n: int


class HintedMove(Struct):
    move: NamedMove
    text: str
    why: str
    """A sentence on what the move is good for, or "" if the game has none."""
    share: float
    cost: float | None


class Hinted(Struct, tag_field="type", tag="hint"):
    id: str
    n: int
    own: bool
    """Whether the game's own bot decided, because a search is no help here."""
    looked: int
    """The number of iterations of the search or, with `own`, of imagined worlds."""
    moves: list[HintedMove]


class Asker(Struct):
    ask: int
    name: str


class Asking(Struct, tag_field="type", tag="asking"):
    """For the host: the spectators who have asked for a seat."""

    people: list[Asker]


class Admitted(Struct, tag_field="type", tag="admitted"):
    """The host's answer to a spectator. If the host declined, seat and secret are null."""

    seat: int | None
    secret: str | None
    text: str


class Spectators(Struct, tag_field="type", tag="spectators"):
    """The number of spectators, and the names of those who have one."""

    count: int
    names: list[str]


class GalleryLine(Struct):
    n: int
    name: str
    text: str


class GalleryMessage(Struct, tag_field="type", tag="gallery"):
    """The chat of spectators. Players get it only after the match."""

    lines: list[GalleryLine]


class RoomMessage(Struct, tag_field="type", tag="room"):
    """The people who watch a replay together, and what the leader looks at."""

    count: int
    names: list[str]
    leader: str
    leading: bool
    """Whether this client is the leader."""
    step: int
    viewer: str


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


Outgoing = (
    Welcome
    | EventMessage
    | Now
    | Change
    | Ack
    | Hinted
    | Asking
    | Admitted
    | Spectators
    | GalleryMessage
    | RoomMessage
    | Refused
    | TableMessage
    | Notice
    | Pong
)


class _Named(Struct):
    id: str | None = None


_incoming: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
_named = msgspec.json.Decoder(_Named)


decode: Callable[[str], Incoming] = _incoming.decode
"""Decode a client's message, or raise an error of msgspec. It is called for each move, so no function is around it;
`read` raises a refusal instead."""


def read(text: str | bytes) -> Incoming:
    """Decode a client's message. Refuses one that does not follow the protocol."""
    if isinstance(text, bytes):
        raise Refusal("malformed", "Messages are sent as text.")
    try:
        return _incoming.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise malformed(error) from None
    except RecursionError:
        raise Refusal("malformed", "This message is nested too deeply.") from None


def id_in(text: str | bytes) -> str | None:
    """The id of a malformed message, for its refusal; None if it has none."""
    try:
        found = _named.decode(text).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if found is not None and len(found) <= 64 else None


def malformed(error: Exception) -> Refusal:
    problem = "does not follow the protocol" if isinstance(error, msgspec.ValidationError) else "is not JSON"
    return Refusal("malformed", f"This message {problem}: {error}.")


def refused(refusal: Refusal, id: str | None = None) -> Refused:
    return Refused(id, refusal.code, refusal.rule, refusal.reason)


def replace(message: Any, **values: Any) -> Any:
    """A copy of a message with some fields replaced."""
    return msgspec.structs.replace(message, **values)


def convert(value: Any, kind: Any) -> Any:
    """Convert decoded JSON to messages of this type."""
    return msgspec.convert(value, kind)
