"""Limits, requests from other sites, and security headers."""

import json
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from grandtour.engine import catalogue, tour
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.server.background.replay import packed_replay
from grandtour.server.http.api import ENDPOINTS
from grandtour.server.http.endpoint import Endpoint
from grandtour.server.http.proxies import Proxies
from grandtour.server.http.security import headers_for
from grandtour.server.limits import Addresses, Bucket, address_of, part_of
from grandtour.server.settings import Limits, Rate
from grandtour.server.storage.sqlite_store import SqliteStore
from grandtour.server.storage.store import Cluster
from grandtour.server.tables.connections import ConnectionLimiter
from tests.server.client import Api, Client, Message, settings_for


def refused_hello(api: Api, table: str, text: str) -> tuple[Message, int]:
    """Send this as the first message on a socket. Returns the refusal and the close code."""
    socket = api.socket(table)
    with suppress(ConnectionClosed):
        socket.send(text)
    refused = json.loads(socket.recv())
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv()
    assert closed.value.rcvd is not None, "the socket was closed without a close frame"
    return refused, closed.value.rcvd.code


@pytest.fixture
def me(api: Api) -> Any:
    opened = api.open("me", "open")
    with api.join(opened["table"], opened["secret"]) as client:
        yield client


def test_a_message_may_have_sixteen_kibibytes(me: Client) -> None:
    def padded(size: int) -> str:
        text = json.dumps({"type": "move", "id": "big", "at": 0, "move": ""})
        return text.replace('""', '"' + "x" * (size - len(text)) + '"')

    me.socket.send(padded(16 * 1024))
    assert me.answer("big")["code"] != "too-much"
    me.socket.send(padded(16 * 1024 + 1))
    assert me.answer(None)["code"] == "too-much"
    assert me.closed() == 1008


def test_message_size_is_counted_in_bytes(me: Client) -> None:
    me.socket.send(json.dumps({"type": "say", "id": "a", "text": "€" * 6000}, ensure_ascii=False))
    assert me.answer(None)["code"] == "too-much"


def test_a_huge_message_closes_the_socket_unread(me: Client) -> None:
    me.socket.send("x" * 200_000)
    assert me.closed() == 1009


def test_a_flood_of_messages_closes_the_socket(me: Client) -> None:
    with suppress(ConnectionClosed):
        for _ in range(60):
            me.send({"type": "ping"})
    assert me.closed() == 1008
    assert me.received[-1]["code"] == "too-much"


def test_too_much_chat_is_refused_but_play_continues(me: Client) -> None:
    answers = [me.ask("say", text="hey")["type"] for _ in range(12)]
    assert "refused" in answers
    assert me.ask("start")["type"] == "ack"


def test_the_first_message_must_be_hello(api: Api) -> None:
    table = api.open("me", "open")["table"]
    for text in ('{"type": "ping"}', "nonsense", '{"type": "hello"}', '{"type": "hello", "secret": 7, "last": 0}'):
        refused, code = refused_hello(api, table, text)
        assert (refused["type"], refused["code"], code) == ("refused", "malformed", 1008)


def test_a_socket_for_an_unknown_table_is_refused(api: Api) -> None:
    refused, code = refused_hello(api, "nosuchtable1", '{"type": "hello", "secret": null, "last": 0}')
    assert (refused["code"], code) == ("unknown-table", 1008)


def test_a_silent_client_is_disconnected(serving: Any) -> None:
    api = serving(hello_deadline=0.05)
    socket = api.socket(api.open("me", "open")["table"])
    assert json.loads(socket.recv())["code"] == "malformed"
    socket.close()


def test_sockets_of_one_address_are_limited(serving: Any) -> None:
    api = serving(limits=Limits(sockets=2))
    table = api.open("me", "open")["table"]
    with api.join(table), api.join(table):
        refused, code = refused_hello(api, table, "")
        assert (refused["code"], code) == ("too-much", 1008)
        assert api.get("/api/health") == {"ok": True, "tables": 1, "sockets": 2}


def test_a_closed_socket_makes_room_for_another(serving: Any) -> None:
    api = serving(limits=Limits(sockets=1))
    opened = api.open("me", "open", "open")
    for _ in range(3):
        with api.join(opened["table"], opened["secret"]) as me:
            me.ask("say", text="here I am")
        api.until(lambda: api.get("/api/health")["sockets"] == 0)


