"""A PostgreSQL server for tests, from Debian's packages, in a temporary folder and on a free port."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

USER = "postgres"
"""PostgreSQL refuses to run as root, so it runs as this user, which Debian's package creates."""
CLEAN_UP = """
cat > /dev/null
id=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$id"
while [ -e "$0" ]; do rm -rf "$0" 2> /dev/null || sleep 0.1; done
"""
"""Waits until its input ends, which happens however this process ends. Then it stops the database if it is still
running, and deletes its folder."""


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`; None if they are not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).resolve().parent if on_path else None


class Postgres:
    """A database server that can be killed and started again. It does not wait for the disk, so a crash of the machine
    could lose commits; a kill cannot, because the system keeps what a process has written."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        # Not in pytest's own folder, which only we may enter.
        self.folder = Path(tempfile.mkdtemp(prefix="grandtour-postgres-"))
        self._who: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam(USER)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._data = self.folder / "data"
        # In a session of its own, so that nothing that ends this process ends it too.
        self._guard = subprocess.Popen(
            ["sh", "-c", CLEAN_UP, str(self.folder)], stdin=subprocess.PIPE, start_new_session=True
        )
        made = self._call("initdb", "-D", str(self._data), "-U", "grandtour", "-A", "trust", "--no-sync", "-E", "UTF8")
        assert made.returncode == 0, made.stderr
        self._process: subprocess.Popen[bytes] | None = None
        self._schemas = 0
        self.start()

    def start(self) -> None:
        """Start it, or start it again after a kill."""
        command = [str(self._programs / "postgres"), "-D", str(self._data), "-p", str(self.port), "-k", ""]
        options = ["listen_addresses=127.0.0.1", "shared_buffers=32MB", "max_connections=60", "logging_collector=off"]
        options.append("fsync=off")
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, *(word for option in options for word in ("-c", option))],
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **self._who,
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self._url(), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self.folder / "log").read_text(errors="replace")
                assert time.monotonic() < deadline, (self.folder / "log").read_text(errors="replace")
                time.sleep(0.05)

    @property
    def process_id(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill all of its processes. Each has its own session."""
        assert self._process is not None
        parents = {int(path.parent.name): parent_of(path) for path in Path("/proc").glob("[0-9]*/stat")}
        for pid in (self._process.pid, *(pid for pid, parent in parents.items() if parent == self._process.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)  # at once: nobody needs its data any more
            self._process.wait(30)
        self._guard.communicate()

    def empty(self) -> str:
        """The address of an empty store."""
        self._schemas += 1
        schema = f"store_{self._schemas}"
        with psycopg.connect(self._url(), autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {schema}".encode())
        return f"{self._url()}?options=-csearch_path%3D{schema}"

    def _url(self) -> str:
        return f"postgresql://grandtour@127.0.0.1:{self.port}/postgres"

    def _call(self, program: str, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [str(self._programs / program), *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, **self._who)


def parent_of(stat: Path) -> int:
    """The parent of a process; 0 if it has just ended."""
    try:
        return int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
    except OSError:
        return 0
