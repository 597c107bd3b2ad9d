"""Finds the games: those in our own folder and those of other installed packages."""

import importlib
import pkgutil
import warnings
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short

PACKAGE: Final = "grandtour.games"
"""The folder of our own games, and the entry-point group in which other packages register theirs."""

_found: dict[str, Game] = {}


def games() -> dict[str, Game]:
    """Every game by name, in the order of the lobby."""
    if not _found:
        package = importlib.import_module(PACKAGE)
        entries = [entry.name for entry in pkgutil.iter_modules(package.__path__) if entry.ispkg]
        ours = [importlib.import_module(f"{PACKAGE}.{entry}").GAME for entry in entries]
        for found in in_lobby_order(ours + _external_games({each.name for each in ours})):
            _found[found.name] = found
    return _found


def _external_games(taken: set[str]) -> list[Game]:
    """Games from other packages. A game that cannot be loaded, or whose name is taken, is left out with a warning, so
    that the others can still be played."""
    others: list[Game] = []
    for entry in sorted(entry_points(group=PACKAGE), key=lambda each: each.value):
        try:
            found = _load(entry)
        except Exception as trouble:
            warnings.warn(f"The game {entry.name} ({entry.value}) cannot be loaded: {trouble!r}", stacklevel=2)
            continue
        if found.name in taken:
            warnings.warn(f"{entry.value} is left out: there is already a game named {found.name}", stacklevel=2)
            continue
        taken.add(found.name)
        others.append(found)
    return others


def _load(entry: EntryPoint) -> Game:
    """Load an entry point, which names a game or a module with a `GAME`."""
    found = entry.load()
    game = getattr(found, "GAME", found)
    if not isinstance(game, Game):
        raise TypeError(f"{entry.value} is not a game")
    return game


def in_lobby_order(found: list[Game]) -> list[Game]:
    """Games sorted by `place`; those without one come last, sorted by name."""
    return sorted(found, key=lambda one: (one.place is None, one.place or 0, one.name))


def game(name: object) -> Game:
    """The game with this name."""
    found = games().get(name) if isinstance(name, str) else None
    if found is None:
        raise Refusal("unknown-game", f"There is no game {short(name)} here: the games are {', '.join(games())}.")
    return found
