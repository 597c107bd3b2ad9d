"""The parts of Round Trip Italy: cities, tickets, selection cards, and every round trip there is.

Printed in the rules: 107 cards, 27 of them selection cards; 16 tickets per pile, five to each neighbour, two to each
city across and two to Roma. The ring of cities follows from the two printed examples of an exchange. How many selection
cards show which cities is reconstructed; if you own the box, put the printed counts into `SELECTIONS`.
"""

from itertools import combinations, permutations, product
from typing import Any, Final, NamedTuple

from grandtour.engine.refusal import Refusal, short
from grandtour.engine.vocabulary import Names, Range

CITIES: Final = ("Milano", "Venezia", "Napoli", "Palermo", "Turino", "Roma")
N_CITIES: Final = 6
N_PILES: Final = 5
PILES: Final = CITIES[:N_PILES]
ROMA: Final = 5
PILE_SIZE: Final = 16
PER_PILE: Final = N_CITIES - 1
"""The number of kinds of ticket in a pile: one for each other city."""
KINDS: Final = N_PILES * PER_PILE
N_LINKS: Final = N_CITIES * (N_CITIES - 1) // 2
"""Pairs of cities."""
MAX_HAND: Final = 7
MIN_LENGTH: Final = 2
GRAND_TOUR: Final = N_CITIES
N_LENGTHS: Final = GRAND_TOUR - MIN_LENGTH + 1
LENGTHS_TO_WIN: Final = range(MIN_LENGTH, GRAND_TOUR)
SELECTION_CARDS: Final = 27
MIN_SEATS: Final = 2
MAX_SEATS: Final = 4


class Ticket(NamedTuple):
    """A kind of ticket: the city of its pile, which is on its back, the other city, and the number of copies."""

    pile: int
    other: int
    copies: int

    @property
    def name(self) -> str:
        return f"{CITIES[self.pile]}-{CITIES[self.other]}"

    @property
    def title(self) -> str:
        """The name as it is written in sentences, with a dash between the cities."""
        return f"{CITIES[self.pile]}–{CITIES[self.other]}"

    def far(self, city: int) -> int | None:
        """The city that the ticket leads to from this one; None if it does not touch this one."""
        if city == self.pile:
            return self.other
        return self.pile if city == self.other else None


def _copies(pile: int, other: int) -> int:
    return 5 if other != ROMA and (pile - other) % N_PILES in (1, N_PILES - 1) else 2


TICKETS: Final = [
    Ticket(pile, other, _copies(pile, other)) for pile in range(N_PILES) for other in range(N_CITIES) if other != pile
]
"""The 25 kinds, sorted by pile and then by the other city. A kind is an index of this list."""

TICKET_NAMES: Final = Names(*(ticket.name for ticket in TICKETS))

PAIRS: Final = list(combinations(range(N_PILES), 2))
SELECTIONS: Final = {
    "pairs": [range(N_PILES)] * 2 + [[city] for city in range(N_PILES)] + [pair for pair in PAIRS for _ in range(2)],
    "singles": [range(N_PILES)] * 2 + [[city] for city in range(N_PILES) for _ in range(3)] + PAIRS,
}
"""The selection cards for each value of the option `selection`: the cities that each card shows."""


class Trip(NamedTuple):
    """A round trip: its kinds of ticket, sorted; the same kinds in the order of the trip; and its cities in order."""

    tickets: tuple[int, ...]
    ring: tuple[int, ...]
    cities: tuple[int, ...]

    @property
    def length(self) -> int:
        return len(self.tickets)

    @property
    def extra_turn(self) -> bool:
        """Whether all tickets come from different piles."""
        return len({TICKETS[kind].pile for kind in self.tickets}) == self.length


def _rings() -> list[tuple[int, ...]]:
    """Every ring of cities once, starting at its lowest city and going towards the lower neighbour."""
    rings: list[tuple[int, ...]] = list(combinations(range(N_CITIES), 2))
    for length in range(MIN_LENGTH + 1, GRAND_TOUR + 1):
        for cities in permutations(range(N_CITIES), length):
            if cities[0] == min(cities) and cities[1] < cities[-1]:
                rings.append(cities)
    return rings


def _trips() -> list[Trip]:
    """Every round trip once, sorted by its tickets."""
    between: dict[frozenset[int], list[int]] = {}
    for kind, ticket in enumerate(TICKETS):
        between.setdefault(frozenset((ticket.pile, ticket.other)), []).append(kind)
    trips: dict[tuple[int, ...], Trip] = {}
    for cities in _rings():
        legs = [between[frozenset((city, cities[i - len(cities) + 1]))] for i, city in enumerate(cities)]
        for ring in product(*legs):
            tickets = tuple(sorted(ring))
            trips.setdefault(tickets, Trip(tickets, ring, cities))
    return [trips[tickets] for tickets in sorted(trips)]


TRIPS: Final = _trips()


class Trips(Range):
    """Round trips as lists of tickets, in any order. A list that is not a round trip is refused with the paragraph."""

    def __init__(self) -> None:
        super().__init__(len(TRIPS))
        self.numbers = {trip.tickets: number for number, trip in enumerate(TRIPS)}

    def name(self, number: int) -> Any:
        return [TICKETS[kind].name for kind in TRIPS[number].ring]

    def number(self, value: object, argument: str) -> int:
        if not isinstance(value, (list, tuple)):
            raise Refusal("malformed", f"A round trip is a list of tickets, not {short(value)}.")
        if len(value) < MIN_LENGTH:
            raise Refusal("not-legal", "A round trip takes at least two tickets.", "RT-40")
        if len(value) > GRAND_TOUR:
            raise Refusal("not-legal", "With more than six tickets some city would be a destination twice.", "RT-39")
        kinds = [TICKET_NAMES.number(name, "ticket") for name in value]
        found = self.numbers.get(tuple(sorted(kinds)))
        if found is None:
            raise max((_walk(kinds, start) for start in TICKETS[kinds[0]][:2]), key=lambda fault: fault[0])[1]
        return found


def _walk(kinds: list[int], start: int) -> tuple[int, Refusal]:
    """The tickets that can be used in order from a start, and why no more of them can."""
    here = start
    reached: list[int] = []
    for step, kind in enumerate(kinds):
        there = TICKETS[kind].far(here)
        if start in reached:
            reason = f"The round trip is complete at {CITIES[start]}; {TICKETS[kind].title} is left over."
            return step, Refusal("not-legal", reason, "RT-40")
        if there is None:
            reason = f"{TICKETS[kind].title} does not continue from {CITIES[here]}."
            return step, Refusal("not-legal", reason, "RT-38")
        if there in reached:
            return step, Refusal("not-legal", f"{CITIES[there]} would be a destination twice.", "RT-39")
        reached.append(there)
        here = there
    reason = f"It ends in {CITIES[here]} and does not come back to {CITIES[start]}."
    return len(kinds), Refusal("not-legal", reason, "RT-38")
