"""A simulation's results as a table, JSON and CSV."""

import csv
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from grandtour.arena.simulation import Plan
from grandtour.arena.summary import Report, as_csv, as_json, as_table, check_out, make_report, write
from grandtour.arena.tally import GameResultByPlayer, Tally, labels
from grandtour.engine.refusal import Refusal

PLAN = Plan("round-trip", {"turn_limit": 60}, ("normal", "random", "random"), 4, 7)


def sample_report(plan: Plan = PLAN) -> Report:
    tally = Tally(3)
    tally.add_all(
        [
            GameResultByPlayer(30, (1.0, 0.0, 0.0), (4.0, 1.0, 2.0)),
            GameResultByPlayer(40, (1.0, 0.0, 0.0), (4.0, 0.0, 2.0)),
            GameResultByPlayer(50, (0.5, 0.5, 0.0), (3.0, 3.0, 2.0)),
        ]
    )
    return make_report(plan, tally, 1.5)


def printed_table(report: Report) -> str:
    console = Console(file=io.StringIO(), width=120)
    console.print(as_table(report))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_json_has_every_figure() -> None:
    report = json.loads(as_json(sample_report()))
    assert report["game"] == "round-trip"
    assert report["options"] == {"turn_limit": 60}
    assert (report["games"], report["planned"], report["seed"], report["seconds"]) == (3, 4, 7, 1.5)
    assert (report["mean_moves"], report["shortest"], report["longest"]) == (40, 30, 50)
    assert report["games_per_second"] == 2
    normal = report["players"][0]
    assert (normal["name"], normal["games"], normal["wins"]) == ("normal", 3, 2.5)
    assert normal["win_rate"] == pytest.approx(2.5 / 3)
    assert normal["low"] < normal["win_rate"] < normal["high"]
    assert normal["mean_score"] == pytest.approx(11 / 3)


def test_a_team_has_a_result_and_no_wins() -> None:
    tally = Tally(2)
    tally.add_all([GameResultByPlayer(30, (0.5, 0.5), (8.0, 8.0))])
    said = printed_table(make_report(Plan("word-traveler", {}, ("normal", "random"), 1, 7), tally, 1.0))
    assert " result " in said
    assert "win" not in said


def test_a_file_without_write_permission_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(Refusal, match=r"Cannot write to .*: permission denied"):
        check_out(tmp_path / "results.json")


def test_a_write_error_at_the_end_is_reported_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="could not be written: No such file or directory"):
        write(sample_report(), tmp_path / "gone" / "results.json")


def test_a_player_named_twice_has_two_rows() -> None:
    assert labels(("normal", "random", "normal", "normal")) == ["normal", "random", "normal 2", "normal 3"]


def test_the_csv_has_one_line_per_player_with_the_runs_figures() -> None:
    lines = list(csv.DictReader(io.StringIO(as_csv(sample_report()))))
    assert [line["name"] for line in lines] == ["normal", "random", "random 2"]
    assert {line["seed"] for line in lines} == {"7"}
    assert [float(line["wins"]) for line in lines] == [2.5, 0.5, 0.0]
    assert json.loads(lines[0]["options"]) == {"turn_limit": 60}


def test_the_table_shows_win_rates_and_intervals() -> None:
    text = printed_table(sample_report())
    assert "normal" in text
    assert "83.3%" in text
    assert "Moves per game: 40.0, from 30 to 50." in text
    assert "Stopped after 3 of 4 games." in text
    assert "do not divide evenly" not in text


def test_an_uneven_number_of_games_is_mentioned() -> None:
    plan = PLAN._replace(players=("normal", "random"))
    tally = Tally(2)
    tally.add_all([GameResultByPlayer(30, (1.0, 0.0), (4.0, 1.0))])
    assert "do not divide evenly" in printed_table(make_report(plan, tally, 1.0))


def test_a_run_stopped_before_its_first_game_is_reported_too() -> None:
    assert "Stopped after 0 of 4 games." in printed_table(make_report(PLAN, Tally(3), 0.2))


@pytest.mark.parametrize("name", ["results.xlsx", "results", "nowhere/results.json"])
def test_an_unusable_output_path_is_refused_before_anything_is_played(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refusal):
        check_out(tmp_path / name)
    check_out(tmp_path / "results.json")
