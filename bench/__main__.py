"""`make bench`: our random playouts and searches beside the peers', all on one core, one after the other, in one run.

Every library is measured several times in turn, each time in a process of its own, so that a slow minute of
the machine falls on all of them; a row is the median of its runs.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Column, Table

from bench.measure import Row

ROOT = Path(__file__).resolve().parent.parent
PEERS_PYTHON = ROOT / ".venv-bench" / "bin" / "python"
PEERS = ("open_spiel", "rlcard", "pettingzoo", "catanatron")
KEY = ("library", "name", "players", "loop")
YARDSTICK = ("round-trip", 2)
"""What of ours the peers are compared with: a game and a number of players."""
NOTE = (
    "Legal moves are asked for at every decision. Steps of nobody, such as cards dealt one by one, are in the time "
    "but not among the decisions. Loops are compared like with like: inside the library, in C++ or compiled, with "
    "inside; in Python with in Python. The last column is our sources interpreted, loop in Python."
)


def runs(peers: Path, seed: int, budget: float) -> Iterator[tuple[str, list[Row]]]:
    """Each library once, in turn."""
    interpreted = {"PYTHONPATH": str(ROOT / "src")}
    yield "grandtour", ask([sys.executable, "-m", "bench.ours"], seed, budget, {})
    yield "grandtour, interpreted", ask([sys.executable, "-m", "bench.ours"], seed, budget, interpreted)
    for library in PEERS:
        yield library, ask([str(peers), "-m", "bench.peers", library], seed, budget, {})


def searches(peers: Path, seed: int, budget: float) -> Iterator[tuple[str, list[Row]]]:
    """Each search once, in turn."""
    mine, theirs = [[python, "-m", "bench.searching"] for python in (sys.executable, str(peers))]
    yield "search of grandtour", ask([*mine, "grandtour"], seed, budget, {})
    yield "search of open_spiel", ask([*theirs, "open_spiel"], seed, budget, {})


def ask(command: list[str], seed: int, budget: float, more: dict[str, str]) -> list[Row]:
    """The rows that a measuring process hands over. Its numeric libraries keep to one thread."""
    calm = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    base = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*command, str(seed), str(budget)],
        cwd=ROOT,
        env={**base, **calm, **more},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: list[Row] = json.loads(done.stdout.splitlines()[-1])
    return found


def medians(samples: list[Row]) -> list[Row]:
    """One row for each thing measured: the medians of its runs, and how far they lay apart."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in samples:
        groups.setdefault(tuple(row[key] for key in KEY), []).append(row)
    rows = []
    for group in groups.values():
        paces = [row["per_second"] for row in group]
        games, decisions = (sum(row[key] for row in group) for key in ("games", "decisions"))
        rows.append(
            {
                **{key: group[0][key] for key in (*KEY, "version")},
                "runs": len(group),
                "decisions_per_second": statistics.median(paces),
                "slowest": min(paces),
                "quickest": max(paces),
                "chance_per_second": statistics.median(row["chance_per_second"] for row in group),
                "decisions_per_game": decisions / games,
                "clone_us": statistics.median(row["clone_us"] for row in group),
            }
        )
    return rows


