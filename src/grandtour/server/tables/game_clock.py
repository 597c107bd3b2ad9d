# compiled
"""The timer of a game itself, such as the sand timer of Word Traveler."""

import asyncio
import time
from collections.abc import Callable

from grandtour.engine.game import Clock
from grandtour.protocol import messages
from grandtour.server.tables.table import Table


class GameClock:
    """Calls back when the game's timer runs out. While the table is paused, it is stopped."""

    def __init__(self) -> None:
        self.running: Clock | None = None
        self._ends = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    def update(self, table: Table, on_end: Callable[[Clock], None], min_left: float = 0.0) -> None:
        """Start the game's current timer, unless it is running already. `on_end` is called when it has run out.

        Its time counts from the event that started it. At least `min_left` seconds are left, unless it was set to less.
        """
        clock = None if table.clocks.paused else table.clock
        if clock == self.running:
            return
        self.stop()
        self.running = clock
        if clock is not None:
            seconds: float = clock["seconds"]
            # The machine's clock may have been set back; the timer must not run longer than it was set to.
            left = min(seconds, max(seconds - (time.time() - table.clock_started), min_left))
            self._ends = time.monotonic() + left
            self._alarm = asyncio.get_running_loop().call_later(left, on_end, clock)

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self.running = self._alarm = None

    def message(self) -> messages.Json | None:
        """The timer as it is sent to clients."""
        if self.running is None:
            return None
        return {**self.running, "left": round(max(0.0, self._ends - time.monotonic()), 1)}
