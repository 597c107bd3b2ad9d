"""The format of the store's file: its schema, migrations from older formats, and checksums that detect damage.

The checksum of a record covers the record and the checksum before it, so each table's log is a chain. The last checksum
is also stored in `heads`, so that missing records at the end are noticed. Checksums detect accidental damage. They do
not protect against somebody who can write to the file.
"""

import contextlib
import logging
import sqlite3
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec

from grandtour.engine.refusal import Refusal
from grandtour.server.storage import clock_store, curve_store, note_store, notice_store, people_store, spectator_store
from grandtour.server.storage.database import Database

log = logging.getLogger(__name__)

FORMAT: Final = 5
"""Increased with every change that an older server cannot read: of a table, a column, a record, a field of a record."""
SUM_BYTES: Final = 16
CHAT_PREFIX: Final = b'{"kind":"say"'
"""The first bytes of the record of a chat line."""

SCHEMA: Final = (
    """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    made REAL NOT NULL,
    public INTEGER NOT NULL,
    card BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tables_made ON tables (public, made);
CREATE TABLE IF NOT EXISTS tested (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    time REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS log (
    id TEXT NOT NULL REFERENCES tables (id),
    n INTEGER NOT NULL,
    record BLOB NOT NULL,
    sum BLOB NOT NULL,
    PRIMARY KEY (id, n)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS heads (
    id TEXT PRIMARY KEY REFERENCES tables (id),
    n INTEGER NOT NULL,
    sum BLOB NOT NULL,
    time REAL NOT NULL,
    chat INTEGER NOT NULL
) WITHOUT ROWID;
"""
    + people_store.SCHEMA
    + notice_store.SCHEMA
    + spectator_store.SCHEMA
    + note_store.SCHEMA
    + clock_store.SCHEMA
    + curve_store.SCHEMA
)
"""`heads` has the number, checksum and time of each table's last record, and the table's number of chat lines."""
RECENT_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS recent (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    n INTEGER NOT NULL,
    record BLOB NOT NULL,
    sum BLOB NOT NULL,
    time REAL NOT NULL
)
"""
"""A buffer for new records in SQLite. They are flushed to `log` later, many at a time: here, the records of all tables
share a few pages, while in `log` every move would write a page of its own table. Code that changes `log` or `heads`
flushes the buffer first, in the same transaction. Code that only reads uses `READ_ONLY_VIEWS`."""
READ_ONLY_VIEWS: Final = f"""
CREATE TEMP VIEW log AS
    SELECT id, n, record, sum FROM main.log UNION ALL SELECT id, n, record, sum FROM main.recent;
CREATE TEMP VIEW heads AS
    SELECT
        heads.id AS id,
        coalesce(last.n, heads.n) AS n,
        coalesce(last.sum, heads.sum) AS sum,
        coalesce(last.time, heads.time) AS time,
        heads.chat + coalesce(last.lines, 0) AS chat
    FROM main.heads LEFT JOIN (
        SELECT id, max(n) AS n, sum, time, sum(substr(record, 1, {len(CHAT_PREFIX)}) = X'{CHAT_PREFIX.hex()}') AS lines
        FROM main.recent GROUP BY id
    ) AS last ON heads.id = last.id;
