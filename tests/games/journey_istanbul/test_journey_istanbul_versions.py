"""Matches of The Journey: Istanbul that began under the first version of the rules are played to their end by it."""

import pytest

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from tests.games.journey_istanbul.istanbul_table import Table
from tests.rules import rule

GAME = catalogue.game("journey-istanbul")


def given(version: int) -> Match:
    """Seat 1 has given seat 0, whose turn it is, 2 000 TL."""
    match = Match(GAME, 3, {"start": "1"}, 5, version)
    match.play(1, {"do": "talk", "to": 0})
    match.play(1, {"do": "give", "amount": 2000})
    return match


@rule("JI-64")
def test_money_given_is_given() -> None:
    match = given(version=2)
    assert not match.can_undo(1)
    with pytest.raises(Refusal, match="given something away"):
        match.undo(1)
    assert GAME.view(match.state, 0)["players"][0]["money"] == 8000


@rule("JI-64")
def test_help_that_was_asked_for_is_given_for_good_too() -> None:
    match = Match(GAME, 3, {"start": "1"}, 5)
    match.play(1, {"do": "talk", "to": "all"})
    match.play(1, {"do": "request", "amount": 2000})
    match.play(0, {"do": "help", "to": 1})
    assert not match.can_undo(0)


def test_a_gift_that_was_taken_back_under_the_first_version_is_still_taken_back() -> None:
    match = given(version=1)
    match.undo(1)
    assert GAME.view(match.state, 0)["players"][0]["money"] == 6000


def test_under_the_first_version_no_card_is_looked_at_twice() -> None:
    table = Table("Fatih", "Kadıköy", version=1)
    table.do(0, "stay")
    table.do(0, "look", day="3rd", square=1)
    assert table.why_not(0, "look", day="3rd", square=1) == "JI-27"
