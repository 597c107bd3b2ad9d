"""Where a tournament stands: who is ahead of whom, how often, and how sure that is. Whole deals only."""

from collections import defaultdict
from itertools import combinations, pairwise
from typing import Any

from grandtour.arena.evidence import ALPHA, Bet, interval, sequence
from grandtour.arena.playing import Ended, Seating
from grandtour.arena.ratings import Ratings
from grandtour.arena.tally import NO_FORFEITS, add_forfeits, forfeit_row

DRAW = 0.5

Pair = tuple[int, int]


class Standings:
    """Sums over deals, added up in their order, so that they do not depend on who played which.

    Of two players at a table, the one with the greater part of the win is ahead; with equal parts it is half and half.
    In a team game everybody plays every deal with a team of their own kind, and the one that scored more is ahead: by
    the score, since results are alike where many teams reach the full one.
    """

    def __init__(self, players: int, team: bool, looking: bool) -> None:
        """`looking`: the run may be stopped for what it has shown, so intervals have to hold at all times at once."""
        self.players = players
        self.team = team
        self.looking = looking
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

    def add(self, games: list[tuple[Seating, Ended]]) -> None:
        """One whole deal."""
        self.deals += 1
        shares: dict[int, list[float]] = defaultdict(list)
        scores: dict[int, list[float]] = defaultdict(list)
        ahead: dict[Pair, list[float]] = defaultdict(list)
        for seating, ended in games:
            self._count(ended)
            add_forfeits(self.forfeits, zip(seating.players, ended.forfeits, strict=False))
            here: dict[int, list[float]] = defaultdict(list)
            for player, share, score in zip(seating.players, ended.shares, ended.scores, strict=True):
                here[player].append(share)
                shares[player].append(share)
                scores[player].append(score)
                self.seats[player] += 1
                self.wins[player] += share
                self.scores[player] += score
            if not self.team:
                self.ratings.add(here)
                for a, b in combinations(sorted(here), 2):
                    ahead[a, b] += [_ahead(x, y) for x in here[a] for y in here[b]]
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
            self.bets[pair].see(value)
            if self.bets[pair].won:
                self.decided.add(pair)

    def _count(self, ended: Ended) -> None:
        self.shortest = min(self.shortest, ended.moves) if self.games else ended.moves
        self.longest = max(self.longest, ended.moves)
        self.games += 1
        self.moves += ended.moves

    def strength(self, player: int) -> float:
        """How far ahead of the others a player is, on the mean over them."""
        if self.players < 2 or not self.deals:
            return 0.0
        return _mean([self.rate(player, other) for other in range(self.players) if other != player])

    def rate(self, a: int, b: int) -> float:
        """How often a was ahead of b."""
        pair = min(a, b), max(a, b)
        deals = len(self.ahead[pair])
        rate = self._sums[pair] / deals if deals else DRAW
        return rate if a < b else 1 - rate

    def ranking(self) -> list[int]:
        """The strongest first; of equals, the one named first."""
        return sorted(range(self.players), key=lambda player: -self.strength(player))

    def all_decided(self) -> bool:
        """Whether of every two neighbours in the ranking one is surely ahead."""
        order = self.ranking()
        return bool(self.deals) and all((min(a, b), max(a, b)) in self.decided for a, b in pairwise(order))

    def rows(self) -> list[dict[str, Any]]:
        """A row a player, in the order of the ranking. A share is a part of the win; in a team game the result."""
        find = sequence if self.looking else interval
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
        """A row for every two players, the stronger one first; neighbours in the ranking are marked."""
        find = sequence if self.looking else interval
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
