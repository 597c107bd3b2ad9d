"""Many clients that request the list of public tables continuously, from a server with thousands of tables."""

import asyncio
import threading
import time
from pathlib import Path

from grandtour.protocol import messages
from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.storage.store import TableRow
from tests.attacks.conftest import Attacking
from tests.attacks.victim import Victim

MEGABYTE = 1 << 20
SECONDS = 4.0
ADDRESSES = 6
TABLES = 3000
COST = 0.01
"""Seconds of processor time that one response may take. Computing the list each time would take more."""


async def plant(data: Path) -> None:
    store = SqliteStore(data / FILE)
    seats = [messages.Seat(seat, f"Player {seat}", "person", None, False, None) for seat in range(5)]
    for number in range(TABLES):
        name = f"{number:012d}"
        card = messages.Card(name, "round-trip", "Round Trip Italy", seats, "over", "2026-01-01T00:00:00Z")
        await store.create(TableRow(name, time.time(), True, messages.encode(card)), [b"{}"])
    await store.close()


def scan(victim: Victim, address: str, answered: list[int]) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        answered.append(victim.ask("GET", "/api/tables", address=address)[0])


def test_constant_requests_for_the_lobby_do_not_slow_others_down(attacking: Attacking, tmp_path: Path) -> None:
    asyncio.run(plant(tmp_path))
    victim = attacking()
    answered: list[int] = []
    attackers = [
        threading.Thread(target=scan, args=(victim, f"127.0.0.{2 + number}", answered)) for number in range(ADDRESSES)
    ]
    busy = victim.busy()
    with victim.watched():
        for attacker in attackers:
            attacker.start()
        for attacker in attackers:
            attacker.join()
    each = (victim.busy() - busy) / len(answered)
    print(f"{len(answered) / SECONDS:.0f} requests a second, {1000 * each:.1f} ms of processor time each")
    assert set(answered) <= {200, 429}
    assert each < COST, f"a response takes {1000 * each:.1f} ms of processor time"
    victim.assert_well(grown=50 * MEGABYTE, late=1.5)
