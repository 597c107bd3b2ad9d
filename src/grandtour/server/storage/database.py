"""A connection to the store's database, SQLite or PostgreSQL.

Statements are written once, in SQLite's syntax: with `?` for values, with the types TEXT, INTEGER, REAL and BLOB, and
only with features that both databases have, such as `ON CONFLICT` and `RETURNING`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol


class Rows(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """A connection within a transaction, such as `sqlite3.Connection`."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Rows: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows: ...
