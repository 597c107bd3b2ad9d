"""The sensible player on a bad day."""

from typing import Final

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players.player import Player

ONE_IN: Final = 3
"""One decision in so many is any legal move."""


class Easy(Player):
    name = "easy"
    label = "Plays sensibly, but errs now and then"

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        if dice.below(ONE_IN) == 0:
            legal = state.legal(seat)
            return legal[dice.below(len(legal))]
        return game.choose(state.imagine(seat, dice), seat, dice)
