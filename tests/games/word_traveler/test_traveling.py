"""A journey: the traveler asks, the locals guess, the map is revealed."""

from grandtour.engine.dice import QuickDice
from grandtour.engine.state import CLOCK
from grandtour.games.word_traveler import GAME
from grandtour.games.word_traveler.parts import SYMBOLS
from grandtour.games.word_traveler.rules import MOVES
from grandtour.games.word_traveler.search import think
from tests.games.word_traveler.positions import Table, jayden
from tests.rules import rule


@rule("WT-37", "WT-59")
def test_everyone_travels_once_clockwise_from_the_first() -> None:
    trip = Table(3, start="2")
    for seat in range(3):
        trip.plan(seat, ("D3", ("Busy", "Calm", "Dark")[seat]))
    trip.done()
    order = []
    for _ in range(3):
        traveler = trip.view(None)["journey"]["seat"]
        order.append(traveler)
        locals_ = [seat for seat in range(3) if seat != traveler]
        trip.guess(locals_[0], "D3").agree(*locals_)
    assert order == [1, 2, 0]
    assert trip.view(None)["day"] == 2


@rule("WT-38", "WT-23")
def test_the_traveler_announces_every_arrow_and_its_words_in_order() -> None:
    trip = jayden().done()
    assert trip.happened("journey")[0]["arrows"] == [
        {"arrow": 1, "to": "east", "words": ["Busy", "Not Comfortable"]},
        {"arrow": 2, "to": "north", "words": ["Cool", "Refreshing", "Slippery"]},
        {"arrow": 3, "to": "west", "words": ["Active", "Circular"]},
    ]
    asks = "asks the way: east, Busy, Not Comfortable; north, Cool, Refreshing, Slippery; west, Active, Circular."
    assert trip.story()[-1] == f"Ada {asks}"


@rule("WT-38", "WT-22")
def test_words_are_read_out_in_the_order_in_which_they_were_placed() -> None:
    trip = Table().plan(0, ("F4", "Underground", "Not Comfortable", "Busy")).done()
    laid = ["Underground", "Not Comfortable", "Busy"]
    assert trip.happened("journey")[0]["arrows"][0]["words"] == laid
    assert trip.view(1)["journey"]["arrows"][0]["words"] == laid
    assert trip.story()[-1] == "Ada asks the way: east, Underground, Not Comfortable, Busy."
    trip.guess(1, "F4").agree(1)
    assert trip.view(1)["sheets"][0]["arrows"][0]["words"] == laid


@rule("WT-39")
def test_locals_see_only_the_travelers_unused_words() -> None:
    trip = jayden(3).plan(1, ("D1", "Dark"))
    trip.done()
    journey = trip.view(2)["journey"]
    assert len(journey["unused"]) == 3
    assert not set(journey["unused"]) & {"Busy", "Comfortable", "Cool", "Refreshing", "Slippery", "Active", "Circular"}
    assert "Dark" not in str(trip.view(2)), "the next traveler's words are still secret"


@rule("WT-2", "WT-40", "WT-41")
def test_the_traveler_remains_silent_until_the_reveal() -> None:
    trip = jayden(3).done()
    assert trip.legal(0) == []
    assert trip.refused(0, "footprint", number=1, space="F4").rule == "WT-40"
    assert trip.refused(0, "agree").rule == "WT-40"
    assert trip.waiting() == [1, 2]
    assert trip.view(None)["silent"]["seats"] == [0], "the traveler may not talk, either"


@rule("WT-57")
def test_after_the_reveal_the_traveler_can_speak_and_the_next_is_silent() -> None:
    trip = jayden(2).plan(1, ("E4", "Loud")).done()
    trip.guess(1, "F4", "F2", "C2").agree(1)
    assert trip.view(None)["silent"]["seats"] == [1]
    trip.guess(0, "E4").agree(0)
    assert trip.view(None)["silent"] is None


