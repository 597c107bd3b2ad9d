# compiled
"""The deck of tickets, and where each ticket may be, as far as a seat knows.

The deck is a ring with a slot for each ticket. The place of a ticket is a slot, a seat's hand, or the tickets that were
drawn and not yet chosen from. A set of places is an int with one bit per place. `maybe[N_TICKETS * seat + ticket]` is
the set of places where a ticket can be, given what the seat has seen: its own tickets, those it gave back, how many
others gave back, and who drew which slots.
"""

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.ticket_to_ride_italy.mechanics.board import BIT, ONE
from grandtour.games.ticket_to_ride_italy.parts import MAX_SEATS, N_ROUTES, N_TICKETS

HAND: Final[i64] = N_TICKETS  # the place of seat 0's hand; the others follow
DRAWN: Final[i64] = N_TICKETS + MAX_SEATS  # the place of tickets drawn and not yet chosen from
# How many parts a whole is divided into when the dice choose by weight. Compiled, twice 1 << 30 would overflow.
FINE: Final[i64] = 1 << 24
SWEEPS: Final = 3  # how often each ticket in another hand is exchanged for a likely one
IN_ORDER: Final = vec[i64](list(range(N_TICKETS)))


def slots(first: i64, count: i64) -> i64:
    """The set of `count` slots starting at `first`."""
    found: i64 = 0
    for n in range(count):
        found |= ONE[(first + n) % N_TICKETS]
    return found


def dealt(maybe: vec[i64], seats: i64, held: vec[i64], deck: i64) -> None:
    """Update after the deal. `deck` is the set of slots that still have tickets."""
    hands = (ONE[seats] - 1) << HAND
    for seat in range(seats):
        mine = ONE[HAND + seat]
        for ticket in range(i64(N_TICKETS)):
            own = held[seat] >> ticket & 1
            maybe[N_TICKETS * seat + ticket] = mine if own else (hands ^ mine) | deck


def first_choices_made(maybe: vec[i64], seats: i64, aside: vec[i64], bottom: i64) -> None:
    """Update after everyone's first choice. The tickets given back were shuffled together into the slots `bottom`."""
    for seat in range(seats):
        givers: i64 = 0
        for other in range(seats):
            if other != seat and aside[other]:
                givers |= ONE[HAND + other]
        for ticket in range(i64(N_TICKETS)):
            at = N_TICKETS * seat + ticket
            if aside[seat] >> ticket & 1:
                maybe[at] = bottom
            elif maybe[at] & givers:
                maybe[at] |= bottom


def tickets_drawn(maybe: vec[i64], seats: i64, drawer: i64, tickets: i64, top: i64) -> None:
    """Update after a seat has drawn `tickets` from the slots `top`."""
    for seat in range(seats):
        for ticket in range(i64(N_TICKETS)):
            at = N_TICKETS * seat + ticket
            if seat == drawer:
                maybe[at] = ONE[DRAWN] if tickets >> ticket & 1 else maybe[at] & ~top
            elif maybe[at] & top:
                maybe[at] = maybe[at] & ~top | ONE[DRAWN]


def tickets_chosen(maybe: vec[i64], seats: i64, chooser: i64, back: i64, bottom: i64) -> None:
    """Update after a seat has given back the tickets `back`, which were shuffled into the slots `bottom`."""
    drawn = ONE[DRAWN]
    hand = ONE[HAND + chooser]
    for seat in range(seats):
        for ticket in range(i64(N_TICKETS)):
            at = N_TICKETS * seat + ticket
            if maybe[at] & drawn:
                if seat == chooser:
                    maybe[at] = bottom if back >> ticket & 1 else hand
                else:
                    maybe[at] = (maybe[at] ^ drawn) | hand | bottom


def tickets_shown(maybe: vec[i64], seats: i64, held: vec[i64]) -> None:
    """Update after the end of the game, when all tickets in hands are shown."""
    deck = ONE[N_TICKETS] - 1
    for ticket in range(i64(N_TICKETS)):
        holder: i64 = 0
        for seat in range(seats):
            if held[seat] >> ticket & 1:
                holder = ONE[HAND + seat]
        for seat in range(seats):
            at = N_TICKETS * seat + ticket
            maybe[at] = holder if holder else maybe[at] & deck


def redeal(maybe: vec[i64], seat: i64, places: vec[i64], dice: Dice) -> vec[i64]:
    """Deal the tickets to places, one ticket per place, so that each is where it can be as far as the seat knows.

    `places` may contain a hand several times. Returns the ticket for each place.
    """
    order = IN_ORDER[:]
    dice.shuffle(order, 0, N_TICKETS)
    spots = IN_ORDER[:]
    dice.shuffle(spots, 0, N_TICKETS)
    found = vec[i64]([-1] * N_TICKETS)
    mine = ONE[HAND + seat]
    # The place of each spot, as a set; empty if the spot is taken. Spots in the seat's own hand count as taken.
    free = vec[i64]([0] * N_TICKETS)
    for n in range(i64(N_TICKETS)):
        free[n] = ONE[places[spots[n]]] & ~mine
    first: i64 = 0  # no spot before this one is free
    next_mine: i64 = 0
    own = N_TICKETS * seat
    for ticket in order:
        where = maybe[own + ticket]
        if where == mine:
            while places[next_mine] != HAND + seat:
                next_mine += 1
            found[next_mine] = ticket
            next_mine += 1
            continue
        while not free[first]:
            first += 1
        n = first
        while n < N_TICKETS and not where & free[n]:
            n += 1
        if n < N_TICKETS:
            found[spots[n]] = ticket
            free[n] = 0
        elif _find_place(maybe, seat, ticket, places, spots, found, vec[i64]([0, first])):
            for n in range(first, i64(N_TICKETS)):
                if found[spots[n]] >= 0:
                    free[n] = 0
        else:
            raise AssertionError("what a seat knows about the tickets is contradictory")
    return found


