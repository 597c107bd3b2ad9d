"""Steps of the set-up. A step runs once, and again only if the content of its inputs has changed."""

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
ERROR_LINE = re.compile(r"error|fail|cannot|could not|no such|not found|denied", re.IGNORECASE)
NOISE_LINE = re.compile(r"^(npm (warn|notice)|WARNING|warning|\[notice\]|npm error (A complete log|This is))|^\W*$")

DISK_IS_FULL = "The disk is full. Free some space and run the same command again; finished steps are kept."
NETWORK_UNREACHABLE = (
    "Packages could not be downloaded: the network or the package registry cannot be reached.\n"
    "Check the connection and run the same command again; finished steps are kept."
)
GRACE_PERIOD = 5.0
"""Seconds that a command gets to exit before it is killed."""

progress = Progress()


class Stop(Exception):
    """Why the set-up cannot continue, in words for its user."""


def files(*places: Path, without: Path | None = None) -> Iterator[Path]:
    """All files at or below these paths, in order, except generated ones and those in the folder `without`."""
    for place in places:
        if place == without:
            continue
        if place.is_file():
            yield place
        elif place.is_dir() and place.name not in IGNORED and not place.name.endswith(".egg-info"):
            yield from files(*sorted(place.iterdir()), without=without)


def digest(*inputs: Path | str) -> str:
    """One hash of the names and contents of files and folders, and of plain strings."""
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
    """A step of the set-up. A stamp file records the inputs from which its result was last made."""

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
        """The body does the work. The step is stamped as done only if the body succeeds."""
        with run_steps(self.doing, [self]) as task:
            yield task


@contextlib.contextmanager
def run_steps(doing: str, steps: Sequence[Step]) -> Iterator[Task]:
    """The same for several steps that one command does. Either all of them are stamped or none."""
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
    """Run a command and return its output, which is also written to build/logs. Raise `Stop` if it fails."""
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
        with process.stdout, path.open("w", encoding="utf-8") as out:
            if _stopping.is_set():  # since the check above, so `stop_all` has not stopped this process
                raise KeyboardInterrupt
            for line in process.stdout:
                out.write(line)
                lines.append(line)
                if on_line is not None:
                    on_line(line)
        process.wait()
    finally:
        if process.poll() is None:
            _stop([process])
        _running.discard(process)
    if _stopping.is_set():
        raise KeyboardInterrupt
    output = "".join(lines)
    if process.returncode != 0:
        raise Stop(explain(output, Path(str(command[0])).name, path))
    return output


def stop_all() -> None:
    """Stop every running command, because one failed or the user pressed Ctrl-C."""
    _stopping.set()
    _stop(list(_running))


def _stop(processes: list[subprocess.Popen[str]]) -> None:
    """Terminate commands and their child processes, and kill those that do not exit, such as npm on a full disk."""
    deadline = time.monotonic() + GRACE_PERIOD
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        while any(process.poll() is None for process in processes) and time.monotonic() < deadline:
            time.sleep(0.02)


def explain(output: str, program: str, log: Path) -> str:
    """Explain a failure in one sentence, followed by the lines of the output that matter and the path of the log."""
    if DISK_FULL.search(output):
        reason = DISK_IS_FULL
    elif NETWORK.search(output):
        reason = NETWORK_UNREACHABLE
    elif NOT_WRITABLE.search(output):
        reason = f"A file in {ROOT} could not be written. Do you own this folder?"
    else:
        reason = f"The set-up stopped because {program} failed."
    lines = [line.strip() for line in output.splitlines() if not NOISE_LINE.search(line.strip())]
    lines = [line for line in lines if ERROR_LINE.search(line)] or lines
    shown = "".join(f"\n    {line[:160]}" for line in lines[-3:])
    return f"{reason}{shown}\nThe full output is in {log.relative_to(ROOT)}."
