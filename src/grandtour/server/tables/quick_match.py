"""Quick matches: people who want to play the same game are seated together, on whichever server they are."""

import asyncio
import secrets
import time
from typing import TYPE_CHECKING, Final

import msgspec

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.protocol.messages import Card
from grandtour.server.forwarding import CONNECT_TIMEOUT, PREFIX, RETRY_INTERVAL, SEARCH_TIMEOUT, post
from grandtour.server.http.requests import OpenedTable, Place, WantedPlace, WantedQuick, WantedSeat, WantedTable
from grandtour.server.storage.database import Database
from grandtour.server.storage.leases import LEASE
from grandtour.server.storage.store import SharedStore, TableElsewhere
from grandtour.server.tables import records
from grandtour.server.tables.records import Made
from grandtour.server.tables.seats import seat_secret
from grandtour.server.tables.session import Session
from grandtour.server.tables.table import hash_secret

if TYPE_CHECKING:
    from grandtour.server.registry import Registry

QUICK_SEATS: Final = 3
"""The number of seats of a quick match, if the game allows as many."""
MAX_WAITING: Final = 200
"""The maximum number of recently opened tables that are searched."""
CLOCKS_DIFFER: Final = 10.0
"""The number of seconds by which the clocks of two servers may differ."""


class QuickMatch:
    """Finds waiting people, or opens a table where others will find the person."""

    def __init__(self, registry: "Registry") -> None:
        self._registry = registry
        self._matching = asyncio.Lock()

    async def play(self, game: str, wanted: WantedQuick, address: str) -> OpenedTable:
        """Seat a person with anyone who waits for this game, or open a new table for them."""
        registry = self._registry
        await registry.holder(wanted.passport)
        seats = catalogue.game(game).players
        place = WantedPlace(wanted.name, passport=wanted.passport, id=secrets.token_urlsafe(24))
        async with self._matching:
            for table in await self._tables(game):
                found = await self._seat_anywhere(table, place, address)
                if found is not None:
                    return OpenedTable(table, found.seat, found.secret)
            await registry.addresses.table(address)
            size = min(seats[1], max(seats[0], QUICK_SEATS))
            others = [WantedSeat("open") for _ in range(size - 1)]
            fresh = WantedTable(game, [WantedSeat("me", wanted.name), *others], public=True, passport=wanted.passport)
            return await registry.open(fresh, address, quick=True)

    async def seat_here(self, table: str, wanted: WantedPlace) -> Place | None:
        """A seat at a quick match of this server, if somebody waits there."""
        assert wanted.id is not None
        session = self._registry.sessions.get(table)
        if session is None:
            return None
        again = session.table.seat_by_key(hash_secret(seat_secret(table, wanted.id))) is not None
        if not again and not _is_waited_at(session, self._registry.settings.quick_arrival):
            return None
        try:
            return await self._registry.sit(table, wanted)
        except Refusal as refusal:
            if refusal.code == "taken":
                return None
            raise

    async def _tables(self, game: str) -> list[str]:
        """The tables at which somebody may wait, those of this server first, then those that have waited longest."""
        sessions = self._registry.sessions.items()
        found = [
            id
            for id, session in sessions
            if session.table.made.quick and session.table.phase == "waiting" and session.table.game.name == game
        ]
        shared = self._registry.shared
        if shared is not None:
            found += [id for id in await self._tables_elsewhere(shared, game) if id not in found]
        return found

    async def _tables_elsewhere(self, shared: SharedStore, game: str) -> list[str]:
        now = time.time()
        since = now - self._registry.settings.quick_wait - CLOCKS_DIFFER
        here = await shared.present_seats_everywhere()
        # Other servers do not know yet who is at a table that has just been opened, so it is asked anyway.
        recently = now - LEASE
        return [
            id
            for id, made in await shared.run(lambda db: _waiting(db, game, since), writes=False)
            if id in here or made > recently
        ]

    async def _seat_anywhere(self, table: str, wanted: WantedPlace, address: str) -> Place | None:
        """A seat at a quick match of any server. A request whose response is lost is sent again with the same id."""
        shared = self._registry.shared
        if shared is None:
            return await self.seat_here(table, wanted)
        until = time.monotonic() + SEARCH_TIMEOUT
        while True:
            place = await self._registry.locate(table)
            try:
                if place is None:
                    return await self.seat_here(table, wanted)
                body = msgspec.json.encode(wanted)
                status, text = await post(place, seat_path(table), shared.secret, body, CONNECT_TIMEOUT, address)
                return msgspec.json.decode(text, type=Place) if status == 200 else None
            except ConnectionRefusedError:
                return None
            except (OSError, TimeoutError, TableElsewhere, msgspec.DecodeError):
                if time.monotonic() > until:
                    return None
            await asyncio.sleep(RETRY_INTERVAL)


def _is_waited_at(session: Session, arrival: float) -> bool:
    """Whether somebody waits at this quick match, or was seated less than `arrival` seconds ago and may still
    connect."""
    table = session.table
    if not table.made.quick or table.phase != "waiting":
        return False
    opened = time.time() - table.made.made
    seats = session.info().seats
    return any(
        seat.here or (opened if seat.away is None else seat.away) < arrival for seat in seats if seat.kind == "person"
    )


def seat_path(table: str) -> str:
    """The address of requests for a seat at a quick match, from one server to another."""
    return f"{PREFIX}{table}/quick"


def _waiting(db: Database, game: str, since: float) -> list[tuple[str, float]]:
    """The quick matches of a game that wait for people, and when they were opened; the oldest first."""
    found = db.execute(
        """
        SELECT tables.id, tables.made, tables.card, log.record FROM tables JOIN log ON log.id = tables.id AND log.n = 0
        WHERE tables.public = 1 AND tables.made >= ? ORDER BY tables.made DESC LIMIT ?
        """,
        (since, MAX_WAITING),
    )
    waiting: list[tuple[str, float]] = []
    for id, opened, shown, record in found:
        card = msgspec.json.decode(shown, type=Card)
        if card.state == "waiting" and card.game == game:
            made = records.decode(record)
            if isinstance(made, Made) and made.quick:
                waiting.append((id, opened))
    return waiting[::-1]
