"""The set-up of Itchy Feet."""

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.games.itchy_feet import GAME
from grandtour.games.itchy_feet.mechanics.packs import listed
from grandtour.games.itchy_feet.parts import EVENTS, ITEMS, distance
from tests.games.itchy_feet.positions import ALL, Table, fresh
from tests.rules import rule

EVERYTHING = {**ALL, "characters": True}


@rule("IF-1", "IF-3")
@pytest.mark.parametrize("seats", range(2, 7))
def test_two_to_six_play_clockwise(seats: int) -> None:
    table = Table(seats=seats)
    for seat in range(seats):
        assert table.waiting() == [seat]
        table.play(seat, "draw")
    assert table.waiting() == [0]


@rule("IF-1")
def test_one_or_seven_players_are_refused() -> None:
    for seats in (1, 7):
        with pytest.raises(Refusal):
            Match(GAME, seats)


@rule("IF-3")
def test_a_bot_can_play_for_a_player_who_is_away() -> None:
    table = Table()
    move = GAME.choose(table.state.imagine(0, QuickDice(1)), 0, QuickDice(1))
    table.play(0, **GAME.moves.name(move))


@rule("IF-10", "IF-12", "IF-13")
@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_starts_with_a_passport_and_three_items(seats: int) -> None:
    for seed in range(8):
        state = fresh(seats, seed, **EVERYTHING)
        for seat in range(seats):
            hand = listed(state.hand[seat])
            assert hand.count("Passport") == 1
            assert sum(card in ITEMS for card in hand) == 3
            assert len(hand) == 4
        assert state.left == 52 - 3 * seats


@rule("IF-10")
def test_the_other_passports_are_put_away() -> None:
    assert listed(fresh(3).in_play).count("Passport") == 3


@rule("IF-11")
def test_everybody_has_a_country_and_one_lies_in_the_centre() -> None:
    state = fresh(4)
    laid = [*state.country, state.centre]
    assert len(set(laid)) == 5
    assert sorted([*laid, *state.unused]) == list(range(13))
    assert state.unseen == 8, "nobody has seen the countries put away"
    view = GAME.view(state, None)
    assert view["centre"]
    assert all(player["country"] for player in view["players"])


@rule("IF-13", "IF-51")
@pytest.mark.parametrize(
    ("extension", "cards"),
    [("events", 4), ("special_items", 8), ("forbidden_items", 3), ("postcards", 6)],
)
def test_each_extension_goes_into_the_draw_pile_alone(extension: str, cards: int) -> None:
    plain = fresh(3)
    assert plain.left == 30 - 9, "without extensions there are only items"
    state = fresh(3, **{extension: True})
    assert state.left == plain.left + cards
    assert [key for key, on in GAME.view(state, 0)["extensions"].items() if on] == [extension]


@rule("IF-14", "IF-15")
def test_the_player_closest_to_the_centre_starts() -> None:
    for seed in range(30):
        state = fresh(5, seed)
        away = [distance(state.centre, country) for country in state.country]
        assert state.turn == state.starter == away.index(min(away))


@rule("IF-15")
def test_the_host_can_choose_who_starts() -> None:
    assert fresh(4, start="3").turn == 2
    with pytest.raises(Refusal, match="there are 2 players"):
        fresh(2, start="3")


@rule("IF-87", "IF-51")
def test_everybody_gets_a_different_character_face_up() -> None:
    state = fresh(6, **EVERYTHING)
    assert len({player["character"] for player in GAME.view(state, None)["players"]}) == 6
    assert {player["character"] for player in GAME.view(fresh(6), None)["players"]} == {None}


@rule("IF-95")
def test_without_forbidden_items_there_is_no_smuggler() -> None:
    for seed in range(40):
        players = GAME.view(fresh(5, seed, characters=True), None)["players"]
        assert "The Smuggler" not in [player["character"] for player in players]
    with pytest.raises(Refusal, match="need forbidden items") as refusal:
        fresh(6, characters=True)
    assert refusal.value.rule == "IF-95"
    fresh(6, characters=True, forbidden_items=True)


@rule("IF-77")
def test_without_forbidden_items_there_is_no_customs_bribe() -> None:
    assert "Customs Bribe" not in listed(fresh(3, special_items=True).in_play)
    assert "Customs Bribe" in listed(fresh(3, special_items=True, forbidden_items=True).in_play)


@rule("IF-96")
def test_bucket_list_has_one_pile_of_countries_and_leaves_some_cards_out() -> None:
    state = fresh(3, variant="bucket-list", **ALL)
    assert sorted([state.centre, *state.unused]) == list(range(13))
    cards = listed(state.in_play)
    assert "Poorly Drawn Map" not in cards
    assert "Civil Unrest" not in cards
    with pytest.raises(Refusal, match="without characters") as refusal:
        fresh(3, variant="bucket-list", characters=True)
    assert refusal.value.rule == "IF-96"


@rule("IF-97")
def test_bucket_list_hands_can_hold_anything_but_events() -> None:
    seen = set()
    for seed in range(60):
        state = fresh(6, seed, variant="bucket-list", **ALL)
        for seat in range(6):
            hand = listed(state.hand[seat])
            assert len(hand) == 4
            assert not set(hand) & set(EVENTS)
            seen |= set(hand)
    assert {"Postcard", "Forbidden Item", "Mousetrap"} <= seen


@rule("IF-98")
def test_in_bucket_list_the_passports_decide_who_starts() -> None:
    for seed in range(30):
        state = fresh(4, seed, variant="bucket-list")
        away = [distance(state.centre, country) for country in state.passport]
        assert state.turn == away.index(min(away))
        assert len(set(state.passport)) == 4


@rule("IF-104")
def test_in_bucket_list_the_other_passports_are_put_away_too() -> None:
    assert listed(fresh(3, variant="bucket-list").in_play).count("Passport") == 3
