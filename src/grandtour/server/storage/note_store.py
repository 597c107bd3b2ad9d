"""The SQL about the notes that players wrote about moments of their matches."""

from typing import Final, NamedTuple

from grandtour.server.storage.database import Database as Db

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS notes (
    table_id TEXT NOT NULL,
    passport TEXT NOT NULL REFERENCES passports (id),
    step INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (table_id, passport, step)
);
CREATE INDEX IF NOT EXISTS notes_passport ON notes (passport);
"""


class Note(NamedTuple):
    passport: str
    step: int
    seat: int
    text: str


def notes(db: Db, table: str) -> list[Note]:
    found = db.execute(
        "SELECT passport, step, seat, text FROM notes WHERE table_id = ? ORDER BY step, seat, passport", (table,)
    )
    return [Note(*row) for row in found.fetchall()]


def set_note(db: Db, table: str, note: Note) -> None:
    """Write a note, or delete it if it is empty."""
    db.execute("DELETE FROM notes WHERE table_id = ? AND passport = ? AND step = ?", (table, note.passport, note.step))
    if note.text:
        db.execute("INSERT INTO notes VALUES (?, ?, ?, ?, ?)", (table, note.passport, note.step, note.seat, note.text))


def delete_table(db: Db, table: str) -> None:
    db.execute("DELETE FROM notes WHERE table_id = ?", (table,))


def erase(db: Db, passport: str) -> None:
    db.execute("DELETE FROM notes WHERE passport = ?", (passport,))
