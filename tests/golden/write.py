"""Records the golden games of every game again: `python -m tests.golden.write`, or `make golden`."""

from grandtour.engine import catalogue
from grandtour.testing.golden import record_all
from tests.golden.scenarios import HERE, scenarios


def main() -> None:
    for game in catalogue.games().values():
        record_all(game, scenarios(game), HERE / game.name)


if __name__ == "__main__":
    main()
