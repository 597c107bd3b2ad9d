# compiled
"""How many turns a hand of Round Trip Italy is from the grand tour.

Almost every game between good players ends with the grand tour, so the game is a race. Opponents are ignored here. A
hand is the set of its links, one bit per link. In a turn, the seat takes a ticket from the best pile on the selection
card, exchanges a ticket if that helps and a neighbour has one, and keeps the best six tickets. The expected numbers of
turns are the solution of a system of equations, which is computed once, on first use. Hands that are rotations or
reflections of each other on the ring of cities take equally long, which leaves about 1,700 hands to compute.
"""

from __future__ import annotations

from typing import Final

from grandtour.games.round_trip.parts import GRAND_TOUR, MAX_HAND, PILE_SIZE, PILES, ROMA, SELECTIONS, TICKETS
from grandtour.games.round_trip.strategy.hand_value import LINK, LINKS, TRIPS_AS_LINKS

CAN_EXCHANGE: Final = 0.52
"""How often the neighbour has a ticket of the wanted pile, in games of the normal bot."""

MAX_ERROR: Final = 0.002
INITIAL_TURNS: Final = 12.0
MAX_TURNS: Final = 99.0


class NextTicket:
    """The links that the next ticket can have, one bit each, and their chances."""

    def __init__(self, chances: list[float]) -> None:
        self.links: Final = [1 << link for link, chance in enumerate(chances) if chance]
        self.chances: Final = [chance for chance in chances if chance]

    def expected(self, turns: list[float], hand: int) -> float:
        """The expected number of turns of a hand after that ticket."""
        total = 0.0
        for link, chance in zip(self.links, self.chances, strict=True):
            total += chance * turns[hand | link]
        return total


class Race:
    """The expected turns to the grand tour, including this one, by the links of a hand. There is a list for each step:

    taking      the seat is about to take a ticket
    acting      it is about to exchange, to lay or to end its turn
    laying      it is about to lay or to end its turn
    """

    def __init__(self) -> None:
        size = 1 << len(LINKS)
        self.taking: Final[list[float]] = [MAX_TURNS] * size
        self.acting: Final[list[float]] = [MAX_TURNS] * size
        self.laying: Final[list[float]] = [MAX_TURNS] * size
        self.complete: Final[list[bool]] = [False] * size
        self._solve()

    def _solve(self) -> None:
        classes, hands = equivalent_hands()
        for hand in hands:
            tour = False
            for ring in TRIPS_AS_LINKS[GRAND_TOUR]:
                if hand & ring == ring:
                    tour = True
            for other in classes[hand]:
                self.complete[other] = tour
        for hand in hands:
            for other in classes[hand]:
                self.taking[other] = 1.0 if self.complete[other] else INITIAL_TURNS
        piles = [from_piles([pile]) for pile in range(len(PILES))]
        returns = [from_piles(exchange_piles(link)) for link in range(len(LINKS))]
        change = MAX_TURNS
        while change > MAX_ERROR:
            change = 0.0
            for hand in hands:
                self._update_laying(hand, classes[hand])
            for hand in hands:
                self._update_acting(hand, classes[hand], returns)
            for hand in hands:
                if len(bits(hand)) < MAX_HAND and not self.complete[hand]:
                    change = max(change, self._update_taking(hand, classes[hand], piles))

    def _update_laying(self, hand: int, equivalent: list[int]) -> None:
        """Make the grand tour if it is complete; otherwise keep the best six of seven tickets."""
        held = bits(hand)
        value = MAX_TURNS
        if self.complete[hand]:
            value = 1.0
        elif len(held) < MAX_HAND:
            value = 1.0 + self.taking[hand]
        else:
            for link in held:
                value = min(value, 1.0 + self.taking[hand & ~(1 << link)])
        for other in equivalent:
            self.laying[other] = value

    def _update_acting(self, hand: int, equivalent: list[int], returns: list[NextTicket]) -> None:
        """Make the best exchange that helps. If it is not possible, make the second best, or none."""
        value = self.laying[hand]
        if not self.complete[hand]:
            best = second = value
            for link in bits(hand):
                got = returns[link].expected(self.laying, hand & ~(1 << link))
                if got < best:
                    best, second = got, best
                elif got < second:
                    second = got
            for got in (second, best):
                value = CAN_EXCHANGE * got + (1.0 - CAN_EXCHANGE) * value
        for other in equivalent:
            self.acting[other] = value

    def _update_taking(self, hand: int, equivalent: list[int], piles: list[NextTicket]) -> float:
        """Take a ticket from the best pile, averaged over the selection cards. Returns how much the value changed."""
        by_pile = [pile.expected(self.acting, hand) for pile in piles]
        total = 0.0
        cards = SELECTIONS["pairs"]
        for cities in cards:
            total += min([by_pile[city] for city in cities])
        value = total / len(cards)
        change = abs(value - self.taking[hand])
        for other in equivalent:
            self.taking[other] = value
        return change


def bits(hand: int) -> list[int]:
    return [link for link in range(len(LINKS)) if hand >> link & 1]


def from_piles(piles: list[int]) -> NextTicket:
    """The links of a ticket from one of these piles, each pile equally likely."""
    chances = [0.0] * len(LINKS)
    for pile in piles:
        for kind, ticket in enumerate(TICKETS):
            if ticket.pile == pile:
                chances[LINK[kind]] += ticket.copies / (PILE_SIZE * len(piles))
    return NextTicket(chances)


def exchange_piles(link: int) -> list[int]:
    """The piles that an exchange of a link can ask for: the neighbours of the pile of either of its cities."""
    return [(city + step) % len(PILES) for city in LINKS[link] if city != ROMA for step in (1, len(PILES) - 1)]


def equivalent_hands() -> tuple[dict[int, list[int]], list[int]]:
    """Group the hands that are rotations or reflections of each other on the ring of cities. Returns the members of
    each group by its representative, and the representatives."""
    moved: list[list[int]] = []
    for turn in range(len(PILES)):
        for direction in (1, -1):
            to = [(turn + direction * city) % len(PILES) for city in range(len(PILES))] + [ROMA]
            moved.append([LINKS.index((min(to[a], to[b]), max(to[a], to[b]))) for a, b in LINKS])
    found: dict[int, list[int]] = {}
    known = [False] * (1 << len(LINKS))
    for hand in range(1 << len(LINKS)):
        held = bits(hand)
        if not known[hand] and len(held) <= MAX_HAND:
            images = sorted({sum([1 << move[link] for link in held]) for move in moved})
            for image in images:
                known[image] = True
            found[hand] = images
    return found, list(found)


_races: list[Race] = []


def race() -> Race:
    """The race, computed on first use."""
    if not _races:
        _races.append(Race())
    return _races[0]
