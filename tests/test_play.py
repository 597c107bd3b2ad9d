"""`grandtour play`: whole games typed at the terminal, and everything else that can be typed."""

import io
import json
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grandtour import cli
from grandtour.cli.choices import Choices, fold
from grandtour.cli.play import Play, Screen
from grandtour.engine.catalogue import game, games
from grandtour.engine.tour import load
from grandtour.players.local_table import LocalTable, new_table
from grandtour.protocol.messages import LegalMove

QUICK = {"round-trip": ["turn_limit=10"], "itchy-feet": ["turn_limit=10", "special_items=True"]}


class Terminal:
    """Calls `grandtour play` in this process with these lines typed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch
        self.code = 0

    def __call__(self, *args: str, typed: list[str]) -> str:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        self.code = cli.main(["play", *args])
        printed = self.capsys.readouterr()
        return printed.out + printed.err


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(capsys, monkeypatch)


def options(name: str) -> list[str]:
    return [word for option in QUICK.get(name, []) for word in ("--option", option)]


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("seats", [2, 3])
def test_whole_games_can_be_played_by_typing(play: Terminal, name: str, seats: int) -> None:
    luck = random.Random(seats)
    typed = [luck.choice(["1", "1", "2", "3", "", "go", "7"]) for _ in range(6000)]
    said = play(name, "--seats", str(seats), "--bots", "random", "--seed", "4", *options(name), typed=typed)
    assert "The game is over" in said, said[-2000:]
    assert play.code == 0
    assert max(map(len, said.split("\n"))) <= 80, "a line is too wide for the terminal"


def test_nobody_plays_against_the_clock_who_did_not_ask_for_it(play: Terminal) -> None:
    said = play("word-traveler", "--seed", "3", typed=["1", "quit"])
    assert "clock" not in said, said
    assert "4 minutes to plan" in play("word-traveler", "--option", "timer=240", "--seed", "3", typed=["1", "quit"])


def test_commands_answer_and_change_nothing(play: Terminal) -> None:
    commands = [
        "help",
        "?",
        "table",
        "table roma",
        "moves",
        "log",
        "log all",
        "rules",
        "rules 14",
        "rules exchange",
        "hint",
    ]
    said = play("round-trip", "--bots", "random", "--seed", "4", typed=[*commands, "quit"])
    assert "make the move with that number" in said
    assert "RT-14" in said
    assert "What a strong player would do" in said
    assert "Goodbye." in said
    assert not list(Path.cwd().iterdir()), "a match without moves was saved"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("0", "numbered 1 to"),
        ("99999999999999999999", "numbered 1 to"),
        ("xyzzy", "No move you can make now contains 'xyzzy'"),
        ("lay", "RT-20: A turn begins with taking a ticket."),
        ('{"do": "end-turn"}', "RT-20: A turn begins with taking a ticket."),
        ('{"do": "fly"}', "There is no move 'fly' here"),
        ("{", "This is not JSON"),
        ("[" * 5000, "No move you can make now"),
        ("undo", "There is no move of yours to take back."),
        ("rules RT-999", "no paragraph"),
        ("rules qqq", "No paragraph contains 'qqq'."),
        ("save", "Name a file"),
        ("save /nowhere/at/all", "cannot be written"),
        ("save a\0b", "cannot be written"),
    ],
)
def test_an_impossible_move_is_refused_with_a_sentence(play: Terminal, typed: str, answer: str) -> None:
    said = play("round-trip", "--bots", "random", "--seed", "4", "--option", "start=1", typed=[typed])
    assert answer in " ".join(said.split()), said
    assert said.count("Your turn") == 1, "something has changed"


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        ([], "Which game?"),
        (["chess"], "There is no game"),
        (["round-trip", "--seats", "9"], "2 to 4 players, not 9"),
        (["round-trip", "--seat", "2"], "There is no seat 2"),
        (["round-trip", "--bots", "easy,hard"], "2 bots for 1 seats"),
        (["round-trip", "--bots", "./program"], "There is no bot"),
        (["round-trip", "--name", " "], "not a valid name for a player"),
        (["round-trip", "--resume", "x.tour"], "not both"),
        (["--resume", "x.tour"], "cannot be read"),
    ],
)
def test_an_impossible_table_is_refused(play: Terminal, args: list[str], answer: str) -> None:
    assert answer in play(*args, typed=[])
    assert play.code == 2


def test_leaving_saves_the_match_and_it_can_be_resumed(play: Terminal) -> None:
    said = play("postcards-home", "--bots", "easy", "--seed", "4", typed=["1", "1"])
    found = re.search(r"grandtour play --resume\s+(\S+)", said)
    assert found, said
    match, names = load(Path(found[1]).read_text("utf-8"))
    assert names == ["Player", "Nellie (easy bot)"]
    assert len(match.log) >= 3
    said = play("--resume", found[1], typed=["1"] * 500)
    assert "The game is over" in said
    assert load(Path(found[1]).read_text("utf-8"))[0].over, "the file still has the unfinished match"


def test_a_file_is_not_overwritten(play: Terminal) -> None:
    Path("mine.tour").write_text("something else")
    said = play("postcards-home", "--bots", "random", typed=["save mine", "save ours", "1", "save ours", "quit"])
    assert "The file mine.tour exists already" in said
    assert Path("mine.tour").read_text() == "something else"
    assert load(Path("ours.tour").read_text("utf-8"))[0].log


def test_a_move_is_found_by_a_few_letters() -> None:
    choices = Choices(
        [LegalMove({"do": "move", "to": each}, f"Go to {each}") for each in ("Üsküdar", "Kadıköy", "Fatih")]
    )
    assert [line.text for line in choices.filter("usk")] == ["Go to Üsküdar", "Enter makes this move."]
    assert choices.single == {"do": "move", "to": "Üsküdar"}
    assert choices.filter("kadikoy")[0].label == "2"
    assert [line.label for line in choices.filter("move")] == ["1", "2", "3"], "one move would be made by Enter"
    assert fold("Kadıköy – Ünlü") == "kadikoy - unlu"


def test_many_moves_are_grouped_by_verb() -> None:
    legal = [LegalMove({"do": "claim", "n": n}, f"Claim {n}") for n in range(30)] + [LegalMove({"do": "pass"}, "Pass")]
    assert [line.label for line in Choices(legal).overview()] == ["1-30", "31", ""]


def test_the_sand_timer_runs_out_while_a_player_types(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    first = new_table(game("word-traveler"), 2, {"timer": 120}, 3, {0: "Ada"}, ["random"])
    table = LocalTable(first.match, first.names, first.bots, 3, lambda: now[0])
    table.play(0, {"do": "ready"})
    while (bot := table.next_bot()) is not None:
        table.move_bot(bot)
    assert table.seconds_left() == 120
    now[0] = 119.99

    def late() -> bool:
        now[0] = 121.0
        return LocalTable.time_up(table)

    player = Play(table, 0, Screen(plain=True))
    reading, writing = os.pipe()
    with os.fdopen(reading) as silence, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", silence)
        patch.setattr(table, "time_up", late)
        player._ask()
    os.close(writing)
    assert table.match.log[-1].seat == -1, "the clock has not moved"
    assert "Time is up: planning is over." in table.sentences_for(0)


@pytest.mark.parametrize("key", ["Ctrl-C", "Ctrl-D"])
def test_ctrl_c_and_ctrl_d_leave_the_terminal_game(tmp_path: Path, key: str) -> None:
    """With NO_COLOR set, the output also has no colours."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "grandtour", "play", "postcards-home", "--bots", "random", "--option", "start=1"]
    here = str(Path(cli.__file__).parent.parent.parent)
    wanted = {**os.environ, "PYTHONPATH": here, "NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=wanted, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    ) as process:
        os.close(slave)
        try:
            said = until(master, "> ")
            os.write(master, b"1\n")
            said += until(master, "> ")
            await_a_line(process.pid)
            if key == "Ctrl-C":
                process.send_signal(signal.SIGINT)
            else:
                os.write(master, b"\x04")
            said += until(master, "--resume")
            assert process.wait(20) == 0
        finally:
            process.kill()
    os.close(master)
    assert "\x1b[3" not in said, "there are colours"
    assert len(list(tmp_path.glob("*.tour"))) == 1


def until(terminal: int, wanted: str) -> str:
    """Read from a terminal until it has shown this text."""
    said = ""
    while wanted not in said:
        ready, _, _ = select.select([terminal], [], [], 30)
        assert ready, f"it did not print {wanted!r}: {json.dumps(said)}"
        said += os.read(terminal, 4096).decode(errors="replace")
    return said


def await_a_line(process: int) -> None:
    """Wait until a process sleeps. A signal that comes between the prompt and the wait for a line is noticed only with
    the next key."""
    state = Path(f"/proc/{process}/stat")
    for _ in range(300):
        time.sleep(0.1)
        if not state.exists() or state.read_text("utf-8").rpartition(") ")[2].startswith("S"):
            return
    pytest.fail("it never waited for a line")
