"""The effect of having a thing: how much more often its holders win than the same players do on average.

Each game counts as one observation, even if several seats had the thing. Small samples say little: their intervals are
wide, and for ranking, an effect is shrunk towards zero in proportion to its uncertainty.
"""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from grandtour.arena.intervals import ALPHA
from grandtour.arena.tally import Z_95

MIN_HOLDERS = 30
"""Below this many holders, only the figures of a thing are given and no conclusion is drawn."""
PRIOR_HOLDERS = 10
"""Average holders added when estimating the spread, so that five lucky holders do not look like a certainty."""


class Effect(NamedTuple):
    """The effect of having a thing: the difference in win rate, its interval, and whether it is significant.

    `significant` is corrected for the number of things compared: for each kind, the chance that any is called
    significant by accident is 5 %.
    """

    name: str
    holders: int
    share: float
    """The fraction of all seats that had it."""
    gain: float
    low: float
    high: float
    shrunk: float
    """The gain, shrunk towards zero in proportion to its uncertainty."""
    significant: bool


class HolderTotals:
    """Totals for one thing over all games: the holders' shares of the win, and how many holders each player was."""

    def __init__(self, players: int) -> None:
        size = players + 1
        self.sums = [0.0] * size
        self.products = [[0.0] * size for _ in range(size)]

    def add(self, game: list[float]) -> None:
        """Add one game: the sum of the holders' shares, then for each player how many holders it was."""
        for i, value in enumerate(game):
            if value:
                self.sums[i] += value
                for j, other in enumerate(game):
                    self.products[i][j] += value * other

    def expected(self, means: list[float]) -> float:
        """The mean outcome, with or without the thing, of the players who held it."""
        return sum(mean * count for mean, count in zip(means, self.sums[1:], strict=True)) / sum(self.sums[1:])

    def gain(self, means: list[float], spread: float) -> tuple[float, float]:
        """How far holders were above their player's own mean, and the standard error of that."""
        holders = sum(self.sums[1:])
        weights = [1.0, *(-mean for mean in means)]
        gain = sum(w * s for w, s in zip(weights, self.sums, strict=True)) / holders
        weights = [1.0, *(-mean - gain for mean in means)]
        squares = sum(
            weights[i] * weights[j] * product for i, row in enumerate(self.products) for j, product in enumerate(row)
        )
        variance = (max(0.0, squares) + PRIOR_HOLDERS * spread * spread) / (holders + PRIOR_HOLDERS)
        return gain, sqrt(variance / holders)


def effects(
    things: dict[str, HolderTotals], means: list[float], spread: float, seats: int, max_outcome: float | None
) -> list[Effect]:
    """The effects of all things of one kind, the largest first. `seats` is the number of seats over all games.

    `max_outcome` is the highest possible outcome, if there is one: no interval implies an outcome beyond it or below 0.
    """
    figures = {name: holding.gain(means, spread) for name, holding in things.items()}
    expected = {name: holding.expected(means) for name, holding in things.items()}
    holders = {name: round(sum(holding.sums[1:])) for name, holding in things.items()}
    known = [figures[name] for name in things if holders[name] >= MIN_HOLDERS]
    variance = max(0.0, sum(gain * gain - error * error for gain, error in known) / len(known)) if known else 0.0
    reach = NormalDist().inv_cdf(1 - ALPHA / 2 / max(1, len(known)))
    found = [
        Effect(
            name,
            holders[name],
            holders[name] / seats,
            gain,
            gain - Z_95 * error if max_outcome is None else max(gain - Z_95 * error, -expected[name]),
            gain + Z_95 * error if max_outcome is None else min(gain + Z_95 * error, max_outcome - expected[name]),
            gain * variance / (variance + error * error) if variance else 0.0,
            holders[name] >= MIN_HOLDERS and abs(gain) > reach * error,
        )
        for name, (gain, error) in figures.items()
    ]
    return sorted(found, key=lambda effect: (-effect.shrunk, -effect.gain, effect.name))
