"""Tournaments: the same standings with any number of jobs and after any interruption; saved matches."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grandtour import cli
from grandtour.arena.play import GameResult, Seating
from grandtour.arena.standings import Standings
from grandtour.arena.tournament import make_plan, play
from grandtour.engine.catalogue import game
from grandtour.engine.tour import load

FIELD = ["tournament", "round-trip", "--players", "greedy,random", "--option", "turn_limit=20", "--seed", "7"]


@pytest.fixture(autouse=True)
def _run_in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


def standings_of(*args: str) -> dict[str, Any]:
    """Run a tournament in this process; its standings without anything that depends on time."""
    assert cli.main([*FIELD, *args, "--out", "out.json"]) == 0
    report: dict[str, Any] = json.loads(Path("out.json").read_text("utf-8"))
    for key in ("seconds", "played_now"):
        del report[key]
    return report


def won(*shares: float) -> GameResult:
    return GameResult(10, shares, shares)


def test_the_table_shows_who_is_ahead_of_whom(capsys: pytest.CaptureFixture[str]) -> None:
    report = standings_of("--games", "7", "--results", "r.jsonl")
    shown = capsys.readouterr().out
    assert (report["games"], report["deals"], report["planned"], report["ended"]) == (8, 4, 8, "all games")
    assert [row["player"] for row in report["standings"]] == ["greedy", "random"]
    assert report["pairs"][0]["ahead"] + report["standings"][1]["win_rate"] == pytest.approx(1)
    assert report["standings"][0]["rating"] > 25 > report["standings"][1]["rating"]
    assert "round-trip, tables of 2: 8 games on 4 deals, seed 7" in shown
    assert "so few deals leave much to chance. With these players one deal takes 2 games." in " ".join(shown.split())
    assert "Every game is in r.jsonl." in shown


def test_any_number_of_jobs_gives_the_same_standings() -> None:
    assert standings_of("--games", "8", "--results", "one.jsonl") == standings_of(
        "--games", "8", "--jobs", "2", "--results", "2.jsonl"
    )


def test_a_finished_tournament_is_not_played_again_and_can_be_extended(capsys: pytest.CaptureFixture[str]) -> None:
    standings_of("--games", "4")
    file = next(Path().glob("tournament-round-trip-*.jsonl"))
    assert standings_of("--games", "4")["games"] == 4
    assert "0 games played in this run" in capsys.readouterr().out
    longer = standings_of("--games", "8")
    assert file.read_text("utf-8").count("\n") == 9
    assert longer == standings_of("--games", "8", "--results", "fresh.jsonl")


def test_it_continues_after_a_crash() -> None:
    """Killed in the middle, with a truncated last line: the final standings are the same."""
    file = Path("r.jsonl")
    command = [sys.executable, "-m", "grandtour", *FIELD, "--games", "100000", "--results", str(file)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        while not file.exists() or file.read_bytes().count(b"\n") < 4:
            assert run.poll() is None, "the run ended without playing"
            time.sleep(0.05)
        run.kill()
    before = file.read_bytes()[:-7]
    file.write_bytes(before)
    report = standings_of("--games", "12", "--results", str(file))
    assert file.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert report == standings_of("--games", "12", "--results", "fresh.jsonl")


def test_ctrl_c_prints_the_standings_and_how_to_continue() -> None:
    file = Path("r.jsonl")
    args = [*FIELD, "--games", "100000", "--jobs", "2", "--results", str(file), "--out", "out.csv"]
    command = [sys.executable, "-m", "grandtour", *args]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, start_new_session=True, **streams) as run:  # type: ignore[call-overload]
        while not file.exists() or file.read_bytes().count(b"\n") < 8:
            assert run.poll() is None, "the run ended without playing"
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        printed, complained = run.communicate()
    assert run.returncode == 130
    assert "Traceback" not in complained
    assert "of 100,000 games; only complete deals are counted." in printed
    assert "Every game is in r.jsonl. Run the same command again to continue." in printed
    with Path("out.csv").open(newline="", encoding="utf-8") as out:
        lines = list(csv.DictReader(out))
    assert [(line["player"], line["opponent"]) for line in lines][2] == ("greedy", "random")
    assert lines[0]["ended"] == "interrupted"


def test_until_decided_stops_at_the_same_deal_with_any_number_of_jobs() -> None:
    one = standings_of("--games", "2000", "--until", "decided", "--results", "one.jsonl")
    assert one["ended"] == "decided"
    assert one["games"] < 200
    assert one["pairs"][0]["decided"]
    assert one["pairs"][0]["low"] > 0.5
    assert one == standings_of("--games", "2000", "--until", "decided", "--jobs", "2", "--results", "two.jsonl")


def test_another_tournaments_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    standings_of("--games", "2", "--results", "r.jsonl")
    capsys.readouterr()
    assert cli.main([*FIELD[:-1], "8", "--results", "r.jsonl"]) == 2
    said = capsys.readouterr().err
    assert said == "'r.jsonl' belongs to another tournament, with seed 7 instead of 8. Choose another file.\n"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--players", "greedy"], "A tournament needs two players or more."),
        (["--players", "greedy,greedy"], "'greedy' is listed twice"),
        (["--players", "greedy,oracle"], "There is no player 'oracle' here"),
        (["--seats", "5"], "A table of Round Trip Italy has 2 to 4 seats, not 5."),
        (["--out", "results.pdf"], "Results are written to a .json or a .csv file"),
        (["--until", "bored"], "Invalid value for '--until'"),
        (["--keep", "won"], "Invalid value for '--keep'"),
        (["--results", "no/such/folder.jsonl"], "'no/such/folder.jsonl' cannot be used"),
        (["--keep", "all", "--keep-in", "file"], "Matches cannot be saved in 'file'"),
    ],
)
def test_an_impossible_tournament_is_refused(
    args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("file").write_text("", encoding="utf-8")
    assert cli.main([*FIELD, *args]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize(("keep", "count"), [("all", 4), ("long", 1)])
def test_saved_matches_can_be_replayed(keep: str, count: int) -> None:
    report = standings_of("--games", "4", "--keep", keep, "--keep-in", "kept")
    files = sorted(Path("kept").glob("*.tour"))
    assert len(files) == count
    lengths = []
    for file in files:
        match, names = load(file.read_text("utf-8"))
        assert match.over
        assert sorted(names) == ["greedy", "random"]
        lengths.append(len(match.log))
    assert max(lengths) == report["longest"]


def test_a_player_in_two_seats_has_two_names_in_a_saved_match() -> None:
    args = ["tournament", "word-traveler", "--players", "random,greedy", "--games", "2", "--keep", "all"]
    assert cli.main(args) == 0
    names = [load(file.read_text("utf-8"))[1] for file in sorted(Path("matches").glob("*.tour"))]
    assert names == [["greedy", "greedy 2"], ["random", "random 2"]]


def test_lost_matches_are_saved_even_if_they_were_played_in_an_earlier_run() -> None:
    turned = ["random,greedy" if word == "greedy,random" else word for word in FIELD]
    assert cli.main([*turned, "--games", "4", "--results", "r.jsonl"]) == 0
    assert cli.main([*turned, "--games", "4", "--results", "r.jsonl", "--keep", "lost", "--keep-in", "kept"]) == 0
    lost = 0
    for file in Path("kept").glob("*.tour"):
        match, names = load(file.read_text("utf-8"))
        assert dict(zip(names, match.result() or [], strict=True))["random"] < 0.5
        lost += 1
    rows = [json.loads(line) for line in Path("r.jsonl").read_text("utf-8").splitlines()[1:]]
    assert lost == sum(row["shares"][row["seats"].index(0)] < 0.5 for row in rows) > 0


def write_bot(folder: Path, answer: str) -> str:
    """A program that prints `answer`, an expression in which `move` is the first legal move."""
    file = folder / "bot"
    file.write_text(
        f"#!{sys.executable} -IS\nimport json, sys\nfor line in sys.stdin:\n    told = json.loads(line)\n"
        "    if told['type'] == 'now' and told['legal']:\n"
        "        move = {'type': 'move', 'id': str(told['n']), 'at': told['n'], 'move': told['legal'][0]['move']}\n"
        f"        print({answer}, flush=True)\n",
        "utf-8",
    )
    file.chmod(0o755)
    return str(file)


def test_a_tournament_with_a_program_can_be_continued(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "json.dumps(move)")
    field = ["--players", f"{bot},random", "--option", "turn_limit=10"]
    whole = standings_of(*field, "--games", "8", "--results", "whole.jsonl")
    assert {row["player"]: row["forfeits"] for row in whole["standings"]} == {bot: 0, "random": 0}
    standings_of(*field, "--games", "4", "--results", "parts.jsonl")
    assert standings_of(*field, "--games", "8", "--jobs", "2", "--results", "parts.jsonl") == whole


def test_forfeits_are_counted_and_survive_an_interruption(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = write_bot(tmp_path, "'hm, let me see'")
    field = ["--players", f"{bot},random", "--option", "turn_limit=10", "--results", "r.jsonl"]
    first = standings_of(*field, "--games", "2")
    capsys.readouterr()
    row = next(row for row in first["standings"] if row["player"] == bot)
    assert row["forfeits"] > 0
    assert row["forfeited"] == f"{row['forfeits']} malformed"
    assert standings_of(*field, "--games", "2") == first
    said = " ".join(capsys.readouterr().out.split())
    assert f"forfeited moves, which were played at random: {row['forfeits']} malformed." in said


def test_a_changed_program_is_a_different_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = write_bot(tmp_path, "json.dumps(move)")
    field = ["--players", f"{bot},random", "--option", "turn_limit=10", "--games", "2", "--results", "r.jsonl"]
    standings_of(*field)
    write_bot(tmp_path, "'hm, let me see'")
    assert cli.main([*FIELD, *field]) == 2
    assert "'r.jsonl' belongs to another tournament, with programs" in capsys.readouterr().err


def test_a_deal_is_the_same_for_every_seating() -> None:
    plan = make_plan("round-trip", ["greedy", "random"], 3, 7, {"turn_limit": 10}, record=True)
    first = [play(plan, Seating(2, players)) for players in ((0, 0, 1), (0, 0, 1), (1, 1, 1))]
    assert first[0] == first[1]
    assert game("round-trip").team is False
    assert first[0].result != first[2].result


def test_a_team_game_compares_teams(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["tournament", "word-traveler", "--players", "random,greedy", "--games", "4", "--out", "out.json"]
    assert cli.main(args) == 0
    report = json.loads(Path("out.json").read_text("utf-8"))
    assert [row["player"] for row in report["standings"]] == ["greedy", "random"]
    assert report["standings"][0]["win_rate"] > report["standings"][1]["win_rate"]
    assert report["games"] == 4
    assert "teams of one player in every seat" in capsys.readouterr().out


def test_of_two_teams_with_the_maximum_result_the_one_with_the_higher_score_is_ahead() -> None:
    standings = Standings(2, team=True, anytime=False)
    for deal in range(3):
        less, more = GameResult(10, (1.0, 1.0), (16.0, 16.0)), GameResult(10, (1.0, 1.0), (17.0, 17.0))
        standings.add([(Seating(deal, (0, 0)), less), (Seating(deal, (1, 1)), more if deal else less)])
    assert standings.ahead == {(0, 1): [0.5, 0, 0]}
    assert standings.ranking() == [1, 0]
    assert standings.ratings.rating(1).mu > standings.ratings.rating(0).mu


def test_standings_count_each_deal_once() -> None:
    standings = Standings(2, team=False, anytime=False)
    standings.add([(Seating(0, (0, 1)), won(1, 0)), (Seating(0, (1, 0)), won(1, 0))])
    standings.add([(Seating(1, (0, 1)), won(0.5, 0.5)), (Seating(1, (1, 0)), won(0, 1))])
    assert standings.ahead == {(0, 1): [0.5, 0.75]}
    assert standings.ranking() == [0, 1]
    assert [row["wins"] for row in standings.rows()] == [2.5, 1.5]


def test_two_losers_are_equal() -> None:
    standings = Standings(2, team=False, anytime=False)
    standings.add([(Seating(0, (0, 1)), won(0, 0)), (Seating(0, (1, 0)), won(0, 0))])
    assert standings.rate(0, 1) == 0.5
    assert standings.rows()[0]["win_rate"] == 0


def test_a_ranking_is_decided_when_all_neighbours_are_decided() -> None:
    standings = Standings(3, team=False, anytime=True)
    order = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    deals = 0
    while not standings.all_decided():
        # 0 always wins, 1 beats 2 three times out of four.
        upset = deals % 4 == 0
        games = []
        for a, b in order:
            first = (a < b) != (upset and 0 not in (a, b))
            games.append((Seating(deals, (a, b)), won(float(first), float(not first))))
        standings.add(games)
        deals += 1
        assert deals < 500
    assert standings.decided == {(0, 1), (0, 2), (1, 2)}
    assert deals > 10
