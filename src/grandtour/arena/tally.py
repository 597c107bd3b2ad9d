"""Adding games up, and how sure one may be of what the sums say."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, NamedTuple

from grandtour.players.player import FORFEITS

NORMAL_95 = 1.959963984540054


Forfeits = tuple[int, ...]
"""How many moves a player forfeited, for each reason in `FORFEITS`."""

NO_FORFEITS: Forfeits = (0,) * len(FORFEITS)


class Played(NamedTuple):
    """One game that was played: how many moves it took, and each player's part of the win, score and forfeits.

    `forfeits` is empty when nobody forfeited anything.
    """

    moves: int
    shares: tuple[float, ...]
    scores: tuple[float, ...]
    forfeits: tuple[Forfeits, ...] = ()


class Tally:
    """The sums over games. A shared win counts as a fraction of a win."""

    def __init__(self, players: int) -> None:
        self.games = 0
        self.moves = 0
        self.shortest = 0
        self.longest = 0
        self.wins = [0.0] * players
        self.scores = [0.0] * players
        self.forfeits = [NO_FORFEITS] * players

    def add_all(self, games: Iterable[Played]) -> None:
        for played in games:
            self.shortest = min(self.shortest, played.moves) if self.games else played.moves
            self.longest = max(self.longest, played.moves)
            self.games += 1
            self.moves += played.moves
            for player, (share, score) in enumerate(zip(played.shares, played.scores, strict=True)):
                self.wins[player] += share
                self.scores[player] += score
            add_forfeits(self.forfeits, enumerate(played.forfeits))


def add_forfeits(sums: list[Forfeits], more: Iterable[tuple[int, Forfeits]]) -> None:
    """Count what players, by their numbers, forfeited in one more game."""
    for player, forfeits in more:
        sums[player] = tuple(map(sum, zip(sums[player], forfeits, strict=True)))


def labels(players: Sequence[str]) -> list[str]:
    """What players are called. Whoever is there twice has two names: normal and normal 2."""
    count: Counter[str] = Counter()
    names = []
    for player in players:
        count[player] += 1
        names.append(player if count[player] == 1 else f"{player} {count[player]}")
    return names


def forfeit_row(forfeits: Forfeits) -> dict[str, Any]:
    """The forfeits of a player for its row in a report: how many, and why in words."""
    why = ", ".join(f"{count} {why}" for count, why in zip(forfeits, FORFEITS, strict=True) if count)
    return {"forfeits": sum(forfeits), "forfeited": why}


def forfeit_lines(rows: Iterable[dict[str, Any]], called: str) -> list[str]:
    """A sentence for every row whose player forfeited something; `called` is where the row has its name."""
    return [
        f"{row[called]} forfeited moves, which were drawn for it: {row['forfeited']}."
        for row in rows
        if row["forfeits"]
    ]


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval for a rate of wins, by Wilson's score: sensible near 0 and 1 and for few games."""
    if not games:
        return 0.0, 1.0
    rate = wins / games
    z = NORMAL_95
    middle = rate + z * z / (2 * games)
    reach = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)
