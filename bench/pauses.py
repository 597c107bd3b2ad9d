"""`python -m bench.pauses`: how long the server's event loop is blocked with thousands of tables in memory.

A store is filled with half-played matches of every game. A server in its own process loads all of them. Then random
players make moves at some of the tables, over real sockets, while other clients come and go and tables are opened. In
the server, a timer that is due every few milliseconds measures its delay, and the processor time that the event loop
has used since the last tick. On a busy machine the delay includes other programs; the processor time is the server's
own. Linux only.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from bench.load import LIMITS, Load, Player, Seats, memory, post
from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.protocol import messages
from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.storage.store import TableRow
from grandtour.server.tables import records
from grandtour.server.tables.records import Made, Moved, SeatRecord, Started
from grandtour.server.tables.table import Table, hash_secret

TICK = 0.002
NOTED = 0.01
"""Seconds. Shorter pauses are only counted."""
PAUSE = 0.1
"""The longest pause that the server may make, in seconds."""
MOVES = 150
"""The number of moves already made in each match, or fewer if it is shorter."""
COMING = 0.05
"""Seconds between two clients that come and go."""
CODE = """
import asyncio, json, sys, time
from grandtour.server import serve
from grandtour.server.http import app

settings, report, tick, noted = json.loads(sys.argv[1])
collect = app.collect_garbage

async def watch():
    pauses, ticks = [], 0
    try:
        wall, cpu = time.perf_counter(), time.thread_time()
        while True:
            await asyncio.sleep(tick)
            now, used = time.perf_counter(), time.thread_time()
            ticks += 1
            if now - wall - tick > noted:
                pauses.append((time.time(), now - wall - tick, used - cpu))
            wall, cpu = now, used
    finally:
        with open(report, "w") as file:
            json.dump({"ticks": ticks, "pauses": pauses}, file)

async def collect_and_watch(load):
    watching = asyncio.create_task(watch())
    try:
        await collect(load)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

app.collect_garbage = collect_and_watch
serve(**settings)
"""


def half_played(name: str, seats: int, seed: int) -> tuple[Table, list[bytes]]:
    """A table in the middle of a match between people, and its log."""
    game, chance = catalogue.game(name), random.Random(seed)
    match = Match(game, seats, None, bytes(32))
    people = [SeatRecord(f"P{seat}", hash_secret(f"secret {seat}")) for seat in range(seats)]
    now = time.time()
    made = Made(game.name, match.version, match.options, people, False, now, bytes(32).hex())
    log: list[records.Record] = [made, Started(time=now)]
    while not match.over and len(match.log) < MOVES:
        seat = chance.choice(match.waiting())
        move = chance.choice(match.legal(seat))
        match.play(seat, move)
        log.append(Moved(seat, move, "person", f"m{len(log)}", time=now))
    if match.over:
        del log[len(log) // 2 :]
    encoded = [records.encode(record) for record in log]
    return Table.rebuild("t", map(records.decode, encoded)), encoded


async def fill(folder: Path, tables: int) -> list[str]:
    """Fill a store with this many tables and return their ids."""
    store = SqliteStore(folder / FILE)
    made: list[str] = []
    kinds = [half_played(name, game.players[1], 1) for name, game in catalogue.games().items()]
    for number in range(tables):
        table, log = kinds[number % len(kinds)]
        made.append(f"bench{number:05d}")
        await store.create(TableRow(made[-1], table.made.made, False, messages.encode(table.card_after([]))), log)
    await store.close()
    return made


@contextlib.contextmanager
def watched(python: str, folder: Path, report: Path) -> Iterator[tuple[str, int]]:
    """Start a server on this store that records its pauses. Returns its address and its process."""
    settings = {"host": "127.0.0.1", "port": 0, "data": str(folder), "settings": LIMITS}
    arguments = json.dumps([settings, str(report), TICK, NOTED])
    process = subprocess.Popen([python, "-P", "-c", CODE, arguments], stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        assert process.stdout is not None
        found = re.search(r"http://[^\s/]+", process.stdout.readline())
        if found is None:
            raise SystemExit("the server did not start")
        yield found[0], process.pid
    finally:
        process.terminate()
        process.communicate(timeout=60)


async def sit(load: Load, url: str, table: str, seats: int) -> None:
    """Let random players take all seats of a table."""
    host, port = url.removeprefix("http://").split(":")
    head = (
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()
    at = Seats()
    load.tables.append(at)
    for seat in range(seats):
        hello = json.dumps({"type": "hello", "secret": f"secret {seat}", "last": 0}).encode()
        player = Player(load, at, head, hello)
        await load.loop.create_connection(lambda player=player: player, host, int(port))  # type: ignore[misc]
        await player.ready
        at.players.append(player)
        load.players.append(player)


async def come_and_go(url: str, tables: list[str]) -> None:
    """Let clients look at a table, open one, and leave."""
    chance = random.Random(3)
    while True:
        await asyncio.to_thread(get, f"{url}/api/tables/{chance.choice(tables)}")
        seats = [{"kind": "me"}, {"kind": "open"}]
        await asyncio.to_thread(post, f"{url}/api/tables", {"game": "round-trip", "seats": seats})
        await asyncio.sleep(COMING)


async def measure(url: str, tables: list[str], busy: int, rate: float, seconds: float) -> tuple[float, float, int]:
    """Measure, and return the start, the end and the number of moves."""
    for table in tables:
        await asyncio.to_thread(get, f"{url}/api/tables/{table}")
    games = list(catalogue.games().values())
    load = Load(rate, busy)
    for number in range(busy):
        await sit(load, url, tables[number], games[number % len(games)].players[1])
    guests = asyncio.create_task(come_and_go(url, tables))
    began = time.time()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await load.play(1_000_000)
    ended = time.time()
    guests.cancel()
    load.done.set()
    for player in load.players:
        player.transport.close()
    return began, ended, load.moves


def get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.loads(answer.read())


def main(
    tables: Annotated[int, typer.Option(help="Tables in memory.")] = 2000,
    busy: Annotated[int, typer.Option(help="Tables at which people play.")] = 60,
    rate: Annotated[float, typer.Option(help="Moves a second at all of them.")] = 200.0,
    seconds: Annotated[float, typer.Option(help="How long to measure.")] = 60.0,
    python: Annotated[str, typer.Option(help="The Python that has grandtour installed.")] = sys.executable,
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = folder / "pauses.json"
        made = asyncio.run(fill(folder, tables))
        with watched(python, folder, report) as (url, pid):
            began, ended, moves = asyncio.run(measure(url, made, busy, rate, seconds))
            used = memory(pid)
        found = json.loads(report.read_text())
    inside = [(late, cpu) for at, late, cpu in found["pauses"] if began < at < ended]
    print(f"{tables} tables, {used / 1e6:.0f} MB; {moves} moves in {ended - began:.0f} s, {len(inside)} pauses noted")
    for title, index in (("late", 0), ("processor time", 1)):
        times = sorted((pause[index] for pause in inside), reverse=True)
        longest = ", ".join(f"{1000 * each:.0f}" for each in times[:8]) or "none"
        print(f"{title}, ms: {longest}; over {1000 * PAUSE:.0f} ms: {sum(each > PAUSE for each in times)}")


if __name__ == "__main__":
    typer.run(main)
