"""Formats figures for the sentences of a report."""

from collections.abc import Sequence
from typing import NamedTuple

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def percent(rate: float) -> str:
    """A rate in percent, with a decimal where it is close to 0 or 100, and a non-breaking space."""
    return f"{100 * rate:.1f}\u00a0%" if 0 < rate < 0.02 or 0.98 < rate < 1 else f"{100 * rate:.0f}\u00a0%"


def precise_percent(rate: float) -> str:
    """A rate in percent with one decimal, where half a percent matters."""
    return f"{100 * rate:.1f}\u00a0%"


def percentage_points(gain: float) -> str:
    """A difference between two rates."""
    size = abs(100 * gain)
    figure = f"{size:.0f}" if size >= 9.5 else f"{size:.1f}"
    return f"{figure} percentage point{'' if figure in ('1', '1.0') else 's'}"


class Measure(NamedTuple):
    """What an effect is measured in: percentage points of the win rate, or a team's score."""

    scale: float
    axis: str
    more: str
    did: str
    unit: tuple[str, str]

    def level(self, value: float) -> str:
        """A level: "74 %", or "17.2"."""
        return percent(min(1.0, max(0.0, value))) if self.scale > 1 else number(round(value, 1))

    def gap(self, gain: float) -> str:
        """A difference with its unit."""
        return percentage_points(gain) if self.scale > 1 else amount(round(abs(gain), 1), self.unit)

    def signed(self, gain: float) -> str:
        """A difference as a signed figure, without its unit."""
        figure = f"{abs(self.scale * gain):.1f}"
        return figure if figure == "0.0" else f"{'+' if gain > 0 else '−'}{figure}"


WIN_RATE = Measure(100, "percentage points", "more often", "win {} of their games", ("", ""))


def team_score(unit: tuple[str, str]) -> Measure:
    """A measure for team games."""
    return Measure(1, unit[1], "more", "score {}", unit)


def number(value: float) -> str:
    """A figure with no more decimals than it needs, and non-breaking spaces between thousands."""
    text = f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:,.1f}"
    return text.replace(",", "\u00a0").replace("-", "−")


def amount(value: float, unit: tuple[str, str]) -> str:
    """A number with its unit: 1 country, 2 countries."""
    return f"{number(value)} {unit[0] if value == 1 else unit[1]}"


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this fraction of all values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
