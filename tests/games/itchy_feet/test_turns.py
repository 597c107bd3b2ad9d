"""Turns, the hand, drawing and recycling."""

import pytest

from grandtour.games.itchy_feet import GAME
from tests.games.itchy_feet.positions import JAPAN, Table
from tests.rules import rule

SEVEN = ["Passport", "Camera", "Camera", "Swimsuit", "Sunscreen", "Phrasebook", "Local Cash"]


@rule("IF-16", "IF-21")
def test_drawing_takes_the_top_card_and_ends_the_turn() -> None:
    table = Table(draw=["Camera"])
    table.play(0, "draw")
    assert table.hand(0) == ["Camera", "Passport"]
    assert table.waiting() == [1]


@rule("IF-16")
def test_the_actions_are_draw_recycle_trade_steal_and_travel() -> None:
    table = Table(["Passport", *JAPAN], discards=["Swimsuit"])
    assert table.verbs(0) == {"draw", "recycle", "trade", "steal", "travel"}
    assert table.verbs(1) == set()
    assert table.refused(1, "draw").rule == "IF-16"
    assert table.refused(0, "accept").rule == "IF-16"


@rule("IF-17")
def test_you_must_act_if_you_can() -> None:
    assert Table().refused(0, "pass").rule == "IF-17"


@rule("IF-17", "IF-24")
def test_you_can_pass_if_you_can_only_offer_a_trade() -> None:
    table = Table(["Forbidden Item"], ["Camera"], seats=2, pile=[])
    assert table.verbs(0) == {"trade", "pass"}
    assert table.refused(0, "draw").rule == "IF-24"
    table.play(0, "pass")
    assert table.waiting() == [1]


@rule("IF-17")
def test_you_cannot_pass_while_you_can_steal() -> None:
    table = Table(["Camera"], ["Swimsuit"], seats=2, pile=[])
    assert "pass" not in table.verbs(0)
    assert table.refused(0, "pass").rule == "IF-17"


@rule("IF-18")
def test_an_empty_hand_draws_three_before_the_action() -> None:
    table = Table(["Passport"], [], draw=["Camera", "Swimsuit", "Sunscreen", "Phrasebook"])
    table.play(0, "draw")
    assert sorted(table.hand(1)) == ["Phrasebook", "Sunscreen", "Swimsuit"]
    assert table.waiting() == [1], "it was no action"


@rule("IF-18")
def test_a_hand_emptied_during_the_turn_waits_for_the_next_one() -> None:
    table = Table(["Camera"], ["Swimsuit"], seats=2)
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.hand(0) == ["Swimsuit"]
    assert len(table.hand(1)) == 3, "the victim refills at the start of their own turn"


@rule("IF-19", "IF-22")
def test_with_a_full_hand_you_can_draw_and_then_discard_down_to_seven() -> None:
    table = Table(SEVEN, draw=["Bug Spray"])
    table.play(0, "draw")
    assert table.waiting() == [0]
    assert table.refused(0, "draw").rule == "IF-19"
    assert table.refused(0, "discard", card="Rain Jacket").rule == "IF-16"
    assert sorted(table.choices(0, "discard")) == sorted({*SEVEN, "Bug Spray"})
    table.play(0, "discard", card="Bug Spray")
    assert table.discards() == ["Bug Spray"]
    assert table.waiting() == [1]


@rule("IF-19")
def test_seven_cards_are_not_too_many() -> None:
    table = Table(SEVEN[:6], draw=["Bug Spray"])
    table.play(0, "draw")
    assert len(table.hand(0)) == 7
    assert table.waiting() == [1]


@rule("IF-20")
def test_the_hand_limit_applies_on_other_players_turns_too() -> None:
    table = Table(["Camera", "Bug Spray"], SEVEN)
    table.plays(0, "trade: 1", "give: Camera", "give: Bug Spray", "want: Swimsuit", "propose")
    table.play(1, "accept")
    assert table.waiting() == [1], "eight cards are one too many, though it is another's turn"
    assert table.refused(2, "discard", card="Passport").rule == "IF-20"
    table.play(1, "discard", card="Bug Spray")
    assert len(table.hand(1)) == 7
    assert len(table.hand(0)) == 2, "the swimsuit and the bonus card"


