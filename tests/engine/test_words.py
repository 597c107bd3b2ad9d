"""The wording that all games share: who does what, lists, numbers, prompts."""

import pytest

from grandtour.engine import words

NAMES = ["Ada", "Bruno", "Carla"]


def test_the_reader_is_you_and_everyone_else_has_a_name() -> None:
    assert words.who(1, NAMES, 1, "take") == "You take"
    assert words.who(1, NAMES, 0, "take") == "Bruno takes"
    assert words.who(1, NAMES, None, "take") == "Bruno takes"
    assert words.whom(2, NAMES, 2) == "you"
    assert words.whom(2, NAMES, None) == "Carla"


def test_an_irregular_third_person_is_given() -> None:
    assert words.who(0, NAMES, 0, "pass", "passes") == "You pass"
    assert words.who(0, NAMES, 1, "pass", "passes") == "Ada passes"
    assert words.does(0, 1, "go", "goes") == "goes"


@pytest.mark.parametrize(
    ("listed", "with_and", "with_or"),
    [
        (["Milano"], "Milano", "Milano"),
        (["Milano", "Roma"], "Milano and Roma", "Milano or Roma"),
        (["Milano", "Roma", "Napoli"], "Milano, Roma and Napoli", "Milano, Roma or Napoli"),
    ],
)
def test_a_list_has_and_or_or_before_the_last_word(listed: list[str], with_and: str, with_or: str) -> None:
    assert words.join_and(listed) == with_and
    assert words.join_or(listed) == with_or


def test_the_reader_comes_first_among_the_winners() -> None:
    assert words.win([1], 1, NAMES) == "you win"
    assert words.win([1], 0, NAMES) == "Bruno wins"
    assert words.win([0, 2], 2, NAMES) == "you and Ada share the win"
    assert words.win([0, 2], None) == "{seat:0} and {seat:2} share the win"


def test_counts_are_worded_in_the_singular_or_plural() -> None:
    assert [words.plural(count, "point") for count in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert words.plural(-2, "point") == "−2 points", "a negative number has a true minus sign, not a hyphen"
    assert [words.plural(count, "train", zero="no") for count in (0, 1, 2)] == ["no trains", "1 train", "2 trains"]


def test_a_prompt_names_only_what_is_possible() -> None:
    choices = (("draw", "draw cards", "TR-23"), ("claim", "claim a route", "TR-37"), ("pass", "pass", "TR-22"))
    text, rules = words.possible({"claim", "draw"}, choices)
    assert words.prompt(f"{words.capitalize(text)}.", *rules) == {
        "text": "Draw cards or claim a route.",
        "rules": ["TR-23", "TR-37"],
    }


def test_placeholders_become_names() -> None:
    text = f"{words.placeholder(2)} asks {words.placeholder(0)}, {words.placeholder(10)} and {words.placeholder(2)}."
    assert words.with_names(text, [*NAMES, *"DEFGHIJK"]) == "Carla asks Ada, K and Carla."
    assert words.with_names("", NAMES) == ""
    for plain in ("Take a ticket.", "{", "{seat:}", "{seat:x} takes", "{seat:1", "{seat:12"):
        assert words.with_names(plain, NAMES) == plain
    assert words.with_names("{seat:{seat:1}}", NAMES) == "{seat:Bruno}"
