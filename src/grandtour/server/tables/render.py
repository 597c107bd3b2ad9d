# compiled
"""The messages of a table as one seat or a spectator may see them.

Sentences about the game come from `grandtour.protocol`. Those about the table are written here.
"""

from collections.abc import Sequence
from typing import Any, Final

from librt.strings import BytesWriter

from grandtour.engine import catalogue
from grandtour.engine.dice import seal
from grandtour.engine.edits import encode
from grandtour.engine.events import Event
from grandtour.engine.game import Clock
from grandtour.engine.state import CLOCK, State
from grandtour.engine.words import join_and, with_names
from grandtour.players.review import Suggestion
from grandtour.protocol import messages
from grandtour.protocol.messages import UNSET, By, EventMessage, HintedMove, Now
from grandtour.protocol.patch import Shared, encoded_number, encoded_text
from grandtour.protocol.position import (
    NO_MOVES,
    LegalMoves,
    Position,
    ViewerPrompt,
    change_between,
    final_of,
    prompt_template,
    sentences,
    shown_events,
    worded,
    words_key,
)
from grandtour.server.tables.records import Made, Moved, Outage, Over, Paused, Rematched, Said, Seated, Started, Undone
from grandtour.server.tables.table import MIN_RATED_PEOPLE, Entry, Table, reserved_for, seat_kind

FALLBACK_TEXTS: Final = {
    "late": "The bot thought too long, so it made a random move.",
    "failed": "The bot found no move, so it made a random one.",
    "hasty": "The bot had no time to think ahead, so it played like a normal bot.",
}


BOT_PLAYS_PROMPT: Final[dict[str, Any]] = {"text": "A bot plays for you.", "rules": []}


def hinted_move(table: Table, imagined: State, suggestion: Suggestion) -> HintedMove:
    """A move that a bot has considered, in words. `imagined` is the position that it considered."""
    names = table.names()
    move = table.game.moves.name(suggestion.move)
    text = with_names(table.game.describe_move(imagined, move), names)
    cost = None if suggestion.cost is None else round(suggestion.cost, 3)
    return HintedMove(move, text, with_names(suggestion.why, names), round(suggestion.share, 3), cost)


def event_message(table: Table, n: int, seat: int | None) -> EventMessage:
    """Event n as this seat may see it. Seat None is a spectator."""
    entry = table.entries[n]
    record = entry.record
    match record:
        case Moved():
            shown = shown_events(entry.events, seat)
            text = _moved(table, entry, record, record.by, shown, seat)
            own = record.move if seat == record.seat else UNSET
            return messages.MoveEvent(n, record.seat, record.by, shown, text, own)
        case Started():
            shown = shown_events(entry.events, seat)
            text = sentences(table.game, shown, entry.names, seat)
            return messages.StartEvent(n, shown, text, seal(table.dice))
        case Undone():
            who = "You take" if seat == record.seat else f"{entry.names[record.seat]} takes"
            return messages.UndoEvent(n, record.seat, 1, [f"{who} back a move."])
        case Seated():
            return messages.SeatEvent(n, record.seat, [_seated(record, entry, seat)])
        case Said():
            return messages.SayEvent(n, record.seat, record.text)
        case Over():
            text = ["The game is over, and the secret of the shuffle is public."]
            gone = [who for who, now in enumerate(table.seats) if now.conceded]
            text += [_conceded(entry.names[who], who == seat) for who in gone]
            return messages.OverEvent(n, record.result, table.dice.hex(), text)
        case Rematched():
            who = "You ask" if seat == record.seat else f"{entry.names[record.seat]} asks"
            what = "a rematch" if record.game == table.made.game else f"a game of {catalogue.game(record.game).title}"
            return messages.RematchEvent(n, record.seat, record.table, record.game, [f"{who} for {what}."])
        case Paused():
            return messages.ClockEvent(n, record.seat, [_paused(record, entry, seat)])
        case Outage():
            return messages.ClockEvent(n, None, ["The server was down; nobody's clock is charged for that time."])
        case Made():
            raise ValueError("the first record has no event message: the welcome describes the table")


