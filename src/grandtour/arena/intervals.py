"""Confidence intervals for a mean of numbers from 0 to 1, one number per deal.

The games of one deal are correlated, so each deal counts once, with its mean; deals are independent of each other.
Luck with cards and seats affects both sides equally and cancels out of these means, which narrows the intervals.

There are two kinds. `interval` is for a number of deals fixed in advance: a normal interval with enough imaginary lost
and won deals added that it equals Agresti and Coull's when every deal is all or nothing, so it stays sensible when one
side wins every time. `confidence_sequence` is for runs that are checked after every deal and may stop at any time: the
betting confidence sequence of Waudby-Smith and Ramdas, which is valid at all times at once, for any distribution.
"""

from collections.abc import Sequence
from math import inf, log, log1p, sqrt

from grandtour.arena.tally import Z_95

ALPHA = 0.05
MAX_BET_FRACTION = 0.5
"""The largest part of the money ever put at risk on one deal."""

Interval = tuple[float, float]


def interval(values: Sequence[float]) -> Interval:
    """The 95 % interval for the mean once all planned deals have been played."""
    half = Z_95 * Z_95 / 2
    count = len(values) + 2 * half
    mean = (sum(values) + half) / count
    spread = sqrt(max(0.0, (sum(value * value for value in values) + half) / count - mean * mean))
    reach = Z_95 * spread / sqrt(count)
    low, high = max(0.0, mean - reach), min(1.0, mean + reach)
    if not values:
        return 0.0, 1.0
    own = sum(values) / len(values)
    return min(low, own), max(high, own)


class Stake:
    """The stake on the next deal. It depends only on earlier deals: the less they varied, the higher it is."""

    def __init__(self, alpha: float) -> None:
        self.threshold = log(2 / alpha)
        self.count = 1
        self.total = 0.5
        self.squares = 0.25

    def next(self) -> float:
        return sqrt(2 * self.threshold / (self.squares * log(self.count + 1)))

    def update(self, value: float) -> None:
        self.total += value
        self.count += 1
        self.squares += (value - self.total / self.count) ** 2


class Bet:
    """A bet that the mean is not `fair`: half the money on a higher mean, half on a lower, at odds fair if it is.

    If the mean is `fair`, the probability that the money ever grows by a factor of 1 / alpha is at most alpha, however
    long the betting goes on. So once it has (`won`), the mean is not `fair`. Stakes depend on earlier deals only.
    """

    def __init__(self, fair: float, alpha: float) -> None:
        self.fair = fair
        self.stake = Stake(alpha)
        self.up = 0.0
        self.down = 0.0

    def update(self, value: float) -> None:
        stake = self.stake.next()
        self.up += log1p(min(stake, _max_stake(self.fair)) * (value - self.fair))
        self.down += log1p(min(stake, _max_stake(1 - self.fair)) * (self.fair - value))
        self.stake.update(value)

    @property
    def won(self) -> bool:
        return max(self.up, self.down) >= self.stake.threshold


def _max_stake(loss: float) -> float:
    """The highest stake on a bet that can lose `loss` times the stake; unlimited where nothing can be lost."""
    return MAX_BET_FRACTION / loss if loss > 0 else inf


def confidence_sequence(values: Sequence[float], alpha: float = ALPHA) -> Interval:
    """The interval of all means against which the bet has not been won."""
    if not values:
        return 0.0, 1.0
    stake = Stake(alpha)
    stakes = []
    for value in values:
        stakes.append(stake.next())
        stake.update(value)
    high = 1 - _low_end([1 - value for value in values], stakes, stake.threshold)
    return _low_end(values, stakes, stake.threshold), high


def _low_end(values: Sequence[float], stakes: list[float], threshold: float) -> float:
    """The mean up to which the bet on a higher mean has been won."""
    low, high = 0.0, sum(values) / len(values)
    if not _bet_won(values, stakes, threshold, low):
        return low
    for _ in range(12):
        middle = (low + high) / 2
        if _bet_won(values, stakes, threshold, middle):
            low = middle
        else:
            high = middle
    return low


def _bet_won(values: Sequence[float], stakes: list[float], threshold: float, fair: float) -> bool:
    most = _max_stake(fair)
    return (
        sum(log1p(min(stake, most) * (value - fair)) for value, stake in zip(values, stakes, strict=True)) >= threshold
    )
