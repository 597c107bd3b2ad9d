"""Stores when the next clock of a table runs out, so that the table is loaded then even if nobody is there."""

import asyncio
import logging
import time
from typing import Final

from grandtour.server.storage import clock_store
from grandtour.server.storage.store import Store
from grandtour.server.tables.clocks import Clocks

log = logging.getLogger(__name__)

RETRY_DELAY: Final = 1.0
"""Seconds before another try if nothing can be stored."""


class ClockDeadline:
    """The stored deadline of one table. Only clocks for each move have one: others do not run out while everybody is
    away."""

    def __init__(self, store: Store, table: str) -> None:
        self.task: asyncio.Task[None] | None = None
        self._store = store
        self._table = table
        self._due: int | None = None

    def update(self, clocks: Clocks) -> None:
        """Note when the next clock runs out, if that has changed."""
        first = (
            clocks.next_to_run_out(time.time())
            if clocks.control is not None and clocks.control.kind == "move"
            else None
        )
        due = None if first is None else round(time.time() + first[1])
        if due != self._due:
            self._due = due
            if self.task is None or self.task.done():
                self.task = asyncio.create_task(self._write())

    async def _write(self) -> None:
        noted: int | None = -1
        while noted != self._due:
            due = noted = self._due
            try:
                await self._store.run(lambda db, due=due: clock_store.set_due(db, self._table, due))  # type: ignore[misc]
            except Exception:
                log.exception("the next clock of table %s could not be noted", self._table)
                await asyncio.sleep(RETRY_DELAY)
