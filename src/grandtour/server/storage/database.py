"""A connection to the store's database, SQLite or PostgreSQL.

SQL for both databases is written once: as SQLite takes it, with `?` for values, with the types TEXT, INTEGER, REAL and
BLOB, and without anything that only one of them knows. `ON CONFLICT` and `RETURNING` are known to both.
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
