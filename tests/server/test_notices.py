"""Notices to people who are not at the table: what is sent, when, and where."""

import asyncio
import base64
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from grandtour.server.people.notices import Notice, NoticeMessage, Notices, merged_message
from grandtour.server.settings import Limits, Rate
from grandtour.server.storage import notice_store, people_store
from grandtour.server.storage.database import Database
from grandtour.server.storage.notice_store import Preference
from grandtour.server.storage.people_store import Device, Passport
from grandtour.server.storage.sqlite_store import SqliteStore
from tests.server.client import PLENTY, Api, Client, Message, settings_for
from tests.server.conftest import Serving
from tests.server.test_passports import finish, games, other_device, passport, refused

SHORT = {"turn_limit": 10, "start": "1"}
LIMITS = Limits(tables=PLENTY, requests=PLENTY, notice_changes=PLENTY)


class Inbox:
    """A local HTTP server that records the notices it receives."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 201
        inbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                inbox.got.append((self.path, dict(self.headers), body))
                self.send_response(inbox.status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def texts(self) -> list[str]:
        return [json.loads(body)["title"] for path, _, body in list(self.got) if path == "/hook"]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    made = Inbox()
    yield made
    made.close()


def notified(serving: Serving, inbox: Inbox, **changes: Any) -> tuple[Api, Message]:
    """A server that sends notices at once, and a person who gets them by webhook."""
    usual = {"notice_anywhere": True, "notice_wait": 0.0, "notice_pause": 0.0, "limits": LIMITS}
    api = serving(**{**usual, **changes})
    mine = passport(api)
    set_notices(api, mine, webhook=f"{inbox.url}/hook")
    return api, mine


def begin(api: Api, mine: Message) -> str:
    """Start a match in which it is this person's turn and nobody is looking."""
    opened = api.open("me", "open", options=SHORT, passport=mine["secret"])
    api.sit(opened["table"], "Bruno")
    table: str = opened["table"]
    return table


def set_notices(api: Api, mine: Message, **changes: Any) -> Message:
    found: Message = api.post("/api/passport/notices", {"passport": mine["secret"], **changes})
    return found


def two_people(api: Api, mine: Message, **more: Any) -> tuple[Client, Client, str]:
    """A match between the owner of the passport and somebody without one."""
    opened = api.open("me", "open", options=SHORT, passport=mine["secret"], **more)
    me = api.join(opened["table"], opened["secret"])
    other = api.join(opened["table"], api.sit(opened["table"], "Bruno")["secret"])
    me.until(lambda: me.now["n"] == other.now["n"])
    return me, other, opened["table"]


def pass_turn(mover: Client, other: Client) -> None:
    """Play until it is the other player's turn."""
    while not other.asked():
        mover.until(lambda: bool(mover.moves()))
        mover.move(mover.moves()[0])
        other.until(lambda: other.now["n"] >= mover.last)


def test_a_webhook_says_whose_turn_it_is(serving: Serving, inbox: Inbox) -> None:
    api, mine = notified(serving, inbox)
    me, other, table = two_people(api, mine)
    with other:
        pass_turn(me, other)
        me.close()
        other.until(lambda: not other.table["seats"][0]["here"])
        with api.join(table) as watcher:
            watcher.seat = 0
            pass_turn(other, watcher)
        api.until(lambda: bool(inbox.texts()))
    assert inbox.texts()[0] == "Your turn — Round Trip Italy"
    told = json.loads(inbox.got[0][2])
    assert told["url"] == f"/table/{table}"
    assert "Bruno" in told["text"] == told["content"]


def set_visible(client: Client, on: bool) -> None:
    """Show or hide the client's page, and wait until the server knows."""
    client.send({"type": "visible", "on": on})
    client.send({"type": "ping"})
    while client.receive()["type"] != "pong":
        pass


def test_nobody_is_notified_about_a_table_they_are_looking_at(serving: Serving, inbox: Inbox) -> None:
    api, mine = notified(serving, inbox)
    me, other, _ = two_people(api, mine)
    with me, other:
        for _ in range(3):
            pass_turn(me, other)
            pass_turn(other, me)
        assert not inbox.got, "they saw it themselves"
        set_visible(me, False)
        pass_turn(me, other)
        pass_turn(other, me)
        api.until(lambda: bool(inbox.got))
        set_visible(me, True)
        seen = len(inbox.got)
        pass_turn(me, other)
        pass_turn(other, me)
    assert len(inbox.got) == seen


