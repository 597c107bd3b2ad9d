"""The nine special items."""

from grandtour.games.itchy_feet.mechanics.hidden import CARD
from grandtour.games.itchy_feet.mechanics.packs import listed
from grandtour.games.itchy_feet.parts import COUNTRY_NAMES
from tests.games.itchy_feet.positions import GERMANY, JAPAN, Table, pack
from tests.rules import rule


@rule("IF-61", "IF-62")
def test_a_special_item_is_played_from_the_hand_and_discarded_first() -> None:
    table = Table(["Passport", "Lost and Found"], discards=["Camera"])
    assert table.refused(0, "play", card="Local Guide").rule == "IF-61"
    table.play(0, "play", card="Lost and Found")
    assert table.hand(0) == ["Passport"]
    assert "Lost and Found" in table.discards()


@rule("IF-61")
def test_reactions_cannot_be_played_as_actions() -> None:
    table = Table(["Mousetrap", "Passport Control", "Mom's Credit Card"])
    assert table.refused(0, "play", card="Mousetrap").rule == "IF-63"
    assert table.refused(0, "play", card="Passport Control").rule == "IF-66"
    assert table.refused(0, "play", card="Mom's Credit Card").rule == "IF-69"


@rule("IF-63", "IF-64", "IF-65")
def test_the_mousetrap_stops_a_theft_and_the_turn() -> None:
    table = Table(["Camera", "Passport"], ["Mousetrap", "Swimsuit"])
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.waiting() == [1]
    assert table.verbs(1) == {"play", "allow", "quiet"}
    table.play(1, "play", card="Mousetrap")
    assert table.hand(0) == ["Passport"]
    assert table.hand(1) == ["Swimsuit"]
    assert table.discards() == ["Camera", "Mousetrap"], "the cost stays paid"
    assert table.waiting() == [1], "the thief's turn is over"


@rule("IF-63")
def test_only_the_victim_can_use_the_mousetrap() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit"], ["Mousetrap"])
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.waiting() == [1]
    assert table.refused(2, "play", card="Mousetrap").rule == "IF-67"
    assert table.refused(1, "play", card="Mousetrap").rule == "IF-61"
    table.play(1, "allow")
    assert "Swimsuit" in table.hand(0)


@rule("IF-64", "IF-65")
def test_an_interrupted_player_loses_the_second_action_too() -> None:
    table = Table(["Camera", "Passport", "Red-Eye Flight"], ["Mousetrap"])
    table.plays(0, "play: Red-Eye Flight", "steal: 1", "discard: Camera")
    table.play(1, "play", card="Mousetrap")
    assert table.waiting() == [1]


@rule("IF-65")
def test_nobody_is_asked_to_react_to_a_reaction() -> None:
    table = Table(["Passport", "Passport Control", *JAPAN[:2]], ["Passport", "Mousetrap"], ["Swimsuit"])
    table.plays(0, "steal: 1", "discard: Passport")
    table.play(1, "play", card="Mousetrap")
    assert table.waiting() == [1]
    assert table.view(1)["step"] == "act"


@rule("IF-66", "IF-64")
def test_passport_control_stops_a_travel_and_the_traveller_keeps_everything() -> None:
    table = Table(["Passport", *JAPAN], ["Swimsuit"], ["Passport Control"])
    table.play(0, "travel")
    assert table.waiting() == [1], "they are asked like everyone else"
    table.play(1, "allow")
    table.play(2, "play", card="Passport Control")
    assert sorted(table.hand(0)) == sorted(["Passport", *JAPAN])
    assert not table.view(0)["players"][0]["visited"]
    assert table.discards() == ["Passport Control"]
    assert table.waiting() == [1]
    table.play(1, "draw")
    table.play(2, "draw")
    table.play(0, "travel")
    assert table.view(0)["players"][0]["visited"], "the card is on the discard pile: nobody is asked any more"


@rule("IF-66")
def test_passport_control_can_stop_the_winning_travel() -> None:
    table = Table(["Passport", *GERMANY], ["Passport Control"], visited=[0], seats=2)
    table.play(0, "travel")
    table.play(1, "play", card="Passport Control")
    assert not table.over


@rule("IF-66")
def test_a_travel_happens_if_nobody_stops_it() -> None:
    table = Table(["Passport", *JAPAN], ["Swimsuit"], ["Passport Control"])
    table.play(0, "travel")
    table.play(1, "allow")
    assert table.refused(2, "draw").rule == "IF-67"
    table.play(2, "allow")
    assert table.view(0)["players"][0]["visited"]


