"""How hard compares moves and offers, and what everybody remembers of declined offers."""

from typing import Any

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.games.itchy_feet import GAME, search
from grandtour.games.itchy_feet.parts import KIND, N_ITEMS
from grandtour.games.itchy_feet.strategy.outlook import outlook
from grandtour.players.hard import Hard
from tests.games.itchy_feet.positions import GERMANY, Table, fresh

SPARE = ["Swimsuit", "Swimsuit", "Phrasebook"]


def chosen(table: Table, seat: int = 0, iterations: int = 60) -> dict[str, Any]:
    return GAME.moves.name(Hard(str(iterations)).choose(GAME, table.state, seat, QuickDice(1)))


def test_it_buys_the_card_it_misses_for_cards_of_no_use() -> None:
    table = Table(["Passport", "Rain Jacket", "Power Adapter", *SPARE], ["Passport", "Camera", "Camera"])
    table.state.show_hand(1)
    assert chosen(table) == {"do": "trade", "with": 1}
    given = []
    while table.waiting() == [0]:
        move = chosen(table)
        if move["do"] == "give":
            given.append(move["card"])
        if move["do"] == "want":
            assert move["card"] == "Camera"
        table.play(0, **move)
    assert given, "an offer has two sides"
    assert set(given) <= set(SPARE), "it gives away what it needs"
    table.play(1, **GAME.moves.name(GAME.choose(table.state, 1, QuickDice(1))))
    assert "Camera" in table.hand(0), "the partner was expected to accept"


def test_it_does_not_ask_again_for_what_was_just_declined() -> None:
    table = Table(["Passport", "Rain Jacket", "Power Adapter", *SPARE], ["Passport", "Camera", "Camera"])
    table.state.show_hand(1)
    table.plays(0, "trade: 1", "give: Swimsuit", "want: Camera", "propose")
    table.play(1, "decline")
    assert table.state.refused == 1 << N_ITEMS + KIND["Camera"]
    assert chosen(table) != {"do": "trade", "with": 1}


def test_a_declined_request_is_remembered_until_the_hand_has_changed_twice_unseen() -> None:
    table = Table(["Passport", "Swimsuit"], ["Passport", "Camera"], draw=["Bug Spray"] * 2 + ["Local Cash"] * 2)
    table.plays(0, "trade: 1", "give: Swimsuit", "want: Camera", "propose")
    table.play(1, "decline")
    assert table.state.refused, "everybody heard it"
    for left in (True, False):
        table.play(0, "draw")
        table.play(1, "draw")
        assert not table.state.refused
        assert bool(table.state.refused_before) == left
        table.play(2, "draw")


def test_a_declined_request_is_forgotten_when_the_card_is_seen() -> None:
    table = Table(["Passport", "Swimsuit"], ["Passport", "Camera"])
    table.plays(0, "trade: 1", "give: Swimsuit", "want: Camera", "propose")
    table.play(1, "decline")
    table.play(0, "draw")
    table.plays(1, "steal: 0", "discard: Camera")
    assert not table.state.refused | table.state.refused_before


def test_an_offer_of_one_side_only_says_nothing_about_the_hand() -> None:
    table = Table(["Passport", "Swimsuit"], ["Passport", "Camera"])
    table.plays(0, "trade: 1", "want: Camera", "propose")
    table.play(1, "decline")
    assert not table.state.refused


@pytest.mark.parametrize("trials", [10, 60])
def test_the_search_keeps_to_its_budget(trials: int) -> None:
    table = Table(["Passport", "Rain Jacket", "Bug Spray", "Swimsuit"], ["Passport", "Camera", "Swimsuit"])
    state = table.state.imagine(0, QuickDice(2))
    found = search.own_search(state, 0, QuickDice(1), trials, 0.0)
    moves = [move for move, _, _ in found]
    assert set(moves) <= set(state.legal(0))
    assert sum(tried for _, tried, _ in found) <= 2 * trials + 20


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {"postcards": True}), (3, {"variant": "bucket-list"})])
def test_elsewhere_the_tree_searches(seats: int, options: dict[str, Any]) -> None:
    state = fresh(seats, **options)
    assert search.own_search(state, state.waiting()[0], QuickDice(1), 10, 0.0) == []
    assert not search.bot_decides(state, state.waiting()[0])


def test_the_outlook_is_a_chance_for_each_seat_and_rises_with_the_items() -> None:
    poor = Table(["Passport", "Swimsuit", "Bug Spray", "Phrasebook"], visited=[0])
    rich = Table(["Passport", *GERMANY], visited=[0])
    for table in (poor, rich):
        assert sum(outlook(table.state)) == pytest.approx(1)
    assert outlook(rich.state)[0] > outlook(poor.state)[0] + 0.3, "it could travel to the centre now"
