"""The memory of tables is limited, an unloaded table is freed at once, and garbage collections are short."""

import asyncio
import gc
import random
import tracemalloc
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.server import garbage_collection
from grandtour.server.garbage_collection import Load
from grandtour.server.http.requests import WantedSeat, WantedTable
from grandtour.server.registry import Registry
from grandtour.server.settings import Limits
from grandtour.server.tables import records
from grandtour.server.tables.records import Made, Moved, SeatRecord, Started
from grandtour.server.tables.session import BYTES_PER_STORED_BYTE, SESSION_BYTES
from grandtour.server.tables.table import Table
from tests.server.client import PATIENCE, PLENTY, settings_for
from tests.server.conftest import Serving
from tests.server.test_admin import played


def log_of(name: str, seats: int, moves: int) -> list[bytes]:
    """The log of a match after this many moves, or of the whole match if it is shorter."""
    game, dice = catalogue.game(name), random.Random(2)
    match = Match(game, seats, None, bytes(32))
    people = [SeatRecord(f"P{seat}", f"{seat:064x}") for seat in range(seats)]
    log: list[records.Record] = [
        Made(game.name, match.version, match.options, people, False, 1.0, bytes(32).hex()),
        Started(time=1.0),
    ]
    while not match.over and len(match.log) < moves:
        seat = dice.choice(match.waiting())
        move = dice.choice(match.legal(seat))
        match.play(seat, move)
        log.append(Moved(seat, move, "person", f"m{len(log)}", time=1.0))
    return [records.encode(record) for record in log]


@pytest.mark.parametrize("name", sorted(catalogue.games()))
def test_the_estimate_of_a_tables_memory_is_close(name: str) -> None:
    for seats in catalogue.game(name).players:
        log = log_of(name, seats, 150)
        Table.rebuild("t", map(records.decode, log))
        gc.collect()
        tracemalloc.start()
        table = Table.rebuild("t", map(records.decode, log))
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert table.n == len(log) - 1
        estimate = SESSION_BYTES + BYTES_PER_STORED_BYTE * sum(map(len, log))
        assert taken < estimate < 3 * taken + SESSION_BYTES, f"{taken} bytes of {seats} seats, estimated at {estimate}"


def test_the_longest_abandoned_tables_are_unloaded_first(serving: Serving) -> None:
    room = Limits(tables=PLENTY, requests=PLENTY, tables_bytes=4 * SESSION_BYTES + SESSION_BYTES // 2)
    api = serving(limits=room, metrics_from=frozenset({"127.0.0.1"}))
    first, second = api.open("me", "open"), api.open("me", "open")
    with api.join(first["table"], first["secret"]) as me:
        for _ in range(8):
            played(api)
        assert api.get("/api/health")["tables"] <= 4
        assert me.ask("say", text="still here")["type"] == "ack", "a table in use was unloaded"
    assert api.get(f"/api/tables/{second['table']}")["state"] == "waiting", "an unloaded table did not come back"
    assert 'grandtour_tables_dropped_total{why="room"}' in api.fetch("GET", "/metrics")[1]


def test_no_table_can_be_opened_when_the_memory_is_full(serving: Serving) -> None:
    api = serving(limits=Limits(tables=PLENTY, requests=PLENTY, tables_bytes=SESSION_BYTES))
    opened = api.open("me", "open")
    with api.join(opened["table"], opened["secret"]) as me:
        wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}
        status, refused = api.request("POST", "/api/tables", wanted)
        assert (status, refused["code"]) == (429, "too-much")
        assert me.ask("say", text="and on it goes")["type"] == "ack"


async def until(wanted: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not wanted():  # noqa: ASYNC110 - there is no event for this
            await asyncio.sleep(0.01)


def test_an_unloaded_table_is_freed_without_garbage_collection(tmp_path: Path) -> None:
    async def main() -> bool:
        registry = Registry(settings_for(tmp_path))
        wanted = WantedTable(
            "round-trip", [WantedSeat("bot", bot="random"), WantedSeat("bot", bot="random")], {"turn_limit": 10}
        )
        id = (await registry.open(wanted)).table
        await until(lambda: registry.sessions[id].table.phase == "over" and registry.sessions[id].idle)
        await until(lambda: not registry._background_tasks)  # the result is recorded for the players
        gc.collect()
        gc.disable()
        try:
            session = weakref.ref(registry.sessions[id])
            registry._drop(registry.sessions[id], "test")
            await asyncio.sleep(0)
            # A compiled class has no weak references, but the collector knows its objects.
            tables = [each for each in gc.get_objects() if isinstance(each, Table) and each.id == id]
            return session() is not None or bool(tables)
        finally:
            gc.enable()
            await registry.close()

    assert not asyncio.run(main()), "something still refers to the table"


class Cycle:
    """A reference cycle, which only the garbage collector can free."""

    def __init__(self) -> None:
        self.me = self


BUSY = Load(1 << 40, 10, 0)
"""A load under which a full collection would be slow while people are connected."""


@pytest.mark.parametrize(
    ("then", "freed"),
    [
        pytest.param(BUSY, False, id="a pause would bother people"),
        pytest.param(BUSY._replace(sockets=0), True, id="nobody is there"),
        pytest.param(BUSY._replace(tables_bytes=0), True, id="there are few tables"),
    ],
)
def test_old_garbage_is_collected_only_when_a_pause_affects_nobody(
    monkeypatch: pytest.MonkeyPatch, then: Load, freed: bool
) -> None:
    monkeypatch.setattr(garbage_collection, "FULL_INTERVAL", 0.0)
    assert old_garbage_is_freed(monkeypatch, then) is freed


def test_after_many_closed_sockets_garbage_is_collected_at_any_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage_collection, "MAX_FROZEN_SOCKETS", 5)
    assert old_garbage_is_freed(monkeypatch, BUSY._replace(sockets_closed=6))
    assert not old_garbage_is_freed(monkeypatch, BUSY._replace(sockets_closed=5))


def old_garbage_is_freed(monkeypatch: pytest.MonkeyPatch, then: Load) -> bool:
    """Whether garbage from a busy period is freed once the load is `then`."""
    monkeypatch.setattr(garbage_collection, "INTERVAL", 0.01)
    monkeypatch.setattr(garbage_collection, "SLOW_COLLECTION", 0.0)
    thresholds = gc.get_threshold()

    async def wait_for_collections() -> None:
        count = gc.get_stats()[2]["collections"]
        await until(lambda: gc.get_stats()[2]["collections"] > count + 2)

    async def main() -> bool:
        load = BUSY
        collecting = asyncio.create_task(garbage_collection.collect_garbage(lambda: load))
        old, young = Cycle(), Cycle()
        gone, gone_young = weakref.ref(old), weakref.ref(young)
        del young
        await until(lambda: gone_young() is None)
        await wait_for_collections()
        del old
        load = then
        await wait_for_collections()
        collecting.cancel()
        await asyncio.gather(collecting, return_exceptions=True)
        return gone() is None

    freed = asyncio.run(main())
    assert (gc.get_threshold(), gc.get_freeze_count()) == (thresholds, 0), "the collector's settings were not restored"
    return freed
