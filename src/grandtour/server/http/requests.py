"""The bodies of HTTP requests and responses. `docs/protocol.md` explains them."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from grandtour.protocol.messages import Body, Card, Json, Number, Scalar, SeatNumber, Secret, TimeControl
from grandtour.server.tables.records import PATIENCE

PlayerName = Annotated[str, Meta(max_length=80)]


Picture = Literal[
    "compass",
    "luggage",
    "locomotive",
    "sailboat",
    "airplane",
    "bicycle",
    "camping",
    "camera",
    "fox",
    "owl",
    "cat-face",
    "panda",
    "penguin",
    "koala",
    "frog",
    "octopus",
    "parrot",
    "turtle",
    "hedgehog",
    "flamingo",
]
"""The pictures that a passport can have, by their names in the icon set."""


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
    rated: bool = False
    """Whether the match counts for ratings. There are no hints then, and no move is taken back."""
    ask: bool = False
    """Whether the host decides who takes over from a bot during the match."""
    passport: Secret | None = None
    """The secret of the device's passport, if it has one: the seat is then the passport's, too."""
    time: TimeControl | None = None
    """The players' clocks. With them, `patience` does not matter: the clock decides when a bot moves for someone."""


class WantedPlace(Body):
    name: PlayerName = ""
    seat: SeatNumber | None = None
    secret: Secret | None = None
    passport: Secret | None = None
    id: Annotated[str, Meta(min_length=16, max_length=64)] | None = None
    """A random text that only the client knows: sent again with the same one, a request gets the same seat."""


class WantedQuick(Body):
    name: PlayerName = ""
    passport: Secret | None = None


class WantedBranch(Body):
    step: Number
    """The step of the replay from which it is played on."""
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=64)] | None = None
    """Who plays the other seats."""
    name: PlayerName = ""
    alone: bool = False
    """Whether there are no bots: the player has all seats."""
    passport: Secret | None = None


class OpenedTable(Struct):
    table: str
    seat: int | None
    secret: str | None


class OpenedBranch(OpenedTable):
    secrets: list[str] = []
    """The secrets of all seats, if the player has all of them; otherwise empty."""


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


class WantedPassport(Body):
    name: PlayerName = ""
    picture: Picture = "compass"
    device: PlayerName = ""
    """What to call the device in the list of devices."""


class ShownPassport(Body):
    passport: Secret
    """The secret of the device."""


class ChangedPassport(Body):
    passport: Secret
    name: PlayerName | None = None
    picture: Picture | None = None
    public: bool | None = None
    """Whether everyone may see the profile."""


class PushKeys(Body):
    """How a browser takes notices, as `PushSubscription` has it."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class WantedNotices(Body):
    """What is left out stays."""

    passport: Secret
    on: bool | UnsetType = UNSET
    webhook: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
    """An address to which notices are sent as JSON; empty for none."""
    push: PushKeys | UnsetType | None = UNSET
    """This browser takes notices, or does not any more (null)."""


class NoticeSettings(Struct):
    """Which notices somebody gets, and where."""

    on: bool
    webhook: str
    key: str | None
    """The key with which a browser subscribes; null if this server cannot send to browsers."""
    here: bool
    """Whether this device takes notices."""
    devices: int
    """How many devices do."""


class UsedLink(Body):
    code: Secret
    device: PlayerName = ""


class NamedDevice(Body):
    passport: Secret
    device: Annotated[str, Meta(max_length=64)]


class DeviceInfo(Struct):
    id: str
    name: str
    made: str
    seen: str
    this: bool
    """Whether it is the one that asks."""


class Me(Struct):
    """A passport as its holder sees it."""

    id: str
    name: str
    picture: Picture
    public: bool
    devices: list[DeviceInfo]


class NewPassport(Struct):
    secret: str
    """The device's own; it is told once."""
    me: Me


class DeviceLink(Struct):
    code: str
    seconds: float
    """How long it is good, for one device."""


class Forgotten(Struct):
    """What was removed with a passport."""

    tables: int
    lines: int


