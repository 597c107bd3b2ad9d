"""The Bucket List variant."""

from typing import Any

from grandtour.games.itchy_feet import GAME
from grandtour.games.itchy_feet.parts import COUNTRY_NAMES
from tests.games.itchy_feet.positions import JAPAN, Table
from tests.rules import rule


def bucket(*hands: list[str], **given: Any) -> Table:
    """A Bucket List table with Japan on top of the pile."""
    return Table(*hands, variant="bucket-list", centre="Japan", **given)


@rule("IF-96", "IF-99")
def test_one_item_and_a_passport_are_enough() -> None:
    table = bucket(["Passport", "Camera", "Swimsuit"], draw=["Bug Spray"])
    under = COUNTRY_NAMES[table.state.unused[0]]
    assert table.choices(0, "travel-with") == ["Camera"]
    table.play(0, "travel-with", card="Camera")
    view = table.view(1)
    assert view["players"][0]["countries"] == ["Japan"]
    assert view["centre"] == under, "the next country is turned up"
    assert view["unused"] == {"count": 11, "bottom": []}
    assert table.discards() == ["Camera"]
    assert table.hand(0) == ["Swimsuit", "Bug Spray", "Passport"]
    assert table.waiting() == [1]


@rule("IF-99")
def test_a_refused_travel_names_all_that_is_missing() -> None:
    reason = bucket(["Passport", "Swimsuit"]).refused(0, "travel-with", card="Camera").reason
    assert reason == "For Japan you still need: Rain Jacket, Power Adapter or Camera."
    reason = bucket(["Swimsuit"]).refused(0, "travel-with", card="Camera").reason
    assert reason == "For Japan you still need: Passport and Rain Jacket, Power Adapter or Camera."


@rule("IF-99", "IF-100")
def test_travelling_needs_a_fitting_item_a_passport_and_no_forbidden_item() -> None:
    assert bucket(["Passport", "Swimsuit"]).refused(0, "travel-with", card="Swimsuit").rule == "IF-99"
    assert bucket(["Passport", "Swimsuit"]).refused(0, "travel-with", card="Camera").rule == "IF-99"
    assert bucket(["Camera"]).refused(0, "travel-with", card="Camera").rule == "IF-44"
    assert bucket(["Passport", "Camera", "Forbidden Item"]).refused(0, "travel-with", card="Camera").rule == "IF-79"
    assert bucket(["Passport", *JAPAN]).refused(0, "travel").rule == "IF-99"
    assert bucket(["Passport", *JAPAN]).refused(0, "travel-on-credit", item="Camera").rule == "IF-99"


@rule("IF-100", "IF-47")
def test_the_hand_is_shown_and_there_is_one_travel_per_turn() -> None:
    table = bucket(["Passport", "Red-Eye Flight", *JAPAN])
    for seat in (1, 2):
        table.play(seat, "quiet")
    table.play(0, "play", card="Red-Eye Flight")
    table.play(0, "travel-with", card="Camera")
    assert table.known(2, 0) == ["Rain Jacket", "Power Adapter", "Passport"]
    assert "travel-with" not in table.verbs(0)
    assert table.refused(0, "travel-with", card="Rain Jacket").rule == "IF-47"


@rule("IF-100")
def test_moms_credit_card_stands_in_for_the_item() -> None:
    table = bucket(["Passport", "Mom's Credit Card"], seats=2)
    table.play(1, "quiet")
    table.play(0, "travel-with", card="Mom's Credit Card")
    assert table.discards() == ["Mom's Credit Card"]
    assert table.view(0)["players"][0]["countries"] == ["Japan"]


@rule("IF-100", "IF-66")
def test_passport_control_works_here_too() -> None:
    table = bucket(["Passport", "Camera"], ["Passport Control"], seats=2)
    table.play(0, "travel-with", card="Camera")
    table.play(1, "play", card="Passport Control")
    assert table.view(0)["players"][0]["countries"] == []
    assert "Camera" in table.hand(0)


@rule("IF-101", "IF-102")
def test_a_country_is_stolen_for_two_different_items_it_shows() -> None:
    table = bucket(["Hiking Boots", "Local Cash", "Camera", "Forbidden Item"], ["Mousetrap"], owners={"Germany": 1})
    assert table.choices(0, "steal-country") == ["Germany"], "without a passport, and with a forbidden item"
    table.play(0, "steal-country", country="Germany")
    assert table.refused(0, "discard", card="Camera").rule == "IF-102"
    table.play(0, "discard", card="Local Cash")
    assert table.refused(0, "discard", card="Local Cash").rule == "IF-16"
    table.play(0, "discard", card="Hiking Boots")
    assert table.view(0)["players"][0]["countries"] == ["Germany"]
    assert table.waiting() == [1]
    assert table.view(1)["step"] == "act", "the Mousetrap does not guard countries"


@rule("IF-101", "IF-102")
def test_you_cannot_steal_your_own_country_or_pay_with_two_of_the_same_item() -> None:
    table = bucket(["Local Cash", "Local Cash", "Camera"], owners={"Germany": 1, "Italy": 0})
    assert table.refused(0, "steal-country", country="Germany").rule == "IF-102"
    assert table.refused(0, "steal-country", country="Italy").rule == "IF-101"
    assert table.refused(0, "steal-country", country="Kenya").rule == "IF-101"
    assert Table(["Camera"]).refused(0, "steal-country", country="Kenya").rule == "IF-101"
    table = bucket(["Local Cash", "Local Cash", "Hiking Boots"], owners={"Germany": 1})
    table.plays(0, "steal-country: Germany", "discard: Local Cash")
    assert table.refused(0, "discard", card="Local Cash").rule == "IF-102"


@rule("IF-103")
def test_when_the_pile_is_empty_most_countries_win() -> None:
    table = bucket(["Passport", "Camera"], owners={"Kenya": 0, "Egypt": 1})
    table.state.spare = table.state.unseen = 0
    table.play(0, "travel-with", card="Camera")
    assert table.result() == [1, 0, 0]
    assert table.view(1)["centre"] is None
    rows = GAME.final(table.state)
    assert [row["score"] for row in rows] == [2, 1, 0]
    assert {"label": "Country", "value": "Egypt"} in rows[1]["lines"]


@rule("IF-104", "IF-103")
def test_equally_many_countries_share_the_win() -> None:
    table = bucket(["Passport", "Camera"], owners={"Egypt": 1})
    table.state.spare = table.state.unseen = 0
    table.play(0, "travel-with", card="Camera")
    assert table.result() == [0.5, 0.5, 0]


@rule("IF-104")
def test_four_postcards_win_here_too() -> None:
    table = bucket(["Postcard"] * 3, draw=["Postcard"])
    table.play(0, "draw")
    assert table.result() == [1, 0, 0]
