"""Rematches: the same people play again at a new table."""

import random
from collections.abc import Iterator

import pytest

from tests.server.client import Api, Client, Message
from tests.server.conftest import Serving

SHORT = {"turn_limit": 10, "start": "1"}


def play_to_the_end(*clients: Client) -> None:
    """Let bots play these seats until the match is over."""
    for client in clients:
        client.ask("bot", seat=client.seat, bot="random")
    for client in clients:
        client.until(client.over)


class Finished:
    """A finished match of Ada, Bruno and a bot. Both people are still at the table."""

    def __init__(self, api: Api) -> None:
        opened = api.open("me", "open", "easy", options=SHORT, hints=False, patience=300)
        self.id: str = opened["table"]
        self.secrets = [opened["secret"], api.sit(self.id, "Bruno")["secret"]]
        self.clients = [api.join(self.id, secret) for secret in self.secrets]
        play_to_the_end(*self.clients)

    def close(self) -> None:
        for client in self.clients:
            client.close()


@pytest.fixture
def finished(api: Api) -> Iterator[Finished]:
    match = Finished(api)
    yield match
    match.close()


def rematch(client: Client, **more: str) -> Message:
    """Ask for a rematch. Returns the event that announces it."""
    answer = client.ask("rematch", **more)
    assert answer["type"] == "ack", f"it is refused: {answer}"
    client.until(lambda: client.last >= answer["n"])
    return next(event for event in client.events.values() if event["kind"] == "rematch")


def test_a_rematch_rotates_the_seats_by_one(api: Api, finished: Finished) -> None:
    ada, bruno = finished.clients
    event = rematch(ada)
    assert event["text"] == ["You ask for a rematch."]
    bruno.until(lambda: bruno.last >= event["n"])
    assert bruno.events[event["n"]]["text"] == ["Player 1 asks for a rematch."]
    with api.join(event["table"], finished.secrets[0]) as host:
        assert (host.seat, host.table["host"], host.table["state"]) == (2, 2, "waiting")
        assert host.now["prompt"]["text"] == "Waiting for Bruno. Bots take the seats of those who do not come."
        with api.join(event["table"], finished.secrets[1]) as guest:
            assert guest.seat == 0, "the seats did not rotate"
            assert [(seat["name"], seat["kind"]) for seat in guest.table["seats"]] == [
                ("Bruno", "person"),
                (ada.table["seats"][2]["name"], "bot"),
                ("Player 1", "person"),
            ]
            host.until(lambda: host.now["view"] is not None)
            for what in ("game", "options", "hints", "patience", "public"):
                assert guest.table[what] == ada.table[what], f"the {what} of a rematch are those of the match"
            assert guest.table["seal"] != ada.table["seal"], "it is dealt again"


def test_several_requests_open_one_rematch(api: Api, finished: Finished) -> None:
    ada, bruno = finished.clients
    first = rematch(ada)
    again = rematch(bruno)
    assert again["table"] == first["table"]
    assert ada.ask("rematch", id="once more")["type"] == "ack"
    bruno.ask("say", text="Coming")
    assert [event["kind"] for event in bruno.events.values()].count("rematch") == 1


def test_a_reserved_seat_is_only_for_its_owner(api: Api, finished: Finished) -> None:
    table = rematch(finished.clients[0])["table"]
    status, refusal = api.request("POST", f"/api/tables/{table}/sit", {"name": "Eve", "seat": 0})
    assert (status, refusal["code"], refusal["reason"]) == (409, "taken", "This seat is kept for Bruno.")
    assert api.sit(table, "Eve")["seat"] == 1, "anyone may take the bot's seat"
    seats = api.get(f"/api/tables/{table}")["seats"]
    assert (seats[0]["kind"], seats[0]["name"]) == ("open", "Bruno")


def test_bots_take_the_seats_of_absent_players_and_give_them_back(serving: Serving) -> None:
    api = serving(rematch_wait=0.2)
    match = Finished(api)
    table = rematch(match.clients[0])["table"]
    with api.join(table, match.secrets[0]) as host:
        host.until(lambda: host.table["state"] == "playing")
        assert host.table["seats"][0]["kind"] == "bot"
        assert host.table["seats"][0]["name"] != "Bruno"
        with api.join(table, match.secrets[1]) as late:
            assert (late.seat, late.table["seats"][0]["name"]) == (0, "Bruno")
            assert late.table["seats"][0]["kind"] == "person"
    match.close()


def test_a_waiting_rematch_survives_a_restart(serving: Serving) -> None:
    match = Finished(serving(rematch_wait=3600.0))
    table = rematch(match.clients[0])["table"]
    match.close()
    api = serving(rematch_wait=0.0)
    with api.join(match.id, match.secrets[1]) as bruno:
        assert bruno.events[bruno.last]["table"] == table, "the rematch is remembered"
    with api.join(table, match.secrets[0]) as host:
        host.until(lambda: host.table["state"] == "playing")


def test_the_host_can_start_a_rematch_early(api: Api, finished: Finished) -> None:
    table = rematch(finished.clients[0])["table"]
    with api.join(table, finished.secrets[0]) as host:
        assert host.ask("start")["type"] == "ack"
        assert host.table["seats"][0]["kind"] == "bot"


def test_a_rematch_can_be_another_game(api: Api, finished: Finished) -> None:
    event = rematch(finished.clients[1], game="postcards-home")
    assert event["text"] == ["You ask for a game of Postcards Home."]
    table = api.get(f"/api/tables/{event['table']}")
    assert (table["game"], table["seats"][0]["name"]) == ("postcards-home", "Bruno")


def test_a_rematch_against_bots_starts_at_once(api: Api) -> None:
    opened = api.open("me", "easy", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(random.Random(2).choice)
        table = rematch(me)["table"]
    assert api.get(f"/api/tables/{table}")["state"] == "playing"


def test_an_invalid_rematch_is_refused(api: Api, finished: Finished) -> None:
    ada = finished.clients[0]
    opened = api.open("me", "easy", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as early:
        assert early.ask("rematch")["code"] == "not-over"
    with api.join(finished.id) as spectator:
        assert spectator.ask("rematch")["code"] == "wrong-seat"
    assert ada.ask("rematch", game="chess")["code"] == "unknown-game"
    assert ada.ask("rematch", game=7)["code"] == "malformed"
    assert ada.ask("rematch", seats=["me"])["code"] == "malformed"
    assert all(event["kind"] != "rematch" for event in ada.events.values())


def test_a_spectator_hears_of_the_rematch_but_gets_no_secret(api: Api, finished: Finished) -> None:
    with api.join(finished.id) as spectator:
        event = rematch(finished.clients[0])
        spectator.until(lambda: spectator.last >= event["n"])
        told = spectator.events[event["n"]]
        assert told.keys() == {"type", "kind", "n", "seat", "table", "game", "text"}
    with api.join(event["table"]) as watching:
        assert watching.seat is None
        assert not any(secret in str(watching.received) for secret in finished.secrets)
