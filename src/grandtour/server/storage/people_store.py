"""The SQL about people: passports and their devices, the seats they took, and the results of their matches.

Every function takes a connection and is called within a transaction. Secrets are stored only as hashes. The statements
work in SQLite and in PostgreSQL.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from grandtour.server.storage import note_store, notice_store
from grandtour.server.storage.database import Database as Db

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS passports (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    picture TEXT NOT NULL,
    made REAL NOT NULL,
    shown INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS devices (
    id TEXT PRIMARY KEY,
    passport TEXT NOT NULL REFERENCES passports (id),
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    made REAL NOT NULL,
    seen REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS devices_passport ON devices (passport);
CREATE TABLE IF NOT EXISTS device_links (
    passport TEXT PRIMARY KEY REFERENCES passports (id),
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    expires REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS places (
    passport TEXT NOT NULL REFERENCES passports (id),
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    key TEXT NOT NULL,
    game TEXT NOT NULL,
    sat REAL NOT NULL,
    ended REAL,
    share REAL,
    report TEXT,
    PRIMARY KEY (passport, table_id)
);
CREATE INDEX IF NOT EXISTS places_table ON places (table_id);
CREATE TABLE IF NOT EXISTS mentions (
    passport TEXT NOT NULL REFERENCES passports (id),
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (passport, table_id)
);
CREATE INDEX IF NOT EXISTS mentions_table ON mentions (table_id);
CREATE TABLE IF NOT EXISTS invitations (
    passport TEXT NOT NULL REFERENCES passports (id),
    table_id TEXT NOT NULL,
    inviter TEXT NOT NULL,
    sent REAL NOT NULL,
    PRIMARY KEY (passport, table_id)
);
CREATE INDEX IF NOT EXISTS invitations_table ON invitations (table_id);
CREATE TABLE IF NOT EXISTS ratings (
    passport TEXT NOT NULL REFERENCES passports (id),
    game TEXT NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (passport, game)
);
CREATE TABLE IF NOT EXISTS deals (
    table_id TEXT PRIMARY KEY,
    day TEXT NOT NULL,
    game TEXT NOT NULL,
    passport TEXT,
    name TEXT NOT NULL,
    place INTEGER,
    score REAL,
    share REAL
);
CREATE INDEX IF NOT EXISTS deals_day ON deals (game, day);
CREATE TABLE IF NOT EXISTS own_secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
"""
"""A place is a seat that a passport took; its `key` is the seat's. A mention is a seat that has the person's name in a
branch of their match. `deals` are the attempts at deals of the day."""


class Passport(NamedTuple):
    id: str
    name: str
    picture: str
    made: float
    shown: bool
    """Whether the profile is public."""


class Device(NamedTuple):
    """A browser that holds a passport. `key` is the hash of its secret."""

    id: str
    passport: str
    key: str
    name: str
    made: float
    seen: float


class Place(NamedTuple):
    """A seat that a passport took. `report` is JSON about the finished match."""

    passport: str
    table: str
    seat: int
    key: str
    game: str
    sat: float
    ended: float | None
    share: float | None
    report: str | None


def add_passport(db: Db, passport: Passport, device: Device) -> None:
    row = (passport.id, passport.name, passport.picture, passport.made, int(passport.shown))
    db.execute("INSERT INTO passports VALUES (?, ?, ?, ?, ?)", row)
    add_device(db, device)


def passport(db: Db, id: str) -> Passport | None:
    row = db.execute("SELECT id, name, picture, made, shown FROM passports WHERE id = ?", (id,)).fetchone()
    return None if row is None else Passport(row[0], row[1], row[2], row[3], bool(row[4]))


def change_passport(db: Db, id: str, name: str, picture: str, shown: bool) -> None:
    db.execute(
        "UPDATE passports SET name = ?, picture = ?, shown = ? WHERE id = ?",
        (name, picture, int(shown), id),
    )


def add_device(db: Db, device: Device) -> None:
    db.execute("INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?)", device)


def device(db: Db, id: str) -> Device | None:
    row = db.execute("SELECT id, passport, key, name, made, seen FROM devices WHERE id = ?", (id,)).fetchone()
    return None if row is None else Device(*row)


