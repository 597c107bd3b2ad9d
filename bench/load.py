"""`make load`: measures what a move costs the server, with random players over real sockets on loopback.

For each game a server is started in its own process, with its store on the disk. Random players take all seats of every
table, and move as fast as possible or at a given rate. Then boardgame.io's server, from npm, is measured with the same
number of seats. Processor time, memory and bytes are the server's own; the players run in this process. Linux only.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
import uvloop
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table

from bench import load_peer
from bench.measure import Row

GAMES = (
    "round-trip:2",
    "ticket-to-ride-italy:4",
    "itchy-feet:4",
    "journey-istanbul:4",
    "word-traveler:4",
    "postcards-home:4",
)
PLENTY = (1_000_000, 1_000_000)
LIMITS = {
    **{f"limits.{name}": PLENTY for name in ("messages", "frames", "requests", "all_requests", "tables")},
    **{f"limits.{name}": 100_000 for name in ("connections", "all_connections", "sockets", "all_sockets")},
    **{f"limits.{name}": 100_000 for name in ("tables_waiting", "address_tables_waiting", "tables_in_memory")},
    "limits.tables_bytes": 1 << 34,
}
"""All players have one address here, so the limits per address are switched off."""
SERVE = "import sys, json; from grandtour.server import serve; serve(**json.loads(sys.argv[1]))"
NOTE = (
    "µs/move: processor time of the server's process. bytes: sent per move and seat. p50, p99: from sending a move "
    "until it is acknowledged. db: processor time of PostgreSQL per move, in µs. boardgame.io stores nothing on disk "
    "and plays the smallest of games."
)
TEXT, PING, PONG = 1, 9, 10
"""Kinds of WebSocket frames."""
WIDTH = 112
"""The width of the table. A smaller one would cut off figures."""
WARM_UP = 4
"""Moves at each table that are not measured."""
STOPPED_WITHIN = 120
"""Seconds that a server may take to close thousands of sockets on a busy machine."""


class _Legal(msgspec.Struct):
    move: msgspec.Raw


class _Told(msgspec.Struct):
    """The fields of a message that a player reads."""

    type: str
    n: int = 0
    id: str | None = None
    reason: str | None = None
    last: int = 0
    legal: list[_Legal | int] | msgspec.UnsetType = msgspec.UNSET
    result: list[float] | msgspec.UnsetType | None = msgspec.UNSET


_told = msgspec.json.Decoder(_Told)


class Load:
    """The state of all tables: the number of moves still to be made, and the measurements."""

    def __init__(self, rate: float | None, tables: int) -> None:
        self.pause = tables / rate if rate else 0.0
        self.loop = asyncio.get_running_loop()
        self.chance = random.Random(7)
        self.goal = 0
        self.moves = 0
        self.bytes = 0
        self.acks: list[float] = []
        self.done = asyncio.Event()
        self.tables: list[Seats] = []
        self.players: list[Player] = []
        self.failure: str | None = None

    async def play(self, moves: int) -> None:
        """Let every table make this many more moves, or fewer if its match ends."""
        self.goal += moves
        self.done.clear()
        now = self.loop.time()
        for table in self.playing():
            # At a rate, tables move one after another, not all at the same moment.
            table.due = now - self.pause * self.chance.random()
        for player in self.players:
            player.consider()
        self.look()
        await self.done.wait()
        if self.failure is not None:
            raise SystemExit(self.failure)

    def look(self) -> None:
        if self.failure or not any(self.playing()):
            self.done.set()

    def playing(self) -> Iterator[Seats]:
        """The tables that have moves to make."""
        return (table for table in self.tables if table.moves < self.goal and not table.over)


class Seats:
    """A table as its players know it."""

    def __init__(self) -> None:
        self.moves = 0
        self.over = False
        self.due = 0.0
        self.moving: Player | None = None
        self.players: list[Player] = []


class Player(asyncio.Protocol):
    """One seat: reads its messages, and plays a random legal move whenever it has one and the table is not busy."""

    def __init__(self, load: Load, table: Seats, head: bytes, hello: bytes) -> None:
        self.load = load
        self.table = table
        self.head = head
        self.hello = hello
        self.ready = load.loop.create_future()
        self.buffer = bytearray()
        self.legal: list[bytes] = []
        self.known: list[bytes] = []
        self.n = 0
        self.sent = 0.0
        self.upgraded = False

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.head)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.table.over and not self.load.done.is_set():
            self.load.failure = "the server closed a connection"
            self.load.done.set()

    def data_received(self, data: bytes) -> None:
        self.load.bytes += len(data)
        self.buffer += data
        if not self.upgraded:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            self.upgraded = True
            del self.buffer[: end + 4]
            self.transport.write(frame(self.hello))
        for kind, payload in frames(self.buffer):
            if kind == TEXT:
                self.hear(_told.decode(payload))
            elif kind == PING:
                self.transport.write(frame(payload, PONG))
        self.consider()

    def hear(self, told: _Told) -> None:
        match told.type:
            case "ack":
                self.load.acks.append(time.perf_counter() - self.sent)
                self.load.moves += 1
                self.table.moves += 1
                self.table.moving = None
                for player in self.table.players if self.load.pause == 0 else ():
                    if player is not self:
                        self.load.loop.call_soon(player.consider)
                if self.table.moves >= self.load.goal:
                    self.load.look()
            case "now" | "change":
                self.n = told.n
                if told.legal is not msgspec.UNSET:
                    self.legal = [
                        self.known[each] if isinstance(each, int) else bytes(each.move) for each in told.legal
                    ]
                    self.known = self.legal or self.known
                if isinstance(told.result, list):
                    self.table.over = True
                    self.load.look()
                if not self.ready.done():
                    self.ready.set_result(None)
            case "refused":
                self.table.moving = None
                self.legal = []
                if told.id is None:
                    self.load.failure = f"the server refuses: {told.reason}"
                    self.load.done.set()

    def consider(self) -> None:
        """Move, unless another seat is moving or this one has made all its moves."""
        table = self.table
        if not self.legal or table.moving is not None or table.over or table.moves >= self.load.goal:
            return
        table.moving = self
        wait = table.due + self.load.pause - self.load.loop.time() if self.load.pause else 0.0
        if wait > 0:
            self.load.loop.call_later(wait, self.move)
        else:
            self.move()

    def move(self) -> None:
        if not self.legal:
            self.table.moving = None
            return
        move = self.load.chance.choice(self.legal)
        self.table.due = self.load.loop.time()
        self.sent = time.perf_counter()
        text = b'{"type":"move","id":"%d","at":%d,"move":%s}' % (self.load.moves * 1000 + id(self) % 1000, self.n, move)
        self.transport.write(frame(text))


def frame(payload: bytes, kind: int = TEXT) -> bytes:
    """A frame of a client, masked with zeros."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([0x80 | kind]) + size + b"\0\0\0\0" + payload


