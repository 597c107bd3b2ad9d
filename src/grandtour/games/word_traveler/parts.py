"""The parts of Word Traveler: the board, words, maps, souvenirs. The numbers and their sources are in `parts.json`.

A space is a number from 0 to 48, row by row from the north-west corner; its name is its column and its row, "D4" for
the centre. A word's number is its place in the list; a side's number is twice that, and one more for the black side.
"""

import json
from importlib.resources import files
from typing import Any, Final

from grandtour.engine.vocabulary import Names, Numbers

DATA: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("parts.json").read_text("utf-8"))

SIZE: Final = 7
SPACES: Final = SIZE * SIZE
CENTRE: Final = SPACES // 2
DAYS: Final = 2
MAX_ARROWS: Final = 5
FIRST_DAY_ARROWS: Final = 3
ARROWS: Final = (FIRST_DAY_ARROWS, MAX_ARROWS)
"""The number of arrows on each day."""
HAND: Final = 10
N_WORDS: Final = 165
N_MAPS: Final = 20
N_SOUVENIRS: Final = 6
N_SURENESS: Final = 3
MIN_SEATS: Final = 2
MAX_SEATS: Final = 5
MAX_CHANGES: Final = 200
"""How often a player may change the plan in a day."""
MAX_STEPS: Final = 40
"""How often a local may move footprints during a journey."""

SPACE_NAMES: Final = tuple("ABCDEFG"[space % SIZE] + str(space // SIZE + 1) for space in range(SPACES))
DIRECTIONS: Final = ("north", "east", "south", "west")
SURENESS: Final = ("guessing", "fairly sure", "certain")

WORDS: Final[tuple[str, ...]] = tuple(DATA["words"])
SIDES: Final = tuple(side for word in WORDS for side in (word, f"Not {word}"))

CITIES: Final[tuple[str, ...]] = tuple(city["name"] for city in DATA["cities"])
PLACES: Final[tuple[tuple[str, ...], ...]] = tuple(
    tuple(place for row in city["places"] for place in row) for city in DATA["cities"]
)
"""The place on each space of each city; in the centre, the name of the city."""

MAPS: Final[tuple[str, ...]] = tuple(card["card"] for card in DATA["maps"])
SYMBOLS: Final[tuple[tuple[str, str], ...]] = tuple(
    ("".join(card["day1"]), "".join(card["day2"])) for card in DATA["maps"]
)
"""The two sides of each map card, one character per space: "." nothing, "o" a circle, "*" a star."""
VALUES: Final = {".": 0, "o": 1, "*": 2}

SOUVENIRS: Final[dict[int, tuple[int, ...]]] = {
    int(seats): tuple(places) for seats, places in DATA["souvenirs"].items()
}
"""The scores at which golden souvenirs are collected, by the number of players."""
RATINGS: Final[tuple[str, ...]] = tuple(DATA["ratings"])

ARROW_RANGE: Final = Numbers(1, MAX_ARROWS)
SPACE_RANGE: Final = Names(*SPACE_NAMES)
WORD_RANGE: Final = Names(*WORDS)
SIDE_RANGE: Final = Names(*SIDES)


def souvenirs(seats: int, score: int) -> int:
    """The number of souvenirs collected with a score."""
    return sum(score >= place for place in SOUVENIRS[seats])
