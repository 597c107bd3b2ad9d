"""Claiming routes: what they cost, what they score, and when they are closed."""

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.games.ticket_to_ride_italy import GAME
from grandtour.games.ticket_to_ride_italy.parts import COLOURED, COLOURS, POINTS, ROUTES
from grandtour.games.ticket_to_ride_italy.rules import MOVES
from tests.games.ticket_to_ride_italy.positions import Table
from tests.rules import rule

ROMA_NAPOLI = {"yellow": "R085", "white": "R086", "red": "R087"}


@rule("TR-37")
def test_a_route_costs_as_many_cards_of_its_colour_as_it_has_spaces() -> None:
    table = Table(hands={0: "5 white, 2 blue"})
    (claimed, *_) = table.play(0, "claim", route="R086", locomotives=0)
    assert claimed["pay"] == {"white": 4}
    assert table.hand(0) == {"white": 1, "blue": 2}
    view = table.view(1)
    assert view["owners"] == {"R086": 0}
    assert view["discards"] == {"white": 4}
    assert (view["players"][0]["trains"], view["players"][0]["score"]) == (41, 7)
    assert table.waiting() == [1]


@rule("TR-37")
def test_locomotives_can_replace_any_or_all_of_the_cards() -> None:
    table = Table(hands={0: "3 white, 4 locomotive"})
    for locomotives, rule_ in [(0, "TR-37"), (1, None), (2, None), (3, None), (4, None), (5, "TR-37")]:
        assert table.refusal(0, "claim", route="R086", locomotives=locomotives) == rule_
    table.play(0, "claim", route="R086", locomotives=2)
    assert table.hand(0) == {"white": 1, "locomotive": 2}


@rule("TR-37")
def test_another_colour_does_not_pay() -> None:
    table = Table(hands={0: "5 green"})
    assert table.refusal(0, "claim", route="R086", locomotives=0) == "TR-37"


@rule("TR-38")
def test_a_route_can_be_anywhere_but_must_be_free() -> None:
    table = Table(hands={0: "8 white, 3 red"}, routes={1: "R115", 0: "R007"})
    assert table.may(0, "claim", route="R026", locomotives=0)
    assert table.refusal(0, "claim", route="R115", locomotives=0) == "TR-38"
    assert table.refusal(0, "claim", route="R007", locomotives=0) == "TR-38"


@rule("TR-38")
def test_a_player_claims_only_one_route_per_turn() -> None:
    table = Table(hands={0: "8 white"})
    table.play(0, "claim", route="R026", locomotives=0)
    assert table.refusal(0, "claim", route="R115", locomotives=0) == "TR-3"


@rule("TR-39")
def test_every_space_takes_a_train() -> None:
    table = Table(hands={0: "5 white"}, trains={0: 4})
    assert table.refusal(0, "claim", route="R097", locomotives=0) == "TR-39"
    assert table.may(0, "claim", route="R086", locomotives=0)
    ferry = Table(hands={0: "4 white"}, ferries={0: 1}, trains={0: 3})
    assert ferry.refusal(0, "sail", route="R068", pay={"white": 2, "ferry": 1}) == "TR-39"


@rule("TR-40", "TR-41")
@pytest.mark.parametrize(("length", "points"), POINTS.items())
def test_points_are_scored_at_once(length: int, points: int) -> None:
    track = next(route for route in ROUTES if route.length == length)
    table = Table(hands={0: f"12 {COLOURS[track.colour % 8]}, 9 locomotive"})
    move = next(move for move in table.state.legal(0) if GAME.moves.name(move).get("route") == track.name)
    table.state.play(0, move)
    assert table.view(1)["players"][0]["score"] == points
    assert table.view(1)["players"][0]["trains"] == 45 - length


@rule("TR-42")
def test_a_wave_takes_a_locomotive_or_a_ferry_card() -> None:
    table = Table(hands={0: "3 green"})
    assert table.fares(0, "R006") == []
    assert table.refusal(0, "sail", route="R006", pay={"green": 2, "locomotive": 1}) == "TR-37"
    assert table.refusal(0, "sail", route="R006", pay={"green": 2, "ferry": 1}) == "TR-42"
    assert Table(hands={0: "3 green, locomotive"}).fares(0, "R006") == [{"green": 2, "locomotive": 1}]
    assert Table(hands={0: "3 green"}, ferries={0: 1}).fares(0, "R006") == [{"green": 2, "ferry": 1}]


@rule("TR-42")
def test_spaces_without_a_wave_take_any_one_colour_and_locomotives() -> None:
    table = Table(hands={0: "2 green, 2 red, blue, locomotive"}, ferries={0: 1})
    assert table.fares(0, "R006") == [
        {"blue": 1, "locomotive": 1, "ferry": 1},
        {"green": 1, "locomotive": 1, "ferry": 1},
        {"red": 1, "locomotive": 1, "ferry": 1},
        {"green": 2, "ferry": 1},
        {"red": 2, "ferry": 1},
        {"green": 2, "locomotive": 1},
        {"red": 2, "locomotive": 1},
    ]
    with pytest.raises(Refusal) as refused:
        MOVES.move("sail", route="R006", pay={"green": 1, "red": 1, "ferry": 1})
    assert refused.value.rule == "TR-42"


@rule("TR-43")
def test_a_ferry_card_pays_for_two_waves_and_a_locomotive_for_one() -> None:
    table = Table(hands={0: "3 green, 3 locomotive"}, ferries={0: 1})
    assert table.refusal(0, "sail", route="R036", pay={"green": 3, "locomotive": 2, "ferry": 1}) is None
    assert table.refusal(0, "sail", route="R036", pay={"green": 3, "locomotive": 1, "ferry": 1}) == "TR-43"
    two = Table(hands={0: "3 green"}, ferries={0: 2})
    assert two.fares(0, "R036") == [{"green": 3, "ferry": 2}]
    two.play(0, "sail", route="R036", pay={"green": 3, "ferry": 2})
    assert two.hand(0) == {}
    assert two.state.score[0] == 18


