"""The obstacle and opportunity cards of The Journey: Istanbul."""

from typing import Any

import pytest

from grandtour.games.journey_istanbul import parts
from tests.games.journey_istanbul.positions import Table
from tests.rules import rule


def walk(table: Table, *places: str | None) -> None:
    """Seat 0 goes from place to place, one each day, while seat 1 stays in Kadıköy."""
    for place in places:
        table.next_day(*([place, None] if table.state.turn == 0 else [None, place]))


def traveller(
    obstacle: str = "Documents", opportunity: str = "Work Permit", at: str = "Sultanahmet", **more: Any
) -> Table:
    chance = "Trusted source" if opportunity != "Trusted source" else "Work Permit"
    other = "Medicine" if obstacle != "Medicine" else "Documents"
    return Table(at, "Kadıköy", obstacle=[obstacle, other], opportunity=[opportunity, chance], **more)


def marked(table: Table, kind: str) -> list[bool]:
    circles: list[bool] = table.view()["players"][0][kind]["circles"]
    return circles


@rule("JI-51")
def test_there_are_as_many_markers_as_circles_on_the_cards() -> None:
    cards = parts.PARTS["obstacles"] + parts.PARTS["opportunities"]
    assert (len(parts.OBSTACLES), len(parts.OPPORTUNITIES)) == (5, 5)
    assert sum(len(card["circles"]) for card in cards) == 19


@rule("JI-51", "JI-56")
def test_example_documents_over_the_2nd_and_the_4th_day() -> None:
    table = traveller("Documents", on="2nd, week 2")
    walk(table, "Taksim")
    assert marked(table, "obstacle") == [True, False]
    assert table.view()["players"][0]["obstacle"]["days"] == [10]
    walk(table, None)
    assert not table.done(0)
    assert table.date == "4th, week 2"
    walk(table, "Fatih")
    assert marked(table, "obstacle") == [True, True]
    assert table.done(0)


@rule("JI-52", "JI-56")
def test_documents_start_over_when_the_day_is_missed() -> None:
    table = traveller("Documents", on="2nd, week 2")
    walk(table, "Taksim", "Sultanahmet", "Sultanahmet", "Fatih")
    assert not table.done(0), "three days later is too late"
    assert marked(table, "obstacle") == [False, False]
    table = traveller("Documents", on="2nd, week 2")
    walk(table, "Taksim", "Fatih")
    assert not table.done(0), "one day later is too early"
    walk(table, "Fatih")
    assert table.done(0)


@rule("JI-53")
def test_every_visit_can_start_the_task_and_staying_counts_as_another_visit() -> None:
    table = traveller("Documents")
    walk(table, "Taksim", None, "Fatih")
    assert table.done(0), "in Taksim on days 1 and 2, in Fatih on day 3"
    table = traveller("Documents")
    walk(table, "Taksim", None, None, "Fatih")
    assert table.done(0)
    table = traveller("Documents")
    walk(table, "Taksim", None, "Sultanahmet", "Fatih")
    assert table.done(0), "the visit on day 2 was the beginning"


@rule("JI-55")
def test_burden_of_memories_is_two_consecutive_days_in_fatih() -> None:
    table = traveller("Burden of memories")
    walk(table, "Fatih", "Taksim", "Fatih")
    assert not table.done(0)
    assert table.view()["players"][0]["obstacle"]["days"] == [4]
    walk(table, None)
    assert table.done(0)


@rule("JI-55", "JI-52")
def test_burden_of_memories_starts_over_in_jail() -> None:
    sheet = {"1st": ["1st-police-2000", "1st-police-4000"]}
    table = traveller("Burden of memories", money=[1000, 6000], sheet=sheet)
    walk(table, "Fatih")
    assert table.where(0) == "jail"
    table.state.release[0] = 3
    table.next_day()
    while table.step != "leave":
        table.turn(1) if table.state.turn == 1 else table.play(0, "end-looking")
    table.play(0, "leave", to="Fatih")
    assert not table.done(0)
    while table.state.day < 4:
        table.turn(int(table.state.turn))
    table.next_day()
    assert table.done(0), "the day of the release and the next"