@rule("WT-26", "WT-13")
def test_before_the_reveal_the_locals_see_directions_but_no_aim_and_no_map() -> None:
    trip = jayden(3).done()
    assert "C2" not in str({key: trip.view(1)["journey"][key] for key in ("seat", "start", "unused", "agreed")})
    assert all("meant" not in arrow for arrow in trip.view(1)["journey"]["arrows"])
    assert SYMBOLS[1][0] not in str(trip.view(1))


@rule("WT-42", "WT-43", "WT-44")
def test_any_local_places_and_moves_footprints_in_any_order() -> None:
    trip = jayden(3).done()
    trip.play(2, "footprint", number=3, space="C2")
    trip.play(1, "footprint", number=1, space="E4")
    assert trip.footprints() == ["E4", None, "C2"]
    trip.play(2, "footprint", number=1, space="F4")
    assert trip.footprints() == ["F4", None, "C2"]
    assert trip.view(0)["journey"]["arrows"][0]["placed_by"] == 2
    assert trip.refused(1, "footprint", number=1, space="F4").rule == "WT-43"


@rule("WT-42")
def test_there_are_as_many_footprints_as_arrows() -> None:
    trip = Table().plan(0, ("F4", "Busy")).done()
    assert trip.refused(1, "footprint", number=2, space="F2").rule == "WT-42"
    assert trip.refused(1, "sure", number=2, how="certain").rule == "WT-42"


@rule("WT-45", "WT-25")
def test_a_footprint_stands_only_where_some_path_along_the_arrows_stops() -> None:
    trip = jayden().done()
    assert trip.choices(1, "footprint", number=1) == ["E4", "F4", "G4"]
    assert trip.refused(1, "footprint", number=1, space="C4").rule == "WT-45"
    assert trip.refused(1, "footprint", number=1, space="D4").rule == "WT-45"
    assert trip.refused(1, "footprint", number=2, space="E4").rule == "WT-45"
    third = {column + row for column in "ABCDEF" for row in "123"}
    assert set(trip.choices(1, "footprint", number=3)) == third


@rule("WT-45")
def test_arrows_in_the_same_direction_leave_room_for_later_ones() -> None:
    trip = Table().plan(0, ("E4", "Busy"), ("F4", "Calm"), ("G4", "Dark")).done()
    assert [trip.choices(1, "footprint", number=number) for number in (1, 2, 3)] == [["E4"], ["F4"], ["G4"]]


@rule("WT-45")
def test_placing_a_footprint_removes_those_that_cannot_be_on_one_path_with_it() -> None:
    trip = jayden().done().guess(1, "F4", "F2", "C2")
    events = trip.play(1, "footprint", number=1, space="E4")
    assert trip.footprints() == ["E4", None, "C2"]
    assert events[0]["lifted"] == [2]
    trip.play(1, "footprint", number=2, space="E1")
    assert trip.footprints() == ["E4", "E1", None]
    trip.play(1, "footprint", number=3, space="B1")
    trip.play(1, "footprint", number=3, space="D2")
    assert trip.footprints() == ["E4", None, "D2"]
    assert trip.view(1)["journey"]["arrows"][1]["keeps"] == ["E2"]


@rule("WT-46")
def test_all_locals_must_agree_and_agree_again_when_a_footprint_is_moved() -> None:
    trip = jayden(3).done()
    assert trip.refused(1, "agree").rule == "WT-46"
    trip.guess(1, "F4", "F2", "C2").agree(1)
    assert trip.waiting() == [2]
    assert trip.refused(1, "agree").rule == "WT-46"
    trip.play(2, "footprint", number=3, space="E2")
    assert trip.waiting() == [1, 2]
    trip.agree(2)
    assert not trip.happened("revealed")
    trip.agree(1)
    assert trip.happened("revealed")[0]["seat"] == 0


