"""Drawing train cards and ferry cards."""

import pytest

from grandtour.engine.dice import QuickDice
from tests.games.ticket_to_ride_italy.positions import ROW, Table
from tests.rules import rule


@rule("TR-23")
def test_a_player_draws_two_cards_one_after_the_other_from_the_row_or_the_deck() -> None:
    for first, second in [("red", "blue"), ("red", "deck"), ("deck", "red"), ("deck", "deck")]:
        table = Table(row=ROW)
        table.play(0, "draw", card=first)
        assert table.waiting() == [0]
        table.play(0, "draw", card=second)
        assert table.waiting() == [1]
        assert sum(table.hand(0).values()) == 2


@rule("TR-23")
def test_only_cards_in_the_row_can_be_taken_from_it() -> None:
    assert Table(row=ROW).refusal(0, "draw", card="yellow") == "TR-23"
    assert Table(row=ROW).refusal(0, "draw", card="locomotive") == "TR-23"


@rule("TR-24")
def test_a_taken_card_is_replaced_before_the_next_is_drawn() -> None:
    table = Table(deck="2 yellow")
    events = table.play(0, "draw", card="green")
    assert table.view(0)["row"] == ["red", "blue", "yellow", "white", "black"]
    assert events[-1]["turned"] == ["yellow"]
    table.play(0, "draw", card="yellow")
    assert table.hand(0) == {"green": 1, "yellow": 1}


@rule("TR-25")
def test_a_face_up_locomotive_is_the_whole_draw() -> None:
    table = Table(row="locomotive blue green white black")
    table.play(0, "draw", card="locomotive")
    assert table.waiting() == [1]
    assert table.hand(0) == {"locomotive": 1}


@rule("TR-25")
def test_the_second_card_is_never_a_face_up_locomotive_not_even_one_just_turned_up() -> None:
    table = Table(row="locomotive blue green white black")
    table.play(0, "draw", card="blue")
    assert table.refusal(0, "draw", card="locomotive") == "TR-25"
    table = Table(deck="2 locomotive")
    table.play(0, "draw", card="red")
    assert "locomotive" in table.view(0)["row"]
    assert table.refusal(0, "draw", card="locomotive") == "TR-25"
    assert table.may(0, "draw", card="blue")


@rule("TR-26")
def test_a_locomotive_from_the_deck_is_a_card_like_any_other() -> None:
    table = Table(deck="3 locomotive")
    table.play(0, "draw", card="deck")
    assert table.hand(0) == {"locomotive": 1}
    table.play(0, "draw", card="deck")
    assert table.hand(0) == {"locomotive": 2}
    assert table.waiting() == [1]


@rule("TR-27")
def test_a_row_with_three_locomotives_is_discarded() -> None:
    table = Table(row="locomotive locomotive red blue green", deck="locomotive", discards="10 yellow")
    (drew, filled, *_) = table.play(0, "draw", card="red")
    assert drew["event"] == "drew"
    assert table.view(0)["row"] == ["yellow"] * 5
    assert sorted(filled["swept"]) == ["blue", "green", "locomotive", "locomotive", "locomotive"]
    assert table.view(0)["discards"] == {"blue": 1, "green": 1, "locomotive": 3}


@rule("TR-27")
def test_the_second_card_comes_from_the_new_row() -> None:
    table = Table(row="locomotive locomotive red blue green", deck="locomotive", discards="10 yellow")
    table.play(0, "draw", card="red")
    assert table.refusal(0, "draw", card="blue") == "TR-23"
    table.play(0, "draw", card="yellow")
    assert table.hand(0) == {"red": 1, "yellow": 1}


@rule("TR-28")
def test_several_rows_in_succession_can_be_discarded() -> None:
    swept = []
    for seed in range(20):
        table = Table(row="locomotive locomotive red blue green", deck="7 locomotive, 4 yellow")
        table.state.dice.below(seed + 1)
        for _ in range(seed):
            table.state.dice.below(7)
        events = table.play(0, "draw", card="red")
        swept.append(len(events[1]["swept"]))
        assert table.view(0)["row"].count("locomotive") < 3
    assert max(swept) >= 10, "in twenty tries, no two rows in succession were discarded"
    assert all(count % 5 == 0 for count in swept)


@rule("TR-28")
def test_a_row_stays_when_no_better_one_is_possible() -> None:
    table = Table(row="locomotive locomotive red blue green", deck="locomotive")
    table.play(0, "draw", card="red")
    assert table.view(0)["row"].count("locomotive") == 3
    short = Table(row="locomotive locomotive locomotive red", deck="")
    short.play(0, "ferry")
    assert short.view(0)["row"].count("locomotive") == 3


@rule("TR-28")
def test_a_row_that_had_to_stay_is_discarded_as_soon_as_a_better_one_is_possible() -> None:
    table = Table(row="locomotive locomotive locomotive blue green", deck="", hands={0: "2 yellow"})
    table.play(0, "claim", route="R015", locomotives=0)
    assert table.view(0)["row"].count("locomotive") < 3


