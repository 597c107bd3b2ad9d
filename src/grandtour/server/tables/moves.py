# compiled
"""The path of a move at a table: decide, store, apply, and tell everyone.

Nothing here waits: when the store is done, it calls back. So a move needs no task, and all of this can be compiled.
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
from grandtour.protocol.messages import Ack, By
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

Finished = Callable[[Exception | None], None]
"""What is called when a move has been acknowledged, or with the reason why it failed."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Moves:
    """What happens at a table when somebody moves. `Session` is the whole of it."""

    def __init__(
        self, table: Table, store: Store, settings: Settings, metrics: Metrics, note_end: Callable[[Table], None]
    ) -> None:
        self.table = table
        self.deleted = False
        """Whether the table has been deleted from the store, or replaced there, or belongs to another server."""
        self.on_change: Callable[[Any, list[records.Record]], None] | None = None
        """Called with the session and the records of a change when everyone has been told; not for a move that all
        people at the table have before their eyes."""
        self._store = store
        self._metrics = metrics
        self._note_end = note_end
        self._turns = Turns()
        self._in_doubt = False
        """Whether something may have been stored that has not been applied."""
        self._stored_bytes = 0
        self._consulted = False
        """People have asked the bots to speak that would let them go first."""
        self._clock = GameClock()
        self._due = ClockDeadline(store, table.id)
        self._presence = Presence(table, settings)
        self._audience = Audience(table, self._presence, self._clock)
        self.clients: set[Client] = self._audience.clients
        self._host = self._presence.host(table)
        self._lookout: asyncio.TimerHandle | None = None

    @property
    def free(self) -> bool:
        """Whether a move can be begun at once: no other request has its turn, and the store works."""
        return not (self._turns.taken or self.deleted or self._in_doubt or self._store.trouble is not None)

    def begin_move(self, client: Client, asked: messages.Move, finished: Finished) -> None:
        """Make a move while the table is `free`. `finished` is called when it has been acknowledged, or with the reason
        why it failed; a refusal before it is stored is raised instead."""
        seat = client.seat
        if seat is None:
            raise watching()
        table = self.table
        n = table.event_of_request(seat, asked.id)
        if n is not None:
            client.tell(Ack(asked.id, n))
            finished(None)
            return
        steps = decided(table, seat, asked)
        self._turns.take()
        try:
            stored, card = self._to_store(table, steps)
            move = PendingMove(self, client, asked.id, seat, steps, sum(map(len, stored)), finished)
            self._store.append_soon(table.id, table.n + 1, stored, card, move.stored)
        except BaseException:
            self._turns.release()
            raise

    def end_move(self, move: "PendingMove", failure: Exception | None) -> None:
        """Go on with a move that has been stored, or not."""
        self._metrics.store.observe(time.monotonic() - move.began)
        if failure is not None:
            self._fail_move(move, failure)
            return
        self._audience.hold()
        try:
            self._carry_out(self.table, move.steps, move.size)
            n = self.table.event_of_request(move.seat, move.id)
            move.client.tell(Ack(move.id, self.table.n if n is None else n))
        except Exception as error:
            failure = error
        self._turns.release()
        self._audience.flush()
        move.finished(failure)

    def _to_store(self, table: Table, steps: list[Step]) -> tuple[list[bytes], bytes | None]:
        """The records of some steps, and the lobby's entry if it changes."""
        listed = False
        stored: list[bytes] = []
        for step in steps:
            record = step.record
            if type(record) is not Moved and isinstance(record, (Seated, Started, Over)):
                listed = True
            stored.append(records.encode(record))
        card = messages.encode(table.card_after(steps)) if listed else None
        # Whatever ends this early: the steps may have been stored, or not.
        self._in_doubt = True
        return stored, card

    def _carry_out(self, table: Table, steps: list[Step], size: int) -> None:
        """Apply steps that have been stored, and tell everyone."""
        self._stored_bytes += size
        for step in steps:
            table.apply(step)
        self._in_doubt = False
        over, only_moves = False, True
        for step in steps:
            record = step.record
            if isinstance(record, Moved):
                self._metrics.moves.add(record.by)
                if record.by == "stand-in":
                    self._presence.note_stand_in(record.seat)
            else:
                only_moves = False
                over = over or isinstance(record, Over)
        self._consulted = self._consulted and bool(table.deferring())
        self._clock.wind(table, self._ring)
        self._audience.tell_news()
        self._look_around()
        if over:
            self._note_end(table)
        if self.on_change is not None and not (only_moves and self._everyone_looks()):
            self.on_change(self, [step.record for step in steps])
        if table.clocks.control is not None:
            self._due.update(table.clocks)

    def _look_around(self) -> None:
        """Update who is host and whether a bot must move, and schedule the next time this may change."""
        if self._lookout is not None:
            self._lookout.cancel()
            self._lookout = None
        table, presence = self.table, self._presence
        # Scheduled first, so that nothing that comes due meanwhile is missed.
        wait = presence.next_change(table)
        host = presence.host(table)
        if host != self._host:
            self._host = host
            self._audience.tell_table()
            if table.match is None:
                # The prompt says to the host that it may begin.
                self._audience.tell_changes()
        if self._mover() is not None or presence.bots_fill_in(table):
            self._wake_bots()
        if wait is not None:
            self._lookout = asyncio.get_running_loop().call_later(wait, self._look_around)

    def _everyone_looks(self) -> bool:
        """Whether all people at the table have it before their eyes."""
        return all(_looks(self.clients, seat) for seat in self.table.people())

    def _mover(self) -> tuple[int, str, By] | None:
        """The seat that a bot must move for now, which bot, and whether it replaces an absent player."""
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
        """A move was not stored, or it is not known whether it was."""
        raise NotImplementedError

    def _wake_bots(self) -> None:
        """A bot must move, or start the match."""
        raise NotImplementedError

    def _ring(self, clock: Clock) -> None:
        """The game's timer has run out."""
        raise NotImplementedError


class PendingMove:
    """A move that is being stored."""

    def __init__(
        self, table: Moves, client: Client, id: str, seat: int, steps: list[Step], size: int, finished: Finished
    ) -> None:
        self.table: Final = table
        self.client: Final = client
        self.id: Final = id
        self.seat: Final = seat
        self.steps: Final = steps
        self.size: Final = size
        self.finished: Final = finished
        self.began: Final = time.monotonic()

    def stored(self, failure: Exception | None) -> None:
        self.table.end_move(self, failure)


def decided(table: Table, seat: int, asked: messages.Move) -> list[Step]:
    """The steps of a person's move."""
    must_play_oneself(table, seat)
    return table.play(seat, asked.move, by="person", at=asked.at, id=asked.id)


def _looks(clients: set[Client], seat: int) -> bool:
    return any(client.seat == seat and client.visible for client in clients)


def watching() -> Refusal:
    return Refusal("wrong-seat", "You are watching: take a seat to join in.")


def must_play_oneself(table: Table, seat: int) -> None:
    if table.seats[seat].bot is not None:
        raise Refusal("wrong-seat", "A bot is playing for you; take your seat back first.")
