"""The sections of a report. Every heading is a finding, generated from the figures alone."""

from typing import NamedTuple

from grandtour.arena.intervals import interval
from grandtour.arena.report import plots
from grandtour.arena.report.formatting import (
    ORDINALS,
    amount,
    number,
    percent,
    percentage_points,
    precise_percent,
    quantile,
)
from grandtour.arena.report.observe import PHASES
from grandtour.arena.report.sample import Sample
from grandtour.arena.tally import wilson
from grandtour.engine.words import capitalize, join_and

CLOSE_FINISH = 0.1
"""A finish is close if the winner is ahead by at most this fraction of the median winning score."""

NEARLY_ALL = 0.9
SEAT_CORRECTION = 1.3
"""The number of half-intervals that a seat must be away from a fair share, to correct for testing up to five seats."""


class Table(NamedTuple):
    title: str
    head: list[str]
    rows: list[list[str]]


class Drawing(NamedTuple):
    """A plot, its caption, and a legend for its colours if it needs one."""

    svg: str
    caption: str
    legend: list[tuple[str, str]] = []  # noqa: RUF012


class Section(NamedTuple):
    """A finding and its evidence. The summary at the top repeats clear findings and lists the topics of the others."""

    anchor: str
    topic: str
    heading: str
    text: list[str]
    drawings: list[Drawing]
    table: Table | None = None
    clear: bool = True


def seats(sample: Sample) -> Section | None:
    """Whether going first is an advantage."""
    if sample.game.team or not sample.by_order[0]:
        return None
    fair = sample.mean_share()
    rows = []
    for place, values in enumerate(sample.by_order):
        low, high = interval(values)
        rows.append((ORDINALS[place], sum(values) / len(values), low, high))
    first = rows[0]
    unlike = [row for row in rows[1:] if row[2] > fair or row[3] < fair]
    beyond = [row for row in unlike if abs(row[1] - fair) > SEAT_CORRECTION * (row[3] - row[2]) / 2]
    clear = True
    won = f"{percent(first[1])} of games won instead of {percent(fair)}"
    if first[2] > fair:
        heading = f"Going first is an advantage: {won}"
    elif first[3] < fair:
        heading = f"Going first is a disadvantage: {won}"
    elif beyond and sample.seats > 2:
        most = max(beyond, key=lambda row: abs(row[1] - fair))
        what = "has an advantage" if most[1] > fair else "is at a disadvantage"
        heading = f"The {most[0]} player {what}: {percent(most[1])} of games won instead of {percent(fair)}"
    else:
        heading = "Going first makes no clear difference"
        clear = False
    text = [
        f"The first player wins {precise_percent(first[1])} of games, with a 95 % interval from "
        f"{precise_percent(first[2])} to {precise_percent(first[3])}; a fair share would be {precise_percent(fair)}."
    ]
    if first[2] <= fair <= first[3]:
        reach = max(fair - first[2], first[3] - fair)
        text.append(f"Any effect of going first is below {percentage_points(reach)}; more games could show it.")
    if unlike and sample.seats > 2:
        text.append(
            capitalize(join_and([f"the {row[0]} player wins {percent(row[1])}" for row in unlike]))
            + ", which is not a fair share either."
        )
    if sample.without_winner:
        nobody = percent(sample.without_winner / sample.games)
        text.append(f"In {nobody} of games nobody wins, which lowers the fair share.")
    drawing = plots.intervals("seats", heading, [(f"{row[0]} player", *row[1:]) for row in rows], fair)
    caption = "Share of games won, by order of play, with 95 % intervals; dashed: a fair share."
    return Section("seats", "who goes first", heading, text, [Drawing(drawing, caption)], clear=clear)


def length(sample: Sample) -> Section:
    """How long games are."""
    moves = [float(value) for value in sample.moves]
    low, middle, high = (quantile(moves, part) for part in (0.25, 0.5, 0.75))
    long = quantile(moves, 0.95)
    heading = f"A typical game takes {number(middle)} moves; one in twenty takes more than {number(long)}"
    text = [
        f"Half of all games take between {number(low)} and {number(high)} moves. The shortest took "
        f"{number(min(moves))}, the longest {number(max(moves))}."
    ]
    if sample.choices:
        per_seat = sample.choices / sample.games / sample.seats
        wide = sample.legal_moves / sample.choices
        forced = 1 - sample.choices / sum(moves)
        rest = f"{percent(forced)} of all moves are forced" if forced >= 0.005 else "hardly any moves are forced"
        text.append(
            f"A player has a real choice {number(round(per_seat))} times per game, among "
            f"{number(round(wide, 1))} moves on average; {rest}."
        )
    spread = high / low if low else 1.0
    if spread >= 2:
        text.append("Length varies widely: the longest quarter of games takes at least twice as long as the shortest.")
    drawing = plots.histogram("length", heading, [("games", "teal", moves)], "moves")
    return Section("length", "length", heading, text, [Drawing(drawing, "Games by number of moves.")])


