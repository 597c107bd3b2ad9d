"""Forbidden items, postcards and characters."""

import pytest

from grandtour.games.itchy_feet import GAME
from tests.games.itchy_feet.positions import JAPAN, Table
from tests.rules import rule


@rule("IF-79")
def test_you_cannot_travel_with_a_forbidden_item() -> None:
    table = Table(["Passport", "Forbidden Item", *JAPAN])
    assert table.refused(0, "travel").rule == "IF-79"


@rule("IF-80")
def test_getting_rid_of_it_costs_another_card_and_the_turn() -> None:
    table = Table(["Passport", "Forbidden Item", "Camera"])
    table.play(0, "get-rid")
    assert table.refused(0, "draw").rule == "IF-16"
    table.play(0, "discard", card="Camera")
    assert table.hand(0) == ["Passport"]
    assert table.discards() == ["Camera", "Forbidden Item"]
    assert table.waiting() == [1]


@rule("IF-80")
def test_getting_rid_of_it_needs_a_forbidden_item_and_another_card() -> None:
    assert Table(["Passport"], forbidden_items=True).refused(0, "get-rid").rule == "IF-80"
    assert Table(["Forbidden Item", "Forbidden Item"]).refused(0, "get-rid").rule == "IF-80"


@rule("IF-81")
@pytest.mark.parametrize("action", ["recycle", "steal: 1", "get-rid"])
def test_a_forbidden_item_pays_for_nothing(action: str) -> None:
    table = Table(["Passport", "Camera", "Forbidden Item", "Forbidden Item"], discards=["Swimsuit"])
    table.plays(0, action)
    assert table.choices(0, "discard") == ["Camera", "Passport"]
    assert table.refused(0, "discard", card="Forbidden Item").rule == "IF-81"


@rule("IF-81")
def test_a_hand_of_forbidden_items_pays_for_nothing() -> None:
    table = Table(["Forbidden Item", "Forbidden Item"], discards=["Swimsuit"])
    assert table.refused(0, "recycle").rule == "IF-81"
    assert table.refused(0, "steal", from_=1).rule == "IF-81"


@rule("IF-81", "IF-82")
def test_a_forbidden_item_is_kept_when_discarding_down() -> None:
    table = Table(["Forbidden Item"] * 3 + ["Camera", "Swimsuit", "Sunscreen", "Passport"], draw=["Bug Spray"])
    table.play(0, "draw")
    assert "Forbidden Item" not in table.choices(0, "discard")
    assert table.refused(0, "discard", card="Forbidden Item").rule == "IF-81"


@rule("IF-82")
def test_a_forbidden_item_cannot_be_discarded_at_the_trading_post_or_by_the_early_bird() -> None:
    table = Table(["Trading Post", "Camera", "Forbidden Item"])
    table.play(0, "play", card="Trading Post")
    assert table.choices(0, "discard") == ["Camera"]
    assert table.refused(0, "discard", card="Forbidden Item").rule == "IF-82"
    table = Table(["Forbidden Item"], roles=["The Early Bird"] * 3, draw=["Camera", "Forbidden Item"])
    table.play(0, "draw")
    assert table.choices(0, "discard") == ["Camera"]


@rule("IF-82")
def test_a_hand_of_forbidden_items_may_exceed_the_limit() -> None:
    table = Table(["Forbidden Item"], roles=["The Early Bird"] * 3, draw=["Forbidden Item"] * 2)
    table.play(0, "draw")
    assert table.hand(0) == ["Forbidden Item"] * 3
    assert table.waiting() == [1], "there is nothing that the Early Bird could discard"


@rule("IF-83")
def test_a_forbidden_item_can_be_traded_if_the_partner_accepts() -> None:
    table = Table(["Forbidden Item"], ["Camera"])
    table.plays(0, "trade: 1", "give: Forbidden Item", "want: Camera", "propose")
    table.play(1, "accept")
    assert table.hand(1) == ["Forbidden Item"]


@rule("IF-83", "IF-42")
def test_a_forbidden_item_can_be_stolen() -> None:
    table = Table(["Camera"], ["Forbidden Item"])
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.hand(0) == ["Forbidden Item"]


@rule("IF-84")
def test_a_forbidden_item_can_be_taken_from_the_discard_pile() -> None:
    table = Table(["Camera", "Passport"], discards=["Forbidden Item"])
    table.plays(0, "recycle", "discard: Camera", "discard: Passport", "take: Forbidden Item")
    assert table.hand(0) == ["Forbidden Item"]


