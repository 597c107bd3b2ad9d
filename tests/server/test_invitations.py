"""Invitations, and spectators who ask for a seat."""

import pytest

from tests.server.client import Api, Client, Message
from tests.server.test_passports import SHORT, finish, games, passport, refused


def played_together(api: Api) -> tuple[Message, Message]:
    """Two passports that have finished a game together."""
    mine, theirs = passport(api), passport(api, "Bruno")
    opened = api.open("me", "open", options=SHORT, passport=mine["secret"])
    place = api.sit(opened["table"], "Bruno", passport=theirs["secret"])
    finish(api, opened["table"], opened["secret"], place["secret"])
    api.until(lambda: bool(games(api, theirs["secret"])["finished"]))
    return mine, theirs


def test_people_can_invite_those_they_have_played_with(api: Api) -> None:
    mine, theirs = played_together(api)
    [companion] = api.post("/api/passport/companions", {"passport": mine["secret"]})
    assert companion == {"id": theirs["me"]["id"], "name": "Bruno", "picture": "compass", "games": 1}
    wanted = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    opened = api.post("/api/tables", {"game": "itchy-feet", "seats": wanted, "passport": mine["secret"]})
    body = {"passport": mine["secret"], "to": companion["id"]}
    for _ in range(2):
        assert api.post(f"/api/tables/{opened['table']}/invite", body) == {"name": "Bruno"}
    [invitation] = games(api, theirs["secret"])["invitations"]
    assert (invitation["table"]["title"], invitation["by"]) == ("Itchy Feet", "Ada")
    api.sit(opened["table"], "Bruno", passport=theirs["secret"])
    assert games(api, theirs["secret"])["invitations"] == []


def test_strangers_cannot_invite_each_other(api: Api) -> None:
    mine, theirs = played_together(api)
    stranger = passport(api, "Cleo")
    opened = api.open("me", "open", "open", passport=mine["secret"])
    path = f"/api/tables/{opened['table']}/invite"
    for to in (stranger["me"]["id"], "nobody", mine["me"]["id"]):
        assert refused(api, path, {"passport": mine["secret"], "to": to})["code"] == "unknown-person"
    body = {"passport": theirs["secret"], "to": mine["me"]["id"]}
    assert refused(api, path, body)["code"] == "wrong-seat", "somebody without a seat could invite"
    assert games(api, stranger["secret"])["invitations"] == []


def test_the_host_can_give_a_spectator_a_seat(api: Api) -> None:
    opened = api.open("me", "normal", options=SHORT, ask=True)
    path = f"/api/tables/{opened['table']}/sit"
    assert refused(api, path, {"seat": 1})["code"] == "ask-first"
    with api.join(opened["table"], opened["secret"]) as host, api.join(opened["table"]) as spectator:
        assert spectator.ask("ask-seat", name="Bruno")["type"] == "ack"
        host.until(lambda: host.received[-1]["type"] == "asking")
        [asker] = host.received[-1]["people"]
        assert asker["name"] == "Bruno"
        assert spectator.ask("admit", ask=asker["ask"], seat=1)["code"] == "not-host"
        assert host.ask("admit", ask=asker["ask"], seat=0)["code"] == "taken", "a person sits there"
        assert host.ask("admit", ask=asker["ask"], seat=1)["type"] == "ack"
        spectator.until(lambda: spectator.received[-1]["type"] == "admitted")
        admitted = spectator.received[-1]
        assert admitted["seat"] == 1
        assert host.ask("admit", ask=asker["ask"], seat=1)["code"] == "stale", "a request can only be answered once"
    assert admitted["secret"] not in str(host.received), "only the one who asked is told"
    with api.join(opened["table"], admitted["secret"]) as bruno:
        assert (bruno.seat, bruno.table["seats"][1]["name"]) == (1, "Bruno")


def request_number(host: Client) -> int:
    """The number of the last request for a seat that the host was sent."""
    found = [message for message in host.received if message["type"] == "asking"]
    return int(found[-1]["people"][0]["ask"])


def test_the_host_can_refuse_a_spectator(api: Api) -> None:
    opened = api.open("me", "normal", options=SHORT, ask=True)
    with api.join(opened["table"], opened["secret"]) as host, api.join(opened["table"]) as spectator:
        spectator.ask("ask-seat")
        host.until(lambda: host.received[-1]["type"] == "asking")
        host.ask("admit", ask=request_number(host), seat=None)
        spectator.until(lambda: spectator.received[-1]["type"] == "admitted")
        assert (spectator.received[-1]["seat"], spectator.received[-1]["secret"]) == (None, None)


@pytest.mark.parametrize("seats", [("me", "open"), ("me", "normal")])
def test_a_spectator_who_cannot_ask_is_told_why(api: Api, seats: tuple[str, ...]) -> None:
    opened = api.open(*seats, options=SHORT)
    with api.join(opened["table"], opened["secret"]) as host, api.join(opened["table"]) as spectator:
        assert host.ask("ask-seat")["code"] == "wrong-seat"
        if "open" in seats:
            assert spectator.ask("ask-seat")["code"] == "not-legal"
