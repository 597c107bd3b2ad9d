"""The games of the house, found by looking in the folder."""

import importlib
import pkgutil
from typing import Final

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short

SHELF: Final = "grandtour.games"

_found: dict[str, Game] = {}


def games() -> dict[str, Game]:
    """Every game by its name, as they stand on the shelf."""
    if not _found:
        shelf = importlib.import_module(SHELF)
        entries = [entry.name for entry in pkgutil.iter_modules(shelf.__path__) if entry.ispkg]
        for found in shelved([importlib.import_module(f"{SHELF}.{entry}").GAME for entry in entries]):
            _found[found.name] = found
    return _found


def shelved(found: list[Game]) -> list[Game]:
    """Games in the order of their places; those without one come last, by their names."""
    return sorted(found, key=lambda one: (one.place is None, one.place or 0, one.name))


def game(name: object) -> Game:
    """The game with this name."""
    found = games().get(name) if isinstance(name, str) else None
    if found is None:
        raise Refusal("unknown-game", f"There is no game {short(name)} here: the games are {', '.join(games())}.")
    return found
