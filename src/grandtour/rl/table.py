"""What every environment is made of: a position, whose turn it is in it, and what a seat sees of it."""

from importlib import import_module
from importlib.util import find_spec
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.rl.features import Record

Vector = NDArray[np.float32]
Mask = NDArray[np.int8]


def has_features(game: Game) -> bool:
    """Whether the game's folder says how its views are written as numbers."""
    if game.package is None or not hasattr(import_module(game.package), "__path__"):
        return False
    return find_spec(f"{game.package}.features") is not None


def features_of(game: Game, seats: int) -> Record:
    """How a view of the game is written as numbers, at a table of so many seats."""
    if not has_features(game):
        raise Refusal(
            "bad-options", f"{game.title} has no features.py, which says how its views are written as numbers."
        )
    return cast(Record, import_module(f"{game.package}.features").features(seats))


class Observer:
    """Writes what a seat sees as numbers. `names` says what each of them is."""

    def __init__(self, game: Game, seats: int) -> None:
        self._game: Final = game
        self._features: Final = features_of(game, seats)
        self.size: Final = self._features.size
        self.names: Final = self._features.names()

    def observe(self, state: State, seat: int) -> Vector:
        """The view of a seat: numbers from 0 to 1."""
        numbers = [0.0] * self.size
        self._features.write(self._game.view(state, seat), seat, numbers, 0)
        return np.array(numbers, np.float32)


def mask(game: Game, legal: list[int]) -> Mask:
    """1 for each of these moves, 0 for all others of the game."""
    found = np.zeros(game.moves.size, np.int8)
    found[legal] = 1
    return found


def next_seat(state: State, last: int) -> int:
    """Who acts now: of the seats the game waits for, the first clockwise from the one that acted last.

    Choices that are made at the same time are so taken in turn; nobody sees another's before all are made, since no
    view shows them earlier.
    """
    seats = int(state.seats)
    return min(state.waiting(), key=lambda seat: (seat - last - 1) % seats)
