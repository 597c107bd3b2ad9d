"""A table is its log: a change that cannot be stored does not happen, and a stored table can be rebuilt."""

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from grandtour.engine.catalogue import games
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK
from grandtour.protocol.messages import By, Outgoing, encode
from grandtour.server.http.app import make_app
from grandtour.server.http.requests import WantedSeat, WantedTable
from grandtour.server.registry import Registry
from grandtour.server.settings import Limits
from grandtour.server.storage.sqlite_store import SqliteStore
from grandtour.server.storage.store import OnDone
from grandtour.server.tables.client import Client as Visiting
from grandtour.server.tables.connections import CONNECTION_KEY
from grandtour.server.tables.records import FallbackReason, Made, Moved, Record, SeatRecord
from grandtour.server.tables.render import MoveMessages, event_message, position_for
from grandtour.server.tables.table import Table
from tests.engine.tiny import RENDEZVOUS
from tests.server.client import PATIENCE, Api, Client, Server, settings_for

HELLO = '{"type": "hello", "secret": null, "last": 0}'


class FailingStore(SqliteStore):
    """A store that fails on request, before or after writing."""

    fail = ""

    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: OnDone) -> None:
        fail, self.fail = self.fail, ""
        broken = sqlite3.OperationalError("disk I/O error")
        if fail == "before":
            asyncio.get_running_loop().call_soon(done, broken)
        else:
            super().append_soon(table, n, records, card, (lambda _: done(broken)) if fail == "after" else done)


class Visitor(Visiting):
    """A client that disconnects at the first message, unless `calm`."""

    def __init__(self, outbox_bytes: int, calm: bool = False) -> None:
        super().__init__(outbox_bytes)
        self.calm = calm

    def send(self, message: Outgoing) -> None:
        if not self.calm:
            raise asyncio.CancelledError
        super().send(message)


@pytest.fixture
def failing_store(tmp_path: Path) -> Iterator[tuple[FailingStore, Client, Client]]:
    """A store that can fail, and two players at a table, the first of whom is to move."""
    store = FailingStore(tmp_path / "store.db")
    server = Server(settings_for(tmp_path), store)
    api = Api(server.url)
    opened = api.open("me", "open", options={"start": "1"})
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as first, api.join(opened["table"], place["secret"]) as second:
        yield store, first, second
    server.stop()


def test_a_move_that_could_not_be_stored_did_not_happen(failing_store: tuple[FailingStore, Client, Client]) -> None:
    store, first, second = failing_store
    before, move = first.now, first.moves()[0]
    store.fail = "before"
    refused = first.move(move, id="mine")
    assert (refused["type"], refused["code"]) == ("refused", "not-stored")
    assert first.now == before
    answer = first.move(move, id="mine")
    assert (answer["type"], answer["n"]) == ("ack", before["n"] + 1)
    second.until(lambda: second.last == answer["n"])
    assert [event["kind"] for event in second.events.values()].count("move") == 1


def test_a_move_that_was_stored_after_all_is_announced_once(failing_store: tuple[FailingStore, Client, Client]) -> None:
    store, first, second = failing_store
    before, move = first.now, first.moves()[0]
    store.fail = "after"
    assert first.move(move, id="mine")["code"] == "not-stored"
    answer = first.move(move, at=before["n"], id="mine")
    assert (answer["type"], answer["n"]) == ("ack", before["n"] + 1)
    for client in (first, second):
        client.until(lambda client=client: client.now["n"] == answer["n"])  # type: ignore[misc]
        assert [event["kind"] for event in client.events.values()].count("move") == 1


def test_a_seat_that_could_not_be_stored_is_not_taken(failing_store: tuple[FailingStore, Client, Client]) -> None:
    store, first, _ = failing_store
    store.fail = "before"
    assert first.ask("bot", seat=0, bot="normal")["code"] == "not-stored"
    assert first.table["seats"][0]["bot"] is None
    assert first.move(first.moves()[0])["type"] == "ack"


def test_a_bot_tries_again_if_its_move_could_not_be_stored(
    failing_store: tuple[FailingStore, Client, Client],
) -> None:
    store, first, second = failing_store
    first.move(first.moves()[0])
    second.ask("bot", seat=1, bot="random")
    store.fail = ""
    first.move({"do": "end-turn"})
    store.fail = "before"
    first.until(first.my_turn)
    assert [event["by"] for event in first.events.values() if event["kind"] == "move"].count("bot") >= 1


def begun_table(version: int = RENDEZVOUS.version) -> Table:
    """Two people at a table of Rendezvous that has begun."""
    seats = [SeatRecord("Ada", "a"), SeatRecord("Bruno", "b")]
    made = Made("rendezvous", version, {"weather": "rain", "fast": False}, seats, False, 0.0, "11" * 32)
    table = Table("table", made)
    for step in table.start():
        table.apply(step)
    return table


def log(table: Table) -> list[Record]:
    return [entry.record for entry in table.entries]


def test_deciding_a_step_changes_nothing(rendezvous: None) -> None:
    table = begun_table()
    assert table.match is not None
    before = table.match.state.dump()
    steps = table.play(0, {"do": "meet", "place": "Pier", "hour": 10}, by="person")
    assert (table.match.state.dump(), table.n) == (before, 1)
    for step in steps:
        table.apply(step)
    assert table.match.state.dump() != before


