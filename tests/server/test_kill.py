"""The server is killed again and again while people and bots play, and loses nothing that it has acknowledged."""

import random
import signal
import sqlite3
import time
from pathlib import Path

from tests.server.client import Api
from tests.server.conftest import Starting
from tests.server.regulars import Address, Regulars

KILLS = 30


def numbers(store: Path) -> dict[str, list[int]]:
    """The numbers of the records of each table."""
    found: dict[str, list[int]] = {}
    db = sqlite3.connect(store)
    for table, n in db.execute("SELECT id, n FROM log ORDER BY id, n"):
        found.setdefault(table, []).append(n)
    db.close()
    return found


def test_killed_dozens_of_times_under_load_the_server_loses_nothing_it_acknowledged(
    starting: Starting, tmp_path: Path
) -> None:
    address = Address()
    chance = random.Random(1)
    tables = [["me", "open"], ["me", "open"], ["me", "open", "open"], ["me", "normal"], ["me", "normal", "random"]]
    regulars = [Regulars(seats, address, seed) for seed, seats in enumerate(tables)]
    for regular in regulars:
        regular.start()
    try:
        for _ in range(KILLS):
            server = starting()
            address.url = server.url
            time.sleep(chance.uniform(0.02, 0.7))
            code, said = server.end(signal.SIGKILL)
            assert code == -signal.SIGKILL, f"the server ended before it was killed: {said}"
        server = starting()
        address.url = server.url
        before = [regular.moves for regular in regulars]
        Api(server.url).until(
            lambda: all(
                regular.failure or regular.moves > moves for regular, moves in zip(regulars, before, strict=True)
            )
        )
    finally:
        address.closing = True
        for regular in regulars:
            regular.join()
    server.end(signal.SIGTERM)
    for regular in regulars:
        assert regular.failure is None, f"{regular.kinds}: {regular.failure!r}"
    moves = sum(regular.moves for regular in regulars)
    assert moves > KILLS, f"there was no load: {moves} moves"
    for table, found in numbers(tmp_path / "grandtour.db").items():
        assert found == list(range(len(found))), f"the numbers of table {table} have a gap: {found}"
