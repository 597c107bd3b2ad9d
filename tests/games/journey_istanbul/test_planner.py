"""The journey planners: what their owners write in them, and what they show to others."""

from typing import Any

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.events import seen
from grandtour.engine.match import Match
from grandtour.games.journey_istanbul.parts import CARD_NAMES
from tests.games.journey_istanbul.positions import FILLERS, Table
from tests.rules import rule

GAME = catalogue.game("journey-istanbul")
THIRD = FILLERS["3rd"]
LIE = "3rd-police-13000"


def three(**more: Any) -> Table:
    """Three players in Kadıköy; seat 0 has looked at the only card of the 3rd day."""
    table = Table("Kadıköy", "Kadıköy", "Kadıköy", **more)
    table.see(0, "3rd")
    return table


def entry(table: Table, seat: int, name: str) -> dict[str, Any]:
    """What a seat's planner says about the first card of a day."""
    return next(one for one in table.view(seat)["planner"] if (one["day"], one["square"]) == (name, 1))


def note(table: Table, seat: int, name: str, do: str, week: int = 1, **what: str) -> None:
    table.play(seat, "write")
    table.play(seat, "page", week=week, day=name)
    table.play(seat, do, **what)


def show(table: Table, seat: int, to: int | str, week: int = 1) -> None:
    table.play(seat, "talk", to=to)
    table.play(seat, "show", week=week)


@rule("JI-77", "JI-27")
def test_cards_you_look_at_or_draw_are_entered_automatically() -> None:
    table = Table("Taksim", "Kadıköy", "Kadıköy", "Kadıköy", deck=["4th-work-Fatih-6000", "5th-police-1000"])
    table.plays(0, "stay", "look: 3rd, 1", "end-looking")
    written = {one["written"] for one in table.view(0)["planner"]}
    assert written == {THIRD, "4th-work-Fatih-6000", "5th-police-1000"}
    assert table.view(1)["planner"] == []


@rule("JI-77")
def test_writing_over_a_card_does_not_change_what_you_saw() -> None:
    table = three()
    table.write(0, "3rd", 1, LIE)
    assert (entry(table, 0, "3rd")["card"], entry(table, 0, "3rd")["written"]) == (THIRD, LIE)
    table.plays(0, "write", "point: 3rd, 1", "erase")
    assert (entry(table, 0, "3rd")["card"], entry(table, 0, "3rd")["written"]) == (THIRD, None)
    assert table.may(0, "stay"), "writing takes no turn"


@rule("JI-77", "JI-36", "JI-56")
def test_the_days_of_a_task_and_the_release_day_are_marked() -> None:
    table = Table("Taksim", "jail", on="2nd, week 2", obstacle=["Documents", "Medicine"])
    table.state.fine_card[1] = 0
    table.state.release[1] = 11
    table.state._begin_turn()
    table.play(0, "stay")
    task, jailed = table.view(0)["players"][0]["obstacle"], table.view(1)["players"][1]["jail"]
    assert (task["place"], task["days"]) == ("Fatih", [10]), "two days after Taksim, on the 4th day of week 2"
    assert jailed["until"] == 11


@rule("JI-77")
def test_looking_again_does_not_change_a_planner() -> None:
    table = Table("Fatih", "Kadıköy")
    table.plays(0, "stay", "look: 3rd, 1")
    table.write(0, "3rd", 1, LIE)
    table.play(0, "look", day="3rd", square=1)
    assert entry(table, 0, "3rd")["written"] == LIE


@rule("JI-77")
def test_boxes_are_ticked_and_unticked_and_a_phrase_is_noted_for_a_day() -> None:
    table = three()
    note(table, 1, "2nd", "tick", week=2, box="raid-1")
    note(table, 1, "2nd", "tick", week=2, box="work-Üsküdar")
    note(table, 1, "2nd", "note", week=2, note="went to Taksim")
    written = {"day": 8, "date": "2nd day, week 2", "boxes": ["raid-1", "work-Üsküdar"], "note": "went to Taksim"}
    assert table.view(1)["notes"] == [written]
    note(table, 1, "2nd", "tick", week=2, box="raid-1")
    note(table, 1, "2nd", "note", week=2, note="release day")
    assert table.view(1)["notes"] == [{**written, "boxes": ["work-Üsküdar"], "note": "release day"}]
    note(table, 1, "2nd", "erase", week=2)
    assert table.view(1)["notes"][0]["note"] is None
    note(table, 1, "6th", "tick", week=3, box="work-Üsküdar")
    assert table.view(1)["notes"][-1]["day"] == 18
    assert [table.view(seat)["notes"] for seat in (0, 2)] == [[], []]


@rule("JI-77")
def test_you_write_one_thing_at_a_time_in_your_own_planner() -> None:
    table = three()
    assert table.refused(1, "page", week=1, day="1st").rule == "JI-77"
    assert table.refused(1, "tick", box="raid-1").rule == "JI-77"
    assert table.refused(1, "erase").rule == "JI-77"
    table.play(1, "write")
    assert table.view(1)["dialogue"]["to"] is None
    for do, what in (("give", {"amount": 1000}), ("request", {"amount": 1000}), ("show", {"week": 1})):
        assert table.refused(1, do, **what).rule == "JI-77"
    assert table.refused(1, "talk", to=0).rule == "JI-66"
    table.play(1, "point", day="3rd", square=1)
    assert table.refused(1, "ask", price=0).rule == "JI-77"
    assert table.refused(1, "erase").rule == "JI-77", "nothing is written there"
    assert table.refused(1, "note", note="work").rule == "JI-77"
    table.plays(1, "hush", "write", "page: 1, 3rd")
    assert table.refused(1, "claim", subject="police").rule == "JI-77"
    assert table.refused(1, "page", week=1, day="4th").rule == "JI-77"
    assert len(table.state.legal(1)) < 40


