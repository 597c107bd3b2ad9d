"""What each thing is worth to those who have it, section by section, and the map of a game that has one."""

from grandtour.arena.report import plots
from grandtour.arena.report.chart import chart as draw
from grandtour.arena.report.findings import Drawing, Section, Table, unit_of
from grandtour.arena.report.sample import Sample
from grandtour.arena.report.words import WINS, Measure, percent, scores
from grandtour.arena.report.worth import FEW, Worth
from grandtour.engine.study import Chart, Kind
from grandtour.engine.words import all_of, first_up

SHOWN = 9
"""Things drawn from either end of a long list."""

CLEAR = "“Clearly” allows for all of a kind having been looked at."
BY_CHANCE = f"Chance deals these, so a difference between two of them is their own. {CLEAR}"
BY_CHOICE = (
    "What follows goes together with winning. It need not be the reason for it: those who do well also get more. "
    + CLEAR
)


def worth(sample: Sample, kind: Kind) -> Section | None:
    """What the things of a kind are worth; nothing where everybody has all of them, or nobody any."""
    found = sample.worths(kind.one)
    if not found or all(one.holders == sample.games * sample.seats for one in found):
        return None
    measure = scores(unit_of(sample)) if sample.game.team else WINS
    sure = [one for one in found if one.sure]
    up = [one for one in sure if one.gain > 0]
    down = [one for one in sure if one.gain < 0]
    heading = _heading(sample, measure, kind, up, down)
    text = []
    if up:
        text.append(f"Clearly worth having: {_examples(up, measure)}.")
    if down:
        text.append(f"Clearly a burden: {_examples(down[::-1], measure)}.")
    known = [one for one in found if one.holders >= FEW]
    if not sure and known:
        reach = sorted((one.high - one.low) / 2 for one in known)[len(known) // 2]
        text.append(f"A difference of less than about {measure.gap(reach)} would not show in {sample.games:,} games.")
    few = len(found) - len(known)
    if not known:
        text.append(f"None of the {len(found)} {kind.many} had {FEW} holders: it takes more games to say anything.")
    elif few:
        pale = "it is" if few == 1 else "they are"
        text.append(f"{few} of the {len(found)} {kind.many} had fewer than {FEW} holders: {pale} drawn pale.")
    drawn = list(found) if len(found) <= 2 * SHOWN + 2 else [*found[:SHOWN], None, *found[-SHOWN:]]
    drawing = plots.worth(_anchor(kind), heading, drawn, measure)
    caption = f"How much {measure.more} those who {kind.did} {measure.did.split()[0]}, with 95\u00a0% intervals."
    if None in drawn:
        caption += f" The {SHOWN} best and the {SHOWN} worst of {len(found)}."
    drawings = [Drawing(drawing, caption)]
    return Section(_anchor(kind), kind.many, heading, text, drawings, _table(kind, found, measure), clear=bool(sure))


def _heading(sample: Sample, measure: Measure, kind: Kind, up: list[Worth], down: list[Worth]) -> str:
    usual = measure.level(sample.usual())
    if up and (not down or up[0].gain >= -down[-1].gain):
        what, one = "worth most", up[0]
    elif down:
        what, one = "to be wary of", down[-1]
    else:
        return f"No {kind.one} is clearly worth more than another"
    level = measure.level(sample.usual() + one.gain)
    if level == usual:
        return f"The {kind.one} {what} is {one.name}, but it makes hardly a difference: {measure.gap(one.gain)}"
    return f"The {kind.one} {what} is {one.name}: those who {kind.did} {measure.did.format(level)}, not {usual}"


def _examples(some: list[Worth], measure: Measure) -> str:
    """The first ones with their figures; what the figures count is said once."""
    words = [f"{one.name} ({measure.signed(one.gain)}, {percent(one.share)})" for one in some[:4]]
    first = some[0]
    words[0] = f"{first.name} ({measure.signed(first.gain)} {measure.axis}, {percent(first.share)} of all seats)"
    if len(some) > 4:
        words.append(f"{len(some) - 4} more")
    return all_of(words)


def _table(kind: Kind, found: list[Worth], measure: Measure) -> Table:
    rows = [
        [
            one.name,
            f"{one.holders:,}",
            percent(one.share),
            measure.signed(one.gain),
            f"{measure.signed(one.low)} to {measure.signed(one.high)}",
            "few" if one.holders < FEW else "clear" if one.sure else "",
        ]
        for one in found
    ]
    head = [first_up(kind.one), "Holders", "Of all seats", "Worth", "95 % interval", ""]
    all_of_them = f"All {len(found)} {kind.many}" if len(found) > 1 else first_up(kind.many)
    return Table(f"{all_of_them}: worth in {measure.axis}", head, rows)


def _anchor(kind: Kind) -> str:
    return kind.one.replace(" ", "-")


def maps(sample: Sample, chart: Chart, kind: Kind) -> Section | None:
    """The map twice: how often a line is claimed, and how its owner fares."""
    found = {one.name: one for one in sample.worths(kind.one)}
    if not found:
        return None
    # A line is one seat's at most, so that the part of all games in which it is taken is its share times the seats.
    taken = {name: found[name].share * sample.seats if name in found else 0.0 for name in chart.lines}
    often = max(taken, key=lambda name: taken[name])
    rare = [name for name, part in taken.items() if part < 0.05]
    never = [name for name, part in taken.items() if not part]
    heading = f"{often} is claimed in {percent(taken[often])} of the games"
    if rare:
        heading += f"; {len(rare)} of {len(taken)} {kind.many} in fewer than one in twenty"
    text = ["Claimed most: " + _figures(_ordered(taken)[:5], taken) + "."]
    claimed = [name for name in _ordered(taken) if taken[name]]
    text.append("Claimed least: " + _figures(claimed[-5:][::-1], taken) + ".")
    if never:
        text.append(f"Never claimed in these games: {len(never)} of {len(taken)}.")
    return Section("map", "the map", heading, text, [_how_often(chart, kind, taken), _how_well(chart, kind, found)])


def _how_often(chart: Chart, kind: Kind, taken: dict[str, float]) -> Drawing:
    top = max(taken.values()) or 1.0
    steps = {name: plots.STEPS[min(4, int(5 * part / top))] for name, part in taken.items()}
    widths = {name: 1.2 + 3.4 * part / top for name, part in taken.items()}
    caption = f"How often each {kind.one} is claimed: part of all games."
    legend = [(step, f"up to {percent(top * (number + 1) / 5)}") for number, step in enumerate(plots.STEPS)]
    return Drawing(draw("map-often", caption, chart, steps, widths), caption, legend)


def _how_well(chart: Chart, kind: Kind, found: dict[str, Worth]) -> Drawing:
    gains = {name: found[name].drawn if name in found else 0.0 for name in chart.lines}
    limit = max(map(abs, gains.values())) or 1.0
    sides = {name: plots.DIVERGING[min(4, int((gain / limit + 1) * 2.5))] for name, gain in gains.items()}
    widths = {name: 1.2 if name not in found else 3.0 for name in chart.lines}
    caption = (
        f"How often the owner of each {kind.one} wins, in percentage points above or below usual; "
        "what is known of few is drawn towards the middle."
    )
    edges = [limit * (2 * number / 5 - 1) for number in range(6)]
    legend = [
        (side, f"{WINS.signed(edges[number])} to {WINS.signed(edges[number + 1])}")
        for number, side in enumerate(plots.DIVERGING)
    ]
    return Drawing(draw("map-worth", caption, chart, sides, widths), caption, legend)


def _figures(names: list[str], taken: dict[str, float]) -> str:
    return all_of([f"{name} ({percent(taken[name])})" for name in names])


def _ordered(taken: dict[str, float]) -> list[str]:
    return sorted(taken, key=lambda name: -taken[name])
