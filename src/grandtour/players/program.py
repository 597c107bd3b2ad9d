"""A program that is talked to line by line over its standard input and output, and never trusted.

Nothing here waits longer than it is told to, and no program outlives the process that started it, unless that one is
killed outright: then its input ends, which tells an honest program to go.
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

LONGEST_LINE: Final = 65_536
"""Bytes; longer than any answer could be."""

PARTING: Final = 0.5
"""Seconds that a program has to go by itself once its input has ended."""

_running: "set[Program]" = set()


class Gone(Exception):
    """The program has ended, or does not listen any more."""


class Babble(Exception):
    """The program said more than a line can hold."""


class Program:
    """A running program. What it writes to its standard error goes to ours."""

    def __init__(self, path: str) -> None:
        """Start it; a refusal says in one sentence why that cannot be done."""
        if not hasattr(os, "killpg"):
            raise Refusal("unknown-player", "Programs can play on Linux and macOS only.")
        file = Path(path)
        if not file.is_file():
            raise Refusal("unknown-player", f"There is no program {short(path)}.")
        if not os.access(file, os.X_OK):
            raise Refusal("unknown-player", f"{short(path)} is not a program: chmod +x makes it one.")
        _prepare()
        try:
            # A session of its own: Ctrl-C is our business, and its children can be ended with it.
            self._process = subprocess.Popen(
                [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise Refusal("unknown-player", f"{short(path)} cannot be started: {error.strerror}.") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._into: Final = self._process.stdin
        self._out: Final = self._process.stdout
        os.set_blocking(self._into.fileno(), False)
        os.set_blocking(self._out.fileno(), False)
        self._heard = b""
        _running.add(self)

    def say(self, line: bytes, until: float) -> None:
        """Send a line before the moment `until` of the monotonic clock."""
        rest = memoryview(line + b"\n")
        while rest:
            if self._into.closed:
                raise Gone
            try:
                rest = rest[os.write(self._into.fileno(), rest) :]
            except BlockingIOError:
                self._wait([], [self._into], until)
            except OSError:
                raise Gone from None

    def hear(self, until: float) -> bytes:
        """The next line it says before the moment `until`."""
        while True:
            line, newline, rest = self._heard.partition(b"\n")
            if newline and len(line) <= LONGEST_LINE:
                self._heard = rest
                return line
            if len(line) > LONGEST_LINE:
                raise Babble
            self._wait([self._out], [], until)
            self._heard += self._read()

    def hush(self) -> None:
        """Forget what it has said so far."""
        self._heard = b""
        # As much as a pipe holds: one that never stops talking must not keep us here.
        with contextlib.suppress(BlockingIOError, Gone):
            self._read()

    def end(self) -> None:
        """Let it go, or make it, with all it has started."""
        self._into.close()
        until = time.monotonic() + PARTING
        with contextlib.suppress(Gone, TimeoutError):
            while True:
                self._wait([self._out], [], until)
                self._read()
        self.kill()

    def strike(self) -> None:
        """End it at once, with all it has started, and wait for nothing: this is safe wherever one may be."""
        # Its number is its own as long as nobody has asked how it ended.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def kill(self) -> None:
        """End it at once and clear up after it."""
        self.strike()
        self._process.wait()
        for pipe in (self._into, self._out):
            pipe.close()
        _running.discard(self)

    def _read(self) -> bytes:
        if self._out.closed:
            raise Gone
        data = os.read(self._out.fileno(), LONGEST_LINE)
        if not data:
            raise Gone
        return data

    def _wait(self, read: list[Any], write: list[Any], until: float) -> None:
        if any(pipe.closed for pipe in (*read, *write)):
            raise Gone
        left = until - time.monotonic()
        if left <= 0 or not any(select.select(read, write, [], left)):
            raise TimeoutError


def end_programs() -> None:
    """End every program that this process has started."""
    for program in list(_running):
        program.kill()


def strike_programs() -> None:
    """End them all when this process is about to end itself, from a signal or from another thread."""
    for program in list(_running):
        program.strike()


_prepared = False


def _prepare() -> None:
    """See to it, once, that this process leaves no program behind."""
    global _prepared
    if _prepared:
        return
    _prepared = True
    # Unlike atexit, this is heeded in the processes of a pool too.
    Finalize(None, end_programs, exitpriority=10)
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, frame: object) -> None:
    # Not `end_programs`: who was interrupted may just be waiting for one to end, and would then wait for itself.
    strike_programs()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
