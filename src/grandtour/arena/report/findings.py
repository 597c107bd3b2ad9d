"""What a sample shows, section by section: every heading is a finding, made from the figures and nothing else."""

from typing import NamedTuple

from grandtour.arena.evidence import interval
from grandtour.arena.report import plots
from grandtour.arena.report.observing import PHASES
from grandtour.arena.report.sample import Sample
from grandtour.arena.report.words import ORDINALS, amount, finely, number, percent, points, quantile
from grandtour.arena.tally import wilson
from grandtour.engine.words import all_of, first_up

CLOSE = 0.1
"""A finish is close when the winner is ahead by at most this part of a usual winning score."""

NEARLY_ALL = 0.9
ALL_SEATS = 1.3
"""How much further than half an interval a seat has to be from a fair part, since five of them are looked at."""


class Table(NamedTuple):
    title: str
    head: list[str]
    rows: list[list[str]]


class Drawing(NamedTuple):
    """A plot, what stands below it, and what its colours mean where it does not say so itself."""

    svg: str
    caption: str
    legend: list[tuple[str, str]] = []  # noqa: RUF012


class Section(NamedTuple):
    """A finding with what it rests on. `clear` ones are repeated at the top of the page, of others the topic is."""

    anchor: str
    topic: str
    heading: str
    text: list[str]
    drawings: list[Drawing]
    table: Table | None = None
    clear: bool = True


def seats(sample: Sample) -> Section | None:
    """Whether it is good to begin."""
    if sample.game.team or not sample.by_order[0]:
        return None
    fair = sample.mean()
    rows = []
    for place, values in enumerate(sample.by_order):
        low, high = interval(values)
        rows.append((ORDINALS[place], sum(values) / len(values), low, high))
    first = rows[0]
    unlike = [row for row in rows[1:] if row[2] > fair or row[3] < fair]
    beyond = [row for row in unlike if abs(row[1] - fair) > ALL_SEATS * (row[3] - row[2]) / 2]
    clear = True
    won = f"{percent(first[1])} of the games won instead of {percent(fair)}"
    if first[2] > fair:
        heading = f"Whoever begins has an advantage: {won}"
    elif first[3] < fair:
        heading = f"Whoever begins is at a disadvantage: {won}"
    elif beyond and sample.seats > 2:
        most = max(beyond, key=lambda row: abs(row[1] - fair))
        what = "has an advantage" if most[1] > fair else "is at a disadvantage"
        heading = f"The {most[0]} player {what}: {percent(most[1])} of the games won instead of {percent(fair)}"
    else:
        heading = "Beginning makes no clear difference"
        clear = False
    text = [
        f"The first player wins {finely(first[1])} of the games, with a 95 % interval from {finely(first[2])} to "
        f"{finely(first[3])}; a fair part would be {finely(fair)}."
    ]
    if first[2] <= fair <= first[3]:
        reach = max(fair - first[2], first[3] - fair)
        text.append(f"If beginning is of any advantage, it is smaller than {points(reach)}: more games would show it.")
    if unlike and sample.seats > 2:
        text.append(
            first_up(all_of([f"the {row[0]} player wins {percent(row[1])}" for row in unlike]))
            + ", which is not a fair part either."
        )
    if sample.unwon:
        text.append(f"In {percent(sample.unwon / sample.games)} of the games nobody wins, hence the fair part.")
    drawing = plots.intervals("seats", heading, [(f"{row[0]} player", *row[1:]) for row in rows], fair)
    caption = "Part of the games won, by order of play, with 95 % intervals; dashed: a fair part."
    return Section("seats", "who begins", heading, text, [Drawing(drawing, caption)], clear=clear)


def length(sample: Sample) -> Section:
    """How long it takes."""
    moves = [float(value) for value in sample.moves]
    low, middle, high = (quantile(moves, part) for part in (0.25, 0.5, 0.75))
    long = quantile(moves, 0.95)
    heading = f"A usual game takes {number(middle)} moves; one in twenty takes more than {number(long)}"
    text = [
        f"Half of all games take between {number(low)} and {number(high)} moves; the shortest took "
        f"{number(min(moves))}, the longest {number(max(moves))}."
    ]
    if sample.choices:
        a_seat = sample.choices / sample.games / sample.seats
        wide = sample.open / sample.choices
        forced = 1 - sample.choices / sum(moves)
        rest = f"{percent(forced)} of all moves are forced" if forced >= 0.005 else "hardly a move is forced"
        text.append(
            f"A player has a real choice {number(round(a_seat))} times a game, on average among "
            f"{number(round(wide, 1))} moves; {rest}."
        )
    spread = high / low if low else 1.0
    if spread >= 2:
        text.append("The length varies widely: one quarter of the games takes twice as long as another.")
    drawing = plots.histogram("length", heading, [("games", "teal", moves)], "moves")
    return Section("length", "length", heading, text, [Drawing(drawing, "Games by their number of moves.")])


