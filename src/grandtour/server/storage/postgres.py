"""PostgreSQL as a database for the store: connections, the schema, and SQL that was written for SQLite."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, LiteralString

from grandtour.engine.refusal import Refusal
from grandtour.server.storage import leases, quotas, store_format
from grandtour.server.storage.database import Rows

try:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict
except ImportError:
    raise Refusal(
        "bad-store", 'A store in PostgreSQL needs the package psycopg: pip install "grandtour[postgres]"'
    ) from None

CONNECT_TIMEOUT: Final = 5
"""Seconds to wait for a connection."""
OPTIONS: Final = "-c synchronous_commit=on -c idle_in_transaction_session_timeout=10s -c lock_timeout=5s"
KEEP_ALIVE: Final[dict[str, Any]] = {
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 4000,
}
SETTING_UP: Final = 7310517
"""The advisory lock that is held while the schema is set up: any number."""
TYPES: Final = {"INTEGER": "BIGINT", "REAL": "DOUBLE PRECISION", "BLOB": "BYTEA", "WITHOUT ROWID": ""}

Error = psycopg.Error
IntegrityError = psycopg.IntegrityError


class PostgresDatabase:
    """A connection that takes SQL as SQLite does."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self.connection = connection

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        return self.connection.execute(translated(sql), values, binary=True)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        cursor = self.connection.cursor()
        cursor.executemany(translated(sql), rows)
        return cursor

    def now(self) -> float:
        """The time by the database's clock."""
        found: float = self.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()[0]
        return found


def connect(url: str) -> "psycopg.Connection[Any]":
    """A connection. Every statement is a transaction, unless one is begun."""
    return psycopg.connect(
        url,
        autocommit=True,
        connect_timeout=CONNECT_TIMEOUT,
        application_name="grandtour",
        options=f"{conninfo_to_dict(url).get('options') or ''} {OPTIONS}".strip(),
        **KEEP_ALIVE,
    )


def open_store(url: str) -> "psycopg.Connection[Any]":
    """A connection to a store, which is set up if the database is empty. Raises a refusal if it cannot be used."""
    try:
        connection = connect(url)
    except psycopg.Error as error:
        raise Refusal("bad-store", f"The store {named(url)} cannot be used: {first_line(error)}.") from None
    try:
        with connection.transaction():
            _prepare(PostgresDatabase(connection), url)
    except psycopg.Error as error:
        connection.close()
        raise Refusal("bad-store", f"The store {named(url)} cannot be used: {first_line(error)}.") from None
    except BaseException:
        connection.close()
        raise
    return connection


def named(url: str) -> str:
    """The database without its password, for people."""
    return re.sub(r"://[^@/]*@", "://", url).partition("?")[0]


@cache
def translated(sql: str) -> LiteralString:
    """Translate SQL for SQLite into SQL for PostgreSQL."""
    return sql.replace("%", "%%").replace("?", "%s")


def _prepare(db: PostgresDatabase, url: str) -> None:
    # Several servers may start at once.
    db.execute("SELECT pg_advisory_xact_lock(?)", (SETTING_UP,))
    db.execute("CREATE TABLE IF NOT EXISTS format (number BIGINT NOT NULL)")
    row = db.execute("SELECT number FROM format").fetchone()
    found = row[0] if row is not None else 0
    if found > store_format.FORMAT:
        raise Refusal(
            "bad-store",
            f"The store {named(url)} is of format {found}; this program reads formats up to {store_format.FORMAT}.",
        )
    # PostgreSQL locks a table even to find that an index or a column of it exists, and with servers that are using it
    # that can be a deadlock. So ask first.
    for statement in ";".join((store_format.SCHEMA, leases.SCHEMA, quotas.SCHEMA)).split(";"):
        index = re.search(r"CREATE INDEX IF NOT EXISTS (\w+)", statement)
        if index is None or not _exists(db, index[1]):
            db.execute(_schema(statement))
    for column, kind in leases.HEADS.items():
        if not _exists(db, "heads", column):
            db.execute(_schema(f"ALTER TABLE heads ADD COLUMN {column} {kind}"))
    if row is None:
        db.execute("INSERT INTO format VALUES (?)", (store_format.FORMAT,))
    elif found < store_format.FORMAT:
        db.execute("UPDATE format SET number = ?", (store_format.FORMAT,))


def _exists(db: PostgresDatabase, relation: str, column: str | None = None) -> bool:
    """Whether there is this table or index, or this column of it."""
    found = db.execute(
        """
        SELECT 1 FROM pg_attribute
        WHERE attrelid = to_regclass(?) AND NOT attisdropped AND attname = coalesce(?, attname)
        """,
        (relation, column),
    )
    return found.fetchone() is not None


def _schema(statement: str) -> str:
    for ours, theirs in TYPES.items():
        statement = re.sub(rf"\b{ours}\b", theirs, statement)
    return statement


def first_line(error: Exception) -> str:
    """An error in one line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