@rule("WT-47", "WT-48")
def test_the_left_neighbour_decides_alone_when_a_local_asks_for_it() -> None:
    trip = jayden(4).done().guess(3, "F4", "F2", "C2")
    trip.play(3, "ask")
    assert trip.waiting() == [1]
    assert trip.refused(3, "footprint", number=3, space="E2").rule == "WT-47"
    assert trip.refused(2, "agree").rule == "WT-47"
    assert trip.refused(1, "ask").rule == "WT-48"
    trip.play(1, "footprint", number=3, space="E2")
    trip.agree(1)
    assert [event["space"] for event in trip.happened("stop")] == ["F4", "F2", "E2"]
    assert "Dan asks for a decision: it is up to you now." in trip.story(1)


@rule("WT-48")
def test_the_left_neighbour_decides_when_the_time_to_discuss_is_up() -> None:
    trip = Table(3, discussion=120).plan(0, ("F4", "Busy")).done()
    assert trip.view(1)["clock"] == {"of": "discussion", "seconds": 120, "run": 0}
    trip.play(CLOCK, "time-up")
    assert trip.waiting() == [1]
    assert trip.view(1)["clock"] is None
    assert trip.view(1)["journey"]["deciding"]
    assert jayden(3).done().legal(CLOCK) == [], "the printed game has no such limit"


@rule("WT-48")
def test_the_time_to_discuss_waits_until_every_local_has_seen_the_last_journey() -> None:
    trip = Table(3, discussion=120).plan(0, ("F4", "Busy")).plan(1, ("D2", "Busy")).done()
    assert trip.refused(1, "ready").rule == "WT-19", "nothing has been revealed yet"
    trip.guess(1, "F4").agree(1)
    trip.agree(2)
    assert trip.happened("revealed")
    assert trip.view(0)["clock"] is None
    assert [player["ready"] for player in trip.view(0)["players"]] == [False, True, False]
    assert trip.refused(1, "ready").rule == "WT-19", "the traveler has no part in it"
    trip.play(0, "ready")
    assert trip.refused(0, "ready").rule == "WT-19"
    assert trip.view(0)["clock"] is None
    # A local who starts to guess has seen it.
    trip.play(2, "footprint", number=1, space="D2")
    assert trip.view(0)["clock"] == {"of": "discussion", "seconds": 120, "run": 1}
    assert not any(move["do"] == "ready" for seat in (CLOCK, 0, 2) for move in trip.legal(seat))


@rule("WT-48")
def test_the_host_need_not_wait_until_every_local_has_seen_the_last_journey() -> None:
    trip = Table(3, discussion=120).plan(0, ("F4", "Busy")).plan(1, ("D2", "Busy")).done()
    trip.guess(1, "F4").agree(1)
    trip.agree(2)
    trip.play(CLOCK, "ready")
    assert trip.view(0)["clock"] == {"of": "discussion", "seconds": 120, "run": 1}


@rule("WT-48")
def test_with_two_players_the_one_local_decides_alone() -> None:
    trip = jayden(2).done().guess(1, "F4", "F2", "C2")
    assert trip.refused(1, "ask").rule == "WT-48"
    trip.agree(1)
    assert trip.happened("revealed")
    alone = Table(2, discussion=120).plan(0, ("F4", "Busy")).done()
    assert alone.legal(CLOCK) == []


@rule("WT-49")
def test_a_local_who_placed_a_footprint_can_say_once_how_sure_they_are() -> None:
    trip = jayden(3).done().guess(1, "F4")
    assert trip.refused(2, "sure", number=1, how="certain").rule == "WT-49"
    trip.play(1, "sure", number=1, how="fairly sure")
    assert trip.view(0)["journey"]["arrows"][0]["sure"] == "fairly sure"
    assert trip.story()[-1] == "Bea is fairly sure of footprint 1."
    assert trip.refused(1, "sure", number=1, how="certain").rule == "WT-49"
    trip.play(2, "footprint", number=1, space="E4")
    assert trip.view(0)["journey"]["arrows"][0]["sure"] is None


def test_a_hint_suggests_only_one_statement_of_sureness() -> None:
    trip = jayden(3).done()
    trip.play(1, "footprint", number=3, space="C2")
    suggested = [MOVES.name(move) for move, _ in think(trip.state, 1, QuickDice(1), 2)]
    assert suggested == [{"do": "sure", "number": 3, "how": "certain"}]


