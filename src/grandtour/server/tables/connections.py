"""Limits on every connection, from its first byte to its last: their number, their time, and how much they send.

uvicorn parses HTTP and WebSocket frames. This module protects the server below the application, against silent and slow
clients, floods of control frames, and clients that do not read.
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
from grandtour.server.http.responses import refusal_answer
from grandtour.server.limits import Bucket, address_of, part_of
from grandtour.server.settings import Settings
from grandtour.server.tables.incoming import masked_text

log = logging.getLogger(__name__)

OWN_DESCRIPTORS: Final = 128
"""File descriptors that the server needs itself: for its store, its processes, and the files of the page."""
MIN_CONNECTIONS: Final = 16
RESERVED_DEADLINE: Final = 2.0
"""Seconds for the request head on a reserved connection."""
MIN_TAKEN: Final = 8 * 1024
"""Bytes that a client must read within `send_deadline` if messages are waiting for it."""
PIECE: Final = 2048
"""Bytes that are parsed at once, before limits are checked again."""
TOLD_EVERY: Final = 10.0
"""Seconds between two lines in the log about connections that were refused."""
CONNECTION: Final = "grandtour.connection"
"""Where a socket's scope has its connection."""
RESTARTING: Final = b"\x88\x02\x03\xf4"
"""A close frame with the code 1012."""
HEALTH: Final = ("/api/health", "/api/ready", "/metrics")

Admission = Literal["open", "reserved", "refused"]


class Door:
    """Counts connections as they are accepted, before anything is read."""

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
        """Connections that have not sent a request yet, oldest first. They are cut off when the server is full."""
        self.inside_port: int | None = None
        """The port for requests from other servers, which speak for all their clients."""
        self.servers: Callable[[], int] = lambda: 1
        """How many servers share what an address may have."""
        self._refused = 0
        self.refused_total = 0
        """Since the server was started."""
        self._told = -TOLD_EVERY

    def gauges(self) -> dict[str, tuple[str, object]]:
        """Current values for the metrics."""
        return {
            "grandtour_connections": ("Open connections, sockets included.", self._by_address.total()),
            "grandtour_connections_refused_total": ("Connections that were refused.", self.refused_total),
        }

    def enter(self, client: tuple[str, int] | None, server: tuple[str, int | None] | None = None) -> Admission:
        """Admit a connection fully, or only for health checks, or refuse it."""
        address = address_of(client)
        inside = server is not None and server[1] == self.inside_port
        trusted = inside or (client is not None and self._proxies.trusts(client[0]))
        total = self._by_address.total()
        if self._by_address[address] >= part_of(self._each, self.servers()) and not trusted:
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
        self.refused_total += 1
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


class Far(Protocol):
    """The far end of a socket whose bytes are passed on to another server."""

    def write(self, data: bytes) -> None: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def close(self) -> None: ...


class Config(uvicorn.Config):
    """uvicorn's configuration, plus what our connections need."""

    door: Door


