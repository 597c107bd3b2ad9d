"""A connection between two processes that can be cut or go silent."""

import contextlib
import socket
import threading
from typing import Literal


class Link:
    """Forwards bytes to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.state: Literal["whole", "cut", "silent"] = "whole"
        """Cut: connections end, and new ones fail. Silent: nothing arrives, and neither side notices."""
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self.state = "cut"
        self._hang_up()

    def silence(self) -> None:
        self.state = "silent"

    def mend(self, port: int | None = None) -> None:
        """Let new connections through again, to another port if one is given. Old ones stay closed."""
        self._to = port or self._to
        self._hang_up()
        self.state = "whole"

    def close(self) -> None:
        self._listening.close()
        self.cut()

    def _hang_up(self) -> None:
        with self._lock:
            for each in self._open:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                try:
                    if self.state == "cut":
                        raise ConnectionRefusedError
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    near.close()
                    continue
                with self._lock:
                    self._open |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                if self.state == "whole":
                    other.sendall(data)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._open.discard(one)
        one.close()
