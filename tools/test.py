"""Runs all tests, or some parts of them; `make test` calls it after the set-up.

    .venv/bin/python tools/test.py [part ...]

If a part fails, the others still run. A summary at the end gives the outcome and the time of each part.
Several parts run in parallel, in at most seven processes. Parts that only compute run at a lower priority and fill the
time in which the others wait for servers and browsers. The output of a part is printed when the part has ended. A
single part runs in two processes, and its output is printed as it comes.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import ContextVar, copy_context
from pathlib import Path
from threading import Lock
from typing import IO

import debian

ROOT = Path(__file__).resolve().parent.parent
CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}
PART_FOLDERS = ("tests/server", "tests/cluster", "tests/attacks", "tests/browser", "tests/start")
"""Folders that have a part of their own."""
COMMAND_TESTS = (
    "tests/arena",
    "tests/rl",
    "tests/players/test_pipe.py",
    "tests/protocol",
    "tests/test_bench.py",
    "tests/test_cli.py",
    "tests/test_examples.py",
    "tests/test_mcp.py",
    "tests/test_new_game.py",
    "tests/test_play.py",
    "tests/test_project.py",
    "tests/test_rating_scale.py",
    "tests/test_rulebooks.py",
    "tests/test_running.py",
)
"""Tests of code that is never compiled: commands, reports, learning environments, this project. They run once."""
CORE_TESTS = ["tests", *(f"--ignore={path}" for path in (*PART_FOLDERS, *COMMAND_TESTS))]
"""What the parts `compiled` and `interpreted` run: the engine, the games and their bots."""
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""In order of preference: the first has no user interface and starts fastest."""

PART_TIMEOUT = 40 * 60
"""Seconds after which a part is stopped and counts as failed."""
STOP_TIMEOUT = 30.0
"""Seconds that an interrupted part gets to stop the processes it started."""
MAX_PROCESSES = 7
"""How many test processes run in parallel."""
PROCESSES = {"attacks": 5, "browser": 2, "server": 2}
"""Parts that count as more than one process. `attacks` measures response times, so only two CPU-bound processes may run
beside it; they yield to it. `browser` and `server` use two processes each, because with one they would take longer than
everything else."""
CPU_BOUND = {"types", "page", "ruff", "compiled", "interpreted", "commands"}
"""Parts that seldom wait. They run at a lower priority, so that servers and browsers in other parts respond quickly."""
CPU_BOUND_NICENESS = 10

PASSED, FAILED, FLAKY, NOT_RUN = "passed", "FAILED", "FLAKY", "NOT RUN"

OUTPUT: ContextVar[IO[str] | None] = ContextVar("OUTPUT", default=None)
"""Where the current part prints. None is the terminal: the part runs alone."""
NICENESS: ContextVar[int] = ContextVar("NICENESS", default=0)
"""The niceness of the processes that the current part starts."""
APT_LOCK = Lock()
"""apt-get cannot run twice at the same time."""
RUNNING: set[subprocess.Popen[bytes]] = set()


def environment(variables: dict[str, str]) -> dict[str, str]:
    """This process's environment with these variables. PYTHONPATH is removed, because it would change which Grand Tour
    is tested; PYTHONDONTWRITEBYTECODE, because every process that a test starts would have to parse every module."""
    unwanted = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if name not in unwanted} | variables


def python_module(*arguments: str, **variables: str) -> str:
    """Run a Python module and return the outcome."""
    return run([sys.executable, "-m", *arguments], ROOT, environment(variables))


def pytest(*arguments: str, processes: int = 1, dist: str = "worksteal", **variables: str) -> str:
    """Run tests and list the slowest. A part that runs alone always gets two processes."""
    alone = OUTPUT.get() is None
    several = ["-n", "2", "--dist", dist] if alone or processes > 1 else []
    return python_module("pytest", *arguments, "--durations=10", "--durations-min=5", *several, **variables)


def install(package: str) -> bool:
    with APT_LOCK:
        return debian.install(package)


def run(command: list[str], folder: Path, variables: dict[str, str]) -> str:
    out = OUTPUT.get()
    nice = ["nice", "-n", str(NICENESS.get())] if NICENESS.get() else []
    process = subprocess.Popen([*nice, *command], cwd=folder, env=variables, stdout=out, stderr=out)
    RUNNING.add(process)
    try:
        process.wait(PART_TIMEOUT)
    except subprocess.TimeoutExpired:
        print(f"Stopped after {PART_TIMEOUT // 60} minutes.", file=out, flush=True)
        stop([process])
    except KeyboardInterrupt:
        stop([process])
        raise
    finally:
        RUNNING.discard(process)
    return PASSED if process.returncode == 0 else FAILED