def test_notices_within_a_short_time_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent_messages: list[NoticeMessage] = []

    async def main() -> int:
        store = SqliteStore(None)
        settings = settings_for(tmp_path, notice_wait=0.0, notice_pause=3600.0)
        made = Passport("p", "Ada", "fox", 0.0, False), Device("d", "p", "key", "A laptop", 0.0, 0.0)
        await store.run(lambda db: people_store.add_passport(db, *made))
        await store.run(lambda db: notice_store.set_preference(db, "p", Preference(True, "", "")))
        notices = Notices(store, settings, {})
        sent = asyncio.Event()

        async def send(_: str, message: NoticeMessage) -> None:
            sent_messages.append(message)
            sent.set()

        monkeypatch.setattr(notices, "_send", send)
        for table in ("t1", "t2", "t3"):
            notices.invited(table, "Round Trip Italy", "Bruno", "p")
        await sent.wait()
        # Notices that follow soon after must wait.
        notices.invited("t4", "Round Trip Italy", "Bruno", "p")
        notices.invited("t5", "Round Trip Italy", "Bruno", "p")
        await notices._store_fresh()
        await notices._send_due()
        waiting = len(notices._waiting)
        await notices.close()
        await store.close()
        return waiting

    assert asyncio.run(main()) == 2
    [message] = sent_messages
    assert (message.title, message.path) == ("News from 3 games", "/games")
    assert message.body.count("Bruno invites you") == 3


def test_a_notice_that_is_not_due_is_sent_with_one_that_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent_messages: list[NoticeMessage] = []

    async def main() -> None:
        store = SqliteStore(None)
        made = Passport("p", "Ada", "fox", 0.0, False), Device("d", "p", "key", "A laptop", 0.0, 0.0)
        await store.run(lambda db: people_store.add_passport(db, *made))
        await store.run(lambda db: notice_store.set_preference(db, "p", Preference(True, "", "")))
        notices = Notices(store, settings_for(tmp_path, notice_wait=3600.0), {})

        async def send(_: str, message: NoticeMessage) -> None:
            sent_messages.append(message)

        monkeypatch.setattr(notices, "_send", send)
        for table in ("t1", "t2"):
            notices.invited(table, "Round Trip Italy", "Bruno", "p")
        await notices._store_fresh()
        key = next(one for one in notices._waiting if one[1] == "t1")
        notices._waiting[key] = notices._waiting[key][0], 0.0
        await notices._send_due()
        await asyncio.gather(*notices._sending)
        await notices.close()
        await store.close()

    asyncio.run(main())
    assert [message.title for message in sent_messages] == ["News from 2 games"]


def test_a_waiting_notice_is_sent_after_a_restart(serving: Serving, inbox: Inbox) -> None:
    api, mine = notified(serving, inbox, notice_wait=3600.0)
    table = begin(api, mine)
    api = serving(notice_anywhere=True, notice_wait=0.0, notice_pause=0.0, limits=LIMITS)
    api.until(lambda: bool(inbox.got))
    told = json.loads(inbox.got[0][2])
    assert (told["title"], told["url"]) == ("Your turn — Round Trip Italy", f"/table/{table}")


def test_several_servers_send_a_notice_once_and_only_to_known_passports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent_messages: list[tuple[str, str]] = []

    async def send(passport: str, message: NoticeMessage) -> None:
        sent_messages.append((passport, message.title))

    async def main() -> list[notice_store.WaitingNotice]:
        store = SqliteStore(None)

        def fill(db: Database) -> None:
            for id in ("p", "q"):
                device = Device(f"{id}'s", id, "key", "A laptop", 0.0, 0.0)
                people_store.add_passport(db, Passport(id, "Ada", "fox", 0.0, False), device)
                notice_store.set_preference(db, id, Preference(True, "", ""))

        await store.run(fill)
        patient = Notices(store, settings_for(tmp_path, notice_wait=3600.0), {})
        for id in ("p", "q", "unknown"):
            patient.invited("t", "Round Trip Italy", "Bruno", id)
        await patient.close()
        waiting = await store.run(notice_store.all_waiting, writes=False)
        await store.run(lambda db: people_store.erase(db, "q"))
        servers = [Notices(store, settings_for(tmp_path, notice_wait=0.0), {}) for _ in range(2)]
        for notices in servers:
            monkeypatch.setattr(notices, "_send", send)
            await notices._resume()
        for notices in servers:
            await notices._send_due()
            await asyncio.gather(*notices._sending)
            await notices.close()
        await store.close()
        return waiting

    assert sorted((kept.passport, kept.kind, kept.table) for kept in asyncio.run(main())) == [
        ("p", "invited", "t"),
        ("q", "invited", "t"),
    ]
    assert sent_messages == [("p", "Somebody invites you — Round Trip Italy")]


