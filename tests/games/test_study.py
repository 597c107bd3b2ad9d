"""The figures that players get after a match, from each game's study."""

from collections import Counter
from typing import Any

import pytest

from grandtour.arena.play import Seating, play_out, starting_position
from grandtour.engine import catalogue
from grandtour.engine.options import check_options
from grandtour.engine.state import State
from grandtour.engine.study import Log, count_moves
from grandtour.games.journey_istanbul.parts import JAIL

GAMES = [name for name, game in catalogue.games().items() if game.study is not None]


def played(name: str, seats: int, seed: int) -> tuple[State, Log]:
    """The last position and the log of a match of random bots."""
    game = catalogue.game(name)
    log: Log = []

    def note(_: State, seat: int, move: int, __: list[int]) -> None:
        log.append((seat, move))

    seating = Seating(seed, (0,) * seats)
    state = starting_position(game, check_options(game.options, {}), seed, seating)
    play_out(game, state, ("random",), seed, seating, note)
    return state, log


@pytest.mark.parametrize("name", GAMES)
def test_every_seat_has_the_same_figures(name: str) -> None:
    game = catalogue.game(name)
    assert game.study is not None
    state, log = played(name, game.players[0], 1)
    figures = game.study.figures_of(state, log)
    assert len(figures) == state.seats
    assert len({tuple(each) for each in figures}) == 1, "seats cannot be compared"
    assert all(number >= 0 for each in figures for number in each.values())
    assert any(number for each in figures for number in each.values()), "nothing was counted in a whole match"


def test_figures_count_every_time_something_was_done() -> None:
    state, log = played("round-trip", 3, 2)
    game = catalogue.game("round-trip")
    assert game.study is not None
    verbs = Counter((seat, game.moves.name(move)["do"]) for seat, move in log)
    for seat, each in enumerate(game.study.figures_of(state, log)):
        assert each["tickets taken"] == verbs[seat, "take"] == count_moves(log, seat, game.moves.verbs["take"])
        assert each["exchanges"] == verbs[seat, "exchange"]


def test_nights_in_jail_are_counted_in_the_evenings() -> None:
    """They are counted a second time here: the evenings after which somebody is in jail."""
    game = catalogue.game("journey-istanbul")
    assert game.study is not None
    nights: Counter[int] = Counter()
    found: Counter[int] = Counter()
    for seed in range(4):
        state, log = played("journey-istanbul", 3, seed)
        again: Any = starting_position(game, check_options(game.options, {}), seed, Seating(seed, (0,) * 3))
        for seat, move in log:
            day = again.day
            again.play(seat, move)
            if again.day != day or again.result() is not None:
                nights.update(seat for seat, place in enumerate(again.place) if place == JAIL)
        for seat, each in enumerate(game.study.figures_of(state, log)):
            found[seat] += each["nights in jail"]
    assert nights == found
    assert sum(nights.values()) > 3
