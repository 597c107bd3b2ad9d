"""One client at a table: which seat it sees through, and what waits to be sent to it."""

import asyncio
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from grandtour.server import messages


class Watcher:
    """Messages go into an outbox at once and are sent one after another, so that a slow client holds nobody up."""

    def __init__(self, outbox_bytes: int) -> None:
        self.seat: int | None = None
        self.address = ""
        self.closing: tuple[int, str] | None = None
        """The code and reason with which the socket is to be closed once the outbox is empty."""
        self.give_up: Callable[[], object] = lambda: None
        """What to do about a client that is too slow: nothing more can be sent to it."""
        self._room = outbox_bytes
        self._outbox: deque[bytes] = deque()
        self._news = asyncio.Event()

    def tell(self, message: Struct) -> None:
        self.tell_encoded(messages.encode(message))

    def tell_encoded(self, message: bytes) -> None:
        if self.closing is not None:
            return
        self._room -= len(message)
        if self._room < 0:
            self.close(1013, "too slow")
            self.give_up()
            return
        self._outbox.append(message)
        self._news.set()

    def close(self, code: int, reason: str) -> None:
        """Send what is waiting, then close."""
        if self.closing is None:
            self.closing = (code, reason)
            self._news.set()

    async def next(self) -> bytes | None:
        """The next message to be sent; None when the socket is to be closed."""
        while not self._outbox:
            if self.closing is not None:
                return None
            self._news.clear()
            await self._news.wait()
        message = self._outbox.popleft()
        self._room += len(message)
        return message
