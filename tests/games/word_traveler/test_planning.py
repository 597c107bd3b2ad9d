"""Preparing and planning a day."""

from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.options import check_options
from grandtour.engine.state import CLOCK
from grandtour.games.word_traveler import GAME
from grandtour.games.word_traveler.parts import CITIES, SYMBOLS, WORDS
from tests.games.word_traveler.positions import Table, jayden
from tests.rules import rule


@rule("WT-1", "WT-69")
def test_two_to_five_players_share_one_result() -> None:
    assert GAME.players == (2, 5)
    for seats in range(2, 6):
        trip = Table(seats, city="drawn").done().done()
        assert trip.over
        assert trip.result() == [0.0] * seats, "nobody travels, and no souvenir is collected"


@rule("WT-2", "WT-13", "WT-18")
def test_maps_and_words_are_secret_from_the_others_and_seen_by_their_owner() -> None:
    trip = Table(3)
    mine = trip.view(0)
    assert mine["map"] in SYMBOLS[trip.state.maps[0]]
    assert len(mine["plan"]["hand"]) == 10
    others = trip.view(1)
    assert others["map"] != mine["map"]
    assert {card["word"] for card in others["plan"]["hand"]}.isdisjoint(card["word"] for card in mine["plan"]["hand"])
    assert not {"map", "plan", "you"} & trip.view(None).keys(), "a spectator sees no hand and no map"
    day = trip.happened("day", 0)[0]
    assert day["words"] == [card["word"] for card in mine["plan"]["hand"]]


@rule("WT-3")
def test_the_left_neighbour_is_the_next_seat() -> None:
    trip = jayden(3).done()
    assert trip.view(None)["journey"]["left_neighbour"] == 1


@rule("WT-4")
def test_a_bot_plays_from_what_its_seat_knows() -> None:
    trip = Table(3)
    moves = {GAME.choose(trip.state.imagine(0, QuickDice(deal)), 0, QuickDice(0)) for deal in range(5)}
    assert len(moves) == 1
    assert moves <= set(trip.state.legal(0))


@rule("WT-10")
def test_the_city_is_random_or_chosen_by_the_host_and_names_can_be_hidden() -> None:
    for city in CITIES:
        assert Table(city=city).view(0)["city"] == city
    drawn = {Match(GAME, 2, {"city": "drawn"}, seed).state.dump()["city"] for seed in range(40)}
    assert drawn == {0, 1, 2, 3}
    assert Table().view(0)["places"][26] == "Subway Car"
    hidden = jayden()
    hidden.state.names = False
    assert hidden.view(0)["places"] is None
    hidden.done().guess(1, "F4", "F2", "E2").agree(1)
    assert not any("Subway Car" in sentence for sentence in hidden.story())


@rule("WT-11", "WT-20")
def test_all_markers_start_in_the_centre_and_the_score_at_zero() -> None:
    view = Table(4).view(0)
    assert [player["marker"] for player in view["players"]] == ["D4"] * 4
    assert view["score"] == 0
    assert view["plan"]["start"] == "D4"
    assert [souvenir["collected"] for souvenir in view["souvenirs"]] == [False] * 6


@rule("WT-14", "WT-15")
def test_the_first_traveler_is_drawn_or_named_and_first_on_both_days() -> None:
    def first(seed: int, start: str) -> int:
        state = GAME.new(3, check_options(GAME.options, {"start": start}), QuickDice(seed))
        return int(GAME.view(state, None)["first"])

    assert {first(seed, "drawn") for seed in range(30)} == {0, 1, 2}
    assert {first(seed, "2") for seed in range(30)} == {1}
    trip = Table(2, start="2")
    trip.done().done()
    assert [event["seat"] for event in trip.happened("journey")] == [1, 0, 1, 0]


@rule("WT-16")
def test_everyone_plans_at_the_same_time_before_anyone_travels() -> None:
    trip = Table(3)
    assert trip.waiting() == [0, 1, 2]
    trip.play(2, "aim", arrow=1, space="D1")
    trip.play(0, "aim", arrow=1, space="A4")
    assert trip.refused(1, "agree").rule == "WT-16"
    assert trip.refused(1, "footprint", number=1, space="D1").rule == "WT-16"


@rule("WT-17", "WT-29")
def test_on_day_1_there_are_three_arrows_and_none_must_be_used() -> None:
    trip = Table().plan(0, ("D1", "Busy"), ("A1", "Calm"), ("A7", "Dark"))
    assert trip.view(0)["arrows"] == 3
    assert trip.refused(0, "aim", arrow=4, space="B7").rule == "WT-17"
    assert trip.refused(0, "place", word="Not Busy", arrow=5).rule == "WT-17"
    only_one = Table().plan(0, ("D1", "Busy"))
    only_one.done()
    assert [arrow["arrow"] for arrow in only_one.happened("journey")[0]["arrows"]] == [1]


