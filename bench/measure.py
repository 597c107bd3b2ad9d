"""Measures the speed of a game, ours or a peer's.

It uses only the standard library, so that it runs in the project's environment and in the peers'.
Times are CPU seconds of this process, so other load on the machine is not counted.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from time import process_time
from typing import Any

Playout = Callable[[random.Random, int], tuple[int, int, Any]]
"""Plays one game at random: `playout(rng, limit) -> (decisions, chance, position)`.

It stops at the end of the game or after `limit` decisions (-1: no limit). Legal moves are computed at every decision.
Chance steps (such as cards dealt one by one) are counted separately.
"""

Row = dict[str, Any]

POSITIONS = 32


def measure_speed(playout: Playout, seed: int, budget: float) -> Row:
    """Decisions per second over whole games, measured for at least `budget` CPU seconds."""
    rng = random.Random(seed)
    playout(rng, -1)
    games = decisions = chance = 0
    started = process_time()
    spent = 0.0
    while spent < budget:
        more, drawn, _ = playout(rng, -1)
        games += 1
        decisions += more
        chance += drawn
        spent = process_time() - started
    return {
        "games": games,
        "decisions": decisions,
        "seconds": spent,
        "per_second": decisions / spent,
        "chance_per_second": chance / spent,
    }


def measure_copy(playout: Playout, clone: Callable[[Any], Any], length: float, seed: int, budget: float) -> float:
    """Microseconds per copy, for positions halfway through games of about `length` decisions."""
    rng = random.Random(seed)
    half = max(1, int(length / 2))
    positions = [playout(rng, half)[2] for _ in range(POSITIONS)]
    copies = 0
    started = process_time()
    spent = 0.0
    while spent < budget:
        for position in positions:
            clone(position)
        copies += len(positions)
        spent = process_time() - started
    return spent / copies * 1e6


def measure_game(
    name: str,
    players: int,
    playout: Playout,
    clone: Callable[[Any], Any],
    seed: int,
    budget: float,
) -> Row:
    """One row: a game's speed with the loop in Python, and the time per copy."""
    row = measure_speed(playout, seed, budget)
    length = row["decisions"] / row["games"]
    microseconds = measure_copy(playout, clone, length, seed, budget / 2)
    return {"name": name, "players": players, "loop": "python", **row, "clone_us": microseconds}


def print_rows(rows: list[Row]) -> None:
    """Pass the rows to the parent process, as one line of JSON on standard output."""
    print(json.dumps(rows))
