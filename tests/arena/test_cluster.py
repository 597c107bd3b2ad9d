"""Cluster runs: the same results as on one machine, and no game is lost with a worker."""

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
from grandtour.arena.executor import MIN_BATCH_SECONDS, Batch, BatchSizer

SIMULATE = ["simulate", "round-trip", "--players", "normal,random", "--option", "turn_limit=20", "--games", "24"]
FIELD = ["tournament", "round-trip", "--players", "normal,random", "--option", "turn_limit=20", "--games", "40"]


class Machines:
    """A scheduler and two workers, each in its own process."""

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
                assert worker.poll() is None, "a worker ended before it registered"
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


def without_timings(out: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(out.read_text("utf-8"))
    for key in ("seconds", "games_per_second", "played_now"):
        report.pop(key, None)
    return report


def test_no_game_is_lost_with_a_worker(machines: Machines, tmp_path: Path) -> None:
    file, out, alone = tmp_path / "cluster.jsonl", tmp_path / "cluster.json", tmp_path / "alone.json"
    assert cli.main([*FIELD, "--results", str(tmp_path / "alone.jsonl"), "--out", str(alone)]) == 0
    args = [*FIELD, "--on", machines.on, "--results", str(file), "--out", str(out)]
    with subprocess.Popen([sys.executable, "-m", "grandtour", *args], stdout=subprocess.DEVNULL) as run:
        while not file.exists() or file.read_bytes().count(b"\n") < 4:
            assert run.poll() is None, "the run ended without playing"
            time.sleep(0.01)
        machines.workers[0].kill()
    assert run.returncode == 0
    assert without_timings(out) == without_timings(alone)
    assert file.read_bytes().count(b"\n") == 41, "a game is missing or there twice"


def test_a_simulation_gives_the_same_results_on_a_cluster(machines: Machines, tmp_path: Path) -> None:
    out, alone = tmp_path / "cluster.json", tmp_path / "alone.json"
    assert cli.main([*SIMULATE, "--out", str(alone)]) == 0
    command = [sys.executable, "-m", "grandtour", *SIMULATE, "--on", machines.on, "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    assert without_timings(out) == without_timings(alone)


def test_a_report_gives_the_same_page_on_a_cluster(machines: Machines, tmp_path: Path) -> None:
    out, alone = tmp_path / "cluster.html", tmp_path / "alone.html"
    args = ["report", "round-trip", "--players", "random,random", "--option", "turn_limit=10", "--games", "9"]
    assert cli.main([*args, "--out", str(alone)]) == 0
    command = [sys.executable, "-m", "grandtour", *args, "--on", machines.on, "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    assert out.read_bytes() == alone.read_bytes()


def test_a_cluster_runs_the_current_program_and_ends_it_afterwards(machines: Machines, tmp_path: Path) -> None:
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
        command = [sys.executable, "-m", "grandtour", *args, "--on", machines.on, "--out", str(out)]
        subprocess.run(command, check=True, capture_output=True)
        assert (without_timings(out)["players"][0]["forfeits"] > 0) is forfeits
    started = (tmp_path / "started").read_text("utf-8").split()
    assert len(started) > 4, "in each of the two runs it is started here, before the run, and on a worker"
    assert not any(is_running(int(number)) for number in started), "a program is still waiting for its next game"


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


@pytest.mark.parametrize(
    ("on", "sentence"),
    [
        ("dask://127.0.0.1:{port}", "There is no Dask scheduler at dask://127.0.0.1:"),
        ("127.0.0.1:8786", "A cluster is written dask://HOST:PORT, not '127.0.0.1:8786'."),
        ("dask://somewhere", "A cluster is written dask://HOST:PORT"),
    ],
)
def test_a_missing_cluster_is_refused(
    on: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grandtour.arena.cluster.CONNECT_TIMEOUT", 0.5)
    assert cli.main([*SIMULATE, "--on", on.format(port=closed_port())]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(sentence)
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_without_dask_one_sentence_says_what_to_install() -> None:
    code = "import sys; sys.modules['distributed'] = None; from grandtour.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *SIMULATE, "--on", "dask://127.0.0.1:8786"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 2
    assert done.stderr == "To play on a cluster, install the extra: pip install 'grandtour[dask]'.\n"


def test_batches_grow_until_they_are_worth_sending() -> None:
    sizer = BatchSizer()
    assert sizer.next() == 1
    sizer.record(Batch([0], [0], 0.001))
    assert sizer.next() == round(MIN_BATCH_SECONDS / 0.001)
    for _ in range(9):
        sizer.record(Batch([0], [0], 2.0))
    assert sizer.next() == 1
