"""Floods of files to be replayed or reviewed, and of requests for finished matches."""

import asyncio
import itertools
import random
import threading
import time
from pathlib import Path

from grandtour.engine import catalogue, tour
from grandtour.engine.match import Match
from grandtour.server.storage.sqlite_store import FILE, SqliteStore
from grandtour.server.storage.store import TableRow
from grandtour.server.tables import records
from grandtour.server.tables.records import Made, Moved, Over, SeatRecord, Started
from tests.attacks.conftest import Attacking
from tests.attacks.victim import Victim

MEGABYTE = 1 << 20
SECONDS = 5.0
REVIEWS = 3
"""The number of requests by each attacker, one after another."""
REVIEW_COST = 0.015
"""Processor time in seconds that each may take in the server's process, three times the actual time. If that process
read the file, it would take 0.6."""
TABLE = "longlonglong"
LONG: dict[str, object] = {"turn_limit": 200}
COST = 0.01
"""Seconds of processor time that each request for a finished match may take. Writing the file takes more."""


def played(name: str, seats: int, options: dict[str, object] | None = None, seed: int | bytes = 1) -> Match:
    game, dice = catalogue.game(name), random.Random(2)
    match = Match(game, seats, options, seed)
    while not match.over:
        seat = dice.choice(match.waiting())
        match.play(seat, dice.choice(match.legal(seat)))
    return match


def sealed(text: str) -> bytes:
    """A file that was edited, with a new checksum."""
    body = text.rpartition("check: ")[0]
    return (body + f"check: {tour._check(body)}\n").encode()


def post_and_never_read(victim: Victim, body: bytes, times: int) -> None:
    lines = [victim.connect(read=False) for _ in range(times)]
    for line in lines:
        # A request that is refused at once may be closed before everything is sent.
        try:
            line.sendall(victim.request("POST", "/api/replay", body))
        except OSError:
            continue
    time.sleep(SECONDS)
    for line in lines:
        line.close()


def test_a_file_with_endless_names_does_not_exhaust_memory(attacking: Attacking) -> None:
    text = tour.save(played("round-trip", 4), ["AAA", "BBB", "CCC", "DDD"])
    for name in ("AAA", "BBB", "CCC", "DDD"):
        text = text.replace(name, name[0] * 120_000)
    victim = attacking()
    with victim.watched():
        post_and_never_read(victim, sealed(text), 12)
    victim.assert_well(grown=100 * MEGABYTE, late=2.0)
    assert victim.ask("POST", "/api/replay", sealed(text))[0] == 400


def test_a_flood_of_replays_does_not_affect_others(attacking: Attacking) -> None:
    text = sealed(tour.save(played("itchy-feet", 6)))
    victim = attacking()
    with victim.watched():
        post_and_never_read(victim, text, 60)
    victim.assert_well(grown=100 * MEGABYTE, late=2.0)
    status, answer = victim.ask("POST", "/api/replay", text, address="127.0.0.3", timeout=30)
    assert (status, b'"game":"itchy-feet"' in answer[:100]) == (200, True), answer[:100]


def unique_file(text: str, number: int) -> bytes:
    """The file with another name in it, so that no cached result applies."""
    return sealed(text.replace("Player 1", f"Player {number}", 1))


def test_a_flood_of_reviews_does_not_affect_others(attacking: Attacking) -> None:
    text = tour.save(played("itchy-feet", 6, LONG))
    victim = attacking()
    numbers = itertools.count(100)

    def ask_for_reviews(address: str) -> None:
        for _ in range(REVIEWS):
            body = unique_file(text, next(numbers))
            victim.ask("POST", "/api/moments?seat=1", body, address=address, timeout=SECONDS)

    attackers = [threading.Thread(target=ask_for_reviews, args=(f"127.0.4.{1 + number % 8}",)) for number in range(16)]
    busy = victim.busy()
    with victim.watched():
        for attacker in attackers:
            attacker.start()
        for attacker in attackers:
            attacker.join()
    used = victim.busy() - busy
    print(f"{used:.2f} s of processor time for {16 * REVIEWS} reviews")
    assert used < REVIEW_COST * 16 * REVIEWS, f"the server itself was busy for {used:.1f} s with {16 * REVIEWS} reviews"
    victim.assert_well(grown=100 * MEGABYTE, late=2.0)


async def plant(data: Path, match: Match, secret: bytes) -> None:
    """Put a finished match into the store."""
    seats = [SeatRecord(f"P{seat}", f"{seat:064x}") for seat in range(match.seats)]
    made = Made(match.game.name, match.version, match.options, seats, False, time.time(), secret.hex())
    moves = [Moved(entry.seat, match.game.moves.name(entry.move), "person") for entry in match.log]
    result = match.result()
    assert result is not None
    log: list[records.Record] = [made, Started(), *moves, Over(result)]
    store = SqliteStore(data / FILE)
    await store.create(TableRow(TABLE, time.time(), False, b"{}"), [records.encode(record) for record in log])
    await store.close()


def test_a_finished_match_is_written_once_however_often_it_is_requested(attacking: Attacking, tmp_path: Path) -> None:
    secret = bytes(32)
    asyncio.run(plant(tmp_path, played("itchy-feet", 6, LONG, secret), secret))
    victim = attacking()
    assert victim.ask("GET", f"/api/tables/{TABLE}/tour", timeout=60)[0] == 200
    busy = victim.busy()
    with victim.watched():
        answers = [victim.ask("GET", f"/api/tables/{TABLE}/tour", address="127.0.0.2") for _ in range(60)]
    each = (victim.busy() - busy) / len(answers)
    print(f"{len(answers[0][1])} bytes, {1000 * each:.1f} ms of processor time each")
    assert {status for status, _ in answers} == {200}
    assert each < COST, f"each takes {1000 * each:.1f} ms of processor time"
    victim.assert_well(grown=50 * MEGABYTE, late=1.5)
