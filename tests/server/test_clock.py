"""The clock of a table: a game says in its view what runs out, the server counts, and the end is a move."""

import signal
import time
from typing import Any

import pytest

from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.state import CLOCK, State
from grandtour.server.room import GRACE
from tests.engine.tiny import RENDEZVOUS
from tests.server.client import House
from tests.server.conftest import Serving, Starting

TIMED = "rendezvous"
PARTS = (
    *("name", "title", "subtitle", "summary", "players", "minutes", "options", "moves", "rules", "objection"),
    *("prompt", "describe", "describe_move", "final", "choose", "rulebook"),
)


def timed(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Rendezvous with a clock that everybody sees."""

    def view(state: State, seat: int | None) -> dict[str, Any]:
        clock = {"of": "choosing", "seconds": seconds} if state.legal(CLOCK) else None
        return {"waiting": state.waiting(), "clock": clock}

    parts = {part: getattr(RENDEZVOUS, part) for part in PARTS}
    monkeypatch.setitem(catalogue.games(), TIMED, Game(**parts, view=view))


def test_when_the_clock_has_run_out_it_moves_and_everyone_is_told(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, 0.2)
    house = serving()
    made = house.open("me", "open", game=TIMED)
    other = house.sit(made["table"], "Bruno")
    with house.join(made["table"], made["secret"]) as ada, house.join(made["table"], other["secret"]) as bruno:
        for client in (ada, bruno):
            client.until(client.over)
            moves = [event for event in client.events.values() if event["kind"] == "move"]
            assert [(event["seat"], event["by"]) for event in moves] == [(CLOCK, "clock")]
            assert client.now["clock"] is None, "a clock that has run out is gone"


def test_everybody_is_told_how_much_time_is_left(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 500)
    house = serving()
    made = house.open("me", "open", game=TIMED)
    other = house.sit(made["table"], "Bruno")
    with house.join(made["table"], made["secret"]) as ada, house.join(made["table"], other["secret"]) as bruno:
        for client in (ada, bruno):
            clock = client.now["clock"]
            assert (clock["of"], clock["seconds"]) == ("choosing", 500)
            assert 0 < clock["left"] <= 500
        first = ada.now["clock"]["left"]
        bruno.move({"do": "meet", "place": "Pier", "hour": 10})
        ada.until(lambda: ada.now["view"]["waiting"] == [0])
        assert ada.now["clock"]["left"] <= first, "a move does not wind the clock up again"


def test_a_clock_that_is_no_longer_needed_never_rings(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 500)
    house = serving()
    made = house.open("me", "open", game=TIMED)
    other = house.sit(made["table"], "Bruno")
    with house.join(made["table"], made["secret"]) as ada, house.join(made["table"], other["secret"]) as bruno:
        ada.move({"do": "meet", "place": "Pier", "hour": 10})
        bruno.move({"do": "meet", "place": "Pier", "hour": 11})
        ada.until(ada.over)
        assert ada.now["clock"] is None
        assert all(event["by"] != "clock" for event in ada.events.values() if event["kind"] == "move")


def test_a_restart_of_the_server_does_not_wind_the_clock_up_again(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, 500)
    house = serving()
    made = house.open("me", "open", game=TIMED)
    house.sit(made["table"], "Bruno")
    later = time.time() + 100
    monkeypatch.setattr(time, "time", lambda: later)
    with serving().join(made["table"], made["secret"]) as ada:
        assert ada.now["clock"]["left"] <= 400, "a hundred seconds have run while the server was away"


def test_after_a_long_break_whoever_comes_back_still_has_a_moment(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, 500)
    house = serving()
    made = house.open("me", "open", game=TIMED)
    house.sit(made["table"], "Bruno")
    later = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: later)
    with serving().join(made["table"], made["secret"]) as ada:
        assert 0 < ada.now["clock"]["left"] <= GRACE
        assert not ada.over()


def test_killed_while_the_sand_runs_the_server_knows_how_much_was_left(starting: Starting) -> None:
    killed = starting()
    house = House(killed.url)
    made = house.open("me", "greedy", game="word-traveler", options={"timer": 120})
    with house.join(made["table"], made["secret"]) as ada:
        assert ada.now["clock"] is None, "the sand runs when everyone is ready"
        ada.move({"do": "ready"})
        ada.until(lambda: ada.now["clock"] is not None)

    def left(house: House) -> float:
        with house.join(made["table"], made["secret"]) as ada:
            return float(ada.now["clock"]["left"])

    house.until(lambda: left(house) < 119)
    before = left(house)
    killed.end(signal.SIGKILL)
    assert left(House(starting().url)) <= before


def test_a_game_without_a_clock_has_none(serving: Serving) -> None:
    house = serving()
    made = house.open("me", "normal", game="round-trip")
    with house.join(made["table"], made["secret"]) as ada:
        assert ada.now["clock"] is None


def test_the_host_need_not_wait_until_everyone_is_ready(serving: Serving) -> None:
    house = serving()
    made = house.open("me", "open", game="word-traveler", options={"timer": 120, "start": "1"})
    other = house.sit(made["table"], "Bruno")
    with house.join(made["table"], made["secret"]) as host, house.join(made["table"], other["secret"]) as bruno:
        assert (host.now["view"]["step"], host.now["clock"]) == ("ready", None)
        assert bruno.ask("start")["code"] == "not-host"
        host.move({"do": "ready"})
        started = host.ask("start", id="now")
        assert started["type"] == "ack"
        bruno.until(lambda: bruno.now["view"]["step"] == "plan")
        assert bruno.now["clock"]["of"] == "planning"
        event = bruno.events[started["n"]]
        assert (event["seat"], event["by"]) == (CLOCK, "clock")
        assert event["text"] == ["Player 1 does not wait any longer.", "The sand timer starts: 2 minutes to plan."]
        assert host.events[started["n"]]["text"][0] == "You do not wait any longer."
        assert host.ask("start", id="now") == started, "twice is once"
        assert host.ask("start")["code"] == "not-legal", "it has begun"
    with serving().join(made["table"], made["secret"]) as host:
        assert host.now["view"]["step"] == "plan", "it is in the store"
        assert host.ask("start", id="now") == started, "and so is who asked for it"
