"""The SQL about clocks: when the next clock of each table runs out, and when servers were running."""

from typing import Final

from grandtour.server.storage.database import Database

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS due (
    id TEXT PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    time REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY,
    started REAL NOT NULL,
    seen REAL NOT NULL
) WITHOUT ROWID;
"""


def set_due(db: Database, table: str, time: float | None) -> None:
    db.execute("DELETE FROM due WHERE id = ?", (table,))
    if time is not None:
        db.execute("INSERT INTO due SELECT id, ? FROM tables WHERE id = ?", (time, table))


def due_before(db: Database, time: float, limit: int) -> list[str]:
    found = db.execute("SELECT id FROM due WHERE time <= ? ORDER BY time LIMIT ?", (time, limit))
    return [table for (table,) in found]


def record_run(db: Database, run: str, started: float, seen: float, oldest: float) -> None:
    """Record that a server was running until `seen`, and delete runs that ended before `oldest`."""
    db.execute("DELETE FROM runs WHERE id = ? OR seen < ?", (run, oldest))
    db.execute("INSERT INTO runs VALUES (?, ?, ?)", (run, started, seen))


def runs(db: Database) -> list[tuple[float, float]]:
    return [(started, seen) for started, seen in db.execute("SELECT started, seen FROM runs")]
