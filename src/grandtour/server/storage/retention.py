"""Deletes old tables and chat from the store, one table at a time, so that moves do not wait long."""

from typing import Final

import msgspec

from grandtour.server.storage import note_store, notice_store, people_store, spectator_store
from grandtour.server.storage.database import Database
from grandtour.server.storage.store_format import CHAT_PREFIX, first_sum, insert_records
from grandtour.server.tables import records
from grandtour.server.tables.records import Said

REMOVED_TEXT: Final = "(removed)"
"""Replaces a chat line that has been deleted."""
DAY: Final = 24 * 3600.0


def last_used_before(db: Database, time: float) -> list[str]:
    """The tables without events since then."""
    return [table for (table,) in db.execute("SELECT id FROM heads WHERE time < ? ORDER BY time", (time,))]


def with_chat_before(db: Database, time: float) -> list[str]:
    """The tables without events since then that have chat."""
    found = db.execute(
        "SELECT id FROM heads WHERE time < ? AND (chat > 0 OR id IN (SELECT table_id FROM gallery)) ORDER BY time",
        (time,),
    )
    return [table for (table,) in found]


def delete_table(db: Database, table: str) -> bool:
    """Delete everything about a table. Returns whether it existed."""
    people_store.erase_table(db, table)
    db.execute("DELETE FROM log WHERE id = ?", (table,))
    db.execute("DELETE FROM heads WHERE id = ?", (table,))
    spectator_store.delete_table(db, table)
    note_store.delete_table(db, table)
    notice_store.delete_table(db, table)
    db.execute("DELETE FROM due WHERE id = ?", (table,))
    db.execute("DELETE FROM curves WHERE id = ?", (table,))
    return db.execute("DELETE FROM tables WHERE id = ?", (table,)).rowcount > 0


def delete_chat(db: Database, table: str) -> None:
    """Delete the chat of a table. Events keep their numbers; the checksums of the log are computed again."""
    found = db.execute("SELECT record FROM log WHERE id = ? ORDER BY n", (table,))
    rewrite(db, table, [_without_text(bytes(record)) for (record,) in found])
    spectator_store.delete_table(db, table)
    db.execute("UPDATE heads SET chat = 0 WHERE id = ?", (table,))


def rewrite(db: Database, table: str, cleaned: list[bytes], card: bytes | None = None) -> None:
    """Replace all records of a table, and its card if one is given. The number of records must stay the same."""
    if card is not None:
        db.execute("UPDATE tables SET card = ? WHERE id = ?", (card, table))
    db.execute("DELETE FROM log WHERE id = ?", (table,))
    last = insert_records(db, table, 0, first_sum(table), cleaned)
    db.execute("UPDATE heads SET sum = ? WHERE id = ?", (last, table))


def _without_text(record: bytes) -> bytes:
    if not record.startswith(CHAT_PREFIX):
        return record
    chat_line = records.decode(record)
    assert isinstance(chat_line, Said)
    return records.encode(msgspec.structs.replace(chat_line, text=REMOVED_TEXT))
