"""Day 2 and the end of the trip."""

from typing import Any

from grandtour.games.word_traveler import GAME
from grandtour.games.word_traveler.parts import RATINGS, SOUVENIRS, SYMBOLS
from tests.games.word_traveler.positions import Table, jayden
from tests.rules import rule


def second_day(seats: int = 2, **given: Any) -> Table:
    """A trip on Day 2, after a first day without arrows."""
    trip = Table(seats).done()
    trip.arrange(**given)
    return trip


@rule("WT-62")
def test_on_day_2_there_are_five_arrows() -> None:
    trip = second_day()
    assert trip.view(0)["arrows"] == 5
    trip.plan(0, ("D1", "Busy"), ("A1", "Calm"), ("A7", "Dark"), ("G7", "Cold"), ("G1", "Hot"))
    trip.done().guess(1, "D1", "A1", "A7", "G7", "G1").agree(1)
    assert [event["number"] for event in trip.happened("stop")] == [1, 2, 3, 4, 5]


@rule("WT-29")
def test_on_day_2_arrows_can_be_left_unused_too() -> None:
    trip = second_day().plan(0, ("D1", "Busy"), ("A1", "Calm"))
    trip.done()
    assert [arrow["arrow"] for arrow in trip.view(1)["journey"]["arrows"]] == [1, 2]


@rule("WT-63", "WT-64")
def test_all_draw_ten_new_words_and_none_of_day_1() -> None:
    trip = Table(5)
    before = {card["word"] for seat in range(5) for card in trip.view(seat)["plan"]["hand"]}
    trip.done()
    after = {card["word"] for seat in range(5) for card in trip.view(seat)["plan"]["hand"]}
    assert len(before) == len(after) == 50
    assert before.isdisjoint(after)
    assert all(card["arrow"] is None for card in trip.view(0)["plan"]["hand"])


@rule("WT-65", "WT-8")
def test_map_cards_are_flipped() -> None:
    trip = Table(maps={0: "M07"})
    assert trip.view(0)["map"] == SYMBOLS[6][0]
    trip.done()
    assert trip.view(0)["map"] == SYMBOLS[6][1]
    assert trip.view(1)["sheets"][0]["map"] == SYMBOLS[6][0]
    assert SYMBOLS[6][1] not in str(trip.view(1)), "the other side is not shown yet"


@rule("WT-65", "WT-16")
def test_day_2_has_the_same_steps() -> None:
    trip = second_day(3)
    assert trip.waiting() == [0, 1, 2]
    trip.plan(2, ("D1", "Busy")).done()
    assert trip.view(None)["journey"]["seat"] == 2
    trip.guess(0, "D1").agree(0, 1)
    assert trip.over


@rule("WT-19", "WT-65")
def test_the_players_also_start_the_second_sand_timer() -> None:
    trip = Table(2, timer=240).ready().plan(0, ("F4", "Busy")).done()
    trip.guess(1, "F4").agree(1)
    view = trip.view(0)
    assert (view["day"], view["step"]) == (2, "ready"), "no clock runs while the players talk about the last journey"
    assert view["clock"] is None
    assert view["map"] is None
    assert len(view["plan"]["hand"]) == 10
    trip.ready()
    assert trip.view(0)["clock"] == {"of": "planning", "seconds": 240, "run": 10}


@rule("WT-66")
def test_the_starting_space_scores_only_after_leaving_it() -> None:
    trip = second_day(maps={0: "M02"}, markers={0: "F2"})
    assert trip.view(0)["map"][12] == "*"
    trip.plan(0, ("E2", "Busy"), ("F2", "Calm"))
    trip.done().guess(1, "E2", "F2").agree(1)
    assert [event["points"] for event in trip.happened("stop")] == [0, 2]
    left = second_day(maps={0: "M02"}, markers={0: "F2"}).plan(0, ("E2", "Busy"))
    left.done().guess(1, "E2").agree(1)
    assert left.state.score == 0


@rule("WT-67")
def test_after_day_2_the_game_is_over() -> None:
    trip = jayden().done().guess(1, "F4", "F2", "C2").agree(1).done()
    assert trip.over
    assert trip.result() == [2 / 6, 2 / 6]
    assert trip.story()[-1] == "The trip is over: 4 points, 2 golden souvenirs. You are all Day-Trippers!"
    assert GAME.objection(trip.state, 0, 0) == ("WT-67", "The game is over.")


@rule("WT-68", "WT-69")
def test_the_chart_names_the_team_and_the_result_is_the_share_of_souvenirs() -> None:
    for seats in range(2, 6):
        trip = second_day(seats).done()
        for number, rating in enumerate(RATINGS):
            trip.state.score = SOUVENIRS[seats][number - 1] if number else 0
            assert trip.view(0)["rating"] == rating
            assert trip.state.result() == [number / 6] * seats
    assert RATINGS[0] == "Lost Luggage"
    assert RATINGS[6] == "Word Travelers"


def test_the_final_scores_list_every_stop_of_each_player() -> None:
    trip = jayden().done().guess(1, "F4", "F2", "E2").agree(1).done()
    rows = GAME.final(trip.state)
    assert rows[0]["lines"][0] == {"label": "Day 1, east: Busy, Not Comfortable", "value": "Subway Car: 1"}
    assert rows[0]["lines"][2]["value"] == "Bike Courier: 0 (meant: Baseball Glove and Ball)"
    assert [row["score"] for row in rows] == [3, 3]
    assert [row["won"] for row in rows] == [False, False]


def test_the_best_clue_tells_its_stop_from_the_most_spaces() -> None:
    trip = jayden().done().guess(1, "F4", "F2", "C2").agree(1).done()
    best = trip.view(None)["best_clue"]
    assert best["words"] == ["Active", "Circular"]
    assert best["choices"] == 5
    assert Table().done().done().view(None)["best_clue"] is None
