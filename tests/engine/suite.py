"""The whole conformance suite for one game: `check(game)` raises an AssertionError that says what is wrong."""

from collections.abc import Callable

from grandtour.engine.game import Game
from grandtour.engine.state import State
from tests.engine import conformance, knowledge
from tests.engine.conformance import Setup, positions, setups

OF_POSITIONS: list[Callable[[Setup, list[State]], object]] = [
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


def check(game: Game) -> None:
    """Hold a game to every law, at every number of players and with every option."""
    conformance.rounds_begin_with_the_starting_player(game)
    for setup in setups([game]):
        for of_setup in OF_SETUPS:
            of_setup(setup)
        for of_positions in OF_POSITIONS:
            of_positions(setup, positions(setup))
