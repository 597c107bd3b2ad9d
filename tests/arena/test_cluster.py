"""Many machines: the same results as on one, and a lost worker loses no game."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from grandtour import cli
from grandtour.arena.workplace import LEAST, Portion, Sizes

SIMULATE = ["simulate", "round-trip", "--players", "normal,random", "--option", "turn_limit=20", "--games", "24"]
FIELD = ["tournament", "round-trip", "--players", "normal,random", "--option", "turn_limit=20", "--games", "40"]


class Machines:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.stack = stack
        self.folder = folder
        file = folder / "scheduler.json"
        listening = ("--host", "127.0.0.1", "--port", "0", "--no-show", "--no-dashboard")
        self._start("scheduler", "scheduler", *listening, "--scheduler-file", str(file))
        while not file.exists() or not file.read_text("utf-8").endswith("}"):
            time.sleep(0.05)
        address = json.loads(file.read_text("utf-8"))["address"]
        self.on = address.replace("tcp://", "dask://")
        alone = ("--no-nanny", "--no-dashboard", "--nthreads", "1")
        self.workers = [self._start(f"worker{number}", "worker", address, *alone) for number in range(2)]
        for number, worker in enumerate(self.workers):
            while "Registered to:" not in (folder / f"worker{number}.log").read_text("utf-8"):
                assert worker.poll() is None, "a worker ended before it began"
                time.sleep(0.05)

    def _start(self, name: str, *args: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-c", "from dask.__main__ import main; main()", *args]
        log = self.stack.enter_context((self.folder / f"{name}.log").open("wb"))
        process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    with ExitStack() as stack:
        yield Machines(stack, tmp_path_factory.mktemp("cluster"))


def plain(out: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(out.read_text("utf-8"))
    for key in ("seconds", "games_per_second", "played_now"):
        report.pop(key, None)
    return report


def test_a_worker_lost_in_the_middle_loses_no_game(machines: Machines, tmp_path: Path) -> None:
    file, out, alone = tmp_path / "cluster.jsonl", tmp_path / "cluster.json", tmp_path / "alone.json"
    assert cli.main([*FIELD, "--results", str(tmp_path / "alone.jsonl"), "--out", str(alone)]) == 0
    args = [*FIELD, "--on", machines.on, "--results", str(file), "--out", str(out)]
    with subprocess.Popen([sys.executable, "-m", "grandtour.cli", *args], stdout=subprocess.DEVNULL) as run:
        while not file.exists() or file.read_bytes().count(b"\n") < 4:
            assert run.poll() is None, "it ended without playing"
            time.sleep(0.01)
        machines.workers[0].kill()
    assert run.returncode == 0
    assert plain(out) == plain(alone)
    assert file.read_bytes().count(b"\n") == 41, "a game was lost or is there twice"


def test_a_simulation_gives_the_same_on_a_cluster(machines: Machines, tmp_path: Path) -> None:
    out, alone = tmp_path / "cluster.json", tmp_path / "alone.json"
    assert cli.main([*SIMULATE, "--out", str(alone)]) == 0
    command = [sys.executable, "-m", "grandtour.cli", *SIMULATE, "--on", machines.on, "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    assert plain(out) == plain(alone)


def test_a_report_gives_the_same_on_a_cluster(machines: Machines, tmp_path: Path) -> None:
    out, alone = tmp_path / "cluster.html", tmp_path / "alone.html"
    args = ["report", "round-trip", "--players", "random,random", "--option", "turn_limit=10", "--games", "9"]
    assert cli.main([*args, "--out", str(alone)]) == 0
    command = [sys.executable, "-m", "grandtour.cli", *args, "--on", machines.on, "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    assert out.read_bytes() == alone.read_bytes()


def test_a_program_on_a_cluster_is_as_it_is_now_and_does_not_stay_there(machines: Machines, tmp_path: Path) -> None:
    bot, out = tmp_path / "bot", tmp_path / "out.json"
    for answer, forfeits in (("'hm, let me see'", True), ("json.dumps(move)", False)):
        bot.write_text(
            f"#!{sys.executable} -IS\nimport json, os, sys\n"
            f"print(os.getpid(), file=open({str(tmp_path / 'started')!r}, 'a'))\n"
            "for line in sys.stdin:\n    told = json.loads(line)\n"
            "    if told['type'] == 'now' and told['legal']:\n"
            "        move = {'type': 'move', 'id': str(told['n']), 'at': told['n'], 'move': told['legal'][0]['move']}\n"
            f"        print({answer}, flush=True)\n",
            "utf-8",
        )
        bot.chmod(0o755)
        args = ["simulate", "round-trip", "--players", f"{bot},random", "--option", "turn_limit=10", "--games", "8"]
        command = [sys.executable, "-m", "grandtour.cli", *args, "--on", machines.on, "--out", str(out)]
        subprocess.run(command, check=True, capture_output=True)
        assert (plain(out)["players"][0]["forfeits"] > 0) is forfeits
    started = (tmp_path / "started").read_text("utf-8").split()
    assert len(started) > 4, "it was started before the run, here, and at a worker, in each of two runs"
    assert not any(is_running(int(number)) for number in started), "a program waits for games that do not come"


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def a_closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


@pytest.mark.parametrize(
    ("on", "sentence"),
    [
        ("dask://127.0.0.1:{port}", "No Dask scheduler answers at dask://127.0.0.1:"),
        ("127.0.0.1:8786", "A cluster is written dask://HOST:PORT, not '127.0.0.1:8786'."),
        ("dask://somewhere", "A cluster is written dask://HOST:PORT"),
    ],
)
def test_a_cluster_that_is_not_there_is_refused(
    on: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grandtour.arena.cluster.SECONDS_TO_ANSWER", 0.5)
    assert cli.main([*SIMULATE, "--on", on.format(port=a_closed_port())]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_without_the_package_one_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['distributed'] = None; from grandtour.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *SIMULATE, "--on", "dask://127.0.0.1:8786"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 2
    assert done.stderr == "To play on a cluster, install the extra: pip install 'grandtour[dask]'.\n"


def test_portions_grow_until_they_are_worth_sharing_out() -> None:
    sizes = Sizes()
    assert sizes.next() == 1
    sizes.learn(Portion([0], [0], 0.001))
    assert sizes.next() == round(LEAST / 0.001)
    for _ in range(9):
        sizes.learn(Portion([0], [0], 2.0))
    assert sizes.next() == 1