@rule("IF-67")
def test_every_player_who_could_hold_the_card_is_asked() -> None:
    holding = Table(["Camera", "Passport"], ["Mousetrap", "Swimsuit"])
    without = Table(["Camera", "Passport"], ["Sunscreen", "Swimsuit"], special_items=True)
    for table in (holding, without):
        table.plays(0, "steal: 1", "discard: Camera")
        assert table.waiting() == [1]
        assert table.view(2)["reaction"] == {"asked": 1, "to": "steal", "seat": 0, "card": "Mousetrap"}


@rule("IF-67")
def test_nobody_is_asked_for_a_card_that_is_face_up_elsewhere() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit"], discards=["Mousetrap"])
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.waiting() == [1]
    assert table.view(1)["step"] == "act", "it lies on the discard pile, so the theft went through at once"


@rule("IF-67")
def test_nobody_is_asked_for_a_card_known_to_be_in_another_hand() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit", "Sunscreen"], ["Mousetrap"])
    table.state.show_hand(2)
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.view(1)["step"] == "act"


@rule("IF-67")
def test_a_player_whose_whole_hand_was_shown_is_not_asked_for_other_cards() -> None:
    table = Table(["Camera", "Passport"], ["Swimsuit", "Sunscreen"], special_items=True)
    table.state.show_hand(1)
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.view(1)["step"] == "act"


def on_the_first_turns(version: int, *before: str) -> Table:
    """A classic game just dealt in which seats 0 and 1 can act before seat 0 steals from seat 1."""
    table = Table(["Camera", "Passport"], ["Swimsuit", "Passport"], seats=2, version=version, special_items=True)
    state = table.state
    for at in (1, 2, 4, 5):
        state.known[at], state.unknown[at] = pack(["Passport"]), CARD
    for seat, do in enumerate(before):
        table.play(seat, do)
    table.play(0, "steal", from_=1)
    table.play(0, "discard", card="Camera")
    return table


@rule("IF-13", "IF-67")
def test_a_starting_hand_is_not_asked_for_a_mousetrap_that_it_cannot_hold() -> None:
    assert on_the_first_turns(2).view(1)["step"] == "act", "no starting hand holds a special item"
    assert on_the_first_turns(2, "draw", "draw").view(1)["step"] == "react", "it may have been drawn"


@rule("IF-105")
def test_under_version_1_a_starting_hand_is_asked() -> None:
    assert on_the_first_turns(1).view(1)["step"] == "react"


@rule("IF-67")
def test_nobody_is_asked_for_a_card_that_must_still_be_in_the_pile() -> None:
    table = Table(
        ["Camera"], ["Swimsuit"], ["Bug Spray", "Passport"], pile=["Sunscreen"], discards=["Mousetrap", "Phrasebook"]
    )
    table.play(0, "draw")
    table.plays(1, "steal: 2", "discard: Swimsuit")
    assert table.waiting() == [2]
    assert table.view(2)["step"] == "act", "it was just shuffled in, and nobody has drawn since"
    table.play(2, "draw")
    table.plays(0, "steal: 2", "discard: Camera")
    assert table.view(2)["step"] == "react"


@rule("IF-67")
def test_the_others_are_asked_clockwise() -> None:
    table = Table(["Passport"], ["Passport"], ["Passport", *JAPAN], special_items=True, own=["Egypt", "Kenya", "Japan"])
    table.play(0, "draw")
    table.play(1, "draw")
    table.play(2, "travel")
    assert table.waiting() == [0]
    table.play(0, "allow")
    assert table.waiting() == [1]
    table.play(1, "allow")
    assert table.waiting() == [0]


@rule("IF-68")
def test_you_can_decline_reactions_in_advance() -> None:
    table = Table(["Camera", "Passport"], ["Mousetrap", "Swimsuit"])
    table.play(1, "quiet")
    assert table.view(0)["players"][1]["quiet"], "it is said openly"
    assert table.refused(1, "ask-me").rule == "IF-68", "once a turn"
    table.plays(0, "steal: 1", "discard: Camera")
    assert table.view(1)["step"] == "act", "the holder of the Mousetrap was not asked"
    table.play(1, "ask-me")
    assert table.refused(1, "quiet").rule == "IF-68"
    assert not table.view(0)["players"][1]["quiet"]


@rule("IF-68", "IF-61")
def test_declining_reactions_twice_or_without_special_items_is_refused() -> None:
    table = Table(special_items=True)
    assert table.refused(1, "ask-me").rule == "IF-68"
    table.play(1, "quiet")
    table.play(0, "draw")
    assert table.refused(1, "quiet").rule == "IF-68"
    assert Table().refused(1, "quiet").rule == "IF-61"


@rule("IF-69")
def test_moms_credit_card_stands_in_for_one_item() -> None:
    table = Table(["Passport", "Mom's Credit Card", "Camera", "Rain Jacket"], seats=2)
    table.play(1, "quiet")
    assert table.choices(0, "travel-on-credit") == ["Power Adapter"]
    assert table.refused(0, "travel-on-credit", item="Camera").rule == "IF-69"
    assert table.refused(0, "travel-on-credit", item="Swimsuit").rule == "IF-69"
    table.play(0, "travel-on-credit", item="Power Adapter")
    assert table.discards() == ["Rain Jacket", "Camera", "Mom's Credit Card"]
    assert table.view(0)["players"][0]["visited"]


