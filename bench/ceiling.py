"""Measures an upper bound of playing strength: a player that sees all hidden cards, and hard, both against normal.

    python -m bench.ceiling GAME [--seats N] [--deals N] [--budget N|Nms] [--skip N] [--option NAME=VALUE]

The ceiling searches like hard, with the same budget per move, but in the true position instead of imagined ones; it
does not know later shuffles and throws. Both play the same deals against normal, each in every seat once. The share is
the gain of hard over normal as a part of the gain of the ceiling over normal. Its 95 % interval is over the deals, by
Fieller's theorem, because both gains are estimates.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import sqrt
from statistics import mean
from typing import ClassVar, NamedTuple

from bench.strength import Z95, DealResult, Duel, format_interval, make_parser, play, read_duel
from grandtour.players import PLAYERS
from grandtour.players.hard import Hard

NAME = "ceiling"


class Share(NamedTuple):
    """A part of a whole, with its interval; None if the whole may be zero."""

    part: float
    low: float | None
    high: float | None


@contextmanager
def registered(budget: str) -> Iterator[None]:
    """Register a player `ceiling` with this budget within the block."""

    class Ceiling(Hard):
        name: ClassVar[str] = NAME
        label: ClassVar[str] = "Sees all cards"
        sees_all: ClassVar[bool] = True

        def __init__(self) -> None:
            super().__init__(budget)

    PLAYERS[NAME] = Ceiling
    try:
        yield
    finally:
        del PLAYERS[NAME]


def share(parts: list[float], wholes: list[float]) -> Share:
    """The ratio of the parts to the wholes, which were measured on the same deals."""
    count = len(parts)
    part, whole = mean(parts), mean(wholes)
    if count < 2 or whole == 0:
        return Share(part / whole if whole else 0.0, None, None)

    def spread(first: list[float], second: list[float]) -> float:
        pairs = zip(first, second, strict=True)
        return sum((a - mean(first)) * (b - mean(second)) for a, b in pairs) / (count - 1) / count

    a = whole**2 - Z95**2 * spread(wholes, wholes)
    b = part * whole - Z95**2 * spread(parts, wholes)
    c = part**2 - Z95**2 * spread(parts, parts)
    if a <= 0 or b * b < a * c:
        return Share(part / whole, None, None)
    root = sqrt(b * b - a * c)
    return Share(part / whole, (b - root) / a, (b + root) / a)


def summary(duel: Duel, ceiling: list[DealResult], hard: list[DealResult]) -> str:
    """The figures in one line."""
    team = duel.game.team
    even = 0.0 if team else 1 / duel.seats
    rows = [[one.ahead if team else one.share - even for one in results] for results in (ceiling, hard)]
    digits = 2 if team else 3
    shown = [format_interval([value + even for value in row], digits) for row in rows]
    part = share(rows[1], rows[0])
    way = f"{part.part:.0%} of the way"
    if part.low is not None and part.high is not None:
        way += f" ({part.low:.0%} to {part.high:.0%})"
    unit = "points ahead" if team else "of the wins"
    return (
        f"{duel.game.name}, {duel.seats} players, {len(hard):,} deals, {duel.first}: ceiling {shown[0]}, "
        f"hard {shown[1]} {unit}, {way}"
    )


def main(arguments: list[str]) -> None:
    parser = make_parser("ceiling", __doc__.split("\n")[0])
    parser.add_argument("--budget", default="400", metavar="N|Nms", help="iterations or milliseconds for a move")
    args = parser.parse_args(arguments)
    duel, deals = read_duel(parser, args, f"hard:{args.budget}", "normal")
    with registered(args.budget):
        ceiling: list[DealResult] = []
        hard: list[DealResult] = []
        for deal in deals:
            ceiling.append(play(duel._replace(first=NAME), deal))
            hard.append(play(duel, deal))
            if sys.stderr.isatty():
                print(f"\r{summary(duel, ceiling, hard)}", end="", file=sys.stderr)
        print(summary(duel, ceiling, hard))


if __name__ == "__main__":
    main(sys.argv[1:])
