"""The normal player: the bot from the game's own `bot.py`."""

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players.player import Player


class Normal(Player):
    name = "normal"
    label = "Plays sensibly, one turn at a time"

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        return game.choose(state.imagine(seat, dice), seat, dice)
