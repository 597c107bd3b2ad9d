"""The cards and the set-up."""

from collections import Counter
from itertools import chain, product

import pytest

from grandtour.engine.dice import QuickDice
from grandtour.engine.match import Match
from grandtour.engine.options import check_options
from grandtour.engine.refusal import Refusal
from grandtour.games.round_trip import GAME
from grandtour.games.round_trip.parts import CITIES, PILE_SIZE, PILES, SELECTIONS, TICKETS, TRIPS
from grandtour.games.round_trip.referee import beside, circle
from grandtour.games.round_trip.rules import State
from tests.games.round_trip.positions import TURINO_VENEZIA_ROMA_MILANO, Table
from tests.rules import rule


def set_up(seats: int = 2, seed: int = 0, **options: object) -> State:
    state = GAME.new(seats, check_options(GAME.options, options), QuickDice(seed))
    assert isinstance(state, State)
    return state


@rule("RT-1")
def test_two_to_four_can_play_for_ten_minutes_each() -> None:
    assert GAME.title == "Round Trip Italy"
    assert GAME.players == (2, 4)
    assert 20 <= GAME.minutes <= 40
    for seats in (1, 5):
        with pytest.raises(Refusal, match="is for 2 to 4 players"):
            set_up(seats)


@rule("RT-5")
def test_the_box_holds_107_cards() -> None:
    tickets = sum(ticket.copies for ticket in TICKETS)
    assert tickets == 80
    assert Counter(chain.from_iterable([ticket.pile] * ticket.copies for ticket in TICKETS)) == dict.fromkeys(
        range(5), 16
    )
    assert PILES == ("Milano", "Venezia", "Napoli", "Palermo", "Turino")
    for cards in SELECTIONS.values():
        assert len(cards) == 27
        assert tickets + len(cards) == 107


@rule("RT-6", "RT-7")
def test_a_ticket_joins_the_city_on_its_back_to_another_and_no_back_shows_roma() -> None:
    assert {(ticket.pile, ticket.other) for ticket in TICKETS} == {
        (pile, other) for pile in range(5) for other in range(6) if pile != other
    }
    assert "Roma" in CITIES
    assert "Roma" not in PILES
    for ticket in TICKETS:
        assert ticket.name == f"{CITIES[ticket.pile]}-{CITIES[ticket.other]}"


@rule("RT-8")
def test_a_ticket_has_no_direction() -> None:
    napoli_palermo = next(ticket for ticket in TICKETS if ticket.name == "Palermo-Napoli")
    palermo, napoli = PILES.index("Palermo"), PILES.index("Napoli")
    assert napoli_palermo.far(palermo) == napoli
    assert napoli_palermo.far(napoli) == palermo
    forwards = ["Palermo-Napoli", "Napoli-Roma", "Palermo-Roma"]
    for tickets in (forwards, forwards[::-1]):
        table = Table([forwards, []])
        table.play(0, "lay", tickets=tickets)
        assert table.state.lengths[0] == 1 << 3


@rule("RT-12", "RT-11")
def test_the_circles_of_a_ticket_are_its_neighbours_in_the_ring() -> None:
    black = {"Milano": "Turino", "Venezia": "Milano", "Napoli": "Venezia", "Palermo": "Napoli", "Turino": "Palermo"}
    for city in PILES:
        assert circle(f"{city}-Roma", "left") == black[city]
        assert black[circle(f"{city}-Roma", "right")] == city


@rule("RT-14")
def test_a_pile_has_five_tickets_to_each_neighbour_two_across_and_two_to_roma() -> None:
    for pile, city in enumerate(PILES):
        copies = {CITIES[ticket.other]: ticket.copies for ticket in TICKETS if ticket.pile == pile}
        neighbours = {circle(f"{city}-Roma", side) for side in ("left", "right")}
        assert copies == {other: 5 if other in neighbours else 2 for other in CITIES if other != city}
        assert sum(copies.values()) == PILE_SIZE


@rule("RT-13")
def test_each_pile_is_shuffled_separately() -> None:
    piles = set()
    for seed in range(20):
        state = set_up(seed=seed)
        assert list(state.count) == [16] * 5
        for pile in range(5):
            inside = [int(kind) for kind in state.pile[16 * pile : 16 * pile + 16]]
            assert sorted(inside) == [
                k for k, ticket in enumerate(TICKETS) for _ in range(ticket.copies) if ticket.pile == pile
            ]
            piles.add(tuple(kind % 5 for kind in inside))
    assert len(piles) == 100, "two piles are in the same order"


@rule("RT-15", "RT-16")
@pytest.mark.parametrize(("selection", "singles", "pairs"), [("pairs", 1, 2), ("singles", 3, 1)])
def test_a_selection_card_shows_one_city_two_or_all_five(selection: str, singles: int, pairs: int) -> None:
    expected = {
        cities: 2 if cities == 0b11111 else singles if cities.bit_count() == 1 else pairs for cities in range(32)
    }
    for cities in range(32):
        if cities.bit_count() not in (1, 2, 5):
            del expected[cities]
    assert sum(expected.values()) == 27
    state = set_up(selection=selection)
    assert Counter(int(card) for card in state.deck) == expected
    assert GAME.options[0].default == "pairs"
    assert [int(card) for card in state.deck] != [int(card) for card in set_up(seed=1, selection=selection).deck]


