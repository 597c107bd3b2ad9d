"""Trips that began under the first version of the rules continue to use it."""

from grandtour.engine import tour
from grandtour.engine.match import Match
from grandtour.engine.state import CLOCK
from grandtour.games.word_traveler import GAME
from tests.games.word_traveler.positions import Table, jayden
from tests.rules import rule


def first_version(seats: int = 2) -> Table:
    return Table(seats, version=1, timer=240)


@rule("WT-70")
def test_the_sand_timer_starts_when_the_cards_are_dealt() -> None:
    trip = first_version(3)
    assert trip.view(0)["step"] == "plan"
    assert trip.view(0)["map"] == trip.past[-1]["private"]["0"]["map"]
    assert trip.view(0)["clock"] == {"of": "planning", "seconds": 240, "run": 0}
    assert trip.refused(0, "ready").rule == "WT-19"
    trip.done()
    assert trip.view(0)["clock"] == {"of": "planning", "seconds": 240, "run": 10}
    assert trip.legal(CLOCK) == [{"do": "time-up"}]


@rule("WT-70")
def test_words_are_read_out_in_alphabetical_order() -> None:
    trip = first_version().plan(0, ("F4", "Underground", "Not Comfortable", "Busy")).done()
    assert trip.happened("journey")[0]["arrows"][0]["words"] == ["Busy", "Not Comfortable", "Underground"]


@rule("WT-70")
def test_later_arrows_that_are_no_longer_in_line_lose_their_aim() -> None:
    trip = first_version().plan(0, ("F4",), ("F2",), ("C2",))
    trip.play(0, "aim", arrow=1, space="E4")
    assert [arrow["aim"] for arrow in trip.view(0)["plan"]["arrows"]] == ["E4", None, None]


@rule("WT-70")
def test_the_limit_applies_to_the_local_who_decides_too() -> None:
    trip = jayden(3, version=1).done().guess(1, "F4", "F2", "C2")
    for _ in range(18):
        trip.play(1, "footprint", number=1, space="E4")
        trip.play(1, "footprint", number=1, space="F4")
    trip.play(1, "footprint", number=1, space="G4")
    trip.play(1, "footprint", number=2, space="G2")
    trip.play(2, "ask")
    assert trip.verbs(1) == {"sure", "agree"}
    alone = jayden(2, version=1).done().guess(1, "F4", "F2", "C2")
    for _ in range(18):
        alone.play(1, "footprint", number=3, space="D2")
        alone.play(1, "footprint", number=3, space="C2")
    alone.play(1, "footprint", number=3, space="D2")
    assert alone.refused(1, "footprint", number=1, space="E4").rule == "WT-50"


@rule("WT-70")
def test_a_file_names_its_version_of_the_rules() -> None:
    old = Match(GAME, 2, {"timer": 240}, 1, version=1)
    while not old.over:
        old.play(old.waiting()[0], {"do": "done"})
    text = tour.save(old)
    assert "\nrules: 1\n" in text
    assert tour.load(text)[0].state.dump() == old.state.dump()
    assert "\nrules: 2\n" in tour.save(Match(GAME, 2))
