"""A tournament's results: tables for the terminal, JSON and CSV for programs."""

import csv
import io
import json
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grandtour.arena.summary import Report, as_json, write_text
from grandtour.arena.tally import forfeit_lines
from grandtour.arena.tournament import DECIDED, INTERRUPTED, Tournament
from grandtour.players import is_program

FEW_DEALS = 10
"""With fewer deals than this, the output explains why the intervals are wide."""
FIXED = "95 % intervals over deals, for a number of deals fixed in advance."
ANYTIME = "95 % intervals that are valid however often you check (a betting confidence sequence over deals)."


def make_report(tournament: Tournament, seconds: float) -> Report:
    """The figures, ready for JSON. `games` counts the games of complete deals, `planned` the most to be played."""
    plan, standings = tournament.plan, tournament.standings
    names = plan.players
    players = [{**row, "player": names[row["player"]]} for row in standings.rows()]
    pairs = [
        {**row, "player": names[row["player"]], "opponent": names[row["opponent"]]} for row in standings.pair_rows()
    ]
    games = standings.games
    return {
        **plan.header(),
        "team": tournament.team,
        "games": games,
        "deals": standings.deals,
        "planned": tournament.planned,
        "ended": tournament.end_reason,
        "intervals": "at any time" if standings.anytime else "fixed",
        "seconds": seconds,
        "played_now": tournament.played,
        "mean_moves": standings.moves / games if games else 0.0,
        "shortest": standings.shortest,
        "longest": standings.longest,
        "standings": players,
        "pairs": pairs,
    }


def as_tables(report: Report) -> RenderableType:
    """The report for a terminal."""
    return Group(tables(report), *(Text(sentence) for sentence in _sentences(report)))


def tables(report: Report) -> RenderableType:
    """Only the tables, for a running tournament."""
    return Group(_players(report), _pairs(report))


def _players(report: Report) -> Table:
    team = report["team"]
    kind = "teams of one player in every seat" if team else f"tables of {report['seats']}"
    deals = f"{report['deals']:,} deal{'' if report['deals'] == 1 else 's'}"
    title = f"{report['game']}, {kind}: {report['games']:,} games on {deals}, seed {report['seed']}"
    table = Table("", "player", title=title, title_justify="left")
    programs = any(is_program(player) for player in report["players"])
    headings = (
        "teams" if team else "seats",
        "result" if team else "wins",
        "95 % interval",
        "mean score",
        "rating",
        *(["forfeits"] if programs else []),
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    for place, row in enumerate(report["standings"], 1):
        table.add_row(
            str(place),
            Text(row["player"]),
            f"{row['seats'] // (report['seats'] if team else 1):,}",
            f"{row['win_rate']:.1%}",
            f"{row['low']:.1%} – {row['high']:.1%}",
            f"{row['mean_score']:,.2f}",
            f"{row['rating']:.1f} ± {2 * row['sigma']:.1f}",
            *([f"{row['forfeits']:,}"] if programs else []),
        )
    return table


def _pairs(report: Report) -> Table:
    table = Table("player", "against", title_justify="left")
    for heading in ("ahead", "95 % interval", ""):
        table.add_column(heading, justify="right" if heading else "left")
    for row in report["pairs"]:
        table.add_row(
            Text(row["player"]),
            Text(row["opponent"]),
            f"{row['ahead']:.1%}",
            f"{row['low']:.1%} – {row['high']:.1%}",
            _verdict(row, report["intervals"]),
        )
    return table


def _verdict(row: Report, intervals: str) -> str:
    if row["low"] <= 0.5 <= row["high"]:
        return "could be equal"
    if intervals == "fixed":
        return "clear"
    # All pairs share the 5 % error, so an interval that excludes a draw does not yet decide a pair.
    return "decided" if row["decided"] else "not decided yet"


def _sentences(report: Report) -> list[str]:
    lines = []
    if report["ended"] == INTERRUPTED:
        lines.append(
            f"Stopped after {report['games']:,} of {report['planned']:,} games; only complete deals are counted."
        )
    elif report["ended"] == DECIDED:
        lines.append(
            f"Decided after {report['games']:,} of {report['planned']:,} games: "
            "each player is clearly ahead of the next, with an error of at most 5 % for the whole ranking."
        )
    elif report["intervals"] != "fixed" and not all(row["decided"] for row in report["pairs"] if row["neighbours"]):
        lines.append(f"Not decided after all {report['games']:,} games.")
    if report["team"]:
        lines.append("Ahead: how often a team scored more than the other on a deal; equal scores count half each.")
        lines.append("A team's result is between 0 and 100 %; many scores may give the same result.")
    else:
        lines.append("Ahead: how often a player had the greater share of the win; equal shares count half each.")
    if 0 < report["deals"] < FEW_DEALS:
        lines.append(
            "A deal counts once, however many games it takes, and so few deals leave much to chance. "
            f"With these players one deal takes {report['games'] / report['deals']:,.0f} games."
        )
    lines.append(ANYTIME if report["intervals"] != "fixed" else FIXED)
    if report["games"]:
        lines.append(
            f"Moves per game: {report['mean_moves']:,.1f}, from {report['shortest']:,} to {report['longest']:,}. "
            f"{report['played_now']:,} games played in this run, in {report['seconds']:,.1f} seconds."
        )
    return lines + forfeit_lines(report["standings"], "player")


def write(report: Report, path: Path) -> None:
    """Write the report as JSON or CSV, depending on the file's extension."""
    write_text(as_csv(report) if path.suffix == ".csv" else as_json(report), path)


def as_csv(report: Report) -> str:
    """One line per player against "all", then one per pair of players, each with the figures of the whole run."""
    run = {key: value for key, value in report.items() if key not in ("standings", "pairs", "deals", "seats")}
    run["table"] = report["seats"]
    run["options"] = json.dumps(run["options"], ensure_ascii=False)
    run["players"] = ",".join(run["players"])
    if "programs" in run:
        run["programs"] = json.dumps(run["programs"], ensure_ascii=False)
    rows = [
        {**row, "opponent": "all", "deals": report["deals"], "rate": row["win_rate"]} for row in report["standings"]
    ]
    rows += [{**row, "rate": row["ahead"]} for row in report["pairs"]]
    own = (
        "player",
        "opponent",
        "rate",
        "low",
        "high",
        "deals",
        "seats",
        "wins",
        "mean_score",
        "rating",
        "sigma",
        "forfeits",
        "forfeited",
    )
    out = io.StringIO()
    writer = csv.DictWriter(out, [*own, "decided", *run], extrasaction="ignore")
    writer.writeheader()
    writer.writerows({**run, **row} for row in rows)
    return out.getvalue()