class InvitedPerson(Body):
    passport: Secret
    to: Annotated[str, Meta(max_length=64)]
    """The id of somebody's passport with whom the inviter has played."""


class Invited(Struct):
    name: str


class Companion(Struct):
    """Somebody with whom the holder of a passport has played, and how often."""

    id: str
    name: str
    picture: Picture
    games: int


class MyTable(Struct):
    """A table at which the passport has a seat."""

    table: Card
    seat: int
    turn: bool
    """Whether the game waits for this seat."""
    left: float | None
    """The seconds left on this seat's clock while it runs."""
    result: list[float] | None
    replay: bool
    """Whether the match is still stored."""
    when: str
    """When the seat was taken or, of a finished match, when it ended."""


class Rated(Struct):
    """A rating (openskill), and the bot that plays like it: "easy +"; null where no bot was measured."""

    mu: float
    sigma: float
    games: int
    like: str | None


class Count(Struct):
    """How many things of a kind somebody had in a match, and usually has; null where it is not known."""

    kind: str
    mine: float
    usual: float | None
    """The mean of one's own earlier matches of this game with as many players."""
    bots: dict[str, float]
    """What bots have on average, by strength."""


class MatchReport(Struct):
    """What one's own seat did in a finished match."""

    seat: int
    rated: bool
    before: Rated | None
    """The rating before and after it; null if it was not rated."""
    after: Rated | None
    counts: list[Count]
    like: str | None = None
    """The bot that one plays like, going by this match alone; null if no measured bot took part."""


class PlayedGame(Struct):
    """What somebody has played of a game."""

    game: str
    title: str
    played: int
    won: int | None
    """Null where everyone plays together."""
    rating: Rated | None
    counts: list[Count]
    """What they had in their last match, and usually have, with as many players as mostly."""


class Opponent(Struct):
    """Somebody played with."""

    id: str | None
    """Null if their profile is private."""
    name: str
    picture: Picture
    games: int
    ahead: int
    """In how many they did better."""


class Profile(Struct):
    """What somebody has played, and with whom."""

    id: str
    name: str
    picture: Picture
    public: bool
    since: str
    games: list[PlayedGame]
    opponents: list[Opponent]
    """The most frequent first; in public, those whose own profile is public."""


class Invitation(Struct):
    """A table where somebody would like to see the holder of the passport."""

    table: Card
    by: str
    when: str


class MyGames(Struct):
    running: list[MyTable]
    """Those where it is one's turn first."""
    invitations: list[Invitation]
    finished: list[MyTable]


class WantedDaily(Body):
    passport: Secret


class WantedDay(Body):
    passport: Secret | None = None
    day: Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None = None
    """The day, by UTC; null for today."""


class DailyResult(Struct):
    """How somebody did with a deal of the day."""

    name: str
    rank: int
    """Among all people; 0 for the bots."""
    place: int
    """At their own table."""
    score: float | None
    share: float
    """Their share of the win."""
    table: str | None
    """The finished match; null while the day lasts, for others than oneself."""
    mine: bool


class DailyDeal(Struct):
    """The deal of a day of one game, and how people did."""

    game: str
    title: str
    day: str
    running: str | None
    """One's own table, if it is not over."""
    people: int
    mine: DailyResult | None
    par: DailyResult | None
    """What a normal bot makes of it; null until that is known."""
    results: list[DailyResult]
    """The best."""


class CurvePoint(Struct):
    n: int
    """The step of the replay."""
    chances: list[float]
    """The chance of each seat to win, from 0 to 1; in a team game, one number for the team."""


class Curve(Struct):
    """The chances over a finished match; `done` of `of` positions have been looked at so far."""

    done: int
    of: int
    over: bool
    points: list[CurvePoint]
    turns: list[int]
    """The steps at which the chances changed most."""


class WrittenNote(Body):
    passport: Secret
    step: Number
    """The step of the replay."""
    text: Annotated[str, Meta(max_length=500)]
    """Empty to delete it."""


class ReplayNote(Struct):
    """What a player wrote about a moment of their match."""

    step: int
    seat: int
    name: str
    text: str


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
