"""The order of play, and step 1: taking a ticket."""

import pytest

from grandtour.engine.events import seen
from grandtour.engine.match import Match
from grandtour.games.round_trip import GAME
from grandtour.games.round_trip.parts import PILES
from grandtour.games.round_trip.rules import State
from tests.games.round_trip.positions import FIVE, PAIR, Table, names, only
from tests.rules import rule

SIX = ["Milano-Napoli", "Milano-Palermo", "Venezia-Turino", "Napoli-Roma", "Palermo-Roma", "Turino-Roma"]


@rule("RT-18")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_turns_go_clockwise(seats: int) -> None:
    table = Table([[] for _ in range(seats)], turn=1, start="2", step="take")
    for turn in range(2 * seats):
        seat = (1 + turn) % seats
        assert table.state.waiting() == [seat]
        for other in range(seats):
            if other != seat:
                assert table.refused(other, "take", pile="Milano") == ("RT-18", "It is not your turn.")
        table.play(seat, "take", pile=str(table.legal(seat, "take")[0]["pile"]))
        table.play(seat, "end-turn")


@rule("RT-20")
def test_a_turn_begins_with_taking_a_ticket() -> None:
    table = Table([PAIR, ["Turino-Roma"]], step="take")
    first = ("RT-20", "A turn begins with taking a ticket.")
    assert table.refused(0, "exchange", ticket=PAIR[0], with_="left") == first
    assert table.refused(0, "lay", tickets=PAIR) == first
    assert table.refused(0, "end-turn") == first
    table.play(0, "take", pile="Napoli")
    assert table.refused(0, "take", pile="Napoli") == ("RT-20", "You have already taken a ticket this turn.")


@rule("RT-20")
def test_the_second_and_third_step_can_be_skipped() -> None:
    table = Table([PAIR, ["Turino-Roma"]])
    assert table.legal(0, "exchange")
    assert table.legal(0, "lay")
    table.play(0, "end-turn")
    assert table.state.waiting() == [1]


@rule("RT-21")
def test_you_take_the_top_ticket_of_a_pile_you_choose() -> None:
    table = Table([["Turino-Roma"], []], step="take", piles={"Palermo": ["Palermo-Napoli", "Palermo-Roma"]})
    assert [move["pile"] for move in table.legal(0, "take")] == list(PILES)
    (took,) = table.play(0, "take", pile="Palermo")
    assert table.hand(0) == ["Palermo-Napoli", "Turino-Roma"]
    assert seen(took, 0)["ticket"] == "Palermo-Napoli"
    assert "ticket" not in seen(took, 1)
    assert "ticket" not in seen(took, None)
    assert table.state.count[PILES.index("Palermo")] == 1


@rule("RT-21")
def test_a_selection_card_is_turned_over_when_a_turn_begins() -> None:
    table = Table([[], []])
    turned = only(table.play(0, "end-turn"), "turned")
    assert turned["seat"] == 1
    assert turned["passed"] == []
    assert GAME.view(table.state, None)["selection"]["cities"] == turned["cities"]
    assert GAME.view(table.state, None)["selection"]["left"] == 27 - 2


@rule("RT-22")
def test_example_the_card_shows_venezia_and_palermo() -> None:
    table = Table([[], []], step="take", card=["Venezia", "Palermo"])
    assert [move["pile"] for move in table.legal(0, "take")] == ["Venezia", "Palermo"]
    for city in ("Milano", "Napoli", "Turino"):
        rule, reason = table.refused(0, "take", pile=city)
        assert (rule, reason) == ("RT-21", f"The selection card shows Venezia and Palermo, not {city}.")
    table.play(0, "take", pile="Venezia")
    assert table.hand(0)[0].startswith("Venezia-")


@rule("RT-23")
def test_when_one_of_two_piles_is_empty_you_take_from_the_other() -> None:
    table = Table([[], []], step="take", card=["Venezia", "Palermo"], piles={"Venezia": []})
    assert table.refused(0, "take", pile="Venezia") == ("RT-23", "The Venezia pile is empty.")
    assert [move["pile"] for move in table.legal(0, "take")] == ["Palermo"]


def with_cards(table: Table, *cards: list[str]) -> Table:
    """The same table with these cards on top of the selection pile."""
    numbers = [sum(1 << PILES.index(city) for city in card) for card in cards]
    deck = [int(card) for card in table.state.deck]
    for number in numbers:
        deck.remove(number)
    table.state.restore({"deck": [*numbers, *deck], "turned": 0})
    return table


@rule("RT-24", "RT-25")
def test_cards_are_turned_until_one_shows_a_pile_that_is_not_empty() -> None:
    table = Table([[], []], piles={"Milano": [], "Venezia": []})
    with_cards(table, ["Milano"], ["Milano", "Venezia"], ["Venezia", "Palermo"])
    turned = only(table.play(0, "end-turn"), "turned")
    assert turned["passed"] == [["Milano"], ["Milano", "Venezia"]]
    assert turned["cities"] == ["Venezia", "Palermo"]
    assert [move["pile"] for move in table.legal(1, "take")] == ["Palermo"]
    assert table.state.turned == 3


@rule("RT-25")
def test_the_piles_cannot_all_run_out() -> None:
    # Before anyone has won, a player has laid at most trips of length 3, 4 and 5 and holds at most six tickets.
    most_laid, most_held, players, one_just_taken = 3 + 4 + 5, 6, 4, 1
    assert players * (most_laid + most_held) + one_just_taken < 80


