# compiled
"""A table: who sits where, the match, and its numbered events. It uses no socket and no store.

A table is defined by its records. To change it, get steps from `play`, `undo`, `seat` and so on, which change nothing
yet; store their records; then `apply` them. Loading a table does the same: `replay` gives the step of a stored record,
and `apply` makes it.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final, Literal

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice, seal
from grandtour.engine.events import Event
from grandtour.engine.game import Clock
from grandtour.engine.match import Change, Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK, State
from grandtour.players import PLAYERS, speakers, strength
from grandtour.players.names import bot_name
from grandtour.protocol import messages
from grandtour.protocol.messages import By
from grandtour.server.tables.clocks import MAX_LATE_MOVES, Clocks
from grandtour.server.tables.guide import bot_seed
from grandtour.server.tables.records import (
    FallbackReason,
    Made,
    Moved,
    Outage,
    Over,
    PauseChange,
    Paused,
    Record,
    Rematched,
    Said,
    SeatChange,
    Seated,
    SeatRecord,
    Started,
    Undone,
)

MAX_NAME_LENGTH: Final = 24
MIN_RATED_PEOPLE: Final = 2
"""The fewest people with whom a rated match can start."""
READY_MOVE: Final = {"do": "ready"}
"""The clock's move that starts the next part for everyone, in games that wait until all players are ready."""
DEFAULT_BOT: Final = next(iter(PLAYERS))


class Step:
    """A record to store, and its effect on the match: a new match, a change, or nothing."""

    def __init__(self, record: Record, change: Match | Change | None = None) -> None:
        self.record: Final = record
        self.change: Final = change

    @property
    def events(self) -> list[Event]:
        """The events of the match."""
        match self.change:
            case Match():
                return self.change.opening
            case Change():
                return self.change.events
            case _:
                return []


class Entry:
    """An event of the table, with the players' names at the time, and the match's `moment` after it."""

    def __init__(self, record: Record, events: list[Event], names: list[str], moment: int) -> None:
        self.record: Final = record
        self.events: Final = events
        self.names: Final = names
        self.moment: Final = moment


