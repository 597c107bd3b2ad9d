"""The plots of a report: SVG that takes its colours and fonts from the page, in light and dark mode."""

import io
import re
from collections.abc import Sequence
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from grandtour.arena.report.effects import MIN_HOLDERS, Effect
from grandtour.arena.report.formatting import Measure

COLOURS = (
    "ink", "quiet", "line", "card", "vermilion", "mustard", "teal", "navy", "olive", "plum", "orange", "rose", "sky",
    "worst", "worse", "even", "better", "best", "step1", "step2", "step3", "step4", "step5",
    "land",
)  # fmt: skip
PAINT = {name: f"#0000{number:02x}" for number, name in enumerate(COLOURS, 1)}
"""Placeholder colours, replaced by the page's CSS variables when a plot is finished."""

SERIES = ("teal", "mustard", "vermilion", "navy", "olive", "plum", "orange", "rose")
DIVERGING = ("worst", "worse", "even", "better", "best")
STEPS = ("step1", "step2", "step3", "step4", "step5")

WIDTH_INCHES = 4.0
"""Chosen so that 10-point text is readable both on a phone and beside the text."""

SETTINGS: Any = {
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.edgecolor": PAINT["line"],
    "axes.labelcolor": PAINT["quiet"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "text.color": PAINT["ink"],
    "xtick.color": PAINT["line"],
    "ytick.color": PAINT["line"],
    "xtick.labelcolor": PAINT["quiet"],
    "ytick.labelcolor": PAINT["ink"],
    "ytick.major.size": 0,
    "axes.unicode_minus": True,
}


class Plot:
    """One plot. `svg` makes it ready for the page."""

    def __init__(self, height: float, name: str, width: float = WIDTH_INCHES) -> None:
        self.name = name
        self._context = matplotlib.rc_context({**SETTINGS, "svg.hashsalt": name})
        self._context.__enter__()
        self.figure = Figure(figsize=(width, height), layout="constrained")
        self.axes: Any = self.figure.add_subplot()
        self.axes.set_facecolor("none")

    def svg(self, label: str) -> str:
        """The finished plot, with a text label for screen readers."""
        out = io.StringIO()
        self.figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
        self._context.__exit__(None, None, None)
        return themed(out.getvalue(), self.name, label)


def themed(text: str, name: str, label: str) -> str:
    """Make matplotlib's SVG part of the page: no prologue, and the page's colours and fonts."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", text, count=1, flags=re.DOTALL)
    for colour, placeholder in PAINT.items():
        text = text.replace(placeholder, f"var(--{colour})")
    text = re.sub(r"font: ([^;\"]*?)([\d.]+px)[^;\"]*", r"font: \g<1>\g<2> var(--reading)", text)
    # Ids must be unique on the page, not just within a plot.
    text = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>{name}-", text)
    words = label.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return re.sub(
        r"<svg[^>]*?viewBox=\"([^\"]*)\"[^>]*>", rf'<svg viewBox="\1" role="img" aria-label="{words}">', text, count=1
    )


def intervals(name: str, label: str, rows: Sequence[tuple[str, float, float, float]], fair: float) -> str:
    """One rate per row with its interval, and a line for the fair share."""
    plot = Plot(0.7 + 0.36 * len(rows), name)
    axes = plot.axes
    axes.axvline(fair, color=PAINT["quiet"], linewidth=1, linestyle=(0, (3, 3)))
    for place, (_, rate, low, high) in enumerate(rows):
        axes.plot([low, high], [place, place], color=PAINT["teal"], linewidth=3, solid_capstyle="round")
        axes.plot([rate], [place], "o", color=PAINT["teal"], markersize=8, markeredgecolor=PAINT["card"])
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.xaxis.set_major_locator(_round_steps())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(axis="x", color=PAINT["line"], linewidth=0.6)
    axes.set_axisbelow(True)
    return plot.svg(label)


def histogram(name: str, label: str, series: Sequence[tuple[str, str, Sequence[float]]], axis: str) -> str:
    """How often each value occurs. Each series has a title, a colour and its values."""
    plot = Plot(2.7, name)
    axes = plot.axes
    edges = bins([value for _, _, some in series for value in some])
    axes.hist(
        [some for _, _, some in series],
        bins=edges,
        weights=[[1 / len(some)] * len(some) for _, _, some in series],
        color=[PAINT[colour] for _, colour, _ in series],
        label=[title for title, _, _ in series],
        rwidth=0.86,
    )
    if edges[1] - edges[0] == 1:
        axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel(axis)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}".replace(",", " ").replace("-", "−"))
    axes.yaxis.set_major_locator(_round_steps())
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.tick_params(axis="y", labelcolor=PAINT["quiet"])
    axes.grid(axis="y", color=PAINT["line"], linewidth=0.6)
    axes.set_axisbelow(True)
    if len(series) > 1:
        axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, handlelength=0.9, fontsize=9.5)
    return plot.svg(label)


def _round_steps() -> MaxNLocator:
    """Ticks at steps without decimals: 42.5 % would be labelled 43 %."""
    return MaxNLocator(6, steps=[1, 2, 5, 10])


def bins(values: Sequence[float]) -> list[float]:
    """At most about thirty bins in round steps; with a step of one, whole numbers are in the middle of their bin."""
    low, high = min(values), max(values)
    step = next(
        factor * 10**power for power in range(12) for factor in (1, 2, 5) if (high - low) / 10**power <= 30 * factor
    )
    first = low // step * step - (0.5 if step == 1 else 0)
    return [first + step * number for number in range(int((high - first) // step) + 2)]


def shares(name: str, label: str, rows: Sequence[tuple[str, float]]) -> str:
    """Labelled bars, the longest on top."""
    plot = Plot(0.4 + 0.36 * len(rows), name)
    axes = plot.axes
    axes.barh(range(len(rows)), [row[1] for row in rows], color=PAINT["mustard"], height=0.62)
    for place, (_, share) in enumerate(rows):
        axes.text(share + 0.01, place, f"{share:.0%}" if share >= 0.01 else "< 1%", va="center", fontsize=9.5)
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, max(row[1] for row in rows) * 1.18)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    return plot.svg(label)


def effects(name: str, label: str, rows: Sequence[Effect | None], measure: Measure) -> str:
    """Effects with their intervals; those with few holders are pale. None marks rows left out."""
    plot = Plot(0.75 + 0.3 * len(rows), name)
    axes = plot.axes
    axes.axvline(0, color=PAINT["quiet"], linewidth=1, linestyle=(0, (3, 3)))
    for place, row in enumerate(rows):
        if row is None:
            continue
        colour = "quiet" if not row.significant else "teal" if row.gain > 0 else "vermilion"
        pale = 0.45 if row.holders < MIN_HOLDERS else 1.0
        low, high = measure.scale * row.low, measure.scale * row.high
        axes.plot([low, high], [place, place], color=PAINT[colour], linewidth=2.2, alpha=pale, solid_capstyle="round")
        axes.plot([measure.scale * row.gain], [place], "o", color=PAINT[colour], markersize=6, alpha=pale)
    axes.set_yticks(range(len(rows)), [short(row.name) if row else "⋮" for row in rows], fontsize=9)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(measure.axis)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:+.3g}".replace("-", "−") if value else "0")
    axes.grid(axis="x", color=PAINT["line"], linewidth=0.6)
    axes.set_axisbelow(True)
    return plot.svg(label)


def short(name: str) -> str:
    return name if len(name) <= 26 else name[:25] + "…"


def choices(name: str, label: str, verbs: Sequence[tuple[str, Sequence[float]]]) -> str:
    """What is chosen when: stacked shares over the course of a game, the most frequent at the bottom."""
    plot = Plot(3.0, name)
    axes = plot.axes
    phases = len(verbs[0][1])
    middles = [(phase + 0.5) / phases for phase in range(phases)]
    colours = [PAINT[SERIES[number]] if number < len(SERIES) else PAINT["line"] for number in range(len(verbs))]
    axes.stackplot(
        middles, [some for _, some in verbs], colors=colours, labels=[verb for verb, _ in verbs],
        edgecolor=PAINT["card"], linewidth=0.8,
    )  # fmt: skip
    axes.set_xlim(middles[0], middles[-1])
    axes.set_ylim(0, 1)
    axes.set_xticks([middles[0], 0.25, 0.5, 0.75, middles[-1]], ["start", "", "halfway", "", "end"])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.tick_params(axis="y", labelcolor=PAINT["quiet"])
    axes.legend(
        frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=3, handlelength=0.9, fontsize=9.5,
        columnspacing=1.2,
    )  # fmt: skip
    return plot.svg(label)