def test_tables_of_one_address_are_limited_whatever_its_headers_say(serving: Any) -> None:
    api = serving(limits=Limits(tables=Rate(0, 2)))
    api.open("me", "open")
    api.open("me", "open")
    wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}
    status, refused = api.request("POST", "/api/tables", wanted, {"X-Forwarded-For": "198.51.100.7"})
    assert (status, refused["code"]) == (429, "too-much")


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_every_request_is_counted_except_health_checks(serving: Any, endpoint: Endpoint) -> None:
    api = serving(limits=Limits(requests=Rate(0, 1)))
    path = endpoint.path.replace("{table}", "abcdefghijkm").replace("{game}", "round-trip")
    body = None if endpoint.method == "GET" else b"{}"
    statuses = [api.request(endpoint.method, path, body)[0] for _ in range(2)]
    assert statuses[0] != 429
    assert (statuses[1] == 429) == (endpoint.path not in ("/api/health", "/api/ready"))


def test_files_of_the_page_are_counted_too(serving: Any) -> None:
    api = serving(limits=Limits(all_requests=Rate(0, 3)))
    statuses = [api.fetch("GET", path)[0] for path in ("/", "/about", "/nothing.js", "/")]
    assert 429 not in statuses[:3]
    assert statuses[3] == 429


def test_the_list_of_tables_is_reused_for_a_second(serving: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    tables = SqliteStore.tables

    async def counted(store: SqliteStore, since: float, limit: int) -> Any:
        asked.append(since)
        return await tables(store, since, limit)

    monkeypatch.setattr(SqliteStore, "tables", counted)
    api = serving(lobby_refresh=60.0)
    before = api.get("/api/tables")
    api.open("me", "open", public=True)
    assert [api.get("/api/tables") for _ in range(20)] == 20 * [before]
    assert len(asked) == 1
    api = serving(lobby_refresh=0.0)
    assert len(api.get("/api/tables")) == 1


def test_only_waiting_tables_are_limited(serving: Any) -> None:
    api = serving(limits=Limits(tables_waiting=1))
    opened = api.open("me", "open")
    with api.join(opened["table"], opened["secret"]):
        wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}
        assert api.request("POST", "/api/tables", wanted)[0] == 429
        api.open("me", "normal")


def test_a_full_server_unloads_abandoned_tables_and_loads_them_again(serving: Any) -> None:
    api = serving(limits=Limits(tables_in_memory=2))
    tables = [api.open("me", "open") for _ in range(5)]
    assert api.get("/api/health")["tables"] == 2
    for opened in tables:
        assert api.get(f"/api/tables/{opened['table']}")["state"] == "waiting"
    with api.join(tables[0]["table"]), api.join(tables[1]["table"]):
        status, refused = api.request("GET", f"/api/tables/{tables[2]['table']}")
        assert (status, refused["code"]) == (429, "too-much")


def test_an_abandoned_table_is_unloaded_and_comes_back_unchanged(serving: Any) -> None:
    api = serving(idle=0.05)
    opened = api.open("me", "open", options={"start": "1"})
    place = api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as me:
        me.play(lambda moves: moves[0], moves=1)
    api.until(lambda: api.get("/api/health")["tables"] == 0)
    with api.join(opened["table"], opened["secret"]) as back:
        assert back.now == me.now
    assert api.sit(opened["table"], secret=place["secret"]) == place


def test_a_table_limits_everything_but_moves(serving: Any) -> None:
    api = serving(limits=Limits(events_a_table=3))
    opened = api.open("me", "open", options={"start": "1"})
    api.sit(opened["table"], "Ada")
    with api.join(opened["table"], opened["secret"]) as me:
        assert me.ask("say", text="hello")["type"] == "ack"
        assert me.ask("say", text="hello")["code"] == "too-much"
        assert me.move(me.moves()[0])["type"] == "ack"


