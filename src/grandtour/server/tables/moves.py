# compiled
"""The path of a move at a table: decide, store, apply, and tell everyone.

Nothing here awaits: the store calls back when it has stored the move. So a move needs no task, and mypyc can compile
this module.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

from mypy_extensions import mypyc_attr

from grandtour.engine.game import Clock
from grandtour.engine.refusal import Refusal
from grandtour.players.normal import Normal
from grandtour.protocol import messages
from grandtour.protocol.messages import By
from grandtour.server.metrics import Metrics
from grandtour.server.settings import Settings
from grandtour.server.storage.store import Store
from grandtour.server.tables import records
from grandtour.server.tables.audience import Audience
from grandtour.server.tables.client import Client
from grandtour.server.tables.clock_deadlines import ClockDeadline
from grandtour.server.tables.game_clock import GameClock
from grandtour.server.tables.presence import Presence
from grandtour.server.tables.records import Moved, Over, Seated, Started
from grandtour.server.tables.table import Step, Table
from grandtour.server.tables.turns import Turns

STAND_IN: Final = Normal.name
"""The bot that moves for absent players: fast and reasonable."""

monotonic: Final = time.monotonic

OnFinished = Callable[[Exception | None], None]
"""A callback for the end of a move: called with None when it has been acknowledged, or with why it failed."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Moves:
    """The part of a `Session` that every move needs."""

    def __init__(
        self, table: Table, store: Store, settings: Settings, metrics: Metrics, on_end: Callable[[Table], None]
    ) -> None:
        self.table = table
        self.deleted = False
        """Whether the table was deleted or replaced in the store, or belongs to another server now."""
        self.on_change: Callable[[Any, list[records.Record]], None] | None = None
        """Called with the session and the records of a change after everyone has been told. It is not called for moves
        while everybody at the table sees the page."""
        self._store = store
        self._metrics = metrics
        self._moves_made = metrics.moves
        self._store_times = metrics.store
        self._on_end = on_end
        self._turns = Turns()
        self._in_doubt = False
        """Whether there may be stored records that have not been applied."""
        self._stored_bytes = 0
        self._consulted = False
        """Whether people have asked the bots that let them go first to speak now."""
        self._clock = GameClock()
        self._clock_deadline = ClockDeadline(store, table.id)
        self._presence = Presence(table, settings)
        self._audience = Audience(table, self._presence, self._clock)
        self.clients: set[Client] = self._audience.clients
        self._host = self._presence.host(table)
        self._next_update: asyncio.TimerHandle | None = None

    @property
    def is_free(self) -> bool:
        """Whether a move can begin at once: no other request is in progress, and the store can be written."""
        return not (self._turns.taken or self.deleted or self._in_doubt or self._store.write_error is not None)

    def begin_move(self, client: Client, asked: messages.Move, finished: OnFinished) -> None:
        """Begin a move. The table must be free (`is_free`).

        If the move is refused before it is stored, this raises the refusal. Otherwise `finished` is called at the
        end."""
        seat, id = client.seat, asked.id
        if seat is None:
            raise spectator_refusal()
        table = self.table
        n = table.event_of_request(seat, id)
        if n is not None:
            client.acknowledge(id, n)
            finished(None)
            return
        steps = decide_move(table, seat, asked)
        self._turns.take()
        try:
            stored, card = self._encode_steps(table, steps)
            move = PendingMove(self, client, id, seat, steps, sum(map(len, stored)), finished)
            self._store.append_soon(table.id, table.n + 1, stored, card, move.stored)
        except BaseException:
            self._turns.release()
            raise

    def end_move(self, move: "PendingMove", failure: Exception | None) -> None:
        """Finish a move after the store has stored it or failed."""
        self._store_times.observe(monotonic() - move.began)
        if failure is not None:
            self._fail_move(move, failure)
            return
        self._audience.hold()
        try:
            self._apply(self.table, move.steps, move.size)
            n = self.table.event_of_request(move.seat, move.id)
            move.client.acknowledge(move.id, self.table.n if n is None else n)
        except Exception as error:
            failure = error
        self._turns.release()
        self._audience.flush()
        move.finished(failure)

    def _encode_steps(self, table: Table, steps: list[Step]) -> tuple[list[bytes], bytes | None]:
        """The encoded records of some steps, and the encoded lobby entry if it changes. They are about to be stored."""
        listed = False
        stored: list[bytes] = []
        for step in steps:
            record = step.record
            if type(record) is not Moved and isinstance(record, (Seated, Started, Over)):
                listed = True
            stored.append(records.encode(record))
        card = messages.encode(table.card_after(steps)) if listed else None
        # If anything fails from here on, it is not known whether the steps were stored.
        self._in_doubt = True
        return stored, card

    def _apply(self, table: Table, steps: list[Step], size: int) -> None:
        """Apply steps that have been stored, and tell everyone."""
        self._stored_bytes += size
        for step in steps:
            table.apply(step)
        self._in_doubt = False
        over, only_moves = False, True
        for step in steps:
            record = step.record
            if isinstance(record, Moved):
                by = record.by
                self._moves_made.add(by)
                if by == "stand-in":
                    self._presence.note_stand_in(record.seat)
            else:
                only_moves = False
                over = over or isinstance(record, Over)
        self._consulted = self._consulted and bool(table.deferring())
        if table.clock is not None or self._clock.running is not None:
            self._clock.update(table, self._on_timer_end)
        self._audience.send_events()
        self._update_host_and_bots()
        if over:
            self._on_end(table)
        if self.on_change is not None and not (only_moves and self._all_see_the_page()):
            self.on_change(self, [step.record for step in steps])
        if table.clocks.control is not None:
            self._clock_deadline.update(table.clocks)

    def _update_host_and_bots(self) -> None:
        """Update who is host and whether a bot must move. Schedules itself for the next time this may change."""
        if self._next_update is not None:
            self._next_update.cancel()
            self._next_update = None
        table, presence = self.table, self._presence
        if self._host is not None and presence.settled_host(table) == self._host:
            return
        # Computed first, so that nothing that falls due in the meantime is missed.
        wait = presence.next_change(table)
        host = presence.host(table)
        if host != self._host:
            self._host = host
            self._audience.send_table()
            if table.match is None:
                # The prompt tells the host that the match can be started.
                self._audience.send_changes()
        if self._next_bot_move() is not None or presence.bots_fill_in(table):
            self._wake_bots()
        if wait is not None:
            self._next_update = asyncio.get_running_loop().call_later(wait, self._update_host_and_bots)

    def _all_see_the_page(self) -> bool:
        """Whether everybody at the table has the page open and visible."""
        seeing = 0
        for client in self.clients:
            seat = client.seat
            if seat is not None and client.visible:
                seeing |= 1 << seat
        return all(seeing >> seat & 1 for seat in self.table.people())

    def _next_bot_move(self) -> tuple[int, str, By] | None:
        """The seat for which a bot must move now, which bot, and as whom it moves."""
        table = self.table
        bot = table.bot_to_move(self._consulted)
        if bot is not None:
            return bot[0], bot[1], "bot"
        seat = self._presence.overdue_seat(table)
        if seat is not None:
            return seat, STAND_IN, "stand-in"
        late = self._presence.late_seat(table)
        return None if late is None else (late, STAND_IN, "clock")

    def _fail_move(self, move: "PendingMove", failure: Exception) -> None:
        """Handle a move that was not stored, or of which it is not known."""
        raise NotImplementedError

    def _wake_bots(self) -> None:
        """Start the task in which bots move or start the match."""
        raise NotImplementedError

    def _on_timer_end(self, clock: Clock) -> None:
        """Handle a timer of the game that has run out."""
        raise NotImplementedError


class PendingMove:
    """A move that is being stored."""

    def __init__(
        self, table: Moves, client: Client, id: str, seat: int, steps: list[Step], size: int, finished: OnFinished
    ) -> None:
        self.table: Final = table
        self.client: Final = client
        self.id: Final = id
        self.seat: Final = seat
        self.steps: Final = steps
        self.size: Final = size
        self.finished: Final = finished
        self.began: Final = monotonic()

    def stored(self, failure: Exception | None) -> None:
        self.table.end_move(self, failure)


def decide_move(table: Table, seat: int, asked: messages.Move) -> list[Step]:
    """The steps of a person's move."""
    refuse_if_bot_plays(table, seat)
    return table.play(seat, asked.move, by="person", at=asked.at, id=asked.id)


def spectator_refusal() -> Refusal:
    return Refusal("wrong-seat", "You are watching: take a seat to join in.")


def refuse_if_bot_plays(table: Table, seat: int) -> None:
    if table.seats[seat].bot is not None:
        raise Refusal("wrong-seat", "A bot is playing for you; take your seat back first.")
