"""Observations written straight from the position equal those made from the view by `features.py`, and leak nothing."""

from collections.abc import Iterator

import pytest
from librt.vecs import vec
from mypy_extensions import u8

from grandtour.engine.catalogue import game as find
from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.state import State
from grandtour.rl.encoder import Encoder, ViewEncoder
from grandtour.rl.encoding import encoder_of, features_of, has_features
from grandtour.rl.features import Flag, Record
from grandtour.testing.conformance import Setup
from grandtour.testing.knowledge import twins
from tests.rl.test_features import OPTIONS

TABLES = [
    pytest.param(game, seats, id=f"{game.name}-{seats}")
    for game in games().values()
    if has_features(game)
    for seats in range(game.players[0], game.players[1] + 1)
]
MOVES_BETWEEN = 7
"""Only some positions are encoded, because views are slow and most moves change little."""


def encoded(encoder: Encoder, state: State, seat: int) -> list[int]:
    out = vec[u8](bytes(int(encoder.size)))
    encoder.encode(state, seat, out, 0)
    return list(out)


def positions(game: Game, seats: int) -> Iterator[State]:
    """Positions all through random games, with various options, and how they end."""
    for number, options in enumerate([{}, *OPTIONS.get(game.name, [])]):
        state = game.new(seats, check_options(game.options, options), QuickDice(10 * seats + number))
        dice = QuickDice(number)
        for count in range(100 * MOVES_BETWEEN):
            waiting = state.waiting()
            if count % MOVES_BETWEEN == 0 or not waiting:
                yield state
            if not waiting:
                break
            seat = waiting[dice.below(len(waiting))]
            moves = state.legal(seat)
            state.play(seat, moves[dice.below(len(moves))])


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_encoder_and_the_features_write_the_same_numbers(game: Game, seats: int) -> None:
    encoder, features = encoder_of(game, seats), features_of(game, seats)
    assert not isinstance(encoder, ViewEncoder), f"{game.name} has no encoder.py"
    names = features.names()
    for count, state in enumerate(positions(game, seats)):
        seat = count % seats
        expected = [0] * features.size
        features.write(game.view(state, seat), seat, expected, 0)
        found = encoded(encoder, state, seat)
        wrong = {names[n]: (found[n], expected[n]) for n in range(len(names)) if found[n] != expected[n]}
        assert not wrong, f"after {count * MOVES_BETWEEN} moves, encoder.py and features.py write: {wrong}"


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_encoder_shows_nothing_hidden(game: Game, seats: int) -> None:
    """It writes the same numbers when everything hidden is dealt again, and for a twin: a position with another hidden
    past."""
    encoder = encoder_of(game, seats)
    some: list[State] = []
    for count, state in enumerate(positions(game, seats)):
        if state.waiting() and count % 4 == 0:
            seat = count % seats
            imagined = state.imagine(seat, QuickDice(count))
            assert encoded(encoder, imagined, seat) == encoded(encoder, state, seat), (
                "the numbers depend on hidden cards"
            )
            some.append(state.clone())
    setup = Setup(game, seats, (), 1)
    tried = 0
    for twin in twins(setup, some[:: max(1, len(some) // 4)]):
        assert encoded(encoder, twin.state, twin.seat) == encoded(encoder, twin.other, twin.seat), (
            "the numbers of twins differ"
        )
        tried += 1
    assert tried, "there were no twins"


def test_a_place_that_features_do_not_declare_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"features\.py declares no number 'b'"):
        ViewEncoder(Record({"a": Flag()}), lambda state, seat: {}).place("b")


def test_a_game_without_an_encoder_is_encoded_by_its_view() -> None:
    game = find("round-trip")
    by_view = ViewEncoder(features_of(game, 2), game.view)
    state = game.new(2, check_options(game.options, {}), QuickDice(3))
    assert encoded(by_view, state, 1) == encoded(encoder_of(game, 2), state, 1)