def devices(db: Db, passport: str) -> list[Device]:
    found = db.execute(
        "SELECT id, passport, key, name, made, seen FROM devices WHERE passport = ? ORDER BY made, id", (passport,)
    )
    return [Device(*row) for row in found.fetchall()]


def set_last_seen(db: Db, id: str, now: float) -> None:
    db.execute("UPDATE devices SET seen = ? WHERE id = ?", (now, id))


def delete_device(db: Db, passport: str, id: str) -> bool:
    """Delete a device. Returns False if the passport has no such device."""
    db.execute("DELETE FROM push_subscriptions WHERE passport = ? AND device = ?", (passport, id))
    return db.execute("DELETE FROM devices WHERE passport = ? AND id = ?", (passport, id)).rowcount > 0


def set_link(db: Db, passport: str, id: str, key: str, expires: float) -> None:
    """Store a link to another device. It replaces the passport's earlier one."""
    db.execute("DELETE FROM device_links WHERE passport = ?", (passport,))
    db.execute("INSERT INTO device_links VALUES (?, ?, ?, ?)", (passport, id, key, expires))


def find_link(db: Db, id: str) -> tuple[str, str, float] | None:
    """The passport, key and expiry of a link."""
    row = db.execute("SELECT passport, key, expires FROM device_links WHERE id = ?", (id,)).fetchone()
    return None if row is None else (row[0], row[1], row[2])


def delete_link(db: Db, passport: str) -> None:
    db.execute("DELETE FROM device_links WHERE passport = ?", (passport,))


_PLACE: Final = "passport, table_id, seat, key, game, sat, ended, share, report"


def save_place(db: Db, place: Place) -> None:
    """Record that somebody took a seat. It replaces an earlier seat of the person at the same table."""
    db.execute("DELETE FROM places WHERE passport = ? AND table_id = ?", (place.passport, place.table))
    db.execute("INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", place)
    db.execute("DELETE FROM invitations WHERE passport = ? AND table_id = ?", (place.passport, place.table))


def place(db: Db, passport: str, table: str) -> Place | None:
    row = db.execute(
        f"SELECT {_PLACE} FROM places WHERE passport = ? AND table_id = ?",
        (passport, table),
    ).fetchone()
    return None if row is None else Place(*row)


def places_at(db: Db, table: str) -> list[Place]:
    found = db.execute(f"SELECT {_PLACE} FROM places WHERE table_id = ? ORDER BY seat", (table,))
    return [Place(*row) for row in found.fetchall()]


def delete_place(db: Db, passport: str, table: str) -> None:
    db.execute("DELETE FROM places WHERE passport = ? AND table_id = ?", (passport, table))


class ListedPlace(NamedTuple):
    """A place, with its table as the lobby lists it and the number of the table's last event. Both are None if the
    table has been deleted."""

    place: Place
    card: bytes | None
    n: int | None


def running(db: Db, passport: str, limit: int) -> list[ListedPlace]:
    """The places whose match has no recorded result, most recently used first."""
    rows = db.execute(
        f"SELECT {_prefixed('places')}, tables.card, heads.n FROM places"
        " JOIN tables ON tables.id = places.table_id JOIN heads ON heads.id = places.table_id"
        " WHERE places.passport = ? AND places.ended IS NULL ORDER BY heads.time DESC LIMIT ?",
        (passport, limit),
    )
    return [ListedPlace(Place(*row[:9]), bytes(row[9]), row[10]) for row in rows.fetchall()]


def finished(db: Db, passport: str, limit: int) -> list[ListedPlace]:
    """The places of finished matches, latest first."""
    rows = db.execute(
        f"SELECT {_prefixed('places')}, tables.card, heads.n FROM places"
        " LEFT JOIN tables ON tables.id = places.table_id LEFT JOIN heads ON heads.id = places.table_id"
        " WHERE places.passport = ? AND places.ended IS NOT NULL ORDER BY places.ended DESC LIMIT ?",
        (passport, limit),
    )
    return [ListedPlace(Place(*row[:9]), None if row[9] is None else bytes(row[9]), row[10]) for row in rows.fetchall()]


