"""Giving money and talking in The Journey: Istanbul, and the end of the game."""

from typing import Any

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.games.journey_istanbul.parts import CARD_NAMES, DAYS, PARTS
from grandtour.games.journey_istanbul.words import lira
from tests.games.journey_istanbul.positions import Table
from tests.rules import rule

GAME = catalogue.game("journey-istanbul")
THIRD = "3rd-journey-Sultanahmet-10000"


def three(**more: Any) -> Table:
    """Three players in Kadıköy; seat 0 has looked at the only card of the 3rd day."""
    table = Table("Kadıköy", "Kadıköy", "Kadıköy", **more)
    table.see(0, "3rd")
    return table


def point(table: Table, seat: int, to: int | str) -> None:
    table.play(seat, "talk", to=to)
    table.play(seat, "point", day="3rd", square=1)


@rule("JI-64", "JI-66")
def test_money_can_be_given_out_of_turn_and_to_anyone() -> None:
    table = three(money=[6000, 6000, 2000])
    table.plays(2, "talk: 0", "give: 2000")
    assert [table.money(seat) for seat in range(3)] == [8000, 6000, 0]
    gift = {"event": "gave", "seat": 2, "to": 0, "amount": 2000}
    assert table.happened("gave", 1) == [gift], "everybody sees who gives money to whom"
    table.play(2, "talk", to=0)
    assert table.refused(2, "give", amount=1000).rule == "JI-64"


@rule("JI-65", "JI-68")
def test_example_green_asks_what_is_on_a_card_for_1000() -> None:
    green, other = 1, 0
    table = three()
    point(table, green, "all")
    table.play(green, "ask", price=1000)
    assert table.view(2)["questions"] == [
        {"from": 1, "to": "all", "noes": [], "day": "3rd", "square": 1, "price": 1000, "answers": []}
    ]
    table.answer(other, green, THIRD)
    assert table.view(2)["questions"][0]["answers"] == [other], "everyone hears who knows it"
    assert (table.money(green), table.heard(green)) == (6000, []), (
        "it is an offer: nothing is paid and nothing said yet"
    )
    table.play(green, "accept", from_=other)
    assert (table.money(green), table.money(other)) == (5000, 7000)
    assert table.view(green)["planner"][0]["heard"] == [{"from": 0, "card": THIRD}]
    assert table.heard(2) == [], "only the asker hears the answer"
    assert table.refused(2, "reply", to=green).rule == "JI-68", "it is answered"


@rule("JI-68")
def test_a_player_who_asks_everyone_chooses_whose_answer_to_pay() -> None:
    table = three()
    point(table, 1, "all")
    table.play(1, "ask", price=2000)
    table.answer(2, 1, "3rd-police-4000")
    table.answer(0, 1, THIRD)
    assert table.view(None)["questions"][0]["answers"] == [0, 2]
    assert table.view(None)["sheet"][2]["squares"][0]["looked"] == [0], "seat 2 has not even looked"
    assert table.view(2)["reply"] == {"to": 1, "day": "3rd", "square": 1, "card": "3rd-police-4000"}
    assert [line["what"] for line in table.heard(1)] == []
    assert table.refused(0, "accept", from_=2).rule == "JI-68", "the asker has to choose"
    assert table.refused(1, "accept", from_=1).rule == "JI-68"
    table.play(1, "accept", from_=0)
    assert [table.money(seat) for seat in range(3)] == [8000, 4000, 6000]
    assert table.view(1)["planner"][0]["heard"] == [{"from": 0, "card": THIRD}], (
        "what seat 2 would have said is not heard"
    )
    assert (table.view(2)["reply"], table.view(2)["questions"]) == (None, [])


@rule("JI-68")
def test_an_offer_to_answer_can_be_taken_back_and_goes_with_its_question() -> None:
    table = three(money=[6000, 2000, 6000])
    point(table, 1, "all")
    table.play(1, "ask", price=2000)
    table.answer(0, 1, THIRD)
    table.play(0, "withdraw")
    assert table.view(1)["questions"][0]["answers"] == []
    table.answer(0, 1, THIRD)
    table.play(0, "deny", to=1)
    assert (table.view(0)["reply"], table.view(1)["questions"][0]["noes"]) == (None, [0])
    table.answer(0, 1, THIRD)
    assert table.view(1)["questions"][0]["noes"] == [], "the seat may change its mind"
    table.plays(1, "talk: 2", "give: 1000")
    assert table.refused(1, "accept", from_=0).rule == "JI-68", "the money is gone"
    assert table.refused(2, "reply", to=1).rule == "JI-68"
    table.play(1, "withdraw")
    assert table.view(0)["reply"] is None


