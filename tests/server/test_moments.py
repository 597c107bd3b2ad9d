"""Reviews of finished matches: turning points at which the hard bot would have played differently."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.players import make, review, worker
from grandtour.players.review import decisions_of
from grandtour.server.settings import Limits
from tests.server import bad_bots
from tests.server.client import PATIENCE, PLENTY, Api, Message
from tests.server.conftest import Serving
from tests.server.test_bots import quietly

GAME = catalogue.game("round-trip")
SHORT = {"turn_limit": 10}
QUICK: dict[str, Any] = {"review_budget": "20ms", "review_decisions": 6, "hint_deadline": 20.0}


def drawn_match(seed: int) -> Match:
    """A match of two random players."""
    match, dice, anyhow = Match(GAME, 2, None, seed), QuickDice(seed), make("random")
    while not match.over:
        seat = match.waiting()[0]
        match.play(seat, GAME.moves.name(anyhow.choose(GAME, match.state, seat, dice)))
    return match


def finished(api: Api) -> str:
    """A table where two random bots have played to the end."""
    table: str = api.open("random", "random", options=SHORT)["table"]
    with api.join(table) as spectator:
        spectator.until(spectator.over)
    return table


def moments(api: Api, table: str, seat: int = 0) -> tuple[int, Message]:
    return api.request("POST", f"/api/tables/{table}/moments?seat={seat}")


def finished_review(api: Api, table: str, seat: int = 0) -> tuple[int, Message]:
    """Ask until the review is done, or refused."""
    return ask_until_done(lambda: moments(api, table, seat))


def ask_until_done(ask: Callable[[], tuple[int, Message]]) -> tuple[int, Message]:
    until = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < until:
        status, told = ask()
        if status != 200 or told["over"]:
            return status, told
        time.sleep(0.05)
    raise AssertionError("the review does not end")


def test_a_decision_is_judged_by_what_its_seat_knew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "WORLDS", 30)
    found = 0
    for decision in decisions_of(drawn_match(5), 0, 6, QuickDice(1)):
        redealt = decision.imagined.imagine(0, QuickDice(77)).imagine(0, QuickDice(5))
        same = decision.imagined.imagine(0, QuickDice(5))
        told, again = (
            worker.judge("hard:20", GAME.name, world, 0, decision.move, 9, PATIENCE) for world in (same, redealt)
        )
        assert told == again, "the judgement depends on what this seat could not see"
        if told is not None:
            found += 1
            assert told.better in decision.imagined.legal(0)
            assert told.better != decision.move
            assert told.cost > 0
    assert found, "no turning point was found in a random match"


def test_decisions_are_the_seats_own_limited_and_spread_over_the_match() -> None:
    match = drawn_match(4)
    every, few = (decisions_of(match, 1, most, QuickDice(1)) for most in (10_000, 5))
    assert all(match.log[decision.n - 1] == (1, decision.move) for decision in every)
    assert len(few) == 5
    assert {decision.n for decision in few} < {decision.n for decision in every}
    assert few[-1].n > match.log.index(match.log[len(match.log) // 2])


def test_turning_points_are_computed_once_and_cached(serving: Serving) -> None:
    api = serving(**QUICK)
    table = finished(api)
    status, told = finished_review(api, table, 1)
    assert status == 200, f"it is refused: {told}"
    assert told["done"] == told["of"] == 6
    costs = [moment["cost"] for moment in told["moments"]]
    assert costs == sorted(costs, reverse=True)
    steps = api.get(f"/api/tables/{table}/replay?seat=1")["steps"]
    assert all(steps[moment["n"]]["seat"] == 1 for moment in told["moments"])
    assert moments(api, table, 1) == (200, told)
    # The same match can also be reviewed as a file.
    file = api.fetch("GET", f"/api/tables/{table}/tour")[1].encode()
    status, told = ask_until_done(lambda: api.request("POST", "/api/moments?seat=1", file))
    assert (status, told["seat"], told["done"]) == (200, 1, 6)
    assert api.request("POST", "/api/moments?seat=2", file)[1]["code"] == "wrong-seat"
    assert api.request("POST", "/api/moments?seat=0", b"Dear diary")[1]["code"] == "bad-file"


def test_a_running_match_has_no_turning_points(api: Api) -> None:
    opened = api.open("me", "normal", options=SHORT)
    status, refused = moments(api, opened["table"])
    assert (status // 100, refused["code"]) == (4, "not-over")


def test_turning_points_belong_to_a_seat(api: Api) -> None:
    table = finished(api)
    assert moments(api, table, 7)[1]["code"] == "wrong-seat"
    assert api.request("POST", f"/api/tables/{table}/moments")[1]["code"] == "malformed"


def test_reviews_are_refused_while_the_server_is_busy(serving: Serving) -> None:
    api = serving(**QUICK, limits=Limits(tables=PLENTY, requests=PLENTY, reviews=0))
    status, refused = moments(api, finished(api))
    assert (status // 100, refused["code"]) == (4, "busy")


def test_play_continues_while_a_match_is_reviewed(serving: Serving) -> None:
    api = serving(review_budget="5000ms", hint_deadline=60.0)
    table = finished(api)
    assert moments(api, table)[0] == 200
    opened = api.open("me", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(lambda moves: moves[-1], moves=4)
    told = moments(api, table)[1]
    assert not told["over"], "the review was over before the others had moved, so this test proves nothing"


def test_a_review_whose_process_died_can_be_asked_for_again(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    api = serving(**QUICK)
    table = finished(api)
    with monkeypatch.context() as broken, quietly(caplog, "the hint bot failed"):
        broken.setattr(worker, "judge", bad_bots.die)
        assert finished_review(api, table)[1]["code"] == "failed"
    status, told = finished_review(api, table)
    assert (status, told["done"]) == (200, 6)
