"""The conformance suite once more, with all extensions at once and in games in which everything happens."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.state import State
from tests.engine import test_conformance as suite
from tests.games.itchy_feet.positions import ALL
from tests.games.itchy_feet.test_knowledge import lively_game

CLASSIC = {**ALL, "characters": True}
BUCKET = {**ALL, "variant": "bucket-list"}
CHECKS = [
    suite.test_a_seat_can_always_move_until_the_game_ends,
    suite.test_legal_moves_are_sorted_and_unique_and_every_one_can_be_played,
    suite.test_the_referee_objects_to_exactly_the_moves_that_are_not_legal,
    suite.test_a_clone_is_equal_and_independent,
    suite.test_named_moves_and_views_and_words_survive_json,
    suite.test_a_seat_cannot_tell_an_imagined_position_from_the_real_one,
    suite.test_imagined_worlds_do_not_depend_on_hidden_things,
    suite.test_an_event_shows_a_seat_no_more_than_its_view_does,
    suite.test_the_games_own_bot_makes_legal_moves_and_does_not_peek,
]


def setups() -> Iterator[suite.Setup]:
    for seats in range(2, 7):
        yield suite.Setup("itchy-feet", seats, tuple(CLASSIC.items()), seats)
    for seats in (2, 4, 6):
        yield suite.Setup("itchy-feet", seats, tuple(BUCKET.items()), seats)


@cache
def positions(setup: suite.Setup) -> list[State]:
    """One position for each step and purpose of the game, from a few lively games."""
    found: dict[tuple[int, int, int], State] = {}
    dice = QuickDice(setup.seed)
    for number in range(2):
        for state in lively_game(setup.seats, 10 * setup.seed + number, **dict(setup.options)):
            kind = (int(state.step), int(state.purpose), int(state.how))
            if kind not in found or dice.below(40) == 0:
                found[kind] = state.clone()
    return list(found.values())


@pytest.mark.parametrize("setup", list(setups()), ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_laws_hold_with_all_extensions(
    check: Callable[[suite.Setup], None], setup: suite.Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suite, "positions", positions)
    check(setup)