@rule("IF-20", "IF-60")
def test_several_with_too_many_cards_discard_at_the_same_time() -> None:
    table = Table(SEVEN, SEVEN[:5], ["Passport", *["Hiking Boots"] * 3, *["Bug Spray"] * 3], draw=["Night Market"])
    table.play(0, "draw")
    assert table.waiting() == [0, 2]
    table.play(2, "discard", card="Hiking Boots")
    assert table.waiting() == [0]
    table.play(0, "discard", card="Camera")
    assert table.waiting() == [1]


@rule("IF-23")
def test_the_last_card_of_the_pile_brings_the_discards_back_at_once() -> None:
    table = Table(pile=["Camera"], discards=["Swimsuit", "Forbidden Item", "Night Market"])
    table.play(0, "draw")
    assert table.hand(0) == ["Camera", "Passport"]
    assert table.discards() == []
    assert table.view(0)["draw_pile"]["count"] == 3
    assert {entry["card"] for entry in table.view(0)["draw_pile"]["shuffled_in"]} == {
        "Swimsuit",
        "Forbidden Item",
        "Night Market",
    }


@rule("IF-24")
def test_with_both_piles_empty_a_bonus_is_left_out() -> None:
    table = Table(["Camera"], ["Swimsuit"], pile=[], seats=2)
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    table.play(1, "accept")
    assert table.hand(0) == ["Swimsuit"]
    assert table.waiting() == [1]


@rule("IF-24")
def test_a_discard_makes_a_new_pile_as_soon_as_a_card_is_needed() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit", "Sunscreen"], pile=[], seats=2)
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.discards() == ["Camera"]
    table.play(1, "draw")
    assert "Camera" in table.hand(1)
    assert table.discards() == []


@rule("IF-25", "IF-27")
def test_recycling_costs_two_cards_and_takes_one_of_choice() -> None:
    table = Table(["Passport", "Camera", "Swimsuit"], discards=["Sunscreen", "Bug Spray"])
    table.play(0, "recycle")
    assert table.refused(0, "take", card="Sunscreen").rule == "IF-16"
    table.plays(0, "discard: Camera", "discard: Swimsuit")
    assert table.choices(0, "take") == ["Bug Spray", "Sunscreen"]
    assert table.refused(0, "take", card="Phrasebook").rule == "IF-25"
    table.play(0, "take", card="Sunscreen")
    assert table.hand(0) == ["Sunscreen", "Passport"]
    assert sorted(table.discards()) == ["Bug Spray", "Camera", "Swimsuit"]
    assert table.known(2, 0) == ["Sunscreen"]
    assert table.waiting() == [1]


@rule("IF-26")
def test_you_cannot_take_back_a_card_you_just_paid() -> None:
    table = Table(["Passport", "Camera", "Swimsuit"], discards=["Camera"])
    table.plays(0, "recycle", "discard: Camera", "discard: Swimsuit")
    assert table.choices(0, "take") == ["Camera"], "another camera lies there, and no other swimsuit"
    assert table.refused(0, "take", card="Swimsuit").rule == "IF-26"


@rule("IF-26")
def test_there_must_be_something_to_recycle() -> None:
    table = Table(["Passport", "Camera", "Swimsuit"])
    assert table.refused(0, "recycle").rule == "IF-26"


@rule("IF-25")
def test_recycling_needs_two_cards() -> None:
    table = Table(["Passport"], discards=["Camera"])
    assert table.refused(0, "recycle").rule == "IF-25"


@rule("IF-27")
def test_everybody_sees_the_whole_discard_pile() -> None:
    table = Table(discards=["Camera", "Camera", "Bug Spray"])
    for seat in (None, 0, 1, 2):
        assert table.view(seat)["discards"] == [{"card": "Camera", "count": 2}, {"card": "Bug Spray", "count": 1}]


@rule("IF-48", "IF-50")
@pytest.mark.parametrize(("visited", "winners"), [([1], [0, 1.0, 0]), ([0, 2], [0.5, 0, 0.5]), ([], [1 / 3] * 3)])
def test_after_the_last_round_most_countries_win(visited: list[int], winners: list[float]) -> None:
    table = Table(visited=visited, turn_limit=10)
    table.state.round = 10
    for seat in range(3):
        table.play(seat, "draw")
    assert table.result() == winners
    assert table.over
    assert GAME.final(table.state)[1]["won"] == (winners[1] > 0)


@rule("IF-50")
def test_a_round_is_over_when_it_is_the_starting_players_turn_again() -> None:
    table = Table()
    for seat in (0, 1):
        table.play(seat, "draw")
    assert table.state.round == 1
    table.play(2, "draw")
    assert table.state.round == 2
