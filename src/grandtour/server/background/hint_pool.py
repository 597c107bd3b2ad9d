"""The hard bot, used for hints during a match and for reviews after it."""

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
from grandtour.players import worker
from grandtour.players.hard import Hard
from grandtour.players.review import Advice, Verdict
from grandtour.server.background.process_pool import WARM_UP_TIMEOUT, Pool

T = TypeVar("T")
log = logging.getLogger(__name__)


def busy() -> Refusal:
    return Refusal("busy", "The hint bot is busy: ask again in a moment.")


class HintPool:
    """One low-priority process that handles one request at a time, with a short queue."""

    def __init__(self, waiting: int, deadline: float, budget: str, share: int | None = None) -> None:
        """`waiting` is the maximum number of hints in the queue, `share` the maximum for one address."""
        self.waiting = waiting
        self.share = waiting if share is None else share
        self.deadline = deadline
        self.budget = budget
        self._asked: Counter[str] = Counter()
        self._turn = asyncio.Lock()
        self._pool = Pool(1, worker.begin_in_background)

    async def hint(self, game: Game, imagined: State, seat: int, address: str = "") -> Advice:
        """The moves worth considering, best first. Refuses if too many hints are waiting.

        `imagined` is all that the bot may see.
        """
        if self._asked.total() >= self.waiting or self._asked[address] >= self.share:
            raise busy()
        self._asked[address] += 1
        try:
            return await self._think(worker.ponder, self.budget, game, imagined, seat)
        finally:
            self._asked[address] -= 1
            if not self._asked[address]:
                del self._asked[address]

    async def judge(self, budget: str, game: Game, imagined: State, seat: int, played: int) -> Verdict | None:
        """A better move than the one played, or None if no move is certainly better.

        It waits for earlier requests, however many there are.
        """
        return await self._think(worker.judge, budget, game, imagined, seat, played)

    async def chances(self, budget: str, game: Game, imagined: list[State]) -> list[float]:
        """Each seat's chance to win in a position, given as each seat could imagine it."""
        return await self._think(worker.chances, budget, game, imagined)

    async def _think(self, work: Callable[..., T], budget: str, game: Game, *about: object) -> T:
        """Run one request with this budget, after the earlier ones."""
        given = (f"{Hard.name}:{budget}", game.name, *about, secrets.randbits(62), self.deadline)
        async with self._turn:
            try:
                try:
                    return await self._ask(game, work, *given)
                except BrokenProcessPool:
                    return await self._ask(game, work, *given)
            except TimeoutError:
                log.warning("the hint bot thought too long about a move of %s", game.name)
                raise busy() from None
            except Exception:
                log.exception("the hint bot failed in %s", game.name)
                raise Refusal("failed", "The bot could not think of a hint here.") from None

    async def _ask(self, game: Game, work: Callable[..., T], *given: object) -> T:
        # The process prepares once for each game, which does not count against the first request's time.
        await self._pool.run(WARM_UP_TIMEOUT, worker.prepare, game.name, WARM_UP_TIMEOUT)
        return await self._pool.run(self.deadline, work, *given)

    @property
    def pending(self) -> int:
        """The number of hints in progress or waiting."""
        return self._asked.total()

    def close(self) -> None:
        self._pool.close()
