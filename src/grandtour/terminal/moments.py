"""The moments of a saved match in which a hard bot would have played differently, in the terminal."""

from collections import Counter
from collections.abc import Callable, Container
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.words import with_names
from grandtour.players import make
from grandtour.players.hard import Hard
from grandtour.players.judging import SHOWN, Decision, decisions_of, judge
from grandtour.terminal.replay import check_seat, printable

MOST = 10_000
"""Decisions of a seat: more than any match has."""


class Moment(NamedTuple):
    """A move, what a hard bot would rather have played, and what part of a result the difference is worth."""

    n: int
    played: str
    better: str
    cost: float


class Moments:
    """A match being looked at, decision by decision; `seat` None is everybody. The same bot by iterations finds the
    same moments again."""

    def __init__(
        self, match: Match, names: list[str], seat: int | None, bot: str, skipped: Container[int] = ()
    ) -> None:
        """The moves that are `skipped`, by their number, were not the player's own."""
        check_seat(match, seat)
        hard = make(bot)
        if not isinstance(hard, Hard):
            raise Refusal("unknown-player", f"Only hard can compare moves, not {short(bot)}.")
        self.hard = hard
        self.match = match
        self.names = [printable(name) for name in names]
        self.dice = QuickDice(0)
        self.seats = list(range(match.seats)) if seat is None else [seat]
        self.decisions: list[tuple[int, Decision]] = [
            (seat, decision) for seat in self.seats for decision in decisions_of(match, seat, MOST, self.dice, skipped)
        ]
        self.looked: Counter[int] = Counter()
        self.found: dict[int, list[Moment]] = {seat: [] for seat in self.seats}

    def run(self, advance: Callable[[int], None]) -> None:
        """Look at every decision; `advance` is told how many more are done."""
        game = self.match.game
        for seat, decision in self.decisions:
            verdict = judge(self.hard, game, decision.imagined, seat, decision.move, self.dice)
            if verdict is not None:
                played, better = (
                    with_names(game.describe_move(decision.imagined, game.moves.name(move)), self.names)
                    for move in (decision.move, verdict.better)
                )
                self.found[seat].append(Moment(decision.n, played, better, verdict.cost))
            self.looked[seat] += 1
            advance(1)

    def print(self, console: Console) -> None:
        """What was found so far, the costliest of each seat, in the order of the match."""
        for seat in self.seats:
            moments = self.found[seat]
            decisions = f"{self.looked[seat]:,} decision{'' if self.looked[seat] == 1 else 's'}"
            console.print(Text(f"{self.names[seat]}: {decisions}, {_count(len(moments))}", "bold"), soft_wrap=True)
            if not moments:
                continue
            table = Table("step", "played", "a hard bot would rather", "cost")
            costliest = sorted(moments, key=lambda moment: -moment.cost)[:SHOWN]
            for moment in sorted(costliest):
                table.add_row(str(moment.n), Text(moment.played), Text(moment.better), f"{moment.cost:.0%}")
            console.print(table)
        console.print(
            Text(
                "A cost is the part of a win that the bot thinks was given away, in the same imagined worlds and "
                "knowing what the seat knew; it is told where it is beyond chance.",
                "dim",
            )
        )


def _count(moments: int) -> str:
    if not moments:
        return "none of which a hard bot would clearly have made otherwise"
    shown = f"; the {SHOWN} that cost most" if moments > SHOWN else ""
    return f"{moments} of which a hard bot would have made otherwise{shown}"