@rule("WT-21", "WT-25")
def test_an_arrow_points_in_a_straight_line_to_a_stop_at_least_one_space_away() -> None:
    trip = Table()
    assert sorted(trip.choices(0, "aim", arrow=1)) == [
        "A4",
        "B4",
        "C4",
        "D1",
        "D2",
        "D3",
        "D5",
        "D6",
        "D7",
        "E4",
        "F4",
        "G4",
    ]
    assert trip.refused(0, "aim", arrow=1, space="E5").rule == "WT-21"
    assert trip.refused(0, "aim", arrow=1, space="D4").rule == "WT-25"
    for space, direction in (("D3", "north"), ("G4", "east"), ("D7", "south"), ("A4", "west")):
        trip.play(0, "aim", arrow=1, space=space)
        assert trip.view(0)["plan"]["arrows"][0]["to"] == direction


@rule("WT-7", "WT-22", "WT-30")
def test_any_number_of_words_with_either_side_up() -> None:
    ten = WORDS[:10]
    trip = Table().plan(0, ("F4", *ten[:5], *(f"Not {word}" for word in ten[5:])))
    assert trip.view(0)["plan"]["arrows"][0]["words"] == [*ten[:5], *(f"Not {word}" for word in ten[5:])]
    few = Table().plan(0, ("F4", "Busy"))
    few.done()
    assert len(few.happened("journey")[0]["unused"]) == 9


@rule("WT-23")
def test_example_jaydens_first_arrow_points_east_to_the_subway_car() -> None:
    trip = jayden()
    plan = trip.view(0)["plan"]
    assert trip.view(0)["places"][26] == "Subway Car"
    assert plan["arrows"][0] == {"arrow": 1, "aim": "F4", "to": "east", "words": ["Busy", "Not Comfortable"]}


@rule("WT-24", "WT-26")
def test_each_arrow_begins_where_the_one_before_is_meant_to_stop() -> None:
    trip = Table()
    assert trip.refused(0, "aim", arrow=2, space="D1").rule == "WT-26"
    trip.play(0, "aim", arrow=1, space="F4")
    assert not trip.may(0, "aim", arrow=2, space="D1")
    trip.play(0, "aim", arrow=2, space="G4")
    assert trip.view(0)["plan"]["arrows"][1]["to"] == "east", "the next arrow may have the same direction"
    trip.play(0, "aim", arrow=2, space="F2")
    assert trip.view(0)["plan"]["arrows"][1]["to"] == "north", "or turn"
    trip.play(0, "aim", arrow=3, space="C2")
    assert trip.refused(0, "aim", arrow=3, space="C2").rule == "WT-26"


def aims(trip: Table) -> list[str | None]:
    return [arrow["aim"] for arrow in trip.view(0)["plan"]["arrows"]]


@rule("WT-26")
def test_aiming_an_arrow_again_keeps_the_later_aims_that_are_still_in_line() -> None:
    trip = Table().plan(0, ("F4",), ("G4",), ("G2",))
    trip.play(0, "aim", arrow=1, space="E4")
    assert aims(trip) == ["E4", "G4", "G2"]
    assert "moved" not in trip.happened("planned", 0)[-1]
    assert all("space" not in event for event in trip.happened("planned", 1)), "nobody else sees the aim"


@rule("WT-26")
def test_aiming_an_arrow_again_keeps_the_directions_and_words_of_the_later_ones() -> None:
    trip = jayden()
    trip.play(0, "aim", arrow=1, space="E4")
    arrows = trip.view(0)["plan"]["arrows"]
    assert [arrow["to"] for arrow in arrows] == ["east", "north", "west"]
    assert aims(trip) == ["E4", "E2", "C2"], "north to the same row, and from there C2 is still in line"
    assert arrows[1]["words"] == ["Cool", "Refreshing", "Slippery"]
    assert trip.view(0)["plan"]["used"] == 3, "all three arrows can be used"
    assert trip.story(0)[-1] == "Arrow 2 keeps its direction and leads to Bike Courier now."
    assert "Bike Courier" not in str(trip.happened("planned", 1)), "nobody else learns it"


