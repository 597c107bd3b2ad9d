"""The normal player makes the same moves as before, so that making it faster does not change its play."""

import hashlib

import pytest

from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.players.normal import Normal

DECISIONS = 60

RECORDED = {
    ("round-trip", 2): "eeb8f74ad32156e4",
    ("round-trip", 4): "9c4ae7ab8787f4ab",
    ("ticket-to-ride-italy", 2): "b22159ae0bdb708f",
    ("ticket-to-ride-italy", 5): "7a3b6a48537ca8f4",
    ("journey-istanbul", 2): "0d4a9a1726fc60e1",
    ("journey-istanbul", 5): "ec88969a857b3b12",
}
"""A hash of the first moves of a game between normal players, by game and number of players."""


def first_moves(name: str, seats: int) -> str:
    game = games()[name]
    state = game.new(seats, check_options(game.options, {}), QuickDice(seats))
    dice = QuickDice(7)
    moves: list[int] = []
    while state.waiting() and len(moves) < DECISIONS:
        seat = state.waiting()[0]
        moves.append(Normal().choose(game, state, seat, dice))
        state.play(seat, moves[-1])
    return hashlib.sha256(repr(moves).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("name", "seats"), RECORDED)
def test_normal_makes_its_recorded_moves(name: str, seats: int) -> None:
    assert first_moves(name, seats) == RECORDED[name, seats], (
        "normal plays differently: if bench.strength says that it plays better now, record its moves again"
    )