class MoveMessages:
    """The encoded message of a move for everyone: the same as from `event_message`, but faster. Most clients get the
    same message, which is encoded once."""

    def __init__(self, table: Table, n: int, record: Moved) -> None:
        self._table: Final = table
        self._n: Final = n
        self._record: Final = record
        self._seat: Final = record.seat
        self._by: Final = record.by
        self._entry: Final = table.entries[n]
        self._public: list[Event] | None = None
        self._events = b""
        self._text: list[str] = []
        self._public_message = b""

    def encoded(self, seat: int | None) -> bytes:
        """The message as this seat may see it."""
        if seat is not None and self._knows_more(seat):
            shown = shown_events(self._entry.events, seat)
            text = _moved(self._table, self._entry, self._record, self._by, shown, seat)
            return self._encoded(encode(shown), text, seat == self._seat)
        if self._public is None:
            self._public = shown_events(self._entry.events, None)
            self._events = encode(self._public)
        text = _moved(self._table, self._entry, self._record, self._by, self._public, seat)
        if not self._public_message or text != self._text:
            self._text, self._public_message = text, self._encoded(self._events, text, False)
        return self._public_message

    def _knows_more(self, seat: int) -> bool:
        """Whether a seat may see more of the move than a spectator."""
        if seat == self._seat:
            return True
        own = str(seat)
        return any("private" in event and own in event["private"] for event in self._entry.events)

    def _encoded(self, events: bytes, text: list[str], own: bool) -> bytes:
        out = BytesWriter()
        out.write(b'{"type":"event","n":')
        out.write(encoded_number(self._n))
        out.write(b',"seat":')
        out.write(encoded_number(self._seat))
        out.write(b',"by":')
        out.write(encoded_text(self._by))
        out.write(b',"events":')
        out.write(events)
        out.write(b',"text":')
        out.write(encode(text))
        if own:
            out.write(b',"move":')
            out.write(encode(self._record.move))
        out.write(b',"kind":"move"}')
        return out.getvalue()


def position_for(
    table: Table,
    seat: int | None,
    clock: messages.Json | None = None,
    host: int | None = None,
    times: messages.Times | None = None,
) -> Position:
    """The position as this seat may see it. `clock` is the game's clock if it runs, `times` the players' clocks."""
    return _positions(table, [seat], [], clock, host, times)[0]


def _positions(
    table: Table,
    seats: list[int | None],
    known: "list[_Sent]",
    clock: messages.Json | None,
    host: int | None,
    times: messages.Times | None,
) -> list[Position]:
    """The position as each of these seats may see it.

    `known` is what each seat was sent last, if that was the same position for all. Parts that have not changed are
    reused from there."""
    match = table.match
    n = table.n
    if match is None:
        return [
            Position(
                n,
                None,
                NO_MOVES,
                ViewerPrompt({"text": _waiting_text(table, seat is not None and seat == host), "rules": []}, None),
                [],
                False,
                None,
                None,
                None,
                None,
            )
            for seat in seats
        ]
    game, state = table.game, match.state
    names, waiting, phase = table.entries[-1].names, match.waiting(), table.phase
    final = final_of(game, state) if phase == "over" else None
    words = words_key(game, state)
    before = known[0].state if known else None
    views: Sequence[messages.View | None]
    if before is not None and game.edits is not None:
        views = [None] * len(seats)
    elif before is not None:
        views = game.view_each(state, seats, before, [one.position.view or {} for one in known])
    else:
        views = game.view_each(state, seats)
    positions: list[Position] = []
    for number, seat in enumerate(seats):
        view = views[number]
        old = known[number].position if before is not None else None
        lent = seat is not None and table.seats[seat].bot is not None
        legal = NO_MOVES
        if seat is not None and not lent and phase == "playing":
            choices = match.choices(seat)
            if choices:
                had = NO_MOVES if old is None else old.legal
                if had.choices == choices and had.names is names and had.words == words:
                    legal = had
                else:
                    legal = LegalMoves(choices, worded(game, state, choices, words), words, names)
        same_view = old is not None and view is not None and view is old.view
        if old is not None and same_view and old.prompt.names is names and game.prompt_for_view is not None:
            # The prompt depends on the view and on whether a bot plays the seat. A change of seats makes a new list of
            # names.
            prompt = old.prompt
        else:
            template = BOT_PLAYS_PROMPT if lent and phase == "playing" else prompt_template(game, state, seat, view)
            if old is not None and old.prompt.is_from(template, names):
                prompt = old.prompt
            elif positions and positions[-1].prompt.is_from(template, names):
                prompt = positions[-1].prompt
            else:
                prompt = ViewerPrompt(template, names)
        undo = seat is not None and not lent and table.can_undo(seat)
        positions.append(Position(n, view, legal, prompt, waiting, undo, table.result, final, clock, times))
    return positions


class SentPositions:
    """What was sent last to the clients of each seat, and to the spectators (None)."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._last_sent: dict[int | None, _Sent] = {}

    def forget(self, seat: int | None) -> None:
        """Drop a seat, because nobody is connected to it any more."""
        self._last_sent.pop(seat, None)

    def full(
        self,
        seat: int | None,
        clock: Clock | None,
        left: messages.Json | None,
        host: int | None,
        times: messages.Times | None = None,
    ) -> Now:
        """The whole position. `clock` is the game's running clock, and `left` the same clock as it is sent."""
        known = self._last_sent.get(seat)
        if known is None or known.position.n != self._table.n or known.position.view is None or seat is not None:
            position = position_for(self._table, seat, left, host, times)
            known = self._last_sent[seat] = _Sent(self._table, position, clock, position.legal)
        whole: Now = messages.replace(known.position.message(), clock=left, times=times)
        return whole

    def changes(
        self,
        clock: Clock | None,
        left: messages.Json | None,
        host: int | None,
        times: messages.Times | None = None,
    ) -> dict[int | None, bytes]:
        """For each seat, the encoded message with what has changed since the last one. A clock that is still running is
        not sent again."""
        table = self._table
        changes: dict[int | None, bytes] = {}
        seats = list(self._last_sent)
        known = list(self._last_sent.values())
        together = len(known) > 0 and all(one.state is known[0].state for one in known)
        after = _positions(table, seats, known if together else [], left, host, times)
        shared: Shared = []
        edits = self._edits(seats, known[0].state) if together else None
        for number, seat in enumerate(seats):
            before, position = known[number], after[number]
            if before.clock is clock:
                position.clock = before.position.clock
            patch = None if edits is None else edits[number]
            changes[seat] = change_between(before.position, position, before.moves, shared, patch)
            moves = position.legal if position.legal.choices else before.moves
            self._last_sent[seat] = _Sent(table, position, clock, moves)
        return changes

    def _edits(self, seats: list[int | None], before: State | None) -> Sequence[bytes] | None:
        """What has changed in the views of these seats since a position, if the game says so."""
        match, write = self._table.match, self._table.game.edits
        if match is None or before is None or write is None:
            return None
        return [b""] * len(seats) if match.state is before else write(match.state, before, seats)


