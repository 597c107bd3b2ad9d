"""A table in play: its clients, its bots, and the order in which things happen.

Every change of a table happens under its lock, is stored, and only then announced.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from grandtour.engine.game import Clock
from grandtour.engine.refusal import Refusal
from grandtour.players.normal import Normal
from grandtour.protocol import messages
from grandtour.protocol.messages import Ack, By, TableMessage, Welcome
from grandtour.server import records, render, retention, seats
from grandtour.server.bot_pool import BotPool
from grandtour.server.client import Client, Frames, frame
from grandtour.server.due import DueNote
from grandtour.server.forget import without_person
from grandtour.server.game_clock import GameClock
from grandtour.server.hint_pool import HintPool
from grandtour.server.hinting import Hinting
from grandtour.server.limits import Bucket, take_from, too_much
from grandtour.server.metrics import Metrics
from grandtour.server.presence import Presence
from grandtour.server.rebuild import rebuild
from grandtour.server.records import Made, Moved, Over, Rematched, Seated, SeatRecord, Started
from grandtour.server.rematch import next_table
from grandtour.server.replay import packed_tour
from grandtour.server.settings import Settings
from grandtour.server.store import Elsewhere, Gone, Store, Taken, Unavailable, not_stored
from grandtour.server.table import Step, Table, key_of, person_name

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
STAND_IN: Final = Normal.name
"""The bot that moves for absent players: fast and reasonable."""


class Session:
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
        self.table = table
        self.clients: set[Client] = set()
        self.visits = 0
        self.touched = time.monotonic()
        self.opened_by = opened_by
        self.deleted = False
        """Whether the table has been deleted from the store, or replaced there, or belongs to another server."""
        self._moved_away = False
        self._saved: bytes | None = None
        self._metrics = metrics
        self._stored_bytes = stored_bytes
        self._store = store
        self._open = open_table
        self._note_end = note_end
        self._bot_pool = bot_pool
        self._hinting = Hinting(hint_pool, settings.limits.hints)
        self._settings = settings
        self._lock = asyncio.Lock()
        self._told = table.n
        self._in_doubt = False
        self._shown = render.Shown(table)
        self._bots: asyncio.Task[None] | None = None
        self._consulted = False
        """People have asked the bots to speak that would let them go first."""
        self._clock = GameClock()
        self._due = DueNote(store, table.id)
        self._ringing: asyncio.Task[None] | None = None
        self._presence = Presence(table, settings)
        self._host = self._presence.host(table)
        self._lookout: asyncio.TimerHandle | None = None
        self._chat: dict[int, Bucket] = {}
        self._clock.wind(table, self._ring, GRACE)
        self._look_around()
        self._due.update(self.table.clocks)

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is in progress."""
        return not self.visits and (self._bots is None or self._bots.done()) and self._clock.running is None

    @property
    def memory(self) -> int:
        """Bytes of memory that the table takes, roughly."""
        return SESSION_BYTES + BYTES_PER_STORED * self._stored_bytes + len(self._saved or b"")

    def here(self) -> set[int]:
        """The seats with a connected person."""
        return self._presence.here

    def info(self) -> messages.Table:
        presence = self._presence
        away = {seat: round(gone, 1) for seat in self.table.people() if (gone := presence.away(seat)) is not None}
        return self.table.info(presence.here, presence.host(self.table), away)

    async def saved(self) -> bytes:
        """The match as a `.tour` file, compressed. It is written once, beside everything else, when it is over."""
        table = self.table
        if table.match is None or table.phase != "over":
            raise Refusal("not-over", "The match can be replayed once it is over.")
        if self._saved is None:
            self._saved = await asyncio.to_thread(packed_tour, table.match, table.names(), table.stand_ins())
        return self._saved

    async def join(self, client: Client, secret: str | None, last: int, key: str | None = None) -> None:
        """Welcome a client and send it everything since event `last`. Its seat is that with the secret or else, if it
        has a passport, with this key."""
        async with self._turn() as table:
            if last > table.n:
                raise Refusal("malformed", f"This table has {table.n} events, not {last}.")
            client.seat = table.holder(secret) if secret is not None else table.seat_with(key) if key else None
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
            self._tell_position(client)
            if changed:
                self._tell_table(but=client)
                self._look_around()

    def tell_trouble(self, *to: Client) -> None:
        """Tell these clients, or everyone, whether the store can be written."""
        trouble = self._store.trouble is not None
        if trouble or not to:
            message = frame(messages.encode(messages.Notice(not_stored().reason if trouble else None)))
            for client in to or self.clients:
                client.tell_framed(message)

    def leave(self, client: Client) -> None:
        self.clients.discard(client)
        if not any(other.seat == client.seat for other in self.clients):
            self._shown.forget(client.seat)
        if self._count_heads():
            self._tell_table()
            self._look_around()

    def look(self, client: Client) -> None:
        """Send a client the whole position, which it has lost track of."""
        self._tell_position(client)

    async def ask(self, client: Client, asked: messages.Asked) -> None:
        """Carry out a client's request and acknowledge it. A refusal changes nothing.

        A request is completed even if the client disconnects meanwhile, because the others are waiting for it.
        """
        seat = client.seat
        if seat is None:
            raise Refusal("wrong-seat", "You are watching: take a seat to join in.")
        async with self._turn() as table:
            n = table.done(seat, asked.id)
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
                n = table.done(seat, asked.id) or n
            client.tell(Ack(asked.id, n))

    async def hint(self, client: Client, id: str) -> None:
        """Tell only this client what the hard bot would do in its seat. Nothing changes at the table."""
        await self._hinting.answer(self._turn, client, id)

    async def sit(self, name: str, seat: int | None, secret: str | None, admitted: bool = False) -> tuple[int, str]:
        """Seat a person, whom the host may have admitted. Returns the seat and its secret."""
        async with self._turn() as table:
            if secret is not None:
                held = table.holder(secret)
                await self._reclaim(table, held)
                return held, secret
            if table.made.ask and table.phase == "playing" and not admitted:
                raise Refusal("ask-first", "The host decides who sits down here: ask for a seat first.")
            seat = seats.open_seat(table, seat)
            if table.n >= self._settings.limits.events_a_table:
                raise too_much("This table has reached its limit: nobody else can sit down.")
            self._must_store()
            others = [now.name for number, now in enumerate(table.seats) if number != seat]
            secret = secrets.token_urlsafe(24)
            now = SeatRecord(person_name(name, others, seat), key_of(secret))
            self._presence.sat_down(seat)
            await self._commit(table, table.seat(seat, now, "sat"))
            return seat, secret

    async def _reclaim(self, table: Table, seat: int) -> None:
        """Give a freed seat back to its former owner, who has just presented its secret."""
        if table.seats[seat].owner is not None:
            self._presence.sat_down(seat)
            await self._commit(table, table.reclaim(seat))

    def sign_off(self, device: str) -> None:
        """Disconnect a device that no longer holds its passport."""
        for client in [client for client in self.clients if client.device == device]:
            client.tell(messages.refused(Refusal("wrong-passport", "This device was signed off.")))
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
            self._shown = render.Shown(fresh)
            self._tell_table()
            for client in self.clients:
                self._tell_position(client)
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
        async with self._lock:
            pass

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[Table]:
        """Exclusive access to the table, in the state of the store."""
        async with self._lock:
            if self.deleted:
                raise self.let_go() if self._moved_away else self._gone()
            try:
                if self._in_doubt:
                    await self._catch_up()
                yield self.table
            except Unavailable:
                raise not_stored() from None

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
        self._tell_news()
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
            case messages.Move() | messages.Undo() if table.seats[seat].bot is not None:
                raise Refusal("wrong-seat", "A bot is playing for you; take your seat back first.")
            case messages.Move():
                return table.play(seat, asked.move, by="person", at=asked.at, id=asked.id)
            case messages.Undo():
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
        self._wake_bots()
        return []

    async def _commit(self, table: Table, steps: list[Step]) -> None:
        """Store the steps, apply them, and tell everyone."""
        if not steps:
            return
        listed = any(isinstance(step.record, Seated | Started | Over) for step in steps)
        card = messages.encode(table.card_after(steps)) if listed else None
        stored = [records.encode(step.record) for step in steps]
        # Whatever ends this early: the steps may have been stored, or not.
        self._in_doubt = True
        try:
            with self._metrics.store.measured():
                await self._store.append(table.id, table.n + 1, stored, card)
        except Gone:
            raise self._gone() from None
        except Elsewhere:
            raise self.let_go() from None
        except Taken:
            # Another program has changed the table.
            await self._catch_up()
            raise Refusal("stale", "The game has moved on since then; look again.") from None
        self._stored_bytes += sum(map(len, stored))
        for step in steps:
            table.apply(step)
        self._in_doubt = False
        for step in steps:
            if isinstance(step.record, Moved):
                self._metrics.moves.add(step.record.by)
                if step.record.by == "stand-in":
                    self._presence.stood_in(step.record.seat)
        self._consulted = self._consulted and bool(table.deferring())
        self._clock.wind(table, self._ring)
        self._tell_news()
        self._look_around()
        if any(isinstance(step.record, Over) for step in steps):
            self._note_end(table)
        self._due.update(self.table.clocks)

    def _tell_news(self) -> None:
        """Send everyone the events they do not have yet."""
        table = self.table
        fresh = range(self._told + 1, table.n + 1)
        self._told = table.n
        seats_changed = any(isinstance(table.entries[n].record, Seated | Started | Over) for n in fresh)
        info = frame(messages.encode(TableMessage(self.info()))) if seats_changed else b""
        news: dict[int | None, Frames] = {}
        for seat, change in self._changes().items():
            events = [frame(messages.encode(render.event_message(table, n, seat))) for n in fresh]
            news[seat] = b"".join((*events, info, change))
        for client in self.clients:
            if client.welcome:
                client.tell_framed(news[client.seat])

    def _tell_table(self, but: Client | None = None) -> None:
        message = frame(messages.encode(TableMessage(self.info())))
        for client in self.clients:
            if client is not but:
                client.tell_framed(message)

    def _tell_position(self, client: Client) -> None:
        """Tell a client the whole position. Others in its seat are told again too, so that a change means the same to
        all of them; spectators have no moves, so to them it does anyway."""
        seat = client.seat
        client.welcome = True
        times = self.table.clocks.told(time.time())
        position = self._shown.whole(
            seat, self._clock.running, self._clock.told(), self._presence.host(self.table), times
        )
        told = frame(messages.encode(position))
        for other in self.clients if seat is not None else (client,):
            if other.seat == seat:
                other.tell_framed(told)

    def _changes(self) -> dict[int | None, Frames]:
        """What has changed for each seat that somebody is connected to, and for spectators, since they were last told
        of the position."""
        host = self._presence.host(self.table) if self.table.match is None else None
        times = self.table.clocks.told(time.time())
        changes = self._shown.changes(self._clock.running, self._clock.told(), host, times)
        return {seat: frame(messages.encode(change)) for seat, change in changes.items()}

    def _count_heads(self) -> bool:
        """Update who is here. Returns whether that has changed."""
        here = {client.seat for client in self.clients if client.seat is not None}
        changed = here != self._presence.here
        self._presence.update(here)
        return changed

    def _look_around(self) -> None:
        """Update who is host and whether a bot must move, and schedule the next time this may change."""
        if self._lookout is not None:
            self._lookout.cancel()
            self._lookout = None
        # Scheduled first, so that nothing that comes due meanwhile is missed.
        wait = self._presence.next_change(self.table)
        host = self._presence.host(self.table)
        if host != self._host:
            self._host = host
            self._tell_table()
            if self.table.match is None:
                # The prompt says to the host that it may begin.
                changes = self._changes()
                for client in self.clients:
                    if client.welcome:
                        client.tell_framed(changes[client.seat])
        self._wake_bots()
        if wait is not None:
            self._lookout = asyncio.get_running_loop().call_later(wait, self._look_around)

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

    def _mover(self) -> tuple[int, str, By] | None:
        """The seat that a bot must move for now, which bot, and whether it replaces an absent player."""
        table = self.table
        bot = table.bot_to_move(self._consulted)
        if bot is not None:
            return *bot, "bot"
        if (seat := self._presence.overdue(table)) is not None:
            return seat, STAND_IN, "stand-in"
        late = self._presence.late(table)
        return None if late is None else (late, STAND_IN, "clock")

    def _wake_bots(self) -> None:
        wanted = self._mover() is not None or self._presence.bots_fill_in(self.table)
        if wanted and (self._bots is None or self._bots.done()):
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
            imagined = table.imagined(seat, seed)
            moment = table.moment
        pause = asyncio.create_task(asyncio.sleep(self._settings.bot_pause))
        move, why = await self._bot_pool.choose(bot, table.game, imagined, seat, seed)
        await pause
        async with self._turn() as table:
            # Meanwhile somebody may have taken the seat, returned to it, or moved.
            if table.moment == moment and self._mover() == mover:
                named = table.game.moves.name(move)
                late = by == "clock"
                await self._commit(
                    table, table.late(seat, named, why) if late else table.play(seat, named, by=by, why=why)
                )
        return True
