"""The seats that a language model can hold: at a table in this process, or at one of a running server.

A seat shows only what its player may see and do.
"""

import asyncio
import json
import re
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from grandtour.engine.catalogue import game
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short
from grandtour.players.local_table import LocalTable
from grandtour.protocol.patch import apply_patch
from grandtour.protocol.position import final_of, legal_moves, prompt_for

Json = dict[str, Any]
RESPONSE_TIMEOUT: Final = 15.0
"""Seconds to wait for a response of a server."""
MAX_CHAT_LENGTH: Final = 500
_TABLE_PATH: Final = re.compile(r"/table/(\w{1,64})/?$")
_SEAT_SECRET: Final = re.compile(r"seat=(\d{1,2})\.([\w-]{1,128})")


class Position(NamedTuple):
    """What a seat sees and may do now, and the news since the last call."""

    news: list[str]
    view: Mapping[str, Any] | None
    prompt: str
    rules: list[str]
    legal: list[Json]
    """Named moves, each with its words."""
    waiting: list[int]
    result: list[float] | None
    final: list[Json] | None
    seconds_left: float | None


class Seat(Protocol):
    """A seat at a table."""

    game: Game
    seat: int

    @property
    def names(self) -> list[str]: ...
    async def look(self) -> Position: ...
    async def play(self, move: object) -> None: ...
    async def say(self, text: str) -> None: ...
    async def wait(self, seconds: float) -> None:
        """Wait until it is this seat's turn, something happens, somebody writes, or the time is up."""

    async def tour(self) -> str:
        """The match as a `.tour` file, once it is over."""


class Room:
    """A table in this process with one or more models."""

    def __init__(self, table: LocalTable) -> None:
        self.table = table
        self.changed = asyncio.Condition()

    async def run(self, passing: int | None = None) -> None:
        """Let the bots move until the game waits for a model, or a model may act out of turn. The seat `passing` does
        not want to act now. The caller must hold `changed`."""
        table = self.table
        people = [seat for seat in range(table.match.seats) if seat not in table.bots]
        if passing is not None:
            table.may_speak(passing)
        while True:
            if table.time_up():
                continue
            bot = table.next_bot()
            if bot is None or any(table.may_speak(seat) for seat in people):
                break
            await asyncio.to_thread(table.move_bot, bot)
        self.changed.notify_all()


class LocalSeat:
    """A seat at a table in this process."""

    def __init__(self, room: Room, seat: int) -> None:
        self.room = room
        self.seat = seat
        self.game = room.table.game
        self._told = 0

    @property
    def names(self) -> list[str]:
        return self.room.table.names

    async def look(self) -> Position:
        async with self.room.changed:
            table = self.room.table
            if table.time_up():
                await self.room.run()
            match = table.match
            news = table.sentences_for(self.seat, self._told)
            self._told = len(table.story)
            prompt = prompt_for(self.game, match.state, self.names, self.seat)
            legal = [] if match.over else legal_moves(self.game, match.state, self.names, self.seat)
            return Position(
                news,
                self.game.view(match.state, self.seat),
                prompt.text,
                prompt.rules,
                [{"move": each.move, "text": each.text} for each in legal],
                match.waiting(),
                match.result(),
                _plain(final_of(self.game, match.state)) if match.over else None,
                table.seconds_left(),
            )

    async def play(self, move: object) -> None:
        async with self.room.changed:
            self.room.table.play(self.seat, move)
            await self.room.run()

    async def say(self, text: str) -> None:
        async with self.room.changed:
            self.room.table.say(self.seat, text)
            self.room.changed.notify_all()

    async def wait(self, seconds: float) -> None:
        async with self.room.changed:
            table = self.room.table
            if self.seat not in table.match.waiting():
                await self.room.run(passing=self.seat)
            if self._ready():
                return
            left = table.seconds_left()
            try:
                await asyncio.wait_for(
                    self.room.changed.wait_for(self._ready), seconds if left is None else min(seconds, left + 0.01)
                )
            except TimeoutError:
                if table.time_up():
                    await self.room.run()

    def _ready(self) -> bool:
        table = self.room.table
        return table.match.over or self.seat in table.match.waiting() or len(table.story) > self._told

    async def tour(self) -> str:
        if not self.room.table.match.over:
            raise not_over()
        return self.room.table.save()


