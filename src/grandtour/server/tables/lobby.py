"""The list of public tables, computed at most once a second."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from grandtour.protocol import messages


class Lobby:
    """Caches the result of `find` for this many seconds."""

    def __init__(self, find: Callable[[], Awaitable[list[messages.Card]]], seconds: float) -> None:
        self._find = find
        self._seconds = seconds
        self._listing: asyncio.Task[bytes] | None = None
        self._expires = 0.0

    async def list_json(self) -> bytes:
        """The list as JSON."""
        if self._listing is None or (self._listing.done() and time.monotonic() >= self._expires):
            self._listing = asyncio.create_task(self._compute())
        return await asyncio.shield(self._listing)

    async def _compute(self) -> bytes:
        # Counted from the start of the search, because later changes may be missing from the list.
        self._expires = time.monotonic() + self._seconds
        return messages.encode(list(await self._find()))
