"""Absent players do not block the others: a bot moves for them, and another person acts as host."""

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grandtour.engine import catalogue, tour
from grandtour.server.settings import Limits, Settings
from grandtour.server.tables.presence import KNOWN_AWAY_DIVISOR, RETURN_GRACE, Presence
from grandtour.server.tables.records import Made, Moved, SeatRecord, Undone
from grandtour.server.tables.table import Step, Table
from tests.rules import rule
from tests.server.client import PLENTY, Api, Client, Message
from tests.server.conftest import Serving
from tests.server.test_moments import ask_until_done, finished_review

SOON = 0.2
"""Seconds that a table in these tests waits for an absent player."""
WAITING: dict[str, Any] = {
    "patiences": (0, SOON, 120),
    "limits": Limits(tables=PLENTY, requests=PLENTY, messages=PLENTY),
}


def two_players(api: Api, game: str = "round-trip", patience: float = SOON, **options: Any) -> tuple[Message, Message]:
    """A match of Ada, who opened the table, and Bruno: their seats."""
    opened = api.open("me", "open", game=game, options=options, patience=patience)
    return opened, {"table": opened["table"], **api.sit(opened["table"], "Bruno")}


def stand_ins(client: Client, seat: int = 1) -> list[Message]:
    return [event for event in client.events.values() if event.get("by") == "stand-in" and event["seat"] == seat]


@rule("RT-4", "TR-4", "IF-3", "JI-3", "WT-4")
@pytest.mark.parametrize("game", catalogue.games())
def test_in_every_game_a_bot_moves_for_an_absent_player_and_the_log_says_so(serving: Serving, game: str) -> None:
    api = serving(**WAITING)
    made, _ = two_players(api, game)
    with api.join(made["table"], made["secret"]) as ada:
        while len(stand_ins(ada)) < 4 and not ada.over():
            if 0 in ada.now["waiting"] and ada.now["legal"]:
                ada.move(random.choice(ada.moves()))
            else:
                ada.receive()
        assert stand_ins(ada)
        for event in stand_ins(ada):
            assert event["text"][0] == "Bruno is away: a bot makes this move."
            assert "move" not in event, "the others are sent the stand-in's move"


def test_a_returning_player_plays_on_and_can_read_what_the_bot_did(serving: Serving) -> None:
    api = serving(**WAITING)
    made, place = two_players(api, start="2", turn_limit=60)
    with api.join(made["table"], made["secret"]) as ada:
        ada.until(lambda: bool(stand_ins(ada)))
        with api.join(made["table"], place["secret"]) as bruno:
            done = len(stand_ins(bruno))
            assert stand_ins(bruno)[0]["text"][0] == "You were away: a bot made this move."
            assert bruno.table["seats"][1]["bot"] is None, "the seat is still Bruno's"
            while not bruno.now["legal"]:
                ada.until(ada.my_turn)
                ada.play(lambda moves: moves[-1], moves=1)
                bruno.until(lambda: bruno.now["n"] >= ada.now["n"])
            bruno.play(lambda moves: moves[0], moves=1)
            assert len(stand_ins(bruno)) == done


def test_a_bot_moves_for_each_of_two_absent_players(serving: Serving, rendezvous: None) -> None:
    api = serving(**WAITING)
    opened = api.open("me", "open", "open", game="rendezvous", patience=SOON)
    api.sit(opened["table"], "Bruno")
    api.sit(opened["table"], "Carla")
    with api.join(opened["table"], opened["secret"]) as ada:
        ada.until(lambda: bool(stand_ins(ada, 1)) and bool(stand_ins(ada, 2)))
        ada.move({"do": "meet", "place": "Pier", "hour": 10})
        ada.until(ada.over)


def test_after_a_restart_the_stand_in_continues_without_a_second_wait(serving: Serving) -> None:
    api = serving(**WAITING)
    made, _ = two_players(api, start="2", turn_limit=60)
    api = serving(**WAITING)
    with api.join(made["table"], made["secret"]) as ada:
        ada.until(lambda: bool(stand_ins(ada)))


