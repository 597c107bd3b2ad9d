"""Ratings by openskill: how strong each player is on one scale, from all games in their order."""

from typing import Any, NamedTuple

from openskill.models import PlackettLuce


class Rating(NamedTuple):
    """A strength and how unsure it is. Everybody begins at 25, unsure by 25/3."""

    mu: float
    sigma: float


class Ratings:
    """Plackett and Luce's model. A player in several seats is one team of as many, with their parts of the win.

    Equal parts are equal places. What comes out depends a little on the order of the games, which is that of the deals.
    """

    def __init__(self, players: int) -> None:
        self._model = PlackettLuce()
        self._ratings: list[Any] = [self._model.rating() for _ in range(players)]

    def add(self, shares: dict[int, list[float]]) -> None:
        """One game: each player's parts of the win, one for each of its seats."""
        if len(shares) < 2:
            return
        teams = [[self._ratings[player]] * len(parts) for player, parts in shares.items()]
        better = sorted({sum(parts) for parts in shares.values()}, reverse=True)
        ranks = [float(better.index(sum(parts))) for parts in shares.values()]
        for player, team in zip(shares, self._model.rate(teams, ranks=ranks), strict=True):
            self._ratings[player] = team[0]

    def rating(self, player: int) -> Rating:
        return Rating(float(self._ratings[player].mu), float(self._ratings[player].sigma))