@rule("RT-17")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_begins_with_an_empty_hand(seats: int) -> None:
    match = Match(GAME, seats)
    assert all(match.game.view(match.state, seat)["hand"] == [] for seat in range(seats))


@rule("RT-19")
def test_the_starting_player_is_random_unless_the_host_names_a_seat() -> None:
    assert {int(set_up(4, seed).starter) for seed in range(40)} == {0, 1, 2, 3}
    for chosen in "1234":
        for seed in range(5):
            state = set_up(4, seed, start=chosen)
            assert state.waiting() == [int(chosen) - 1] == [state.starter]
    with pytest.raises(Refusal, match="there are 2 players"):
        set_up(2, start="3")


@rule("RT-3")
def test_the_left_neighbour_is_next_clockwise() -> None:
    for seats in (3, 4):
        table = Table([[] for _ in range(seats)])
        for seat in range(seats):
            neighbours = GAME.view(table.state, seat)["neighbours"]
            assert neighbours["left"]["seat"] == (seat + 1) % seats == beside(table.state, seat, "left")
            assert neighbours["right"]["seat"] == (seat - 1) % seats == beside(table.state, seat, "right")


def all_round_trips(length: int) -> set[tuple[int, ...]]:
    """All round trips of a length, computed in another way: by trying every sequence of tickets."""
    found = set()
    for first in range(len(TICKETS)):
        for start, here in (TICKETS[first][:2], TICKETS[first][1::-1]):
            rows: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((first,), (here,))]
            for _ in range(length - 1):
                rows = [
                    ((*row, kind), (*reached, there))
                    for row, reached in rows
                    if start not in reached
                    for kind, ticket in enumerate(TICKETS)
                    for there in [ticket.far(reached[-1])]
                    if there is not None and there not in reached
                ]
            found |= {tuple(sorted(row)) for row, reached in rows if reached[-1] == start}
    return found


@rule("RT-38", "RT-39", "RT-40")
@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_all_round_trips_can_be_named_and_nothing_else(length: int) -> None:
    assert {trip.tickets for trip in TRIPS if trip.length == length} == all_round_trips(length)


@rule("RT-48", "RT-39")
def test_a_round_trip_of_length_six_goes_through_all_the_cities() -> None:
    grand = [trip for trip in TRIPS if trip.length == 6]
    assert all(sorted(trip.cities) == list(range(6)) for trip in grand)
    # 60 rings of six cities; each of the four tickets that do not touch Roma may come from two piles.
    assert len(grand) == 60 * 2**4
    assert max(trip.length for trip in TRIPS) == 6


@rule("RT-9", "RT-10", "RT-41")
def test_all_pictures_face_the_same_way_exactly_when_all_piles_are_different() -> None:
    for trip in TRIPS:
        cities = [*trip.cities, trip.cities[0]]
        ways = []
        for kind, left, right in zip(trip.ring, cities, cities[1:], strict=False):
            ticket = TICKETS[kind]
            assert {left, right} == {ticket.pile, ticket.other}, "the tickets of the ring do not follow its cities"
            ways.append(ticket.pile == left)
        same_way = all(ways) or not any(ways)
        different = len({TICKETS[kind].pile for kind in trip.tickets}) == trip.length
        assert same_way == different == trip.extra_turn, f"{[TICKETS[kind].name for kind in trip.ring]}"


@rule("RT-42")
def test_a_trip_through_roma_never_gives_an_extra_turn() -> None:
    roma = CITIES.index("Roma")
    through = [trip for trip in TRIPS if roma in trip.cities]
    assert through
    assert not any(trip.extra_turn for trip in through)


@rule("RT-41")
def test_every_ring_without_roma_gives_an_extra_turn_in_both_directions() -> None:
    extra = Counter(trip.length for trip in TRIPS if trip.extra_turn)
    # Rings of the five cities with a pile: 10 pairs, 10 of three, 15 of four and 12 of five; a pair has one direction.
    assert extra == {2: 10, 3: 2 * 10, 4: 2 * 15, 5: 2 * 12}


@rule("RT-39")
def test_example_turino_venezia_roma_milano_has_length_4() -> None:
    table = Table([TURINO_VENEZIA_ROMA_MILANO, []])
    (laid, *_) = table.play(0, "lay", tickets=TURINO_VENEZIA_ROMA_MILANO)
    assert laid["length"] == 4
    around = laid["cities"]
    start = around.index("Turino")
    ordered = around[start:] + around[:start]
    assert ordered in (["Turino", "Venezia", "Roma", "Milano"], ["Turino", "Milano", "Roma", "Venezia"])


@rule("RT-7")
def test_tickets_from_two_piles_can_connect_the_same_cities() -> None:
    for one, two in product(TICKETS, TICKETS):
        if (one.pile, one.other) == (two.other, two.pile):
            assert one.name != two.name
            assert one.copies == two.copies
