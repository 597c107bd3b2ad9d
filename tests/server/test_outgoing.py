"""Requests to URLs from users never reach a private address."""

import asyncio
import contextlib
import socket
import threading
from typing import Any

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.server.people import outgoing
from grandtour.server.people.outgoing import Outgoing, is_public, target_of

PRIVATE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.0.9",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "not an address",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.215.14", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"])
def test_internet_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "javascript:alert(1)",
        "http://example.org/",
        "https://example.org:8443/",
        "https://example.org:0/",
        "https://user@example.org/",
        "https://user:word@example.org/",
        "https://example.org\\@127.0.0.1/",
        "https://example.org/a b",
        "https://example.org/\r\nHost: other",
        "https://example.org/\u2028",
        "https://exämple.org/",
        "https://\u212aelvin.org/",
        "https://example.org/\u212a",
        "https://example.org/\u017f",
        "https://example.org:\u0664\u0664\u0663/",
        "https://[::1/",
        "https:///path",
        "https://-/",
        "file:///etc/passwd",
        "https://example.org/" + "x" * 1000,
    ],
)
def test_an_invalid_https_address_is_refused(url: str) -> None:
    with pytest.raises(Refusal) as refusal:
        target_of(url)
    assert refusal.value.code == "bad-endpoint"


def test_an_address_is_parsed() -> None:
    assert target_of("https://Push.Example.org/send?to=a%20b#x") == (True, "push.example.org", 443, "/send?to=a%20b")
    assert target_of("https://[2606:4700::1111]:443") == (True, "2606:4700::1111", 443, "/")


def post(url: str) -> int:
    async def main() -> int:
        sender = Outgoing(5.0, False)
        try:
            return await sender.post(url, {}, b"hello")
        finally:
            sender.close()

    return asyncio.run(main())


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "127.0.0.1", "2130706433", "127.1", "0x7f000001", "0177.0.0.1", "0x7f.1", "0"),
        *("[::1]", "[::]", "[::ffff:7f00:1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"),
    ],
)
def test_a_local_address_is_refused_however_it_is_written(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: Any, **__: Any) -> None:
        raise AssertionError("a connection is made")

    monkeypatch.setattr(asyncio, "open_connection", never)
    with pytest.raises(Refusal, match="no host"):
        post(f"https://{host}/")


def test_a_host_with_one_private_address_among_others_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "_lookup", lambda *_: ["1.1.1.1", "10.0.0.1"])
    with pytest.raises(Refusal, match="no host"):
        post("https://example.org/")


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is not resolved again, so it does not matter that it changes afterwards."""
    answers = [["1.1.1.1"], ["127.0.0.1"]]
    asked: list[tuple[str, int]] = []

    async def connect(host: str, port: int, **more: Any) -> None:
        asked.append((host, port))
        assert more["server_hostname"] == "example.org"
        raise OSError("not in this test")

    monkeypatch.setattr(outgoing, "_lookup", lambda *_: answers.pop(0))
    monkeypatch.setattr(asyncio, "open_connection", connect)
    with pytest.raises(OSError, match="not in this test"):
        post("https://example.org/")
    assert asked == [("1.1.1.1", 443)]
    assert len(answers) == 1, "the name is looked up once"


@pytest.mark.parametrize("host", ["a..b", "x" * 64 + ".org", "nothing.invalid"])
def test_an_unknown_host_name_is_refused(host: str) -> None:
    with pytest.raises(Refusal, match="no host"):
        post(f"https://{host}/")


class FakeServer(threading.Thread):
    """A local server that sends these bytes in response to any request, over and over if `endless`."""

    def __init__(self, *pieces: bytes, pause: float = 0.0, endless: bool = False) -> None:
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        self.pieces, self.pause, self.endless = pieces, pause, endless
        self.sent = 0
        self.done = threading.Event()
        self.start()

    def run(self) -> None:
        with contextlib.suppress(OSError), self.listener.accept()[0] as connection:
            connection.recv(4096)
            while not self.done.is_set():
                for piece in self.pieces:
                    connection.sendall(piece)
                    self.sent += len(piece)
                    self.done.wait(self.pause)
                if not self.endless:
                    self.done.wait()

    def close(self) -> None:
        self.done.set()
        # If the request has timed out before it was sent, the thread still waits for it.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.join()


def post_status(peer: FakeServer, deadline: float = 5.0) -> int:
    """The status of a request to this server, which is then closed."""

    async def main() -> int:
        sender = Outgoing(deadline, True)
        try:
            return await sender.post(peer.url, {}, b"hello")
        finally:
            sender.close()

    try:
        return asyncio.run(main())
    finally:
        peer.close()


def test_only_the_status_of_a_response_is_read() -> None:
    peer = FakeServer(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000, endless=True)
    assert post_status(peer) == 200
    assert peer.sent < 20_000_000, "the line is cut at once"


@pytest.mark.parametrize("piece", [b"x" * 65536, b"HTTP/1.1 200" + b" " * 65536, b"HTTP/1.1 99\r\n", b"HTTP/2 200\r\n"])
def test_a_response_that_is_not_http_is_an_error(piece: bytes) -> None:
    with pytest.raises(OSError, match="not HTTP"):
        post_status(FakeServer(piece, endless=True))


@pytest.mark.parametrize("pieces", [(), (b"H",), (b"HTTP/1.1 200",)])
def test_an_incomplete_response_times_out(pieces: tuple[bytes, ...]) -> None:
    with pytest.raises(TimeoutError):
        post_status(FakeServer(*pieces), 0.3)


def test_a_response_sent_byte_by_byte_does_not_extend_the_deadline() -> None:
    peer = FakeServer(b" ", pause=0.05, endless=True)
    with pytest.raises(TimeoutError):
        post_status(peer, 0.5)


def test_a_slow_dns_lookup_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()
    monkeypatch.setattr(outgoing, "_lookup", lambda *_: asked.wait(30) and [])

    async def main() -> None:
        sender = Outgoing(0.2, False)
        try:
            with pytest.raises(Refusal, match="in time"):
                await sender.check("https://slow.example.org/")
        finally:
            asked.set()
            sender.close()

    asyncio.run(main())