@rule("JI-57")
@pytest.mark.parametrize(
    "route", [("Fatih", "Sultanahmet", "Kadıköy", "Üsküdar"), ("Kadıköy", "Üsküdar", "Taksim", "Fatih", "Sultanahmet")]
)
def test_scattered_family_is_three_places_in_any_order(route: tuple[str, ...]) -> None:
    table = traveller("Scattered family")
    walk(table, *route[:-1])
    assert not table.done(0)
    walk(table, route[-1])
    assert table.done(0)


def medicine(*route: str, money: int = 6000) -> Table:
    """Seat 0 has been in Üsküdar on day 1 and then walked on; now it is its turn."""
    table = traveller("Medicine", at="Kadıköy", money=[money, 6000])
    walk(table, "Üsküdar", *route)
    while table.state.turn != 0:
        table.turn(1)
    return table


@rule("JI-58", "JI-54")
@pytest.mark.parametrize(
    ("route", "offered"),
    [(("Kadıköy",), True), (("Kadıköy", "Kadıköy"), True), (("Kadıköy", "Kadıköy", "Kadıköy"), False)],
)
def test_medicine_is_paid_for_within_three_days(route: tuple[str, ...], offered: bool) -> None:
    table = medicine(*route)
    table.play(0, "move", to="Sultanahmet")
    assert (table.step == "pay") == offered
    if offered:
        table.play(0, "pay")
        assert table.done(0)
        assert table.money(0) == 5000


@rule("JI-54")
def test_a_part_can_be_declined_and_is_offered_again_another_day() -> None:
    table = medicine("Kadıköy")
    table.plays(0, "move: Sultanahmet", "decline")
    assert table.step == "look"
    assert not table.done(0)
    table.play(0, "end-looking")
    while not (table.state.turn == 0 and table.step == "move"):
        table.turn(int(table.state.turn))
    table.play(0, "stay")
    assert table.step == "pay", "day 4 is still within three days"


@rule("JI-54", "JI-64")
def test_a_friend_can_pay_for_a_part() -> None:
    table = medicine("Kadıköy", money=0)
    table.play(0, "move", to="Sultanahmet")
    assert table.refused(0, "pay").rule == "JI-54"
    table.plays(1, "talk: 0", "give: 1000")
    table.play(0, "pay")
    assert table.done(0)


@rule("JI-58")
def test_old_debt_is_paid_on_two_different_days_in_taksim() -> None:
    table = traveller("Old debt")
    table.plays(0, "move: Taksim", "pay")
    assert marked(table, "obstacle") == [True, False]
    table.play(0, "end-looking")
    table.turn(1)
    table.turn(1)
    table.plays(0, "stay", "pay")
    assert table.done(0)
    assert table.money(0) == 4000


@rule("JI-54", "JI-59")
def test_money_from_the_opportunity_pays_for_a_part_on_the_same_arrival() -> None:
    table = traveller("Old debt", "Money Transfer", money=[0, 6000])
    walk(table, "Taksim", "Sultanahmet")
    table.play(0, "move", to="Taksim")
    assert table.step == "pay"
    table.play(0, "pay")
    assert table.money(0) == 9000


@rule("JI-59")
@pytest.mark.parametrize(
    ("route", "collected"),
    [
        (("Sultanahmet", "Taksim"), True),
        (("Sultanahmet", "Sultanahmet", "Taksim"), True),
        (("Sultanahmet", "Sultanahmet", "Sultanahmet", "Taksim"), False),
    ],
)
def test_money_transfer_is_collected_within_three_days(route: tuple[str, ...], collected: bool) -> None:
    table = traveller(opportunity="Money Transfer")
    walk(table, "Taksim", *route)
    assert table.bonus(0) == collected
    assert table.money(0) == (16000 if collected else 6000)


