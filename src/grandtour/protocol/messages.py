"""Every message of the socket, in and out. `docs/protocol.md` says what they mean."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET as UNSET
from msgspec import Meta, Struct, UnsetType

from grandtour.engine.refusal import Refusal

Id = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=99)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Secret = Annotated[str, Meta(min_length=1, max_length=128)]
By = Literal["person", "bot", "clock", "stand-in"]
"""Who made a move. A stand-in is a bot that moved for a person who was away while the others waited. The clock moves
for itself, and for a person whose time has run out."""
Json = dict[str, Any]
Scalar = str | int | float | bool
Patch = list[list[Any]]
"""Edits of a view: `grandtour.protocol.changes`."""
View = Mapping[str, Any]
"""What a seat may see. Its shape is the game's own: `view_types.py` in the game's folder."""


def _with(**kinds: str) -> Meta:
    """For a record that may hold anything: the fields that it always has."""
    return Meta(
        extra_json_schema={
            "properties": {name: {"type": kind} for name, kind in kinds.items()},
            "required": list(kinds),
        }
    )


NamedMove = Annotated[Json, _with(do="string")]
"""A move as people name it: `{"do": "take", "pile": "Milano"}`."""
GameEvent = Annotated[Json, _with(event="string")]
"""What happened, as this client may see it: `{"event": "took", "seat": 1, …}`."""
Clock = Annotated[Json, _with(of="string", seconds="number", left="number")]
"""The clock: what runs out, the seconds it was set to, and the seconds left when this was sent."""


class Body(Struct, forbid_unknown_fields=True):
    """What a client sends."""


class Hello(Body, tag_field="type", tag="hello"):
    secret: Secret | None
    last: Number
    passport: Secret | None = None
    """The secret of the device's passport, for the seat that the passport has at this table."""
    name: Annotated[str, Meta(max_length=80)] = ""
    """What a spectator without a passport is called."""


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
    """Whether to ask for a pause, or to go on."""


class Rematch(Body, tag_field="type", tag="rematch"):
    id: Id
    game: Annotated[str, Meta(max_length=64)] | None = None
    """Another game for the same people; null plays the same one again, with the same options."""


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
    """The seat to give; null for none."""


class Ping(Body, tag_field="type", tag="ping"):
    pass


class Look(Body, tag_field="type", tag="look"):
    pass


class JoinRoom(Body, tag_field="type", tag="room"):
    id: Id
    room: Annotated[str, Meta(pattern="^[a-z0-9]{4,24}$")]
    lead: bool = False
    """Whether to take the lead."""


class Show(Body, tag_field="type", tag="show"):
    step: Annotated[int, Meta(ge=0, le=10**6)]
    viewer: Annotated[str, Meta(pattern="^(none|all|[0-9]{1,2})$")]
    """A seat, a spectator ("none"), or a spectator who sees all hands ("all")."""


class Visible(Body, tag_field="type", tag="visible"):
    on: bool
    """Whether somebody can see the page: to those who can, no notice is sent."""


class BotPause(Body, tag_field="type", tag="bot-pause"):
    on: bool
    """Whether bots pause before each move, so that people can follow."""


class Hint(Body, tag_field="type", tag="hint"):
    id: Id


Asked = Move | Undo | Bot | Free | Concede | Start | Consult | Say | Pause | Rematch
Incoming = Hello | Asked | Hint | AskSeat | Admit | Look | Visible | BotPause | JoinRoom | Show | Ping


class Seat(Struct):
    seat: int
    name: str
    kind: Literal["open", "person", "bot"]
    bot: str | None
    here: bool
    away: float | None = None
    """Seconds since a person's last connection ended."""
    conceded: bool = False
    """The person has given up this match, and a bot plays it to the end."""


Phase = Literal["waiting", "playing", "over"]


class TimeControl(Struct, frozen=True, forbid_unknown_fields=True):
    """How much time people have: for the whole match, with some added after each turn, or for each move."""

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
    """A match that is played on from a moment of a finished one: which table, which step of its replay, and the
    branch's name."""

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
    """Whether those who play here may ask for hints."""
    patience: float
    """Seconds after which a bot moves for someone who is away while others wait; 0 is never."""
    guided: bool = False
    """A guided first game, whose deal is known: it is never public."""
    branch: Branch | None = None
    rated: bool = False
    """Whether the match counts for ratings."""
    ask: bool = False
    """Whether the host decides who takes over from a bot during the match."""
    quick: bool = False
    """A quick match, whose free seats are for anyone, and after a moment for bots."""
    daily: str | None = None
    """The day whose deal this is."""


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
    """Null where no number decided: then there is an outcome in words."""
    won: bool
    lines: list[FinalLine]
    outcome: str | None = None


