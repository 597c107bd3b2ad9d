"""The components match the printed game, and the capitals are where they are on the globe."""

from itertools import combinations

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.games.itchy_feet import parts
from grandtour.games.itchy_feet.mechanics.packs import (
    HIGHEST_OF,
    MASK,
    ONE,
    count,
    fewer,
    listed,
    nth,
    present,
    total,
    within,
)
from grandtour.games.itchy_feet.parts import COUNTRIES, COUNTRY_NAMES, DATA, ITEMS, KIND, distance
from tests.games.itchy_feet.positions import ALL, fresh, pack
from tests.rules import rule


@rule("IF-4", "IF-6")
def test_the_number_of_each_card_is_as_printed() -> None:
    printed = DATA["counts"]["printed"]
    assert len(COUNTRIES) == printed["countries"] == 13
    assert len(parts.PASSPORTS) == printed["passports"] == 12
    assert len(parts.EVENTS) == printed["events"] == 4
    assert len(parts.SPECIALS) == printed["special items"] == 9
    assert len(DATA["forbidden items"]["names"]) == printed["forbidden items"] == 3
    assert len(DATA["postcards"]["views"]) == printed["postcards"] == 6
    assert len(parts.CHARACTERS) == printed["characters"] == 6
    assert len(ITEMS) * parts.ITEM_COPIES == DATA["counts"]["inferred"]["items"] == 30


@rule("IF-6", "IF-8")
def test_items_and_extensions_make_one_deck_of_52() -> None:
    state = fresh(2, **ALL)
    assert sum(state.census()[: parts.KINDS]) - 2 == 52
    assert not {"hearts", "spades", "suits"} & set(str(DATA).lower().split()), "suits play no part"


@rule("IF-4", "IF-7")
def test_a_country_asks_for_three_items_and_no_two_share_more_than_one() -> None:
    assert all(len(set(country.items)) == 3 for country in COUNTRIES)
    for one, other in combinations(COUNTRIES, 2):
        assert len(set(one.items) & set(other.items)) <= 1, f"{one.name} and {other.name} share two items"
    asked = [sum(item in country.items for country in COUNTRIES) for item in range(10)]
    assert sorted(asked) == [3] + [4] * 9
    assert asked[KIND["Rain Jacket"]] == 3


@rule("IF-9")
def test_passports_postcards_and_forbidden_items_are_one_kind_each() -> None:
    state = fresh(4, **ALL)
    assert count(state.in_play, KIND["Passport"]) == 4
    assert count(state.in_play, KIND["Postcard"]) == 6
    assert count(state.in_play, KIND["Forbidden Item"]) == 3


@rule("IF-15")
def test_distances_are_measured_on_the_globe_and_all_differ() -> None:
    at = COUNTRY_NAMES.index
    assert distance(at("Italy"), at("France")) == pytest.approx(1105, abs=5)
    assert distance(at("Japan"), at("Mexico")) == pytest.approx(11300, abs=60), "across the Pacific, not round Europe"
    for centre in range(13):
        distances = [distance(centre, country) for country in range(13)]
        assert len(set(distances)) == 13, f"two countries are equally far from {COUNTRY_NAMES[centre]}"


def test_every_number_names_its_source() -> None:
    for part in ("items", "countries", "passports", "postcards", "forbidden items"):
        assert DATA[part]["from"], part
    for part in ("special items", "events", "characters"):
        assert all(card["from"] and card["text"] and card["rule"] for card in DATA[part]), part


def test_a_pack_counts_its_cards() -> None:
    cards = ["Camera", "Camera", "Passport", "Passport", "Passport", "Postcard", "Forbidden Item", "Mousetrap"]
    some = pack(cards)
    assert sorted(listed(some)) == sorted(cards)
    assert total(some) == 8
    assert sorted(listed(present(some))) == ["Camera", "Forbidden Item", "Mousetrap", "Passport", "Postcard"]
    assert [nth(some, n) for n in range(3)] == [KIND["Camera"], KIND["Camera"], KIND["Passport"]]
    assert within(pack(["Camera", "Passport"]), some)
    assert not within(pack(["Camera"] * 3), some)


def test_packs_are_compared_kind_by_kind() -> None:
    dice = QuickDice(1)

    def any_pack() -> list[int]:
        return [dice.below(MASK[kind] + 1) for kind in range(parts.KINDS)]

    for _ in range(1000):
        copies, others = any_pack(), any_pack()
        one, other = (sum(n * ONE[kind] for kind, n in enumerate(each)) for each in (copies, others))
        assert total(one) == sum(copies)
        short = [kind for kind in range(parts.KINDS) if fewer(one, other) & HIGHEST_OF[kind]]
        assert short == [kind for kind in range(parts.KINDS) if copies[kind] < others[kind]]
        assert within(other, one) == (not short)
