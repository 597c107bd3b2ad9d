"""Backups of a store in PostgreSQL. Like all backups they are SQLite files, so either database can restore them."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grandtour.engine.refusal import Refusal
from grandtour.server.storage import leases, postgres, store_format
from grandtour.server.storage.postgres import PostgresDatabase

BATCH_ROWS: Final = 2000
"""The number of rows that are in memory at once."""


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
                for name, columns in _columns_by_table(copy):
                    with connection.cursor(name="copy", binary=True) as rows:
                        rows.itersize = BATCH_ROWS
                        rows.execute(f"SELECT {', '.join(columns)} FROM {name}".encode())
                        copy.executemany(_insert(name, columns), rows)
            copy.execute("COMMIT")
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def load(url: str, source: sqlite3.Connection, force: bool) -> None:
    """Replace a store with a backup, all or nothing. No server may be running."""
    store = postgres.without_password(url)
    with contextlib.closing(postgres.open_store(url)) as connection, connection.transaction():
        db = PostgresDatabase(connection)
        if leases.live_servers(db, db.now()):
            raise Refusal("bad-store", f"A server is using the store {store}.")
        if db.execute("SELECT 1 FROM tables LIMIT 1").fetchone() is not None and not force:
            raise Refusal("bad-store", f"There are tables in {store} already; --force replaces them.")
        shape = list(_columns_by_table(source))
        db.execute(f"TRUNCATE {', '.join(name for name, _ in shape)}")
        for name, columns in shape:
            rows = source.execute(f"SELECT {', '.join(columns)} FROM {name}")
            while batch := rows.fetchmany(BATCH_ROWS):
                db.executemany(_insert(name, columns), batch)


def _columns_by_table(db: sqlite3.Connection) -> Iterator[tuple[str, list[str]]]:
    """The tables of a store and their columns. A table that others refer to comes before them."""
    for (name,) in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'recent' ORDER BY rowid"
    ).fetchall():
        yield name, [column for _, column, *_ in db.execute(f"PRAGMA table_info({name})")]


def _insert(name: str, columns: list[str]) -> str:
    return f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
