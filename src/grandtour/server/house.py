"""The house: every table there is, those in memory and those only in the store."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.players import strength
from grandtour.server import messages, records
from grandtour.server.advisers import Advisers
from grandtour.server.bodies import OpenedTable, WantedSeat, WantedTable
from grandtour.server.limits import Addresses, too_much
from grandtour.server.lobby import Lobby
from grandtour.server.rebuilding import rebuild
from grandtour.server.records import Made, SeatRecord
from grandtour.server.replays import Replays
from grandtour.server.reviews import Reviews
from grandtour.server.room import Room
from grandtour.server.settings import Settings
from grandtour.server.store import Row, SqliteStore, Store, not_stored
from grandtour.server.table import DEFAULT_BOT, Step, Table, bot_name, key_of, person_name
from grandtour.server.thinkers import Thinkers

log = logging.getLogger(__name__)

LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""For the ids of tables: no letter looks like another."""
ID_LENGTH: Final = 12
LISTED: Final = 100
SWEEP: Final = 20.0
"""Seconds between two looks for tables that can leave the memory."""
FILE: Final = "grandtour.db"
TESTED_EVERY: Final = 1.0
"""Seconds between two test writes to the store at least."""
CHECKED_WITHIN: Final = 5.0
"""Seconds that a test write is waited for."""


