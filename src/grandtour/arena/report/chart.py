"""The map of a report: land, lines in colours that say something, and names that can be read."""

from collections.abc import Mapping
from typing import NamedTuple

from grandtour.arena.report.plots import PAINT, Plot
from grandtour.engine.study import Chart

WIDTH = 3.3
"""Inches: narrow, so that letters can be read on a phone too."""
LETTERS = 8.0
"""Points."""
SLIM = 0.74
"""A degree to the east is shorter than one to the north, by about the cosine of the latitude."""
APART = 3.0
"""Degrees within which a name stands on a map once."""
ASIDE = 0.13
"""Degrees between two lines that lie side by side."""
MARGIN = (1.0, 0.4)
"""Degrees round the outermost places, to the east and to the north: room for their names."""

WIDE = 0.58
"""How wide a letter is on average, for one that is as high as one."""
COVERED = 0.15
"""The part of a name that others may cover."""

Spot = tuple[float, float]


class Box(NamedTuple):
    """A rectangle that a name would cover."""

    left: float
    low: float
    right: float
    high: float

    def overlap(self, other: "Box") -> float:
        """The part of this one that the other covers."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.high, other.high) - max(self.low, other.low)
        return max(0.0, wide) * max(0.0, high) / ((self.right - self.left) * (self.high - self.low))


class Name(NamedTuple):
    """A name on the map: where it begins, ends or has its middle, and whether it is left, right or center of there."""

    text: str
    x: float
    y: float
    anchor: str


def chart(name: str, label: str, place: Chart, colours: Mapping[str, str], widths: Mapping[str, float]) -> str:
    """The map with its lines in these colours; double lines lie side by side."""
    xs, ys = zip(*place.places.values(), strict=True)
    low, high = frame(place)
    plot = Plot(WIDTH * (high[1] - low[1]) / (high[0] - low[0]) / SLIM, name, WIDTH)
    axes = plot.axes
    plot.figure.set_layout_engine("none")
    axes.set_position((0, 0, 1, 1))
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect(1 / SLIM)
    axes.set_axis_off()
    for outline in place.land:
        axes.fill(*zip(*outline, strict=True), color=PAINT["land"], linewidth=0, zorder=1)
    for thing, (a, b) in _beside(place).items():
        axes.plot(
            [a[0], b[0]], [a[1], b[1]], color=PAINT[colours[thing]], linewidth=widths[thing],
            solid_capstyle="round", zorder=2,
        )  # fmt: skip
    axes.plot(xs, ys, "o", color=PAINT["card"], markeredgecolor=PAINT["ink"], markersize=4, zorder=3)
    for one in names(place):
        axes.text(
            one.x, one.y, one.text, ha=one.anchor, va="center", fontsize=LETTERS, zorder=4,
            color=PAINT["ink"] if one.text in place.places else PAINT["quiet"],
        )  # fmt: skip
    return plot.svg(label)


def frame(place: Chart) -> tuple[Spot, Spot]:
    """The south-western and the north-eastern corner of the map."""
    xs, ys = zip(*place.places.values(), strict=True)
    return (min(xs) - MARGIN[0], min(ys) - MARGIN[1]), (max(xs) + MARGIN[0], max(ys) + MARGIN[1])


def _beside(place: Chart) -> dict[str, tuple[Spot, Spot]]:
    """The two ends of every line; those that join the same two places are moved aside."""
    among: dict[tuple[str, str], list[str]] = {}
    for thing, ends in place.lines.items():
        among.setdefault(ends, []).append(thing)
    found = {}
    for (a, b), things in among.items():
        (ax, ay), (bx, by) = place.places[a], place.places[b]
        dx, dy = (bx - ax) * SLIM, by - ay
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        for number, thing in enumerate(things):
            aside = (number - (len(things) - 1) / 2) * ASIDE
            ox, oy = -dy / length * aside / SLIM, dx / length * aside
            found[thing] = (ax + ox, ay + oy), (bx + ox, by + oy)
    return found


def names(place: Chart) -> list[Name]:
    """Each name once in a neighbourhood, where it covers no other.

    A name that finds no room is left out: a text that cannot be read says less.
    """
    spots = {spot: (x * SLIM, y) for spot, (x, y) in place.places.items()}
    low, high = frame(place)
    # How high letters are, in degrees to the north.
    letter = LETTERS / 72 * (high[0] - low[0]) * SLIM / WIDTH
    reach = letter * 0.3
    taken = [Box(x - reach, y - reach, x + reach, y + reach) for x, y in spots.values()]
    sheet = Box(low[0] * SLIM, low[1], high[0] * SLIM, high[1])
    written: dict[str, Spot] = {}
    found = []
    # The places themselves first, then what lies beyond them.
    for spot, (x, y) in sorted(spots.items(), key=lambda item: place.labels[item[0]] != item[0]):
        text = place.labels[spot]
        other = written.get(text)
        if other and abs(other[0] - x) + abs(other[1] - y) < APART:
            continue
        ways = _ways(x, y, letter, WIDE * letter * len(text))
        costs = [sum(box.overlap(one) for one in taken) + 1 - box.overlap(sheet) for box, _, _, _ in ways]
        best = min(range(len(ways)), key=lambda way: costs[way])
        if costs[best] > COVERED:
            continue
        box, left, middle, anchor = ways[best]
        written[text] = (x, y)
        taken.append(box)
        found.append(Name(text, left / SLIM, middle, anchor))
    return found


def _ways(x: float, y: float, letter: float, wide: float) -> list[tuple[Box, float, float, str]]:
    """Where the name of a place may stand: beside it, above or below, and slanting; the preferred first."""
    half, gap = letter / 2, letter * 0.45
    ways = []
    for up in (0.0, 0.6 * letter, -0.6 * letter):
        ways.append((Box(x + gap, y + up - half, x + gap + wide, y + up + half), x + gap, y + up, "left"))
        ways.append((Box(x - gap - wide, y + up - half, x - gap, y + up + half), x - gap, y + up, "right"))
    for up in (letter * 0.95, -letter * 0.95):
        ways.append((Box(x - wide / 2, y + up - half, x + wide / 2, y + up + half), x, y + up, "center"))
    return ways
