"""How a server asks a bot server for a move: what is sent, and what comes back.

Only what the bot's seat may imagine is sent. Positions travel as JSON: nothing that is received can run code.
"""

import sys
from typing import Any, Final

import msgspec

from grandtour import __version__
from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State, restored
from grandtour.server.tables.records import Why

PATH: Final = "/bots/move"
STILL_THINKING: Final = 0.5
"""Seconds between two empty lines, by which a bot server that is asked for a move shows that it is alive."""


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
    """The answer. `why` says why the bot did not find the move itself."""

    move: int
    why: Why | None = None


def wanted_move(bot: str, game: Game, imagined: State, seat: int, seed: int) -> WantedMove:
    kind = type(imagined)
    name = f"{kind.__module__}:{kind.__qualname__}"
    return WantedMove(__version__, bot, game.name, imagined.version, name, imagined.dump(), seat, seed)


def position_in(wanted: WantedMove) -> tuple[Game, State]:
    """The game, and the position that the bot gets to see. Refuses a request from a server with other rules."""
    if wanted.version != __version__:
        raise Refusal("other-version", f"This is Grand Tour {__version__}, not {wanted.version}.")
    game = catalogue.game(wanted.game)
    if wanted.rules not in game.rules:
        raise Refusal("other-version", f"Version {wanted.rules} of the rules of {game.title} is not known here.")
    # Only classes that the games have brought along: nothing is imported because of a request.
    module, _, name = wanted.kind.partition(":")
    kind = getattr(sys.modules.get(module), name, None)
    state = _restored(kind, wanted.imagined) if isinstance(kind, type) and issubclass(kind, State) else None
    if state is None:
        raise Refusal("other-version", f"Positions of {game.title} are different here.")
    if wanted.seat not in range(state.seats) or not state.legal(wanted.seat):
        raise Refusal("malformed", "This seat has no move to make.")
    return game, state


def _restored(kind: type[State], imagined: dict[str, Any]) -> State | None:
    """The position; None if it is not one of this class as it is here."""
    try:
        state = restored(kind, imagined)
    except (AttributeError, TypeError, ValueError):
        return None
    return state if state.dump() == imagined else None