@rule("IF-85", "IF-86")
def test_four_postcards_win_at_once_even_with_too_many_cards() -> None:
    table = Table(["Passport", *["Camera"] * 3, *["Postcard"] * 3], draw=["Postcard"])
    table.play(0, "draw")
    assert table.result() == [1, 0, 0]
    assert GAME.prompt(table.state, 0) == {"text": "The game is over: you win.", "rules": ["IF-85"]}


@rule("IF-85")
def test_four_postcards_win_on_another_players_turn() -> None:
    table = Table(["Postcard", "Camera"], ["Postcard", "Postcard", "Postcard", "Swimsuit"])
    table.plays(0, "trade: 1", "give: Postcard", "want: Swimsuit", "propose")
    table.play(1, "accept")
    assert table.result() == [0, 1, 0]


@rule("IF-85")
@pytest.mark.parametrize("way", ["steal", "recycle", "mix-up"])
def test_the_fourth_postcard_wins_however_it_is_gained(way: str) -> None:
    mine = ["Postcard"] * 3 + ["Camera", "Swimsuit"]
    if way == "steal":
        table = Table(mine, ["Postcard"])
        table.plays(0, "steal: 1", "discard: Camera")
    elif way == "recycle":
        table = Table(mine, discards=["Postcard"])
        table.plays(0, "recycle", "discard: Camera", "discard: Swimsuit", "take: Postcard")
    else:
        table = Table(mine, ["Camera"], ["Postcard"], draw=["Luggage Mix-Up"])
        table.play(0, "draw")
        for seat, card in enumerate(["Camera", "Camera", "Postcard"]):
            table.play(seat, "hand-on", card=card)
    assert table.result() == [1, 0, 0]


@rule("IF-85")
def test_three_postcards_do_not_win() -> None:
    table = Table(["Postcard", "Postcard"], draw=["Postcard"])
    table.play(0, "draw")
    assert not table.over


@rule("IF-87")
def test_characters_lie_open_and_stay() -> None:
    who = ["The Haggler", "The Smuggler", "The Overpacker"]
    table = Table(["Camera", "Passport"], ["Swimsuit", "Passport"], roles=who)
    table.plays(0, "trade: 1")
    assert not set(table.choices(0, "give")) & set(who), "a character cannot be traded"
    assert [player["character"] for player in table.view(2)["players"]] == who


@rule("IF-88", "IF-89")
def test_the_smuggler_gives_away_a_forbidden_item_for_nothing() -> None:
    table = Table(["Forbidden Item", "Forbidden Item", "Passport"], roles=["The Smuggler", *["The Haggler"] * 2])
    assert table.choices(0, "smuggle") == [1, 2]
    assert table.refused(0, "smuggle", to=0).rule == "IF-88"
    assert table.refused(0, "smuggle", to=3).rule == "IF-88"
    table.play(0, "smuggle", to=2)
    assert table.hand(2) == ["Passport", "Forbidden Item"]
    assert table.known(1, 2) == ["Forbidden Item"]
    assert table.waiting() == [0], "it is no action"
    assert table.refused(0, "smuggle", to=1).rule == "IF-88", "once a turn"


@rule("IF-88")
def test_only_the_smuggler_smuggles_and_only_before_the_first_action() -> None:
    table = Table(["Forbidden Item"], roles=["The Haggler"] * 3)
    assert table.refused(0, "smuggle", to=1).rule == "IF-88"
    table = Table(["Forbidden Item", "Red-Eye Flight"], roles=["The Smuggler"] * 3)
    table.plays(0, "play: Red-Eye Flight", "draw")
    assert table.refused(0, "smuggle", to=1).rule == "IF-88"


@rule("IF-89")
def test_the_smuggler_needs_a_forbidden_item_in_the_hand() -> None:
    table = Table(["Passport"], roles=["The Smuggler"] * 3, discards=["Forbidden Item"])
    assert table.refused(0, "smuggle", to=1).rule == "IF-89"


@rule("IF-88", "IF-20")
def test_a_full_backpack_discards_for_a_smuggled_item() -> None:
    full = ["Passport", *["Camera"] * 3, *["Swimsuit"] * 3]
    table = Table(["Forbidden Item"], full, roles=["The Smuggler"] * 3)
    table.play(0, "smuggle", to=1)
    assert table.waiting() == [1]
    table.play(1, "discard", card="Camera")
    assert table.waiting() == [0]
    assert table.may(0, "draw")


