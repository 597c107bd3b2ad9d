"""The parts of Ticket to Ride: Italy: places, routes, tickets, cards and every way to pay for a ferry.

The data are in `map.json`, which says for each whether it is printed, found, derived from others or invented. Places
and routes are numbered here. Places: the 34 cities, then the 12 ends of routes into zones. Routes: the coloured ones by
colour and length, then the ferries by length and waves, so that similar routes have consecutive numbers.
"""

import json
from importlib.resources import files
from itertools import groupby
from typing import Any, Final, NamedTuple

from grandtour.engine.refusal import Refusal, short
from grandtour.engine.vocabulary import Names, Range

DATA: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("map.json").read_text("utf-8"))

COLOURS: Final[tuple[str, ...]] = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
N_COLOURS: Final = 8
LOCOMOTIVE: Final = N_COLOURS
CARDS: Final[tuple[str, ...]] = (*COLOURS, "locomotive")
KINDS: Final = N_COLOURS + 1
BLIND: Final = KINDS  # among the cards to draw: unseen, from the deck
COPIES: Final[tuple[int, ...]] = (12,) * N_COLOURS + (14,)
GREY: Final = N_COLOURS
"""The number of the ferries' colour, after the colours of cards."""
GROUPS: Final = N_COLOURS + 1
"""The number of groups of routes: one for each colour, and the ferries."""

N_CITIES: Final = 34
N_PLACES: Final = N_CITIES + 12
N_REGIONS: Final = 17
N_ROUTES: Final = 128
N_TICKETS: Final = 56
MIN_SEATS: Final = 2
MAX_SEATS: Final = 5
SINGLE_TRACK_SEATS: Final = 3
"""With this many players or fewer, only one track of a double or triple route can be used."""

TRAINS: Final = 45
FERRY_CARDS: Final = 10
MAX_FERRY_CARDS: Final = 2
WAVES_PER_FERRY_CARD: Final = 2
ROW: Final = 5
LOCOMOTIVE_LIMIT: Final = 3
"""With this many face-up locomotives, the row is replaced."""
FIRST_CARDS: Final = 4
FIRST_TICKETS: Final = 5
FIRST_KEPT: Final = 3
LATER_TICKETS: Final = 4
LATER_KEPT: Final = 1
LAST_TRAINS: Final = 2
"""With this many trains or fewer at the end of a turn, the last round begins."""

CITIES: Final[tuple[str, ...]] = tuple(city["name"] for city in DATA["cities"])
ENDS: Final[tuple[str, ...]] = tuple(end["name"] for end in DATA["ends"])
PLACES: Final[tuple[str, ...]] = CITIES + ENDS
ZONES: Final[dict[str, tuple[int, ...]]] = {
    zone: tuple(PLACES.index(end["name"]) for end in DATA["ends"] if end["zone"] == zone)
    for zone in dict.fromkeys(end["zone"] for end in DATA["ends"])
}
"""The places where routes into a zone end."""

REGIONS: Final[dict[str, tuple[int, ...]]] = {
    region["name"]: tuple(i for i, city in enumerate(DATA["cities"]) if city["region"] == region["name"])
    for region in DATA["regions"]
}
DOUBLE_REGIONS: Final[tuple[str, ...]] = tuple(region["name"] for region in DATA["regions"] if region["twice"])
BONUS: Final[dict[int, int]] = {row["regions"]: row["points"] for row in DATA["bonus"]}
MAX_REGIONS: Final[int] = max(BONUS)
POINTS: Final[dict[int, int]] = {row["length"]: row["points"] for row in DATA["points"]}
MAX_LENGTH: Final = 7


class Route(NamedTuple):
    """One track between two places."""

    name: str
    a: int
    b: int
    length: int
    colour: int
    waves: int

    @property
    def ferry(self) -> bool:
        return self.colour == GREY

    @property
    def points(self) -> int:
        return POINTS[self.length]

    @property
    def words(self) -> str:
        return f"{place_name(self.a)}–{place_name(self.b)}"


def _route(row: dict[str, Any]) -> Route:
    colour = GREY if row["colour"] == "grey" else COLOURS.index(row["colour"])
    return Route(row["name"], PLACES.index(row["a"]), PLACES.index(row["b"]), row["length"], colour, row["waves"])


def place_name(place: int) -> str:
    """The name of a city, or of the zone that a route leads into."""
    return PLACES[place].split("@")[0]


