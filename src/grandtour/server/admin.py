"""`grandtour admin`: maintenance of the store. All commands are safe while a server runs, except restoring it whole."""

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
from grandtour.server.storage.sqlite_store import connect, hold
from grandtour.server.storage.store_format import (
    FORMAT,
    READ,
    Damaged,
    checked_records,
    copy,
    file_recent,
    first_sum,
    format_of,
    insert_records,
    prepare,
)
from grandtour.server.tables import records
from grandtour.server.tables.records import Record
from grandtour.server.tables.table import Table

Place = Path | str
"""The file of a SQLite store, or the address of a database."""
UNITS: Final = {"h": 3600.0, "d": retention.DAY}


class Listed(NamedTuple):
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


class Checked(NamedTuple):
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


def backup(store: Place, file: Path, force: bool = False) -> int:
    """Copy the store as it is at this moment, and check the copy. Returns the number of tables in it. The copy is
    always a SQLite store, also for a database."""
    if file.exists() and not force:
        raise Refusal("bad-file", f"The file {file} exists already; --force replaces it.")
    with _files():
        if isinstance(store, str):
            from grandtour.server.storage import postgres_copy

            postgres_copy.save(store, file)
        else:
            with _opened_file(store, any_format=True) as db:
                copy(db, file)
    return _tables_in(file)


def restore(store: Place, file: Path, force: bool = False) -> int:
    """Replace the store with a backup and return its number of tables. The old store is kept, as `….replaced`. A backup
    in an older format is migrated when the server starts."""
    found = _tables_in(file)
    if isinstance(store, str):
        from grandtour.server.storage import postgres_copy

        with _read_only(file) as source:
            postgres_copy.load(store, source, force)
        return found
    with contextlib.closing(hold(store)):
        if store.exists() and not force:
            raise Refusal("bad-store", f"The store {store} exists already; --force replaces it.")
        fresh = store.with_name(store.name + ".restoring")
        with _files():
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


def restore_tables(store: Place, file: Path, tables: Sequence[str] | None, force: bool = False) -> list[str]:
    """Restore these tables from a backup, or by default all that the store does not have. Either all are restored or
    none. Returns their ids. A running server with such a table in memory notices at the next event there."""
    _tables_in(file)
    with _opened(store) as db, _read_only(file) as source, _transaction(db):
        there = set(_ids(db))
        wanted = list(tables) if tables is not None else [table for table in _ids(source) if table not in there]
        for table in wanted:
            if table in there and not force:
                raise Refusal("bad-store", f"The table {table} exists already; --force replaces it.")
            _put_back(db, source, table, file, isinstance(store, str))
    return wanted


def _put_back(db: Database, source: sqlite3.Connection, table: str, file: Path, shared: bool) -> None:
    row = source.execute("SELECT id, made, public, card FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        raise Refusal("unknown-table", f"There is no table {table} in {file}.")
    try:
        stored = checked_records(source, table)
    except Damaged as damage:
        raise Refusal("bad-file", f"In {file}, {damage}.") from None
    used, chat = source.execute("SELECT time, chat FROM heads WHERE id = ?", (table,)).fetchone()
    fence = leases.fence_after(db, table) if shared else None
    retention.delete_table(db, table)
    db.execute("INSERT INTO tables (id, made, public, card) VALUES (?, ?, ?, ?)", row)
    last = insert_records(db, table, 0, first_sum(table), stored)
    head = (table, len(stored) - 1, last, used, chat)
    db.execute("INSERT INTO heads (id, n, sum, time, chat) VALUES (?, ?, ?, ?, ?)", head)
    if fence is not None:
        leases.fence_off(db, table, fence)


def listing(store: Place) -> list[Listed]:
    """All tables, most recently used first."""
    with _opened(store, to_read=True) as db:
        found = db.execute(
            "SELECT id, card, made, time, n + 1 FROM tables JOIN heads USING (id) ORDER BY time DESC"
        ).fetchall()
    return [Listed(table, *_of_card(card), made, used, number) for table, card, made, used, number in found]


def delete(store: Place, table: str) -> None:
    """Delete a table. A running server notices at the next move there."""
    with _opened(store) as db, _transaction(db):
        if not retention.delete_table(db, table):
            raise Refusal("unknown-table", f"There is no table {table}.")


def prune(store: Place, seconds: float, chat: bool = False, dry_run: bool = False) -> int:
    """Delete the tables that have had no event for this many seconds, or only their chat. Returns their number."""
    before = time.time() - seconds
    pruned = 0
    with _opened(store, to_read=dry_run) as db:
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


def verify(store: Place, table: str | None = None, replay: bool = True) -> Checked:
    """Look for damage in the file and in each table's checksums, and for matches that cannot be replayed."""
    problems: list[str] = []
    count = 0
    with _opened(store, to_read=True) as db:
        if table is None and isinstance(db, sqlite3.Connection):
            with contextlib.suppress(sqlite3.DatabaseError):
                whole = [text for (text,) in db.execute("PRAGMA quick_check(10)")]
                problems += [f"The file: {text}." for text in whole if text != "ok"]
        tables = [table] if table is not None else _ids(db)
        for each in tables:
            try:
                stored = checked_records(db, each)
                if not stored:
                    raise Damaged(each, 0, "is missing")
                count += len(stored)
                if replay:
                    _replay(each, stored)
            except Damaged as damage:
                problems.append(f"{str(damage)[0].upper()}{str(damage)[1:]}.")
            except sqlite3.DatabaseError as error:
                problems.append(f"Table {each} cannot be read: {error}.")
    return Checked(len(tables), count, problems)


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
        raise Damaged(table, at, f"cannot be played again ({error})") from None


def _of_card(card: bytes) -> tuple[str, str]:
    try:
        read = msgspec.json.decode(card, type=messages.Card)
    except msgspec.DecodeError:
        return "?", "?"
    return read.game, read.state


@contextlib.contextmanager
def _opened(store: Place, to_read: bool = False) -> Iterator[Database]:
    """The store, opened for any command, or for one that only reads: that needs no room on the disk."""
    if isinstance(store, str):
        from grandtour.server.storage import postgres

        with contextlib.closing(postgres.open_store(store)) as connection:
            yield postgres.PostgresDatabase(connection)
    else:
        with _opened_file(store, to_read) as db:
            yield db


@contextlib.contextmanager
def _opened_file(store: Path, to_read: bool = False, any_format: bool = False) -> Iterator[sqlite3.Connection]:
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
        if to_read:
            db.executescript(READ)
        elif not any_format:
            with _transaction(db):
                pass  # files the recent records, so that everything is there to be read
        yield db


@contextlib.contextmanager
def _read_only(file: Path) -> Iterator[sqlite3.Connection]:
    """A backup to read from; if it has an older format, a migrated copy."""
    with (
        contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db,
        tempfile.TemporaryDirectory(prefix="grandtour-") as folder,
    ):
        if format_of(db) == FORMAT:
            # Its files may have been copied while a server was running, which had not filed everything.
            db.executescript(READ)
            yield db
            return
        migrated = Path(folder) / file.name
        with _files():
            copy(db, migrated)
        with contextlib.closing(sqlite3.connect(migrated, isolation_level=None)) as newer:
            prepare(newer, migrated)
            yield newer


@contextlib.contextmanager
def _transaction(db: Database) -> Iterator[None]:
    """A transaction in which all records are filed."""
    in_file = isinstance(db, sqlite3.Connection)
    db.execute("BEGIN IMMEDIATE" if in_file else "BEGIN")
    try:
        if in_file:
            file_recent(db)
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


@contextlib.contextmanager
def _files() -> Iterator[None]:
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
