"""What reports count in Ticket to Ride: Italy: tickets dealt and kept, routes claimed, regions reached."""

from grandtour.engine.study import Chart, Kind, Log, Study, Things, count_moves, count_things
from grandtour.games.ticket_to_ride_italy.mechanics.board import met, networks
from grandtour.games.ticket_to_ride_italy.parts import (
    COLOURS,
    DATA,
    GREY,
    LAST_TRAINS,
    PARALLEL,
    PLACES,
    REGIONS,
    ROUTES,
    TICKETS,
    place_name,
)
from grandtour.games.ticket_to_ride_italy.rules import MOVES, State
from grandtour.games.ticket_to_ride_italy.study_map import COAST

OFFERED = Kind("ticket dealt", "tickets dealt", "found it among their first five")
KEPT = Kind("ticket", "tickets", "kept it")
MET = Kind("completed ticket", "completed tickets", "completed it")
ROUTE = Kind("route", "routes", "claimed it")
REGION = Kind("region", "regions", "reached it")


def _route_name(number: int) -> str:
    """The name of a route. The tracks of a double route also have their colour, to tell them apart."""
    route = ROUTES[number]
    if not PARALLEL[number]:
        return route.words
    colour = "grey" if route.colour == GREY else COLOURS[route.colour]
    alike = [other for other in (number, *PARALLEL[number]) if ROUTES[other].colour == route.colour]
    mark = f" {sorted(alike).index(number) + 1}" if len(alike) > 1 else ""
    return f"{route.words} ({colour}{mark})"


def _names() -> list[str]:
    """The names of all routes. Routes from one city into the same zone also have their end, to tell them apart."""
    names = [_route_name(number) for number in range(len(ROUTES))]
    return [name if names.count(name) == 1 else f"{name} {ROUTES[i].name}" for i, name in enumerate(names)]


ROUTE_TITLES = _names()
TICKET_TITLES = [ticket.name.replace("-", "–") for ticket in TICKETS]


def dealt(state: State) -> Things:
    return [[(OFFERED.one, TICKET_TITLES[ticket]) for ticket in _tickets(state, seat)] for seat in range(state.seats)]


def had(state: State, log: Log) -> Things:
    things: Things = []
    for seat in range(state.seats):
        mine = [(ROUTE.one, ROUTE_TITLES[route]) for route in range(len(ROUTES)) if state.owner[route] == seat]
        for ticket in _tickets(state, seat):
            mine.append((KEPT.one, TICKET_TITLES[ticket]))
            if met(state.reach, seat, ticket):
                mine.append((MET.one, TICKET_TITLES[ticket]))
        reached = 0
        for network in networks(state.reach, seat):
            reached |= network
        mine += [(REGION.one, name) for name, cities in REGIONS.items() if any(reached >> city & 1 for city in cities)]
        things.append(mine)
    return things


def figures(state: State, log: Log) -> list[dict[str, int]]:
    return [
        {
            "tickets kept": count_things(KEPT, things),
            "tickets completed": count_things(MET, things),
            "routes claimed": count_things(ROUTE, things),
            "regions reached": count_things(REGION, things),
            "cards drawn": count_moves(log, seat, MOVES.verbs["draw"]),
        }
        for seat, things in enumerate(had(state, log))
    ]


def ending(state: State) -> str:
    spent = min(state.trains) <= LAST_TRAINS
    return "somebody ran out of trains" if spent else "nobody could do anything any more"


def _chart() -> Chart:
    spots = {spot["name"]: (spot["lon"], spot["lat"]) for spot in (*DATA["cities"], *DATA["ends"])}
    lines = {title: (PLACES[route.a], PLACES[route.b]) for title, route in zip(ROUTE_TITLES, ROUTES, strict=True)}
    return Chart(ROUTE.one, spots, lines, {name: place_name(number) for number, name in enumerate(PLACES)}, COAST)


def _tickets(state: State, seat: int) -> list[int]:
    return [ticket for ticket in range(len(TICKETS)) if state.held[seat] >> ticket & 1]


STUDY = Study(
    dealt=dealt,
    had=had,
    first=lambda state: int(state.starter),
    ending=ending,
    chance=(OFFERED,),
    choice=(ROUTE, KEPT, MET, REGION),
    score=("point", "points"),
    chart=_chart(),
    figures=figures,
)
