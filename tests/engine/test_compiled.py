"""The compiled rules and the interpreted ones play the same games."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grandtour.engine import catalogue, playout
from grandtour.engine.options import check_options
from grandtour.testing.conformance import Setup, setups

SOURCE = Path(__file__).parents[2] / "src"
GAMES = 400
"""At least this many games of each kind are compared, with every number of players and every value of every option."""
MORE_GAMES = {"journey-istanbul": 1000}
"""Its talks have branches that only one game in several hundred takes. In the other games, half of `GAMES` already
takes every branch that more games would take."""
SETUPS = list(setups(catalogue.games().values()))
SCRIPT = """
import json
import sys
from grandtour.engine import catalogue, playout
from grandtour.engine.options import check_options
print(playout.__file__, flush=True)
for name, seats, options, games in json.loads(sys.argv[1]):
    game = catalogue.game(name)
    print(playout.fingerprint(game, seats, check_options(game.options, options), games), flush=True)
"""


def how_many(setup: Setup) -> int:
    """How many games are compared in this set-up."""
    games = MORE_GAMES.get(setup.rules.name, GAMES)
    return games // sum(each.game is setup.game for each in SETUPS) + 1


@pytest.fixture(scope="module")
def interpreted() -> Iterator[Iterator[str]]:
    """The fingerprints from the uncompiled sources, one for each of `SETUPS`."""
    if playout.__file__.endswith(".py"):
        pytest.skip("this run is not compiled: nothing to compare")
    played = [(setup.rules.name, setup.seats, dict(setup.options), how_many(setup)) for setup in SETUPS]
    command = [sys.executable, "-c", SCRIPT, json.dumps(played)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd="/") as run:
        assert run.stdout is not None
        assert Path(run.stdout.readline().strip()).is_relative_to(SOURCE), "the subprocess did not use the sources"
        yield map(str.strip, run.stdout)


@pytest.fixture(scope="module")
def expected(interpreted: Iterator[str]) -> list[str]:
    """The fingerprints read from the subprocess so far."""
    return []


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_random_games_end_the_same_compiled_and_interpreted(
    setup: Setup, interpreted: Iterator[str], expected: list[str]
) -> None:
    number = SETUPS.index(setup)
    while len(expected) <= number:
        expected.append(next(interpreted))
    options = check_options(setup.rules.options, dict(setup.options))
    compiled = playout.fingerprint(setup.rules, setup.seats, options, how_many(setup))
    assert compiled == expected[number], f"{setup} plays differently when compiled"
