"""The SQL about notices: who wants them, where they go, and those that have not been sent yet."""

from typing import Final, NamedTuple

from grandtour.server.storage.database import Database as Db

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS notice_wishes (
    passport TEXT PRIMARY KEY REFERENCES passports (id),
    wanted INTEGER NOT NULL,
    webhook TEXT NOT NULL,
    page TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS push_subscriptions (
    device TEXT PRIMARY KEY,
    passport TEXT NOT NULL REFERENCES passports (id),
    endpoint TEXT NOT NULL,
    receiver TEXT NOT NULL,
    auth TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS push_subscriptions_passport ON push_subscriptions (passport);
CREATE TABLE IF NOT EXISTS waiting_notices (
    passport TEXT NOT NULL REFERENCES passports (id),
    kind TEXT NOT NULL,
    table_id TEXT NOT NULL,
    title TEXT NOT NULL,
    seat INTEGER NOT NULL,
    key TEXT NOT NULL,
    since REAL NOT NULL,
    PRIMARY KEY (passport, kind, table_id)
);
CREATE INDEX IF NOT EXISTS waiting_notices_table ON waiting_notices (table_id);
"""
"""`page` is the address of the page on which notices were turned on, for links to it; "" if it is not known."""


class Wish(NamedTuple):
    wanted: bool
    webhook: str
    page: str


class Subscription(NamedTuple):
    """A browser that takes notices, as it said itself."""

    device: str
    passport: str
    endpoint: str
    receiver: str
    auth: str


class Waiting(NamedTuple):
    """A notice that has not been sent yet. It names nobody, so that nobody has to be forgotten here."""

    passport: str
    kind: str
    table: str
    title: str
    seat: int
    key: str
    since: float


NONE: Final = Wish(False, "", "")


def wish(db: Db, passport: str) -> Wish:
    row = db.execute("SELECT wanted, webhook, page FROM notice_wishes WHERE passport = ?", (passport,)).fetchone()
    return NONE if row is None else Wish(bool(row[0]), row[1], row[2])


def set_wish(db: Db, passport: str, wish: Wish) -> None:
    db.execute("DELETE FROM notice_wishes WHERE passport = ?", (passport,))
    db.execute("INSERT INTO notice_wishes VALUES (?, ?, ?, ?)", (passport, int(wish.wanted), wish.webhook, wish.page))


def subscriptions(db: Db, passport: str) -> list[Subscription]:
    found = db.execute(
        "SELECT device, passport, endpoint, receiver, auth FROM push_subscriptions WHERE passport = ? ORDER BY device",
        (passport,),
    )
    return [Subscription(*row) for row in found.fetchall()]


def subscribe(db: Db, subscription: Subscription) -> None:
    """A device has one subscription: the newest."""
    unsubscribe(db, subscription.device)
    db.execute("INSERT INTO push_subscriptions VALUES (?, ?, ?, ?, ?)", subscription)


def unsubscribe(db: Db, device: str) -> None:
    db.execute("DELETE FROM push_subscriptions WHERE device = ?", (device,))


def keep(db: Db, notice: Waiting) -> None:
    """Keep a notice until it is sent, in place of an earlier one of the same kind."""
    take(db, notice.passport, notice.kind, notice.table)
    db.execute("INSERT INTO waiting_notices VALUES (?, ?, ?, ?, ?, ?, ?)", notice)


def waiting(db: Db) -> list[Waiting]:
    found = db.execute(
        "SELECT passport, kind, table_id, title, seat, key, since FROM waiting_notices ORDER BY passport"
    )
    return [Waiting(*row) for row in found.fetchall()]


def take(db: Db, passport: str, kind: str, table: str) -> bool:
    """Take a notice out of the store to send it; False if it has been taken already."""
    where = "passport = ? AND kind = ? AND table_id = ?"
    return db.execute(f"DELETE FROM waiting_notices WHERE {where}", (passport, kind, table)).rowcount > 0


def delete_table(db: Db, table: str) -> None:
    db.execute("DELETE FROM waiting_notices WHERE table_id = ?", (table,))


def erase(db: Db, passport: str) -> None:
    for table in ("notice_wishes", "push_subscriptions", "waiting_notices"):
        db.execute(f"DELETE FROM {table} WHERE passport = ?", (passport,))
