"""Every step of every game's replay says what happened, and tells nobody what they could not know."""

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.protocol.replay import Viewer, steps

NAMES = ["Ada", "Bruno", "Chiara"]


def a_match(name: str, moves: int = 300) -> Match:
    game = catalogue.game(name)
    match, random = Match(game, max(3, game.players[0]), None, bytes(32)), QuickDice(5)
    while not match.over and len(match.log) < moves:
        waiting = match.waiting()
        seat = waiting[random.below(len(waiting))]
        legal = match.legal(seat)
        match.play(seat, legal[random.below(len(legal))])
    return match


@pytest.mark.parametrize("name", list(catalogue.games()))
@pytest.mark.parametrize("viewer", [None, 0, "all"])
def test_every_step_says_what_happened(name: str, viewer: Viewer) -> None:
    for step in steps(a_match(name), NAMES, viewer):
        assert step.text or step.note, f"step {step.n} says nothing: {step.events}"


def test_a_plan_is_told_only_to_its_owner_and_with_all_hands_open() -> None:
    match = a_match("word-traveler", 40)
    own, other, spectator, opened = (list(steps(match, NAMES, viewer)) for viewer in (0, 1, None, "all"))
    aims = [n for n, entry in enumerate(match.log, 1) if entry.seat == 0 and (own[n].move or {}).get("do") == "aim"]
    assert aims
    for n in aims:
        said = str(own[n].note)
        assert said.startswith("You choose: Aim arrow ")
        assert opened[n].note == f"Ada chooses: {said.removeprefix('You choose: ')}"
        assert other[n].note == spectator[n].note == "Ada makes a choice that others do not see."
