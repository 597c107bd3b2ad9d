"""Garbage collection in short steps, so that thousands of tables in memory cause no pauses.

A full collection examines every object: with two thousand tables it takes up to a second. So as soon as
collections become long, all existing objects are frozen (`gc.freeze`) and not examined again. Tables have no reference
cycles, so they are freed as soon as they leave the memory. Sockets do have cycles: those that were open at a freeze
stay in memory after they are closed, until the next full collection. It comes every hour if nobody is connected or
there are few tables, and in any case when many such sockets have been closed.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from typing import Final, NamedTuple

EVERY: Final = 1.0
"""Seconds between two collections while they are short."""
OFTEN: Final = 0.02
"""The fewest seconds between two collections."""
LONG: Final = 0.01
"""Seconds of CPU time. After a collection that takes longer, all objects are frozen, and the next comes sooner."""
FULL_EVERY: Final = 3600.0
"""The minimum number of seconds between full collections, unless there is much to collect."""
QUIET_BYTES: Final = 64 * 1024 * 1024
"""Bytes of tables. With no more than this, a full collection is short."""
MAX_LEFT: Final = 5000
"""The number of closed sockets that may stay in memory, at about 20 kB each."""
YOUNG: Final = 20_000
"""The number of new objects that triggers a collection of the youngest generation. The more there are, the more of
what a move leaves behind is gone before it is ever examined."""
NEVER: Final = 1_000_000_000
MANY: Final = 5
"""The number of collections of the youngest generation after which everything is collected: what they left makes that
take long. While tables are loaded there are a dozen a second."""
LOOK: Final = 0.05
"""Seconds between two looks at how many there were."""


class Load(NamedTuple):
    """The server's load: bytes of tables, open sockets, and sockets closed since it was started."""

    tables_bytes: int
    sockets: int
    sockets_closed: int


async def collect_garbage(load: Callable[[], Load]) -> None:
    """Replace Python's own schedule while this runs."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    # What survives is not examined again before the next collection of everything.
    gc.set_threshold(YOUNG, NEVER, NEVER)
    full, set_aside, closed = time.monotonic(), 0, load().sockets_closed
    pause = EVERY
    try:
        while True:
            await _wait(pause)
            now = load()
            quiet = not now.sockets or now.tables_bytes <= QUIET_BYTES
            left = min(set_aside, now.sockets_closed - closed)
            if left > MAX_LEFT or (quiet and time.monotonic() - full >= FULL_EVERY):
                gc.unfreeze()
                full, set_aside, closed = time.monotonic(), 0, now.sockets_closed
            began = time.thread_time()
            gc.collect()
            if time.thread_time() - began >= LONG:
                gc.freeze()
                set_aside += now.sockets
                pause = max(OFTEN, pause / 2)
            else:
                pause = min(EVERY, pause * 2)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def _wait(seconds: float) -> None:
    """Wait so long, or until there is much to collect."""
    until = time.monotonic() + seconds
    while True:
        await asyncio.sleep(min(LOOK, max(0.0, until - time.monotonic())))
        if time.monotonic() >= until or gc.get_count()[1] >= MANY:
            return
