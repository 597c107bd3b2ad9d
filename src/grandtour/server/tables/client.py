# compiled
"""One client at a table: its seat, and the messages waiting to be sent to it."""

import asyncio
import time
from typing import Final, Protocol

from librt.strings import BytesWriter
from mypy_extensions import mypyc_attr

from grandtour.engine.edits import encoded_number, encoded_text
from grandtour.protocol import messages
from grandtour.server.metric_types import Histogram

monotonic: Final = time.monotonic
"""In compiled code, this is found faster than an attribute of a module."""
Frames = bytes
"""Messages as WebSocket frames, one after another."""
MAX_WRITE: Final = 64 * 1024
"""About how many bytes are given to the network at once. The rest waits in the outbox, where it is counted."""


class Wire(Protocol):
    """The connection to a client."""

    def can_write(self) -> bool:
        """Whether the network accepts more data now."""

    def write(self, frames: Frames) -> None: ...

    def abort(self) -> None:
        """Cut the connection. Whatever has not been sent is lost."""

    def stop_reading(self) -> None:
        """Ignore whatever the client sends from now on."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Client:
    """Messages go into an outbox, and those of one round of the event loop are sent together.

    A slow client does not delay the others: what it does not read stays in its outbox, up to a limit."""

    def __init__(self, outbox_bytes: int, wire: Wire | None = None, send_times: Histogram | None = None) -> None:
        """`send_times` measures how long messages wait to be sent."""
        self.seat: int | None = None
        self.address = ""
        self.device: str | None = None
        """The device of the passport with which it connected."""
        self.passport = ""
        self.name = ""
        """The passport, and the name of a spectator; "" if there is none."""
        self.visible = True
        """Whether the page is visible, as far as the server knows."""
        self.bot_pause = True
        """Whether bots should pause before each move for it."""
        self.has_position = False
        """Whether it has got the whole position, and gets changes from now on."""
        self.closing: tuple[int, str] | None = None
        """The code and reason with which the socket will be closed once the outbox is empty."""
        self._room = outbox_bytes
        self._wire = wire
        self._outbox: list[bytes] = []
        self._since = 0.0
        self._scheduled = False
        self.held = False
        """Whether messages wait for a call of `flush`, which will follow at once."""
        self._send_times = send_times
        self._all_sent: asyncio.Event | None = None
        """Set when everything has been sent; None if nobody waits for that."""

    def send(self, message: messages.Outgoing) -> None:
        self.send_frames(frame(messages.encode(message)))

    def acknowledge(self, id: str, n: int) -> None:
        """Send an `Ack`. This is faster than `send`."""
        out = BytesWriter()
        out.write(b'{"type":"ack","id":')
        out.write(encoded_text(id, keep=False))
        out.write(b',"n":')
        out.write(encoded_number(n))
        out.write(b"}")
        self.send_frames(frame(out.getvalue()))

    def send_frames(self, message: Frames) -> None:
        """Send messages that are already encoded."""
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
            self._since = monotonic()
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

    def connection_lost(self) -> None:
        """Note that the connection is lost. Messages that are still waiting, or come later, are dropped."""
        self.close(1006, "")
        self._outbox.clear()
        if self._all_sent is not None:
            self._all_sent.set()

    async def wait_until_sent(self) -> None:
        """Wait until everything has been sent or the connection is lost."""
        self.flush()
        if self._outbox:
            self._all_sent = asyncio.Event()
            await self._all_sent.wait()

    def flush(self) -> None:
        """Give the network as much of the outbox as it accepts."""
        self._scheduled = self.held = False
        outbox, wire = self._outbox, self._wire
        while outbox and wire is not None and wire.can_write():
            size = count = 0
            for piece in outbox:
                size += len(piece)
                count += 1
                if size >= MAX_WRITE:
                    break
            frames = outbox[0] if count == 1 else b"".join(outbox[:count])
            if count == len(outbox):
                outbox.clear()
            else:
                del outbox[:count]
            self._room += size
            wire.write(frames)
            if self._send_times is not None:
                self._send_times.observe(monotonic() - self._since)
        if self._all_sent is not None and not outbox:
            self._all_sent.set()


def frame(message: bytes) -> Frames:
    """A message as one unmasked WebSocket text frame."""
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
