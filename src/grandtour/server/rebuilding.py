"""Tables come back from the store without holding up the others."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from grandtour.server import records
from grandtour.server.table import Table

SHORT: Final = 100
"""Records of a table that is rebuilt on the spot: that takes some milliseconds."""

_thread = ThreadPoolExecutor(1, "rebuild")


async def rebuild(id: str, stored: list[bytes]) -> Table:
    """The table that these records lead to. Long ones are rebuilt one after another, beside everything else."""
    if len(stored) <= SHORT:
        return _rebuild(id, stored)
    return await asyncio.get_running_loop().run_in_executor(_thread, _rebuild, id, stored)


def _rebuild(id: str, stored: list[bytes]) -> Table:
    return Table.rebuild(id, map(records.decode, stored))
