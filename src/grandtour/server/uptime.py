"""Records when the server was running, so that players' clocks are not charged for outages."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Iterable
from typing import Final

from grandtour.server.storage import clock_store
from grandtour.server.storage.database import Database
from grandtour.server.storage.store import Store

HEARTBEAT_INTERVAL: Final = 15.0
"""Seconds between two records that the server is running."""
RETENTION: Final = 90 * 24 * 3600.0
"""How long these records are kept: longer than any clock runs."""

Run = tuple[float, float]
"""When a server was started, and when it was last seen running."""


class Uptime:
    """The current run of the server and the runs before it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._id = secrets.token_hex(8)
        self._started = time.time()

    async def watch(self) -> None:
        """Record at intervals that the server is running."""
        while True:
            # If nothing can be stored, no moves can be made either.
            with contextlib.suppress(Exception):
                await self._store.run(self._note)
            await asyncio.sleep(HEARTBEAT_INTERVAL)

    def _note(self, db: Database) -> None:
        now = time.time()
        clock_store.record_run(db, self._id, self._started, now, now - RETENTION)

    async def down_since(self, since: float) -> float:
        """The number of seconds since then in which no server was running."""
        now = time.time()
        if since >= self._started:
            return 0.0
        return uncovered([*await self._store.run(clock_store.runs, writes=False), (self._started, now)], since, now)


def uncovered(runs: Iterable[Run], since: float, until: float) -> float:
    """The seconds between two times that no run covers."""
    missing, at = 0.0, since
    for started, seen in sorted(runs):
        if started > at:
            missing += min(started, until) - min(at, until)
        at = max(at, seen)
    return missing + max(0.0, until - at)
