"""Everything that is tested, part by part; `make test` calls it after the set-up.

    .venv/bin/python tools/test.py [part ...]

A part that fails does not keep the others from running. The end says how each went and how long it took.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import debian

ROOT = Path(__file__).resolve().parent.parent
CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}
ELSEWHERE = ("tests/server", "tests/attacks", "tests/browser", "tests/start")
"""What the other parts run."""
RULES = ["tests", *(f"--ignore={folder}" for folder in ELSEWHERE), "-n", "2"]
NEVER_COMPILED = (
    "tests/arena",
    "tests/rl",
    "tests/players/test_pipe.py",
    "tests/test_cli.py",
    "tests/test_examples.py",
    "tests/test_new_game.py",
)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without a window, and lighter."""

PASSED, FAILED, FLAKY, NOT_RUN = "passed", "FAILED", "FLAKY", "NOT RUN"


def environment(variables: dict[str, str]) -> dict[str, str]:
    """This process's own, but for a PYTHONPATH that would decide which Grand Tour is tested."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables


def module(*words: str, **variables: str) -> str:
    """Run a Python module, let it speak for itself, and give its outcome."""
    ended = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, env=environment(variables))
    return PASSED if ended.returncode == 0 else FAILED


def imported(**variables: str) -> Path:
    """The file that a test in this environment would get the engine from."""
    command = [sys.executable, "-c", "import grandtour.engine.match as match; print(match.__file__)"]
    return Path(subprocess.check_output(command, cwd=ROOT, env=environment(variables), text=True).strip())


def ruff() -> str:
    checked, formatted = module("ruff", "check"), module("ruff", "format", "--check", "--quiet")
    return PASSED if checked == formatted == PASSED else FAILED


def types() -> str:
    return module("mypy")


def page() -> str:
    """svelte-check, with the Node that the set-up brought or else the machine's."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    command = ["npm", "run", "--silent", "check"]
    ended = subprocess.run(command, cwd=ROOT / "web", env={**os.environ, "PATH": path})
    return PASSED if ended.returncode == 0 else FAILED


def compiled() -> str:
    """The rules and the engine as installed."""
    if imported().suffix == ".py":
        print("The installed Grand Tour is not compiled: there was no C compiler when it was built.")
        if CI:
            return FAILED
    return module("pytest", *RULES)


def interpreted() -> str:
    """The same tests over the sources as they stand here, but for those of what is plain Python either way."""
    source = str(ROOT / "src")
    if not imported(PYTHONPATH=source).is_relative_to(source):
        print("The tests would not see the sources in src.")
        return FAILED
    return module("pytest", *RULES, *(f"--ignore={place}" for place in NEVER_COMPILED), PYTHONPATH=source)


def server() -> str:
    """The server over real sockets. Behind nginx too: CI installs it, elsewhere it is used if it is there."""
    if CI and shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin") is None:
        debian.install("nginx-light")
    return module("pytest", "tests/server", "-n", "2")


def attacks() -> str:
    """Floods, slow clients and bombs, one after another: they measure how the server stands them."""
    return module("pytest", "tests/attacks")


def start() -> str:
    """`make play` in a fresh clone with nothing installed: of the last commit, so commit before you trust it."""
    return module("pytest", "tests/start", "-s")


def browser() -> str:
    """The page in a real Chromium, taken from Debian's packages when there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None and debian.install(BROWSERS[0]):
        found = shutil.which(BROWSERS[0])
    if found is None:
        print("There is no Chromium here and none could be installed: THE BROWSER TESTS DO NOT RUN.")
        print("Install it (sudo apt-get install chromium), or say where it is: make test CHROMIUM=/path/to/it")
        return FAILED if CI else NOT_RUN
    outcome = module("pytest", "tests/browser", "-n", "2", CHROMIUM=found)
    if outcome == FAILED:
        # Two browsers on two busy cores: what failed has one more chance, alone, and the summary says so.
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
    "attacks": attacks,
    "browser": browser,
    "start": start,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    ended: list[tuple[str, str, float]] = []
    for name in names or PARTS:
        print(f"\n• {name}", flush=True)
        started = time.monotonic()
        outcome = PARTS[name]()
        ended.append((name, outcome, time.monotonic() - started))
    print()
    for name, outcome, seconds in ended:
        print(f"{name:<12} {outcome:<8} {seconds:6.1f} s")
    print(f"{'all':<21} {sum(seconds for _, _, seconds in ended):6.1f} s")
    return 1 if any(outcome == FAILED for _, outcome, _ in ended) else 0


if __name__ == "__main__":
    # A shell that starts us in the background has us ignore Ctrl-C, and so would everything that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
