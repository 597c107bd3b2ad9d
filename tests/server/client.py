"""A small client for the protocol in `docs/protocol.md`, and a real server for it to talk to."""

import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from grandtour.protocol.patch import apply_patch
from grandtour.server.run import address_to_open, bind, configure
from grandtour.server.settings import Limits, Rate, Settings
from grandtour.server.storage.sqlite_store import SqliteStore

PATIENCE = 60.0
"""Seconds after which a test gives up waiting. Nothing is asserted about time."""

PLENTY = Rate(1000, 1000)
Message = dict[str, Any]


class Server:
    """A server on a free port, in a thread of this process."""

    def __init__(self, settings: Settings, store: SqliteStore | None = None) -> None:
        self._listening = bind("127.0.0.1", 0)
        self.url = address_to_open(self._listening).rstrip("/")
        config = configure(settings, store)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._listening],))
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()


class Process:
    """A server in its own process, as `grandtour serve` runs it."""

    def __init__(self, data: Path, port: int = 0, **more: Any) -> None:
        call = f"serve('127.0.0.1', {port}, {str(data)!r}, **{ {'bot_pause': 0.0, **more}!r})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from grandtour.server import serve; {call}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        found = re.search(r"http://\S+", self.said)
        self.url = found[0].rstrip("/") if found else ""

    def interrupt(self) -> None:
        """Ctrl-C in a terminal reaches the server and every process it has started."""
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self, with_signal: signal.Signals) -> tuple[int, str]:
        """Send a signal. Returns the exit code and everything that was printed."""
        self.process.send_signal(with_signal)
        said, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, self.said + said


