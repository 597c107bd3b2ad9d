"""The deal of the day: the same for everyone, against the same bots; the first attempt counts."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grandtour.server.people import daily
from grandtour.server.people.daily import dice_of
from grandtour.server.storage import deal_store
from grandtour.server.storage.sqlite_store import FILE
from tests.server.client import Api, Message
from tests.server.conftest import Serving
from tests.server.test_passports import passport, refused

GAME = "postcards-home"


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that need no time to think."""
    monkeypatch.setattr(daily, "BOT", "random")


def play(api: Api, mine: Message, last: bool = False) -> tuple[str, list[Message]]:
    """Play the deal with the first legal move each time, or the last. Returns the table and the log of the moves."""
    opened = api.post(f"/api/games/{GAME}/daily", {"passport": mine["secret"]})
    with api.join(opened["table"], passport=mine["secret"]) as me:
        assert me.seat == 0
        me.play(lambda moves: moves[-1 if last else 0])
        told = [event for event in me.events.values() if event["kind"] in ("start", "move")]
        return opened["table"], [{**event, "text": []} for event in told]


def deal(api: Api, mine: Message | None = None, **more: object) -> Message:
    body = {} if mine is None else {"passport": mine["secret"]}
    found: list[Message] = api.post("/api/daily", {**body, **more})
    return next(one for one in found if one["game"] == GAME)


def later(days: int) -> str:
    return (datetime.now(UTC).date() + timedelta(days=days)).isoformat()


