"""Memory is bounded in bytes, a table that leaves it is freed at once, and garbage collections are short."""

import asyncio
import gc
import random
import tracemalloc
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.server import collector, records
from grandtour.server.collector import Load
from grandtour.server.records import Made, Moved, SeatRecord, Started
from grandtour.server.registry import Registry
from grandtour.server.requests import WantedSeat, WantedTable
from grandtour.server.session import BYTES_PER_STORED, SESSION_BYTES
from grandtour.server.settings import Limits
from grandtour.server.table import Table
from tests.server.client import PATIENCE, PLENTY, settings_for
from tests.server.conftest import Serving
from tests.server.test_admin import played


def log_of(name: str, seats: int, moves: int) -> list[bytes]:
    """The log of a match of so many moves, if it is not over before."""
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
def test_the_estimate_of_a_tables_size_is_near_what_it_takes(name: str) -> None:
    for seats in catalogue.game(name).players:
        log = log_of(name, seats, 150)
        Table.rebuild("t", map(records.decode, log))
        gc.collect()
        tracemalloc.start()
        table = Table.rebuild("t", map(records.decode, log))
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert table.n == len(log) - 1
        estimate = SESSION_BYTES + BYTES_PER_STORED * sum(map(len, log))
        assert taken < estimate < 3 * taken + SESSION_BYTES, f"{taken} bytes of {seats} seats, estimated at {estimate}"


def test_tables_that_nobody_is_at_give_way_the_one_left_first_before_the_others(serving: Serving) -> None:
    room = Limits(tables=PLENTY, requests=PLENTY, tables_bytes=4 * SESSION_BYTES + SESSION_BYTES // 2)
    api = serving(limits=room, metrics_from=frozenset({"127.0.0.1"}))
    first, second = api.open("me", "open"), api.open("me", "open")
    with api.join(first["table"], first["secret"]) as me:
        for _ in range(8):
            played(api)
        assert api.get("/api/health")["tables"] <= 4
        assert me.ask("say", text="still here")["type"] == "ack", "a table where somebody is has given way"
    assert api.get(f"/api/tables/{second['table']}")["state"] == "waiting", "what gave way comes back from the store"
    assert 'grandtour_tables_dropped_total{why="room"}' in api.fetch("GET", "/metrics")[1]


def test_where_all_the_memory_is_in_use_nobody_opens_another_table(serving: Serving) -> None:
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


def test_a_finished_table_that_leaves_the_memory_is_freed_without_a_collection(tmp_path: Path) -> None:
    async def main() -> bool:
        registry = Registry(settings_for(tmp_path))
        wanted = WantedTable(
            "round-trip", [WantedSeat("bot", bot="random"), WantedSeat("bot", bot="random")], {"turn_limit": 10}
        )
        id = (await registry.open(wanted)).table
        await until(lambda: registry.sessions[id].table.phase == "over" and registry.sessions[id].idle)
        await until(lambda: not registry._ends)  # the result is noted for those who played
        gc.collect()
        gc.disable()
        try:
            kept: list[weakref.ref[Any]] = [
                weakref.ref(registry.sessions[id]),
                weakref.ref(registry.sessions[id].table),
            ]
            registry._drop(registry.sessions[id], "test")
            await asyncio.sleep(0)
            return any(ref() is not None for ref in kept)
        finally:
            gc.enable()
            await registry.close()

    assert not asyncio.run(main()), "something still refers to the table"


class Cycle:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.me = self


BUSY = Load(1 << 40, 10, 0)
"""A full collection would take long, and there are people to notice."""


@pytest.mark.parametrize(
    ("then", "freed"),
    [
        pytest.param(BUSY, False, id="a pause would bother people"),
        pytest.param(BUSY._replace(sockets=0), True, id="nobody is there"),
        pytest.param(BUSY._replace(tables_bytes=0), True, id="there are few tables"),
    ],
)
def test_old_garbage_is_collected_only_while_a_pause_bothers_nobody(
    monkeypatch: pytest.MonkeyPatch, then: Load, freed: bool
) -> None:
    monkeypatch.setattr(collector, "FULL_EVERY", 0.0)
    assert old_garbage_is_freed(monkeypatch, then) is freed


def test_when_many_sockets_have_been_closed_their_garbage_is_collected_at_any_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collector, "MAX_LEFT", 5)
    assert old_garbage_is_freed(monkeypatch, BUSY._replace(sockets_closed=6))
    assert not old_garbage_is_freed(monkeypatch, BUSY._replace(sockets_closed=5))


def old_garbage_is_freed(monkeypatch: pytest.MonkeyPatch, then: Load) -> bool:
    """Whether garbage that became old on a busy server is collected once its load is another."""
    monkeypatch.setattr(collector, "EVERY", 0.01)
    monkeypatch.setattr(collector, "LONG", 0.0)
    thresholds = gc.get_threshold()

    async def a_few_collections() -> None:
        count = gc.get_stats()[2]["collections"]
        await until(lambda: gc.get_stats()[2]["collections"] > count + 2)

    async def main() -> bool:
        load = BUSY
        collecting = asyncio.create_task(collector.collect_garbage(lambda: load))
        old, young = Cycle(), Cycle()
        gone, gone_young = weakref.ref(old), weakref.ref(young)
        del young
        await until(lambda: gone_young() is None)
        await a_few_collections()
        del old
        load = then
        await a_few_collections()
        collecting.cancel()
        await asyncio.gather(collecting, return_exceptions=True)
        return gone() is None

    freed = asyncio.run(main())
    assert (gc.get_threshold(), gc.get_freeze_count()) == (thresholds, 0), "the process is not as it was"
    return freed
