"""Ratings by openskill: each player's strength on one scale, from all games in order."""

from typing import Any, NamedTuple

from openskill.models import PlackettLuce


class Rating(NamedTuple):
    """A strength (mu) and its uncertainty (sigma). Everyone starts at 25 with an uncertainty of 25/3."""

    mu: float
    sigma: float


class Ratings:
    """The Plackett-Luce model. A player in several seats counts as a team of that many, with the sum of their shares.

    Equal shares are equal places. Ratings depend slightly on the order of the games, which is that of the deals.
    """

    def __init__(self, players: int) -> None:
        self._model = PlackettLuce()
        self._ratings: list[Any] = [self._model.rating() for _ in range(players)]

    def add(self, shares: dict[int, list[float]]) -> None:
        """Add one game: each player's shares of the win, one per seat it filled."""
        if len(shares) < 2:
            return
        teams = [[self._ratings[player]] * len(parts) for player, parts in shares.items()]
        better = sorted({sum(parts) for parts in shares.values()}, reverse=True)
        ranks = [float(better.index(sum(parts))) for parts in shares.values()]
        for player, team in zip(shares, self._model.rate(teams, ranks=ranks), strict=True):
            self._ratings[player] = team[0]

    def rating(self, player: int) -> Rating:
        return Rating(float(self._ratings[player].mu), float(self._ratings[player].sigma))
