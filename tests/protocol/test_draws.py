"""In every game, all random numbers of a match are listed."""

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice, SealedDice
from grandtour.engine.match import Match
from grandtour.protocol.draws import Drawn, drawn_dice

SECRET = bytes(range(32))


@pytest.mark.parametrize("name", list(catalogue.games()))
def test_all_random_numbers_can_be_drawn_again_from_the_secret(name: str) -> None:
    game = catalogue.game(name)
    match, random = Match(game, game.players[0], None, SECRET), QuickDice(3)
    while not match.over and len(match.log) < 150:
        seat = match.waiting()[0]
        legal = match.legal(seat)
        match.play(seat, legal[random.below(len(legal))])
    told = drawn_dice(match)
    dice = SealedDice(bytes.fromhex(told.secret))
    for draw in (draw for step in told.steps for draw in step.draws):
        if isinstance(draw, Drawn):
            assert draw.value == dice.below(draw.below)
        else:
            cards = vec[i64](draw.before)
            dice.shuffle(cards, 0, len(cards))
            assert draw.after == list(cards)
    assert dice.dump() == match.state.dice.dump(), f"{name} drew a number that is not listed"
