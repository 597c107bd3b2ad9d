"""Replays of files that are sent by the dozen, and never read."""

import random
import time

from grandtour.engine import catalogue, tour
from grandtour.engine.match import Match
from tests.attacks.conftest import Attacking
from tests.attacks.victim import Victim

MEGABYTE = 1 << 20
SECONDS = 5.0


def played(name: str, seats: int) -> Match:
    game, dice = catalogue.game(name), random.Random(2)
    match = Match(game, seats, None, 1)
    while not match.over:
        seat = dice.choice(match.waiting())
        match.play(seat, dice.choice(match.legal(seat)))
    return match


def sealed(text: str) -> bytes:
    """A file that was edited, its check made to fit."""
    body = text.rpartition("check: ")[0]
    return (body + f"check: {tour._check(body)}\n").encode()


def post_and_never_read(victim: Victim, body: bytes, times: int) -> None:
    lines = [victim.connect(read=False) for _ in range(times)]
    for line in lines:
        # Who is refused at once may be cut off before everything is sent.
        try:
            line.sendall(victim.request("POST", "/api/replay", body))
        except OSError:
            continue
    time.sleep(SECONDS)
    for line in lines:
        line.close()


def test_a_file_with_endless_names_is_no_bomb(attacking: Attacking) -> None:
    text = tour.save(played("round-trip", 4), ["AAA", "BBB", "CCC", "DDD"])
    for name in ("AAA", "BBB", "CCC", "DDD"):
        text = text.replace(name, name[0] * 120_000)
    victim = attacking()
    with victim.watched():
        post_and_never_read(victim, sealed(text), 12)
    victim.assert_well(grown=100 * MEGABYTE, late=2.0)
    assert victim.ask("POST", "/api/replay", sealed(text))[0] == 400


def test_a_flood_of_replays_stops_nobody_else(attacking: Attacking) -> None:
    text = sealed(tour.save(played("itchy-feet", 6)))
    victim = attacking()
    with victim.watched():
        post_and_never_read(victim, text, 60)
    victim.assert_well(grown=100 * MEGABYTE, late=2.0)
    status, answer = victim.ask("POST", "/api/replay", text, address="127.0.0.3", timeout=30)
    assert (status, b'"game":"itchy-feet"' in answer[:100]) == (200, True), answer[:100]
