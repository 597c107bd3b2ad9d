"""What is worth counting in a game, for those who study it: what chance dealt each seat, and what each seat got."""

from collections.abc import Callable
from typing import Final, NamedTuple

from grandtour.engine.state import State

Log = list[tuple[int, int]]
"""Seats and moves, in order."""

Things = list[list[tuple[str, str]]]
"""For each seat what it had: kinds and names. A thing had twice is there once."""


class Kind(NamedTuple):
    """A kind of thing: `one` ticket, `many` tickets, and what its holders did: "kept it"."""

    one: str
    many: str
    did: str


class Chart(NamedTuple):
    """A map: where places lie (to the east and to the north), and which two of them a thing of a kind joins. `land` is
    drawn behind them: outlines, each a list of points."""

    kind: str
    places: dict[str, tuple[float, float]]
    lines: dict[str, tuple[str, str]]
    labels: dict[str, str]
    land: tuple[tuple[tuple[float, float], ...], ...] = ()


class Study:
    """What a game tells those who study it.

    dealt       what each seat got by chance alone, in the position in which a match begins
    had         what each seat had or did by the end of a match
    first       the seat that begins
    ending      how the match ended, in a few words
    chance      the kinds of `dealt`
    choice      the kinds of `had`
    score       what the score counts, one and many: ("point", "points")
    chart       the map, where there is one
    """

    def __init__(
        self,
        *,
        dealt: Callable[[State], Things],
        had: Callable[[State, Log], Things],
        first: Callable[[State], int],
        ending: Callable[[State], str],
        chance: tuple[Kind, ...],
        choice: tuple[Kind, ...],
        score: tuple[str, str],
        chart: Chart | None = None,
    ) -> None:
        self.dealt: Final = dealt
        self.had: Final = had
        self.first: Final = first
        self.ending: Final = ending
        self.chance: Final = chance
        self.choice: Final = choice
        self.score: Final = score
        self.chart: Final = chart
