"""The registry of all tables, in memory or only in the store."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import msgspec

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.server.background.bot_servers import bots_for
from grandtour.server.background.curves import Curves
from grandtour.server.background.hint_pool import HintPool
from grandtour.server.background.replay_pool import Replays
from grandtour.server.background.reviews import Reviews
from grandtour.server.forwarding import sockets_elsewhere
from grandtour.server.garbage_collection import Load
from grandtour.server.http.requests import (
    Forgotten,
    Invited,
    InvitedPerson,
    OpenedBranch,
    OpenedTable,
    Place,
    WantedBranch,
    WantedPlace,
    WantedTable,
)
from grandtour.server.limits import Addresses, part_of, too_much
from grandtour.server.metrics import Metrics
from grandtour.server.people.daily import Daily
from grandtour.server.people.history import History
from grandtour.server.people.notices import Notices
from grandtour.server.people.passports import Holder, Passports
from grandtour.server.people.profiles import Profiles
from grandtour.server.people.ratings import check_rated
from grandtour.server.settings import Settings
from grandtour.server.storage import clock_store, people_store
from grandtour.server.storage.database import Database
from grandtour.server.storage.retention import DAY
from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.storage.store import PresentSeats, SharedStore, Store, TableElsewhere, TableRow, not_stored
from grandtour.server.storage.store_format import DamagedRecord
from grandtour.server.tables import records
from grandtour.server.tables.branches import branch_records
from grandtour.server.tables.clocks import check_time_control
from grandtour.server.tables.guide import guided
from grandtour.server.tables.lobby import Lobby
from grandtour.server.tables.quick_match import QuickMatch
from grandtour.server.tables.rebuild import rebuild
from grandtour.server.tables.records import Made, Outage, Over, Record
from grandtour.server.tables.seat_requests import SeatRequests
from grandtour.server.tables.seats import seat_secret, wanted_seats
from grandtour.server.tables.session import Session
from grandtour.server.tables.shared_replays import SharedReplays
from grandtour.server.tables.spectators import Spectators
from grandtour.server.tables.table import Step, Table, hash_secret, seat_kind
from grandtour.server.uptime import Uptime

log = logging.getLogger(__name__)

LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""The letters of table ids, without those that look alike."""
ID_LENGTH: Final = 12
MAX_LISTED: Final = 100
DELETE_INTERVAL: Final = 3600.0
"""Seconds between two searches for tables, chat and passports to delete."""
PASSPORT_BATCH: Final = 100
CLOCK_CHECK_INTERVAL: Final = 10.0
MAX_DUE_TABLES: Final = 20
"""Seconds between two searches for tables whose clocks have run out, and the number loaded each time."""
MIN_OUTAGE: Final = 1.0
"""Outages shorter than this many seconds are not recorded as events."""
SWEEP_INTERVAL: Final = 20.0
"""Seconds between two searches for tables to unload from memory."""
STORE_CHECK_INTERVAL: Final = 1.0
"""The minimum number of seconds between two test writes to the store."""
STORE_CHECK_TIMEOUT: Final = 5.0
"""Seconds to wait for a test write."""


