"""PostgreSQL as the store's database: connections, the schema, and translation of SQL that is written for SQLite."""

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
SETUP_LOCK: Final = 7310517
"""The number of the advisory lock that is held while the schema is set up. It has no meaning."""
TYPE_NAMES: Final = {"INTEGER": "BIGINT", "REAL": "DOUBLE PRECISION", "BLOB": "BYTEA", "WITHOUT ROWID": ""}

Error = psycopg.Error
IntegrityError = psycopg.IntegrityError


class PostgresDatabase:
    """A connection that accepts statements in SQLite's syntax."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self.connection = connection

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        return self.connection.execute(translated(sql), values, binary=True)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        cursor = self.connection.cursor()
        cursor.executemany(translated(sql), rows)
        return cursor

    def now(self) -> float:
        """The time of the database's clock."""
        found: float = self.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()[0]
        return found


def connect(url: str) -> "psycopg.Connection[Any]":
    """Connect. Each statement is a transaction of its own, unless a transaction is begun."""
    return psycopg.connect(
        url,
        autocommit=True,
        connect_timeout=CONNECT_TIMEOUT,
        application_name="grandtour",
        options=f"{conninfo_to_dict(url).get('options') or ''} {OPTIONS}".strip(),
        **KEEP_ALIVE,
    )


def open_store(url: str) -> "psycopg.Connection[Any]":
    """Connect to a store, and set it up if the database is empty. Refuses a store that cannot be used."""
    try:
        connection = connect(url)
    except psycopg.Error as error:
        raise Refusal("bad-store", f"The store {without_password(url)} cannot be used: {first_line(error)}.") from None
    try:
        with connection.transaction():
            _prepare(PostgresDatabase(connection), url)
    except psycopg.Error as error:
        connection.close()
        raise Refusal("bad-store", f"The store {without_password(url)} cannot be used: {first_line(error)}.") from None
    except BaseException:
        connection.close()
        raise
    return connection


def without_password(url: str) -> str:
    """The address of a database without user and password, to be shown."""
    return re.sub(r"://[^@/]*@", "://", url).partition("?")[0]


@cache
def translated(sql: str) -> LiteralString:
    """Translate SQL for SQLite into SQL for PostgreSQL."""
    return sql.replace("%", "%%").replace("?", "%s")


def _prepare(db: PostgresDatabase, url: str) -> None:
    # Several servers may start at once.
    db.execute("SELECT pg_advisory_xact_lock(?)", (SETUP_LOCK,))
    db.execute("CREATE TABLE IF NOT EXISTS format (number BIGINT NOT NULL)")
    row = db.execute("SELECT number FROM format").fetchone()
    found = row[0] if row is not None else 0
    if found > store_format.FORMAT:
        raise Refusal(
            "bad-store",
            f"The store {without_password(url)} has format {found}; this program reads formats up to"
            f" {store_format.FORMAT}.",
        )
    # `CREATE INDEX IF NOT EXISTS` locks the table even if the index exists, which can cause a deadlock with servers
    # that are using it. The same is true of columns. So check first.
    for statement in ";".join((store_format.SCHEMA, leases.SCHEMA, quotas.SCHEMA)).split(";"):
        index = re.search(r"CREATE INDEX IF NOT EXISTS (\w+)", statement)
        if index is None or not _exists(db, index[1]):
            db.execute(_with_type_names(statement))
    for column, kind in leases.HEAD_COLUMNS.items():
        if not _exists(db, "heads", column):
            db.execute(_with_type_names(f"ALTER TABLE heads ADD COLUMN {column} {kind}"))
    if row is None:
        db.execute("INSERT INTO format VALUES (?)", (store_format.FORMAT,))
    elif found < store_format.FORMAT:
        db.execute("UPDATE format SET number = ?", (store_format.FORMAT,))


def _exists(db: PostgresDatabase, relation: str, column: str | None = None) -> bool:
    """Whether this table or index exists, or this column of it."""
    found = db.execute(
        """
        SELECT 1 FROM pg_attribute
        WHERE attrelid = to_regclass(?) AND NOT attisdropped AND attname = coalesce(?, attname)
        """,
        (relation, column),
    )
    return found.fetchone() is not None


def _with_type_names(statement: str) -> str:
    for sqlite, postgres in TYPE_NAMES.items():
        statement = re.sub(rf"\b{sqlite}\b", postgres, statement)
    return statement


def first_line(error: Exception) -> str:
    """The first line of an error's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
