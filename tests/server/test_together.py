"""After a match: notes that players write about it, and watching it together."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import cast

import pytest

from grandtour.protocol.messages import JoinRoom
from grandtour.server.tables import shared_replays
from grandtour.server.tables.client import Client as ServerClient
from grandtour.server.tables.session import Session
from grandtour.server.tables.shared_replays import SharedReplays
from tests.server.client import Api, Client, Message
from tests.server.test_passports import finish, passport, refused
from tests.server.test_spectators import Watcher

SHORT = {"turn_limit": 10}
ROOM = "abc123"


@pytest.fixture(scope="module")
def played(api: Api) -> tuple[str, Message]:
    """A finished match, and the passport of the one who played it."""
    mine = passport(api, "Ada")
    opened = api.open("me", "random", options=SHORT, passport=mine["secret"])
    finish(api, opened["table"], opened["secret"])
    return opened["table"], mine


def led(client: Client) -> Message:
    return [{}, *(message for message in client.received if message["type"] == "room")][-1]


@pytest.fixture
def pair(api: Api, played: tuple[str, Message]) -> Iterator[tuple[Client, Client]]:
    with Watcher(api, played[0], "Bruno") as first, Watcher(api, played[0], "Carla") as second:
        for client in (first, second):
            assert client.ask("room", room=ROOM)["type"] == "ack"
        first.until(lambda: led(first).get("count") == 2)
        second.until(lambda: led(second).get("count") == 2)
        yield first, second


def test_followers_are_told_where_the_leader_is(pair: tuple[Client, Client]) -> None:
    first, second = pair
    assert (led(first)["leading"], led(second)["leading"], led(second)["leader"]) == (True, False, "Bruno")
    first.send({"type": "show", "step": 3, "viewer": "all"})
    second.until(lambda: led(second)["step"] == 3)
    assert led(second)["viewer"] == "all"
    second.send({"type": "show", "step": 5, "viewer": "0"})
    while second.receive()["type"] != "refused":
        pass
    first.until(lambda: led(first)["step"] == 3)
    first.ask("room", room=ROOM)
    assert led(first)["step"] == 3, "only the leader leads"
    second.ask("room", room=ROOM, lead=True)
    first.until(lambda: not led(first)["leading"])
    second.close()
    first.until(lambda: led(first)["count"] == 1)
    assert led(first)["leading"], "when the leader leaves, another person leads"
    assert led(first)["names"] == ["Bruno"]


def test_rooms_are_independent(api: Api, played: tuple[str, Message], pair: tuple[Client, Client]) -> None:
    with Watcher(api, played[0], "Dora") as other:
        other.ask("room", room="other")
        assert (led(other)["count"], led(other)["leading"]) == (1, True)
        other.send({"type": "show", "step": 2, "viewer": "none"})
        other.until(lambda: led(other)["step"] == 2)
        pair[0].ask("room", room=ROOM)
        assert led(pair[0])["step"] == 0


@pytest.mark.parametrize(
    "bad",
    [
        {"room": "x"},
        {"room": "../../etc"},
        {"room": "A" * 5},
        {"room": "a" * 25},
        {"room": 7},
        {"room": ROOM, "odd": 1},
    ],
)
def test_an_invalid_room_is_refused(api: Api, played: tuple[str, Message], bad: Message) -> None:
    with Watcher(api, played[0]) as client:
        assert client.ask("room", **bad)["code"] == "malformed"


@pytest.mark.parametrize("bad", [{"step": 10**5}, {"step": -1}, {"viewer": "me"}, {"viewer": 0}, {"step": "1"}])
def test_an_invalid_step_is_refused(api: Api, played: tuple[str, Message], bad: Message) -> None:
    with Watcher(api, played[0]) as client:
        client.ask("room", room="alone")
        client.send({"type": "show", "step": 1, "viewer": "all", **bad})
        while (message := client.receive())["type"] != "refused":
            pass
        assert message["code"] == "malformed"
        assert led(client)["step"] == 0


def test_the_number_of_rooms_is_limited(api: Api, played: tuple[str, Message], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_replays, "MAX_ROOMS", 1)
    monkeypatch.setattr(shared_replays, "MAX_PEOPLE", 1)
    with Watcher(api, played[0]) as first, Watcher(api, played[0]) as second:
        assert first.ask("room", room="room1")["type"] == "ack"
        assert second.ask("room", room="room1")["code"] == "too-much"
        assert second.ask("room", room="room2")["code"] == "too-much"


def test_frequent_changes_of_the_leader_are_sent_in_batches() -> None:
    """Fifty sockets may send a thousand messages a second. Without batches, the server would send fifty thousand."""
    told = 0
    enough = asyncio.Event()

    class Listener(ServerClient):
        def send_frames(self, message: bytes) -> None:
            nonlocal told
            told += 1
            if told > shared_replays.MAX_PEOPLE:
                enough.set()

    async def main() -> None:
        rooms, session = SharedReplays(), cast(Session, SimpleNamespace(table=SimpleNamespace(id="t", phase="over")))
        people = [Listener(1 << 20) for _ in range(shared_replays.MAX_PEOPLE)]
        for _ in range(20):
            for client in people:
                rooms.join(session, client, JoinRoom("1", ROOM, lead=True))
        assert told == 1, "the first change is sent at once"
        await enough.wait()
        assert told == 1 + len(people), "later changes are sent together"
        for client in people:
            rooms.leave(client)
        assert (rooms._tables, rooms._inside) == ({}, {})

    asyncio.run(main())


def test_a_running_match_is_not_watched_together_and_has_no_notes(api: Api) -> None:
    mine = passport(api)
    opened = api.open("me", "open", options=SHORT, passport=mine["secret"])
    with Watcher(api, opened["table"]) as client:
        assert client.ask("room", room=ROOM)["code"] == "not-over"
    body = {"passport": mine["secret"], "step": 0, "text": "hm"}
    assert refused(api, f"/api/tables/{opened['table']}/notes", body)["code"] == "not-over"
    assert api.request("GET", f"/api/tables/{opened['table']}/notes")[1]["code"] == "not-over"


def test_notes_are_stored_with_the_replay(api: Api, played: tuple[str, Message]) -> None:
    table, mine = played
    path = f"/api/tables/{table}/notes"

    def write(step: int, text: str) -> list[Message]:
        found: list[Message] = api.post(path, {"passport": mine["secret"], "step": step, "text": text})
        return found

    name = api.get(f"/api/tables/{table}")["seats"][0]["name"]
    write(4, "Too \n early.")
    assert write(2, "Good.") == [
        {"step": 2, "seat": 0, "name": name, "text": "Good."},
        {"step": 4, "seat": 0, "name": name, "text": "Too early."},
    ]
    write(4, "Far too early.")
    assert [note["text"] for note in api.get(path)] == ["Good.", "Far too early."], "everyone can read them"
    assert [note["step"] for note in write(2, "")] == [4]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"step": 10**6}, "malformed"),
        ({"step": -1}, "malformed"),
        ({"text": "x" * 501}, "malformed"),
        ({"passport": "a.b"}, "wrong-passport"),
        ({"seat": 1}, "malformed"),
    ],
)
def test_an_invalid_note_is_refused(api: Api, played: tuple[str, Message], change: Message, code: str) -> None:
    table, mine = played
    before = api.get(f"/api/tables/{table}/notes")
    body = {"passport": mine["secret"], "step": 1, "text": "hm", **change}
    assert refused(api, f"/api/tables/{table}/notes", body)["code"] == code
    assert api.get(f"/api/tables/{table}/notes") == before


def test_only_those_who_played_write_notes(api: Api, played: tuple[str, Message]) -> None:
    body = {"passport": passport(api, "Bruno")["secret"], "step": 1, "text": "hm"}
    assert refused(api, f"/api/tables/{played[0]}/notes", body)["code"] == "wrong-seat"
