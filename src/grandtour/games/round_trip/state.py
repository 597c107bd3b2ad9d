# compiled
"""The table of Round Trip Italy: the fields of its position.

Cities, piles and kinds of ticket are small ints (see `parts.py`). Counts are stored in flat lists: `hand[KINDS * seat +
kind]`.
"""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.state import FastState as Position
from grandtour.engine.state import Result, shared
from grandtour.games.round_trip.knowledge import MIXED_SIZE
from grandtour.games.round_trip.parts import KINDS, LENGTHS_TO_WIN, N_PILES, PER_PILE, PILE_SIZE, TICKETS, TRIPS

STEP_TAKE: Final = 0
STEP_ACT: Final = 1  # an exchange, a round trip or the end of the turn
STEP_LAY: Final = 2  # the exchange is done
STEP_GIVE: Final = 3  # the partner chooses a ticket to give back
STEP_OVER: Final = 4

BY_FOUR: Final = 1  # lengths 2, 3, 4 and 5
BY_GRAND_TOUR: Final = 2
BY_LIMIT: Final = 3

FOUR_LENGTHS: Final[i64] = sum(1 << length for length in LENGTHS_TO_WIN)

PILE: Final = vec[i64]([ticket.pile for ticket in TICKETS])
COPIES: Final = vec[i64]([ticket.copies for ticket in TICKETS])


class Table(Position):
    """The table, without the rules."""

    def __init__(self) -> None:
        super().__init__()
        self.starter: i64 = 0
        self.turn: i64 = 0
        self.step: i64 = STEP_TAKE
        self.round: i64 = 1
        self.turn_limit: i64 = 60
        self.extra = False
        self.pile = vec[i64]()  # PILE_SIZE places for each pile, used as a ring: where the top lies, how many there are
        self.top = vec[i64]()
        self.count = vec[i64]()
        self.seen = vec[i64]()  # who knows the ticket in a place of a pile: one bit per seat
        self.card: i64 = 0  # the turned selection card: one bit per city
        self.deck = vec[i64]()
        self.turned: i64 = 0  # how many of the deck have been turned
        self.hand = vec[i64]()
        self.known = vec[i64]()  # how many tickets of a kind a seat knows in another's hand
        self.mixed = vec[i64]()  # what it knows of several hands together: see knowledge.py
        self.lengths = vec[i64]()  # of a seat's round trips: one bit per length
        self.trips = vec[i64]()  # a seat's round trip of each length 2 to 6, plus one; 0 for none
        self.offer: i64 = -1  # the kind on offer
        self.partner: i64 = -1
        self.winners: i64 = 0  # one bit per seat
        self.how: i64 = 0

    def waiting(self) -> list[int]:
        if self.step == STEP_OVER:
            return []
        return [self.partner if self.step == STEP_GIVE else self.turn]

    def result(self) -> Result | None:
        if self.step != STEP_OVER:
            return None
        return shared(self.winners, self.seats)

    def memory(self, seat: int) -> dict[str, Any]:
        known = KINDS * self.seats
        offered = self.step == STEP_GIVE and self.offer >= 0
        return {
            "selection cards turned": list(self.deck[: self.turned]),
            "tickets seen in hands": list(self.known[known * seat : known * (seat + 1)]),
            "mixed tickets": list(self.mixed[N_PILES * MIXED_SIZE * seat : N_PILES * MIXED_SIZE * (seat + 1)]),
            # Of two players, each knows what the other has seen.
            "tickets that the other has seen": list(self.known) if self.seats == 2 else [],
            "round trips": [list(self.trips), list(self.lengths)],
            "places of the tops": list(self.top),
            "no offer": None if offered else (self.offer, self.partner),
            "end": (self.winners, self.how),
        }

    def backs(self, seat: i64, pile: i64) -> i64:
        """How many tickets of a pile a seat holds. This is public."""
        total: i64 = 0
        at = KINDS * seat + PER_PILE * pile
        for kind in range(at, at + PER_PILE):
            total += self.hand[kind]
        return total

    def tickets(self, seat: i64) -> i64:
        """How many tickets a seat holds."""
        total: i64 = 0
        for kind in range(KINDS * seat, KINDS * seat + KINDS):
            total += self.hand[kind]
        return total

    def neighbour(self, seat: i64, right: i64) -> i64:
        """The left (0) or right (1) neighbour that a seat may exchange with, or -1."""
        if self.seats == 2 and right != (0 if seat == self.starter else 1):
            return -1
        return (seat + (self.seats - 1 if right else 1)) % self.seats

    def census(self) -> list[int]:
        kinds = [sum(self.hand[KINDS * seat + kind] for seat in range(self.seats)) for kind in range(KINDS)]
        for pile in range(N_PILES):
            for n in range(self.count[pile]):
                kinds[self.pile[PILE_SIZE * pile + (self.top[pile] + n) % PILE_SIZE]] += 1
        for trip in self.trips:
            for kind in TRIPS[trip - 1].tickets if trip else ():
                kinds[kind] += 1
        return kinds + sorted(self.deck)
