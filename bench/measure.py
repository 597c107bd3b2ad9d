"""The stopwatch that every measured game is put under, ours and the peers' alike.

Only the standard library is used, so that it runs in the project's environment and in the peers'.
Times are CPU seconds of this process: what else the machine does is not counted.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from time import process_time
from typing import Any

Playout = Callable[[random.Random, int], tuple[int, int, Any]]
"""Plays one game at random: `playout(rng, limit) -> (decisions, chance, position)`.

It stops at the end of the game or after `limit` decisions (never, for -1). Every decision asks for the legal
moves. What chance does on its own (cards dealt one by one as moves of nobody) is counted apart.
"""

Row = dict[str, Any]

POSITIONS = 32


def pace(playout: Playout, seed: int, budget: float) -> Row:
    """Decisions a second over whole games, for at least `budget` CPU seconds."""
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


def copying(playout: Playout, clone: Callable[[Any], Any], length: float, seed: int, budget: float) -> float:
    """Microseconds a copy, over positions half-way through games that are about `length` decisions long."""
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


def whole(
    name: str,
    players: int,
    playout: Playout,
    clone: Callable[[Any], Any],
    seed: int,
    budget: float,
) -> Row:
    """One row: a game's pace with the loop in Python, and the time of a copy."""
    row = pace(playout, seed, budget)
    length = row["decisions"] / row["games"]
    microseconds = copying(playout, clone, length, seed, budget / 2)
    return {"name": name, "players": players, "loop": "python", **row, "clone_us": microseconds}


def hand_over(rows: list[Row]) -> None:
    """Give the rows to the process that asked for them: one line of JSON on standard output."""
    print(json.dumps(rows))
