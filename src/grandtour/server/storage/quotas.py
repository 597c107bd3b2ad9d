"""Token buckets in the database: rate limits by address that all servers enforce together."""

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
"""The tokens that an address has now. The parameters are the size of the bucket and the tokens added per second."""


async def take(store: SharedStore, what: str, address: str, rate: Rate) -> bool:
    """Take a token of an address from the bucket `what`. Returns False if it is empty. Addresses are stored only as
    keyed hashes, until their buckets are full again."""
    key = hmac.new(store.secret.encode(), address.encode(), hashlib.sha256).hexdigest()[:32]
    if rate.burst < 1 or not await store.run(lambda db: _take(db, what, key, rate)):
        return False
    await store.run(lambda db: _delete_full(db, what, rate))
    return True


def _take(db: Database, what: str, key: str, rate: Rate) -> bool:
    refill = (float(rate.burst), rate.per_second)
    taken = db.execute(
        f"""
        INSERT INTO quotas (what, address, tokens, since) VALUES (?, ?, ?, {NOW})
        ON CONFLICT (what, address) DO UPDATE SET tokens = {TOKENS} - 1, since = {NOW} WHERE {TOKENS} >= 1
        RETURNING tokens
        """,
        (what, key, rate.burst - 1.0, *refill, *refill),
    )
    return taken.fetchone() is not None


def _delete_full(db: Database, what: str, rate: Rate) -> None:
    """Delete buckets that are full again. Locked rows are skipped, so that this does not wait."""
    db.execute(
        f"""
        DELETE FROM quotas WHERE (what, address) IN (
            SELECT what, address FROM quotas WHERE what = ? AND {TOKENS} >= ? FOR UPDATE SKIP LOCKED
        )
        """,
        (what, float(rate.burst), rate.per_second, float(rate.burst)),
    )