def test_patience_is_chosen_when_a_table_is_opened(serving: Serving) -> None:
    api = serving(**WAITING)
    assert api.get(f"/api/tables/{api.open('me', 'open')['table']}")["patience"] == 120, "two minutes by default"
    opened = api.open("me", "open", patience=0)
    assert api.get(f"/api/tables/{opened['table']}")["patience"] == 0
    wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}], "patience": 1}
    status, refused = api.request("POST", "/api/tables", wanted)
    assert (status // 100, refused["code"]) == (4, "bad-options")


def test_everyone_sees_who_is_away_and_for_how_long(serving: Serving) -> None:
    api = serving()
    made, place = two_players(api, patience=0)
    with api.join(made["table"], made["secret"]) as ada:
        with api.join(made["table"], place["secret"]):
            ada.until(lambda: ada.table["seats"][1]["here"])
            assert [seat["away"] for seat in ada.table["seats"]] == [None, None]
        ada.until(lambda: not ada.table["seats"][1]["here"])
        assert 0 <= ada.table["seats"][1]["away"] < 60
        api.until(lambda: api.get(f"/api/tables/{made['table']}")["seats"][1]["away"] > 0)


def test_an_absent_hosts_rights_pass_to_the_next_person_present_and_come_back(serving: Serving) -> None:
    api = serving(host_grace=SOON)
    opened = api.open("me", "open", "open", "open")
    places = [api.sit(opened["table"], name) for name in ("Bruno", "Carla")]
    with api.join(opened["table"], places[1]["secret"]) as carla:
        carla.until(lambda: carla.table["host"] == 2)
        carla.until(lambda: carla.now["prompt"]["text"].endswith("or start with bots."))
        with api.join(opened["table"], places[0]["secret"]) as bruno:
            assert bruno.table["host"] == 1, "Bruno sat down before Carla did"
            with api.join(opened["table"], opened["secret"]) as ada:
                assert ada.table["host"] == 0, "the host is host again on return"
                assert bruno.ask("start")["code"] == "not-host"
            bruno.until(lambda: bruno.table["host"] == 1)
            assert carla.ask("start")["code"] == "not-host"
            assert bruno.ask("start")["type"] == "ack"
            assert bruno.ask("bot", seat=3, bot="hard")["type"] == "ack", "in the match too"
        carla.until(lambda: carla.table["host"] == 2)
        assert carla.ask("bot", seat=0, bot="easy")["type"] == "ack"


def test_a_host_who_reloads_the_page_stays_host(serving: Serving) -> None:
    api = serving(host_grace=60.0)
    opened = api.open("me", "open", "open")
    place = api.sit(opened["table"], "Bruno")
    with api.join(opened["table"], place["secret"]) as bruno:
        with api.join(opened["table"], opened["secret"]):
            bruno.until(lambda: bruno.table["seats"][0]["here"])
        bruno.until(lambda: not bruno.table["seats"][0]["here"])
        assert bruno.table["host"] == 0
        assert bruno.ask("start")["code"] == "not-host"


def test_reviews_leave_out_the_moves_of_a_stand_in(serving: Serving) -> None:
    api = serving(**WAITING, review_budget="5ms", review_decisions=3, hint_deadline=20.0)
    made, place = two_players(api, start="2", turn_limit=10)
    with api.join(made["table"], made["secret"]) as ada:
        with api.join(made["table"], place["secret"]) as bruno:
            bruno.play(lambda moves: moves[0], moves=1)
        while not ada.over():
            if ada.now["legal"]:
                ada.move(random.choice(ada.moves()))
            else:
                ada.receive()
    assert len(stand_ins(ada)) > 1
    told = {seat: finished_review(api, made["table"], seat)[1] for seat in (0, 1)}
    assert told[1]["of"] <= 1 < told[0]["of"], "moves of the stand-in were reviewed"
    saved = api.fetch("GET", f"/api/tables/{made['table']}/tour")[1]
    assert len(tour.stand_ins(saved)) == len(stand_ins(ada)), "the file marks them, too"
    status, again = ask_until_done(lambda: api.request("POST", "/api/moments?seat=1", saved.encode()))
    assert (status, again["of"]) == (200, told[1]["of"])
    steps = api.get(f"/api/tables/{made['table']}/replay")["steps"]
    flagged = [step for step in steps if "A bot made this move for Bruno." in step["text"]]
    assert len(flagged) == len(stand_ins(ada)), "and the replay's log says so at each of them"


class Clock:
    """A fake clock that the test advances."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(time, "time", lambda: self.now)
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


Playing = Callable[..., Table]


@pytest.fixture
def table(clock: Clock) -> Playing:
    """A match of two in which it is now the turn of Bruno, seat 1."""

    def make(patience: float = 120.0) -> Table:
        game = catalogue.game("round-trip")
        seats = [SeatRecord("Ada", "a"), SeatRecord("Bruno", "b")]
        options = {"start": "2", "turn_limit": 60}
        table = Table("table", Made(game.name, game.version, options, seats, False, 0.0, "00" * 32, True, patience))
        for step in table.start():
            table.apply(step)
        table.waiting_since = {1: clock.now}
        return table

    return make


def presence_of(table: Table, *here: int) -> Presence:
    found = Presence(table, Settings(Path("nowhere")))
    found.update(set(here))
    return found


def stand_in(table: Table, present: Presence, clock: Clock) -> None:
    """A bot makes a move for Bruno, who is then to move again."""
    assert table.match is not None
    for step in table.play(1, table.match.legal(1)[0], by="stand-in"):
        table.apply(step)
    present.note_stand_in(1)
    assert set(table.waiting_since) == {1}, "the turn is not over with the first move"
    table.waiting_since = {1: clock.now}


def test_a_bot_moves_only_after_the_tables_patience_is_over(clock: Clock, table: Playing) -> None:
    playing = table()
    present = presence_of(playing, 0)
    clock.now += 119.5
    assert present.overdue_seat(playing) is None
    assert present.next_change(playing) == pytest.approx(0.5)
    clock.now += 0.5
    assert present.overdue_seat(playing) == 1


def test_a_bot_never_moves_for_somebody_who_is_connected(clock: Clock, table: Playing) -> None:
    playing = table()
    present = presence_of(playing, 0, 1)
    clock.now += 10_000
    assert present.overdue_seat(playing) is None
    present.update({0})
    assert present.overdue_seat(playing) is None, "the time runs from the moment at which Bruno left"
    clock.now += 119
    assert present.overdue_seat(playing) is None
    present.update({0, 1})
    clock.now += 60
    assert present.overdue_seat(playing) is None
    present.update({0})
    clock.now += 120
    assert present.overdue_seat(playing) == 1


def test_no_bot_moves_if_nobody_is_waiting(clock: Clock, table: Playing) -> None:
    """Friends who stop for the night find their match unchanged, and have some time to reconnect."""
    playing = table()
    present = presence_of(playing)
    clock.now += 30_000
    assert present.overdue_seat(playing) is None
    assert present.next_change(playing) is None
    present.update({0})
    assert present.overdue_seat(playing) is None
    clock.now += RETURN_GRACE
    assert present.overdue_seat(playing) == 1


def test_a_table_may_wait_forever(clock: Clock, table: Playing) -> None:
    playing = table(patience=0.0)
    present = presence_of(playing, 0)
    clock.now += 100_000
    assert present.overdue_seat(playing) is None


def test_a_seat_that_a_bot_already_plays_needs_no_stand_in(clock: Clock, table: Playing) -> None:
    playing = table()
    playing.seats[1] = SeatRecord("Bruno", "b", "normal")
    present = presence_of(playing, 0)
    clock.now += 1000
    assert present.overdue_seat(playing) is None


def test_the_others_wait_less_for_somebody_known_to_be_away(clock: Clock, table: Playing) -> None:
    playing = table()
    present = presence_of(playing, 0)
    clock.now += 120
    stand_in(playing, present, clock)
    clock.now += 120 / KNOWN_AWAY_DIVISOR - 1
    assert present.overdue_seat(playing) is None
    clock.now += 1
    assert present.overdue_seat(playing) == 1
    present.update({0, 1})
    present.update({0})
    clock.now += 119
    assert present.overdue_seat(playing) is None, "after coming back and leaving again, the full wait applies"
    clock.now += 1
    assert present.overdue_seat(playing) == 1


def test_how_long_the_game_has_waited_is_known_after_a_restart(clock: Clock, table: Playing) -> None:
    playing = table()
    clock.now += 80
    present = presence_of(playing, 0)
    clock.now += 39
    assert present.overdue_seat(playing) is None
    clock.now += 1
    assert present.overdue_seat(playing) == 1, "the eighty seconds before the restart count"


def test_whom_a_bot_moved_for_is_known_after_a_restart(clock: Clock, table: Playing) -> None:
    playing = table()
    stand_in(playing, presence_of(playing, 0), clock)
    clock.now += 1
    restarted = presence_of(playing, 0)
    clock.now += RETURN_GRACE - 1
    assert restarted.overdue_seat(playing) is None, "there is time to come back"
    clock.now += 1
    assert restarted.overdue_seat(playing) == 1


def test_a_match_knows_since_when_it_waits_for_each_seat() -> None:
    game = catalogue.game("ticket-to-ride-italy")
    seats = [SeatRecord("Ada", "a"), SeatRecord("Bruno", "b")]
    table = Table("table", Made(game.name, game.version, {}, seats, False, 0.0, "00" * 32))
    for step in table.start():
        table.apply(step)
    assert table.match is not None
    began = table.waiting_since[0]
    assert table.waiting_since == {0: began, 1: began}, "everyone chooses tickets at the same time"
    move = table.match.legal(1)[0]
    table.apply(table.replay(Moved(1, move, "person", time=began + 5)))
    assert table.waiting_since[0] == began, "another seat's move restarted the wait"
    assert table.waiting_since.get(1, began + 5) == began + 5


def test_an_undone_move_no_longer_counts_as_a_stand_ins(clock: Clock, table: Playing) -> None:
    playing = table()
    assert playing.match is not None
    stand_in(playing, presence_of(playing, 0), clock)
    assert (playing.absent_seats(), playing.stand_in_moves()) == ({1}, {1})
    playing.apply(Step(Undone(1, "id")))
    assert (playing.absent_seats(), playing.stand_in_moves()) == (set(), set())
