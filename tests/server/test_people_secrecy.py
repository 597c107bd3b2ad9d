"""Messages about people reveal nothing hidden: two worlds that differ only in what is hidden from somebody give them
the same messages, byte for byte."""

import asyncio
import itertools
import typing
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.server.http.api import ENDPOINTS
from grandtour.server.people import web_push
from grandtour.server.people.notices import Notices, merged_message
from grandtour.server.storage.sqlite_store import SqliteStore
from grandtour.server.storage.store import Store
from grandtour.server.tables.client import Client
from grandtour.server.tables.records import Record
from grandtour.server.tables.shared_replays import SharedReplays
from grandtour.server.tables.spectators import Spectators
from grandtour.server.tables.table import Table
from tests.server.client import Api, Message, settings_for
from tests.server.test_secrecy import new_table, play_on

IN_TEST_SECRECY = {"welcome", "event", "now", "change", "table"}
"""Messages whose worlds are compared in `test_secrecy.py`."""
IN_THIS_FILE = {"spectators", "gallery", "room"}
NOTHING_HIDDEN = {"ack", "hint", "refused", "pong", "notice", "asking", "admitted"}
"""Responses to the client that asked, and messages about the server. Hints are computed from an imagined world."""


def tags(union: Any) -> set[str]:
    found: set[str] = set()
    for part in typing.get_args(union):
        found |= tags(part) if typing.get_args(part) else {part.__struct_config__.tag}
    return found


def test_every_message_of_the_server_is_checked() -> None:
    assert tags(messages.Outgoing) == IN_TEST_SECRECY | IN_THIS_FILE | NOTHING_HIDDEN, (
        "a new message needs a test of two worlds"
    )


class FakeConnection:
    """Records the frames that a client is sent."""

    def __init__(self) -> None:
        self.sent = b""

    def can_write(self) -> bool:
        return True

    def write(self, frames: bytes) -> None:
        self.sent += frames

    def abort(self) -> None:
        raise AssertionError("no connection should be closed here")

    def stop_reading(self) -> None:
        raise AssertionError("no connection should stop reading here")


class FakeClient(Client):
    """A client that records its messages."""

    def __init__(self, seat: int | None, name: str = "") -> None:
        self.kept = FakeConnection()
        super().__init__(1 << 20, self.kept)
        self.seat, self.name = seat, name


class FakeSession:
    """The parts of a session that these tests need: a table and its clients."""

    def __init__(self, table: Table, *clients: FakeClient) -> None:
        self.table = table
        self.clients = set(clients)
        self.deleted = False

    def here(self) -> set[int]:
        return {client.seat for client in self.clients if client.seat is not None}


