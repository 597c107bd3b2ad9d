"""Playing through sockets: whole games, acknowledged moves, refusals, reconnecting."""

import json
import random
from typing import Any

import pytest

from tests.server.client import Api, Client, Message

SHORT = {"turn_limit": 10}


def two_clients(api: Api, **options: Any) -> tuple[str, Client, Client, list[str]]:
    """A match of two people in which seat 0 begins: the table, their clients and their secrets."""
    opened = api.open("me", "open", options={"start": "1", **SHORT, **options})
    place = api.sit(opened["table"], "Ada")
    secrets = [opened["secret"], place["secret"]]
    first, second = (api.join(opened["table"], secret) for secret in secrets)
    return opened["table"], first, second, secrets


def test_a_person_plays_a_whole_game_against_bots(api: Api) -> None:
    opened = api.open("me", "normal", "random", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(1).choice)
        assert sum(me.now["result"]) == 1
        assert me.events[1]["kind"] == "start"
        assert me.events[me.last]["kind"] == "over"
        assert {event["by"] for event in me.events.values() if event["kind"] == "move"} == {"person", "bot"}
        assert [line["seat"] for line in me.now["final"]] == [0, 1, 2]
        assert me.now["legal"] == []


def test_bots_play_a_whole_game_among_themselves(api: Api) -> None:
    opened = api.open("normal", "normal", "normal", "random", options=SHORT)
    assert opened["seat"] is None
    assert opened["secret"] is None
    with api.join(opened["table"]) as spectator:
        spectator.until(spectator.over)
        assert len(spectator.events) == spectator.last


