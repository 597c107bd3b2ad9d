"""Trading: offers, lies, counter-offers and the bonus."""

from grandtour.games.itchy_feet import GAME
from tests.games.itchy_feet.positions import Table
from tests.rules import rule


@rule("IF-28", "IF-29", "IF-40")
def test_a_trade_exchanges_cards_face_up_and_earns_a_bonus() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit", "Passport"], draw=["Bug Spray"])
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    assert table.waiting() == [1]
    table.play(1, "accept")
    assert table.hand(0) == ["Swimsuit", "Bug Spray", "Passport"]
    assert table.hand(1) == ["Camera", "Passport"]
    assert table.known(2, 0) == ["Swimsuit"], "what was exchanged is known, the bonus is not"
    assert table.known(2, 1) == ["Camera"]
    assert table.view(None)["players"][1]["known"] == ["Camera"]
    assert table.waiting() == [1], "the trade was the action"


@rule("IF-29", "IF-32")
def test_you_can_ask_first_and_the_partner_names_a_price() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit", "Passport"])
    table.plays(0, "trade: 1", "want: Swimsuit", "propose")
    assert table.refused(1, "accept").rule == "IF-32"
    table.plays(1, "counter", "give: Swimsuit", "want: Camera", "propose")
    assert table.waiting() == [0]
    table.play(0, "accept")
    assert "Swimsuit" in table.hand(0)
    assert table.hand(1) == ["Camera", "Passport"]


@rule("IF-29", "IF-32")
def test_you_can_offer_first() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit", "Passport"])
    table.plays(0, "trade: 1", "give: Camera", "propose")
    assert table.verbs(1) == {"decline", "counter"}


@rule("IF-29", "IF-30")
def test_an_offer_names_something_and_has_a_partner() -> None:
    table = Table(["Camera"], ["Swimsuit"], [])
    assert table.refused(0, "trade", with_=0).rule == "IF-29"
    assert table.refused(0, "trade", with_=4).rule == "IF-29"
    assert table.refused(0, "trade", with_=2).rule == "IF-30"
    table.play(0, "trade", with_=1)
    assert table.refused(0, "propose").rule == "IF-29"
    assert table.refused(0, "draw").rule == "IF-30"
    assert table.refused(1, "accept").rule == "IF-30"


@rule("IF-30")
def test_without_a_card_there_is_nothing_to_trade() -> None:
    table = Table([], ["Swimsuit"], pile=["Camera"], seats=2)
    assert table.refused(0, "trade", with_=1).rule == "IF-30"


@rule("IF-30")
def test_the_tray_is_open_to_all_and_holds_a_whole_hand_each_way() -> None:
    seven = ["Camera", "Camera", "Camera", "Swimsuit", "Swimsuit", "Swimsuit", "Passport"]
    six = ["Bug Spray", "Bug Spray", "Bug Spray", "Sunscreen", "Sunscreen", "Passport"]
    table = Table(seven, six)
    table.plays(0, "trade: 1", *(f"give: {card}" for card in seven))
    assert sorted(table.view(2)["trade"]["gives"]) == sorted(seven)
    assert table.refused(0, "give", card="Bug Spray").rule == "IF-30", "there is no eighth card to give"
    table.plays(0, *(f"want: {card}" for card in six))
    assert table.refused(0, "want", card="Sunscreen").rule == "IF-30", "the partner has no seventh"
    table.play(0, "propose")
    table.play(1, "accept")
    assert set(six) <= set(table.hand(0))
    assert sorted(table.hand(1)) == sorted(seven)


@rule("IF-30", "IF-35")
def test_a_counter_offer_names_a_whole_hand_too() -> None:
    six = ["Bug Spray", "Bug Spray", "Bug Spray", "Sunscreen", "Sunscreen", "Passport"]
    table = Table(["Camera", "Passport"], six)
    table.plays(0, "trade: 1", "want: Passport", "propose")
    table.plays(1, "counter", "want: Camera", *(f"give: {card}" for card in six), "propose")
    table.play(0, "accept")
    assert table.hand(1) == ["Camera"]
    assert table.waiting() == [0], "seven cards, and the bonus is one too many"


@rule("IF-30", "IF-33")
def test_five_cards_can_be_named_even_for_a_smaller_hand() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", *["give: Phrasebook"] * 3, *["give: Sunscreen"] * 2)
    assert table.refused(0, "give", card="Sunscreen").rule == "IF-30"


@rule("IF-30", "IF-105")
def test_under_version_1_an_offer_still_stops_at_five_cards() -> None:
    table = Table(["Camera"] * 3 + ["Swimsuit"] * 3, ["Bug Spray"] * 3 + ["Sunscreen"] * 3, version=1)
    table.plays(0, "trade: 1", *["give: Camera"] * 3, *["give: Swimsuit"] * 2)
    assert table.refused(0, "give", card="Swimsuit").rule == "IF-30"
    table.plays(0, *["want: Bug Spray"] * 3, *["want: Sunscreen"] * 2)
    assert table.refused(0, "want", card="Sunscreen").rule == "IF-30"