@rule("RT-26", "RT-27")
def test_when_the_selection_pile_is_empty_all_27_are_shuffled_again() -> None:
    table = Table([[], []])
    before = sorted(int(card) for card in table.state.deck)
    table.state.restore({"turned": 27})
    assert GAME.view(table.state, 0)["selection"]["left"] == 0
    events = table.play(0, "end-turn")
    assert names(events) == ["turn", "shuffled", "turned"]
    assert sorted(int(card) for card in table.state.deck) == before, "a card is missing from the new pile"
    assert table.state.turned == 1
    assert len(before) == 27


@rule("RT-27")
def test_the_last_selection_card_can_come_up_again_at_once() -> None:
    first = set()
    for seed in range(150):
        table = Table([[], []], seed=seed)
        used = sorted(int(card) for card in table.state.deck)
        table.state.restore({"deck": used, "turned": 27})
        table.play(0, "end-turn")
        first.add(int(table.state.card))
    assert first == set(used), "some cards never come first, or always do"


@rule("RT-26")
def test_the_selection_pile_is_used_up_before_it_is_shuffled() -> None:
    match = Match(GAME, 2, seed=3)
    turned: list[list[str]] = [only(match.opening, "turned")["cities"]]
    while len(turned) < 28:
        (seat,) = match.waiting()
        legal = match.legal(seat)
        quiet = [move for move in legal if move["do"] in ("take", "discard", "end-turn")]
        events = match.play(seat, quiet[0])
        if "turned" in names(events):
            assert ("shuffled" in names(events)) == (len(turned) == 27)
            turned.append(only(events, "turned")["cities"])
    assert isinstance(match.state, State)
    assert sorted(turned[:27]) == sorted(
        [[city for number, city in enumerate(PILES) if card >> number & 1] for card in map(int, match.state.deck)]
    )


@rule("RT-45", "RT-46")
def test_a_seventh_ticket_is_discarded_at_the_end_of_a_turn_without_a_round_trip() -> None:
    table = Table([[*SIX, "Milano-Roma"], []], piles={"Venezia": ["Venezia-Milano"]})
    assert table.refused(0, "end-turn") == ("RT-45", "You hold seven tickets: make a round trip, or discard one.")
    assert {move["ticket"] for move in table.legal(0, "discard")} == {*SIX, "Milano-Roma"}
    assert table.refused(0, "discard", ticket="Turino-Milano") == ("RT-45", "You hold no Turino–Milano ticket.")
    discarded = table.play(0, "discard", ticket="Venezia-Turino")[0]
    assert seen(discarded, 0)["ticket"] == "Venezia-Turino"
    assert "ticket" not in seen(discarded, 1)
    assert sorted(table.hand(0)) == sorted({*SIX, "Milano-Roma"} - {"Venezia-Turino"})
    assert table.state.waiting() == [1]
    bottom = {"pile": "Venezia", "ticket": "Venezia-Turino", "above": 1}
    assert GAME.view(table.state, 0)["bottoms"] == [bottom], "the discarder remembers"
    assert GAME.view(table.state, 1)["bottoms"] == []
    assert "bottoms" not in GAME.view(table.state, None)


@rule("RT-46")
def test_a_discarded_ticket_can_be_taken_again_and_its_discarder_knows_who_has_it() -> None:
    table = Table([[*SIX, "Milano-Roma"], []], piles={"Venezia": []})
    table.play(0, "discard", ticket="Venezia-Turino")
    table.state.restore({"card": 1 << PILES.index("Venezia")})
    table.play(1, "take", pile="Venezia")
    assert table.hand(1) == ["Venezia-Turino"]
    assert GAME.view(table.state, 0)["players"][1]["known"] == ["Venezia-Turino"]
    assert GAME.view(table.state, 0)["bottoms"] == []


@rule("RT-45")
def test_with_fewer_than_seven_nothing_is_discarded() -> None:
    table = Table([SIX, []])
    rule, reason = table.refused(0, "discard", ticket=SIX[0])
    assert (rule, reason) == ("RT-45", "You hold six tickets; only with seven do you discard one.")
    table.play(0, "end-turn")
    assert table.hand(0) == SIX
    rule, reason = Table([["Milano-Roma"], []]).refused(0, "discard", ticket="Milano-Roma")
    assert reason == "You hold one ticket; only with seven do you discard one."


@rule("RT-45")
def test_a_round_trip_with_seven_tickets_leaves_no_discard() -> None:
    table = Table([[*FIVE, "Milano-Palermo", "Turino-Roma"], []])
    table.play(0, "lay", tickets=FIVE)
    assert table.hand(0) == ["Milano-Palermo", "Turino-Roma"]


@rule("RT-46")
def test_the_limit_of_seven_also_applies_after_an_extra_turn() -> None:
    table = Table([[*SIX, *PAIR], []])
    table.play(0, "lay", tickets=PAIR)
    assert table.state.waiting() == [0]
    assert table.state.extra
    table.state.restore({"card": 0b11111})
    table.play(0, "take", pile="Napoli")
    rule, _ = table.refused(0, "end-turn")
    assert rule == "RT-45"
    table.play(0, "discard", ticket=SIX[0])
    assert table.state.waiting() == [1]
