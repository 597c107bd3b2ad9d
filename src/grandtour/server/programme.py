"""The games on the programme."""

from grandtour.engine import catalogue
from grandtour.players import PLAYERS
from grandtour.server.bodies import BotInfo, GameInfo, OptionInfo


def programme() -> list[GameInfo]:
    """Every game in the house, with its options and the bots that play it."""
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
            [BotInfo(kind.name, kind.label) for kind in PLAYERS.values()],
        )
        for game in catalogue.games().values()
    ]
