"""`grandtour admin`: maintenance of the store. All commands are safe while a server runs, except restoring the whole
store."""

import contextlib
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.server.storage import leases, retention
from grandtour.server.storage.database import Database
from grandtour.server.storage.sqlite_store import connect, lock_store
from grandtour.server.storage.store_format import (
    FORMAT,
    READ_ONLY_VIEWS,
    DamagedRecord,
    checked_records,
    copy,
    first_sum,
    flush_recent,
    format_of,
    insert_records,
    prepare,
)
from grandtour.server.tables import records
from grandtour.server.tables.records import Record
from grandtour.server.tables.table import Table

StoreLocation = Path | str
"""The file of a SQLite store, or the address of a database."""
UNITS: Final = {"h": 3600.0, "d": retention.DAY}


class TableListing(NamedTuple):
    """One line about a table: its id, game and phase, when it was opened and last used, and its number of records."""

    table: str
    game: str
    phase: str
    made: float
    used: float
    records: int

    def __str__(self) -> str:
        made, used = (datetime.fromtimestamp(each, UTC).strftime("%Y-%m-%d %H:%M") for each in (self.made, self.used))
        return f"{self.table}  {self.game:<22} {self.phase:<8} {made}  {used}  {self.records:>6}"


class Verification(NamedTuple):
    """The number of tables and records checked, and a sentence for each problem."""

    tables: int
    records: int
    problems: list[str]


def parse_age(text: str) -> float:
    """The number of seconds in an age such as `90d`."""
    number, unit = text[:-1], text[-1:]
    if unit not in UNITS or not number.isdecimal():
        raise Refusal("bad-settings", f"An age is a number of days or hours, such as 90d or 12h, not {text!r}.")
    return int(number) * UNITS[unit]


def backup(store: StoreLocation, file: Path, force: bool = False) -> int:
    """Copy the store as it is at this moment, and check the copy. Returns its number of tables. The copy is always a
    SQLite file, even if the store is in PostgreSQL."""
    if file.exists() and not force:
        raise Refusal("bad-file", f"The file {file} exists already; --force replaces it.")
    with _refuse_file_errors():
        if isinstance(store, str):
            from grandtour.server.storage import postgres_copy

            postgres_copy.save(store, file)
        else:
            with _open_file(store, any_format=True) as db:
                copy(db, file)
    return _tables_in(file)


def restore(store: StoreLocation, file: Path, force: bool = False) -> int:
    """Replace the store with a backup and return its number of tables. The old store is kept, as `….replaced`. A backup
    in an older format is migrated when the server starts."""
    found = _tables_in(file)
    if isinstance(store, str):
        from grandtour.server.storage import postgres_copy

        with _open_backup(file) as source:
            postgres_copy.load(store, source, force)
        return found
    with contextlib.closing(lock_store(store)):
        if store.exists() and not force:
            raise Refusal("bad-store", f"The store {store} exists already; --force replaces it.")
        fresh = store.with_name(store.name + ".restoring")
        with _refuse_file_errors():
            with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
                copy(db, fresh)
            replaced = store.with_name(store.name + ".replaced")
            for end in ("", "-wal"):
                replaced.with_name(replaced.name + end).unlink(missing_ok=True)
                with contextlib.suppress(FileNotFoundError):
                    store.with_name(store.name + end).replace(replaced.with_name(replaced.name + end))
            store.with_name(store.name + "-shm").unlink(missing_ok=True)
            fresh.replace(store)
    return found


def restore_tables(store: StoreLocation, file: Path, tables: Sequence[str] | None, force: bool = False) -> list[str]:
    """Restore these tables from a backup, or by default all that the store does not have. Either all are restored or
    none. Returns their ids. A running server with such a table in memory notices at the next event there."""
    _tables_in(file)
    with _open_store(store) as db, _open_backup(file) as source, _transaction(db):
        there = set(_ids(db))
        wanted = list(tables) if tables is not None else [table for table in _ids(source) if table not in there]
        for table in wanted:
            if table in there and not force:
                raise Refusal("bad-store", f"The table {table} exists already; --force replaces it.")
            _restore_table(db, source, table, file, isinstance(store, str))
    return wanted


