"""Play, look and write: from a plan to a page."""

from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from grandtour.arena.report.observing import Observed, observe
from grandtour.arena.report.sample import Sample
from grandtour.arena.simulation import Plan
from grandtour.arena.summary import check_place, write_text
from grandtour.arena.workplace import Workplace
from grandtour.engine.refusal import Refusal, short
from grandtour.players.pipe import end_bots

LEAST_GAMES = 2


def check(out: Path) -> None:
    """Refuse what cannot be drawn or written, before anything is played."""
    if find_spec("matplotlib") is None:
        raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")
    if out.suffix not in (".html", ".htm"):
        raise Refusal("bad-options", f"A report is written to a .html file, not to {short(str(out))}.")
    check_place(out)


class Reporting:
    """A plan being looked at. `sample` holds whole games, in their order."""

    def __init__(self, plan: Plan, workplace: Workplace) -> None:
        self.plan = plan
        self.workplace = workplace
        self.sample = Sample(plan)

    def run(self, advance: Callable[[int], None]) -> None:
        """Play everything; `advance` is told how many more games are done.

        When it is interrupted, `sample` holds the games that were finished without a gap before them.
        """
        early: dict[int, Observed] = {}
        try:
            with closing(self.workplace.each(observe, self.plan, range(self.plan.games))) as work:
                for done in work:
                    early.update(done)
                    while self.sample.games in early:
                        self.sample.add(early.pop(self.sample.games))
                    advance(len(done))
        finally:
            end_bots()

    def write(self, out: Path) -> None:
        """The page, of two games or more."""
        from grandtour.arena.report.page import make_page

        if self.sample.games < LEAST_GAMES:
            raise Refusal("too-few", "There is nothing to report yet: it takes two finished games.")
        write_text(make_page(self.sample), out)
