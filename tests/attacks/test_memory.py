"""Two thousand tables in memory: they stay within their memory limit, and players notice no pauses."""

import asyncio
import random
import time
from pathlib import Path

from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.storage.store import TableRow
from tests.attacks.conftest import Attacking
from tests.attacks.victim import Victim
from tests.server.client import Api
from tests.server.test_memory import log_of

MEGABYTE = 1 << 20
TABLES = 2000
LONG = 0.1
"""No garbage collection may delay anybody by this many seconds."""


async def plant(data: Path, tables: int, moves: int) -> list[str]:
    store = SqliteStore(data / FILE)
    log = log_of("round-trip", 2, moves)
    names = [f"{number:012d}" for number in range(tables)]
    await asyncio.gather(*(store.create(TableRow(name, time.time(), False, b"{}"), log) for name in names))
    await store.close()
    return names


def visit(victim: Victim, tables: list[str]) -> None:
    for number, table in enumerate(tables):
        status, answer = victim.ask("GET", f"/api/tables/{table}", address=f"127.0.{2 + number // 200}.1")
        assert status == 200, answer[:200]


def long_collections(victim: Victim) -> float:
    found = victim.metrics()
    return found['grandtour_gc_seconds_bucket{le="+Inf"}'] - found[f'grandtour_gc_seconds_bucket{{le="{LONG}"}}']


def play_a_little(victim: Victim, seconds: float) -> int:
    """Play a match against a bot. Returns the number of moves."""
    api, dice, made = Api(victim.url, "127.0.0.9"), random.Random(1), 0
    opened = api.open("me", "random", options={"turn_limit": 200})
    until = time.monotonic() + seconds
    with api.join(opened["table"], opened["secret"]) as me:
        while time.monotonic() < until and not me.over():
            me.play(dice.choice, moves=1)
            made += 1
            time.sleep(0.05)
    return made


def test_with_two_thousand_tables_in_memory_no_collection_is_long(attacking: Attacking, tmp_path: Path) -> None:
    tables = asyncio.run(plant(tmp_path, TABLES, 24))
    victim = attacking(limits_tables_bytes=1 << 30)
    with victim.watched():
        visit(victim, tables)
    loaded = victim.metrics()
    print(f"the longest lag while they were loaded {loaded['grandtour_loop_lag_max_seconds']:.3f} s")
    assert loaded['grandtour_tables{phase="playing"}'] == TABLES
    with victim.watched():
        moves = play_a_little(victim, 6.0)
    found = victim.metrics()
    lags = found["grandtour_loop_lag_seconds_count"] - found[f'grandtour_loop_lag_seconds_bucket{{le="{LONG}"}}']
    print(
        f"{TABLES} tables in {victim.resident() >> 20} MB,"
        f" estimated at {int(found['grandtour_tables_bytes']) >> 20} MB; {moves} moves;"
        f" the longest lag {found['grandtour_loop_lag_max_seconds']:.3f} s, {lags:.0f} of"
        f" {found['grandtour_loop_lag_seconds_count']:.0f} over {LONG} s;"
        f" {found['grandtour_gc_seconds_count']:.0f} collections of {found['grandtour_gc_seconds_sum']:.2f} s in all"
    )
    assert moves > 0
    assert long_collections(victim) == 0, "a garbage collection delayed somebody"
    victim.assert_well(grown=1 << 30, late=1.5)


def test_tables_stay_within_their_memory_limit(attacking: Attacking, tmp_path: Path) -> None:
    tables = asyncio.run(plant(tmp_path, 300, 96))
    victim = attacking(limits_tables_bytes=16 * MEGABYTE)
    with victim.watched():
        visit(victim, tables)
    found = victim.metrics()
    lag = found["grandtour_loop_lag_max_seconds"]
    print(f"{found['grandtour_tables_bytes'] / MEGABYTE:.0f} MB of tables, the longest lag {lag:.3f} s")
    assert found["grandtour_tables_bytes"] <= 16 * MEGABYTE + MEGABYTE
    victim.assert_well(grown=48 * MEGABYTE, late=1.5)