PRAGMA query_only = ON;
"""
"""Makes a connection read-only. Its views `log` and `heads` include the recent records, so that reading works without
flushing them, even if the disk is full."""


class DamagedRecord(Exception):
    """A record of a table is not what was stored. `problem` completes the sentence "Record 3 of table x …"."""

    def __init__(self, table: str, n: int, problem: str) -> None:
        super().__init__(f"record {n} of table {table} {problem}")
        self.table = table
        self.n = n


def first_sum(table: str) -> bytes:
    """The checksum with which a table's chain starts. It depends on the table's id, so that records of another table do
    not fit."""
    return blake2b(table.encode(), digest_size=SUM_BYTES).digest()


def next_sum(before: bytes, record: bytes) -> bytes:
    return blake2b(before + record, digest_size=SUM_BYTES).digest()


def checked_records(db: Database, table: str) -> list[bytes]:
    """The records of a table in order; none if there is no such table. Raises `DamagedRecord` for the first bad one."""
    found: list[bytes] = []
    last = first_sum(table)
    for n, record, stored in db.execute("SELECT n, record, sum FROM log WHERE id = ? ORDER BY n", (table,)):
        if n != len(found):
            raise DamagedRecord(table, len(found), "is missing")
        last = next_sum(last, record) if isinstance(record, bytes) else b""
        if last != stored:
            raise DamagedRecord(table, n, "does not match its checksum")
        found.append(record)
    head = db.execute("SELECT n, sum FROM heads WHERE id = ?", (table,)).fetchone()
    if head is None and not found:
        return []
    if head is None or head[0] < len(found) - 1:
        raise DamagedRecord(table, 0 if head is None else head[0] + 1, "is not registered as stored")
    if head[0] > len(found) - 1:
        raise DamagedRecord(table, len(found), "is missing")
    if head[1] != last:
        raise DamagedRecord(table, len(found) - 1, "does not match the last checksum of the table")
    return found


def insert_records(db: Database, table: str, n: int, before: bytes, records: Iterable[bytes]) -> bytes:
    """Insert the records n, n + 1, …; `before` is the checksum of record n - 1. Returns the last checksum."""
    rows = []
    for number, record in enumerate(records, n):
        before = next_sum(before, record)
        rows.append((table, number, record, before))
    db.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
    return before


def flush_recent(db: Database) -> None:
    """Move the recent records to `log`, in the current transaction."""
    if db.execute("SELECT 1 FROM recent LIMIT 1").fetchone() is None:
        return
    db.execute(
        """
        UPDATE heads SET n = last.n, sum = last.sum, time = last.time, chat = chat + last.lines FROM (
            SELECT id, max(n) AS n, sum, time, sum(substr(record, 1, ?) = ?) AS lines FROM recent GROUP BY id
        ) AS last WHERE heads.id = last.id
        """,
        (len(CHAT_PREFIX), CHAT_PREFIX),
    )
    db.execute("INSERT INTO log (id, n, record, sum) SELECT id, n, record, sum FROM recent ORDER BY id, n")
    db.execute("DELETE FROM recent")


def flush_all(db: sqlite3.Connection) -> None:
    """Move the recent records to `log`, in a transaction of their own."""
    db.execute("BEGIN IMMEDIATE")
    try:
        flush_recent(db)
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def count_chat_lines(records: Iterable[bytes]) -> int:
    lines = 0
    for record in records:
        if record.startswith(CHAT_PREFIX):
            lines += 1
    return lines


def format_of(db: sqlite3.Connection) -> int:
    """The format of a store; 0 for an empty file."""
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def prepare(db: sqlite3.Connection, file: Path) -> None:
    """Create the store if the file is empty, or migrate it to the current format. A copy in the old format is kept
    beside it."""
    found = format_of(db)
    if found > FORMAT:
        raise Refusal("bad-store", f"The store {file} has format {found}; this program reads formats up to {FORMAT}.")
    if 0 < found < FORMAT:
        kept = file.with_name(f"{file.name}.format-{found}")
        copy(db, kept)
        log.warning(
            "the store %s is migrated from format %d to %d; the old one is kept as %s", file, found, FORMAT, kept
        )
        db.execute("BEGIN IMMEDIATE")
        try:
            for number in range(found, FORMAT):
                if number in MIGRATIONS:
                    MIGRATIONS[number](db)
            for statement in (SCHEMA + RECENT_SCHEMA).split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {FORMAT}")
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise
    else:
        create(db)


def create(db: sqlite3.Connection) -> None:
    """Set up an empty store, or what is missing in one of the current format."""
    db.executescript(SCHEMA + RECENT_SCHEMA)
    db.execute(f"PRAGMA user_version = {FORMAT}")


def copy(db: sqlite3.Connection, file: Path) -> None:
    """Copy a store to a private file, while others may write to the store. An existing file is replaced only if the
    copy succeeds."""
    partial = file.with_name(file.name + ".partial")
    for old in (partial, partial.with_name(partial.name + "-journal")):
        old.unlink(missing_ok=True)  # left behind by a copy that was killed
    partial.touch(0o600)
    try:
        with contextlib.closing(sqlite3.connect(partial, isolation_level=None)) as target:
            # In one step: a copy in several steps would restart after every move, and in WAL mode nobody has to wait.
            db.backup(target, pages=-1)
            if format_of(target) == FORMAT:
                # Deleted data must not be found in the copy.
                target.execute("PRAGMA secure_delete = ON")
                flush_all(target)
            target.execute("PRAGMA journal_mode = DELETE")
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def _add_checksums(db: Database) -> None:
    """To format 2, which has a checksum for every record and a row in `heads` for every table."""
    db.execute("ALTER TABLE log RENAME TO log_1")
    for statement in SCHEMA.split(";"):
        db.execute(statement)
    for table, made in db.execute("SELECT id, made FROM tables").fetchall():
        records = [
            bytes(record) for (record,) in db.execute("SELECT record FROM log_1 WHERE id = ? ORDER BY n", (table,))
        ]
        last = insert_records(db, table, 0, first_sum(table), records)
        db.execute(
            "INSERT INTO heads (id, n, sum, time, chat) VALUES (?, ?, ?, ?, ?)",
            (table, len(records) - 1, last, _last_time(records, made), count_chat_lines(records)),
        )
    db.execute("DROP TABLE log_1")


def _last_time(records: list[bytes], made: float) -> float:
    """The time of the last record that has one."""
    for record in reversed(records):
        with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError):
            decoded: Any = msgspec.json.decode(record)
            if isinstance(decoded, dict) and isinstance(decoded.get("time"), float):
                return float(decoded["time"])
    return made


MIGRATIONS: Final = {1: _add_checksums}
"""Migrations by the format they start from, run in one transaction. A format that only adds tables needs none, because
missing tables are created."""
