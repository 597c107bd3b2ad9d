"""The compiled rules and the interpreted ones play the same games."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grandtour.engine import catalogue, playout
from grandtour.engine.options import check_options

SOURCE = Path(__file__).parents[2] / "src"
GAMES = 1000
TABLES = [
    (game.name, seats) for game in catalogue.games().values() for seats in range(game.players[0], game.players[1] + 1)
]
SCRIPT = """
import sys
from grandtour.engine import catalogue, playout
from grandtour.engine.options import check_options
print(playout.__file__, flush=True)
for table in sys.argv[1:]:
    name, seats, games = table.split(":")
    game = catalogue.game(name)
    print(playout.fingerprint(game, int(seats), check_options(game.options, {}), int(games)), flush=True)
"""


def games_per_table(game: str) -> int:
    """A thousand games in all for each game, divided equally among the numbers of players."""
    low, high = catalogue.game(game).players
    return GAMES // (high - low + 1) + 1


@pytest.fixture(scope="module")
def interpreted() -> Iterator[Iterator[str]]:
    """The fingerprints from the uncompiled sources, one for each of `TABLES`."""
    if playout.__file__.endswith(".py"):
        pytest.skip("this run is not compiled: nothing to compare")
    command = [sys.executable, "-c", SCRIPT, *(f"{game}:{seats}:{games_per_table(game)}" for game, seats in TABLES)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd="/") as run:
        assert run.stdout is not None
        assert Path(run.stdout.readline().strip()).is_relative_to(SOURCE), "the subprocess did not use the sources"
        yield map(str.strip, run.stdout)


@pytest.fixture(scope="module")
def expected(interpreted: Iterator[str]) -> dict[tuple[str, int], str]:
    """The fingerprints read from the subprocess so far."""
    return {}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_thousand_games_end_the_same_compiled_and_interpreted(
    game: str, seats: int, interpreted: Iterator[str], expected: dict[tuple[str, int], str]
) -> None:
    while (game, seats) not in expected:
        expected[TABLES[len(expected)]] = next(interpreted)
    found = catalogue.game(game)
    compiled = playout.fingerprint(found, seats, check_options(found.options, {}), games_per_table(game))
    assert compiled == expected[game, seats], f"{game} for {seats} plays differently when compiled"
