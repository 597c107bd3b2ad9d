# compiled
"""A plan for the normal bot: which routes to build, in which order, for tickets and regions together.

The plan grows greedily. Each step adds what brings the most points for the effort: first paths that complete tickets,
then paths to regions that the main network does not have. Routes that are owned or planned already cost nothing.
Efforts are in tenths of a turn: two cards a turn, and a turn to claim."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from grandtour.games.ticket_to_ride_italy import parts
from grandtour.games.ticket_to_ride_italy.mechanics.board import (
    BIT,
    BONUS,
    GROUP,
    LENGTH,
    ONE,
    POINTS,
    REGION,
    TICKET_A,
    TICKET_B,
    TICKET_POINTS,
    regions,
    size,
)
from grandtour.games.ticket_to_ride_italy.parts import GROUPS, KINDS, LOCOMOTIVE, N_PLACES, N_REGIONS, N_TICKETS
from grandtour.games.ticket_to_ride_italy.state import Table

_ends: Final[list[tuple[int, int]]] = sorted({(route.a, route.b) for route in parts.ROUTES})
_beside: Final[list[list[int]]] = [
    [number for number, ends in enumerate(_ends) if place in ends] for place in range(len(parts.PLACES))
]
CONNECTIONS: Final[i64] = len(_ends)
END_A: Final = vec[i64]([a for a, _ in _ends])
END_B: Final = vec[i64]([b for _, b in _ends])
CONNECTION: Final = vec[i64]([_ends.index((route.a, route.b)) for route in parts.ROUTES])
"""The connection that each route is a track of."""
CONNECTION_BITS: Final = 7
CONNECTION_MASK: Final = 127
VIA: Final = vec[i64](
    [
        (sum(_ends[connection]) - place << CONNECTION_BITS) + connection
        for place, connections in enumerate(_beside)
        for connection in connections
    ]
)
VIA_FROM: Final = vec[i64]([sum(len(one) for one in _beside[:n]) for n in range(len(_beside) + 1)])
"""The connections of a place, each with the place that it leads to: `VIA[VIA_FROM[n] : VIA_FROM[n + 1]]`."""

WAVES: Final = vec[i64]([route.waves for route in parts.ROUTES])
_kinds: Final[list[tuple[int, int, int]]] = sorted(
    {(route.colour, route.length, route.waves) for route in parts.ROUTES}
)
KIND: Final = vec[i64]([_kinds.index((route.colour, route.length, route.waves)) for route in parts.ROUTES])
"""The kind of each route. Routes of one kind take the same effort."""
ROUTE_KINDS: Final = len(_kinds)
KIND_ROUTE: Final = vec[i64]([list(KIND).index(kind) for kind in range(ROUTE_KINDS)])
"""A route of each kind."""
ROUTES_IN: Final = vec[i64]([sum(route.colour == group for route in parts.ROUTES) for group in range(GROUPS)])
"""The number of routes in each group."""
BY_START: Final = vec[i64](sorted(range(N_TICKETS), key=lambda ticket: (TICKET_A[ticket], ticket)))
"""All tickets, so that those from the same place come together."""
SAVED: Final = 3
"""What a card in hand saves of the effort: a little less than drawing it would take, since others want the same."""
FAR: Final = 1_000_000
NOWHERE: Final = vec[i64]([FAR] * N_PLACES)
"""The distances before a search."""

PACE: Final = 6
"""The number of turns in which a player uses ten trains, including those spent on drawing."""


class Plan:
    """Routes to claim, the most rewarding first; the tickets that they complete; and the effort."""

    def __init__(self) -> None:
        self.routes = vec[i64]()
        self.tickets: i64 = 0
        self.effort: i64 = 0
        self.trains: i64 = 0
        self.points: i64 = 0


class Planner:
    """What a seat can reach, and at what cost, from what it may know."""

    def __init__(self, state: Table, seat: i64, effort: i64) -> None:
        self.joined = state.reach[N_PLACES * seat : N_PLACES * seat + N_PLACES]
        self.trains: i64 = state.trains[seat]
        self.effort: i64 = effort
        self.counted: i64 = 0  # the network whose regions were counted last
        self.counted_regions: i64 = 0
        self.far = NOWHERE[:]
        self.came = NOWHERE[:]  # by which connection a place was reached that is not far
        # Of a search: the places at each distance, one bit each. Between searches there are none.
        self.fronts = vec[i64]([0] * (effort + 1))
        self.cost = vec[i64]([FAR] * CONNECTIONS)
        self.track = vec[i64]([-1] * CONNECTIONS)
        cards = state.hand[KINDS * seat : KINDS * seat + KINDS]
        most: i64 = 0
        for colour in range(i64(LOCOMOTIVE)):
            if cards[colour] > most:
                most = cards[colour]
        wild = cards[LOCOMOTIVE] + 2 * state.ferries[seat]
        efforts = vec[i64]([0] * ROUTE_KINDS)
        for kind in range(i64(ROUTE_KINDS)):
            route = KIND_ROUTE[kind]
            group = GROUP[route]
            efforts[kind] = ferry_effort(route, most, wild) if group == LOCOMOTIVE else effort_of(route, cards[group])
        cost = self.cost
        chosen = self.track
        owner = state.owner
        connection_of = CONNECTION
        kind_of = KIND
        track: i64 = 0
        for group in range(i64(GROUPS)):
            free = state.open[GROUPS * seat + group]
            end = track + ROUTES_IN[group]
            while track < end:
                if free & 1:
                    least = efforts[kind_of[track]]
                    connection = connection_of[track]
                    if least < cost[connection]:
                        cost[connection] = least
                        chosen[connection] = track
                elif owner[track] == seat:
                    connection = connection_of[track]
                    cost[connection] = 0
                    chosen[connection] = track
                free >>= 1
                track += 1

    def plan(self, gains: vec[i64]) -> Plan:
        """A plan for tickets, each with the value of completing it (0 to ignore it), then for regions."""
        plan = Plan()
        while self.grow(plan, gains):
            pass
        return plan

    def next_path(self, gains: vec[i64]) -> Plan:
        """Only the first path of such a plan."""
        plan = Plan()
        self.grow(plan, gains)
        return plan

    def grow(self, plan: Plan, gains: vec[i64]) -> bool:
        """Add the most rewarding path: for a ticket, or else to a region. Returns whether there was one."""
        main = self.main_network()
        worth = self.region_worth(main, self.trains - plan.trains)
        best = self.best_ticket(plan, gains, main, worth)
        if not len(best):
            best = self.best_region(plan, main, worth)
        self.take_up(best, plan)
        return len(best) > 0

    def best_ticket(self, plan: Plan, gains: vec[i64], main: i64, worth: i64) -> vec[i64]:
        """The path that completes the most rewarding ticket; empty if nothing more is possible."""
        best_ratio: i64 = 0
        best = vec[i64]()
        for ticket in range(i64(N_TICKETS)):
            gain = gains[ticket]
            if not gain or plan.tickets & ONE[ticket]:
                continue
            if self.met(ticket):
                plan.tickets |= ONE[ticket]
                continue
            path = self.path_to(self.search(TICKET_A[ticket], TICKET_B[ticket], self.effort - plan.effort))
            ratio = self.ratio(path, plan, gain, worth, main)
            if ratio > best_ratio:
                best_ratio = ratio
                best = path
        return best

    def best_region(self, plan: Plan, main: i64, worth: i64) -> vec[i64]:
        """The path from the main network to the most rewarding new region; empty if nothing more is possible."""
        best_ratio: i64 = 0
        best = vec[i64]()
        if main and worth:
            self.search(main, 0, self.effort - plan.effort)
            for region in range(i64(N_REGIONS)):
                if not main & REGION[region]:
                    path = self.path_to(self.nearest(REGION[region]))
                    ratio = self.ratio(path, plan, 0, worth, main)
                    if ratio > best_ratio:
                        best_ratio = ratio
                        best = path
        return best

    def paths(self, gains: vec[i64]) -> list[Plan]:
        """Every path that a plan could begin with, the most rewarding first."""
        none = Plan()
        main = self.main_network()
        worth = self.region_worth(main, self.trains)
        found: list[tuple[int, int, Plan]] = []
        for ticket in range(i64(N_TICKETS)):
            if gains[ticket] and not self.met(ticket):
                path = self.path_to(self.search(TICKET_A[ticket], TICKET_B[ticket], self.effort))
                ratio = self.ratio(path, none, gains[ticket], worth, main)
                if ratio > 0:
                    found.append((-int(ratio), len(found), self.alone(path)))
        if main and worth:
            self.search(main, 0, self.effort)
            for region in range(i64(N_REGIONS)):
                if not main & REGION[region]:
                    path = self.path_to(self.nearest(REGION[region]))
                    ratio = self.ratio(path, none, 0, worth, main)
                    if ratio > 0:
                        found.append((-int(ratio), len(found), self.alone(path)))
        return [way for _, _, way in sorted(found)]

    def alone(self, path: vec[i64]) -> Plan:
        plan = Plan()
        for connection in path:
            plan.routes = append(plan.routes, self.track[connection])
        return plan

    def take_up(self, path: vec[i64], plan: Plan) -> None:
        for connection in path:
            track = self.track[connection]
            plan.routes = append(plan.routes, track)
            plan.effort += self.cost[connection]
            plan.trains += LENGTH[track]
            plan.points += POINTS[track]
            self.cost[connection] = 0
            both = self.joined[END_A[connection]] | self.joined[END_B[connection]]
            rest = both
            while rest:
                bit = rest & -rest
                self.joined[BIT[bit % 67]] = both
                rest ^= bit

    def ratio(self, path: vec[i64], plan: Plan, gain: i64, worth: i64, main: i64) -> i64:
        """The points of a path per effort, or 0 if it is too long for the trains or the turns left."""
        effort = plan.effort
        trains = plan.trains
        value = 10 * gain
        after = main
        for connection in path:
            effort += self.cost[connection]
            trains += LENGTH[self.track[connection]]
            value += 10 * POINTS[self.track[connection]]
            after |= self.joined[END_A[connection]] | self.joined[END_B[connection]]
        if not len(path) or trains > self.trains or effort > self.effort:
            return 0
        if after != main:
            value += worth * (regions(after) - self.regions_of(main))
        return 100 * value // (effort - plan.effort + 1)

    def region_worth(self, main: i64, trains: i64) -> i64:
        """Ten times the value of one more region, given how many the remaining trains can reach."""
        now = self.regions_of(main)
        if now > 15:
            now = 15
        then = now + trains // 3
        if then > 15:
            then = 15
        return 10 * (BONUS[then] - BONUS[now]) // (then - now) if then > now else 0

    def main_network(self) -> i64:
        """The network with the most regions, own and planned routes together; 0 while there is none."""
        best: i64 = 0
        most: i64 = 0
        for place in range(i64(N_PLACES)):
            network = self.joined[place]
            # A network is looked at once, at its first place.
            if network & -network == ONE[place] and network != ONE[place]:
                found = 100 * regions(network) + size(network)
                if found > most:
                    best = network
                    most = found
        self.counted = best
        self.counted_regions = most // 100
        return best

    def regions_of(self, network: i64) -> i64:
        """The number of regions in the network that is asked for most often, which is the main one."""
        if self.counted != network:
            self.counted = network
            self.counted_regions = regions(network)
        return self.counted_regions

    def met(self, ticket: i64) -> bool:
        ends = TICKET_A[ticket]
        while ends:
            bit = ends & -ends
            if self.joined[BIT[bit % 67]] & TICKET_B[ticket]:
                return True
            ends ^= bit
        return False

    def search(self, sources: i64, targets: i64, limit: i64) -> i64:
        """Distances from a set of places, and by which connection each place is reached. It stops at the first of the
        targets and returns it, or -1 if none is within the limit of effort; distances beyond that are not final."""
        far = NOWHERE[:]
        self.far = far
        came = self.came
        fronts = self.fronts
        cost = self.cost
        via = VIA
        via_from = VIA_FROM
        one = ONE
        place_of = BIT
        rest = sources
        while rest:
            bit = rest & -rest
            rest ^= bit
            here = place_of[bit % 67]
            far[here] = 0
            came[here] = -1
        if limit < 0:
            return -1
        fronts[0] = sources
        least: i64 = 0
        farthest: i64 = 0
        while least <= farthest:
            front = fronts[least]
            if not front:
                least += 1
                continue
            bit = front & -front
            if targets & bit:
                while least <= farthest:
                    fronts[least] = 0
                    least += 1
                return place_of[bit % 67]
            fronts[least] = front ^ bit
            here = place_of[bit % 67]
            for n in range(via_from[here], via_from[here + 1]):
                ahead = via[n]
                there = least + cost[ahead & CONNECTION_MASK]
                other = ahead >> CONNECTION_BITS
                before = far[other]
                if there < before:
                    if before <= limit:
                        fronts[before] ^= one[other]
                    if there <= limit:
                        fronts[there] |= one[other]
                        if there > farthest:
                            farthest = there
                    far[other] = there
                    came[other] = ahead & CONNECTION_MASK
        return -1

    def nearest(self, places: i64) -> i64:
        """The place of a set that was reached with the least effort, or -1."""
        best: i64 = -1
        least: i64 = FAR
        while places:
            bit = places & -places
            places ^= bit
            place = BIT[bit % 67]
            if self.far[place] < least:
                best = place
                least = self.far[place]
        return best

    def path_to(self, place: i64) -> vec[i64]:
        """The connections still to be built on the path to a place."""
        found = vec[i64]()
        while place >= 0 and self.came[place] >= 0:
            connection = self.came[place]
            if self.cost[connection]:
                found = append(found, connection)
            place = END_A[connection] + END_B[connection] - place
        return found


def turns_left(state: Table) -> i64:
    """How many turns are probably left before somebody's trains run out."""
    if state.last > 0:
        return 1
    fewest: i64 = 99
    for trains in state.trains:
        if trains < fewest:
            fewest = trains
    return 1 + fewest * PACE // 10