@rule("JI-68")
def test_an_answer_is_dropped_when_the_question_is_over_or_cannot_be_paid() -> None:
    table = three(money=[6000, 1000, 6000])
    point(table, 1, 0)
    table.play(1, "ask", price=1000)
    table.play(0, "reply", to=1)
    assert table.refused(0, "ask", price=0).rule == "JI-68"
    table.plays(1, "talk: 2", "give: 1000")
    assert table.refused(0, "claim", subject="police").rule == "JI-68"
    table.play(1, "withdraw")
    assert table.view(0)["dialogue"] is None


@rule("JI-68")
def test_a_question_for_nothing_or_to_one_is_answered_at_once() -> None:
    table = three()
    point(table, 1, "all")
    table.play(1, "ask", price=0)
    table.answer(0, 1, THIRD)
    assert (table.heard(1)[-1]["card"], table.view(1)["questions"]) == (THIRD, [])
    point(table, 2, 0)
    table.play(2, "ask", price=1000)
    table.answer(0, 2, THIRD)
    assert (table.money(0), table.money(2), table.heard(2)[-1]["card"]) == (7000, 5000, THIRD)


@rule("JI-65", "JI-46", "JI-68")
def test_example_red_in_jail_offers_to_tell_brown_for_1000() -> None:
    red, brown = 1, 0
    table = Table("Kadıköy", "jail", "Kadıköy")
    table.state.fine_card[red] = 0
    table.state.release[red] = 4
    point(table, red, brown)
    table.sell(red, THIRD, 1000)
    offer = {"from": 1, "to": 0, "day": "3rd", "square": 1, "price": 1000}
    assert table.view(brown)["offers"] == [offer], "what it is, is not said yet"
    assert table.view(red)["offers"] == [{**offer, "card": THIRD}]
    assert table.view(2)["offers"] == []
    assert [words["what"] for words in table.heard(brown)] == ["offered"]
    assert table.heard(2) == []
    table.play(brown, "buy", from_=red)
    assert (table.money(brown), table.money(red)) == (5000, 7000)
    assert table.heard(brown)[-1]["card"] == THIRD
    assert table.view(brown)["words"]["last"] == {
        "what": "told", "from": 1, "day": "3rd", "square": 1, "card": THIRD, "price": 0,
    }  # fmt: skip


@rule("JI-65")
def test_event_cards_themselves_are_never_shown() -> None:
    assert not [verb for verb in GAME.moves.verbs if "card" in verb]


@rule("JI-66")
def test_you_choose_a_listener_and_a_card_before_you_speak() -> None:
    table = three()
    assert table.refused(0, "talk", to=0).rule == "JI-66"
    assert table.refused(0, "talk", to=4).rule == "JI-66"
    assert table.refused(0, "give", amount=1000).rule == "JI-66"
    assert table.refused(0, "hush").rule == "JI-66"
    table.play(0, "talk", to="all")
    assert table.refused(0, "give", amount=1000).rule == "JI-66"
    assert table.refused(0, "claim", subject="police").rule == "JI-66"
    assert table.refused(0, "point", day="3rd", square=2).rule == "JI-66"
    assert table.refused(0, "talk", to=1).rule == "JI-66"
    table.play(0, "point", day="3rd", square=1)
    assert table.refused(0, "show", week=1).rule == "JI-66"
    assert table.refused(0, "amount", amount=1000).rule == "JI-67"
    assert table.refused(0, "state").rule == "JI-67"
    table.put(0, THIRD)
    assert table.refused(0, "offer", price=1000).rule == "JI-66", "nothing is sold to everybody"
    assert table.refused(0, "claim", subject="police").rule == "JI-67"
    assert table.refused(0, "ask", price=0).rule == "JI-66"
    assert table.view(0)["dialogue"]["statement"] == THIRD
    table.play(0, "hush")
    assert table.view(0)["dialogue"] is None
    assert table.may(0, "stay"), "talk does not take the turn"


