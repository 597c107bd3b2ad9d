"""No single address can use up shared resources: waiting tables, chat, hints and reviews."""

import asyncio
from contextlib import ExitStack
from typing import Any

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.server.background.hint_pool import HintPool
from grandtour.server.settings import Limits, Rate
from tests.server.client import PLENTY, Api
from tests.server.conftest import Serving
from tests.server.test_hints import GAME, SHORT, position
from tests.server.test_moments import finished, moments

WANTED = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}


def addresses(api: Api, count: int) -> list[Api]:
    return [api.seen_from(f"127.0.1.{number}") for number in range(1, count + 1)]


def test_tables_abandoned_by_many_addresses_do_not_block_new_ones(serving: Serving) -> None:
    """The attack: seventeen addresses open thirty tables each, the limit for the whole server."""
    api = serving(limits=Limits(requests=PLENTY))
    for attacker in addresses(api, 17):
        for _ in range(30):
            attacker.open("me", "open")
    opened = api.open("me", "open")
    with api.join(opened["table"], opened["secret"]) as me:
        assert me.seat == 0


def test_the_oldest_abandoned_table_is_unloaded_and_its_link_still_works(serving: Serving) -> None:
    api = serving(limits=Limits(tables=PLENTY, requests=PLENTY, tables_waiting=3))
    here, *others = (api.open("me", "open") for _ in range(3))
    with api.join(here["table"], here["secret"]) as me:
        api.open("me", "open")
        api.open("me", "open")
        assert api.get("/api/health")["tables"] == 3
        for opened in others:
            assert api.sit(opened["table"], secret=opened["secret"])["seat"] == 0
        api.sit(here["table"], "Ada")
        me.until(lambda: me.now["view"] is not None)


def test_one_address_has_its_share_of_waiting_tables(serving: Serving) -> None:
    api = serving(limits=Limits(tables=PLENTY, requests=PLENTY, address_tables_waiting=3))
    other = api.seen_from("127.0.1.1")
    kept = other.open("me", "open")
    with ExitStack() as staying:
        for _ in range(3):
            opened = api.open("me", "open")
            staying.enter_context(api.join(opened["table"], opened["secret"]))
        status, refused = api.request("POST", "/api/tables", WANTED)
        assert (status, refused["code"]) == (429, "too-much")
        api.open("me", "normal")
        other.open("me", "open")
    api.until(lambda: api.get("/api/health")["sockets"] == 0)
    for _ in range(5):
        api.open("me", "open")
    assert api.get("/api/health")["tables"] == 3 + 1 + 2, "another address's table was unloaded"
    assert api.get(f"/api/tables/{kept['table']}")["state"] == "waiting"


def test_reconnecting_does_not_raise_the_chat_limit(serving: Serving) -> None:
    """The attack: eight lines, a new socket, eight lines more, 155 a second."""
    api = serving(limits=Limits(requests=PLENTY, chat=Rate(0.001, 8)))
    opened = api.open("me", "open")
    said = []
    for _ in range(3):
        with api.join(opened["table"], opened["secret"]) as me:
            said += [me.ask("say", text="hey")["type"] for _ in range(8)]
            assert me.ask("free", seat=1)["type"] == "ack", "other messages are still accepted"
    assert said.count("ack") == 8


def test_chat_is_limited_per_address_over_all_tables(serving: Serving) -> None:
    api = serving(limits=Limits(requests=PLENTY, address_chat=Rate(0.001, 10)))
    said = []
    for _ in range(3):
        opened = api.open("me", "open")
        with api.join(opened["table"], opened["secret"]) as me:
            said += [me.ask("say", text="hey")["type"] for _ in range(6)]
    assert said.count("ack") == 10
    other = api.seen_from("127.0.1.1")
    opened = other.open("me", "open")
    with other.join(opened["table"], opened["secret"]) as me:
        assert me.ask("say", text="hey")["type"] == "ack"


def test_downloads_of_finished_matches_are_limited(serving: Serving) -> None:
    api = serving(limits=Limits(tables=PLENTY, requests=Rate(0.001, 12)))
    table = finished(api)
    statuses = [api.fetch("GET", f"/api/tables/{table}/tour")[0] for _ in range(12)]
    assert statuses[0] == 200
    assert statuses[-1] == 429


def test_new_sockets_do_not_raise_the_hint_limit(serving: Serving) -> None:
    api = serving(hint_budget="20", hint_deadline=20.0, limits=Limits(requests=PLENTY, hints=Rate(0.001, 2)))
    opened = api.open("me", "normal", options=SHORT)
    got = []
    for number in range(4):
        with api.join(opened["table"], opened["secret"]) as me:
            me.send({"type": "hint", "id": str(number)})
            me.until(lambda: me.received[-1]["type"] in ("hint", "refused"))
            got.append(me.received[-1].get("code", "hint"))
    assert got == ["hint", "hint", "too-much", "too-much"]


def test_one_address_cannot_use_all_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four may wait for a hint, two of them from the same address."""

    async def main() -> list[Any]:
        hint_pool = HintPool(4, 20.0, "10", 2)
        thinking = asyncio.Event()

        async def think(*_: Any) -> str:
            await thinking.wait()
            return "advice"

        monkeypatch.setattr(hint_pool, "_think", think)
        state = position()
        asking = [
            asyncio.create_task(hint_pool.hint(GAME, state, 0, address)) for address in ("a", "a", "a", "b", "b", "c")
        ]
        await asyncio.sleep(0)
        thinking.set()
        first = await asyncio.gather(*asking, return_exceptions=True)
        return [*first, await hint_pool.hint(GAME, state, 0, "a")]

    told = ["busy" if isinstance(each, Refusal) else each for each in asyncio.run(main())]
    assert told == ["advice", "advice", "busy", "advice", "advice", "busy", "advice"]


def test_one_address_cannot_use_all_reviews(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    async def think_for_ever(*_: object) -> None:
        # A real review of such a short match could finish before the next request.
        await asyncio.Event().wait()

    monkeypatch.setattr(HintPool, "judge", think_for_ever)
    api = serving()
    table = finished(api)
    assert moments(api, table, 0)[0] == 200
    assert moments(api, table, 0)[0] == 200, "a review in progress can still be read"
    status, refused = moments(api, table, 1)
    assert (status // 100, refused["code"]) == (4, "busy")
    other = api.seen_from("127.0.1.1")
    assert moments(other, table, 1)[0] == 200