class _Sent:
    """What was sent last to the clients of one seat: the position, the clock that was running, and the last list of
    moves that was not empty."""

    def __init__(self, table: Table, position: Position, clock: Clock | None, moves: LegalMoves) -> None:
        match = table.match
        self.position: Final = position
        self.clock: Final = clock
        self.moves: Final = moves
        self.state: Final = None if match is None else match.state


def _seated(record: Seated, entry: Entry, seat: int | None) -> str:
    you = seat == record.seat
    name = entry.names[record.seat]
    if record.now.key is None:
        free = f"Seat {record.seat + 1} is free again. " if record.how == "free" else ""
        return free + (f"{name}, a bot, sits down." if record.now.bot else "Anyone may take it.")
    if record.how == "conceded":
        return f"{'You concede' if you else f'{name} concedes'}. A bot plays on to the end."
    if record.how == "late":
        whose = "Your" if you else f"{name}'s"
        return f"{whose} time has run out twice in a row: a bot plays on{' for you' if you else ''}."
    if record.how == "bot":
        return f"A bot plays for {'you' if you else name}."
    if record.how == "back":
        return "You take over from the bot." if you else f"{name} takes over from the bot."
    return "You sit down." if you else f"{name} sits down."


def _moved(table: Table, entry: Entry, record: Moved, by: By, shown: list[Event], seat: int | None) -> list[str]:
    """A move in words, from the events (`shown`) that the seat may see. `by` is the record's."""
    text = sentences(table.game, shown, entry.names, seat)
    if by != "person":
        _say_who_moved(text, record, entry.names, seat)
    return text


def _say_who_moved(text: list[str], record: Moved, names: list[str], seat: int | None) -> None:
    """Add to the sentences of a move who made it instead of the person in the seat, and why."""
    you = seat == record.seat
    if record.asked is not None:
        who = "You do" if seat == record.asked else f"{names[record.asked]} does"
        text.insert(0, f"{who} not wait any longer.")
    if record.by == "stand-in":
        text.insert(0, _stood_in(names[record.seat], you))
    if record.by == "clock" and record.seat != CLOCK:
        text.insert(0, _timed_out(names[record.seat], you))
    if record.why is not None:
        text.append(FALLBACK_TEXTS[record.why])


def _stood_in(name: str, you: bool) -> str:
    return "You were away: a bot made this move." if you else f"{name} is away: a bot makes this move."


def _conceded(name: str, you: bool) -> str:
    return f"{'You' if you else name} had conceded: a bot played on."


def _timed_out(name: str, you: bool) -> str:
    return "Your time was up: a bot made this move." if you else f"{name}'s time is up: a bot makes this move."


def _paused(record: Paused, entry: Entry, seat: int | None) -> str:
    you, name = seat == record.seat, entry.names[record.seat]
    match record.how:
        case "asked":
            return f"{'You ask' if you else f'{name} asks'} for a pause. The clocks stop when everyone agrees."
        case "agreed":
            return "Everyone agrees: the clocks are stopped."
        case "withdrew":
            return f"{'You no longer ask' if you else f'{name} no longer asks'} for a pause."
        case "resumed":
            return f"{'You start' if you else f'{name} starts'} the clocks again."


def _waiting_text(table: Table, hosting: bool) -> str:
    expected = [name for name in map(reserved_for, table.seats) if name is not None]
    if expected:
        if table.made.rated and len(table.people()) < MIN_RATED_PEOPLE:
            return f"Waiting for {join_and(expected)}. A rated game needs two people."
        return f"Waiting for {join_and(expected)}. Bots take the seats of those who do not come."
    if table.made.quick:
        return "Looking for other players. Bots take the free seats in a moment."
    missing = sum(seat_kind(now) == "open" for now in table.seats)
    text = "Waiting for one more player" if missing == 1 else f"Waiting for {missing} more players"
    return f"{text}, or start with bots." if hosting else f"{text}."
