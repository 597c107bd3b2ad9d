# compiled
"""Which tickets the others probably hold, judged by the routes they have claimed.

Players build for their tickets. So a player is more likely to hold a ticket whose ends its routes connect, or nearly
connect, and a ticket that explains routes which its other tickets do not. The weights in `belief.json` were fitted to
games of the normal bot by `python -m bench.belief`.
"""

import json
from importlib.resources import files
from math import exp
from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from grandtour.games.ticket_to_ride_italy import parts
from grandtour.games.ticket_to_ride_italy.knowledge import Likely
from grandtour.games.ticket_to_ride_italy.mechanics.board import BIT, LENGTH, TICKET_A, TICKET_B, TICKET_POINTS
from grandtour.games.ticket_to_ride_italy.parts import N_PLACES, N_ROUTES, N_TICKETS
from grandtour.games.ticket_to_ride_italy.state import Table
from grandtour.games.ticket_to_ride_italy.strategy.plan import BY_START, CONNECTIONS, FAR, Planner

N_FEATURES: Final = 8
"""The number of features of a ticket by itself. Two more weights are for the routes that it explains: in general, and
if its ends are connected."""
DETOUR_SCALE: Final = 3.0
"""In spaces. A ticket explains a route e times less if the path over that route is this much longer than the
shortest one."""
MAX_SPACES: Final = 60
"""The length of a path that is blocked, or longer than anybody would build."""

_data: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("belief.json").read_text("utf-8"))
WEIGHTS: Final = vec[float]([float(weight) for weight in _data["weights"].values()])


class Network:
    """What a player has built, and how many spaces are still missing for each ticket."""

    def __init__(self, state: Table, seat: i64) -> None:
        self.trains: Final[i64] = state.trains[seat]
        self.played: Final = 1.0 - float(self.trains) / float(i64(parts.TRAINS))
        self.spaces = vec[i64]([MAX_SPACES] * N_TICKETS)
        planner = Planner(state, seat, MAX_SPACES)
        for connection in range(CONNECTIONS):
            if 0 < planner.cost[connection] < FAR:
                planner.cost[connection] = LENGTH[planner.track[connection]]
        start: i64 = 0
        for ticket in BY_START:
            if start != TICKET_A[ticket]:
                start = TICKET_A[ticket]
                planner.search(start, 0, MAX_SPACES)
            ends = TICKET_B[ticket]
            while ends:
                bit = ends & -ends
                ends ^= bit
                far = planner.far[BIT[bit % 67]]
                if far < self.spaces[ticket]:
                    self.spaces[ticket] = far

    def features(self, ticket: i64) -> vec[float]:
        """The features of a ticket that make it more or less likely, in the order of the weights."""
        found = vec[float]([0.0] * N_FEATURES)
        spaces = self.spaces[ticket]
        points = TICKET_POINTS[ticket]
        if spaces == 0:
            found[0] = 1.0
            found[1] = self.played
            found[2] = float(points) / 10.0
            return found
        if spaces < points:
            found[3] = 1.0 - float(spaces) / float(points)
            found[4] = found[3] * self.played
        if spaces > self.trains:
            found[5] = 1.0
        found[6] = float(spaces) / 10.0
        found[7] = found[6] * self.played
        return found


def likely(state: Table, me: i64) -> Likely:
    """How likely the others are to hold each ticket, from what everybody can see."""
    alone = vec[float]([1.0] * (N_TICKETS * state.seats))
    further = vec[float]([0.0] * (N_TICKETS * state.seats))
    for seat in range(state.seats):
        if seat != me and state.trains[seat] < parts.TRAINS:
            network = Network(state, seat)
            for ticket in range(i64(N_TICKETS)):
                features = network.features(ticket)
                total = 0.0
                for n in range(i64(N_FEATURES)):
                    total += WEIGHTS[n] * features[n]
                alone[N_TICKETS * seat + ticket] = exp(total)
                further[N_TICKETS * seat + ticket] = WEIGHTS[N_FEATURES] + WEIGHTS[N_FEATURES + 1] * features[0]
    return Likely(alone, further, explains(), built(state), LENGTH)


def built(state: Table) -> list[vec[i64]]:
    """The routes of each seat."""
    found = [vec[i64]() for _ in range(state.seats)]
    for route in range(i64(N_ROUTES)):
        owner = state.owner[route]
        if owner >= 0:
            found[owner] = append(found[owner], route)
    return found


_explains: list[vec[float]] = []


def explains() -> vec[float]:
    """How well each ticket explains each route, by the detour over the route on an empty board. Computed on first
    use."""
    if not _explains:
        far = _distances()
        found = vec[float]([0.0] * (N_TICKETS * N_ROUTES))
        for number, ticket in enumerate(parts.TICKETS):
            shortest = min([far[a][b] for a in ticket.a for b in ticket.b])
            for at, route in enumerate(parts.ROUTES):
                over = MAX_SPACES
                for a in ticket.a:
                    for b in ticket.b:
                        there = far[a][route.a] + far[route.b][b]
                        back = far[a][route.b] + far[route.a][b]
                        over = min(over, min(there, back) + route.length - shortest)
                found[N_ROUTES * number + at] = exp(-float(over) / DETOUR_SCALE)
        _explains.append(found)
    return _explains[0]


def _distances() -> list[list[int]]:
    """The spaces between any two places, on an empty board."""
    far = [[0 if a == b else MAX_SPACES for b in range(N_PLACES)] for a in range(N_PLACES)]
    for route in parts.ROUTES:
        far[route.a][route.b] = min(far[route.a][route.b], route.length)
        far[route.b][route.a] = far[route.a][route.b]
    for via in range(N_PLACES):
        onward = far[via]
        for row in far:
            first = row[via]
            if first < MAX_SPACES:
                for b in range(N_PLACES):
                    row[b] = min(row[b], first + onward[b])
    return far