def four_postcards_between_two(version: int) -> Table:
    """One postcard for one postcard: seat 1 has three of them before and after."""
    hers, his = ["Passport", "Postcard", "Camera"], ["Passport", *["Postcard"] * 3, "Swimsuit"]
    return Table(hers, his, draw=["Bug Spray"], version=version)


@rule("IF-28", "IF-85")
def test_an_exchange_is_one_step_so_a_passing_fourth_postcard_does_not_win() -> None:
    table = four_postcards_between_two(version=2)
    table.plays(0, "trade: 1", "give: Postcard", "want: Postcard", "propose")
    table.play(1, "accept")
    assert not table.over, "nobody holds four postcards"
    assert table.hand(0).count("Postcard") == 1
    assert table.hand(1).count("Postcard") == 3


@rule("IF-28", "IF-85")
def test_a_passing_fourth_postcard_does_not_win_in_a_counter_offer() -> None:
    table = four_postcards_between_two(version=2)
    table.plays(0, "trade: 1", "want: Postcard", "propose")
    table.plays(1, "counter", "give: Postcard", "want: Postcard", "propose")
    table.play(0, "accept")
    assert not table.over, "nobody holds four postcards"


@rule("IF-28", "IF-85")
def test_four_postcards_after_an_exchange_win_and_every_card_has_changed_hands() -> None:
    table = Table(["Postcard", "Camera"], [*["Postcard"] * 3, "Swimsuit"])
    table.plays(0, "trade: 1", "give: Postcard", "want: Swimsuit", "propose")
    table.play(1, "accept")
    assert table.result() == [0.0, 1.0, 0.0]
    assert table.hand(0) == ["Camera", "Swimsuit"], "no bonus is drawn after the end"


@rule("IF-105")
def test_under_version_1_a_passing_fourth_postcard_still_wins() -> None:
    table = four_postcards_between_two(version=1)
    table.plays(0, "trade: 1", "give: Postcard", "want: Postcard", "propose")
    table.play(1, "accept")
    assert table.result() == [0.0, 1.0, 0.0]


@rule("IF-30", "IF-37")
def test_a_withdrawn_offer_counts() -> None:
    table = Table(["Camera"], ["Swimsuit"], offers=1)
    table.plays(0, "trade: 1", "withdraw")
    assert table.refused(0, "trade", with_=1).rule == "IF-37"
    assert table.may(0, "draw")


@rule("IF-31")
def test_three_cards_for_two_is_a_trade() -> None:
    table = Table(["Camera", "Bug Spray", "Sunscreen"], ["Swimsuit", "Passport"])
    table.plays(0, "trade: 1", "give: Camera", "give: Bug Spray", "give: Sunscreen")
    table.plays(0, "want: Swimsuit", "want: Passport", "propose")
    table.play(1, "accept")
    assert table.hand(1) == ["Camera", "Bug Spray", "Sunscreen"]
    assert len(table.hand(0)) == 3, "two cards and the bonus"


@rule("IF-33", "IF-34")
def test_you_can_claim_to_have_a_card_you_do_not_have() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", "give: Phrasebook")
    assert table.refused(0, "want", card="Swimsuit").rule == "IF-34", "with a lie on the tray nothing can be agreed"
    table.play(0, "propose")
    assert table.known(1, 0) == [], "a claim proves nothing"
    table.plays(1, "counter", "want: Phrasebook", "give: Swimsuit", "propose")
    assert table.refused(0, "accept").rule == "IF-35", "what is exchanged must be what was agreed"
    assert table.hand(0) == ["Camera"]


@rule("IF-33")
def test_you_can_deny_having_a_card() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    table.play(1, "decline")
    assert table.known(0, 1) == []


@rule("IF-33")
def test_an_offer_cannot_name_more_cards_than_there_are() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", *["want: Swimsuit"] * 3)
    assert table.refused(0, "want", card="Swimsuit").rule == "IF-33"
    assert table.refused(0, "want", card="Postcard").rule == "IF-33"
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", *["give: Camera"] * 3)
    assert table.refused(0, "give", card="Camera").rule == "IF-33"


@rule("IF-34")
def test_an_offer_with_both_sides_named_shows_everyone_those_cards() -> None:
    table = Table(["Camera", "Sunscreen"], ["Swimsuit"])
    table.plays(0, "trade: 1", "want: Swimsuit")
    assert table.refused(0, "give", card="Phrasebook").rule == "IF-34"
    assert table.choices(0, "give") == ["Camera", "Sunscreen"]
    table.play(0, "give", card="Camera")
    assert table.known(1, 0) == table.known(2, 0) == ["Camera"]
    table.plays(0, "give: Sunscreen", "propose")
    table.play(1, "decline")
    assert table.known(2, 0) == ["Camera", "Sunscreen"], "that stays known when the offer is declined"


