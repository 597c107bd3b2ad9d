"""A server to be attacked, in its own process with the default limits, and a monitor of its health.

Everything stays on this machine: attackers use addresses from 127.0.0.2 on, the monitor uses 127.0.0.1. The memory of
the server is limited, so that a successful attack ends the server and not the machine.
"""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

ADDRESS_SPACE = 3 << 30
"""The address space of the server in bytes."""
PATIENCE = 10.0
START = """
import resource
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))
from grandtour.server import serve
serve("127.0.0.1", 0, {data!r}, bot_pause=0.0, metrics_from="127.0.0.1", settings={settings!r})
"""


class Victim:
    """The server under attack."""

    def __init__(self, data: Path, files: int = 1024, **settings: object) -> None:
        """Settings of `limits` are given as `limits_NAME`."""
        named = {name.replace("limits_", "limits."): value for name, value in settings.items()}
        code = START.format(memory=ADDRESS_SPACE, files=files, data=str(data), settings=named)
        self.log = data / "log.txt"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r":(\d+)/", said)
        assert found, f"the server does not start: {said} {self.log.read_text()}"
        self.port = int(found[1])
        self.worst = 0.0
        """The time of the slowest health check in seconds."""
        self.memory = 0
        """The maximum memory of its process while it was watched, in bytes."""
        while self.health()[0] != 200:
            time.sleep(0.05)
        self.before = self.resident()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def connect(self, address: str = "127.0.0.2", read: bool = True) -> socket.socket:
        """A connection from this address, with a small buffer if the client will not read."""
        line = socket.socket()
        if not read:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(PATIENCE)
        line.bind((address, 0))
        try:
            line.connect(("127.0.0.1", self.port))
        except OSError:
            line.close()
            raise
        return line

    def upgrade(self, table: str, address: str = "127.0.0.2") -> socket.socket:
        """A WebSocket at a table, on which nothing will be read."""
        line = self.connect(address, read=False)
        line.sendall(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        head = b""
        while b"\r\n\r\n" not in head:
            part = line.recv(1)
            if not part:
                line.close()
                raise ConnectionError("the server opens no WebSocket")
            head += part
        return line

    def ask(
        self, method: str, path: str, body: bytes = b"", address: str = "127.0.0.1", timeout: float = PATIENCE
    ) -> tuple[int, bytes]:
        """The status and the body of the response; status 0 if there is none in time."""
        try:
            with self.connect(address) as line:
                line.settimeout(timeout)
                line.sendall(self.request(method, path, body))
                answer = b""
                while part := line.recv(65536):
                    answer += part
        except OSError:
            return 0, b""
        head, _, rest = answer.partition(b"\r\n\r\n")
        return (int(head.split()[1]), rest) if head else (0, b"")

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        return (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(body)}\r\n"
            "Connection: close\r\n\r\n"
        ).encode() + body

    def health(self) -> tuple[int, bytes]:
        return self.ask("GET", "/api/health")

    def metrics(self) -> dict[str, float]:
        """The server's metrics."""
        status, text = self.ask("GET", "/metrics")
        assert status == 200, text
        samples = (line.rsplit(" ", 1) for line in text.decode().splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in samples}

    def open_table(self) -> str:
        wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}
        status, answer = self.ask("POST", "/api/tables", json.dumps(wanted).encode())
        assert status == 200, answer
        table: str = json.loads(answer)["table"]
        return table

    def resident(self) -> int:
        """The memory of the server's own process in bytes."""
        try:
            fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        except OSError:
            return 0
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if len(fields) > 1 else 0

    def busy(self) -> float:
        """The processor time of the server's own process in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Check the server's health and memory while the block runs."""
        over = threading.Event()
        self.worst, self.memory = 0.0, self.resident()
        began, busy = time.monotonic(), self.busy()

        def look() -> None:
            while not over.wait(0.05):
                asked = time.monotonic()
                status, _ = self.health()
                self.worst = max(self.worst, time.monotonic() - asked if status == 200 else PATIENCE)

        def weigh() -> None:
            while not over.wait(0.02):
                self.memory = max(self.memory, self.resident())

        threads = [threading.Thread(target=look), threading.Thread(target=weigh)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()
            used = self.busy() - busy if self.process.poll() is None else float("nan")
            print(
                f"memory {self.before >> 20} to {self.memory >> 20} MB, health at worst {self.worst:.2f} s,"
                f" {used:.1f} s of processor time in {time.monotonic() - began:.1f} s"
            )

    def assert_well(self, grown: int, late: float) -> None:
        """Fail if the server's memory has grown by more than `grown` bytes, or a health check took more than `late`
        seconds."""
        assert self.process.poll() is None, f"the server is dead: {self.log.read_text()[-2000:]}"
        assert self.memory - self.before < grown, f"the server has grown by {(self.memory - self.before) >> 20} MB"
        assert self.worst < late, f"a health check took {self.worst:.1f} s"
        assert "Traceback" not in self.log.read_text(), self.log.read_text()[-2000:]
