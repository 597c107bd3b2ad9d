"""Steps of the set-up: done once, and again only when the content of their inputs has changed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from progress import Progress, Task

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
IGNORED = {"node_modules", "dist", "__pycache__", ".svelte-kit"}

NETWORK = re.compile(
    r"name resolution|Name or service not known|nodename nor servname|Failed to establish a new connection|"
    r"Network is unreachable|urlopen error|timed out|dns error|error sending request|No route to host|"
    r"tcp connect error|\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT)\b"
)
DISK_FULL = re.compile(r"No space left on device|\bENOSPC\b|Disk quota exceeded")
NOT_WRITABLE = re.compile(r"Read-only file system|Permission denied|\b(EROFS|EACCES|EPERM)\b")
TELLING = re.compile(r"error|fail|cannot|could not|no such|not found|denied", re.IGNORECASE)
NOISE = re.compile(r"^(npm (warn|notice)|WARNING|warning|\[notice\]|npm error (A complete log|This is))|^\W*$")

DISK_IS_FULL = "The disk is full. Make room and run the same command again; what is done is kept."
OUT_OF_REACH = (
    "Packages could not be downloaded: the network or the package registry cannot be reached.\n"
    "Connect and run the same command again; what is done is kept."
)
PATIENCE = 5.0
"""Seconds that a command gets to end on its own."""

progress = Progress()


class Stop(Exception):
    """Why the set-up cannot continue, in words for the person who started it."""


def files(*places: Path, without: Path | None = None) -> Iterator[Path]:
    """Every file at or below these places, in order, without what tools leave there, and without one folder."""
    for place in places:
        if place == without:
            continue
        if place.is_file():
            yield place
        elif place.is_dir() and place.name not in IGNORED and not place.name.endswith(".egg-info"):
            yield from files(*sorted(place.iterdir()), without=without)


def digest(*inputs: Path | str) -> str:
    """One hash of the names and contents of files and folders, and of plain words."""
    total = hashlib.sha256()
    for each in inputs:
        if isinstance(each, str):
            total.update(f"word\0{each}\0".encode())
            continue
        for path in files(each):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"file\0{path.relative_to(ROOT)}\0{content}\0".encode())
    return total.hexdigest()


class Step:
    """Something to make, and a stamp that remembers which inputs it was last made from."""

    def __init__(self, name: str, doing: str, inputs: str, makes: Path, stamps: Path = BUILD / "stamps") -> None:
        self.doing = doing
        self.stamp = stamps / name
        self.inputs = inputs
        self._makes = makes

    def due(self) -> bool:
        try:
            made = self._makes.exists()
        except PermissionError:  # for example a link to the Python of another user
            made = False
        return not (made and self.stamp.exists() and self.stamp.read_text() == self.inputs)

    @contextlib.contextmanager
    def run(self) -> Iterator[Task]:
        """The work goes inside; it is stamped as done only when it came to its end."""
        with together(self.doing, [self]) as task:
            yield task


@contextlib.contextmanager
def together(doing: str, steps: Sequence[Step]) -> Iterator[Task]:
    """Several steps whose work is one command: done all together, or none."""
    for step in steps:
        step.stamp.unlink(missing_ok=True)
    with progress.task(doing) as task:
        yield task
        for step in steps:
            step.stamp.parent.mkdir(parents=True, exist_ok=True)
            step.stamp.write_text(step.inputs)


_running: set[subprocess.Popen[str]] = set()
_stopping = threading.Event()


def run(
    log: str,
    *command: str | Path,
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
) -> str:
    """Run a command quietly and return its output, which is kept in build/logs. A failure raises `Stop`."""
    LOGS.mkdir(parents=True, exist_ok=True)
    path = LOGS / f"{log}.log"
    if _stopping.is_set():
        raise KeyboardInterrupt
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    _running.add(process)
    lines: list[str] = []
    try:
        assert process.stdout is not None
        with path.open("w", encoding="utf-8") as out:
            for line in process.stdout:
                out.write(line)
                lines.append(line)
                if on_line is not None:
                    on_line(line)
        process.wait()
    finally:
        if process.poll() is None:
            _end([process])
        _running.discard(process)
    if _stopping.is_set():
        raise KeyboardInterrupt
    said = "".join(lines)
    if process.returncode != 0:
        raise Stop(explain(said, Path(str(command[0])).name, path))
    return said


def end_all() -> None:
    """End every command that is running: something failed or the user pressed Ctrl-C."""
    _stopping.set()
    _end(list(_running))


def _end(processes: list[subprocess.Popen[str]]) -> None:
    """Ask commands and all they started to end; those that do not are ended, as npm has to be on a full disk."""
    deadline = time.monotonic() + PATIENCE
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        while any(process.poll() is None for process in processes) and time.monotonic() < deadline:
            time.sleep(0.02)


def explain(said: str, program: str, log: Path) -> str:
    """A failure in a sentence, the lines of the output that matter, and where the rest is."""
    if DISK_FULL.search(said):
        reason = DISK_IS_FULL
    elif NETWORK.search(said):
        reason = OUT_OF_REACH
    elif NOT_WRITABLE.search(said):
        reason = f"A file in {ROOT} could not be written. Does the folder belong to you?"
    else:
        reason = f"The set-up stopped because {program} failed."
    lines = [line.strip() for line in said.splitlines() if not NOISE.search(line.strip())]
    lines = [line for line in lines if TELLING.search(line)] or lines
    shown = "".join(f"\n    {line[:160]}" for line in lines[-3:])
    return f"{reason}{shown}\nThe whole output is in {log.relative_to(ROOT)}."
