"""Every connection from its first byte to its last: how many there are, how long they may take, and how much they send.

uvicorn reads HTTP and WebSocket frames; what is here keeps those in bounds who mean no well, before and below the
application: silent and slow clients, floods of control frames, and clients that do not read.
"""

import asyncio
import logging
import time
from collections import Counter
from typing import Any, Final, Literal, cast

import h11
import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from grandtour.engine.refusal import Refusal
from grandtour.server.answers import refusal_answer
from grandtour.server.limits import Bucket, address_of
from grandtour.server.proxies import Proxies
from grandtour.server.settings import Settings

log = logging.getLogger(__name__)

OWN_DESCRIPTORS: Final = 128
"""File descriptors that the server needs for itself: its store, its processes, files of the page."""
MIN_CONNECTIONS: Final = 16
RESERVED_DEADLINE: Final = 2.0
"""Seconds for the head of a request on a connection from the reserve."""
MIN_TAKEN: Final = 8 * 1024
"""Bytes that a client has to take of what waits for it while `send_deadline` runs."""
PIECE: Final = 2048
"""Bytes that are parsed at once: what is too much is noticed after so many."""
TOLD_EVERY: Final = 10.0
"""Seconds between two lines in the log about connections that were refused."""
HEALTH: Final = ("/api/health", "/api/ready")

Admission = Literal["open", "reserved", "refused"]


class Door:
    """Counts connections when they are accepted, before anything is read from them."""

    def __init__(self, settings: Settings, proxies: Proxies) -> None:
        self.settings = settings
        limits = settings.limits
        self._proxies = proxies
        self._each = limits.connections
        self._reserved = limits.connections_reserved
        room = _descriptors() - OWN_DESCRIPTORS - self._reserved
        self._most = max(MIN_CONNECTIONS, min(limits.all_connections, room))
        self._by_address: Counter[str] = Counter()
        self.silent: dict[Guarded, None] = {}
        """Those that have yet to say what they want, the oldest first: where it is full, they give way."""
        self._refused = 0
        self._told = -TOLD_EVERY

    def enter(self, client: tuple[str, int] | None) -> Admission:
        """Let a connection in, wholly or for questions after the server's health; or not."""
        address = address_of(client)
        trusted = client is not None and self._proxies.trusts(client[0])
        total = self._by_address.total()
        if self._by_address[address] >= self._each and not trusted:
            self._tell(address)
            return "refused"
        if total >= self._most:
            self._tell(address)
            if self.silent:
                next(iter(self.silent)).cut_off()
            elif total >= self._most + self._reserved:
                return "refused"
        self._by_address[address] += 1
        return "open" if self._by_address.total() <= self._most else "reserved"

    def leave(self, client: tuple[str, int] | None) -> None:
        address = address_of(client)
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _tell(self, address: str) -> None:
        self._refused += 1
        now = time.monotonic()
        if now - self._told >= TOLD_EVERY:
            log.warning(
                "connections refused: %d, the last because of one from %s, which has %d open of %d in all",
                self._refused,
                address,
                self._by_address[address],
                self._by_address.total(),
            )
            self._told, self._refused = now, 0


class Config(uvicorn.Config):
    """uvicorn's own, with what its connections have to know besides."""

    door: Door