@rule("JI-77")
def test_you_can_write_fifteen_times_a_day() -> None:
    table = three()
    for _ in range(15):
        table.plays(1, "write", "hush")
    assert table.refused(1, "write").rule == "JI-77"
    assert table.view(1)["notes_left"] == 0
    table.next_day()
    assert table.may(1, "write"), "tomorrow is another day"


@rule("JI-69")
def test_a_page_is_shown_as_written_including_lies() -> None:
    table = three()
    table.write(0, "3rd", 1, LIE)
    table.write(0, "4th", 1, "4th-work-Fatih-6000")
    note(table, 0, "5th", "tick", box="journey-Fatih")
    note(table, 0, "5th", "note", note="travel out")
    note(table, 0, "1st", "tick", week=2, box="raid-1")
    show(table, 0, 1)
    heard = [(one["day"], one["heard"]) for one in table.view(1)["planner"]]
    assert heard == [
        ("3rd", [{"from": 0, "card": LIE}]),
        ("4th", [{"from": 0, "card": "4th-work-Fatih-6000"}]),
    ]
    assert table.row("3rd", 1)[0] == "?", "a claim does not count as seeing the card"
    fifth = {"day": 5, "date": "5th day, week 1", "boxes": ["journey-Fatih"], "note": "travel out"}
    assert table.view(1)["pages"] == [{"from": 0, "weeks": [1], "days": [fifth]}], "only that week"
    assert (table.view(2)["planner"], table.view(2)["pages"], table.heard(2)) == ([], [], [])
    (told,) = table.heard(1)
    assert told["cards"][0] == {"day": "3rd", "square": 1, "card": LIE}
    assert table.said(1) == (
        "Ada shows you their planner for week 1, which says: 3rd day, square 1: a police raid with a fine of 13 000 TL"
        "; 4th day, square 1: work in Fatih for 6 000 TL; 5th day, week 1: journey, Fatih, “travel out”."
    )


@rule("JI-69")
def test_a_page_that_was_shown_does_not_change_when_its_owner_writes() -> None:
    table = three()
    show(table, 0, "all")
    table.write(0, "3rd", 1, LIE)
    note(table, 0, "3rd", "tick", box="raid-1")
    assert entry(table, 2, "3rd")["heard"] == [{"from": 0, "card": THIRD}]
    assert table.view(2)["pages"] == [{"from": 0, "weeks": [1], "days": []}]


@rule("JI-69")
def test_an_empty_page_can_be_shown_too() -> None:
    table = three()
    show(table, 1, 0, week=3)
    assert table.said(0) == "Bea shows you their planner for week 3, which is empty."
    assert table.view(0)["pages"] == [{"from": 1, "weeks": [3], "days": []}]


@rule("JI-69", "JI-67")
def test_the_reveal_shows_whether_a_planner_told_the_truth() -> None:
    table = three(on="3rd, week 1")
    show(table, 0, 1)
    table.write(0, "3rd", 1, LIE)
    show(table, 0, 2)
    table.evening()
    assert table.view(1)["trust"][0] == {"seat": 0, "true": 1, "false": 0}
    assert table.view(2)["trust"][0] == {"seat": 0, "true": 0, "false": 1}
    assert table.view(0)["planner"] == []


@rule("JI-69")
def test_imagined_positions_keep_shown_pages_as_claims_and_drop_unshown_ones() -> None:
    table = three(deck=["3rd-police-4000", "3rd-police-5000"])
    table.write(0, "3rd", 1, LIE)
    note(table, 0, "5th", "note", note="keep away")
    worlds = [table.state.imagine(1, QuickDice(deal)) for deal in range(40)]
    assert {GAME.view(world, 0)["notes"] == [] for world in worlds} == {True}
    assert LIE not in {entry["written"] for world in worlds for entry in GAME.view(world, 0)["planner"]}
    show(table, 0, 1)
    worlds = [table.state.imagine(1, QuickDice(deal)) for deal in range(40)]
    assert len({int(world.sheet[10]) for world in worlds}) > 1, "what was shown may be untrue"
    assert CARD_NAMES.numbers[THIRD] in {int(world.sheet[10]) for world in worlds}
    assert {GAME.view(world, 1)["pages"][0]["days"][0]["note"] for world in worlds} == {"keep away"}
    assert {GAME.view(world, 0)["notes"] == [] for world in worlds} == {True}, "it may have been erased since"


@rule("JI-77")
def test_writing_is_private_and_can_be_undone() -> None:
    match = Match(GAME, 3, {"start": "1"}, 5)
    spots = [move for move in match.state.legal(1) if GAME.moves.verb(move).name == "write"]
    assert len(spots) == 1, "until the planner is opened it is a single move in the list"
    for move in ({"do": "write"}, {"do": "page", "week": 1, "day": "4th"}, {"do": "tick", "box": "raid-2"}):
        assert [seen(event, 0) for event in match.play(1, move)] == [{"event": "whisper"}]
    assert GAME.view(match.state, 1)["notes"][0]["boxes"] == ["raid-2"]
    match.undo(1)
    assert GAME.view(match.state, 1)["notes"] == []
    assert match.waiting() == [0]
