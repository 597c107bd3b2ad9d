"""Passports: one person on several devices without an account, and how a person is forgotten."""

import json
import random
import signal
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from grandtour.server import admin
from grandtour.server.settings import Limits, Rate
from grandtour.server.storage.sqlite_store import FILE
from tests.server.client import PLENTY, Api, Message
from tests.server.conftest import Serving, Starting

SHORT = {"turn_limit": 10}


def passport(api: Api, name: str = "Ada", **more: Any) -> Message:
    made: Message = api.post("/api/passports", {"name": name, "device": "A laptop", **more})
    return made


def me(api: Api, secret: str) -> Message:
    found: Message = api.post("/api/passport", {"passport": secret})
    return found


def refused(api: Api, path: str, body: Message) -> Message:
    status, answer = api.request("POST", path, body)
    assert status >= 400, f"POST {path} is accepted: {answer}"
    found: Message = answer
    return found


def other_device(api: Api, secret: str) -> Message:
    link = api.post("/api/passport/link", {"passport": secret})
    joined: Message = api.post("/api/passport/join", {"code": link["code"], "device": "A phone"})
    return joined


def games(api: Api, secret: str) -> Message:
    found: Message = api.post("/api/passport/games", {"passport": secret})
    return found


def finish(api: Api, table: str, *secrets: str) -> None:
    """Let bots play for these seats until the end."""
    for secret in secrets:
        with api.join(table, secret) as client:
            client.ask("bot", seat=client.seat, bot="random")
    with api.join(table) as spectator:
        spectator.until(spectator.over)


def first(moves: list[Message]) -> Message:
    return moves[0]


def play(api: Api, table: str, *secrets: str, choose: Callable[[list[Message]], Message] = first) -> None:
    """Let the people in these seats play until the end."""

    def one(secret: str) -> None:
        with api.join(table, secret) as client:
            client.play(choose)

    with ThreadPoolExecutor() as people:
        list(people.map(one, secrets))


def test_a_passport_has_a_name_a_picture_and_one_device(api: Api) -> None:
    made = passport(api, "  Ada \n Lovelace ", picture="fox")
    found = me(api, made["secret"])
    assert found == made["me"]
    assert (found["name"], found["picture"], found["public"]) == ("Ada Lovelace", "fox", False)
    assert [(device["name"], device["this"]) for device in found["devices"]] == [("A laptop", True)]
    changed = api.post("/api/passport/change", {"passport": made["secret"], "name": "Countess", "picture": "owl"})
    assert (changed["name"], changed["picture"]) == ("Countess", "owl")


@pytest.mark.parametrize(
    "body", [{"name": "x" * 81}, {"picture": "../../etc/passwd"}, {"picture": "dragon"}, {"name": 7}, {"mail": "a@b.c"}]
)
def test_an_invalid_passport_is_refused(api: Api, body: Message) -> None:
    assert refused(api, "/api/passports", body)["code"] == "malformed"


def test_a_long_name_is_cut_and_an_empty_one_gets_a_default(api: Api) -> None:
    assert passport(api, "x" * 80)["me"]["name"] == "x" * 24
    assert passport(api, " \u202e ")["me"]["name"] == "Traveller"


@pytest.mark.parametrize("secret", ["nobody", "a.b", ".", "\u0000", "é" * 30])
@pytest.mark.parametrize("path", ["", "/change", "/link", "/forget", "/games"])
def test_an_unknown_passport_is_refused(api: Api, path: str, secret: str) -> None:
    answer = refused(api, f"/api/passport{path}", {"passport": secret})
    assert (answer["code"], answer["rule"]) == ("wrong-passport", None)


def test_a_secret_only_works_with_its_own_device(api: Api) -> None:
    mine, other = passport(api), passport(api, "Bruno")
    mixed = mine["secret"].partition(".")[0] + "." + other["secret"].partition(".")[2]
    assert refused(api, "/api/passport", {"passport": mixed})["code"] == "wrong-passport"
    body = {"passport": other["secret"], "device": mine["me"]["devices"][0]["id"]}
    assert refused(api, "/api/passport/sign-off", body)["code"] == "unknown-device"
    assert me(api, mine["secret"]) == mine["me"], "nothing has changed"


