"""The board, the set-up, turns and evenings of The Journey: Istanbul."""

from typing import Any

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.games.journey_istanbul import parts, rules
from tests.games.journey_istanbul.positions import FILLERS, Table
from tests.rules import rule

GAME = catalogue.game("journey-istanbul")
DEFAULTS = {"start": "drawn", "winner": "richest"}


def new(seats: int = 4, seed: int = 0, **options: str) -> rules.State:
    return rules.new(seats, {**DEFAULTS, **options}, QuickDice(seed), None)


def symbols(seats: int) -> dict[str, tuple[int, int]]:
    view = GAME.view(new(seats), None)
    return {place["name"]: (place["eyes"], place["cards"]) for place in view["places"]}


@rule("JI-1")
def test_two_to_five_can_play() -> None:
    assert GAME.players == (2, 5)
    for seats in (1, 6):
        with pytest.raises(Refusal):
            Match(GAME, seats)


@rule("JI-2", "JI-38")
def test_travelling_out_requires_the_right_place_the_finished_task_and_the_money() -> None:
    table = Table("Fatih", "Kadıköy", on="2nd, week 1", money=[12000, 6000], done=[0])
    table.evening()
    assert (table.step, table.state.turn) == ("journey", 0)
    table.play(0, "travel")
    assert table.where(0) == "out"
    assert table.money(0) == 1000, "the journey costs 11 000 TL"


@rule("JI-3", "JI-21")
def test_turns_go_clockwise_from_the_starting_player() -> None:
    table = Table("Kadıköy", "Kadıköy", "Kadıköy", start="2")
    order = []
    for _ in range(3):
        order.append(int(table.state.turn))
        table.turn(order[-1])
    assert order == [1, 2, 0]
    assert table.date == "2nd, week 1"
    assert table.state.turn == 2, "the next starting player sits to the left of the last one"


@rule("JI-3")
def test_a_bot_knows_no_more_than_its_seat() -> None:
    state = new(3, 5)
    choices = {GAME.choose(state.imagine(state.turn, QuickDice(deal)), state.turn, QuickDice(1)) for deal in range(8)}
    assert len(choices) == 1


@rule("JI-4", "JI-23")
@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("Kadıköy", ["Sultanahmet", "Üsküdar"]),
        ("Taksim", ["Fatih", "Sultanahmet", "Üsküdar"]),
        ("Fatih", ["Taksim", "Sultanahmet"]),
        ("Sultanahmet", ["Taksim", "Fatih", "Kadıköy"]),
        ("Üsküdar", ["Taksim", "Kadıköy"]),
    ],
)
def test_you_move_along_white_lines_or_stay(here: str, there: list[str]) -> None:
    table = Table(here, "Kadıköy")
    assert {place for place in parts.PLACES if table.may(0, "move", to=place)} == set(there)
    assert table.may(0, "stay")
    for place in set(parts.PLACES) - set(there):
        assert table.refused(0, "move", to=place).rule == "JI-23"


@rule("JI-5")
@pytest.mark.parametrize("seats", [4, 5])
def test_each_neighbourhood_has_its_eye_and_card_symbols(seats: int) -> None:
    assert symbols(seats) == {
        "Taksim": (2, 2),
        "Fatih": (2, 0),
        "Sultanahmet": (1, 0),
        "Üsküdar": (1, 0),
        "Kadıköy": (0, 0),
    }


@rule("JI-6", "JI-7")
def test_pieces_cover_two_neighbourhoods_with_two_or_three_players() -> None:
    assert symbols(2) == {**symbols(4), "Üsküdar": (1, 2), "Fatih": (2, 1)}
    assert symbols(3) == {**symbols(4), "Üsküdar": (1, 1), "Fatih": (2, 1)}
    deck = ["5th-police-1000", "5th-police-3000"]
    table = Table("Kadıköy", "Kadıköy", deck=deck)
    table.turn(0, "Üsküdar")
    assert table.row("5th", 0)[1:3] == ["5th-police-1000", "5th-police-3000"], "piece A has two cards to draw"