@rule("JI-67")
def test_a_statement_reaches_only_those_it_is_said_to_and_need_not_be_true() -> None:
    table = three()
    point(table, 0, 1)
    table.tell(0, "3rd-police-4000")
    assert [words["card"] for words in table.heard(1)] == ["3rd-police-4000"]
    assert table.heard(2) == table.heard(None) == []
    point(table, 0, "all")
    table.tell(0, THIRD)
    assert [words["card"] for words in table.heard(2)] == [THIRD]
    assert table.view(0)["planner"][0]["told"] == [{"to": 1, "card": THIRD}, {"to": 2, "card": THIRD}]


@rule("JI-67")
@pytest.mark.parametrize("card", ["3rd-journey-Kadıköy-1000", "3rd-police-13000", "3rd-work-Taksim-13000"])
def test_a_lie_can_combine_any_printed_kind_neighbourhood_and_amount(card: str) -> None:
    assert card not in CARD_NAMES.names
    table = three()
    point(table, 0, 1)
    table.tell(0, card)
    assert table.view(1)["planner"][0]["heard"] == [{"from": 0, "card": card}]
    assert table.view(1)["words"]["last"]["card"] == card
    assert "3rd day is" in table.said(1)


@rule("JI-67")
def test_a_statement_is_put_together_from_short_lists() -> None:
    table = three()
    point(table, 0, 1)
    for step in ("claim", "amount"):
        new = [move for move in table.state.legal(0) if GAME.moves.verb(move).name == step]
        assert 0 < len(new) <= 13
        table.play(0, **GAME.moves.name(new[0]))
    assert len(table.state.legal(0)) < 20


@rule("JI-67")
def test_the_reveal_shows_who_told_the_truth() -> None:
    table = three(on="3rd, week 1")
    for to, card in ((1, THIRD), (2, "3rd-police-4000")):
        point(table, 0, to)
        table.tell(0, card)
    table.evening()
    assert table.view(1)["trust"][0] == {"seat": 0, "true": 1, "false": 0}
    assert table.view(2)["trust"][0] == {"seat": 0, "true": 0, "false": 1}
    assert table.view(1)["planner"] == []


@rule("JI-68")
def test_you_cannot_pay_more_than_you_have() -> None:
    table = three(money=[6000, 1000, 0])
    point(table, 0, 1)
    table.sell(0, THIRD, 2000)
    assert table.refused(1, "buy", from_=0).rule == "JI-68"
    assert table.refused(2, "buy", from_=0).rule == "JI-68"
    table.play(1, "refuse", from_=0)
    assert table.view(1)["offers"] == []
    assert table.heard(0)[-1]["what"] == "refused"
    point(table, 2, 0)
    assert table.refused(2, "ask", price=1000).rule == "JI-68"
    table.play(2, "ask", price=0)
    assert table.refused(1, "reply", to=2).rule == "JI-68", "the question is not for everybody"
    table.answer(0, 2, THIRD)
    point(table, 1, 0)
    table.plays(1, "ask: 1000", "talk: 2", "give: 1000")
    assert table.refused(0, "reply", to=1).rule == "JI-68", "the money is gone"


@rule("JI-68")
def test_a_new_offer_replaces_the_old_one_and_lapses_when_its_card_is_revealed() -> None:
    table = three(on="2nd, week 1")
    for to in (1, 2):
        point(table, 0, to)
        table.sell(0, THIRD, 1000)
    assert (table.view(1)["offers"], len(table.view(2)["offers"])) == ([], 1)
    point(table, 1, "all")
    table.play(1, "ask", price=1000)
    table.play(2, "talk", to=0)
    table.next_day()
    assert (len(table.view(2)["offers"]), len(table.view(0)["questions"])) == (1, 1), "that card is for tomorrow"
    assert table.view(2)["dialogue"] is None
    assert table.may(2, "buy", from_=0)
    table.evening()
    assert (table.view(2)["offers"], table.view(0)["questions"]) == ([], [])


@rule("JI-68")
def test_an_offer_and_a_question_can_be_taken_back() -> None:
    table = three()
    assert table.refused(0, "withdraw").rule == "JI-68"
    point(table, 0, 1)
    table.sell(0, THIRD, 1000)
    point(table, 0, "all")
    table.plays(0, "ask: 1000", "withdraw")
    assert (table.view(1)["offers"], table.view(1)["questions"]) == ([], [])
    assert table.heard(0)[-1]["what"] == "withdrawn"


