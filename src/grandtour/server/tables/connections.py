"""Limits on connections: how many there are, how long they take, and how much they send.

uvicorn parses HTTP and WebSocket frames. This module works below the application. It protects the server against silent
and slow clients, floods of control frames, and clients that do not read.
"""

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Final, Literal, Protocol, cast

import h11
import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_local_addr, get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.frames import apply_mask as unmask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import OPEN

from grandtour.engine.refusal import Refusal
from grandtour.server.http.proxies import Proxies
from grandtour.server.http.responses import refusal_response
from grandtour.server.limits import Bucket, address_of, part_of
from grandtour.server.settings import Settings
from grandtour.server.tables.incoming import masked_text

log = logging.getLogger(__name__)

RESERVED_DESCRIPTORS: Final = 128
"""File descriptors that the server needs itself: for its store, its processes, and the files of the page."""
MIN_CONNECTIONS: Final = 16
RESERVED_DEADLINE: Final = 2.0
"""Seconds for the request head on a reserved connection."""
MIN_READ: Final = 8 * 1024
"""The number of bytes that a client must read within `send_deadline` while messages are waiting for it."""
PARSE_BYTES: Final = 2048
"""The number of bytes that are parsed before limits are checked again."""
LOG_INTERVAL: Final = 10.0
"""The minimum number of seconds between two lines in the log about refused connections."""
CONNECTION_KEY: Final = "grandtour.connection"
"""The key of the `SocketConnection` in the ASGI scope of a WebSocket."""
RESTART_FRAME: Final = b"\x88\x02\x03\xf4"
"""A close frame with the code 1012."""
HEALTH_PATHS: Final = ("/api/health", "/api/ready", "/metrics")

Admission = Literal["open", "reserved", "refused"]


class ConnectionLimiter:
    """Counts connections when they are accepted, before anything is read, and refuses too many."""

    def __init__(self, settings: Settings, proxies: Proxies) -> None:
        self.settings = settings
        limits = settings.limits
        self._proxies = proxies
        self._per_address = limits.connections
        self._reserved = limits.connections_reserved
        room = _descriptors() - RESERVED_DESCRIPTORS - self._reserved
        self._max = max(MIN_CONNECTIONS, min(limits.all_connections, room))
        self._by_address: Counter[str] = Counter()
        self.silent: dict[GuardedTransport, None] = {}
        """Connections that have not sent a request yet, oldest first. They are cut off when the server is full."""
        self.internal_port: int | None = None
        """The port for requests from other servers, whose connections carry the requests of many clients."""
        self.servers: Callable[[], int] = lambda: 1
        """Returns the number of servers that share the limits of an address."""
        self._refused = 0
        self.refused_total = 0
        """The total since the server was started."""
        self._logged_at = -LOG_INTERVAL

    def gauges(self) -> dict[str, tuple[str, object]]:
        """Current values for the metrics."""
        return {
            "grandtour_connections": ("Open connections, sockets included.", self._by_address.total()),
            "grandtour_connections_refused_total": ("Connections that were refused.", self.refused_total),
        }

    def admit(self, client: tuple[str, int] | None, server: tuple[str, int | None] | None = None) -> Admission:
        """Admit a connection fully, or only for health checks, or refuse it."""
        address = address_of(client)
        inside = server is not None and server[1] == self.internal_port
        trusted = inside or (client is not None and self._proxies.trusts(client[0]))
        total = self._by_address.total()
        if self._by_address[address] >= part_of(self._per_address, self.servers()) and not trusted:
            self._log_refusal(address)
            return "refused"
        if total >= self._max:
            self._log_refusal(address)
            if self.silent:
                next(iter(self.silent)).cut_off()
            elif total >= self._max + self._reserved:
                return "refused"
        self._by_address[address] += 1
        return "open" if self._by_address.total() <= self._max else "reserved"

    def release(self, client: tuple[str, int] | None) -> None:
        address = address_of(client)
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]

    def _log_refusal(self, address: str) -> None:
        self._refused += 1
        self.refused_total += 1
        now = time.monotonic()
        if now - self._logged_at >= LOG_INTERVAL:
            log.warning(
                "connections refused: %d, the last because of one from %s, which has %d open of %d in all",
                self._refused,
                address,
                self._by_address[address],
                self._by_address.total(),
            )
            self._logged_at, self._refused = now, 0


class Upstream(Protocol):
    """A connection to another server, to which the bytes of a socket are passed on."""

    def write(self, data: bytes) -> None: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def close(self) -> None: ...


class Config(uvicorn.Config):
    """uvicorn's configuration, plus what our connections need."""

    limiter: ConnectionLimiter


