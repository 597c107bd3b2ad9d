"""Measures the bots on the scale of people's ratings, and what they usually do; the server reads the result.

    PYTHONPATH=src .venv/bin/python tools/rating_scale.py [GAME ...] [--minutes 2] [--strongest normal]

For each game it plays a tournament of the bots at two and at three seats, every deal in every seating, for so many
minutes of processor time each, and writes `src/grandtour/server/rating_scale.json` again. In it are, for each game:
each bot's rating (openskill's mu and sigma, and the number of games), how much of a rating each seat is worth where
that is not due to chance, and how many things of each kind the game's `study.py` counted for each bot, on average.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from itertools import count
from pathlib import Path
from typing import Any

from grandtour.arena.pairing import Schedule
from grandtour.arena.play import OnMove, play_out, starting_position
from grandtour.arena.ratings import Ratings
from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.state import State
from grandtour.engine.study import Log
from grandtour.players import STRENGTHS

FILE = Path(__file__).resolve().parent.parent / "src" / "grandtour" / "server" / "rating_scale.json"
SEED = 20
SIZES = (2, 3)


def measure(game: Game, bots: tuple[str, ...], seconds: float) -> dict[str, Any]:
    """The part of the file about one game."""
    options = check_options(game.options, {})
    ratings, played = Ratings(len(bots)), Counter[int]()
    seats: dict[str, list[float]] = {}
    counts: dict[str, dict[str, dict[str, float]]] = {}
    for size in [size for size in SIZES if game.players[0] <= size <= game.players[1]]:
        of_seats = Ratings(size)
        totals: dict[int, Counter[str]] = defaultdict(Counter)
        times: Counter[int] = Counter()
        schedule = Schedule(len(bots), size, SEED, game.team)
        until = time.process_time() + seconds
        for deal in count():
            for seating in schedule.deal(deal):
                log: Log = []
                state: State = starting_position(game, options, SEED, seating)
                result = play_out(game, state, bots, SEED, seating, noting(log))
                if not game.team:
                    shares: dict[int, list[float]] = {}
                    for player, share in zip(seating.players, result.shares, strict=True):
                        shares.setdefault(player, []).append(share)
                    ratings.add(shares)
                    of_seats.add({seat: [share] for seat, share in enumerate(result.shares)})
                for seat, player in enumerate(seating.players):
                    played[player] += 1
                    times[player] += 1
                    if game.study is not None:
                        totals[player].update(kind for kind, _ in game.study.had(state, log)[seat])
            if time.process_time() > until:
                break
        found = [of_seats.rating(seat) for seat in range(size)]
        mean = sum(one.mu for one in found) / size
        seats[str(size)] = [round(one.mu - mean, 2) if abs(one.mu - mean) > 2 * one.sigma else 0.0 for one in found]
        counts[str(size)] = {
            bots[player]: {kind: round(total / times[player], 2) for kind, total in sorted(totals[player].items())}
            for player in sorted(times)
        }
        print(f"{game.name}, {size} seats: {sum(times.values()) // size} games", flush=True)
    rated = {}
    if not game.team:
        for number, bot in enumerate(bots):
            mu, sigma = ratings.rating(number)
            rated[bot] = [round(mu, 2), round(sigma, 2), played[number]]
    return {"bots": rated, "seats": seats, "counts": counts}


def noting(log: Log) -> OnMove:
    def note(_: State, seat: int, move: int, __: list[int]) -> None:
        log.append((seat, move))

    return note


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--strongest", default=STRENGTHS[-1], choices=STRENGTHS)
    wanted = parser.parse_args()
    bots = tuple(STRENGTHS[: STRENGTHS.index(wanted.strongest) + 1])
    kept = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for name in wanted.games or catalogue.games():
        kept[name] = measure(catalogue.game(name), bots, 60 * wanted.minutes)
        FILE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
