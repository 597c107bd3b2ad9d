"""The easy player: like normal, but some moves are random."""

from typing import Final

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players.player import Player

RANDOM_ONE_IN: Final = 3
"""One decision in this many is a random legal move."""


class Easy(Player):
    name = "easy"
    label = "Plays sensibly, but makes mistakes"

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        if dice.below(RANDOM_ONE_IN) == 0:
            legal = state.legal(seat)
            return legal[dice.below(len(legal))]
        return game.choose(state.imagine(seat, dice), seat, dice)