@rule("IF-69")
def test_moms_credit_card_can_replace_an_item_you_hold() -> None:
    table = Table(["Passport", "Mom's Credit Card", *JAPAN], seats=2)
    table.play(1, "quiet")
    assert table.choices(0, "travel-on-credit") == ["Rain Jacket", "Power Adapter", "Camera"]
    table.play(0, "travel-on-credit", item="Camera")
    assert "Camera" in table.hand(0)


@rule("IF-69")
def test_moms_credit_card_replaces_no_passport_and_no_postcard() -> None:
    table = Table(["Mom's Credit Card", *JAPAN])
    assert table.refused(0, "travel-on-credit", item="Camera").rule == "IF-44"
    table = Table(["Mom's Credit Card", "Postcard", "Postcard", "Postcard"])
    table.play(0, "draw")
    assert not table.over
    assert Table(["Passport", *JAPAN]).refused(0, "travel-on-credit", item="Camera").rule == "IF-69"


@rule("IF-70", "IF-71")
def test_the_local_guide_shows_the_top_of_the_draw_pile() -> None:
    table = Table(
        ["Passport", "Local Guide"],
        draw=["Camera", "Civil Unrest", "Swimsuit", "Camera", "Sunscreen"],
        discards=["Bug Spray"],
    )
    table.play(0, "play", card="Local Guide")
    assert table.view(0)["looking"] == ["Camera", "Civil Unrest", "Swimsuit", "Camera"]
    assert table.view(1)["looking"] == []
    assert table.choices(0, "take") == ["Camera", "Swimsuit"], "no event, and nothing from the discard pile"
    assert table.refused(0, "take", card="Bug Spray").rule == "IF-71"
    assert table.refused(0, "stop").rule == "IF-71"
    table.play(0, "take", card="Swimsuit")
    assert table.hand(0) == ["Swimsuit", "Passport"]
    assert table.refused(0, "draw").rule == "IF-71"


@rule("IF-71", "IF-72")
def test_the_guides_cards_go_back_in_any_order_and_stay_known() -> None:
    table = Table(["Passport", "Local Guide"], draw=["Camera", "Civil Unrest", "Swimsuit", "Sunscreen"])
    table.plays(0, "play: Local Guide", "take: Swimsuit")
    assert table.refused(0, "return", card="Bug Spray").rule == "IF-71"
    table.plays(0, "return: Sunscreen", "return: Civil Unrest")
    assert table.waiting() == [1]
    assert table.view(0)["top"] == [
        {"above": 0, "card": "Camera"},
        {"above": 1, "card": "Civil Unrest"},
        {"above": 2, "card": "Sunscreen"},
    ]
    assert table.view(1)["top"] == []
    table.play(1, "draw")
    assert table.hand(1) == ["Camera", "Passport"]
    assert table.known(0, 1) == ["Camera"], "the one who put it there knows where it went"
    assert table.known(2, 1) == []


@rule("IF-71")
def test_if_the_guide_shows_only_events_nothing_is_taken() -> None:
    table = Table(["Passport", "Local Guide"], pile=["Civil Unrest", "Night Market"])
    table.play(0, "play", card="Local Guide")
    assert table.verbs(0) == {"stop", "quiet"}
    table.play(0, "stop")
    table.play(0, "return", card="Night Market")
    assert table.hand(0) == ["Passport"]
    assert table.waiting() == [1]


@rule("IF-70", "IF-73")
def test_the_trading_post_gives_one_card_more_than_it_takes() -> None:
    table = Table(
        ["Passport", "Trading Post", "Camera", "Swimsuit"], draw=["Bug Spray", "Sunscreen", "Local Cash", "Phrasebook"]
    )
    table.play(0, "play", card="Trading Post")
    assert table.refused(0, "stop").rule == "IF-73"
    table.plays(0, "discard: Camera", "discard: Swimsuit", "stop")
    assert sorted(table.hand(0)) == ["Bug Spray", "Local Cash", "Passport", "Sunscreen"]
    assert table.waiting() == [1]


@rule("IF-73")
def test_the_trading_post_takes_at_most_three_cards() -> None:
    table = Table(["Trading Post", "Camera", "Camera", "Swimsuit", "Swimsuit"], special_items=True)
    table.plays(0, "play: Trading Post", "discard: Camera", "discard: Camera", "discard: Swimsuit")
    assert len(table.hand(0)) == 5, "one kept and four drawn"
    assert table.waiting() == [1]


