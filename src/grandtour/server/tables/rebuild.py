"""Rebuilds stored tables without blocking the others."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from grandtour.server.tables import records
from grandtour.server.tables.table import Table

MAX_DIRECT_RECORDS: Final = 100
"""A table with at most this many records is rebuilt in the event loop, which takes a few milliseconds."""

_thread = ThreadPoolExecutor(1, "rebuild")


async def rebuild(id: str, stored: list[bytes]) -> Table:
    """Rebuild a table from its records. Long ones are rebuilt in a thread, one at a time."""
    if len(stored) <= MAX_DIRECT_RECORDS:
        return _rebuild(id, stored)
    return await asyncio.get_running_loop().run_in_executor(_thread, _rebuild, id, stored)


def _rebuild(id: str, stored: list[bytes]) -> Table:
    return Table.rebuild(id, map(records.decode, stored))
