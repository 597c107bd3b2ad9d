"""Hundreds of silent connections to a server with 1,024 file descriptors."""

import contextlib
import socket
import time
from collections.abc import Iterator

import pytest

from tests.attacks.conftest import Attacking
from tests.attacks.victim import Victim

MEGABYTE = 1 << 20
CONNECTIONS = 1200


@contextlib.contextmanager
def silent(victim: Victim, addresses: int) -> Iterator[list[socket.socket]]:
    lines: list[socket.socket] = []
    try:
        for number in range(CONNECTIONS):
            with contextlib.suppress(OSError):
                lines.append(victim.connect(f"127.0.1.{1 + number % addresses}"))
        yield lines
    finally:
        for line in lines:
            line.close()


@pytest.mark.parametrize("addresses", [1, 20])
def test_silent_connections_do_not_make_the_server_unreachable(attacking: Attacking, addresses: int) -> None:
    victim = attacking(files=1024)
    with victim.watched(), silent(victim, addresses):
        time.sleep(2)
    victim.assert_well(grown=50 * MEGABYTE, late=4.0)
    assert "connections refused" in victim.log.read_text(), "the log does not mention the attack"
    assert victim.ask("GET", "/api/games", address="127.0.0.3")[0] == 200