def test_a_link_adds_one_device_once(api: Api) -> None:
    mine = passport(api)
    link = api.post("/api/passport/link", {"passport": mine["secret"]})
    assert link["seconds"] == 600
    joined = api.post("/api/passport/join", {"code": link["code"], "device": "A phone"})
    assert joined["me"]["id"] == mine["me"]["id"]
    assert joined["secret"] != mine["secret"]
    assert [device["name"] for device in me(api, mine["secret"])["devices"]] == ["A laptop", "A phone"]
    again = refused(api, "/api/passport/join", {"code": link["code"]})
    assert (again["code"], again["reason"]) == ("wrong-link", "This link has been used, or replaced by a newer one.")
    assert len(me(api, mine["secret"])["devices"]) == 2


def test_a_newer_link_replaces_the_older_one(api: Api) -> None:
    mine = passport(api)
    old, new = (api.post("/api/passport/link", {"passport": mine["secret"]})["code"] for _ in range(2))
    assert refused(api, "/api/passport/join", {"code": old})["code"] == "wrong-link"
    api.post("/api/passport/join", {"code": new})


def test_a_link_that_is_too_old_is_refused(serving: Serving) -> None:
    api = serving(device_link=0.0)
    code = api.post("/api/passport/link", {"passport": passport(api)["secret"]})["code"]
    answer = refused(api, "/api/passport/join", {"code": code})
    assert answer["reason"] == "This link is too old: make a new one on the other device."


def test_a_passports_seat_can_be_played_from_every_device(api: Api) -> None:
    mine = passport(api)
    phone = other_device(api, mine["secret"])
    opened = api.open("me", "normal", options=SHORT, passport=mine["secret"])
    with api.join(opened["table"], passport=phone["secret"]) as here:
        assert here.seat == 0
        here.play(random.Random(1).choice, moves=1)
    with api.join(opened["table"], passport=passport(api, "Bruno")["secret"]) as other:
        assert other.seat is None, "somebody without a seat should watch"


def test_a_signed_off_device_leaves_the_table_and_cannot_return(api: Api) -> None:
    mine = passport(api)
    phone = other_device(api, mine["secret"])
    opened = api.open("me", "open", passport=mine["secret"])
    lost = api.join(opened["table"], passport=phone["secret"])
    assert lost.seat == 0
    device = next(device["id"] for device in phone["me"]["devices"] if device["this"])
    left = api.post("/api/passport/sign-off", {"passport": mine["secret"], "device": device})
    assert [one["name"] for one in left["devices"]] == ["A laptop"]
    assert lost.closed() == 1008
    assert refused(api, "/api/passport", {"passport": phone["secret"]})["code"] == "wrong-passport"
    with api.socket(opened["table"]) as socket:
        socket.send(json.dumps({"type": "hello", "secret": None, "last": 0, "passport": phone["secret"]}))
        assert "wrong-passport" in str(socket.recv())


def test_a_passport_has_one_seat_at_a_table(api: Api) -> None:
    mine = passport(api)
    opened = api.open("me", "open", "open", passport=mine["secret"])
    answer = refused(api, f"/api/tables/{opened['table']}/sit", {"passport": mine["secret"]})
    assert (answer["code"], answer["reason"]) == ("taken", "You already have a seat at this table.")


def test_a_seat_taken_earlier_can_be_added_to_the_passport(api: Api) -> None:
    opened = api.open("me", "open")
    mine = passport(api)
    api.sit(opened["table"], secret=opened["secret"], passport=mine["secret"])
    with api.join(opened["table"], passport=mine["secret"]) as here:
        assert here.seat == 0
    assert [one["table"]["table"] for one in games(api, mine["secret"])["running"]] == [opened["table"]]


def test_a_wrong_passport_takes_no_seat(api: Api) -> None:
    opened = api.open("me", "open")
    path = f"/api/tables/{opened['table']}/sit"
    assert refused(api, path, {"passport": "some.body"})["code"] == "wrong-passport"
    assert api.get(f"/api/tables/{opened['table']}")["seats"][1]["kind"] == "open"


