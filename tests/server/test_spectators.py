"""Spectators: how they are listed, and their chat."""

import json
from typing import Any

import pytest

from grandtour.server.settings import Limits, Rate
from grandtour.server.tables.spectators import MAX_LINES
from tests.server.client import PLENTY, Api, Client, Message
from tests.server.conftest import Serving
from tests.server.test_passports import passport

SHORT = {"turn_limit": 10}
TALKATIVE = Limits(tables=PLENTY, requests=PLENTY, chat=PLENTY, address_chat=PLENTY)


class Watcher(Client):
    """A spectator who gives a name."""

    def __init__(self, api: Api, table: str, name: str = "", **more: Any) -> None:
        self.said_name = name
        super().__init__(api.socket(table), None, 0, **more)

    def send(self, message: Message) -> None:
        if message["type"] == "hello" and self.said_name:
            message = {**message, "name": self.said_name}
        super().send(message)


def chat_of(client: Client) -> list[tuple[str, str]]:
    """The spectators' chat, as this client received it."""
    return [
        (line["name"], line["text"])
        for message in client.received
        if message["type"] == "gallery"
        for line in message["lines"]
    ]


def watching(client: Client) -> Message:
    return [{}, *(message for message in client.received if message["type"] == "spectators")][-1]


def test_spectators_are_counted_and_named(api: Api) -> None:
    opened = api.open("me", "normal", options=SHORT)
    ada = passport(api, "Ada")
    with api.join(opened["table"], opened["secret"]) as me:
        with (
            Watcher(api, opened["table"], "  Bruno\n\u202e "),
            Watcher(api, opened["table"], "ignored", passport=ada["secret"]),
            Watcher(api, opened["table"]),
        ):
            me.until(lambda: watching(me).get("count") == 3)
            assert watching(me)["names"] == ["Ada", "Bruno"], (
                "the name of a passport takes precedence over a given name"
            )
        me.until(lambda: watching(me).get("count") == 0)
        assert watching(me)["names"] == []


def test_players_get_the_spectators_chat_when_the_match_is_over(api: Api) -> None:
    opened = api.open("me", "open", options=SHORT)
    with api.join(opened["table"], opened["secret"]) as me, Watcher(api, opened["table"], "Ada") as ada:
        other = api.sit(opened["table"], "Bruno")
        with api.join(opened["table"], other["secret"]) as bruno:
            assert ada.ask("say", text=" He has \n Milano! ")["type"] == "ack"
            with Watcher(api, opened["table"], "Carla") as carla:
                carla.until(lambda: bool(chat_of(carla)))
                carla.ask("say", "the-id", text="I saw")
                carla.ask("say", "the-id", text="I saw")
                ada.until(lambda: len(chat_of(ada)) == 2)
            said = [("Ada", "He has Milano!"), ("Carla", "I saw")]
            assert chat_of(ada) == said, "the same request twice is one line"
            for seat, player in enumerate((me, bruno)):
                player.ask("bot", seat=seat, bot="random")
            me.until(me.over)
            bruno.until(lambda: bool(chat_of(bruno)))
            me.until(lambda: bool(chat_of(me)))
            assert chat_of(me) == chat_of(bruno) == said
            for player in (me, bruno):
                before = [m for m in player.received if m["type"] not in ("gallery", "spectators")]
                assert "Milano!" not in json.dumps(before)
                kinds = [(m["type"], m.get("kind")) for m in player.received]
                assert kinds.index(("gallery", None)) > kinds.index(("event", "over"))
    with api.join(opened["table"], opened["secret"]) as again:
        again.until(lambda: bool(chat_of(again)))
        assert chat_of(again) == said, "it is stored with the table"


def test_empty_and_too_frequent_chat_lines_of_spectators_are_refused(serving: Serving) -> None:
    api = serving(limits=Limits(tables=PLENTY, requests=PLENTY, chat=Rate(0.001, 2)))
    opened = api.open("me", "open", options=SHORT)
    with Watcher(api, opened["table"]) as ada:
        assert ada.ask("say", text=" \u200b ")["code"] == "malformed"
        assert ada.ask("say", text="x" * 501)["code"] == "malformed"
        assert ada.ask("say", text="one")["type"] == "ack"
        assert ada.ask("say", text="two")["code"] == "too-much"
        assert chat_of(ada) == [("A spectator", "one")]


def test_the_latest_lines_are_stored_and_one_spectator_cannot_displace_the_others(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grandtour.server.tables.spectators.MAX_LINES", 3)
    assert MAX_LINES > 3
    api = serving(limits=TALKATIVE)
    opened = api.open("me", "open", options=SHORT)
    with Watcher(api, opened["table"], "Ada") as ada:
        answers = {ada.ask("say", text=str(number))["type"] for number in range(9)}
        assert answers == {"ack"}
        with Watcher(api, opened["table"], "Bruno") as bruno:
            assert bruno.ask("say", text="may I?")["type"] == "ack"
            assert chat_of(bruno) == [("Ada", "6"), ("Ada", "7"), ("Ada", "8"), ("Bruno", "may I?")]
    with Watcher(api, opened["table"]) as carla:
        carla.until(lambda: bool(chat_of(carla)))
        assert chat_of(carla) == [("Ada", "7"), ("Ada", "8"), ("Bruno", "may I?")]


def test_a_line_that_is_sent_twice_appears_once(serving: Serving) -> None:
    api = serving(limits=TALKATIVE)
    opened = api.open("me", "open", options=SHORT)
    with Watcher(api, opened["table"], "Ada") as ada, Watcher(api, opened["table"], "Bruno") as bruno:
        for _ in range(3):
            ada.send({"type": "say", "id": "same", "text": "hello"})
        ada.ask("say", text="good day")
        bruno.until(lambda: len(chat_of(bruno)) >= 2)
        assert chat_of(bruno) == [("Ada", "hello"), ("Ada", "good day")]


def test_one_address_cannot_chat_faster_by_connecting_again(serving: Serving) -> None:
    api = serving(limits=Limits(tables=PLENTY, requests=PLENTY, address_chat=Rate(0.001, 10)))
    opened = api.open("me", "open", options=SHORT)
    answers = []
    for _ in range(4):
        with Watcher(api, opened["table"], "Ada") as ada:
            answers += [ada.ask("say", text="again")["type"] for _ in range(4)]
    assert answers.count("ack") == 10, "counted over all sockets of the address"


def test_forgetting_a_person_removes_their_lines_as_a_spectator(serving: Serving) -> None:
    api = serving(limits=TALKATIVE)
    opened = api.open("me", "open", options=SHORT)
    mine = passport(api, "Ada")
    with Watcher(api, opened["table"], passport=mine["secret"]) as ada, Watcher(api, opened["table"], "Bruno") as bruno:
        ada.ask("say", text="hello")
        bruno.ask("say", text="good day")
        gone = api.post("/api/passport/forget", {"passport": mine["secret"]})
        assert gone == {"tables": 0, "lines": 1}
        with Watcher(api, opened["table"], "Carla") as carla:
            carla.until(lambda: bool(chat_of(carla)))
            assert chat_of(carla) == [("Bruno", "good day")]
