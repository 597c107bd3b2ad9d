"""Matches that began under the first version of the rules continue to use it."""

import json
from pathlib import Path

import pytest

from grandtour.engine import catalogue, tour
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.testing.golden import story
from tests.games.journey_istanbul.positions import FILLERS, Table
from tests.golden.scenarios import HERE
from tests.rules import rule

GAME = catalogue.game("journey-istanbul")
OLD = sorted((HERE / "version-1" / "journey-istanbul").glob("*.tour"))


@rule("JI-78")
@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_a_match_of_the_first_version_is_replayed_to_the_same_end(path: Path) -> None:
    text = path.read_text("utf-8")
    match, names = tour.load(text)
    assert (match.version, match.over) == (1, True)
    assert tour.save(match, names) == text
    assert story(match, names) == path.with_suffix(".txt").read_text("utf-8"), "its story is different now"


def test_the_recorded_matches_of_the_first_version_contain_every_kind_of_talk() -> None:
    said = {json.loads(line.partition(" ")[2])["do"] for path in OLD for line in moves_of(path)}
    assert said >= {"tell", "sell", "answer", "show", "buy", "refuse", "help", "deny", "give"}


def moves_of(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if '{"do"' in line]


def given(version: int) -> Match:
    """Seat 1 has given seat 0, whose turn it is, 2 000 TL."""
    match = Match(GAME, 3, {"start": "1"}, 5, version)
    match.play(1, {"do": "talk", "to": 0})
    match.play(1, {"do": "give", "amount": 2000})
    return match


@rule("JI-64")
def test_a_gift_of_money_is_final() -> None:
    match = given(version=2)
    assert not match.can_undo(1)
    with pytest.raises(Refusal, match="given something away"):
        match.undo(1)
    assert GAME.view(match.state, 0)["players"][0]["money"] == 8000


@rule("JI-64")
def test_requested_help_is_final_too() -> None:
    match = Match(GAME, 3, {"start": "1"}, 5)
    match.play(1, {"do": "talk", "to": "all"})
    match.play(1, {"do": "request", "amount": 2000})
    match.play(0, {"do": "help", "to": 1})
    assert not match.can_undo(0)


@rule("JI-78")
def test_under_the_first_version_a_gift_can_still_be_taken_back() -> None:
    match = given(version=1)
    match.undo(1)
    assert GAME.view(match.state, 0)["players"][0]["money"] == 6000


@rule("JI-78")
def test_under_the_first_version_no_card_is_looked_at_twice() -> None:
    table = Table("Fatih", "Kadıköy", version=1)
    table.plays(0, "stay", "look: 3rd, 1")
    assert table.refused(0, "look", day="3rd", square=1).rule == "JI-27"


def old() -> Table:
    """Three players under the first version; seat 0 has looked at the only card of the 3rd day."""
    table = Table("Kadıköy", "Kadıköy", "Kadıköy", version=1)
    table.state.looked[10] = table.state.knows[10] = 1
    return table


@rule("JI-78")
def test_under_the_first_version_a_statement_is_a_card_for_that_day() -> None:
    table = old()
    table.plays(0, "talk: 1", "point: 3rd, 1")
    assert table.refused(0, "tell", card="4th-police-2000").rule == "JI-67"
    assert table.refused(0, "claim", subject="police").rule == "JI-78"
    table.play(0, "tell", card="3rd-police-4000")
    assert table.view(1)["planner"][0]["heard"] == [{"from": 0, "card": "3rd-police-4000"}]
    assert not table.may(0, "write")


@rule("JI-78")
def test_under_the_first_version_the_first_answer_to_a_question_is_paid() -> None:
    table = old()
    table.plays(1, "talk: all", "point: 3rd, 1", "ask: 1000")
    table.play(2, "answer", to=1, card="3rd-police-4000")
    assert (table.money(1), table.money(2)) == (5000, 7000)


@rule("JI-78")
def test_under_the_first_version_a_planner_shows_what_its_owner_has_seen() -> None:
    table = old()
    table.play(0, "talk", to=1)
    assert table.refused(0, "show", week=2).rule == "JI-69"
    table.play(0, "show", week=1)
    assert table.row("3rd", 1)[0] == FILLERS["3rd"]
    assert table.row("3rd", 2)[0] == "?"
    assert table.heard(1)[0]["cards"] == [{"day": "3rd", "square": 1, "card": FILLERS["3rd"]}]


@rule("JI-78")
def test_the_current_version_has_no_moves_of_version_1() -> None:
    table = Table("Kadıköy", "Kadıköy")
    assert table.refused(0, "tell", card=FILLERS["3rd"]).rule == "JI-78"
