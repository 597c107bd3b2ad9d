"""The SQL about the chat of spectators."""

from typing import Any, Final, NamedTuple

from grandtour.server.storage.database import Database as Db

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS gallery (
    table_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    request TEXT NOT NULL,
    passport TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (table_id, n)
);
CREATE INDEX IF NOT EXISTS gallery_passport ON gallery (passport);
"""
"""`passport` is "" for spectators who have none. `request` is the id that the client chose for its request."""


class Line(NamedTuple):
    n: int
    request: str
    name: str
    text: str


def lines(db: Db, table: str) -> list[Line]:
    found = db.execute("SELECT n, request, name, text FROM gallery WHERE table_id = ? ORDER BY n", (table,))
    return [Line(*row) for row in found.fetchall()]


def add(db: Db, table: str, request: str, name: str, text: str, passport: str, limit: int) -> Line | None:
    """Store a line, and delete the oldest lines beyond the limit. Returns None if the request has been stored
    already."""
    known = db.execute("SELECT n FROM gallery WHERE table_id = ? AND request = ?", (table, request))
    if known.fetchone() is not None:
        return None
    last: Any = db.execute("SELECT COALESCE(MAX(n), 0) FROM gallery WHERE table_id = ?", (table,)).fetchone()
    line = Line(int(last[0]) + 1, request, name, text)
    db.execute("INSERT INTO gallery VALUES (?, ?, ?, ?, ?, ?)", (table, line.n, request, passport, name, text))
    db.execute("DELETE FROM gallery WHERE table_id = ? AND n <= ?", (table, line.n - limit))
    return line


def delete_table(db: Db, table: str) -> None:
    db.execute("DELETE FROM gallery WHERE table_id = ?", (table,))


def erase(db: Db, passport: str) -> int:
    """Delete a person's lines, and return their number."""
    return db.execute("DELETE FROM gallery WHERE passport = ?", (passport,)).rowcount