class Registry:
    """Opens tables, finds them, and unloads those that nobody is at."""

    def __init__(self, settings: Settings, store: Store | None = None) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.sessions: dict[str, Session] = {}
        self._store: Store = store if store is not None else SqliteStore(settings.data / FILE)
        self.shared = self._store if isinstance(self._store, SharedStore) else None
        self.addresses = Addresses(settings.limits, self.shared)
        if self.shared is not None:
            self.addresses.sockets_elsewhere = partial(sockets_elsewhere, self.shared)
            self.shared.on_lease_lost = self._unload_all
            self.shared.present_seats = self._present_at_public_tables
            self.shared.start_renewing()
        self._bot_pool = bots_for(settings, self.metrics, self.shared)
        self._hint_pool = HintPool(
            settings.limits.hints_waiting,
            settings.hint_deadline,
            settings.hint_budget,
            settings.limits.address_hints_waiting,
        )
        self.reviews = Reviews(self._hint_pool, settings)
        self.replays = Replays(settings, self.addresses)
        self.curves = Curves(self._store, self._hint_pool, settings)
        self._uptime = Uptime(self._store)
        self._loading: dict[str, asyncio.Task[None]] = {}
        self.lobby = Lobby(self.listing, settings.lobby_refresh)
        self.passports = Passports(self._store, settings.device_link, self._sign_off)
        self.history = History(self._store, self.visit, self.sessions)
        self.notices = Notices(self._store, settings, self.sessions)
        self.spectators = Spectators(self._store, settings, self.sessions)
        self.seat_requests = SeatRequests()
        self.profiles = Profiles(self._store)
        self.shared_replays = SharedReplays()
        self.daily = Daily(self._store, self._open_daily, self.passports.sat_down, self.visit)
        self.quick_match = QuickMatch(self)
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._tasks = [
            asyncio.create_task(work)
            for work in (
                self._sweep(),
                self._watch_store(),
                self._watch_clocks(),
                self._delete_old(),
                self._uptime.watch(),
                self.metrics.watch_lag(),
            )
        ]
        self._releasing: set[asyncio.Task[None]] = set()
        self._last_store_check = -STORE_CHECK_INTERVAL

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(session.close() for session in self.sessions.values()))
        await asyncio.gather(*self._background_tasks, return_exceptions=True)
        await self.notices.close()
        await self.reviews.close()
        await self.curves.close()
        self.replays.close()
        self._bot_pool.close()
        self._hint_pool.close()
        await self._store.close()

    async def open(self, wanted: WantedTable, address: str = "", quick: bool = False) -> OpenedTable:
        """Open a table for this address. The match starts at once if no seat is open."""
        holder = await self.holder(wanted.passport)
        if wanted.patience not in self.settings.patiences:
            allowed = ", ".join(f"{seconds:g}" for seconds in self.settings.patiences)
            raise Refusal("bad-options", f"A table can wait this many seconds for an absent player: {allowed}.")
        if wanted.time is not None:
            check_time_control(wanted.time, self.settings.min_time)
        game = catalogue.game(wanted.game)
        dice = secrets.token_bytes(32)
        if wanted.guided:
            wanted, dice = guided(wanted, game)
        # Setting up a match once reveals any problem with the options and the number of seats.
        match = Match(game, len(wanted.seats), wanted.options, dice)
        if self._store.write_error is not None:
            raise not_stored()
        if wanted.rated:
            check_rated(game, wanted.public, sum(seat.kind != "bot" for seat in wanted.seats), wanted.guided)
        seats, mine, secret = wanted_seats(wanted.seats)
        made = Made(
            game.name,
            match.version,
            match.options,
            seats,
            wanted.public,
            time.time(),
            dice.hex(),
            wanted.hints and not wanted.rated,
            wanted.patience if wanted.time is None else 0.0,
            wanted.guided,
            rated=wanted.rated,
            ask=wanted.ask,
            quick=quick,
            time=wanted.time,
        )
        table = await self._create(made, address)
        if holder is not None and mine is not None:
            await self.passports.sat_down(holder, self.sessions[table].table, mine)
        return OpenedTable(table, mine, secret)

    async def _open_daily(self, made: Made, address: str) -> Table:
        if self._store.write_error is not None:
            raise not_stored()
        return self.sessions[await self._create(made, address)].table

    async def sit(self, id: str, wanted: WantedPlace) -> Place:
        """Seat a person at a table. If they have a passport, the seat is the passport's."""
        holder = await self.holder(wanted.passport)
        fresh = None if wanted.id is None else seat_secret(id, wanted.id)
        async with self.visit(id) as session:
            if holder is not None and wanted.secret is None:
                key = await self.passports.key_at(holder, id)
                again = fresh is not None and key == hash_secret(fresh)
                if key is not None and session.table.seat_by_key(key) is not None and not again:
                    raise Refusal("taken", "You already have a seat at this table.")
            seat, secret = await session.sit(wanted.name, wanted.seat, wanted.secret, fresh=fresh)
            if holder is not None:
                await self.passports.sat_down(holder, session.table, seat)
                if session.table.phase == "over":
                    await self.history.settle(session.table)
        return Place(seat, secret)

    async def invite(self, id: str, wanted: InvitedPerson) -> Invited:
        """Invite somebody to a table. The inviter must have a seat there."""
        holder = await self.passports.holder(wanted.passport)
        async with self.visit(id) as session:
            table = session.table
            key = await self.passports.key_at(holder, id)
            seat = table.seat_by_key(key) if key is not None else None
            if seat is None:
                raise Refusal("wrong-seat", "Only those who sit at a table can invite others to it.")
            if table.phase != "waiting":
                raise Refusal("over", "You can invite people until the game begins.")
            by = table.names()[seat]
            name, fresh = await self.history.invite(holder, wanted.to, id, by)
            if fresh:
                self.notices.invited(id, table.game.title, by, wanted.to)
            return Invited(name)

    async def forget(self, holder: Holder) -> Forgotten:
        """Remove a person and their data for good."""
        if self._store.write_error is not None:
            raise not_stored()
        devices = (await self.passports.me(holder)).devices
        forgotten = await self.history.forget(holder)
        self.spectators.forget(holder.passport)
        for device in devices:
            await self._sign_off(device.id)
        return forgotten

    async def holder(self, passport: str | None) -> Holder | None:
        return None if passport is None else await self.passports.holder(passport)

    async def _sign_off(self, device: str) -> None:
        """Disconnect a device that no longer holds its passport."""
        for session in self.sessions.values():
            session.disconnect_device(device)

    def _on_change(self, session: Session, fresh: list[Record]) -> None:
        """Called after each change at a table."""
        self.notices.changed(session, fresh)
        for record in fresh:
            if isinstance(record, Over):
                self._on_match_over(session)

    def _on_match_over(self, session: Session) -> None:
        self._in_background(self.spectators.open(session), f"the spectators' chat at table {session.table.id}")
        if session.table.made.daily is not None:
            self._in_background(self.daily.settle(session.table), f"the deal of the day at table {session.table.id}")

    def _record_result(self, table: Table) -> None:
        """Record the result of a match. If that fails, it is recorded when one of its players lists their games."""
        self._in_background(self.history.settle(table), f"the result of table {table.id}")

    def _in_background(self, work: Coroutine[None, None, None], what: str) -> None:
        async def run() -> None:
            try:
                await work
            except Exception:
                log.exception("%s could not be stored or sent", what)

        task = asyncio.create_task(run())
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    async def _create(self, made: Made, address: str = "") -> str:
        """Store a new table and start its match if no seat is open. Returns its id."""
        waiting = any(seat_kind(seat) == "open" for seat in made.seats)
        if waiting:
            self._make_room_for_waiting(address)
        self._make_room()
        table = Table(_new_id(), made)
        steps: list[Step] = [] if waiting else table.start()
        row = TableRow(table.id, made.made, made.public, messages.encode(table.card_after(steps)))
        stored = [records.encode(record) for record in (made, *(step.record for step in steps))]
        with self.metrics.store.timer():
            await self._store.create(row, stored)
        for step in steps:
            table.apply(step)
        self.sessions[table.id] = self._session(table, stored, address)
        if made.rematch_of is not None:
            await self.passports.move_to_rematch(made.rematch_of, table)
            by = next((seat.name for seat in made.seats if seat.key is not None), "")
            self.notices.rematch(self.sessions.get(made.rematch_of), self.sessions[table.id], by)
        return table.id

    async def branch(self, id: str, wanted: WantedBranch, address: str = "") -> OpenedBranch:
        """Open a table that continues a finished match from one of its moments."""
        holder = await self.holder(wanted.passport)
        async with self.visit(id) as session:
            first, held = branch_records(session.table, wanted)
        if self._store.write_error is not None:
            raise not_stored()
        self._make_room()
        stored = [records.encode(record) for record in first]
        table = await rebuild(_new_id(), stored)
        row = TableRow(table.id, table.made.made, table.made.public, messages.encode(table.card_after([])))
        with self.metrics.store.timer():
            await self._store.create(row, stored)
        self.sessions[table.id] = self._session(table, stored, address)
        await self.passports.add_mentions(id, table.id)
        if holder is not None:
            await self.passports.sat_down(holder, table, wanted.seat)
        everywhere = [held[seat] for seat in sorted(held)] if wanted.alone else []
        return OpenedBranch(table.id, wanted.seat, held[wanted.seat], everywhere)

    @asynccontextmanager
    async def visit(self, id: str) -> AsyncIterator[Session]:
        """A table's session, loaded from the store if necessary. It stays in memory during the `with` block."""
        while (session := self.sessions.get(id)) is None or session.deleted:
            self.sessions.pop(id, None)
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
                self._loading[id].add_done_callback(lambda _: self._loading.pop(id))
            await asyncio.shield(self._loading[id])
        session.visits += 1
        try:
            yield session
        finally:
            session.visits -= 1
            session.touched = time.monotonic()

    async def locate(self, id: str) -> str | None:
        """The address of the server that has a table; None if it is this server, which takes a free table."""
        session = self.sessions.get(id)
        if session is None or session.deleted:
            try:
                async with self.visit(id):
                    pass
            except TableElsewhere as elsewhere:
                return elsewhere.address
            except Exception:
                # The request for the table itself will report the reason.
                return None
        return None

    @property
    def write_error(self) -> str | None:
        return self._store.write_error

    async def check_store(self) -> None:
        """Check whether the store can be written, and set `write_error` accordingly."""
        now = time.monotonic()
        if now - self._last_store_check >= STORE_CHECK_INTERVAL:
            self._last_store_check = now
            # The store itself remembers the problem.
            with contextlib.suppress(Exception):
                async with asyncio.timeout(STORE_CHECK_TIMEOUT):
                    await self._store.check()

    async def listing(self) -> list[messages.Card]:
        """The public tables, newest first."""
        now = time.time()
        cards = []
        present = await self.shared.present_seats_everywhere() if self.shared is not None else {}
        present |= self._present_at_public_tables()
        for row in await self._store.tables(now - self.settings.listed, MAX_LISTED):
            card = msgspec.json.decode(row.card, type=messages.Card)
            for seat in present.get(row.table, ()):
                card.seats[seat].here = True
            here = any(seat.here for seat in card.seats)
            if card.state != "waiting" or here or row.made >= now - self.settings.listed_waiting:
                cards.append(card)
        return cards

    async def _load(self, id: str) -> None:
        try:
            found = await self._store.load(id)
            if not found:
                raise Refusal("unknown-table", "There is no such table.")
            table = await rebuild(id, found)
            await self._skip_outage(table)
        except DamagedRecord as damage:
            log.error("%s; `grandtour admin verify` looks at all tables", damage)
            raise Refusal("old-table", f"This table cannot continue: event {damage.n} is damaged.") from None
        except Refusal as refusal:
            if refusal.code == "unknown-table":
                raise
            log.warning("table %s cannot be rebuilt: %s", id, refusal)
            raise Refusal("old-table", f"This table cannot continue: {refusal.reason}") from None
        self._make_room()
        self.sessions[id] = self._session(table, found)

    async def _skip_outage(self, table: Table) -> None:
        """Record an outage while clocks were running at this table, so that nobody loses time by it."""
        since = table.clocks.since
        if since is None or self._store.write_error is not None:
            return
        seconds = await self._uptime.down_since(since)
        if seconds >= MIN_OUTAGE:
            step = Step(Outage(seconds, time.time()))
            await self._store.append(table.id, table.n + 1, [records.encode(step.record)])
            table.apply(step)

    def _session(self, table: Table, stored: list[bytes], opened_by: str = "") -> Session:
        session = Session(
            table,
            self._store,
            self._bot_pool,
            self._hint_pool,
            self.settings,
            self.metrics,
            self._create,
            self._record_result,
            opened_by,
            sum(map(len, stored)),
        )
        session.on_change = self._on_change
        return session

    def _make_room_for_waiting(self, address: str) -> None:
        """Make room for one more table that waits for players, by unloading the oldest abandoned one of the same
        address, or of all. It stays in the store and is loaded again when somebody opens its link."""
        limits = self.settings.limits
        waiting = [session for session in self.sessions.values() if session.table.phase == "waiting"]
        mine = [session for session in waiting if address and session.opened_by == address]
        if len(mine) >= part_of(limits.address_tables_waiting, self.addresses.servers):
            self._unload_oldest(mine, "You already have many tables waiting for players.")
        elif len(waiting) >= limits.tables_waiting:
            self._unload_oldest(waiting, "Many tables are already waiting for players: join one of them.")

    def _unload_oldest(self, waiting: list[Session], reason: str) -> None:
        empty = [session for session in waiting if not session.visits]
        if not empty:
            raise too_much(reason)
        self._drop(min(empty, key=lambda session: session.table.made.made), "waiting")

    def _make_room(self) -> None:
        """Unload idle tables until there is room for one more."""
        if not self._shrink_to(self.settings.limits.tables_in_memory - 1):
            raise too_much("The server is full; try again later.")

    def _shrink_to(self, tables: int) -> bool:
        """Unload idle tables, longest idle first, until there are at most this many tables and they fit into the memory
        for tables. Returns whether that was possible."""
        budget = self.settings.limits.tables_bytes
        size = self.tables_bytes()
        if len(self.sessions) <= tables and size <= budget:
            return True
        idle = sorted((session for session in self.sessions.values() if session.idle), key=lambda each: each.touched)
        for session in idle:
            size -= session.memory
            self._drop(session, "room")
            if len(self.sessions) <= tables and size <= budget:
                return True
        return False

    def _drop(self, session: Session, why: str) -> None:
        """Unload a table. It stays in the store."""
        del self.sessions[session.table.id]
        session.unload()
        if self.shared is not None:
            release = asyncio.create_task(self._release(session.table.id))
            self._releasing.add(release)
            release.add_done_callback(self._releasing.discard)
        self.metrics.dropped.add(why)

    async def _release(self, id: str) -> None:
        """Release a table to other servers. If that fails, it is released when this server ends."""
        with contextlib.suppress(Exception):
            await self._store.release(id)

    def _unload_all(self) -> None:
        """Unload all tables, because this server was suspended or cut off and others may have taken them over."""
        for session in self.sessions.values():
            session.close_moved()
        self.sessions.clear()

    def _present_at_public_tables(self) -> PresentSeats:
        """The seats whose players are present, at each public table of this server."""
        sessions = self.sessions.values()
        return {each.table.id: sorted(each.here()) for each in sessions if each.table.made.public and each.here()}

    def tables_bytes(self) -> int:
        """The approximate memory used by tables, in bytes."""
        return sum(session.memory for session in self.sessions.values())

    def load(self) -> Load:
        """The server's load, for the garbage collector."""
        addresses = self.addresses
        return Load(self.tables_bytes(), addresses.sockets.total(), addresses.sockets_closed)

    def gauges(self) -> dict[str, tuple[str, object]]:
        """Current values for the metrics."""
        phases = Counter({"waiting": 0, "playing": 0, "over": 0})
        phases.update(session.table.phase for session in self.sessions.values())
        return {
            "grandtour_tables": ("Tables in memory, by phase.", {"phase": phases}),
            "grandtour_tables_bytes": ("Approximate memory used by these tables.", self.tables_bytes()),
            "grandtour_sockets": ("Sockets at tables.", self.addresses.sockets.total()),
            **self._bot_pool.gauges(),
            "grandtour_hints_thinking": ("Hints in progress or waiting.", self._hint_pool.pending),
            "grandtour_replays": ("Replays being rendered or sent.", self.addresses.replays.total()),
            "grandtour_servers": ("Servers that share the store.", self.addresses.servers),
            "grandtour_store_ok": ("1 while the store can be written.", int(self.write_error is None)),
        }

    async def _watch_store(self) -> None:
        """Tell all clients when the store becomes unwritable, and when it can be written again."""
        failing = False
        while True:
            await asyncio.sleep(STORE_CHECK_INTERVAL / 2)
            if self._store.write_error is not None:
                await self.check_store()
            if failing != (self._store.write_error is not None):
                failing = not failing
                for session in self.sessions.values():
                    session.send_store_state()

    async def _watch_clocks(self) -> None:
        """Load tables without clients when one of their clocks runs out."""
        while True:
            try:
                for table in await self._store.run(_tables_due, writes=False):
                    if table not in self.sessions:
                        with contextlib.suppress(Refusal, TableElsewhere):
                            async with self.visit(table):
                                pass
            except Exception:
                log.exception("clocks that have run out could not be looked up")
            await asyncio.sleep(CLOCK_CHECK_INTERVAL)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP_INTERVAL, self.settings.idle))
            self.addresses.forget()
            self._unload_idle()
            self._shrink_to(self.settings.limits.tables_in_memory)

    def _unload_idle(self) -> None:
        latest = time.monotonic() - self.settings.idle
        for session in list(self.sessions.values()):
            if session.idle and session.touched <= latest:
                self._drop(session, "idle")

    async def _delete_old(self) -> None:
        """Delete tables, chat and unused passports that are past their retention time."""
        settings = self.settings
        while settings.keep_matches or settings.keep_chat or settings.keep_unused_passports:
            try:
                now = time.time()
                if settings.keep_matches:
                    old = await self._store.last_used_before(now - settings.keep_matches * DAY)
                    await self._delete_each(old, self._store.delete, "tables")
                if settings.keep_chat:
                    old = await self._store.with_chat_before(now - settings.keep_chat * DAY)
                    await self._delete_each(old, self._store.delete_chat, "tables' chat")
                if settings.keep_unused_passports:
                    await self._delete_unused_passports(now - settings.keep_unused_passports * DAY)
            except Exception:
                log.exception("old tables, chat or passports could not be deleted")
            await asyncio.sleep(DELETE_INTERVAL)

    async def _delete_unused_passports(self, before: float) -> None:
        deleted = 0
        # A few at a time, because moves wait for each transaction.
        while count := await self._store.run(lambda db: people_store.erase_unused(db, before, PASSPORT_BATCH)):
            deleted += count
        if deleted:
            log.info("%d unused passports deleted because of their age", deleted)

    async def _delete_each(self, tables: list[str], delete: Callable[[str], Awaitable[None]], what: str) -> None:
        """Call `delete` for these tables, except those with clients."""
        deleted = 0
        for table in tables:
            session = self.sessions.get(table)
            if session is not None and session.idle:
                self._drop(session, "old")
            elif session is not None or table in self._loading:
                continue
            with contextlib.suppress(TableElsewhere):
                await delete(table)
                deleted += 1
        if deleted:
            log.info("%d %s deleted because of their age", deleted, what)


def _tables_due(db: Database) -> list[str]:
    return clock_store.due_before(db, time.time(), MAX_DUE_TABLES)


def _new_id() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))
