"""Hints give a reason: one sentence for every move, based only on what the seat knows."""

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.state import State

EXPLAINED = [name for name, game in catalogue.games().items() if game.why is not None]
STEPS = 120
MOVES = 5
VARIANTS: dict[str, list[dict[str, object]]] = {
    "itchy-feet": [
        {"special_items": True, "forbidden_items": True, "postcards": True, "characters": True, "events": True},
        {"variant": "bucket-list"},
    ]
}


def some(moves: list[int], dice: QuickDice) -> list[int]:
    return [moves[dice.below(len(moves))] for _ in range(min(MOVES, len(moves)))]


@pytest.mark.parametrize("name", EXPLAINED)
def test_every_move_has_a_sentence_that_hidden_cards_do_not_change(name: str) -> None:
    game: Game = catalogue.game(name)
    assert game.why is not None
    for variant in VARIANTS.get(name, [{}]):
        dice = QuickDice(7)
        state: State = game.new(3, check_options(game.options, variant), dice.clone())
        for n in range(STEPS):
            waiting = state.waiting()
            if not waiting:
                break
            seat = waiting[dice.below(len(waiting))]
            one, other = state.imagine(seat, QuickDice(n)), state.imagine(seat, QuickDice(1000 + n))
            legal = state.legal(seat)
            played = game.choose(one, seat, QuickDice(n)) if n % 4 else legal[dice.below(len(legal))]
            for move in [played, *some(legal, dice)]:
                said, again = game.why(one, seat, move), game.why(other, seat, move)
                assert said[:1].isupper() or said[:1] in "“{", f"{game.moves.name(move)}: {said!r} is not a sentence"
                assert said.endswith("."), f"{game.moves.name(move)}: {said!r} is not a sentence"
                assert " 0 " not in said, f"{game.moves.name(move)}: {said!r} is no reason"
                assert said == again, f"{game.moves.name(move)}: hidden cards change why: {said!r}, {again!r}"
            state.play(seat, played)
