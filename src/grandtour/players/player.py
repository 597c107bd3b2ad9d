"""What every player keeps to."""

from typing import ClassVar

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.state import State


class Player:
    """Chooses moves for a seat. It looks at nothing but what `state.imagine(seat, dice)` gives."""

    name: ClassVar[str]
    label: ClassVar[str]

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        """A legal move of this seat, which has one. `dice` are the player's own, never the game's."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back what the player holds: by default nothing. It is not asked again."""
