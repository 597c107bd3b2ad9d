"""Step 3: making a round trip, extra turns, and the end of the game."""

from itertools import permutations

import pytest

from grandtour.engine.refusal import Refusal
from grandtour.games.round_trip import GAME
from grandtour.games.round_trip.rules import MOVES
from tests.games.round_trip.positions import (
    FIVE,
    GRAND_TOUR,
    OF_LENGTH,
    PAIR,
    TRIANGLE,
    TURINO_VENEZIA_ROMA_MILANO,
    Table,
    names,
    only,
)
from tests.rules import rule


def refused(*tickets: str) -> tuple[str | None, str]:
    """The reason why these tickets are not a round trip."""
    with pytest.raises(Refusal) as refusal:
        MOVES.move("lay", tickets=list(tickets))
    return refusal.value.rule, refusal.value.reason


@rule("RT-38")
def test_a_round_trip_can_begin_with_any_ticket_and_go_either_way() -> None:
    tickets = TURINO_VENEZIA_ROMA_MILANO
    turned = [tickets[n:] + tickets[:n] for n in range(4)]
    numbers = {MOVES.move("lay", tickets=row) for way in turned for row in (way, way[::-1])}
    assert len(numbers) == 1, "the same round trip has two numbers"


@rule("RT-38")
def test_each_ticket_continues_where_the_previous_one_ended() -> None:
    assert refused("Milano-Venezia", "Napoli-Palermo", "Turino-Milano") == (
        "RT-38",
        "Napoli–Palermo does not continue from Venezia.",
    )


@rule("RT-38")
def test_a_round_trip_comes_back_to_its_start() -> None:
    assert refused("Milano-Venezia", "Venezia-Napoli", "Napoli-Palermo") == (
        "RT-38",
        "It ends in Palermo and does not come back to Milano.",
    )


@rule("RT-38")
def test_you_can_only_lay_tickets_you_hold() -> None:
    table = Table([["Milano-Venezia", "Turino-Roma"], []])
    assert table.refused(0, "lay", tickets=PAIR) == ("RT-38", "You hold no Venezia–Milano, and this takes one.")
    assert table.refused(0, "lay", tickets=["Milano-Venezia"] * 2) == (
        "RT-38",
        "You hold one Milano–Venezia, and this takes two.",
    )


@rule("RT-38")
def test_the_tickets_laid_are_shown_to_everybody() -> None:
    table = Table([TRIANGLE, [], []])
    laid = only(table.play(0, "lay", tickets=TRIANGLE), "laid")
    assert sorted(laid["tickets"]) == sorted(TRIANGLE)
    for viewer in (1, 2, None):
        (trip,) = GAME.view(table.state, viewer)["players"][0]["trips"]
        assert sorted(trip["tickets"]) == sorted(TRIANGLE)
        assert sorted(trip["cities"]) == ["Milano", "Napoli", "Venezia"]
        assert trip["length"] == 3


@rule("RT-39")
def test_no_city_is_a_destination_twice() -> None:
    figure_of_eight = ["Milano-Venezia", "Venezia-Napoli", "Napoli-Palermo", "Palermo-Venezia", "Venezia-Milano"]
    assert refused(*figure_of_eight) == ("RT-39", "Venezia would be a destination twice.")
    assert refused(*GRAND_TOUR, "Milano-Venezia")[0] == "RT-39"


@rule("RT-39")
@pytest.mark.parametrize("length", OF_LENGTH)
def test_the_length_is_the_number_of_tickets(length: int) -> None:
    table = Table([OF_LENGTH[length], []])
    laid = only(table.play(0, "lay", tickets=OF_LENGTH[length]), "laid")
    assert laid["length"] == length == len(laid["tickets"]) == len(laid["cities"])


@rule("RT-40")
@pytest.mark.parametrize(
    "tickets", [["Milano-Venezia", "Venezia-Milano"], ["Milano-Venezia", "Milano-Venezia"], ["Turino-Roma"] * 2]
)
def test_two_tickets_between_the_same_two_cities_are_a_round_trip(tickets: list[str]) -> None:
    table = Table([tickets, []])
    assert only(table.play(0, "lay", tickets=tickets), "laid")["length"] == 2
    assert refused("Milano-Venezia") == ("RT-40", "A round trip takes at least two tickets.")


@rule("RT-40")
def test_roma_is_a_destination_only_once() -> None:
    assert refused("Milano-Roma", "Venezia-Roma", "Venezia-Napoli", "Napoli-Roma", "Turino-Roma", "Milano-Turino") == (
        "RT-39",
        "Roma would be a destination twice.",
    )


