"""How strong a player is among others, on common deals.

    python -m bench.strength GAME FIRST OTHERS [--seats N] [--deals N] [--skip N] [--option NAME=VALUE]

Every deal is played once from each seat by FIRST, all the others being OTHERS; where all players are one team, it is
played by a team of FIRST and by one of OTHERS. Beside the players of the house there are the plain ones of
`bench/plain.py`. The same command gives the same figures, and `--skip` goes on with other deals. The intervals are of
95 %, over the deals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from math import sqrt
from statistics import mean, stdev
from typing import NamedTuple

from bench import plain
from grandtour import players
from grandtour.arena.playing import Ended, Seating, deal_out, play_out
from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import Options, check_options, read_options
from grandtour.engine.refusal import Refusal

Z95 = 1.96


class Duel(NamedTuple):
    """What is played: the first player and the others, where, and by which rules."""

    game: Game
    first: str
    others: str
    seats: int
    options: Options


class Found(NamedTuple):
    """A deal: the first player's part of the wins, and how many points it was ahead of the others on average."""

    share: float
    ahead: float


def play(duel: Duel, deal: int) -> Found:
    """All games of a deal."""
    if duel.game.team:
        mine, theirs = (_end(duel, deal, (player,) * duel.seats) for player in (0, 1))
        return Found(mean(mine.shares), mean(mine.scores) - mean(theirs.scores))
    found = []
    for seat in range(duel.seats):
        ended = _end(duel, deal, tuple(int(other != seat) for other in range(duel.seats)))
        rest = [score for other, score in enumerate(ended.scores) if other != seat]
        found.append(Found(ended.shares[seat], ended.scores[seat] - mean(rest)))
    return Found(mean(one.share for one in found), mean(one.ahead for one in found))


def _end(duel: Duel, deal: int, seated: tuple[int, ...]) -> Ended:
    seating = Seating(deal, seated)
    state = deal_out(duel.game, duel.options, 0, seating)
    return play_out(duel.game, state, (duel.first, duel.others), 0, seating)


def told(duel: Duel, found: list[Found]) -> str:
    """The figures in a line."""
    ahead = f"{_interval([one.ahead for one in found], 2)} points ahead"
    shares = f"{_interval([one.share for one in found], 3)} of the wins (even: {1 / duel.seats:.3f}), "
    teams = "a team of " if duel.game.team else ""
    return (
        f"{duel.game.name}, {duel.seats} players, {len(found):,} deals: {teams}{duel.first} against {duel.others}: "
        f"{'' if duel.game.team else shares}{ahead}"
    )


def _interval(values: list[float], digits: int) -> str:
    if len(values) < 2:
        return f"{mean(values):.{digits}f}"
    return f"{mean(values):.{digits}f} ± {Z95 * stdev(values) / sqrt(len(values)):.{digits}f}"


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is not a number from {least} on")
        return int(text)

    return number


def read(arguments: list[str]) -> tuple[Duel, range]:
    """The duel and its deals, from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("first")
    parser.add_argument("others")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--deals", type=_at_least(1), default=100)
    parser.add_argument("--skip", type=_at_least(0), default=0)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    asked = parser.parse_args(arguments)
    try:
        game = catalogue.game(asked.game)
        options = check_options(game.options, read_options(game.options, asked.option))
        seats = asked.seats or game.players[0]
        game.new(seats, options, QuickDice(0))
        for name in (asked.first, asked.others):
            players.make(name)
    except Refusal as refusal:
        parser.error(refusal.reason)
    return Duel(game, asked.first, asked.others, seats, options), range(asked.skip, asked.skip + asked.deals)


def main(arguments: list[str]) -> None:
    duel, deals = read(arguments)
    found: list[Found] = []
    for deal in deals:
        found.append(play(duel, deal))
        if sys.stderr.isatty():
            print(f"\r{told(duel, found)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(told(duel, found))


if __name__ == "__main__":
    with plain.known():
        main(sys.argv[1:])
