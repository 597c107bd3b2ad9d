# compiled
"""Writes what a seat sees as numbers: from the position if the game has an `encoder.py`, otherwise from the view.

Both write the numbers that the game's `features.py` declares; tests check that they are equal.
"""

from collections.abc import Callable, Mapping
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

from grandtour.engine.state import State
from grandtour.rl.features import Record


@mypyc_attr(allow_interpreted_subclasses=True)
class Encoder:
    """The base class of the `Encoder` in a game's `encoder.py`.

    Its constructor looks up the place of every number by the name that `features.py` gives it.
    """

    def __init__(self, features: Record) -> None:
        self.size: i64 = features.size
        self.maxima = vec[u8](features.maxima())
        self.places: dict[str, int] = {}
        for place, name in enumerate(features.names()):
            end = len(name)
            while end > 0 and name[:end] not in self.places:
                self.places[name[:end]] = place
                end = name.rfind(".", 0, end)

    def place(self, name: str) -> int:
        """The index at which the numbers of a field begin, such as `players.you.backs`."""
        if name not in self.places:
            raise ValueError(f"features.py declares no number {name!r}")
        return self.places[name]

    def encode(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write what a seat sees into `out` from index `at` on. `out` must hold zeros there."""
        raise NotImplementedError

    def put(self, out: vec[u8], at: i64, place: i64, value: i64) -> None:
        """Write a number at its place, clipped to 0 and its maximum."""
        # As a conditional expression of two integer types, this would be compiled to a slow Python object.
        if value > 0:
            most = i64(self.maxima[place])
            if value > most:
                value = most
            out[at + place] = u8(value)


class ViewEncoder(Encoder):
    """Encodes the view, for games without an `encoder.py`. It is slower."""

    def __init__(self, features: Record, view: Callable[[Any, int | None], Mapping[str, Any]]) -> None:
        super().__init__(features)
        self.features = features
        self.view = view

    def encode(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        numbers: list[int] = [0] * int(self.size)
        you = int(seat)
        self.features.write(self.view(state, you), you, numbers, 0)
        place = at
        for number in numbers:
            out[place] = u8(number)
            place += 1