@rule("JI-8", "JI-9")
def test_three_weeks_of_six_days_are_numbered_1_to_18() -> None:
    assert [parts.date(day) for day in (1, 6, 7, 18)] == [
        "1st day, week 1",
        "6th day, week 1",
        "1st day, week 2",
        "6th day, week 3",
    ]
    table = Table("Kadıköy", "Kadıköy", on="6th, week 1")
    table.next_day()
    assert table.date == "1st, week 2"


@rule("JI-9", "JI-56")
def test_two_days_later_can_be_in_the_next_week() -> None:
    table = Table("Taksim", "Kadıköy", on="5th, week 1", obstacle=["Documents", "Medicine"])
    table.next_day(None, None)
    table.next_day(None, "Sultanahmet")
    assert table.date == "1st, week 2"
    table.turn(0, "Fatih")
    assert table.done(0)


@rule("JI-10", "JI-11")
def test_there_are_twelve_cards_of_each_type() -> None:
    kinds = [card.kind for card in parts.CARDS]
    assert [kinds.count(kind) for kind in range(3)] == [12, 12, 12]
    for day in range(6):
        assert sorted(parts.CARDS[card].kind for card in parts.OF_DAY[day]) == [0, 0, 1, 1, 2, 2]
    for kind in (parts.JOURNEY, parts.WORK):
        places = [card.place for card in parts.CARDS if card.kind == kind]
        assert [places.count(place) for place in range(5)] == [3, 3, 3, 3, 0], "nothing is organised in Kadıköy"
    assert len({card.name for card in parts.CARDS}) == 36


@rule("JI-10", "JI-36", "JI-39", "JI-60")
def test_the_cards_of_the_printed_examples_exist() -> None:
    names = parts.CARD_NAMES.numbers
    assert "3rd-police-4000" in names
    assert any(name.startswith("3rd-journey-Fatih") for name in names)
    assert any(name.startswith("4th-journey-Taksim") for name in names)


@rule("JI-12", "JI-13")
def test_a_card_lies_face_down_in_the_row_of_its_day() -> None:
    state = new(4, 3)
    for viewer in (None, 0, 3):
        view = GAME.view(state, viewer)
        lying = 0
        for row, name in enumerate(parts.DAYS):
            for slot, square in enumerate(view["sheet"][row]["squares"], 5 * row):
                if square["lies"]:
                    lying += 1
                    assert square["card"] is None
                    assert parts.DAYS[parts.CARDS[state.sheet[slot]].day] == name
        assert lying == 10
        assert view["deck"] == {"left": 26, "top": parts.DAYS[parts.CARDS[state.deck[10]].day]}


@rule("JI-13")
def test_everybody_sees_who_looked_where_and_a_drawn_card_takes_the_first_empty_square() -> None:
    table = Table("Fatih", "Taksim", "Kadıköy", "Kadıköy", deck=["4th-work-Fatih-6000", "5th-police-1000"])
    table.plays(0, "stay", "look: 3rd, 1", "end-looking")
    table.turn(1)
    sheet = table.view(3)["sheet"]
    assert sheet[2]["squares"][0]["looked"] == [0]
    assert sheet[4]["squares"][1] == {
        "square": 2, "lies": True, "sideways": False, "due": 5, "looked": [1], "up": False, "card": None,
    }  # fmt: skip
    assert table.view(3)["players"][0]["looked_at"] == [{"day": "3rd", "square": 1}]


@rule("JI-14")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_begins_with_6000(seats: int) -> None:
    view = GAME.view(new(seats), 0)
    assert view["date"] == "1st day, week 1"
    assert [player["money"] for player in view["players"]] == [6000] * seats


@rule("JI-15")
def test_money_is_open_and_the_bank_always_pays() -> None:
    wages = sum(card.amount + parts.EXTRA_WAGE for card in parts.CARDS if card.kind == parts.WORK)
    assert wages + parts.TRANSFER_AMOUNT + 5 * parts.START_MONEY < parts.BANK_MONEY
    table = Table("Kadıköy", "Kadıköy", "Kadıköy", money=[3000, 4000, 5000])
    for viewer in (None, 0, 2):
        assert [player["money"] for player in table.view(viewer)["players"]] == [3000, 4000, 5000]


