"""Forwards requests between servers that share a store: a request for a table goes to the server that has it.

Servers reach each other at internal addresses. These are in the store, together with the secret that requests between
servers must carry. The bytes of a WebSocket are forwarded unread in both directions, and the server that has the table
enforces the limits.
"""

import asyncio
import contextlib
import hmac
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, Literal, TypeVar, cast
from urllib.parse import urlencode

import h11
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from grandtour.engine.refusal import Refusal
from grandtour.server.http.proxies import FORWARDED
from grandtour.server.http.responses import refusal_response
from grandtour.server.storage.store import SharedStore
from grandtour.server.tables.connections import CONNECTION_KEY, SocketConnection

SECRET: Final = b"x-grandtour-secret"
CLIENT: Final = b"x-grandtour-client"
MISDIRECTED: Final = 421
"""The status with which a server responds if it does not have the table, either."""
SEARCH_TIMEOUT: Final = 6.0
"""Seconds to look for a table's server: longer than the lease of a server that has just died. A server that still
cannot be reached is alive but cut off from this one, so the client should try another server."""
RETRY_INTERVAL: Final = 0.2
CONNECT_TIMEOUT: Final = 1.0
RESPONSE_TIMEOUT: Final = 30.0
CHECK_INTERVAL: Final = 0.5
"""Seconds between two checks whether a server that does not respond still has the table. A suspended server accepts
connections, too."""
MAX_HEAD: Final = 16 * 1024
PIECE: Final = 64 * 1024
CLOSE_TRY_AGAIN: Final = 1013
SAFE_METHODS: Final = ("GET", "HEAD")
PREFIX: Final = "/api/tables/"
SOCKETS: Final = "/inside/sockets"
"""The path at which a server tells other servers how many sockets an address has."""


OwnerCheck = Callable[[], Awaitable[bool]]
Outcome = Literal["done", "not reached", "unknown"]
"""Whether the table's server responded to a request, was never reached, or may have received it without responding."""
T = TypeVar("T")


class InternalPort:
    """Middleware for the internal port. Requests without the servers' secret get a 404."""

    def __init__(self, app: ASGIApp, port: int, secret: str) -> None:
        self.app = app
        self.port = port
        self.secret = secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and (scope.get("server") or ("", 0))[1] == self.port:
            headers = dict(scope["headers"])
            if not hmac.compare_digest(headers.get(SECRET, b""), self.secret):
                if scope["type"] == "websocket":
                    await WebSocketClose(1008)(scope, receive, send)
                else:
                    refusal = Refusal("not-found", "There is nothing at this address.")
                    await refusal_response(refusal)(scope, receive, send)
                return
            scope[FORWARDED] = True
            scope["client"] = (headers.get(CLIENT, b"").decode("latin-1"), 0)
        await self.app(scope, receive, send)