class Likely:
    """How likely others are to hold tickets, judged by what they have built (see `strategy/belief.py`).

    alone       the weight of a ticket in a hand: `alone[N_TICKETS * seat + ticket]`
    further     by how much its logarithm grows with the share of what was built that only this ticket explains
    explains    how well a ticket explains a route: `explains[N_ROUTES * ticket + route]`, from 0 to 1
    built       the routes of each seat
    """

    def __init__(
        self, alone: vec[float], further: vec[float], explains: vec[float], built: list[vec[i64]], length: vec[i64]
    ) -> None:
        self.alone: Final = alone
        self.further: Final = further
        self.explains: Final = explains
        self.built: Final = built
        self.share: Final[list[vec[float]]] = []
        for routes in built:
            total: i64 = 0
            for route in routes:
                total += length[route]
            shares = vec[float]([0.0] * len(routes))
            for n in range(i64(len(routes))):
                shares[n] = float(length[routes[n]]) / float(total)
            self.share.append(shares)

    def unexplained(self, seat: i64, tickets: i64) -> vec[float]:
        """How much of each route of a seat these tickets do not explain, as shares of all it has built."""
        left = self.share[seat][:]
        routes = self.built[seat]
        while tickets:
            bit = tickets & -tickets
            tickets ^= bit
            first = N_ROUTES * BIT[bit % 67]
            for n in range(i64(len(routes))):
                left[n] *= 1.0 - self.explains[first + routes[n]]
        return left

    def adds(self, seat: i64, ticket: i64, left: vec[float]) -> float:
        """How much of that one more ticket explains."""
        total = 0.0
        routes = self.built[seat]
        first = N_ROUTES * ticket
        for n in range(i64(len(routes))):
            total += left[n] * self.explains[first + routes[n]]
        return total

    def weight(self, seat: i64, ticket: i64, left: vec[float]) -> float:
        """The weight of a ticket in a hand whose others leave this unexplained."""
        at = N_TICKETS * seat + ticket
        return self.alone[at] * exp(self.further[at] * self.adds(seat, ticket, left))


def prefer(maybe: vec[i64], seat: i64, places: vec[i64], found: vec[i64], likely: Likely, dice: Dice) -> None:
    """Exchange tickets in other hands for others that a seat thinks may be there, so that likely ones are there more
    often."""
    own = N_TICKETS * seat
    weights = vec[float]([0.0] * N_TICKETS)
    for _ in range(SWEEPS):
        for spot in range(i64(N_TICKETS)):
            place = places[spot]
            if place < HAND or place == DRAWN or place == HAND + seat:
                continue
            rest: i64 = 0
            for n in range(i64(N_TICKETS)):
                if places[n] == place and n != spot:
                    rest |= ONE[found[n]]
            holder = place - HAND
            left = likely.unexplained(holder, rest)
            ticket = found[spot]
            total = 0.0
            for n in range(i64(N_TICKETS)):
                other = found[n]
                weights[n] = 0.0
                if n == spot:
                    weights[n] = likely.weight(holder, ticket, left)
                elif maybe[own + other] >> place & 1 and maybe[own + ticket] >> places[n] & 1 and places[n] != place:
                    weights[n] = likely.weight(holder, other, left)
                    if places[n] >= HAND and places[n] != DRAWN:
                        there = N_TICKETS * (places[n] - HAND)
                        weights[n] *= likely.alone[there + ticket] / likely.alone[there + other]
                total += weights[n]
            part = total * float(dice.below(FINE)) / float(FINE)
            n = 0
            while n < N_TICKETS - 1 and part >= weights[n]:
                part -= weights[n]
                n += 1
            if weights[n] > 0.0:
                found[spot] = found[n]
                found[n] = ticket


def _find_place(
    maybe: vec[i64], seat: i64, ticket: i64, places: vec[i64], spots: vec[i64], found: vec[i64], tried: vec[i64]
) -> bool:
    """Find a place for a ticket, moving other tickets if necessary. `tried` has the spots that were tried already, one
    bit each, and the first spot that can be free."""
    where = maybe[N_TICKETS * seat + ticket]
    for n in range(tried[1], i64(N_TICKETS)):
        spot = spots[n]
        if found[spot] < 0 and where >> places[spot] & 1:
            found[spot] = ticket
            return True
    for spot in spots:
        if where >> places[spot] & 1 and not tried[0] >> spot & 1:
            tried[0] |= ONE[spot]
            if _find_place(maybe, seat, found[spot], places, spots, found, tried):
                found[spot] = ticket
                return True
    return False


def tickets_in(many: i64) -> list[int]:
    """The tickets of a set, sorted."""
    found: list[int] = []
    while many:
        bit = many & -many
        found.append(int(BIT[bit % 67]))
        many ^= bit
    return found
