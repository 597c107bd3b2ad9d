"""The hard bot, asked by people: for a hint, and for what it would have done."""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.players import thinking
from grandtour.players.hard import Hard
from grandtour.players.judging import Advice, Verdict
from grandtour.server.pool import WARM_UP, Pool

T = TypeVar("T")
log = logging.getLogger(__name__)


def busy() -> Refusal:
    return Refusal("busy", "Everyone is thinking right now: ask again in a moment.")


class Advisers:
    """One process that gives way to the bots' own, one thought after another, and few who may wait for one."""

    def __init__(self, waiting: int, deadline: float, budget: str, share: int | None = None) -> None:
        """At most so many may wait for a hint, and of one address no more than its share of them."""
        self.waiting = waiting
        self.share = waiting if share is None else share
        self.deadline = deadline
        self.budget = budget
        self._asked: Counter[str] = Counter()
        self._turn = asyncio.Lock()
        self._pool = Pool(1, thinking.begin_gently)

    async def hint(self, game: Game, imagined: State, seat: int, address: str = "") -> Advice:
        """The moves that are worth a thought, the best first. Too many who ask at once are refused as busy.

        `imagined` is all the bot gets to know.
        """
        if self._asked.total() >= self.waiting or self._asked[address] >= self.share:
            raise busy()
        self._asked[address] += 1
        try:
            return await self._think(thinking.ponder, self.budget, game, imagined, seat)
        finally:
            self._asked[address] -= 1
            if not self._asked[address]:
                del self._asked[address]

    async def judge(self, budget: str, game: Game, imagined: State, seat: int, played: int) -> Verdict | None:
        """What would have been better than the move that was played; None where nothing is known to be.

        It waits for those who asked before, however many.
        """
        return await self._think(thinking.judge, budget, game, imagined, seat, played)

    async def _think(
        self, work: Callable[..., T], budget: str, game: Game, imagined: State, seat: int, *more: object
    ) -> T:
        """One thought with a budget, when those who asked before have had theirs."""
        given = (f"{Hard.name}:{budget}", game.name, imagined, seat, *more, secrets.randbits(62), self.deadline)
        async with self._turn:
            try:
                try:
                    return await self._ask(game, work, *given)
                except BrokenProcessPool:
                    return await self._ask(game, work, *given)
            except TimeoutError:
                log.warning("the adviser thought too long about a move of %s", game.name)
                raise busy() from None
            except Exception:
                log.exception("the adviser failed in %s", game.name)
                raise Refusal("failed", "The bot could not think about this; you are on your own.") from None

    async def _ask(self, game: Game, work: Callable[..., T], *given: object) -> T:
        # What is worked out once for all thoughts about a game is not taken from the time of the first.
        await self._pool.ask(WARM_UP, thinking.prepare, game.name, WARM_UP)
        return await self._pool.ask(self.deadline, work, *given)

    def close(self) -> None:
        self._pool.close()