def _restore_table(db: Database, source: sqlite3.Connection, table: str, file: Path, shared: bool) -> None:
    row = source.execute("SELECT id, made, public, card FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        raise Refusal("unknown-table", f"There is no table {table} in {file}.")
    try:
        stored = checked_records(source, table)
    except DamagedRecord as damage:
        raise Refusal("bad-file", f"In {file}, {damage}.") from None
    used, chat = source.execute("SELECT time, chat FROM heads WHERE id = ?", (table,)).fetchone()
    fence = leases.next_fence(db, table) if shared else None
    retention.delete_table(db, table)
    db.execute("INSERT INTO tables (id, made, public, card) VALUES (?, ?, ?, ?)", row)
    last = insert_records(db, table, 0, first_sum(table), stored)
    head = (table, len(stored) - 1, last, used, chat)
    db.execute("INSERT INTO heads (id, n, sum, time, chat) VALUES (?, ?, ?, ?, ?)", head)
    if fence is not None:
        leases.set_fence(db, table, fence)


def listing(store: StoreLocation) -> list[TableListing]:
    """All tables, most recently used first."""
    with _open_store(store, read_only=True) as db:
        found = db.execute(
            "SELECT id, card, made, time, n + 1 FROM tables JOIN heads USING (id) ORDER BY time DESC"
        ).fetchall()
    return [
        TableListing(table, *_game_and_phase(card), made, used, number) for table, card, made, used, number in found
    ]


def delete(store: StoreLocation, table: str) -> None:
    """Delete a table. A running server notices at the next move there."""
    with _open_store(store) as db, _transaction(db):
        if not retention.delete_table(db, table):
            raise Refusal("unknown-table", f"There is no table {table}.")


def prune(store: StoreLocation, seconds: float, chat: bool = False, dry_run: bool = False) -> int:
    """Delete the tables that have had no event for this many seconds, or only their chat. Returns their number."""
    before = time.time() - seconds
    pruned = 0
    with _open_store(store, read_only=dry_run) as db:
        find = retention.with_chat_before if chat else retention.last_used_before
        for table in find(db, before):
            if dry_run:
                pruned += 1
                continue
            # The transactions are short, because a running server has to wait for each of them.
            with _transaction(db):
                # Somebody may have returned to it in the meantime.
                used = db.execute("SELECT time FROM heads WHERE id = ?", (table,)).fetchone()
                if used is None or used[0] >= before:
                    continue
                if chat:
                    retention.delete_chat(db, table)
                else:
                    retention.delete_table(db, table)
            pruned += 1
    return pruned


def verify(store: StoreLocation, table: str | None = None, replay: bool = True) -> Verification:
    """Look for damage in the file and in each table's checksums, and for matches that cannot be replayed."""
    problems: list[str] = []
    count = 0
    with _open_store(store, read_only=True) as db:
        if table is None and isinstance(db, sqlite3.Connection):
            with contextlib.suppress(sqlite3.DatabaseError):
                whole = [text for (text,) in db.execute("PRAGMA quick_check(10)")]
                problems += [f"The file: {text}." for text in whole if text != "ok"]
        tables = [table] if table is not None else _ids(db)
        for each in tables:
            try:
                stored = checked_records(db, each)
                if not stored:
                    raise DamagedRecord(each, 0, "is missing")
                count += len(stored)
                if replay:
                    _replay(each, stored)
            except DamagedRecord as damage:
                problems.append(f"{str(damage)[0].upper()}{str(damage)[1:]}.")
            except sqlite3.DatabaseError as error:
                problems.append(f"Table {each} cannot be read: {error}.")
    return Verification(len(tables), count, problems)


def _ids(db: Database) -> list[str]:
    """The ids of all tables with any record in the store, even if parts are missing."""
    return [
        table for (table,) in db.execute("SELECT id FROM tables UNION SELECT id FROM heads UNION SELECT id FROM log")
    ]


def _replay(table: str, stored: list[bytes]) -> None:
    at = 0

    def counted() -> Iterator[Record]:
        nonlocal at
        for at, record in enumerate(stored):  # noqa: B007
            yield records.decode(record)

    try:
        Table.rebuild(table, counted())
    except Exception as error:
        raise DamagedRecord(table, at, f"cannot be played again ({error})") from None


def _game_and_phase(card: bytes) -> tuple[str, str]:
    try:
        read = msgspec.json.decode(card, type=messages.Card)
    except msgspec.DecodeError:
        return "?", "?"
    return read.game, read.state


@contextlib.contextmanager
def _open_store(store: StoreLocation, read_only: bool = False) -> Iterator[Database]:
    """Open the store. With `read_only`, this works even if the disk is full."""
    if isinstance(store, str):
        from grandtour.server.storage import postgres

        with contextlib.closing(postgres.open_store(store)) as connection:
            yield postgres.PostgresDatabase(connection)
    else:
        with _open_file(store, read_only) as db:
            yield db


@contextlib.contextmanager
def _open_file(store: Path, read_only: bool = False, any_format: bool = False) -> Iterator[sqlite3.Connection]:
    if not store.exists():
        raise Refusal("bad-store", f"There is no store {store}.")
    try:
        db = connect(store)
    except sqlite3.Error as error:
        raise Refusal("bad-store", f"The store {store} cannot be used: {error}.") from None
    with contextlib.closing(db):
        found = format_of(db)
        if found != FORMAT and not any_format:
            raise Refusal(
                "bad-store",
                f"The store {store} has format {found}, but this program needs format {FORMAT}; a server migrates an"
                " older store when it starts.",
            )
        if read_only:
            db.executescript(READ_ONLY_VIEWS)
        elif not any_format:
            with _transaction(db):
                pass  # This flushes the recent records, so that all records are in the log.
        yield db


@contextlib.contextmanager
def _open_backup(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a backup for reading. If it has an older format, open a migrated copy."""
    with (
        contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db,
        tempfile.TemporaryDirectory(prefix="grandtour-") as folder,
    ):
        if format_of(db) == FORMAT:
            # If its files were copied while a server was running, it may have recent records.
            db.executescript(READ_ONLY_VIEWS)
            yield db
            return
        migrated = Path(folder) / file.name
        with _refuse_file_errors():
            copy(db, migrated)
        with contextlib.closing(sqlite3.connect(migrated, isolation_level=None)) as newer:
            prepare(newer, migrated)
            yield newer


@contextlib.contextmanager
def _transaction(db: Database) -> Iterator[None]:
    """A transaction in which all records have been flushed to the log."""
    in_file = isinstance(db, sqlite3.Connection)
    db.execute("BEGIN IMMEDIATE" if in_file else "BEGIN")
    try:
        if in_file:
            flush_recent(db)
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextlib.contextmanager
def _refuse_file_errors() -> Iterator[None]:
    """Turn file errors into refusals."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise Refusal("bad-file", f"The copy could not be made: {error}.") from None


def _tables_in(file: Path) -> int:
    """The number of tables in a copy of a store. Refuses a file that is damaged or not a store."""
    if not file.exists():
        raise Refusal("bad-file", f"There is no file {file}.")
    try:
        with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
            if format_of(db) not in range(1, FORMAT + 1):
                raise Refusal("bad-file", f"{file} is not a backup of a store that this program can read.")
            if (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise Refusal("bad-file", f"{file} is damaged: {found}.")
            return int(db.execute("SELECT count(*) FROM tables").fetchone()[0])
    except sqlite3.Error as error:
        raise Refusal("bad-file", f"{file} is not a backup of a store: {error}.") from None
