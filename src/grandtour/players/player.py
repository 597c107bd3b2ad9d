"""The interface of every player."""

from typing import ClassVar, Final

from grandtour.engine.dice import Dice
from grandtour.engine.game import Game
from grandtour.engine.options import Options
from grandtour.engine.state import State

CRASHED: Final = "crashed"
MALFORMED: Final = "malformed"
LATE: Final = "late"
ILLEGAL: Final = "illegal"
FORFEITS: Final = (CRASHED, MALFORMED, LATE, ILLEGAL)
"""The reasons for which an external program forfeits a move. Results files store the counts in this order."""

SILENT: Final = -1
"""Returned instead of a move by a seat that may move out of turn but does not want to."""


class Player:
    """Chooses moves for a seat. It uses nothing but what `state.imagine(seat, dice)` returns."""

    name: ClassVar[str]
    label: ClassVar[str]

    def begin(self, game: Game, seats: int, options: Options, seat: int, dice: Dice) -> None:
        """Called when a game begins with this player in `seat`. `dice` are the player's own, never the game's."""

    def choose(self, game: Game, state: State, seat: int, dice: Dice) -> int:
        """Return a legal move of this seat, or `SILENT` if the game is not waiting for it. The seat has a legal move;
        `dice` are the player's own, never the game's."""
        raise NotImplementedError

    def end(self, game: Game, state: State, seat: int) -> None:
        """Called when the game is over."""

    def forfeited(self) -> dict[str, int]:
        """How many moves this player has forfeited, by reason."""
        return {}

    def close(self) -> None:
        """Release its resources. The player is not used again."""
