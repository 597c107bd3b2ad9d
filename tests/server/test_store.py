"""The SQLite store: grouped commits, a single owner, and invalid files.

The tests for all kinds of stores are in tests/cluster/test_stores.py.
"""

import asyncio
import contextlib
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.server.storage import retention, sqlite_store, store_format
from grandtour.server.storage.sqlite_store import FLUSH_AT, SqliteStore, connect
from grandtour.server.storage.store import NumberTaken, TableDeleted, TableRow
from grandtour.server.tables.records import Said, encode

T = TypeVar("T")

SAID = encode(Said(0, "Hello", "1"))


def with_store(folder: Path, use: Callable[[SqliteStore], Awaitable[T]]) -> T:
    """Open the store, use it, close it."""

    async def main() -> T:
        store = SqliteStore(folder / "test.db")
        try:
            return await use(store)
        finally:
            await store.close()

    return asyncio.run(main())


def row(table: str, made: float = 1.0, public: bool = True, card: bytes = b"card") -> TableRow:
    return TableRow(table, made, public, card)


def test_concurrent_requests_share_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[int] = []
    counting: list[SqliteStore] = []
    finish = SqliteStore._finish

    def counted(self: SqliteStore, jobs: list[Any], *outcome: Any) -> None:
        # Servers of other tests may still be closing their stores.
        if self in counting:
            groups.append(sum(getattr(job, "work", None) is not sqlite_store._flush for job in jobs))
        finish(self, jobs, *outcome)

    monkeypatch.setattr(SqliteStore, "_finish", counted)

    async def use(store: SqliteStore) -> None:
        counting.append(store)
        await store.create(row("a"), [b"0"])
        await asyncio.gather(*(store.append("a", n, [b"%d" % n]) for n in range(1, 1001)))

    with_store(tmp_path, use)
    assert sum(groups) == 1001
    assert len(groups) < 100, f"a thousand requests took {len(groups)} commits"
    assert with_store(tmp_path, lambda store: store.load("a")) == [b"%d" % n for n in range(1001)]


def counts(store: SqliteStore) -> tuple[int, int]:
    """How many records are flushed, and how many are not yet."""
    ((flushed,),) = store._db.execute("SELECT count(*) FROM log").fetchall()
    ((recent,),) = store._db.execute("SELECT count(*) FROM recent").fetchall()
    return flushed, recent


def test_records_can_be_read_before_and_after_they_are_flushed(tmp_path: Path) -> None:
    async def use(store: SqliteStore) -> None:
        for table in "ab":
            await store.create(row(table), [b"0"])
        before = time.time()
        for n, record in enumerate([b"one", SAID, b"three"], 1):
            await asyncio.gather(store.append("a", n, [record]), store.append("b", n, [b"other"]))
        await store.create(row("c"), [b"new"])
        await store.append("a", 4, [SAID])
        await store.append("a", 5, [b"five"])
        assert counts(store) == (9, 2)
        for flushed in (False, True):
            if flushed:
                await store.check()
                assert counts(store) == (11, 0)
            assert await store.last_used_before(before) == []
            assert await store.with_chat_before(time.time()) == ["a"]
            assert await store.load("a") == [b"0", b"one", SAID, b"three", SAID, b"five"]
            assert await store.load("b") == [b"0", b"other", b"other", b"other"]
            assert await store.load("c") == [b"new"]
            heads = await store.run(
                lambda db: db.execute("SELECT id, n, chat, time >= ? FROM heads ORDER BY id", (before,)).fetchall(),
                writes=False,
            )
            assert heads == [("a", 5, 2, 1), ("b", 3, 0, 1), ("c", 0, 0, 1)]
            assert flushed or counts(store) == (9, 2)
        await store.append("a", 6, [b"six"])
        assert (await store.load("a"))[5:] == [b"five", b"six"]

    with_store(tmp_path, use)