@rule("JI-66", "JI-68")
def test_a_player_asked_for_money_gives_exactly_that_or_says_no() -> None:
    table = three(money=[6000, 3000, 4000])
    table.plays(1, "talk: all", "request: 4000")
    assert table.view(0)["requests"] == [{"from": 1, "to": "all", "noes": [], "amount": 4000}]
    assert table.refused(0, "reply", to=1).rule == "JI-68", "it is not a question about a card"
    table.play(0, "deny", to=1)
    assert table.view(1)["words"]["last"] == {"what": "denied", "from": 0}
    assert table.view(None)["requests"][0]["noes"] == [0]
    assert table.refused(0, "deny", to=1).rule == "JI-68"
    table.play(2, "help", to=1)
    assert [table.money(seat) for seat in range(3)] == [6000, 7000, 0]
    assert table.view(1)["requests"] == []
    assert table.refused(0, "help", to=1).rule == "JI-68"


@rule("JI-68")
def test_a_question_ends_when_everyone_asked_has_said_no() -> None:
    table = three(money=[2000, 3000, 4000])
    table.plays(1, "talk: 0", "request: 3000")
    assert table.refused(0, "help", to=1).rule == "JI-64", "it is more than that player has"
    assert table.refused(2, "deny", to=1).rule == "JI-68", "nobody asked"
    assert (len(table.view(0)["requests"]), table.view(2)["requests"]) == (1, [])
    table.play(0, "deny", to=1)
    assert table.view(1)["requests"] == []
    assert table.heard(2) == []
    point(table, 1, "all")
    table.play(1, "ask", price=0)
    assert table.refused(2, "help", to=1).rule == "JI-68", "it is a question about a card"
    table.play(2, "deny", to=1)
    assert len(table.view(0)["questions"]) == 1
    table.play(0, "deny", to=1)
    assert table.view(0)["questions"] == []


@rule("JI-68", "JI-41")
def test_a_request_for_money_lapses_with_the_day() -> None:
    table = Table("Fatih", "Kadıköy", on="2nd, week 1", done=[0])
    table.evening()
    table.plays(0, "talk: all", "request: 5000", "decline")
    assert table.state.day == 3
    assert table.view(1)["requests"] == []


def short_of_2000(*money: int) -> Table:
    """Seat 0 stands where a journey for 11 000 TL is offered, and asks everyone for the missing 2 000 TL."""
    table = Table("Fatih", "Kadıköy", "Kadıköy", "jail", on="2nd, week 1", money=[9000, *money], done=[0])
    table.state.fine_card[3] = 0
    table.state.release[3] = 9
    table.evening()
    table.plays(0, "talk: all", "request: 2000")
    return table


@rule("JI-70", "JI-41")
def test_the_game_waits_for_a_request_until_everyone_who_could_help_has_answered() -> None:
    table = short_of_2000(5000, 1000, 3000)
    assert (table.state.waiting(), table.view(None)["asked"]) == ([1], 1)
    assert "give it, or say no" in GAME.prompt(table.state, 1)["text"]
    assert "has not answered yet" in GAME.prompt(table.state, 0)["text"]
    table.play(1, "deny", to=0)
    assert table.state.waiting() == [3], "seat 2 does not have that much, and a player in jail may help"
    table.play(3, "help", to=0)
    assert (table.state.waiting(), table.view(0)["asked"]) == ([0], None)
    table.play(0, "travel")
    assert table.where(0) == "out"


@rule("JI-70")
def test_the_asker_can_continue_without_an_answer() -> None:
    table = short_of_2000(5000, 5000, 5000)
    table.play(0, "decline")
    assert (table.state.day, table.view(1)["requests"]) == (3, [])


@rule("JI-70")
def test_the_game_does_not_wait_for_a_private_request_or_an_early_one() -> None:
    table = Table("Kadıköy", "Kadıköy", "Kadıköy")
    table.plays(0, "talk: all", "request: 2000")
    assert table.state.waiting() == [0], "there is nothing to pay for now"
    table = Table("Fatih", "Kadıköy", "Kadıköy", on="2nd, week 1", done=[0])
    table.evening()
    table.plays(0, "talk: 1", "request: 5000")
    assert table.state.waiting() == [0], "only the two players know of a private request"


