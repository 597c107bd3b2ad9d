"""Clients that are slow, misbehave or disappear: the server disconnects them, and its log stays clean."""

import asyncio
import contextlib
import gc
import json
import signal
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from grandtour.protocol.messages import Ack, Pong, Say, encode
from grandtour.server.http.requests import WantedSeat, WantedTable
from grandtour.server.registry import Registry
from grandtour.server.settings import Limits
from grandtour.server.tables.client import MAX_WRITE, Client, frame
from tests.server.client import PATIENCE, Api, settings_for
from tests.server.conftest import Serving, Starting

RESET = struct.pack("ii", 1, 0)
"""A socket option: closing then resets the connection instead of ending it properly."""


def line_to(api: Api) -> socket.socket:
    host, _, port = api.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), PATIENCE)


def upgrade(table: str) -> bytes:
    return (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


def text_frame(payload: bytes) -> bytes:
    return struct.pack("!BBH", 0x81, 0x80 | 126, len(payload)) + b"\0\0\0\0" + payload


def hang_up(line: socket.socket) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    line.close()


def read_to_the_end(line: socket.socket) -> bytes:
    heard = b""
    with contextlib.suppress(ConnectionError):
        while part := line.recv(65536):
            heard += part
    return heard


@pytest.fixture
def clean(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing a client does may cause a traceback or an error in the log."""
    yield
    said = caplog.get_records("call")
    bad = [record for record in said if record.exc_info or record.levelname in ("ERROR", "CRITICAL")]
    assert not bad, f"the log has {[record.getMessage() for record in bad]}: {[record.exc_info for record in bad]}"


def test_a_message_that_is_not_utf8_closes_only_its_socket(api: Api, clean: None) -> None:
    table = api.open("me", "open")["table"]
    with line_to(api) as line:
        line.sendall(upgrade(table))
        heard = line.recv(4096)
        line.sendall(text_frame(b'{"type": "hello", "secret": "\xff\xfe", "last": 0}'))
        heard += read_to_the_end(line)
    assert b" 101 " in heard
    assert struct.pack("!H", 1007) in heard


def test_only_fragmented_messages_go_through_the_parser(
    serving: Serving, clean: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = serving()
    table = api.open("me", "open")["table"]
    parsed: list[bytes] = []
    parse = WebSocketsSansIOProtocol.data_received

    def note(line: WebSocketsSansIOProtocol, data: bytes) -> None:
        parsed.append(data)
        parse(line, data)

    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", note)
    ping = text_frame(b'{"type": "ping"}')
    with line_to(api) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.sendall(upgrade(table))
        heard = line.recv(4096)
        line.sendall(text_frame(b'{"type": "hello", "secret": null, "last": 0}'))
        pongs = 0
        for pieces in ([ping], [ping[:3], ping[3:]], [ping], [ping[:20], ping[20:] + ping]):
            while b'"type":"now"' not in heard or heard.count(b"pong") < pongs:
                heard += line.recv(4096)
            for piece in pieces:
                line.sendall(piece)
                if piece is not pieces[-1]:
                    api.until(lambda piece=piece: parsed[-1] == piece)  # type: ignore[misc]
            pongs += sum(map(len, pieces)) // len(ping)
        while heard.count(b"pong") < pongs:
            heard += line.recv(4096)
    assert parsed[1:] == [ping[:3], ping[3:], ping[:20], ping[20:] + ping], "whole messages need no parser"


def test_clients_may_disconnect_at_any_moment(api: Api, clean: None) -> None:
    table = api.open("me", "open")["table"]
    hello = json.dumps({"type": "hello", "secret": None, "last": 0}).encode()
    ping = text_frame(b'{"type": "ping"}')
    post = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
    for pause in (0.0, 0.001, 0.01):
        for said in (b"", b"GET / HT", post, upgrade(table), b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            line = line_to(api)
            line.sendall(said)
            time.sleep(pause)
            hang_up(line)
        for after in (b"", text_frame(hello), text_frame(hello) + 30 * ping):
            line = line_to(api)
            line.sendall(upgrade(table))
            line.recv(4096)
            line.sendall(after)
            time.sleep(pause)
            hang_up(line)
    api.until(lambda: api.get("/api/health")["sockets"] == 0)


class DeadConnection:
    """A connection that accepts no data."""

    def can_write(self) -> bool:
        return False

    def write(self, frames: bytes) -> None:
        raise AssertionError("the wire takes nothing")

    def abort(self) -> None: ...

    def stop_reading(self) -> None: ...


def test_nothing_waits_for_a_client_whose_connection_is_lost() -> None:
    async def main() -> None:
        client = Client(1 << 20, DeadConnection())
        client.connection_lost()
        # The others leave, too, which is announced to all who are still at the table.
        client.send(Pong())
        async with asyncio.timeout(PATIENCE):
            await client.wait_until_sent()

    asyncio.run(main())


class Tape:
    """A connection that keeps what it is given, and accepts only so many pieces."""

    def __init__(self, pieces: int) -> None:
        self.left = pieces
        self.written: list[bytes] = []

    def can_write(self) -> bool:
        return self.left > 0

    def write(self, frames: bytes) -> None:
        self.left -= 1
        self.written.append(frames)

    def abort(self) -> None: ...

    def stop_reading(self) -> None: ...


def test_an_acknowledgement_is_the_message_of_the_protocol() -> None:
    tape = Tape(2)
    client = Client(1 << 20, tape)
    client.held = True
    for id in ("7", 'Ada "the\n\\ Duchess"', "Żoë –"):
        client.acknowledge(id, 1234)
        client.flush()
        client.held, tape.left = True, 1
        assert tape.written.pop() == frame(encode(Ack(id, 1234)))


def test_messages_are_sent_in_order_and_in_pieces_of_limited_size() -> None:
    tape = Tape(1)
    client = Client(1 << 24, tape)
    client.held = True
    messages = [bytes([65 + n]) * 30_000 for n in range(8)]
    for message in messages:
        client.send_frames(message)
    client.flush()
    assert tape.written == [b"".join(messages[:3])], "more than the network accepts has been given to it"
    tape.left = 9
    client.resume()
    assert b"".join(tape.written) == b"".join(messages)
    assert max(map(len, tape.written)) < MAX_WRITE + 30_000


def test_refusing_a_client_that_is_gone_logs_nothing(tmp_path: Path) -> None:
    complaints: list[str] = []

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context["message"]))
        registry = Registry(settings_for(tmp_path))
        opened = await registry.open(WantedTable("round-trip", [WantedSeat("me"), WantedSeat("open")]))
        async with registry.visit(opened.table) as session:
            client = Client(1 << 20)
            await session.join(client, opened.secret, 0)
            await session._turns.acquire()
            asking = asyncio.create_task(session.ask(client, Say("a", " ")))
            await asyncio.sleep(0)
            asking.cancel()
            await asyncio.sleep(0)
            session._turns.release()
            await asyncio.sleep(0.05)
            session.leave(client)
        del asking
        gc.collect()
        await registry.close()

    asyncio.run(main())
    assert not complaints


def test_a_client_with_a_slow_request_head_is_disconnected(serving: Serving, clean: None) -> None:
    api = serving(header_deadline=0.3)
    whole = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
    for before in (b"", b"GET / HTTP/1.1\r\nHo", b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n" + whole):
        with line_to(api) as line:
            line.sendall(before)
            trickle(line)


def trickle(line: socket.socket) -> None:
    """Send one byte at a time until the server closes the connection."""
    line.settimeout(0.02)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(TimeoutError):
            try:
                line.sendall(b"x")
                if not line.recv(4096):
                    return
            except ConnectionError:
                return
    pytest.fail("the connection is still open")


def test_a_slow_request_body_is_refused(serving: Serving, clean: None) -> None:
    api = serving(body_deadline=0.2, header_deadline=0.2)
    with line_to(api) as line:
        line.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        heard = line.recv(4096)
    assert b" 408 " in heard
    assert b'"too-slow"' in heard


def test_an_unwanted_body_does_not_keep_a_connection_open(serving: Serving, clean: None) -> None:
    api = serving(header_deadline=0.3)
    with line_to(api) as line:
        line.sendall(b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        trickle(line)


def test_a_client_that_does_not_read_is_disconnected(serving: Serving, clean: None) -> None:
    api = serving(send_deadline=0.2, close_deadline=0.2)
    whole = len(api.fetch("GET", "/api/openapi.json")[1])
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        host, _, port = api.url.removeprefix("http://").partition(":")
        line.settimeout(PATIENCE)
        line.connect((host, int(port)))
        line.sendall(100 * b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
        heard = len(line.recv(100))
        port = line.getsockname()[1]
        api.until(lambda: all(one.raddr[1:] != (port,) for one in psutil.Process().net_connections("tcp")))
        assert heard + len(read_to_the_end(line)) < 100 * whole, "the server buffered everything for it"


def test_a_server_that_stops_disconnects_a_client_that_does_not_read(starting: Starting) -> None:
    server = starting(settings={"limits.messages": (1000, 1000), "limits.frames": (1000, 1000)})
    api = Api(server.url)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        host, _, port = api.url.removeprefix("http://").partition(":")
        line.settimeout(PATIENCE)
        line.connect((host, int(port)))
        line.sendall(upgrade(api.open("me", "normal")["table"]))
        line.recv(4096)
        line.sendall(text_frame(json.dumps({"type": "hello", "secret": None, "last": 0}).encode()))
        line.sendall(500 * text_frame(b'{"type": "look"}'))
        assert api.get("/api/health")["sockets"] == 1
        code, said = server.end(signal.SIGTERM)
    assert (code, "Traceback" in said) == (0, False), said


def test_connections_of_one_address_are_limited_before_the_first_byte(serving: Serving, clean: None) -> None:
    api = serving(limits=Limits(connections=3))
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(line_to(api)) for _ in range(3)]
        assert not reaches(api), "a fourth connection is answered"
        lines[0].close()
        api.until(lambda: reaches(api))


def reaches(api: Api) -> bool:
    try:
        return api.request("GET", "/api/health")[0] == 200
    except OSError:
        return False


def test_when_all_connections_are_used_only_health_checks_are_served(serving: Serving, clean: None) -> None:
    api = serving(limits=Limits(all_connections=16, connections_reserved=4))
    table = api.open("me", "open")["table"]
    with contextlib.ExitStack() as stack:
        for _ in range(16):
            stack.enter_context(api.join(table))
        assert api.get("/api/health")["sockets"] == 16
        status, refused = api.request("GET", "/api/games")
        assert (status, refused["code"]) == (503, "full")
    api.until(lambda: api.request("GET", "/api/games")[0] == 200)
