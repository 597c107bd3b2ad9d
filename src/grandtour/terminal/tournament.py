"""A tournament in the terminal: a live table while it runs, what there is when it ends or is stopped."""

from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grandtour.arena import scoreboard
from grandtour.arena.keeping import Keeper, Log, check_folder
from grandtour.arena.ledger import Ledger
from grandtour.arena.playing import Ended, Seating
from grandtour.arena.summary import check_out
from grandtour.arena.tournament import INTERRUPTED, Plan, Tournament, play
from grandtour.arena.workplace import find_workplace
from grandtour.players.pipe import end_bots

BETWEEN = 1.0
"""Seconds from one live table to the next at least."""
PATIENCE = 20
"""From one to the next it takes so many times as long as to make one: intervals cost time, which is the players'."""


class Wishes(NamedTuple):
    """How a plan is to be carried out, as asked for on the command line."""

    games: int
    jobs: int
    on: str | None
    until_decided: bool
    results: Path
    out: Path | None
    keep: str | None
    keep_in: Path


def hold(plan: Plan, wishes: Wishes) -> bool:
    """Hold a tournament and print its tables; whether it came to its end."""
    if wishes.out:
        check_out(wishes.out)
    if wishes.keep:
        check_folder(wishes.keep_in)
    workplace = find_workplace(wishes.jobs, wishes.on)
    ledger = Ledger(wishes.results, plan.header())
    tournament = Tournament(plan, wishes.games, ledger, workplace, wishes.until_decided)
    if wishes.keep:
        tournament.keeper = Keeper(
            wishes.keep, wishes.keep_in, plan.stem(), tournament.planned, plan.game, plan.options, plan.players,
            plan.seed, lambda seating: _again(plan, seating),
        )  # fmt: skip
    try:
        return _hold(tournament, wishes)
    finally:
        end_bots()


def _hold(tournament: Tournament, wishes: Wishes) -> bool:
    started = perf_counter()
    try:
        _run(tournament, started)
    except KeyboardInterrupt:
        tournament.why = INTERRUPTED
    report = scoreboard.make_report(tournament, perf_counter() - started)
    console = Console()
    console.print(scoreboard.as_tables(report))
    _say_rest(console, tournament, wishes)
    if wishes.out:
        scoreboard.write(report, wishes.out)
    return tournament.why != INTERRUPTED


def _run(tournament: Tournament, started: float) -> None:
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
                # The bar first: of what is higher than the screen, the end is not seen.
                live.update(Group(progress, scoreboard.tables(report)))
                due = perf_counter() + max(BETWEEN, PATIENCE * (perf_counter() - begun))

        tournament.run(advance)


def _say_rest(console: Console, tournament: Tournament, wishes: Wishes) -> None:
    keeper = tournament.keeper
    if keeper:
        keeper.finish()
        said = f"Kept in {wishes.keep_in}: {_matches(keeper.written)}."
        if keeper.different:
            said += f" Not kept: {_matches(keeper.different)} that came out otherwise when played again."
        console.print(said, markup=False, highlight=False, soft_wrap=True)
    again = " The same command goes on from there." if tournament.why == INTERRUPTED else ""
    console.print(f"Every game is in {wishes.results}.{again}", markup=False, highlight=False, soft_wrap=True)


def _matches(count: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'}"


def _again(plan: Plan, seating: Seating) -> tuple[Ended, Log]:
    ended, log = play(plan, seating)
    assert log is not None
    return ended, log
