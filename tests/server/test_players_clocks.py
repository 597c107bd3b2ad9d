"""The players' clocks are rebuilt from stored times and paused by agreement, and never end a match."""

import random
import time
from typing import Any

import msgspec
import pytest

from grandtour.engine import catalogue, tour
from grandtour.engine.refusal import Refusal
from grandtour.protocol.messages import TimeControl, Times
from grandtour.server import registry
from grandtour.server.settings import Settings
from grandtour.server.tables.clocks import OVERTIME, check_time_control
from grandtour.server.tables.presence import RETURN_GRACE, Presence
from grandtour.server.tables.records import Made, Outage, Seated, SeatRecord
from grandtour.server.tables.table import Step, Table
from grandtour.server.uptime import uncovered
from tests.server.client import Api, Client, Message
from tests.server.conftest import Serving
from tests.server.test_passports import games, passport

MATCH = TimeControl("match", 100.0, 5.0)
DAY = 24 * 3600.0
MOVE = TimeControl("move", DAY)
MEET = {"do": "meet", "place": "Pier", "hour": 10}
SOON = {"kind": "match", "seconds": 0.2}


def table_of(control: TimeControl | None, game: str = "round-trip", seats: int = 2, **options: Any) -> Table:
    """A match of people that began at time 0."""
    found = catalogue.game(game)
    held = [SeatRecord(f"Player {seat + 1}", f"key {seat}") for seat in range(seats)]
    made = Made(found.name, found.version, options, held, False, 0.0, "00" * 32, patience=0, time=control)
    table = Table("table", made)
    at(table, 0.0, table.start())
    return table


def at(table: Table, time: float, steps: list[Step]) -> None:
    for step in steps:
        timed = "time" in step.record.__struct_fields__
        record = msgspec.structs.replace(step.record, time=time) if timed else step.record
        table.apply(Step(record, step.change))


def move_at(table: Table, time: float, seat: int, by: Any = "person") -> None:
    assert table.match is not None
    move = table.match.legal(seat)[0]
    at(table, time, table.play_late(seat, move) if by == "clock" else table.play(seat, move, by=by))


def turn_at(table: Table, time: float, seat: int) -> None:
    """Make moves until it is another seat's turn."""
    assert table.match is not None
    while table.match.waiting() == [seat]:
        move_at(table, time, seat)


def left(table: Table, time: float) -> list[float]:
    return [table.clocks.left(seat, time) for seat in range(len(table.seats))]


def rebuilt(table: Table) -> Table:
    return Table.rebuild("table", [entry.record for entry in table.entries])


def test_a_clock_runs_only_while_its_player_is_to_move() -> None:
    table = table_of(MATCH, start="1")
    assert left(table, 30.0) == [70.0, 100.0]
    turn_at(table, 30.0, 0)
    assert left(table, 40.0) == [75.0, 90.0], "five seconds are added after a turn"
    assert left(rebuilt(table), 40.0) == [75.0, 90.0], "the clocks can be rebuilt from the stored times"


def test_the_increment_is_added_once_per_turn_and_undo_removes_it(rendezvous: None) -> None:
    table = table_of(MATCH, "rendezvous", 3)
    at(table, 10.0, table.play(0, MEET, by="person"))
    assert left(table, 20.0) == [95.0, 80.0, 80.0], "choices at the same time: the other clocks run on"
    at(table, 20.0, table.undo(0, table.n, "u"))
    assert left(table, 20.0) == [90.0, 80.0, 80.0], "moving and undoing gains time"
    assert left(table, 25.0) == [85.0, 75.0, 75.0]


def test_each_correspondence_move_gets_the_full_time() -> None:
    table = table_of(MOVE, start="1")
    assert table.clocks.next_to_run_out(DAY / 2) == (0, DAY / 2)
    turn_at(table, DAY / 2, 0)
    assert table.clocks.next_to_run_out(DAY) == (1, DAY / 2)


def test_after_the_time_is_used_up_each_move_gets_a_few_seconds() -> None:
    table = table_of(MATCH, start="1")
    assert table.clocks.next_to_run_out(150.0) == (0, 0.0)
    move_at(table, 150.0, 0, "clock")
    assert table.match is not None
    if 0 in table.match.waiting():
        assert left(table, 150.0)[0] == OVERTIME
    assert table.phase == "playing"