class Guarded:
    """A transport that does not wait forever for its client to read or to close."""

    def __init__(self, transport: asyncio.Transport, door: Door, client: tuple[str, int] | None) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.admission = door.enter(client, get_local_addr(transport))
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
        """Much is waiting to be sent. Start the deadline."""
        if self._stalled is None:
            self._unsent = self._transport.get_write_buffer_size()
            self._stalled = self._loop.call_later(self._door.settings.send_deadline, self._look_again)

    def flow(self) -> None:
        """Little is waiting to be sent. Stop the deadline."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def cut_off(self) -> None:
        """Cut the client off to make room for another. It no longer counts."""
        self.lost()
        self._transport.abort()

    def lost(self) -> None:
        """The connection has ended."""
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
            # The response has begun, so an error cannot be sent any more.
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
    """A WebSocket whose client may send so many frames of every kind, and has to read.

    The application accepts it by ASGI, and then speaks with it directly: messages are taken with `receive_message` and
    frames handed over with `write`, which costs a fraction of what they cost by ASGI.
    """

    transport: Any
    config: Config

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.write: Callable[[bytes], None] = self.transport.write
        """Hand frames over to the network, if `can_write`."""
        self._frames = Bucket(self.config.door.settings.limits.frames)
        self._inbox: deque[str | bytes] = deque()
        self._awaited: asyncio.Future[None] | None = None
        self._ended: int | None = None
        self._between_frames = False
        self.on_writable: Callable[[], None] = _nothing
        """What to do when the client has taken enough of what was sent to be sent more."""
        self.on_lost: Callable[[], None] = _nothing
        self.on_message: Callable[[str | bytes], bool] | None = None
        """Begins to handle a message at once, without waking whoever waits in `receive_message`. Returns whether it
        could; then `handled` must be called when the next message may come."""
        self._handling = False
        self._full = False
        """Whether the network accepts nothing more at the moment."""
        self._far: Far | None = None
        self.queue = _Queue(self._end)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport.lost()
        super().connection_lost(exc)
        if self._far is not None:
            self._far.close()
        self.on_lost()
        self.on_lost = self.on_writable = _nothing
        self.on_message = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            cast(dict[str, Any], self.scope)[CONNECTION] = self

    def pipe_to(self, far: Far) -> None:
        """From now on, pass all bytes on unread. The client has not been answered yet, so it has sent nothing."""
        self._far = far
        self.handshake_complete = True

    def write_raw(self, data: bytes) -> None:
        """Send the client what the far end sent."""
        if not self.transport.is_closing():
            self.transport.write(data)

    def shutdown(self) -> None:
        if self._far is not None and not self.close_sent:
            self.close_sent = True
            self.transport.write(RESTARTING)
            self.transport.close()
        else:
            super().shutdown()

    def data_received(self, data: bytes) -> None:
        if self._far is not None:
            self._far.write(data)
            return
        if self._between_frames and (start := masked_text(data)) and self.conn.state is OPEN:
            # One short text frame and nothing else, which nearly all data are: the parser need not see it.
            if self._affords_a_frame():
                self._hand_over(unmask(data[start:], data[start - 4 : start]), True)
            return
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE])
        self._between_frames = self._parser_waits_for_frame()

    async def receive_message(self) -> str | bytes:
        """The client's next message. Raises `WebSocketDisconnect` if there will be none."""
        while not self._inbox:
            if self._ended is not None:
                raise WebSocketDisconnect(self._ended)
            self._awaited = self.loop.create_future()
            await self._awaited
        message = self._inbox.popleft()
        if self.read_paused and not self._inbox:
            self.read_paused = False
            self.transport.resume_reading()
        return message

    def handled(self) -> None:
        """What `on_message` has begun is done."""
        self._handling = False
        if self._inbox and self._awaited is not None:
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
        self.transport.stall()
        if self._far is not None:
            self._far.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._full = False
        self.transport.flow()
        if self._far is not None:
            self._far.resume_reading()
        self.on_writable()

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
            # A client that does not read gets no further responses.
            self.conn.data_to_send()

    def send_receive_event_to_app(self) -> None:
        data = b"".join(self.frames)
        self.frames = []
        self._hand_over(data, self.curr_msg_data_type == "text")

    def _hand_over(self, data: bytes, is_text: bool) -> None:
        """Give the application a message."""
        try:
            message: str | bytes = data.decode() if is_text else data
        except UnicodeDecodeError:
            self._fail(1007, "not UTF-8")
            return
        if self.close_sent or self._ended is not None:
            return
        waits = self._awaited is not None and not self._handling
        if waits and self.on_message is not None:
            self._handling = True
            if self.on_message(message):
                return
            self._handling = False
        self._inbox.append(message)
        if waits:
            self._wake()
        elif not self.read_paused:
            # The application has not handled the last message yet: nothing more is read until it has.
            self.read_paused = True
            self.transport.pause_reading()

    def _parser_waits_for_frame(self) -> bool:
        """Whether the parser has read whole messages so far. It waits for the first byte of a frame only in the
        reader's `at_eof`."""
        waits: Any = self.conn.parser
        while (inner := getattr(waits, "gi_yieldfrom", None)) is not None:
            waits = inner
        return self.conn.current_size is None and getattr(waits, "__name__", "") == "at_eof"

    def _end(self, code: int) -> None:
        """There will be no further message."""
        if self._ended is None:
            self._ended = code
            if self._awaited is not None:
                self._wake()

    def _wake(self) -> None:
        assert self._awaited is not None
        if not self._awaited.done():
            self._awaited.set_result(None)
        self._awaited = None

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


class _Queue(asyncio.Queue[Any]):
    """The two events that ASGI sends the application: the client has connected, and it is gone."""

    def __init__(self, on_end: Callable[[int], None]) -> None:
        super().__init__()
        self._on_end = on_end

    def put_nowait(self, item: Any) -> None:
        super().put_nowait(item)
        if item["type"] == "websocket.disconnect":
            self._on_end(item.get("code", 1000))


def _nothing() -> None:
    """What there is to do about something that nobody waits for."""


def _health_only(app: ASGIApp) -> ASGIApp:
    """The application for a reserved connection: it only answers health checks."""

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
