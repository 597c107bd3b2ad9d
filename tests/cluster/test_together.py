"""Several servers behave as one: quick matches, limits per address, and requests whose response is lost."""

import json
import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import psycopg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from tests.cluster.conftest import Cluster
from tests.server.client import PATIENCE, Api, Message, Process
from tests.server.test_passports import passport

PLENTY = {f"limits.{name}": (1000, 1000) for name in ("requests", "tables", "passports")}


def quick(api: Api, game: str = "round-trip", **more: str) -> Message:
    found: Message = api.post(f"/api/games/{game}/quick", more)
    return found


def wait_until_known(*apis: Api) -> None:
    """Wait until these servers know of each other."""
    known = [f"grandtour_servers{{server}} {len(apis)}"] * len(apis)
    pattern = re.compile(r'^(grandtour_servers\{)server="\d+"(\} \d+)$', re.M)
    apis[0].until(
        lambda: [f"{one}server{two}" for one, two in pattern.findall(apis[0].fetch("GET", "/metrics")[1])] == known
    )


def test_people_who_ask_different_servers_for_a_quick_match_are_seated_together(cluster: Cluster) -> None:
    one, two = cluster(2, settings=PLENTY)
    mine = quick(one, name="Ada")
    with one.join(mine["table"], mine["secret"]) as ada:
        assert quick(two, "itchy-feet", name="Cleo")["table"] != mine["table"], "another game is another table"
        theirs = quick(two, name="Bruno")
        assert (theirs["table"], theirs["seat"]) == (mine["table"], 1)
        with two.join(theirs["table"], theirs["secret"]) as bruno:
            assert (bruno.seat, bruno.table["quick"]) == (1, True)
            ada.until(lambda: ada.table["seats"][1]["here"])
            third = quick(two, name="Dora")
            assert (third["table"], third["seat"]) == (mine["table"], 2)
            ada.until(lambda: ada.table["state"] == "playing")
        assert quick(two, name="Emil")["table"] != mine["table"], "that game has begun"


def test_nobody_is_seated_at_an_abandoned_table_of_another_server(cluster: Cluster) -> None:
    one, two = cluster(2, settings={**PLENTY, "quick_arrival": 0.0})
    left = quick(one, name="Ada")
    assert quick(two, name="Bruno")["table"] != left["table"]


def test_nobody_is_matched_with_themselves_at_another_server(cluster: Cluster) -> None:
    one, two = cluster(2, settings=PLENTY)
    secret = passport(one)["secret"]
    first = quick(one, passport=secret)
    with one.join(first["table"], passport=secret):
        assert quick(two, passport=secret)["table"] != first["table"]


def test_a_stranger_cannot_ask_for_a_quick_seat_as_servers_do(cluster: Cluster, url: str) -> None:
    (api,) = cluster(1, settings=PLENTY)
    mine = quick(api, name="Ada")
    with api.join(mine["table"], mine["secret"]) as ada:
        body = {"name": "Eve", "id": "a random text, only mine"}
        status, refused = api.request("POST", f"/api/tables/{mine['table']}/quick", body)
        assert (status, refused["code"]) == (404, "not-found")
        assert ada.table["seats"][1]["kind"] == "open"


