"""A table: who sits where, the match, and its numbered events. It knows no socket and no store.

A table is nothing but its records: `Table.rebuild` makes it from them again. To change it, ask for steps (`play`,
`undo`, `seat`, …), store their records, then `settle` them. Asking may already move the match on, so a table whose
steps could not be stored has to be rebuilt.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice, seal
from grandtour.engine.events import Event
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK, State
from grandtour.players import PLAYERS, speakers, strength
from grandtour.server import messages
from grandtour.server.records import By, How, Made, Moved, Over, Record, Said, Seated, SeatRecord, Started, Undone, Why

BOT_NAMES: Final = ("Nellie", "Marco", "Ida", "Phileas", "Amelia", "Ibn", "Freya", "Ferdinand")
"""Travellers, for bots that were given no name."""
LONGEST_NAME: Final = 24
Clock = dict[str, Any]
"""`of`: what runs out, `seconds`: how long it runs, and whatever tells one clock of a game from the next."""
READY: Final = {"do": "ready"}
"""A game that waits until everyone is ready lets its clock make this move for all."""
DEFAULT_BOT: Final = next(iter(PLAYERS))


class Step(NamedTuple):
    """A record that is to be stored, and what happened in the match."""

    record: Record
    events: list[Event]


class Entry(NamedTuple):
    """An event of the table. `names` are the players' at that time, `moment` is the match's after it."""

    record: Record
    events: list[Event]
    names: list[str]
    moment: int


class Table:
    """The events of a table and what they lead to. `n` is the number of the last one."""

    def __init__(self, id: str, made: Made) -> None:
        self.id = id
        self.made = made
        self.game = catalogue.game(made.game)
        self.dice = bytes.fromhex(made.dice)
        self.seats = list(made.seats)
        self.since = [0] * len(made.seats)
        self.entries: list[Entry] = [Entry(made, [], self.names(), 0)]
        self.match: Match | None = None
        self.phase: messages.Phase = "waiting"
        self.result: list[float] | None = None
        self.clock: Clock | None = None
        """The clock that runs now, as the game shows it to everyone; another one is another dict."""
        self.wound = 0.0
        """When that clock was set going, in seconds since the epoch."""
        self.asked: dict[int, float] = {}
        """The seats that the match waits for, each with the time since when."""
        self.untried: set[int] = set()
        """Seats that were given back during the match and whose bot has not moved yet."""
        self._makers: list[tuple[int, By]] = []
        """The seat of every move that stands, and who made it."""
        self._done: dict[tuple[int, str], int] = {}

    @classmethod
    def rebuild(cls, id: str, log: Iterable[Record]) -> "Table":
        """The table that these records lead to."""
        first, *rest = log
        if not isinstance(first, Made):
            raise ValueError(f"the log of table {id} does not begin with its making")
        table = cls(id, first)
        for record in rest:
            table.settle(Step(record, table._perform(record)))
        return table

    @property
    def n(self) -> int:
        return len(self.entries) - 1

    def people(self) -> list[int]:
        """The seats that people hold, in the order in which they sat down."""
        held = [seat for seat, now in enumerate(self.seats) if now.key is not None]
        return sorted(held, key=lambda seat: (self.since[seat], seat))

    def stood_in_for(self) -> set[int]:
        """The seats whose last move a bot made because their player was away."""
        return {seat for seat, by in dict(self._makers).items() if by == "stand-in"}

    def stand_ins(self) -> set[int]:
        """The moves in people's seats that somebody else made, counted from 1. Where no person has ever played there
        are none: all moves of a bot's seat are its own."""
        people = {*self.people(), *(seat for seat, by in self._makers if by == "person")}
        return {n for n, (seat, by) in enumerate(self._makers, 1) if seat in people and by != "person"}

    @property
    def seal(self) -> str | None:
        return None if self.phase == "waiting" else seal(self.dice)

    @property
    def moment(self) -> int:
        """The match's count of what has happened in it."""
        return self.match.moment if self.match is not None else 0

    def names(self) -> list[str]:
        return [now.name or f"Seat {seat + 1}" for seat, now in enumerate(self.seats)]

    def holder(self, secret: str) -> int:
        """The seat that this secret holds, or that it held and that nobody else has sat down in since."""
        key = key_of(secret)
        found = None
        for seat, now in enumerate(self.seats):
            held = now.key or (now.owner.key if now.owner is not None and self.phase != "over" else None)
            if held is not None and secrets.compare_digest(held, key):
                found = seat
        if found is None:
            raise Refusal("wrong-secret", "This link does not belong to a seat at this table.")
        return found

    def done(self, seat: int, id: str) -> int | None:
        """The event that a request of this seat has already led to."""
        return self._done.get((seat, id))

    def play(
        self, seat: int, move: object, *, by: By, at: int | None = None, id: str | None = None, why: Why | None = None
    ) -> list[Step]:
        """A move; `at` is the event after which it was decided."""
        match = self._running()
        if at is not None and at > self.n:
            raise Refusal("malformed", f"There is no event {at} yet.")
        events = match.play(seat, move, None if at is None else self.entries[at].moment)
        # The match has let it through, so it is an object.
        assert isinstance(move, dict)
        steps = [Step(Moved(seat, move, by, id, why), events)]
        result = match.result()
        if result is not None:
            steps.append(Step(Over(result), []))
        return steps

    def undo(self, seat: int, at: int, id: str) -> list[Step]:
        match = self._running()
        if at > self.n or self.entries[at].moment != match.moment:
            raise Refusal("stale", "The game has moved on since then; look again.")
        match.undo(seat)
        return [Step(Undone(seat, id), [])]

    def say(self, seat: int, text: str, id: str) -> list[Step]:
        silent = self.match and self.phase == "playing" and self.game.view(self.match.state, None).get("silent")
        if silent and seat in silent["seats"]:
            raise Refusal("not-legal", silent["reason"], silent["rule"])
        said = "".join(char if char.isprintable() or char == "\n" else " " for char in text).strip()
        if not said:
            raise Refusal("malformed", "There is nothing in that to say.")
        return [Step(Said(seat, said, id), [])]

    def seat(self, seat: int, now: SeatRecord, how: How, *, id: str | None = None, by: int | None = None) -> list[Step]:
        """Someone sits down, or a bot does; the match begins when no seat is open."""
        if self.phase == "over":
            raise Refusal("over", "The game is over.")
        steps = [Step(Seated(seat, now, how, id, by), [])]
        seats = [*self.seats[:seat], now, *self.seats[seat + 1 :]]
        if self.phase == "waiting" and not any(kind_of(there) == "open" for there in seats):
            steps += self._begin(Started())
        return steps

    def reclaim(self, seat: int) -> list[Step]:
        """The owner of a seat that was given back has come back to it."""
        owner = self.seats[seat].owner
        assert owner is not None
        others = [now.name for number, now in enumerate(self.seats) if number != seat]
        now = SeatRecord(person_name(owner.name, others, seat), owner.key)
        return self.seat(seat, now, "sat" if self.phase == "waiting" else "back")

    def start(self, *, id: str | None = None, by: int | None = None) -> list[Step]:
        """Begin; bots sit down on the open seats. In a match: do not wait for those who have yet to say that they are
        ready."""
        if self.phase != "waiting":
            if self.match is None or READY not in self.match.legal(CLOCK):
                raise Refusal("not-legal", "The game has already begun.")
            return [Step(Moved(CLOCK, READY, "clock", id, asked=by), self.match.play(CLOCK, READY))]
        steps: list[Step] = []
        names = [now.name for now in self.seats]
        for seat, now in enumerate(self.seats):
            if kind_of(now) == "open":
                names[seat] = bot_name(names)
                steps.append(Step(Seated(seat, SeatRecord(names[seat], None, DEFAULT_BOT, now.owner), "bot"), []))
        return steps + self._begin(Started(id, by))

    def settle(self, step: Step) -> None:
        """Take over a step whose record is stored."""
        record = step.record
        if isinstance(record, Seated) and record.now.key != self.seats[record.seat].key:
            self.since[record.seat] = self.n + 1
            self._done = {key: n for key, n in self._done.items() if key[0] != record.seat}
        elif isinstance(record, Over):
            self.result = record.result
        self._keep_count(record)
        self.seats, self.phase = _after(record, self.seats, self.phase)
        self.entries.append(Entry(record, step.events, self.names(), self.moment))
        if isinstance(record, Started | Moved | Undone):
            self._wind_clock(record.time)
            self._note_waiting(record)
        if isinstance(record, Moved) and record.id is not None and record.asked is not None:
            self._done[record.asked, record.id] = self.n
        elif isinstance(record, Moved | Undone | Said) and record.id is not None:
            self._done[record.seat, record.id] = self.n
        elif isinstance(record, Seated | Started) and record.id is not None and record.by is not None:
            self._done[record.by, record.id] = self.n

    def bot_to_move(self) -> tuple[int, str] | None:
        """A seat that a bot plays, and which bot: one that has something to say out of turn, or is waited for."""
        if self.phase == "playing" and self.match is not None:
            bots = [now.bot for now in self.seats]
            for seat in [*speakers(self.game, self.match.state, bots), *self.match.waiting()]:
                bot = bots[seat] if seat != CLOCK else None
                if bot is not None:
                    return seat, strength(bot)
        return None

    def time_up(self) -> list[Step]:
        """The clock's move when it has run out."""
        return self.play(CLOCK, self._running().legal(CLOCK)[0], by="clock")

    def imagined(self, seat: int) -> State:
        """The position as this seat may imagine it: all that a bot in it gets to know."""
        return self._running().state.imagine(seat, QuickDice(secrets.randbits(62)))

    def card_after(self, steps: Iterable[Step]) -> messages.Card:
        """What the lobby is to list once these steps are stored."""
        seats, phase = self.seats, self.phase
        for step in steps:
            seats, phase = _after(step.record, seats, phase)
        made = _time(self.made.made)
        return messages.Card(self.id, self.game.name, self.game.title, _public(seats, (), {}), phase, made)

    def info(
        self, here: Iterable[int] = (), host: int | None = None, away: Mapping[int, float] | None = None
    ) -> messages.Table:
        """The table as everyone may see it; `here` are the seats somebody is connected to, `away` how long others are
        known to have been away."""
        return messages.Table(
            self.id,
            self.game.name,
            self.game.title,
            _public(self.seats, here, away or {}),
            self.phase,
            _time(self.made.made),
            options=self.made.options,
            public=self.made.public,
            host=host,
            seal=self.seal,
            result=self.result,
            hints=self.made.hints,
            patience=self.made.patience,
        )

    def _wind_clock(self, now: float) -> None:
        """Look whether another clock runs since the last event."""
        clock: Clock | None = None
        if self.phase == "playing" and self.match is not None and self.match.state.legal(CLOCK):
            clock = self.game.view(self.match.state, None).get("clock")
        if clock != self.clock:
            self.clock, self.wound = clock, now

    def _note_waiting(self, record: Started | Moved | Undone) -> None:
        """Keep since when the match has waited for each seat. For one who has moved it begins to wait anew."""
        waiting = self.match.waiting() if self.match is not None else []
        mover = None if isinstance(record, Started) else record.seat
        self.asked = {
            seat: record.time if seat == mover else self.asked.get(seat, record.time)
            for seat in waiting
            if seat != CLOCK
        }

    def _keep_count(self, record: Record) -> None:
        """Keep who made which move, and whether the bot of a seat that was given back has moved."""
        match record:
            case Moved():
                self._makers.append((record.seat, record.by))
                self.untried.discard(record.seat)
            case Undone():
                self._makers.pop()
            case Seated():
                self.untried.discard(record.seat)
                if record.how == "free" and self.phase == "playing":
                    self.untried.add(record.seat)

    def _running(self) -> Match:
        if self.match is None or self.phase == "waiting":
            raise Refusal("not-legal", "The game has not begun yet.")
        if self.phase == "over":
            raise Refusal("over", "The game is over.")
        return self.match

    def _begin(self, record: Started) -> list[Step]:
        self.match = self._new_match()
        return [Step(record, self.match.opening)]

    def _new_match(self) -> Match:
        return Match(self.game, len(self.seats), self.made.options, self.dice, self.made.version)

    def _perform(self, record: Record) -> list[Event]:
        """Make a stored record happen in the match again."""
        if isinstance(record, Started):
            self.match = self._new_match()
            return self.match.opening
        if isinstance(record, Moved):
            return self._running().play(record.seat, record.move)
        if isinstance(record, Undone):
            self._running().undo(record.seat)
        return []