class Guarded:
    """A transport that does not wait for its client for ever: neither to take what is sent, nor when it is closed."""

    def __init__(self, transport: asyncio.Transport, door: Door, client: tuple[str, int] | None) -> None:
        self.write = transport.write
        self.admission = door.enter(client)
        self._counted = self.admission != "refused"
        self._transport = transport
        self._door = door
        self._client = client
        self._loop = asyncio.get_running_loop()
        self._closing: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._lost = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def close(self) -> None:
        self._transport.close()
        if self._closing is None and not self._lost:
            self._closing = self._loop.call_later(self._door.settings.close_deadline, self._transport.abort)

    def stall(self) -> None:
        """Much waits to be sent: see to it that it gets less."""
        if self._stalled is None:
            self._unsent = self._transport.get_write_buffer_size()
            self._stalled = self._loop.call_later(self._door.settings.send_deadline, self._look_again)

    def flow(self) -> None:
        """It has become little."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def cut_off(self) -> None:
        """Make room for another: this one is no longer counted."""
        self.lost()
        self._transport.abort()

    def lost(self) -> None:
        """The connection is no more."""
        self._lost = True
        self._door.silent.pop(self, None)
        self.flow()
        if self._closing is not None:
            self._closing.cancel()
        if self._counted:
            self._counted = False
            self._door.leave(self._client)

    def _look_again(self) -> None:
        self._stalled = None
        if self._transport.get_write_buffer_size() > self._unsent - MIN_TAKEN:
            self._transport.abort()
        else:
            self.stall()


class HttpConnection(H11Protocol):
    """HTTP, with a deadline for the head of every request."""

    transport: Any
    config: Config
    cycle: Any

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._deadline: asyncio.TimerHandle | None = None
        self._upgraded = False
        plain = cast(asyncio.Transport, transport)
        guarded = Guarded(plain, self.config.door, get_remote_addr(plain))
        super().connection_made(cast(asyncio.Transport, guarded))
        if guarded.admission == "refused":
            guarded.abort()
            return
        if guarded.admission == "reserved":
            self.app = _health_only(self.app)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        self.transport.lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self._upgraded or self.transport.is_closing():
            self._head_is_here()
        else:
            self._expect_head()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            # An answer has begun: there is no way left to say so.
            self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.stall()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.transport.flow()

    def _should_upgrade(self) -> bool:
        return self.transport.admission == "open" and super()._should_upgrade()

    def _expect_head(self) -> None:
        if self._deadline is None:
            reserved = self.transport.admission == "reserved"
            seconds = RESERVED_DEADLINE if reserved else self.config.door.settings.header_deadline
            self.config.door.silent[self.transport] = None
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _head_is_here(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self.config.door.silent.pop(self.transport, None)


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket whose client may send so many frames of every kind, and has to read."""

    transport: Any
    config: Config

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._frames = Bucket(self.config.door.settings.limits.frames)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport.lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE])

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.stall()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.transport.flow()

    def handle_text(self, event: Frame) -> None:
        if self._affords_a_frame():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._affords_a_frame():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if self._affords_a_frame():
            super().handle_cont(event)

    def handle_pong(self, event: Frame) -> None:
        if self._affords_a_frame():
            super().handle_pong(event)

    def handle_ping(self) -> None:
        if not self._affords_a_frame():
            return
        if self.writable.is_set():
            super().handle_ping()
        else:
            # Who does not read gets no answer on top of what it has not read.
            self.conn.data_to_send()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            self.frames = [b"".join(self.frames)]
            try:
                self.frames[0].decode()
            except UnicodeDecodeError:
                self.frames = []
                self._fail(1007, "not UTF-8")
                return
        super().send_receive_event_to_app()

    def _affords_a_frame(self) -> bool:
        if self.transport.is_closing():
            return False
        if not self._frames.take():
            self._fail(1008, "too-much")
            return False
        return True

    def _fail(self, code: int, reason: str) -> None:
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        if self.writable.is_set() and not self.close_sent:
            self.conn.fail(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
        else:
            self.transport.abort()


def _health_only(app: ASGIApp) -> ASGIApp:
    """The application for a connection from the reserve: it says how the server is, and nothing else."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_and_close(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        if scope["path"] in HEALTH:
            await app(scope, receive, send_and_close)
        else:
            await refusal_answer(Refusal("full", "The server is full; try again later."))(
                scope, receive, send_and_close
            )

    return answer


def _descriptors() -> int:
    """How many files and connections this process may have open."""
    try:
        import resource
    except ImportError:
        return 8192
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else 1 << 20
