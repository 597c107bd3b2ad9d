"""Backups of a store in PostgreSQL: files of SQLite, like all backups, so that either database can restore them."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grandtour.engine.refusal import Refusal
from grandtour.server.storage import leases, postgres, store_format
from grandtour.server.storage.postgres import PostgresDatabase

AT_ONCE: Final = 2000
"""Rows that are in memory at once."""


def save(url: str, file: Path) -> None:
    """Copy a store to a private file, as it is at this moment, while others may write to the store."""
    partial = file.with_name(file.name + ".partial")
    partial.unlink(missing_ok=True)
    partial.touch(0o600)
    try:
        with (
            contextlib.closing(postgres.open_store(url)) as connection,
            contextlib.closing(sqlite3.connect(partial, isolation_level=None)) as copy,
        ):
            store_format.create(copy)
            copy.execute("BEGIN")
            with connection.transaction():
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                for name, columns in _shape(copy):
                    with connection.cursor(name="copy", binary=True) as rows:
                        rows.itersize = AT_ONCE
                        rows.execute(f"SELECT {', '.join(columns)} FROM {name}".encode())
                        copy.executemany(_insert(name, columns), rows)
            copy.execute("COMMIT")
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def load(url: str, source: sqlite3.Connection, force: bool) -> None:
    """Replace a store with a backup, all or nothing. No server may be running."""
    with contextlib.closing(postgres.open_store(url)) as connection, connection.transaction():
        db = PostgresDatabase(connection)
        if leases.alive(db, db.now()):
            raise Refusal("bad-store", f"A server is using the store {postgres.named(url)}.")
        if db.execute("SELECT 1 FROM tables LIMIT 1").fetchone() is not None and not force:
            raise Refusal("bad-store", f"There are tables in {postgres.named(url)} already; --force replaces them.")
        shape = list(_shape(source))
        db.execute(f"TRUNCATE {', '.join(name for name, _ in shape)}")
        for name, columns in shape:
            rows = source.execute(f"SELECT {', '.join(columns)} FROM {name}")
            while some := rows.fetchmany(AT_ONCE):
                db.executemany(_insert(name, columns), some)


def _shape(db: sqlite3.Connection) -> Iterator[tuple[str, list[str]]]:
    """The tables of a store and their columns, those first that others refer to."""
    for (name,) in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'recent' ORDER BY rowid"
    ).fetchall():
        yield name, [column for _, column, *_ in db.execute(f"PRAGMA table_info({name})")]


def _insert(name: str, columns: list[str]) -> str:
    return f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
