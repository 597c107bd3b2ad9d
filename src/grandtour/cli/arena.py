"""`grandtour simulate`, `tournament` and `report`."""

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from grandtour.cli.shared import INTERRUPTED, GameName, GameOption, game_options, with_progress

app = typer.Typer()

Cluster = Annotated[str | None, typer.Option(metavar="dask://HOST:PORT", help="Run on this Dask cluster.")]
Deadline = Annotated[float, typer.Option(min=0.01, max=3600, help="Seconds per move for players that are programs.")]
Until = Literal["decided"]
Keep = Literal["lost", "long", "all"]


@app.command()
def simulate(
    name: GameName,
    players: Annotated[
        str,
        typer.Option(
            help="The players, one per seat, such as normal,random. Names may repeat. A name with a slash, such as"
            " ./my-bot, is a program."
        ),
    ] = "normal,random",
    games: Annotated[int, typer.Option(min=1, help="The number of games.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same results, with any number of jobs.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="The number of processes.")] = 1,
    on: Cluster = None,
    option: GameOption = None,
    deadline: Deadline = 5.0,
    out: Annotated[Path | None, typer.Option(help="Write the results here, as .json or .csv.")] = None,
) -> int:
    """Play many games between bots and report who wins.

    Players change seats from game to game. A shared win counts as a fraction. A player listed twice has two rows in
    the results. Ctrl-C stops and prints the results so far.
    """
    from time import perf_counter

    from rich.console import Console

    from grandtour.arena.executor import make_executor
    from grandtour.arena.simulation import Simulation, make_plan
    from grandtour.arena.summary import as_table, check_out, make_report, write

    named = [player.strip() for player in players.split(",")]
    plan = make_plan(name, named, games, seed, game_options(name, option), deadline)
    if out:
        check_out(out)
    simulation = Simulation(plan, executor=make_executor(min(jobs, games), on))
    started = perf_counter()
    code = with_progress(name, games, simulation.run)
    report = make_report(plan, simulation.tally, perf_counter() - started)
    Console().print(as_table(report))
    if out:
        write(report, out)
    return code


@app.command()
def tournament(
    name: GameName,
    players: Annotated[
        str, typer.Option(help="Two or more different players; ./my-bot is a program.")
    ] = "normal,random",
    games: Annotated[int, typer.Option(min=1, help="The maximum number of games, rounded up to whole deals.")] = 2000,
    seats: Annotated[int | None, typer.Option(help="Seats per table; by default as few as the game allows.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same results, with any number of jobs.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="The number of processes.")] = 1,
    on: Cluster = None,
    option: GameOption = None,
    deadline: Deadline = 5.0,
    until: Annotated[Until | None, typer.Option(help="Stop as soon as the whole ranking is decided.")] = None,
    results: Annotated[
        Path | None, typer.Option(help="The results file; if it exists, the tournament continues where it stopped.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the standings here, as .json or .csv.")] = None,
    keep: Annotated[
        Keep | None,
        typer.Option(help="Save matches as .tour files: those the first player lost, the longest 1 %, or all."),
    ] = None,
    keep_in: Annotated[Path, typer.Option(help="The folder to save them in.")] = Path("matches"),
) -> int:
    """Play every grouping of the players in every seating, on the same deals.

    Every game is written to the results file as soon as it is played. After Ctrl-C or a crash, run the same command
    again to continue.
    """
    from grandtour.arena.tournament import make_plan
    from grandtour.cli.tournament import RunOptions, run_tournament

    field = [player.strip() for player in players.split(",")]
    plan = make_plan(name, field, seats, seed, game_options(name, option), keep is not None, deadline)
    options = RunOptions(games, jobs, on, until is not None, results or plan.default_file(), out, keep, keep_in)
    return 0 if run_tournament(plan, options) else INTERRUPTED


@app.command()
def report(
    name: GameName,
    players: Annotated[
        str | None,
        typer.Option(
            help="The players, one per seat; by default as few normal ones as the game allows. hard searches less than"
            " elsewhere here; hard:400 sets how long it searches."
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=2, help="The number of games.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same page, with any number of jobs.")] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="How many processes to use; by default one, with hard players one per processor."),
    ] = None,
    on: Cluster = None,
    option: GameOption = None,
    deadline: Deadline = 5.0,
    out: Annotated[Path | None, typer.Option(help="The page to write; by default GAME-report.html.")] = None,
) -> int:
    """Play many games and write a page about what they show.

    It covers first-player advantage, length, scores, close finishes, the effect of having each thing, and what players
    choose when. Ctrl-C stops and writes the page for the games so far.
    """
    from grandtour.arena.executor import make_executor
    from grandtour.arena.report.build import ReportRun, check_output, expected_time, report_player
    from grandtour.arena.simulation import make_plan
    from grandtour.engine.catalogue import game

    names = players.split(",") if players else ["normal"] * game(name).players[0]
    named = [report_player(player.strip()) for player in names]
    plan = make_plan(name, named, games, seed, game_options(name, option), deadline)
    page = out or Path(f"{plan.game}-report.html")
    check_output(page)
    slow = any(player.startswith("hard") for player in named)
    processes = min(jobs or ((os.cpu_count() or 1) if slow else 1), games)
    if slow and on is None:
        print(expected_time(plan, processes), file=sys.stderr)
    report_run = ReportRun(plan, make_executor(processes, on))
    code = with_progress(name, games, report_run.run)
    report_run.write(page)
    print(f"{page}: what {report_run.sample.games:,} games of {report_run.sample.game.title} show.")
    for line in report_run.sample.forfeit_lines():
        print(line)
    return code
