"""Stealing and travelling."""

import pytest

from grandtour.games.itchy_feet import GAME
from tests.games.itchy_feet.positions import GERMANY, JAPAN, Table
from tests.rules import rule


@rule("IF-41", "IF-43")
def test_stealing_costs_a_card_and_takes_a_random_one() -> None:
    taken = set()
    for seed in range(12):
        table = Table(["Passport", "Camera"], ["Swimsuit", "Sunscreen"], seed=seed)
        table.plays(0, "steal: 1", "discard: Camera")
        (card,) = set(table.hand(0)) - {"Passport"}
        taken.add(card)
        assert table.discards() == ["Camera"]
        assert len(table.hand(1)) == 1
        assert table.waiting() == [1]
    assert taken == {"Swimsuit", "Sunscreen"}


@rule("IF-42")
def test_the_cost_comes_first() -> None:
    table = Table(["Passport", "Camera"], ["Swimsuit"])
    table.play(0, "steal", from_=1)
    assert table.waiting() == [0]
    assert table.hand(1) == ["Swimsuit"]
    assert table.refused(0, "take", card="Swimsuit").rule == "IF-16"
    assert table.choices(0, "discard") == ["Camera", "Passport"]


@rule("IF-42", "IF-5")
@pytest.mark.parametrize("card", ["Passport", "Postcard", "Mom's Credit Card", "Forbidden Item"])
def test_any_card_can_be_stolen(card: str) -> None:
    table = Table(["Camera"], [card], special_items=True)
    table.play(1, "quiet")
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.hand(0) == [card]


@rule("IF-42")
def test_a_player_without_cards_cannot_be_stolen_from() -> None:
    table = Table(["Passport"], [])
    assert table.choices(0, "steal") == [2]
    assert table.refused(0, "steal", from_=1).rule == "IF-42"
    assert table.refused(0, "steal", from_=0).rule == "IF-41"
    assert table.refused(0, "steal", from_=5).rule == "IF-41"


@rule("IF-41")
def test_without_a_card_to_pay_there_is_no_theft() -> None:
    table = Table([], ["Camera"], ["Camera"])
    assert table.refused(0, "steal", from_=1).rule == "IF-41"


@rule("IF-43")
def test_only_thief_and_victim_know_what_was_stolen() -> None:
    table = Table(["Passport", "Camera"], ["Swimsuit", "Sunscreen"])
    table.play(0, "steal", from_=1)
    events = table.play(0, "discard", card="Camera")
    stole = next(event for event in events if event["event"] == "stole")
    (card,) = set(table.hand(0)) - {"Passport"}
    assert stole["private"] == {"0": {"card": card}, "1": {"card": card}}
    assert table.known(1, 0) == [card]
    assert table.known(2, 0) == []


@rule("IF-43")
def test_after_an_unseen_loss_nobody_is_certain_of_a_card_that_could_be_gone() -> None:
    table = Table(["Passport", "Camera"], ["Passport", *JAPAN], own=["France", "Japan", "Kenya"])
    table.play(0, "draw")
    table.play(1, "travel")
    assert table.known(2, 1) == ["Passport"], "the rest of the hand that was shown"
    table = Table(["Passport", "Camera"], ["Swimsuit", "Swimsuit", "Passport"])
    table.state.show_hand(1)
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.known(2, 1) == ["Swimsuit"], "one of the two must still be there"


@rule("IF-43")
def test_everyone_knows_what_leaves_a_hand_of_one_known_kind() -> None:
    table = Table(["Passport", "Camera"], ["Swimsuit", "Swimsuit"])
    table.state.show_hand(1)
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.known(2, 1) == ["Swimsuit"]
    assert table.known(2, 0) == ["Swimsuit"]


@rule("IF-2", "IF-44", "IF-45")
def test_travelling_shows_the_hand_discards_the_items_and_draws_a_free_card() -> None:
    table = Table(["Passport", "Swimsuit", *JAPAN], draw=["Bug Spray"])
    events = table.play(0, "travel")
    showed = next(event for event in events if event["event"] == "showed")
    assert sorted(showed["hand"]) == sorted(["Passport", "Swimsuit", *JAPAN])
    assert sorted(table.discards()) == sorted(JAPAN)
    assert table.hand(0) == ["Swimsuit", "Bug Spray", "Passport"]
    assert table.view(1)["players"][0]["visited"]
    assert table.waiting() == [1]


