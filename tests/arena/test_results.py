"""The results file: played games survive a crash, and another tournament's file is not touched."""

from pathlib import Path

import pytest

from grandtour.arena.play import GameResult, Seating
from grandtour.arena.results import Header, ResultsFile
from grandtour.engine.refusal import Refusal

HEADER: Header = {"game": "round-trip", "seed": 7}
GAMES = [(Seating(deal, (0, 1)), GameResult(30 + deal, (1.0, 0.0), (4.0, 2.5))) for deal in range(3)]


def write_results(path: Path) -> Path:
    file = ResultsFile(path, HEADER)
    file.add(GAMES)
    file.close()
    return path


def read(path: Path) -> dict[Seating, GameResult]:
    file = ResultsFile(path, HEADER)
    file.close()
    return file.games


def test_added_games_are_read_back(tmp_path: Path) -> None:
    path = write_results(tmp_path / "results.jsonl")
    assert read(path) == dict(GAMES)
    assert path.read_text("utf-8").count("\n") == 4


def test_the_file_is_append_only(tmp_path: Path) -> None:
    path = write_results(tmp_path / "results.jsonl")
    before = path.read_bytes()
    again = ResultsFile(path, HEADER)
    again.add([(Seating(3, (1, 0)), GAMES[0][1])])
    again.close()
    assert path.read_bytes().startswith(before)


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_truncated_last_line_is_ignored(cut: int, tmp_path: Path) -> None:
    path = write_results(tmp_path / "results.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    again = ResultsFile(path, HEADER)
    assert again.games == dict(GAMES[:2])
    again.add(GAMES[2:])
    again.close()
    assert read(path) == dict(GAMES), "the next line was appended to a truncated one"


def test_a_file_truncated_in_its_first_line_starts_over(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"grandtour": "tour')
    assert read(path) == {}
    assert path.read_text("utf-8").startswith('{"grandtour": "tournament", ')


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"grandtour": "tournament", "format": 1, "game": "round-trip", "seed": 8}\n', "with seed 8 instead of 7"),
        ("Dear Ada,\nit was a fine evening.\n", "is not a tournament results file."),
        ("[1]\n", "is not a tournament results file."),
    ],
)
def test_another_file_is_refused_and_not_changed(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refusal, match=sentence):
        ResultsFile(path, HEADER)
    assert path.read_text("utf-8") == text


def test_a_damaged_line_in_the_middle_is_refused_with_its_number(tmp_path: Path) -> None:
    path = write_results(tmp_path / "results.jsonl")
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:2], lines[2][5:], lines[3], ""]), encoding="utf-8")
    with pytest.raises(Refusal, match=r"cannot be read in line 3\."):
        ResultsFile(path, HEADER)


def test_an_unwritable_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be used"):
        ResultsFile(tmp_path / "nowhere" / "results.jsonl", HEADER)
