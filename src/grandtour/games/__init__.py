"""One folder per game. The catalogue finds the games by listing this package.

The package has the same name as the function `grandtour.games` and replaces it once imported, so it can be called like
the function.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grandtour.engine.game import Game


class _Games(ModuleType):
    def __call__(self) -> dict[str, Game]:
        """Every game by its name, as `grandtour.games`."""
        from grandtour.engine import catalogue

        return dict(catalogue.games())


sys.modules[__name__].__class__ = _Games
