"""Rates by address that are counted in the database, because they hold for all servers that share it."""

import hashlib
import hmac
from typing import Final

from grandtour.server.settings import Rate
from grandtour.server.storage.database import Database
from grandtour.server.storage.store import SharedStore

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS quotas (
    what TEXT NOT NULL,
    address TEXT NOT NULL,
    tokens REAL NOT NULL,
    since REAL NOT NULL,
    PRIMARY KEY (what, address)
);
"""
NOW: Final = "extract(epoch FROM clock_timestamp())::float8"
TOKENS: Final = f"least(?::float8, quotas.tokens + ({NOW} - quotas.since) * ?)"
"""The tokens that an address has now: at most so many, and so many more every second."""


async def take(store: SharedStore, what: str, address: str, rate: Rate) -> bool:
    """Take a token of an address for something, if there is one. Addresses are stored only as a keyed hash, and no
    longer than they matter."""
    key = hmac.new(store.secret.encode(), address.encode(), hashlib.sha256).hexdigest()[:32]
    if rate.at_once < 1 or not await store.run(lambda db: _take(db, what, key, rate)):
        return False
    await store.run(lambda db: _forget_full(db, what, rate))
    return True


def _take(db: Database, what: str, key: str, rate: Rate) -> bool:
    known = (float(rate.at_once), rate.a_second)
    taken = db.execute(
        f"""
        INSERT INTO quotas (what, address, tokens, since) VALUES (?, ?, ?, {NOW})
        ON CONFLICT (what, address) DO UPDATE SET tokens = {TOKENS} - 1, since = {NOW} WHERE {TOKENS} >= 1
        RETURNING tokens
        """,
        (what, key, rate.at_once - 1.0, *known, *known),
    )
    return taken.fetchone() is not None


def _forget_full(db: Database, what: str, rate: Rate) -> None:
    """Forget addresses that are back to normal. Rows in use are skipped, so that nobody waits for this."""
    db.execute(
        f"""
        DELETE FROM quotas WHERE (what, address) IN (
            SELECT what, address FROM quotas WHERE what = ? AND {TOKENS} >= ? FOR UPDATE SKIP LOCKED
        )
        """,
        (what, float(rate.at_once), rate.a_second, float(rate.at_once)),
    )