class Silence(Struct):
    """Seats that may not talk just now, and why: what a view may have as `silent`."""

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
    """Only for the seat that made it."""
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
    """The table where the same people play on."""
    game: str
    text: list[str]
    kind: Literal["rematch"] = "rematch"


class ClockEvent(Struct, tag_field="type", tag="event"):
    n: int
    seat: int | None
    """Who asked for a pause or ended it; null if the server was down, which nobody's time is charged for."""
    text: list[str]
    kind: Literal["clock"] = "clock"


EventMessage = StartEvent | MoveEvent | UndoEvent | SeatEvent | SayEvent | OverEvent | RematchEvent | ClockEvent


class Times(Struct):
    """The players' clocks when this was sent."""

    left: list[float]
    """Seconds left for each seat; empty if the players have no clocks of their own."""
    running: list[int]
    """The seats whose clocks run, unless they are paused."""
    paused: bool
    wishes: list[int]
    """The seats that would like to pause."""


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
    """The differences between the position after event `n` and the one after event `base`. What is left out has not
    changed."""

    n: int
    base: int
    view: Patch | UnsetType = UNSET
    legal: list[int | LegalMove] | UnsetType = UNSET
    """A number is the index of a move in the last list before this one that was not empty."""
    prompt: Prompt | UnsetType = UNSET
    waiting: list[int] | UnsetType = UNSET
    undo: bool | UnsetType = UNSET
    result: list[float] | UnsetType | None = UNSET
    final: list[Final] | UnsetType | None = UNSET
    clock: Clock | UnsetType | None = UNSET
    times: Times | UnsetType | None = UNSET


class HandPart(Struct):
    """Some lines about what only one seat could see."""

    title: str
    lines: list[str]


class OpenHand(Struct):
    """What a seat could see and spectators could not."""

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
    """Only where all hands are open."""
    note: str | UnsetType = UNSET
    """What was chosen, or that something was, where no event says what happened."""


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
    """A sentence on why, or "" if the game has none."""
    share: float
    cost: float | None


class Hinted(Struct, tag_field="type", tag="hint"):
    id: str
    n: int
    own: bool
    """Whether these are the choices of the game's own bot."""
    looked: int
    """How often the bot looked ahead."""
    moves: list[HintedMove]


class Asker(Struct):
    ask: int
    name: str


class Asking(Struct, tag_field="type", tag="asking"):
    """For the host: the spectators who would like a seat."""

    people: list[Asker]


class Admitted(Struct, tag_field="type", tag="admitted"):
    """The host's answer to a spectator; seat and secret are null if it is no."""

    seat: int | None
    secret: str | None
    text: str


class Spectators(Struct, tag_field="type", tag="spectators"):
    """How many watch, and the names of those who have one."""

    count: int
    names: list[str]


class GalleryLine(Struct):
    n: int
    name: str
    text: str


class GalleryMessage(Struct, tag_field="type", tag="gallery"):
    """What spectators said; for players only once the match is over."""

    lines: list[GalleryLine]


class RoomMessage(Struct, tag_field="type", tag="room"):
    """Who watches a finished match together, and what the leader looks at."""

    count: int
    names: list[str]
    leader: str
    leading: bool
    """Whether it is this client."""
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
"""Read a message that should be one of the protocol's, without a reason if it is not. Called for each move."""


def read(text: str | bytes) -> Incoming:
    """Read a message from a client, or refuse it."""
    if isinstance(text, bytes):
        raise Refusal("malformed", "Messages are sent as text.")
    try:
        return _incoming.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise malformed(error) from None
    except RecursionError:
        raise Refusal("malformed", "This message is nested too deeply.") from None


def id_in(text: str | bytes) -> str | None:
    """The id of a message that is otherwise unreadable, so that its refusal can name it."""
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


def replaced(message: Any, **values: Any) -> Any:
    """A copy of a message with other values. The original shares what has not changed."""
    return msgspec.structs.replace(message, **values)


def converted(value: Any, kind: Any) -> Any:
    """Plain JSON as messages of this kind."""
    return msgspec.convert(value, kind)


encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
"""A message, or a part of one, as JSON. It is called several times for each move, so no function is around it."""