def test_the_clock_moves_like_anyone_else(rendezvous: None) -> None:
    table = begun_table()
    for step in table.play(0, {"do": "meet", "place": "Pier", "hour": 10}, by="person"):
        table.apply(step)
    for step in table.play(CLOCK, {"do": "time-up"}, by="clock"):
        table.apply(step)
    assert table.phase == "over"
    again = Table.rebuild("table", log(table))
    for seat in (None, 0, 1):
        assert position_for(again, seat).message() == position_for(table, seat).message()
        for n in range(1, table.n + 1):
            assert event_message(again, n, seat) == event_message(table, n, seat)


@pytest.mark.parametrize("game", list(games().values()), ids=lambda game: game.name)
def test_a_move_encoded_for_everyone_is_what_each_may_see_of_it(game: Game) -> None:
    """Viewers share what is encoded, so they come in any order, and again."""
    chance = random.Random(5)
    seats = min(4, game.players[1])
    held = [SeatRecord(f'Player "{seat}"', f"key {seat}") for seat in range(seats)]
    made = Made(game.name, game.version, check_options(game.options, None), held, False, 0.0, "5c" * 32)
    table = Table("table", made)
    for step in table.start():
        table.apply(step)
    for _ in range(80):
        if table.match is None or table.phase == "over":
            break
        movers = [seat for seat in range(seats) if table.match.choices(seat)]
        mover = chance.choice(movers) if movers else CLOCK
        why: FallbackReason | None = chance.choice(("late", None, None))
        by: By = chance.choice(("person", "bot", "stand-in", "clock"))
        for step in table.play(mover, chance.choice(table.match.legal(mover)), by=by, why=why):
            table.apply(step)
        n = max(n for n, entry in enumerate(table.entries) if isinstance(entry.record, Moved))
        record = table.entries[n].record
        assert isinstance(record, Moved)
        told = MoveMessages(table, n, record)
        for seat in chance.choices([None, *range(seats)], k=2 * seats):
            assert told.encoded(seat) == encode(event_message(table, n, seat))


def test_a_table_keeps_the_version_of_the_rules_it_began_with(rendezvous: None) -> None:
    table = Table.rebuild("table", log(begun_table(version=1)))
    assert table.match is not None
    assert table.match.version == 1 < RENDEZVOUS.version


def test_a_table_with_an_unknown_version_of_the_rules_is_refused(rendezvous: None) -> None:
    made = begun_table().made
    with pytest.raises(Refusal, match="Version 9"):
        Table("table", Made(made.game, 9, made.options, made.seats, False, 0.0, made.dice)).start()


class StuckSocket:
    """The connection of a client that says hello and then does not read."""

    def __init__(self) -> None:
        self.said: list[str] = [HELLO]
        self.ended = asyncio.Event()

    async def receive_message(self) -> str:
        if not self.said:
            await self.ended.wait()
            raise WebSocketDisconnect
        return self.said.pop()

    def can_write(self) -> bool:
        return False

    def abort(self) -> None:
        self.ended.set()

    stop_reading = abort

    def handled(self) -> None:
        pass


def test_a_client_that_does_not_read_is_disconnected_and_delays_nobody(tmp_path: Path) -> None:
    async def main() -> None:
        app = make_app(settings_for(tmp_path, limits=Limits(outbox_bytes=5_000)))
        registry = app.state.registry = Registry(settings_for(tmp_path, limits=Limits(outbox_bytes=5_000)))
        bots = [WantedSeat("bot"), WantedSeat("bot")]
        table = (await registry.open(WantedTable("round-trip", bots, {"turn_limit": 10}))).table
        bots_at_play = registry.sessions[table]._bots
        assert bots_at_play is not None

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            assert message["type"] in ("websocket.accept", "websocket.close")

        path = f"/api/tables/{table}/socket"
        scope = {
            "type": "websocket",
            "path": path,
            "headers": [],
            "client": ("192.0.2.1", 1),
            "query_string": b"",
            CONNECTION_KEY: StuckSocket(),
        }
        async with asyncio.timeout(PATIENCE):
            await app(scope, receive, send)
            await asyncio.wait([bots_at_play])
        assert registry.addresses.sockets.total() == 0
        assert registry.sessions[table].clients == set()
        assert registry.sessions[table].table.phase == "over"
        await registry.close()

    asyncio.run(main())


def test_a_client_that_disconnects_during_the_welcome_does_not_affect_the_store(tmp_path: Path) -> None:
    """A long catch-up yields to other tasks and may be cancelled there; nothing is being stored then."""

    async def main() -> int:
        store = SqliteStore(tmp_path / "grandtour.db")
        registry = Registry(settings_for(tmp_path), store)
        loaded = 0
        load = store.load

        async def counted(table: str) -> list[bytes]:
            nonlocal loaded
            loaded += 1
            return await load(table)

        store.load = counted  # type: ignore[method-assign]
        wanted = WantedTable("round-trip", [WantedSeat("me"), WantedSeat("open")])
        opened = await registry.open(wanted)
        async with registry.visit(opened.table) as session:
            welcome = asyncio.create_task(session.join(Visitor(1 << 20), None, 0))
            with pytest.raises(asyncio.CancelledError):
                await welcome
            await session.join(Visitor(1 << 20, calm=True), None, 0)
        await registry.close()
        return loaded

    assert asyncio.run(main()) == 0, "the table was compared with the store"