class RemoteSeat:
    """A seat at a table of a running server, held by its secret."""

    def __init__(self, url: str, table: Json, seat: int, secret: str) -> None:
        self.url = url
        self.id: str = table["table"]
        self.table = table
        self.seat = seat
        self.secret = secret
        self.game = game(table["game"])
        self._last = 0
        self._now: Json = {}
        self._known: list[Json] = []
        self._news: list[str] = []
        self._answers: dict[str, Json] = {}
        self._socket: ClientConnection | None = None
        self._talk = asyncio.Lock()

    @property
    def names(self) -> list[str]:
        return [seat["name"] or f"Seat {seat['seat']}" for seat in self.table["seats"]]

    @property
    def link(self) -> str:
        """The link to this seat. It contains the secret, so whoever has it can use the seat."""
        return f"{self.url}/table/{self.id}#seat={self.seat}.{self.secret}"

    async def look(self) -> Position:
        async with self._talk:
            await self._receive_all(0)
        now, news = self._now, self._news
        self._news = []
        clock = now.get("clock")
        return Position(
            news,
            now["view"],
            now["prompt"]["text"],
            now["prompt"]["rules"],
            now["legal"],
            now["waiting"],
            now["result"],
            now["final"],
            clock["left"] if clock else None,
        )

    async def play(self, move: object) -> None:
        await self._ask({"type": "move", "at": self._last, "move": move})

    async def say(self, text: str) -> None:
        await self._ask({"type": "say", "text": text})

    async def start(self) -> None:
        """Start without waiting for others: bots take the open seats. Only the host may do this."""
        await self._ask({"type": "start"})

    async def wait(self, seconds: float) -> None:
        async with self._talk:
            await self._receive_all(0)
            until = asyncio.get_running_loop().time() + seconds
            while not (self._news or self._now.get("result") is not None or self.seat in self._now.get("waiting", [])):
                left = until - asyncio.get_running_loop().time()
                if left <= 0 or not await self._receive_all(left, once=True):
                    return
            # Messages that follow at once, such as the moves of several bots, are returned together.
            while self.seat not in self._now["waiting"] and await self._receive_all(0.3, once=True):
                pass

    async def tour(self) -> str:
        if self._now.get("result") is None:
            raise not_over()
        return await asyncio.to_thread(_http, f"{self.url}/api/tables/{self.id}/tour", None, True)

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()
            self._socket = None

    async def _connected(self) -> ClientConnection:
        if self._socket is None:
            try:
                address = self.url.replace("http", "ws", 1) + f"/api/tables/{self.id}/socket"
                self._socket = await connect(address, open_timeout=RESPONSE_TIMEOUT, max_size=4_000_000)
                await self._socket.send(json.dumps({"type": "hello", "secret": self.secret, "last": self._last}))
                welcome = await self._receive(RESPONSE_TIMEOUT)
                while welcome["type"] == "welcome" and self._now.get("n", -1) < welcome["last"]:
                    await self._receive(RESPONSE_TIMEOUT)
            except (OSError, WebSocketException, TimeoutError) as error:
                self._socket = None
                raise Refusal("failed", f"The server at {self.url} does not respond: {error}.") from None
            if welcome["type"] != "welcome":
                self._socket = None
                raise Refusal(welcome["code"], welcome["reason"], welcome["rule"])
        return self._socket

    async def _receive(self, seconds: float) -> Json:
        """Receive the next message and update the state of the table."""
        assert self._socket is not None
        async with asyncio.timeout(seconds):
            message: Json = json.loads(await self._socket.recv())
        if message["type"] == "event":
            self._last = message["n"]
            text = message["text"]
            said = f"{self.names[message['seat']]} says: {text}" if message["kind"] == "say" else ""
            self._news += [said] if said else text
        elif message["type"] == "now":
            self._now = message
            self._known = message["legal"]
        elif message["type"] == "change":
            self._change(message)
        elif message["type"] in ("table", "welcome"):
            self.table = message["table"]
        elif message["type"] in ("ack", "refused") and message["id"] is not None:
            self._answers[message["id"]] = message
        return message

    def _change(self, message: Json) -> None:
        """Apply a change to the known position."""
        change = {key: value for key, value in message.items() if key not in ("type", "base")}
        if "view" in change:
            change["view"] = apply_patch(self._now["view"], change["view"])
        if "legal" in change:
            change["legal"] = [self._known[one] if isinstance(one, int) else one for one in change["legal"]]
            self._known = change["legal"] or self._known
        self._now = {**self._now, **change}

    async def _receive_all(self, seconds: float, once: bool = False) -> bool:
        """Receive all messages that have arrived, or at most one with `once`. Returns whether there was any."""
        await self._connected()
        received = False
        try:
            while True:
                await self._receive(seconds or 0.02)
                received = True
                if once:
                    return True
        except TimeoutError:
            return received
        except WebSocketException:
            self._socket = None
            return False

    async def _ask(self, message: Json) -> None:
        """Send a request, and receive until its response and the position after it have arrived."""
        id = secrets.token_hex(8)
        async with self._talk:
            socket = await self._connected()
            try:
                await socket.send(json.dumps({**message, "id": id}))
                while id not in self._answers:
                    await self._receive(RESPONSE_TIMEOUT)
                answer = self._answers.pop(id)
                while answer["type"] == "ack" and self._now["n"] < answer["n"]:
                    await self._receive(RESPONSE_TIMEOUT)
            except (WebSocketException, TimeoutError):
                self._socket = None
                raise Refusal("failed", "The server does not respond: look again, then try again.") from None
        if answer["type"] == "refused":
            raise Refusal(answer["code"], answer["reason"], answer["rule"])