def test_my_games_lists_those_where_it_is_my_turn_first(api: Api) -> None:
    mine = passport(api)
    theirs = api.open("open", "open", passport=mine["secret"], options={**SHORT, "start": "1"})
    api.sit(theirs["table"], "Bruno")
    api.sit(theirs["table"], "Ada", passport=mine["secret"])
    waiting = api.open("me", "open", passport=mine["secret"])
    turn = api.open("me", "open", passport=mine["secret"], options={**SHORT, "start": "1"})
    api.sit(turn["table"], "Bruno")
    found = games(api, mine["secret"])
    running = {one["table"]["table"]: one["turn"] for one in found["running"]}
    assert running.keys() == {theirs["table"], waiting["table"], turn["table"]}
    assert running[waiting["table"]] is False
    assert list(running.values()) == sorted(running.values(), reverse=True), "my turn comes first"
    for table in (theirs["table"], turn["table"]):
        with api.join(table, passport=mine["secret"]) as here:
            assert running[table] == here.asked()
    assert found["finished"] == found["invitations"] == []


def test_finished_games_have_their_result_and_replay(serving: Serving) -> None:
    api = serving()
    mine = passport(api)
    opened = api.open("me", "random", options=SHORT, passport=mine["secret"])
    finish(api, opened["table"], opened["secret"])
    api.until(lambda: bool(games(api, mine["secret"])["finished"]))
    [one] = games(api, mine["secret"])["finished"]
    assert (one["table"]["table"], one["seat"], one["replay"], one["turn"]) == (opened["table"], 0, True, False)
    assert one["result"] == api.get(f"/api/tables/{opened['table']}")["result"]
    api = serving()
    assert games(api, mine["secret"])["finished"] == [one], "also after a restart"


def test_a_result_lost_in_a_crash_is_stored_later(serving: Serving, tmp_path: Path) -> None:
    api = serving()
    mine = passport(api)
    opened = api.open("me", "random", options=SHORT, passport=mine["secret"])
    finish(api, opened["table"], opened["secret"])
    api.until(lambda: bool(games(api, mine["secret"])["finished"]))
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("UPDATE places SET ended = NULL, share = NULL, report = NULL")
    db.close()
    games(api, mine["secret"])
    assert games(api, mine["secret"])["finished"]


def test_a_rematch_is_an_invitation_until_its_player_comes(api: Api) -> None:
    mine, theirs = passport(api), passport(api, "Bruno")
    opened = api.open("me", "open", options=SHORT, passport=mine["secret"])
    place = api.sit(opened["table"], "Bruno", passport=theirs["secret"])
    finish(api, opened["table"], opened["secret"], place["secret"])
    with api.join(opened["table"], passport=mine["secret"]) as here:
        assert here.ask("rematch")["type"] == "ack"
        new = here.events[here.last]["table"]
    [invitation] = games(api, theirs["secret"])["invitations"]
    assert (invitation["table"]["table"], invitation["by"]) == (new, "Player 1")
    with api.join(new, passport=theirs["secret"]) as there:
        assert there.seat is not None
    assert games(api, theirs["secret"])["invitations"] == []


