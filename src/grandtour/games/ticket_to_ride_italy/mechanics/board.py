# compiled
"""The board in numbers: tables for the rules, and the networks of the players' routes.

A set of places is an int with one bit per place. `reach[N_PLACES * seat + place]` is the set of places that a seat's
routes connect to a place, including itself. It is updated with every route, so that a network can be looked up.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.ticket_to_ride_italy import parts
from grandtour.games.ticket_to_ride_italy.parts import GROUPS, MAX_LENGTH, N_CITIES, N_PLACES, N_REGIONS

BIT: Final = vec[i64]([next((b for b in range(62) if (1 << b) % 67 == r), 0) for r in range(67)])
"""The index of a single bit, by its remainder: 2 is a primitive root of 67."""

ONE: Final = vec[i64]([1 << n for n in range(62)])
"""The set with a single element. It is a table because in compiled code, a shifted literal 1 has only 32 bits."""

A: Final = vec[i64]([route.a for route in parts.ROUTES])
B: Final = vec[i64]([route.b for route in parts.ROUTES])
LENGTH: Final = vec[i64]([route.length for route in parts.ROUTES])
POINTS: Final = vec[i64]([route.points for route in parts.ROUTES])
GROUP: Final = vec[i64]([route.colour for route in parts.ROUTES])
FIRST: Final = vec[i64]([[route.colour for route in parts.ROUTES].index(group) for group in range(GROUPS)])
"""The first route of each group. It is bit 0 in sets of the group's routes."""

ROUTES_UP_TO: Final = vec[i64](
    [
        sum(1 << i for i, r in enumerate(r for r in parts.ROUTES if r.colour == group) if r.length <= length)
        for group in range(GROUPS)
        for length in range(MAX_LENGTH + 1)
    ]
)
"""The routes of a group up to a length, as a set: `ROUTES_UP_TO[(MAX_LENGTH + 1) * group + length]`."""

GROUP_ROUTES: Final = vec[i64]([ROUTES_UP_TO[(MAX_LENGTH + 1) * group + MAX_LENGTH] for group in range(GROUPS)])
PARALLEL: Final = vec[i64]([track for others in parts.PARALLEL for track in (*others, -1, -1)[:2]])
"""The other tracks of each route, two numbers per route; -1 for none."""

FERRY_KINDS: Final = len(parts.FERRY_KINDS)
FERRY_KIND: Final = vec[i64](
    [
        sum(1 << i for i, r in enumerate(parts.ROUTES[parts.COLOURED :]) if (r.length, r.waves) == kind)
        for kind in parts.FERRY_KINDS
    ]
)
"""The set of ferries of each kind."""
FERRY_LENGTH: Final = vec[i64]([length for length, _ in parts.FERRY_KINDS])
FERRY_WAVES: Final = vec[i64]([waves for _, waves in parts.FERRY_KINDS])


def _ferry_shapes() -> list[tuple[int, int, int, int]]:
    """For each kind of ferry, the shapes that pay for it: cards, locomotives, ferry cards and the first such fare."""
    first = {shape: min(i for i, f in enumerate(parts.FARES) if f.shape == shape) for shape in parts.SHAPES}
    return [(*shape, first[shape]) for kind in parts.FERRY_KINDS for shape in parts.shapes(*kind)]


_shapes: Final = _ferry_shapes()
SHAPE_CARDS: Final = vec[i64]([row[0] for row in _shapes])
SHAPE_LOCOMOTIVES: Final = vec[i64]([row[1] for row in _shapes])
SHAPE_FERRIES: Final = vec[i64]([row[2] for row in _shapes])
SHAPE_FARE: Final = vec[i64]([row[3] for row in _shapes])
SHAPES_FROM: Final = vec[i64](
    [sum(len(parts.shapes(*kind)) for kind in parts.FERRY_KINDS[:n]) for n in range(len(parts.FERRY_KINDS) + 1)]
)
FARE_CARDS: Final = vec[i64]([fare.shape.cards for fare in parts.FARES])
FARE_LOCOMOTIVES: Final = vec[i64]([fare.shape.locomotives for fare in parts.FARES])
FARE_FERRIES: Final = vec[i64]([fare.shape.ferries for fare in parts.FARES])
FARE_COLOUR: Final = vec[i64]([max(fare.colour, 0) for fare in parts.FARES])

TICKET_A: Final = vec[i64]([sum(1 << place for place in ticket.a) for ticket in parts.TICKETS])
TICKET_B: Final = vec[i64]([sum(1 << place for place in ticket.b) for ticket in parts.TICKETS])
TICKET_POINTS: Final = vec[i64]([ticket.points for ticket in parts.TICKETS])

REGION: Final = vec[i64]([sum(1 << city for city in cities) for cities in parts.REGIONS.values()])
IS_DOUBLE_REGION: Final = vec[i64]([int(region in parts.DOUBLE_REGIONS) for region in parts.REGIONS])
BONUS: Final = vec[i64]([parts.BONUS.get(min(n, parts.MAX_REGIONS), 0) for n in range(21)])


def join(reach: vec[i64], seat: i64, a: i64, b: i64) -> None:
    """Connect two places by a seat's new route."""
    first = N_PLACES * seat
    both = reach[first + a] | reach[first + b]
    rest = both
    while rest:
        bit = rest & -rest
        reach[first + BIT[bit % 67]] = both
        rest ^= bit


def met(reach: vec[i64], seat: i64, ticket: i64) -> bool:
    """Whether a seat's routes connect the two ends of a ticket."""
    first = N_PLACES * seat
    ends = TICKET_A[ticket]
    while ends:
        bit = ends & -ends
        if reach[first + BIT[bit % 67]] & TICKET_B[ticket]:
            return True
        ends ^= bit
    return False


def regions(network: i64) -> i64:
    """The number of regions in a network, where a complete special region counts twice."""
    count: i64 = 0
    for region in range(i64(N_REGIONS)):
        cities = REGION[region]
        held = network & cities
        if held:
            count += 2 if held == cities and IS_DOUBLE_REGION[region] else 1
    return count


def bonus(reach: vec[i64], seat: i64) -> i64:
    """The regions bonus of a seat, over all its networks."""
    points: i64 = 0
    first = N_PLACES * seat
    for city in range(i64(N_CITIES)):
        network = reach[first + city]
        # Each network is counted once, at its first city.
        if network & -network == ONE[city] and network != ONE[city]:
            points += BONUS[regions(network)]
    return points


def networks(reach: vec[i64], seat: int) -> list[int]:
    """A seat's networks, each as a set of places."""
    found = {int(reach[N_PLACES * seat + place]) for place in range(N_PLACES)}
    return sorted(network for network in found if network & (network - 1))


def size(many: i64) -> i64:
    """The number of elements of a set."""
    count: i64 = 0
    while many:
        many &= many - 1
        count += 1
    return count