class Table:
    """The events of a table and the resulting state. `n` is the number of the last event."""

    def __init__(self, id: str, made: Made) -> None:
        self.id = id
        self.made = made
        self.game = catalogue.game(made.game)
        self.dice = bytes.fromhex(made.dice)
        self.seats = list(made.seats)
        self.since = [0] * len(made.seats)
        self._people = self._find_people()
        self.only_people = len(self._players()) == len(self.seats)
        """Whether all seats are people's who play themselves."""
        self.entries: list[Entry] = [Entry(made, [], self.names(), 0)]
        self.match: Match | None = None
        self.phase: messages.Phase = "waiting"
        self.result: list[float] | None = None
        self.rematch: Rematched | None = None
        self.clock: Clock | None = None
        """The game's running clock, as everyone sees it. Every clock that is started is a different dict."""
        self.clock_started = 0.0
        """When the game's clock was started, in seconds since the epoch."""
        self.clocks = Clocks(made.time, len(made.seats))
        self.waiting_since: dict[int, float] = {}
        """The seats that the match is waiting for, and since when."""
        self.bots_to_try: set[int] = set()
        """Seats that were freed during the match, and whose new bot has not moved yet. Nobody may take them."""
        self._paused_at = 0.0
        self._movers: list[tuple[int, By]] = []
        """For every move in the log: its seat, and who made it."""
        self._events_by_request: dict[tuple[int, str], int] = {}

    @classmethod
    def rebuild(cls, id: str, log: Iterable[Record]) -> "Table":
        """Rebuild a table from its records."""
        records = iter(log)
        first = next(records)
        if not isinstance(first, Made):
            raise ValueError(f"the first record of table {id} does not say how it was opened")
        table = cls(id, first)
        for record in records:
            table.apply(table.replay(record))
        return table

    @property
    def n(self) -> int:
        return len(self.entries) - 1

    def people(self) -> list[int]:
        """The seats of people, in the order in which they sat down."""
        return self._people

    def absent_seats(self) -> set[int]:
        """The seats whose last move was made by a bot because the player was away."""
        return {seat for seat, by in dict(self._movers).items() if by == "stand-in"}

    def stand_in_moves(self) -> set[int]:
        """The numbers, from 1, of the moves that a bot or the clock made in a person's seat. Seats that no person has
        played do not count."""
        people = {*self.people(), *(seat for seat, by in self._movers if by == "person")}
        return {n for n, (seat, by) in enumerate(self._movers, 1) if seat in people and by != "person"}

    @property
    def seal(self) -> str | None:
        return None if self.phase == "waiting" else seal(self.dice)

    @property
    def moment(self) -> int:
        """The moment of the match (see `Match`)."""
        return self.match.moment if self.match is not None else 0

    def names(self) -> list[str]:
        return [now.name or f"Seat {seat + 1}" for seat, now in enumerate(self.seats)]

    def seat_by_secret(self, secret: str) -> int:
        """The seat with this secret. After the host frees a seat, its secret is valid until somebody else sits down."""
        found = self.seat_by_key(hash_secret(secret))
        if found is None:
            raise Refusal("wrong-secret", "This link does not belong to a seat at this table.")
        return found

    def seat_by_key(self, key: str) -> int | None:
        """The seat whose secret has this hash."""
        found = None
        for seat, now in enumerate(self.seats):
            held = now.key or (now.owner.key if now.owner is not None and self.phase != "over" else None)
            if held is not None and secrets.compare_digest(held, key):
                found = seat
        return found

    def event_of_request(self, seat: int, id: str) -> int | None:
        """The number of the event that this seat's request has led to; None if there is none yet."""
        return self._events_by_request.get((seat, id))

    def play(
        self,
        seat: int,
        move: object,
        *,
        by: By,
        at: int | None = None,
        id: str | None = None,
        why: FallbackReason | None = None,
    ) -> list[Step]:
        """Steps for a move. `at` is the last event that the player had seen when deciding."""
        match = self._running()
        if at is not None and at > self.n:
            raise Refusal("malformed", f"There is no event {at} yet.")
        change = match.decide(seat, move, None if at is None else self.entries[at].moment)
        # The match has accepted the move, so it is a JSON object.
        assert isinstance(move, dict)
        steps = [Step(Moved(seat, move, by, id, why), change)]
        result = change.state.result()
        if result is not None:
            steps.append(Step(Over(result)))
        return steps

    def undo(self, seat: int, at: int, id: str) -> list[Step]:
        match = self._running()
        if self.made.rated or self.made.daily:
            raise Refusal("not-offered", "In rated matches and deals of the day no move is taken back.")
        if match.can_undo(seat) and not self.can_undo(seat):
            raise Refusal("not-legal", "The clock made that move, so it cannot be taken back.")
        if at > self.n or self.entries[at].moment != match.moment:
            raise Refusal("stale", "The game has moved on since then; look again.")
        return [Step(Undone(seat, id), match.decide_undo(seat))]

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take back the last move.

        It must be the seat's own move and not made by the clock. Rated matches and deals of the day have no undo."""
        if self.match is None or self.made.rated or self.made.daily or not self.match.can_undo(seat):
            return False
        return self._movers[-1][1] != "clock"

    def play_late(self, seat: int, move: object, why: FallbackReason | None = None) -> list[Step]:
        """Steps for the move of a seat whose time has run out. After `MAX_LATE_MOVES` of them in a row, a bot takes
        over the seat."""
        steps = self.play(seat, move, by="clock", why=why)
        now = self.seats[seat]
        if self.clocks.late_moves[seat] + 1 >= MAX_LATE_MOVES and not isinstance(steps[-1].record, Over):
            steps.append(Step(Seated(seat, SeatRecord(now.name, now.key, DEFAULT_BOT), "late")))
        return steps

    def pause(self, seat: int, on: bool, id: str) -> list[Step]:
        """Steps to ask for a pause, or to end it. It begins when all people who play agree."""
        self._running()
        clocks = self.clocks
        if clocks.control is None and self.clock is None and not clocks.paused:
            raise Refusal("not-offered", "No clock is running at this table, so there is nothing to pause.")
        if self.seats[seat].bot is not None:
            raise Refusal("wrong-seat", "A bot is playing for you; take your seat back first.")
        how: PauseChange
        if on:
            how = "agreed" if clocks.pause_wishes | {seat} >= self._players() else "asked"
            if clocks.paused or (how == "asked" and seat in clocks.pause_wishes):
                return []
        else:
            how = "resumed" if clocks.paused else "withdrew"
            if not clocks.paused and seat not in clocks.pause_wishes:
                return []
        return [Step(Paused(seat, how, id))]

    def say(self, seat: int, text: str, id: str) -> list[Step]:
        silent = self.game.silent(self.match.state) if self.match and self.phase == "playing" else None
        if silent and seat in silent["seats"]:
            raise Refusal("not-legal", silent["reason"], silent["rule"])
        said = "".join(char if char.isprintable() or char == "\n" else " " for char in text).strip()
        if not said:
            raise Refusal("malformed", "The message is empty.")
        return [Step(Said(seat, said, id))]

    def seat(
        self, seat: int, now: SeatRecord, how: SeatChange, *, id: str | None = None, by: int | None = None
    ) -> list[Step]:
        """Steps for a person or a bot sitting down. The match starts when no seat is open."""
        if self.phase == "over":
            raise Refusal("over", "The game is over.")
        steps = [Step(Seated(seat, now, how, id, by))]
        seats = [*self.seats[:seat], now, *self.seats[seat + 1 :]]
        if self.phase == "waiting" and not any(seat_kind(there) == "open" for there in seats):
            steps.append(self._start_match(Started()))
        return steps

    def reclaim(self, seat: int) -> list[Step]:
        """Steps for the former owner returning to a freed seat."""
        owner = self.seats[seat].owner
        assert owner is not None
        others = [now.name for number, now in enumerate(self.seats) if number != seat]
        now = SeatRecord(person_name(owner.name, others, seat), owner.key)
        return self.seat(seat, now, "sat" if self.phase == "waiting" else "back")

    def start(self, *, id: str | None = None, by: int | None = None) -> list[Step]:
        """Steps to start the match, with bots in the open seats. During a match: stop waiting for players who are not
        ready yet."""
        if self.phase != "waiting":
            if self.match is None or READY_MOVE not in self.match.legal(CLOCK):
                raise Refusal("not-legal", "The game has already begun.")
            return [Step(Moved(CLOCK, READY_MOVE, "clock", id, asked=by), self.match.decide(CLOCK, READY_MOVE))]
        if self.made.rated and len(self.people()) < MIN_RATED_PEOPLE:
            raise Refusal("bad-options", "A rated game needs two people: wait for another, or open one unrated.")
        steps: list[Step] = []
        names = [now.name for now in self.seats]
        for seat, now in enumerate(self.seats):
            if seat_kind(now) == "open":
                names[seat] = bot_name(names)
                steps.append(Step(Seated(seat, SeatRecord(names[seat], None, DEFAULT_BOT, now.owner), "bot")))
        return [*steps, self._start_match(Started(id, by))]

    def replay(self, record: Record) -> Step:
        """The step for a record from the store."""
        match record:
            case Started():
                return self._start_match(record)
            case Moved():
                return Step(record, self._running().decide(record.seat, record.move))
            case Undone():
                return Step(record, self._running().decide_undo(record.seat))
            case _:
                return Step(record)

    def apply(self, step: Step) -> None:
        """Apply a step whose record has been stored."""
        record, change = step.record, step.change
        if type(record) is Moved and isinstance(change, Change):
            self._apply_move(record, change)
            return
        if isinstance(change, Match):
            self.match = change
        elif change is not None:
            self._running().apply(change)
        names = self.entries[-1].names
        match record:
            case Undone():
                self._movers.pop()
            case Seated():
                if record.now.key != self.seats[record.seat].key:
                    self.since[record.seat] = self.n + 1
                    self._events_by_request = {
                        key: n for key, n in self._events_by_request.items() if key[0] != record.seat
                    }
                self.bots_to_try.discard(record.seat)
                if record.how == "free" and self.phase == "playing":
                    self.bots_to_try.add(record.seat)
                self.seats, _ = _seats_and_phase_after(record, self.seats, self.phase)
                names, self._people = self.names(), self._find_people()
                self.only_people = len(self._players()) == len(self.seats)
            case Started() | Over():
                _, self.phase = _seats_and_phase_after(record, self.seats, self.phase)
                if isinstance(record, Over):
                    self.result = record.result
            case Rematched():
                self.rematch = record
        self.entries.append(Entry(record, step.events, names, self.moment))
        if isinstance(record, (Started, Undone)):
            self._update_clock(record.time)
            self._update_waiting_since(record.seat if isinstance(record, Undone) else None, record.time)
            self._update_players_clocks(record)
        elif isinstance(record, (Seated, Paused, Outage)):
            self._update_players_clocks(record)
        self._note_request(record)

    def _apply_move(self, record: Moved, change: Change) -> None:
        """Apply a move, as nearly all records are. The fields of the record are read only once."""
        match = self._running()
        match.apply(change)
        seat, by, time, id = record.seat, record.by, record.time, record.id
        self._movers.append((seat, by))
        self.bots_to_try.discard(seat)
        self.entries.append(Entry(record, change.events, self.entries[-1].names, match.moment))
        self._update_clock(time)
        self._update_waiting_since(seat, time)
        clocks = self.clocks
        clocks.advance(time)
        if seat != CLOCK:
            clocks.late_moves[seat] = clocks.late_moves[seat] + 1 if by == "clock" else 0
        if clocks.control is not None:
            self._run_clocks(None if seat == CLOCK else seat, False)
        if id is not None:
            asked = record.asked
            self._events_by_request[seat if asked is None else asked, id] = self.n

    def _note_request(self, record: Record) -> None:
        """Remember which request led to the last event."""
        if isinstance(record, (Undone, Said, Paused, Rematched)):
            self._events_by_request[record.seat, record.id] = self.n
        elif isinstance(record, (Seated, Started)) and record.id is not None and record.by is not None:
            self._events_by_request[record.by, record.id] = self.n

    def bot_to_move(self, consulted: bool = False) -> tuple[int, str] | None:
        """The next bot to move, and its seat: a bot that wants to move out of turn, or that the game is waiting for.

        Bots that let people go first are skipped, unless the people have asked the bots (`consulted`).
        """
        if self.phase == "playing" and self.match is not None:
            bots = [now.bot for now in self.seats]
            if not any(bots):
                return None
            deferring = [] if consulted else self.deferring()
            for seat in [*speakers(self.game, self.match.state, bots), *self.match.waiting()]:
                bot = bots[seat] if seat != CLOCK else None
                if bot is not None and seat not in deferring:
                    return seat, strength(bot)
        return None

    def deferring(self) -> list[int]:
        """The bots' seats that could move now but let people go first."""
        if self.match is None:
            return []
        people = frozenset(seat for seat in self.people() if self.seats[seat].bot is None)
        bots = [seat for seat in self.match.waiting() if seat != CLOCK and self.seats[seat].bot is not None]
        return [seat for seat in bots if self.game.defers(self.match.state, seat, people)]

    def time_up(self) -> list[Step]:
        """Steps for the game's clock, which has run out."""
        return self.play(CLOCK, self._running().legal(CLOCK)[0], by="clock")

    def imagine(self, seat: int, seed: int | None = None) -> State:
        """A position that fits what this seat knows. It is all that a bot in this seat gets to see."""
        return self._running().state.imagine(seat, QuickDice(secrets.randbits(62) if seed is None else seed))

    def bot_seed(self, seat: int) -> int:
        """The seed of a bot's next decision: fixed in guided games and deals of the day, otherwise random."""
        if self.made.guided or self.made.daily:
            return bot_seed(self.dice, seat, sum(entry.seat == seat for entry in self._running().log))
        return secrets.randbits(62)

    def card_after(self, steps: Iterable[Step]) -> messages.Card:
        """The lobby's entry for the table after these steps."""
        seats, phase = self.seats, self.phase
        for step in steps:
            seats, phase = _seats_and_phase_after(step.record, seats, phase)
        made = iso_time(self.made.made)
        return messages.Card(
            self.id, self.game.name, self.game.title, _public_seats(seats, (), {}), phase, made, self.made.time
        )

    def info(
        self, here: Iterable[int] = (), host: int | None = None, away: Mapping[int, float] | None = None
    ) -> messages.Table:
        """The table as everyone may see it. `here` has the seats with a connected person, `away` the seconds for which
        the others have been away."""
        return messages.Table(
            self.id,
            self.game.name,
            self.game.title,
            _public_seats(self.seats, here, away or {}),
            self.phase,
            iso_time(self.made.made),
            self.made.time,
            options=self.made.options,
            public=self.made.public,
            host=host,
            seal=self.seal,
            result=self.result,
            hints=self.made.hints,
            patience=self.made.patience,
            guided=self.made.guided,
            branch=self.made.branch,
            rated=self.made.rated,
            ask=self.made.ask,
            quick=self.made.quick,
            daily=self.made.daily,
        )

    def _update_clock(self, now: float) -> None:
        """Update the game's clock after an event."""
        clock: Clock | None = None
        if self.phase == "playing" and self.match is not None and self.match.state.legal(CLOCK):
            clock = self.game.clock(self.match.state)
        if clock != self.clock:
            self.clock, self.clock_started = clock, now

    def _update_players_clocks(self, record: Started | Undone | Seated | Paused | Outage) -> None:
        """Update the players' clocks after an event that is not a move."""
        clocks = self.clocks
        if isinstance(record, Outage):
            clocks.skip(record.seconds)
        if isinstance(record, Paused) and record.how == "resumed":
            self.clock_started += max(0.0, record.time - self._paused_at)
        clocks.advance(record.time)
        mover: int | None = None
        match record:
            case Undone():
                mover = record.seat
            case Seated():
                clocks.late_moves[record.seat] = 0
                clocks.pause_wishes.discard(record.seat)
            case Paused():
                clocks.pause(record.seat, record.how)
                self._paused_at = record.time
        if clocks.control is not None:
            self._run_clocks(mover, isinstance(record, Undone))

    def _run_clocks(self, mover: int | None, undone: bool) -> None:
        """Let the clocks of those run for whom the match waits. They stop while the game's own clock runs."""
        timed = self.phase == "playing" and self.clock is None
        running = self._players().intersection(self.match.waiting()) if timed and self.match is not None else set()
        self.clocks.run(running, mover, undone)

    def _players(self) -> set[int]:
        """The seats of people who play themselves."""
        return {seat for seat, now in enumerate(self.seats) if now.key is not None and now.bot is None}

    def _find_people(self) -> list[int]:
        held = [seat for seat, now in enumerate(self.seats) if now.key is not None]
        return sorted(held, key=lambda seat: (self.since[seat], seat))

    def _update_waiting_since(self, mover: int | None, time: float) -> None:
        """Update since when the match has been waiting for each seat. For a seat that has just moved, it starts
        again."""
        before = self.waiting_since
        self.waiting_since = since = {}
        for seat in self.match.waiting() if self.match is not None else []:
            if seat != CLOCK:
                since[seat] = time if seat == mover else before.get(seat, time)

    def _running(self) -> Match:
        if self.match is None or self.phase == "waiting":
            raise Refusal("not-legal", "The game has not begun yet.")
        if self.phase == "over":
            raise Refusal("over", "The game is over.")
        return self.match

    def _start_match(self, record: Started) -> Step:
        return Step(record, Match(self.game, len(self.seats), self.made.options, self.dice, self.made.version))


