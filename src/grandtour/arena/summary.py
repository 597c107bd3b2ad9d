"""A simulation's results: a table for the terminal, JSON and CSV for programs."""

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grandtour import __version__
from grandtour.arena.simulation import Plan
from grandtour.arena.tally import Tally, forfeit_lines, forfeit_row, labels, wilson
from grandtour.engine.catalogue import game
from grandtour.engine.refusal import Refusal, short
from grandtour.players import is_program

Report = dict[str, Any]

FILE_TYPES = (".json", ".csv")


def make_report(plan: Plan, tally: Tally, seconds: float) -> Report:
    """The figures, ready for JSON. `games` counts those played, `planned` those requested."""
    games = tally.games
    players = []
    for name, wins, scores, forfeits in zip(
        labels(plan.players), tally.wins, tally.scores, tally.forfeits, strict=True
    ):
        low, high = wilson(wins, games)
        players.append(
            {
                "name": name,
                "games": games,
                "wins": wins,
                "win_rate": wins / games if games else 0.0,
                "low": low,
                "high": high,
                "mean_score": scores / games if games else 0.0,
                **forfeit_row(forfeits),
            }
        )
    return {
        "version": __version__,
        "game": plan.game,
        "team": game(plan.game).team,
        "options": plan.options,
        "games": games,
        "planned": plan.games,
        "seed": plan.seed,
        "seconds": seconds,
        "games_per_second": games / seconds if seconds else 0.0,
        "mean_moves": tally.moves / games if games else 0.0,
        "shortest": tally.shortest,
        "longest": tally.longest,
        "players": players,
    }


def as_table(report: Report) -> RenderableType:
    """The report for a terminal."""
    title = f"{report['game']}, {report['games']:,} games, seed {report['seed']}"
    table = Table("player", title=title, title_justify="left")
    programs = any(is_program(row["name"]) for row in report["players"])
    team = report["team"]
    counted = ["result"] if team else ["wins", "win rate"]
    for heading in (*counted, "95 % interval", "mean score", *(["forfeits"] if programs else [])):
        table.add_column(heading, justify="right")
    for row in report["players"]:
        table.add_row(
            row["name"],
            *([] if team else [f"{row['wins']:,.1f}".removesuffix(".0")]),
            f"{row['win_rate']:.1%}",
            f"{row['low']:.1%} – {row['high']:.1%}",
            f"{row['mean_score']:,.2f}",
            *([f"{row['forfeits']:,}"] if programs else []),
        )
    lines = [
        f"Moves per game: {report['mean_moves']:,.1f}, from {report['shortest']:,} to {report['longest']:,}.",
        f"{report['games_per_second']:,.0f} games per second, {report['seconds']:,.1f} seconds.",
    ]
    if report["games"] < report["planned"]:
        lines.insert(0, f"Stopped after {report['games']:,} of {report['planned']:,} games.")
    if report["games"] % len(report["players"]):
        lines.append("The games do not divide evenly: some players sat in one seat once more than in another.")
    lines += forfeit_lines(report["players"], "name")
    return Group(table, *(Text(line) for line in lines))


def check_out(path: Path) -> None:
    """Refuse an output file that cannot be written, before anything is played."""
    if path.suffix not in FILE_TYPES:
        raise Refusal(
            "bad-options", f"Results are written to a {' or a '.join(FILE_TYPES)} file, not to {short(str(path))}."
        )
    check_place(path)


def check_place(path: Path) -> None:
    """Refuse a path where no file can be written."""
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir():
        raise Refusal("bad-options", f"Cannot write to {short(str(path))}: there is no such folder.")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise Refusal("bad-options", f"Cannot write to {short(str(path))}: permission denied.")


def write(report: Report, path: Path) -> None:
    """Write the report as JSON, or as CSV with one line per player, depending on the file's extension."""
    write_text(as_csv(report) if path.suffix == ".csv" else as_json(report), path)


def write_text(text: str, path: Path) -> None:
    """Write a file without changing its line endings; refuse if that fails, for example on a full disk."""
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise Refusal("bad-file", f"{short(str(path))} could not be written: {error.strerror}.") from None


def as_json(report: Report) -> str:
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def as_csv(report: Report) -> str:
    """One line per player, each with the figures of the whole run, so that the files of many runs can be combined."""
    run = {key: value for key, value in report.items() if key != "players"}
    run["options"] = json.dumps(run["options"], ensure_ascii=False)
    out = io.StringIO()
    writer = csv.DictWriter(out, [*run, *(key for key in report["players"][0] if key not in run)])
    writer.writeheader()
    writer.writerows({**run, **row} for row in report["players"])
    return out.getvalue()