@rule("WT-26")
def test_an_arrow_that_cannot_reach_its_row_moves_one_space_in_its_direction() -> None:
    trip = Table().plan(0, ("F4",), ("F2",))
    trip.play(0, "aim", arrow=1, space="D2")
    assert aims(trip) == ["D2", "F2", None], "in line, though to the east now"
    trip = Table().plan(0, ("F4",), ("F3",), ("F1",))
    trip.play(0, "aim", arrow=1, space="D3")
    assert aims(trip) == ["D3", "F3", "F1"]
    trip = Table().plan(0, ("D2",), ("G2",), ("G3",))
    trip.play(0, "aim", arrow=1, space="G4")
    assert aims(trip) == ["G4", "G2", "G3"]
    trip = Table().plan(0, ("F4",), ("E4",), ("E2",))
    trip.play(0, "aim", arrow=1, space="E4")
    assert aims(trip) == ["E4", "D4", "D2"], "it moves one space west, because E4 is taken"


@rule("WT-26")
def test_an_arrow_that_would_leave_the_board_loses_its_aim_and_so_do_those_after_it() -> None:
    trip = Table().plan(0, ("F4",), ("G4", "Busy"), ("G2", "Calm"))
    trip.play(0, "aim", arrow=1, space="G4")
    assert aims(trip) == ["G4", None, None]
    assert [arrow["words"] for arrow in trip.view(0)["plan"]["arrows"]] == [[], ["Busy"], ["Calm"]], "words stay"
    assert trip.story(0)[-1] == "Arrows 2 and 3 lead nowhere now."


@rule("WT-19")
def test_the_sand_timer_starts_when_all_are_ready_and_maps_are_looked_at_only_then() -> None:
    trip = Table(3, timer=240)
    view = trip.view(0)
    assert view["step"] == "ready"
    assert view["map"] is None
    assert len(view["plan"]["hand"]) == 10, "words may be looked at"
    assert view["clock"] is None
    assert trip.waiting() == [0, 1, 2]
    assert trip.refused(0, "aim", arrow=1, space="D1").rule == "WT-19"
    assert "map" not in trip.past[-1]["private"]["0"]
    trip.ready(2, 0)
    assert trip.refused(0, "ready").rule == "WT-19"
    assert trip.view(None)["step"] == "ready"
    assert [player["ready"] for player in trip.view(None)["players"]] == [True, False, True]
    trip.ready(1)
    assert trip.view(0)["map"] in SYMBOLS[trip.state.maps[0]]
    assert trip.view(0)["clock"] == {"of": "planning", "seconds": 240, "run": 0}
    assert trip.happened("planning", 1)[0]["map"] == trip.view(1)["map"]
    assert trip.story()[-2:] == ["Bea is ready.", "The sand timer starts: 4 minutes to plan."]
    assert trip.refused(0, "ready").rule == "WT-19"


@rule("WT-19")
def test_the_host_can_start_the_timer_and_without_a_timer_there_is_no_wait() -> None:
    trip = Table(3, timer=240).ready(1)
    trip.play(CLOCK, "ready")
    assert trip.view(None)["step"] == "plan"
    assert trip.waiting() == [0, 1, 2]
    without = Table(3, timer=0)
    assert without.view(0)["step"] == "plan"
    assert without.view(0)["map"]
    assert without.refused(0, "ready").rule == "WT-19"


@rule("WT-19")
def test_a_player_can_take_back_ready_until_the_timer_starts() -> None:
    match = Match(GAME, 2, {"timer": 240})
    match.play(0, {"do": "ready"})
    match.undo(0)
    assert match.waiting() == [0, 1]
    for seat in (0, 1):
        match.play(seat, {"do": "ready"})
    assert not match.can_undo(1), "the maps have been seen"


@rule("WT-22", "WT-38")
def test_words_stay_in_the_order_in_which_they_were_placed() -> None:
    trip = Table().plan(0, ("F4", "Slippery", "Not Busy", "Cool"))

    def lies() -> list[str]:
        words: list[str] = trip.view(0)["plan"]["arrows"][0]["words"]
        return words

    assert lies() == ["Slippery", "Not Busy", "Cool"], "not alphabetically"
    trip.play(0, "place", word="Busy", arrow=1)
    assert lies() == ["Slippery", "Busy", "Cool"], "a card that is turned over stays in its place"
    trip.play(0, "take-back", word="Slippery")
    assert lies() == ["Busy", "Cool"]
    trip.play(0, "place", word="Slippery", arrow=1)
    assert lies() == ["Busy", "Cool", "Slippery"], "placed again, it comes last"
    trip.play(0, "place", word="Busy", arrow=2)
    trip.play(0, "place", word="Not Busy", arrow=1)
    assert lies() == ["Cool", "Slippery", "Not Busy"]
    ranks = {card["word"]: card["rank"] for card in trip.view(0)["plan"]["hand"] if card["arrow"]}
    assert ranks == {"Cool": 1, "Slippery": 2, "Busy": 3}