def frames(buffer: bytearray) -> Iterator[tuple[int, bytes]]:
    """The kinds and payloads of the server's complete frames. An incomplete frame stays in the buffer."""
    at = 0
    while len(buffer) >= at + 2:
        size, start = buffer[at + 1], at + 2
        if size >= 126:
            start += 2 if size == 126 else 8
            if len(buffer) < start:
                break
            size = int.from_bytes(buffer[at + 2 : start], "big")
        if len(buffer) < start + size:
            break
        yield buffer[at] & 15, bytes(buffer[start : start + size])
        at = start + size
    del buffer[:at]


async def measure(
    url: str,
    pid: int,
    game: str,
    seats: int,
    tables: int,
    moves: int,
    rate: float | None,
    database: int = 0,
    kind: type[Load] = Load,
) -> Row:
    """Open the tables, let everyone play, and measure the cost for the server."""
    load = kind(rate, tables)
    host, port = url.removeprefix("http://").strip("/").split(":")
    empty = memory(pid)
    for _ in range(tables):
        table = Seats()
        load.tables.append(table)
        places = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        opened = await asyncio.to_thread(post, f"{url}/api/tables", {"game": game, "seats": places})
        secrets = [opened["secret"]]
        for _ in range(seats - 1):
            sat = await asyncio.to_thread(post, f"{url}/api/tables/{opened['table']}/sit", {})
            secrets.append(sat["secret"])
        head = (
            f"GET /api/tables/{opened['table']}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
        for secret in secrets:
            hello = json.dumps({"type": "hello", "secret": secret, "last": 0}).encode()
            player = Player(load, table, head, hello)
            await load.loop.create_connection(lambda player=player: player, host, int(port))  # type: ignore[misc]
            await player.ready
            table.players.append(player)
            load.players.append(player)
    await load.play(WARM_UP)
    load.moves = load.bytes = 0
    load.acks.clear()
    began, cpu, busy = time.perf_counter(), cpu_seconds(pid), cpu_seconds(database) if database else 0.0
    await load.play(moves)
    cpu, took = cpu_seconds(pid) - cpu, time.perf_counter() - began
    busy = (cpu_seconds(database) if database else 0.0) - busy
    full = memory(pid)
    for player in load.players:
        player.transport.close()
    found = row(game, seats, tables, load.moves, took, cpu, load.bytes, load.acks, full, full - empty)
    return {**found, "database_us_per_move": busy / load.moves * 1e6}


def row(
    game: str,
    seats: int,
    tables: int,
    moves: int,
    took: float,
    cpu: float,
    sent: int,
    acks: list[float],
    memory: int,
    grown: int,
) -> Row:
    cuts = statistics.quantiles(acks, n=100)
    return {
        "game": game,
        "seats": seats,
        "tables": tables,
        "moves": moves,
        "moves_per_second": moves / took,
        "cpu_us_per_move": cpu / moves * 1e6,
        "bytes_per_move_and_recipient": sent / moves / seats,
        "p50_ms": cuts[49] * 1e3,
        "p99_ms": cuts[98] * 1e3,
        "memory_mb": memory / 1e6,
        "kb_per_table": grown / tables / 1e3,
    }


def post(url: str, body: Any) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and of those that it has started, with all their threads."""
    ticks = sum(int(fields[11]) + int(fields[12]) for fields in _family(pid).values())
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Memory of a process and of those that it has started."""
    return sum(int(fields[21]) for fields in _family(pid).values()) * os.sysconf("SC_PAGE_SIZE")


def _family(pid: int) -> dict[int, list[str]]:
    """What the system says about a process and its children, from the field after its name."""
    found: dict[int, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            found[int(path.parent.name)] = path.read_text(errors="replace").rpartition(")")[2].split()
    return {each: fields for each, fields in found.items() if each == pid or int(fields[1]) == pid}


@contextlib.contextmanager
def server(python: str, store: str = "", workers: int = 1, before: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
    """A server with an empty store; its address and its process. `before` is a program that runs it, with options."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = {"store": store, "workers": workers} if store else {}
        settings = {"host": "127.0.0.1", "port": 0, "data": folder, "settings": LIMITS, **chosen}
        process = subprocess.Popen(
            [*before, python, "-P", "-c", SERVE, json.dumps(settings)], stdout=subprocess.PIPE, text=True, cwd=folder
        )
        try:
            assert process.stdout is not None
            found = re.search(r"http://[^\s/]+", process.stdout.readline())
            if found is None:
                raise SystemExit("the server did not start")
            yield found[0], process.pid
        finally:
            process.terminate()
            process.communicate(timeout=STOPPED_WITHIN)


def measure_on_postgres(
    python: str, games: list[str], workers: list[int], tables: int, moves: int, rate: float | None
) -> list[Row]:
    """The same on PostgreSQL, with these numbers of server processes."""
    # Imported here: it needs PostgreSQL and its driver.
    from tests.cluster.database import Postgres, programs

    found = programs()
    if found is None:
        raise SystemExit("PostgreSQL is not installed.")
    database = Postgres(found)
    rows: list[Row] = []
    try:
        for wanted in games:
            game, _, seats = wanted.partition(":")
            for number in workers:
                with server(python, database.empty(), number) as (url, pid):
                    each = uvloop.run(
                        measure(url, pid, game, int(seats or 2), tables, moves, rate, database.process_id)
                    )
                rows.append({**each, "game": f"{game}, {number} on PostgreSQL"})
    finally:
        database.stop()
    return rows


def _take_descriptors() -> None:
    """Allow as many sockets as the system does."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def show(console: Console, rows: list[Row]) -> None:
    console.width = max(console.width, WIDTH)
    table = Table(Column("server", no_wrap=True), "seats", "tables", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in ("moves/s", "µs/move", "db", "bytes", "p50 ms", "p99 ms", "MB", "kB/table"):
        table.add_column(heading, justify="right")
    for each in rows:
        table.add_row(
            each["game"],
            str(each["seats"]),
            str(each["tables"]),
            *(f"{each[key]:,.0f}" for key in ("moves_per_second", "cpu_us_per_move")),
            f"{each.get('database_us_per_move', 0):,.0f}",
            f"{each['bytes_per_move_and_recipient']:,.0f}",
            *(f"{each[key]:,.1f}" for key in ("p50_ms", "p99_ms")),
            *(f"{each[key]:,.0f}" for key in ("memory_mb", "kb_per_table")),
        )
    console.print(table)
    console.print(NOTE, style="dim", highlight=False)


def main(
    games: Annotated[list[str] | None, typer.Argument(help="Games, each with its number of seats.")] = None,
    tables: Annotated[int, typer.Option(min=1, help="Tables that are played at, at the same time.")] = 50,
    moves: Annotated[int, typer.Option(min=1, help="Moves at each table that are measured.")] = 60,
    rate: Annotated[
        float | None, typer.Option(help="Moves a second at all tables; as fast as possible if none.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="How many times each is measured; the cheapest run counts.")] = 1,
    workers: Annotated[
        list[int] | None, typer.Option(help="Server processes, on a PostgreSQL that is started; can be repeated.")
    ] = None,
    peer: Annotated[bool, typer.Option(help="Whether boardgame.io is measured beside it.")] = True,
    python: Annotated[str, typer.Option(help="The Python that runs the server.")] = sys.executable,
    out: Annotated[Path | None, typer.Option(help="Write the rows to this file, as JSON.")] = None,
) -> None:
    """Measure what a move costs the server, over real sockets."""
    best: dict[str, Row] = {}
    _take_descriptors()
    if workers:
        show(Console(), measure_on_postgres(python, games or list(GAMES), workers, tables, moves, rate))
        return
    for _ in range(repeat):
        for wanted in games or GAMES:
            game, _, seats = wanted.partition(":")
            count = int(seats or 2)
            with server(python) as (url, pid):
                found = [uvloop.run(measure(url, pid, game, count, tables, moves, rate))]
            if peer:
                found.append(load_peer.measure(count, tables, moves))
            for each in found:
                key = f"{each['game']}:{each['seats']}"
                if key not in best or each["cpu_us_per_move"] < best[key]["cpu_us_per_move"]:
                    best[key] = each
    rows = sorted(best.values(), key=lambda each: str(each["game"]).startswith(load_peer.NAME))
    show(Console(), rows)
    if out is not None:
        out.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    typer.run(main)
