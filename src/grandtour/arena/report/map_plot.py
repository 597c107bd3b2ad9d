"""Draws the map of a report: land, coloured lines and readable place names."""

from collections.abc import Mapping
from typing import NamedTuple

from grandtour.arena.report.plots import PAINT, Plot
from grandtour.engine.study import Chart

WIDTH_INCHES = 3.3
"""Narrow, so that text stays readable on a phone."""
FONT_POINTS = 8.0
LONGITUDE_SCALE = 0.74
"""A degree of longitude is shorter than one of latitude, by about the cosine of the latitude."""
REPEAT_DISTANCE = 3.0
"""Degrees within which a name is written only once."""
LINE_SPACING = 0.13
"""Degrees between two parallel lines."""
MARGIN = (1.0, 0.4)
"""Degrees of longitude and latitude around the outermost places, to leave room for their names."""

LETTER_ASPECT = 0.58
"""The average width of a letter relative to its height."""
MAX_OVERLAP = 0.15
"""The largest part of a name that others may cover."""

Point = tuple[float, float]


class Box(NamedTuple):
    """The rectangle covered by a name."""

    left: float
    low: float
    right: float
    high: float

    def overlap(self, other: "Box") -> float:
        """The fraction of this box that the other covers."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.high, other.high) - max(self.low, other.low)
        return max(0.0, wide) * max(0.0, high) / ((self.right - self.left) * (self.high - self.low))


class Label(NamedTuple):
    """A name on the map, its position, and whether its left edge, right edge or center is there."""

    text: str
    x: float
    y: float
    anchor: str


def draw_map(name: str, label: str, place: Chart, colours: Mapping[str, str], widths: Mapping[str, float]) -> str:
    """The map with its lines in these colours and widths; double lines run in parallel."""
    xs, ys = zip(*place.places.values(), strict=True)
    low, high = frame(place)
    plot = Plot(WIDTH_INCHES * (high[1] - low[1]) / (high[0] - low[0]) / LONGITUDE_SCALE, name, WIDTH_INCHES)
    axes = plot.axes
    plot.figure.set_layout_engine("none")
    axes.set_position((0, 0, 1, 1))
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect(1 / LONGITUDE_SCALE)
    axes.set_axis_off()
    for outline in place.land:
        axes.fill(*zip(*outline, strict=True), color=PAINT["land"], linewidth=0, zorder=1)
    for thing, (a, b) in _line_ends(place).items():
        axes.plot(
            [a[0], b[0]], [a[1], b[1]], color=PAINT[colours[thing]], linewidth=widths[thing],
            solid_capstyle="round", zorder=2,
        )  # fmt: skip
    axes.plot(xs, ys, "o", color=PAINT["card"], markeredgecolor=PAINT["ink"], markersize=4, zorder=3)
    for one in place_labels(place):
        axes.text(
            one.x, one.y, one.text, ha=one.anchor, va="center", fontsize=FONT_POINTS, zorder=4,
            color=PAINT["ink"] if one.text in place.places else PAINT["quiet"],
        )  # fmt: skip
    return plot.svg(label)


def frame(place: Chart) -> tuple[Point, Point]:
    """The south-west and north-east corners of the map."""
    xs, ys = zip(*place.places.values(), strict=True)
    return (min(xs) - MARGIN[0], min(ys) - MARGIN[1]), (max(xs) + MARGIN[0], max(ys) + MARGIN[1])


def _line_ends(place: Chart) -> dict[str, tuple[Point, Point]]:
    """The two ends of every line; lines between the same two places are moved apart."""
    among: dict[tuple[str, str], list[str]] = {}
    for thing, ends in place.lines.items():
        among.setdefault(ends, []).append(thing)
    found = {}
    for (a, b), things in among.items():
        (ax, ay), (bx, by) = place.places[a], place.places[b]
        dx, dy = (bx - ax) * LONGITUDE_SCALE, by - ay
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        for number, thing in enumerate(things):
            aside = (number - (len(things) - 1) / 2) * LINE_SPACING
            ox, oy = -dy / length * aside / LONGITUDE_SCALE, dx / length * aside
            found[thing] = (ax + ox, ay + oy), (bx + ox, by + oy)
    return found


def place_labels(place: Chart) -> list[Label]:
    """Place each name, once per area, where it covers no other.

    A name without room is left out: no text is better than unreadable text.
    """
    spots = {spot: (x * LONGITUDE_SCALE, y) for spot, (x, y) in place.places.items()}
    low, high = frame(place)
    # The height of a letter, in degrees of latitude.
    letter = FONT_POINTS / 72 * (high[0] - low[0]) * LONGITUDE_SCALE / WIDTH_INCHES
    reach = letter * 0.3
    taken = [Box(x - reach, y - reach, x + reach, y + reach) for x, y in spots.values()]
    sheet = Box(low[0] * LONGITUDE_SCALE, low[1], high[0] * LONGITUDE_SCALE, high[1])
    written: dict[str, Point] = {}
    found = []
    # Places labelled with their own name first, then the others, such as neighbouring countries.
    for spot, (x, y) in sorted(spots.items(), key=lambda item: place.labels[item[0]] != item[0]):
        text = place.labels[spot]
        other = written.get(text)
        if other and abs(other[0] - x) + abs(other[1] - y) < REPEAT_DISTANCE:
            continue
        options = _label_positions(x, y, letter, LETTER_ASPECT * letter * len(text))
        costs = [sum(box.overlap(one) for one in taken) + 1 - box.overlap(sheet) for box, _, _, _ in options]
        best = min(range(len(options)), key=lambda way: costs[way])
        if costs[best] > MAX_OVERLAP:
            continue
        box, left, middle, anchor = options[best]
        written[text] = (x, y)
        taken.append(box)
        found.append(Label(text, left / LONGITUDE_SCALE, middle, anchor))
    return found


def _label_positions(x: float, y: float, letter: float, wide: float) -> list[tuple[Box, float, float, str]]:
    """Where a place's name may go, in order of preference: beside it, diagonally, above or below."""
    half, gap = letter / 2, letter * 0.45
    options = []
    for up in (0.0, 0.6 * letter, -0.6 * letter):
        options.append((Box(x + gap, y + up - half, x + gap + wide, y + up + half), x + gap, y + up, "left"))
        options.append((Box(x - gap - wide, y + up - half, x - gap, y + up + half), x - gap, y + up, "right"))
    for up in (letter * 0.95, -letter * 0.95):
        options.append((Box(x - wide / 2, y + up - half, x + wide / 2, y + up + half), x, y + up, "center"))
    return options
