"""The last round, and final scores that were worked out by hand."""

import pytest

from grandtour.games.ticket_to_ride_italy import GAME
from grandtour.games.ticket_to_ride_italy.mechanics.board import bonus, networks, regions
from grandtour.games.ticket_to_ride_italy.parts import BONUS, CITIES, DOUBLE_REGIONS, REGIONS, ROUTES
from tests.games.ticket_to_ride_italy.positions import ROW, Table
from tests.rules import rule


def lines(table: Table, seat: int) -> dict[str, int]:
    return {line["label"]: line["value"] for line in GAME.final(table.state)[seat]["lines"]}


@rule("TR-53")
@pytest.mark.parametrize(("left", "last"), [(4, False), (3, True), (2, True), (1, True)])
def test_two_trains_or_fewer_begin_the_last_round(left: int, last: bool) -> None:
    table = Table(3, hands={0: "purple"}, trains={0: left})
    events = table.play(0, "claim", route="R052", locomotives=0)
    assert ("last-round" in [event["event"] for event in events]) == last
    for seat in (1, 2, 0):
        assert table.waiting() == [seat]
        table.play(seat, "ferry")
    assert (table.waiting() == []) == last
    if last:
        assert table.result() is not None
        assert table.state.legal(0) == []
        assert table.refusal(0, "ferry") == "TR-53"


@rule("TR-53")
def test_a_second_player_with_few_trains_does_not_prolong_the_last_round() -> None:
    table = Table(2, hands={0: "purple", 1: "2 blue"}, trains={0: 2, 1: 3})
    table.play(0, "claim", route="R052", locomotives=0)
    assert table.view(0)["last_round"] == 2
    table.play(1, "claim", route="R034", locomotives=0)
    assert table.view(0)["last_round"] == 1
    table.play(0, "ferry")
    assert table.waiting() == []


@rule("TR-54")
def test_when_all_pass_in_a_row_the_game_is_over() -> None:
    everything = " ".join(route.name for route in ROUTES)
    nothing_left = {"row": "", "deck": "", "ferries": {0: 2, 1: 2, 2: 2}, "ticket_deck": []}
    table = Table(3, **nothing_left, routes={0: everything}, trains={0: 9})  # type: ignore[arg-type]
    for seat in range(3):
        assert table.verbs(seat) == {"pass"}
        assert table.waiting() == [seat]
        table.play(seat, "pass")
    assert table.waiting() == []
    assert table.result() == [1.0, 0.0, 0.0]


@rule("TR-54")
def test_a_turn_between_passes_restarts_the_count() -> None:
    everything = " ".join(route.name for route in ROUTES)
    nothing_left = {"row": "", "deck": "", "ferries": {0: 2, 1: 1}, "ticket_deck": []}
    table = Table(2, **nothing_left, routes={0: everything}, trains={0: 9})  # type: ignore[arg-type]
    table.play(0, "pass")
    table.play(1, "ferry")
    table.play(0, "pass")
    assert table.waiting() == [1]
    table.play(1, "pass")
    assert table.waiting() == []


@rule("TR-55")
def test_all_tickets_are_shown_at_the_end() -> None:
    table = Table(tickets={1: ["Venezia-Pisa"]})
    assert table.view(0)["players"][1]["shown"] is None
    table.finish()
    assert table.view(0)["players"][1]["shown"] == [{"ticket": "Venezia-Pisa", "points": 5, "met": False}]
    assert table.scores() == [0, -5]


@rule("TR-55")
def test_a_completed_ticket_scores_and_an_incomplete_one_costs_points() -> None:
    """Milano–Parma and Parma–Bologna and Bologna–Ravenna: 2 + 2 + 1 points, and Milano–Ravenna is met."""
    table = Table(routes={0: "R015 R030 R049"}, tickets={0: ["Milano-Ravenna", "Venezia-Pisa"]})
    assert [ticket["met"] for ticket in table.view(0)["tickets"]] == [True, False]
    table.finish()
    assert lines(table, 0) == {"3 routes claimed": 5, "Milano–Ravenna, completed": 5, "Venezia–Pisa, not completed": -5}
    assert table.scores()[0] == 5


@rule("TR-55")
def test_another_players_routes_connect_nothing_for_you() -> None:
    table = Table(routes={0: "R015 R049", 1: "R030"}, tickets={0: ["Milano-Ravenna"]})
    table.finish()
    assert "Milano–Ravenna, not completed" in lines(table, 0)