def test_a_bot_takes_over_after_time_runs_out_twice_in_a_row() -> None:
    table = table_of(MATCH, start="1")
    assert table.match is not None
    while table.seats[0].bot is None:
        if table.match.waiting() == [0]:
            move_at(table, 1000.0, 0, "clock")
        else:
            turn_at(table, 1000.0, 1)
    handed = table.entries[table.n].record
    assert isinstance(handed, Seated)
    assert (handed.how, handed.now.key) == ("late", "key 0"), "the seat is still theirs"
    assert table.clocks.late_moves[0] == 0
    assert 0 not in table.clocks.running, "a bot has no clock"
    at(table, 1010.0, table.seat(0, SeatRecord("Player 1", "key 0"), "back"))
    assert left(table, 1010.0)[0] >= OVERTIME or table.match.waiting() != [0]
    assert rebuilt(table).clocks.times(1020.0) == table.clocks.times(1020.0)


def test_a_players_own_move_resets_the_count() -> None:
    table = table_of(MATCH, start="1")
    move_at(table, 200.0, 0, "clock")
    while table.match is not None and table.match.waiting() != [0]:
        turn_at(table, 200.0, 1)
    move_at(table, 201.0, 0)
    assert table.clocks.late_moves[0] == 0


def test_a_move_made_by_the_clock_cannot_be_undone(rendezvous: None) -> None:
    table = table_of(MATCH, "rendezvous", 3)
    at(table, 100.0, table.play_late(0, MEET))
    assert not table.can_undo(0)
    with pytest.raises(Refusal, match="The clock made that move"):
        table.undo(0, table.n, "u")


def test_a_pause_needs_everyone_and_charges_nobody() -> None:
    table = table_of(MATCH, start="1")
    at(table, 10.0, table.pause(0, True, "a"))
    assert table.clocks.times(10.0) == Times([90.0, 100.0], [0], False, [0]), "one alone cannot stop the clocks"
    assert table.pause(0, True, "b") == [], "not even by asking twice"
    assert left(table, 20.0)[0] == 80.0
    at(table, 20.0, table.pause(1, True, "c"))
    assert table.clocks.paused
    assert left(table, 5000.0) == [80.0, 100.0]
    assert table.clocks.next_to_run_out(5000.0) is None
    at(table, 5000.0, table.pause(1, False, "d"))
    assert left(table, 5010.0) == [70.0, 100.0]
    assert left(rebuilt(table), 5010.0) == [70.0, 100.0]


def test_a_request_to_pause_can_be_withdrawn() -> None:
    table = table_of(MATCH, start="1")
    at(table, 1.0, table.pause(0, True, "a"))
    at(table, 2.0, table.pause(0, False, "b"))
    at(table, 3.0, table.pause(1, True, "c"))
    assert not table.clocks.paused


def test_a_table_without_clocks_cannot_be_paused() -> None:
    table = table_of(None)
    with pytest.raises(Refusal, match="nothing to pause"):
        table.pause(0, True, "a")
    assert table.clocks.times(0.0) is None


def test_players_clocks_stop_while_the_sand_timer_runs_and_a_pause_stops_both() -> None:
    table = table_of(MATCH, "word-traveler", timer=120)
    for seat in (0, 1):
        at(table, 10.0, table.play(seat, {"do": "ready"}, by="person"))
    assert table.clock is not None
    assert not table.clocks.running
    at(table, 20.0, table.pause(0, True, "a"))
    at(table, 20.0, table.pause(1, True, "b"))
    at(table, 500.0, table.pause(0, False, "c"))
    assert table.clock_started == 10.0 + 480.0, "the sand timer continues where it was"


def test_downtime_is_not_charged() -> None:
    table = table_of(MATCH, start="1")
    table.apply(Step(Outage(60.0, 80.0)))
    assert left(table, 80.0)[0] == 80.0
    assert left(rebuilt(table), 90.0)[0] == 70.0


@pytest.mark.parametrize(
    ("runs", "missing"),
    [
        ([], 100.0),
        ([(0.0, 200.0)], 0.0),
        ([(0.0, 30.0), (40.0, 100.0)], 10.0),
        ([(0.0, 30.0), (10.0, 90.0)], 10.0),
        ([(20.0, 30.0), (90.0, 95.0)], 85.0),
        ([(200.0, 300.0)], 100.0),
    ],
)
def test_downtime_is_the_time_covered_by_no_run(runs: list[tuple[float, float]], missing: float) -> None:
    assert uncovered(runs, 0.0, 100.0) == missing


