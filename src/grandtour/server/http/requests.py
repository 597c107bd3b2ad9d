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
    """Whether this is a guided first game. It has one seat here, yours; the guide sets the bots, the options and the
    dice."""
    rated: bool = False
    """Whether the match counts for ratings. A rated match has no hints and no undo."""
    ask: bool = False
    """Whether the host decides who takes over from a bot during the match."""
    passport: Secret | None = None
    """The secret of the device's passport, if it has one. The seat is then added to the passport."""
    time: TimeControl | None = None
    """The players' clocks. With them, `patience` does not matter: the clock decides when a bot moves for someone."""


class WantedPlace(Body):
    name: PlayerName = ""
    seat: SeatNumber | None = None
    secret: Secret | None = None
    passport: Secret | None = None
    id: Annotated[str, Meta(min_length=16, max_length=64)] | None = None
    """A random text that only the client knows. If the client repeats a request with the same text, it gets the same
    seat."""


class WantedQuick(Body):
    name: PlayerName = ""
    passport: Secret | None = None


class WantedBranch(Body):
    step: Number
    """The step of the replay from which the branch continues."""
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=64)] | None = None
    """The bot that plays the other seats."""
    name: PlayerName = ""
    alone: bool = False
    """Whether the player plays all seats, without bots."""
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
    """The value to suggest to one person who plays with bots."""
    choices: list[Scalar]
    words: list[str]
    """How each choice reads."""


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
    """A short note of a guided game. Notes are shown in order. A note whose moment does not come is skipped."""

    text: str
    at: list[str]
    """The anchors on the page that it points at."""
    when: Json | None = None
    """Part of a move. The note is shown when such a move is legal; if null, after the note before it."""
    until: Json | None = None
    """Part of a move. The note stays until the player has made such a move; if null, until it has been read."""


class Guide(Struct, forbid_unknown_fields=True):
    """A guided first game: the players, the dice, and the notes that explain the game."""

    deal: str
    """Any text. The dice of the match are derived from it."""
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
    """The turning points of a seat in a finished match. So far, `done` of `of` decisions have been reviewed."""

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
    """A browser's Web Push subscription, with the names of JavaScript's `PushSubscription`."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class WantedNotices(Body):
    """Changes of the notice settings. Those that are left out stay as they are."""

    passport: Secret
    on: bool | UnsetType = UNSET
    webhook: Annotated[str, Meta(max_length=1000)] | UnsetType = UNSET
    """An address to which notices are sent as JSON; empty for none."""
    push: PushKeys | UnsetType | None = UNSET
    """The subscription of this browser; null ends it."""


class NoticeSettings(Struct):
    """Somebody's notice settings."""

    on: bool
    webhook: str
    key: str | None
    """The key with which a browser subscribes; null if this server cannot send to browsers."""
    here: bool
    """Whether this device gets notices."""
    devices: int
    """The number of devices that get notices."""


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
    """Whether it is the device that sent the request."""


class Me(Struct):
    """A passport as its holder sees it."""

    id: str
    name: str
    picture: Picture
    public: bool
    devices: list[DeviceInfo]


class NewPassport(Struct):
    secret: str
    """The secret of the device. It is sent only in this response."""
    me: Me


class DeviceLink(Struct):
    code: str
    seconds: float
    """The number of seconds for which one device can use it."""


class Forgotten(Struct):
    """The number of tables and chat lines from which a person was removed."""

    tables: int
    lines: int


class InvitedPerson(Body):
    passport: Secret
    to: Annotated[str, Meta(max_length=64)]
    """The id of the passport of somebody with whom the inviter has played."""


class Invited(Struct):
    name: str


class Companion(Struct):
    """Somebody with whom the holder of a passport has played, and the number of their matches."""

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
    """The time at which the seat was taken or, for a finished match, the time at which it ended."""


class Rated(Struct):
    """A rating (openskill), and the bot that plays at this level, such as "easy +"; null if no bot was measured."""

    mu: float
    sigma: float
    games: int
    like: str | None


class Count(Struct):
    """One of somebody's figures in a match, such as the number of round trips, and their usual figure."""

    kind: str
    mine: float
    usual: float | None
    """The mean of their earlier matches of this game with the same number of players; null if there are none."""
    bots: dict[str, float]
    """The means of bots, by strength."""


class MatchReport(Struct):
    """A player's figures in a finished match."""

    seat: int
    rated: bool
    before: Rated | None
    """The player's rating before the match, and after it; null if it was not rated."""
    after: Rated | None
    counts: list[Count]
    like: str | None = None
    """The bot that the player plays like, judged by this match alone; null if no measured bot took part."""


class PlayedGame(Struct):
    """What somebody has played of a game."""

    game: str
    title: str
    played: int
    won: int | None
    """Null in games in which everyone plays together."""
    rating: Rated | None
    counts: list[Count]
    """The figures of their last match and their usual figures, with their most frequent number of players."""


class Opponent(Struct):
    """Somebody with whom the owner of a profile has played."""

    id: str | None
    """Null if their profile is private."""
    name: str
    picture: Picture
    games: int
    ahead: int
    """The number of games in which they did better than the owner."""


class Profile(Struct):
    """The games that somebody has played, and their opponents."""

    id: str
    name: str
    picture: Picture
    public: bool
    since: str
    games: list[PlayedGame]
    opponents: list[Opponent]
    """The most frequent first. Others see only those opponents whose own profiles are public."""


class Invitation(Struct):
    """An invitation of the holder of a passport to a table."""

    table: Card
    by: str
    when: str


class MyGames(Struct):
    running: list[MyTable]
    """Tables at which it is the holder's turn come first."""
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
    """The rank among all people; 0 for the bots."""
    place: int
    """The rank at their own table."""
    score: float | None
    share: float
    """Their share of the win."""
    table: str | None
    """The finished match. Until the day is over, null for matches of other people."""
    mine: bool


class DailyDeal(Struct):
    """The deal of a day of one game, and how people did."""

    game: str
    title: str
    day: str
    running: str | None
    """The holder's own table, if its match is not over."""
    people: int
    mine: DailyResult | None
    par: DailyResult | None
    """The result of a normal bot; null until it is known."""
    results: list[DailyResult]
    """The best results."""


class CurvePoint(Struct):
    n: int
    """The step of the replay."""
    chances: list[float]
    """The chance of each seat to win, from 0 to 1; in a team game, one number for the team."""


class Curve(Struct):
    """The chances over a finished match. So far, `done` of `of` positions have been examined."""

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
    """A player's note about a moment of their match."""

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
