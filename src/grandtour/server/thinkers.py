"""Bots think in processes of their own, so that a long thought holds nobody up."""

import asyncio
import logging
import multiprocessing
import secrets
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players import thinking
from grandtour.server.records import Why

log = logging.getLogger(__name__)
T = TypeVar("T")

WARM_UP: Final = 30.0
"""Seconds that a fresh process may take to come up before it counts as broken."""


class Thinkers:
    """A pool of processes, made when the first bot has to think, and made anew when it breaks."""

    def __init__(self, processes: int, deadline: float) -> None:
        self.processes = processes
        self.deadline = deadline
        self._pool: ProcessPoolExecutor | None = None
        self._ready: asyncio.Future[bool]

    async def choose(self, bot: str, game: Game, imagined: State, seat: int) -> tuple[int, Why | None]:
        """A legal move for a bot, in time: where the bot does not come up with one, it is drawn, and why is said.

        `imagined` is all the bot gets to know.
        """
        why: Why
        try:
            try:
                move = await self._ask(bot, game, imagined, seat)
            except BrokenProcessPool:
                # Most likely another bot took the pool down with it.
                move = await self._ask(bot, game, imagined, seat)
            if move in imagined.legal(seat):
                return move, None
            log.warning("the bot %s chose a move of %s that is not legal", bot, game.name)
            why = "failed"
        except TimeoutError:
            log.warning("the bot %s thought too long about a move of %s", bot, game.name)
            why = "late"
        except Exception:
            log.exception("the bot %s failed in %s", bot, game.name)
            why = "failed"
        return secrets.choice(imagined.legal(seat)), why

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    async def _ask(self, bot: str, game: Game, imagined: State, seat: int) -> int:
        pool = await self._awake()
        try:
            asked = _submit(pool, thinking.think, bot, game.name, imagined, seat, secrets.randbits(62), self.deadline)
            return await asyncio.wait_for(asyncio.wrap_future(asked), self.deadline)
        except BrokenProcessPool:
            if self._pool is pool:
                self.close()
            raise

    async def _awake(self) -> ProcessPoolExecutor:
        """The pool, with a process that is up: the time it takes is not taken from the bot's."""
        if self._pool is None:
            # A process of its own from the ground up: a fork would share the store and the sockets.
            context = multiprocessing.get_context("spawn")
            fresh = ProcessPoolExecutor(self.processes, context, initializer=thinking.begin)
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
