# compiled
"""The alarm for a game's own timer, such as the sand timer of Word Traveler."""

import asyncio
import time
from collections.abc import Callable

from grandtour.engine.game import Clock
from grandtour.protocol import messages
from grandtour.server.tables.table import Table


class GameClock:
    """While the table is paused, no timer runs."""

    def __init__(self) -> None:
        self.running: Clock | None = None
        self._ends = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    def wind(self, table: Table, ring: Callable[[Clock], None], least: float = 0.0) -> None:
        """Start the game's current timer, unless it is running already. `ring` is called when it has run out.

        It is measured from the event that started it, but at least `least` seconds are left if it was set to that many.
        """
        clock = None if table.clocks.paused else table.clock
        if clock == self.running:
            return
        self.stop()
        self.running = clock
        if clock is not None:
            seconds: float = clock["seconds"]
            # If the machine's clock was set back, this timer must not run longer than it was set to.
            left = min(seconds, max(seconds - (time.time() - table.clock_started), least))
            self._ends = time.monotonic() + left
            self._alarm = asyncio.get_running_loop().call_later(left, ring, clock)

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self.running = self._alarm = None

    def told(self) -> messages.Json | None:
        """The timer as it is sent to clients."""
        if self.running is None:
            return None
        return {**self.running, "left": round(max(0.0, self._ends - time.monotonic()), 1)}
