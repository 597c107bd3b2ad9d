"""The test runner: how many parts run in parallel, their priority, and that nothing is left running."""

import os
import runpy
import signal
import subprocess
import sys
import threading
from contextvars import copy_context
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WAITS = """
import signal
import pytest

@pytest.fixture
def server(tmp_path):
    yield
    print("the server is stopped", flush=True)

def test_that_never_ends(server):
    print("waiting", flush=True)
    signal.pause()
"""


def test_parts_run_in_parallel_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    runner = runpy.run_path(str(ROOT / "tools" / "test.py"))
    lock, at_once = threading.Lock(), threading.Barrier(3)
    running: set[str] = set()
    seen: list[set[str]] = []

    def run(name: str) -> tuple[str, float]:
        with lock:
            running.add(name)
            seen.append(set(running))
        if name in ("attacks", "types", "page"):
            at_once.wait(30)
        with lock:
            running.remove(name)
        return "passed", 0.0

    run_parallel, names, processes = runner["run_parallel"], list(runner["PARTS"]), runner["PROCESSES"]
    monkeypatch.setitem(run_parallel.__globals__, "run_part_captured", run)
    assert set(run_parallel(names)) == set(names)
    assert {"attacks", "types", "page"} in seen
    for parts in seen:
        if "attacks" in parts:
            others = parts - {"attacks"}
            assert others <= runner["CPU_BOUND"], f"attacks measure response times, but {others} do not yield to them"
            assert len(others) <= 2, f"attacks measure response times, but beside them run {others}"
        assert sum(processes.get(part, 1) for part in parts) <= runner["MAX_PROCESSES"], f"too many at a time: {parts}"


def test_cpu_bound_parts_run_at_lower_priority(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    runner = runpy.run_path(str(ROOT / "tools" / "test.py"))
    found = tmp_path / "niceness"

    def record_niceness() -> str:
        command = [sys.executable, "-c", f"import os; open({str(found)!r}, 'w').write(str(os.nice(0)))"]
        outcome: str = runner["run"](command, ROOT, dict(os.environ))
        return outcome

    def niceness(part: str) -> int:
        monkeypatch.setitem(runner["PARTS"], part, record_niceness)
        outcome, _ = copy_context().run(runner["run_part_captured"], part)
        assert outcome == "passed"
        return int(found.read_text())

    usual = os.nice(0)
    assert niceness("server") == usual
    assert niceness("compiled") == min(usual + runner["CPU_BOUND_NICENESS"], 19)


def test_a_run_ended_by_a_time_limit_stops_its_fixtures(tmp_path: Path) -> None:
    (tmp_path / "test_waits.py").write_text(WAITS)
    command = [sys.executable, "-m", "pytest", "-s", "-p", "tests.conftest", "-p", "no:cacheprovider", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        for line in run.stdout:
            if "waiting" in line:
                break
        run.send_signal(signal.SIGTERM)
        assert "the server is stopped" in run.stdout.read()
    assert run.returncode == pytest.ExitCode.INTERRUPTED
