"""What every player keeps to."""

from typing import ClassVar, Final

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.options import Options
from grandtour.engine.state import State

CRASHED: Final = "crashed"
BABBLED: Final = "babbled"
LATE: Final = "late"
CHEATED: Final = "cheated"
FORFEITS: Final = (CRASHED, BABBLED, LATE, CHEATED)
"""Why a player may forfeit a move: only one that is a program of its own does."""

SILENT: Final = -1
"""Instead of a move: nothing, from a seat that may speak and need not."""


class Player:
    """Chooses moves for a seat. It looks at nothing but what `state.imagine(seat, dice)` gives."""

    name: ClassVar[str]
    label: ClassVar[str]

    def begin(self, game: Game, seats: int, options: Options, seat: int, dice: Dice) -> None:
        """A game begins in which it has this seat. `dice` are the player's own, never the game's."""

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        """A legal move of this seat, which has one; or `SILENT` where the game does not wait for this seat. `dice` are
        the player's own, never the game's."""
        raise NotImplementedError

    def end(self, game: Game, state: State, seat: int) -> None:
        """The game that began is over."""

    def forfeited(self) -> dict[str, int]:
        """How many moves it forfeited since it was made, by why."""
        return {}

    def close(self) -> None:
        """End what it holds; it is not asked again."""
