"""Which server owns which table, if several servers share a store.

Each server has a row in the database and renews it every second: that is its lease. Each table has an owner and a
fencing number, stored in `heads` with the number of its last record. The fencing number increases whenever a server
takes the table, and a write fails unless it is made with the current one. So a server that was suspended or cut off can
never write to a table that another server has taken over. The lease only decides how soon tables are taken over; that
it is safe does not depend on the lease.

`now` is always the time of the database's clock.
"""

import secrets
from typing import Any, Final, NamedTuple

import msgspec

from grandtour.server.storage.database import Database
from grandtour.server.storage.store import BotServer, Cluster, PresentSeats, TableElsewhere

LEASE: Final = 3.0
"""Seconds after the last renewal of a server's lease at which other servers may take over its tables."""
RENEW_INTERVAL: Final = 1.0
"""Seconds between two renewals."""
DELETE_AFTER: Final = 3600.0
"""Seconds after which the row of a server that no longer runs is deleted."""

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
HEAD_COLUMNS: Final = {"owner": "TEXT", "fence": "INTEGER NOT NULL DEFAULT 0"}
"""Columns of `heads` that only PostgreSQL has."""


class Head(NamedTuple):
    """A table that this server owns: its fencing number, and the number and checksum of its last record."""

    fence: int
    n: int
    sum: bytes


class Server(NamedTuple):
    """A running server: its id, its internal address, and the machine it runs on."""

    id: str
    address: str
    machine: str


def register(db: Database, server: Server, now: float) -> None:
    """Register a server that has started, so that it may take tables."""
    db.execute("DELETE FROM servers WHERE seen < ?", (now - DELETE_AFTER,))
    db.execute(
        "INSERT INTO servers (id, address, machine, seen, here) VALUES (?, ?, ?, ?, ?)",
        (server.id, server.address, server.machine, now, b"{}"),
    )


def renew(db: Database, server: str, now: float, present: bytes | None = None) -> bool:
    """Renew a server's lease. Returns False if it has expired, in which case others may have taken its tables.
    `present` says who is connected to its public tables, if that has changed."""
    change, values = ("", ()) if present is None else (", here = ?", (present,))
    renewed = db.execute(
        f"UPDATE servers SET seen = ?{change} WHERE id = ? AND seen > ?", (now, *values, server, now - LEASE)
    )
    return renewed.rowcount == 1


def unregister(db: Database, server: str) -> None:
    """Remove a server that is shutting down, so that others can take its tables at once."""
    db.execute("DELETE FROM servers WHERE id = ?", (server,))


def live_servers(db: Database, now: float) -> list[Server]:
    """The servers whose leases have not expired."""
    rows = db.execute("SELECT id, address, machine FROM servers WHERE seen > ? ORDER BY id", (now - LEASE,))
    return [Server(*row) for row in rows]


def read_cluster(db: Database, now: float) -> Cluster:
    """All running servers and bot servers."""
    since = now - LEASE
    servers = [server.address for server in live_servers(db, now)]
    bots = db.execute(
        "SELECT id, address, machine, version, processes, asked FROM bot_servers WHERE seen > ? ORDER BY id", (since,)
    )
    return Cluster(servers, [BotServer(*row) for row in bots])


def renew_bot_server(db: Database, server: BotServer, now: float) -> None:
    """Register a bot server, or renew its row. It owns no tables, so it may do this after its row has expired."""
    db.execute("DELETE FROM bot_servers WHERE seen < ?", (now - DELETE_AFTER,))
    db.execute(
        """
        INSERT INTO bot_servers (id, address, machine, version, processes, asked, seen) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET asked = excluded.asked, seen = excluded.seen
        """,
        (*server, now),
    )


def unregister_bot_server(db: Database, server: str) -> None:
    """Remove a bot server that is shutting down, so that it gets no more requests."""
    db.execute("DELETE FROM bot_servers WHERE id = ?", (server,))


def present_seats(db: Database, now: float) -> PresentSeats:
    """Who is connected to the public tables of all servers."""
    present: PresentSeats = {}
    for (encoded,) in db.execute("SELECT here FROM servers WHERE seen > ?", (now - LEASE,)):
        present |= msgspec.json.decode(encoded, type=PresentSeats)
    return present


def claim(db: Database, table: str, server: str, now: float) -> Head | None:
    """Make this server the owner of a table that has no owner, whose owner's lease has expired, or that it owns
    already. Returns None if there is no such table. Raises `TableElsewhere` if another server owns it, or if this
    server's own lease has expired."""
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
    raise TableElsewhere(table, found[0] or "")


def release(db: Database, table: str, server: str, fence: int) -> None:
    """Give up a table, unless it has been taken again in the meantime."""
    db.execute("UPDATE heads SET owner = NULL WHERE id = ? AND owner = ? AND fence = ?", (table, server, fence))


def next_fence(db: Database, table: str) -> int:
    """The next fencing number of a table. Once it is set, the current owner can no longer write to the table."""
    found = db.execute("SELECT fence FROM heads WHERE id = ?", (table,)).fetchone()
    return 0 if found is None else found[0] + 1


def set_fence(db: Database, table: str, fence: int) -> None:
    """Set the fencing number of a table, and leave it without an owner."""
    db.execute("UPDATE heads SET fence = ?, owner = NULL WHERE id = ?", (fence, table))


def shared_secret(db: Database) -> str:
    """The secret with which the servers of a store authenticate requests to each other."""
    fresh = secrets.token_urlsafe(32)
    db.execute("INSERT INTO shared (name, value) VALUES ('secret', ?) ON CONFLICT (name) DO NOTHING", (fresh,))
    found: str = db.execute("SELECT value FROM shared WHERE name = 'secret'").fetchone()[0]
    return found
