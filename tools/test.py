"""Everything that is tested, part by part; `make test` calls it after the set-up.

    .venv/bin/python tools/test.py [part ...]

A part that fails does not keep the others from running. The end says how each went and how long it took.
Six processes test at a time: four that wait a lot, and two that fill the gaps at a lower priority. So two cores are
always busy, and what waits for an answer still gets it at once. What a part prints comes when it has ended. A part that
is asked for alone runs in two processes, and prints as it goes.
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
ELSEWHERE = ("tests/server", "tests/cluster", "tests/attacks", "tests/browser", "tests/start")
"""What the other parts run."""
RULES = ["tests", *(f"--ignore={folder}" for folder in ELSEWHERE)]
NEVER_COMPILED = (
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
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without a window, and lighter."""

PATIENCE = 40 * 60
"""Seconds after which what does not end has failed."""
TIME_TO_STOP = 30.0
"""Seconds that an interrupted part has to stop what it has started."""
AT_A_TIME = 6
"""How many processes test at a time."""
TAKES = {"attacks": 5, "browser": 2, "server": 2}
"""Parts that take more than one of these places. Attacks measure how quickly the server answers, so only one other
process runs beside them. The tests of the browser and the server run in two processes: in one, each would take longer
than all the rest."""
FILL_GAPS = {"types", "page", "ruff", "compiled", "interpreted"}
"""Parts that compute and seldom wait. Beside others they have a lower priority: those wait for servers and browsers,
which should answer as quickly as on a machine of their own."""
GAP_NICENESS = 5

PASSED, FAILED, FLAKY, NOT_RUN = "passed", "FAILED", "FLAKY", "NOT RUN"

PRINTS_TO: ContextVar[IO[str] | None] = ContextVar("PRINTS_TO", default=None)
"""Where a part prints to; None is the terminal, which a part has when it runs alone."""
NICENESS: ContextVar[int] = ContextVar("NICENESS", default=0)
"""The priority of what a part runs."""
INSTALLING = Lock()
"""apt-get refuses to run twice at a time."""
RUNNING: set[subprocess.Popen[bytes]] = set()


def environment(variables: dict[str, str]) -> dict[str, str]:
    """This process's environment, without a PYTHONPATH that would decide which Grand Tour is tested, and without a wish
    to compile every module anew in each of the many processes that tests start."""
    unwanted = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if name not in unwanted} | variables


def module(*words: str, **variables: str) -> str:
    """Run a Python module, let it speak for itself, and give its outcome."""
    return run([sys.executable, "-m", *words], ROOT, environment(variables))


def pytest(*words: str, processes: int = 1, dist: str = "worksteal", **variables: str) -> str:
    """Run tests, and show the slowest: in so many processes beside other parts; alone in two, where one without tests
    takes some of the other's, since tests differ a lot in length."""
    alone = PRINTS_TO.get() is None
    several = ["-n", "2", "--dist", dist] if alone or processes > 1 else []
    return module("pytest", *words, "--durations=10", "--durations-min=5", *several, **variables)


def install(package: str) -> bool:
    with INSTALLING:
        return debian.install(package)


def run(command: list[str], folder: Path, variables: dict[str, str]) -> str:
    out = PRINTS_TO.get()
    nice = ["nice", "-n", str(NICENESS.get())] if NICENESS.get() else []
    process = subprocess.Popen([*nice, *command], cwd=folder, env=variables, stdout=out, stderr=out)
    RUNNING.add(process)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        print(f"It did not end within {PATIENCE // 60} minutes, so it was stopped.", file=out, flush=True)
        stop([process])
    except KeyboardInterrupt:
        stop([process])
        raise
    finally:
        RUNNING.discard(process)
    return PASSED if process.returncode == 0 else FAILED


