"""Builds a report: plays the games, collects the statistics, writes the page."""

from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from grandtour.arena.executor import Executor
from grandtour.arena.report.observe import Observed, observe
from grandtour.arena.report.sample import Sample
from grandtour.arena.simulation import Plan
from grandtour.arena.summary import check_place, write_text
from grandtour.engine.refusal import Refusal, short
from grandtour.players.hard import Hard
from grandtour.players.pipe import end_bots

MIN_GAMES = 2
HARD_ITERATIONS = 50
"""The iterations of hard in a report. They are few, because a report needs many moves rather than the best ones."""


def check_output(out: Path) -> None:
    """Refuse a report that could not be drawn or written, before anything is played."""
    if find_spec("matplotlib") is None:
        raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    if out.suffix not in (".html", ".htm"):
        raise Refusal("bad-options", f"A report is written to a .html file, not to {short(str(out))}.")
    check_place(out)


def report_player(player: str) -> str:
    """The name of a player in reports, where hard searches less unless its name has a budget."""
    return f"{player}:{HARD_ITERATIONS}" if player == Hard.name else player


def expected_time(plan: Plan, processes: int, clock: Callable[[], float] = perf_counter) -> str:
    """A sentence with the expected duration of a report, measured by its second game. The first game is slower, because
    lookup tables are computed in it."""
    observe(plan, 0)
    started = clock()
    observe(plan, 1)
    seconds = (clock() - started) * plan.games / processes
    minutes = round(seconds / 60)
    time = "less than a minute" if seconds < 50 else f"about {minutes:,} minute{'s' if minutes > 1 else ''}"
    where = "one process" if processes == 1 else f"{processes} processes"
    return f"{plan.games:,} games of {', '.join(plan.players)} in {where}: {time}. Ctrl-C ends it early, with a page."


class ReportRun:
    """A report in progress. `sample` holds the finished games, in order."""

    def __init__(self, plan: Plan, executor: Executor) -> None:
        self.plan = plan
        self.executor = executor
        self.sample = Sample(plan)

    def run(self, advance: Callable[[int], None]) -> None:
        """Play all games. `advance` is called with the number of games that have just finished.

        After an interruption, `sample` holds the games up to the first unfinished one.
        """
        early: dict[int, Observed] = {}
        try:
            with closing(self.executor.run(observe, self.plan, range(self.plan.games))) as work:
                for done in work:
                    early.update(done)
                    while self.sample.games in early:
                        self.sample.add(early.pop(self.sample.games))
                    advance(len(done))
        finally:
            end_bots()

    def write(self, out: Path) -> None:
        """Write the page. It takes at least two games."""
        from grandtour.arena.report.page import make_page

        if self.sample.games < MIN_GAMES:
            raise Refusal("too-few", "There is nothing to report yet: a report needs at least two finished games.")
        write_text(make_page(self.sample), out)