def test_everyone_has_the_same_deal_and_the_same_bots(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    api = serving()
    ada, bruno, carla = (passport(api, name) for name in ("Ada", "Bruno", "Carla"))
    first, events = play(api, ada)
    second, same = play(api, bruno)
    assert first != second
    assert events == same, "the same moves lead to the same cards and the same bot moves"
    play(api, carla, last=True)
    api.until(lambda: deal(api)["people"] == 3 and deal(api)["par"] is not None)
    found = deal(api, ada)
    results = {result["name"]: result for result in found["results"]}
    assert results["Ada"]["rank"] == results["Bruno"]["rank"], "equal results have the same rank"
    assert results["Carla"]["rank"] in (1, 3)
    assert found["mine"]["table"] == first
    assert found["par"]["rank"] == 0
    assert {result["table"] for result in found["results"]} == {None}, (
        "other people's matches are not linked on the same day"
    )
    assert deal(api)["mine"] is None
    # The next day they are linked.
    day = daily.today()
    monkeypatch.setattr(daily, "today", lambda: later(1))
    yesterday = deal(api, bruno, day=day)
    assert {result["table"] for result in yesterday["results"]} >= {first, second}
    assert yesterday["par"]["table"] is not None
    assert deal(api, bruno)["results"] == []
    assert api.post(f"/api/games/{GAME}/daily", {"passport": ada["secret"]})["table"] != first
    third = api.get(f"/api/tables/{deal(api, ada)['running']}")
    assert (third["daily"], third["hints"], third["public"]) == (later(1), False, False)
    assert third["seal"] != api.get(f"/api/tables/{first}")["seal"]


def test_the_first_attempt_counts(serving: Serving) -> None:
    api = serving()
    mine = passport(api)
    opened = api.post(f"/api/games/{GAME}/daily", {"passport": mine["secret"]})
    again = api.post(f"/api/games/{GAME}/daily", {"passport": mine["secret"]})
    assert (again["table"], again["secret"]) == (opened["table"], None), "an unfinished attempt is continued"
    with api.join(opened["table"], passport=mine["secret"]) as me:
        assert me.ask("undo", at=me.last)["code"] == "not-offered"
        assert me.ask("hint")["code"] == "not-offered"
        me.ask("bot", seat=0, bot="random")
        me.until(me.over)
    api.until(lambda: deal(api, mine)["mine"] is not None)
    first = deal(api, mine)
    assert first["mine"]["share"] == 0, "a game that a bot played does not count"
    play(api, mine)
    assert deal(api, mine)["mine"] == first["mine"], "further attempts are practice"


def test_a_result_lost_in_a_crash_is_recorded_later(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is killed after the last move, before it records the result."""

    async def killed(*_: object) -> None:
        pass

    with monkeypatch.context() as dying:
        dying.setattr(daily.Daily, "settle", killed)
        api = serving()
        mine = passport(api)
        table, _ = play(api, mine)
        assert (deal(api, mine)["running"], deal(api, mine)["mine"]) == (table, None)
    api = serving()
    found = deal(api, mine)
    assert (found["running"], found["people"]) == (None, 1)
    assert found["mine"]["table"] == table
    api.until(lambda: deal(api)["par"] is not None)


def test_an_attempt_whose_result_was_lost_counts_as_finished(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    async def killed(*_: object) -> None:
        pass

    with monkeypatch.context() as dying:
        dying.setattr(daily.Daily, "settle", killed)
        api = serving()
        mine = passport(api)
        table, _ = play(api, mine)
    api = serving()
    again = api.post(f"/api/games/{GAME}/daily", {"passport": mine["secret"]})
    assert again["table"] != table, "a new table is for practice"


def test_only_the_best_results_of_a_deal_are_read(
    serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = serving()
    mine = passport(api)
    play(api, mine)
    api.until(lambda: deal(api, mine)["mine"] is not None)
    store = tmp_path / FILE
    with contextlib.closing(sqlite3.connect(store)) as db, db:
        rows = [(f"t{n}", daily.today(), GAME, f"p{n}", "Ada", 1, 50.0 + n % 7, 2.0) for n in range(3000)]
        db.executemany("INSERT INTO deals VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    read = 0
    made = deal_store._attempt

    def count(row: Any) -> deal_store.Attempt:
        nonlocal read
        read += 1
        return made(row)

    monkeypatch.setattr(deal_store, "_attempt", count)
    found = deal(api, mine)
    assert (found["people"], found["mine"]["rank"]) == (3001, 3001)
    assert [result["rank"] for result in found["results"]] == [1] * daily.MAX_RESULTS
    assert read < 2 * daily.MAX_RESULTS


@pytest.mark.parametrize(
    ("team", "shares", "scores", "place"),
    [
        (False, [1.0, 0.0, 0.0], [9, 5, 7], 1),
        (False, [0.0, 1.0, 0.0], [7, 9, 5], 2),
        (False, [0.0, 1.0, 0.0], [5, 9, 7], 3),
        (False, [0.0, 1.0, 0.0], [None, None, None], 2),
        (True, [12.0, 12.0, 12.0], [12, 12, 12], 0),
    ],
)
def test_places_at_a_table_are_sorted_by_win_share_then_score(
    monkeypatch: pytest.MonkeyPatch, team: bool, shares: list[float], scores: list[int | None], place: int
) -> None:
    noted: list[tuple[object, ...]] = []
    rows = [SimpleNamespace(seat=seat, score=score) for seat, score in enumerate(scores)]
    monkeypatch.setattr(daily, "final_of", lambda game, state: rows)
    monkeypatch.setattr(deal_store, "set_result", lambda db, *result: noted.append(result))
    table: Any = SimpleNamespace(
        id="table",
        match=SimpleNamespace(state=None),
        result=shares,
        game=SimpleNamespace(team=team),
        entries=[],
        seats=[SimpleNamespace(key="key")] * 3,
    )

    async def run(work: Callable[[object], None]) -> None:
        work(None)

    def nothing(*_: object) -> Any:
        raise AssertionError("no table is opened")

    store: Any = SimpleNamespace(run=run)
    asyncio.run(daily.Daily(store, nothing, nothing, nothing).settle(table))
    assert noted == [("table", place, scores[0], shares[0])]


def test_nobody_else_can_join_a_deal_of_the_day(api: Api) -> None:
    mine = passport(api)
    opened = api.post(f"/api/games/{GAME}/daily", {"passport": mine["secret"]})
    answer = refused(api, f"/api/tables/{opened['table']}/sit", {"name": "Bruno", "seat": 1})
    assert answer["code"] == "taken"


@pytest.mark.parametrize("day", ["today", "2026-1-1", "9999-99-99", "", "2026-11-18T00:00", later(1), later(-400)])
def test_an_invalid_day_is_refused(api: Api, day: str) -> None:
    assert refused(api, "/api/daily", {"day": day})["code"] == "malformed"


def test_a_deal_needs_a_passport_and_a_known_game(api: Api) -> None:
    mine = passport(api)
    assert refused(api, f"/api/games/{GAME}/daily", {})["code"] == "malformed"
    assert refused(api, f"/api/games/{GAME}/daily", {"passport": "a.b"})["code"] == "wrong-passport"
    assert refused(api, "/api/games/chess/daily", {"passport": mine["secret"]})["code"] == "unknown-game"


def test_deals_of_different_days_have_unrelated_dice() -> None:
    secret = bytes(32)
    dice = {dice_of(secret, game, day) for game in ("a", "b") for day in ("2026-11-18", "2026-11-19")}
    assert len(dice) == 4
    assert dice_of(b"other", "a", "2026-11-18") not in dice
