"""The hard player, which searches."""

import re
from typing import ClassVar, Final

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.state import State
from grandtour.players.lookahead import Lookahead
from grandtour.players.player import Player
from grandtour.players.search import Candidate, Search, imagined
from grandtour.players.weights import learned

ITERATIONS: Final = 400
UNLIMITED_ITERATIONS: Final = 10**12
"""More than any search makes in the time it is given."""
EFFORT: Final = 10


class Hard(Player):
    """Searches for a number of iterations or for a limited time."""

    name = "hard"
    label = "Thinks ahead for about a second"
    sees_all: ClassVar[bool] = False
    """Whether it searches the true position. Only for measuring how strong a perfectly informed bot would be."""

    def __init__(self, budget: str = "") -> None:
        self.iterations = ITERATIONS
        self.seconds = 0.0
        if budget:
            found = re.fullmatch(r"([1-9][0-9]{0,6})(ms)?", budget)
            if found is None:
                raise Refusal(
                    "unknown-player",
                    f"{short(budget)} is not a budget for hard. Examples: hard:400 (iterations), hard:250ms (time).",
                )
            if found[2]:
                self.iterations, self.seconds = UNLIMITED_ITERATIONS, int(found[1]) / 1000
            else:
                self.iterations = int(found[1])

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        legal = state.legal(seat)
        return legal[0] if len(legal) == 1 else self.ponder(game, state, seat, dice)[0].move

    def ponder(self, game: Game, state: State, seat: int, dice: Dice) -> list[Candidate]:
        """The moves worth considering, best first. Where a search is no help, they come from the game's own bot."""
        world = imagined(state, seat, dice, self.sees_all)
        own_search, think = game.search.own_search, game.search.think
        if searches(game, world, seat):
            budget = (self.iterations, self.seconds)
            if own_search is not None:
                found = own_search(world, seat, dice, *budget, self.sees_all)
                if found:
                    trials = sum(tried for _, tried, _ in found)
                    return [Candidate(move, tried, tried / trials, value) for move, tried, value in found]
            network = learned(game, state.seats)
            if network is not None or game.search.turn_begins is not None:
                return Lookahead(game, network, sees_all=self.sees_all).ponder(state, seat, dice, *budget)
            return Search(game, sees_all=self.sees_all).ponder(state, seat, dice, *budget)
        if think is None:
            votes = [(game.choose(world, seat, dice), 1)]
        else:
            votes = think(world, seat, dice, EFFORT)
        total = sum(count for _, count in votes)
        return [Candidate(move, count, count / total, 0.0) for move, count in votes]


def searches(game: Game, world: State, seat: int) -> bool:
    """Whether the hard player searches here. If not, the game's own bot decides."""
    bot_decides = game.search.bot_decides
    return bot_decides is None or not bot_decides(world, seat)