def endings(sample: Sample) -> Section | None:
    """How it ends."""
    if len(sample.endings) < 2:
        return None
    rows = [(name, count / sample.games) for name, count in sample.endings.most_common()]
    name, share = rows[0]
    kinds = f"{len(rows)} kinds of ending"
    heading = (
        f"Most games end one way: {name}, {percent(share)}"
        if share > 0.5
        else f"No ending is the rule: {kinds} came up, the most frequent ({name}) in {percent(share)} of the games"
    )
    low, high = wilson(sample.endings[name], sample.games)
    text = [f"{first_up(name)}: 95\u00a0% interval {percent(low)} to {percent(high)}."]
    rare = [name for name, share in rows if share < 0.05]
    if rare:
        text.append(f"In fewer than one game in twenty: {all_of(rare)}.")
    drawing = plots.shares("endings", heading, [(first_up(name), share) for name, share in rows])
    return Section("endings", "endings", heading, text, [Drawing(drawing, "Games by how they ended.")])


def scores(sample: Sample) -> Section | None:
    """What scores come about; nothing where there is no score, only an outcome."""
    if not sample.game.team and not sample.scored:
        return None
    unit = unit_of(sample)
    many = unit[1]
    if sample.game.team:
        middle = quantile(sample.winning, 0.5)
        low, high = quantile(sample.winning, 0.1), quantile(sample.winning, 0.9)
        full = sum(1 for share in sample.by_player[0] if share >= 1) / len(sample.by_player[0])
        heading = f"A team usually scores {number(middle)}, and {percent(full)} of the teams reach the full result"
        text = [f"Eight teams out of ten score {_between(low, high, unit)}."]
        drawing = plots.histogram("scores", heading, [("teams", "teal", sample.winning)], many)
        return Section("scores", "scores", heading, text, [Drawing(drawing, "Teams by what they scored.")])
    series = [("winners", "teal", sample.winning), ("others", "vermilion", sample.losing)]
    series = [(title, colour, values) for title, colour, values in series if values]
    if not sample.winning:
        heading = "Nobody won any of these games"
        text = ["There is no winning score to speak of."]
    else:
        middle = quantile(sample.winning, 0.5)
        others = quantile(sample.losing, 0.5) if sample.losing else middle
        if middle > others:
            heading = f"It usually takes {amount(middle, unit)} to win; the others have {number(others)}"
        else:
            heading = f"The score does not tell who wins: winners and others usually have {amount(middle, unit)}"
            if middle < others:
                heading = f"The winners usually have fewer {many} than the others: {number(middle)} to {number(others)}"
        low, high = quantile(sample.winning, 0.1), quantile(sample.winning, 0.9)
        text = [f"Eight winners out of ten have {_between(low, high, unit)}."]
        top = quantile(sample.losing, 0.9) if sample.losing else others
        if top > others:
            text.append(f"One in ten of the others has {number(top)} or more, and does not win with it.")
    drawing = plots.histogram("scores", heading, series, many)
    return Section(
        "scores", "scores", heading, text, [Drawing(drawing, "Seats by their final score: winners and others.")]
    )


def finishes(sample: Sample) -> Section | None:
    """How close it gets."""
    if sample.game.team or not sample.scored or not sample.margins:
        return None
    unit = unit_of(sample)
    near = CLOSE * abs(quantile(sample.winning, 0.5))
    near = max(1.0, round(near)) if near < 100 else round(near, -2)
    close = sum(1 for margin in sample.margins if margin <= near) / sample.games
    shared = sample.shared / sample.games
    low, high = wilson(close * sample.games, sample.games)
    runaway = sum(1 for margin in sample.margins if margin > 5 * near) / sample.games
    behind = sum(1 for margin in sample.margins if margin < 0) / sample.games
    if close > NEARLY_ALL:
        heading = f"The winner is rarely more than {amount(near, unit)} ahead"
    else:
        heading = f"{percent(close)} of the games end within {amount(near, unit)}"
    if shared >= 0.01:
        heading += f", and {percent(shared)} are shared"
    text = [
        f"A sole winner is ahead of the next by {amount(near, unit)} or less in {percent(close)} of all "
        f"games (95\u00a0% interval {percent(low)} to {percent(high)}); {_usually(quantile(sample.margins, 0.5))}."
    ]
    if runaway:
        text.append(f"In {percent(runaway)} of the games the winner is ahead by more than {number(5 * near)}.")
    if behind:
        text.append(f"In {percent(behind)} the winner has a lower score than somebody else: another goal decided.")
    drawing = plots.histogram("finishes", heading, [("games", "plum", sample.margins)], f"{unit[1]} ahead")
    return Section(
        "finishes", "close finishes", heading, text, [Drawing(drawing, "How far the winner is ahead of the next.")]
    )


