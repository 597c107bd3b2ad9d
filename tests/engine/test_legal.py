"""The fast alternatives to `legal` agree with it."""

import pytest

from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.engine.state import MAX_MOVES, FastState

GAMES = games()


@pytest.mark.parametrize("name", GAMES)
def test_a_position_allows_its_legal_moves_and_no_others(name: str) -> None:
    game = GAMES[name]
    for seed in range(3):
        state = game.new(game.players[seed % 2], check_options(game.options, {}), QuickDice(seed))
        dice = QuickDice(-seed)
        for turn in range(60):
            waiting = state.waiting()
            if not waiting:
                break
            for seat in range(state.seats):
                legal = state.legal(seat)
                assert legal == sorted(set(legal))
                if isinstance(state, FastState):
                    assert list(state.legal_numbers(seat)) == legal
                if turn % 20 == 0:
                    found = [move for move in range(game.moves.size) if state.allows(seat, move)]
                    assert found == legal
                assert not any(state.allows(seat, move) for move in (-1, game.moves.size, MAX_MOVES, 1 << 70))
            state.play(waiting[0], state.random_move(waiting[0], dice))


@pytest.mark.parametrize("name", GAMES)
def test_a_random_move_is_the_one_that_the_dice_choose_among_the_legal_ones(name: str) -> None:
    game = GAMES[name]
    state = game.new(game.players[1], check_options(game.options, {}), QuickDice(5))
    ours, theirs = QuickDice(9), QuickDice(9)
    for _ in range(300):
        waiting = state.waiting()
        if not waiting:
            break
        legal = state.legal(waiting[0])
        move = state.random_move(waiting[0], ours)
        assert move == legal[theirs.below(len(legal))]
        state.play(waiting[0], move)
    assert ours.dump() == theirs.dump()


def test_a_list_of_legal_moves_may_be_modified_by_the_caller() -> None:
    game = GAMES["journey-istanbul"]
    state = game.new(2, check_options(game.options, {}), QuickDice(1))
    seat = state.waiting()[0]
    first = state.legal(seat)
    first.clear()
    assert state.legal(seat), "the next list is affected"