def test_the_queue_of_notices_is_bounded(tmp_path: Path) -> None:
    async def main() -> int:
        store = SqliteStore(None)
        settings = settings_for(tmp_path, limits=Limits(notices_waiting=5))
        notices = Notices(store, settings, {})
        for number in range(20):
            notices.invited(f"t{number}", "Round Trip Italy", "Bruno", "p")
        waiting = len(notices._fresh)
        await notices.close()
        await store.close()
        return waiting

    assert asyncio.run(main()) == 5


def test_an_invitation_is_notified_once(serving: Serving, inbox: Inbox) -> None:
    api, mine = notified(serving, inbox)
    other = passport(api, "Bruno")
    first = api.open("me", "open", options=SHORT, passport=mine["secret"])
    place = api.sit(first["table"], "Bruno", passport=other["secret"])
    finish(api, first["table"], first["secret"], place["secret"])
    api.until(lambda: len(games(api, other["secret"])["finished"]) == 1)
    second, third = (api.open("me", "open", options=SHORT, passport=other["secret"])["table"] for _ in range(2))
    for table in (second, second, third):
        api.post(f"/api/tables/{table}/invite", {"passport": other["secret"], "to": mine["me"]["id"]})
    api.until(lambda: any(third.encode() in body for _, _, body in list(inbox.got)))
    assert inbox.texts().count("Player 1 invites you — Round Trip Italy") == 2


def test_notices_are_off_by_default_and_can_be_switched_off_at_once(serving: Serving, inbox: Inbox) -> None:
    api, mine = notified(serving, inbox)
    other, third = passport(api, "Bruno"), passport(api, "Carla")
    set_notices(api, other, webhook=f"{inbox.url}/other")
    assert set_notices(api, third)["on"] is False
    assert set_notices(api, mine, on=False) == {**set_notices(api, mine), "on": False}
    for player in (mine, third, other):
        begin(api, player)
    api.until(lambda: bool(inbox.got))
    assert [path for path, _, _ in inbox.got] == ["/other"]
    assert set_notices(api, mine, on=True) == {**set_notices(api, mine), "on": True}


