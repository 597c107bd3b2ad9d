"""The parts of Itchy Feet: cards, countries and characters, read from `parts.json`, which says where each comes from.

A kind of card is a small int. Kinds that can be in a hand come first, the events last.
"""

import json
from importlib.resources import files
from math import asin, cos, radians, sin, sqrt
from typing import Any, Final, NamedTuple

DATA: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("parts.json").read_text("utf-8"))

ITEMS: Final[tuple[str, ...]] = tuple(DATA["items"]["names"])
SPECIALS: Final[tuple[str, ...]] = tuple(card["name"] for card in DATA["special items"])
EVENTS: Final[tuple[str, ...]] = tuple(card["name"] for card in DATA["events"])
CHARACTERS: Final[tuple[str, ...]] = tuple(card["name"] for card in DATA["characters"])

HAND_CARDS: Final = (*ITEMS, "Passport", "Postcard", "Forbidden Item", *SPECIALS)
CARDS: Final = (*HAND_CARDS, *EVENTS)
"""The names of all kinds of card. A kind is an index of this list."""

KIND: Final = {name: kind for kind, name in enumerate(CARDS)}
N_ITEMS: Final = 10
IN_HAND: Final = N_ITEMS + 3 + 9
"""The number of kinds that can be in a hand. The events come after them."""
KINDS: Final = IN_HAND + 4
N_COUNTRIES: Final = 13
ITEMS_PER_COUNTRY: Final = 3
ITEM_COPIES: Final[int] = DATA["items"]["copies"]
POSTCARDS: Final[int] = DATA["counts"]["printed"]["postcards"]
FORBIDDEN_ITEMS: Final[int] = DATA["counts"]["printed"]["forbidden items"]
HAND_LIMIT: Final[int] = DATA["hand limit"]["cards"]
OVERPACKER_LIMIT: Final = 9
NEW_HAND_CARDS: Final = 3
"""Cards dealt to everyone besides the passport, and drawn when a hand is empty at the end of a turn."""
POSTCARDS_TO_WIN: Final = 4
GUIDE_CARDS: Final = 4
"""The number of cards that the Local Guide shows."""
TRADING_POST_CARDS: Final = 3
"""The maximum number of cards that can be discarded at the Trading Post."""
TRAY_SIZE: Final = 5
"""The number of cards that an offer can always ask of a player. It can also ask for a whole hand."""
MAX_COUNTERS: Final = 4
"""The maximum number of counter-offers to an offer."""
MIN_SEATS: Final[int] = DATA["players"]["low"]
MAX_SEATS: Final[int] = DATA["players"]["high"]

EARTH_RADIUS_KM: Final = 6371.0


class Country(NamedTuple):
    """A country: its name, the coordinates of its capital, and the kinds of item it asks for."""

    name: str
    north: float
    east: float
    items: tuple[int, ...]


COUNTRIES: Final = [
    Country(card["name"], card["north"], card["east"], tuple(sorted(KIND[item] for item in card["items"])))
    for card in DATA["countries"]["cards"]
]
COUNTRY_NAMES: Final = tuple(country.name for country in COUNTRIES)
PASSPORTS: Final = [COUNTRY_NAMES.index(name) for name in DATA["passports"]["countries"]]
"""The countries that can be on passports."""


def distance(one: int, other: int) -> float:
    """The great-circle distance between two capitals, in kilometres."""
    a, b = COUNTRIES[one], COUNTRIES[other]
    north, east = radians(b.north - a.north), radians(b.east - a.east)
    half = sin(north / 2) ** 2 + cos(radians(a.north)) * cos(radians(b.north)) * sin(east / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(sqrt(half))


NEARER: Final = [
    [sorted(range(len(COUNTRIES)), key=lambda c: distance(c, centre)).index(country) for country in range(13)]
    for centre in range(len(COUNTRIES))
]
"""`NEARER[centre][country]`: the number of countries, including the centre, that are nearer to the centre."""
