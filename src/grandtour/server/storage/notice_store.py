"""The SQL about notices: people's settings, their browsers' subscriptions, and notices that have not been sent yet."""

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
"""`page` is the origin of the page on which notices were turned on, for links in webhooks; "" if it is not known."""


class Preference(NamedTuple):
    """Whether somebody wants notices, and the webhook that gets them."""

    wanted: bool
    webhook: str
    page: str


class Subscription(NamedTuple):
    """The Web Push subscription of a browser."""

    device: str
    passport: str
    endpoint: str
    receiver: str
    auth: str


class WaitingNotice(NamedTuple):
    """A notice that has not been sent yet. It contains no names, so nothing has to be removed from it when a person is
    forgotten."""

    passport: str
    kind: str
    table: str
    title: str
    seat: int
    key: str
    since: float


NO_NOTICES: Final = Preference(False, "", "")


def preference(db: Db, passport: str) -> Preference:
    row = db.execute("SELECT wanted, webhook, page FROM notice_wishes WHERE passport = ?", (passport,)).fetchone()
    return NO_NOTICES if row is None else Preference(bool(row[0]), row[1], row[2])


def set_preference(db: Db, passport: str, preference: Preference) -> None:
    row = (passport, int(preference.wanted), preference.webhook, preference.page)
    db.execute("DELETE FROM notice_wishes WHERE passport = ?", (passport,))
    db.execute("INSERT INTO notice_wishes VALUES (?, ?, ?, ?)", row)


def subscriptions(db: Db, passport: str) -> list[Subscription]:
    rows = db.execute(
        "SELECT device, passport, endpoint, receiver, auth FROM push_subscriptions WHERE passport = ? ORDER BY device",
        (passport,),
    )
    return [Subscription(*row) for row in rows.fetchall()]


def subscribe(db: Db, subscription: Subscription) -> None:
    """Store a subscription. It replaces the device's earlier one."""
    unsubscribe(db, subscription.device)
    db.execute("INSERT INTO push_subscriptions VALUES (?, ?, ?, ?, ?)", subscription)


def unsubscribe(db: Db, device: str) -> None:
    db.execute("DELETE FROM push_subscriptions WHERE device = ?", (device,))


def add_waiting(db: Db, notice: WaitingNotice) -> None:
    """Store a notice until it is sent. It replaces an earlier one of the same kind about the same table."""
    take(db, notice.passport, notice.kind, notice.table)
    db.execute("INSERT INTO waiting_notices VALUES (?, ?, ?, ?, ?, ?, ?)", notice)


def all_waiting(db: Db) -> list[WaitingNotice]:
    rows = db.execute("SELECT passport, kind, table_id, title, seat, key, since FROM waiting_notices ORDER BY passport")
    return [WaitingNotice(*row) for row in rows.fetchall()]


def take(db: Db, passport: str, kind: str, table: str) -> bool:
    """Delete a notice in order to send it. Returns False if it has been taken already."""
    where = "passport = ? AND kind = ? AND table_id = ?"
    return db.execute(f"DELETE FROM waiting_notices WHERE {where}", (passport, kind, table)).rowcount > 0


def delete_table(db: Db, table: str) -> None:
    db.execute("DELETE FROM waiting_notices WHERE table_id = ?", (table,))


def erase(db: Db, passport: str) -> None:
    for table in ("notice_wishes", "push_subscriptions", "waiting_notices"):
        db.execute(f"DELETE FROM {table} WHERE passport = ?", (passport,))