class House:
    """Opens tables, finds them again, and lets go of those where nobody is."""

    def __init__(self, settings: Settings, store: Store | None = None) -> None:
        self.settings = settings
        self.addresses = Addresses(settings.limits)
        self.rooms: dict[str, Room] = {}
        self._store: Store = store if store is not None else SqliteStore(settings.data / FILE)
        self._thinkers = Thinkers(settings.bot_processes, settings.bot_deadline, settings.bot_thought)
        self._advisers = Advisers(
            settings.limits.hints_waiting,
            settings.hint_deadline,
            settings.hint_budget,
            settings.limits.address_hints_waiting,
        )
        self.reviews = Reviews(self._advisers, settings)
        self.replays = Replays(settings, self.addresses)
        self._loading: dict[str, asyncio.Task[None]] = {}
        self.lobby = Lobby(self.listing, settings.lobby_refresh)
        self._sweeper = asyncio.create_task(self._sweep())
        self._watchman = asyncio.create_task(self._watch_store())
        self._tested = -TESTED_EVERY

    async def close(self) -> None:
        self._sweeper.cancel()
        self._watchman.cancel()
        await asyncio.gather(*(room.close() for room in self.rooms.values()))
        await self.reviews.close()
        self.replays.close()
        self._thinkers.close()
        self._advisers.close()
        await self._store.close()

    async def open(self, wanted: WantedTable, address: str = "") -> OpenedTable:
        """A new table for whoever is at that address; it begins at once when no seat is open."""
        if wanted.patience not in self.settings.patiences:
            allowed = ", ".join(f"{seconds:g}" for seconds in self.settings.patiences)
            raise Refusal("bad-options", f"A table waits so many seconds for someone who is away: {allowed}.")
        game = catalogue.game(wanted.game)
        dice = secrets.token_bytes(32)
        # Setting the match up once finds everything there is to refuse in options and number of seats.
        match = Match(game, len(wanted.seats), wanted.options, dice)
        if self._store.trouble is not None:
            raise not_stored()
        seats, mine, secret = _seats(wanted.seats)
        waiting = any(seat.kind == "open" for seat in wanted.seats)
        if waiting:
            self._make_room_to_wait(address)
        self._make_room()
        made = Made(
            game.name,
            match.version,
            match.options,
            seats,
            wanted.public,
            time.time(),
            dice.hex(),
            wanted.hints,
            wanted.patience,
        )
        table = Table("".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH)), made)
        steps: list[Step] = [] if waiting else table.start()
        row = Row(table.id, made.made, made.public, messages.encode(table.card_after(steps)))
        await self._store.create(row, [records.encode(record) for record in (made, *(step.record for step in steps))])
        for step in steps:
            table.settle(step)
        self.rooms[table.id] = self._room(table, address)
        return OpenedTable(table.id, mine, secret)

    @asynccontextmanager
    async def visit(self, id: str) -> AsyncIterator[Room]:
        """A table by its id, from the store if need be; it stays in memory at least as long as the visit."""
        while (room := self.rooms.get(id)) is None:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self._load(id))
                self._loading[id].add_done_callback(lambda _: self._loading.pop(id))
            await asyncio.shield(self._loading[id])
        room.visits += 1
        try:
            yield room
        finally:
            room.visits -= 1
            room.touched = time.monotonic()

    @property
    def trouble(self) -> str | None:
        return self._store.trouble

    async def check_store(self) -> None:
        """Find out whether anything can be stored; `trouble` says it afterwards."""
        now = time.monotonic()
        if now - self._tested >= TESTED_EVERY:
            self._tested = now
            # What goes wrong is noted by the store.
            with contextlib.suppress(Exception):
                async with asyncio.timeout(CHECKED_WITHIN):
                    await self._store.check()

    async def listing(self) -> list[messages.Card]:
        """The public tables, the newest first."""
        now = time.time()
        cards = []
        for row in await self._store.tables(now - self.settings.listed, LISTED):
            room = self.rooms.get(row.table)
            card = msgspec.json.decode(row.card, type=messages.Card)
            if room is not None:
                for seat in room.here():
                    card.seats[seat].here = True
            here = any(seat.here for seat in card.seats)
            if card.state != "waiting" or here or row.made >= now - self.settings.listed_waiting:
                cards.append(card)
        return cards

    async def _load(self, id: str) -> None:
        found = await self._store.load(id)
        if not found:
            raise Refusal("unknown-table", "There is no such table.")
        try:
            table = await rebuild(id, found)
        except Refusal as refusal:
            log.warning("table %s cannot be rebuilt: %s", id, refusal)
            raise Refusal("old-table", f"This table cannot be played on: {refusal.reason}") from None
        self._make_room()
        self.rooms[id] = self._room(table)

    def _room(self, table: Table, opened_by: str = "") -> Room:
        return Room(table, self._store, self._thinkers, self._advisers, self.settings, opened_by)

    def _make_room_to_wait(self, address: str) -> None:
        """Let the oldest tables go that wait for players with nobody there, until one more may wait: among those of the
        same address first. They stay in the store, and come back when somebody opens their link."""
        limits = self.settings.limits
        waiting = [room for room in self.rooms.values() if room.table.phase == "waiting"]
        mine = [room for room in waiting if address and room.opened_by == address]
        if len(mine) >= limits.address_tables_waiting:
            self._give_way(mine, "Many tables that you opened are waiting for players already.")
        elif len(waiting) >= limits.tables_waiting:
            self._give_way(waiting, "Many tables are waiting for players already: sit down at one of them.")

    def _give_way(self, waiting: list[Room], reason: str) -> None:
        empty = [room for room in waiting if not room.visits]
        if not empty:
            raise too_much(reason)
        del self.rooms[min(empty, key=lambda room: room.table.made.made).table.id]

    def _make_room(self) -> None:
        """Let idle tables go until there is room for one more."""
        limits = self.settings.limits
        if len(self.rooms) >= limits.tables_in_memory:
            idle = [room for room in self.rooms.values() if room.idle]
            if not idle:
                raise too_much("The house is full; try again later.")
            del self.rooms[min(idle, key=lambda room: room.touched).table.id]

    async def _watch_store(self) -> None:
        """Tell everyone when nothing can be stored any more, and when that is over."""
        told = False
        while True:
            await asyncio.sleep(TESTED_EVERY / 2)
            if self._store.trouble is not None:
                await self.check_store()
            if told != (self._store.trouble is not None):
                told = not told
                for room in self.rooms.values():
                    room.tell_trouble()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(SWEEP, self.settings.idle))
            self.addresses.forget()
            latest = time.monotonic() - self.settings.idle
            for id, room in list(self.rooms.items()):
                if room.idle and room.touched <= latest:
                    del self.rooms[id]


def _seats(wanted: list[WantedSeat]) -> tuple[list[SeatRecord], int | None, str | None]:
    """The seats as they are stored, and the maker's with its secret."""
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
                raise Refusal("malformed", "You can sit on one seat only.")
            mine, secret = number, secrets.token_urlsafe(24)
            names[number] = person_name(seat.name, others, number)
            seats.append(SeatRecord(names[number], key_of(secret)))
    return seats, mine, secret
