"""Which server has which table, when several share a store.

Each server has a row that it renews every second. A table has an owner, in the row with its last record, and a fence: a
number that grows whenever somebody takes the table. Every write names the fence it was made under, and the row has to
have the same one. So a server that was asleep, or cut off, cannot write to a table that another has taken in the
meantime, whatever it believes: the lease only decides when others may take its tables, not whether that is safe.

All times are those of the database's clock, which `now` has been read from.
"""

import secrets
from typing import Any, Final, NamedTuple

import msgspec

from grandtour.server.storage.database import Database
from grandtour.server.storage.store import Alive, BotServer, Elsewhere, Here

LEASE: Final = 3.0
"""Seconds after which a server that has not renewed its lease loses its tables to whoever asks for them."""
RENEW: Final = 1.0
"""Seconds between two renewals."""
FORGET: Final = 3600.0
"""Seconds after which the row of a server that is gone is deleted."""

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS servers (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    machine TEXT NOT NULL,
    seen REAL NOT NULL,
    here BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS shared (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS bot_servers (
    id TEXT PRIMARY KEY,
    address TEXT NOT NULL,
    machine TEXT NOT NULL,
    version TEXT NOT NULL,
    processes INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    seen REAL NOT NULL
);
"""
HEADS: Final = {"owner": "TEXT", "fence": "INTEGER NOT NULL DEFAULT 0"}
"""Columns of `heads`."""


class Head(NamedTuple):
    """A table that this server has: the fence it was taken under, and its last record."""

    fence: int
    n: int
    sum: bytes


class Server(NamedTuple):
    """A server that is alive: its name, where other servers reach it, and the machine it runs on."""

    id: str
    address: str
    machine: str


def register(db: Database, server: Server, now: float) -> None:
    """Register a server that has started, so that it may take tables."""
    db.execute("DELETE FROM servers WHERE seen < ?", (now - FORGET,))
    db.execute(
        "INSERT INTO servers (id, address, machine, seen, here) VALUES (?, ?, ?, ?, ?)",
        (server.id, server.address, server.machine, now, b"{}"),
    )


def renew(db: Database, server: str, now: float, here: bytes | None = None) -> bool:
    """Renew a server's lease; False if it has run out, and its tables may be another's. `here` says who is at its
    public tables, if that has changed."""
    news, values = ("", ()) if here is None else (", here = ?", (here,))
    renewed = db.execute(
        f"UPDATE servers SET seen = ?{news} WHERE id = ? AND seen > ?", (now, *values, server, now - LEASE)
    )
    return renewed.rowcount == 1


def unregister(db: Database, server: str) -> None:
    """Remove a server that is shutting down, so that others can take its tables at once."""
    db.execute("DELETE FROM servers WHERE id = ?", (server,))


def alive(db: Database, now: float) -> list[Server]:
    """The servers that renew their leases."""
    found = db.execute("SELECT id, address, machine FROM servers WHERE seen > ? ORDER BY id", (now - LEASE,))
    return [Server(*row) for row in found]


def everyone(db: Database, now: float) -> Alive:
    """All servers and bot servers that are alive."""
    since = now - LEASE
    servers = [server.address for server in alive(db, now)]
    bots = db.execute(
        "SELECT id, address, machine, version, processes, asked FROM bot_servers WHERE seen > ? ORDER BY id", (since,)
    )
    return Alive(servers, [BotServer(*row) for row in bots])


def renew_bots(db: Database, server: BotServer, now: float) -> None:
    """Register a bot server, or renew its row. It has no tables, so it cannot be too late."""
    db.execute("DELETE FROM bot_servers WHERE seen < ?", (now - FORGET,))
    db.execute(
        """
        INSERT INTO bot_servers (id, address, machine, version, processes, asked, seen) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET asked = excluded.asked, seen = excluded.seen
        """,
        (*server, now),
    )


def unregister_bots(db: Database, server: str) -> None:
    """Remove a bot server that is shutting down, so that nobody asks it any more."""
    db.execute("DELETE FROM bot_servers WHERE id = ?", (server,))


def here(db: Database, now: float) -> Here:
    """Who is at the public tables of all servers."""
    together: Here = {}
    for (said,) in db.execute("SELECT here FROM servers WHERE seen > ?", (now - LEASE,)):
        together |= msgspec.json.decode(said, type=Here)
    return together


def claim(db: Database, table: str, server: str, now: float) -> Head | None:
    """Take a table: one that nobody has, or whose owner has not renewed its lease, or this server's own. None if there
    is no such table; `Elsewhere` if another has it, or if this server's own lease has run out."""
    since = now - LEASE
    taken = db.execute(
        """
        UPDATE heads SET owner = ?, fence = fence + 1 WHERE id = ?
        AND EXISTS (SELECT 1 FROM servers WHERE servers.id = ? AND servers.seen > ?)
        AND (owner IS NULL OR owner = ? OR NOT EXISTS (
            SELECT 1 FROM servers WHERE servers.id = heads.owner AND servers.seen > ?
        ))
        RETURNING fence, n, sum
        """,
        (server, table, server, since, server, since),
    ).fetchone()
    if taken is not None:
        return Head(*taken)
    found: Any = db.execute(
        "SELECT servers.address FROM heads LEFT JOIN servers ON servers.id = heads.owner WHERE heads.id = ?", (table,)
    ).fetchone()
    if found is None:
        return None
    raise Elsewhere(table, found[0] or "")


def release(db: Database, table: str, server: str, fence: int) -> None:
    """Let go of a table, unless it was taken again since."""
    db.execute("UPDATE heads SET owner = NULL WHERE id = ? AND owner = ? AND fence = ?", (table, server, fence))


def fence_after(db: Database, table: str) -> int:
    """A fence for a table that is replaced, so that whoever has it now cannot write to it any more."""
    found = db.execute("SELECT fence FROM heads WHERE id = ?", (table,)).fetchone()
    return 0 if found is None else found[0] + 1


def fence_off(db: Database, table: str, fence: int) -> None:
    """Give a table that was replaced its new fence."""
    db.execute("UPDATE heads SET fence = ?, owner = NULL WHERE id = ?", (fence, table))


def shared_secret(db: Database) -> str:
    """The secret by which the servers of a store know each other."""
    fresh = secrets.token_urlsafe(32)
    db.execute("INSERT INTO shared (name, value) VALUES ('secret', ?) ON CONFLICT (name) DO NOTHING", (fresh,))
    found: str = db.execute("SELECT value FROM shared WHERE name = 'secret'").fetchone()[0]
    return found
