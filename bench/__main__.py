"""`make bench`: compares random playouts, searches and observed steps with other libraries, on one core, in one run.

The libraries are measured in turn and several times, each time in a separate process, so that a temporary slowdown of
the machine affects all of them. Each row is the median of its runs.
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
OBSERVED = ("grandtour", "envpool", "pgx", "open_spiel", "pettingzoo")
KEY = ("library", "name", "players", "loop")
YARDSTICK = ("round-trip", 2)
"""The game and number of players of ours with which the peers are compared."""
WIDTH = 112
"""The width of the tables. A smaller one would cut off figures."""
NOTE = (
    "Legal moves are computed at every decision. Chance steps, such as cards dealt one by one, count towards the time "
    "but not as decisions. Loops inside a library (C++ or compiled) are compared with ours inside, loops in Python "
    "with ours in Python. The last column is our interpreted sources with the loop in Python."
)


def runs(peers: Path, seed: int, budget: float) -> Iterator[tuple[str, list[Row]]]:
    """Measure each library once, in turn."""
    interpreted = {"PYTHONPATH": str(ROOT / "src")}
    yield "grandtour", run_process([sys.executable, "-m", "bench.ours"], seed, budget, {})
    yield "grandtour, interpreted", run_process([sys.executable, "-m", "bench.ours"], seed, budget, interpreted)
    for library in PEERS:
        yield library, run_process([str(peers), "-m", "bench.peers", library], seed, budget, {})


def searches(peers: Path, seed: int, budget: float) -> Iterator[tuple[str, list[Row]]]:
    """Measure each search once, in turn."""
    mine, theirs = [[python, "-m", "bench.search_speed"] for python in (sys.executable, str(peers))]
    yield "search of grandtour", run_process([*mine, "grandtour"], seed, budget, {})
    yield "search of open_spiel", run_process([*theirs, "open_spiel"], seed, budget, {})


def observed(peers: Path, seed: int, budget: float) -> Iterator[tuple[str, list[Row]]]:
    """Measure the observed steps of each library once, in turn."""
    for library in OBSERVED:
        python = sys.executable if library == "grandtour" else str(peers)
        yield f"{library}, observed", run_process([python, "-m", "bench.observed", library], seed, budget, {})


def run_process(command: list[str], seed: int, budget: float, extra: dict[str, str]) -> list[Row]:
    """Run a measuring process and return its rows. Its numeric libraries use one thread."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    base = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*command, str(seed), str(budget)],
        cwd=ROOT,
        env={**base, **one_thread, **extra},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: list[Row] = json.loads(done.stdout.splitlines()[-1])
    return found


def medians(samples: list[Row]) -> list[Row]:
    """One row per measurement: the median of its runs, with the slowest and the fastest."""
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
    """One row per search and game: the medians of its runs."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in samples:
        groups.setdefault(tuple(row[key] for key in ("library", "kind", "name")), []).append(row)
    figures = ("iterations_per_second", "moves_per_iteration", "iteration_us", "move_us")
    return [
        {**group[0], "runs": len(group), **{key: statistics.median(row[key] for row in group) for key in figures}}
        for group in groups.values()
    ]


def observed_medians(samples: list[Row]) -> list[Row]:
    """One row per library, game and size of a batch: the median of its runs."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in samples:
        groups.setdefault(tuple(row[key] for key in ("library", "name", "batch")), []).append(row)
    return [
        {**group[0], "steps_per_second": statistics.median(row["steps_per_second"] for row in group)}
        for group in groups.values()
    ]


def with_ratios(rows: list[Row]) -> list[Row]:
    """Add to each peer how many times as fast our Round Trip Italy with two players is.

    Loops inside the library are compared with ours inside, loops in Python with ours in Python.
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
    """Print our games, then one line per peer's game with how many times as fast ours is."""
    paces = (("loop inside", "library"), ("loop in Python", "python"))
    mine = Table(Column("game", no_wrap=True), "players", "", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    mine.title = "Decisions per CPU second, random play"
    theirs = Table(Column("peer", no_wrap=True), Column("game", no_wrap=True), box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    theirs.title = "Other libraries (×: how many times as fast our Round Trip Italy with two players is)"
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
    """Print one line per search and game."""
    table = Table(Column("search", no_wrap=True), "", Column("game", no_wrap=True), box=SIMPLE_HEAD)
    table.title, table.title_justify = "Iterations per CPU second, searching from halfway through random games", "left"
    for heading in ("iterations/s", "moves/iteration", "µs/iteration", "µs/move"):
        table.add_column(heading, justify="right")
    for row in rows:
        cells = (f"{row[key]:,.1f}" for key in ("moves_per_iteration", "iteration_us", "move_us"))
        table.add_row(row["library"], row["kind"], row["name"], f"{row['iterations_per_second']:,.0f}", *cells)
    console.print(table)


def show_observed(console: Console, rows: list[Row]) -> None:
    """Print one line per library and game: a batch of games, or one by one."""
    table = Table(Column("library", no_wrap=True), Column("game", no_wrap=True), box=SIMPLE_HEAD)
    table.title, table.title_justify = "Observed steps per CPU second, random play", "left"
    table.add_column("at once", justify="right")
    table.add_column("steps/s", justify="right")
    for row in rows:
        table.add_row(row["library"], row["name"], str(row["batch"]), f"{row['steps_per_second']:,.0f}")
    console.print(table)


def games(rows: list[Row]) -> list[dict[str, Row]]:
    """The rows of each game and number of players, by where the loop runs."""
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
    peers: Annotated[Path, typer.Option(help="The Python of the peers' environment.")] = PEERS_PYTHON,
    repeat: Annotated[int, typer.Option(min=1, help="How many times each library is measured.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU seconds per measurement.")] = 0.6,
    seed: Annotated[int, typer.Option(help="The seed of the random moves.")] = 7,
    out: Annotated[Path | None, typer.Option(help="Write the rows to this file, as JSON.")] = None,
) -> None:
    """Compare the speed of our random playouts and searches with other libraries."""
    if not peers.exists():
        print(
            f"The peers' environment is missing: there is no {peers}. Run `make bench` to create it.", file=sys.stderr
        )
        raise typer.Exit(2)
    console = Console()
    console.width = max(console.width, WIDTH)
    samples: list[Row] = []
    searched: list[Row] = []
    seen: list[Row] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("measuring", total=repeat * (4 + len(PEERS) + len(OBSERVED)))
        for turn in range(repeat):
            for library, rows in runs(peers, seed + turn, seconds):
                progress.update(bar, advance=1, description=library)
                samples += rows
            for library, rows in searches(peers, seed + turn, seconds):
                progress.update(bar, advance=1, description=library)
                searched += rows
            for library, rows in observed(peers, seed + turn, seconds):
                progress.update(bar, advance=1, description=library)
                seen += rows
    rows = with_ratios(medians(samples))
    show(console, rows)
    found = search_medians(searched)
    show_searches(console, found)
    steps = observed_medians(seen)
    show_observed(console, steps)
    if not any(row["library"] == "grandtour" for row in rows):
        console.print("The installed Grand Tour is not compiled, so there are only interpreted rows.")
    if out:
        out.write_text(json.dumps(rows + found + steps, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
