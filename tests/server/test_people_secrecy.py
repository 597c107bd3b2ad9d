"""What is said about people and to them tells nobody what they may not know: two worlds that differ only in what is
hidden from somebody look the same to them, byte for byte."""

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
from grandtour.server.people.notices import Notices, told_of
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
HERE = {"spectators", "gallery", "room"}
ANSWERS = {"ack", "hint", "refused", "pong", "notice", "asking", "admitted"}
"""Messages to the one who asked, about what they asked, and about the server; hints are made from an imagined world."""


def tags(union: Any) -> set[str]:
    found: set[str] = set()
    for part in typing.get_args(union):
        found |= tags(part) if typing.get_args(part) else {part.__struct_config__.tag}
    return found


def test_every_message_of_the_server_is_checked() -> None:
    assert tags(messages.Outgoing) == IN_TEST_SECRECY | HERE | ANSWERS, "a new message needs a test of two worlds"


class Wire:
    """Keeps what a client was sent."""

    def __init__(self) -> None:
        self.sent = b""

    def can_write(self) -> bool:
        return True

    def write(self, frames: bytes) -> None:
        self.sent += frames

    def abort(self) -> None:
        raise AssertionError("nobody is cut off here")

    def stop_reading(self) -> None:
        raise AssertionError("nobody is sent away here")


class Somebody(Client):
    """A client whose messages are kept."""

    def __init__(self, seat: int | None, name: str = "") -> None:
        self.kept = Wire()
        super().__init__(1 << 20, self.kept)
        self.seat, self.name = seat, name


class Sitting:
    """As much of a session as is needed here: a table and its clients."""

    def __init__(self, table: Table, *clients: Somebody) -> None:
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


async def seen(store: Store, folder: Path, table: Table, lines: list[str]) -> list[bytes]:
    """What each player is sent while spectators come, and say these things to each other."""
    players = [Somebody(seat) for seat in range(len(table.seats))]
    watcher = Somebody(None, "Carla")
    session: Any = Sitting(table, *players, watcher)
    spectators = Spectators(store, settings_for(folder), {table.id: session})
    for client in (*players, watcher):
        await spectators.join(session, client, "")
    for number, line in enumerate(lines):
        await spectators.say(session, watcher, messages.Say(f"id {number}", line))
    spectators._tell(table.id)
    again = Somebody(0)
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
        first = with_store(lambda store: seen(store, tmp_path, table, ["He has Milano!", "And Roma."]))
        second = with_store(lambda store: seen(store, tmp_path, table, ["Nothing to see", "here"]))
        assert first == second, "a player hears of what spectators say"
        assert all(b"Carla" in sent for sent in first), "they may know who watches"
    told = with_store(lambda store: seen(store, tmp_path, table, ["He had Milano!"]))
    assert table.phase == "over"
    assert all(b"He had Milano!" in sent for sent in told), "when it is over, everyone may read it"


def notified(folder: Path, table: Table, records: list[Record]) -> dict[int, bytes]:
    """What would be sent to each player who looks elsewhere."""

    async def main(store: Store) -> dict[int, bytes]:
        session: Any = Sitting(table)
        notices = Notices(store, settings_for(folder), {table.id: session})
        notices.changed(session, records)
        waiting = list(notices._fresh.values())
        await notices.close()
        return {notice.seat: web_push.payload(*told_of([notice])) for notice in waiting}

    found: dict[int, bytes] = with_store(main)
    return found


@pytest.mark.parametrize("seed", [23, 24])
def test_a_notice_is_the_same_whatever_is_hidden(seed: int, tmp_path: Path) -> None:
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
            assert notified(tmp_path, table, last) == real, f"a notice tells seat {seat} what it may not know"
            compared += seat in real
        table.match.state = state
    assert compared > 3
    last = [entry.record for entry in table.entries[-1:]]
    assert set(notified(tmp_path, table, last)) == {0, 1, 2}, "at the end everyone hears of it"


WHILE_IT_RUNS = {
    "GET /api/tables/{table}",
    "POST /api/tables/{table}/sit",
    "POST /api/tables/{table}/invite",
}
"""Requests about a table that are carried out before its match is over. They tell who sits there, as `table` does."""
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
        body = {**BODIES.get(endpoint.path, {}), "passport": secret} if endpoint.takes is not ... else None
        status, answer = api.request(endpoint.method, f"{path}?seat=0" if endpoint.query else path, body)
        assert (status, answer.get("code")) == (409, "not-over"), f"{path} answers while the match runs: {answer}"


def test_nobody_watches_a_running_match_together() -> None:
    table = new_table(2, 25)
    session: Any = Sitting(table, client := Somebody(None))

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