class Forwarding:
    """Middleware that forwards requests for a table to the server that has it."""

    def __init__(self, app: ASGIApp, secret: str, body_bytes: int) -> None:
        self.app = app
        self.secret = secret
        self.body_bytes = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        table = table_in(scope["path"]) if scope["type"] in ("http", "websocket") else None
        if table is None:
            await self.app(scope, receive, send)
            return
        registry = scope["app"].state.registry
        until = time.monotonic() + SEARCH_TIMEOUT
        body: bytes | None = None
        while (address := await registry.locate(table)) is not None:
            if scope.get(FORWARDED):
                await _misdirected(scope, receive, send)
                return

            async def still_owner(address: str = address) -> bool:
                return bool(await registry.locate(table) == address)

            if scope["type"] == "websocket":
                outcome = await self._pipe(scope, address, still_owner)
            else:
                body = await _body(receive, self.body_bytes) if body is None else body
                outcome = await self._ask(scope, send, address, body, still_owner)
            if outcome == "done":
                return
            if time.monotonic() > until or (outcome == "unknown" and scope.get("method", "GET") not in SAFE_METHODS):
                await _give_up(scope, receive, send)
                return
            await asyncio.sleep(RETRY_INTERVAL)
        await self.app(scope, receive if body is None else _replayed(body, receive), send)

    async def _ask(self, scope: Scope, send: Send, address: str, body: bytes, still_owner: OwnerCheck) -> Outcome:
        """Forward a request, and send the response to the client."""
        connection = h11.Connection(h11.CLIENT)
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                reader, writer = await asyncio.open_connection(*_host_and_port(address))
        except (OSError, TimeoutError):
            return "not reached"
        try:
            headers = [*self._headers(scope, {b"connection", b"transfer-encoding", b"content-length"})]
            headers += [(b"content-length", b"%d" % len(body)), (b"connection", b"close")]
            request = h11.Request(method=scope["method"], target=_target(scope), headers=headers)
            for event in (request, h11.Data(data=body), h11.EndOfMessage()):
                writer.write(connection.send(event) or b"")
            try:
                answer = await _wait_for_response(_next_event(connection, reader), still_owner)
            except (OSError, TimeoutError, h11.RemoteProtocolError):
                return "unknown"
            if not isinstance(answer, h11.Response):
                return "unknown"
            if answer.status_code == MISDIRECTED:
                return "not reached"
            await _send_response(connection, reader, answer, send)
            return "done"
        finally:
            writer.close()

    async def _pipe(self, scope: Scope, address: str, still_owner: OwnerCheck) -> Outcome:
        """Forward a WebSocket until it is closed."""
        client: SocketConnection = scope[CONNECTION_KEY]
        head = [b"GET %b HTTP/1.1\r\n" % _target(scope)]
        head += [b"%b: %b\r\n" % each for each in self._headers(scope, set())]
        pipe = Pipe(client, b"".join((*head, b"\r\n")))
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                await loop.create_connection(lambda: pipe, *_host_and_port(address))
            if not await _wait_for_response(pipe.answered, still_owner):
                return "not reached"
        except (OSError, TimeoutError):
            pipe.close()
            return "not reached"
        await pipe.ended
        return "done"

    def _headers(self, scope: Scope, without: set[bytes]) -> Iterable[tuple[bytes, bytes]]:
        without = {SECRET, CLIENT, *without}
        yield from ((name, value) for name, value in scope["headers"] if name.lower() not in without)
        client = scope.get("client")
        yield SECRET, self.secret.encode()
        yield CLIENT, (client[0] if client else "").encode("latin-1")


class Pipe(asyncio.Protocol):
    """The connection to the other server: copies its bytes to the client's connection, and the client's bytes back."""

    def __init__(self, client: SocketConnection, head: bytes) -> None:
        self._client = client
        self._head = head
        self._read = b""
        self._transport: asyncio.Transport | None = None
        self._piping = False
        loop = asyncio.get_running_loop()
        self.answered: asyncio.Future[bool] = loop.create_future()
        """Whether the other server has the table."""
        self.ended: asyncio.Future[None] = loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._head)

    def data_received(self, data: bytes) -> None:
        if self._piping:
            self._client.write_raw(data)
            return
        self._read += data
        line, end, _ = self._read.partition(b"\r\n")
        if not end and len(self._read) < MAX_HEAD:
            return
        if b" %d" % MISDIRECTED in line:
            self.close()
            return
        self._piping = True
        self._client.pipe_to(self)
        self._client.write_raw(self._read)
        if not self.answered.done():
            self.answered.set_result(True)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.answered.done():
            self.answered.set_result(False)
        if self._piping:
            self._client.transport.close()
        if not self.ended.done():
            self.ended.set_result(None)

    def pause_writing(self) -> None:
        self._client.transport.pause_reading()

    def resume_writing(self) -> None:
        self._client.transport.resume_reading()

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def pause_reading(self) -> None:
        if self._transport is not None:
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if self._transport is not None:
            self._transport.resume_reading()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def fetch(address: str, path: str, secret: str) -> str:
    """Another server's response to a plain request; empty if there is none."""
    with contextlib.suppress(OSError, TimeoutError, ValueError):
        async with asyncio.timeout(CONNECT_TIMEOUT):
            reader, writer = await asyncio.open_connection(*_host_and_port(address))
            try:
                head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                writer.write(f"{head}{SECRET.decode()}: {secret}\r\n\r\n".encode())
                answer = (await reader.read()).decode()
            finally:
                writer.close()
        head, _, text = answer.partition("\r\n\r\n")
        return text if " 200 " in head.partition("\r\n")[0] else ""
    return ""


