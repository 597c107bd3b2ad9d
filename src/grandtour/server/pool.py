"""Processes that think for the server, so that a long thought holds nobody up."""

import asyncio
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

from grandtour.players import thinking

T = TypeVar("T")

WARM_UP: Final = 30.0
"""Seconds that a fresh process may take to come up, or to prepare itself, before it counts as broken."""


class Pool:
    """Processes that are made when there is something to think about, and made anew when they break."""

    def __init__(self, processes: int, begin: Callable[[], None] = thinking.begin) -> None:
        self.processes = processes
        self._begin = begin
        self.generation = 0
        """How often the processes have been ended: those of another generation know nothing of what these learnt."""
        self._pool: ProcessPoolExecutor | None = None
        self._ready: asyncio.Future[bool]

    async def ask(self, deadline: float, work: Callable[..., T], *given: object) -> T:
        """What the work comes to, in so many seconds; TimeoutError when it does not, BrokenProcessPool when a process
        broke, this work's or another's. The work is to end by itself when it is late: nobody waits for it any more."""
        pool = await self._awake()
        try:
            return await asyncio.wait_for(asyncio.wrap_future(_submit(pool, work, *given)), deadline)
        except BrokenProcessPool:
            if self._pool is pool:
                self.close()
            raise

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
            self.generation += 1

    async def _awake(self) -> ProcessPoolExecutor:
        """The processes, one of which is up: the time it takes is not taken from the work's."""
        if self._pool is None:
            # A process of its own from the ground up: a fork would share the store and the sockets.
            context = multiprocessing.get_context("spawn")
            fresh = ProcessPoolExecutor(self.processes, context, initializer=self._begin)
            self._ready = asyncio.wrap_future(_submit(fresh, thinking.ready))
            self._pool = fresh
        pool = self._pool
        try:
            await asyncio.wait_for(asyncio.shield(self._ready), WARM_UP)
        except (TimeoutError, BrokenProcessPool):
            if self._pool is pool:
                self.close()
            raise
        return pool


def _submit(pool: ProcessPoolExecutor, work: Callable[..., T], *given: object) -> Future[T]:
    """Ask a pool for something. It may start a process for it, which Ctrl-C is not to reach even while it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        return pool.submit(work, *given)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(work, *given)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