class GuardedTransport:
    """A transport with deadlines for a client that does not read or does not close."""

    def __init__(
        self, transport: asyncio.Transport, limiter: ConnectionLimiter, client: tuple[str, int] | None
    ) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.admission = limiter.admit(client, get_local_addr(transport))
        self._counted = self.admission != "refused"
        self._transport = transport
        self._limiter = limiter
        self._client = client
        self._loop = asyncio.get_running_loop()
        self._close_deadline: asyncio.TimerHandle | None = None
        self._send_deadline: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._lost = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def close(self) -> None:
        self._transport.close()
        if self._close_deadline is None and not self._lost:
            self._close_deadline = self._loop.call_later(self._limiter.settings.close_deadline, self._transport.abort)

    def start_send_deadline(self) -> None:
        """Start the deadline, because much is waiting to be sent."""
        if self._send_deadline is None:
            self._unsent = self._transport.get_write_buffer_size()
            self._send_deadline = self._loop.call_later(self._limiter.settings.send_deadline, self._check_progress)

    def stop_send_deadline(self) -> None:
        """Stop the deadline, because little is waiting to be sent."""
        if self._send_deadline is not None:
            self._send_deadline.cancel()
            self._send_deadline = None

    def cut_off(self) -> None:
        """Cut the client off to make room for another. From now on it is not counted."""
        self.lost()
        self._transport.abort()

    def lost(self) -> None:
        """Clean up after the end of the connection."""
        self._lost = True
        self._limiter.silent.pop(self, None)
        self.stop_send_deadline()
        if self._close_deadline is not None:
            self._close_deadline.cancel()
        if self._counted:
            self._counted = False
            self._limiter.release(self._client)

    def _check_progress(self) -> None:
        self._send_deadline = None
        if self._transport.get_write_buffer_size() > self._unsent - MIN_READ:
            self._transport.abort()
        else:
            self.start_send_deadline()


class HttpConnection(H11Protocol):
    """HTTP, with a deadline for the head of every request."""

    transport: Any
    config: Config
    cycle: Any

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._deadline: asyncio.TimerHandle | None = None
        self._upgraded = False
        plain = cast(asyncio.Transport, transport)
        guarded = GuardedTransport(plain, self.config.limiter, get_remote_addr(plain))
        super().connection_made(cast(asyncio.Transport, guarded))
        if guarded.admission == "refused":
            guarded.abort()
            return
        if guarded.admission == "reserved":
            self.app = _health_only(self.app)
        self._start_head_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_head_deadline()
        self.transport.lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        responding = self.cycle is not None and not self.cycle.response_complete
        if responding or self._upgraded or self.transport.is_closing():
            self._stop_head_deadline()
        else:
            self._start_head_deadline()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            # The response has begun, so an error cannot be sent any more.
            self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.start_send_deadline()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.transport.stop_send_deadline()

    def _should_upgrade(self) -> bool:
        return self.transport.admission == "open" and super()._should_upgrade()

    def _start_head_deadline(self) -> None:
        if self._deadline is None:
            reserved = self.transport.admission == "reserved"
            seconds = RESERVED_DEADLINE if reserved else self.config.limiter.settings.header_deadline
            self.config.limiter.silent[self.transport] = None
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _stop_head_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self.config.limiter.silent.pop(self.transport, None)


class SocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket that limits the frames of its client and cuts it off if it does not read.

    The application accepts it through ASGI, and then uses it directly: `receive_message` returns messages, and `write`
    sends frames. That costs a fraction of what ASGI costs.
    """

    transport: Any
    config: Config

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.write: Callable[[bytes], None] = self.transport.write
        """Send frames. To be called only if `can_write` returns True."""
        self._frames = Bucket(self.config.limiter.settings.limits.frames)
        self._inbox: deque[str | bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._end_code: int | None = None
        self._between_frames = False
        self._open = False
        """Whether the connection was open when this was last looked up."""
        self.on_writable: Callable[[], None] = _do_nothing
        """Called when the network accepts more data again."""
        self.on_lost: Callable[[], None] = _do_nothing
        self.on_message: Callable[[str | bytes], bool] | None = None
        """A fast path: begins to handle a message at once, without waking `receive_message`. Returns whether it could;
        if so, `handled` must be called when the next message may come."""
        self._handling = False
        self._full = False
        """Whether the network accepts nothing more at the moment."""
        self._upstream: Upstream | None = None
        self.queue = _Queue(self._end)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport.lost()
        super().connection_lost(exc)
        if self._upstream is not None:
            self._upstream.close()
        self.on_lost()
        self.on_lost = self.on_writable = _do_nothing
        self.on_message = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            cast(dict[str, Any], self.scope)[CONNECTION_KEY] = self

    def pipe_to(self, upstream: Upstream) -> None:
        """Pass on all bytes unread from now on. The handshake is not complete, so the client has sent no frames yet."""
        self._upstream = upstream
        self.handshake_complete = True

    def write_raw(self, data: bytes) -> None:
        """Send the client bytes that came from the other server."""
        if not self.transport.is_closing():
            self.transport.write(data)

    def shutdown(self) -> None:
        if self._upstream is not None and not self.close_sent:
            self.close_sent = True
            self.transport.write(RESTART_FRAME)
            self.transport.close()
        else:
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        if self._upstream is not None:
            self._upstream.write(data)
            return
        if self._between_frames and self._may_receive() and (start := masked_text(data)):
            # Exactly one short text frame, as nearly always: it is handled here, without the parser.
            if self._take_frame():
                self._deliver(unmask(data[start:], data[start - 4 : start]), True)
            return
        for start in range(0, len(data), PARSE_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PARSE_BYTES])
        self._between_frames = self._parser_waits_for_frame()
        self._open = self.conn.state is OPEN

    async def receive_message(self) -> str | bytes:
        """The client's next message. Raises `WebSocketDisconnect` if there will be none."""
        while not self._inbox:
            if self._end_code is not None:
                raise WebSocketDisconnect(self._end_code)
            self._waiter = self.loop.create_future()
            await self._waiter
        message = self._inbox.popleft()
        if self.read_paused and not self._inbox:
            self.read_paused = False
            self.transport.resume_reading()
        return message

    def handled(self) -> None:
        """Continue with the next message, because the one that `on_message` has begun is done."""
        self._handling = False
        if self._inbox and self._waiter is not None:
            self._wake()

    def stop_reading(self) -> None:
        self._end(1000)

    def can_write(self) -> bool:
        return not (self._full or self.close_sent or self.transport.is_closing())

    def abort(self) -> None:
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._full = True
        self.transport.start_send_deadline()
        if self._upstream is not None:
            self._upstream.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._full = False
        self.transport.stop_send_deadline()
        if self._upstream is not None:
            self._upstream.resume_reading()
        self.on_writable()

    def handle_text(self, event: Frame) -> None:
        if self._take_frame():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._take_frame():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if self._take_frame():
            super().handle_cont(event)

    def handle_pong(self, event: Frame) -> None:
        if self._take_frame():
            super().handle_pong(event)

    def handle_ping(self) -> None:
        if not self._take_frame():
            return
        if self.writable.is_set():
            super().handle_ping()
        else:
            # A client that does not read gets no further responses.
            self.conn.data_to_send()

    def send_receive_event_to_app(self) -> None:
        data = b"".join(self.frames)
        self.frames = []
        self._deliver(data, self.curr_msg_data_type == "text")

    def _deliver(self, data: bytes, is_text: bool) -> None:
        """Give the application a message."""
        try:
            message: str | bytes = data.decode() if is_text else data
        except UnicodeDecodeError:
            self._fail(1007, "not UTF-8")
            return
        if self.close_sent or self._end_code is not None:
            return
        waits = self._waiter is not None and not self._handling
        if waits and self.on_message is not None:
            self._handling = True
            if self.on_message(message):
                return
            self._handling = False
        self._inbox.append(message)
        if waits:
            self._wake()
        elif not self.read_paused:
            # The application is still busy with the last message, so nothing more is read until it is done.
            self.read_paused = True
            self.transport.pause_reading()

    def _may_receive(self) -> bool:
        """Whether the connection is open. Once it is, it can only be closed by the parser or by us."""
        if not self._open:
            self._open = self.conn.state is OPEN
        return self._open and not self.close_sent

    def _parser_waits_for_frame(self) -> bool:
        """Whether the parser is between two messages. Then it waits in the reader's `at_eof` for the first byte of a
        frame."""
        waits: Any = self.conn.parser
        while (inner := getattr(waits, "gi_yieldfrom", None)) is not None:
            waits = inner
        return self.conn.current_size is None and getattr(waits, "__name__", "") == "at_eof"

    def _end(self, code: int) -> None:
        """Note that there will be no further message."""
        if self._end_code is None:
            self._end_code = code
            if self._waiter is not None:
                self._wake()

    def _wake(self) -> None:
        assert self._waiter is not None
        if not self._waiter.done():
            self._waiter.set_result(None)
        self._waiter = None

    def _take_frame(self) -> bool:
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


class _Queue(asyncio.Queue[Any]):
    """The queue of ASGI events. It gets only two: the client has connected, and it is gone."""

    def __init__(self, on_end: Callable[[int], None]) -> None:
        super().__init__()
        self._on_end = on_end

    def put_nowait(self, item: Any) -> None:
        super().put_nowait(item)
        if item["type"] == "websocket.disconnect":
            self._on_end(item.get("code", 1000))


def _do_nothing() -> None:
    """The default for callbacks."""


def _health_only(app: ASGIApp) -> ASGIApp:
    """The application for a reserved connection: it only answers health checks."""

    async def check(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_and_close(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        if scope["path"] in HEALTH_PATHS:
            await app(scope, receive, send_and_close)
        else:
            await refusal_response(Refusal("full", "The server is full; try again later."))(
                scope, receive, send_and_close
            )

    return check


def _descriptors() -> int:
    """How many files and connections this process may have open."""
    try:
        import resource
    except ImportError:
        return 8192
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else 1 << 20