@rule("TR-6", "TR-56")
def test_any_route_into_a_zone_completes_a_ticket_to_it() -> None:
    for way in ("Parma-Genova Genova-Torino Torino-Francia", "Parma-Milano Milano-Torino R004"):
        table = Table(routes={0: way}, tickets={0: ["Parma-Francia"]})
        table.finish()
        assert "Parma–Francia, completed" in lines(table, 0)
    for way in ("Bolzano-Austria", "Tarvisio-Austria"):
        table = Table(
            routes={0: f"{way} Bolzano-Verona Verona-Bologna Bologna-Parma Verona-Venezia Venezia-Tarvisio"},
            tickets={0: ["Parma-Austria"]},
        )
        table.finish()
        assert "Parma–Austria, completed" in lines(table, 0)


@rule("TR-6", "TR-56")
def test_two_routes_into_one_zone_are_not_connected_there() -> None:
    """Torino and Milano each have a route into Svizzera, but these do not connect the two cities."""
    table = Table(routes={0: "R001 R002 Torino-Genova Milano-Bergamo Bergamo-Verona"}, tickets={0: ["Genova-Verona"]})
    assert len(networks(table.state.reach, 0)) == 2
    table.finish()
    assert "Genova–Verona, not completed" in lines(table, 0)


@rule("TR-56")
def test_a_ticket_between_two_zones_needs_one_network_with_a_route_into_each() -> None:
    apart = Table(routes={0: "Torino-Monaco Tarvisio-Austria"}, tickets={0: ["Monaco-Austria"]})
    apart.finish()
    assert "Monaco–Austria, not completed" in lines(apart, 0)
    way = "Monaco-Genova Genova-Milano Milano-Bergamo Bergamo-Bolzano Bolzano-Austria"
    joined = Table(routes={0: way}, tickets={0: ["Monaco-Austria"]})
    joined.finish()
    assert "Monaco–Austria, completed" in lines(joined, 0)


def network_of(count: int) -> Table:
    """A single network with this number of regions, built city by city from Torino."""
    table = Table(row=ROW)
    inside = {CITIES.index("Torino")}
    while True:
        network = sum(1 << place for place in inside)
        if regions(network) >= count:
            return table
        for number, route in enumerate(ROUTES):
            ends = {route.a, route.b}
            if route.b < len(CITIES) and len(ends & inside) == 1:
                after = sum(1 << place for place in inside | ends)
                if regions(network) < regions(after) <= count:
                    table.state.occupy(0, number)
                    inside |= ends
                    break
        else:
            inside_names = [CITIES[place] for place in sorted(inside)]
            raise AssertionError(f"no way to {count} regions from {inside_names}")


@rule("TR-57", "TR-58")
@pytest.mark.parametrize("count", range(2, 17))
def test_the_bonus_of_every_number_of_regions(count: int) -> None:
    table = network_of(count)
    (network,) = table.view(1)["players"][0]["networks"]
    assert network["count"] == count
    assert network["points"] == bonus(table.state.reach, 0) == BONUS.get(min(count, 15), 0)
    table.finish()
    points = lines(table, 0).get(f"{count} regions in one network", 0)
    assert points == BONUS.get(min(count, 15), 0)


@rule("TR-57")
def test_all_of_italy_counts_twenty_and_scores_as_fifteen() -> None:
    table = Table(routes={0: " ".join(route.name for route in ROUTES)})
    assert regions(networks(table.state.reach, 0)[0]) == 20
    assert bonus(table.state.reach, 0) == 56


@rule("TR-61")
@pytest.mark.parametrize("region", DOUBLE_REGIONS)
def test_a_special_region_counts_twice_only_when_all_its_cities_are_in_the_network(region: str) -> None:
    cities = REGIONS[region]
    assert regions(sum(1 << city for city in cities)) == 2
    for missing in cities:
        assert regions(sum(1 << city for city in cities if city != missing)) == 1


@rule("TR-61")
def test_a_special_region_split_over_two_networks_counts_once_in_each() -> None:
    """Olbia is connected to Sassari and Cagliari to Palermo, so no network has all of Sardegna."""
    table = Table(routes={0: "Olbia-Sassari Cagliari-Palermo"})
    assert [network["regions"] for network in table.view(0)["players"][0]["networks"]] == [
        {"Sicilia": 1, "Sardegna": 1},
        {"Sardegna": 1},
    ]


@rule("TR-62")
def test_one_city_is_enough_for_a_region_and_a_zone_is_not_a_region() -> None:
    table = Table(routes={0: "Torino-Svizzera Torino-Monaco Torino-Francia Torino-Milano Milano-Bergamo"})
    (network,) = table.view(0)["players"][0]["networks"]
    assert network["regions"] == {"Piemonte": 1, "Lombardia": 1}
    assert network["count"] == 2


NORTH = "Torino-Milano Milano-Genova Genova-Pisa Milano-Bergamo Bergamo-Verona Verona-Bologna Verona-Bolzano"
SOUTH = (
    "Palermo-Agrigento Agrigento-Catania Catania-Siracusa Catania-Messina Messina-Cosenza Cosenza-Taranto Taranto-Bari "
    "Bari-Foggia Taranto-Lecce Foggia-Salerno"
)


