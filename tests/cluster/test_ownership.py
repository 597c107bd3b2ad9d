"""Two stores on one database, as with two servers: a table belongs to one of them at a time."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import psycopg
import pytest

from grandtour.server import forwarding
from grandtour.server.storage import leases
from grandtour.server.storage.database import Database
from grandtour.server.storage.postgres_store import PostgresStore
from grandtour.server.storage.store import StoreUnavailable, TableElsewhere, TableRow

TABLE = "a"
PATIENCE = 60.0
"""Seconds after which a test gives up waiting."""


def with_two(url: str, use: Callable[[PostgresStore, PostgresStore], Awaitable[None]]) -> None:
    """Use two stores and a table that the first of them has created."""

    async def main() -> None:
        first, second = PostgresStore(url, "127.0.0.1:1"), PostgresStore(url, "127.0.0.1:2")
        try:
            await first.create(TableRow(TABLE, 1.0, True, b"card"), [b"0"])
            await use(first, second)
        finally:
            await first.close()
            await second.close()

    asyncio.run(main())


async def until(wanted: Callable[[], Awaitable[bool]]) -> None:
    """Wait until a condition in the database holds."""
    async with asyncio.timeout(PATIENCE):
        while not await wanted():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def _truth(value: bool) -> bool:
    return value


async def expire(store: PostgresStore, server: str) -> None:
    """Make it look as if a server had been suspended for longer than its lease."""
    await store.run(lambda db: db.execute("UPDATE servers SET seen = 0 WHERE id = ?", (server,)))


def test_another_server_is_told_where_a_table_is(url: str) -> None:
    async def use(first: PostgresStore, second: PostgresStore) -> None:
        with pytest.raises(TableElsewhere) as elsewhere:
            await second.load(TABLE)
        assert elsewhere.value.address == "127.0.0.1:1"
        with pytest.raises(TableElsewhere):
            await second.append(TABLE, 1, [b"never"])
        with pytest.raises(TableElsewhere):
            await second.delete(TABLE)
        await first.append(TABLE, 1, [b"1"])
        assert await first.load(TABLE) == [b"0", b"1"]

    with_two(url, use)


def test_a_released_table_can_be_taken_by_another_server(url: str) -> None:
    async def use(first: PostgresStore, second: PostgresStore) -> None:
        await first.release(TABLE)
        assert await second.load(TABLE) == [b"0"]
        with pytest.raises(TableElsewhere):
            await first.append(TABLE, 1, [b"never"])
        await second.append(TABLE, 1, [b"1"])

    with_two(url, use)


def test_a_table_can_be_read_without_taking_it_and_taken_from_its_owner(url: str) -> None:
    async def use(first: PostgresStore, second: PostgresStore) -> None:
        assert await second.read(TABLE) == [b"0"]
        await first.append(TABLE, 1, [b"1"])
        await second.release(TABLE, force=True)
        assert await second.load(TABLE) == [b"0", b"1"]
        with pytest.raises(TableElsewhere):
            await first.append(TABLE, 2, [b"never"])

    with_two(url, use)


def test_a_server_that_shuts_down_releases_its_tables_at_once(url: str) -> None:
    async def use(first: PostgresStore, second: PostgresStore) -> None:
        await first.close()
        assert await second.load(TABLE) == [b"0"]

    with_two(url, use)


def test_a_server_that_slept_cannot_write_to_a_table_that_another_has_taken(url: str) -> None:
    async def use(first: PostgresStore, second: PostgresStore) -> None:
        first._lease_task.cancel()  # type: ignore[union-attr]
        await expire(second, first.server)
        assert await second.load(TABLE) == [b"0"]
        await second.append(TABLE, 1, [b"1"])
        with pytest.raises(TableElsewhere):
            await first.append(TABLE, 1, [b"never"])
        with pytest.raises(TableElsewhere):
            await first.append(TABLE, 2, [b"never"])
        assert await second.load(TABLE) == [b"0", b"1"]

    with_two(url, use)


def test_a_server_suspended_in_a_transaction_does_not_block_its_tables_for_longer_than_its_lease(url: str) -> None:
    locked, resumed = threading.Event(), threading.Event()

    def suspended(db: Database) -> None:
        db.execute("UPDATE heads SET n = n WHERE id = ?", (TABLE,))
        locked.set()
        resumed.wait(PATIENCE)
        db.execute("SELECT 1")

    async def use(first: PostgresStore, second: PostgresStore) -> None:
        transaction = asyncio.create_task(first.run(suspended))
        await asyncio.to_thread(locked.wait)
        await expire(second, first.server)
        try:
            async with asyncio.timeout(leases.LEASE + 1.5):
                assert await second.load(TABLE) == [b"0"]
        finally:
            resumed.set()
        with pytest.raises(StoreUnavailable):
            await transaction

    with_two(url, use)


def test_a_server_notices_an_expired_lease_and_starts_again(url: str) -> None:
    async def use(first: PostgresStore, second: PostgresStore) -> None:
        lapsed = asyncio.Event()
        first.on_lease_lost = lapsed.set
        before = first.server
        await expire(second, before)
        await lapsed.wait()
        with pytest.raises(TableElsewhere):
            await first.append(TABLE, 1, [b"never"])
        await until(lambda: _truth(first.server != before))
        assert await first.load(TABLE) == [b"0"]
        await first.append(TABLE, 1, [b"1"])

    with_two(url, use)


def test_a_server_starts_while_others_write_to_every_table_of_the_database(url: str) -> None:
    async def use(first: PostgresStore, second: PostgresStore) -> None:
        with psycopg.connect(url) as writer:
            found = writer.execute(
                "SELECT relname FROM pg_class WHERE relnamespace = current_schema::regnamespace AND relkind = 'r'"
            )
            names = [name for (name,) in found]
            assert {"heads", "log", "passports", "servers"} < set(names)
            writer.execute(
                f"LOCK TABLE {', '.join(names)} IN ROW EXCLUSIVE MODE"
            )  # as every statement that writes does
            third = PostgresStore(url, "127.0.0.1:3")  # raises a refusal if it has to wait
            await third.close()

    with_two(url, use)


def test_servers_share_a_secret_and_know_who_is_where(url: str) -> None:
    async def use(first: PostgresStore, second: PostgresStore) -> None:
        assert first.secret == second.secret
        assert await second.servers_on_this_machine() == ["127.0.0.1:1"]
        first.present_seats = lambda: {TABLE: [1]}

        async def known() -> bool:
            return await second.present_seats_everywhere() == {TABLE: [1]}

        await until(known)

    with_two(url, use)


def test_a_dead_servers_tables_are_found_within_five_seconds() -> None:
    """After its last renewal, a server's lease ends; then servers that are looking for its tables try again."""
    assert leases.RENEW_INTERVAL * 2 < leases.LEASE
    retry = forwarding.RETRY_INTERVAL + max(forwarding.CONNECT_TIMEOUT, forwarding.CHECK_INTERVAL)
    assert leases.LEASE + retry < 5 < forwarding.SEARCH_TIMEOUT