@rule("JI-16")
def test_everyone_gets_one_card_of_each_kind_face_up() -> None:
    deals = set()
    for seed in range(40):
        players = GAME.view(new(5, seed), None)["players"]
        obstacles = [player["obstacle"]["name"] for player in players]
        assert sorted(obstacles) == sorted(parts.OBSTACLES)
        assert sorted(player["opportunity"]["name"] for player in players) == sorted(parts.OPPORTUNITIES)
        deals.add(tuple(obstacles))
    assert len(deals) > 20, "they are drawn at random"


@rule("JI-17", "JI-18")
def test_markers_begin_in_kadikoy_in_the_order_of_play() -> None:
    starters = {int(new(4, seed).starter) for seed in range(30)}
    assert starters == {0, 1, 2, 3}
    state = new(4, start="3")
    assert state.turn == 2
    piles = {place["name"]: place["pile"] for place in GAME.view(state, None)["places"]}
    assert piles["Kadıköy"] == [2, 3, 0, 1]
    with pytest.raises(Refusal):
        new(2, start="3")


@rule("JI-19", "JI-20")
def test_ten_cards_are_dealt_and_lie_upright() -> None:
    for seed in range(30):
        state = new(4, seed)
        lying = [card for card in state.sheet if card >= 0]
        buried = [card for card in state.buried[:6] if card >= 0]
        assert len(lying) + len(buried) == 10
        assert (state.drawn, state.sideways) == (10, 0)


@rule("JI-20")
def test_a_sixth_card_for_a_row_is_discarded_unseen_at_the_set_up() -> None:
    found = [state for state in (new(2, seed) for seed in range(3000)) if max(state.buried[:6]) >= 0]
    assert found, "it happens in about one set-up in two hundred"
    for state in found:
        down = GAME.view(state, 0)["discards"]["down"]
        assert [(card["by"], card["card"]) for card in down] == [(None, None)]
        assert sum(card >= 0 for card in state.sheet) == 9


@rule("JI-22")
def test_a_turn_is_moving_then_looking_then_drawing() -> None:
    table = Table("Sultanahmet", "Kadıköy", "Kadıköy", "Kadıköy", deck=["5th-police-1000", "6th-police-2000"])
    assert table.refused(0, "look", day="2nd", square=1).rule == "JI-22"
    table.play(0, "move", to="Taksim")
    assert table.step == "look"
    assert table.refused(0, "stay").rule == "JI-22"
    assert table.refused(1, "stay").rule == "JI-21"
    table.play(0, "look", day="2nd", square=1)
    names = [event["event"] for event in table.play(0, "look", day="3rd", square=1)]
    assert names == ["looked", "drew", "drew", "turn"]


@rule("JI-24")
def test_an_arriving_marker_goes_on_top() -> None:
    green, red = 0, 1
    table = Table("Sultanahmet", "Taksim", "Kadıköy")
    table.play(green, "move", to="Taksim")
    assert table.view()["places"][0] == {"name": "Taksim", "eyes": 2, "cards": 2, "pile": [red, green]}


@rule("JI-25")
def test_staying_keeps_the_place_in_the_pile_and_leaving_loses_it() -> None:
    table = Table("Üsküdar", "Üsküdar", "Kadıköy")
    table.next_day(None, None, None)
    assert table.view()["places"][3]["pile"] == [0, 1]
    table.next_day(None, None, "Kadıköy")
    table.next_day(None, "Üsküdar", None)
    assert table.view()["places"][3]["pile"] == [1, 0]


