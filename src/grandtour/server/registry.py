"""The registry of all tables, in memory or only in the store."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.players import strength
from grandtour.players.names import bot_name
from grandtour.protocol import messages
from grandtour.server import clock_store, records
from grandtour.server.bot_pool import BotPool
from grandtour.server.branches import branch_records
from grandtour.server.clocks import check_time_control
from grandtour.server.collector import Load
from grandtour.server.curves import Curves
from grandtour.server.database import Database
from grandtour.server.guide import guided
from grandtour.server.hint_pool import HintPool
from grandtour.server.history import History
from grandtour.server.limits import Addresses, too_much
from grandtour.server.lobby import Lobby
from grandtour.server.metrics import Metrics
from grandtour.server.passports import Holder, Passports
from grandtour.server.ratings import check_rated
from grandtour.server.rebuild import rebuild
from grandtour.server.records import Made, Outage, SeatRecord
from grandtour.server.replay_pool import Replays
from grandtour.server.requests import (
    Forgotten,
    Invited,
    InvitedPerson,
    OpenedTable,
    Place,
    WantedBranch,
    WantedPlace,
    WantedQuick,
    WantedSeat,
    WantedTable,
)
from grandtour.server.retention import DAY
from grandtour.server.reviews import Reviews
from grandtour.server.session import Session
from grandtour.server.settings import Settings
from grandtour.server.sqlite_store import FILE, SqliteStore
from grandtour.server.store import Elsewhere, Here, Row, SharedStore, Store, not_stored
from grandtour.server.store_format import Damaged
from grandtour.server.table import DEFAULT_BOT, Step, Table, key_of, kind_of, person_name
from grandtour.server.uptime import Uptime
from grandtour.server.waitlist import Waitlist

log = logging.getLogger(__name__)

LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""The letters of table ids. None looks like another."""
ID_LENGTH: Final = 12
LISTED: Final = 100
QUICK_SEATS: Final = 3
"""Seats of a quick match, in games for as many."""
DELETE_EVERY: Final = 3600.0
"""Seconds between two searches for tables and chat to delete."""
DUE_EVERY: Final = 10.0
DUE_AT_ONCE: Final = 20
"""Seconds between two searches for tables whose clocks have run out, and how many are loaded each time."""
MIN_OUTAGE: Final = 1.0
"""Seconds that the server must have been down to be worth an event."""
SWEEP: Final = 20.0
"""Seconds between two searches for tables to unload from memory."""
TESTED_EVERY: Final = 1.0
"""The minimum number of seconds between two test writes to the store."""
CHECKED_WITHIN: Final = 5.0
"""Seconds to wait for a test write."""