@pytest.mark.parametrize(
    "wanted",
    [
        {"kind": "hourglass", "seconds": 600},
        {"kind": "match", "seconds": -600},
        {"kind": "match", "seconds": 1e12},
        {"kind": "match", "seconds": 600, "added": -5},
        {"kind": "match", "seconds": 600, "added": 1e9},
        {"kind": "match", "seconds": 1},
        {"kind": "move", "seconds": 1e300},
        {"kind": "move", "seconds": 3600, "added": 5},
        {"kind": "match"},
        {"kind": "match", "seconds": "long"},
        {"kind": "match", "seconds": 600, "odd": 1},
        "blitz",
    ],
    ids=str,
)
def test_an_invalid_time_control_is_refused(api: Api, wanted: Any) -> None:
    body = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}], "time": wanted}
    status, refusal = api.request("POST", "/api/tables", body)
    assert (status, refusal["code"]) in ((400, "bad-options"), (400, "malformed"))
    assert refusal["reason"].endswith(".")


def test_a_guided_game_has_no_clock(api: Api) -> None:
    body = {"game": "round-trip", "seats": [{"kind": "me"}], "guided": True, "time": {"kind": "match", "seconds": 600}}
    assert api.request("POST", "/api/tables", body)[1]["code"] == "bad-options"


def test_every_time_control_the_page_offers_is_accepted() -> None:
    for minutes in (3, 5, 10, 15, 20, 30, 45, 60, 90):
        check_time_control(TimeControl("match", minutes * 60.0, 60.0), 60.0)
    for hours in (1, 4, 12, 24, 48, 72, 168):
        check_time_control(TimeControl("move", hours * 3600.0), 60.0)


def timed(api: Api, control: Message, game: str = "round-trip", **options: Any) -> tuple[Message, Message]:
    """A match of two people with clocks."""
    opened = api.open("me", "open", game=game, options=options, time=control)
    return opened, {"table": opened["table"], **api.sit(opened["table"], "Bruno")}


def clocked(client: Client, seat: int) -> list[Message]:
    return [event for event in client.events.values() if event.get("by") == "clock" and event["seat"] == seat]


def test_the_clock_moves_for_late_players_until_a_bot_takes_over(serving: Serving) -> None:
    api = serving(min_time=0.1)
    made, place = timed(api, SOON, start="1")
    with api.join(made["table"], made["secret"]) as ada, api.join(made["table"], place["secret"]) as bruno:
        mine = "Your time has run out twice in a row: a bot plays on for you."
        theirs = "Player 1's time has run out twice in a row: a bot plays on."
        ada.until(lambda: said(ada, mine))
        bruno.until(lambda: said(bruno, theirs))
        assert clocked(ada, 0)[0]["text"][0] == "Your time was up: a bot made this move."
        assert clocked(bruno, 0)[0]["text"][0] == "Player 1's time is up: a bot makes this move."
        assert ada.ask("bot", seat=0, bot=None)["type"] == "ack", "the seat is still hers"


def said(client: Client, text: str) -> bool:
    return any(text in event["text"] for event in client.events.values())


def test_a_file_marks_the_clocks_moves_and_stays_readable_for_older_programs(rendezvous: None) -> None:
    table = table_of(MATCH, "rendezvous")
    at(table, 200.0, table.play_late(0, MEET))
    at(table, 201.0, table.play(1, MEET, by="person"))
    assert table.match is not None
    text = tour.save(table.match, table.names(), table.stand_in_moves())
    assert '0* {"do": "meet"' in text
    assert tour.load(text)[0].over


def test_players_and_spectators_see_every_clock(serving: Serving) -> None:
    api = serving()
    made, place = timed(api, {"kind": "match", "seconds": 600, "added": 10}, start="1")
    with (
        api.join(made["table"], made["secret"]) as ada,
        api.join(made["table"], place["secret"]) as bruno,
        api.join(made["table"]) as spectator,
    ):
        assert ada.table["time"] == {"kind": "match", "seconds": 600.0, "added": 10.0}
        for client in (ada, bruno, spectator):
            times = client.now["times"]
            assert times["running"] == [0]
            assert not times["paused"]
            assert 500 < times["left"][0] <= 600 == times["left"][1]
        while ada.now["waiting"] == [0]:
            ada.play(lambda moves: moves[0], moves=1)
        spectator.until(lambda: spectator.now["waiting"] == [1])
        assert spectator.now["times"]["running"] == [1]
        assert ada.ask("pause", on=True)["type"] == "ack"
        bruno.until(lambda: bruno.now["times"]["wishes"] == [0])
        assert spectator_refused(spectator) == "wrong-seat"
        bruno.ask("pause", on=True)
        spectator.until(lambda: spectator.now["times"]["paused"])
        ada.until(lambda: ada.now["times"]["paused"])
        assert ada.events[ada.last]["text"] == ["Everyone agrees: the clocks are stopped."]
        ada.ask("pause", on=False)
        bruno.until(lambda: not bruno.now["times"]["paused"])


