"""The whole conformance suite for one game, in one line."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.testing import conformance, knowledge
from grandtour.testing.conformance import Setup, positions, setups

Law = Callable[[Setup, list[State]], object]

OF_POSITIONS: list[Law] = [
    conformance.every_attribute_is_a_field,
    conformance.somebody_can_always_move_until_the_game_ends,
    conformance.legal_moves_are_sorted_and_unique_and_every_one_can_be_played,
    conformance.the_referee_objects_to_exactly_the_moves_that_are_not_legal,
    conformance.a_clone_is_equal_and_goes_its_own_way,
    conformance.named_moves_and_views_and_words_survive_json,
    conformance.a_seat_cannot_tell_an_imagined_position_from_the_real_one,
    conformance.what_is_imagined_hangs_on_nothing_hidden,
    conformance.an_event_tells_a_seat_no_more_than_its_view_does,
    conformance.a_hidden_choice_is_not_told,
    conformance.the_sensible_player_makes_legal_moves_and_does_not_peek,
    knowledge.an_imagined_world_shows_nothing_hidden,
    knowledge.what_its_maker_could_not_foresee_is_remembered_and_not_taken_back,
    knowledge.nobody_is_certain_of_what_may_be_false,
]
"""Laws for some positions of one set-up."""

OF_SETUPS: list[Callable[[Setup], object]] = [
    conformance.a_move_that_is_not_legal_is_refused_with_a_sentence_and_changes_nothing,
    conformance.the_log_rebuilds_the_match_and_so_does_its_file,
]
"""Laws for a whole match."""

Test = TypeVar("Test", bound=Callable[..., object])
Case = tuple[str, Callable[[], object]]


def cases(game: Game) -> Iterator[Case]:
    """Every law with every set-up of a game: a name, and a function that raises an AssertionError if it is broken."""
    rounds = conformance.rounds_begin_with_the_starting_player
    yield rounds.__name__, partial(rounds, game)
    for setup in setups([game]):
        for whole in OF_SETUPS:
            yield f"{whole.__name__}: {setup}", partial(whole, setup)
        for some in OF_POSITIONS:
            yield f"{some.__name__}: {setup}", partial(_on_positions, some, setup)
        if not setup.options:
            every = conformance.every_player_of_the_house_makes_legal_moves_and_does_not_peek
            yield f"{every.__name__}: {setup}", partial(_on_positions, every, setup)


def _on_positions(law: Law, setup: Setup) -> None:
    law(setup, positions(setup))


def check_game(game: Game) -> int:
    """Hold a game to every law, at every number of players and with every option; an AssertionError says which one is
    broken. How many checks there were."""
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
    """`@rule("PH-7")` above a test names the paragraphs of the rulebook that it proves."""
    import pytest

    return pytest.mark.rule(*paragraphs)
