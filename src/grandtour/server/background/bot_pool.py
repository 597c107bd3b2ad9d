"""Runs bots in separate processes, so that a slow bot does not block the server."""

import logging
import secrets
import time
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players import worker
from grandtour.players.hard import Hard
from grandtour.players.normal import Normal
from grandtour.server.background.process_pool import WARM_UP, Pool
from grandtour.server.metrics import Metrics
from grandtour.server.tables.records import Why

log = logging.getLogger(__name__)

SHORTEST: Final = 50
"""The minimum thinking time of a bot in milliseconds, however many are waiting."""


class BotPool:
    """The bots of all tables. `thought` is how many seconds a bot may think when few bots are asked at once; the more
    are asked, the less time each has, so that none is late."""

    def __init__(self, processes: int, deadline: float, thought: float = 1.0, metrics: Metrics | None = None) -> None:
        self.deadline = deadline
        self.thought = thought
        self.asked = 0
        """Requests in progress or waiting."""
        self._metrics = metrics or Metrics()
        self._prepared: dict[tuple[int, str], set[int]] = {}
        """The processes that have prepared for each game, by generation of the pool."""
        self._pool = Pool(processes)

    async def choose(
        self, bot: str, game: Game, imagined: State, seat: int, seed: int | None = None
    ) -> tuple[int, Why | None]:
        """A legal move for a bot before its deadline. If the bot fails, the normal bot's move is used, or else a random
        one; the reason is returned, too.

        `imagined` is everything the bot gets to see, `seed` that of its dice; None is a random one.
        """
        if seed is None:
            seed = secrets.randbits(62)
        self.asked += 1
        began = time.monotonic()
        try:
            move, why = await self._decide(bot, game, imagined, seat, seed)
        finally:
            self.asked -= 1
            self._metrics.bots.observe(time.monotonic() - began)
        if why is not None:
            self._metrics.drawn.add(why)
        return (move, why) if move is not None else (secrets.choice(imagined.legal(seat)), why)

    def close(self) -> None:
        self._pool.close()

    def gauges(self) -> dict[str, tuple[str, object]]:
        """Current values for the metrics."""
        return {"grandtour_bots_thinking": ("Bot moves in progress or waiting.", self.asked)}

    def budgeted(self, bot: str) -> str:
        """The player name of a bot, including the time it has now."""
        if bot != Hard.name:
            return bot
        share = min(1.0, self._pool.processes / max(1, self.asked))
        return f"{Hard.name}:{max(SHORTEST, int(1000 * self.thought * share))}ms"

    async def _decide(
        self, bot: str, game: Game, imagined: State, seat: int, seed: int
    ) -> tuple[int | None, Why | None]:
        """The move of a bot, or of the normal bot if it fails; None if both do."""
        move, why = await self._try(bot, game, imagined, seat, seed)
        if move is None and bot == Hard.name:
            move, _ = await self._try(Normal.name, game, imagined, seat, seed)
            why = "hasty" if move is not None else why
        return move, why

    async def _try(self, bot: str, game: Game, imagined: State, seat: int, seed: int) -> tuple[int | None, Why | None]:
        try:
            try:
                move = await self._ask(bot, game, imagined, seat, seed)
            except BrokenProcessPool:
                # Most likely another bot broke the pool.
                move = await self._ask(bot, game, imagined, seat, seed)
            if move in imagined.legal(seat):
                return move, None
            log.warning("the bot %s chose a move of %s that is not legal", bot, game.name)
            return None, "failed"
        except TimeoutError:
            log.warning("the bot %s thought too long about a move of %s", bot, game.name)
            return None, "late"
        except Exception:
            log.exception("the bot %s failed in %s", bot, game.name)
            return None, "failed"

    async def _ask(self, bot: str, game: Game, imagined: State, seat: int, seed: int) -> int:
        given = (self.budgeted(bot), game.name, imagined, seat, seed, self.deadline)
        deadline = self.deadline
        if bot == Hard.name and len(self._prepared_for(game)) < self._pool.processes:
            # Preparation, done once per process and game, does not count against the first bot's time. If the bot then
            # runs in another process, that one prepares, too.
            process = await self._pool.ask(WARM_UP, worker.prepare, game.name)
            self._prepared_for(game).add(process)
            deadline += WARM_UP
        return await self._pool.ask(deadline, worker.think, *given)

    def _prepared_for(self, game: Game) -> set[int]:
        return self._prepared.setdefault((self._pool.generation, game.name), set())
