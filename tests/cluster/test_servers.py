"""Two servers and a database as plain processes, each of which is killed, suspended or cut off while people play.

In all cases, everything acknowledged must be stored once, and all players must be able to reconnect and play on.
Nothing is asserted about time, except that it does not take forever.
"""

import contextlib
import os
import random
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from grandtour.server.forwarding import SEARCH_TIMEOUT
from tests.cluster.database import Postgres
from tests.cluster.link import Link
from tests.server.client import PATIENCE, Api, Process
from tests.server.regulars import LOST, Regulars

PLENTY = {f"limits.{name}": (1000, 1000) for name in ("messages", "requests", "tables")}
SWITCH_EVERY = 1.5 * SEARCH_TIMEOUT
TABLES = [["me", "open"], ["me", "open"], ["me", "open", "normal"]]


class Node:
    """A server whose connections to its clients and to its database can be cut."""

    def __init__(self, folder: Path, url: str, database: int) -> None:
        self._folder = folder
        self._to_database = Link(database)
        self._url = re.sub(r":\d+/", f":{self._to_database.port}/", url)
        self.front = Link(9)
        self.process: Process | None = None
        self.start()

    @property
    def database(self) -> Link:
        return self._to_database

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.front.port}"

    @property
    def direct(self) -> str:
        assert self.process is not None
        return self.process.url

    def start(self) -> None:
        self.process = Process(self._folder, store=self._url, settings=PLENTY, bot_processes=1)
        assert self.process.url, self.process.said
        # What it says has to go somewhere.
        threading.Thread(target=self.process.process.communicate, daemon=True).start()
        self.front.mend(int(self.process.url.rpartition(":")[2]))

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        os.killpg(self.process.process.pid, number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        assert self.process is not None
        self.process.process.wait(PATIENCE)

    def close(self) -> None:
        assert self.process is not None
        if self.process.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.kill()
        self.front.close()
        self.database.close()


class AnyServer:
    """The address of the servers: a proxy without sticky sessions that knows which servers are healthy."""

    def __init__(self, nodes: list[Node]) -> None:
        self.healthy = nodes
        self.closing = False
        self.one_at_a_time = False
        """Whether all clients are sent to one server for some time, and then to the next one."""
        self._chance = random.Random(3)

    @property
    def url(self) -> str:
        if self.one_at_a_time:
            return self.healthy[int(time.monotonic() / SWITCH_EVERY) % len(self.healthy)].url
        return self._chance.choice(self.healthy).url

    def wait(self, url: str) -> None:
        """The next server may well be another one."""
        time.sleep(0.01)


@pytest.fixture(scope="module")
def store(postgres: Postgres) -> str:
    return postgres.empty()


@pytest.fixture(scope="module")
def nodes(postgres: Postgres, store: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Node]]:
    found = [Node(tmp_path_factory.mktemp("data"), store, postgres.port) for _ in range(2)]
    yield found
    for node in found:
        node.close()


Playing = Callable[[list[Node]], "contextlib.AbstractContextManager[Table]"]


class Table:
    """The players of all tables."""

    def __init__(self, somewhere: AnyServer, regulars: list[Regulars]) -> None:
        self.somewhere = somewhere
        self.regulars = regulars

    def play_on(self, moves: int = 3) -> None:
        """Wait until this many more moves are acknowledged at every table."""
        before = [regular.moves for regular in self.regulars]
        Api("").until(
            lambda: all(
                regular.failure or regular.moves >= made + moves
                for regular, made in zip(self.regulars, before, strict=True)
            )
        )
        for regular in self.regulars:
            assert regular.failure is None, f"{regular.kinds}: {regular.failure!r}"


@contextlib.contextmanager
def playing(nodes: list[Node], store: str) -> Iterator[Table]:
    """People play at all servers. At the end, every log must be complete and contain everything acknowledged."""
    somewhere = AnyServer(nodes)
    regulars = [Regulars(kinds, somewhere, seed) for seed, kinds in enumerate(TABLES)]
    for regular in regulars:
        regular.start()
    try:
        table = Table(somewhere, regulars)
        table.play_on()
        yield table
        table.play_on()
    finally:
        somewhere.closing = True
        for regular in regulars:
            regular.join()
    with psycopg.connect(store) as db:
        for regular in regulars:
            found = db.execute("SELECT n, record FROM log WHERE id = %s ORDER BY n", (regular.table,)).fetchall()
            assert [n for n, _ in found] == list(range(len(found)))
            for (seat, id), n in regular.acknowledged.items():
                same = [
                    number
                    for number, record in found
                    if f'"seat":{seat},'.encode() in record and f'"id":"{id}"'.encode() in record
                ]
                assert same == [n], f"move {id} of seat {seat}, acknowledged as event {n}, is stored as {same}"