@rule("JI-59")
def test_money_transfer_is_collected_once() -> None:
    table = traveller(opportunity="Money Transfer")
    walk(table, "Taksim", "Sultanahmet", "Taksim", "Sultanahmet", "Taksim")
    assert table.money(0) == 16000


@rule("JI-62")
def test_money_transfer_requires_leaving_taksim_in_between() -> None:
    table = traveller(opportunity="Money Transfer")
    walk(table, "Taksim", None, None)
    assert not table.bonus(0)
    walk(table, "Üsküdar", "Taksim")
    assert table.bonus(0), "the time runs from the last day there"


@rule("JI-50", "JI-62")
def test_jail_counts_as_having_left_taksim() -> None:
    table = traveller(opportunity="Money Transfer", money=[1000, 6000], sheet={"1st": ["1st-police-2000"]})
    walk(table, "Taksim")
    assert table.where(0) == "jail"
    table.turn(1)
    table.plays(1, "talk: 0", "give: 1000")
    table.plays(0, "end-looking", "leave: Taksim")
    assert table.money(0) == 10000, "the fine of 2 000 TL is paid, and 10 000 TL are collected"


def driver(money: int = 20000, **more: Any) -> Table:
    """Purple knows the driver and is in Taksim when a journey is offered there."""
    sheet = {"4th": ["4th-journey-Taksim-8000"]}
    chances = ["Knowing the Driver", "Work Permit"]
    return Table("Taksim", "Taksim", on="4th, week 2", money=[money] * 2, opportunity=chances, sheet=sheet, **more)


@rule("JI-60")
def test_example_brown_stands_in_taksim_when_a_journey_is_revealed() -> None:
    table = driver()
    table.evening()
    assert table.bonus(0)
    assert not table.bonus(1)
    assert table.happened("evening")[0]["completed"] == [0]


@rule("JI-60", "JI-62")
def test_the_discount_begins_the_next_day_and_never_pays_out() -> None:
    table = driver(done=[0])
    table.evening()
    assert table.view()["offer"]["amount"] == 8000, "not yet"
    table.play(0, "decline")
    assert table.date == "5th, week 2"
    table.state.sheet[20] = parts.CARD_NAMES.numbers["6th-journey-Taksim-10000"]
    table.evening()
    assert table.view()["offer"]["amount"] == 5000
    table.state.bonus[0] = 1
    cheap = parts.CARDS[parts.CARD_NAMES.numbers["4th-journey-Taksim-8000"]]
    assert max(cheap.amount - 2 * parts.DISCOUNT, 0) == 0
    assert table.state.cost(0, parts.CARD_NAMES.numbers["4th-journey-Taksim-8000"]) == 3


@rule("JI-40", "JI-60")
def test_a_player_who_knows_the_driver_goes_first() -> None:
    chances = ["Work Permit", "Knowing the Driver"]
    table = Table("Fatih", "Fatih", on="2nd, week 2", money=[20000] * 2, opportunity=chances, done=[0, 1])
    table.state.bonus[1] = 3
    table.evening()
    assert table.state.turn == 1
    table.play(1, "travel")
    assert table.money(1) == 14000, "11 000 TL less 5 000"


@rule("JI-62")
def test_the_driver_is_known_before_the_police_come() -> None:
    sheet = {"4th": ["4th-journey-Taksim-8000", "4th-police-2000"]}
    chances = ["Knowing the Driver", "Work Permit"]
    table = Table("Taksim", "Kadıköy", on="4th, week 2", money=[1000, 6000], opportunity=chances, sheet=sheet)
    table.evening()
    assert table.bonus(0)
    assert table.where(0) == "jail"


