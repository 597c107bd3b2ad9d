"""Quickly brings tables into the situation that a test needs, over the protocol and without a page."""

import random
from collections.abc import Callable
from contextlib import ExitStack
from typing import NamedTuple

from tests.server.client import Api, Client, Message

MAX_TABLES = 60
"""The maximum number of tables that are tried until one is in the wanted situation."""


class Place(NamedTuple):
    """A seat at a table, and the secret that holds it."""

    table: str
    seat: int
    secret: str

    @property
    def link(self) -> str:
        """Opens the seat in any browser."""
        return f"/table/{self.table}#seat={self.seat}.{self.secret}"


Choose = Callable[[list[Message]], Message]
Wanted = Callable[[Client], object]


def against_bots(api: Api, bots: int = 1) -> Place:
    """A short game of one person and bots."""
    opened = api.open("me", *["normal"] * bots, options={"turn_limit": 10})
    return Place(opened["table"], opened["seat"], opened["secret"])


def of_people(api: Api, *names: str) -> list[Place]:
    """A short game of people alone. It has begun, and the first of them has the first turn."""
    seats = [{"kind": "me", "name": names[0]}, *({"kind": "open"} for _ in names[1:])]
    options = {"turn_limit": 10, "start": "1"}
    opened = api.post("/api/tables", {"game": "round-trip", "seats": seats, "options": options})
    sat = [opened, *(api.sit(opened["table"], name) for name in names[1:])]
    return [Place(opened["table"], place["seat"], place["secret"]) for place in sat]


def reach(api: Api, open_table: Callable[[], Place], wanted: Wanted, choose: Choose) -> Place:
    """A seat against bots, to move, at a table in the wanted situation."""
    for _ in range(MAX_TABLES):
        place = open_table()
        with api.join(place.table, place.secret) as client:
            while True:
                client.until(lambda: client.now["n"] == client.last and (client.over() or client.asked()))
                if wanted(client):
                    return place
                if client.over():
                    break
                answer = client.move(choose(client.moves()))
                # If all decide at the same time, a bot may have been quicker.
                assert answer["type"] == "ack" or answer["code"] == "stale", f"a legal move is refused: {answer}"
    raise AssertionError(f"{MAX_TABLES} games were played, and the situation never came up")


def over(client: Client) -> bool:
    return client.over()


def prefer(*verbs: str) -> Choose:
    """Choose a move with the first of these verbs that is possible, or else any move."""

    def choose(moves: list[Message]) -> Message:
        return next((move for verb in verbs for move in moves if move["do"] == verb), random.choice(moves))

    return choose


def late(api: Api) -> Place:
    """A seat of a short game against a bot that has a turn or two left."""
    return reach(api, lambda: against_bots(api), lambda client: client.now["view"]["round"] > 8, hoard)


def hoard(moves: list[Message]) -> Message:
    """Collect tickets: take and end the turn, without round trips or exchanges."""
    return random.choice([move for move in moves if move["do"] not in ("lay", "exchange")])


def travel(moves: list[Message]) -> Message:
    """Lay a round trip as soon as there is one, the shortest first."""
    trips = [move for move in moves if move["do"] == "lay"]
    return min(trips, key=lambda move: len(move["tickets"])) if trips else hoard(moves)


def finished(api: Api, choose: Choose = travel) -> list[Place]:
    """The seats of a game that is over."""
    places = of_people(api, "Ada", "Bruno")
    _play(api, places, lambda client: False, choose)
    return places


def until(api: Api, wanted: Wanted, choose: Choose = hoard) -> tuple[Place, Place]:
    """Ada and Bruno play until the wanted situation. Returns the seat to move first, then the other."""
    for _ in range(MAX_TABLES):
        places = of_people(api, "Ada", "Bruno")
        mover = _play(api, places, wanted, choose)
        if mover is not None:
            return places[mover], places[1 - mover]
    raise AssertionError(f"{MAX_TABLES} games were played, and the situation never came up")


def _play(api: Api, places: list[Place], wanted: Wanted, choose: Choose) -> int | None:
    """Play until the wanted situation. Returns the seat to move, or None if the game ended first."""
    with ExitStack() as leaving:
        clients = [leaving.enter_context(api.join(place.table, place.secret)) for place in places]
        while not clients[0].over():
            mover = next(client for client in clients if client.now["legal"])
            if wanted(mover):
                return clients.index(mover)
            answer = mover.move(choose(mover.moves()))
            assert answer["type"] == "ack", f"a legal move is refused: {answer}"
            last = mover.last
            for client in clients:
                while client.now["n"] < last:
                    client.receive()
    return None


def can(verb: str) -> Wanted:
    """Whether the player to move may make such a move."""
    return lambda client: any(move["do"] == verb for move in client.moves())


def closed_piles(client: Client) -> list[str]:
    """The piles that the player to move may not take from now."""
    open_piles = [move["pile"] for move in client.moves() if move["do"] == "take"]
    return [pile["city"] for pile in client.now["view"]["piles"] if open_piles and pile["city"] not in open_piles]


def offer(moves: list[Message]) -> Message:
    """Exchange whenever there is an exchange to make."""
    exchanges = [move for move in moves if move["do"] == "exchange"]
    return random.choice(exchanges) if exchanges else hoard(moves)


def offers_with_a_choice(client: Client) -> list[Message]:
    """The exchanges of the player to move in which the partner would have to choose what to give."""
    view = client.now["view"]
    ring = [pile["city"] for pile in view["piles"]]

    def wanted(exchange: Message) -> str:
        step = -1 if view["neighbours"][exchange["with"]]["circle"] == "black" else 1
        return str(ring[(ring.index(exchange["ticket"].split("-")[0]) + step) % len(ring)])

    def held(exchange: Message) -> int:
        partner = view["players"][view["neighbours"][exchange["with"]]["seat"]]
        return int(partner["backs"][wanted(exchange)])

    return [move for move in client.moves() if move["do"] == "exchange" and held(move) > 1]


def offer_with_a_choice(api: Api, place: Place) -> Message:
    """Such an exchange for the player in this seat."""
    with api.join(place.table, place.secret) as client:
        return offers_with_a_choice(client)[0]