async def sockets_elsewhere(store: SharedStore, address: str) -> int:
    """The number of sockets that a client's address has at other servers. A server that does not respond counts as
    none, because its clients are reconnecting elsewhere."""
    path = f"{SOCKETS}?{urlencode({'address': address})}"
    found = await asyncio.gather(*(fetch(other, path, store.secret) for other in store.other_servers))
    return sum(int(count) for count in found if count.isdecimal())


async def post(
    address: str, path: str, secret: str, body: bytes, silence_timeout: float, client: str = ""
) -> tuple[int, bytes]:
    """Another server's response to a request of this server, on behalf of a client if one is given. Raises an error if
    nothing arrives for `silence_timeout` seconds; the request may have been carried out nevertheless."""
    async with asyncio.timeout(CONNECT_TIMEOUT):
        reader, writer = await asyncio.open_connection(*_host_and_port(address))
    try:
        connection = h11.Connection(h11.CLIENT)
        headers = [(b"host", b"localhost"), (b"connection", b"close"), (b"content-length", b"%d" % len(body))]
        headers += [(SECRET, secret.encode()), (CLIENT, client.encode("latin-1"))]
        request = h11.Request(method="POST", target=path, headers=headers)
        events = (request, h11.Data(data=body), h11.EndOfMessage())
        writer.write(b"".join(connection.send(event) or b"" for event in events))
        status, text = 0, b""
        while True:
            async with asyncio.timeout(silence_timeout):
                answer = await _next_event(connection, reader)
            if isinstance(answer, h11.Response):
                status = answer.status_code
            elif isinstance(answer, h11.Data):
                text += bytes(answer.data)
            else:
                return status, text
    except h11.RemoteProtocolError as error:
        raise ConnectionError(str(error)) from None
    finally:
        writer.close()


def table_in(path: str) -> str | None:
    """The table that a request is about."""
    return path.removeprefix(PREFIX).partition("/")[0] or None if path.startswith(PREFIX) else None


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not port.isdecimal():
        raise ConnectionError("the server's address is not known")
    return host.strip("[]"), int(port)


def _target(scope: Scope) -> bytes:
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope["query_string"]
    return path + b"?" + query if query else path


async def _body(receive: Receive, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size, more = 0, True
    while more and size <= max_bytes:
        message = await receive()
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        more = message["type"] == "http.request" and message.get("more_body", False)
    return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that first returns a body that has been read already."""
    given = False

    async def again() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _wait_for_response(answer: Awaitable[T], still_owner: OwnerCheck) -> T:
    """Wait for a response as long as the other server has the table, up to `RESPONSE_TIMEOUT`."""
    waiting = asyncio.ensure_future(answer)
    until = time.monotonic() + RESPONSE_TIMEOUT
    try:
        while not (await asyncio.wait({waiting}, timeout=CHECK_INTERVAL))[0]:
            if time.monotonic() > until or not await still_owner():
                raise TimeoutError
        return waiting.result()
    finally:
        waiting.cancel()


async def _next_event(connection: h11.Connection, reader: asyncio.StreamReader) -> Any:
    while (event := connection.next_event()) is h11.NEED_DATA:
        connection.receive_data(await reader.read(PIECE))
    return event


async def _send_response(
    connection: h11.Connection, reader: asyncio.StreamReader, answer: h11.Response, send: Send
) -> None:
    skipped = {b"connection", b"transfer-encoding", b"date"}
    headers = [(name, value) for name, value in answer.headers if name not in skipped]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    while isinstance(event := await _next_event(connection, reader), h11.Data):
        await send({"type": "http.response.body", "body": bytes(event.data), "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _misdirected(scope: Scope, receive: Receive, send: Send) -> None:
    refusal = refusal_response(Refusal("busy", "This table is at another server."))
    refusal.status_code = MISDIRECTED
    if scope["type"] == "websocket":
        await send({"type": "websocket.http.response.start", "status": MISDIRECTED, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b""})
    else:
        await refusal(scope, receive, send)


async def _give_up(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await WebSocketClose(CLOSE_TRY_AGAIN)(scope, receive, send)
    else:
        refusal = Refusal("busy", "This table cannot be reached at the moment; try again in a moment.")
        await refusal_response(refusal)(scope, receive, send)
