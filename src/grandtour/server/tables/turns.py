# compiled
"""A lock for a table: it handles one request after another, in the order in which they came."""

import asyncio
from collections import deque


class Turns:
    """Like `asyncio.Lock`, but if it is free it can be taken without awaiting, and so without a task."""

    def __init__(self) -> None:
        self.taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take the turn if nobody has it. Returns whether it was free."""
        if self.taken:
            return False
        self.taken = True
        return True

    async def acquire(self) -> None:
        """Wait for a turn."""
        if self.take():
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                # It was given the turn just before it was cancelled.
                self.release()
            raise

    def release(self) -> None:
        """Give the turn to the request that has waited longest."""
        while self._waiting:
            next_one = self._waiting.popleft()
            if not next_one.done():
                next_one.set_result(None)
                return
        self.taken = False
