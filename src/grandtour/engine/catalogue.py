"""The games of the house, found by looking in the folder."""

import importlib
import pkgutil
from typing import Final

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short

SHELF: Final = "grandtour.games"

_found: dict[str, Game] = {}


def games() -> dict[str, Game]:
    """Every game by its name, in the order of the names."""
    if not _found:
        shelf = importlib.import_module(SHELF)
        for entry in sorted(pkgutil.iter_modules(shelf.__path__), key=lambda entry: entry.name):
            if entry.ispkg:
                found: Game = importlib.import_module(f"{SHELF}.{entry.name}").GAME
                _found[found.name] = found
    return _found


def game(name: object) -> Game:
    """The game with this name."""
    found = games().get(name) if isinstance(name, str) else None
    if found is None:
        raise Refusal("unknown-game", f"There is no game {short(name)} here: the games are {', '.join(games())}.")
    return found