def test_each_server_is_killed_in_turn(nodes: list[Node], store: str) -> None:
    with playing(nodes, store) as table:
        for index, node in enumerate(nodes):
            table.somewhere.healthy = [nodes[1 - index]]
            node.kill()
            table.play_on()
            node.start()
            table.somewhere.healthy = nodes


def test_the_database_is_killed(nodes: list[Node], store: str, postgres: Postgres) -> None:
    with playing(nodes, store) as table:
        postgres.kill()
        postgres.start()
        table.play_on()


def test_a_server_is_cut_off_from_the_database(nodes: list[Node], store: str) -> None:
    with playing(nodes, store) as table:
        nodes[0].database.silence()
        table.somewhere.healthy = nodes[1:]
        nodes[0].front.cut()
        table.play_on()
        nodes[0].database.mend()
        nodes[0].front.mend()
        table.somewhere.healthy = nodes
        table.play_on()


def test_the_line_between_two_servers_is_cut(nodes: list[Node], store: str) -> None:
    with psycopg.connect(store, autocommit=True) as db:
        found = db.execute("SELECT id, address FROM servers WHERE seen > extract(epoch FROM now()) - 3").fetchall()
        links = {id: Link(int(address.rpartition(":")[2])) for id, address in found}
        for id, link in links.items():
            db.execute("UPDATE servers SET address = %s WHERE id = %s", (f"127.0.0.1:{link.port}", id))
        try:
            with playing(nodes, store) as table:
                for link in links.values():
                    link.cut()
                # Only the owner of a table can serve it now, and nobody knows which server that is.
                table.somewhere.one_at_a_time = True
                table.play_on()
                for link in links.values():
                    link.mend()
                table.somewhere.one_at_a_time = False
        finally:
            for (id, address), link in zip(found, links.values(), strict=True):
                db.execute("UPDATE servers SET address = %s WHERE id = %s", (address, id))
                link.close()


def test_a_server_that_wakes_up_after_its_lease_cannot_write(nodes: list[Node], store: str) -> None:
    sleeper, other = nodes
    opened = Api(sleeper.direct).open("me", "open", options={"turn_limit": 200})
    secrets = [opened["secret"], Api(sleeper.direct).sit(opened["table"], "Ada")["secret"]]
    with playing(nodes, store) as table:
        people = [Api(sleeper.direct).join(opened["table"], secret) for secret in secrets]
        first = next(seat for seat, person in enumerate(people) if person.now["legal"])
        asleep = people[first]
        move, at = asleep.moves()[0], asleep.last
        sleeper.signal(signal.SIGSTOP)
        table.somewhere.healthy = [other]
        sleeper.front.cut()
        # It is in the sleeper's hands now, and will be the first that it sees when it wakes up.
        asleep.send({"type": "move", "id": "too late", "at": at, "move": move})
        with Api(other.direct).join(opened["table"], secrets[first]) as me:
            assert me.last == at
            assert me.move(move, id="in time")["type"] == "ack"
            sleeper.signal(signal.SIGCONT)
            with contextlib.suppress(*LOST):
                asleep.until(lambda: asleep.received[-1].get("id") == "too late")
                # PostgreSQL has ended a transaction in which the server was suspended, so the store was unavailable.
                assert asleep.received[-1]["type"] == "refused"
            sleeper.front.mend()
            table.somewhere.healthy = nodes
        for person in people:
            person.socket.socket.close()
    with psycopg.connect(store) as db:
        records = db.execute("SELECT record FROM log WHERE id = %s", (opened["table"],)).fetchall()
    assert not any(b"too late" in record for (record,) in records)
    assert sum(b"in time" in record for (record,) in records) == 1