def search_medians(samples: list[Row]) -> list[Row]:
    """One row for each search and game: the medians of its runs."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in samples:
        groups.setdefault(tuple(row[key] for key in ("library", "kind", "name")), []).append(row)
    figures = ("iterations_per_second", "moves_per_iteration", "iteration_us", "move_us")
    return [
        {**group[0], "runs": len(group), **{key: statistics.median(row[key] for row in group) for key in figures}}
        for group in groups.values()
    ]


def with_ratios(rows: list[Row]) -> list[Row]:
    """How many times as fast as a peer ours is: Round Trip Italy with two players.

    Like with like: a loop inside the library with a loop inside, a loop in Python with a loop in Python.
    """
    reference = {(row["library"], row["loop"]): row for row in rows if is_yardstick(row)}
    for row in rows:
        if not ours(row):
            for library, label in (("grandtour", "ratio"), ("grandtour, interpreted", "ratio_interpreted")):
                same = reference.get((library, row["loop"]))
                if same:
                    row[label] = same["decisions_per_second"] / row["decisions_per_second"]
                    row[f"{label}_clone"] = row["clone_us"] / same["clone_us"]
    return rows


def is_yardstick(row: Row) -> bool:
    return ours(row) and (row["name"], row["players"]) == YARDSTICK


def ours(row: Row) -> bool:
    return str(row["library"]).startswith("grandtour")


def show(console: Console, rows: list[Row]) -> None:
    """Ours by game and number of players, then a line for each peer's game with how many times as fast ours is."""
    paces = (("loop inside", "library"), ("loop in Python", "python"))
    mine = Table(Column("game", no_wrap=True), "players", "", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    mine.title = "Decisions a CPU second, random play"
    theirs = Table(Column("peer", no_wrap=True), Column("game", no_wrap=True), box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    theirs.title = "Beside it (×: how many times as fast Round Trip Italy is, with two players)"
    mine.title_justify = theirs.title_justify = "left"
    for heading, _ in paces:
        mine.add_column(heading, justify="right")
        theirs.add_column(heading, justify="right")
        theirs.add_column("×", justify="right")
    mine.add_column("clone", justify="right")
    for heading in ("clone", "×", "interp. ×"):
        theirs.add_column(heading, justify="right")
    for found in games(rows):
        any_row = next(iter(found.values()))
        cells = [(figure(found[loop]["decisions_per_second"]) if loop in found else "") for _, loop in paces]
        clone = f"{any_row['clone_us']:,.{0 if any_row['clone_us'] > 100 else 2}f} µs"
        if ours(any_row):
            kind = "compiled" if any_row["library"] == "grandtour" else "interpreted"
            mine.add_row(any_row["name"], str(any_row["players"]), kind, *cells, clone)
        else:
            times = [ratio(found.get(loop, {}).get("ratio")) for _, loop in paces]
            pairs = [cell for pair in zip(cells, times, strict=True) for cell in pair]
            more = (ratio(found["python"].get(key)) for key in ("ratio_clone", "ratio_interpreted"))
            theirs.add_row(any_row["library"], any_row["name"], *pairs, clone, *more)
    console.print(mine, theirs, sep="\n")
    versions = sorted({f"{row['library']} {row['version']}" for row in rows if not ours(row)})
    console.print(f"Peers: {', '.join(versions)}. {NOTE}", style="dim", highlight=False)


def show_searches(console: Console, rows: list[Row]) -> None:
    """A line for each search and game."""
    table = Table(Column("search", no_wrap=True), "", Column("game", no_wrap=True), box=SIMPLE_HEAD)
    table.title, table.title_justify = "Iterations a CPU second, searching from half-way through random games", "left"
    for heading in ("iterations/s", "moves an iteration", "µs an iteration", "µs a move"):
        table.add_column(heading, justify="right")
    for row in rows:
        cells = (f"{row[key]:,.1f}" for key in ("moves_per_iteration", "iteration_us", "move_us"))
        table.add_row(row["library"], row["kind"], row["name"], f"{row['iterations_per_second']:,.0f}", *cells)
    console.print(table)


def games(rows: list[Row]) -> list[dict[str, Row]]:
    """The rows of each game at each number of players, by where the loop was."""
    found: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in rows:
        found.setdefault((row["library"], row["name"], row["players"]), {})[row["loop"]] = row
    return list(found.values())


def figure(number: float) -> str:
    return f"{number / 1e6:,.2f} M" if number >= 1e6 else f"{number / 1e3:,.0f} k"


def ratio(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:,.{0 if number > 100 else 1 if number > 0.95 else 2}f}"


def main(
    peers: Annotated[Path, typer.Option(help="Python of the peers' environment.")] = PEERS_PYTHON,
    repeat: Annotated[int, typer.Option(min=1, help="How many times each library has its turn.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU seconds for each measurement.")] = 0.6,
    seed: Annotated[int, typer.Option(help="Where the random moves start.")] = 7,
    out: Annotated[Path | None, typer.Option(help="Write the rows here, as JSON.")] = None,
) -> None:
    """Measure random playouts and searches of our games beside other libraries'."""
    if not peers.exists():
        print(f"There is no Python of the peers at {peers}: `make bench` makes it.", file=sys.stderr)
        raise typer.Exit(2)
    console = Console()
    samples: list[Row] = []
    searched: list[Row] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("measuring", total=repeat * (4 + len(PEERS)))
        for turn in range(repeat):
            for library, rows in runs(peers, seed + turn, seconds):
                progress.update(bar, advance=1, description=library)
                samples += rows
            for library, rows in searches(peers, seed + turn, seconds):
                progress.update(bar, advance=1, description=library)
                searched += rows
    rows = with_ratios(medians(samples))
    show(console, rows)
    found = search_medians(searched)
    show_searches(console, found)
    if not any(row["library"] == "grandtour" for row in rows):
        console.print("The installed Grand Tour is not compiled: there are only interpreted rows.")
    if out:
        out.write_text(json.dumps(rows + found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