class Browser:
    """The keys of a browser that takes notices."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"

    def keys(self, endpoint: str) -> Message:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": endpoint, "p256dh": encoded(point), "auth": encoded(self.auth)}

    def read(self, body: bytes) -> Message:
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        found: Message = json.loads(text)
        return found


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signed_claims(header: str, key: str) -> Message:
    """The claims of a VAPID header, after checking its signature with the key for which the browser subscribed."""
    scheme, _, rest = header.partition(" ")
    fields = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, fields["k"]) == ("vapid", key)
    head, claims, signature = fields["t"].split(".")
    raw = decoded(signature)
    encoded_signature = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    public.verify(encoded_signature, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    found: Message = json.loads(decoded(claims))
    return found


def test_a_browser_gets_a_notice_that_only_it_can_read(serving: Serving, inbox: Inbox) -> None:
    api, mine = notified(serving, inbox)
    browser = Browser()
    told = set_notices(api, mine, webhook="", push=browser.keys(f"{inbox.url}/push/1"))
    assert (told["on"], told["here"], told["devices"]) == (True, True, 1)
    assert len(base64.urlsafe_b64decode(told["key"] + "=")) == 65
    table = begin(api, mine)
    api.until(lambda: bool(inbox.got))
    path, headers, body = inbox.got[0]
    assert (path, headers["Content-Encoding"]) == ("/push/1", "aes128gcm")
    assert {name: headers[name] for name in ("TTL", "Urgency", "Topic")} == {
        "TTL": "86400",
        "Urgency": "normal",
        "Topic": "grandtour",
    }
    signed = signed_claims(headers["Authorization"], told["key"])
    assert signed["aud"] == inbox.url, "a signature for one push service is of no use at another"
    assert signed["sub"].startswith(("mailto:", "https://"))
    assert 0 < signed["exp"] - time.time() <= 24 * 3600
    assert b"Round Trip" not in body
    assert browser.read(body) == {
        "title": "Your turn — Round Trip Italy",
        "body": "With Bruno.",
        "url": f"/table/{table}",
        "tag": "grandtour",
    }


def test_the_key_of_the_server_stays_the_same_after_a_restart(serving: Serving) -> None:
    api = serving()
    mine = passport(api)
    before = set_notices(api, mine)["key"]
    assert set_notices(serving(), mine)["key"] == before


@pytest.mark.parametrize("status", [404, 410])
def test_an_expired_subscription_is_removed(serving: Serving, inbox: Inbox, status: int) -> None:
    api, mine = notified(serving, inbox)
    set_notices(api, mine, webhook="", push=Browser().keys(f"{inbox.url}/push/1"))
    inbox.status = status
    begin(api, mine)
    api.until(lambda: set_notices(api, mine)["devices"] == 0)
    assert len(inbox.got) == 1


def test_a_push_service_that_failed_is_tried_again_next_time(serving: Serving, inbox: Inbox) -> None:
    api, mine = notified(serving, inbox)
    set_notices(api, mine, webhook="", push=Browser().keys(f"{inbox.url}/push/1"))
    inbox.status = 503
    begin(api, mine)
    api.until(lambda: len(inbox.got) == 1)
    begin(api, mine)
    api.until(lambda: len(inbox.got) == 2)
    assert set_notices(api, mine)["devices"] == 1


def test_a_redirect_is_not_followed(serving: Serving, inbox: Inbox) -> None:
    api, mine = notified(serving, inbox)
    inbox.status = 302
    for _ in range(2):
        begin(api, mine)
    api.until(lambda: len(inbox.got) == 2)
    assert {path for path, _, _ in inbox.got} == {"/hook"}


def test_a_device_that_is_signed_off_and_a_person_who_is_forgotten_get_no_notice(serving: Serving) -> None:
    api = serving(notice_anywhere=True, limits=LIMITS)
    mine = passport(api)
    phone = other_device(api, mine["secret"])
    set_notices(api, phone, push=Browser().keys("http://127.0.0.1:9/push"))
    assert set_notices(api, mine) == {**set_notices(api, phone), "here": False}
    this = next(device["id"] for device in phone["me"]["devices"] if device["this"])
    api.post("/api/passport/sign-off", {"passport": mine["secret"], "device": this})
    assert set_notices(api, mine)["devices"] == 0
    set_notices(api, mine, push=Browser().keys("http://127.0.0.1:9/push"), webhook="http://127.0.0.1:9/hook")
    api.post("/api/passport/forget", {"passport": mine["secret"]})
    assert refused(api, "/api/passport/notices", {"passport": mine["secret"]})["code"] == "wrong-passport"


@pytest.mark.parametrize(
    "webhook", ["http://example.org/", "https://127.0.0.1/", "https://[::1]/", "https://localhost/", "nonsense", "//x"]
)
def test_an_address_in_a_private_network_is_refused(api: Api, webhook: str) -> None:
    mine = passport(api)
    before = set_notices(api, mine)
    keys = Browser().keys(webhook)
    for wanted in ({"webhook": webhook}, {"push": keys}):
        answer = refused(api, "/api/passport/notices", {"passport": mine["secret"], **wanted})
        assert (answer["code"], answer["rule"]) == ("bad-endpoint", None)
        assert answer["reason"].endswith(".")
    assert set_notices(api, mine) == before, "nothing has changed"


@pytest.mark.parametrize("keys", [{"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "é"}, {"auth": "*"}, {"p256dh": ""}])
def test_invalid_browser_keys_are_refused(api: Api, keys: Message) -> None:
    mine = passport(api)
    push = {**Browser().keys("https://93.184.215.14/"), **keys}
    answer = refused(api, "/api/passport/notices", {"passport": mine["secret"], "push": push})
    assert answer["code"] == "bad-endpoint"


def test_an_unknown_passport_changes_nothing(api: Api) -> None:
    mine = passport(api)
    for body in ({"passport": "a.b", "on": True}, {"on": True}, {"passport": mine["secret"], "odd": 1}):
        assert refused(api, "/api/passport/notices", body)["code"] in ("wrong-passport", "malformed")
    assert set_notices(api, mine)["on"] is False


def test_changes_are_limited(serving: Serving) -> None:
    api = serving(limits=Limits(tables=PLENTY, requests=PLENTY, notice_changes=Rate(0.001, 2)))
    mine = passport(api)
    for _ in range(2):
        set_notices(api, mine, on=True)
    answer = refused(api, "/api/passport/notices", {"passport": mine["secret"], "on": False})
    assert answer["code"] == "too-much"
    for _ in range(3):
        assert set_notices(api, mine)["on"] is True, "reading the settings is not limited"


def test_several_notices_are_merged_into_one_message() -> None:
    turn = Notice("turn", "t1", "Round Trip Italy", ("Ada", "Bruno"), 0, "key")
    invited = Notice("invited", "t2", "Itchy Feet", ("Ada",), -1, "", "p")
    assert merged_message([turn]) == ("Your turn — Round Trip Italy", "With Ada and Bruno.", "/table/t1")
    assert merged_message([invited]) == ("Ada invites you — Itchy Feet", "", "/table/t2")
    assert merged_message([turn, invited]) == (
        "News from 2 games",
        "Your turn — Round Trip Italy; Ada invites you — Itchy Feet.",
        "/games",
    )
