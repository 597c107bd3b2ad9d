"""A pool of processes for slow work, so that it does not block the server."""

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

from grandtour.players import worker

T = TypeVar("T")

WARM_UP_TIMEOUT: Final = 30.0
"""Seconds a new process may take to start or to prepare before it counts as broken."""


class Pool:
    """Processes that are started when there is work, and restarted when they break."""

    def __init__(self, processes: int, begin: Callable[[], None] = worker.begin) -> None:
        self.processes = processes
        self._begin = begin
        self.generation = 0
        """How often the processes have been replaced. New processes have not prepared for any game yet."""
        self._pool: ProcessPoolExecutor | None = None
        self._ready: asyncio.Future[bool]

    async def run(self, deadline: float, work: Callable[..., T], *given: object) -> T:
        """The result of the work within this many seconds. Raises TimeoutError if the work takes longer and
        BrokenProcessPool if any process of the pool broke. Work that timed out must end by itself."""
        pool = await self._awake()
        try:
            return await asyncio.wait_for(asyncio.wrap_future(worker.submit(pool, work, *given)), deadline)
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
        """The pool, with at least one process running. The start does not count against the deadline of the work."""
        if self._pool is None:
            # Processes are spawned, because forked ones would share the store and the sockets.
            context = multiprocessing.get_context("spawn")
            fresh = ProcessPoolExecutor(self.processes, context, initializer=self._begin)
            self._ready = asyncio.wrap_future(worker.submit(fresh, worker.ready))
            self._pool = fresh
        pool = self._pool
        try:
            await asyncio.wait_for(asyncio.shield(self._ready), WARM_UP_TIMEOUT)
        except (TimeoutError, BrokenProcessPool):
            if self._pool is pool:
                self.close()
            raise
        return pool
