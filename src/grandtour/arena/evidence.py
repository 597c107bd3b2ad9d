"""How sure one may be of a mean of numbers from 0 to 1, one number a deal.

The games of one deal hang together, so a deal counts once, with its mean; deals are independent of each other. What
the cards and the seats do to both sides alike is gone from these means, and the intervals are the narrower for it.

There are two intervals. `interval` is for a number of deals that was fixed before: the normal one, with as many
deals lost and won added as makes it Agresti and Coull's where every deal is all or nothing; so it stays sensible when
one side wins every time. `sequence` is for those who look again and again and stop when they like what they see: the
betting confidence sequence of Waudby-Smith and Ramdas, which holds at all times at once, and for any distribution.
"""

from collections.abc import Sequence
from math import inf, log, log1p, sqrt

from grandtour.arena.tally import NORMAL_95

ALPHA = 0.05
MOST_OF_IT = 0.5
"""Of what could be lost, as much as is ever bet on one deal."""

Interval = tuple[float, float]


def interval(values: Sequence[float]) -> Interval:
    """The 95 % interval for the mean, once all the deals that were planned are played."""
    half = NORMAL_95 * NORMAL_95 / 2
    count = len(values) + 2 * half
    mean = (sum(values) + half) / count
    spread = sqrt(max(0.0, (sum(value * value for value in values) + half) / count - mean * mean))
    reach = NORMAL_95 * spread / sqrt(count)
    low, high = max(0.0, mean - reach), min(1.0, mean + reach)
    if not values:
        return 0.0, 1.0
    own = sum(values) / len(values)
    return min(low, own), max(high, own)


class Stake:
    """How much to bet on the next deal: the more, the less the deals so far have varied. It looks at nothing else."""

    def __init__(self, alpha: float) -> None:
        self.goal = log(2 / alpha)
        self.count = 1
        self.total = 0.5
        self.squares = 0.25

    def next(self) -> float:
        return sqrt(2 * self.goal / (self.squares * log(self.count + 1)))

    def see(self, value: float) -> None:
        self.total += value
        self.count += 1
        self.squares += (value - self.total / self.count) ** 2


class Bet:
    """Money on the mean not being `fair`, half on more and half on less, at odds that are fair if it is.

    If the mean is `fair`, the money is ever multiplied by 1 / alpha with probability alpha at most, however long one
    goes on: then `won` says that it is not. Stakes depend on earlier deals alone.
    """

    def __init__(self, fair: float, alpha: float) -> None:
        self.fair = fair
        self.stake = Stake(alpha)
        self.up = 0.0
        self.down = 0.0

    def see(self, value: float) -> None:
        stake = self.stake.next()
        self.up += log1p(min(stake, _most(self.fair)) * (value - self.fair))
        self.down += log1p(min(stake, _most(1 - self.fair)) * (self.fair - value))
        self.stake.see(value)

    @property
    def won(self) -> bool:
        return max(self.up, self.down) >= self.stake.goal


def _most(loss: float) -> float:
    """The highest stake on a bet that can lose so much of it. Where nothing can be lost there is none."""
    return MOST_OF_IT / loss if loss > 0 else inf


def sequence(values: Sequence[float], alpha: float = ALPHA) -> Interval:
    """The means against which nobody would have won the bet by now."""
    if not values:
        return 0.0, 1.0
    stake = Stake(alpha)
    stakes = []
    for value in values:
        stakes.append(stake.next())
        stake.see(value)
    high = 1 - _low_end([1 - value for value in values], stakes, stake.goal)
    return _low_end(values, stakes, stake.goal), high


def _low_end(values: Sequence[float], stakes: list[float], goal: float) -> float:
    """Up to where the bet on more has been won."""
    low, high = 0.0, sum(values) / len(values)
    if not _won(values, stakes, goal, low):
        return low
    for _ in range(12):
        middle = (low + high) / 2
        if _won(values, stakes, goal, middle):
            low = middle
        else:
            high = middle
    return low


def _won(values: Sequence[float], stakes: list[float], goal: float, fair: float) -> bool:
    most = _most(fair)
    return sum(log1p(min(stake, most) * (value - fair)) for value, stake in zip(values, stakes, strict=True)) >= goal