def address(url: str, allowed: list[str]) -> str:
    """The address of a server that models may use: on this machine, or one that the operator named."""
    parts = urlsplit(url)
    plain = f"{parts.scheme}://{parts.netloc}"
    here = parts.hostname in ("127.0.0.1", "localhost", "::1")
    if parts.scheme not in ("http", "https") or not parts.netloc or not (here or plain in allowed):
        raise Refusal(
            "wrong-host",
            f"Models may not use the server {short(url)}. To allow it, start grandtour mcp with --server URL.",
        )
    return plain


async def open_remote(url: str, wanted: Json) -> RemoteSeat:
    """Open a table on a server and take its first seat."""
    made = await asyncio.to_thread(_http, f"{url}/api/tables", wanted)
    table = await asyncio.to_thread(_http, f"{url}/api/tables/{made['table']}", None)
    return RemoteSeat(url, table, made["seat"], made["secret"])


async def join_remote(link: str, allowed: list[str], name: str) -> RemoteSeat:
    """The seat of a link: the seat whose secret it contains, or any open seat of the table."""
    url = address(link, allowed)
    parts = urlsplit(link)
    place, held = _TABLE_PATH.search(parts.path), _SEAT_SECRET.search(parts.fragment)
    if place is None:
        raise Refusal("unknown-table", f"{short(link)} is not the link of a table.")
    table = await asyncio.to_thread(_http, f"{url}/api/tables/{place[1]}", None)
    if held is not None:
        return RemoteSeat(url, table, int(held[1]), held[2])
    sat = await asyncio.to_thread(_http, f"{url}/api/tables/{place[1]}/sit", {"name": name})
    return RemoteSeat(url, table, sat["seat"], sat["secret"])


def not_over() -> Refusal:
    return Refusal("not-over", "The match can be saved once it is over, because its file contains everything hidden.")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, so that an allowed server cannot lead to another one."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _http(url: str, body: Json | None, text: bool = False) -> Any:
    data = None if body is None else json.dumps(body).encode()
    opener = urllib.request.build_opener(_NoRedirects)
    try:
        with opener.open(urllib.request.Request(url, data), timeout=RESPONSE_TIMEOUT) as answer:
            read = answer.read().decode()
    except urllib.error.HTTPError as error:
        try:
            refused = json.loads(error.read())
            refusal = Refusal(refused["code"], refused["reason"], refused["rule"])
        except (ValueError, KeyError, TypeError):
            refusal = Refusal("failed", f"The server responds with status {error.code}.")
        raise refusal from None
    except (OSError, ValueError) as error:
        raise Refusal("failed", f"The server does not respond: {error}.") from None
    return read if text else json.loads(read)


def _plain(rows: list[Any]) -> list[Json]:
    return [msgspec.to_builtins(row) for row in rows]
