"""`grandtour admin` on PostgreSQL, and from one database to the other."""

import asyncio
from pathlib import Path

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.server import admin
from grandtour.server.storage.postgres_store import PostgresStore
from grandtour.server.storage.sqlite_store import SqliteStore
from grandtour.server.storage.store import TableElsewhere, TableRow


def fill(url: str, *tables: str) -> None:
    async def main() -> None:
        store = PostgresStore(url)
        for table in tables:
            await store.create(TableRow(table, 1.0, True, b"{}"), [b"0", b"1"])
        await store.close()

    asyncio.run(main())


def test_a_backup_goes_from_one_database_to_the_other_and_back(url: str, tmp_path: Path) -> None:
    fill(url, "a", "b")
    file = tmp_path / "backup.db"
    assert admin.backup(url, file) == 2

    async def read() -> list[bytes]:
        store = SqliteStore(file)
        try:
            await store.append("a", 2, [b"2"])
            return await store.load("a")
        finally:
            await store.close()

    assert asyncio.run(read()) == [b"0", b"1", b"2"]
    with pytest.raises(Refusal):
        admin.restore(url, file)
    assert admin.restore(url, file, force=True) == 2
    assert {each.table: each.records for each in admin.listing(url)} == {"a": 3, "b": 2}
    assert admin.verify(url, replay=False).problems == []


def test_tables_are_deleted_and_restored_while_a_server_runs(url: str, tmp_path: Path) -> None:
    fill(url, "a", "b")
    file = tmp_path / "backup.db"
    admin.backup(url, file)

    async def main() -> None:
        store = PostgresStore(url)
        try:
            await store.load("a")
            await store.append("a", 2, [b"2"])
            with pytest.raises(Refusal, match="A server is using"):
                admin.restore(url, file, force=True)
            admin.delete(url, "b")
            assert admin.restore_tables(url, file, None) == ["b"]
            assert admin.restore_tables(url, file, ["a"], force=True) == ["a"]
            # Players of a table that was replaced must reconnect.
            with pytest.raises(TableElsewhere):
                await store.append("a", 3, [b"3"])
            assert await store.load("a") == [b"0", b"1"]
        finally:
            await store.close()

    asyncio.run(main())


def test_a_changed_record_is_found_and_old_tables_are_pruned(url: str) -> None:
    fill(url, "a", "b")

    async def harm() -> None:
        store = PostgresStore(url)
        await store.run(lambda db: db.execute("UPDATE log SET record = ? WHERE id = 'a' AND n = 1", (b"one",)))
        await store.run(lambda db: db.execute("UPDATE heads SET time = 1 WHERE id = 'b'"))
        await store.close()

    asyncio.run(harm())
    (problem,) = admin.verify(url, replay=False).problems
    assert "ecord 1 of table a" in problem
    assert admin.prune(url, 60.0) == 1
    assert [each.table for each in admin.listing(url)] == ["a"]
