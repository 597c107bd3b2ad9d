"""Figures in sentences."""

from collections.abc import Sequence

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def percent(rate: float) -> str:
    """A rate, with a decimal where it is close to nothing or to all. It is never torn apart at the end of a line."""
    return f"{100 * rate:.1f}\u00a0%" if 0 < rate < 0.02 or 0.98 < rate < 1 else f"{100 * rate:.0f}\u00a0%"


def points(gain: float) -> str:
    """A difference of rates: percentage points."""
    size = abs(100 * gain)
    figure = f"{size:.0f}" if size >= 9.5 else f"{size:.1f}"
    return f"{figure} percentage point{'' if figure in ('1', '1.0') else 's'}"


def signed(gain: float) -> str:
    return f"{'+' if gain > 0 else '−' if gain < 0 else ''}{abs(100 * gain):.1f}"


def number(value: float) -> str:
    """A figure without decimals it does not need."""
    text = f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:,.1f}"
    return text.replace(",", " ").replace("-", "−")


def amount(value: float, unit: tuple[str, str]) -> str:
    """A number of things: 1 country, 2 countries."""
    return f"{number(value)} {unit[0] if value == 1 else unit[1]}"


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this part of all values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
