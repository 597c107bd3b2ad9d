"""A table whose moves were taken back a thousand times."""

import asyncio
import random
import time
from pathlib import Path

from grandtour.engine import catalogue
from grandtour.engine.match import Match
from grandtour.server.storage.sqlite_store import SqliteStore
from grandtour.server.storage.store import TableRow
from grandtour.server.tables import records
from grandtour.server.tables.records import Made, Moved, SeatRecord, Started, Undone
from tests.attacks.conftest import Attacking

MEGABYTE = 1 << 20
MOVES = 2500
PAIRS = 1249
TABLE = "bombbombbomb"


def bomb() -> list[bytes]:
    """The log of a long match at whose end one player makes a move and takes it back, over and over."""
    game, dice = catalogue.game("itchy-feet"), random.Random(2)
    seats = [SeatRecord(f"P{seat}", f"{seat:064x}") for seat in range(6)]
    match = Match(game, 6, None, bytes(32))
    made = Made(game.name, match.version, match.options, seats, False, time.time(), bytes(32).hex())
    log: list[records.Record] = [made, Started()]
    while True:
        assert not match.over, "the match is over too soon"
        seat = dice.choice(match.waiting())
        move = dice.choice(match.legal(seat))
        match.play(seat, move)
        log.append(Moved(seat, move, "person", f"m{len(log)}"))
        if len(match.log) >= MOVES and match.can_undo(seat):
            break
    for pair in range(PAIRS):
        log.append(Undone(seat, f"u{pair}"))
        log.append(Moved(seat, move, "person", f"r{pair}"))
    return [records.encode(record) for record in log]


async def plant(data: Path) -> None:
    store = SqliteStore(data / "grandtour.db")
    await store.create(TableRow(TABLE, time.time(), False, b"{}"), bomb())
    await store.close()


def test_loading_a_table_with_many_undos_does_not_block_others(attacking: Attacking, tmp_path: Path) -> None:
    asyncio.run(plant(tmp_path))
    victim = attacking()
    with victim.watched():
        began = time.monotonic()
        status, answer = victim.ask("GET", f"/api/tables/{TABLE}", address="127.0.0.2", timeout=60)
        took = time.monotonic() - began
        time.sleep(0.3)
    print(f"the table took {took:.1f} s to load")
    assert (status, b'"playing"' in answer) == (200, True), answer[:200]
    victim.assert_well(grown=200 * MEGABYTE, late=1.5)
