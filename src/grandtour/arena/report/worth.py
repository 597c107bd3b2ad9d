"""What things are worth to those who have them: how much more often they win than the same players otherwise do.

For each thing the games are added up in which somebody had it. A game counts as one piece of evidence, though several
seats may have had the thing in it. Small samples say little: their intervals are wide, and for the order in which
things are listed they are drawn towards nothing, the more the less is known of them.
"""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from grandtour.arena.evidence import ALPHA
from grandtour.arena.tally import NORMAL_95

FEW = 30
"""With fewer holders than this nothing is said of a thing but its figures."""
ADDED = 10
"""Holders added who vary like anybody when a spread is measured, so that five lucky ones are no certainty."""


class Worth(NamedTuple):
    """What a thing is worth: the difference in the rate of wins, its interval, and whether that is beyond doubt.

    `sure` allows for how many things were looked at: of all of one kind, with probability 5 % any is sure by accident.
    """

    name: str
    holders: int
    share: float
    """Of all seats, how many had it."""
    gain: float
    low: float
    high: float
    drawn: float
    """The gain, drawn towards nothing as far as it is unsure."""
    sure: bool


class Holding:
    """The sums for one thing: over games, of the holders' parts of the win and of how many holders each player was."""

    def __init__(self, players: int) -> None:
        size = players + 1
        self.sums = [0.0] * size
        self.products = [[0.0] * size for _ in range(size)]

    def add(self, game: list[float]) -> None:
        """One game: the holders' parts of the win together, then how many of them were each player's."""
        for i, value in enumerate(game):
            if value:
                self.sums[i] += value
                for j, other in enumerate(game):
                    self.products[i][j] += value * other

    def usual(self, means: list[float]) -> float:
        """What the players who were its holders get on average, with it or without."""
        return sum(mean * count for mean, count in zip(means, self.sums[1:], strict=True)) / sum(self.sums[1:])

    def gain(self, means: list[float], spread: float) -> tuple[float, float]:
        """How much more than its player's own mean a holder got, and the standard error of that."""
        holders = sum(self.sums[1:])
        weights = [1.0, *(-mean for mean in means)]
        gain = sum(w * s for w, s in zip(weights, self.sums, strict=True)) / holders
        weights = [1.0, *(-mean - gain for mean in means)]
        squares = sum(
            weights[i] * weights[j] * product for i, row in enumerate(self.products) for j, product in enumerate(row)
        )
        variance = (max(0.0, squares) + ADDED * spread * spread) / (holders + ADDED)
        return gain, sqrt(variance / holders)


def worths(
    things: dict[str, Holding], means: list[float], spread: float, seats: int, most: float | None
) -> list[Worth]:
    """All things of one kind, the most valuable first. `seats` is how many there were in all games together.

    `most` is all that a holder can get, where that is known: no interval goes beyond it, nor below nothing.
    """
    figures = {name: holding.gain(means, spread) for name, holding in things.items()}
    usual = {name: holding.usual(means) for name, holding in things.items()}
    holders = {name: round(sum(holding.sums[1:])) for name, holding in things.items()}
    known = [figures[name] for name in things if holders[name] >= FEW]
    real = max(0.0, sum(gain * gain - error * error for gain, error in known) / len(known)) if known else 0.0
    reach = NormalDist().inv_cdf(1 - ALPHA / 2 / max(1, len(known)))
    found = [
        Worth(
            name,
            holders[name],
            holders[name] / seats,
            gain,
            gain - NORMAL_95 * error if most is None else max(gain - NORMAL_95 * error, -usual[name]),
            gain + NORMAL_95 * error if most is None else min(gain + NORMAL_95 * error, most - usual[name]),
            gain * real / (real + error * error) if real else 0.0,
            holders[name] >= FEW and abs(gain) > reach * error,
        )
        for name, (gain, error) in figures.items()
    ]
    return sorted(found, key=lambda worth: (-worth.drawn, -worth.gain, worth.name))
