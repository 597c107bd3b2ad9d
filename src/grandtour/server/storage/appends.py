# compiled
"""Appends records to the logs of many tables in one SQLite transaction. This is done for every move."""

import time
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

from grandtour.server.storage.store import NumberTaken, TableDeleted
from grandtour.server.storage.store_format import SUM_BYTES

KNOWN_HEADS: Final = 10_000
"""The maximum number of tables in the cache."""

DATA_VERSION: Final = "PRAGMA data_version"
"""Returns another number each time another program has changed the file."""
FIND: Final = "SELECT n, sum FROM heads WHERE id = ?"
FIND_RECENT: Final = "SELECT n, sum FROM recent WHERE id = ? ORDER BY seq DESC LIMIT 1"
INSERT: Final = "INSERT INTO recent (id, n, record, sum, time) VALUES (?, ?, ?, ?, ?)"
SHOW: Final = "UPDATE tables SET card = ? WHERE id = ?"


class Append:
    """A request to append the records n, n + 1, … to a table. `done` is called when they are stored, or with the
    `failure`."""

    def __init__(
        self,
        table: str,
        n: int,
        records: list[bytes],
        card: bytes | None,
        done: Callable[[Exception | None], None],
    ) -> None:
        self.table: Final = table
        self.n: Final = n
        self.records: Final = records
        self.card: Final = card
        self.failure: Exception | None = None
        self._done: Final = done

    def notify(self) -> None:
        self._done(self.failure)


class HeadCache:
    """A cache of the number and checksum of each table's last record. It is emptied when another program has changed
    the file."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, bytes]] = {}
        self._version = -1

    def clear(self) -> None:
        """Empty the cache, because a transaction was rolled back or changed tables in another way."""
        self._known.clear()

    def append(self, db: Any, group: list[Append]) -> None:
        """Append to the recent records, in the current transaction. They are flushed to the log later, many at a time.
        A request that cannot be carried out gets a `failure` and changes nothing."""
        version = db.execute(DATA_VERSION).fetchone()[0]
        if version != self._version or len(self._known) >= KNOWN_HEADS:
            self._version = version
            self._known.clear()
        rows: list[tuple[Any, ...]] = []
        cards: list[tuple[Any, ...]] = []
        updated: dict[str, tuple[int, bytes]] = {}
        now = time.time()
        for request in group:
            table = request.table
            request.failure = None
            # Two requests may be for the same table.
            head = updated.get(table) or self._head(db, table)
            if head is None:
                request.failure = TableDeleted(table)
                continue
            n, last = head
            if n != request.n - 1:
                request.failure = NumberTaken(f"record {request.n} of table {table} cannot follow record {n}")
                continue
            for record in request.records:
                n += 1
                last = blake2b(last + record, digest_size=SUM_BYTES).digest()
                # For bytes, sqlite3 looks for an adapter each time; for a bytearray it does not.
                rows.append((table, n, bytearray(record), bytearray(last), now))
            if request.card is not None:
                cards.append((request.card, table))
            updated[table] = (n, last)
        if rows:
            db.executemany(INSERT, rows)
        if cards:
            db.executemany(SHOW, cards)
        self._known.update(updated)

    def append_one(self, db: Any, request: Append) -> None:
        """Append for a single request, and raise its failure."""
        self.append(db, [request])
        if request.failure is not None:
            raise request.failure

    def _head(self, db: Any, table: str) -> tuple[int, bytes] | None:
        """The number and checksum of a table's last record; None if there is no such table."""
        known = self._known.get(table)
        if known is None:
            found = db.execute(FIND_RECENT, (table,)).fetchone() or db.execute(FIND, (table,)).fetchone()
            if found is None:
                return None
            known = self._known[table] = (found[0], found[1])
        return known
