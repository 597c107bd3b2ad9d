"""How well each word describes each place, from -3 (the very opposite) to 3: computed from the tags in `words.toml`."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from grandtour.games.word_traveler.parts import CENTRE, CITIES, PLACES, WORDS

MAX_GRADE: Final = 3.0
LACKING_GRADE: Final = -1.0
"""The grade of a place that lacks a quality which most places lack."""
MIN_CLEAR_GRADE: Final = 0.5
"""Lower grades say nothing."""
TAG: Final = re.compile(r"([A-Za-z][A-Za-z-]*?)(-?[0-3])")

Tags = dict[str, int]


@cache
def source() -> dict[str, Any]:
    """The contents of `words.toml`."""
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))


@cache
def neutral_if_lacking() -> frozenset[str]:
    """The words that most places lack. All places without them get the same small negative grade."""
    return frozenset(source()["lacks"].split())


@cache
def rare() -> frozenset[str]:
    """The words for rare qualities. A place that does not mention them probably lacks them."""
    return frozenset(source()["seldom"].split())


@cache
def mixture(word: str) -> tuple[tuple[str, float], ...]:
    """The axes that a word combines, each with its weight."""
    parts = source()["words"][word].split()
    return tuple((axis, float(weight)) for axis, weight in zip(parts[::2], parts[1::2], strict=True))


@cache
def tags(city: str, place: str) -> Tags:
    """The grades of a place on axes (lower case) and for single words (capitalized). Later tags win."""
    grades: Tags = {}
    for piece in source()["places"][city][place].split():
        if piece in source()["kinds"]:
            for tag in source()["kinds"][piece].split():
                _grade(grades, tag)
        else:
            _grade(grades, piece)
    return grades


def _grade(grades: Tags, tag: str) -> None:
    found = TAG.fullmatch(tag)
    if found is None:
        raise ValueError(f"{tag!r} is not a tag: it needs an axis or a word, and a grade from -3 to 3")
    grades[found[1]] = int(found[2])


def describes(word: str, city: str, place: str) -> float:
    """How well a word describes a place: by its own tag if there is one, otherwise by its mixture of axes."""
    grade = _graded(word, tags(city, place))
    if word in neutral_if_lacking():
        return grade if grade > 0 else LACKING_GRADE
    return LACKING_GRADE if word in rare() and LACKING_GRADE < grade < MIN_CLEAR_GRADE else grade


def _graded(word: str, grades: Tags) -> float:
    if word in grades:
        return float(grades[word])
    sum = 0.0
    for axis, weight in mixture(word):
        sum += weight * grades.get(axis, 0)
    return max(-MAX_GRADE, min(MAX_GRADE, sum))


@cache
def table(city: int) -> tuple[tuple[float, ...], ...]:
    """For each word, how well it describes each of the 49 spaces of a city; the centre shows no place."""
    name = CITIES[city]
    places = [place if space != CENTRE else None for space, place in enumerate(PLACES[city])]
    return tuple(tuple(describes(word, name, place) if place else 0.0 for place in places) for word in WORDS)