@rule("JI-26")
@pytest.mark.parametrize(
    ("here", "to", "eyes"), [("Kadıköy", "Sultanahmet", 1), ("Üsküdar", "Kadıköy", 0), ("Fatih", None, 2)]
)
def test_as_many_looks_as_eyes(here: str, to: str | None, eyes: int) -> None:
    table = Table(here, "Kadıköy", "Kadıköy", "Kadıköy")
    table.play(0, "move", to=to) if to else table.play(0, "stay")
    looks = 0
    while table.step == "look":
        looks += 1
        table.play(0, "look", day=parts.DAYS[looks], square=1)
        assert table.row(parts.DAYS[looks], 0)[0].startswith(parts.DAYS[looks]), (
            "it stays in its place and is now known"
        )
        assert table.row(parts.DAYS[looks], 1)[0] == "?", "the others have not seen it"
    assert looks == eyes
    assert table.state.turn == 1


@rule("JI-27")
def test_looking_is_optional_and_any_card_can_be_looked_at_again() -> None:
    sheet = {"1st": ["~1st-police-2000"]}
    table = Table("Fatih", "Kadıköy", sheet=sheet)
    table.plays(0, "stay", "look: 1st, 1")
    assert table.may(0, "look", day="1st", square=1)
    assert table.refused(0, "look", day="1st", square=2).rule == "JI-26"
    assert table.view(0)["planner"][0] == {
        "day": "1st", "square": 1, "due": 7, "card": "1st-police-2000", "written": "1st-police-2000", "heard": [],
        "told": [],
    }  # fmt: skip
    table.play(0, "end-looking")
    assert table.state.turn == 1


@rule("JI-27")
def test_looking_at_the_same_card_again_takes_a_look() -> None:
    table = Table("Fatih", "Kadıköy")
    table.play(0, "stay")
    for _ in range(2):
        assert table.step == "look"
        table.play(0, "look", day="3rd", square=1)
    assert [event["card"] for event in table.happened("looked", 0)] == [FILLERS["3rd"]] * 2
    assert table.state.turn == 1, "two eyes, two looks"


@rule("JI-28", "JI-29")
def test_drawing_happens_by_itself_and_is_seen_by_the_drawer_alone() -> None:
    table = Table("Taksim", "Kadıköy", "Kadıköy", "Kadıköy", deck=["4th-work-Fatih-6000", "5th-police-1000"])
    table.turn(0)
    assert table.row("5th", 0)[1] == "5th-police-1000"
    assert table.row("4th", 0)[1] == "4th-work-Fatih-6000"
    assert (table.row("5th", 1)[1], table.row("4th", 1)[1]) == ("?", "?")
    assert table.view()["deck"] == {"left": 0, "top": None}
    table.next_day()
    table.next_day()
    table.evening()
    assert table.state.drawn == 36, "the deck is not shuffled again"


@rule("JI-30")
def test_example_red_draws_for_the_4th_and_for_the_current_3rd_day() -> None:
    deck = ["3rd-police-5000", "4th-police-2000"]
    table = Table("Fatih", "Kadıköy", "Kadıköy", "Kadıköy", on="3rd, week 2", deck=deck)
    table.plays(0, "move: Taksim", "look: 5th, 1", "look: 6th, 1")
    assert table.row("4th", 0)[1] == "4th-police-2000"
    assert table.row("3rd", 0)[1] == "~3rd-police-5000"


@rule("JI-31", "JI-32")
def test_a_card_for_a_full_row_is_discarded_seen_only_by_its_drawer() -> None:
    full = [parts.CARDS[card].name for card in parts.OF_DAY[3]]
    table = Table("Taksim", "Kadıköy", "Kadıköy", "Kadıköy", sheet={"4th": full[:5]}, deck=[full[5]])
    table.turn(0)
    assert table.view(0)["discards"]["down"] == [{"day": "4th", "by": 0, "card": full[5]}]
    assert table.view(1)["discards"]["down"] == [{"day": "4th", "by": 0, "card": None}]


@rule("JI-33")
def test_the_upright_cards_of_the_day_are_turned_up() -> None:
    sheet = {"3rd": ["3rd-journey-Fatih-12000", "3rd-work-Taksim-7000", "~3rd-police-5000"]}
    table = Table("Kadıköy", "Kadıköy", on="3rd, week 2", sheet=sheet)
    table.evening()
    assert table.happened("evening")[0]["cards"] == ["3rd-journey-Fatih-12000", "3rd-work-Taksim-7000"]
    assert table.row("3rd") == [None, None, "?", None, None]


