"""A table in play: its clients, its bots, and the order in which things happen.

Every change of a table happens in its turn, is stored, and only then announced. What every move needs is in `moves.py`.
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
from grandtour.server.storage.store import Elsewhere, Gone, Store, Taken, Unavailable, not_stored
from grandtour.server.tables import records, render, seats
from grandtour.server.tables.client import Client, frame
from grandtour.server.tables.hints import Hints
from grandtour.server.tables.moves import Moves, PendingMove, decided, must_play_oneself, watching
from grandtour.server.tables.rebuild import rebuild
from grandtour.server.tables.records import Made, Rematched
from grandtour.server.tables.rematch import next_table
from grandtour.server.tables.table import Step, Table

log = logging.getLogger(__name__)

GRACE: Final = 30.0
"""The minimum time left on a clock, in seconds, when a table is loaded after a restart."""
RETRY: Final = 1.0
"""Seconds before a bot or the clock tries again after its move could not be stored."""


SESSION_BYTES: Final = 64 * 1024
BYTES_PER_STORED: Final = 15
"""The estimated memory of a session, and the additional memory per byte of its stored log. Measured: 9 to 14 bytes,
including the snapshots for undo."""
POLICY: Final = 1008
"""The close code for a client that may not be at the table."""
MOVED_AWAY: Final = 1012
"""The close code for a client that has to come back, because another server has the table now."""
BREATH: Final = 50
"""The number of events after which a long catch-up pauses for other tasks."""


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
        note_end: Callable[[Table], None],
        opened_by: str = "",
        stored_bytes: int = 0,
    ) -> None:
        """`opened_by` is the address that opened the table, if known; `stored_bytes` is the size of its log."""
        super().__init__(table, store, settings, metrics, note_end)
        self.visits = 0
        self.touched = time.monotonic()
        self.opened_by = opened_by
        self._moved_away = False
        self._saved: bytes | None = None
        self._stored_bytes = stored_bytes
        self._open = open_table
        self._bot_pool = bot_pool
        self._hinting = Hints(hint_pool, settings.limits.hints)
        self._settings = settings
        self._bots: asyncio.Task[None] | None = None
        self._failing: set[asyncio.Task[None]] = set()
        self._ringing: asyncio.Task[None] | None = None
        self._chat: dict[int, Bucket] = {}
        self._clock.wind(table, self._ring, GRACE)
        self._look_around()
        self._due.update(self.table.clocks)

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is in progress."""
        busy = self._turns.taken or (self._bots is not None and not self._bots.done())
        return not self.visits and not busy and self._clock.running is None

    @property
    def memory(self) -> int:
        """Bytes of memory that the table takes, roughly."""
        return SESSION_BYTES + BYTES_PER_STORED * self._stored_bytes + len(self._saved or b"")

    def here(self) -> set[int]:
        """The seats with a connected person."""
        return self._presence.here

    def info(self) -> messages.Table:
        return self._audience.info()

    async def saved(self) -> bytes:
        """The match as a `.tour` file, compressed. It is written once, beside everything else, when it is over."""
        table = self.table
        if table.match is None or table.phase != "over":
            raise Refusal("not-over", "The match can be replayed once it is over.")
        if self._saved is None:
            self._saved = await asyncio.to_thread(packed_tour, table.match, table.names(), table.stand_in_moves())
        return self._saved

    async def join(self, client: Client, secret: str | None, last: int, key: str | None = None) -> None:
        """Welcome a client and send it everything since event `last`. Its seat is that with the secret or else, if it
        has a passport, with this key."""
        async with self._turn() as table:
            if last > table.n:
                raise Refusal("malformed", f"This table has {table.n} events, not {last}.")
            client.seat = (
                table.seat_by_secret(secret) if secret is not None else table.seat_by_key(key) if key else None
            )
            if client.seat is not None:
                await self._reclaim(table, client.seat)
            self.clients.add(client)
            changed = self._count_heads()
            client.tell(Welcome(self.info(), client.seat, table.n))
            for n in range(last + 1, table.n + 1):
                client.tell(render.event_message(table, n, client.seat))
                if n % BREATH == 0:
                    # A long catch-up must not block the other tables.
                    await asyncio.sleep(0)
            self.tell_trouble(client)
            self._audience.tell_position(client)
            if changed:
                self._audience.tell_table(client)
                self._look_around()

    def tell_trouble(self, *to: Client) -> None:
        """Tell these clients, or everyone, whether the store can be written."""
        trouble = self._store.trouble is not None
        if trouble or not to:
            message = frame(messages.encode(messages.Notice(not_stored().reason if trouble else None)))
            for client in to or self.clients:
                client.tell_framed(message)

    def leave(self, client: Client) -> None:
        self._audience.leave(client)
        if self._count_heads():
            self._audience.tell_table()
            self._look_around()

    def look(self, client: Client) -> None:
        """Send a client the whole position, which it has lost track of."""
        self._audience.tell_position(client)

    async def ask(self, client: Client, asked: messages.Asked) -> None:
        """Carry out a client's request and acknowledge it. A refusal changes nothing.

        A request is completed even if the client disconnects meanwhile, because the others are waiting for it.
        """
        seat = client.seat
        if seat is None:
            raise watching()
        async with self._turn() as table:
            n = table.event_of_request(seat, asked.id)
            if n is None:
                if isinstance(asked, messages.Say | messages.Pause):
                    take_from(self._chat, seat, self._settings.limits.chat, "You are chatting too fast; wait a moment.")
                if not isinstance(asked, messages.Move) and table.n >= self._settings.limits.events_a_table:
                    raise too_much("This table has reached its limit: only moves are accepted now.")
                self._must_store()
                steps = await self._steps(table, seat, asked)
                n = table.n
                await self._commit(table, steps)
                # If a request leads to several events, the first carries its id. A request that changes nothing has no
                # event.
                n = table.event_of_request(seat, asked.id) or n
            client.tell(Ack(asked.id, n))

    def _fail_move(self, move: PendingMove, failure: Exception) -> None:
        task = asyncio.create_task(self._tell_failure(move, failure))
        self._failing.add(task)
        task.add_done_callback(self._failing.discard)

    async def _tell_failure(self, move: PendingMove, failure: Exception) -> None:
        """Find out what became of a move that was not stored, or perhaps was, and end its turn."""
        try:
            await self._explain(failure)
        except Unavailable:
            failure = not_stored()
        except Exception as reason:
            failure = reason
        finally:
            self._turns.release()
        move.finished(failure)

    async def hint(self, client: Client, id: str) -> None:
        """Tell only this client what the hard bot would do in its seat. Nothing changes at the table."""
        await self._hinting.answer(self._turn, client, id)

    async def sit(
        self, name: str, seat: int | None, secret: str | None, admitted: bool = False, fresh: str | None = None
    ) -> tuple[int, str]:
        """Seat a person, whom the host may have admitted. Returns the seat and its secret: `fresh`, or a new one."""
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
            self._must_store()
            secret = fresh or secrets.token_urlsafe(24)
            self._presence.sat_down(seat)
            await self._commit(table, table.seat(seat, seats.person(table, seat, name, secret), "sat"))
            return seat, secret

    async def _reclaim(self, table: Table, seat: int) -> None:
        """Give a freed seat back to its former owner, who has just presented its secret."""
        if table.seats[seat].owner is not None:
            self._presence.sat_down(seat)
            await self._commit(table, table.reclaim(seat))

    def sign_off(self, device: str) -> None:
        """Disconnect a device that no longer holds its passport."""
        for client in [client for client in self.clients if client.device == device]:
            client.tell(messages.refused(Refusal("wrong-passport", "This device was signed out.")))
            client.close(POLICY, "wrong-passport")

    def _send_away(self, seat: int) -> None:
        """Disconnect everyone from a seat that is no longer theirs."""
        for client in [client for client in self.clients if client.seat == seat]:
            client.tell(messages.refused(Refusal("wrong-secret", "This seat is not yours any more.")))
            client.close(POLICY, "wrong-secret")

    async def forget(self, keys: set[str], mentioned: set[int]) -> int:
        """Remove a person for good: the seats with these keys are vacated, and the name, here and in the seats where it
        is only mentioned, and the chat lines are removed from the log. Returns the number of lines."""
        async with self._turn() as table:
            self._must_store()
            if table.phase != "over":
                for seat in [seat for seat, now in enumerate(table.seats) if now.key in keys]:
                    await self._commit(table, seats.vacate(table, seat))
                    self._send_away(seat)
            cleaned, lines = without_person([entry.record for entry in table.entries], keys, mentioned)
            stored = [records.encode(record) for record in cleaned]
            fresh = await rebuild(table.id, stored)
            card = messages.encode(fresh.card_after([]))
            await self._store.run(lambda db: retention.rewrite(db, table.id, stored, card))
            self.table, self._saved = fresh, None
            self._audience.replace(fresh)
            return lines

    def unload(self) -> None:
        """Stop waiting for anything: the table leaves the memory."""
        self._clock.stop()
        if self._lookout is not None:
            self._lookout.cancel()

    async def close(self) -> None:
        self.unload()
        running = [task for task in (self._bots, self._ringing, self._due.task) if task is not None]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
        # What has begun is carried through.
        await self._turns.acquire()
        self._turns.release()

    def _turn(self) -> "_Turn":
        """Exclusive access to the table, in the state of the store."""
        return _Turn(self)

    async def _begin_turn(self) -> Table:
        if self.deleted:
            raise self.let_go() if self._moved_away else self._gone()
        if self._in_doubt:
            await self._catch_up()
        return self.table

    async def _catch_up(self) -> None:
        """Apply steps that are in the store although storing them seemed to fail."""
        log.warning("table %s is compared with the store", self.table.id)
        try:
            stored = await self._store.load(self.table.id)
        except Elsewhere:
            raise self.let_go() from None
        if not stored:
            raise self._gone()
        if self.deleted:
            raise self.let_go()
        if len(stored) <= self.table.n:
            raise self._gone("This table has been restored from a backup: load the page again.")
        for data in stored[self.table.n + 1 :]:
            self.table.apply(self.table.replay(records.decode(data)))
        self._stored_bytes = sum(map(len, stored))
        self._in_doubt = False
        self._clock.wind(self.table, self._ring)
        self._audience.tell_news()
        self._look_around()
        self._due.update(self.table.clocks)

    def _gone(self, reason: str = "This table has been deleted.") -> Refusal:
        """Disconnect everyone, because the table has been deleted or replaced."""
        self.deleted = True
        refusal = Refusal("unknown-table", reason)
        for client in self.clients:
            client.tell(messages.refused(refusal))
            client.close(POLICY, refusal.code)
        return refusal

    def let_go(self) -> Refusal:
        """Another server has the table, or may have it: everyone has to connect again, and finds it."""
        self.deleted = self._moved_away = True
        self.unload()
        for client in self.clients:
            client.close(MOVED_AWAY, "moved")
        return Refusal("busy", "This table is moving to another server; try again in a moment.")

    def _must_store(self) -> None:
        """Refuse a request that needs the store while it cannot be written."""
        if self._store.trouble is not None:
            raise not_stored()

    async def _steps(self, table: Table, seat: int, asked: messages.Asked) -> list[Step]:
        match asked:
            case messages.Move():
                return decided(table, seat, asked)
            case messages.Undo():
                must_play_oneself(table, seat)
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
                return seats.lend(table, self._presence, seat, asked)
            case messages.Concede():
                return seats.concede(table, seat, asked.id)
            case messages.Free():
                return seats.free(table, self._presence, self._settings.seat_grace, seat, asked)
            case messages.Rematch():
                return await self._rematch(table, seat, asked)

    async def _rematch(self, table: Table, seat: int, asked: messages.Rematch) -> list[Step]:
        """Open the table of the rematch, unless somebody has asked for one before."""
        if table.rematch is not None:
            return []
        made = next_table(table, seat, asked.game)
        return [Step(Rematched(seat, await self._open(made), made.game, asked.id))]

    def _consult(self, table: Table, seat: int) -> list[Step]:
        """Let bots speak that would let people go first. It is good until they have, and is not stored."""
        if table.match is None or seat not in table.match.waiting():
            raise Refusal("wrong-seat", "It is not your turn, so there is nothing to ask the bots.")
        self._consulted = bool(table.deferring())
        if self._mover() is not None:
            self._wake_bots()
        return []

    async def _commit(self, table: Table, steps: list[Step]) -> None:
        """Store the steps, apply them, and tell everyone."""
        if not steps:
            return
        stored, card = self._to_store(table, steps)
        try:
            with self._metrics.store.measured():
                await self._store.append(table.id, table.n + 1, stored, card)
        except (Gone, Elsewhere, Taken) as failure:
            await self._explain(failure)
        self._carry_out(table, steps, sum(map(len, stored)))

    async def _explain(self, failure: Exception) -> None:
        """Raise what those are told whose steps could not be stored."""
        if isinstance(failure, Gone):
            raise self._gone() from None
        if isinstance(failure, Elsewhere):
            raise self.let_go() from None
        if isinstance(failure, Taken):
            # Another program has changed the table.
            await self._catch_up()
            raise Refusal("stale", "The game has moved on since then; look again.") from None
        raise failure

    def _count_heads(self) -> bool:
        """Update who is here. Returns whether that has changed."""
        here = {client.seat for client in self.clients if client.seat is not None}
        changed = here != self._presence.here
        self._presence.update(here)
        return changed

    def _ring(self, clock: Clock) -> None:
        self._ringing = asyncio.create_task(self._time_is_up(clock))

    async def _time_is_up(self, clock: Clock) -> None:
        """Make the clock's move, unless it is no longer needed."""
        while True:
            try:
                async with self._turn() as table:
                    if table.clock == clock and not table.clocks.paused:
                        self._must_store()
                        await self._commit(table, table.time_up())
                return
            except Refusal:
                if self.deleted:
                    return
                await asyncio.sleep(RETRY)
            except Exception:
                log.exception("the clock's move at table %s could not be made", self.table.id)
                await asyncio.sleep(RETRY)

    def _wake_bots(self) -> None:
        if self._bots is None or self._bots.done():
            self._bots = asyncio.create_task(self._play_bots())

    async def _play_bots(self) -> None:
        """Play for the bots until the game waits for a person."""
        while True:
            try:
                if not await self._play_bot():
                    return
            except Refusal:
                if self.deleted:
                    return
                await asyncio.sleep(RETRY)
            except Exception:
                log.exception("a bot's move at table %s could not be made", self.table.id)
                await asyncio.sleep(RETRY)

    def _bot_pause(self) -> float:
        """Seconds that a bot's move takes at least; none if everyone who plays here would rather not wait."""
        playing = [client for client in self.clients if client.seat is not None]
        return self._settings.bot_pause if not playing or any(client.bot_pause for client in playing) else 0.0

    async def _play_bot(self) -> bool:
        """Make one bot move. Returns False if there is none to make."""
        async with self._turn() as table:
            mover = self._mover()
            if mover is None and not self._presence.bots_fill_in(table):
                return False
            self._must_store()
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
            # Meanwhile somebody may have taken the seat, returned to it, or moved.
            if table.moment == moment and self._mover() == mover:
                named = table.game.moves.name(move)
                late = by == "clock"
                await self._commit(
                    table, table.play_late(seat, named, why) if late else table.play(seat, named, by=by, why=why)
                )
        return True


class _Turn:
    """While a request has its turn, the others at the table wait."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def __aenter__(self) -> Table:
        session = self._session
        await session._turns.acquire()
        try:
            return await session._begin_turn()
        except BaseException as failure:
            session._turns.release()
            raise (not_stored() if isinstance(failure, Unavailable) else failure) from None

    async def __aexit__(self, kind: object, failure: object, trace: object) -> None:
        self._session._turns.release()
        if isinstance(failure, Unavailable):
            raise not_stored() from None
