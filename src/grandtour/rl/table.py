"""Helpers that the environments share: setting up a game, whose turn it is, and observations."""

import ctypes
from typing import Any, Final

import numpy as np
from librt.vecs import vec
from mypy_extensions import u8
from numpy.typing import NDArray

from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.rl.batch import next_of
from grandtour.rl.encoding import encoder_of, features_of

Vector = NDArray[np.float32]
Mask = NDArray[np.int8]
CTYPES: Final[dict[type, Any]] = {
    np.uint8: ctypes.c_uint8,
    np.bool_: ctypes.c_bool,
    np.int64: ctypes.c_int64,
    np.float64: ctypes.c_double,
}


def array_over(numbers: Any, kind: type, *shape: int) -> NDArray[Any]:
    """A numpy array that shares the memory of a `vec`.

    numpy's own array of a `vec` cannot be written to.
    """
    seen: NDArray[Any] = np.frombuffer(numbers, kind)
    block = (CTYPES[kind] * len(seen)).from_address(seen.ctypes.data)
    block.owner = seen  # keeps the memory alive
    return np.frombuffer(block, kind).reshape(shape)


class Observer:
    """Encodes what a seat sees as numbers. `names` has the name of each, `maxima` its largest value."""

    def __init__(self, game: Game, seats: int) -> None:
        features = features_of(game, seats)
        self._encoder: Final = encoder_of(game, seats)
        self.size: Final = features.size
        self.names: Final = features.names()
        self.maxima: Final = np.array(features.maxima(), np.float32)
        self._numbers: Final = vec[u8](bytes(self.size))
        self._array: Final = array_over(self._numbers, np.uint8, self.size)

    def observe(self, state: State, seat: int) -> Vector:
        """What a seat sees, as numbers from 0 to 1."""
        self._array.fill(0)
        self._encoder.encode(state, seat, self._numbers, 0)
        observed: Vector = np.divide(self._array, self.maxima)
        return observed


def mask(game: Game, legal: list[int]) -> Mask:
    """The action mask: 1 for each of these moves, 0 for all others."""
    found = np.zeros(game.moves.size, np.int8)
    found[legal] = 1
    return found


def next_seat(state: State, last: int) -> int:
    """The seat that acts after the seat that acted last."""
    return int(next_of(state.waiting(), last, state.seats))
