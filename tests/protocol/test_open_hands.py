"""In every game, a replay with all hands open describes each seat's hand in words."""

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.protocol.messages import OpenHand
from grandtour.protocol.replay import steps


@pytest.mark.parametrize("name", list(catalogue.games()))
def test_every_seat_has_something_that_spectators_could_not_see(name: str) -> None:
    game = catalogue.game(name)
    match, random = Match(game, game.players[0], None, bytes(32)), QuickDice(3)
    while not match.over and len(match.log) < 60:
        seat = match.waiting()[0]
        legal = match.legal(seat)
        match.play(seat, legal[random.below(len(legal))])
    names = ["Ada", "Bruno", "Chiara"][: match.seats]
    told: set[int] = set()
    for step, public in zip(steps(match, names, "all"), steps(match, names, None), strict=True):
        assert isinstance(step.hands, list)
        assert step.view == public.view, "the board shows what a spectator sees"
        told |= {hand.seat for hand in step.hands if lines_of(hand)}
    assert told == set(range(match.seats))
    assert all(not isinstance(step.hands, list) for step in steps(match, names, None)), "hands are open only if asked"


def lines_of(hand: OpenHand) -> list[str]:
    return [line for part in hand.parts for line in part.lines]
