"""Measures how quickly the normal bot decides, and what it chooses.

    python -m bench.normal [GAME ...] [--seats N] [--games N] [--seed N]

Normal bots in all seats play whole games with the default options. The CPU time includes everything: the positions, the
legal moves, what each seat imagines, and the choices. The checksum is over every choice of every game, so a change that
only makes a bot faster does not change it.
"""

from __future__ import annotations

import argparse
import hashlib
from time import process_time

from grandtour.arena.play import OnMove, Seating, play_out, starting_position
from grandtour.engine import catalogue
from grandtour.engine.options import check_options
from grandtour.engine.state import State

NORMAL = "normal"
WARM_UP = 20
"""Games before the measurement starts, because lookup tables are computed on first use."""


def checksum(name: str, seats: int, games: int, seed: int) -> str:
    """The choices of these games."""
    total = hashlib.sha256()

    def note(_: State, seat: int, move: int, __: list[int]) -> None:
        total.update(b"%d %d " % (seat, move))

    play(name, seats, range(games), seed, note)
    return total.hexdigest()[:12]


def play(name: str, seats: int, deals: range, seed: int, note: OnMove | None = None) -> int:
    """Play these deals and return the number of decisions."""
    game = catalogue.game(name)
    options = check_options(game.options, {})
    made = 0
    for deal in deals:
        seating = Seating(deal, (0,) * seats)
        state: State = starting_position(game, options, seed, seating)
        made += play_out(game, state, (NORMAL,), seed, seating, note).moves
    return made


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.normal", description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--seats", type=int, help="by default as few as the game allows")
    parser.add_argument("--games", type=int, default=1000, dest="count")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    for name in args.games or catalogue.games():
        seats = args.seats or catalogue.game(name).players[0]
        play(name, seats, range(WARM_UP), args.seed + 1)
        started = process_time()
        made = play(name, seats, range(args.count), args.seed)
        seconds = process_time() - started
        chosen = checksum(name, seats, args.count, args.seed)
        print(
            f"{name}, {seats} players, {args.count:,} games: {made / seconds:,.0f} decisions per second, "
            f"{1e6 * seconds / made:.1f} µs each; choices {chosen}",
            flush=True,
        )


if __name__ == "__main__":
    main()