class From(urllib.request.HTTPHandler):
    """Sends requests from any address in 127.0.0.0/8, all of which belong to this machine."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address

    def http_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(partial(HTTPConnection, source_address=(self.address, 0)), request)


class Api:
    """A server's address, and the address from which this client calls it."""

    def __init__(self, url: str, source: str = "127.0.0.1") -> None:
        self.url = url
        self.source = source
        self._opener = urllib.request.build_opener(From(source))

    def seen_from(self, source: str) -> "Api":
        """The same server, for somebody at another address."""
        return Api(self.url, source)

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """The status and the JSON of the response."""
        status, text, _ = self.fetch(method, path, body, headers)
        return status, json.loads(text)

    def fetch(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, str, dict[str, str]]:
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers or {}, method=method)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode(), dict(answer.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(), dict(error.headers)

    def get(self, path: str) -> Any:
        status, answer = self.request("GET", path)
        assert status == 200, f"GET {path} is refused: {answer}"
        return answer

    def post(self, path: str, body: Any) -> Any:
        status, answer = self.request("POST", path, body)
        assert status == 200, f"POST {path} is refused: {answer}"
        return answer

    def open(self, *seats: str, game: str = "round-trip", **more: Any) -> Message:
        """A table for "me", "open" and bots: `open("me", "normal")`."""
        wanted = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "bot": seat} for seat in seats]
        opened: Message = self.post("/api/tables", {"game": game, "seats": wanted, **more})
        return opened

    def sit(self, table: str, name: str = "", **more: Any) -> Message:
        place: Message = self.post(f"/api/tables/{table}/sit", {"name": name, **more})
        return place

    def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until the condition holds."""
        deadline = time.monotonic() + PATIENCE
        while not wanted():
            assert time.monotonic() < deadline, "the condition was never met"
            time.sleep(0.02)

    def socket(self, table: str, **options: Any) -> ClientConnection:
        """A socket on which nothing has been sent yet. The caller closes it."""
        address = self.url.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
        host, _, port = self.url.removeprefix("http://").partition(":")
        wire = socket.create_connection((host, int(port)), PATIENCE, (self.source, 0))
        wire.settimeout(None)
        # No limit on unread messages: a client that stops reading must still be able to close.
        opened: ClientConnection = connect(
            address, sock=wire, open_timeout=PATIENCE, max_queue=None, **options
        ).__enter__()
        return opened

    def join(self, table: str, secret: str | None = None, last: int = 0, passport: str | None = None) -> "Client":
        return Client(self.socket(table), secret, last, passport)


class Client:
    """A player or spectator at a table. Keeps the events by number, and the last `now`."""

    _ids = itertools.count()

    def __init__(self, socket: ClientConnection, secret: str | None, last: int, passport: str | None = None) -> None:
        self.socket = socket
        self.events: dict[int, Message] = {}
        self.received: list[Message] = []
        self.now: Message = {}
        self.known: list[Message] = []
        known = {} if passport is None else {"passport": passport}
        self.send({"type": "hello", "secret": secret, "last": last, **known})
        welcome = self.receive()
        assert welcome["type"] == "welcome", f"not a welcome: {welcome}"
        self.seat: int | None = welcome["seat"]
        self.table: Message = welcome["table"]
        self.last = last
        while self.now.get("n") != welcome["last"]:
            self.receive()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self, message: Message) -> None:
        self.socket.send(json.dumps(message))

    def receive(self) -> Message:
        """The next message. Fails if the numbers of events have a gap."""
        message: Message = json.loads(self.socket.recv(timeout=PATIENCE))
        self.received.append(message)
        if message["type"] == "event":
            assert message["n"] == self.last + 1, f"event {message['n']} follows event {self.last}"
            self.last = message["n"]
            self.events[self.last] = message
        elif message["type"] == "now":
            self.now = message
            self.known = message["legal"]
        elif message["type"] == "change":
            assert message["base"] == self.now["n"], f"a change of event {message['base']} follows {self.now['n']}"
            change = {key: value for key, value in message.items() if key not in ("type", "base")}
            if "view" in change:
                change["view"] = apply_patch(self.now["view"], change["view"])
            if "legal" in change:
                change["legal"] = [self.known[one] if isinstance(one, int) else one for one in change["legal"]]
                self.known = change["legal"] or self.known
            self.now = {**self.now, **change}
        elif message["type"] == "table":
            self.table = message["table"]
        return message

    def until(self, wanted: Callable[[], bool]) -> None:
        """Receive messages until the condition holds."""
        while not wanted():
            self.receive()

    def ask(self, type: str, id: str | None = None, **fields: Any) -> Message:
        """Send a request and return its `ack` or `refused`."""
        id = id if id is not None else f"id-{next(self._ids)}"
        self.send({"type": type, "id": id, **fields})
        return self.answer(id)

    def answer(self, id: str | None) -> Message:
        while True:
            message = self.receive()
            if message["type"] in ("ack", "refused") and message["id"] == id:
                return message

    def move(self, move: Message, at: int | None = None, id: str | None = None) -> Message:
        return self.ask("move", id, at=self.last if at is None else at, move=move)

    def moves(self) -> list[Message]:
        """The legal moves of this seat."""
        return [legal["move"] for legal in self.now["legal"]]

    def my_turn(self) -> bool:
        return bool(self.now["legal"]) or self.over()

    def asked(self) -> bool:
        """Whether the game waits for this seat."""
        return self.seat in self.now["waiting"]

    def over(self) -> bool:
        return self.now["result"] is not None

    def play(self, choose: Callable[[list[Message]], Message], moves: int | None = None) -> None:
        """Play to the end, or this many moves."""
        made = 0
        while moves is None or made < moves:
            self.until(self.my_turn)
            if self.over():
                return
            answer = self.move(choose(self.moves()))
            assert answer["type"] == "ack", f"a legal move is refused: {answer}"
            made += 1

    def closed(self) -> int:
        """Wait until the server closes the socket. Returns the close code."""
        with pytest.raises(ConnectionClosed) as closed:
            self.until(lambda: False)
        assert closed.value.rcvd is not None, "the socket was closed without a close frame"
        return closed.value.rcvd.code


def settings_for(folder: Path, **changes: Any) -> Settings:
    """A server for tests: bots move at once, and anyone may open tables."""
    usual = {
        "bot_pause": 0.0,
        "lobby_refresh": 0.0,
        "bot_processes": 1,
        "bot_deadline": PATIENCE,  # on a busy machine, a late bot would change the log
        "limits": Limits(tables=PLENTY, requests=PLENTY, passports=PLENTY, profiles=PLENTY),
    }
    return Settings(folder, **{**usual, **changes})