def test_forget_me_removes_name_history_and_chat(starting: Starting, tmp_path: Path) -> None:
    server = starting()
    api = Api(server.url)
    mine, theirs = passport(api, "Zanzibar"), passport(api, "Bruno")
    over = api.open("open", "open", options=SHORT)
    places = [
        api.sit(over["table"], name, passport=one["secret"]) for name, one in (("Zanzibar", mine), ("Bruno", theirs))
    ]
    with api.join(over["table"], places[0]["secret"]) as here, api.join(over["table"], places[1]["secret"]) as there:
        here.ask("say", text="what I said in Timbuktu")
        there.ask("say", text="what Bruno said")
    finish(api, over["table"], places[0]["secret"], places[1]["secret"])
    branch = api.post(f"/api/tables/{over['table']}/branches", {"step": 1, "seat": 1, "passport": theirs["secret"]})
    running = api.open("open", "open")
    api.sit(running["table"], "Zanzibar", passport=mine["secret"])
    api.sit(running["table"], "Bruno", passport=theirs["secret"])
    seats = [{"kind": "me", "name": "Zanzibar"}, {"kind": "open"}]
    waiting = api.post("/api/tables", {"game": "round-trip", "seats": seats, "passport": mine["secret"]})
    body = {"passport": mine["secret"], "to": theirs["me"]["id"]}
    api.post(f"/api/tables/{waiting['table']}/invite", body)
    gone = api.join(running["table"], passport=mine["secret"])
    stays = api.join(running["table"], passport=theirs["secret"])

    assert api.post("/api/passport/forget", {"passport": mine["secret"]}) == {"tables": 4, "lines": 1}
    assert games(api, theirs["secret"])["invitations"] == [], "the invitation by the forgotten person remains"
    assert gone.closed() == 1008
    stays.until(lambda: stays.table["seats"][0]["kind"] == "bot")
    assert refused(api, "/api/passport", {"passport": mine["secret"]})["code"] == "wrong-passport"
    with api.join(over["table"], places[1]["secret"]) as there:
        said = [event["text"] for event in there.events.values() if event["kind"] == "say"]
        assert said == ["(removed)", "what Bruno said"]
        assert there.table["seats"][0]["name"] == "Traveller"
    names = [seat["name"] for seat in api.get(f"/api/tables/{branch['table']}")["seats"]]
    assert names == ["Traveller", "Bruno"]
    assert api.get(f"/api/tables/{over['table']}/replay")["names"] == ["Traveller", "Bruno"]
    stays.close()
    server.end(signal.SIGINT)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Zanzibar" not in stored
    assert b"Timbuktu" not in stored
    assert mine["me"]["id"].encode() not in stored
    assert admin.verify(tmp_path / FILE).problems == []


def test_no_secret_of_a_passport_is_stored_or_logged(starting: Starting, tmp_path: Path) -> None:
    server = starting()
    api = Api(server.url)
    mine = passport(api)
    code = api.post("/api/passport/link", {"passport": mine["secret"]})["code"]
    phone = api.post("/api/passport/join", {"code": code})
    api.request("POST", "/api/passport", {"passport": mine["secret"], "odd": 1})
    _, said = server.end(signal.SIGINT)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for secret in (mine["secret"], code, phone["secret"]):
        assert secret.partition(".")[2] not in said
        assert secret.partition(".")[2].encode() not in stored


def test_new_passports_are_limited(serving: Serving) -> None:
    api = serving(limits=Limits(requests=PLENTY, passports=Rate(0, 2)))
    passport(api), passport(api)
    assert refused(api, "/api/passports", {})["code"] == "too-much"


def test_an_unused_passport_is_deleted(tmp_path: Path, serving: Serving) -> None:
    api = serving()
    played, unused, shown = (passport(api, name)["secret"] for name in ("Ada", "Bea", "Cem"))
    api.open("me", "random", passport=played)
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        for table, column in (("passports", "made"), ("devices", "made"), ("devices", "seen")):
            db.execute(f"UPDATE {table} SET {column} = {column} - 91 * 24 * 3600")
    db.close()
    assert me(api, shown)["name"] == "Cem"

    api = serving()
    api.until(lambda: api.request("POST", "/api/passport", {"passport": unused})[0] >= 400)
    assert refused(api, "/api/passport", {"passport": unused})["code"] == "wrong-passport"
    assert me(api, played)["name"] == "Ada"
    assert me(api, shown)["name"] == "Cem"


def test_unused_passports_are_kept_if_the_operator_says_so(tmp_path: Path, serving: Serving) -> None:
    unused = passport(serving(), "Bea")["secret"]
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        db.execute("UPDATE passports SET made = 0")
        db.execute("UPDATE devices SET seen = 0")
    db.close()
    assert me(serving(keep_unused_passports=0.0), unused)["name"] == "Bea"