@rule("IF-90")
def test_the_early_bird_draws_two_and_discards_one() -> None:
    table = Table(["Passport"], roles=["The Early Bird"] * 3, draw=["Camera", "Swimsuit"])
    table.play(0, "draw")
    assert table.hand(0) == ["Camera", "Swimsuit", "Passport"]
    assert table.waiting() == [0]
    table.play(0, "discard", card="Passport")
    assert table.hand(0) == ["Camera", "Swimsuit"]
    assert table.waiting() == [1]


@rule("IF-90")
def test_the_early_bird_discards_nothing_after_an_event_or_a_single_card() -> None:
    table = Table(["Passport"], roles=["The Early Bird"] * 3, draw=["Camera", "Civil Unrest"])
    table.play(0, "draw")
    assert table.hand(0) == ["Camera", "Passport"]
    assert table.waiting() == [1]
    table = Table(["Passport"], roles=["The Early Bird"] * 3, pile=["Camera"])
    table.play(0, "draw")
    assert table.hand(0) == ["Camera", "Passport"]
    assert table.waiting() == [1]


@rule("IF-91")
def test_the_second_hander_recycles_for_one_card() -> None:
    table = Table(["Passport"], discards=["Camera"], roles=["The Second-Hander"] * 3)
    table.plays(0, "recycle", "discard: Passport", "take: Camera")
    assert table.hand(0) == ["Camera"]
    assert table.waiting() == [1]
    table = Table([], discards=["Camera"], roles=["The Second-Hander"] * 3)
    assert table.refused(0, "recycle").rule == "IF-25"


@rule("IF-92")
def test_the_pickpocket_looks_at_two_cards_and_takes_one() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit", "Sunscreen", "Bug Spray"], roles=["The Pickpocket"] * 3)
    table.plays(0, "steal: 1", "discard: Camera")
    seen = table.view(0)["looking"]
    assert len(seen) == 2
    assert table.view(1)["looking"] == table.view(2)["looking"] == []
    unseen = ({"Swimsuit", "Sunscreen", "Bug Spray"} - set(seen)).pop()
    assert table.refused(0, "take", card=unseen).rule == "IF-92"
    assert table.refused(0, "draw").rule == "IF-92"
    table.play(0, "take", card=seen[0])
    assert seen[0] in table.hand(0)
    assert table.known(0, 1) == [seen[1]]
    assert table.known(2, 1) == []
    assert table.discards() == ["Camera"]
    assert table.waiting() == [1]


@rule("IF-92")
def test_the_pickpocket_has_no_choice_of_a_single_card() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit"], roles=["The Pickpocket"] * 3)
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.hand(0) == ["Swimsuit", "Passport"]


@rule("IF-93")
def test_the_haggler_draws_two_bonus_cards() -> None:
    table = Table(["Camera"], ["Swimsuit"], roles=["The Haggler"] * 3, draw=["Bug Spray", "Sunscreen"])
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    table.play(1, "accept")
    assert table.hand(0) == ["Swimsuit", "Bug Spray", "Sunscreen"]
    assert table.hand(1) == ["Camera"]


@rule("IF-94")
def test_the_overpacker_carries_nine_cards() -> None:
    eight = ["Passport", "Postcard", *["Camera"] * 3, *["Swimsuit"] * 3]
    table = Table(eight, roles=["The Overpacker"] * 3, draw=["Bug Spray"])
    table.play(0, "draw")
    assert len(table.hand(0)) == 9
    assert table.waiting() == [1]
    table = Table([*eight, "Sunscreen"], roles=["The Overpacker"] * 3, draw=["Bug Spray"])
    table.play(0, "draw")
    assert table.waiting() == [0]
    assert table.view(1)["players"][0]["limit"] == 9


@rule("IF-85")
def test_the_final_scores_say_that_postcards_won() -> None:
    table = Table(["Passport", *["Camera"] * 3, *["Postcard"] * 3], draw=["Postcard"])
    table.play(0, "draw")
    rows = GAME.final(table.state)
    assert [(row["score"], row["outcome"], row["won"]) for row in rows] == [
        (None, "4 postcards", True),
        (None, "no postcards", False),
        (None, "no postcards", False),
    ], "nobody wins with a score of 0"
    assert {"label": "Postcards", "value": 4} in rows[0]["lines"]
