"""Which tickets hard thinks the others hold, judged by their routes."""

import json
from importlib.resources import files

import pytest

from bench.belief import chances, fit, observations, surprise
from grandtour.engine.dice import QuickDice
from grandtour.games.ticket_to_ride_italy.knowledge import Likely
from grandtour.games.ticket_to_ride_italy.mechanics.board import TICKET_POINTS, size
from grandtour.games.ticket_to_ride_italy.parts import N_TICKETS, ROUTES, TICKETS, TRAINS
from grandtour.games.ticket_to_ride_italy.rules import State
from grandtour.games.ticket_to_ride_italy.strategy import belief
from grandtour.games.ticket_to_ride_italy.strategy.plan import Planner, ticket_gains
from tests.games.ticket_to_ride_italy.positions import ROW, Table, number

JOINED = "Foggia-Catania"
OTHERS = ["Torino-Agrigento", "Venezia-Siracusa", "Milano-Palermo"]
WORLDS = 60


def built(seats: int = 2) -> Table:
    """The last seat has joined the ends of a ticket, but holds three others."""
    planned = Planner(Table(row=ROW).state, 0, 300).next_path(ticket_gains(1 << number(JOINED), 0)).routes
    names = " ".join(ROUTES[route].name for route in planned)
    return Table(seats, routes={seats - 1: names}, tickets={0: ["Trieste-Palermo"], seats - 1: OTHERS})


def holding(state: State, seat: int, ticket: str, likely: Likely | None) -> int:
    """In how many of sixty worlds a seat holds a ticket."""
    worlds = [state.imagine_likely(0, QuickDice(deal), likely) for deal in range(WORLDS)]
    return sum(world.held[seat] >> number(ticket) & 1 for world in worlds)


def test_a_network_counts_the_spaces_that_each_ticket_still_needs() -> None:
    table = built()
    nothing, network = belief.Network(Table(row=ROW).state, 1), belief.Network(table.state, 1)
    assert nothing.played == 0
    assert [(ticket.name, spaces) for ticket, spaces in zip(TICKETS, nothing.spaces, strict=True)] == [
        (ticket.name, ticket.points) for ticket in TICKETS
    ]
    assert network.spaces[number(JOINED)] == 0
    assert network.trains < TRAINS
    assert all(network.spaces[ticket] <= TICKET_POINTS[ticket] for ticket in range(N_TICKETS))


@pytest.mark.parametrize("seats", [2, 3])
def test_a_ticket_whose_ends_are_joined_is_held_more_often(seats: int) -> None:
    state = built(seats).state
    last = seats - 1
    likely = belief.likely(state, 0)
    assert likely.alone[N_TICKETS * last + number(JOINED)] > 5 * likely.alone[N_TICKETS * last + number("Genova-Bari")]
    assert list(likely.alone[:N_TICKETS]) == [1.0] * N_TICKETS, "a seat's own tickets are known"
    assert holding(state, last, JOINED, None) < WORLDS // 4
    assert holding(state, last, JOINED, likely) > WORLDS // 2


def test_a_ticket_explains_the_routes_on_its_path() -> None:
    state = built().state
    likely = belief.likely(state, 0)
    routes = list(likely.built[1])
    assert [int(state.owner[route]) for route in routes] == [1] * len(routes)
    assert len(likely.built[0]) == 0
    joined = 1 << number(JOINED)
    nothing = likely.unexplained(1, 0)
    assert sum(nothing) == pytest.approx(1)
    assert likely.adds(1, number(JOINED), nothing) == pytest.approx(1)
    assert 0 <= likely.adds(1, number("Torino-Cagliari"), nothing) < 0.1
    assert sum(likely.unexplained(1, joined)) == pytest.approx(0)
    beside = likely.weight(1, number("Foggia-Svizzera"), likely.unexplained(1, joined))
    assert beside < likely.weight(1, number("Foggia-Svizzera"), nothing), (
        "a route that one ticket explains needs no second one"
    )


def test_a_player_without_routes_may_hold_any_ticket() -> None:
    state = Table(3).state
    likely = belief.likely(state, 0)
    assert {likely.weight(1, ticket, likely.unexplained(1, 0)) for ticket in range(N_TICKETS)} == {1.0}


def test_imagined_tickets_agree_with_what_a_seat_knows() -> None:
    """A ticket that a seat gave back is not in another hand, and the seat keeps its own tickets."""
    table = built()
    mine = table.state.held[0]
    table.play(0, "tickets")
    drawn = [ticket["ticket"] for ticket in table.view(0)["drawn"]]
    table.play(0, "return", ticket=drawn[0])
    table.play(0, "keep")
    state = table.state
    kept = state.held[0]
    assert kept & mine == mine
    likely = belief.likely(state, 0)
    for name in drawn:
        likely.alone[N_TICKETS + number(name)] = 1e6
    for deal in range(WORLDS):
        world = state.imagine_likely(0, QuickDice(deal), likely)
        assert world.held[0] == kept
        assert not world.held[1] >> number(drawn[0]) & 1
        assert size(world.held[1]) == size(state.held[1])
        assert world.census() == state.census()


def test_it_uses_only_what_everybody_can_see() -> None:
    state = built(3).state

    def found(position: State) -> list[object]:
        likely = belief.likely(position, 0)
        return [list(likely.alone), list(likely.further), [list(routes) for routes in likely.built]]

    for deal in range(5):
        assert found(state.imagine(0, QuickDice(deal))) == found(state)


def test_there_is_a_weight_for_each_feature() -> None:
    text = files("grandtour.games.ticket_to_ride_italy.strategy").joinpath("belief.json").read_text("utf-8")
    weights = json.loads(text)["weights"]
    assert list(weights.values()) == list(belief.WEIGHTS)
    assert len(weights) == belief.N_FEATURES + 2


def test_fitting_finds_weights_that_explain_who_holds_what() -> None:
    seen = [observation for deal in range(6) for observation in observations(2, deal, 1)]
    assert all(0 <= observation.held < len(observation.features) for observation in seen)
    weights = fit(seen)
    assert len(weights) == belief.N_FEATURES + 2
    assert chances(seen[0].features, weights).sum() == pytest.approx(1)
    assert surprise(seen, weights) < surprise(seen, 0 * weights) - 0.3
