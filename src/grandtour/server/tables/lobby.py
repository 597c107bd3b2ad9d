"""The list of public tables, computed at most once a second."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from grandtour.protocol import messages


class Lobby:
    """`find` returns the tables; its result is reused for this many seconds."""

    def __init__(self, find: Callable[[], Awaitable[list[messages.Card]]], seconds: float) -> None:
        self._find = find
        self._seconds = seconds
        self._answer: asyncio.Task[bytes] | None = None
        self._until = 0.0

    async def answer(self) -> bytes:
        """The list as JSON."""
        if self._answer is None or (self._answer.done() and time.monotonic() >= self._until):
            self._answer = asyncio.create_task(self._make())
        return await asyncio.shield(self._answer)

    async def _make(self) -> bytes:
        # Timed from the start: changes during the search may be missing from the list.
        self._until = time.monotonic() + self._seconds
        return messages.encode(list(await self._find()))
