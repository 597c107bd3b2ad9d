"""Ticket to Ride: Italy: each way the game can end, and each thing that does not happen in every game.

That all players pass in a row is not recorded: as long as anyone has trains for a route, somebody can move in all but
made-up positions. The game's own tests make one up.
"""

from grandtour.engine.events import Event
from grandtour.games.ticket_to_ride_italy.parts import (
    COLOURS,
    DOUBLE_REGIONS,
    PLACES,
    REGIONS,
    ROUTE_NUMBERS,
    ROUTES,
    TICKETS,
    ZONES,
)
from grandtour.testing import Golden

Steps = list[list[Event]]


def of(steps: Steps, name: str) -> list[Event]:
    return [event for events in steps for event in events if event["event"] == name]


def won(steps: Steps, winners: int, level: int) -> bool:
    """So many share the win, and so many have the most points."""
    (end,) = of(steps, "won")
    return len(end["seats"]) == winners and end["scores"].count(max(end["scores"])) == level


def pays(steps: Steps, **pay: int) -> bool:
    return any(claimed["pay"] == pay for claimed in of(steps, "claimed"))


def half_a_card(steps: Steps) -> bool:
    """A ferry card serves for a single wave."""
    paid = [(ROUTES[ROUTE_NUMBERS[claimed["route"]]], claimed["pay"]) for claimed in of(steps, "claimed")]
    return any(route.waves == 1 and "ferry" in pay for route, pay in paid)


def mixed(steps: Steps) -> bool:
    return any({"ferry", "locomotive"} <= set(claimed["pay"]) for claimed in of(steps, "claimed"))


def owners(steps: Steps, *routes: str) -> set[int]:
    return {claimed["seat"] for claimed in of(steps, "claimed") if claimed["route"] in routes}


def networks(steps: Steps, seat: int) -> list[set[int]]:
    """What the routes of a seat join."""
    found = [{place} for place in range(len(PLACES))]
    for claimed in of(steps, "claimed"):
        if claimed["seat"] == seat:
            route = ROUTES[ROUTE_NUMBERS[claimed["route"]]]
            ends = [network for network in found if network & {route.a, route.b}]
            found = [network for network in found if network not in ends] + [set.union(*ends)]
    return found


def zone_met(steps: Steps) -> bool:
    """A player has met a ticket to a zone."""
    for seat, held in enumerate(of(steps, "tickets-shown")[0]["tickets"]):
        for ticket in TICKETS:
            if ticket.name in held and set(ticket.name.split("-")) & set(ZONES):
                a, b = set(ticket.a), set(ticket.b)
                if any(network & a and network & b for network in networks(steps, seat)):
                    return True
    return False


def complete(steps: Steps) -> bool:
    """A player has all cities of a special region."""
    own = [network for seat in (0, 1) for network in networks(steps, seat)]
    return any(network >= set(REGIONS[region]) for region in DOUBLE_REGIONS for network in own)


def returned_later(steps: Steps) -> bool:
    return any(events[0]["returned"] == 3 for events in steps if events and events[0]["event"] == "kept")


SCENARIOS = [
    Golden("trains-run-out", ("normal", "normal"), lambda steps: won(steps, 1, 1)),
    Golden("tie-by-tickets", ("random", "random"), lambda steps: won(steps, 1, 2)),
    Golden("shared-win", ("random",) * 3, lambda steps: won(steps, 2, 2)),
    Golden("five-players", ("normal",) * 5, lambda steps: won(steps, 1, 1), {"start": "4"}),
    Golden("three-locomotives", ("normal", "random"), lambda steps: any(e["swept"] for e in of(steps, "filled"))),
    Golden("deck-shuffled", ("normal",) * 3, lambda steps: any(e["shuffled"] for e in of(steps, "filled"))),
    Golden(
        "locomotive-face-up",
        ("normal", "normal"),
        lambda steps: any(e.get("card") == "locomotive" for e in of(steps, "drew")),
    ),
    Golden("all-locomotives", ("random",) * 2, lambda steps: pays(steps, locomotive=3) or pays(steps, locomotive=4)),
    Golden("two-ferry-cards", ("normal", "normal"), lambda steps: any(pays(steps, ferry=2, **{c: 3}) for c in COLOURS)),
    Golden("ferry-and-locomotives", ("normal", "random"), mixed),
    Golden("half-a-ferry-card", ("random", "random"), half_a_card),
    Golden("triple-route-shared", ("normal",) * 4, lambda steps: len(owners(steps, "R085", "R086", "R087")) == 3),
    Golden("ticket-to-a-zone", ("normal", "normal"), zone_met),
    Golden("special-region", ("normal", "normal"), complete),
    Golden("tickets-given-back", ("normal", "random"), returned_later),
    Golden("last-tickets", ("random",) * 5, lambda steps: any(e["count"] < 4 for e in of(steps, "drew-tickets"))),
]
