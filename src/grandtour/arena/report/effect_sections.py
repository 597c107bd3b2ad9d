"""Report sections on the effect of having each thing, and the map of a game that has one."""

from grandtour.arena.report import plots
from grandtour.arena.report.effects import MIN_HOLDERS, Effect
from grandtour.arena.report.findings import Drawing, Section, Table, unit_of
from grandtour.arena.report.formatting import WIN_RATE, Measure, percent, team_score
from grandtour.arena.report.map_plot import draw_map
from grandtour.arena.report.sample import Sample
from grandtour.engine.study import Chart, Kind
from grandtour.engine.words import capitalize, join_and

SHOWN = 9
"""The number of rows that are drawn from the top and from the bottom of a long list."""

CLEAR = "“Clearly” is corrected for comparing many at once."
BY_CHANCE = f"These are dealt by chance, so a difference between two of them is their own effect. {CLEAR}"
BY_CHOICE = "These go together with winning but need not cause it: players who do well also get more. " + CLEAR


def effect_section(sample: Sample, kind: Kind) -> Section | None:
    """The effects of the things of a kind; None if everyone has all of them or nobody has any."""
    found = sample.effects(kind.one)
    if not found or all(one.holders == sample.games * sample.seats for one in found):
        return None
    measure = team_score(unit_of(sample)) if sample.game.team else WIN_RATE
    significant = [one for one in found if one.significant]
    up = [one for one in significant if one.gain > 0]
    down = [one for one in significant if one.gain < 0]
    heading = _heading(sample, measure, kind, up, down)
    text = []
    if up:
        text.append(f"Clearly good to have: {_examples(up, measure)}.")
    if down:
        text.append(f"Clearly bad to have: {_examples(down[::-1], measure)}.")
    known = [one for one in found if one.holders >= MIN_HOLDERS]
    if not significant and known:
        reach = sorted((one.high - one.low) / 2 for one in known)[len(known) // 2]
        text.append(f"Differences below about {measure.gap(reach)} cannot be detected in {sample.games:,} games.")
    few = len(found) - len(known)
    if not known:
        text.append(f"None of the {len(found)} {kind.many} had {MIN_HOLDERS} holders: more games are needed.")
    elif few:
        verb = "is" if few == 1 else "are"
        text.append(
            f"{few} of the {len(found)} {kind.many} had fewer than {MIN_HOLDERS} holders and {verb} drawn pale."
        )
    drawn = list(found) if len(found) <= 2 * SHOWN + 2 else [*found[:SHOWN], None, *found[-SHOWN:]]
    drawing = plots.effects(_anchor(kind), heading, drawn, measure)
    caption = f"How much {measure.more} players who {kind.did} {measure.did.split()[0]}, with 95\u00a0% intervals."
    if None in drawn:
        caption += f" The {SHOWN} best and the {SHOWN} worst of {len(found)}."
    drawings = [Drawing(drawing, caption)]
    table = _table(kind, found, measure)
    return Section(_anchor(kind), kind.many, heading, text, drawings, table, clear=bool(significant))


def _heading(sample: Sample, measure: Measure, kind: Kind, up: list[Effect], down: list[Effect]) -> str:
    usual = measure.level(sample.mean_outcome())
    if up and (not down or up[0].gain >= -down[-1].gain):
        what, one = "Most valuable", up[0]
    elif down:
        what, one = "Least valuable", down[-1]
    else:
        return f"No {kind.one} is clearly more valuable than another"
    level = measure.level(sample.mean_outcome() + one.gain)
    if level == usual:
        return f"{what} {kind.one}: {one.name}, but it hardly makes a difference ({measure.gap(one.gain)})"
    return f"{what} {kind.one}: {one.name}. Players who {kind.did} {measure.did.format(level)} instead of {usual}"


def _examples(some: list[Effect], measure: Measure) -> str:
    """The first few with their figures; the unit is given once."""
    words = [f"{one.name} ({measure.signed(one.gain)}, {percent(one.share)})" for one in some[:4]]
    first = some[0]
    words[0] = f"{first.name} ({measure.signed(first.gain)} {measure.axis}, {percent(first.share)} of all seats)"
    if len(some) > 4:
        words.append(f"{len(some) - 4} more")
    return join_and(words)


def _table(kind: Kind, found: list[Effect], measure: Measure) -> Table:
    rows = [
        [
            one.name,
            f"{one.holders:,}",
            percent(one.share),
            measure.signed(one.gain),
            f"{measure.signed(one.low)} to {measure.signed(one.high)}",
            "few" if one.holders < MIN_HOLDERS else "clear" if one.significant else "",
        ]
        for one in found
    ]
    head = [capitalize(kind.one), "Holders", "Of all seats", "Effect", "95 % interval", ""]
    all_of_them = f"All {len(found)} {kind.many}" if len(found) > 1 else capitalize(kind.many)
    return Table(f"{all_of_them}: effect in {measure.axis}", head, rows)


def _anchor(kind: Kind) -> str:
    return kind.one.replace(" ", "-")


def map_section(sample: Sample, chart: Chart, kind: Kind) -> Section | None:
    """The map twice: how often each line is claimed, and how often its owner wins."""
    found = {one.name: one for one in sample.effects(kind.one)}
    if not found:
        return None
    # At most one seat owns a line, so the fraction of games in which it is taken is its share times the seats.
    taken = {name: found[name].share * sample.seats if name in found else 0.0 for name in chart.lines}
    often = max(taken, key=lambda name: taken[name])
    rare = [name for name, part in taken.items() if part < 0.05]
    never = [name for name, part in taken.items() if not part]
    heading = f"{often} is claimed in {percent(taken[often])} of games"
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
    caption = f"How often each {kind.one} is claimed, as a share of all games."
    legend = [(step, f"up to {percent(top * (number + 1) / 5)}") for number, step in enumerate(plots.STEPS)]
    return Drawing(draw_map("map-often", caption, chart, steps, widths), caption, legend)


def _how_well(chart: Chart, kind: Kind, found: dict[str, Effect]) -> Drawing:
    gains = {name: found[name].shrunk if name in found else 0.0 for name in chart.lines}
    limit = max(map(abs, gains.values())) or 1.0
    sides = {name: plots.DIVERGING[min(4, int((gain / limit + 1) * 2.5))] for name, gain in gains.items()}
    widths = {name: 1.2 if name not in found else 3.0 for name in chart.lines}
    caption = (
        f"How often the owner of each {kind.one} wins, in percentage points above or below average; "
        "uncertain values are shrunk towards the middle."
    )
    edges = [limit * (2 * number / 5 - 1) for number in range(6)]
    legend = [
        (side, f"{WIN_RATE.signed(edges[number])} to {WIN_RATE.signed(edges[number + 1])}")
        for number, side in enumerate(plots.DIVERGING)
    ]
    return Drawing(draw_map("map-effect", caption, chart, sides, widths), caption, legend)


def _figures(names: list[str], taken: dict[str, float]) -> str:
    return join_and([f"{name} ({percent(taken[name])})" for name in names])


def _ordered(taken: dict[str, float]) -> list[str]:
    return sorted(taken, key=lambda name: -taken[name])
