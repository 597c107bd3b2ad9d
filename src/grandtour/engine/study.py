# interpreted
"""What reports count in a game: what chance dealt each seat, and what each seat ended up with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from typing_extensions import TypeVar

from grandtour.engine.state import State
from grandtour.engine.vocabulary import Verb

S = TypeVar("S", bound=State, default=Any)
"""The type of a game's position. `Game` and `Study` without it mean any position."""

Log = list[tuple[int, int]]
"""The moves of a match in order, each with its seat."""

Things = list[list[tuple[str, str]]]
"""For each seat, the things it had, each as a kind and a name, without duplicates."""


class Kind(NamedTuple):
    """A kind of thing: its singular and plural, and what players did with it ("kept it")."""

    one: str
    many: str
    did: str


class Chart(NamedTuple):
    """A map: the coordinates of places (east, north), and the two places that each thing of a kind connects. `land` is
    drawn behind them, as outlines of points."""

    kind: str
    places: dict[str, tuple[float, float]]
    lines: dict[str, tuple[str, str]]
    labels: dict[str, str]
    land: tuple[tuple[tuple[float, float], ...], ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Study(Generic[S]):
    """The hooks of a game for reports."""

    dealt: Callable[[S], Things]
    """What each seat was dealt by chance, in the opening position."""
    had: Callable[[S, Log], Things]
    """What each seat had or did by the end of a match."""
    first: Callable[[S], int]
    """The seat that begins."""
    ending: Callable[[S], str]
    """How the match ended, in a few words."""
    chance: tuple[Kind, ...]
    """The kinds of `dealt`."""
    choice: tuple[Kind, ...]
    """The kinds of `had`."""
    score: tuple[str, str]
    """The unit of the score, singular and plural: `("point", "points")`."""
    chart: Chart | None = None
    """The map, if there is one."""
    figures: Callable[[S, Log], list[dict[str, int]]] | None = None
    """For each seat, what a player wants to know after a match, by its name in the plural: `{"trades made": 3}`. All
    seats have the same names. Without it, the things of each kind of `choice` are counted."""

    def figures_of(self, state: S, log: Log) -> list[dict[str, int]]:
        """The figures of each seat."""
        if self.figures is not None:
            return self.figures(state, log)
        return [{kind.many: count_things(kind, things) for kind in self.choice} for things in self.had(state, log)]


def count_things(kind: Kind, things: list[tuple[str, str]]) -> int:
    """How many of a seat's things are of this kind."""
    return sum(one == kind.one for one, _ in things)


def count_moves(log: Log, seat: int, verb: Verb) -> int:
    """How often a seat made a move with this verb."""
    return sum(who == seat and verb.first <= move < verb.first + verb.size for who, move in log)
