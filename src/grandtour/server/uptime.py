"""When the server was running, so that nobody's clock is charged for the time when it was not."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Iterable
from typing import Final

from grandtour.server.storage import clock_store
from grandtour.server.storage.database import Database
from grandtour.server.storage.store import Store

BEAT: Final = 15.0
"""Seconds between two notes that the server is running."""
KEPT: Final = 90 * 24 * 3600.0
"""How long these notes are kept: longer than the longest clock runs."""

Run = tuple[float, float]
"""When a server was started, and when it was last seen running."""


class Uptime:
    """The runs of the server, this one and those before it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._id = secrets.token_hex(8)
        self._started = time.time()

    async def watch(self) -> None:
        """Note at intervals that the server is running."""
        while True:
            # If nothing can be stored, nobody can play either.
            with contextlib.suppress(Exception):
                await self._store.run(self._note)
            await asyncio.sleep(BEAT)

    def _note(self, db: Database) -> None:
        now = time.time()
        clock_store.note_run(db, self._id, self._started, now, now - KEPT)

    async def down_since(self, since: float) -> float:
        """For how many seconds no server has been running since then."""
        now = time.time()
        if since >= self._started:
            return 0.0
        return uncovered([*await self._store.run(clock_store.runs, writes=False), (self._started, now)], since, now)


def uncovered(runs: Iterable[Run], since: float, until: float) -> float:
    """The seconds between two times in which there was no run."""
    missing, at = 0.0, since
    for started, seen in sorted(runs):
        if started > at:
            missing += min(started, until) - min(at, until)
        at = max(at, seen)
    return missing + max(0.0, until - at)