def spectator_refused(spectator: Client) -> str:
    return str(spectator.ask("pause", on=True)["code"])


def test_clocks_continue_after_a_restart(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    api = serving()
    made, _ = timed(api, {"kind": "match", "seconds": 600}, start="1")
    later = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: later)
    with serving().join(made["table"], made["secret"]) as ada:
        assert 500 < ada.now["times"]["left"][0] <= 600, "an hour without a server is not charged"
        assert ada.events[ada.last]["text"] == ["The server was down; nobody's clock is charged for that time."]


def test_my_games_say_how_much_time_is_left_and_list_the_most_urgent_first(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = serving()
    mine = passport(api)["secret"]
    tables = []
    for days in (3, 1, 2):
        control = {"kind": "move", "seconds": days * DAY}
        opened = api.open("me", "open", options={"start": "1"}, time=control, passport=mine)
        api.sit(opened["table"], "Bruno")
        tables.append(opened["table"])
    theirs = api.open("me", "open", options={"start": "2"}, time={"kind": "move", "seconds": DAY}, passport=mine)
    api.sit(theirs["table"], "Bruno")

    def listed() -> list[tuple[str, float | None]]:
        return [(one["table"]["table"], one["left"]) for one in games(api, mine)["running"]]

    first, second, third, last = listed()
    assert [first[0], second[0], third[0]] == [tables[1], tables[2], tables[0]]
    assert last == (theirs["table"], None), "a clock runs while another player is to move"
    later = time.time() + DAY / 2
    with monkeypatch.context() as shifted:
        shifted.setattr(time, "time", lambda: later)
        for table, left in listed()[:3]:
            days = (3, 1, 2)[tables.index(table)]
            assert left == pytest.approx((days - 0.5) * DAY, abs=60), "a clock runs without an event"
    api = serving()
    assert listed()[0][1] == pytest.approx(DAY, abs=60), "a restart changes nothing"


def test_an_unloaded_table_is_loaded_when_a_correspondence_move_is_due(
    serving: Serving, rendezvous: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "CLOCK_CHECK_INTERVAL", 0.05)
    api = serving(min_time=0.1, idle=0.05)
    opened = api.open("me", "open", game="rendezvous", public=True, time={"kind": "move", "seconds": 0.6})
    place = api.sit(opened["table"], "Bruno")
    # The list comes from the store: asking for it loads no table.
    api.until(lambda: api.get("/api/tables")[0]["state"] == "over")
    with api.join(opened["table"], place["secret"]) as bruno:
        assert clocked(bruno, 0)
        assert clocked(bruno, 1)
        bruno.ask("rematch")
        bruno.until(lambda: bruno.events[bruno.last]["kind"] == "rematch")
        rematch = api.get(f"/api/tables/{bruno.events[bruno.last]['table']}")
        assert rematch["time"]["seconds"] == 0.6, "a rematch has the same clocks"
    branch = api.post(f"/api/tables/{opened['table']}/branches", {"step": 1, "seat": 0})
    assert api.get(f"/api/tables/{branch['table']}")["time"] is None, "a branch has none"


def test_in_a_live_match_no_clock_moves_while_everyone_is_away() -> None:
    table = table_of(MATCH, start="1")
    away = Presence(table, Settings(None))  # type: ignore[arg-type]
    assert away.late_seat(table) is None, "the clock moved although nobody was waiting"
    assert away.next_change(table) is None
    away.update({1})
    wait = away.next_change(table)
    assert wait is not None
    assert 0 < wait <= RETURN_GRACE, "a returning player has no time to move"
    assert away.late_seat(table) is None


def test_in_a_live_match_the_clock_moves_once_somebody_is_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(MATCH, start="1")
    here = Presence(table, Settings(None))  # type: ignore[arg-type]
    here.update({1})
    later = time.monotonic() + RETURN_GRACE
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert here.late_seat(table) == 0


def test_clocks_reveal_nothing_hidden() -> None:
    table = table_of(MATCH, seats=3, start="1")
    chance = random.Random(1)
    while table.match is not None and table.n < 30 and table.phase == "playing":
        state = table.match.state
        seat = table.match.waiting()[0]
        told = table.clocks.times(5.0)
        for other in range(3):
            table.match.state = table.imagine(other, chance.getrandbits(32))
            assert table.match.waiting() == state.waiting()
            assert rebuilt(table).clocks.times(5.0) == told
            table.match.state = state
        move_at(table, 1.0, seat)
