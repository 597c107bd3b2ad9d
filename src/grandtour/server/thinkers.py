"""Bots think in processes of their own, so that a long thought holds nobody up."""

import logging
import secrets
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players import thinking
from grandtour.players.hard import Hard
from grandtour.players.normal import Normal
from grandtour.server.pool import WARM_UP, Pool
from grandtour.server.records import Why

log = logging.getLogger(__name__)

SHORTEST: Final = 50
"""Milliseconds that a bot may think ahead however many wait."""


class Thinkers:
    """The bots of every table. `thought` is how many seconds one may think ahead when few bots are asked at once: the
    more there are, the shorter each thinks, so that none is late."""

    def __init__(self, processes: int, deadline: float, thought: float = 1.0) -> None:
        self.deadline = deadline
        self.thought = thought
        self._asked = 0
        self._prepared: dict[tuple[int, str], set[int]] = {}
        """The processes that have prepared for a game, by the generation of the pool."""
        self._pool = Pool(processes)

    async def choose(self, bot: str, game: Game, imagined: State, seat: int) -> tuple[int, Why | None]:
        """A legal move for a bot, in time: where the bot does not come up with one, it plays as a normal one would,
        or else a move is drawn; why is said.

        `imagined` is all the bot gets to know.
        """
        self._asked += 1
        try:
            move, why = await self._try(bot, game, imagined, seat)
            if move is None and bot == Hard.name:
                move, _ = await self._try(Normal.name, game, imagined, seat)
                why = "hasty" if move is not None else why
        finally:
            self._asked -= 1
        return (move, why) if move is not None else (secrets.choice(imagined.legal(seat)), why)

    def close(self) -> None:
        self._pool.close()

    def budgeted(self, bot: str) -> str:
        """The player that a bot is, with the time it has just now."""
        if bot != Hard.name:
            return bot
        share = min(1.0, self._pool.processes / max(1, self._asked))
        return f"{Hard.name}:{max(SHORTEST, int(1000 * self.thought * share))}ms"

    async def _try(self, bot: str, game: Game, imagined: State, seat: int) -> tuple[int | None, Why | None]:
        try:
            try:
                move = await self._ask(bot, game, imagined, seat)
            except BrokenProcessPool:
                # Most likely another bot took the pool down with it.
                move = await self._ask(bot, game, imagined, seat)
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

    async def _ask(self, bot: str, game: Game, imagined: State, seat: int) -> int:
        given = (self.budgeted(bot), game.name, imagined, seat, secrets.randbits(62), self.deadline)
        deadline = self.deadline
        if bot == Hard.name and len(self._prepared_for(game)) < self._pool.processes:
            # What is worked out once for all thoughts about a game is not taken from the time of the first. The thought
            # itself may come to another process, which then prepares too.
            process = await self._pool.ask(WARM_UP, thinking.prepare, game.name)
            self._prepared_for(game).add(process)
            deadline += WARM_UP
        return await self._pool.ask(deadline, thinking.think, *given)

    def _prepared_for(self, game: Game) -> set[int]:
        return self._prepared.setdefault((self._pool.generation, game.name), set())
