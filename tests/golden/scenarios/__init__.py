"""The golden games of this project. `scenarios/<folder>.py` describes the matches to record of a game; the recorded
matches are in a folder named after the game."""

import importlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.testing import Golden

HERE = Path(__file__).parent.parent


@cache
def scenarios(game: Game) -> list[Golden]:
    """The matches to record of a game; none if it has no file here."""
    module = f"tests.golden.scenarios.{game.name.replace('-', '_')}"
    if find_spec(module) is None:
        return []
    found: list[Golden] = importlib.import_module(module).SCENARIOS
    return found


def all_scenarios() -> Iterator[tuple[Game, Golden]]:
    for game in catalogue.games().values():
        for golden in scenarios(game):
            yield game, golden