RAIDS: dict[int, list[str]] = {
    0: ["3rd-work-Üsküdar-5000"],
    1: ["3rd-police-4000"],
    2: ["3rd-police-5000", "3rd-police-4000"],
}


@rule("JI-34", "JI-35")
@pytest.mark.parametrize(("raids", "fined"), [(0, []), (1, [0]), (2, [0, 1, 2, 3])])
def test_one_raid_is_for_taksim_and_two_for_all_but_kadikoy(raids: int, fined: list[int]) -> None:
    at = ("Taksim", "Fatih", "Sultanahmet", "Üsküdar", "Kadıköy")
    table = Table(*at, on="3rd, week 1", money=[9000] * 5, sheet={"3rd": RAIDS[raids]})
    table.evening()
    assert table.happened("evening")[0]["fined"] == fined
    assert [table.money(seat) for seat in range(5)] == [5000 if seat in fined else 9000 for seat in range(5)]


@rule("JI-35", "JI-36")
def test_example_orange_pays_and_red_goes_to_jail() -> None:
    red, orange, brown, green, yellow = range(5)
    at = ("Taksim", "Taksim", "Sultanahmet", "Sultanahmet", "Kadıköy")
    sheet = {"3rd": ["3rd-police-4000", "3rd-journey-Fatih-12000"]}
    table = Table(*at, on="3rd, week 2", money=[2000, 6000, 6000, 6000, 6000], sheet=sheet, done=[0, 1, 2, 3, 4])
    table.evening()
    assert (table.where(red), table.money(red)) == ("jail", 2000)
    assert (table.where(orange), table.money(orange)) == ("Taksim", 2000)
    assert [table.money(seat) for seat in (brown, green, yellow)] == [6000] * 3
    assert table.view()["players"][red]["jail"] == {"fine": 4000, "until": 12}
    assert table.view()["players"][red]["was"] == "Taksim"
    assert parts.date(12) == "6th day, week 2"
    assert "3rd-police-4000" in table.view()["discards"]["up"]


@rule("JI-36")
def test_example_jailed_on_the_2nd_day_is_released_on_the_5th() -> None:
    table = Table("Taksim", "Kadıköy", on="2nd, week 2", money=[0, 6000], sheet={"2nd": ["2nd-police-1000"]})
    table.evening()
    assert parts.date(table.view()["players"][0]["jail"]["until"]) == "5th day, week 2"


@rule("JI-37")
def test_there_is_no_moment_between_reveal_and_police() -> None:
    table = Table("Taksim", "Kadıköy", on="2nd, week 1", money=[0, 6000], sheet={"2nd": ["2nd-police-1000"]})
    table.turn(0)
    events = table.play(1, "stay")
    assert [event["event"] for event in events] == ["stayed", "evening", "turn"]
    assert events[1]["jailed"] == [0]


JOURNEY = {"2nd": ["2nd-journey-Fatih-11000"]}


@rule("JI-38", "JI-41")
@pytest.mark.parametrize(("money", "done", "asked"), [(11000, [0], True), (11000, [], False), (10000, [0], True)])
def test_a_journey_is_offered_to_players_whose_task_is_done(money: int, done: list[int], asked: bool) -> None:
    table = Table("Fatih", "Kadıköy", on="2nd, week 1", money=[money, 6000], done=done, sheet=JOURNEY)
    table.evening()
    assert (table.step == "journey") == asked
    if asked:
        assert table.may(0, "travel") == (money >= 11000)


@rule("JI-41", "JI-64")
def test_a_friend_can_help_with_the_price_of_a_journey() -> None:
    table = Table("Fatih", "Kadıköy", on="2nd, week 1", money=[10000, 6000], done=[0], sheet=JOURNEY)
    table.evening()
    assert table.refused(0, "travel").rule == "JI-38"
    table.plays(1, "talk: 0", "give: 1000")
    table.play(0, "travel")
    assert table.where(0) == "out"