def set_results(db: Db, table: str, ended: float, reports: Iterable[tuple[str, float | None, str]]) -> bool:
    """Record the result of a match: for each passport its share of the win (None for a branch, which does not count)
    and a report. Returns False if the result had been recorded before."""
    fresh = False
    for passport, share, report in reports:
        changed = db.execute(
            "UPDATE places SET ended = ?, share = ?, report = ? WHERE passport = ? AND table_id = ? AND ended IS NULL",
            (ended, share, report, passport, table),
        )
        fresh = fresh or changed.rowcount > 0
    return fresh


def change_report(db: Db, place: Place, report: str) -> None:
    db.execute(
        "UPDATE places SET report = ? WHERE passport = ? AND table_id = ?", (report, place.passport, place.table)
    )


def erase(db: Db, passport: str) -> None:
    """Delete everything about a person except what is in the logs of tables."""
    for table in ("devices", "device_links", "places", "mentions", "invitations", "ratings", "deals"):
        db.execute(f"DELETE FROM {table} WHERE passport = ?", (passport,))
    notice_store.erase(db, passport)
    note_store.erase(db, passport)
    db.execute("DELETE FROM passports WHERE id = ?", (passport,))


def erase_unused(db: Db, before: float, limit: int) -> int:
    """Delete up to `limit` passports that no device has used since then and that have no games, ratings, invitations or
    attempts at deals of the day. Returns their number."""
    unused = " ".join(
        f"AND NOT EXISTS (SELECT 1 FROM {table} WHERE {table}.passport = passports.id)"
        for table in ("places", "mentions", "invitations", "ratings", "deals", "notes")
    )
    found = db.execute(
        "SELECT id FROM passports WHERE made < ? AND NOT EXISTS"
        f" (SELECT 1 FROM devices WHERE devices.passport = passports.id AND devices.seen >= ?) {unused} LIMIT ?",
        (before, before, limit),
    ).fetchall()
    for (id,) in found:
        erase(db, id)
    return len(found)


def erase_table(db: Db, table: str) -> None:
    """Delete everything about a table that is being deleted. A finished match stays in its players' histories."""
    for name in ("mentions", "invitations"):
        db.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))
    db.execute("DELETE FROM places WHERE table_id = ? AND ended IS NULL", (table,))


def add_mention(db: Db, passport: str, table: str, seat: int) -> None:
    db.execute("INSERT INTO mentions VALUES (?, ?, ?)", (passport, table, seat))


def mentions(db: Db, passport: str) -> list[tuple[str, int]]:
    found = db.execute("SELECT table_id, seat FROM mentions WHERE passport = ?", (passport,)).fetchall()
    return [(table, seat) for table, seat in found]


def all_places(db: Db, passport: str) -> list[Place]:
    found = db.execute(f"SELECT {_PLACE} FROM places WHERE passport = ? ORDER BY sat", (passport,))
    return [Place(*row) for row in found.fetchall()]


def companions(db: Db, passport: str, limit: int) -> list[tuple[str, str, str, int]]:
    """The people who finished matches at the same tables: id, name, picture and number of matches, most first."""
    found = db.execute(
        "SELECT passports.id, passports.name, passports.picture, COUNT(*) FROM places AS mine"
        " JOIN places AS theirs ON theirs.table_id = mine.table_id AND theirs.passport <> mine.passport"
        " JOIN passports ON passports.id = theirs.passport"
        " WHERE mine.passport = ? AND mine.ended IS NOT NULL AND theirs.ended IS NOT NULL"
        " GROUP BY passports.id, passports.name, passports.picture ORDER BY COUNT(*) DESC, passports.id LIMIT ?",
        (passport, limit),
    )
    return [(row[0], row[1], row[2], row[3]) for row in found.fetchall()]


def played(db: Db, passport: str) -> list[tuple[str, int, int]]:
    """For each game, how many matches somebody has finished, and how many of them they won or shared the win of; the
    most frequent game first."""
    found = db.execute(
        "SELECT game, COUNT(*), SUM(CASE WHEN share > 0 THEN 1 ELSE 0 END) FROM places"
        " WHERE passport = ? AND share IS NOT NULL GROUP BY game ORDER BY COUNT(*) DESC, game",
        (passport,),
    )
    return [(row[0], int(row[1]), int(row[2])) for row in found.fetchall()]


