"""Measures the strength of a player against others, on common deals.

    python -m bench.strength GAME FIRST OTHERS [--seats N] [--deals N] [--skip N] [--option NAME=VALUE]

FIRST has each seat of every deal once, with OTHERS in all other seats. In a team game, a team of FIRST and a team of
OTHERS play every deal. Besides the built-in players there are those of `bench/baselines.py`. The same command gives the
same figures; `--skip` continues with other deals. The intervals are 95 % intervals over the deals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from math import sqrt
from statistics import mean, stdev
from typing import NamedTuple

from bench import baselines
from grandtour import players
from grandtour.arena.play import GameResult, Seating, play_out, starting_position
from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import Options, check_options, read_options
from grandtour.engine.refusal import Refusal

Z95 = 1.96


class Duel(NamedTuple):
    """What is played: the game, the first player, the others, the number of seats and the options."""

    game: Game
    first: str
    others: str
    seats: int
    options: Options


class DealResult(NamedTuple):
    """One deal: the first player's share of the wins, and its mean lead over the others in points."""

    share: float
    ahead: float


def play(duel: Duel, deal: int) -> DealResult:
    """Play all games of a deal."""
    if duel.game.team:
        mine, theirs = (_play_game(duel, deal, (player,) * duel.seats) for player in (0, 1))
        return DealResult(mean(mine.shares), mean(mine.scores) - mean(theirs.scores))
    found = []
    for seat in range(duel.seats):
        result = _play_game(duel, deal, tuple(int(other != seat) for other in range(duel.seats)))
        rest = [score for other, score in enumerate(result.scores) if other != seat]
        found.append(DealResult(result.shares[seat], result.scores[seat] - mean(rest)))
    return DealResult(mean(one.share for one in found), mean(one.ahead for one in found))


def _play_game(duel: Duel, deal: int, seated: tuple[int, ...]) -> GameResult:
    seating = Seating(deal, seated)
    state = starting_position(duel.game, duel.options, 0, seating)
    return play_out(duel.game, state, (duel.first, duel.others), 0, seating)


def summary(duel: Duel, results: list[DealResult]) -> str:
    """The figures in one line."""
    ahead = f"{format_interval([one.ahead for one in results], 2)} points ahead"
    shares = (
        f"{format_interval([one.share for one in results], 3)} of the wins (equal strength: {1 / duel.seats:.3f}), "
    )
    teams = "a team of " if duel.game.team else ""
    return (
        f"{duel.game.name}, {duel.seats} players, {len(results):,} deals: {teams}{duel.first} against {duel.others}: "
        f"{'' if duel.game.team else shares}{ahead}"
    )


def format_interval(values: list[float], digits: int) -> str:
    """The mean with its 95 % interval."""
    if len(values) < 2:
        return f"{mean(values):.{digits}f}"
    return f"{mean(values):.{digits}f} ± {Z95 * stdev(values) / sqrt(len(values)):.{digits}f}"


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is not a number of at least {least}")
        return int(text)

    return number


def make_parser(program: str, description: str) -> argparse.ArgumentParser:
    """The arguments that all measurements of strength have."""
    parser = argparse.ArgumentParser(prog=f"python -m bench.{program}", description=description)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--deals", type=_at_least(1), default=100)
    parser.add_argument("--skip", type=_at_least(0), default=0)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    return parser


def read_duel(parser: argparse.ArgumentParser, args: argparse.Namespace, first: str, others: str) -> tuple[Duel, range]:
    """The duel and its deals. Exits with a message if the duel is impossible."""
    try:
        game = catalogue.game(args.game)
        options = check_options(game.options, read_options(game.options, args.option))
        seats = args.seats or game.players[0]
        game.new(seats, options, QuickDice(0))
        for name in (first, others):
            players.make(name)
    except Refusal as refusal:
        parser.error(refusal.reason)
    return Duel(game, first, others, seats, options), range(args.skip, args.skip + args.deals)


def read(arguments: list[str]) -> tuple[Duel, range]:
    """Read the duel and its deals from the command line."""
    parser = make_parser("strength", __doc__.split("\n")[0])
    parser.add_argument("first")
    parser.add_argument("others")
    args = parser.parse_args(arguments)
    return read_duel(parser, args, args.first, args.others)


def main(arguments: list[str]) -> None:
    duel, deals = read(arguments)
    results: list[DealResult] = []
    for deal in deals:
        results.append(play(duel, deal))
        if sys.stderr.isatty():
            print(f"\r{summary(duel, results)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(summary(duel, results))


if __name__ == "__main__":
    with baselines.registered():
        main(sys.argv[1:])
