"""Postcards Home, paragraph by paragraph."""

from grandtour.engine.kit import Position
from grandtour.games.postcards_home import GAME, PLACES
from grandtour.testing import Table
from tests.rules import rule


def cards(table: Table) -> list[str]:
    assert isinstance(table.state, Position)
    return [name for place in table.state.places() for name in place]


@rule("PH-1")
def test_the_box_holds_forty_postcards_and_one_stamp_fewer_than_players() -> None:
    for seats in (2, 3, 4):
        everything = cards(Table(GAME, seats))
        for place in PLACES:
            assert everything.count(place) == 8
            assert everything.count(f"{place} stamp") == seats - 1


@rule("PH-2", "PH-3")
def test_four_cards_lie_on_the_rack_and_three_in_each_hand() -> None:
    table = Table(GAME, 4)
    assert table.shown("Rack")["count"] == 4
    assert table.shown("Stack") == {"kind": "pile", "title": "Stack", "owner": None, "count": 24, "top": None}
    for seat in range(4):
        assert None not in table.shown("Hand", seat, seat)["cards"]
        assert table.shown("Hand", seat)["cards"] == [None, None, None]
    assert table.shown("Travellers")["tokens"] == [{"seat": seat, "at": 0} for seat in range(4)]


@rule("PH-4")
def test_the_starting_player_is_random_or_chosen_by_the_host() -> None:
    assert Table(GAME, 3, {"start": "3"}).state.waiting() == [2]
    drawn = {Table(GAME, 3, {"start": "drawn"}, seed).state.waiting()[0] for seed in range(20)}
    assert drawn == {0, 1, 2}


@rule("PH-5")
def test_players_take_turns_clockwise() -> None:
    table = Table(GAME, 3)
    assert table.refused(1, "draw").rule == "PH-5"
    for seat in (0, 1, 2, 0):
        table.play(seat, "draw")


@rule("PH-6")
def test_travelling_takes_a_card_and_goes_there() -> None:
    table = Table(GAME, rack="Castle, Island, Island, Harbour", hand=["Island", ""], stack="Vineyard, ...")
    assert table.refused(0, "travel", to="Lighthouse").rule == "PH-6"
    table.play(0, "travel", to="Island")
    assert table.said(1) == "Ada travels to the Island."
    assert table.shown("Hand", 0, 0)["cards"] == ["Island", "Island"]
    assert table.shown("Travellers")["tokens"][0] == {"seat": 0, "at": 1 + PLACES.index("Island")}
    assert table.shown("Rack")["cards"] == ["Castle", "Island", "Harbour", "Vineyard"]
    table.play(1, "travel", to="Castle")
    table.play(0, "travel", to="Island")


@rule("PH-6")
def test_everyone_remembers_who_took_what_from_the_rack() -> None:
    table = Table(GAME, rack="Castle, Castle, Island, Harbour", hand=["Island", "Island"])
    table.play(0, "travel", to="Castle")
    assert table.shown("Hand", 0, 1)["cards"] == ["Castle", None]
    assert table.shown("Hand", 0)["cards"] == ["Castle", None]


@rule("PH-7")
def test_a_card_from_the_stack_is_drawn_unseen() -> None:
    table = Table(GAME, stack="Castle, ...", hand=["Island", ""])
    table.play(0, "draw")
    assert table.said(0) == "You draw a Castle postcard from the stack."
    assert table.said(1) == table.said() == "Ada draws a postcard from the stack."
    assert table.shown("Hand", 0, 0)["cards"] == ["Castle", "Island"]
    assert table.shown("Hand", 0, 1)["cards"] == [None, None]
    assert table.shown("Travellers")["tokens"][0] == {"seat": 0, "at": 0}


@rule("PH-7")
def test_an_empty_stack_cannot_be_drawn_from() -> None:
    table = Table(GAME, stack="", turns_left=2)
    assert table.refused(0, "draw") == ("PH-7", "The stack is empty.")


@rule("PH-8")
def test_all_cards_of_the_place_where_you_are_are_posted() -> None:
    table = Table(GAME, hand=["Castle, Castle, Island", ""], travellers=["Castle", "Home"])
    table.play(0, "post")
    assert table.shown("Hand", 0, 0)["cards"] == ["Island"]
    assert table.shown("Postbox")["known"] == ["Castle", "Castle"]
    assert table.said() == "Ada posts 2 postcards from the Castle: 2 points so far. Ada gets a Castle stamp."


