"""The `grandtour` command: its output, and one clear sentence with code 2 for bad input."""

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grandtour import __version__, cli
from grandtour.cli.rulebook import paragraph
from grandtour.engine.catalogue import game, games
from grandtour.engine.dice import QuickDice, seal
from grandtour.engine.match import Match
from grandtour.engine.options import read_options
from grandtour.engine.tour import save

SECRET = bytes(range(32))
SIMULATE = ["simulate", "round-trip", "--option", "turn_limit=10"]


class Said:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


@pytest.fixture
def grandtour(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> "Command":
    monkeypatch.setenv("COLUMNS", "120")
    return Command(capsys)


class Command:
    """Calls `grandtour` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *args: str) -> Said:
        code = cli.main(list(args))
        printed = self.capsys.readouterr()
        return Said(code, printed.out, printed.err)


def sample_match(seed: int | bytes = SECRET, moves: int | None = None) -> Match:
    """A short match of Round Trip Italy, played at random to the end or for this many moves."""
    match = Match(game("round-trip"), 2, {"turn_limit": 10}, seed)
    dice = QuickDice(5)
    while not match.over and len(match.log) != moves:
        seat = match.waiting()[0]
        legal = match.legal(seat)
        match.play(seat, legal[dice.below(len(legal))])
    return match


@pytest.fixture
def tour(tmp_path: Path) -> Path:
    file = tmp_path / "match.tour"
    file.write_text(save(sample_match(), ["Ada", "Blaise"]), encoding="utf-8")
    return file


def command_line(*args: str) -> list[str]:
    return [sys.executable, "-m", "grandtour", *args]


def test_it_prints_its_version(grandtour: Command) -> None:
    assert grandtour("--version").out == f"grandtour {__version__}\n"


def test_it_can_be_run_as_a_module() -> None:
    said = subprocess.run([sys.executable, "-m", "grandtour", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"grandtour {__version__}\n"


@pytest.mark.parametrize("args", [[], ["--help"]])
def test_help_names_every_command(grandtour: Command, args: list[str]) -> None:
    said = grandtour(*args)
    assert said.code == 0
    for name in ("serve", "simulate", "tournament", "report", "replay", "rules", "games", "new", "admin"):
        assert name in said.out


def test_training_without_pytorch_says_how_to_install_it() -> None:
    code = "import sys; sys.modules['torch'] = None; from grandtour.cli import main; sys.exit(main(sys.argv[1:]))"
    words = [sys.executable, "-c", code, "train", "round-trip"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "This needs torch: pip install 'grandtour[train]'.\n"


def test_help_loads_no_game_and_no_server() -> None:
    code = "import sys, grandtour.cli as c; c.main(['--help']); print([m for m in sys.modules if 'grandtour' in m])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "grandtour.engine.refusal" in loaded
    for name in ("grandtour.games", "grandtour.server", "grandtour.arena"):
        assert name not in loaded, f"--help loads {name}"


def test_the_games_are_listed_with_their_options(grandtour: Command) -> None:
    said = grandtour("games")
    assert "round-trip" in said.out
    assert "--option turn_limit=10|20|40|60|100|200  (default 60)" in said.out


def test_names_and_options_are_not_truncated_in_a_narrow_terminal(
    grandtour: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    said = grandtour("games").out
    for name, found in games().items():
        assert name in said
        for option in found.options:
            assert f"--option {option.name}={'|'.join(map(str, option.choices))}" in said


def test_option_values_are_case_insensitive() -> None:
    assert read_options(game("itchy-feet").options, ["events=true", "postcards=False"]) == {
        "events": True,
        "postcards": False,
    }
    assert read_options(game("word-traveler").options, ["city=new york"]) == {"city": "New York"}


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["fly"], "No such command 'fly'."),
        (["simulate"], "Missing argument 'GAME'."),
        (["simulate", "round-trip", "--speed", "9"], "No such option: --speed"),
        (["simulate", "round-trip", "--games", "0"], "Invalid value for '--games'"),
        (["simulate", "round-trip", "--games", "many"], "Invalid value for '--games'"),
        (["simulate", "chess"], "There is no game 'chess' here: the games are "),
        (["simulate", "round-trip", "--players", "normal"], "Round Trip Italy is for 2 to 4 players, not 1."),
        (["simulate", "round-trip", "--players", "normal,oracle"], "There is no player 'oracle' here"),
        (["simulate", "round-trip", "--players", "normal,"], "There is no player '' here"),
        (["simulate", "round-trip", "--option", "turn_limit"], "An option is written NAME=VALUE"),
        (["simulate", "round-trip", "--option", "turn_limit=7"], "The option turn_limit cannot be '7'"),
        (["simulate", "round-trip", "--option", "wind=high"], "There is no option 'wind' here"),
        (["simulate", "round-trip", "--out", "results.pdf"], "Results are written to a .json or a .csv file"),
        (["simulate", "round-trip", "--out", "no/such/folder.csv"], "Cannot write to "),
        (["replay", "no-such.tour"], "'no-such.tour' cannot be read: No such file or directory."),
        (["replay", "."], "'.' cannot be read: Is a directory."),
        (["rules", "chess"], "There is no game 'chess' here"),
        (
            ["rules", "round-trip", "RT-999"],
            "The rulebook of Round Trip Italy has no paragraph 'RT-999': it has RT-1 to ",
        ),
    ],
)
def test_bad_input_gets_one_sentence_and_code_2(grandtour: Command, args: list[str], sentence: str) -> None:
    said = grandtour(*args)
    assert said.code == 2
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_the_installed_program_exits_with_code_2_and_no_traceback() -> None:
    done = subprocess.run(command_line("rules", "chess"), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("There is no game 'chess' here")
    assert "Traceback" not in done.stderr


def test_the_rulebook_is_printed_unchanged(grandtour: Command) -> None:
    assert grandtour("rules", "round-trip").out.strip() == game("round-trip").rulebook().strip()


@pytest.mark.parametrize("number", ["RT-14", "rt-14", "14"])
def test_one_paragraph_is_printed_on_its_own(grandtour: Command, number: str) -> None:
    said = grandtour("rules", "round-trip", number)
    assert said.out.startswith("**RT-14**")
    assert said.out.count("**RT-") == 1
    assert "#" not in said.out


def test_the_paragraphs_together_are_the_whole_rulebook() -> None:
    text = game("round-trip").rulebook()
    for number in re.findall(r"^\*\*(RT-\d+)\*\*", text, re.MULTILINE):
        assert paragraph(game("round-trip"), number) in text


def test_simulate_prints_a_table_and_writes_json(grandtour: Command, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    said = grandtour(*SIMULATE, "--players", "greedy, random", "--games", "20", "--seed", "7", "--out", str(out))
    assert said.code == 0
    assert "greedy" in said.out
    assert "games per second" in said.out
    report = json.loads(out.read_text())
    assert (report["game"], report["games"], report["seed"]) == ("round-trip", 20, 7)
    assert report["options"]["turn_limit"] == 10
    assert [row["name"] for row in report["players"]] == ["greedy", "random"]
    assert sum(row["wins"] for row in report["players"]) == pytest.approx(20)


def test_simulate_writes_csv(grandtour: Command, tmp_path: Path) -> None:
    out = tmp_path / "results.csv"
    assert grandtour(*SIMULATE, "--players", "random,random", "--games", "4", "--out", str(out)).code == 0
    with out.open(newline="") as file:
        assert [line["name"] for line in csv.DictReader(file)] == ["random", "random 2"]


def test_simulate_gives_the_same_results_with_two_processes(tmp_path: Path) -> None:
    reports = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.json"
        command = command_line(
            *SIMULATE, "--players", "random,random", "--games", "60", "--jobs", jobs, "--out", str(out)
        )
        subprocess.run(command, check=True, capture_output=True)
        report = json.loads(out.read_text())
        del report["seconds"], report["games_per_second"]
        reports.append(report)
    assert reports[0] == reports[1]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_prints_and_writes_the_results_so_far(jobs: str, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    games = "100000000"
    args = command_line(*SIMULATE, "--players", "random,random", "--games", games, "--jobs", jobs, "--out", str(out))
    # The progress bar, drawn only in a terminal, shows us that games are being played.
    env = {**os.environ, "TTY_COMPATIBLE": "1", "COLUMNS": "100"}
    with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, start_new_session=True) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        drawn = b""
        while not re.search(rb"[1-9]\d*/" + games.encode(), drawn):
            more = os.read(run.stderr.fileno(), 4096)
            assert more, f"the run ended without playing: {drawn.decode()}"
            drawn += more
        # A terminal sends Ctrl-C to the whole process group.
        os.killpg(run.pid, signal.SIGINT)
        printed = run.stdout.read().decode()
        rest = run.stderr.read().decode()
    assert run.returncode == 130
    assert "Traceback" not in rest
    report = json.loads(out.read_text())
    assert 0 < report["games"] < report["planned"]
    assert f"Stopped after {report['games']:,} of 100,000,000 games." in printed


def test_replay_prints_the_whole_match_if_there_is_no_terminal(grandtour: Command, tour: Path) -> None:
    said = grandtour("replay", str(tour))
    assert said.code == 0
    assert said.out.startswith("Round Trip Italy: Ada, Blaise\n")
    assert "Ada" in said.out
    last = len(sample_match().log)
    assert f"\n{last:>4}  " in said.out
    assert "(won)" in said.out


def test_replay_as_a_seat_shows_what_that_seat_saw(grandtour: Command, tour: Path) -> None:
    spectator = grandtour("replay", str(tour), "--all").out
    first = grandtour("replay", str(tour), "--all", "--seat", "0").out
    assert "You" not in spectator
    assert "You" in first
    assert "Ada takes" not in first


def test_replay_refuses_a_seat_the_match_does_not_have(grandtour: Command, tour: Path) -> None:
    said = grandtour("replay", str(tour), "--seat", "2")
    assert said.code == 2
    assert said.err == "There is no seat 2 in this match: the seats are 0 to 1.\n"


def test_turning_points_of_a_saved_match(grandtour: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a budget in iterations the same turning points are found every time, for one seat or for all."""
    monkeypatch.setattr("grandtour.players.review.WORLDS", 15)
    tour = tmp_path / "some.tour"
    tour.write_text(save(sample_match(moves=60), ["Ada", "Blaise"]), encoding="utf-8")
    wanted = ("replay", str(tour), "--turning-points", "--bot", "hard:10")
    said = grandtour(*wanted)
    assert said.code == 0
    first = re.search(r"^Ada: (\d+) decisions, (\d+) turning points", said.out)
    assert first, f"random play has turning points: {said.out}"
    assert int(first[1]) > int(first[2])
    assert "\nBlaise: " in said.out
    assert grandtour(*wanted).out == said.out
    old_name = tuple("--moments" if arg == "--turning-points" else arg for arg in wanted)
    assert grandtour(*old_name).out == said.out
    assert "--moments" not in grandtour("replay", "--help").out
    assert "Ada:" not in grandtour(*wanted, "--seat", "1").out
    assert grandtour(*wanted, "--bot", "normal").err == "Only hard can compare moves, not 'normal'.\n"
    assert grandtour(*wanted, "--seat", "2").code == 2


def test_an_unfinished_match_is_replayed_as_far_as_it_went(grandtour: Command, tmp_path: Path) -> None:
    file = tmp_path / "half.tour"
    file.write_text(save(sample_match(moves=5)), encoding="utf-8")
    assert "The match was not finished." in grandtour("replay", str(file)).out


def test_a_name_from_a_file_cannot_control_the_terminal(grandtour: Command, tmp_path: Path) -> None:
    file = tmp_path / "rude.tour"
    file.write_text(save(sample_match(), ["\x1b[2J[red]Ada[/red]", "Blaise"]), encoding="utf-8")
    said = grandtour("replay", str(file))
    assert "\x1b" not in said.out
    assert "[red]Ada[/red]" in said.out


def test_replay_can_be_stepped_through_with_keys(tour: Path) -> None:
    """Next, next, previous, to move 3, too far, an unknown key, quit."""
    leader, follower = pty.openpty()
    env = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100"}
    command = command_line("replay", str(tour))
    with subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=env) as run:
        os.close(follower)
        os.write(leader, b"\nn\np\nj 3\nj 9999\nwhat\nq\n")
        shown = b""
        while True:
            try:
                more = os.read(leader, 4096)
            except OSError:
                break
            if not more:
                break
            shown += more
        os.close(leader)
    assert run.returncode == 0
    last = len(sample_match().log)
    text = shown.decode().replace("\r\n", "\n")
    asked = re.findall(rf"(\d+)/{last} > ", text)
    assert asked == ["0", "1", "2", "1", "3", "3", "3"]
    assert f"The match has pages 0 to {last}." in text
    assert text.count("Enter next") == 2