def _usually(margin: float) -> str:
    """What a winner is ahead by, as the end of a sentence."""
    if margin < 0:
        return f"usually the winner is behind somebody by {number(-margin)}"
    return f"usually it is {number(margin)}"


def unit_of(sample: Sample) -> tuple[str, str]:
    """What the score counts, one and many."""
    return sample.game.study.score if sample.game.study else ("point", "points")


def _between(low: float, high: float, unit: tuple[str, str]) -> str:
    return amount(low, unit) if low == high else f"between {number(low)} and {amount(high, unit)}"


def choices(sample: Sample) -> Section | None:
    """What is chosen when."""
    verbs = list(sample.game.moves.verbs)
    if not sample.choices:
        return None
    over_all = [sum(sample.chosen[phase][verb] for phase in range(PHASES)) for verb in range(len(verbs))]
    ranked = sorted((verb for verb in range(len(verbs)) if over_all[verb]), key=lambda verb: -over_all[verb])
    shown = ranked[: len(plots.SERIES)]
    courses = [(_said(verbs[verb]), _course(sample, [verb])) for verb in shown]
    rest = ranked[len(plots.SERIES) :]
    if rest:
        courses.append(("other", _course(sample, rest)))
    third = PHASES // 3
    early = _leader(sample, range(third))
    late = _leader(sample, range(PHASES - third, PHASES))
    first, last = _said(verbs[early[0]]), _said(verbs[late[0]])
    if early[0] == late[0]:
        heading = (
            f"From start to end the choice is mostly “{first}”: {percent(early[1])} early, {percent(late[1])} late"
        )
    else:
        heading = f"Games begin with “{first}” ({percent(early[1])} of the choices) and end with “{last}”"
    total = sum(over_all)
    text = [
        "Of all choices, "
        + all_of([f"{percent(over_all[verb] / total)} are “{_said(verbs[verb])}”" for verb in ranked[:3]])
        + ". Moves without an alternative are left out."
    ]
    rises = max(courses[: len(shown)], key=lambda course: _change(course[1]))
    if _change(rises[1]) > 0.03:
        text.append(f"“{first_up(rises[0])}” gains most from the first third to the last: {points(_change(rises[1]))}.")
    never = [_said(name) for verb, name in enumerate(verbs) if verb in sample.offered and not over_all[verb]]
    if never:
        text.append(f"Never chosen, though it was possible: {all_of([f'“{name}”' for name in never])}.")
    drawing = plots.choices("choices", heading, courses)
    caption = "Share of each kind of move among all choices, over the course of a game."
    return Section("choices", "choices", heading, text, [Drawing(drawing, caption)])


def _said(verb: str) -> str:
    return verb.replace("-", " ")


def _part(count: int, total: int) -> float:
    return count / total if total else 0.0


def _course(sample: Sample, verbs: list[int]) -> list[float]:
    """The part of some verbs among the choices of each phase."""
    return [_part(sum(chosen[verb] for verb in verbs), sum(chosen)) for chosen in sample.chosen]


def _leader(sample: Sample, phases: range) -> tuple[int, float]:
    sums = [sum(sample.chosen[phase][verb] for phase in phases) for verb in range(len(sample.game.moves.verbs))]
    best = sums.index(max(sums))
    return best, _part(sums[best], sum(sums))


def _change(course: list[float]) -> float:
    third = PHASES // 3
    return sum(course[-third:]) / third - sum(course[:third]) / third


def players(sample: Sample) -> Section | None:
    """How the players did, where they differ. Those of one team reach the same."""
    if len(sample.names) < 2 or sample.game.team:
        return None
    rows = []
    for name, values in zip(sample.names, sample.by_player, strict=True):
        low, high = interval(values)
        rows.append((name, sum(values) / len(values), low, high))
    best = max(rows, key=lambda row: row[1])
    heading = f"Of the players, {best[0]} wins most: {percent(best[1])}"
    text = ["All other sections compare a player with what the same player usually reaches."]
    drawing = plots.intervals("players", heading, rows, sample.mean())
    return Section(
        "players",
        "players",
        heading,
        text,
        [Drawing(drawing, "Part of the games won by each player, with 95 % intervals.")],
    )
