"""Everything that is tested, part by part; `make test` calls it after the set-up.

    .venv/bin/python tools/test.py [part ...]

A part that fails does not keep the others from running. The end says how each went and how long it took.
Parts that keep one core busy run two at a time, and what they print comes when they have ended.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from pathlib import Path
from typing import IO

import debian

ROOT = Path(__file__).resolve().parent.parent
CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}
ELSEWHERE = ("tests/server", "tests/cluster", "tests/attacks", "tests/browser", "tests/start")
"""What the other parts run."""
TWO_AT_A_TIME = ("-n", "2", "--dist", "worksteal")
"""A worker without tests takes some of another's, since tests differ a lot in length."""
RULES = ["tests", *(f"--ignore={folder}" for folder in ELSEWHERE), *TWO_AT_A_TIME]
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
    "tests/test_rulebooks.py",
)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without a window, and lighter."""

PASSED, FAILED, FLAKY, NOT_RUN = "passed", "FAILED", "FLAKY", "NOT RUN"

PRINTS_TO: ContextVar[IO[str] | None] = ContextVar("PRINTS_TO", default=None)
"""Where a part prints to; None is the terminal."""


def environment(variables: dict[str, str]) -> dict[str, str]:
    """This process's environment, without a PYTHONPATH that would decide which Grand Tour is tested."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables


def module(*words: str, **variables: str) -> str:
    """Run a Python module, let it speak for itself, and give its outcome."""
    return run([sys.executable, "-m", *words], ROOT, environment(variables))


def run(command: list[str], folder: Path, variables: dict[str, str]) -> str:
    out = PRINTS_TO.get()
    ended = subprocess.run(command, cwd=folder, env=variables, stdout=out, stderr=out)
    return PASSED if ended.returncode == 0 else FAILED


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
    return module("pytest", *RULES)


def interpreted() -> str:
    """The same tests on the sources here, except those of code that is never compiled."""
    source = str(ROOT / "src")
    if not imported(PYTHONPATH=source).is_relative_to(source):
        print("The tests would not see the sources in src.")
        return FAILED
    return module("pytest", *RULES, *(f"--ignore={place}" for place in NEVER_COMPILED), PYTHONPATH=source)


def server() -> str:
    """The server over real sockets. Behind nginx too: CI installs it, elsewhere it is used if it is there."""
    if CI and shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin") is None:
        debian.install("nginx-light")
    return module("pytest", "tests/server", *TWO_AT_A_TIME)


def cluster() -> str:
    """Every store, and several servers on one PostgreSQL: CI installs it, elsewhere it is used if it is there. It waits
    most of the time, so it needs no second process."""
    if CI and not any(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        debian.install("postgresql")
    return module("pytest", "tests/cluster")


def attacks() -> str:
    """Floods, slow clients and bombs, one after another: they measure how the server stands them."""
    return module("pytest", "tests/attacks")


def start() -> str:
    """`make play` in a fresh clone with nothing installed: of the last commit, so commit before you trust it."""
    # One file beside the other: what can go wrong is mostly waited for. -rP shows the times that were measured.
    return module("pytest", "tests/start", "-n", "2", "--dist", "loadfile", "-rP")


def browser() -> str:
    """The page in a real Chromium, taken from Debian's packages when there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None and debian.install(BROWSERS[0]):
        found = shutil.which(BROWSERS[0])
    if found is None:
        print("There is no Chromium here and none could be installed: THE BROWSER TESTS DO NOT RUN.")
        print("Install it (sudo apt-get install chromium), or say where it is: make test CHROMIUM=/path/to/it")
        return FAILED if CI else NOT_RUN
    outcome = module("pytest", "tests/browser", *TWO_AT_A_TIME, CHROMIUM=found)
    if outcome == FAILED:
        # That it passes alone does not save it, but says where to look.
        print("What failed is run once more, alone. If it passes now it is flaky: mend it.", flush=True)
        again = module("pytest", "tests/browser", "--last-failed", "--last-failed-no-failures", "none", CHROMIUM=found)
        outcome = FLAKY if again == PASSED else FAILED
    return outcome


PARTS = {
    "ruff": ruff,
    "types": types,
    "page": page,
    "compiled": compiled,
    "interpreted": interpreted,
    "server": server,
    "cluster": cluster,
    "attacks": attacks,
    "browser": browser,
    "start": start,
}
ONE_CORE = ("attacks", "types", "cluster", "page", "ruff")
"""These run first, two at a time; the longest begins. All others keep both cores busy."""


def timed(name: str) -> tuple[str, float]:
    """Run a part: its outcome, and the seconds it took."""
    started = time.monotonic()
    outcome = PARTS[name]()
    return outcome, time.monotonic() - started


def aside(name: str) -> tuple[str, float]:
    """The same, with what it prints kept together."""
    with tempfile.TemporaryFile("w+", errors="replace") as printed:
        PRINTS_TO.set(printed)
        ended = timed(name)
        printed.seek(0)
        print(f"\n• {name}\n{printed.read().rstrip()}", flush=True)
    return ended


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    wanted = names or list(PARTS)
    began = time.monotonic()
    with ThreadPoolExecutor(2) as two:
        asides = {name: two.submit(copy_context().run, aside, name) for name in ONE_CORE if name in wanted}
    ended = {name: each.result() for name, each in asides.items()}
    for name in wanted:
        if name not in ended:
            print(f"\n• {name}", flush=True)
            ended[name] = timed(name)
    print()
    for name in wanted:
        outcome, seconds = ended[name]
        print(f"{name:<12} {outcome:<8} {seconds:6.1f} s")
    print(f"{'all':<21} {time.monotonic() - began:6.1f} s")
    return 1 if any(outcome in (FAILED, FLAKY) for outcome, _ in ended.values()) else 0


if __name__ == "__main__":
    # A shell that starts us in the background has us ignore Ctrl-C, and so would everything that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
