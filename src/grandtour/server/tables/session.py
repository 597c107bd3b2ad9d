"""A table in play: its clients, its bots, and the order in which things happen.

Every change of a table waits for its turn, is stored, and is announced only then. What every move needs is in
`moves.py`.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Final

from grandtour.engine.game import Clock
from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.protocol.messages import Ack, Welcome
from grandtour.server.background.bot_pool import BotPool
from grandtour.server.background.hint_pool import HintPool
from grandtour.server.background.replay import packed_tour
from grandtour.server.limits import Bucket, take_from, too_much
from grandtour.server.metrics import Metrics
from grandtour.server.people.forget import without_person
from grandtour.server.settings import Settings
from grandtour.server.storage import retention
from grandtour.server.storage.store import (
    NumberTaken,
    Store,
    StoreUnavailable,
    TableDeleted,
    TableElsewhere,
    not_stored,
)
from grandtour.server.tables import records, render, seats
from grandtour.server.tables.client import Client, frame
from grandtour.server.tables.hints import Hints
from grandtour.server.tables.moves import Moves, PendingMove, decide_move, refuse_if_bot_plays, spectator_refusal
from grandtour.server.tables.rebuild import rebuild
from grandtour.server.tables.records import Made, Rematched
from grandtour.server.tables.rematch import next_table
from grandtour.server.tables.table import Step, Table

log = logging.getLogger(__name__)

MIN_TIMER_AFTER_RESTART: Final = 30.0
"""Seconds that are left at least on the game's timer when a table is loaded after a restart."""
RETRY_DELAY: Final = 1.0
"""Seconds before a bot or the clock tries again after its move could not be stored."""


SESSION_BYTES: Final = 64 * 1024
BYTES_PER_STORED_BYTE: Final = 15
"""The estimated memory of a session per byte of its stored log, in addition to `SESSION_BYTES`. Measured: 9 to 14
bytes, including the snapshots for undo."""
CLOSE_POLICY: Final = 1008
"""The close code for a client that may not be at the table."""
CLOSE_MOVED: Final = 1012
"""The close code for a client that has to connect again, because another server has the table now."""
EVENTS_PER_SLICE: Final = 50
"""Events that are sent to a client in one go. A longer catch-up pauses after each slice for other tasks."""