@contextmanager
def losing_answers(port: int, heard: list[bytes]) -> Iterator[int]:
    """A connection to a server on which requests arrive and are carried out, but the responses are lost."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def pass_on() -> None:
            while True:
                try:
                    near, _ = listening.accept()
                except OSError:
                    return
                with near, socket.create_connection(("127.0.0.1", port)) as far:
                    head = b""
                    while b"\r\n\r\n" not in head:
                        head += near.recv(1 << 16)
                    head, _, body = head.partition(b"\r\n\r\n")
                    length = int((re.findall(rb"content-length: (\d+)", head.lower()) or [b"0"])[0])
                    while len(body) < length:
                        body += near.recv(1 << 16)
                    heard.append(head.partition(b" HTTP")[0])
                    far.sendall(head + b"\r\n\r\n" + body)
                    while far.recv(1 << 16):
                        pass

        threading.Thread(target=pass_on, daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)


@contextmanager
def moved_to(url: str, ports: dict[str, int]) -> Iterator[None]:
    """Change the addresses of servers in the database: the port of each, by its id."""
    with psycopg.connect(url, autocommit=True) as db:
        before = db.execute("SELECT id, address FROM servers").fetchall()
        for id, port in ports.items():
            db.execute("UPDATE servers SET address = %s WHERE id = %s", (f"127.0.0.1:{port}", id))
        try:
            yield
        finally:
            for id, address in before:
                db.execute("UPDATE servers SET address = %s WHERE id = %s", (address, id))


def owner_of(url: str, table: str) -> tuple[str, int]:
    """The server that has a table, and its internal port."""
    query = "SELECT servers.id, address FROM servers JOIN heads ON owner = servers.id WHERE heads.id = %s"
    with psycopg.connect(url) as db:
        row = db.execute(query, (table,)).fetchone()
    assert row is not None
    return row[0], int(row[1].rpartition(":")[2])


def test_a_request_whose_answer_is_lost_between_two_servers_is_carried_out_once(cluster: Cluster, url: str) -> None:
    one, two = cluster(2, settings=PLENTY)
    opened = one.open("me", "open", "open")
    owner, internal = owner_of(url, opened["table"])
    path = f"/api/tables/{opened['table']}/sit"
    asked = {"name": "Bruno", "id": "a random text, only mine"}
    heard: list[bytes] = []
    with losing_answers(internal, heard) as port, moved_to(url, {owner: port}):
        status, refused = two.request("POST", path, asked)
        assert (status, refused["code"]) == (429, "busy")
        assert heard == [f"POST {path}".encode()], "it may have been carried out, so it is not sent again"
    # The client does not know what became of it, and asks again.
    place = two.sit(opened["table"], **asked)
    assert place["seat"] == 1
    with two.join(opened["table"], place["secret"]) as bruno:
        assert [seat["kind"] for seat in bruno.table["seats"]] == ["person", "person", "open"]


def test_a_quick_match_whose_answer_is_lost_between_two_servers_takes_one_seat(cluster: Cluster, url: str) -> None:
    one, two = cluster(2, settings=PLENTY)
    mine = quick(one, name="Ada")
    with one.join(mine["table"], mine["secret"]) as ada:
        owner, internal = owner_of(url, mine["table"])
        heard: list[bytes] = []
        found: list[Message] = []
        with losing_answers(internal, heard) as port, moved_to(url, {owner: port}):
            asking = threading.Thread(target=lambda: found.append(quick(two, name="Bruno")))
            asking.start()
            two.until(lambda: len(heard) >= 2)
        asking.join()
        assert (found[0]["table"], found[0]["seat"]) == (mine["table"], 1)
        ada.until(lambda: ada.table["seats"][1]["kind"] == "person")
        assert ada.table["seats"][2]["kind"] == "open"


def test_tables_and_passports_of_an_address_are_counted_for_all_servers_together(cluster: Cluster, url: str) -> None:
    few = {**PLENTY, "limits.tables": (0.0001, 5), "limits.passports": (0.0001, 3)}
    servers = cluster(2, settings=few)
    wanted = {"game": "round-trip", "seats": [{"kind": "me"}, {"kind": "open"}]}

    def count(path: str, body: Message, source: str) -> int:
        done = 0
        for turn in range(10):
            status, answer = servers[turn % 2].seen_from(source).request("POST", path, body)
            done += status == 200
            assert status == 200 or answer["code"] == "too-much", answer
        return done

    assert count("/api/tables", wanted, "127.0.0.1") == 5
    assert count("/api/passports", {"name": "Ada"}, "127.0.0.1") == 3
    assert count("/api/tables", wanted, "127.0.0.2") == 5, "another address has its own"
    with psycopg.connect(url) as db:
        rows = db.execute("SELECT what, address FROM quotas ORDER BY what, address").fetchall()
    assert [what for what, _ in rows] == ["passport", "table", "table"]
    assert not any("127.0.0" in address for _, address in rows), "addresses are not stored as they are"


def test_quotas_of_addresses_that_have_recovered_are_deleted(cluster: Cluster, url: str) -> None:
    (api,) = cluster(1, settings={**PLENTY, "limits.tables": (1000, 5)})
    for source in ("127.0.0.1", "127.0.0.2"):
        api.seen_from(source).open("me", "open")

    def stored() -> int:
        api.seen_from("127.0.0.3").open("me", "open")
        with psycopg.connect(url) as db:
            found = db.execute("SELECT count(*) FROM quotas").fetchone()
        return found[0] if found is not None else -1

    api.until(lambda: stored() <= 1)


def test_servers_divide_the_request_limit_of_an_address(cluster: Cluster) -> None:
    servers = cluster(2, settings={"limits.requests": (0.0001, 20)})
    wait_until_known(*servers)

    def answered(api: Api) -> bool:
        return api.request("GET", "/api/games")[0] == 200

    def use_up_limit() -> int:
        return sum(answered(servers[turn % 2]) for turn in range(60))

    assert use_up_limit() == 20


def test_sockets_of_an_address_are_counted_at_all_servers(cluster: Cluster, started: list[Process]) -> None:
    one, two = cluster(2, settings={**PLENTY, "limits.sockets": 4})
    wait_until_known(one, two)
    ids = [api.open("me", "open")["table"] for api in (one, two)]

    def welcome(api: Api, table: str) -> ClientConnection | None:
        """A socket; none if it is refused."""
        wire = api.socket(table)
        # It may be refused before it has said anything.
        with suppress(ConnectionClosed):
            wire.send('{"type": "hello", "secret": null, "last": 0}')
        said = json.loads(wire.recv(timeout=PATIENCE))
        if said["type"] == "refused":
            assert said["code"] == "too-much"
            wire.close()
            return None
        return wire

    with ExitStack() as open_sockets:
        # All at the tables of one server: more than its part, but not more than an address may have.
        for api, table in ((one, ids[0]), (one, ids[0]), (one, ids[0]), (two, ids[1])):
            wire = welcome(api, table)
            assert wire is not None
            open_sockets.callback(wire.close)
        assert welcome(one, ids[0]) is None
        assert welcome(two, ids[1]) is None
        other = welcome(two.seen_from("127.0.0.2"), ids[1])
        assert other is not None, "another address has its own"
        other.close()
        # When a server dies, its clients come to the other one at once.
        os.killpg(started[0].process.pid, signal.SIGKILL)
        for _ in range(3):
            wire = welcome(two, ids[1])
            assert wire is not None
            open_sockets.callback(wire.close)
        assert welcome(two, ids[1]) is None


def test_a_stranger_cannot_ask_how_many_sockets_an_address_has(cluster: Cluster) -> None:
    (api,) = cluster(1)
    assert api.fetch("GET", "/inside/sockets?address=127.0.0.1")[0] == 404