def stop(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """Stop them as Ctrl-C does, so that they stop what they have started: servers, browsers, databases."""
    for process in processes:
        process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + TIME_TO_STOP
    for process in processes:
        try:
            process.wait(max(deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def imported(**variables: str) -> Path:
    """The file that a test in this environment would get the engine from."""
    command = [sys.executable, "-c", "import grandtour.engine.match as match; print(match.__file__)"]
    return Path(subprocess.check_output(command, cwd=ROOT, env=environment(variables), text=True).strip())


def ruff() -> str:
    checked, formatted = module("ruff", "check"), module("ruff", "format", "--check", "--quiet")
    return PASSED if checked == formatted == PASSED else FAILED


def types() -> str:
    """mypy, and whether the page's types are still those of the messages and views."""
    source = str(ROOT / "src")
    checked = module("mypy")
    current = run([sys.executable, "tools/page_types.py", "--check"], ROOT, environment({"PYTHONPATH": source}))
    return PASSED if checked == current == PASSED else FAILED


def page() -> str:
    """svelte-check, with the Node that the set-up brought or else the machine's."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return run(["npm", "run", "--silent", "check"], ROOT / "web", {**os.environ, "PATH": path})


def compiled() -> str:
    """The rules and the engine as installed."""
    if imported().suffix == ".py":
        print("The installed Grand Tour is not compiled: there was no C compiler when it was built.")
        if CI:
            return FAILED
    return pytest(*RULES)


def interpreted() -> str:
    """The same tests on the sources here, except those of code that is never compiled."""
    source = str(ROOT / "src")
    if not imported(PYTHONPATH=source).is_relative_to(source):
        print("The tests would not see the sources in src.")
        return FAILED
    return pytest(*RULES, *(f"--ignore={place}" for place in NEVER_COMPILED), PYTHONPATH=source)


def server() -> str:
    """The server over real sockets. Behind nginx too: CI installs it, elsewhere it is used if it is there."""
    if CI and shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin") is None:
        install("nginx-light")
    return pytest("tests/server", processes=2)


def cluster() -> str:
    """Every store, and several servers on one PostgreSQL: CI installs it, elsewhere it is used if it is there. It waits
    most of the time, so it needs no second process."""
    if CI and not any(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        install("postgresql")
    return module("pytest", "tests/cluster")


def attacks() -> str:
    """Floods, slow clients and bombs, one after another: they measure how the server stands them."""
    return module("pytest", "tests/attacks")


def start() -> str:
    """`make play` in a fresh clone with nothing installed: of the last commit, so commit before you trust it."""
    # One file beside the other: what can go wrong is mostly waited for. -rP shows the times that were measured.
    return pytest("tests/start", "-rP", "--timeout=900", dist="loadfile")


def browser() -> str:
    """The page in a real Chromium, taken from Debian's packages when there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None and install(BROWSERS[0]):
        found = shutil.which(BROWSERS[0])
    if found is None:
        print("There is no Chromium here and none could be installed: THE BROWSER TESTS DO NOT RUN.")
        print("Install it (sudo apt-get install chromium), or say where it is: make test CHROMIUM=/path/to/it")
        return FAILED if CI else NOT_RUN
    cache = ("-o", "cache_dir=.pytest_cache/browser")  # what failed is noted where no other part notes it
    outcome = pytest("tests/browser", *cache, processes=2, CHROMIUM=found)
    if outcome == FAILED:
        # That it passes alone does not save it, but says where to look.
        print("What failed is run once more, alone. If it passes now it is flaky: mend it.", flush=True)
        only = ("--last-failed", "--last-failed-no-failures", "none")
        again = module("pytest", "tests/browser", *cache, *only, CHROMIUM=found)
        outcome = FLAKY if again == PASSED else FAILED
    return outcome


PARTS = {
    "attacks": attacks,
    "types": types,
    "page": page,
    "ruff": ruff,
    "compiled": compiled,
    "browser": browser,
    "server": server,
    "cluster": cluster,
    "interpreted": interpreted,
    "start": start,
}
"""In the order in which they begin, if there is room. Beside the attacks there is room for one that fills gaps. Then
those that wait the longest come at once, so that nothing is left waiting for one long part at the end."""


def timed(name: str) -> tuple[str, float]:
    """Run a part: its outcome, and the seconds it took."""
    started = time.monotonic()
    outcome = PARTS[name]()
    return outcome, time.monotonic() - started


def aside(name: str) -> tuple[str, float]:
    """The same, with what it prints kept together."""
    print(f"  {name} begins", flush=True)
    with tempfile.TemporaryFile("w+", errors="replace") as printed:
        PRINTS_TO.set(printed)
        NICENESS.set(GAP_NICENESS if name in FILL_GAPS else 0)
        ended = timed(name)
        printed.seek(0)
        print(f"\n• {name}\n{printed.read().rstrip()}", flush=True)
    return ended


def side_by_side(names: list[str]) -> dict[str, tuple[str, float]]:
    """Run parts, several at a time. Each begins as soon as there is room for it."""
    waiting, running = list(names), dict[Future[tuple[str, float]], str]()
    ended: dict[str, tuple[str, float]] = {}
    with ThreadPoolExecutor(AT_A_TIME) as threads:
        try:
            while waiting or running:
                for name in list(waiting):
                    if sum(TAKES.get(other, 1) for other in [*running.values(), name]) <= AT_A_TIME:
                        waiting.remove(name)
                        running[threads.submit(copy_context().run, aside, name)] = name
                for each in wait(running, return_when=FIRST_COMPLETED).done:
                    ended[running.pop(each)] = each.result()
        except KeyboardInterrupt:
            stop(list(RUNNING))
            raise
    return ended


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    wanted = [name for name in PARTS if name in names or not names]
    began = time.monotonic()
    ended = {wanted[0]: timed(wanted[0])} if len(wanted) == 1 else side_by_side(wanted)
    print()
    for name in wanted:
        outcome, seconds = ended[name]
        print(f"{name:<12} {outcome:<8} {seconds:6.1f} s")
    print(f"{'all':<21} {time.monotonic() - began:6.1f} s")
    return 1 if any(outcome in (FAILED, FLAKY) for outcome, _ in ended.values()) else 0


if __name__ == "__main__":
    # A shell that starts us in the background has us ignore Ctrl-C, and so would everything that tests interrupt.
    # Whoever ends us in another way, such as a time limit, should not leave servers and browsers behind either.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