@rule("WT-50")
def test_after_40_moves_a_local_only_places_missing_footprints_that_leave_the_others() -> None:
    trip = jayden(3).done()
    for _ in range(20):
        trip.play(1, "footprint", number=1, space="F4")
        trip.play(1, "footprint", number=1, space="E4")
    assert trip.refused(1, "footprint", number=1, space="F4").rule == "WT-50"
    assert trip.refused(1, "footprint", number=2, space="F2").rule == "WT-50"
    trip.play(1, "footprint", number=2, space="E2")
    trip.play(1, "footprint", number=3, space="C2")
    assert trip.verbs(1) == {"sure", "agree", "ask"}
    assert trip.may(2, "footprint", number=1, space="F4"), "others still can"


@rule("WT-50", "WT-48")
def test_the_only_local_can_place_every_footprint_once_more_after_40_moves() -> None:
    trip = jayden(2).done()
    for _ in range(19):
        trip.play(1, "footprint", number=1, space="F4")
        trip.play(1, "footprint", number=1, space="E4")
    trip.guess(1, "F4")
    trip.play(1, "footprint", number=2, space="F1")
    trip.play(1, "footprint", number=3, space="E1")
    assert trip.view(None)["players"][1]["moved"] == 41
    assert trip.may(1, "footprint", number=1, space="E4"), "the limit does not apply to the decision"
    trip.play(1, "footprint", number=2, space="F2")
    assert trip.footprints() == ["F4", "F2", None]
    assert trip.refused(1, "footprint", number=2, space="F3").rule == "WT-50"
    trip.play(1, "footprint", number=1, space="G4")
    assert trip.footprints() == ["G4", None, None], "footprints that no longer fit are removed as usual"
    assert trip.refused(1, "footprint", number=2, space="F3").rule == "WT-50", "it does not remove the others"
    trip.play(1, "footprint", number=2, space="G3")
    trip.play(1, "footprint", number=3, space="A3")
    assert trip.verbs(1) == {"sure", "agree"}
    assert [arrow["again"] for arrow in trip.view(1)["journey"]["arrows"]] == [True] * 3
    trip.agree(1)
    assert trip.happened("revealed")


@rule("WT-50", "WT-47")
def test_the_local_asked_to_decide_can_change_earlier_footprints() -> None:
    trip = jayden(3).done().guess(1, "F4", "F2", "C2")
    for _ in range(18):
        trip.play(1, "footprint", number=1, space="E4")
        trip.play(1, "footprint", number=1, space="F4")
    trip.play(1, "footprint", number=1, space="E4")
    assert trip.refused(1, "footprint", number=1, space="F4").rule == "WT-50"
    trip.play(2, "ask")
    for number, space in ((1, "F4"), (2, "F1"), (3, "B1"), (2, "F2"), (3, "C2")):
        trip.play(1, "footprint", number=number, space=space)
    assert trip.footprints() == ["F4", "F2", "C2"]


@rule("WT-8", "WT-51", "WT-27")
def test_stopping_at_a_circle_scores_one_point_and_at_a_star_two_but_passing_scores_nothing() -> None:
    trip = jayden().done().guess(1, "F4", "F2", "C2").agree(1)
    assert [event["points"] for event in trip.happened("stop")] == [1, 2, 1]
    assert trip.state.score == 4
    passing = Table(maps={0: "M02"}).plan(0, ("G4", "Busy"))
    assert passing.view(0)["map"][26] == "o", "a circle on F4"
    passing.done().guess(1, "G4").agree(1)
    assert passing.state.score == 0


@rule("WT-52")
def test_a_space_scores_only_once_a_day() -> None:
    trip = Table(maps={0: "M02"}).plan(0, ("F4", "Busy"), ("G4", "Calm"), ("F4", "Dark"))
    trip.done().guess(1, "F4", "G4", "F4").agree(1)
    assert [event["points"] for event in trip.happened("stop")] == [1, 0, 0]


