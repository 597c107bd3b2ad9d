"""The list of games, as the page shows it."""

from grandtour.engine import catalogue
from grandtour.players import PLAYERS, STRENGTHS
from grandtour.server.http.requests import BotInfo, GameInfo, OptionInfo
from grandtour.server.tables.guide import guide_of


def list_games() -> list[GameInfo]:
    """Every game with its options and its bots, weakest first."""
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
            guide_of(game.name) is not None,
        )
        for game in catalogue.games().values()
    ]
