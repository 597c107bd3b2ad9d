"""The results file: what was played is there after a crash, and another tournament's file is left alone."""

from pathlib import Path

import pytest

from grandtour.arena.ledger import Header, Ledger
from grandtour.arena.playing import Ended, Seating
from grandtour.engine.refusal import Refusal

HEADER: Header = {"game": "round-trip", "seed": 7}
GAMES = [(Seating(deal, (0, 1)), Ended(30 + deal, (1.0, 0.0), (4.0, 2.5))) for deal in range(3)]


def written(path: Path) -> Path:
    ledger = Ledger(path, HEADER)
    ledger.add(GAMES)
    ledger.close()
    return path


def read(path: Path) -> dict[Seating, Ended]:
    ledger = Ledger(path, HEADER)
    ledger.close()
    return ledger.games


def test_what_is_added_is_there_the_next_time(tmp_path: Path) -> None:
    path = written(tmp_path / "results.jsonl")
    assert read(path) == dict(GAMES)
    assert path.read_text("utf-8").count("\n") == 4


def test_it_is_only_added_to(tmp_path: Path) -> None:
    path = written(tmp_path / "results.jsonl")
    before = path.read_bytes()
    again = Ledger(path, HEADER)
    again.add([(Seating(3, (1, 0)), GAMES[0][1])])
    again.close()
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_last_line_that_was_cut_off_is_as_if_it_had_not_been(cut: int, tmp_path: Path) -> None:
    path = written(tmp_path / "results.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    again = Ledger(path, HEADER)
    assert again.games == dict(GAMES[:2])
    again.add(GAMES[2:])
    again.close()
    assert read(path) == dict(GAMES), "the next line was glued to half a line"


def test_a_file_cut_off_in_its_first_line_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"grandtour": "tour')
    assert read(path) == {}
    assert path.read_text("utf-8").startswith('{"grandtour": "tournament", ')


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"grandtour": "tournament", "format": 1, "game": "round-trip", "seed": 8}\n', "with seed 8 instead of 7"),
        ("Dear Ada,\nit was a fine evening.\n", "is no results file of a tournament."),
        ("[1]\n", "is no results file of a tournament."),
    ],
)
def test_another_file_is_refused_and_left_as_it_is(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refusal, match=sentence):
        Ledger(path, HEADER)
    assert path.read_text("utf-8") == text


def test_a_damaged_line_in_the_middle_is_refused_with_its_number(tmp_path: Path) -> None:
    path = written(tmp_path / "results.jsonl")
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:2], lines[2][5:], lines[3], ""]), encoding="utf-8")
    with pytest.raises(Refusal, match=r"cannot be read in line 3\."):
        Ledger(path, HEADER)


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be used"):
        Ledger(tmp_path / "nowhere" / "results.jsonl", HEADER)