def endings(sample: Sample) -> Section | None:
    """How games end."""
    if len(sample.endings) < 2:
        return None
    rows = [(name, count / sample.games) for name, count in sample.endings.most_common()]
    name, share = rows[0]
    kinds = f"{len(rows)} kinds of ending"
    heading = (
        f"Most games end the same way: {name}, {percent(share)}"
        if share > 0.5
        else f"No ending dominates: there were {kinds}, the most frequent ({name}) in {percent(share)} of games"
    )
    low, high = wilson(sample.endings[name], sample.games)
    text = [f"{capitalize(name)}: 95\u00a0% interval {percent(low)} to {percent(high)}."]
    rare = [name for name, share in rows if share < 0.05]
    if rare:
        text.append(f"In fewer than one game in twenty: {join_and(rare)}.")
    drawing = plots.shares("endings", heading, [(capitalize(name), share) for name, share in rows])
    return Section("endings", "endings", heading, text, [Drawing(drawing, "Games by ending.")])


def scores(sample: Sample) -> Section | None:
    """The distribution of scores; None if the game has no scores, only outcomes."""
    if not sample.game.team and not sample.scored:
        return None
    unit = unit_of(sample)
    many = unit[1]
    if sample.game.team:
        middle = quantile(sample.winning, 0.5)
        low, high = quantile(sample.winning, 0.1), quantile(sample.winning, 0.9)
        full = sum(1 for share in sample.by_player[0] if share >= 1) / len(sample.by_player[0])
        heading = f"A team typically scores {number(middle)}, and {percent(full)} of teams reach the maximum result"
        text = [f"Eight in ten teams score {_between(low, high, unit)}."]
        drawing = plots.histogram("scores", heading, [("teams", "teal", sample.winning)], many)
        return Section("scores", "scores", heading, text, [Drawing(drawing, "Teams by score.")])
    series = [("winners", "teal", sample.winning), ("others", "vermilion", sample.losing)]
    series = [(title, colour, values) for title, colour, values in series if values]
    if not sample.winning:
        heading = "Nobody won any of these games"
        text = ["So there are no winning scores."]
    else:
        middle = quantile(sample.winning, 0.5)
        others = quantile(sample.losing, 0.5) if sample.losing else middle
        if middle > others:
            heading = f"It typically takes {amount(middle, unit)} to win; the others have {number(others)}"
        else:
            heading = f"The score does not show who wins: winners and others typically have {amount(middle, unit)}"
            if middle < others:
                heading = f"Winners typically have fewer {many} than the others: {number(middle)} to {number(others)}"
        low, high = quantile(sample.winning, 0.1), quantile(sample.winning, 0.9)
        text = [f"Eight in ten winners have {_between(low, high, unit)}."]
        top = quantile(sample.losing, 0.9) if sample.losing else others
        if top > others:
            text.append(f"One in ten of the others has {number(top)} or more and still does not win.")
    drawing = plots.histogram("scores", heading, series, many)
    return Section("scores", "scores", heading, text, [Drawing(drawing, "Final scores of winners and others.")])


def finishes(sample: Sample) -> Section | None:
    """How close finishes are."""
    if sample.game.team or not sample.scored or not sample.margins:
        return None
    unit = unit_of(sample)
    near = CLOSE_FINISH * abs(quantile(sample.winning, 0.5))
    near = max(1.0, round(near)) if near < 100 else round(near, -2)
    close = sum(1 for margin in sample.margins if margin <= near) / sample.games
    shared = sample.shared / sample.games
    low, high = wilson(close * sample.games, sample.games)
    runaway = sum(1 for margin in sample.margins if margin > 5 * near) / sample.games
    behind = sum(1 for margin in sample.margins if margin < 0) / sample.games
    if close > NEARLY_ALL:
        heading = f"The winner is rarely more than {amount(near, unit)} ahead"
    else:
        heading = f"{percent(close)} of games end within {amount(near, unit)}"
    if shared >= 0.01:
        heading += f", and {percent(shared)} are shared wins"
    margin = _typical_margin(quantile(sample.margins, 0.5))
    text = [
        f"A sole winner is ahead of the runner-up by {amount(near, unit)} or less in {percent(close)} of all "
        f"games (95\u00a0% interval {percent(low)} to {percent(high)}); {margin}."
    ]
    if runaway:
        text.append(f"In {percent(runaway)} of games the winner is ahead by more than {number(5 * near)}.")
    if behind:
        text.append(f"In {percent(behind)} another player has a higher score than the winner: another goal decided.")
    drawing = plots.histogram("finishes", heading, [("games", "plum", sample.margins)], f"{unit[1]} ahead")
    return Section(
        "finishes", "close finishes", heading, text, [Drawing(drawing, "How far the winner is ahead of the runner-up.")]
    )


