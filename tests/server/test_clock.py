"""A game's timer: the game sets it, the server counts it down, and running out is a move."""

import signal
import time
from dataclasses import replace

import pytest

from grandtour.engine import catalogue
from grandtour.engine.game import Clock
from grandtour.engine.state import CLOCK, State
from grandtour.server.tables.session import MIN_TIMER_AFTER_RESTART
from tests.engine.tiny import RENDEZVOUS
from tests.server.client import Api
from tests.server.conftest import Serving, Starting

TIMED = "rendezvous"


def timed(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Give Rendezvous a timer that everyone sees."""

    def clock(state: State) -> Clock | None:
        return {"of": "choosing", "seconds": seconds, "run": 1} if state.legal(CLOCK) else None

    monkeypatch.setitem(catalogue.games(), TIMED, replace(RENDEZVOUS, clock=clock))


def test_when_the_timer_runs_out_the_clock_moves_and_everyone_is_told(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, 0.2)
    api = serving()
    made = api.open("me", "open", game=TIMED)
    other = api.sit(made["table"], "Bruno")
    with api.join(made["table"], made["secret"]) as ada, api.join(made["table"], other["secret"]) as bruno:
        for client in (ada, bruno):
            client.until(client.over)
            moves = [event for event in client.events.values() if event["kind"] == "move"]
            assert [(event["seat"], event["by"]) for event in moves] == [(CLOCK, "clock")]
            assert client.now["clock"] is None, "an expired timer is still sent"


def test_everyone_is_told_how_much_time_is_left(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 500)
    api = serving()
    made = api.open("me", "open", game=TIMED)
    other = api.sit(made["table"], "Bruno")
    with api.join(made["table"], made["secret"]) as ada, api.join(made["table"], other["secret"]) as bruno:
        for client in (ada, bruno):
            clock = client.now["clock"]
            assert (clock["of"], clock["seconds"]) == ("choosing", 500)
            assert 0 < clock["left"] <= 500
        first = ada.now["clock"]["left"]
        bruno.move({"do": "meet", "place": "Pier", "hour": 10})
        ada.until(lambda: ada.now["view"]["waiting"] == [0])
        assert ada.now["clock"]["left"] <= first, "a move restarted the timer"


def test_a_timer_that_is_no_longer_needed_does_not_move(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 500)
    api = serving()
    made = api.open("me", "open", game=TIMED)
    other = api.sit(made["table"], "Bruno")
    with api.join(made["table"], made["secret"]) as ada, api.join(made["table"], other["secret"]) as bruno:
        ada.move({"do": "meet", "place": "Pier", "hour": 10})
        bruno.move({"do": "meet", "place": "Pier", "hour": 11})
        ada.until(ada.over)
        assert ada.now["clock"] is None
        assert all(event["by"] != "clock" for event in ada.events.values() if event["kind"] == "move")


def test_a_restart_does_not_reset_the_timer(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 500)
    api = serving()
    made = api.open("me", "open", game=TIMED)
    api.sit(made["table"], "Bruno")
    later = time.time() + 100
    monkeypatch.setattr(time, "time", lambda: later)
    with serving().join(made["table"], made["secret"]) as ada:
        assert ada.now["clock"]["left"] <= 400, "a hundred seconds have run while the server was away"


def test_after_a_long_downtime_players_have_some_time_left(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    timed(monkeypatch, 500)
    api = serving()
    made = api.open("me", "open", game=TIMED)
    api.sit(made["table"], "Bruno")
    later = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: later)
    with serving().join(made["table"], made["secret"]) as ada:
        assert 0 < ada.now["clock"]["left"] <= MIN_TIMER_AFTER_RESTART
        assert not ada.over()


def test_a_killed_server_knows_how_much_time_was_left(starting: Starting) -> None:
    killed = starting()
    api = Api(killed.url)
    made = api.open("me", "greedy", game="word-traveler", options={"timer": 120})
    with api.join(made["table"], made["secret"]) as ada:
        assert ada.now["clock"] is None, "the sand runs when everyone is ready"
        ada.move({"do": "ready"})
        ada.until(lambda: ada.now["clock"] is not None)

    def left(api: Api) -> float:
        with api.join(made["table"], made["secret"]) as ada:
            return float(ada.now["clock"]["left"])

    api.until(lambda: left(api) < 119)
    before = left(api)
    killed.end(signal.SIGKILL)
    assert left(Api(starting().url)) <= before


def test_a_game_without_a_timer_sends_none(serving: Serving) -> None:
    api = serving()
    made = api.open("me", "normal", game="round-trip")
    with api.join(made["table"], made["secret"]) as ada:
        assert ada.now["clock"] is None


def test_the_host_can_start_before_everyone_is_ready(serving: Serving) -> None:
    api = serving()
    made = api.open("me", "open", game="word-traveler", options={"timer": 120, "start": "1"})
    other = api.sit(made["table"], "Bruno")
    with api.join(made["table"], made["secret"]) as host, api.join(made["table"], other["secret"]) as bruno:
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
        assert host.ask("start", id="now") == started, "a second request changes nothing"
        assert host.ask("start")["code"] == "not-legal", "it has begun"
    with serving().join(made["table"], made["secret"]) as host:
        assert host.now["view"]["step"] == "plan", "it is in the store"
        assert host.ask("start", id="now") == started, "and so is the person who asked for it"