def test_a_full_disk_does_not_prevent_reading(tmp_path: Path) -> None:
    """What was stored before can be read, although there is no room left to file it."""

    async def use(store: SqliteStore) -> None:
        await store.create(row("a"), [b"0"])
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages + 10}")
        stored = [b"0"]
        with contextlib.suppress(sqlite3.OperationalError):
            while True:
                record = b"%d " % len(stored) * 1000
                await store.append("a", len(stored), [record])
                stored.append(record)
        assert store.write_error == "database or disk is full"
        assert len(stored) > 5
        assert counts(store) == (1, len(stored) - 1)
        with pytest.raises(sqlite3.OperationalError, match="full"):
            await store.create(row("b"), [b"0"])
        assert await store.load("a") == stored
        assert await store.last_used_before(0) == []
        store._db.execute(f"PRAGMA max_page_count = {pages + 100}")
        await store.append("a", len(stored), [b"more"])
        assert await store.load("a") == [*stored, b"more"]

    with_store(tmp_path, use)


def test_what_only_reads_cannot_write(tmp_path: Path) -> None:
    async def use(store: SqliteStore) -> None:
        await store.create(row("a"), [b"0"])
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            await store.run(lambda db: db.execute("DELETE FROM tables"), writes=False)

    with_store(tmp_path, use)


def test_one_table_is_read_without_looking_at_the_others(tmp_path: Path) -> None:
    async def use(store: SqliteStore) -> None:
        await store.create(row("a"), [b"0"])
        for query in (
            "SELECT n, record, sum FROM log WHERE id = ? ORDER BY n",
            "SELECT n, sum FROM heads WHERE id = ?",
        ):
            plan = await store.run(lambda db, q=query: db.execute(f"EXPLAIN QUERY PLAN {q}", ("a",)).fetchall(), False)  # type: ignore[misc]
            steps = [step[-1] for step in plan]
            assert not [step for step in steps if step in ("SCAN log", "SCAN heads")], steps

    with_store(tmp_path, use)


def test_many_records_are_filed_together(tmp_path: Path) -> None:
    async def use(store: SqliteStore) -> None:
        await store.create(row("a"), [b"0"])
        for n in range(1, FLUSH_AT):
            await store.append("a", n, [b"%d" % n])
        assert counts(store) == (1, FLUSH_AT - 1)
        await store.append("a", FLUSH_AT, [b"last"])
        await store.append("a", FLUSH_AT + 1, [b"next"])
        assert counts(store) == (1 + FLUSH_AT, 1)
        assert len(await store.load("a")) == FLUSH_AT + 2

    with_store(tmp_path, use)


def copy_files(folder: Path, to: Path) -> None:
    """Copy the files as they are if the server is killed now."""
    to.mkdir()
    for file in folder.glob("test.db*"):
        shutil.copy(file, to)


def test_what_was_not_filed_before_a_crash_is_there_after_it(tmp_path: Path) -> None:
    async def use(store: SqliteStore) -> None:
        await store.create(row("a"), [b"0"])
        await store.append("a", 1, [b"1"])
        assert counts(store) == (1, 1)
        copy_files(tmp_path, tmp_path / "crashed")

    with_store(tmp_path, use)

    async def again(store: SqliteStore) -> list[bytes]:
        await store.append("a", 2, [b"2"])
        return await store.load("a")

    assert with_store(tmp_path / "crashed", again) == [b"0", b"1", b"2"]


def test_a_server_that_has_ended_has_filed_everything(tmp_path: Path) -> None:
    async def use(store: SqliteStore) -> None:
        await store.create(row("a"), [b"0"])
        await store.append("a", 1, [b"1"])

    with_store(tmp_path, use)
    with contextlib.closing(sqlite3.connect(tmp_path / "test.db")) as db:
        assert db.execute("SELECT count(*) FROM recent").fetchone() == (0,)
        assert store_format.checked_records(db, "a") == [b"0", b"1"]


def test_a_failed_commit_fails_all_its_requests(tmp_path: Path) -> None:
    class Full:
        """A connection whose disk is full at the commit."""

        def __init__(self, db: sqlite3.Connection) -> None:
            self.db = db
            self.full = True

        def __getattr__(self, name: str) -> object:
            return getattr(self.db, name)

        def execute(self, sql: str, *values: Any) -> object:
            if sql == "COMMIT" and self.full:
                self.full = False
                raise sqlite3.OperationalError("database or disk is full")
            return self.db.execute(sql, *values)

    async def use(store: SqliteStore) -> tuple[object, ...]:
        await store.create(row("a"), [b"0"])
        store._db = Full(store._db)  # type: ignore[assignment]
        failed = await asyncio.gather(store.append("a", 1, [b"1"]), return_exceptions=True)
        await store.append("a", 1, [b"one"])
        return failed

    (failure,) = with_store(tmp_path, use)
    assert isinstance(failure, sqlite3.OperationalError)
    assert with_store(tmp_path, lambda store: store.load("a")) == [b"0", b"one"]