ROUTES: Final[list[Route]] = sorted(map(_route, DATA["routes"]), key=lambda r: (r.colour, r.length, r.waves, r.name))
COLOURED: Final[int] = sum(not route.ferry for route in ROUTES)
"""The number of routes with a colour. The others are ferries."""
MAX_COLOURED_LENGTH: Final = 5
PAYMENTS: Final = MAX_COLOURED_LENGTH + 1
"""The ways to pay for a coloured route: with no locomotive, with one, …"""

ROUTE_NUMBERS: Final[dict[str, int]] = {route.name: number for number, route in enumerate(ROUTES)}
PARALLEL: Final[list[tuple[int, ...]]] = [
    tuple(other for other, track in enumerate(ROUTES) if track[1:3] == route[1:3] and track is not route)
    for route in ROUTES
]
"""The other tracks of a double or triple route."""

FERRY_KINDS: Final[list[tuple[int, int]]] = [
    kind for kind, _ in groupby((route.length, route.waves) for route in ROUTES[COLOURED:])
]
"""The lengths and waves of ferries, in the order of the routes."""


class Ticket(NamedTuple):
    """Two places to connect, and the points. A zone is given by all its ends."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    points: int
    name: str


def _ticket(row: dict[str, Any]) -> Ticket:
    a, b = ((CITIES.index(row[end]),) if row[end] in CITIES else ZONES[row[end]] for end in "ab")
    return Ticket(a, b, row["points"], f"{row['a']}-{row['b']}")


TICKETS: Final[list[Ticket]] = [_ticket(row) for row in DATA["tickets"]]
TICKET_NAMES: Final[Names] = Names(*(ticket.name for ticket in TICKETS))


class Shape(NamedTuple):
    """The numbers of cards of one colour, locomotives and ferry cards that are paid for a ferry."""

    cards: int
    locomotives: int
    ferries: int


def shapes(length: int, waves: int) -> list[Shape]:
    """Every legal way to pay for a ferry, apart from the colour."""
    found = []
    for cards in range(length - waves + 1):
        for ferries in range(MAX_FERRY_CARDS + 1):
            for served in range(ferries, min(WAVES_PER_FERRY_CARD * ferries, waves) + 1):
                found.append(Shape(cards, length - cards - served, ferries))
    return sorted(found)


SHAPES: Final[list[Shape]] = sorted({shape for kind in FERRY_KINDS for shape in shapes(*kind)})


class Fare(NamedTuple):
    """A payment for a ferry. The colour is -1 if only locomotives and ferry cards are paid."""

    shape: Shape
    colour: int

    @property
    def words(self) -> dict[str, int]:
        """The number of cards of each kind that is paid."""
        counts = {COLOURS[self.colour]: self.shape.cards} if self.shape.cards else {}
        counts.update({"locomotive": self.shape.locomotives, "ferry": self.shape.ferries})
        return {card: count for card, count in counts.items() if count}


FARES: Final[list[Fare]] = [
    Fare(shape, colour) for shape in SHAPES for colour in (range(N_COLOURS) if shape.cards else (-1,))
]


class Fares(Range):
    """Fares as counts of cards: `{"green": 2, "ferry": 1}`. A fare that fits no ferry is refused."""

    def __init__(self) -> None:
        super().__init__(len(FARES))
        self.numbers = {tuple(sorted(fare.words.items())): number for number, fare in enumerate(FARES)}

    def name(self, number: int) -> Any:
        return FARES[number].words

    def number(self, value: object, argument: str) -> int:
        if not isinstance(value, dict):
            raise Refusal("malformed", f'A fare is an object such as {{"green": 2, "ferry": 1}}, not {short(value)}.')
        for card, count in value.items():
            if card not in (*CARDS, "ferry"):
                raise Refusal("malformed", f"You cannot pay with {short(card)}.")
            if not isinstance(count, int) or isinstance(count, bool) or count < 1:
                raise Refusal("malformed", f"{short(count)} is not a number of cards.")
        found = self.numbers.get(tuple(sorted(value.items())))
        if found is not None:
            return found
        if len(value.keys() & set(COLOURS)) > 1:
            raise Refusal("not-legal", "The train cards paid for a ferry are all of one colour.", "TR-42")
        raise Refusal("not-legal", "No ferry route can be paid for like that.", "TR-42")
