"""The conformance suite for every game, with every number of players and every option.

The same positions are examined compiled and interpreted. If FEWER_POSITIONS is set, as `make test` does for the
interpreted run, a third of those with the default options are enough: the compiled run examines all of them.
"""

import os

import pytest

from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.testing import conformance as law
from grandtour.testing import knowledge
from grandtour.testing.conformance import Setup, setups
from grandtour.testing.conformance import positions as all_positions

__all__ = ["Setup", "positions"]  # tests of one game run these over positions of their own

FEWER_POSITIONS = "FEWER_POSITIONS" in os.environ
GAMES = list(catalogue.games().values())
SETUPS = list(setups(GAMES))

every_setup = pytest.mark.parametrize("setup", SETUPS, ids=str)
every_number_of_players = pytest.mark.parametrize("setup", [setup for setup in SETUPS if not setup.options], ids=str)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)

CHANGES = 2000
"""The minimum number of unnoticed changes that are tried in each game."""

TWINS = 150
"""The minimum number of twins that are compared in each game."""


def positions(setup: Setup) -> list[State]:
    """The positions in which a law is tested. Laws that count what they have tried need all of them."""
    found = all_positions(setup)
    return found[::3] if FEWER_POSITIONS and not setup.options else found


def of_game(game: Game) -> list[Setup]:
    return [setup for setup in SETUPS if setup.game is game]


@every_setup
def test_a_seat_can_always_move_until_the_game_ends(setup: Setup) -> None:
    law.a_seat_can_always_move_until_the_game_ends(setup, positions(setup))


@every_setup
def test_legal_moves_are_sorted_and_unique_and_every_one_can_be_played(setup: Setup) -> None:
    law.legal_moves_are_sorted_and_unique_and_every_one_can_be_played(setup, positions(setup))


@every_setup
def test_a_move_that_is_not_legal_is_refused_with_a_sentence_and_changes_nothing(setup: Setup) -> None:
    law.a_move_that_is_not_legal_is_refused_with_a_sentence_and_changes_nothing(setup)


@every_setup
def test_the_referee_objects_to_exactly_the_moves_that_are_not_legal(setup: Setup) -> None:
    law.the_referee_objects_to_exactly_the_moves_that_are_not_legal(setup, positions(setup))


@every_setup
def test_a_clone_is_equal_and_independent(setup: Setup) -> None:
    law.a_clone_is_equal_and_independent(setup, positions(setup))


@every_setup
def test_the_log_rebuilds_the_match_and_so_does_its_file(setup: Setup) -> None:
    law.the_log_rebuilds_the_match_and_so_does_its_file(setup)


@every_setup
def test_named_moves_and_views_and_words_survive_json(setup: Setup) -> None:
    law.named_moves_and_views_and_words_survive_json(setup, positions(setup))


@every_setup
def test_a_seat_cannot_tell_an_imagined_position_from_the_real_one(setup: Setup) -> None:
    law.a_seat_cannot_tell_an_imagined_position_from_the_real_one(setup, positions(setup))


@every_setup
def test_imagined_worlds_do_not_depend_on_hidden_things(setup: Setup) -> None:
    law.imagined_worlds_do_not_depend_on_hidden_things(setup, positions(setup))


@every_setup
def test_an_event_shows_a_seat_no_more_than_its_view_does(setup: Setup) -> None:
    law.an_event_tells_a_seat_no_more_than_its_view_does(setup, positions(setup))


@every_setup
def test_a_hidden_choice_is_not_described_to_others(setup: Setup) -> None:
    law.a_hidden_choice_is_not_told(setup, positions(setup))


@every_setup
def test_the_games_own_bot_makes_legal_moves_and_does_not_peek(setup: Setup) -> None:
    law.the_games_own_bot_makes_legal_moves_and_does_not_peek(setup, positions(setup))


@every_number_of_players
def test_every_built_in_player_makes_legal_moves_and_does_not_peek(setup: Setup) -> None:
    law.every_built_in_player_makes_legal_moves_and_does_not_peek(setup, positions(setup))


@every_setup
def test_every_attribute_is_a_field(setup: Setup) -> None:
    law.every_attribute_is_a_field(setup, positions(setup))


@every_game
def test_rounds_begin_with_the_starting_player(game: Game) -> None:
    law.rounds_begin_with_the_starting_player(game)


@every_game
def test_an_imagined_world_shows_nothing_hidden(game: Game) -> None:
    enough = CHANGES * 5 // 4 // len(of_game(game))
    check = knowledge.an_imagined_world_shows_nothing_hidden
    tried = [check(each, all_positions(each), enough) for each in of_game(game)]
    changes, noticed, skipped = (sum(each) for each in zip(*tried, strict=True))
    print(f"{game.name}: {changes} changes, {noticed} more noticed, {skipped} impossible")
    assert changes >= CHANGES, f"only {changes} changes were tried, {noticed} noticed and {skipped} skipped"


@every_game
def test_twins_are_imagined_alike(game: Game) -> None:
    enough = TWINS * 5 // 4 // len(of_game(game))
    found = sum(knowledge.twins_are_imagined_alike(each, all_positions(each), enough) for each in of_game(game))
    assert found >= TWINS, f"only {found} twins were found"


@every_game
def test_what_a_move_reveals_is_counted_and_remembered(game: Game) -> None:
    check = knowledge.what_a_move_reveals_is_counted_and_remembered
    found = sum(check(each, all_positions(each)) for each in of_game(game) if not each.options)
    assert found, "no move revealed anything: the test has proved nothing"


@every_game
def test_no_seat_is_certain_of_something_false(game: Game) -> None:
    check = knowledge.nobody_is_certain_of_what_may_be_false
    looked = sum(check(each, all_positions(each)[2::3]) for each in of_game(game) if not each.options)
    assert looked >= 20, f"only {looked} moves could be examined: the test has proved little"