def stop(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """Interrupt processes as Ctrl-C does, so that they stop the servers, browsers and databases they started."""
    for process in processes:
        process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + STOP_TIMEOUT
    for process in processes:
        try:
            process.wait(max(deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def imported_engine(**variables: str) -> Path:
    """The file from which a test with these environment variables would import the engine."""
    command = [sys.executable, "-c", "import grandtour.engine.match as match; print(match.__file__)"]
    return Path(subprocess.check_output(command, cwd=ROOT, env=environment(variables), text=True).strip())


def ruff() -> str:
    checked = python_module("ruff", "check")
    formatted = python_module("ruff", "format", "--check", "--quiet")
    return PASSED if checked == formatted == PASSED else FAILED


def types() -> str:
    """mypy, and a check that the page's generated types are current."""
    source = str(ROOT / "src")
    checked = python_module("mypy")
    current = run([sys.executable, "tools/page_types.py", "--check"], ROOT, environment({"PYTHONPATH": source}))
    return PASSED if checked == current == PASSED else FAILED


def page() -> str:
    """svelte-check, with the Node in .venv if the set-up installed one there, otherwise with the system's."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return run(["npm", "run", "--silent", "check"], ROOT / "web", {**os.environ, "PATH": path})


def compiled() -> str:
    """The core tests on the installed, compiled Grand Tour."""
    if imported_engine().suffix == ".py":
        print("The installed Grand Tour is not compiled: there was no C compiler when it was built.")
        if CI:
            return FAILED
    return pytest(*CORE_TESTS)


def interpreted() -> str:
    """The core tests on the sources in src. The laws of all games are tested in fewer positions than by `compiled`."""
    source = str(ROOT / "src")
    if not imported_engine(PYTHONPATH=source).is_relative_to(source):
        print("The tests would not see the sources in src.")
        return FAILED
    return pytest(*CORE_TESTS, PYTHONPATH=source, FEWER_POSITIONS="1")


def commands() -> str:
    """The command line, reports, learning environments and the project itself, with the installed Grand Tour."""
    return pytest(*COMMAND_TESTS)


def server() -> str:
    """The server over real sockets, also behind nginx. CI installs nginx; elsewhere it is used if it is installed."""
    if CI and shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin") is None:
        install("nginx-light")
    return pytest("tests/server", processes=2)


def cluster() -> str:
    """Every store, and several servers on one PostgreSQL. CI installs PostgreSQL; elsewhere it is used if it is
    installed. These tests mostly wait, so one process is enough."""
    if CI and not any(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        install("postgresql")
    return python_module("pytest", "tests/cluster")


def attacks() -> str:
    """Floods, slow clients and decompression bombs. They measure response times, so they run one after another."""
    return python_module("pytest", "tests/attacks")


def start() -> str:
    """`make play` in a fresh clone with nothing installed. Uncommitted changes are not tested."""
    # Two files in parallel, since both mostly wait. -rP shows the measured times.
    return pytest("tests/start", "-rP", "--timeout=900", dist="loadfile")


def browser() -> str:
    """The page in a real Chromium, which is installed from Debian's packages if none is found."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None and install(BROWSERS[0]):
        found = shutil.which(BROWSERS[0])
    if found is None:
        print("Chromium was not found and could not be installed: THE BROWSER TESTS DO NOT RUN.")
        print("Install it (sudo apt-get install chromium) or give its path: make test CHROMIUM=/path/to/chromium")
        return FAILED if CI else NOT_RUN
    cache = ("-o", "cache_dir=.pytest_cache/browser")  # other parts must not overwrite the list of failed tests
    outcome = pytest("tests/browser", *cache, processes=2, CHROMIUM=found)
    if outcome == FAILED:
        # A test that passes now still fails the run, but is reported as flaky.
        print("Running the failed tests again, alone. Tests that pass now are flaky and need fixing.", flush=True)
        only = ("--last-failed", "--last-failed-no-failures", "none")
        again = python_module("pytest", "tests/browser", *cache, *only, CHROMIUM=found)
        outcome = FLAKY if again == PASSED else FAILED
    return outcome


PARTS = {
    "attacks": attacks,
    "types": types,
    "page": page,
    "ruff": ruff,
    "compiled": compiled,
    "interpreted": interpreted,
    "browser": browser,
    "server": server,
    "start": start,
    "cluster": cluster,
    "commands": commands,
}
"""In the order in which they start when processes are free: first `attacks` with two CPU-bound parts beside it, then
all others but `cluster`, which measures times and runs when `start` has ended, and `commands`, which fills the rest."""


def run_part(name: str) -> tuple[str, float]:
    """Run a part, and return its outcome and how many seconds it took."""
    started = time.monotonic()
    outcome = PARTS[name]()
    return outcome, time.monotonic() - started


def run_part_captured(name: str) -> tuple[str, float]:
    """The same beside other parts: print the output in one piece at the end, and give way if the part is CPU-bound."""
    print(f"  {name} started", flush=True)
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        OUTPUT.set(output)
        NICENESS.set(CPU_BOUND_NICENESS if name in CPU_BOUND else 0)
        result = run_part(name)
        output.seek(0)
        print(f"\n• {name}\n{output.read().rstrip()}", flush=True)
    return result


def run_parallel(names: list[str]) -> dict[str, tuple[str, float]]:
    """Run several parts in parallel. Each starts as soon as enough processes are free."""
    waiting, running = list(names), dict[Future[tuple[str, float]], str]()
    results: dict[str, tuple[str, float]] = {}
    with ThreadPoolExecutor(MAX_PROCESSES) as threads:
        try:
            while waiting or running:
                for name in list(waiting):
                    if sum(PROCESSES.get(part, 1) for part in [*running.values(), name]) <= MAX_PROCESSES:
                        waiting.remove(name)
                        running[threads.submit(copy_context().run, run_part_captured, name)] = name
                for each in wait(running, return_when=FIRST_COMPLETED).done:
                    results[running.pop(each)] = each.result()
        except KeyboardInterrupt:
            stop(list(RUNNING))
            raise
    return results


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"Unknown part: {', '.join(unknown)}. The parts are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    wanted = [name for name in PARTS if name in names or not names]
    started = time.monotonic()
    results = {wanted[0]: run_part(wanted[0])} if len(wanted) == 1 else run_parallel(wanted)
    print()
    for name in wanted:
        outcome, seconds = results[name]
        print(f"{name:<12} {outcome:<8} {seconds:6.1f} s")
    print(f"{'all':<21} {time.monotonic() - started:6.1f} s")
    return 1 if any(outcome in (FAILED, FLAKY) for outcome, _ in results.values()) else 0


if __name__ == "__main__":
    # A shell makes background processes ignore SIGINT, and the processes that tests start and interrupt would inherit
    # that. A time limit sends SIGTERM: then, too, no server or browser may be left running.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