def kind_of(now: SeatRecord) -> Literal["open", "person", "bot"]:
    return "person" if now.key is not None else "bot" if now.bot is not None else "open"


def key_of(secret: str) -> str:
    """What is stored of a seat's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def bot_name(taken: Iterable[str]) -> str:
    """A name for a bot that nobody at the table has yet."""
    used = set(taken)
    return next((name for name in BOT_NAMES if name not in used), "Bot")


def person_name(wanted: str, taken: Iterable[str], seat: int) -> str:
    """The name as it is shown: one line, not too long, and unlike the others at the table."""
    visible = "".join(char if char.isprintable() else " " for char in wanted)
    name = " ".join(visible.split())[:LONGEST_NAME].strip() or f"Player {seat + 1}"
    used = set(taken)
    number = 2
    while name in used:
        name = f"{name.removesuffix(f' {number - 1}')} {number}"
        number += 1
    return name


def _after(record: Record, seats: list[SeatRecord], phase: messages.Phase) -> tuple[list[SeatRecord], messages.Phase]:
    """Who sits where after a record, and how far the table is."""
    match record:
        case Seated():
            return [*seats[: record.seat], record.now, *seats[record.seat + 1 :]], phase
        case Started():
            return seats, "playing"
        case Over():
            return seats, "over"
        case _:
            return seats, phase


def _public(seats: list[SeatRecord], here: Iterable[int], away: Mapping[int, float]) -> list[messages.Seat]:
    present = set(here)
    return [
        messages.Seat(
            seat,
            now.name,
            kind_of(now),
            strength(now.bot) if now.bot is not None else None,
            seat in present,
            away.get(seat),
        )
        for seat, now in enumerate(seats)
    ]


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