@rule("WT-28")
def test_you_can_aim_at_a_space_worth_nothing() -> None:
    trip = Table(maps={0: "M02"})
    assert trip.view(0)["map"][22] == "."
    trip.plan(0, ("B4", "Busy"))
    assert trip.may(0, "aim", arrow=2, space="B1"), "and continue from there"
    trip.done().guess(1, "B4").agree(1)
    assert trip.happened("stop")[0]["points"] == 0


@rule("WT-31", "WT-34")
def test_an_arrow_without_a_word_and_every_arrow_after_it_is_dropped() -> None:
    trip = Table().holds(0, "Busy", "Calm")
    trip.plan(0, ("D1", "Busy"), ("A1",), ("A7", "Calm"))
    assert trip.view(0)["plan"]["lacks"] == "Arrow 2 has no word."
    assert GAME.prompt(trip.state, 0)["text"] == "Place words under arrow 2, or finish without it."
    trip.done()
    journey = trip.happened("journey")[0]
    assert journey["arrows"] == [{"arrow": 1, "to": "north", "words": ["Busy"]}]
    assert "Calm" in journey["unused"], "the words of a dropped arrow count as unused"


@rule("WT-34", "WT-60")
def test_a_traveler_without_arrows_stays_and_still_shows_the_map() -> None:
    trip = Table(2).plan(1, ("D1", "Busy"))
    trip.play(0, "place", word=trip.view(0)["plan"]["hand"][0]["word"], arrow=1)
    trip.done()
    assert trip.happened("journey")[0]["arrows"] == []
    assert trip.happened("revealed")[0]["seat"] == 0
    view = trip.view(1)
    assert view["journey"]["seat"] == 1, "the next one travels"
    assert view["players"][0]["marker"] == "D4"
    assert view["sheets"][0]["points"] == 0


@rule("WT-32")
def test_a_card_lies_under_one_arrow_and_can_be_moved_turned_or_taken_back() -> None:
    trip = Table().plan(0, ("D1", "Busy"))

    def lies() -> list[list[str]]:
        return [arrow["words"] for arrow in trip.view(0)["plan"]["arrows"]]

    trip.play(0, "place", word="Busy", arrow=2)
    assert lies() == [[], ["Busy"], []]
    trip.play(0, "place", word="Not Busy", arrow=2)
    assert lies() == [[], ["Not Busy"], []]
    assert trip.refused(0, "place", word="Not Busy", arrow=2).rule == "WT-32"
    trip.play(0, "take-back", word="Busy")
    assert lies() == [[], [], []]
    assert trip.refused(0, "take-back", word="Busy").rule == "WT-32"


@rule("WT-18")
def test_you_can_only_place_your_own_ten_words() -> None:
    trip = Table()
    mine = {card["word"] for card in trip.view(0)["plan"]["hand"]}
    other = next(word for word in WORDS if word not in mine)
    assert trip.refused(0, "place", word=other, arrow=1).rule == "WT-18"
    assert trip.refused(0, "take-back", word=other).rule == "WT-18"


@rule("WT-33")
def test_planning_ends_when_all_are_done() -> None:
    trip = jayden(3).done(0, 2)
    assert trip.view(None)["step"] == "plan"
    assert trip.refused(0, "aim", arrow=1, space="D1").rule == "WT-33"
    trip.done(1)
    assert trip.view(None)["step"] == "guess"
    assert trip.refused(1, "done").rule == "WT-33"


@rule("WT-33", "WT-35")
def test_planning_ends_when_the_sand_timer_runs_out() -> None:
    trip = Table(3, timer=240).ready().plan(0, ("F4", "Busy"))
    assert trip.view(None)["clock"] == {"of": "planning", "seconds": 240, "run": 0}
    trip.play(CLOCK, "time-up")
    assert trip.view(None)["step"] == "guess"
    assert trip.story()[-2] == "Time is up: planning is over."


@rule("WT-35")
def test_the_host_sets_the_timer_or_leaves_it_out() -> None:
    assert Table(timer=120).ready().view(0)["clock"] == {"of": "planning", "seconds": 120, "run": 0}
    without = Table(timer=0)
    assert without.view(0)["clock"] is None
    assert without.legal(CLOCK) == []
    assert Table().refused(0, "time-up").rule == "WT-35"
    assert GAME.options[1].default == 240, "four minutes"


@rule("WT-36")
def test_after_200_changes_a_player_can_only_be_done() -> None:
    trip = Table()
    for _ in range(100):
        trip.play(0, "aim", arrow=1, space="D1")
        trip.play(0, "aim", arrow=1, space="D2")
    assert trip.legal(0) == [{"do": "done"}]
    assert trip.refused(0, "aim", arrow=1, space="D1").rule == "WT-36"
    assert len(trip.legal(1)) > 1