def test_a_second_server_cannot_use_the_same_store(tmp_path: Path) -> None:
    async def use(store: SqliteStore) -> None:
        with pytest.raises(Refusal) as refused:
            SqliteStore(tmp_path / "test.db")
        assert "Another server is using the store" in refused.value.reason

    with_store(tmp_path, use)


def test_a_file_that_is_not_a_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    content = b"this is no database, whatever its name says" * 30
    file = tmp_path / "test.db"
    file.write_bytes(content)
    with pytest.raises(Refusal) as refused:
        SqliteStore(file)
    assert refused.value.code == "bad-store"
    assert file.read_bytes() == content


def test_a_store_in_a_newer_format_is_refused(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "test.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(Refusal) as refused:
        SqliteStore(tmp_path / "test.db")
    assert "format 99" in refused.value.reason


def test_only_its_owner_can_read_the_store(tmp_path: Path) -> None:
    with_store(tmp_path / "fresh", lambda store: store.load("a"))
    assert (tmp_path / "fresh" / "test.db").stat().st_mode & 0o077 == 0


def test_the_lobbys_query_uses_an_index(tmp_path: Path) -> None:
    asked: list[str] = []

    async def main() -> None:
        store = SqliteStore(tmp_path / "store.db")
        store._reader.set_trace_callback(asked.append)
        await store.tables(0.0, 100)
        await store.close()

    asyncio.run(main())
    (question,) = (text for text in asked if text.startswith("SELECT id, made"))
    db = sqlite3.connect(tmp_path / "store.db")
    plan = " ".join(str(step) for step in db.execute(f"EXPLAIN QUERY PLAN {question}"))
    db.close()
    assert "SEARCH tables USING INDEX tables_made (public=? AND made>?)" in plan, plan


def test_one_impossible_request_fails_alone(tmp_path: Path) -> None:
    async def use(store: SqliteStore) -> list[object]:
        for table in "abc":
            await store.create(row(table), [b"0"])
        await store.delete("c")
        requests = [
            *(store.append("a", 1, [b"a1", b"a2"]), store.append("a", 3, [b"a3"], b"new card")),
            *(store.append("b", 5, [b"too far"]), store.append("c", 1, [b"deleted"])),
            *(store.append("b", 1, [b"b1"]), store.append("b", 1, [b"again"]), store.append("b", 2, [b"b2"])),
        ]
        return await asyncio.gather(*requests, return_exceptions=True)

    outcomes = with_store(tmp_path, use)
    assert [type(outcome) for outcome in outcomes] == [
        *(type(None), type(None)),
        *(NumberTaken, TableDeleted),
        *(type(None), NumberTaken, type(None)),
    ]
    assert with_store(tmp_path, lambda store: store.load("a")) == [b"0", b"a1", b"a2", b"a3"]
    assert with_store(tmp_path, lambda store: store.load("b")) == [b"0", b"b1", b"b2"]
    cards = {found.table: found.card for found in with_store(tmp_path, lambda store: store.tables(0.0, 10))}
    assert cards == {"a": b"new card", "b": b"card"}


def test_a_group_continues_after_records_that_another_program_wrote(tmp_path: Path) -> None:
    """If the end of a table in the file differs from the store's cached one, the file is right."""

    async def use(store: SqliteStore) -> list[object]:
        for table in "ab":
            await store.create(row(table), [b"0"])
            await store.append(table, 1, [SAID])
        with contextlib.closing(connect(tmp_path / "test.db")) as other:
            # Checksums are written again, as `grandtour admin` does when it deletes chat.
            store_format.flush_all(other)
            retention.delete_chat(other, "b")
            other.commit()
        requests = [store.append("a", 2, [b"a2"]), store.append("b", 2, [b"b2"]), store.append("b", 2, [b"again"])]
        return await asyncio.gather(*requests, return_exceptions=True)

    outcomes = with_store(tmp_path, use)
    assert [type(outcome) for outcome in outcomes] == [type(None), type(None), NumberTaken]
    assert with_store(tmp_path, lambda store: store.load("a"))[1:] == [SAID, b"a2"]
    assert with_store(tmp_path, lambda store: store.load("b"))[2:] == [b"b2"]
