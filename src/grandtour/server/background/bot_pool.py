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
from grandtour.server.background.process_pool import WARM_UP_TIMEOUT, Pool
from grandtour.server.metrics import Metrics
from grandtour.server.tables.records import FallbackReason

log = logging.getLogger(__name__)

MIN_THINKING_MS: Final = 50
"""The minimum thinking time of a bot in milliseconds, however many are waiting."""


class BotPool:
    """The bots of all tables.

    `thought` is the number of seconds that a bot may think if few moves are requested at once. The more requests there
    are, the less time each bot has, so that none misses its deadline."""

    def __init__(self, processes: int, deadline: float, thought: float = 1.0, metrics: Metrics | None = None) -> None:
        self.deadline = deadline
        self.thought = thought
        self.pending = 0
        """Requests in progress or waiting."""
        self._metrics = metrics or Metrics()
        self._prepared: dict[tuple[int, str], set[int]] = {}
        """The processes that have prepared for each game, by generation of the pool."""
        self._pool = Pool(processes)

    async def choose(
        self, bot: str, game: Game, imagined: State, seat: int, seed: int | None = None
    ) -> tuple[int, FallbackReason | None]:
        """A legal move for a bot, chosen before its deadline. If the bot fails, the move is the normal bot's or else a
        random one, and the reason is returned with it.

        `imagined` is all that the bot may see. `seed` seeds the bot's dice; None takes a random seed.
        """
        if seed is None:
            seed = secrets.randbits(62)
        self.pending += 1
        began = time.monotonic()
        try:
            move, why = await self._decide(bot, game, imagined, seat, seed)
        finally:
            self.pending -= 1
            self._metrics.bots.observe(time.monotonic() - began)
        if why is not None:
            self._metrics.bot_failures.add(why)
        return (move, why) if move is not None else (secrets.choice(imagined.legal(seat)), why)

    def close(self) -> None:
        self._pool.close()

    def gauges(self) -> dict[str, tuple[str, object]]:
        """Current values for the metrics."""
        return {"grandtour_bots_thinking": ("Bot moves in progress or waiting.", self.pending)}

    def _with_budget(self, bot: str) -> str:
        """The name of a bot, with its thinking time under the current load."""
        if bot != Hard.name:
            return bot
        share = min(1.0, self._pool.processes / max(1, self.pending))
        return f"{Hard.name}:{max(MIN_THINKING_MS, int(1000 * self.thought * share))}ms"

    async def _decide(
        self, bot: str, game: Game, imagined: State, seat: int, seed: int
    ) -> tuple[int | None, FallbackReason | None]:
        """The move of a bot, or of the normal bot if it fails; None if both do."""
        move, why = await self._try(bot, game, imagined, seat, seed)
        if move is None and bot == Hard.name:
            move, _ = await self._try(Normal.name, game, imagined, seat, seed)
            why = "hasty" if move is not None else why
        return move, why

    async def _try(
        self, bot: str, game: Game, imagined: State, seat: int, seed: int
    ) -> tuple[int | None, FallbackReason | None]:
        try:
            try:
                move = await self._ask(bot, game, imagined, seat, seed)
            except BrokenProcessPool:
                # Another bot has probably broken the pool.
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
        given = (self._with_budget(bot), game.name, imagined, seat, seed, self.deadline)
        deadline = self.deadline
        if bot == Hard.name and len(self._prepared_for(game)) < self._pool.processes:
            # A process prepares once for each game, and this does not count against the bot's time. If the bot then
            # runs in another process, that one prepares, too.
            process = await self._pool.run(WARM_UP_TIMEOUT, worker.prepare, game.name)
            self._prepared_for(game).add(process)
            deadline += WARM_UP_TIMEOUT
        return await self._pool.run(deadline, worker.think, *given)

    def _prepared_for(self, game: Game) -> set[int]:
        return self._prepared.setdefault((self._pool.generation, game.name), set())