@rule("IF-73")
def test_the_trading_post_draws_at_once_when_nothing_is_left_to_discard() -> None:
    table = Table(["Trading Post", "Camera"])
    table.plays(0, "play: Trading Post", "discard: Camera")
    assert len(table.hand(0)) == 2
    assert Table(["Trading Post"]).refused(0, "play", card="Trading Post").rule == "IF-73"


@rule("IF-73", "IF-53")
def test_an_event_stops_the_trading_post() -> None:
    table = Table(["Trading Post", "Camera"], draw=["Civil Unrest", "Swimsuit"])
    table.plays(0, "play: Trading Post", "discard: Camera")
    assert table.hand(0) == []
    assert table.waiting() == [1]


@rule("IF-74", "IF-75", "IF-57")
def test_the_poorly_drawn_map_replaces_a_players_country() -> None:
    table = Table(["Poorly Drawn Map"], visited=[1])
    top = COUNTRY_NAMES[table.state.unused[0]]
    table.play(0, "play", card="Poorly Drawn Map")
    assert table.choices(0, "redraw") == [0, 2], (
        "the player's own country, too, but none already visited, and never the centre"
    )
    assert table.refused(0, "redraw", seat_=1).rule == "IF-75"
    assert table.refused(0, "redraw", seat_=4).rule == "IF-75"
    assert table.refused(0, "draw").rule == "IF-75"
    table.play(0, "redraw", seat_=2)
    view = table.view(None)
    assert view["players"][2]["country"] == top
    assert view["centre"] == "Germany"
    assert view["unused"]["bottom"] == ["Kenya"]
    assert table.waiting() == [1]


@rule("IF-75")
def test_the_map_cannot_be_played_when_everyone_has_been_home() -> None:
    table = Table(["Poorly Drawn Map"], visited=[0, 1, 2])
    assert table.refused(0, "play", card="Poorly Drawn Map").rule == "IF-75"


@rule("IF-57")
def test_countries_return_from_under_the_pile_in_the_same_order() -> None:
    table = Table(["Poorly Drawn Map"])
    state = table.state
    spare = int(state.spare)
    for _ in range(spare):
        state.country[0] = state.next_country(state.country[0])
    assert COUNTRY_NAMES[state.country[0]] != "Japan"
    state.country[0] = state.next_country(state.country[0])
    assert COUNTRY_NAMES[state.country[0]] == "Japan", "after all the others it is on top again"
    assert table.view(1)["unused"]["count"] == len(table.view(1)["unused"]["bottom"]) == spare


@rule("IF-76")
def test_the_red_eye_flight_gives_two_actions() -> None:
    table = Table(["Passport", "Red-Eye Flight"], draw=["Camera", "Swimsuit"])
    table.play(0, "play", card="Red-Eye Flight")
    assert table.waiting() == [0]
    table.play(0, "draw")
    assert table.waiting() == [0]
    table.play(0, "draw")
    assert table.hand(0) == ["Camera", "Swimsuit", "Passport"]
    assert table.waiting() == [1]


@rule("IF-76")
def test_the_red_eye_flight_is_played_before_the_first_action_and_once_per_turn() -> None:
    table = Table(["Passport", "Red-Eye Flight", "Lost and Found"])
    table.play(0, "play", card="Red-Eye Flight")
    table.plays(0, "play: Lost and Found", "take: Red-Eye Flight")
    assert table.waiting() == [0]
    assert table.refused(0, "play", card="Red-Eye Flight").rule == "IF-76"


@rule("IF-77")
def test_the_customs_bribe_is_free() -> None:
    table = Table(["Passport", "Customs Bribe", "Forbidden Item", "Forbidden Item"])
    table.play(0, "play", card="Customs Bribe")
    assert table.hand(0) == ["Passport", "Forbidden Item"]
    assert table.waiting() == [0]
    table.play(0, "draw")
    assert Table(["Customs Bribe"]).refused(0, "play", card="Customs Bribe").rule == "IF-77"


@rule("IF-78")
def test_lost_and_found_takes_any_card_but_an_event_or_itself() -> None:
    table = Table(["Lost and Found"], discards=["Camera", "Postcard", "Night Market"])
    table.play(0, "play", card="Lost and Found")
    assert table.choices(0, "take") == ["Camera", "Postcard"]
    assert table.refused(0, "take", card="Lost and Found").rule == "IF-78"
    table.play(0, "take", card="Postcard")
    assert table.hand(0) == ["Postcard"]
    assert table.waiting() == [1]
    assert Table(["Lost and Found"]).refused(0, "play", card="Lost and Found").rule == "IF-78"


@rule("IF-61")
def test_there_is_one_of_each_special_item() -> None:
    table = Table(["Mousetrap", "Customs Bribe"])
    assert len({card for card in listed(table.state.in_play) if listed(table.state.in_play).count(card) == 1}) == 9