def test_two_people_play_a_whole_game_and_see_the_same_events(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        chance = random.Random(2)
        while not first.over():
            for player in (first, second):
                player.until(lambda player=player: player.now["n"] >= max(first.last, second.last))  # type: ignore[misc]
                if player.now["legal"]:
                    player.play(chance.choice, moves=1)
        second.until(second.over)
        assert first.now["result"] == second.now["result"]
        assert [e["kind"] for e in first.events.values()] == [e["kind"] for e in second.events.values()]


def test_a_move_is_acknowledged_with_the_number_of_its_event(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        move = first.moves()[0]
        answer = first.move(move)
        assert answer["type"] == "ack"
        event = first.events[answer["n"]]
        assert (event["kind"], event["seat"], event["by"], event["move"]) == ("move", 0, "person", move)


def test_only_the_player_who_moved_is_sent_the_move(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        n = first.move(first.moves()[0])["n"]
        second.until(lambda: second.last >= n)
        assert "move" not in second.events[n]
        assert second.events[n]["text"], "the others get no text"


def test_sending_a_move_twice_plays_it_once(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        at, move = first.last, first.moves()[0]
        once = first.move(move, at, id="mine")
        again = first.move(move, at, id="mine")
        assert once == again
        assert sum(event["kind"] == "move" for event in first.events.values()) == 1


def test_request_ids_are_remembered_across_connections_and_a_restart(serving: Any) -> None:
    api = serving()
    table, first, second, secrets = two_clients(api)
    with first, second:
        at, move = first.last, first.moves()[0]
        once = first.move(move, at, id="mine")
    api = serving()
    with api.join(table, secrets[0]) as back:
        assert back.move(move, at, id="mine") == once
        assert back.last == once["n"]


def test_request_ids_belong_to_a_seat(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        first.ask("say", id="same", text="hello")
        second.until(lambda: second.last == first.last)
        assert second.ask("say", id="same", text="hello")["n"] == first.last + 1


def test_a_move_for_an_older_position_is_stale(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        before = first.last
        first.move(first.moves()[0])
        late = first.move(first.moves()[0], at=before)
        assert (late["type"], late["code"]) == ("refused", "stale")


def test_a_move_is_not_stale_if_the_choices_have_not_changed(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        before, move = first.last, first.moves()[0]
        said = second.ask("say", text="take your time")
        assert said["n"] > before
        assert first.move(move, at=before)["type"] == "ack"


def test_a_move_from_the_future_is_refused(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        assert first.move(first.moves()[0], at=first.last + 5)["code"] == "malformed"


def test_moving_out_of_turn_is_refused_with_the_rule(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        answer = second.move(first.moves()[0])
        assert (answer["type"], answer["code"]) == ("refused", "wrong-seat")
        assert answer["rule"].startswith("RT-")
        assert answer["reason"].endswith(".")


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"do": "take", "pile": "Roma"}, "unknown-move"),
        ({"do": "fly"}, "unknown-move"),
        ({"do": "take"}, "malformed"),
        ({"do": "take", "pile": "Milano", "twice": True}, "malformed"),
        ({"do": "end-turn"}, "not-legal"),
        ({}, "malformed"),
        ([], "malformed"),
        (7, "malformed"),
        (None, "malformed"),
        ("take", "malformed"),
    ],
)
def test_a_move_that_cannot_be_made_is_refused_and_changes_nothing(api: Api, move: Any, code: str) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        before = first.now
        answer = first.ask("move", at=first.last, move=move)
        assert (answer["type"], answer["code"]) == ("refused", code)
        assert first.now == before
        assert first.move(first.moves()[0])["type"] == "ack"


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("not json", None),
        ("", None),
        ("[]", None),
        ("null", None),
        ("[" * 16_000, None),
        ('{"type": "dance", "id": "a"}', "a"),
        ('{"id": "a"}', "a"),
        ('{"type": "move", "id": "a", "at": 1}', "a"),
        ('{"type": "move", "id": "a", "at": -1, "move": {}}', "a"),
        ('{"type": "move", "id": "a", "at": "1", "move": {}}', "a"),
        ('{"type": "move", "id": "a", "at": 1, "move": {}, "seat": 1}', "a"),
        ('{"type": "move", "id": 7, "at": 1, "move": {}}', None),
        ('{"type": "move", "id": "", "at": 1, "move": {}}', ""),
        ('{"type": "hello", "secret": null, "last": 0}', None),
        ('{"type": "say", "id": "a", "text": "%s"}' % ("x" * 501), "a"),
        ('{"type": "say", "id": "a", "text": " \\u0007 "}', "a"),
        ('{"type": "say", "id": "a", "text": "\\ud800"}', None),
        ('{"type": "bot", "id": "a", "seat": 99, "bot": null}', "a"),
        ('{"type": "bot", "id": "a", "seat": 0, "bot": "deep-thought"}', "a"),
    ],
)
def test_an_invalid_message_is_refused_without_closing_the_socket(api: Api, text: str, id: str | None) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        first.socket.send(text)
        answer = first.answer(id)
        assert answer["type"] == "refused"
        assert answer["code"] in ("malformed", "wrong-seat", "unknown-player")
        assert answer["reason"].endswith(".")
        assert first.move(first.moves()[0])["type"] == "ack"


def test_binary_messages_are_refused(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        first.socket.send(json.dumps({"type": "ping"}).encode())
        assert first.answer(None)["code"] == "malformed"


def test_a_ping_is_answered(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        first.send({"type": "ping"})
        first.until(lambda: first.received[-1] == {"type": "pong"})


def test_a_reconnecting_client_gets_just_what_it_missed(api: Api) -> None:
    table, first, second, secrets = two_clients(api)
    with first:
        second.until(lambda: second.now["n"] == second.last)
        second.close()
        first.play(lambda moves: moves[0], moves=1)
        first.ask("say", text="still there?")
        with api.join(table, secrets[1], last=second.last) as back:
            assert sorted(back.events) == list(range(second.last + 1, first.last + 1))
            assert [message["type"] for message in back.received] == ["welcome", "event", "event", "now"]
        with api.join(table, secrets[1], last=first.last) as back:
            assert back.events == {}
        with api.join(table, secrets[1]) as back:
            known = {**second.events, **{n: e for n, e in back.events.items() if n > second.last}}
            assert back.events == known, "an event changed when it was sent again"


def test_a_client_that_claims_more_than_has_happened_is_refused(api: Api) -> None:
    table, first, second, secrets = two_clients(api)
    with first, second:
        socket = api.socket(table)
        socket.send(json.dumps({"type": "hello", "secret": secrets[0], "last": 10_000}))
        refused: Message = json.loads(socket.recv())
        assert (refused["type"], refused["code"]) == ("refused", "malformed")
        socket.close()


def test_a_move_that_revealed_something_cannot_be_undone(api: Api) -> None:
    _, first, second, _ = two_clients(api)
    with first, second:
        first.play(lambda moves: moves[0], moves=1)
        assert not first.now["undo"], "a ticket was taken and looked at"
        assert first.ask("undo", at=first.last)["code"] == "not-legal"


def begin_rendezvous(api: Api) -> tuple[str, Client, Client, list[str]]:
    """Two people who choose a place in secret at the same time."""
    opened = api.open("me", "open", game="rendezvous")
    place = api.sit(opened["table"], "Ada")
    secrets = [opened["secret"], place["secret"]]
    first, second = (api.join(opened["table"], secret) for secret in secrets)
    return opened["table"], first, second, secrets


def test_undo_restores_the_position_and_keeps_event_numbers(rendezvous: None, api: Api) -> None:
    _, first, second, _ = begin_rendezvous(api)
    with first, second:
        before = first.now
        first.play(lambda moves: moves[0], moves=1)
        assert first.now["undo"]
        assert not second.now["undo"]
        assert first.ask("undo", at=before["n"])["code"] == "stale"
        answer = first.ask("undo", at=first.last, id="oops")
        assert first.events[answer["n"]]["kind"] == "undo"
        assert first.now == {**before, "n": before["n"] + 2}
        assert first.ask("undo", at=first.last, id="oops") == answer
        second.until(lambda: second.last == first.last)
        assert second.events[answer["n"]]["text"] == ["Player 1 takes back a move."]
        assert second.ask("undo", at=second.last)["code"] == "not-legal"


def test_an_undo_survives_a_restart(rendezvous: None, serving: Any) -> None:
    api = serving()
    table, first, second, secrets = begin_rendezvous(api)
    with first, second:
        first.play(lambda moves: moves[0], moves=1)
        first.ask("undo", at=first.last)
        expected = first.now
    api = serving()
    with api.join(table, secrets[0]) as back:
        assert back.now == expected
        assert back.events == first.events


def test_simultaneous_choices_do_not_collide(rendezvous: None, api: Api) -> None:
    _, first, second, _ = begin_rendezvous(api)
    with first, second:
        at = first.last
        assert second.last == at
        assert first.move(first.moves()[0], at)["type"] == "ack"
        assert second.move(second.moves()[0], at)["type"] == "ack", "the other's choice changed mine"
        second.until(second.over)
        assert second.now["result"] == [0.5, 0.5]


def test_a_match_continues_after_a_restart(serving: Any) -> None:
    api = serving()
    opened = api.open("me", "normal", "normal", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(3).choice, moves=5)
        me.until(me.my_turn)
    api = serving()
    with api.join(opened["table"], opened["secret"]) as back:
        assert back.now == me.now
        assert back.events == me.events
        back.play(random.Random(4).choice)
        assert back.over()


def test_nothing_can_be_played_after_the_end(api: Api) -> None:
    opened = api.open("me", "random", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(5).choice)
        before = me.last
        assert me.ask("move", at=me.last, move={"do": "end-turn"})["code"] == "over"
        assert me.ask("undo", at=me.last)["code"] == "over"
        assert me.ask("bot", seat=0, bot="normal")["code"] == "over"
        assert me.last == before
        assert me.ask("say", text="good game")["type"] == "ack"
    status, refused = api.request("POST", f"/api/tables/{opened['table']}/sit", {"name": "late", "seat": 1})
    assert (status, refused["code"]) == (409, "over")


def test_a_seat_that_must_be_silent_cannot_chat(api: Api) -> None:
    made = api.open("me", "open", game="word-traveler", options={"start": "1", "timer": 0, "city": "New York"})
    other = api.sit(made["table"], "Bruno")
    with api.join(made["table"], made["secret"]) as traveler, api.join(made["table"], other["secret"]) as local:
        assert traveler.ask("say", text="what a city")["type"] == "ack", "while all plan, anyone may talk"
        traveler.move({"do": "aim", "arrow": 1, "space": "F4"})
        word = traveler.now["view"]["plan"]["hand"][0]["word"]
        traveler.move({"do": "place", "arrow": 1, "word": word})
        traveler.move({"do": "done"})
        local.move({"do": "done"})
        traveler.until(lambda: traveler.now["view"]["step"] == "guess")
        refused = traveler.ask("say", text="it is the subway!")
        assert (refused["type"], refused["code"], refused["rule"]) == ("refused", "not-legal", "WT-40")
        assert "silent" in refused["reason"]
        assert local.ask("say", text="is it the subway?")["type"] == "ack", "the locals talk it over"
        local.move({"do": "footprint", "number": 1, "space": "E4"})
        local.move({"do": "agree"})
        traveler.until(lambda: traveler.now["view"]["step"] == "plan")
        assert traveler.ask("say", text="no, the subway")["type"] == "ack", "after the reveal the traveler may speak"
    assert not any("it is the subway" in str(event) for event in local.events.values())


def test_only_changes_are_sent_after_the_first_position(api: Api) -> None:
    opened = api.open("me", "normal", options={"turn_limit": 10})
    with api.join(opened["table"], opened["secret"]) as me, api.join(opened["table"]) as spectator:
        me.play(random.Random(3).choice)
        spectator.until(spectator.over)
        for client in (me, spectator):
            assert [message["type"] for message in client.received].count("now") == 1, "a full position was sent again"
            followed = client.now
            client.send({"type": "look"})
            client.until(lambda client=client: client.received[-1]["type"] == "now")  # type: ignore[misc]
            whole = {key: value for key, value in client.now.items() if key != "type"}
            assert {key: followed[key] for key in whole} == whole, "the changes do not add up to the position"


def test_a_table_can_be_followed_in_two_windows(api: Api) -> None:
    opened = api.open("me", "normal", options={"turn_limit": 10})
    with api.join(opened["table"], opened["secret"]) as first:
        first.play(random.Random(4).choice, moves=3)
        with api.join(opened["table"], opened["secret"]) as second:
            second.play(random.Random(5).choice)
            first.until(first.over)
            assert first.now["view"] == second.now["view"]
            assert first.now["final"] == second.now["final"]
