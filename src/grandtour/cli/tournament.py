"""Runs a tournament in the terminal: a live table while it runs, the results when it ends or is stopped."""

from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grandtour.arena import scoreboard
from grandtour.arena.executor import make_executor
from grandtour.arena.play import GameResult, Seating
from grandtour.arena.results import ResultsFile
from grandtour.arena.save_matches import Log, MatchSaver, check_folder
from grandtour.arena.summary import check_out
from grandtour.arena.tournament import INTERRUPTED, Plan, Tournament, play
from grandtour.players.pipe import end_bots

MIN_REFRESH_SECONDS = 1.0
"""The minimum number of seconds between two updates of the live table."""
REFRESH_COST_FACTOR = 20
"""The time between updates is also at least this many times that of computing one, because no games run meanwhile."""


class RunOptions(NamedTuple):
    """How to run a plan, from the command line."""

    games: int
    jobs: int
    on: str | None
    until_decided: bool
    results: Path
    out: Path | None
    keep: str | None
    keep_in: Path


def run_tournament(plan: Plan, options: RunOptions) -> bool:
    """Run a tournament and print its tables. Returns False if it was interrupted."""
    if options.out:
        check_out(options.out)
    if options.keep:
        check_folder(options.keep_in)
    executor = make_executor(options.jobs, options.on)
    results_file = ResultsFile(options.results, plan.header())
    tournament = Tournament(plan, options.games, results_file, executor, options.until_decided)
    if options.keep:
        tournament.saver = MatchSaver(
            options.keep, options.keep_in, plan.stem(), tournament.planned, plan.game, plan.options, plan.players,
            plan.seed, lambda seating: _play_again(plan, seating),
        )  # fmt: skip
    try:
        return _run_and_print(tournament, options)
    finally:
        end_bots()


def _run_and_print(tournament: Tournament, options: RunOptions) -> bool:
    started = perf_counter()
    try:
        _run_live(tournament, started)
    except KeyboardInterrupt:
        tournament.end_reason = INTERRUPTED
    report = scoreboard.make_report(tournament, perf_counter() - started)
    console = Console()
    console.print(scoreboard.as_tables(report))
    _print_files(console, tournament, options)
    if options.out:
        scoreboard.write(report, options.out)
    return tournament.end_reason != INTERRUPTED


def _run_live(tournament: Tournament, started: float) -> None:
    columns = (TextColumn(tournament.plan.game), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    progress = Progress(*columns)
    bar = progress.add_task("", total=tournament.planned, completed=tournament.resumed)
    due = 0.0
    with Live(progress, console=Console(stderr=True), transient=True, refresh_per_second=4) as live:

        def advance() -> None:
            nonlocal due
            progress.update(bar, completed=tournament.resumed + tournament.played)
            begun = perf_counter()
            if live.console.is_terminal and begun >= due and tournament.standings.deals:
                report = scoreboard.make_report(tournament, begun - started)
                # The bar comes first: if the output is taller than the screen, its end is cut off.
                live.update(Group(progress, scoreboard.tables(report)))
                due = perf_counter() + max(MIN_REFRESH_SECONDS, REFRESH_COST_FACTOR * (perf_counter() - begun))

        tournament.run(advance)


def _print_files(console: Console, tournament: Tournament, options: RunOptions) -> None:
    saver = tournament.saver
    if saver:
        saver.finish()
        text = f"Saved in {options.keep_in}: {_matches(saver.written)}."
        if saver.different:
            text += f" Not saved: {_matches(saver.different)} that ended differently when played again."
        console.print(text, markup=False, highlight=False, soft_wrap=True)
    continue_hint = " Run the same command again to continue." if tournament.end_reason == INTERRUPTED else ""
    console.print(f"Every game is in {options.results}.{continue_hint}", markup=False, highlight=False, soft_wrap=True)


def _matches(count: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'}"


def _play_again(plan: Plan, seating: Seating) -> tuple[GameResult, Log]:
    result, log = play(plan, seating)
    assert log is not None
    return result, log
