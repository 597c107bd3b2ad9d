"""The server is killed again and again while people and bots play, and loses nothing that it has acknowledged."""

import random
import signal
import sqlite3
import threading
import time
from http.client import HTTPException
from pathlib import Path

from websockets.exceptions import WebSocketException

from tests.server.client import Api, Client, Message
from tests.server.conftest import Starting

KILLS = 30
OPTIONS = {"turn_limit": 200}
LOST = (OSError, EOFError, HTTPException, WebSocketException)
"""What a client notices when its server is gone."""


class Regulars(threading.Thread):
    """People at one table who play on whatever happens, and who remember what they were told."""

    def __init__(self, seats: list[str], address: "Address", seed: int) -> None:
        super().__init__()
        self.kinds = seats
        self.address = address
        self.chance = random.Random(seed)
        self.table = ""
        self.secrets: list[str] = []
        self.known: list[dict[int, Message]] = []
        self.acknowledged: dict[tuple[int, str], int] = {}
        self.unanswered: tuple[int, Message] | None = None
        self.moves = 0
        self.finished: list[str] = []
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.address.closing:
                try:
                    self.sit_down(Api(self.address.url))
                except LOST:
                    time.sleep(0.01)
        except BaseException as failure:
            self.failure = failure

    def open(self, api: Api) -> None:
        """A new table; one that was opened just before a kill, and never announced, is nobody's."""
        opened = api.open(*self.kinds, options=OPTIONS)
        secrets = [opened["secret"]]
        while len(secrets) < self.kinds.count("me") + self.kinds.count("open"):
            secrets.append(api.sit(opened["table"], "Ada")["secret"])
        self.table, self.secrets = opened["table"], secrets
        self.known = [{} for _ in secrets]
        self.acknowledged = {}
        self.unanswered = None

    def sit_down(self, api: Api) -> None:
        if not self.table:
            self.open(api)
        clients: list[Client] = []
        try:
            for secret in self.secrets:
                clients.append(api.join(self.table, secret))
            self.check(clients)
            while not self.address.closing:
                self.play(clients)
                if clients[0].over():
                    self.finished.append(self.table)
                    self.table = ""
                    return
        finally:
            for seat, client in enumerate(clients):
                self.known[seat].update(client.events)
                client.socket.socket.close()

    def check(self, clients: list[Client]) -> None:
        """After coming back: all that was told is still so, and every acknowledged request is there, once."""
        for seat, client in enumerate(clients):
            for n, event in self.known[seat].items():
                assert client.events.get(n) == event, f"event {n} of table {self.table} was told and is not so"
        for (seat, id), n in self.acknowledged.items():
            assert clients[seat].events[n]["kind"] == "move", f"move {id}, acknowledged as event {n}, is lost"
        if self.acknowledged:
            seat, id = self.chance.choice(list(self.acknowledged))
            again = clients[seat].move({"do": "end-turn"}, id=id)
            assert (again["type"], again["n"]) == ("ack", self.acknowledged[seat, id]), f"move {id} was played twice"
        if self.unanswered is not None:
            # It may have been stored or not: sent again it is played exactly once.
            seat, message = self.unanswered
            self.send(seat, clients[seat], message)

    def play(self, clients: list[Client]) -> None:
        """One move of whoever is to move."""
        latest = max(client.last for client in clients)
        for seat, client in enumerate(clients):
            client.until(lambda client=client: client.now["n"] >= latest)  # type: ignore[misc]
            if client.over():
                return
            if client.now["legal"]:
                move = self.chance.choice(client.moves())
                self.send(seat, client, {"id": f"{seat}-{self.moves}", "at": client.last, "move": move})
                return
        clients[0].receive()

    def send(self, seat: int, client: Client, message: Message) -> None:
        self.unanswered = (seat, message)
        answer = client.ask("move", **message)
        assert answer["type"] == "ack", f"a legal move is refused: {answer}"
        self.unanswered = None
        self.acknowledged[seat, message["id"]] = answer["n"]
        self.moves += 1


class Address:
    """Where the server is at the moment."""

    def __init__(self) -> None:
        self.url = "http://127.0.0.1:9"
        self.closing = False


def numbers(store: Path) -> dict[str, list[int]]:
    """The numbers of the records of each table."""
    found: dict[str, list[int]] = {}
    db = sqlite3.connect(store)
    for table, n in db.execute("SELECT id, n FROM log ORDER BY id, n"):
        found.setdefault(table, []).append(n)
    db.close()
    return found


def test_killed_dozens_of_times_under_load_the_server_loses_nothing_it_acknowledged(
    starting: Starting, tmp_path: Path
) -> None:
    address = Address()
    chance = random.Random(1)
    tables = [["me", "open"], ["me", "open"], ["me", "open", "open"], ["me", "normal"], ["me", "normal", "random"]]
    regulars = [Regulars(seats, address, seed) for seed, seats in enumerate(tables)]
    for regular in regulars:
        regular.start()
    try:
        for _ in range(KILLS):
            server = starting()
            address.url = server.url
            time.sleep(chance.uniform(0.02, 0.7))
            code, said = server.end(signal.SIGKILL)
            assert code == -signal.SIGKILL, f"the server ended before it was killed: {said}"
        server = starting()
        address.url = server.url
        before = [regular.moves for regular in regulars]
        Api(server.url).until(
            lambda: all(
                regular.failure or regular.moves > moves for regular, moves in zip(regulars, before, strict=True)
            )
        )
    finally:
        address.closing = True
        for regular in regulars:
            regular.join()
    server.end(signal.SIGTERM)
    for regular in regulars:
        assert regular.failure is None, f"{regular.kinds}: {regular.failure!r}"
    moves = sum(regular.moves for regular in regulars)
    assert moves > KILLS, f"there was no load: {moves} moves"
    for table, found in numbers(tmp_path / "grandtour.db").items():
        assert found == list(range(len(found))), f"the numbers of table {table} have a gap: {found}"
