"""Every move has a number and a name, and any other input is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandtour.engine.refusal import Refusal
from grandtour.engine.vocabulary import Names, Numbers, Vocabulary
from tests.engine.tiny import MOVES

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def refusal(named: Any, moves: Vocabulary = MOVES) -> Refusal:
    with pytest.raises(Refusal) as caught:
        moves.number(named)
    return caught.value


def test_numbers_and_names_of_moves_correspond_one_to_one() -> None:
    names = [MOVES.name(move) for move in range(MOVES.size)]
    assert len({json.dumps(name) for name in names}) == MOVES.size == 10
    assert [MOVES.number(name) for name in names] == list(range(MOVES.size))
    assert names[4] == {"do": "meet", "place": "Square", "hour": 11}
    assert MOVES.move("meet", place="Square", hour=11) == 4
    assert MOVES.verb(9).name == "time-up"


def test_the_verbs_of_some_moves_are_named_once() -> None:
    assert MOVES.verbs_of([0, 4, 9]) == {"meet", "time-up"}
    assert MOVES.verbs_of([8]) == {"meet"}
    assert MOVES.verbs_of([9]) == {"time-up"}
    assert MOVES.verbs_of([]) == frozenset()


@pytest.mark.parametrize(
    ("named", "code", "words"),
    [
        ("meet", "malformed", "object with a verb"),
        ({"do": 3}, "malformed", "object with a verb"),
        ({"do": "fly"}, "unknown-move", "There is no move 'fly' here: the moves are meet, time-up."),
        ({"do": "meet"}, "malformed", "names place and hour"),
        ({"do": "time-up", "hour": 10}, "malformed", "names nothing else"),
        (
            {"do": "meet", "place": "Moon", "hour": 10},
            "unknown-move",
            "'Moon' is not a valid place: it is one of Pier, Square",
        ),
        ({"do": "meet", "place": ["Pier"], "hour": 10}, "unknown-move", "is not a valid place"),
        (
            {"do": "meet", "place": "Pier", "hour": 13},
            "unknown-move",
            "13 is not a valid hour: it is a number from 10 to 12.",
        ),
        ({"do": "meet", "place": "Pier", "hour": True}, "unknown-move", "True is not a valid hour"),
        ({"do": "meet", "place": "x" * 9999, "hour": 10}, "unknown-move", "..."),
    ],
)
def test_a_move_that_is_not_in_the_table_is_refused_with_a_sentence(named: Any, code: str, words: str) -> None:
    said = refusal(named)
    assert said.code == code
    assert words in said.reason
    assert said.reason.endswith(".")
    assert len(said.reason) < 200


@given(anything)
def test_any_other_input_is_refused(thing: Any) -> None:
    assert refusal(thing).reason
    assert refusal({"do": "meet", "place": "Pier", "hour": thing} if thing not in (10, 11, 12) else thing).reason


def test_a_number_out_of_range_is_refused() -> None:
    for number in (-1, MOVES.size):
        with pytest.raises(Refusal):
            MOVES.name(number)


def test_numbers_can_have_a_step() -> None:
    moves = Vocabulary({"pay": {"money": Numbers(0, 5000, 1000)}, "wait": {}, "to": {"seat": Names("0", "1")}})
    assert [moves.name(move)["money"] for move in range(6)] == [0, 1000, 2000, 3000, 4000, 5000]
    assert moves.first("to") == 7
    assert "in steps of 1000" in refusal({"do": "pay", "money": 1500}, moves).reason
