"""What a tournament says, as tables for people and as JSON or CSV for programs."""

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

FEW = 10
"""With fewer deals than this a table says why its intervals are wide."""
FIXED = "95 % intervals over deals, for a number of deals fixed before."
ANYTIME = "95 % intervals that hold however often one looks (a betting confidence sequence over deals)."


def make_report(tournament: Tournament, seconds: float) -> Report:
    """The numbers, ready for JSON. `games` are those that count, `planned` those that were to be played at most."""
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
        "ended": tournament.why,
        "intervals": "at any time" if standings.looking else "fixed",
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
    """Only the tables, while it still runs."""
    return Group(_players(report), _pairs(report))


def _players(report: Report) -> Table:
    team = report["team"]
    kind = "teams, each of one player at every seat" if team else f"tables of {report['seats']}"
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
    # All pairs share the error of a decision: an interval that excludes a draw is not enough for one.
    return "decided" if row["decided"] else "not decided yet"


def _sentences(report: Report) -> list[str]:
    said = []
    if report["ended"] == INTERRUPTED:
        said.append(f"Stopped after {report['games']:,} of {report['planned']:,} games; only whole deals are counted.")
    elif report["ended"] == DECIDED:
        said.append(
            f"Decided after {report['games']:,} of {report['planned']:,} games: "
            "of every two neighbours one is ahead, with an error of at most 5 % for the whole ranking."
        )
    elif report["intervals"] != "fixed" and not all(row["decided"] for row in report["pairs"] if row["neighbours"]):
        said.append(f"Not decided after all {report['games']:,} games.")
    if report["team"]:
        said.append("Ahead: of two teams on the same deal, which scored more; equal scores are half each.")
        said.append("A team's result goes from 0 to 100 %: it may be the same for many scores.")
    else:
        said.append("Ahead: of two players at a table, who has the greater part of the win; equal parts are half each.")
    if 0 < report["deals"] < FEW:
        said.append(
            "A deal counts once, however many games it takes: so few deals leave much to chance. "
            f"One takes {report['games'] / report['deals']:,.0f} games of this field."
        )
    said.append(ANYTIME if report["intervals"] != "fixed" else FIXED)
    if report["games"]:
        said.append(
            f"Moves a game: {report['mean_moves']:,.1f}, from {report['shortest']:,} to {report['longest']:,}. "
            f"{report['played_now']:,} games played now, in {report['seconds']:,.1f} seconds."
        )
    return said + forfeit_lines(report["standings"], "player")


def write(report: Report, path: Path) -> None:
    """The report as JSON, or as CSV, by the name's ending."""
    write_text(as_csv(report) if path.suffix == ".csv" else as_json(report), path)


def as_csv(report: Report) -> str:
    """A line a player against "all", then one for every two players, each with the run's own figures."""
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
