"""Matches as text files: complete, cut short, edited, or from another version."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grandtour.engine import catalogue, tour
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK
from tests.engine.tiny import RENDEZVOUS


@pytest.fixture(autouse=True)
def rendezvous_in_the_catalogue() -> Iterator[None]:
    catalogue.games()[RENDEZVOUS.name] = RENDEZVOUS
    yield
    del catalogue.games()[RENDEZVOUS.name]


def played(seed: int | bytes = 4) -> Match:
    match = Match(RENDEZVOUS, 3, {"weather": "rain"}, seed)
    match.play(1, {"do": "meet", "place": "Pier", "hour": 10})
    match.play(CLOCK, {"do": "time-up"})
    return match


TEXT = tour.save(played(), ["Ada", "Bo", "Žoë"])


def bad(text: str) -> str:
    with pytest.raises(Refusal) as caught:
        tour.load(text)
    return caught.value.reason


def with_new_check(text: str) -> str:
    """An edited file with a correct check, as somebody might write it on purpose."""
    body = text.rpartition("check: ")[0]
    return body + f"check: {tour._check(body)}\n"


def test_a_file_is_readable_text() -> None:
    assert TEXT.splitlines()[:10] == [
        "Grand Tour match 1",
        "game: rendezvous",
        "rules: 2",
        "seats: 3",
        'names: ["Ada", "Bo", "Žoë"]',
        'options: {"weather": "rain", "fast": false}',
        "dice: quick 4",
        "moves: 2",
        '1 {"do": "meet", "place": "Pier", "hour": 10}',
        'clock {"do": "time-up"}',
    ]


def test_a_star_marks_what_was_done_for_someone_who_was_away() -> None:
    marked = tour.save(played(), stand_ins={1})
    assert '\n1* {"do": "meet"' in marked
    assert (tour.stand_ins(marked), tour.stand_ins(TEXT)) == (frozenset({1}), frozenset())
    assert tour.load(marked)[0].log == played().log
    assert "is refused" in bad(with_new_check(marked.replace("clock {", "clock* {")))


@pytest.mark.parametrize("seed", [4, bytes(range(32))])
def test_a_saved_match_loads_unchanged(seed: int | bytes) -> None:
    match = played(seed)
    again, names = tour.load(tour.save(match))
    assert again.state.dump() == match.state.dump()
    assert (again.log, again.options, again.version) == (match.log, match.options, match.version)
    assert names == ["Player 1", "Player 2", "Player 3"]
    assert tour.load(tour.save(match).replace("\n", "\r\n"))[0].log == match.log


@given(st.integers(0, len(TEXT) - 2))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_cut_short_is_refused_wherever_it_is_cut(length: int) -> None:
    assert bad(TEXT[:length]).endswith(".")


@given(st.integers(0, len(TEXT) - 2), st.sampled_from("0a{ :\n"))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_changed_anywhere_is_refused(place: int, letter: str) -> None:
    if TEXT[place] != letter:
        assert bad(TEXT[:place] + letter + TEXT[place + 1 :]).endswith(".")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Grand Tour match 1", "Grand Tour match 9", "of format '9'; this program reads format 1"),
        ("Grand Tour match 1", "PGN", "not a Grand Tour match"),
        ("rules: 2", "rules: 7", "version 7 of the rules of Rendezvous; known here: 1, 2"),
        ("rules: 2", "rules: two", "'rules' of this file is not a number"),
        ("game: rendezvous", "game: chess", "There is no game 'chess'"),
        ("seats: 3", "seats: 9", "for 2 to 3 players, not 9"),
        ('"rain"', '"snow"', "cannot be 'snow'"),
        ("dice: quick 4", "dice: loaded 6", "dice of this file cannot be read"),
        ("dice: quick 4", "dice: sealed 00", "dice of this file cannot be read"),
        ('["Ada", "Bo", "Žoë"]', '["Ada"]', "one player for each seat"),
        ("moves: 2", "moves: 1", "no line 'result'"),
        ("moves: 2", "moves: 4", "Move 3 of this file is refused"),
        ('1 {"do": "meet"', '5 {"do": "meet"', "Move 1 of this file is refused: There is no seat"),
        ('1 {"do": "meet"', '1 {"do": "fly"', "Move 1 of this file is refused: There is no move 'fly'"),
        ('"hour": 10}', '"hour": 10', "cannot be read at"),
        ("result: [", "result: [0.5, ", "does not follow from its moves"),
        ("check: ", "extra\ncheck: ", "more lines than it says"),
        ("check: ", "check: no\nextra\ncheck: ", "more lines than it says"),
        ("Ada", "A" * (tour.MAX_NAME + 1), "at most 80 characters"),
        ("Ada", "A\\u202eda", "one line of at most"),
        ("Ada", "A" * tour.MAX_LINE, "a line of more than 4096 characters"),
        ('"hour": 10}', '"hour": 10' + " " * tour.MAX_LINE + "}", "a line of more than 4096 characters"),
        ("moves: 2", "moves: 20001", "more than 20000 moves"),
    ],
)
def test_an_edited_file_is_refused_even_when_its_check_fits(old: str, new: str, words: str) -> None:
    assert old in TEXT
    assert words in bad(with_new_check(TEXT.replace(old, new, 1)))


def test_names_that_are_too_long_for_a_file_are_shortened() -> None:
    _, names = tour.load(tour.save(played(), ["A" * 500, "Bo\nBo", "Žoë"]))
    assert names == ["A" * tour.MAX_NAME, "Bo Bo", "Žoë"]


def test_garbage_is_refused() -> None:
    for text in ("", "\n", "\x00" * 100, "x" * (tour.MAX_LENGTH + 1), "Grand Tour match 1\n" + "[" * 100_000):
        assert bad(text).endswith(".")
