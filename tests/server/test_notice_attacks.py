"""Misuse of notices: floods, endpoints that never respond, and names that mention others in a chat."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from grandtour.server.people import web_push
from grandtour.server.people.notices import Notice, Notices, merged_message, webhook_body
from grandtour.server.settings import Limits
from grandtour.server.storage import notice_store, people_store
from grandtour.server.storage.database import Database
from grandtour.server.storage.notice_store import Preference, Subscription
from grandtour.server.storage.people_store import Device, Passport
from grandtour.server.storage.sqlite_store import SqliteStore
from grandtour.server.storage.store import Store
from tests.server.client import settings_for

HOOK = "https://hooks.example.org/"


def with_people(
    folder: Path, people: list[str], work: Callable[[Store, Notices], Awaitable[None]], **settings: Any
) -> None:
    """Run `work` with these people, each of whom has a webhook that ends with their id."""

    def fill(db: Database) -> None:
        for id in people:
            device = Device(f"{id}'s", id, "key", "A laptop", 0.0, 0.0)
            people_store.add_passport(db, Passport(id, "Ada", "fox", 0.0, False), device)
            notice_store.set_preference(db, id, Preference(True, HOOK + id, ""))

    async def main() -> None:
        store = SqliteStore(None)
        await store.run(fill)
        made = Notices(store, settings_for(folder, **settings), {})
        # The test itself decides when notices are stored and sent.
        made._task.cancel()
        try:
            await work(store, made)
        finally:
            await made.close()
            await store.close()

    asyncio.run(main())


def invite(made: Notices, person: str, table: str = "t") -> None:
    made.invited(table, "Round Trip Italy", "Bruno", person)


def test_one_person_cannot_fill_the_queue(tmp_path: Path) -> None:
    async def work(store: Store, made: Notices) -> None:
        for number in range(20):
            invite(made, "greedy", f"t{number}")
        invite(made, "modest")
        await made._store_fresh()
        kept = await store.run(notice_store.all_waiting, writes=False)
        assert [one.passport for one in kept].count("greedy") == 3
        assert [one.passport for one in kept].count("modest") == 1
        invite(made, "greedy", "t0")
        await made._store_fresh()
        assert len(made._waiting) == 4, "a newer notice of the same kind replaces the older one"

    limits = Limits(person_notices_waiting=3)
    with_people(tmp_path, ["greedy", "modest"], work, notice_wait=3600.0, limits=limits)


def test_all_devices_of_a_person_are_tried_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise twenty devices that never respond would delay everyone else by twenty deadlines."""
    monkeypatch.setattr(web_push, "request_for", lambda *_: ({}, b""))
    trying: set[str] = set()
    all_at_once = asyncio.Event()

    async def post(url: str, *_: object) -> int:
        trying.add(url)
        if len(trying) == 4:
            all_at_once.set()
        await all_at_once.wait()
        return 200

    async def work(store: Store, made: Notices) -> None:
        def subscribe(db: Database) -> None:
            for number in range(3):
                notice_store.subscribe(db, Subscription(f"d{number}", "p", f"{HOOK}{number}", "", ""))

        await store.run(subscribe)
        made._private_key = "a key"
        monkeypatch.setattr(made._outgoing, "post", post)
        async with asyncio.timeout(20):
            await made._send("p", merged_message([Notice("over", "t", "Round Trip Italy", (), 0, "key")]))

    with_people(tmp_path, ["p"], work, notice_wait=3600.0)
    assert len(trying) == 4


def test_sending_pauses_for_a_person_whose_webhook_timed_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    async def post(url: str, *_: object) -> int:
        tried.append(url.removeprefix(HOOK))
        if url.endswith("silent"):
            raise TimeoutError
        return 200

    async def work(store: Store, made: Notices) -> None:
        monkeypatch.setattr(made._outgoing, "post", post)
        for table in ("t1", "t2"):
            invite(made, "silent", table)
            invite(made, "honest", table)
            await made._store_fresh()
            await made._send_due()
            await asyncio.gather(*made._sending)
        assert await store.run(notice_store.all_waiting, writes=False) == [], "a notice that is not sent is dropped"

    with_people(tmp_path, ["silent", "honest"], work, notice_wait=0.0, notice_pause=0.0)
    assert sorted(tried) == ["honest", "honest", "silent"]


def test_the_number_of_messages_being_sent_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    never = asyncio.Event()

    async def post(*_: object) -> int:
        await never.wait()
        return 200

    people = [f"p{number}" for number in range(40)]

    async def work(store: Store, made: Notices) -> None:
        monkeypatch.setattr(made._outgoing, "post", post)
        for first in range(0, 40, 10):
            for person in people[first : first + 10]:
                invite(made, person)
            await made._store_fresh()
            await made._send_due()
        assert len(made._sending) == 20

    with_people(tmp_path, people, work, notice_wait=0.0, notice_pause=0.0, limits=Limits(notices_waiting=20))


def test_an_error_while_sending_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def post(*_: object) -> int:
        raise ValueError("something unforeseen")

    async def work(store: Store, made: Notices) -> None:
        monkeypatch.setattr(made._outgoing, "post", post)
        invite(made, "p")
        await made._store_fresh()
        await made._send_due()
        await asyncio.gather(*made._sending)

    with_people(tmp_path, ["p"], work, notice_wait=0.0)
    assert [record.message for record in caplog.records] == ["a notice could not be sent"]


def test_many_games_fit_into_one_message() -> None:
    """A push service refuses more than four kilobytes."""
    title = "The Journey: Istanbul"
    message = merged_message([Notice("invited", f"t{n}", title, ("x" * 24,), -1, "", "p") for n in range(50)])
    assert message.title == "News from 50 games"
    assert message.body.endswith("; and 45 more.")
    assert len(web_push.payload(*message)) < 1000


@pytest.mark.parametrize("name", ["@everyone", "<!channel>", "<@U12345>", "@here"])
def test_a_players_name_mentions_nobody_in_a_chat(name: str) -> None:
    message = merged_message([Notice("invited", "t", "Round Trip Italy", (name,), -1, "", "p")])
    sent = json.loads(webhook_body(Preference(True, HOOK, "https://play.example.org"), message))
    assert not set("@<>") & set("".join(sent.values()))
    assert name.strip("@<>!") in sent["text"]