@rule("TR-59", "TR-60", "TR-63")
def test_example_two_networks_with_special_regions() -> None:
    """North: 4 + 2 + 4 + 1 + 2 + 2 + 4 = 19 points and seven regions for 4.

    South: 2 + 4 + 1 + 2 + 4 + 7 + 1 + 4 + 2 + 2 = 29 points; Sicilia and Puglia complete count two each, with Calabria
    and Campania six regions for 2. Tickets 8 + 11 - 16. In all 19 + 29 + 4 + 2 + 3 = 57, and nothing for a longest way.
    """
    tickets = ["Cosenza-Agrigento", "Foggia-Catania", "Torino-Napoli"]
    table = Table(routes={0: f"{NORTH} {SOUTH}"}, tickets={0: tickets})
    assert table.view(1)["players"][0]["trains"] == 45 - 16 - 23
    table.finish()
    assert lines(table, 0) == {
        "17 routes claimed": 48,
        "Torino–Napoli, not completed": -16,
        "Foggia–Catania, completed": 11,
        "Cosenza–Agrigento, completed": 8,
        "7 regions in one network": 4,
        "6 regions in one network": 2,
    }
    assert table.scores() == [57, 0]
    assert table.result() == [1.0, 0.0]


@rule("TR-60")
def test_the_same_region_counts_in_each_of_two_networks() -> None:
    """Both networks have Toscana: the first has five regions, and so has the second."""
    first = "Torino-Genova Genova-Pisa Genova-Milano Genova-Parma"
    second = "Grosseto-Roma Grosseto-Perugia Perugia-Ancona Ancona-Pescara"
    table = Table(routes={0: f"{first} {second}"})
    assert [network["points"] for network in table.view(0)["players"][0]["networks"]] == [1, 1]
    assert bonus(table.state.reach, 0) == 2


@rule("TR-55", "TR-57", "TR-61")
def test_example_two_players() -> None:
    """Seat 0: 4 + 1 + 2 + 2 + 2 = 11 for routes, Milano–Ravenna met, Genova–Verona missed, four regions: 11 points.

    Seat 1: 7 + 2 + 7 + 4 + 2 = 22 for routes; Grosseto–Sassari met, Salerno–Sassari missed; Sardegna counts twice, with
    Lazio, Toscana and Umbria that is five regions for 1: 22 + 9 - 11 + 1 = 21 points.
    """
    table = Table(
        routes={
            0: "Torino-Milano Milano-Bergamo Bergamo-Verona Verona-Venezia Venezia-Ravenna",
            1: "Roma-Olbia Olbia-Sassari Sassari-Cagliari Roma-Grosseto Grosseto-Perugia",
        },
        tickets={0: ["Milano-Ravenna", "Genova-Verona"], 1: ["Grosseto-Sassari", "Salerno-Sassari"]},
    )
    table.finish()
    assert table.scores() == [11, 21]
    assert table.result() == [0.0, 1.0]


@rule("TR-64")
def test_example_a_tie_goes_to_more_completed_tickets() -> None:
    """Seat 0: 2 + 4 + 2 + 2 + 1 = 11 for routes, two tickets to Francia met for 9 and 7, one to Austria missed: 20.

    Seat 1: 2 + 4 + 2 + 4 + 2 + 2 = 16 for routes, Svizzera–Croazia met for 9, Milano–Ravenna missed for 5: 20 as well.
    """
    table = Table(
        routes={
            0: "Torino-Francia Torino-Genova Genova-Parma Parma-Bologna Bologna-Firenze",
            1: "R019 R002 Trieste-Croazia Trieste-Venezia Venezia-Verona Verona-Bergamo",
        },
        tickets={
            0: ["Firenze-Francia", "Parma-Francia", "Parma-Austria"],
            1: ["Svizzera-Croazia", "Milano-Ravenna"],
        },
    )
    table.finish()
    assert table.scores() == [20, 20]
    assert table.result() == [1.0, 0.0]
    assert [row["won"] for row in GAME.final(table.state)] == [True, False]
    assert [player["met"] for player in table.view(None)["players"]] == [2, 1]


@rule("TR-65")
def test_players_equal_in_points_and_tickets_share_the_win() -> None:
    table = Table(3, routes={0: "Torino-Milano", 1: "Genova-Pisa"})
    table.finish()
    assert table.scores() == [4, 4, 0]
    assert table.result() == [0.5, 0.5, 0.0]


@rule("TR-63")
def test_there_is_no_bonus_for_the_longest_path() -> None:
    table = Table(routes={0: "Pisa-Firenze Firenze-Bologna Bologna-Ravenna"})
    table.finish()
    assert lines(table, 0) == {"3 routes claimed": 3}
