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


class Bet:
    """Money on the mean not being `fair`, half on more and half on less, at odds that are fair if it is.

    If the mean is `fair`, the money is ever multiplied by 1 / alpha with probability alpha at most, however long one
    goes on: then `won` says that it is not. Stakes depend on earlier deals alone.
    """

    def __init__(self, fair: float, alpha: float) -> None:
        self.fair = fair
        self.goal = log(2 / alpha)
        # Nothing can be lost by betting on more than 0 or on less than 1.
        self.most_up = MOST_OF_IT / fair if fair > 0 else inf
        self.most_down = MOST_OF_IT / (1 - fair) if fair < 1 else inf
        self.up = 0.0
        self.down = 0.0
        self.count = 0
        self.total = 0.5
        self.squares = 0.25

    def see(self, value: float) -> None:
        self.count += 1
        variance = self.squares / self.count
        stake = sqrt(2 * self.goal / (variance * self.count * log(self.count + 1)))
        gain = value - self.fair
        self.up += log1p(min(stake, self.most_up) * gain)
        self.down += log1p(-min(stake, self.most_down) * gain)
        self.total += value
        mean = self.total / (self.count + 1)
        self.squares += (value - mean) ** 2

    @property
    def won(self) -> bool:
        return max(self.up, self.down) >= self.goal


def excluded(values: Sequence[float], fair: float, alpha: float) -> bool:
    bet = Bet(fair, alpha)
    for value in values:
        bet.see(value)
    return bet.won


def sequence(values: Sequence[float], alpha: float = ALPHA) -> Interval:
    """The means against which nobody would have won the bet by now."""
    if not values:
        return 0.0, 1.0
    mean = sum(values) / len(values)
    return _edge(values, mean, 0.0, alpha), _edge(values, mean, 1.0, alpha)


def _edge(values: Sequence[float], inside: float, outside: float, alpha: float) -> float:
    """Where the money stops being enough between a mean that stands and the end of the scale."""
    if not excluded(values, outside, alpha):
        return outside
    for _ in range(12):
        middle = (inside + outside) / 2
        if excluded(values, middle, alpha):
            outside = middle
        else:
            inside = middle
    return outside
