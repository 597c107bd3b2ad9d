"""Runs an untrusted program and talks to it line by line over its standard input and output.

No call waits longer than its deadline, and no program outlives the process that started it, unless that process is
killed outright: then the program's input ends, which tells a well-behaved program to exit.
"""

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Final

from grandtour.engine.refusal import Refusal, short

MAX_LINE: Final = 65_536
"""Bytes; longer than any valid answer."""

EXIT_SECONDS: Final = 0.5
"""Seconds a program has to exit on its own after its input has ended."""

_running: "set[Program]" = set()


class ProgramEnded(Exception):
    """The program has exited or closed its pipes."""


class LineTooLong(Exception):
    """The program sent a line longer than `MAX_LINE`."""


class Program:
    """A running program. Its standard error goes to ours."""

    def __init__(self, path: str) -> None:
        """Start the program, or refuse with one sentence that says why not."""
        if not hasattr(os, "killpg"):
            raise Refusal("unknown-player", "Programs can play on Linux and macOS only.")
        file = Path(path)
        if not file.is_file():
            raise Refusal("unknown-player", f"There is no program {short(path)}.")
        if not os.access(file, os.X_OK):
            raise Refusal("unknown-player", f"{short(path)} is not executable: run chmod +x on it.")
        _prepare()
        try:
            # In its own session: Ctrl-C does not reach it, and its children can be killed with it.
            self._process = subprocess.Popen(
                [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise Refusal("unknown-player", f"{short(path)} cannot be started: {error.strerror}.") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin: Final = self._process.stdin
        self._stdout: Final = self._process.stdout
        os.set_blocking(self._stdin.fileno(), False)
        os.set_blocking(self._stdout.fileno(), False)
        self._buffer = b""
        _running.add(self)

    def send(self, line: bytes, until: float) -> None:
        """Send a line. `until` is a time of the monotonic clock."""
        rest = memoryview(line + b"\n")
        while rest:
            if self._stdin.closed:
                raise ProgramEnded
            try:
                rest = rest[os.write(self._stdin.fileno(), rest) :]
            except BlockingIOError:
                self._wait([], [self._stdin], until)
            except OSError:
                raise ProgramEnded from None

    def receive(self, until: float) -> bytes:
        """The next line the program sends before the time `until`."""
        while True:
            line, newline, rest = self._buffer.partition(b"\n")
            if newline and len(line) <= MAX_LINE:
                self._buffer = rest
                return line
            if len(line) > MAX_LINE:
                raise LineTooLong
            self._wait([self._stdout], [], until)
            self._buffer += self._read()

    def discard_output(self) -> None:
        """Discard everything the program has sent so far."""
        self._buffer = b""
        # Read once, at most what a pipe holds: a program that never stops writing must not block us.
        with contextlib.suppress(BlockingIOError, ProgramEnded):
            self._read()

    def end(self) -> None:
        """Let the program exit, then kill it and everything it has started."""
        self._stdin.close()
        until = time.monotonic() + EXIT_SECONDS
        with contextlib.suppress(ProgramEnded, TimeoutError):
            while True:
                self._wait([self._stdout], [], until)
                self._read()
        self.kill()

    def send_kill(self) -> None:
        """Kill the program and everything it has started without waiting. Safe in signal handlers and other threads."""
        # Its process id is not reused until its exit status has been read.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def kill(self) -> None:
        """Kill the program and clean up."""
        self.send_kill()
        self._process.wait()
        for pipe in (self._stdin, self._stdout):
            pipe.close()
        _running.discard(self)

    def _read(self) -> bytes:
        if self._stdout.closed:
            raise ProgramEnded
        data = os.read(self._stdout.fileno(), MAX_LINE)
        if not data:
            raise ProgramEnded
        return data

    def _wait(self, read: list[Any], write: list[Any], until: float) -> None:
        if any(pipe.closed for pipe in (*read, *write)):
            raise ProgramEnded
        left = until - time.monotonic()
        if left <= 0 or not any(select.select(read, write, [], left)):
            raise TimeoutError


def end_programs() -> None:
    """Kill every program that this process has started, and clean up."""
    for program in list(_running):
        program.kill()


def kill_programs() -> None:
    """Kill all programs without waiting, when this process is about to exit from a signal or another thread."""
    for program in list(_running):
        program.send_kill()


_prepared = False


def _prepare() -> None:
    """Register, once, the clean-up that keeps this process from leaving programs behind."""
    global _prepared
    if _prepared:
        return
    _prepared = True
    # Unlike atexit, this also runs in the processes of a pool.
    Finalize(None, end_programs, exitpriority=10)
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, frame: object) -> None:
    # Not `end_programs`: the interrupted code may itself be waiting for a program to end, and would deadlock.
    kill_programs()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
