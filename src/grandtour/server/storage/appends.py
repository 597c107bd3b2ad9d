# compiled
"""Appending records to the logs of many tables in one transaction: what SQLite does for every move."""

import time
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

from grandtour.server.storage.store import Gone, Taken
from grandtour.server.storage.store_format import CHAT, SUM_BYTES

KNOWN_HEADS: Final = 10_000
"""Tables whose last record is remembered."""

FIND: Final = "SELECT n, sum FROM heads WHERE id = ?"
ADVANCE: Final = "UPDATE heads SET n = ?, sum = ?, time = ?, chat = chat + ? WHERE id = ? AND n = ? AND sum = ?"
INSERT: Final = "INSERT INTO log VALUES (?, ?, ?, ?)"
SHOW: Final = "UPDATE tables SET card = ? WHERE id = ?"


class Append:
    """A request to append the records n, n + 1, … to a table. `done` is called when that has happened, or with the
    `failure`."""

    writes: Final = True

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

    def clear(self) -> None:
        self._known.clear()

    def append(self, db: Any, group: list[Append]) -> bool:
        """Append in the transaction that has begun. A request that cannot be met gets a failure, and changes nothing.
        Returns False if a table does not end as it should: then the transaction must be rolled back."""
        heads: list[tuple[Any, ...]] = []
        rows: list[tuple[Any, ...]] = []
        cards: list[tuple[Any, ...]] = []
        moved: dict[str, tuple[int, bytes]] = {}
        now = time.time()
        for one in group:
            table = one.table
            head = moved.get(table)
            if head is None or head[0] != one.n - 1:
                head = self._head(db, one)
                if head is None:
                    continue
            n, last = head
            chat = 0
            for record in one.records:
                n += 1
                last = blake2b(last + record, digest_size=SUM_BYTES).digest()
                if record.startswith(CHAT):
                    chat += 1
                # sqlite3 asks around how to store bytes each time; a bytearray it knows.
                rows.append((table, n, bytearray(record), bytearray(last)))
            heads.append((n, bytearray(last), now, chat, table, head[0], bytearray(head[1])))
            if one.card is not None:
                cards.append((one.card, table))
            moved[table] = (n, last)
        if heads:
            # In the order of the requests: two of them may be for the same table.
            if db.executemany(ADVANCE, heads).rowcount != len(heads):
                self._known.clear()
                return False
            db.executemany(INSERT, rows)
            if cards:
                db.executemany(SHOW, cards)
            if len(self._known) >= KNOWN_HEADS:
                self._known.clear()
            self._known.update(moved)
        return True

    def append_alone(self, db: Any, one: Append) -> None:
        """The same for one request, whose failure is raised."""
        # The first time, what is known about the table may be wrong; then nothing has changed.
        if not self.append(db, [one]) and not self.append(db, [one]):
            raise Taken(f"table {one.table} does not end with record {one.n - 1}")
        if one.failure is not None:
            raise one.failure

    def _head(self, db: Any, one: Append) -> tuple[int, bytes] | None:
        """The last record of a table, if it is the one before the first of these."""
        one.failure = None
        known = self._known.get(one.table)
        if known is not None and known[0] == one.n - 1:
            return known
        found = db.execute(FIND, (one.table,)).fetchone()
        if found is None:
            one.failure = Gone(one.table)
        elif found[0] != one.n - 1:
            one.failure = Taken(f"record {one.n} of table {one.table} cannot follow record {found[0]}")
        else:
            return found[0], found[1]
        return None
