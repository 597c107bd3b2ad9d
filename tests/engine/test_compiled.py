"""The compiled rules and the interpreted ones play the same games."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grandtour.engine import catalogue, playout

SOURCE = Path(__file__).parents[2] / "src"
GAMES = 1000
TABLES = [
    (game.name, seats) for game in catalogue.games().values() for seats in range(game.players[0], game.players[1] + 1)
]
SCRIPT = """
import sys
from grandtour.engine import catalogue, playout
from grandtour.engine.options import check_options
game, seats, games = catalogue.game(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
hash = playout.fingerprint(game, seats, check_options(game.options, {}), games)
print(playout.__file__.endswith(".py"), hash)
"""


def fingerprint(game: str, seats: int, games: int, path: str) -> tuple[str, str]:
    """Whether the program found on `path` is interpreted, and the fingerprint of its games."""
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-c", SCRIPT, game, str(seats), str(games)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd="/")
    interpreted, hash = done.stdout.split()
    return interpreted, hash


@pytest.mark.skipif(playout.__file__.endswith(".py"), reason="this run is the interpreted one: nothing to compare")
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_thousand_games_end_the_same_compiled_and_interpreted(game: str, seats: int) -> None:
    """A thousand for each game, as many at each number of players."""
    low, high = catalogue.game(game).players
    each = GAMES // (high - low + 1) + 1
    compiled = fingerprint(game, seats, each, os.environ.get("PYTHONPATH", ""))
    interpreted = fingerprint(game, seats, each, str(SOURCE))
    assert (compiled[0], interpreted[0]) == ("False", "True")
    assert compiled[1] == interpreted[1], f"{game} for {seats} plays differently when compiled"
