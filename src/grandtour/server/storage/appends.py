# compiled
"""Appending records to the logs of many tables in one transaction: what SQLite does for every move."""

import time
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

from grandtour.server.storage.store import Gone, Taken
from grandtour.server.storage.store_format import SUM_BYTES

KNOWN_HEADS: Final = 10_000
"""Tables whose last record is remembered."""

VERSION: Final = "PRAGMA data_version"
"""Another number whenever another program has changed the file."""
FIND: Final = "SELECT n, sum FROM heads WHERE id = ?"
FIND_RECENT: Final = "SELECT n, sum FROM recent WHERE id = ? ORDER BY seq DESC LIMIT 1"
INSERT: Final = "INSERT INTO recent (id, n, record, sum, time) VALUES (?, ?, ?, ?, ?)"
SHOW: Final = "UPDATE tables SET card = ? WHERE id = ?"


class Append:
    """A request to append the records n, n + 1, … to a table. `done` is called when that has happened, or with the
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

    def tell(self) -> None:
        self._done(self.failure)


class Heads:
    """The last number and checksum of tables, where they are known. The file is the truth: others write to it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, bytes]] = {}
        self._version = -1

    def clear(self) -> None:
        """What is known may be wrong, because something was undone, or changed in another way."""
        self._known.clear()

    def append(self, db: Any, group: list[Append]) -> None:
        """Append in the transaction that has begun, to the recent records: they are filed later, many at a time. A
        request that cannot be met gets a failure, and changes nothing."""
        version = db.execute(VERSION).fetchone()[0]
        if version != self._version or len(self._known) >= KNOWN_HEADS:
            self._version = version
            self._known.clear()
        rows: list[tuple[Any, ...]] = []
        cards: list[tuple[Any, ...]] = []
        moved: dict[str, tuple[int, bytes]] = {}
        now = time.time()
        for one in group:
            table = one.table
            one.failure = None
            # Two requests may be for the same table.
            head = moved.get(table) or self._head(db, table)
            if head is None:
                one.failure = Gone(table)
                continue
            n, last = head
            if n != one.n - 1:
                one.failure = Taken(f"record {one.n} of table {table} cannot follow record {n}")
                continue
            for record in one.records:
                n += 1
                last = blake2b(last + record, digest_size=SUM_BYTES).digest()
                # sqlite3 asks around how to store bytes each time; a bytearray it knows.
                rows.append((table, n, bytearray(record), bytearray(last), now))
            if one.card is not None:
                cards.append((one.card, table))
            moved[table] = (n, last)
        if rows:
            db.executemany(INSERT, rows)
        if cards:
            db.executemany(SHOW, cards)
        self._known.update(moved)

    def append_alone(self, db: Any, one: Append) -> None:
        """The same for one request, whose failure is raised."""
        self.append(db, [one])
        if one.failure is not None:
            raise one.failure

    def _head(self, db: Any, table: str) -> tuple[int, bytes] | None:
        """The last record of a table; None if there is no such table."""
        known = self._known.get(table)
        if known is None:
            found = db.execute(FIND_RECENT, (table,)).fetchone() or db.execute(FIND, (table,)).fetchone()
            if found is None:
                return None
            known = self._known[table] = (found[0], found[1])
        return known