@rule("RT-40")
def test_two_rings_of_three_are_not_a_trip_of_six() -> None:
    south = ["Palermo-Turino", "Turino-Roma", "Palermo-Roma"]
    assert refused(*TRIANGLE, *south) == (
        "RT-40",
        "The round trip is complete at Milano; Palermo–Turino is left over.",
    )
    for row in permutations([*TRIANGLE, *south]):
        refused(*row)


@rule("RT-41")
def test_tickets_from_different_piles_give_another_turn_at_once() -> None:
    table = Table([[*FIVE, "Turino-Roma"], [], []])
    events = table.play(0, "lay", tickets=FIVE)
    assert names(events) == ["laid", "turn", "turned"]
    assert only(events, "laid")["extra"]
    assert only(events, "turn") == {"event": "turn", "seat": 0, "extra": True, "round": 1}
    assert table.state.waiting() == [0]
    assert GAME.view(table.state, 0)["step"] == "take"


@rule("RT-41")
@pytest.mark.parametrize("tickets", [["Milano-Venezia"] * 2, TRIANGLE, TURINO_VENEZIA_ROMA_MILANO])
def test_two_tickets_from_one_pile_give_no_extra_turn(tickets: list[str]) -> None:
    table = Table([tickets, [], []])
    events = table.play(0, "lay", tickets=tickets)
    assert not only(events, "laid")["extra"]
    assert table.state.waiting() == [1]


@rule("RT-42")
def test_an_extra_turn_has_all_three_steps_and_can_earn_another() -> None:
    ring = ["Napoli-Palermo", "Palermo-Turino", "Turino-Napoli"]
    table = Table([[*PAIR, *ring, "Venezia-Roma"], ["Milano-Roma"], []], piles={"Palermo": ["Palermo-Roma"]})
    table.play(0, "lay", tickets=PAIR)
    table.state.restore({"card": 0b01000})
    assert table.refused(0, "lay", tickets=ring)[0] == "RT-20"
    table.play(0, "take", pile="Palermo")
    table.play(0, "exchange", ticket="Venezia-Roma", with_="left")
    events = table.play(0, "lay", tickets=ring)
    assert only(events, "turn")["extra"]
    assert table.state.waiting() == [0]
    table.state.restore({"card": 0b11111})
    table.play(0, "take", pile="Milano")
    events = table.play(0, "end-turn")
    assert not only(events, "turn")["extra"]
    assert table.state.waiting() == [1]


@rule("RT-43")
def test_each_of_your_round_trips_has_a_different_length() -> None:
    again = ["Palermo-Turino", "Turino-Roma", "Palermo-Roma"]
    table = Table([[*again, *PAIR], again], made={0: [TRIANGLE]})
    assert table.refused(0, "lay", tickets=again) == ("RT-43", "You already made a round trip of length 3.")
    assert [len(str(move["tickets"]).split(",")) for move in table.legal(0, "lay")] == [2]
    table.state.restore({"turn": 1})
    table.play(1, "lay", tickets=again)


@rule("RT-43")
def test_a_wrong_round_trip_changes_nothing() -> None:
    table = Table([TRIANGLE, []], made={0: [["Palermo-Turino", "Turino-Roma", "Palermo-Roma"]]})
    before = table.state.dump()
    assert table.refused(0, "lay", tickets=TRIANGLE)[0] == "RT-43"
    assert table.refused(0, "lay", tickets=FIVE)[0] == "RT-38"
    assert table.state.dump() == before


@rule("RT-44")
def test_a_round_trip_ends_the_turn() -> None:
    table = Table([[*TRIANGLE, "Turino-Roma", "Turino-Roma"], []])
    table.play(0, "lay", tickets=TRIANGLE)
    assert table.refused(0, "lay", tickets=["Turino-Roma"] * 2) == ("RT-18", "It is not your turn.")
    assert table.state.waiting() == [1]


@rule("RT-44")
def test_tickets_laid_stay_where_they_are() -> None:
    table = Table([[*TRIANGLE, "Turino-Roma"], []])
    piles = [int(count) for count in table.state.count]
    table.play(0, "lay", tickets=TRIANGLE)
    assert table.hand(0) == ["Turino-Roma"]
    assert [int(count) for count in table.state.count] == piles
    (trip,) = GAME.view(table.state, None)["players"][0]["trips"]
    assert sorted(trip["tickets"]) == sorted(TRIANGLE)
    assert table.state.census() == Table([[], []]).state.census(), "a ticket is lost"