@rule("WT-53")
def test_a_stop_scores_even_if_it_was_not_planned() -> None:
    trip = Table(maps={0: "M02"}).plan(0, ("E4", "Busy"))
    trip.done().guess(1, "F4").agree(1)
    assert trip.happened("stop")[0]["points"] == 1
    assert trip.happened("stop")[0]["meant"] == "E4"


@rule("WT-54", "WT-55", "WT-12")
def test_a_souvenir_is_collected_when_the_score_reaches_or_passes_its_place() -> None:
    trip = jayden().done().guess(1, "F4", "F2", "C2").agree(1)
    assert [souvenir["at"] for souvenir in trip.view(None)["souvenirs"]] == [2, 4, 7, 9, 11, 13]
    assert [event["souvenirs"] for event in trip.happened("souvenir")] == [1, 2], "2 was passed with the 3rd point"
    assert [souvenir["collected"] for souvenir in trip.view(None)["souvenirs"]] == [True, True] + [False] * 4


@rule("WT-56")
def test_example_the_locals_take_baseball_for_the_couriers_bike() -> None:
    trip = jayden().done()
    trip.guess(1, "F4", "F2", "E2").agree(1)
    assert trip.state.score == 3
    assert [event["place"] for event in trip.happened("stop")] == ["Subway Car", "Ice Skating Rink", "Bike Courier"]
    assert trip.happened("stop")[2]["meant_place"] == "Baseball Glove and Ball"
    assert trip.happened("stop")[2]["points"] == 0
    assert len(trip.happened("souvenir")) == 1
    assert "Stop 3: Bike Courier; they meant Baseball Glove and Ball: no points." in trip.story()


@rule("WT-57")
def test_the_score_sheet_shows_intended_stops_guesses_and_points() -> None:
    trip = jayden().done().guess(1, "F4", "F2", "E2").agree(1)
    (sheet, _) = trip.view(1)["sheets"]
    rows = [(arrow["meant"], arrow["guess"], arrow["points"]) for arrow in sheet["arrows"]]
    assert rows == [("F4", "F4", 1), ("F2", "F2", 2), ("C2", "E2", 0)]
    assert sheet["points"] == 3
    assert sheet["map"] == SYMBOLS[1][0]


@rule("WT-58", "WT-61")
def test_the_marker_moves_to_the_last_footprint_and_starts_there_on_day_2() -> None:
    trip = jayden().done().guess(1, "F4", "F2", "E2").agree(1)
    view = trip.view(0)
    assert view["day"] == 2
    assert view["players"][0]["marker"] == "E2"
    assert view["plan"]["start"] == "E2"
    assert trip.refused(0, "aim", arrow=1, space="D4").rule == "WT-21"


def test_a_bot_among_people_keeps_its_guesses_until_they_have_placed_every_footprint() -> None:
    trip = Table(3, start="1")
    trip.plan(0, ("D3", "Busy"), ("E3", "Calm"))
    trip.done()
    ada, bot = 1, 2
    assert GAME.defers(trip.state, bot, frozenset({ada}))
    assert not GAME.defers(trip.state, bot, frozenset()), "among bots nobody has to wait"
    assert not GAME.defers(trip.state, bot, frozenset({0})), "the traveler does not guess"
    trip.guess(ada, "D3")
    assert GAME.defers(trip.state, bot, frozenset({ada}))
    trip.play(ada, "footprint", number=2, space="E3")
    assert not GAME.defers(trip.state, bot, frozenset({ada}))
    trip.play(bot, "footprint", number=1, space="D2")
    assert trip.footprints() == ["D2", None]
    assert not GAME.defers(trip.state, bot, frozenset({ada})), "it replaces the footprints that its move removed"


def test_a_bot_that_has_to_decide_does_not_wait() -> None:
    trip = Table(3, start="1")
    trip.plan(0, ("D3", "Busy"))
    trip.done()
    trip.play(2, "ask")
    assert not GAME.defers(trip.state, 1, frozenset({2}))
