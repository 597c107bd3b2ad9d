"""The four events."""

import pytest

from grandtour.games.itchy_feet import GAME
from grandtour.games.itchy_feet.parts import COUNTRY_NAMES
from tests.games.itchy_feet.positions import JAPAN, Table, fresh
from tests.rules import rule


@rule("IF-52", "IF-56", "IF-57")
def test_civil_unrest_replaces_the_centre_and_ends_the_turn() -> None:
    table = Table(draw=["Civil Unrest"])
    top = COUNTRY_NAMES[table.state.unused[0]]
    table.play(0, "draw")
    view = table.view(None)
    assert view["centre"] == top
    assert view["unused"] == {"count": 9, "bottom": ["Germany"]}
    assert table.discards() == ["Civil Unrest"]
    assert table.hand(0) == ["Passport"]
    assert table.waiting() == [1]


@rule("IF-52")
def test_an_event_never_stays_in_a_hand() -> None:
    table = Table(draw=["Lost Luggage"])
    table.play(0, "draw")
    assert "Lost Luggage" not in table.hand(0)
    assert table.discards() == ["Lost Luggage"]


@rule("IF-53")
def test_an_event_drawn_as_a_bonus_ends_the_turn() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit"], draw=["Civil Unrest", "Bug Spray"], roles=["The Haggler"] * 3)
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    table.play(1, "accept")
    assert table.hand(0) == ["Swimsuit", "Passport"], "the second bonus card is not drawn"
    assert table.waiting() == [1]


@rule("IF-53")
def test_an_event_drawn_after_travelling_ends_a_turn_of_two_actions() -> None:
    table = Table(["Passport", "Red-Eye Flight", *JAPAN], draw=["Civil Unrest"])
    for seat in (1, 2):
        table.play(seat, "quiet")
    table.play(0, "play", card="Red-Eye Flight")
    table.play(0, "travel")
    assert table.view(0)["players"][0]["visited"]
    assert table.waiting() == [1]


@rule("IF-53")
def test_an_event_drawn_for_an_empty_hand_ends_that_turn() -> None:
    table = Table(["Passport"], [], draw=["Camera", "Swimsuit", "Civil Unrest", "Bug Spray"])
    table.play(0, "draw")
    assert table.hand(1) == ["Swimsuit"]
    assert table.waiting() == [2]


@rule("IF-54")
def test_an_event_at_the_bottom_of_the_pile_lies_alone_on_the_new_discard_pile() -> None:
    table = Table(pile=["Civil Unrest"], discards=["Camera", "Swimsuit"])
    table.play(0, "draw")
    assert table.discards() == ["Civil Unrest"]
    assert table.view(0)["draw_pile"]["count"] == 2


@rule("IF-55")
def test_events_cannot_be_recycled() -> None:
    table = Table(["Camera", "Swimsuit", "Passport"], discards=["Civil Unrest"])
    assert table.refused(0, "recycle").rule == "IF-26"
    table = Table(["Camera", "Swimsuit", "Passport"], discards=["Civil Unrest", "Bug Spray"])
    table.plays(0, "recycle", "discard: Camera", "discard: Swimsuit")
    assert table.choices(0, "take") == ["Bug Spray"]


@rule("IF-58")
def test_lost_luggage_costs_everybody_an_item_a_special_item_or_a_postcard() -> None:
    table = Table(
        ["Passport", "Camera"], ["Passport", "Forbidden Item"], ["Postcard", "Passport"], draw=["Lost Luggage"]
    )
    table.play(0, "draw")
    assert table.hand(0) == ["Passport"]
    assert table.hand(1) == ["Passport", "Forbidden Item"], "passports and forbidden items are never lost"
    assert table.hand(2) == ["Passport"]
    assert table.discards() == ["Camera", "Postcard", "Lost Luggage"]
    assert table.waiting() == [1]


@rule("IF-58")
def test_lost_luggage_takes_a_random_card_from_each_player_clockwise() -> None:
    lost = set()
    for seed in range(12):
        table = Table(["Camera", "Mousetrap"], ["Passport"], draw=["Lost Luggage"], seed=seed)
        events = table.play(0, "draw")
        lost |= {tuple(event["cards"]) for event in events if event["event"] == "discarded"}
    assert lost == {("Camera",), ("Mousetrap",)}


@rule("IF-59")
def test_luggage_mix_up_passes_a_chosen_card_to_the_left() -> None:
    table = Table(["Camera", "Passport"], ["Forbidden Item"], ["Swimsuit", "Passport"], draw=["Luggage Mix-Up"])
    table.play(0, "draw")
    assert table.waiting() == [0, 1, 2]
    table.play(1, "hand-on", card="Forbidden Item")
    assert table.refused(1, "hand-on", card="Forbidden Item").rule == "IF-59"
    assert table.refused(0, "draw").rule == "IF-59"
    assert table.refused(0, "hand-on", card="Sunscreen").rule == "IF-59"
    table.play(0, "hand-on", card="Camera")
    assert table.view(2)["players"][0]["chosen"]
    assert table.view(0)["handing_on"] == "Camera"
    assert table.hand(1) == ["Forbidden Item"], "nothing moves until all have chosen"
    table.play(2, "hand-on", card="Passport")
    assert table.hand(0) == ["Passport", "Passport"]
    assert table.hand(1) == ["Camera"]
    assert table.hand(2) == ["Swimsuit", "Forbidden Item"]
    assert table.known(0, 1) == ["Camera"], "the giver knows it"
    assert table.known(2, 1) == [], "nobody else does"
    assert table.waiting() == [1]


@rule("IF-59")
def test_a_player_without_cards_passes_none_but_can_receive_one() -> None:
    table = Table(["Camera"], [], seats=2, draw=["Luggage Mix-Up", "Swimsuit", "Sunscreen", "Bug Spray"])
    table.play(0, "draw")
    assert table.waiting() == [0]
    assert table.refused(1, "hand-on", card="Camera").rule == "IF-59"
    table.play(0, "hand-on", card="Camera")
    assert table.hand(1) == ["Camera"], "so the next turn does not begin with an empty hand"
    assert table.hand(0) == []


@rule("IF-60")
def test_night_market_draws_a_card_for_everybody_and_ends_the_turn() -> None:
    table = Table(draw=["Night Market", "Camera", "Lost Luggage", "Swimsuit"])
    events = table.play(0, "draw")
    assert table.hand(0) == ["Camera", "Passport"]
    assert table.hand(1) == ["Passport"], "an event drawn here has no effect"
    assert table.hand(2) == ["Swimsuit", "Passport"]
    assert table.discards() == ["Lost Luggage", "Night Market"]
    assert [event["card"] for event in events if event["event"] == "no-effect"] == ["Lost Luggage"]
    assert table.waiting() == [1]


@rule("IF-60", "IF-24")
def test_night_market_stops_when_there_are_no_cards() -> None:
    table = Table(["Passport"], ["Passport"], ["Passport"], pile=["Night Market", "Camera"])
    table.play(0, "draw")
    assert table.hand(0) == ["Camera", "Passport"]
    assert table.waiting() == [1]
    assert table.state.census() == Table(pile=["Night Market", "Camera"]).state.census()


@rule("IF-51")
@pytest.mark.parametrize("option", ["events", "special_items", "forbidden_items", "postcards", "characters"])
def test_every_extension_can_be_played_alone(option: str) -> None:
    state = fresh(4, **{option: True})
    assert [name for name, on in GAME.view(state, None)["extensions"].items() if on] == [option]
    state.play(state.turn, GAME.moves.move("draw"))
    assert state.result() is None
