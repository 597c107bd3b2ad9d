"""The bot of The Journey: Istanbul."""

import pytest

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.games.journey_istanbul.parts import CARD_NAMES, CARDS, DAYS, statement
from grandtour.games.journey_istanbul.strategy import plan
from grandtour.players import speakers
from tests.games.journey_istanbul.positions import Table

GAME = catalogue.game("journey-istanbul")


def chooses(table: Table, seat: int) -> dict[str, object]:
    move = GAME.choose(table.state.imagine(seat, QuickDice(1)), seat, QuickDice(1))
    return GAME.moves.name(move)


def play_on(table: Table, seat: int) -> dict[str, object]:
    """Make the bot's next move."""
    move = chooses(table, seat)
    table.state.play(seat, GAME.moves.number(move))
    return move


def see(table: Table, seat: int, day: int, square: int = 0) -> None:
    """A seat has looked at a card."""
    table.see(seat, DAYS[day], square + 1)


@pytest.mark.parametrize(
    ("seats", "winner"), [(2, "richest"), (3, "none"), (4, "richest"), (5, "richest"), (5, "none")]
)
def test_it_plays_whole_games_by_the_rules(seats: int, winner: str) -> None:
    for seed in range(4):
        match = Match(GAME, seats, {"winner": winner}, seed)
        dice = QuickDice(seed)
        while not match.over:
            (seat,) = match.waiting()
            match.play(seat, GAME.moves.name(GAME.choose(match.state.imagine(seat, dice), seat, dice)))


def test_it_goes_where_a_journey_is_known_when_it_is_ready() -> None:
    raids = {"3rd": ["3rd-police-4000"], "4th": [], "5th": ["5th-police-1000"], "6th": []}
    table = Table("Sultanahmet", "Kadıköy", on="2nd, week 3", money=[12000, 6000], done=[0], sheet=raids)
    see(table, 0, 1)
    assert chooses(table, 0) == {"do": "move", "to": "Fatih"}


def test_it_avoids_a_raid_it_knows_of() -> None:
    sheet = {"1st": ["1st-police-2000", "1st-police-4000"]}
    table = Table("Taksim", "Kadıköy", on="1st, week 2", money=[1000, 6000], sheet=sheet, done=[0])
    table.state.place[0] = 2
    see(table, 0, 0)
    see(table, 0, 0, 1)
    assert chooses(table, 0) == {"do": "move", "to": "Kadıköy"}


def test_it_takes_the_last_chance() -> None:
    table = Table("Üsküdar", "Kadıköy", on="6th, week 3", money=[12000, 6000], done=[0])
    table.evening()
    assert chooses(table, 0) == {"do": "travel"}


@pytest.mark.parametrize(("rival", "place"), [("Kadıköy", "Sultanahmet"), ("Sultanahmet", "Fatih")])
def test_it_does_not_go_where_another_player_will_be_asked_first(rival: str, place: str) -> None:
    """Work in Sultanahmet pays more, unless another player is there who has already moved today."""
    sheet = {"4th": ["4th-work-Fatih-6000", "4th-work-Sultanahmet-7000"], "5th": [], "6th": []}
    table = Table("Taksim", rival, on="4th, week 2", money=[3000, 3000], sheet=sheet)
    table.state.starter = 1
    see(table, 0, 3)
    see(table, 0, 3, 1)
    assert chooses(table, 0) == {"do": "move", "to": place}


def test_it_looks_at_what_comes_tomorrow_first() -> None:
    table = Table("Sultanahmet", "Kadıköy", on="3rd, week 1")
    table.play(0, "stay")
    assert chooses(table, 0) == {"do": "look", "day": "4th", "square": 1}


def test_it_answers_truthfully_for_money_when_that_does_no_harm() -> None:
    table = Table("Kadıköy", "Kadıköy", sheet={"3rd": ["3rd-police-4000"]})
    see(table, 0, 2)
    table.plays(1, "talk: all", "point: 3rd, 1", "ask: 1000")
    assert chooses(table, 0) == {"do": "reply", "to": 1}
    told = [play_on(table, 0) for _ in range(3)]
    assert told[1:] == [{"do": "claim", "subject": "police"}, {"do": "amount", "amount": 4000}]
    assert chooses(table, 1) == {"do": "accept", "from": 0}


@pytest.mark.parametrize("lies", [0, 1])
def test_it_pays_for_answers_from_honest_players_who_saw_the_card(lies: int) -> None:
    table = Table("Kadıköy", "Kadıköy", "Kadıköy", sheet={"3rd": ["3rd-police-4000"]})
    see(table, 0, 2)
    table.plays(1, "talk: all", "point: 3rd, 1", "ask: 1000")
    table.answer(2, 1, "3rd-work-Fatih-5000")
    assert speakers(GAME, table.state, [None, "normal", None]) == [], "seat 2 has not looked at it"
    table.state.truths[2 * 3 + 1] = lies
    table.answer(0, 1, "3rd-police-4000")
    assert speakers(GAME, table.state, [None, "normal", None]) == ([] if lies else [1])
    assert lies or chooses(table, 1) == {"do": "accept", "from": 0}


@pytest.mark.parametrize(("lies", "reply"), [(0, "buy"), (1, "refuse")])
def test_it_buys_from_players_who_have_told_the_truth(lies: int, reply: str) -> None:
    table = Table("Kadıköy", "Kadıköy", sheet={"3rd": ["3rd-police-4000"]})
    see(table, 1, 2)
    table.state.truths[2 * 1 + 1] = lies
    table.plays(1, "talk: 0", "point: 3rd, 1")
    table.sell(1, "3rd-police-4000", 1000)
    assert chooses(table, 0) == {"do": reply, "from": 1}


