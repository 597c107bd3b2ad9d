"""`import grandtour`: the games, a match, a file."""

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import grandtour


def test_importing_grandtour_imports_nothing_else_of_it() -> None:
    script = "import grandtour, sys; print([name for name in sys.modules if name.startswith('grandtour.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_examples_in_its_docstrings_are_true() -> None:
    outcome = doctest.testmod(grandtour)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_the_games_can_be_listed_again_and_again() -> None:
    first = grandtour.games()
    first.clear()
    assert "word-traveler" in grandtour.games(), "the list of the games is the caller's own"
    import_module("grandtour.games.round_trip")  # its package now stands where the function stood
    assert "word-traveler" in grandtour.games()


@pytest.mark.parametrize("game", grandtour.games())
def test_a_match_is_played_to_its_end_saved_and_loaded(game: str, tmp_path: Path) -> None:
    match = grandtour.play(game, seed=3)
    while not match.over:
        assert match.result is None
        match.play(match.suggest("random"))
    assert len(match.result or []) == 2
    assert match.legal() == []
    path = tmp_path / "match.tour"
    match.save(path)
    again = grandtour.load(path)
    assert (again.log, again.result, again.names) == (match.log, match.result, match.names)


def test_a_move_that_is_not_legal_is_refused_and_changes_nothing() -> None:
    match = grandtour.play("round-trip", seats=3, seed=7)
    before = match.state.dump()
    with pytest.raises(grandtour.Refusal, match="RT-20"):
        match.play({"do": "end-turn"})
    with pytest.raises(grandtour.Refusal):
        match.play(match.legal()[0], seat=(match.waiting[0] + 1) % 3)
    assert match.state.dump() == before


def test_matches_without_a_seed_differ_and_those_with_a_seed_are_the_same() -> None:
    decks = {tuple(grandtour.play("round-trip").state.dump()["deck"]) for _ in range(3)}
    assert len(decks) == 3
    one, other = (grandtour.play("itchy-feet", seats=4, seed=5, events=True) for _ in range(2))
    assert one.state.dump() == other.state.dump()


def test_the_api_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        grandtour.chess  # noqa: B018