@rule("JI-61")
def test_example_a_work_permit_in_sultanahmet() -> None:
    table = traveller(opportunity="Work Permit", on="5th, week 2")
    walk(table, "Fatih", "Sultanahmet", "Taksim")
    assert table.date == "2nd, week 3"
    assert table.bonus(0)
    cards = ["2nd-police-1000", "2nd-police-3000", "2nd-work-Sultanahmet-6000"]
    for square, card in enumerate(cards, 5):
        table.state.sheet[square] = parts.CARD_NAMES.numbers[card]
    while table.state.turn != 0:
        table.turn(1)
    table.turn(0, "Sultanahmet")
    table.evening()
    assert table.happened("evening")[-1]["spared"] == [0]
    assert table.step == "work"
    table.play(0, "work")
    assert table.money(0) == 12000


@rule("JI-61")
def test_a_work_permit_is_fatih_first_and_then_taksim() -> None:
    table = traveller(opportunity="Work Permit")
    walk(table, "Taksim", "Fatih")
    assert not table.bonus(0)
    walk(table, "Sultanahmet", "Sultanahmet", "Taksim")
    assert table.bonus(0)


@rule("JI-62")
def test_a_work_permit_helps_at_once_but_only_where_work_is_revealed() -> None:
    for work, spared in (("1st-work-Taksim-8000", [0]), ("1st-work-Fatih-6000", [])):
        sheet = {"1st": ["1st-police-2000", work]}
        table = traveller(opportunity="Work Permit", at="Fatih", on="1st, week 2", sheet=sheet)
        table.state.visits[1] = 1 << 6
        table.turn(0, "Taksim")
        assert table.bonus(0)
        table.evening()
        evening = table.happened("evening")[0]
        assert (evening["spared"], evening["fined"]) == (spared, [] if spared else [0])


@rule("JI-63")
def test_a_trusted_source_gives_two_more_looks_from_the_next_turn_on() -> None:
    table = traveller(opportunity="Trusted source", at="Kadıköy")
    walk(table, "Üsküdar", "Taksim")
    while table.state.turn != 0:
        table.turn(1)
    table.play(0, "move", to="Fatih")
    assert table.bonus(0)
    assert table.view()["looks"] == 2
    table.play(0, "end-looking")
    while not (table.state.turn == 0 and table.step == "move"):
        table.turn(int(table.state.turn))
    table.play(0, "stay")
    assert table.view()["looks"] == 4
    table.state.place[0] = parts.JAIL
    assert table.state.eyes(0) == 1, "not in jail"


@rule("JI-63")
def test_the_cousins_workshop_comes_first_and_pays_more() -> None:
    sheet = {"2nd": ["2nd-work-Sultanahmet-6000"], "4th": ["4th-work-Sultanahmet-7000"]}
    chances = ["Work Permit", "Cousin's workshop"]
    table = Table("Sultanahmet", "Sultanahmet", on="2nd, week 1", opportunity=chances, sheet=sheet)
    table.evening()
    assert table.bonus(1)
    assert (table.state.turn, table.view()["offer"]["amount"]) == (0, 6000), "from the next day on"
    table.next_day()
    table.next_day()
    table.evening()
    assert (table.state.turn, table.view()["offer"]["amount"]) == (1, 10000)
    table.play(1, "work")
    assert table.money(1) == 16000


@rule("JI-53", "JI-59")
def test_the_planner_says_when_the_next_part_can_be_done() -> None:
    table = traveller("Documents", "Money Transfer")
    table.turn(0, "Taksim")
    player = table.view()["players"][0]
    assert (player["obstacle"]["place"], player["obstacle"]["days"]) == ("Fatih", [3])
    assert (player["opportunity"]["circles"], player["opportunity"]["days"]) == ([True, False], [3, 4])
    table.turn(1)
    table.turn(1)
    table.turn(0, "Sultanahmet")
    assert table.view()["players"][0]["opportunity"]["days"] == [3, 4]