class Session(Moves):
    """A table with its clients and bots."""

    def __init__(
        self,
        table: Table,
        store: Store,
        bot_pool: BotPool,
        hint_pool: HintPool,
        settings: Settings,
        metrics: Metrics,
        open_table: Callable[[Made], Awaitable[str]],
        on_end: Callable[[Table], None],
        opened_by: str = "",
        stored_bytes: int = 0,
    ) -> None:
        """`opened_by` is the address that opened the table, if known; `stored_bytes` is the size of its log."""
        super().__init__(table, store, settings, metrics, on_end)
        self.visits = 0
        self.touched = time.monotonic()
        self.opened_by = opened_by
        self._moved_away = False
        self._tour_file: bytes | None = None
        self._stored_bytes = stored_bytes
        self._open = open_table
        self._bot_pool = bot_pool
        self._hints = Hints(hint_pool, settings.limits.hints)
        self._settings = settings
        self._bots: asyncio.Task[None] | None = None
        self._failure_tasks: set[asyncio.Task[None]] = set()
        self._timer_task: asyncio.Task[None] | None = None
        self._chat: dict[int, Bucket] = {}
        self._clock.update(table, self._on_timer_end, MIN_TIMER_AFTER_RESTART)
        self._update_host_and_bots()
        self._clock_deadline.update(self.table.clocks)

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is in progress."""
        busy = self._turns.taken or (self._bots is not None and not self._bots.done())
        return not self.visits and not busy and self._clock.running is None

    @property
    def memory(self) -> int:
        """Bytes of memory that the table takes, roughly."""
        return SESSION_BYTES + BYTES_PER_STORED_BYTE * self._stored_bytes + len(self._tour_file or b"")

    def here(self) -> set[int]:
        """The seats with a connected person."""
        return self._presence.here

    def info(self) -> messages.Table:
        return self._audience.info()

    async def tour_file(self) -> bytes:
        """The finished match as a compressed `.tour` file. It is written once, in a thread."""
        table = self.table
        if table.match is None or table.phase != "over":
            raise Refusal("not-over", "The match can be replayed once it is over.")
        if self._tour_file is None:
            self._tour_file = await asyncio.to_thread(packed_tour, table.match, table.names(), table.stand_in_moves())
        return self._tour_file

    async def join(self, client: Client, secret: str | None, last: int, key: str | None = None) -> None:
        """Welcome a client and send it everything since event `last`. Its seat is found by the secret, or by the
        passport's `key`."""
        async with self._turn() as table:
            if last > table.n:
                raise Refusal("malformed", f"This table has {table.n} events, not {last}.")
            client.seat = (
                table.seat_by_secret(secret) if secret is not None else table.seat_by_key(key) if key else None
            )
            if client.seat is not None:
                await self._reclaim(table, client.seat)
            self.clients.add(client)
            changed = self._update_presence()
            client.send(Welcome(self.info(), client.seat, table.n))
            for n in range(last + 1, table.n + 1):
                client.send(render.event_message(table, n, client.seat))
                if n % EVENTS_PER_SLICE == 0:
                    # A long catch-up must not block the other tables.
                    await asyncio.sleep(0)
            self.send_store_state(client)
            self._audience.send_position(client)
            if changed:
                self._audience.send_table(client)
                self._update_host_and_bots()

    def send_store_state(self, *to: Client) -> None:
        """Tell these clients whether the store can be written; without clients, tell everyone."""
        failing = self._store.write_error is not None
        if failing or not to:
            message = frame(messages.encode(messages.Notice(not_stored().reason if failing else None)))
            for client in to or self.clients:
                client.send_frames(message)

    def leave(self, client: Client) -> None:
        self._audience.leave(client)
        if self._update_presence():
            self._audience.send_table()
            self._update_host_and_bots()

    def resend_position(self, client: Client) -> None:
        """Send a client the whole position again."""
        self._audience.send_position(client)

    async def ask(self, client: Client, asked: messages.Acknowledged) -> None:
        """Carry out a client's request and acknowledge it. A refusal changes nothing.

        A request is completed even if the client disconnects meanwhile, because the others are waiting for it.
        """
        seat = client.seat
        if seat is None:
            raise spectator_refusal()
        async with self._turn() as table:
            n = table.event_of_request(seat, asked.id)
            if n is None:
                if isinstance(asked, messages.Say | messages.Pause):
                    take_from(self._chat, seat, self._settings.limits.chat, "You are chatting too fast; wait a moment.")
                if not isinstance(asked, messages.Move) and table.n >= self._settings.limits.events_a_table:
                    raise too_much("This table has reached its limit: only moves are accepted now.")
                self._check_store()
                steps = await self._steps(table, seat, asked)
                n = table.n
                await self._commit(table, steps)
                # Of several events, the first has the request's id. A request that changes nothing has no event.
                n = table.event_of_request(seat, asked.id) or n
            client.send(Ack(asked.id, n))

    def _fail_move(self, move: PendingMove, failure: Exception) -> None:
        task = asyncio.create_task(self._report_failure(move, failure))
        self._failure_tasks.add(task)
        task.add_done_callback(self._failure_tasks.discard)

    async def _report_failure(self, move: PendingMove, failure: Exception) -> None:
        """Find out whether a move was stored after all, end its turn and report why it failed."""
        try:
            await self._raise_reason(failure)
        except StoreUnavailable:
            failure = not_stored()
        except Exception as reason:
            failure = reason
        finally:
            self._turns.release()
        move.finished(failure)

    async def hint(self, client: Client, id: str) -> None:
        """Tell only this client what the hard bot would do in its seat. Nothing changes at the table."""
        await self._hints.hint(self._turn, client, id)

    async def sit(
        self, name: str, seat: int | None, secret: str | None, admitted: bool = False, fresh: str | None = None
    ) -> tuple[int, str]:
        """Seat a person. Returns the seat and its secret, which is `fresh` or a new one.

        `admitted` says that the host has let the person in."""
        async with self._turn() as table:
            secret = seats.secret_in_use(table, fresh) if secret is None else secret
            if secret is not None:
                held = table.seat_by_secret(secret)
                await self._reclaim(table, held)
                return held, secret
            if table.made.daily is not None:
                raise Refusal("taken", "The deal of the day is played alone, with bots.")
            if table.made.ask and table.phase == "playing" and not admitted:
                raise Refusal("ask-first", "The host decides who sits down here: ask for a seat first.")
            seat = seats.open_seat(table, seat)
            if table.n >= self._settings.limits.events_a_table:
                raise too_much("This table has reached its limit: nobody else can sit down.")
            self._check_store()
            secret = fresh or secrets.token_urlsafe(24)
            self._presence.sat_down(seat)
            await self._commit(table, table.seat(seat, seats.person(table, seat, name, secret), "sat"))
            return seat, secret

    async def _reclaim(self, table: Table, seat: int) -> None:
        """Give a freed seat back to its former owner, who has come back with its secret."""
        if table.seats[seat].owner is not None:
            self._presence.sat_down(seat)
            await self._commit(table, table.reclaim(seat))

    def disconnect_device(self, device: str) -> None:
        """Disconnect a device that has been signed out of its passport."""
        for client in [client for client in self.clients if client.device == device]:
            client.send(messages.refused(Refusal("wrong-passport", "This device was signed out.")))
            client.close(CLOSE_POLICY, "wrong-passport")

    def _disconnect_seat(self, seat: int) -> None:
        """Disconnect the clients of a seat that has been taken from them."""
        for client in [client for client in self.clients if client.seat == seat]:
            client.send(messages.refused(Refusal("wrong-secret", "This seat is not yours any more.")))
            client.close(CLOSE_POLICY, "wrong-secret")

    async def forget(self, keys: set[str], mentioned: set[int]) -> int:
        """Remove a person for good. Returns the number of chat lines that were removed.

        The seats with these keys are vacated. The person's name and chat lines are removed from the log; so is the name
        in the seats of `mentioned`."""
        async with self._turn() as table:
            self._check_store()
            if table.phase != "over":
                for seat in [seat for seat, now in enumerate(table.seats) if now.key in keys]:
                    await self._commit(table, seats.vacate(table, seat))
                    self._disconnect_seat(seat)
            cleaned, lines = without_person([entry.record for entry in table.entries], keys, mentioned)
            stored = [records.encode(record) for record in cleaned]
            fresh = await rebuild(table.id, stored)
            card = messages.encode(fresh.card_after([]))
            await self._store.run(lambda db: retention.rewrite(db, table.id, stored, card))
            self.table, self._tour_file = fresh, None
            self._audience.replace(fresh)
            return lines

    def unload(self) -> None:
        """Stop all timers, because the table is dropped from memory."""
        self._clock.stop()
        if self._next_update is not None:
            self._next_update.cancel()

    async def close(self) -> None:
        self.unload()
        running = [task for task in (self._bots, self._timer_task, self._clock_deadline.task) if task is not None]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
        # A request that has begun is finished first.
        await self._turns.acquire()
        self._turns.release()

    def _turn(self) -> "_Turn":
        """Exclusive access to the table, which has then applied all stored records."""
        return _Turn(self)

    async def _begin_turn(self) -> Table:
        if self.deleted:
            raise self.close_moved() if self._moved_away else self._close_deleted()
        if self._in_doubt:
            await self._catch_up()
        return self.table

    async def _catch_up(self) -> None:
        """Apply records that were stored although the store reported a failure."""
        log.warning("table %s is compared with the store", self.table.id)
        try:
            stored = await self._store.load(self.table.id)
        except TableElsewhere:
            raise self.close_moved() from None
        if not stored:
            raise self._close_deleted()
        if self.deleted:
            raise self.close_moved()
        if len(stored) <= self.table.n:
            raise self._close_deleted("This table has been restored from a backup: load the page again.")
        for data in stored[self.table.n + 1 :]:
            self.table.apply(self.table.replay(records.decode(data)))
        self._stored_bytes = sum(map(len, stored))
        self._in_doubt = False
        self._clock.update(self.table, self._on_timer_end)
        self._audience.send_events()
        self._update_host_and_bots()
        self._clock_deadline.update(self.table.clocks)

    def _close_deleted(self, reason: str = "This table has been deleted.") -> Refusal:
        """Disconnect everyone, because the table has been deleted or replaced."""
        self.deleted = True
        refusal = Refusal("unknown-table", reason)
        for client in self.clients:
            client.send(messages.refused(refusal))
            client.close(CLOSE_POLICY, refusal.code)
        return refusal

    def close_moved(self) -> Refusal:
        """Disconnect everyone, because another server has or may have the table. Clients that connect again find it."""
        self.deleted = self._moved_away = True
        self.unload()
        for client in self.clients:
            client.close(CLOSE_MOVED, "moved")
        return Refusal("busy", "This table is moving to another server; try again in a moment.")

    def _check_store(self) -> None:
        """Refuse a request that needs the store while it cannot be written."""
        if self._store.write_error is not None:
            raise not_stored()

    async def _steps(self, table: Table, seat: int, asked: messages.Acknowledged) -> list[Step]:
        match asked:
            case messages.Move():
                return decide_move(table, seat, asked)
            case messages.Undo():
                refuse_if_bot_plays(table, seat)
                return table.undo(seat, asked.at, asked.id)
            case messages.Say():
                return table.say(seat, asked.text, asked.id)
            case messages.Start():
                if seat != self._presence.host(table):
                    raise Refusal("not-host", "Only the host may start the game.")
                return table.start(id=asked.id, by=seat)
            case messages.Consult():
                return self._consult(table, seat)
            case messages.Pause():
                return table.pause(seat, asked.on, asked.id)
            case messages.Bot():
                return seats.set_bot(table, self._presence, seat, asked)
            case messages.Concede():
                return seats.concede(table, seat, asked.id)
            case messages.Free():
                return seats.free(table, self._presence, self._settings.seat_grace, seat, asked)
            case messages.Rematch():
                return await self._rematch(table, seat, asked)

    async def _rematch(self, table: Table, seat: int, asked: messages.Rematch) -> list[Step]:
        """Open a table for a rematch, unless somebody has asked for one already."""
        if table.rematch is not None:
            return []
        made = next_table(table, seat, asked.game)
        return [Step(Rematched(seat, await self._open(made), made.game, asked.id))]

    def _consult(self, table: Table, seat: int) -> list[Step]:
        """Let the bots that wait for people speak now. This is not stored."""
        if table.match is None or seat not in table.match.waiting():
            raise Refusal("wrong-seat", "It is not your turn, so there is nothing to ask the bots.")
        self._consulted = bool(table.deferring())
        if self._next_bot_move() is not None:
            self._wake_bots()
        return []

    async def _commit(self, table: Table, steps: list[Step]) -> None:
        """Store the steps, apply them, and tell everyone."""
        if not steps:
            return
        stored, card = self._encode_steps(table, steps)
        try:
            with self._metrics.store.timer():
                await self._store.append(table.id, table.n + 1, stored, card)
        except (TableDeleted, TableElsewhere, NumberTaken) as failure:
            await self._raise_reason(failure)
        self._apply(table, steps, sum(map(len, stored)))

    async def _raise_reason(self, failure: Exception) -> None:
        """Raise the refusal for a request whose steps could not be stored."""
        if isinstance(failure, TableDeleted):
            raise self._close_deleted() from None
        if isinstance(failure, TableElsewhere):
            raise self.close_moved() from None
        if isinstance(failure, NumberTaken):
            # Another program has changed the table.
            await self._catch_up()
            raise Refusal("stale", "The game has moved on since then; look again.") from None
        raise failure

    def _update_presence(self) -> bool:
        """Note which seats have a connected person. Returns whether that has changed."""
        here = {client.seat for client in self.clients if client.seat is not None}
        changed = here != self._presence.here
        self._presence.update(here)
        return changed

    def _on_timer_end(self, clock: Clock) -> None:
        self._timer_task = asyncio.create_task(self._play_timer_move(clock))

    async def _play_timer_move(self, clock: Clock) -> None:
        """Make the clock's move for a timer that has run out, unless it is no longer needed."""

        async def move() -> bool:
            async with self._turn() as table:
                if table.clock == clock and not table.clocks.paused:
                    self._check_store()
                    await self._commit(table, table.time_up())
            return False

        await self._repeat(move, "the clock's move")

    def _wake_bots(self) -> None:
        if self._bots is None or self._bots.done():
            self._bots = asyncio.create_task(self._play_bots())

    async def _play_bots(self) -> None:
        """Play for the bots until the game waits for a person."""
        await self._repeat(self._play_bot, "a bot's move")

    async def _repeat(self, move: Callable[[], Awaitable[bool]], what: str) -> None:
        """Call `move` until it returns False or the table is deleted. If it fails, try again after a pause."""
        while True:
            try:
                if not await move():
                    return
            except Refusal:
                if self.deleted:
                    return
                await asyncio.sleep(RETRY_DELAY)
            except Exception:
                log.exception("%s at table %s could not be made", what, self.table.id)
                await asyncio.sleep(RETRY_DELAY)

    def _bot_pause(self) -> float:
        """Seconds that a bot's move takes at least; 0 if all connected players have switched the pause off."""
        playing = [client for client in self.clients if client.seat is not None]
        return self._settings.bot_pause if not playing or any(client.bot_pause for client in playing) else 0.0

    async def _play_bot(self) -> bool:
        """Make one bot move. Returns False if there is none to make."""
        async with self._turn() as table:
            mover = self._next_bot_move()
            if mover is None and not self._presence.bots_fill_in(table):
                return False
            self._check_store()
            if mover is None:
                await self._commit(table, table.start())
                return True
            seat, bot, by = mover
            seed = table.bot_seed(seat)
            imagined = table.imagine(seat, seed)
            moment = table.moment
        pause = asyncio.create_task(asyncio.sleep(self._bot_pause()))
        move, why = await self._bot_pool.choose(bot, table.game, imagined, seat, seed)
        await pause
        async with self._turn() as table:
            # In the meantime somebody may have taken the seat, returned to it, or moved.
            if table.moment == moment and self._next_bot_move() == mover:
                named = table.game.moves.name(move)
                late = by == "clock"
                await self._commit(
                    table, table.play_late(seat, named, why) if late else table.play(seat, named, by=by, why=why)
                )
        return True


class _Turn:
    """An async context manager: one request's turn at a table."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def __aenter__(self) -> Table:
        session = self._session
        await session._turns.acquire()
        try:
            return await session._begin_turn()
        except BaseException as failure:
            session._turns.release()
            raise (not_stored() if isinstance(failure, StoreUnavailable) else failure) from None

    async def __aexit__(self, kind: object, failure: object, trace: object) -> None:
        self._session._turns.release()
        if isinstance(failure, StoreUnavailable):
            raise not_stored() from None