@rule("JI-70")
def test_you_can_talk_twenty_times_a_day() -> None:
    table = three()
    for _ in range(20):
        table.plays(1, "talk: 0", "hush")
    assert table.refused(1, "talk", to=0).rule == "JI-70"
    point(table, 0, 1)
    table.play(0, "ask", price=0)
    assert table.refused(1, "reply", to=0).rule == "JI-70"
    table.play(1, "deny", to=0)
    assert table.may(2, "talk", to=0)
    table.evening()
    assert table.may(1, "talk", to=0), "tomorrow is another day"


@rule("JI-70")
def test_talk_is_possible_while_a_journey_is_offered() -> None:
    table = Table("Fatih", "Kadıköy", "jail", on="2nd, week 1", done=[0])
    table.state.fine_card[2] = 0
    table.state.release[2] = 9
    table.evening()
    assert table.step == "journey"
    assert all(table.may(seat, "talk", to=(seat + 1) % 3) for seat in range(3))


def leaving(*money: int, winner: str = "richest", last: bool = True) -> Table:
    """Each seat has finished its task and has its own journey on the last day, or on the day before."""
    places = ("Üsküdar", "Sultanahmet", "Fatih")
    cards = ["6th-journey-Üsküdar-12000", "3rd-journey-Sultanahmet-10000", "2nd-journey-Fatih-11000"]
    seats = len(money)
    return Table(
        *places[:seats],
        on=f"6th, week {3 if last else 2}",
        money=list(money),
        done=list(range(seats)),
        sheet={"6th": cards},
        winner=winner,
    )


def out(table: Table, *seats: int) -> None:
    table.evening()
    while table.step == "journey":
        seat = int(table.state.turn)
        table.play(seat, "travel" if seat in seats else "decline")


@rule("JI-71", "JI-72")
def test_a_player_who_is_out_takes_no_part() -> None:
    table = leaving(20000, 20000, 20000, last=False)
    out(table, 1)
    assert table.where(1) == "out"
    assert table.state.legal(1) == []
    assert table.refused(1, "talk", to=0).rule == "JI-72"
    assert table.refused(0, "talk", to=1).rule == "JI-72"
    assert table.money(1) == 10000
    before = table.view(1)["planner"]
    table.plays(0, "talk: all", "point: 3rd, 1")
    table.tell(0, "3rd-police-4000")
    assert table.view(1)["planner"] == before
    table.next_day()
    assert 1 not in {event["seat"] for event in table.happened("turn") if event["day"] > 12}


@rule("JI-72")
def test_offers_to_a_player_who_leaves_are_dropped() -> None:
    table = leaving(20000, 20000, last=False)
    table.evening()
    seat = int(table.state.turn)
    table.play(1 - seat, "talk", to=seat)
    table.play(seat, "travel")
    assert table.view(1 - seat)["dialogue"] is None
    assert table.refused(1 - seat, "talk", to="all").rule == "JI-72"


@rule("JI-73")
def test_the_game_ends_when_all_are_out() -> None:
    table = leaving(20000, 20000, last=False)
    out(table, 0, 1)
    assert (table.step, table.view()["ending"]) == ("over", "all")
    assert table.happened("over")[0]["how"] == "all"


@rule("JI-73")
def test_the_game_ends_when_there_are_no_more_cards() -> None:
    bare: dict[str, list[str]] = {name: [] for name in DAYS}
    table = Table("Kadıköy", "Kadıköy", on="2nd, week 1", sheet={**bare, "2nd": ["2nd-police-1000"]})
    table.evening()
    assert (table.step, table.view()["ending"]) == ("over", "cards")
    sheet = {**bare, "2nd": ["2nd-police-1000"], "5th": ["5th-police-1000"]}
    table = Table("Kadıköy", "Kadıköy", on="2nd, week 1", sheet=sheet)
    table.next_day()
    assert table.step == "move", "a card still lies on the sheet"
    sheet = {**bare, "2nd": ["~2nd-police-1000"]}
    table = Table("Kadıköy", "Kadıköy", on="2nd, week 1", sheet=sheet)
    table.next_day()
    assert table.step == "move", "a sideways card is a card"


@rule("JI-73")
def test_the_game_ends_after_three_weeks() -> None:
    table = Table("Kadıköy", "Kadıköy", on="6th, week 3")
    table.evening()
    assert (table.step, table.view()["ending"]) == ("over", "days")
    assert table.state.waiting() == []
    assert table.refused(0, "stay").rule == "JI-73"