@rule("PH-8")
def test_nothing_is_posted_from_home_or_from_elsewhere() -> None:
    for place in ("Home", "Island"):
        table = Table(GAME, hand=["Castle, Castle", ""], travellers=[place, "Home"])
        assert table.refused(0, "post").rule == "PH-8"


@rule("PH-9")
def test_with_a_full_hand_you_must_post_if_you_can() -> None:
    full = "Castle, Castle, Castle, Island, Island, Island, Island"
    rack = "Harbour, Harbour, Vineyard, Vineyard"
    table = Table(GAME, hand=[full, ""], rack=rack, travellers=["Castle", "Home"])
    assert table.refused(0, "draw").rule == "PH-9"
    assert table.refused(0, "travel", to="Harbour").rule == "PH-9"
    assert table.legal(0) == [{"do": "post"}]
    table = Table(GAME, hand=[full, ""], rack=rack, travellers=["Vineyard", "Home"])
    assert table.refused(0, "draw").rule == "PH-9"
    table.play(0, "travel", to="Harbour")


@rule("PH-10")
def test_many_postcards_together_are_worth_more() -> None:
    for count, points in [(1, 1), (2, 2), (3, 4), (4, 7), (5, 10), (6, 10)]:
        table = Table(GAME, hand=[", ".join(["Castle"] * count), ""], travellers=["Castle", "Home"])
        table.play(0, "post")
        assert table.shown("Points", 0)["count"] == points, f"{count} postcards"


@rule("PH-11")
def test_the_first_players_get_a_stamp_and_nobody_gets_the_same_twice() -> None:
    table = Table(GAME, 3, hand=["Castle", "Castle", "Castle"], travellers=["Castle"] * 3)
    for seat, stamps in [(0, ["Castle stamp"]), (1, ["Castle stamp"]), (2, [])]:
        table.play(seat, "post")
        assert table.shown("Album", seat)["cards"] == stamps
    again = Table(GAME, 3, hand=["Castle", "", ""], album=["Castle stamp", "", ""], travellers=["Castle"] * 3)
    again.play(0, "post")
    assert again.shown("Album", 0)["cards"] == ["Castle stamp"]


@rule("PH-11")
def test_different_stamps_are_worth_more_and_more() -> None:
    for count, points in enumerate([0, 1, 3, 6, 10, 15]):
        album = ", ".join(f"{place} stamp" for place in PLACES[:count])
        assert Table(GAME, album=[album, ""], hand=["", ""]).scores() == [points, 0]


@rule("PH-12")
def test_cards_left_in_hand_cost_a_point_each() -> None:
    assert Table(GAME, hand=["Castle, Castle, Island", "Island"], points=[5, 0]).scores() == [2, -1]


@rule("PH-13")
def test_after_the_last_card_everyone_has_one_more_turn() -> None:
    table = Table(GAME, stack="Castle", hand=["", ""], rack="Castle, Harbour, Island, Vineyard", points=[9, 0])
    table.play(0, "draw")
    assert table.said().endswith("The stack is empty: everyone has one more turn.")
    table.play(1, "travel", to="Harbour")
    table.play(0, "travel", to="Castle")
    assert table.said(1).endswith("The game is over: Ada wins.")
    assert table.state.result() == [1, 0]
    assert table.refused(1, "post").rule == "PH-13"


@rule("PH-12")
def test_at_the_end_everyone_shows_their_hand() -> None:
    table = Table(GAME, stack="", turns_left=1, hand=["Castle, Island", "Vineyard"], rack="Castle, Castle")
    assert table.shown("Hand", 1)["cards"] == [None]
    table.play(0, "travel", to="Castle")
    assert table.shown("Hand", 0)["cards"] == ["Castle", "Castle", "Island"]
    assert table.shown("Hand", 1)["cards"] == ["Vineyard"]


@rule("PH-13")
def test_the_last_card_can_also_go_to_the_rack() -> None:
    table = Table(GAME, stack="Castle", hand=["", ""], rack="Castle, Harbour, Island, Vineyard")
    table.play(0, "travel", to="Island")
    assert table.said().endswith("everyone has one more turn.")


@rule("PH-14")
def test_a_tie_goes_to_more_stamps_or_is_shared() -> None:
    table = Table(GAME, hand=["", ""], points=[3, 2], album=["", "Castle stamp"], over=True)
    assert table.scores() == [3, 3]
    assert table.state.result() == [0, 1]
    assert Table(GAME, hand=["", ""], points=[3, 3], over=True).state.result() == [0.5, 0.5]
