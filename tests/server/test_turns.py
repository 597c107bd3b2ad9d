"""Turns at a table: one request after another, and moves without a task."""

import asyncio
from pathlib import Path

import pytest

from grandtour.protocol.messages import Move
from grandtour.server.http.requests import WantedPlace, WantedSeat, WantedTable
from grandtour.server.registry import Registry
from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.storage.store import OnDone, TableDeleted
from grandtour.server.tables.client import Client
from grandtour.server.tables.session import Session
from grandtour.server.tables.turns import Turns
from tests.server.client import PATIENCE, settings_for
from tests.server.conftest import Serving


def test_turns_are_granted_in_the_order_of_the_requests() -> None:
    async def main() -> tuple[list[str], list[bool]]:
        turns, order = Turns(), list[str]()

        async def visit(name: str) -> None:
            await turns.acquire()
            order.append(name)
            await asyncio.sleep(0)
            turns.release()

        assert turns.take()
        assert not turns.take()
        visits = [asyncio.create_task(visit(name)) for name in "abc"]
        await asyncio.sleep(0)
        turns.release()
        taken = [turns.taken]
        await asyncio.gather(*visits)
        return order, [*taken, turns.taken]

    order, taken = asyncio.run(main())
    assert order == ["a", "b", "c"]
    assert taken == [True, False], "a request overtook those that were waiting"


@pytest.mark.parametrize("late", [False, True])
def test_a_cancelled_request_does_not_block_the_next_one(late: bool) -> None:
    """`late`: only after the turn has been given to them."""

    async def main() -> None:
        turns = Turns()
        assert turns.take()
        first, second = asyncio.create_task(turns.acquire()), asyncio.create_task(turns.acquire())
        await asyncio.sleep(0)
        if late:
            turns.release()
        first.cancel()
        await asyncio.wait([first])
        if not late:
            turns.release()
        async with asyncio.timeout(PATIENCE):
            await second
        turns.release()
        assert not turns.taken

    asyncio.run(main())


class SlowStore(SqliteStore):
    """A store whose writes finish when the test says so."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.waiting: asyncio.Queue[OnDone] = asyncio.Queue()

    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: OnDone) -> None:
        super().append_soon(table, n, records, card, lambda _: self.waiting.put_nowait(done))

    async def stored(self, failure: Exception | None = None) -> None:
        """Wait until something has been written, and report success or this failure."""
        async with asyncio.timeout(PATIENCE):
            done = await self.waiting.get()
        done(failure)


async def playing(registry: Registry, store: SlowStore) -> tuple[Session, Client, Move]:
    """A table at which the first of two players is to move, who is connected, and a move of theirs."""
    opened = await registry.open(WantedTable("round-trip", [WantedSeat("me"), WantedSeat("open")], {"start": "1"}))
    sitting = asyncio.create_task(registry.sit(opened.table, WantedPlace("Ada")))
    await store.stored()
    await sitting
    session = registry.sessions[opened.table]
    client = Client(1 << 20)
    await session.join(client, opened.secret, 0)
    assert session.table.match is not None
    return session, client, Move("mine", session.table.n, session.table.match.legal(0)[0])


def test_a_table_with_a_move_in_progress_is_not_unloaded_and_accepts_no_other_move(tmp_path: Path) -> None:
    async def main() -> None:
        store = SlowStore(tmp_path / FILE)
        registry = Registry(settings_for(tmp_path), store)
        session, client, move = await playing(registry, store)
        ended: list[Exception | None] = []
        n = session.table.n
        free, idle = [session.is_free], []
        session.begin_move(client, move, ended.append)
        session.leave(client)
        free.append(session.is_free)
        idle.append(session.idle)
        assert session.table.n == n
        await store.stored()
        assert ended == [None]
        assert session.table.n == n + 1
        assert [*free, session.is_free] == [True, False, True]
        assert [*idle, session.idle] == [False, True], "its clients are gone, but the move is not stored yet"
        session.begin_move(client, move, ended.append)
        assert (session.table.n, ended) == (n + 1, [None, None]), "sent again, it is not played again"
        await registry.close()

    asyncio.run(main())


def test_a_move_at_a_table_that_was_deleted_meanwhile_fails_and_ends_its_turn(tmp_path: Path) -> None:
    async def main() -> None:
        store = SlowStore(tmp_path / FILE)
        registry = Registry(settings_for(tmp_path), store)
        session, client, move = await playing(registry, store)
        ended: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()
        session.begin_move(client, move, ended.set_result)
        await store.stored(TableDeleted("table"))
        async with asyncio.timeout(PATIENCE):
            failure = await ended
        assert getattr(failure, "code", None) == "unknown-table"
        assert session.deleted
        assert not session.is_free
        assert not session._turns.taken
        await registry.close()

    asyncio.run(main())


def test_requests_sent_in_one_go_are_answered_in_order(serving: Serving) -> None:
    api = serving()
    opened = api.open("me", "open", options={"start": "1"})
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as first, api.join(opened["table"], place["secret"]):
        first.until(first.my_turn)
        move = {"type": "move", "id": "a", "at": first.last, "move": first.moves()[0]}
        say = {"type": "say", "id": "b", "text": "Done."}
        again = {**move, "id": "c", "at": 0, "move": {"do": "nothing of the kind"}}
        before = len(first.received)
        for message in (move, say, again, {"type": "ping"}):
            first.send(message)
        first.until(lambda: any(heard["type"] == "pong" for heard in first.received[before:]))
        answers = [heard for heard in first.received[before:] if heard["type"] in ("ack", "refused", "pong")]
        assert [(answer["type"], answer.get("id")) for answer in answers] == [
            ("ack", "a"),
            ("ack", "b"),
            ("refused", "c"),
            ("pong", None),
        ]
