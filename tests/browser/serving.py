"""A real server in its own process, and a connection to it that can be cut."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Self

import pytest

from grandtour.server.storage.sqlite_store import FILE
from tests.browser.start_server import TEST_NAME
from tests.server.client import PATIENCE


class ServerProcess:
    """The server of the page. If a module with additional games is given, that module is started.

    `settings` are those of the tests' usual server to change. `with` ends it, and nothing may have gone wrong in it.
    """

    def __init__(self, folder: Path, module: str | None = None, **settings: Any) -> None:
        self.store = folder / "data" / FILE
        data = str(self.store.parent)
        alone = ["-c", f"from tests.browser.start_server import start; start({data!r}, **{settings!r})"]
        self.complaints = folder / "complaints.txt"
        self._test_name = folder / TEST_NAME
        with self.complaints.open("w") as said:
            self.process = subprocess.Popen(
                [sys.executable, *(alone if module is None else ["-m", module, data])],
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
                start_new_session=True,
            )
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        if found is None:
            self.process.communicate()
            pytest.fail(f"The server did not start. {self.complaints.read_text()}", pytrace=False)
        self.url = found[0].rstrip("/")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        complaints = self.stop()
        assert not complaints, f"the server complained: {complaints}"

    def deal_for(self, test: str) -> None:
        """Deal all further tables for this test, the same in every run."""
        self._test_name.write_text(test, "utf-8")

    def stop(self) -> str:
        """Stop it as Ctrl-C would. Returns the errors it logged."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)
        return self.complaints.read_text()


class Wire:
    """A connection to the server that can be cut and restored, like that of a phone in a tunnel."""

    def __init__(self, server: str) -> None:
        self._server = _address(server)
        self._changing = threading.Lock()
        self._whole = True
        self._flowing = threading.Event()
        self._flowing.set()
        self._ends: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self.url = f"http://{self.address}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End all connections, and let no new one through."""
        with self._changing:
            self._whole = False
            while self._ends:
                _close(self._ends.pop())

    def mend(self) -> None:
        self._whole = True

    def lead_to(self, server: str) -> None:
        """From now on connect to this server."""
        self._server = _address(server)

    def stall(self) -> None:
        """Keep all connections open, but let nothing through."""
        self._flowing.clear()

    def flow(self) -> None:
        self._flowing.set()

    def close(self) -> None:
        _close(self._listening)
        self.flow()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            with self._changing:
                if not self._whole:
                    _close(near)
                    continue
                far = socket.create_connection(self._server)
                self._ends += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_carry, args=(source, target, self._flowing), daemon=True).start()


def _address(server: str) -> tuple[str, int]:
    host, _, port = server.removeprefix("http://").partition(":")
    return host, int(port)


def _carry(source: socket.socket, target: socket.socket, flowing: threading.Event) -> None:
    """Forward data until one side closes."""
    with contextlib.suppress(OSError):
        while heard := source.recv(65536):
            flowing.wait()
            target.sendall(heard)
    _close(source)
    _close(target)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
