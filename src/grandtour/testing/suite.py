"""The whole conformance suite for one game."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.testing import conformance, knowledge
from grandtour.testing.conformance import Setup, positions, setups

Law = Callable[[Setup, list[State]], object]

POSITION_LAWS: list[Law] = [
    conformance.every_attribute_is_a_field,
    conformance.a_seat_can_always_move_until_the_game_ends,
    conformance.legal_moves_are_sorted_and_unique_and_every_one_can_be_played,
    conformance.the_referee_objects_to_exactly_the_moves_that_are_not_legal,
    conformance.a_clone_is_equal_and_independent,
    conformance.named_moves_and_views_and_words_survive_json,
    conformance.a_seat_cannot_tell_an_imagined_position_from_the_real_one,
    conformance.imagined_worlds_do_not_depend_on_hidden_things,
    conformance.an_event_tells_a_seat_no_more_than_its_view_does,
    conformance.a_hidden_choice_is_not_told,
    conformance.the_games_own_bot_makes_legal_moves_and_does_not_peek,
    knowledge.an_imagined_world_shows_nothing_hidden,
    knowledge.twins_are_imagined_alike,
    knowledge.what_a_move_reveals_is_counted_and_remembered,
    knowledge.nobody_is_certain_of_what_may_be_false,
]
"""Laws that are checked in some positions of each set-up."""

MATCH_LAWS: list[Callable[[Setup], object]] = [
    conformance.a_move_that_is_not_legal_is_refused_with_a_sentence_and_changes_nothing,
    conformance.the_log_rebuilds_the_match_and_so_does_its_file,
]
"""Laws that are checked in one match of each set-up."""

Test = TypeVar("Test", bound=Callable[..., object])
Case = tuple[str, Callable[[], object]]


def cases(game: Game) -> Iterator[Case]:
    """Every law for every set-up of a game: a name, and a function that raises an AssertionError if the law is
    broken."""
    rounds = conformance.rounds_begin_with_the_starting_player
    yield rounds.__name__, partial(rounds, game)
    for setup in setups([game]):
        for whole in MATCH_LAWS:
            yield f"{whole.__name__}: {setup}", partial(whole, setup)
        for some in POSITION_LAWS:
            yield f"{some.__name__}: {setup}", partial(_on_positions, some, setup)
        if not setup.options:
            every = conformance.every_built_in_player_makes_legal_moves_and_does_not_peek
            yield f"{every.__name__}: {setup}", partial(_on_positions, every, setup)


def _on_positions(law: Law, setup: Setup) -> None:
    law(setup, positions(setup))


def check_game(game: Game) -> int:
    """Check every law, with every number of players and every option. An AssertionError says which law is broken.
    Returns the number of checks."""
    checked = 0
    for _, case in cases(game):
        case()
        checked += 1
    return checked


def conformance_tests(game: Game) -> Callable[..., None]:
    """All laws as one pytest function: `test_conformance = conformance_tests(GAME)`."""
    import pytest

    found = [pytest.param(case, id=name) for name, case in cases(game)]

    @pytest.mark.parametrize("case", found)
    def test_conformance(case: Callable[[], object]) -> None:
        case()

    return test_conformance


def rule(*paragraphs: str) -> Callable[[Test], Test]:
    """Mark a test with the paragraphs of the rulebook that it covers: `@rule("PH-7")`."""
    import pytest

    return pytest.mark.rule(*paragraphs)
