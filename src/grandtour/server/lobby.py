"""The list of public tables, worked out once for everyone who asks within a second."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from grandtour.server import messages


class Lobby:
    """`find` finds the tables; what it found is good for so many seconds."""

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
        # Counted from now on: what happens while the tables are being found may be missing from the list.
        self._until = time.monotonic() + self._seconds
        return messages.encode(list(await self._find()))