@rule("JI-38", "JI-42")
def test_a_player_who_paid_a_fine_neither_travels_nor_works_that_day() -> None:
    sheet = {"1st": ["1st-police-2000", "1st-work-Taksim-8000"]}
    table = Table("Taksim", "Kadıköy", on="1st, week 2", done=[0], sheet=sheet)
    table.evening()
    assert table.date == "2nd, week 2"
    assert table.money(0) == 4000
    sheet = {"2nd": ["2nd-police-1000", "2nd-police-3000", "2nd-journey-Fatih-11000"]}
    table = Table("Fatih", "Kadıköy", on="2nd, week 1", money=[20000, 6000], done=[0], sheet=sheet)
    table.evening()
    assert (table.date, table.money(0)) == ("3rd, week 1", 19000)


@rule("JI-39")
def test_the_lowest_in_the_pile_comes_first_and_only_one_goes() -> None:
    table = Table("Fatih", "Fatih", "Fatih", on="2nd, week 1", money=[20000] * 3, done=[0, 1, 2], sheet=JOURNEY)
    table.evening()
    table.play(0, "decline")
    assert table.state.turn == 1
    assert table.refused(2, "travel").rule == "JI-40"
    table.play(1, "travel")
    assert table.date == "3rd, week 1", "nobody else is asked"


@rule("JI-39")
def test_example_nobody_is_in_fatih() -> None:
    at = ("Taksim", "Sultanahmet", "Kadıköy")
    sheet = {"3rd": ["3rd-journey-Fatih-12000"]}
    table = Table(*at, on="3rd, week 2", money=[20000] * 3, done=[0, 1, 2], sheet=sheet)
    table.evening()
    assert table.date == "4th, week 2"


@rule("JI-40", "JI-43")
def test_journeys_and_work_are_offered_place_by_place_cheapest_and_best_paid_first() -> None:
    journeys = [card for card in parts.CARDS if card.kind == parts.JOURNEY]
    assert journeys == sorted(journeys, key=lambda card: (card.place, card.amount))
    works = [card for card in parts.CARDS if card.kind == parts.WORK]
    assert works == sorted(works, key=lambda card: (card.place, -card.amount))
    sheet = {"1st": ["1st-journey-Üsküdar-11000", "1st-journey-Sultanahmet-12000"]}
    table = Table("Üsküdar", "Sultanahmet", money=[20000, 20000], done=[0, 1], sheet=sheet)
    table.evening()
    assert table.state.turn == 1, "Sultanahmet comes before Üsküdar"
    table.play(1, "decline")
    assert table.state.turn == 0


@rule("JI-42")
def test_work_is_offered_from_the_bottom_of_the_pile_and_taken_by_one() -> None:
    table = Table("Fatih", "Fatih", "Kadıköy", sheet={"1st": ["1st-work-Fatih-6000"]})
    table.evening()
    assert (table.step, table.state.turn) == ("work", 0)
    table.play(0, "decline")
    table.play(1, "work")
    assert [table.money(seat) for seat in range(3)] == [6000, 12000, 6000]
    assert table.date == "2nd, week 1"


@rule("JI-43")
def test_a_player_can_take_several_jobs_in_one_day() -> None:
    sheet = {"1st": ["5th-work-Taksim-8000", "3rd-work-Taksim-7000"]}
    table = Table("Taksim", "Kadıköy", sheet=sheet)
    table.evening()
    table.play(0, "work")
    assert table.money(0) == 14000, "the best paid comes first"
    table.play(0, "work")
    assert table.money(0) == 21000


@rule("JI-44")
def test_at_the_end_of_a_day_cards_are_discarded_and_the_starting_marker_passes_on() -> None:
    table = Table("Kadıköy", "Kadıköy", on="3rd, week 2", sheet={"3rd": ["3rd-police-4000", "~3rd-police-5000"]})
    assert table.view()["sheet"][2]["squares"][1]["due"] == 15
    table.evening()
    assert table.date == "4th, week 2"
    assert table.row("3rd") == [None, "?", None, None, None]
    assert "3rd-police-4000" in table.view()["discards"]["up"]
    assert table.state.starter == 1


