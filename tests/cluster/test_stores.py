"""The guarantees of every store: in memory, SQLite and PostgreSQL."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from grandtour.server.storage import deal_store, note_store, notice_store, people_store, spectator_store
from grandtour.server.storage.database import Database
from grandtour.server.storage.postgres_store import PostgresStore
from grandtour.server.storage.sqlite_store import SqliteStore
from grandtour.server.storage.store import NumberTaken, Store, TableDeleted, TableRow
from grandtour.server.storage.store_format import DamagedRecord
from grandtour.server.tables.records import Said, encode

T = TypeVar("T")
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


def row(table: str, made: float = 1.0, public: bool = True, card: bytes = b"card") -> TableRow:
    return TableRow(table, made, public, card)


def test_stored_data_survives_reopening(lasting: Callable[[], Store]) -> None:
    async def write(store: Store) -> None:
        await store.create(row("a"), [b"made", b"start"])
        await store.append("a", 2, [b"move", b"over"], b"new card")

    using(lasting, write)
    assert using(lasting, lambda store: store.load("a")) == [b"made", b"start", b"move", b"over"]
    assert using(lasting, lambda store: store.tables(0, 10)) == [row("a", card=b"new card")]


def test_a_table_that_does_not_exist_has_no_records(opened: Callable[[], Store]) -> None:
    assert using(opened, lambda store: store.load("nowhere")) == []


def test_a_taken_number_is_refused_and_nothing_is_stored(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> tuple[list[bytes], list[TableRow]]:
        await store.create(row("a"), [b"0", b"1"])
        for n in (1, 3):
            with pytest.raises(NumberTaken):
                await store.append("a", n, [b"again", b"2"], b"never")
        return await store.load("a"), await store.tables(0, 10)

    assert using(opened, use) == ([b"0", b"1"], [row("a")])


def test_a_table_cannot_be_created_twice(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> list[bytes]:
        await store.create(row("a"), [b"0"])
        with pytest.raises(NumberTaken):
            await store.create(row("a"), [b"other"])
        return await store.load("a")

    assert using(opened, use) == [b"0"]


def test_a_refused_request_does_not_fail_others_in_the_same_commit(opened: Callable[[], Store]) -> None:
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
    assert isinstance(second, NumberTaken)
    assert (of_a, of_b) == ([b"0", b"1", b"2"], [b"0", b"b"])


def test_many_tables_append_at_once(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> list[list[bytes]]:
        names = [f"t{number}" for number in range(20)]
        for name in names:
            await store.create(row(name), [b"0"])
        await asyncio.gather(*(store.append(name, n, [b"%d" % n], b"card") for n in range(1, 4) for name in names))
        return [await store.load(name) for name in names]

    assert using(opened, use) == [[b"0", b"1", b"2", b"3"]] * 20


def test_the_list_shows_public_tables_newest_first(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> list[str]:
        for table, made, public in (("old", 1.0, True), ("new", 3.0, True), ("mine", 4.0, False), ("mid", 2.0, True)):
            await store.create(row(table, made, public), [b"0"])
        return [listed.table for listed in await store.tables(since=2.0, limit=10)]

    assert using(opened, use) == ["new", "mid"]


def test_writing_to_a_deleted_table_fails(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> list[bytes]:
        await store.create(row("a"), [b"0"])
        await store.run(lambda db: [db.execute(f"DELETE FROM {name}") for name in ("log", "heads", "tables")])
        with pytest.raises(TableDeleted):
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


def test_a_changed_record_is_detected(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> None:
        await store.create(row("a"), [b"0", b"1"])
        await store.run(lambda db: db.execute("UPDATE log SET record = ? WHERE n = 1", (b"one",)))
        with pytest.raises(DamagedRecord):
            await store.load("a")

    using(opened, use)


def test_run_uses_one_transaction(opened: Callable[[], Store]) -> None:
    def fail(db: Database) -> None:
        db.execute("UPDATE tables SET card = ? WHERE id = ?", (b"never", "a"))
        raise NumberTaken("after all")

    async def use(store: Store) -> list[TableRow]:
        await store.create(row("a"), [b"0"])
        with pytest.raises(NumberTaken):
            await store.run(fail)
        return await store.tables(0, 10)

    assert using(opened, use) == [row("a")]


def test_a_store_says_whether_it_can_be_written(opened: Callable[[], Store]) -> None:
    async def use(store: Store) -> str | None:
        await store.check()
        return store.write_error

    assert using(opened, use) is None


def test_everything_about_people_is_stored_and_erased(opened: Callable[[], Store]) -> None:
    """Each statement about people runs on every database."""

    def fill(db: Database) -> None:
        for id in ("ada", "bruno"):
            passport = people_store.Passport(id, id.title(), "fox", 1.0, id == "ada")
            people_store.add_passport(db, passport, people_store.Device(f"{id}'s", id, "key", "A laptop", 1.0, 1.0))
            people_store.save_place(db, people_store.Place(id, "t", int(id == "bruno"), id, "g", 1.0, None, None, None))
            notice_store.set_preference(db, id, notice_store.Preference(True, "https://example.org/", ""))
            notice_store.subscribe(db, notice_store.Subscription(f"{id}'s", id, "https://example.org/p", "r", "a"))
            notice_store.add_waiting(db, notice_store.WaitingNotice(id, "turn", "t", "G", 0, id, 1.0))
            notice_store.add_waiting(db, notice_store.WaitingNotice(id, "turn", "t", "G", 0, id, 2.0))
            spectator_store.add(db, "t", id, id.title(), "hello", id, 300)
            note_store.set_note(db, "t", note_store.Note(id, 3, 0, "Well played."))
            people_store.set_rating(db, id, "g", 25.0, 8.0, 1)
            assert deal_store.add_attempt(db, "g", "2026-11-18", id, id.title(), f"deal of {id}") == f"deal of {id}"
        assert deal_store.add_attempt(db, "g", "2026-11-18", "ada", "Ada", "another") == "deal of ada"
        assert deal_store.add_attempt(db, "g", "2026-11-18", None, "Par", "par") == "par"
        deal_store.set_result(db, "deal of ada", 1, 40.0, 1.0)
        deal_store.set_result(db, "deal of bruno", 2, None, 0.0)
        deal_store.set_result(db, "par", 1, 50.0, 1.0)
        assert people_store.set_results(db, "t", 2.0, [("ada", 1.0, "{}"), ("bruno", 0.0, "{}")])
        assert people_store.add_invitation(db, "bruno", "t", "Ada", 2.0)
        assert not people_store.add_invitation(db, "bruno", "t", "Ada", 3.0)

    def look(db: Database) -> object:
        attempts = deal_store.attempts(db, "g", "2026-11-18", 5)
        return (
            people_store.played(db, "ada"),
            [(other.id, games, ahead) for other, games, ahead in people_store.opponents(db, "ada", 5)],
            people_store.reports(db, "ada", "g", 5),
            [(attempt.name, attempt.stored) for attempt in attempts],
            deal_store.counts(db, "g", "2026-11-18", deal_store.attempt_of(db, "g", "2026-11-18", "bruno")),
            deal_store.attempt_of(db, "g", "2026-11-18", None) is not None,
            [line.text for line in spectator_store.lines(db, "t")],
            [note.passport for note in note_store.notes(db, "t")],
            notice_store.preference(db, "bruno").wanted,
            len(notice_store.subscriptions(db, "bruno")),
            [(kept.passport, kept.since) for kept in notice_store.all_waiting(db)],
            people_store.server_secret(db, "s", "first") == people_store.server_secret(db, "s", "second"),
        )

    async def use(store: Store) -> tuple[object, object, list[str], list[str]]:
        await store.create(row("t"), [b"0"])
        await store.run(fill)
        before = await store.run(look)
        await store.run(lambda db: people_store.erase(db, "bruno"))
        assert await store.run(lambda db: spectator_store.erase(db, "bruno")) == 1
        after = await store.run(look)
        chatty = await store.with_chat_before(4e9)
        await store.delete_chat("t")
        return before, after, chatty, await store.with_chat_before(4e9)

    before, after, chatty, quiet = using(opened, use)
    assert before == (
        [("g", 1, 1)],
        [("bruno", 1, 0)],
        [("t", 0, "{}")],
        [("Ada", False), ("Bruno", False)],
        (2, 1),
        True,
        ["hello", "hello"],
        ["ada", "bruno"],
        True,
        1,
        [("ada", 2.0), ("bruno", 2.0)],
        True,
    )
    assert after == (
        [("g", 1, 1)],
        [],
        [("t", 0, "{}")],
        [("Ada", False)],
        (1, 1),
        True,
        ["hello"],
        ["ada"],
        False,
        0,
        [("ada", 2.0)],
        True,
    )
    assert (chatty, quiet) == (["t"], []), "the spectators' chat is chat, too"
