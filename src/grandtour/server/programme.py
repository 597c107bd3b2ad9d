"""The games on the programme."""

from grandtour.engine import catalogue
from grandtour.players import PLAYERS, STRENGTHS
from grandtour.server.bodies import BotInfo, GameInfo, OptionInfo


def programme() -> list[GameInfo]:
    """Every game in the house, with its options and the bots that play it, the weakest first."""
    return [
        GameInfo(
            game.name,
            game.title,
            game.subtitle,
            game.summary,
            game.players,
            game.minutes,
            game.version,
            [OptionInfo(**option.to_json()) for option in game.options],
            [BotInfo(name, PLAYERS[name].label) for name in STRENGTHS],
        )
        for game in catalogue.games().values()
    ]