@rule("RT-2", "RT-47")
@pytest.mark.parametrize("last", [2, 3, 4, 5])
def test_four_round_trips_of_length_2_to_5_win(last: int) -> None:
    # Napoli–Palermo twice, so that the four trips together use no ticket that is not in the box.
    trips = {**OF_LENGTH, 2: ["Napoli-Palermo", "Palermo-Napoli"]}
    made = [trips[length] for length in (2, 3, 4, 5) if length != last]
    table = Table([trips[last], []], made={0: made})
    events = table.play(0, "lay", tickets=trips[last])
    assert only(events, "won") == {"event": "won", "seats": [0], "how": "four"}
    assert table.state.result() == [1.0, 0.0]


@rule("RT-47")
def test_three_round_trips_do_not_win() -> None:
    table = Table([FIVE, []], made={0: [TRIANGLE, TURINO_VENEZIA_ROMA_MILANO]})
    table.play(0, "lay", tickets=FIVE)
    assert table.state.result() is None


@rule("RT-2", "RT-48")
def test_a_round_trip_of_length_6_wins_alone() -> None:
    table = Table([["Turino-Roma"], [], GRAND_TOUR], turn=2)
    events = table.play(2, "lay", tickets=GRAND_TOUR)
    assert only(events, "won") == {"event": "won", "seats": [2], "how": "grand"}
    assert table.state.result() == [0.0, 0.0, 1.0]


@rule("RT-49")
def test_the_game_is_over_as_soon_as_a_player_wins() -> None:
    table = Table([FIVE, []], made={0: [["Napoli-Palermo", "Palermo-Napoli"], TRIANGLE, TURINO_VENEZIA_ROMA_MILANO]})
    events = table.play(0, "lay", tickets=FIVE)
    assert names(events) == ["laid", "won"], "the winning trip earns no extra turn"
    assert table.state.waiting() == []
    for seat in (0, 1):
        assert table.state.legal(seat) == []
        assert table.refused(seat, "take", pile="Milano") == ("RT-49", "The game is over.")


@rule("RT-50")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_game_ends_when_the_last_round_is_over(seats: int) -> None:
    laid = {1: [TRIANGLE]}
    table = Table([[] for _ in range(seats)], start="2", turn=1, round=20, turn_limit=20, made=laid)
    for turn in range(seats):
        assert table.state.result() is None, "everyone has a turn in the last round"
        table.state.restore({"step": 1})
        events = table.play((1 + turn) % seats, "end-turn")
    assert only(events, "won") == {"event": "won", "seats": [1], "how": "limit"}
    assert table.state.waiting() == []


@rule("RT-50")
def test_a_round_is_one_ordinary_turn_of_everybody_and_extra_turns_do_not_count() -> None:
    table = Table([PAIR, []], turn_limit=10)
    table.play(0, "lay", tickets=PAIR)
    assert (table.state.turn, table.state.round, table.state.extra) == (0, 1, True)
    for seat, round in ((0, 1), (1, 2), (0, 2), (1, 3)):
        table.state.restore({"step": 1})
        table.play(seat, "end-turn")
        assert table.state.round == round
    table.state.restore(
        {"round": 10, "turn": 1, "step": 1, "hand": [0] * 25 + Table([PAIR, []]).state.dump()["hand"][:25]}
    )
    table.play(1, "lay", tickets=PAIR)
    assert table.state.result() is None, "the extra turn of the last turn is still played"
    table.state.restore({"step": 1})
    table.play(1, "end-turn")
    assert table.state.result() is not None


@rule("RT-50")
def test_the_turn_limit_is_60_rounds_unless_the_host_chose_another() -> None:
    (option,) = (option for option in GAME.options if option.name == "turn_limit")
    assert option.default == 60
    assert option.choices == (10, 20, 40, 60, 100, 200)


@rule("RT-50", "RT-51")
@pytest.mark.parametrize(
    ("made", "winners"),
    [
        ({0: [PAIR, ["Palermo-Turino", "Turino-Roma", "Palermo-Roma"]], 1: [FIVE]}, [0]),
        ({0: [PAIR], 1: [FIVE]}, [1]),
        (
            {
                0: [PAIR],
                1: [FIVE],
                2: [["Venezia-Milano", "Milano-Napoli", "Napoli-Palermo", "Palermo-Turino", "Turino-Venezia"]],
            },
            [1, 2],
        ),
        ({}, [0, 1, 2]),
    ],
    ids=["most round trips", "then most tickets", "then shared", "nobody made any"],
)
def test_after_the_last_round_most_round_trips_win_and_then_most_tickets(
    made: dict[int, list[list[str]]], winners: list[int]
) -> None:
    table = Table([[], [], []], turn=2, round=60, made=made)
    events = table.play(2, "end-turn")
    assert only(events, "won") == {"event": "won", "seats": winners, "how": "limit"}
    assert table.state.result() == [1 / len(winners) if seat in winners else 0.0 for seat in range(3)]
