"""Garbage collection in short steps, so that thousands of tables in memory cause no pauses.

A full collection examines every object, which takes up to a second with two thousand tables. So as soon as collections
become slow, all existing objects are frozen (`gc.freeze`) and not examined again. Tables have no reference cycles, so
they are freed as soon as they are unloaded. Sockets have cycles: those that were open at a freeze stay in memory after
they are closed, until the next full collection. A full collection happens every hour if nobody is connected or there
are few tables, and also whenever many such sockets have been closed.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from typing import Final, NamedTuple

INTERVAL: Final = 1.0
"""Seconds between two collections while they are fast."""
MIN_INTERVAL: Final = 0.02
"""The minimum number of seconds between two collections."""
SLOW_COLLECTION: Final = 0.01
"""Seconds of CPU time. After a slower collection, all objects are frozen, and the next collection comes sooner."""
FULL_INTERVAL: Final = 3600.0
"""The minimum number of seconds between full collections, unless many sockets have been closed."""
FAST_BYTES: Final = 64 * 1024 * 1024
"""The size of the tables in bytes up to which a full collection is fast."""
MAX_FROZEN_SOCKETS: Final = 5000
"""The number of closed sockets that may stay in memory, with about 20 kB each."""
YOUNG_THRESHOLD: Final = 20_000
"""The number of new objects that triggers a collection of the youngest generation. With a large number, most of the
garbage of a move is freed by reference counting before it is ever examined."""
NEVER: Final = 1_000_000_000
MAX_YOUNG_COLLECTIONS: Final = 5
"""The number of collections of the youngest generation after which all generations are collected, because their
survivors make that slow. While tables are being loaded, there are a dozen per second."""
CHECK_INTERVAL: Final = 0.05
"""Seconds between two checks of that number."""


class Load(NamedTuple):
    """The server's load: bytes of tables, open sockets, and sockets closed since it was started."""

    tables_bytes: int
    sockets: int
    sockets_closed: int


async def collect_garbage(load: Callable[[], Load]) -> None:
    """Collect garbage on the schedule above, in place of Python's own, until cancelled."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    # Objects that survive are not examined again until all generations are collected.
    gc.set_threshold(YOUNG_THRESHOLD, NEVER, NEVER)
    full, set_aside, closed = time.monotonic(), 0, load().sockets_closed
    pause = INTERVAL
    try:
        while True:
            await _wait(pause)
            now = load()
            quiet = not now.sockets or now.tables_bytes <= FAST_BYTES
            left = min(set_aside, now.sockets_closed - closed)
            if left > MAX_FROZEN_SOCKETS or (quiet and time.monotonic() - full >= FULL_INTERVAL):
                gc.unfreeze()
                full, set_aside, closed = time.monotonic(), 0, now.sockets_closed
            began = time.thread_time()
            gc.collect()
            if time.thread_time() - began >= SLOW_COLLECTION:
                gc.freeze()
                set_aside += now.sockets
                pause = max(MIN_INTERVAL, pause / 2)
            else:
                pause = min(INTERVAL, pause * 2)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def _wait(seconds: float) -> None:
    """Wait this many seconds, or less if there is much to collect."""
    until = time.monotonic() + seconds
    while True:
        await asyncio.sleep(min(CHECK_INTERVAL, max(0.0, until - time.monotonic())))
        if time.monotonic() >= until or gc.get_count()[1] >= MAX_YOUNG_COLLECTIONS:
            return
