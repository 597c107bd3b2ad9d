# compiled
"""A plan for the sensible player: which routes to build, in which order, for tickets and regions together.

The plan grows greedily. In each step it takes up whatever brings the most points for the effort: first the ways that
join tickets, then ways to regions that the main network does not have. Routes that are owned or planned already cost
nothing. Efforts are in tenths of a turn: two cards a turn, and a turn to claim.
"""

import heapq
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.ticket_to_ride_italy import parts
from grandtour.games.ticket_to_ride_italy.board import (
    BONUS,
    FIRST,
    GROUP,
    GROUPS,
    LENGTH,
    PLACES,
    POINTS,
    REGION,
    TICKET_A,
    TICKET_B,
    TICKET_POINTS,
    regions,
)
from grandtour.games.ticket_to_ride_italy.table import KINDS, LOCOMOTIVE, Table

CONNECTIONS: Final[list[tuple[int, int]]] = sorted({(route.a, route.b) for route in parts.ROUTES})
TRACKS: Final[list[list[int]]] = [
    [number for number, route in enumerate(parts.ROUTES) if (route.a, route.b) == ends] for ends in CONNECTIONS
]
BESIDE: Final[list[list[tuple[int, int]]]] = [
    [(a + b - place, number) for number, (a, b) in enumerate(CONNECTIONS) if place in (a, b)]
    for place in range(len(parts.PLACES))
]
"""Of each place its neighbours, and the connections to them."""


WAVES: Final = vec[i64]([route.waves for route in parts.ROUTES])
FAR: Final = 1_000_000


class Plan:
    """Routes to claim, the most rewarding first; the tickets that are met in the end; and what it all takes."""

    def __init__(self) -> None:
        self.routes: list[int] = []
        self.tickets: int = 0
        self.effort: int = 0
        self.trains: int = 0
        self.network: int = 0


