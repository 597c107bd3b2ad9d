"""Requests to bot servers and their responses.

A request contains only a world that the bot's seat may imagine. Positions are sent as JSON, which cannot run code.
"""

import sys
from typing import Any, Final

import msgspec

from grandtour import __version__
from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State, restored
from grandtour.server.tables.records import FallbackReason

PATH: Final = "/bots/move"
KEEP_ALIVE_INTERVAL: Final = 0.5
"""Seconds between the empty lines by which a bot server shows that it is alive while a bot is thinking."""


class WantedMove(msgspec.Struct, frozen=True):
    """A request for a bot's move."""

    version: str
    """The version of Grand Tour."""
    bot: str
    game: str
    rules: int
    """The version of the game's rules."""
    kind: str
    """The class of the position: its module and name."""
    imagined: dict[str, Any]
    seat: int
    seed: int


class ChosenMove(msgspec.Struct, frozen=True):
    """The response. `why` is the reason if the bot did not find the move itself."""

    move: int
    why: FallbackReason | None = None


def wanted_move(bot: str, game: Game, imagined: State, seat: int, seed: int) -> WantedMove:
    kind = type(imagined)
    name = f"{kind.__module__}:{kind.__qualname__}"
    return WantedMove(__version__, bot, game.name, imagined.version, name, imagined.dump(), seat, seed)


def position_in(wanted: WantedMove) -> tuple[Game, State]:
    """The game and the imagined position. Refuses a request from a server with different rules."""
    if wanted.version != __version__:
        raise Refusal("other-version", f"This is Grand Tour {__version__}, not {wanted.version}.")
    game = catalogue.game(wanted.game)
    if wanted.rules not in game.rules:
        raise Refusal("other-version", f"Version {wanted.rules} of the rules of {game.title} is not known here.")
    # Only classes of installed games are accepted, so a request cannot cause an import.
    module, _, name = wanted.kind.partition(":")
    kind = getattr(sys.modules.get(module), name, None)
    state = _restored(kind, wanted.imagined) if isinstance(kind, type) and issubclass(kind, State) else None
    if state is None:
        raise Refusal("other-version", f"Positions of {game.title} are different here.")
    if wanted.seat not in range(state.seats) or not state.legal(wanted.seat):
        raise Refusal("malformed", "This seat has no move to make.")
    return game, state


def _restored(kind: type[State], imagined: dict[str, Any]) -> State | None:
    """The position; None if it does not fit this version of the class."""
    try:
        state = restored(kind, imagined)
    except (AttributeError, TypeError, ValueError):
        return None
    return state if state.dump() == imagined else None