def opponents(db: Db, passport: str, limit: int) -> list[tuple[Passport, int, int]]:
    """The people with whom somebody has finished matches, how many matches, and in how many these people did better;
    the most frequent first."""
    found = db.execute(
        "SELECT them.id, them.name, them.picture, them.made, them.shown, COUNT(*),"
        " SUM(CASE WHEN theirs.share > mine.share THEN 1 ELSE 0 END) FROM places AS mine"
        " JOIN places AS theirs ON theirs.table_id = mine.table_id AND theirs.passport <> mine.passport"
        " JOIN passports AS them ON them.id = theirs.passport"
        " WHERE mine.passport = ? AND mine.share IS NOT NULL AND theirs.share IS NOT NULL"
        " GROUP BY them.id, them.name, them.picture, them.made, them.shown ORDER BY COUNT(*) DESC, them.id LIMIT ?",
        (passport, limit),
    )
    return [
        (Passport(row[0], row[1], row[2], row[3], bool(row[4])), int(row[5]), int(row[6])) for row in found.fetchall()
    ]


def count_invitations(db: Db, table: str) -> int:
    """The number of people who have an invitation to a table."""
    row: Any = db.execute("SELECT COUNT(*) FROM invitations WHERE table_id = ?", (table,)).fetchone()
    return int(row[0])


def add_invitation(db: Db, passport: str, table: str, inviter: str, sent: float) -> bool:
    """Add an invitation. Returns False if the person has one already."""
    added = db.execute(
        "INSERT INTO invitations VALUES (?, ?, ?, ?) ON CONFLICT (passport, table_id) DO NOTHING",
        (passport, table, inviter, sent),
    )
    return added.rowcount > 0


def withdraw_invitations(db: Db, table: str, inviter: str) -> None:
    """Delete the invitations to a table that the player with this name has sent."""
    db.execute("DELETE FROM invitations WHERE table_id = ? AND inviter = ?", (table, inviter))


class SentInvitation(NamedTuple):
    """An invitation: the table as the lobby lists it, who sent it, and when."""

    card: bytes
    inviter: str
    sent: float


def invitations(db: Db, passport: str, limit: int) -> list[SentInvitation]:
    found = db.execute(
        "SELECT tables.card, invitations.inviter, invitations.sent FROM invitations"
        " JOIN tables ON tables.id = invitations.table_id WHERE invitations.passport = ?"
        " ORDER BY invitations.sent DESC LIMIT ?",
        (passport, limit),
    )
    return [SentInvitation(bytes(card), inviter, sent) for card, inviter, sent in found.fetchall()]


def rating(db: Db, passport: str, game: str) -> tuple[float, float, int] | None:
    row = db.execute(
        "SELECT mu, sigma, games FROM ratings WHERE passport = ? AND game = ?", (passport, game)
    ).fetchone()
    return None if row is None else (row[0], row[1], row[2])


def set_rating(db: Db, passport: str, game: str, mu: float, sigma: float, games: int) -> None:
    db.execute("DELETE FROM ratings WHERE passport = ? AND game = ?", (passport, game))
    db.execute("INSERT INTO ratings VALUES (?, ?, ?, ?, ?)", (passport, game, mu, sigma, games))


def ratings(db: Db, passport: str) -> dict[str, tuple[float, float, int]]:
    found = db.execute("SELECT game, mu, sigma, games FROM ratings WHERE passport = ?", (passport,)).fetchall()
    return {game: (mu, sigma, games) for game, mu, sigma, games in found}


def reports(db: Db, passport: str, game: str, limit: int) -> list[tuple[str, int, str]]:
    """The tables, seats and reports of somebody's latest finished matches of a game, without branches."""
    found = db.execute(
        "SELECT table_id, seat, report FROM places WHERE passport = ? AND game = ? AND share IS NOT NULL"
        " ORDER BY ended DESC LIMIT ?",
        (passport, game, limit),
    )
    return [(row[0], row[1], row[2]) for row in found.fetchall()]


def server_secret(db: Db, name: str, fresh: str) -> str:
    """A secret of the server. The first call stores the value `fresh`; later calls return it."""
    db.execute("INSERT INTO own_secrets VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, fresh))
    row: Any = db.execute("SELECT value FROM own_secrets WHERE name = ?", (name,)).fetchone()
    return str(row[0])


def _prefixed(table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in _PLACE.split(", "))