@rule("IF-35", "IF-36")
def test_the_partner_can_decline_and_you_choose_another_action() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    assert table.refused(2, "accept").rule == "IF-35"
    assert table.refused(0, "accept").rule == "IF-35"
    assert table.refused(1, "draw").rule == "IF-35"
    table.play(1, "decline")
    assert table.waiting() == [0]
    assert {"draw", "steal", "trade"} <= table.verbs(0)


@rule("IF-35")
def test_accepting_needs_the_cards_asked_for() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", "give: Camera", "want: Sunscreen", "propose")
    assert table.verbs(1) == {"decline", "counter"}
    assert table.refused(1, "accept").rule == "IF-35"


@rule("IF-35", "IF-37")
def test_there_are_four_counter_offers_to_an_offer_and_they_do_not_count_as_offers() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", "want: Swimsuit", "propose")
    for number in range(4):
        who = 1 - number % 2
        table.plays(who, "counter", "want: Bug Spray", "propose")
    assert table.waiting() == [1]
    assert table.refused(1, "counter").rule == "IF-35"
    table.play(1, "decline")
    assert table.view(0)["offers_left"] == 2


@rule("IF-36", "IF-37")
def test_after_three_failed_offers_you_must_choose_another_action() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    for _ in range(3):
        table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
        table.play(1, "decline")
    assert table.refused(0, "trade", with_=1).rule == "IF-37"
    table.play(0, "draw")


@rule("IF-37")
def test_the_host_can_set_the_number_of_offers() -> None:
    table = Table(["Camera"], ["Swimsuit"], offers=5)
    assert table.view(0)["offers_left"] == 5


@rule("IF-38")
def test_a_declined_offer_brings_no_bonus() -> None:
    table = Table(["Camera"], ["Swimsuit"])
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    table.play(1, "decline")
    assert table.hand(0) == ["Camera"]


@rule("IF-38", "IF-39")
def test_the_bonus_of_a_counter_offer_goes_to_the_player_whose_turn_it_is() -> None:
    table = Table(["Camera"], ["Swimsuit", "Sunscreen"], draw=["Bug Spray"])
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    table.plays(1, "counter", "give: Sunscreen", "want: Camera", "propose")
    table.play(0, "accept")
    assert table.hand(0) == ["Bug Spray", "Sunscreen"]
    assert table.hand(1) == ["Camera", "Swimsuit"]


@rule("IF-39")
def test_hand_limits_apply_before_and_after_the_bonus() -> None:
    seven = ["Camera", "Camera", "Bug Spray", "Bug Spray", "Phrasebook", "Phrasebook", "Passport"]
    table = Table(seven, ["Swimsuit", "Sunscreen"], draw=["Local Cash"])
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "want: Sunscreen", "propose")
    table.play(1, "accept")
    assert table.waiting() == [0]
    assert "Local Cash" not in table.hand(0), "eight cards: first one goes, then the bonus comes"
    table.play(0, "discard", card="Camera")
    assert "Local Cash" in table.hand(0)
    table.play(0, "discard", card="Local Cash")
    assert table.waiting() == [1]


@rule("IF-40")
def test_a_traded_card_is_known_until_it_leaves_the_hand() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit", "Passport"])
    table.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    table.play(1, "accept")
    table.plays(1, "steal: 2", "discard: Camera")
    assert "Camera" not in table.known(0, 1)
    assert "Camera" not in table.known(2, 1)


def test_an_offer_reads_as_a_sentence() -> None:
    table = Table(["Camera", "Sunscreen"], ["Swimsuit", "Swimsuit"])
    table.plays(0, "trade: 1", "give: Camera", "give: Sunscreen", "want: Swimsuit", "want: Swimsuit")
    (proposed,) = table.play(0, "propose")
    assert GAME.describe(proposed, ["Ada", "Bo", "Cy"], 1) == (
        "Ada offers you a Camera and Sunscreen for 2 × Swimsuit."
    )
    assert GAME.prompt(table.state, 1)["text"] == (
        "{seat:0} offers you a Camera and Sunscreen for 2 × Swimsuit. Accept, decline or counter?"
    )


def test_many_cards_are_counted_in_the_prompt_and_named_in_the_log() -> None:
    five = ["Camera", "Sunscreen", "Bug Spray", "Local Cash", "Passport"]
    table = Table(five, ["Swimsuit"])
    table.plays(0, "trade: 1", *(f"give: {card}" for card in five), "want: Swimsuit")
    (proposed,) = table.play(0, "propose")
    assert GAME.describe(proposed, ["Ada", "Bo", "Cy"], 1) == (
        "Ada offers you a Camera, Local Cash, Bug Spray, Sunscreen and a Passport for a Swimsuit."
    )
    assert GAME.prompt(table.state, 1)["text"] == (
        "{seat:0} offers you 5 cards for a Swimsuit. Accept, decline or counter?"
    )