@rule("IF-44")
@pytest.mark.parametrize("missing", JAPAN)
def test_all_three_items_are_needed(missing: str) -> None:
    table = Table(["Passport", *(item for item in JAPAN if item != missing)])
    assert table.refused(0, "travel").rule == "IF-44"
    assert table.refused(0, "travel-with", card=JAPAN[0]).rule == "IF-44"


@rule("IF-4", "IF-44")
def test_a_passport_is_needed() -> None:
    table = Table(["Swimsuit", *JAPAN])
    assert table.refused(0, "travel").rule == "IF-44"


@rule("IF-44")
def test_a_refused_travel_names_all_that_is_missing() -> None:
    def reason(*hand: str) -> str:
        return Table([*hand]).refused(0, "travel").reason

    assert reason("Passport") == "For Japan you still need: Rain Jacket, Power Adapter and Camera."
    assert reason("Passport", "Camera") == "For Japan you still need: Rain Jacket and Power Adapter."
    assert reason("Swimsuit") == "For Japan you still need: Passport, Rain Jacket, Power Adapter and Camera."
    assert reason(*JAPAN) == "For Japan you still need: Passport."


@rule("IF-69")
def test_a_refused_travel_on_credit_names_all_that_is_missing() -> None:
    table = Table(["Passport", "Mom's Credit Card"])
    assert table.refused(0, "travel-on-credit", item="Camera").reason == (
        "Mom's Credit Card stands in for one item only; you still need: Rain Jacket and Power Adapter."
    )
    table = Table(["Mom's Credit Card", "Camera"])
    assert table.refused(0, "travel-on-credit", item="Rain Jacket").reason == (
        "For Japan you still need: Passport and Power Adapter."
    )


@rule("IF-5")
def test_any_passport_counts_including_a_traded_one() -> None:
    table = Table(["Swimsuit", *JAPAN], ["Passport", "Sunscreen"], seats=2)
    table.plays(0, "trade: 1", "give: Swimsuit", "want: Passport", "propose")
    table.play(1, "accept")
    table.play(1, "draw")
    assert table.may(0, "travel")


@rule("IF-5")
def test_a_passport_comes_back_from_the_discard_pile() -> None:
    table = Table(["Camera", "Swimsuit"], discards=["Passport"])
    table.plays(0, "recycle", "discard: Camera", "discard: Swimsuit", "take: Passport")
    assert table.hand(0) == ["Passport"]


@rule("IF-2", "IF-46")
def test_you_travel_to_your_own_country_before_the_centre() -> None:
    table = Table(["Passport", *GERMANY])
    assert table.refused(0, "travel").rule == "IF-44"
    table = Table(["Passport", *GERMANY], visited=[0])
    assert table.may(0, "travel")


@rule("IF-2", "IF-48", "IF-49")
def test_the_first_to_reach_the_centre_wins_and_draws_no_card() -> None:
    table = Table(["Passport", *GERMANY], visited=[0, 1], draw=["Bug Spray"])
    table.play(0, "travel")
    assert table.result() == [1, 0, 0]
    assert table.over
    assert table.hand(0) == ["Passport"]
    assert table.verbs(1) == set()
    assert [row["score"] for row in GAME.final(table.state)] == [2, 1, 0]


@rule("IF-47")
def test_a_player_travels_only_once_per_turn() -> None:
    table = Table(["Passport", "Red-Eye Flight", *JAPAN, *GERMANY[::2]], draw=["Power Adapter"])
    for seat in (1, 2):
        table.play(seat, "quiet")
    table.play(0, "play", card="Red-Eye Flight")
    table.play(0, "travel")
    assert table.waiting() == [0]
    assert {"Power Adapter", "Passport"} <= set(table.hand(0)), "all that Germany asks for is there"
    assert table.refused(0, "travel").rule == "IF-47"


@rule("IF-47")
def test_everyone_knows_a_hand_that_was_shown() -> None:
    table = Table(["Passport", "Swimsuit", *JAPAN], draw=["Bug Spray"])
    table.play(0, "travel")
    assert table.known(1, 0) == table.known(2, 0) == ["Swimsuit", "Passport"], "but not the card drawn after"
    assert table.view(None)["players"][0]["known"] == ["Swimsuit", "Passport"]