def test_a_token_bucket_empties_and_refills(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    bucket = Bucket(Rate(2, 3))
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now += 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now += 60
    assert bucket.full


def test_replays_are_limited_per_address_and_in_total_until_they_are_sent() -> None:
    addresses = Addresses(Limits(replays=2, all_replays=3))
    addresses.replay_begun("one")
    addresses.replay_begun("one")
    with pytest.raises(Refusal, match="still being sent to you"):
        addresses.replay_begun("one")
    addresses.replay_begun("two")
    with pytest.raises(Refusal, match="Many replays are being prepared"):
        addresses.replay_begun("three")
    addresses.replay_ended("one")
    addresses.replay_begun("three")


@pytest.mark.parametrize(("most", "most_packed"), [(2_000, 1 << 20), (1 << 20, 1_000)], ids=["as JSON", "compressed"])
def test_a_replay_is_rendered_only_up_to_its_maximum_size(most: int, most_packed: int) -> None:
    match = Match(catalogue.game("round-trip"), 2, {"turn_limit": 10}, 1)
    for _ in range(20):
        seat = match.waiting()[0]
        match.play(seat, match.legal(seat)[0])
    text = tour.save(match)
    assert packed_replay(text, None, 1 << 20, 1 << 20)
    with pytest.raises(Refusal, match="too long to be shown"):
        packed_replay(text, None, most, most_packed)


def test_an_address_is_an_ipv4_address_or_an_ipv6_network() -> None:
    assert address_of(("203.0.113.9", 4000)) == "203.0.113.9"
    assert address_of(("2001:db8:1:2:3::4", 4000)) == address_of(("2001:db8:1:2:ffff::1", 5)) == "2001:db8:1:2::/64"
    assert address_of(("::ffff:203.0.113.9", 4000)) != address_of(("::ffff:203.0.113.10", 4000))
    assert address_of(None) == ""


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", "http://127.0.0.1:1", "file://", "https://127.0.0.1.example"]
)
def test_another_sites_page_cannot_act_for_its_visitors(api: Api, origin: str) -> None:
    opened = api.open("me", "open")
    with pytest.raises(InvalidStatus) as refused:
        api.socket(opened["table"], origin=origin)
    assert refused.value.response.status_code == 403
    body = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "bot"}]}
    status, answer = api.request("POST", "/api/tables", body, {"Origin": origin})
    assert (status, answer["code"]) == (403, "wrong-origin")


def test_the_servers_own_page_and_configured_origins_are_allowed(serving: Any) -> None:
    api = serving(origins=frozenset({"https://friends.example"}))
    table = api.open("me", "open")["table"]
    for origin in (api.url, "https://friends.example"):
        socket = api.socket(table, origin=origin)
        Client(socket, None, 0).close()


@pytest.mark.parametrize("path", ["/", "/api/games", "/api/nothing", "/nothing"])
def test_every_response_has_security_headers(api: Api, path: str) -> None:
    _, _, headers = api.fetch("GET", path)
    sent = {name.lower(): value for name, value in headers.items()}
    policy = dict(rule.split(" ", 1) for rule in sent["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    allowed = {name: policy[f"{name}-src"] for name in ("script", "style", "connect", "font", "img")}
    assert set(allowed.values()) == {"'self'"}, f"more than our own files is allowed: {allowed}"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert sent["x-content-type-options"] == "nosniff"
    assert sent["referrer-policy"] == "no-referrer"
    assert "server" not in sent


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("/assets/index-1.js", False),
        ("/assets/index-1.css", False),
        ("/assets/font-1.woff2", False),
        ("/theme.js", False),
        ("/manifest.webmanifest", False),
        # A drawing can be opened as a page, and a worker has a policy of its own.
        ("/assets/flag-1.svg", True),
        ("/service-worker.js", True),
        ("/table/abc", True),
    ],
)
def test_files_of_the_page_have_only_the_headers_that_matter_for_them(path: str, whole: bool) -> None:
    sent = headers_for(path)
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert sent["Cross-Origin-Resource-Policy"] == "same-origin"
    assert (len(sent) > 2) == ("Content-Security-Policy" in sent) == whole


def test_servers_that_share_a_store_divide_the_request_limit_of_an_address() -> None:
    shared: Any = SimpleNamespace(cluster=Cluster(["a", "b", "c", "d"], []))
    addresses = Addresses(Limits(requests=Rate(0, 8)), shared)

    def requests() -> int:
        allowed = 0
        with suppress(Refusal):
            while True:
                addresses.request(f"1.2.3.{len(shared.cluster.servers)}")
                allowed += 1
        return allowed

    assert requests() == 2
    # The others have ended.
    shared.cluster = Cluster(["a"], [])
    assert requests() == 8


def test_a_part_of_a_limit_is_never_zero() -> None:
    assert [part_of(40, servers) for servers in (1, 2, 3, 100)] == [40, 20, 14, 1]


def test_connections_of_an_address_are_divided_too(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, limits=Limits(connections=4))
    limiter = ConnectionLimiter(settings, Proxies(frozenset(), "x-forwarded-for"))
    limiter.servers = lambda: 2
    client = ("203.0.113.7", 1)
    assert [limiter.admit(client) for _ in range(3)] == ["open", "open", "refused"]
