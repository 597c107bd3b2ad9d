"""The standings of a tournament over complete deals: who is ahead of whom, how often, and how certain that is."""

from collections import defaultdict
from itertools import combinations, pairwise
from typing import Any

from grandtour.arena.intervals import ALPHA, Bet, confidence_sequence, interval
from grandtour.arena.play import GameResult, Seating
from grandtour.arena.ratings import Ratings
from grandtour.arena.tally import NO_FORFEITS, add_forfeits, forfeit_row

DRAW = 0.5

Pair = tuple[int, int]


class Standings:
    """Totals over deals, added in order, so that they do not depend on which process played which deal.

    Of two players at a table, the one with the greater share of the win is ahead; equal shares count half each. In a
    team game each player fills all seats of a team, every team plays every deal, and the team with the higher score is
    ahead. Scores are compared because results are often equal: many teams reach the maximum.
    """

    def __init__(self, players: int, team: bool, anytime: bool) -> None:
        """`anytime`: the run may stop depending on its results, so intervals must be valid at all times at once."""
        self.players = players
        self.team = team
        self.anytime = anytime
        self.deals = 0
        self.games = 0
        self.moves = 0
        self.longest = 0
        self.shortest = 0
        self.seats = [0] * players
        self.wins = [0.0] * players
        self.scores = [0.0] * players
        self.forfeits = [NO_FORFEITS] * players
        self.share: list[list[float]] = [[] for _ in range(players)]
        self.pairs: list[Pair] = list(combinations(range(players), 2))
        self.ahead: dict[Pair, list[float]] = {pair: [] for pair in self.pairs}
        self._sums = dict.fromkeys(self.pairs, 0.0)
        self.bets = {pair: Bet(DRAW, ALPHA / len(self.pairs)) for pair in self.pairs}
        self.decided: set[Pair] = set()
        self.ratings = Ratings(players)

    def add(self, games: list[tuple[Seating, GameResult]]) -> None:
        """Add one complete deal."""
        self.deals += 1
        shares: dict[int, list[float]] = defaultdict(list)
        scores: dict[int, list[float]] = defaultdict(list)
        ahead: dict[Pair, list[float]] = defaultdict(list)
        for seating, result in games:
            self._count(result)
            add_forfeits(self.forfeits, zip(seating.players, result.forfeits, strict=False))
            at_table: dict[int, list[float]] = defaultdict(list)
            for player, share, score in zip(seating.players, result.shares, result.scores, strict=True):
                at_table[player].append(share)
                shares[player].append(share)
                scores[player].append(score)
                self.seats[player] += 1
                self.wins[player] += share
                self.scores[player] += score
            if not self.team:
                self.ratings.add(at_table)
                for a, b in combinations(sorted(at_table), 2):
                    ahead[a, b] += [_ahead(x, y) for x in at_table[a] for y in at_table[b]]
        if self.team:
            self.ratings.add({player: [_mean(points)] for player, points in sorted(scores.items())})
            for a, b in self.pairs:
                ahead[a, b] = [_ahead(_mean(scores[a]), _mean(scores[b]))]
        for player, parts in shares.items():
            self.share[player].append(_mean(parts))
        for pair, values in ahead.items():
            value = _mean(values)
            self.ahead[pair].append(value)
            self._sums[pair] += value
            self.bets[pair].update(value)
            if self.bets[pair].won:
                self.decided.add(pair)

    def _count(self, result: GameResult) -> None:
        self.shortest = min(self.shortest, result.moves) if self.games else result.moves
        self.longest = max(self.longest, result.moves)
        self.games += 1
        self.moves += result.moves

    def strength(self, player: int) -> float:
        """The rate at which a player is ahead, averaged over all opponents."""
        if self.players < 2 or not self.deals:
            return 0.0
        return _mean([self.rate(player, other) for other in range(self.players) if other != player])

    def rate(self, a: int, b: int) -> float:
        """The rate at which a was ahead of b."""
        pair = min(a, b), max(a, b)
        deals = len(self.ahead[pair])
        rate = self._sums[pair] / deals if deals else DRAW
        return rate if a < b else 1 - rate

    def ranking(self) -> list[int]:
        """Players from strongest to weakest; equals stay in the order they were named."""
        return sorted(range(self.players), key=lambda player: -self.strength(player))

    def all_decided(self) -> bool:
        """Whether the order of every two neighbours in the ranking is decided."""
        order = self.ranking()
        return bool(self.deals) and all((min(a, b), max(a, b)) in self.decided for a, b in pairwise(order))

    def rows(self) -> list[dict[str, Any]]:
        """One row per player, in ranking order. `win_rate` is the mean share of the win (team games: result)."""
        find = confidence_sequence if self.anytime else interval
        rows = []
        for player in self.ranking():
            low, high = find(self.share[player])
            rating = self.ratings.rating(player)
            seats = self.seats[player]
            rows.append(
                {
                    "player": player,
                    "seats": seats,
                    "wins": self.wins[player],
                    "win_rate": _mean(self.share[player]),
                    "low": low,
                    "high": high,
                    "mean_score": self.scores[player] / seats if seats else 0.0,
                    "rating": rating.mu,
                    "sigma": rating.sigma,
                    **forfeit_row(self.forfeits[player]),
                }
            )
        return rows

    def pair_rows(self) -> list[dict[str, Any]]:
        """One row per pair of players, the stronger first; neighbours in the ranking are marked."""
        find = confidence_sequence if self.anytime else interval
        order = self.ranking()
        rows = []
        for i, j in combinations(range(len(order)), 2):
            a, b = order[i], order[j]
            pair = min(a, b), max(a, b)
            low, high = find(self.ahead[pair])
            if a > b:
                low, high = 1 - high, 1 - low
            rows.append(
                {
                    "player": a,
                    "opponent": b,
                    "deals": len(self.ahead[pair]),
                    "ahead": self.rate(a, b),
                    "low": low,
                    "high": high,
                    "decided": pair in self.decided,
                    "neighbours": j == i + 1,
                }
            )
        return rows


def _ahead(a: float, b: float) -> float:
    return 1.0 if a > b else 0.0 if a < b else DRAW


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