class Planner:
    """What a seat can reach, and at what cost, from what it may know."""

    def __init__(self, state: Table, seat: int, effort: int) -> None:
        self.cost: list[int] = []
        self.track: list[int] = []
        self.joined: list[int] = [int(state.reach[PLACES * seat + place]) for place in range(PLACES)]
        self.trains: int = int(state.trains[seat])
        self.effort: int = effort
        self.far: list[int] = []
        self.came: list[int] = []
        hand = [int(state.hand[KINDS * seat + card]) for card in range(KINDS)]
        ferries = int(state.ferries[seat])
        for tracks in TRACKS:
            cost = FAR
            best = -1
            for track in tracks:
                if state.owner[track] == seat:
                    cost = 0
                    best = track
                    break
                group = GROUP[track]
                if state.open[GROUPS * seat + group] >> (track - FIRST[group]) & 1:
                    own = track_effort(track, hand, ferries)
                    if own < cost:
                        cost = own
                        best = track
            self.cost.append(cost)
            self.track.append(best)

    def plan(self, gains: dict[int, int]) -> Plan:
        """A plan for tickets, each with what it is worth to meet it, and then for regions."""
        plan = Plan()
        while True:
            main = self.main_network()
            worth = self.region_worth(main, self.trains - plan.trains)
            best = self.best_ticket(plan, gains, main, worth) or self.best_region(plan, main, worth)
            if not best:
                plan.network = main
                return plan
            self.take_up(best, plan)

    def best_ticket(self, plan: Plan, gains: dict[int, int], main: int, worth: int) -> list[int]:
        """The way that joins the most rewarding ticket; nothing when no more fits in."""
        best_ratio = 0
        best: list[int] = []
        for ticket, gain in gains.items():
            if plan.tickets >> ticket & 1:
                continue
            if self.met(ticket):
                plan.tickets |= 1 << ticket
                continue
            self.search(TICKET_A[ticket])
            path = self.way(self.nearest(TICKET_B[ticket]))
            ratio = self.ratio(path, plan, gain, worth, main)
            if ratio > best_ratio:
                best_ratio = ratio
                best = path
        return best

    def best_region(self, plan: Plan, main: int, worth: int) -> list[int]:
        """The way from the main network to the most rewarding new region; nothing when no more fits in."""
        best_ratio = 0
        best: list[int] = []
        if main and worth:
            self.search(main)
            for region in range(17):
                if not main & REGION[region]:
                    path = self.way(self.nearest(REGION[region]))
                    ratio = self.ratio(path, plan, 0, worth, main)
                    if ratio > best_ratio:
                        best_ratio = ratio
                        best = path
        return best

    def take_up(self, path: list[int], plan: Plan) -> None:
        for connection in path:
            track = self.track[connection]
            plan.routes.append(track)
            plan.effort += self.cost[connection]
            plan.trains += int(LENGTH[track])
            self.cost[connection] = 0
            a, b = CONNECTIONS[connection]
            both = self.joined[a] | self.joined[b]
            for place in range(PLACES):
                if both >> place & 1:
                    self.joined[place] = both

    def ratio(self, path: list[int], plan: Plan, gain: int, worth: int, main: int) -> int:
        """Points for the effort of a way, or 0 when it is too long for the trains or the time left."""
        effort = 0
        trains = 0
        value = 10 * gain
        after = main
        for connection in path:
            if self.cost[connection] >= FAR:
                return 0
            a, b = CONNECTIONS[connection]
            effort += self.cost[connection]
            trains += int(LENGTH[self.track[connection]])
            value += 10 * int(POINTS[self.track[connection]])
            after |= self.joined[a] | self.joined[b]
        if not path or plan.trains + trains > self.trains or plan.effort + effort > self.effort:
            return 0
        if not main or after != main:
            value += worth * int(regions(after) - regions(main))
        return 100 * value // (effort + 1)

    def region_worth(self, main: int, trains: int) -> int:
        """Ten times what one more region is worth, on the way to as many as there are trains for."""
        now = min(int(regions(main)), 15)
        then = min(now + trains // 3, 15)
        return 10 * int(BONUS[then] - BONUS[now]) // (then - now) if then > now else 0

    def main_network(self) -> int:
        """The network with the most regions, own and planned routes together; 0 while there is none."""
        best = 0
        count = 0
        for network in set(self.joined):
            if network & (network - 1):
                found = 100 * int(regions(network)) + network.bit_count()
                if found > count or (found == count and network < best):
                    best = network
                    count = found
        return best

    def met(self, ticket: int) -> bool:
        a = int(TICKET_A[ticket])
        b = int(TICKET_B[ticket])
        return any(a >> place & 1 and self.joined[place] & b for place in range(PLACES))

    def search(self, sources: int) -> None:
        """Distances from a set of places, and by which connection each place is reached."""
        self.far = [FAR] * PLACES
        self.came = [-1] * PLACES
        heap: list[tuple[int, int]] = []
        for place in range(PLACES):
            if sources >> place & 1:
                self.far[place] = 0
                heap.append((0, place))
        while heap:
            far, place = heapq.heappop(heap)
            if far > self.far[place]:
                continue
            for other, connection in BESIDE[place]:
                there = far + self.cost[connection]
                if there < self.far[other]:
                    self.far[other] = there
                    self.came[other] = connection
                    heapq.heappush(heap, (there, other))

    def nearest(self, places: int) -> int:
        """The place of a set that was reached with the least effort, or -1."""
        best = -1
        for place in range(PLACES):
            if places >> place & 1 and self.far[place] < (self.far[best] if best >= 0 else FAR):
                best = place
        return best

    def way(self, place: int) -> list[int]:
        """The connections still to be built on the way to a place."""
        found: list[int] = []
        while place >= 0 and self.came[place] >= 0:
            connection = self.came[place]
            if self.cost[connection]:
                found.append(connection)
            a, b = CONNECTIONS[connection]
            place = a + b - place
        return found


def track_effort(track: int, hand: list[int], ferries: int) -> int:
    """Tenths of a turn to claim a track: cards in hand count for most of what they save, since others want them too."""
    length = int(LENGTH[track])
    if GROUP[track] < LOCOMOTIVE:
        saved = 3 * min(hand[GROUP[track]], length)
    else:
        waves = int(WAVES[track])
        saved = 3 * min(max(hand[:LOCOMOTIVE]), length - waves) + 3 * min(hand[LOCOMOTIVE] + 2 * ferries, waves)
    return 10 + 5 * length - saved


def ticket_values(planner: Planner, tickets: int) -> list[int]:
    """What each of some tickets would be worth if it were drawn now: its points when it is met or soon will be."""
    found: list[int] = []
    for ticket in range(len(TICKET_POINTS)):
        if not tickets >> ticket & 1:
            continue
        points = int(TICKET_POINTS[ticket])
        if planner.met(ticket):
            found.append(points)
            continue
        planner.search(TICKET_A[ticket])
        place = planner.nearest(TICKET_B[ticket])
        path = planner.way(place)
        effort = planner.far[place] if place >= 0 else FAR
        spaces = 0
        for connection in path:
            spaces += int(LENGTH[planner.track[connection]]) if planner.track[connection] >= 0 else FAR
        if effort <= planner.effort and spaces <= planner.trains:
            found.append(points - effort // 3)
        else:
            found.append(-points)
    return found
