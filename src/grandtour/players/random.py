"""The random player: every legal move is equally likely."""

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players.player import Player


class Random(Player):
    name = "random"
    label = "Plays any legal move"

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        # A seat knows its own legal moves, so there is nothing to imagine.
        legal = state.legal(seat)
        return legal[dice.below(len(legal))]
