"""Writes the golden games of every game again: `python -m tests.golden.write`, or `make golden`.

For each wish the first seeds are played until some games hold it, and the shortest of these is kept. The same rules and
the same players give the same files. A game recorded by an earlier version of the rules is kept as it is: it shows that
old matches can still be replayed.
"""

from collections.abc import Iterator
from itertools import islice

from grandtour.engine import catalogue, tour
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from tests.golden.wish import HERE, NAMES, Wish, all_wishes, happened, played, story

SEEDS = 2000
CANDIDATES = 5


def holding(game: Game, wish: Wish) -> Iterator[Match]:
    """The matches of the first seeds in which the wish holds."""
    for seed in range(SEEDS):
        match = played(game, wish, seed)
        if wish.holds(happened(match)):
            yield match


def write(game: Game, wish: Wish) -> None:
    candidates = list(islice(holding(game, wish), CANDIDATES))
    if not candidates:
        raise SystemExit(f"{game.name}: no game of {SEEDS} is {wish.name}")
    match = min(candidates, key=lambda candidate: len(candidate.log))
    names = NAMES[: match.seats]
    wish.tour(game).parent.mkdir(exist_ok=True)
    wish.tour(game).write_text(tour.save(match, names), "utf-8")
    wish.story(game).write_text(story(match, names), "utf-8")
    print(f"{game.name}: {wish.name}, {len(match.log)} moves")


def main() -> None:
    kept = {wish.tour(game) for game, wish in all_wishes() if recorded_before(game, wish)}
    for game in catalogue.games().values():
        for old in (HERE / game.name).glob("*.t*"):
            if old.with_suffix(".tour") not in kept:
                old.unlink()
    for game, wish in all_wishes():
        if wish.tour(game) not in kept:
            write(game, wish)


def recorded_before(game: Game, wish: Wish) -> bool:
    """Whether there is such a game by an earlier version of the rules."""
    return wish.version not in (None, game.version) and wish.tour(game).exists()


if __name__ == "__main__":
    main()