@rule("TR-44")
def test_a_ferry_card_does_not_pay_on_land() -> None:
    table = Table(hands={0: "3 white"}, ferries={0: 2})
    assert table.refusal(0, "claim", route="R086", locomotives=0) == "TR-37"
    assert table.refusal(0, "sail", route="R077", pay={"white": 2, "ferry": 2}) == "TR-44"


@rule("TR-45")
def test_a_ferry_card_can_pay_for_one_wave_but_not_for_none() -> None:
    table = Table(hands={0: "2 green, 4 locomotive"}, ferries={0: 2})
    assert table.refusal(0, "sail", route="R068", pay={"green": 2, "locomotive": 1, "ferry": 1}) is None
    assert table.refusal(0, "sail", route="R068", pay={"green": 2, "ferry": 2}) is None
    assert table.refusal(0, "sail", route="R068", pay={"green": 2, "locomotive": 1, "ferry": 2}) == "TR-45"
    assert table.refusal(0, "sail", route="R006", pay={"green": 2, "ferry": 2}) == "TR-45"


@rule("TR-46")
def test_example_ways_to_pay_for_roma_olbia() -> None:
    table = Table(hands={0: "3 green, 4 locomotive"}, ferries={0: 1})
    paid = table.fares(0, "R068")
    assert {"green": 2, "ferry": 1} in paid
    assert {"green": 2, "locomotive": 1, "ferry": 1} in paid
    assert {"green": 1, "locomotive": 1, "ferry": 1} in paid
    assert {"locomotive": 4} in paid
    assert table.refusal(0, "sail", route="R064", pay={"green": 2, "ferry": 1}) == "TR-43"
    with pytest.raises(Refusal) as refused:
        MOVES.move("sail", route="R068", pay={"green": 3, "locomotive": 1})
    assert refused.value.rule == "TR-42"


@rule("TR-42")
def test_a_fare_for_a_longer_ferry_is_refused_on_a_shorter_one() -> None:
    table = Table(hands={0: "3 green, 4 locomotive"}, ferries={0: 2})
    assert table.refusal(0, "sail", route="R068", pay={"green": 3, "locomotive": 2, "ferry": 1}) == "TR-42"
    assert table.refusal(0, "sail", route="R006", pay={"locomotive": 4}) == "TR-37"


@rule("TR-42")
def test_an_impossible_fare_is_refused_with_a_reason() -> None:
    strange: tuple[object, ...] = (
        None,
        [],
        "two green",
        {"pink": 2},
        {"green": 0},
        {"green": True},
        {"green": "2"},
        {},
    )
    for pay in strange:
        with pytest.raises(Refusal):
            MOVES.move("sail", route="R006", pay=pay)


@rule("TR-47")
@pytest.mark.parametrize("seats", [4, 5])
def test_four_or_five_players_share_a_triple_route_one_track_each(seats: int) -> None:
    table = Table(seats, hands={0: "8 white, 4 red", 1: "4 white, 4 red", 2: "4 yellow"})
    table.play(0, "claim", route=ROMA_NAPOLI["white"], locomotives=0)
    assert table.refusal(1, "claim", route=ROMA_NAPOLI["white"], locomotives=0) == "TR-38"
    table.play(1, "claim", route=ROMA_NAPOLI["red"], locomotives=0)
    table.play(2, "claim", route=ROMA_NAPOLI["yellow"], locomotives=0)
    assert table.view(None)["closed"] == []
    mine = Table(seats, hands={0: "4 red"}, routes={0: ROMA_NAPOLI["white"]})
    assert mine.refusal(0, "claim", route=ROMA_NAPOLI["red"], locomotives=0) == "TR-47"
    assert sorted(mine.view(None)["players"][0]["barred"]) == ["R085", "R087"]
    assert mine.view(None)["players"][1]["barred"] == []


@rule("TR-48")
@pytest.mark.parametrize("seats", [2, 3])
def test_with_two_or_three_players_one_track_closes_the_others(seats: int) -> None:
    for owner in (0, 1):
        table = Table(seats, hands={0: "4 red"}, routes={owner: ROMA_NAPOLI["white"]})
        assert table.refusal(0, "claim", route=ROMA_NAPOLI["red"], locomotives=0) == "TR-48"
        assert set(table.view(None)["closed"]) == {ROMA_NAPOLI["red"], ROMA_NAPOLI["yellow"]}


@rule("TR-9", "TR-48")
def test_the_ferry_to_trieste_is_closed_with_the_orange_track() -> None:
    table = Table(hands={0: "2 green, locomotive"}, routes={1: "R045"})
    assert table.refusal(0, "sail", route="R046", pay={"green": 2, "locomotive": 1}) == "TR-48"
    five = Table(5, hands={0: "2 green, locomotive"}, routes={1: "R045"})
    assert five.refusal(0, "sail", route="R046", pay={"green": 2, "locomotive": 1}) is None


@rule("TR-7", "TR-37")
def test_with_every_card_in_hand_every_route_can_be_claimed() -> None:
    table = Table(hands={0: ", ".join(f"7 {colour}" for colour in COLOURS) + ", 7 locomotive"}, ferries={0: 2})
    claimable = {GAME.moves.name(move).get("route") for move in table.state.legal(0)} - {None}
    assert claimable == {route.name for route in ROUTES}
    assert len(ROUTES) - COLOURED == 21