def seat_kind(now: SeatRecord) -> Literal["open", "person", "bot"]:
    return "person" if now.key is not None else "bot" if now.bot is not None else "open"


def reserved_for(now: SeatRecord) -> str | None:
    """The name of the person for whom an open seat is reserved after a rematch was asked for."""
    return now.name if seat_kind(now) == "open" and now.owner is not None and now.name else None


def hash_secret(secret: str) -> str:
    """The hash of a seat's secret. The secret itself is not stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def one_line(wanted: str) -> str:
    """Text from a client, without unprintable characters."""
    visible = "".join(char if char.isprintable() else " " for char in wanted)
    return " ".join(visible.split())


def person_name(wanted: str, taken: Iterable[str], seat: int) -> str:
    """A person's name as it is shown: one line, limited in length, and unique at the table."""
    name = one_line(wanted)[:MAX_NAME_LENGTH].strip() or f"Player {seat + 1}"
    used = set(taken)
    number = 2
    while name in used:
        name = f"{name.removesuffix(f' {number - 1}')} {number}"
        number += 1
    return name


def _seats_and_phase_after(
    record: Record, seats: list[SeatRecord], phase: messages.Phase
) -> tuple[list[SeatRecord], messages.Phase]:
    """The seats and the phase of a table after a record."""
    match record:
        case Seated():
            return [*seats[: record.seat], record.now, *seats[record.seat + 1 :]], phase
        case Started():
            return seats, "playing"
        case Over():
            return seats, "over"
        case _:
            return seats, phase


def _public_seats(seats: list[SeatRecord], here: Iterable[int], away: Mapping[int, float]) -> list[messages.Seat]:
    present = set(here)
    return [
        messages.Seat(
            seat,
            now.name,
            seat_kind(now),
            strength(now.bot) if now.bot is not None else None,
            seat in present,
            away.get(seat),
            now.conceded,
        )
        for seat, now in enumerate(seats)
    ]


def iso_time(seconds: float) -> str:
    """A time in the format of the protocol."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
