"""What every store promises: in memory, in SQLite and in PostgreSQL."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from grandtour.server.database import Database
from grandtour.server.postgres_store import PostgresStore
from grandtour.server.records import Said, encode
from grandtour.server.sqlite_store import SqliteStore
from grandtour.server.store import Gone, Row, Store, Taken
from grandtour.server.store_format import Damaged

T = TypeVar("T")
Using = Callable[[Callable[[Store], Awaitable[T]]], T]
KINDS = ("memory", "sqlite", "postgres")
LASTING = ("sqlite", "postgres")


def opener(kind: str, folder: Path, request: pytest.FixtureRequest) -> Callable[[], Store]:
    if kind == "postgres":
        url: str = request.getfixturevalue("url")
        return lambda: PostgresStore(url)
    return lambda: SqliteStore(folder / "test.db" if kind == "sqlite" else None)


def using(open_store: Callable[[], Store], use: Callable[[Store], Awaitable[T]]) -> T:
    """Open the store, use it, close it."""

    async def main() -> T:
        store = open_store()
        try:
            return await use(store)
        finally:
            await store.close()

    return asyncio.run(main())


@pytest.fixture(params=KINDS)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    return opener(request.param, tmp_path, request)


@pytest.fixture(params=LASTING)
def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    return opener(request.param, tmp_path, request)


def row(table: str, made: float = 1.0, public: bool = True, card: bytes = b"card") -> Row:
    return Row(table, made, public, card)


def test_what_was_stored_is_there_after_the_store_was_opened_again(lasting: Callable[[], Store]) -> None:
    async def write(store: Store) -> None:
        await store.create(row("a"), [b"made", b"start"])
        await store.append("a", 2, [b"move", b"over"], b"new card")

    using(lasting, write)
    assert using(lasting, lambda store: store.load("a")) == [b"made", b"start", b"move", b"over"]
    assert using(lasting, lambda store: store.tables(0, 10)) == [row("a", card=b"new card")]


def test_a_table_that_does_not_exist_has_no_records(opened: Callable[[], Store]) -> None:
    assert using(opened, lambda store: store.load("nowhere")) == []


def test_a_number_that_is_taken_is_refused_and_nothing_of_the_request_is_stored(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> tuple[list[bytes], list[Row]]:
        await store.create(row("a"), [b"0", b"1"])
        for n in (1, 3):
            with pytest.raises(Taken):
                await store.append("a", n, [b"again", b"2"], b"never")
        return await store.load("a"), await store.tables(0, 10)

    assert using(opened, use) == ([b"0", b"1"], [row("a")])


def test_a_table_cannot_be_created_twice(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> list[bytes]:
        await store.create(row("a"), [b"0"])
        with pytest.raises(Taken):
            await store.create(row("a"), [b"other"])
        return await store.load("a")

    assert using(opened, use) == [b"0"]


def test_a_refused_request_does_not_drag_down_those_it_shares_a_commit_with(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> tuple[tuple[object, ...], list[bytes], list[bytes]]:
        await store.create(row("a"), [b"0"])
        await store.create(row("b"), [b"0"])
        outcomes = await asyncio.gather(
            store.append("a", 1, [b"1"]),
            store.append("a", 1, [b"one too many"]),
            store.append("b", 1, [b"b"]),
            store.append("a", 2, [b"2"]),
            return_exceptions=True,
        )
        return tuple(outcomes), await store.load("a"), await store.load("b")

    (first, second, third, fourth), of_a, of_b = using(opened, use)
    assert (first, third, fourth) == (None, None, None)
    assert isinstance(second, Taken)
    assert (of_a, of_b) == ([b"0", b"1", b"2"], [b"0", b"b"])


def test_many_tables_append_at_once(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> list[list[bytes]]:
        names = [f"t{number}" for number in range(20)]
        for name in names:
            await store.create(row(name), [b"0"])
        await asyncio.gather(*(store.append(name, n, [b"%d" % n], b"card") for n in range(1, 4) for name in names))
        return [await store.load(name) for name in names]

    assert using(opened, use) == [[b"0", b"1", b"2", b"3"]] * 20


def test_the_list_shows_public_tables_the_newest_first(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> list[str]:
        for table, made, public in (("old", 1.0, True), ("new", 3.0, True), ("mine", 4.0, False), ("mid", 2.0, True)):
            await store.create(row(table, made, public), [b"0"])
        return [listed.table for listed in await store.tables(since=2.0, limit=10)]

    assert using(opened, use) == ["new", "mid"]


def test_a_deleted_table_is_gone_for_those_who_still_play_at_it(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> list[bytes]:
        await store.create(row("a"), [b"0"])
        await store.run(lambda db: [db.execute(f"DELETE FROM {name}") for name in ("log", "heads", "tables")])
        with pytest.raises(Gone):
            await store.append("a", 1, [b"1"])
        return await store.load("a")

    assert using(opened, use) == []


def test_old_tables_and_old_chat_are_found_and_deleted(opened: Callable[[], Store]) -> None:
    chat = encode(Said(0, "good luck", "1"))

    async def use(store: Store) -> list[bytes]:
        await store.create(row("a"), [b"0", chat])
        await store.create(row("b"), [b"0"])
        assert await store.last_used_before(1.0) == []
        late = 4e9
        assert sorted(await store.last_used_before(late)) == ["a", "b"]
        assert await store.with_chat_before(late) == ["a"]
        await store.delete_chat("a")
        assert await store.with_chat_before(late) == []
        await store.delete("b")
        assert await store.load("b") == []
        left = await store.load("a")
        await store.append("a", 2, [b"2"])
        return left

    left = using(opened, use)
    assert len(left) == 2
    assert b"good luck" not in left[1]


def test_a_record_that_was_changed_is_noticed(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> None:
        await store.create(row("a"), [b"0", b"1"])
        await store.run(lambda db: db.execute("UPDATE log SET record = ? WHERE n = 1", (b"one",)))
        with pytest.raises(Damaged):
            await store.load("a")

    using(opened, use)


def test_anything_else_is_done_in_one_transaction(opened: Callable[[], Store]) -> None:
    def fail(db: Database) -> None:
        db.execute("UPDATE tables SET card = ? WHERE id = ?", (b"never", "a"))
        raise Taken("after all")

    async def use(store: Store) -> list[Row]:
        await store.create(row("a"), [b"0"])
        with pytest.raises(Taken):
            await store.run(fail)
        return await store.tables(0, 10)

    assert using(opened, use) == [row("a")]


def test_a_store_says_whether_it_can_be_written(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> str | None:
        await store.check()
        return store.trouble

    assert using(opened, use) is None
