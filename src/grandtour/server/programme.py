"""The games on the programme: those in the house, and those announced."""

from typing import Final

from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.players import PLAYERS
from grandtour.server.bodies import BotInfo, GameInfo, OptionInfo


def _announced(name: str, title: str, subtitle: str, summary: str, players: tuple[int, int], minutes: int) -> GameInfo:
    return GameInfo(name, title, subtitle, summary, players, minutes, 0, False, [], [])


ANNOUNCED: Final = (
    _announced(
        "ticket-to-ride-italy",
        "Ticket to Ride: Italy",
        "Trains and ferries from the Alps to Sicilia",
        "Collect cards, claim routes by rail and by sea, and join as many regions as you can.",
        (2, 5),
        60,
    ),
    _announced(
        "itchy-feet",
        "Itchy Feet",
        "Pack your bag and be the first to get there",
        "Draw, trade and steal what your country asks for, and keep your passport close.",
        (2, 6),
        30,
    ),
    _announced(
        "journey-istanbul",
        "The Journey: Istanbul",
        "Find a way out of the city",
        "Earn money, piece together what others know, and be in the right place when a journey begins.",
        (2, 5),
        60,
    ),
    _announced(
        "word-traveler",
        "Word Traveler",
        "Find your way with only a few words",
        "Give directions through a strange city with the words you hold, all together against the sand timer.",
        (2, 5),
        45,
    ),
)
"""Games to come; one that has moved into the house is no longer announced."""


def programme() -> list[GameInfo]:
    here = [_playable(game) for game in catalogue.games().values()]
    names = {info.name for info in here}
    return here + [info for info in ANNOUNCED if info.name not in names]


def _playable(game: Game) -> GameInfo:
    return GameInfo(
        game.name,
        game.title,
        game.subtitle,
        game.summary,
        game.players,
        game.minutes,
        game.version,
        True,
        [OptionInfo(**option.to_json()) for option in game.options],
        [BotInfo(kind.name, kind.label) for kind in PLAYERS.values()],
    )
