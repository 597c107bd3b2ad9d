"""Players who keep playing while their server is killed and restarted, and check that no acknowledged move is lost."""

import json
import random
import threading
from http.client import HTTPException
from typing import Any

from websockets.exceptions import WebSocketException

from tests.server.client import Api, Client, Message

OPTIONS = {"turn_limit": 200}
LOST = (OSError, EOFError, HTTPException, WebSocketException, json.JSONDecodeError)
"""What a client sees when its server is gone."""
RETRY_AFTER = 0.1
"""Seconds after which players try a server again that they have lost. They need not hurry: they are told when there is
another, and connections that are refused keep the machine from starting it."""
LATER = ("not-stored", "busy", "failed")
"""Refusals after which the same request is sent again."""


class Regulars(threading.Thread):
    """The players of one table. They reconnect until it works, and remember what they were told."""

    def __init__(self, seats: list[str], address: "Address | Any", seed: int) -> None:
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
                url = self.address.url
                try:
                    self.sit_down(Api(url))
                except LOST:
                    self.address.wait(url)
        except BaseException as failure:
            self.failure = failure

    def open(self, api: Api) -> None:
        """Open a table. If the server is killed before it acknowledges the table, another one is opened."""
        seats = [{"kind": kind} if kind in ("me", "open") else {"kind": "bot", "bot": kind} for kind in self.kinds]
        opened = _post(api, "/api/tables", {"game": "round-trip", "seats": seats, "options": OPTIONS})
        secrets = [opened["secret"]]
        while len(secrets) < self.kinds.count("me") + self.kinds.count("open"):
            secrets.append(_post(api, f"/api/tables/{opened['table']}/sit", {"name": "Ada"})["secret"])
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
                clients.append(Api(self.address.url).join(self.table, secret))
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
        """After reconnecting: every event is still the same, and every acknowledged move is there once."""
        for seat, client in enumerate(clients):
            for n, event in self.known[seat].items():
                assert client.events.get(n) == event, f"event {n} of table {self.table} has changed"
        for (seat, id), n in self.acknowledged.items():
            assert clients[seat].events[n]["kind"] == "move", f"move {id}, acknowledged as event {n}, is lost"
        if self.acknowledged:
            seat, id = self.chance.choice(list(self.acknowledged))
            again = _now(clients[seat].move({"do": "end-turn"}, id=id))
            assert (again["type"], again["n"]) == ("ack", self.acknowledged[seat, id]), f"move {id} was played twice"
        if self.unanswered is not None:
            # It may have been stored or not. Sent again, it must be played exactly once.
            seat, message = self.unanswered
            self.send(seat, clients[seat], message)

    def play(self, clients: list[Client]) -> None:
        """Make one move for the seat that is to move."""
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
        answer = _now(client.ask("move", **message))
        assert answer["type"] == "ack", f"a legal move is refused: {answer}"
        self.unanswered = None
        self.acknowledged[seat, message["id"]] = answer["n"]
        self.moves += 1


class Address:
    """The current address of the server."""

    def __init__(self) -> None:
        self._url = "http://127.0.0.1:9"
        self._moved = threading.Condition()
        self.closing = False

    @property
    def url(self) -> str:
        return self._url

    @url.setter
    def url(self, url: str) -> None:
        with self._moved:
            self._url = url
            self._moved.notify_all()

    def wait(self, url: str) -> None:
        """Wait until the server is no longer at this address, but at most until it is worth trying again."""
        with self._moved:
            self._moved.wait_for(lambda: self._url != url, RETRY_AFTER)


def _post(api: Api, path: str, body: Message) -> Any:
    status, answer = api.request("POST", path, body)
    if status != 200 and answer["code"] in LATER:
        raise ConnectionError(answer["reason"])
    assert status == 200, f"POST {path} is refused: {answer}"
    return answer


def _now(answer: Message) -> Message:
    """The answer. If it says to try again later, the connection counts as lost."""
    if answer.get("code") in LATER:
        raise ConnectionError(answer["reason"])
    return answer