def _typical_margin(margin: float) -> str:
    """The median margin of winners, as the end of a sentence."""
    if margin < 0:
        return f"typically the winner is {number(-margin)} behind another player"
    return f"the median margin is {number(margin)}"


def unit_of(sample: Sample) -> tuple[str, str]:
    """What the score counts, singular and plural."""
    return sample.game.study.score if sample.game.study else ("point", "points")


def _between(low: float, high: float, unit: tuple[str, str]) -> str:
    return amount(low, unit) if low == high else f"between {number(low)} and {amount(high, unit)}"


def choices(sample: Sample) -> Section | None:
    """Which moves are chosen when."""
    verbs = list(sample.game.moves.verbs)
    if not sample.choices:
        return None
    over_all = [sum(sample.chosen[phase][verb] for phase in range(PHASES)) for verb in range(len(verbs))]
    ranked = sorted((verb for verb in range(len(verbs)) if over_all[verb]), key=lambda verb: -over_all[verb])
    shown = ranked[: len(plots.SERIES)]
    series_by_verb = [(_verb_text(verbs[verb]), _shares_by_phase(sample, [verb])) for verb in shown]
    rest = ranked[len(plots.SERIES) :]
    if rest:
        series_by_verb.append(("other", _shares_by_phase(sample, rest)))
    third = PHASES // 3
    early = _leader(sample, range(third))
    late = _leader(sample, range(PHASES - third, PHASES))
    first, last = _verb_text(verbs[early[0]]), _verb_text(verbs[late[0]])
    if early[0] == late[0]:
        heading = f"From start to finish “{first}” is chosen most: {percent(early[1])} early, {percent(late[1])} late"
    else:
        heading = f"The most common early choice is “{first}” ({percent(early[1])}), the most common late one “{last}”"
    total = sum(over_all)
    text = [
        "Of all choices, "
        + join_and([f"{percent(over_all[verb] / total)} are “{_verb_text(verbs[verb])}”" for verb in ranked[:3]])
        + ". Forced moves are not counted."
    ]
    rises = max(series_by_verb[: len(shown)], key=lambda course: _change(course[1]))
    if _change(rises[1]) > 0.03:
        gain = percentage_points(_change(rises[1]))
        text.append(f"“{capitalize(rises[0])}” gains most from the first third of a game to the last: {gain}.")
    never = [_verb_text(name) for verb, name in enumerate(verbs) if verb in sample.offered and not over_all[verb]]
    if never:
        text.append(f"Never chosen, although possible: {join_and([f'“{name}”' for name in never])}.")
    drawing = plots.choices("choices", heading, series_by_verb)
    caption = "Share of each kind of move among all choices over the course of a game."
    return Section("choices", "choices", heading, text, [Drawing(drawing, caption)])


def _verb_text(verb: str) -> str:
    return verb.replace("-", " ")


def _part(count: int, total: int) -> float:
    return count / total if total else 0.0


def _shares_by_phase(sample: Sample, verbs: list[int]) -> list[float]:
    """The share of these verbs among the choices of each phase."""
    return [_part(sum(chosen[verb] for verb in verbs), sum(chosen)) for chosen in sample.chosen]


def _leader(sample: Sample, phases: range) -> tuple[int, float]:
    sums = [sum(sample.chosen[phase][verb] for phase in phases) for verb in range(len(sample.game.moves.verbs))]
    best = sums.index(max(sums))
    return best, _part(sums[best], sum(sums))


def _change(course: list[float]) -> float:
    third = PHASES // 3
    return sum(course[-third:]) / third - sum(course[:third]) / third


def players(sample: Sample) -> Section | None:
    """The results of the players, if they differ. In a team game all of them have the same result."""
    if len(sample.names) < 2 or sample.game.team:
        return None
    rows = []
    for name, values in zip(sample.names, sample.by_player, strict=True):
        low, high = interval(values)
        rows.append((name, sum(values) / len(values), low, high))
    best = max(rows, key=lambda row: row[1])
    heading = f"{best[0]} is the strongest player and wins {percent(best[1])}"
    text = ["All other sections compare a player with the same player's own average."]
    drawing = plots.intervals("players", heading, rows, sample.mean_share())
    return Section(
        "players",
        "players",
        heading,
        text,
        [Drawing(drawing, "Share of games won by each player, with 95 % intervals.")],
    )