def test_verify_says_what_was_verified(grandtour: Command, tour: Path) -> None:
    said = grandtour("replay", str(tour), "--verify")
    assert said.code == 0
    assert said.out == (
        f"The match is valid: all {len(sample_match().log)} moves are legal, they lead to the result stated, "
        f"and all chance came from the secret that has the seal {seal(SECRET)}.\n"
    )


def test_verify_compares_the_seal(grandtour: Command, tour: Path) -> None:
    said = grandtour("replay", str(tour), "--verify", "--seal", seal(SECRET))
    assert said.code == 0
    assert "the secret that matches the seal you gave" in said.out
    other = grandtour("replay", str(tour), "--verify", "--seal", seal(bytes(32)))
    assert other.code == 1
    assert other.err == f"The secret in this file does not match that seal: its own seal is {seal(SECRET)}.\n"


def test_verify_says_that_quick_dice_have_no_seal(grandtour: Command, tmp_path: Path) -> None:
    file = tmp_path / "quick.tour"
    file.write_text(save(sample_match(seed=3)), encoding="utf-8")
    assert "quick dice" in grandtour("replay", str(file), "--verify").out
    assert grandtour("replay", str(file), "--verify", "--seal", seal(SECRET)).code == 1


@pytest.mark.parametrize("break_it", ["cut", "edit", "prose", "bytes"])
def test_a_damaged_match_file_is_refused(grandtour: Command, tour: Path, break_it: str) -> None:
    text = tour.read_text("utf-8")
    broken = {
        "cut": text[: len(text) // 2].encode(),
        "edit": text.replace("Milano", "Napoli", 1).encode(),
        "prose": b"Dear Ada, it was a fine evening.\n",
        "bytes": b"\xff\xfe\x00\x01",
    }
    tour.write_bytes(broken[break_it])
    looked = grandtour("replay", str(tour))
    assert looked.code == 2
    assert looked.err.count("\n") == 1
    checked = grandtour("replay", str(tour), "--verify")
    assert checked.code == (2 if break_it == "bytes" else 1)
    assert checked.out == ""
