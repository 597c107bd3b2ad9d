"""Records golden games again: `python -m tests.golden.write [GAME ...]`, or `make golden`. Each game has a process of
its own."""

import sys
from concurrent.futures import ProcessPoolExecutor

from grandtour.engine import catalogue
from grandtour.testing.golden import record_all
from tests.golden.scenarios import HERE, scenarios


def record_game(name: str) -> None:
    game = catalogue.game(name)
    record_all(game, scenarios(game), HERE / game.name)


def main(names: list[str]) -> None:
    with ProcessPoolExecutor() as pool:
        list(pool.map(record_game, names or [*catalogue.games()]))


if __name__ == "__main__":
    main(sys.argv[1:])
