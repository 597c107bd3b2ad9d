"""Prints a saved match's turning points: the moves where a hard bot would have played differently."""

from collections import Counter
from collections.abc import Callable, Container
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grandtour.cli.replay import printable
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.words import with_names
from grandtour.players import make
from grandtour.players.hard import Hard
from grandtour.players.review import SHOWN, Decision, decisions_of, judge
from grandtour.protocol.replay import check_seat

ALL_DECISIONS = 10_000
"""An upper bound on the decisions of a seat in a match."""


class TurningPoint(NamedTuple):
    """A move, what a hard bot would have played instead, and how much of a win the difference is worth."""

    n: int
    played: str
    better: str
    cost: float


class TurningPoints:
    """A review of a match, decision by decision; `seat` None reviews all seats. With a budget in iterations, the bot
    finds the same turning points every time."""

    def __init__(
        self, match: Match, names: list[str], seat: int | None, bot: str, skipped: Container[int] = ()
    ) -> None:
        """Steps in `skipped` were not played by the player in that seat."""
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
            (seat, decision)
            for seat in self.seats
            for decision in decisions_of(match, seat, ALL_DECISIONS, self.dice, skipped)
        ]
        self.reviewed: Counter[int] = Counter()
        self.found: dict[int, list[TurningPoint]] = {seat: [] for seat in self.seats}

    def run(self, advance: Callable[[int], None]) -> None:
        """Review every decision. `advance` is called after each."""
        game = self.match.game
        for seat, decision in self.decisions:
            verdict = judge(self.hard, game, decision.imagined, seat, decision.move, self.dice)
            if verdict is not None:
                played, better = (
                    with_names(game.describe_move(decision.imagined, game.moves.name(move)), self.names)
                    for move in (decision.move, verdict.better)
                )
                self.found[seat].append(TurningPoint(decision.n, played, better, verdict.cost))
            self.reviewed[seat] += 1
            advance(1)

    def print(self, console: Console) -> None:
        """Print what was found so far: the costliest turning points per seat, in match order."""
        for seat in self.seats:
            points = self.found[seat]
            decisions = f"{self.reviewed[seat]:,} decision{'' if self.reviewed[seat] == 1 else 's'}"
            console.print(Text(f"{self.names[seat]}: {decisions}, {_count(len(points))}", "bold"), soft_wrap=True)
            if not points:
                continue
            table = Table("step", "played", "a hard bot would play", "cost")
            costliest = sorted(points, key=lambda point: -point.cost)[:SHOWN]
            for point in sorted(costliest):
                table.add_row(str(point.n), Text(point.played), Text(point.better), f"{point.cost:.0%}")
            console.print(table)
        console.print(
            Text(
                "Cost is how much win chance the move gave up, as a hard bot estimates it from what the player knew. "
                "Differences that may be due to chance are not shown.",
                "dim",
            )
        )


def _count(points: int) -> str:
    if not points:
        return "no turning points: a hard bot would not clearly have played differently"
    shown = f"; these {SHOWN} cost most" if points > SHOWN else ""
    return f"{points} turning point{'' if points == 1 else 's'}{shown}"
