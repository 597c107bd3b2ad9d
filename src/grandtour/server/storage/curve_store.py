"""The SQL about the curves of the chances in finished matches, one for each table."""

from typing import Final

from grandtour.server.storage.database import Database

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS curves (
    id TEXT PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    curve BLOB NOT NULL
) WITHOUT ROWID;
"""


def load(db: Database, table: str) -> bytes | None:
    row = db.execute("SELECT curve FROM curves WHERE id = ?", (table,)).fetchone()
    return None if row is None else bytes(row[0])


def save(db: Database, table: str, curve: bytes) -> None:
    """Store a curve, unless the table has been deleted in the meantime."""
    if db.execute("SELECT id FROM tables WHERE id = ?", (table,)).fetchone() is not None:
        db.execute("DELETE FROM curves WHERE id = ?", (table,))
        db.execute("INSERT INTO curves (id, curve) VALUES (?, ?)", (table, curve))