@rule("JI-45", "JI-71")
def test_the_starting_marker_skips_players_who_are_out_but_not_the_jailed() -> None:
    table = Table("Kadıköy", "out", "jail", "Kadıköy")
    table.state.fine_card[2] = 0
    table.state.release[2] = 9
    order = []
    for _ in range(4):
        order.append(int(table.state.starter))
        table.next_day()
    assert order == [0, 2, 3, 0]
    assert {event["seat"] for event in table.happened("turn")} == {0, 2, 3}


def jailed(**more: Any) -> Table:
    """Seat 0 was jailed in Taksim on the 2nd day of week 1. The fine is 1 000 TL."""
    table = Table("Taksim", "Kadıköy", on="2nd, week 1", money=[0, 6000], sheet={"2nd": ["2nd-police-1000"]}, **more)
    table.evening()
    assert table.where(0) == "jail"
    return table


@rule("JI-46")
def test_in_jail_you_look_at_one_card_and_draw_none() -> None:
    table = jailed(deck=["5th-police-1000", "6th-police-2000", "6th-police-3000"])
    table.turn(1)
    assert (table.step, table.state.turn, table.view()["looks"]) == ("look", 0, 1)
    table.play(0, "look", day="5th", square=1)
    assert table.step == "leave"
    assert table.refused(0, "move", to="Fatih").rule == "JI-48"
    assert table.may(0, "talk", to=1)
    table.play(0, "remain")
    assert table.state.drawn == 35


@rule("JI-47", "JI-49")
def test_release_is_free_and_to_any_neighbourhood() -> None:
    table = jailed()
    table.next_day()
    table.next_day()
    assert table.date == "5th, week 1"
    while table.state.turn != 0:
        table.turn(int(table.state.turn))
    table.play(0, "end-looking")
    assert table.refused(0, "remain").rule == "JI-49"
    assert all(table.may(0, "leave", to=place) for place in parts.PLACES)
    events = table.play(0, "leave", to="Fatih")
    assert "looked" not in [event["event"] for event in events], "no looks in the new place"
    assert (table.where(0), table.money(0)) == ("Fatih", 0)


@rule("JI-48", "JI-49")
def test_a_jailed_player_can_leave_with_borrowed_money_but_is_offered_nothing_that_evening() -> None:
    table = jailed(done=[0])
    table.state.sheet[10] = parts.CARD_NAMES.numbers["3rd-work-Taksim-7000"]
    table.turn(1)
    table.play(0, "end-looking")
    assert table.refused(0, "leave", to="Taksim").rule == "JI-48"
    table.plays(1, "talk: 0", "give: 2000")
    assert table.may(0, "remain"), "paying is a choice"
    table.play(0, "leave", to="Taksim")
    assert table.money(0) == 1000
    assert table.date == "4th, week 1", "no work was offered: a fine was paid that day"


@rule("JI-49")
def test_police_can_come_to_the_place_you_went_to() -> None:
    table = jailed()
    table.state.sheet[10] = parts.CARD_NAMES.numbers["3rd-police-4000"]
    table.turn(1)
    table.plays(1, "talk: 0", "give: 1000")
    table.plays(0, "end-looking", "leave: Taksim")
    assert table.happened("evening")[-1]["jailed"] == [0]


@rule("JI-50")
def test_a_released_player_counts_as_being_in_the_place_chosen() -> None:
    table = jailed(obstacle=["Scattered family", "Medicine"])
    table.state.visits[1] = table.state.visits[2] = 1 << 1
    table.state.release[0] = 3
    table.turn(1)
    table.plays(0, "end-looking", "leave: Üsküdar")
    assert table.done(0)


@rule("JI-50", "JI-73")
def test_jailed_on_the_last_days_means_jailed_at_the_end() -> None:
    table = Table("Taksim", "Kadıköy", on="4th, week 3", money=[0, 6000], sheet={"4th": ["4th-police-2000"]})
    for _ in range(3):
        table.next_day()
    assert table.step == "over"
    assert table.where(0) == "jail"
    assert [row["lines"][0]["value"] for row in GAME.final(table.state)] == ["in jail", "in Kadıköy"]