def with_store(work: Callable[[Store], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        store = SqliteStore(None)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(main())


async def bytes_sent(store: Store, folder: Path, table: Table, lines: list[str]) -> list[bytes]:
    """What each player is sent while spectators join and write these chat lines to each other."""
    players = [FakeClient(seat) for seat in range(len(table.seats))]
    watcher = FakeClient(None, "Carla")
    session: Any = FakeSession(table, *players, watcher)
    spectators = Spectators(store, settings_for(folder), {table.id: session})
    for client in (*players, watcher):
        await spectators.join(session, client, "")
    for number, line in enumerate(lines):
        await spectators.say(session, watcher, messages.Say(f"id {number}", line))
    spectators._send(table.id)
    again = FakeClient(0)
    session.clients.add(again)
    await spectators.join(session, again, "")
    await asyncio.sleep(0)
    await spectators.open(session) if table.phase == "over" else None
    await asyncio.sleep(0)
    return [player.kept.sent for player in (*players, again)]


@pytest.mark.parametrize("seed", [21, 22])
def test_players_cannot_tell_what_spectators_say(seed: int, tmp_path: Path) -> None:
    table = new_table(3, seed)
    for number, _ in enumerate(play_on(table, seed)):
        if number % 7:
            continue
        first = with_store(lambda store: bytes_sent(store, tmp_path, table, ["He has Milano!", "And Roma."]))
        second = with_store(lambda store: bytes_sent(store, tmp_path, table, ["Nothing to see", "here"]))
        assert first == second, "a player was sent the spectators' chat"
        assert all(b"Carla" in sent for sent in first), "players may know who is watching"
    told = with_store(lambda store: bytes_sent(store, tmp_path, table, ["He had Milano!"]))
    assert table.phase == "over"
    assert all(b"He had Milano!" in sent for sent in told), "when it is over, everyone may read it"


def notified(folder: Path, table: Table, records: list[Record]) -> dict[int, bytes]:
    """The notice that each player would get if they were not looking at the table."""

    async def main(store: Store) -> dict[int, bytes]:
        session: Any = FakeSession(table)
        notices = Notices(store, settings_for(folder), {table.id: session})
        notices.changed(session, records)
        waiting = list(notices._fresh.values())
        await notices.close()
        return {notice.seat: web_push.payload(*merged_message([notice])) for notice in waiting}

    found: dict[int, bytes] = with_store(main)
    return found


@pytest.mark.parametrize("seed", [23, 24])
def test_a_notice_does_not_depend_on_hidden_information(seed: int, tmp_path: Path) -> None:
    table = new_table(3, seed)
    dice = QuickDice(seed)
    compared = 0
    for number, _ in enumerate(play_on(table, seed)):
        if number % 5:
            continue
        assert table.match is not None
        last = [table.entries[-1].record]
        state = table.match.state
        real = notified(tmp_path, table, last)
        for seat in range(len(table.seats)):
            table.match.state = state.imagine(seat, dice)
            assert notified(tmp_path, table, last) == real, f"a notice reveals hidden information to seat {seat}"
            compared += seat in real
        table.match.state = state
    assert compared > 3
    last = [entry.record for entry in table.entries[-1:]]
    assert set(notified(tmp_path, table, last)) == {0, 1, 2}, "at the end everyone gets a notice"


WHILE_IT_RUNS = {
    "GET /api/tables/{table}",
    "POST /api/tables/{table}/sit",
    "POST /api/tables/{table}/invite",
}
"""Requests about a table that are allowed while its match is running. They show who sits there, as `table` does."""
BODIES: dict[str, Message] = {
    "/api/tables/{table}/branches": {"step": 0, "seat": 0},
    "/api/tables/{table}/notes": {"step": 0, "text": "What a hand!"},
}


def test_no_request_inspects_a_running_match(api: Api) -> None:
    secret = api.post("/api/passports", {"name": "Ada"})["secret"]
    opened = api.open("me", "normal", passport=secret)
    about = [endpoint for endpoint in ENDPOINTS if "{table}" in endpoint.path]
    assert {f"{one.method} {one.path}" for one in about} >= WHILE_IT_RUNS
    for endpoint in about:
        if f"{endpoint.method} {endpoint.path}" in WHILE_IT_RUNS:
            continue
        path = endpoint.path.format(table=opened["table"])
        body = {**BODIES.get(endpoint.path, {}), "passport": secret} if endpoint.body is not ... else None
        status, answer = api.request(endpoint.method, f"{path}?seat=0" if endpoint.query else path, body)
        assert (status, answer.get("code")) == (409, "not-over"), (
            f"{path} is accepted while the match is running: {answer}"
        )


def test_a_shared_replay_of_a_running_match_is_refused() -> None:
    table = new_table(2, 25)
    session: Any = FakeSession(table, client := FakeClient(None))

    async def ask() -> None:
        replays = SharedReplays()
        with pytest.raises(Refusal, match="once it is over"):
            replays.join(session, client, messages.JoinRoom("1", "abc123"))
        with pytest.raises(Refusal):
            replays.show(session, client, messages.Show(1, "all"))
        await asyncio.sleep(0)

    for _ in itertools.islice(play_on(table, 25), 5):
        asyncio.run(ask())
    assert client.kept.sent == b""
