"""What the bot does in simple situations, and how it evaluates moves and positions for a search."""

from typing import Any

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.games.itchy_feet import GAME, bot
from grandtour.games.itchy_feet.strategy.evaluation import evaluate
from tests.games.itchy_feet.positions import ALL, GERMANY, JAPAN, Table, fresh
from tests.games.itchy_feet.test_knowledge import lively_game


def chosen(table: Table, seat: int = 0) -> dict[str, Any]:
    return GAME.moves.name(GAME.choose(table.state, seat, QuickDice(1)))


def plays_on(table: Table, seat: int, moves: int) -> None:
    for _ in range(moves):
        table.play(seat, **chosen(table, seat))


def test_it_travels_when_it_can() -> None:
    assert chosen(Table(["Passport", "Swimsuit", *JAPAN]))["do"] == "travel"


def test_it_plays_a_red_eye_flight_before_it_travels_home_but_not_before_it_wins() -> None:
    flight = {"do": "play", "card": "Red-Eye Flight"}
    assert chosen(Table(["Passport", "Red-Eye Flight", *JAPAN])) == flight
    assert chosen(Table(["Passport", "Red-Eye Flight", *GERMANY], visited=[0]))["do"] == "travel"


def test_it_discards_what_it_needs_least() -> None:
    table = Table(["Passport", "Swimsuit", "Rain Jacket", "Camera"])
    table.play(0, "steal", from_=1)
    assert chosen(table) == {"do": "discard", "card": "Swimsuit"}


def test_it_stops_a_travel_that_wins() -> None:
    table = Table(["Passport", *GERMANY], ["Passport Control"], visited=[0], seats=2)
    table.play(0, "travel")
    assert chosen(table, 1) == {"do": "play", "card": "Passport Control"}


def test_without_a_passport_it_asks_for_one_that_it_knows_of() -> None:
    theirs = ["Passport", "Passport", "Rain Jacket", "Stomach Pills", "Swimsuit", "Camera"]
    table = Table(["Phrasebook", "Bug Spray", "Camera", "Power Adapter"], theirs)
    table.state.show_hand(1)
    assert chosen(table) == {"do": "trade", "with": 1}
    plays_on(table, 0, 2)
    assert chosen(table)["do"] == "give", "the passport is asked for first"
    trade = table.view(0)["trade"]
    assert trade["wants"] == ["Passport"]


def test_it_makes_no_offer_that_only_harms_it() -> None:
    table = Table(["Passport", "Forbidden Item", "Swimsuit"], ["Passport", "Mom's Credit Card"], seats=2)
    table.state.show_hand(1)
    assert chosen(table)["do"] != "trade", "nobody takes a forbidden item for a good card"


def test_it_gets_rid_of_a_forbidden_item_when_nothing_else_keeps_it_from_travelling() -> None:
    assert chosen(Table(["Passport", "Forbidden Item", "Swimsuit", *JAPAN]))["do"] == "get-rid"


def test_it_keeps_postcards_and_takes_the_fourth_from_the_discards() -> None:
    three = ["Passport", "Postcard", "Postcard", "Postcard", "Swimsuit", "Bug Spray"]
    table = Table(three, discards=["Postcard", "Camera"])
    assert chosen(table)["do"] == "recycle"
    plays_on(table, 0, 4)
    assert table.view(0)["ended"] == "postcards"


def test_two_bots_finish_before_the_turn_limit() -> None:
    for seed in range(4):
        state = fresh(2, seed, characters=True, **ALL)
        while state.waiting():
            seat = state.waiting()[0]
            state.play(seat, GAME.choose(state, seat, QuickDice(seed)))
        assert GAME.view(state, None)["ended"] != "limit", f"deal {seed}: they never stop stealing from each other"


def test_it_takes_a_good_offer_and_declines_one_that_lets_a_rival_win() -> None:
    good = Table(["Camera", "Passport"], ["Swimsuit", "Swimsuit", "Passport"], own=["Brazil", "Egypt", "India"])
    good.plays(0, "trade: 1", "give: Camera", "want: Swimsuit", "propose")
    assert chosen(good, 1)["do"] == "accept"

    bad = Table(["Swimsuit", "Passport", *GERMANY[:2]], ["Local Cash", "Passport"], visited=[0], seats=2)
    bad.state.show_hand(0)
    bad.plays(0, "trade: 1", "give: Swimsuit", "want: Local Cash", "propose")
    assert chosen(bad, 1)["do"] != "accept"


def test_in_bucket_list_it_does_not_end_a_game_that_it_would_lose() -> None:
    owners = {"Italy": 1, "France": 1, "Brazil": 1, "Egypt": 0}
    table = Table(["Passport", "Camera"], centre="Japan", owners=owners, seats=2, variant="bucket-list")
    assert chosen(table)["do"] == "travel-with"
    table.state.spare = table.state.unseen = 0
    assert chosen(table)["do"] != "travel-with"


@pytest.mark.parametrize("options", [{**ALL, "characters": True}, {**ALL, "variant": "bucket-list"}])
def test_the_chances_to_win_add_up_and_the_bots_choice_is_ranked_highest(options: dict[str, Any]) -> None:
    for seats in (2, 5):
        for state in lively_game(seats, seats, **options):
            chances = evaluate(state)
            assert len(chances) == seats
            assert abs(sum(chances) - 1) < 1e-9
            for seat in state.waiting():
                moves = state.legal(seat)
                ranks = bot.rank(state, seat, moves)
                best = moves[ranks.index(max(ranks))]
                assert best == bot.choose(state, seat, QuickDice(1)), "the search would try another move first"
                assert bot.quick(state, seat, QuickDice(1)) in moves


def test_a_player_about_to_win_is_rated_likely_to_win() -> None:
    table = Table(["Passport", *GERMANY], ["Passport"], visited=[0], seats=2)
    assert evaluate(table.state)[0] > 0.8
