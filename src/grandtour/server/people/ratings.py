"""People's ratings: openskill, one rating per game, on one scale with the bots and corrected for the seat.

The bots' ratings, the advantage of each seat and the bots' usual figures come from `rating_scale.json`, which
`tools/rating_scale.py` measures.
"""

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.players import STRENGTHS

MU: Final = 25.0
SIGMA: Final = 25.0 / 3
PLUS_MARGIN: Final = 1.0
"""A rating that is higher than a bot's by at least this much is shown as that bot with a plus."""


class Rating(NamedTuple):
    mu: float
    sigma: float
    games: int


NEW: Final = Rating(MU, SIGMA, 0)


class Scale(Struct):
    """The measurements of one game: the bots' ratings (mu, sigma, games), the advantage of each seat by the number of
    seats, and the means of the study's figures by the number of seats and the bot."""

    bots: dict[str, tuple[float, float, int]] = {}
    seats: dict[str, list[float]] = {}
    counts: dict[str, dict[str, dict[str, float]]] = {}


@cache
def _scales() -> dict[str, Scale]:
    file = files("grandtour.server.people").joinpath("rating_scale.json")
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Scale]) if file.is_file() else {}


def scale_of(game: str) -> Scale:
    """The scale of a game; an empty one if it was not measured."""
    return _scales().get(game, Scale())


def check_rated(game: Game, public: bool, people: int, guided: bool) -> None:
    """Refuse a rated table with settings that cannot be rated."""
    if game.team:
        raise Refusal("bad-options", f"In {game.title} everyone plays together, so it is not rated.")
    if guided or not public:
        raise Refusal("bad-options", "Rated tables are public: anyone may join or watch.")
    if people < 2:
        raise Refusal("bad-options", "A rated table needs seats for at least two people.")


def after_match(game: str, players: list[Rating | str], shares: list[float]) -> list[Rating | None]:
    """The new rating of each seat; None for bots.

    `players` are the ratings of people and the names of bots, whose ratings do not change. A bot that was never
    measured is left out."""
    # The import is slow, and only rated tables need it.
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    scale = scale_of(game)
    worth = scale.seats.get(str(len(players)), [0.0] * len(players))
    teams, ranks, seats = [], [], []
    better = sorted(set(shares), reverse=True)
    for seat, player in enumerate(players):
        if isinstance(player, str):
            if player not in scale.bots:
                continue
            mu, sigma, _ = scale.bots[player]
        else:
            mu, sigma, _ = player
        teams.append([model.rating(mu=mu + worth[seat], sigma=sigma)])
        ranks.append(float(better.index(shares[seat])))
        seats.append(seat)
    found: list[Rating | None] = [None] * len(players)
    rated = model.rate(teams, ranks=ranks) if len(teams) > 1 else teams
    for seat, [after] in zip(seats, rated, strict=True):
        player = players[seat]
        if isinstance(player, Rating):
            found[seat] = Rating(float(after.mu) - worth[seat], float(after.sigma), player.games + 1)
    return found


def plays_like(game: str, rating: Rating) -> str | None:
    """The strongest bot that is not stronger than this rating, with a plus if the rating is clearly higher: "easy +".
    None if no bot was measured."""
    bots = [(bot, scale_of(game).bots[bot][0]) for bot in STRENGTHS if bot in scale_of(game).bots]
    if not bots:
        return None
    below = [(mu, bot) for bot, mu in bots if mu <= rating.mu]
    if not below:
        return f"{min(bots, key=lambda each: each[1])[0]} −"
    mu, bot = max(below)
    return f"{bot} +" if rating.mu >= mu + PLUS_MARGIN else bot
