"""The parts match the contents of the box, and the map matches its sources."""

import heapq
from collections import Counter

from grandtour.games.ticket_to_ride_italy import GAME
from grandtour.games.ticket_to_ride_italy.parts import (
    BONUS,
    CARDS,
    CITIES,
    COLOURED,
    COLOURS,
    COPIES,
    DATA,
    DOUBLE_REGIONS,
    ENDS,
    FARES,
    FERRY_CARDS,
    FERRY_KINDS,
    PARALLEL,
    PLACES,
    POINTS,
    REGIONS,
    ROUTES,
    SHAPES,
    TICKETS,
    ZONES,
    shapes,
)
from tests.rules import rule


def shortest(starts: tuple[int, ...], ends: tuple[int, ...]) -> int:
    """The number of spaces of the shortest path on the map. A path never passes through a zone."""
    beside: dict[int, list[tuple[int, int]]] = {place: [] for place in range(len(PLACES))}
    for route in ROUTES:
        beside[route.a].append((route.b, route.length))
        beside[route.b].append((route.a, route.length))
    reached = dict.fromkeys(starts, 0)
    heap = [(0, start) for start in starts]
    while heap:
        far, place = heapq.heappop(heap)
        if place in ends:
            return far
        if far > reached[place] or (place >= len(CITIES) and place not in starts):
            continue
        for other, length in beside[place]:
            if far + length < reached.get(other, 1000):
                reached[other] = far + length
                heapq.heappush(heap, (far + length, other))
    raise AssertionError("the map falls apart")


@rule("TR-1", "TR-2")
def test_the_game_is_for_two_to_five_with_the_cards_of_the_original() -> None:
    assert GAME.players == (2, 5)
    assert sum(COPIES) == 110


@rule("TR-5")
def test_the_map_has_34_cities_in_17_regions() -> None:
    assert len(CITIES) == 34
    assert len(REGIONS) == 17
    assert sorted(city for cities in REGIONS.values() for city in cities) == list(range(34))


@rule("TR-6")
def test_12_ends_in_five_zones_are_dead_ends() -> None:
    assert {zone: len(ends) for zone, ends in ZONES.items()} == {
        "Svizzera": 4,
        "Francia": 1,
        "Monaco": 2,
        "Austria": 2,
        "Croazia": 3,
    }
    for end in range(34, 46):
        beside = {route.a if route.b == end else route.b for route in ROUTES if end in (route.a, route.b)}
        assert len(beside) == 1, f"{PLACES[end]} joins {beside}"
    assert len(ENDS) == 12


@rule("TR-10")
def test_the_map_has_84_connections_128_tracks_and_379_spaces() -> None:
    assert len({(route.a, route.b) for route in ROUTES}) == 84
    assert len(ROUTES) == 128
    assert sum(route.length for route in ROUTES) == 379
    assert len({route.name for route in ROUTES}) == 128


@rule("TR-10")
def test_every_number_names_its_source() -> None:
    for part in ("bonus", "points", "regions", "routes", "tickets"):
        for row in DATA[part]:
            assert row["source"] in DATA["provenance"], row
    assert {row["source"] for row in DATA["tickets"]} == {"made up"}
    assert {row["source"] for row in DATA["routes"]} == {"found"}


@rule("TR-7")
def test_exactly_the_grey_routes_are_ferries_with_one_to_four_waves() -> None:
    for route in ROUTES:
        assert (1 <= route.waves <= 4) if route.ferry else route.waves == 0
    assert Counter(route.length for route in ROUTES if route.ferry) == {3: 6, 4: 4, 5: 2, 6: 1, 7: 8}
    assert FERRY_KINDS == [(3, 1), (4, 2), (5, 3), (6, 3), (7, 4)]
    spaces = Counter(dict.fromkeys(COLOURS, 0))
    for route in ROUTES[:COLOURED]:
        spaces[COLOURS[route.colour]] += route.length
    assert spaces == {colour: 35 if colour == "purple" else 34 for colour in COLOURS}


@rule("TR-8")
def test_parallel_tracks_have_the_same_number_of_spaces() -> None:
    for number, route in enumerate(ROUTES):
        assert all(ROUTES[other].length == route.length for other in PARALLEL[number])
    tracks = Counter(len(others) + 1 for others in PARALLEL)
    assert tracks == {1: 41, 2: 2 * 42, 3: 3}
    triple = {ROUTES[number].words for number, others in enumerate(PARALLEL) if len(others) == 2}
    assert triple == {"Roma–Napoli"}


@rule("TR-9")
def test_an_orange_track_beside_a_ferry_and_two_tracks_into_a_zone_are_double_routes() -> None:
    doubles = {ROUTES[number].words for number, others in enumerate(PARALLEL) if others}
    assert {"Venezia–Trieste", "Torino–Francia", "Tarvisio–Austria", "Trieste–Croazia"} <= doubles


@rule("TR-11")
def test_there_are_110_train_cards() -> None:
    assert dict(zip(CARDS, COPIES, strict=True)) == {**dict.fromkeys(COLOURS, 12), "locomotive": 14}
    assert len(COLOURS) == 8


@rule("TR-12")
def test_there_are_ten_ferry_cards() -> None:
    assert FERRY_CARDS == 10


@rule("TR-13")
def test_there_are_56_different_tickets_some_to_zones() -> None:
    assert len({ticket.name for ticket in TICKETS}) == 56
    zones = Counter(sum(end in ZONES for end in ticket.name.split("-")) for ticket in TICKETS)
    assert zones == {0: 44, 1: 9, 2: 3}


@rule("TR-14")
def test_every_ticket_scores_the_length_of_its_shortest_path() -> None:
    for ticket in TICKETS:
        assert ticket.points == shortest(ticket.a, ticket.b), ticket.name


@rule("TR-40", "TR-41")
def test_points_depend_on_the_length_of_a_route() -> None:
    assert POINTS == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18}
    assert {route.length for route in ROUTES} == {1, 2, 3, 4, 5, 6, 7}


@rule("TR-57", "TR-58")
def test_the_bonus_table_follows_its_formula() -> None:
    assert BONUS == {5: 1, 6: 2, 7: 4, 8: 7, 9: 11, 10: 16, 11: 22, 12: 29, 13: 37, 14: 46, 15: 56}
    assert all(points == 1 + (n - 5) * (n - 4) // 2 for n, points in BONUS.items())


@rule("TR-61")
def test_sardegna_sicilia_and_puglia_are_special() -> None:
    assert {region: len(REGIONS[region]) for region in DOUBLE_REGIONS} == {"Puglia": 4, "Sicilia": 5, "Sardegna": 3}


@rule("TR-42", "TR-43", "TR-45")
def test_the_ways_to_pay_for_a_ferry_match_a_simple_search() -> None:
    """Every space is paid for by a card allowed there, and every ferry card covers one or two waves."""
    for length, waves in FERRY_KINDS:
        found = set()
        for on_waves in range(waves + 1):  # ferry halves on waves, locomotives on the other waves
            for on_plain in range(length - waves + 1):  # locomotives on spaces without a wave
                for ferries in range(3):
                    if (on_waves + 1) // 2 <= ferries <= on_waves:
                        plain = length - waves - on_plain
                        found.add((plain, waves - on_waves + on_plain, ferries))
        assert found == set(shapes(length, waves)), (length, waves)
    assert len(FARES) == sum(8 if shape.cards else 1 for shape in SHAPES)