def test_it_trusts_a_speaker_by_how_often_they_told_the_truth() -> None:
    table = Table("Kadıköy", "Kadıköy", "Kadıköy")
    see(table, 1, 2)
    trust = []
    for true, false in ((0, 0), (5, 0), (0, 3)):
        table.state.truths[2] = true
        table.state.truths[3] = false
        table.state._hear(0, 1, 10, statement(CARDS[CARD_NAMES.numbers["3rd-police-4000"]]))
        card, belief = plan.belief(table.state, 0, 10)
        assert card == CARD_NAMES.numbers["3rd-police-4000"]
        trust.append(belief)
    assert trust[2] < trust[0] < trust[1]


@pytest.mark.parametrize(("price", "reply"), [(1000, "buy"), (5000, "refuse")])
def test_it_answers_an_offer_out_of_turn(price: int, reply: str) -> None:
    table = Table("Kadıköy", "Kadıköy", "Kadıköy", sheet={"3rd": ["3rd-police-4000"]})
    see(table, 0, 2)
    names = [None, "greedy", "greedy"]
    assert speakers(GAME, table.state, names) == []
    table.plays(0, "talk: 2", "point: 3rd, 1")
    table.sell(0, "3rd-police-4000", price)
    assert speakers(GAME, table.state, names) == [2]
    assert chooses(table, 2) == {"do": reply, "from": 0}
    assert speakers(GAME, table.state, [None, "greedy", "random"]) == [], "the random player waits for its turn"


def test_it_refuses_a_private_question_that_it_cannot_answer() -> None:
    table = Table("Kadıköy", "Kadıköy", "Kadıköy")
    table.plays(0, "talk: 1", "point: 3rd, 1", "ask: 1000")
    assert speakers(GAME, table.state, ["greedy"] * 3) == [1]
    assert chooses(table, 1) == {"do": "deny", "to": 0}


def offered(winner: str, money: list[int], on: str = "6th, week 2") -> Table:
    """A journey for 12 000 TL is offered to seat 0, who asks everyone for what is missing."""
    table = Table("Üsküdar", "Kadıköy", "Kadıköy", on=on, money=money, done=[0, 1], winner=winner)
    table.evening()
    table.plays(0, "talk: all", "request: 2000")
    return table


def test_without_a_winner_it_gives_money_it_does_not_need() -> None:
    table = offered("none", [10000, 15000, 20000])
    assert chooses(table, 1) == {"do": "help", "to": 0}, "13 000 TL are enough for any journey"
    assert chooses(table, 2) == {"do": "deny", "to": 0}, "its own task is open"
    assert chooses(offered("none", [10000, 14000, 0]), 1) == {"do": "deny", "to": 0}
    assert chooses(offered("richest", [10000, 15000, 0]), 1) == {"do": "deny", "to": 0}


def test_on_the_last_evening_it_helps_with_money_it_cannot_use_itself() -> None:
    table = offered("richest", [10000, 15000, 20000], on="6th, week 3")
    assert chooses(table, 2) == {"do": "help", "to": 0}


def test_without_a_winner_it_asks_for_money_when_a_journey_is_offered() -> None:
    table = Table("Üsküdar", "Kadıköy", on="6th, week 2", money=[10000, 15000], done=[0, 1], winner="none")
    table.evening()
    assert chooses(table, 0) == {"do": "talk", "to": "all"}
    table.play(0, "talk", to="all")
    assert chooses(table, 0) == {"do": "request", "amount": 2000}
    table.play(0, "request", amount=2000)
    table.play(1, "help", to=0)
    assert chooses(table, 0) == {"do": "travel"}


def test_it_waits_for_the_answer_of_a_person_it_has_asked_for_money() -> None:
    table = Table("Üsküdar", "Kadıköy", on="6th, week 2", money=[10000, 15000], done=[0], winner="none")
    table.evening()
    table.plays(0, "talk: all", "request: 2000")
    assert table.state.waiting() == [1]
    assert speakers(GAME, table.state, ["greedy", None]) == [], "it has nothing more to say"


def test_it_offers_what_it_knows_to_the_player_about_to_move() -> None:
    table = Table("Kadıköy", "jail", "Kadıköy", money=[6000, 0, 6000], sheet={"3rd": ["3rd-police-4000"]})
    table.state.fine_card[1] = 0
    table.state.release[1] = 4
    see(table, 1, 2)
    assert speakers(GAME, table.state, [None, "greedy", "greedy"]) == [1]
    told = []
    while speakers(GAME, table.state, [None, "greedy", "greedy"]):
        told.append(chooses(table, 1))
        table.state.play(1, GAME.moves.number(told[-1]))
    assert told == [
        {"do": "talk", "to": 0},
        {"do": "point", "day": "3rd", "square": 1},
        {"do": "claim", "subject": "police"},
        {"do": "amount", "amount": 4000},
        {"do": "offer", "price": 1000},
    ]
    table.play(0, "refuse", from_=1)
    assert speakers(GAME, table.state, [None, "greedy", "greedy"]) == [], "it does not ask again after a refusal"


def test_in_jail_it_asks_for_the_fine_and_leaves_with_what_it_is_given() -> None:
    table = Table("jail", "Kadıköy", on="2nd, week 2", money=[1000, 15000], done=[1], winner="none")
    table.state.fine_card[0] = CARD_NAMES.numbers["1st-police-4000"]
    table.state.release[0] = 10
    table.state._begin_turn()
    table.plays(0, "end-looking", "talk: all")
    assert chooses(table, 0) == {"do": "request", "amount": 3000}
    table.play(0, "request", amount=3000)
    table.play(1, "help", to=0)
    assert chooses(table, 0)["do"] == "leave"
