# compiled
"""One client at a table: its seat, and the messages waiting to be sent to it."""

import asyncio
import time
from collections import deque
from typing import Final, Protocol

from librt.strings import BytesWriter
from mypy_extensions import mypyc_attr

from grandtour.protocol import messages
from grandtour.server.metrics import Histogram

Frames = bytes
"""Messages in the frames of the socket, one after another."""
AT_ONCE: Final = 64 * 1024
"""The maximum number of bytes handed to the network at once. The rest waits in the outbox, where it is counted."""


class Wire(Protocol):
    """The connection to a client."""

    def can_write(self) -> bool:
        """Whether the network accepts more data now."""

    def write(self, frames: Frames) -> None: ...

    def abort(self) -> None:
        """Cut the connection. Whatever has not been sent is lost."""

    def stop_reading(self) -> None:
        """Nobody listens to this client any more."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Client:
    """Messages go into an outbox, and all that is told at one time is sent in one piece. A slow client holds nobody
    up: what it does not take stays in the outbox, up to a limit."""

    def __init__(self, outbox_bytes: int, wire: Wire | None = None, sending: Histogram | None = None) -> None:
        """`sending` measures how long messages wait to be sent."""
        self.seat: int | None = None
        self.address = ""
        self.device: str | None = None
        """The device of a passport that it came with."""
        self.passport = ""
        self.name = ""
        """The passport, and what a spectator is called; "" if there is none."""
        self.visible = True
        """Whether somebody can see the page, as far as it is known."""
        self.bot_pause = True
        """Whether bots should pause before each move for it."""
        self.welcome = False
        """Whether it has been told the position, and is told what changes from now on."""
        self.closing: tuple[int, str] | None = None
        """The code and reason with which the socket is to be closed once the outbox is empty."""
        self._room = outbox_bytes
        self._wire = wire
        self._outbox: deque[bytes] = deque()
        self._since = 0.0
        self._scheduled = False
        self.held = False
        """Whether what it is told now is handed over by `flush`, which is about to be called."""
        self._sending = sending
        self._empty: asyncio.Event | None = None
        """Set when everything is sent, for whoever waits for that."""

    def tell(self, message: messages.Outgoing) -> None:
        self.tell_framed(frame(messages.encode(message)))

    def tell_framed(self, message: Frames) -> None:
        """Send what has been encoded already, for several clients."""
        if self.closing is not None:
            return
        self._room -= len(message)
        if self._room < 0:
            self._outbox.clear()
            self.close(1013, "too slow")
            if self._wire is not None:
                self._wire.abort()
            return
        if not self._outbox:
            self._since = time.monotonic()
        self._outbox.append(message)
        if not (self._scheduled or self.held):
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self.flush)

    def close(self, code: int, reason: str) -> None:
        """Close after sending everything in the outbox."""
        if self.closing is None:
            self.closing = (code, reason)
            if self._wire is not None:
                self._wire.stop_reading()

    def resume(self) -> None:
        """The network accepts data again."""
        self.flush()

    def gone(self) -> None:
        """The connection is lost: nothing more can be sent, and what others still tell it is dropped."""
        self.close(1006, "")
        self._outbox.clear()
        if self._empty is not None:
            self._empty.set()

    async def emptied(self) -> None:
        """Wait until everything is sent, or the connection is lost."""
        self.flush()
        if self._outbox:
            self._empty = asyncio.Event()
            await self._empty.wait()

    def flush(self) -> None:
        """Hand over what is in the outbox now, as far as the network accepts it."""
        self._scheduled = self.held = False
        outbox, wire = self._outbox, self._wire
        while outbox and wire is not None and wire.can_write():
            piece = outbox.popleft()
            if outbox:
                pieces, size = [piece], len(piece)
                while outbox and size < AT_ONCE:
                    pieces.append(outbox.popleft())
                    size += len(pieces[-1])
                piece = b"".join(pieces)
            self._room += len(piece)
            wire.write(piece)
            if self._sending is not None:
                self._sending.observe(time.monotonic() - self._since)
        if self._empty is not None and not outbox:
            self._empty.set()


def frame(message: bytes) -> Frames:
    """A message as the server sends it over a WebSocket: one text frame, not masked."""
    out = BytesWriter()
    write_frame(out, message)
    return out.getvalue()


def write_frame(out: BytesWriter, message: bytes) -> None:
    """Write a message as one frame."""
    size = len(message)
    out.write(b"\x81")
    if size < 126:
        out.append(size)
    elif size < 1 << 16:
        out.write(b"\x7e")
        out.append(size >> 8)
        out.append(size & 0xFF)
    else:
        out.write(b"\x7f")
        out.write(size.to_bytes(8, "big"))
    out.write(message)
