# compiled
"""Which tickets the others probably hold, judged by the routes they have claimed.

Everybody builds for their tickets. So of two tickets that a player may hold, the one whose ends its routes join, or
nearly join, is the likelier one. The weights in `belief.json` were fitted on games of the normal bot by
`python -m bench.belief`.
"""

import json
from importlib.resources import files
from math import exp
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.ticket_to_ride_italy import parts
from grandtour.games.ticket_to_ride_italy.mechanics.board import BIT, LENGTH, TICKET_A, TICKET_B, TICKET_POINTS
from grandtour.games.ticket_to_ride_italy.parts import N_TICKETS
from grandtour.games.ticket_to_ride_italy.state import Table
from grandtour.games.ticket_to_ride_italy.strategy.plan import BY_START, CONNECTIONS, FAR, Planner

FIGURES: Final = 8
MOST_SPACES: Final = 60
"""The spaces of a way that is longer than anybody would build, or blocked."""

_data: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("belief.json").read_text("utf-8"))
WEIGHTS: Final = vec[float]([float(weight) for weight in _data["weights"].values()])


class Network:
    """What a player has built, and how many spaces each ticket still needs."""

    def __init__(self, state: Table, seat: i64) -> None:
        self.trains: Final[i64] = state.trains[seat]
        self.played: Final = 1.0 - float(self.trains) / float(i64(parts.TRAINS))
        self.spaces = vec[i64]([MOST_SPACES] * N_TICKETS)
        planner = Planner(state, seat, MOST_SPACES)
        for connection in range(CONNECTIONS):
            if 0 < planner.cost[connection] < FAR:
                planner.cost[connection] = LENGTH[planner.track[connection]]
        start: i64 = 0
        for ticket in BY_START:
            if start != TICKET_A[ticket]:
                start = TICKET_A[ticket]
                planner.search(start, 0, MOST_SPACES)
            ends = TICKET_B[ticket]
            while ends:
                bit = ends & -ends
                ends ^= bit
                far = planner.far[BIT[bit % 67]]
                if far < self.spaces[ticket]:
                    self.spaces[ticket] = far

    def figures(self, ticket: i64) -> vec[float]:
        """What speaks for and against a ticket, in the order of the weights."""
        found = vec[float]([0.0] * FIGURES)
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


def likely(state: Table, me: i64) -> vec[float]:
    """How likely each seat is to hold each ticket, on a scale of its own: `[N_TICKETS * seat + ticket]`. It uses only
    what everybody can see."""
    found = vec[float]([1.0] * (N_TICKETS * state.seats))
    for seat in range(state.seats):
        if seat != me and state.trains[seat] < parts.TRAINS:
            network = Network(state, seat)
            for ticket in range(i64(N_TICKETS)):
                figures = network.figures(ticket)
                total = 0.0
                for n in range(i64(FIGURES)):
                    total += WEIGHTS[n] * figures[n]
                found[N_TICKETS * seat + ticket] = exp(total)
    return found
