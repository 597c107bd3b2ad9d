"""Sockets that send frames without messages as fast as they can, and read nothing."""

import contextlib
import struct
import threading
import time

import pytest

from tests.attacks.conftest import Attacking
from tests.attacks.victim import Victim

MEGABYTE = 1 << 20
SECONDS = 4.0
MASK = b"\0\0\0\0"


def frame(opcode: int, payload: bytes = b"", fin: bool = True) -> bytes:
    return struct.pack("!BB", (0x80 if fin else 0) | opcode, 0x80 | len(payload)) + MASK + payload


FLOODS = {
    "pings": (b"", frame(0x9, b"x" * 125)),
    "pongs": (b"", frame(0xA)),
    "empty fragments": (frame(0x1, fin=False), frame(0x0, fin=False)),
    "empty messages": (b"", frame(0x1)),
}


def flood(victim: Victim, table: str, first: bytes, again: bytes, cut: list[bool]) -> None:
    """Send until the server closes the socket, then open another one, all from one address."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        with contextlib.suppress(OSError), victim.upgrade(table) as line:
            line.sendall(first)
            line.settimeout(0.5)
            many = again * (32 * 1024 // len(again))
            try:
                while time.monotonic() < until:
                    # This was the rate of a successful attack; the loopback interface could take more.
                    with contextlib.suppress(TimeoutError):
                        line.sendall(many)
                    time.sleep(0.005)
            except OSError:
                cut.append(True)
        time.sleep(0.05)


@pytest.mark.parametrize("kind", FLOODS)
def test_frames_of_every_kind_have_a_budget(attacking: Attacking, kind: str) -> None:
    victim = attacking()
    table = victim.open_table()
    cut: list[bool] = []
    attackers = [threading.Thread(target=flood, args=(victim, table, *FLOODS[kind], cut)) for _ in range(4)]
    with victim.watched():
        for attacker in attackers:
            attacker.start()
        for attacker in attackers:
            attacker.join()
    victim.assert_well(grown=30 * MEGABYTE, late=1.5)
    assert cut, "no socket was closed"