class Registry:
    """Opens tables, finds them, and unloads those that nobody is at."""

    def __init__(self, settings: Settings, store: Store | None = None) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.addresses = Addresses(settings.limits)
        self.sessions: dict[str, Session] = {}
        self._store: Store = store if store is not None else SqliteStore(settings.data / FILE)
        self.shared = self._store if isinstance(self._store, SharedStore) else None
        if self.shared is not None:
            self.shared.on_lapse = self._let_go_of_all
            self.shared.here = self._here_in_public
            self.shared.begin()
        self._bot_pool = BotPool(settings.bot_processes, settings.bot_deadline, settings.bot_thought, self.metrics)
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
        self.waitlist = Waitlist()
        self._matching = asyncio.Lock()
        self._ends: set[asyncio.Task[None]] = set()
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
        self._tested = -TESTED_EVERY

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(session.close() for session in self.sessions.values()))
        await asyncio.gather(*self._ends, return_exceptions=True)
        await self.reviews.close()
        await self.curves.close()
        self.replays.close()
        self._bot_pool.close()
        self._hint_pool.close()
        await self._store.close()

    async def open(self, wanted: WantedTable, address: str = "", quick: bool = False) -> OpenedTable:
        """Open a table for this address. The match starts at once if no seat is open."""
        holder = await self._holder(wanted.passport)
        if wanted.patience not in self.settings.patiences:
            allowed = ", ".join(f"{seconds:g}" for seconds in self.settings.patiences)
            raise Refusal("bad-options", f"A table can wait this many seconds for an absent player: {allowed}.")
        if wanted.time is not None:
            check_time_control(wanted.time, self.settings.min_time)
        game = catalogue.game(wanted.game)
        dice = secrets.token_bytes(32)
        if wanted.guided:
            wanted, dice = guided(wanted, game)
        # Setting up a match once finds every problem with the options and the number of seats.
        match = Match(game, len(wanted.seats), wanted.options, dice)
        if self._store.trouble is not None:
            raise not_stored()
        if wanted.rated:
            check_rated(game, wanted.public, sum(seat.kind != "bot" for seat in wanted.seats), wanted.guided)
        seats, mine, secret = _seats(wanted.seats)
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

    async def sit(self, id: str, wanted: WantedPlace) -> Place:
        """Seat a person at a table. If they have a passport, the seat is the passport's."""
        holder = await self._holder(wanted.passport)
        async with self.visit(id) as session:
            if holder is not None and wanted.secret is None:
                key = await self.passports.key_at(holder, id)
                if key is not None and session.table.seat_with(key) is not None:
                    raise Refusal("taken", "You have a seat at this table already.")
            seat, secret = await session.sit(wanted.name, wanted.seat, wanted.secret)
            if holder is not None:
                await self.passports.sat_down(holder, session.table, seat)
                if session.table.phase == "over":
                    await self.history.settle(session.table)
        return Place(seat, secret)

    async def quick(self, game: str, wanted: WantedQuick, address: str) -> OpenedTable:
        """Seat somebody with anyone who waits for this game, or open a table at which others are seated."""
        holder = await self._holder(wanted.passport)
        seats = catalogue.game(game).players
        async with self._matching:
            for id, session in list(self.sessions.items()):
                table = session.table
                if table.made.quick and table.phase == "waiting" and table.game.name == game and session.here():
                    key = await self.passports.key_at(holder, id) if holder is not None else None
                    if key is None or table.seat_with(key) is None:
                        place = await self.sit(id, WantedPlace(wanted.name, passport=wanted.passport))
                        return OpenedTable(id, place.seat, place.secret)
            self.addresses.table(address)
            size = min(seats[1], max(seats[0], QUICK_SEATS))
            others = [WantedSeat("open") for _ in range(size - 1)]
            fresh = WantedTable(game, [WantedSeat("me", wanted.name), *others], public=True, passport=wanted.passport)
            return await self.open(fresh, address, quick=True)

    async def invite(self, id: str, wanted: InvitedPerson) -> Invited:
        """Invite somebody to a table where the inviter sits."""
        holder = await self.passports.holder(wanted.passport)
        async with self.visit(id) as session:
            table = session.table
            key = await self.passports.key_at(holder, id)
            seat = table.seat_with(key) if key is not None else None
            if seat is None:
                raise Refusal("wrong-seat", "Only those who sit at a table can invite others to it.")
            if table.phase != "waiting":
                raise Refusal("over", "You can invite people until the game begins.")
            return Invited(await self.history.invite(holder, wanted.to, id, table.names()[seat]))

    async def forget(self, holder: Holder) -> Forgotten:
        """Remove a person for good."""
        if self._store.trouble is not None:
            raise not_stored()
        devices = (await self.passports.me(holder)).devices
        forgotten = await self.history.forget(holder)
        for device in devices:
            await self._sign_off(device.id)
        return forgotten

    async def _holder(self, passport: str | None) -> Holder | None:
        return None if passport is None else await self.passports.holder(passport)

    async def _sign_off(self, device: str) -> None:
        """Disconnect a device that no longer holds its passport."""
        for session in self.sessions.values():
            session.sign_off(device)

    def _note_end(self, table: Table) -> None:
        """Note how a match ended, in the background."""

        async def note() -> None:
            try:
                await self.history.settle(table)
            except Exception:
                # It is noted when somebody looks at their games.
                log.exception("the end of table %s could not be noted", table.id)

        task = asyncio.create_task(note())
        self._ends.add(task)
        task.add_done_callback(self._ends.discard)

    async def _create(self, made: Made, address: str = "") -> str:
        """Store a new table and start its match if no seat is open. Returns its id."""
        waiting = any(kind_of(seat) == "open" for seat in made.seats)
        if waiting:
            self._make_room_to_wait(address)
        self._make_room()
        table = Table(_new_id(), made)
        steps: list[Step] = [] if waiting else table.start()
        row = Row(table.id, made.made, made.public, messages.encode(table.card_after(steps)))
        stored = [records.encode(record) for record in (made, *(step.record for step in steps))]
        with self.metrics.store.measured():
            await self._store.create(row, stored)
        for step in steps:
            table.apply(step)
        self.sessions[table.id] = self._session(table, stored, address)
        if made.rematch_of is not None:
            await self.passports.come_along(made.rematch_of, table)
        return table.id

    async def branch(self, id: str, wanted: WantedBranch, address: str = "") -> OpenedTable:
        """Open a table on which a finished match is played on from one of its moments."""
        holder = await self._holder(wanted.passport)
        async with self.visit(id) as session:
            first, secret = branch_records(session.table, wanted)
        if self._store.trouble is not None:
            raise not_stored()
        self._make_room()
        stored = [records.encode(record) for record in first]
        table = await rebuild(_new_id(), stored)
        row = Row(table.id, table.made.made, table.made.public, messages.encode(table.card_after([])))
        with self.metrics.store.measured():
            await self._store.create(row, stored)
        self.sessions[table.id] = self._session(table, stored, address)
        await self.passports.mention(id, table.id)
        if holder is not None:
            await self.passports.sat_down(holder, table, wanted.seat)
        return OpenedTable(table.id, wanted.seat, secret)

    @asynccontextmanager
    async def visit(self, id: str) -> AsyncIterator[Session]:
        """A table by id, loaded from the store if necessary. It stays in memory during the visit."""
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
        """The address of the server that has a table; None if it is this one, which then takes it if it is free."""
        session = self.sessions.get(id)
        if session is None or session.deleted:
            try:
                async with self.visit(id):
                    pass
            except Elsewhere as elsewhere:
                return elsewhere.address
            except Exception:
                # Whoever asks for the table is told why.
                return None
        return None

    @property
    def trouble(self) -> str | None:
        return self._store.trouble

    async def check_store(self) -> None:
        """Find out whether the store can be written; `trouble` is set accordingly."""
        now = time.monotonic()
        if now - self._tested >= TESTED_EVERY:
            self._tested = now
            # The store itself remembers the problem.
            with contextlib.suppress(Exception):
                async with asyncio.timeout(CHECKED_WITHIN):
                    await self._store.check()

    async def listing(self) -> list[messages.Card]:
        """The public tables, the newest first."""
        now = time.time()
        cards = []
        present = await self.shared.here_everywhere() if self.shared is not None else {}
        present |= self._here_in_public()
        for row in await self._store.tables(now - self.settings.listed, LISTED):
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
        except Damaged as damage:
            log.error("%s; `grandtour admin verify` looks at all tables", damage)
            raise Refusal("old-table", f"This table cannot be played on: event {damage.n} is damaged.") from None
        except Refusal as refusal:
            if refusal.code == "unknown-table":
                raise
            log.warning("table %s cannot be rebuilt: %s", id, refusal)
            raise Refusal("old-table", f"This table cannot be played on: {refusal.reason}") from None
        self._make_room()
        self.sessions[id] = self._session(table, found)

    async def _skip_outage(self, table: Table) -> None:
        """If the server was down while clocks were running at this table, note that nobody is charged for it."""
        since = table.clocks.since
        if since is None or self._store.trouble is not None:
            return
        seconds = await self._uptime.down_since(since)
        if seconds >= MIN_OUTAGE:
            step = Step(Outage(seconds, time.time()))
            await self._store.append(table.id, table.n + 1, [records.encode(step.record)])
            table.apply(step)

    def _session(self, table: Table, stored: list[bytes], opened_by: str = "") -> Session:
        return Session(
            table,
            self._store,
            self._bot_pool,
            self._hint_pool,
            self.settings,
            self.metrics,
            self._create,
            self._note_end,
            opened_by,
            sum(map(len, stored)),
        )

    def _make_room_to_wait(self, address: str) -> None:
        """Unload the oldest abandoned tables that wait for players until one more may wait, those of the same address
        first. They stay in the store and are loaded again when somebody opens their link."""
        limits = self.settings.limits
        waiting = [session for session in self.sessions.values() if session.table.phase == "waiting"]
        mine = [session for session in waiting if address and session.opened_by == address]
        if len(mine) >= limits.address_tables_waiting:
            self._give_way(mine, "You already have many tables waiting for players.")
        elif len(waiting) >= limits.tables_waiting:
            self._give_way(waiting, "Many tables are already waiting for players: join one of them.")

    def _give_way(self, waiting: list[Session], reason: str) -> None:
        empty = [session for session in waiting if not session.visits]
        if not empty:
            raise too_much(reason)
        self._drop(min(empty, key=lambda session: session.table.made.made), "waiting")

    def _make_room(self) -> None:
        """Unload idle tables until there is room for one more."""
        if not self._keep_within(self.settings.limits.tables_in_memory - 1):
            raise too_much("The server is full; try again later.")

    def _keep_within(self, tables: int) -> bool:
        """Unload idle tables, those left earliest first, until there are at most this many and they fit into the memory
        for tables. Returns whether they do."""
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
        """Let other servers have a table. If that fails, they have it when this server ends."""
        with contextlib.suppress(Exception):
            await self._store.release(id)

    def _let_go_of_all(self) -> None:
        """This server was asleep or cut off: other servers may have its tables."""
        for session in self.sessions.values():
            session.let_go()
        self.sessions.clear()

    def _here_in_public(self) -> Here:
        """Who is at the public tables of this server."""
        sessions = self.sessions.values()
        return {each.table.id: sorted(each.here()) for each in sessions if each.table.made.public and each.here()}

    def tables_bytes(self) -> int:
        """The approximate memory that tables take."""
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
            "grandtour_tables": ("Tables in memory, by how far they are.", {"phase": phases}),
            "grandtour_tables_bytes": ("Memory that these take, roughly.", self.tables_bytes()),
            "grandtour_sockets": ("Sockets at tables.", self.addresses.sockets.total()),
            "grandtour_bots_thinking": ("Moves that bots think about or wait to.", self._bot_pool.asked),
            "grandtour_hints_thinking": ("Hints that are thought about or wait to be.", self._hint_pool.asked),
            "grandtour_replays": ("Replays that are worked out or sent.", self.addresses.replays.total()),
            "grandtour_store_ok": ("1 while things can be stored.", int(self.trouble is None)),
        }

    async def _watch_store(self) -> None:
        """Tell everyone when the store cannot be written, and when it can be again."""
        told = False
        while True:
            await asyncio.sleep(TESTED_EVERY / 2)
            if self._store.trouble is not None:
                await self.check_store()
            if told != (self._store.trouble is not None):
                told = not told
                for session in self.sessions.values():
                    session.tell_trouble()

    async def _watch_clocks(self) -> None:
        """Load tables that nobody is at when a clock of theirs has run out."""
        while True:
            try:
                for table in await self._store.run(_tables_due, writes=False):
                    if table not in self.sessions:
                        with contextlib.suppress(Refusal, Elsewhere):
                            async with self.visit(table):
                                pass
            except Exception:
                log.exception("clocks that have run out could not be looked for")
            await asyncio.sleep(DUE_EVERY)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP, self.settings.idle))
            self.addresses.forget()
            self._unload_idle()
            self._keep_within(self.settings.limits.tables_in_memory)

    def _unload_idle(self) -> None:
        latest = time.monotonic() - self.settings.idle
        for session in list(self.sessions.values()):
            if session.idle and session.touched <= latest:
                self._drop(session, "idle")

    async def _delete_old(self) -> None:
        """Delete tables and chat that are past their retention time."""
        settings = self.settings
        while settings.keep_matches or settings.keep_chat:
            try:
                now = time.time()
                if settings.keep_matches:
                    old = await self._store.last_used_before(now - settings.keep_matches * DAY)
                    await self._delete_each(old, self._store.delete, "tables")
                if settings.keep_chat:
                    old = await self._store.with_chat_before(now - settings.keep_chat * DAY)
                    await self._delete_each(old, self._store.delete_chat, "tables' chat")
            except Exception:
                log.exception("what is old could not be deleted")
            await asyncio.sleep(DELETE_EVERY)

    async def _delete_each(self, tables: list[str], delete: Callable[[str], Awaitable[None]], what: str) -> None:
        """Delete something from these tables, except from those that somebody is at."""
        deleted = 0
        for table in tables:
            session = self.sessions.get(table)
            if session is not None and session.idle:
                self._drop(session, "old")
            elif session is not None or table in self._loading:
                continue
            with contextlib.suppress(Elsewhere):
                await delete(table)
                deleted += 1
        if deleted:
            log.info("%d %s deleted because of their age", deleted, what)


def _tables_due(db: Database) -> list[str]:
    return clock_store.due_before(db, time.time(), DUE_AT_ONCE)


def _new_id() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))


def _seats(wanted: list[WantedSeat]) -> tuple[list[SeatRecord], int | None, str | None]:
    """The seats as they are stored, and the opener's own seat with its secret."""
    seats: list[SeatRecord] = []
    names = [seat.name for seat in wanted]
    mine: int | None = None
    secret: str | None = None
    for number, seat in enumerate(wanted):
        others = names[:number] + names[number + 1 :]
        if seat.kind == "open":
            names[number] = ""
            seats.append(SeatRecord())
        elif seat.kind == "bot":
            names[number] = person_name(seat.name, others, number) if seat.name.strip() else bot_name(others)
            bot = strength(seat.bot) if seat.bot is not None else DEFAULT_BOT
            seats.append(SeatRecord(names[number], None, bot))
        else:
            if mine is not None:
                raise Refusal("malformed", "You can take only one seat.")
            mine, secret = number, secrets.token_urlsafe(24)
            names[number] = person_name(seat.name, others, number)
            seats.append(SeatRecord(names[number], key_of(secret)))
    return seats, mine, secret
