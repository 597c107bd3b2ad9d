"""The parts match the printed contents."""

import json
import re
from importlib.resources import files
from itertools import chain
from pathlib import Path

import grandtour.games.word_traveler as parts
from grandtour.games.word_traveler.parts import (
    ARROWS,
    CENTRE,
    CITIES,
    DATA,
    MAPS,
    PLACES,
    RATINGS,
    SIDES,
    SOUVENIRS,
    SPACE_NAMES,
    SYMBOLS,
    WORDS,
)
from tests.rules import rule

PAGE = Path(__file__).resolve().parents[3] / "web" / "src" / "games" / "word-traveler"
PICTURE = re.compile(r"place: (?:'([^']*)'|\"([^\"]*)\")|^  (null),$", re.MULTILINE)
SENTENCE = re.compile(r"(?<!\b[A-Z])\.(?= [A-Z]|$)")
TEXT = re.compile(r"\btext: (?:'([^']*)'|\"[^\"]*\")")


@rule("WT-5")
def test_the_box_holds_165_words_20_maps_6_souvenirs_and_4_cities() -> None:
    assert len(WORDS) == len(set(WORDS)) == 165
    assert len(MAPS) == len(set(SYMBOLS)) == 20
    assert CITIES == ("New York", "Paris", "London", "Tokyo")
    assert all(len(places) == 6 for places in SOUVENIRS.values())
    assert 5 * max(ARROWS) == 25, "five arrows in five colours"


@rule("WT-5")
def test_the_travel_guides_have_one_or_two_sentences_about_each_place() -> None:
    facts = json.loads((files(parts) / "facts.json").read_text("utf-8"))
    assert list(facts) == list(CITIES)
    for city, places in zip(CITIES, PLACES, strict=True):
        assert list(facts[city]) == [place for place in places if place != city]
    told = list(chain(*(guide.values() for guide in facts.values())))
    assert len(told) == len(set(told)) == 4 * 48
    for fact in told:
        assert 40 <= len(fact) <= 240, fact
        assert fact.endswith("."), fact
        assert len(SENTENCE.findall(fact)) <= 2, fact


@rule("WT-6")
def test_a_city_has_seven_by_seven_spaces_with_its_name_in_the_centre() -> None:
    assert SPACE_NAMES[0] == "A1"
    assert SPACE_NAMES[6] == "G1"
    assert SPACE_NAMES[-1] == "G7"
    assert SPACE_NAMES[CENTRE] == "D4"
    for city, places in zip(CITIES, PLACES, strict=True):
        assert len(places) == len(set(places)) == 49
        assert places[CENTRE] == city
    assert len(set(chain(*PLACES))) == 4 * 49, "no place is shown twice"


@rule("WT-7")
def test_the_black_side_has_the_same_word_with_not() -> None:
    assert len(SIDES) == 330
    assert SIDES[2 * WORDS.index("Comfortable") + 1] == "Not Comfortable"


@rule("WT-9")
def test_each_side_of_a_map_has_eight_circles_and_two_stars_and_nothing_in_the_centre() -> None:
    for side in chain(*SYMBOLS):
        assert (side.count("o"), side.count("*"), len(side)) == (8, 2, 49)
        assert side[CENTRE] == "."
    assert len(set(chain(*SYMBOLS))) == 40, "no two sides are the same"


@rule("WT-10", "WT-23", "WT-56")
def test_new_york_fits_the_printed_examples() -> None:
    assert PLACES[0][SPACE_NAMES.index("F4")] == "Subway Car"
    assert {"Bike Courier", "Baseball Glove and Ball"} <= set(PLACES[0])
    printed = {"Busy", "Comfortable", "Cool", "Refreshing", "Slippery", "Active", "Circular"}
    assert printed <= set(WORDS)
    assert set(DATA["provenance"]) >= {"places", "words", "maps", "souvenirs", "ratings", "timer", "guides"}


@rule("WT-12")
def test_souvenirs_are_farther_apart_with_more_players() -> None:
    assert SOUVENIRS == {
        2: (2, 4, 7, 9, 11, 13),
        3: (3, 7, 10, 13, 16, 20),
        4: (4, 9, 13, 18, 22, 26),
        5: (5, 11, 16, 22, 27, 33),
    }


@rule("WT-68")
def test_the_chart_has_a_name_for_every_number_of_souvenirs() -> None:
    assert RATINGS == (
        "Lost Luggage",
        "Jet-Lagged",
        "Day-Trippers",
        "Map Readers",
        "Sightseers",
        "Globetrotters",
        "Word Travelers",
    )


def test_every_place_has_its_picture_on_the_right_space() -> None:
    for city, places in zip(CITIES, PLACES, strict=True):
        drawn = (PAGE / f"{city[0].lower()}{city[1:].replace(' ', '')}.ts").read_text("utf-8")
        pictured = [single or double or city for single, double, _ in PICTURE.findall(drawn)]
        assert pictured == list(places), f"the page draws {city} as the board has it"


def test_no_two_descriptions_are_the_same() -> None:
    texts = [text for file in sorted(PAGE.glob("*.ts")) for text in TEXT.findall(file.read_text("utf-8"))]
    assert len(set(texts)) == len(texts) == 192
