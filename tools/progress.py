"""Shows what the set-up is doing: on a terminal one line that is updated, elsewhere plain lines."""

from __future__ import annotations

import contextlib
import shutil
import sys
import threading
import time
from collections.abc import Iterator

REFRESH_INTERVAL = 0.25
REMINDER_INTERVAL = 15.0
"""Seconds between lines about the same task if the output is not a terminal."""


class Task:
    """A running task. `note` is shown behind its name, for example how many files are done."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.note = ""
        self.started = time.monotonic()
        self.reminded = self.started

    def __str__(self) -> str:
        note = f", {self.note}" if self.note else ""
        return f"{self.name}{note} ({time.monotonic() - self.started:.0f} s)"


class Progress:
    """Shows every running task and how long it has taken. Thread-safe."""

    def __init__(self) -> None:
        self._running: list[Task] = []
        self._lock = threading.Lock()
        self._live = sys.stdout.isatty()
        self._held = False
        with contextlib.suppress(AttributeError):
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]

    @contextlib.contextmanager
    def task(self, name: str) -> Iterator[Task]:
        """Show a task while the body runs, and print a line with its time when it succeeds."""
        task = Task(name)
        with self._lock:
            self._running.append(task)
            if len(self._running) == 1:
                threading.Thread(target=self._refresh, daemon=True).start()
            if not self._live and not self._held:
                print(f"• {name} …", flush=True)
        try:
            yield task
        except BaseException:
            self._end(task, None)
            raise
        self._end(task, f"✓ {name}: {time.monotonic() - task.started:.1f} s")

    def hold(self) -> None:
        """Show nothing until `release`, because another process is writing to the same terminal."""
        self._held = True

    def release(self) -> None:
        with self._lock:
            self._held = False
            for task in [] if self._live else self._running:
                print(f"• {task.name} …", flush=True)

    def say(self, line: str) -> None:
        """Print a line above the running tasks."""
        with self._lock:
            print(f"{self._clear()}{line}", flush=True)

    def _end(self, task: Task, line: str | None) -> None:
        with self._lock:
            self._running.remove(task)
            if self._held:
                return
            if line is not None:
                print(f"{self._clear()}{line}", flush=True)
            else:
                print(self._clear(), end="", flush=True)

    def _clear(self) -> str:
        return "\r\x1b[K" if self._live else ""

    def _refresh(self) -> None:
        while True:
            time.sleep(REFRESH_INTERVAL)
            with self._lock:
                if not self._running:
                    return
                if self._held:
                    continue
                if self._live:
                    line = "• " + " · ".join(map(str, self._running))
                    width = shutil.get_terminal_size().columns - 1
                    print(f"{self._clear()}{line[:width]}", end="", flush=True)
                    continue
                now = time.monotonic()
                for task in self._running:
                    if now - task.reminded >= REMINDER_INTERVAL:
                        task.reminded = now
                        print(f"  {task}", flush=True)