@rule("JI-74", "JI-75")
@pytest.mark.parametrize(
    ("money", "travel", "result"),
    [
        ((20000, 17000, 30000), (0, 1), [1.0, 0.0, 0.0]),
        ((20000, 17000, 30000), (1,), [0.0, 1.0, 0.0]),
        ((20000, 18000, 12000), (0, 1, 2), [0.5, 0.5, 0.0]),
        ((20000, 18000, 12000), (), [0.0, 0.0, 0.0]),
    ],
)
def test_the_richest_player_who_is_out_wins(
    money: tuple[int, ...], travel: tuple[int, ...], result: list[float]
) -> None:
    table = leaving(*money)
    out(table, *travel)
    assert table.state.result() == result
    final = GAME.final(table.state)
    assert [row["won"] for row in final] == [share > 0 for share in result]
    assert all(row["lines"][-1] == {"label": "Money left", "value": lira(table.money(row["seat"]))} for row in final)


@rule("JI-76")
def test_without_a_winner_the_end_lists_only_who_made_it() -> None:
    table = leaving(20000, 17000, 30000, winner="none")
    out(table, 0, 1)
    assert table.state.result() == [1.0, 1.0, 0.0]
    assert "made the journey" in table.said(2)
    assert table.happened("over")[0]["winners"] == []


@rule("JI-76")
def test_without_a_winner_the_end_lists_the_seats_in_order_without_scores_or_money() -> None:
    table = leaving(12000, 17000, 30000, winner="none")
    out(table, 0, 1)
    rows = GAME.final(table.state)
    assert table.money(0) == 0, "no money is left, but it was enough"
    assert [(row["seat"], row["outcome"]) for row in rows] == [
        (0, "made the journey"), (1, "made the journey"), (2, "did not make it"),
    ]  # fmt: skip
    assert all(row["score"] is None and not row["won"] for row in rows)
    assert not [line for row in rows[:2] for line in row["lines"] if "TL" in line["value"]]


@rule("JI-74")
def test_the_end_says_what_the_others_still_lacked() -> None:
    table = Table("Fatih", "jail", "Kadıköy", on="6th, week 3", money=[6000, 3000, 20000], done=[2])
    table.state.fine_card[1] = 0
    table.state.release[1] = 20
    table.evening()
    told = [{line["label"]: line["value"] for line in row["lines"]} for row in GAME.final(table.state)]
    assert [lines["Still needed"] for lines in told] == [
        "the task and 2 000 TL for the cheapest journey",
        "the task, 5 000 TL for the cheapest journey and freedom",
        "only a journey from where they were",
    ]


@rule("JI-67", "JI-69")
def test_an_imagined_position_forgets_what_others_said_to_each_other() -> None:
    table = three()
    point(table, 0, 1)
    table.tell(0, "3rd-police-4000")
    point(table, 0, 1)
    table.sell(0, THIRD, 1000)
    third = table.state.imagine(2, QuickDice(1))
    assert third.claim(1, 0, 10) == 0
    assert not [move for move in third.legal(1) if GAME.moves.verb(move).name == "buy"]
    contents = {GAME.view(table.state.imagine(1, QuickDice(deal)), 0)["offers"][0]["card"] for deal in range(40)}
    assert len(contents) > 1, "the buyer does not know what is for sale"


def test_every_event_and_every_move_reads_as_a_sentence() -> None:
    table = three()
    point(table, 0, 1)
    table.sell(0, THIRD, 1000)
    table.play(1, "buy", from_=0)
    assert table.story(1)[-2:] == [
        "You give Ada 1 000 TL for the information.",
        "Ada tells you that card 1 of the 3rd day is a journey from Sultanahmet for 10 000 TL.",
    ]
    assert table.said(2) == "Bea gives Ada 1 000 TL.", "but not what was said"
    assert "1 000 TL" in GAME.describe_move(table.state, {"do": "offer", "price": 1000})


def test_every_number_names_its_source() -> None:
    for name in ("neighbourhoods", "lines", "alterations", "obstacles", "opportunities"):
        assert all(part["provenance"] for part in PARTS[name]), name
    for name in ("money", "sheet", "jail", "talk", "planner", "raided", "events"):
        assert PARTS[name]["provenance"], name