@rule("TR-29", "TR-30")
def test_when_its_last_card_is_drawn_the_deck_is_reshuffled_from_the_discards() -> None:
    table = Table(deck="yellow", discards="3 purple")
    events = table.play(0, "draw", card="deck")
    assert table.hand(0) == {"yellow": 1}
    assert events[-1]["shuffled"]
    assert table.view(0)["deck"] == 3
    assert table.view(0)["discards"] == {}
    table.play(0, "draw", card="deck")
    assert table.hand(0) == {"yellow": 1, "purple": 1}


@rule("TR-30")
def test_the_first_discard_after_the_last_card_makes_a_new_deck_and_fills_the_row() -> None:
    table = Table(row="red", deck="", hands={0: "7 yellow"}, discards="")
    table.play(0, "claim", route="R015", locomotives=0)
    assert table.view(0)["row"] == ["red", "yellow", "yellow", None, None]
    assert table.view(0)["deck"] == 0
    table = Table(row="red blue", deck="", hands={0: "5 white"})
    table.play(0, "claim", route="R097", locomotives=0)
    assert table.view(0)["row"] == ["red", "blue", "white", "white", "white"]
    assert table.view(0)["deck"] == 2


@rule("TR-31")
def test_nothing_is_drawn_from_an_empty_deck() -> None:
    table = Table(deck="")
    assert table.refusal(0, "draw", card="deck") == "TR-31"
    assert table.may(0, "draw", card="red")
    empty = Table(row="", deck="", hands={0: "2 yellow"})
    assert empty.verbs(0) == {"claim", "ferry", "tickets"}


@rule("TR-32")
@pytest.mark.parametrize("row", ["red", "red locomotive"])
def test_with_one_card_left_to_draw_it_is_the_whole_draw(row: str) -> None:
    table = Table(row=row, deck="")
    table.play(0, "draw", card="red")
    assert table.waiting() == [1]
    assert table.hand(0) == {"red": 1}


@rule("TR-33")
def test_any_number_of_cards_can_be_held() -> None:
    table = Table(hands={0: "12 yellow, 12 purple, 12 orange, 10 blue"})
    table.play(0, "draw", card="red")
    table.play(0, "draw", card="deck")
    assert sum(table.hand(0).values()) == 48


@rule("TR-34")
def test_a_ferry_card_is_a_whole_turn() -> None:
    table = Table(row=ROW)
    table.play(0, "ferry")
    assert table.waiting() == [1]
    view = table.view(1)
    assert (view["players"][0]["ferries"], view["ferries"]) == (1, 9)


@rule("TR-35")
def test_you_cannot_take_a_third_ferry_card() -> None:
    assert Table(ferries={0: 1}).refusal(0, "ferry") is None
    assert Table(ferries={0: 2}).refusal(0, "ferry") == "TR-35"


@rule("TR-36")
def test_a_spent_ferry_card_returns_to_the_pile_and_can_be_taken_again() -> None:
    table = Table(ferries={0: 2}, hands={0: "2 green"})
    table.play(0, "sail", route="R006", pay={"green": 2, "ferry": 1})
    assert table.view(None)["players"][0]["ferries"] == 1
    assert table.view(None)["ferries"] == 9
    table.play(1, "ferry")
    assert table.refusal(0, "ferry") is None


@rule("TR-28")
def test_two_rows_that_would_replace_each_other_forever_are_not_discarded() -> None:
    stayed = 0
    for seed in range(12):
        table = Table(row="locomotive locomotive red blue green", deck="5 locomotive, white")
        table.state.dice = QuickDice(seed)
        table.play(0, "draw", card="green")
        row = [card for card in table.view(0)["row"] if card == "locomotive"]
        stayed += len(row) == 3
        assert not table.view(0)["swept"], "a row was discarded for a similar one"
    assert stayed, "no row was turned up with three locomotives: the test has proved nothing"
    table = Table(row="locomotive locomotive red blue green", deck="3 locomotive, white, red, blue")
    for seed in range(12):
        again = Table(state=table.state.clone())
        again.state.dice = QuickDice(seed)
        again.play(0, "draw", card="green")
        assert again.view(0)["row"].count("locomotive") < 3, "the other row would have been a better one"


@rule("TR-29")
def test_a_bot_imagines_the_deck_from_what_was_shuffled_into_it_even_if_all_its_locomotives_were_spent() -> None:
    table = Table(3)
    stock = [6, 5, 7, 5, 7, 2, 3, 2, 13]
    table.state.restore(
        {
            "hand": [3, 2, 2, 2, 2, 0, 0, 6, 0, 0, 1, 0, 1, 1, 3, 0, 1, 0, 0, 2, 0, 2, 3, 6, 5, 0, 0],
            "known": [0] * 19 + [2] + [0] * 7,
            "blind": [0] * 8 + [1] + [0] * 8 + [2, 0, 0, 0, 0, 1, 0, 0, 0, 1],
            "spent": [0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 2, 2, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 3, 1],
            "drew": [1, 2, 2],
            "stock": stock,
            "deck": [6, 5, 7, 5, 6, 2, 3, 2, 9],
            "decked": 45,
            "discards": [2, 2, 2, 0, 0, 1, 4, 3, 4],
            "row": [0, 3, 3, 2, 8],
        }
    )
    for seed in range(50):
        imagined = table.state.imagine(0, QuickDice(seed))
        assert imagined.census() == table.state.census()
        assert sum(imagined.deck) == 45
        assert all(left <= shuffled for left, shuffled in zip(imagined.deck, stock, strict=True))