def effort_of(route: i64, cards: i64) -> i64:
    """The effort of a coloured route, with this many cards of its colour in hand."""
    length = LENGTH[route]
    return 10 + 5 * length - SAVED * (cards if cards < length else length)


def ferry_effort(track: i64, cards: i64, wild: i64) -> i64:
    """The effort of a ferry, with this many cards of one colour in hand and this many waves already covered."""
    length = LENGTH[track]
    waves = WAVES[track]
    saved = cards if cards < length - waves else length - waves
    return 10 + 5 * length - SAVED * (saved + (wild if wild < waves else waves))


def ticket_gains(held: i64, fresh: i64) -> vec[i64]:
    """The value of completing each ticket: one in hand then scores instead of costing points; a newly drawn one could
    be given back."""
    gains = vec[i64]([0] * N_TICKETS)
    rest = held | fresh
    while rest:
        bit = rest & -rest
        rest ^= bit
        ticket = BIT[bit % 67]
        gains[ticket] = TICKET_POINTS[ticket] if fresh & bit else 2 * TICKET_POINTS[ticket]
    return gains


def ticket_values(planner: Planner, tickets: i64) -> vec[i64]:
    """The value of each of these tickets, in no particular order, if it were drawn now: its points if it is complete or
    soon will be."""
    found = vec[i64]()
    searched: i64 = 0
    for ticket in BY_START:
        if not tickets & ONE[ticket]:
            continue
        points = TICKET_POINTS[ticket]
        if planner.met(ticket):
            found = append(found, points)
            continue
        end = TICKET_B[ticket]
        place: i64 = -1
        if end & (end - 1):
            place = planner.search(TICKET_A[ticket], end, planner.effort)
            searched = 0
        else:
            # One search finds the ways from a place to all others.
            if searched != TICKET_A[ticket]:
                searched = TICKET_A[ticket]
                planner.search(searched, 0, planner.effort)
            place = BIT[end % 67]
            if planner.far[place] > planner.effort:
                place = -1
        effort: i64 = planner.far[place] if place >= 0 else FAR
        spaces: i64 = 0
        for connection in planner.path_to(place):
            spaces += LENGTH[planner.track[connection]]
        if effort <= planner.effort and spaces <= planner.trains:
            found = append(found, points - effort // 3)
        else:
            found = append(found, -points)
    return found
