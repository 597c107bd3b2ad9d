"""Totals over many games, and confidence intervals for win rates."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, NamedTuple

from grandtour.players.player import FORFEITS

Z_95 = 1.959963984540054


Forfeits = tuple[int, ...]
"""How many moves a player forfeited, one number per reason in `FORFEITS`."""

NO_FORFEITS: Forfeits = (0,) * len(FORFEITS)


class GameResultByPlayer(NamedTuple):
    """The result of a game: its number of moves, and for each player its share of the win, score and forfeits.

    `forfeits` is empty if nobody forfeited a move.
    """

    moves: int
    shares: tuple[float, ...]
    scores: tuple[float, ...]
    forfeits: tuple[Forfeits, ...] = ()


class Tally:
    """Totals over games. A shared win counts as a fraction of a win."""

    def __init__(self, players: int) -> None:
        self.games = 0
        self.moves = 0
        self.shortest = 0
        self.longest = 0
        self.wins = [0.0] * players
        self.scores = [0.0] * players
        self.forfeits = [NO_FORFEITS] * players

    def add_all(self, games: Iterable[GameResultByPlayer]) -> None:
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
    """Add the forfeits of one game, given by player index, to the totals."""
    for player, forfeits in more:
        sums[player] = tuple(map(sum, zip(sums[player], forfeits, strict=True)))


def labels(players: Sequence[str]) -> list[str]:
    """Distinct names: a player listed twice becomes normal and normal 2."""
    count: Counter[str] = Counter()
    names = []
    for player in players:
        count[player] += 1
        names.append(player if count[player] == 1 else f"{player} {count[player]}")
    return names


def forfeit_row(forfeits: Forfeits) -> dict[str, Any]:
    """A player's forfeits for its row in a report: how many, and the reasons in words."""
    why = ", ".join(f"{count} {why}" for count, why in zip(forfeits, FORFEITS, strict=True) if count)
    return {"forfeits": sum(forfeits), "forfeited": why}


def forfeit_lines(rows: Iterable[dict[str, Any]], name_key: str) -> list[str]:
    """A sentence for every row whose player forfeited moves. `name_key` is the key of the player's name."""
    return [
        f"{row[name_key]} forfeited moves, which were played at random: {row['forfeited']}."
        for row in rows
        if row["forfeits"]
    ]


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % Wilson score interval for a win rate; sensible near 0 and 1 and for few games."""
    if not games:
        return 0.0, 1.0
    rate = wins / games
    z = Z_95
    middle = rate + z * z / (2 * games)
    reach = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)
