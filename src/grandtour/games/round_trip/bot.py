# compiled
"""What a sensible player of Round Trip Italy looks at.

How near a hand comes to each round trip that is still lacking; what a ticket from a pile or from a neighbour would
probably add; and whether tickets are worth more on the table or in the hand. It reads the seat's own
hand, what lies open and what the seat has come to know, never what was only imagined.
"""

from itertools import combinations
from typing import Final

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.round_trip.parts import GRAND_TOUR, LENGTHS_TO_WIN, PILES, TICKETS, TRIPS
from grandtour.games.round_trip.rules import (
    DISCARD,
    END_TURN,
    EXCHANGE,
    FOUR_LENGTHS,
    FULL,
    GIVE,
    KINDS,
    LAY,
    STEP_GIVE,
    STEP_TAKE,
    TAKE,
    State,
)

Hand = tuple[int, ...]
"""Kinds of ticket, sorted."""

WORTH: Final = [0.0, 0.0, 1.0, 1.5, 2.2, 3.0, 8.0]
"""What a round trip of each length is worth. The grand tour wins alone, and so counts for most of a win."""

CALM: Final = 6
"""Rounds before the last one, from which on there is time for everything."""

IN_TIME: Final = [0.0, 0.45, 0.62, 0.75, 0.85, 0.93, 1.0]
"""How likely a missing link is to come before the last round, beside with all the time in the world; by rounds left."""

A_TRIP: Final = [0.0, 0.0, 2.0, 2.1, 2.2, 2.3, 8.0]
"""What round trips are worth when the rounds run out: the most of them win, and among equals the longer ones."""

LAID: Final = 1.15
"""On the table a round trip is worth more than in the hand, where its tickets count towards others too."""

EXTRA_TURN: Final = 0.9
WIN: Final = 1000.0
SWAP: Final = 0.02  # an exchange helps the neighbour as well, so it has to bring a little
OTHER_WAYS: Final = 0.05  # what a second way to make a round trip adds to the best one

LINKS: Final = sorted({tuple(sorted(ticket[:2])) for ticket in TICKETS})
"""The fifteen pairs of cities. For a round trip it does not matter from which of two piles a ticket came."""

LINK: Final = [LINKS.index(tuple(sorted(ticket[:2]))) for ticket in TICKETS]
COPIES: Final = [sum(TICKETS[kind].copies for kind in range(KINDS) if LINK[kind] == link) for link in range(len(LINKS))]
EASE: Final = [{10: 0.62, 4: 0.40, 2: 0.30}[copies] for copies in COPIES]
"""How likely a missing link is to come in time: the more tickets there are, the likelier."""

RINGS: Final = [
    sorted({sum(1 << LINK[kind] for kind in trip.tickets) for trip in TRIPS if trip.length == length})
    for length in range(GRAND_TOUR + 1)
]
"""The round trips of each length from 3 as sets of links, a bit a link."""

NUMBER: Final = {trip.tickets: number for number, trip in enumerate(TRIPS)}
LARGEST_MEMORY: Final = 50_000

_near: dict[int, list[float]] = {}
_prospects: dict[tuple[Hand, int, int, int], float] = {}


def rounds_left(state: State) -> int:
    """How many rounds come after this one, as far as that matters."""
    return min(int(state.turn_limit - state.round), CALM)


def choose(position: Position, seat: int, dice: Dice) -> int:
    """A sensible legal move for a seat that has one; the dice decide between moves that look alike."""
    assert isinstance(position, State)
    legal = position.legal(seat)
    if len(legal) == 1:
        return legal[0]
    thought = Thought(position, seat)
    values = [thought.value(move) for move in legal]
    top = max(values)
    best = [move for move, value in zip(legal, values, strict=True) if value == top]
    return best[dice.below(len(best))]


class Thought:
    """What a seat knows when it decides."""

    def __init__(self, state: State, seat: int) -> None:
        self.state: Final = state
        self.seat: Final = seat
        self.made: Final = int(state.lengths[seat])
        self.left: Final = rounds_left(state)
        self.hand: Final[Hand] = tuple([kind for kind in range(KINDS) for _ in range(state.hand[KINDS * seat + kind])])
        self.unseen: Final = [ticket.copies for ticket in TICKETS]
        for kind in self.hand:
            self.unseen[kind] -= 1
        lying = [0] * len(LINKS)
        for number in state.trips:
            if number:
                for kind in TRIPS[number - 1].tickets:
                    self.unseen[kind] -= 1
                    lying[LINK[kind]] += 1
        for kind in range(KINDS):
            for holder in range(state.seats):
                self.unseen[kind] -= self.known(holder, kind)
        for pile in range(len(PILES)):
            for above in range(state.count[pile]):
                kind = self.known_in_pile(pile, above)
                if kind >= 0:
                    self.unseen[kind] -= 1
        for kind in self.hand:
            lying[LINK[kind]] += 1
        self.gone: Final = sum(1 << link for link in range(len(LINKS)) if lying[link] == COPIES[link])

    def known(self, holder: int, kind: int) -> int:
        """How many tickets of a kind this seat knows in another's hand."""
        return int(self.state.known[KINDS * (self.state.seats * self.seat + holder) + kind])

    def known_in_pile(self, pile: int, above: int) -> int:
        """The ticket in a pile with so many above it, if this seat knows it, or -1."""
        place = 16 * pile + (self.state.top[pile] + above) % 16
        return int(self.state.pile[place]) if self.state.seen[place] >> self.seat & 1 else -1

    def value(self, move: int) -> float:
        """What a legal move is worth."""
        if self.state.step == STEP_TAKE:
            return self.taking(move - int(TAKE))
        if self.state.step == STEP_GIVE:
            return self.giving(move - int(GIVE))
        if move < GIVE:
            return self.exchanging((move - int(EXCHANGE)) // 2, (move - int(EXCHANGE)) % 2)
        if move < DISCARD:
            return laying(self.hand, move - int(LAY), self.made, self.gone, self.left)
        if move < END_TURN:
            return keeping(without(self.hand, (move - int(DISCARD),)), self.made, self.gone, self.left)
        return keeping(self.hand, self.made, self.gone, self.left)

    def taking(self, pile: int) -> float:
        """What laying or keeping is worth after taking a ticket, on average over what may lie on top of the pile."""
        top = self.known_in_pile(pile, 0)
        if top >= 0:
            return prospect(plus(self.hand, top), self.made, self.gone, self.left)
        total = 0.0
        weight = 0
        for kind in of_pile(pile):
            copies = self.unseen[kind]
            if copies:
                total += copies * prospect(plus(self.hand, kind), self.made, self.gone, self.left)
                weight += copies
        return total / weight

    def exchanging(self, kind: int, side: int) -> float:
        """What laying or keeping is worth after an exchange, on average over what may come back."""
        rest = without(self.hand, (kind,))
        partner = int(self.state.neighbour(self.seat, side))
        wanted = (TICKETS[kind].pile + (1 if side else 4)) % 5
        total = 0.0
        for back, chance in self.likely(partner, wanted):
            total += chance * prospect(plus(rest, back), self.made, self.gone, self.left)
        return total - SWAP

    def giving(self, kind: int) -> float:
        """What is kept after giving a ticket, on average over what may be on offer."""
        rest = without(self.hand, (kind,))
        total = 0.0
        for offered, chance in self.likely(int(self.state.turn), TICKETS[self.state.offer].pile):
            total += chance * keeping(plus(rest, offered), self.made, self.gone, self.left)
        return total

    def likely(self, holder: int, pile: int) -> list[tuple[int, float]]:
        """Which ticket of a pile comes from a hand, and with what chance: any that is in it, as far as one knows."""
        backs = int(self.state.backs(holder, pile))
        known = [self.known(holder, kind) for kind in of_pile(pile)]
        unknown = backs - sum(known)
        unseen = sum([self.unseen[kind] for kind in of_pile(pile)])
        chances: list[tuple[int, float]] = []
        for kind, sure in zip(of_pile(pile), known, strict=True):
            share = float(sure)
            if unknown:
                share += unknown * self.unseen[kind] / unseen
            if share:
                chances.append((kind, share / backs))
        return chances


def of_pile(pile: int) -> range:
    """The kinds of ticket in a pile."""
    return range(5 * pile, 5 * pile + 5)


def plus(hand: Hand, kind: int) -> Hand:
    return tuple(sorted([*hand, kind]))


def without(hand: Hand, kinds: Hand) -> Hand:
    rest = list(hand)
    for kind in kinds:
        rest.remove(kind)
    return tuple(rest)


def prospect(hand: Hand, made: int, gone: int, left: int) -> float:
    """The best of laying a round trip now and keeping the hand. Remembered, for many moves lead to the same hand."""
    key = (hand, made, gone, left)
    if key in _prospects:
        return _prospects[key]
    best = keeping(hand, made, gone, left)
    for length in range(2, GRAND_TOUR + 1):
        if not made >> length & 1:
            for tickets in set(combinations(hand, length)):
                if tickets in NUMBER:
                    best = max(best, laying(hand, NUMBER[tickets], made, gone, left))
    if len(_prospects) >= LARGEST_MEMORY:
        _prospects.clear()
    _prospects[key] = best
    return best


def laying(hand: Hand, number: int, made: int, gone: int, left: int) -> float:
    """What a round trip and the tickets left over are worth."""
    trip = TRIPS[number]
    made |= 1 << trip.length
    if trip.length == GRAND_TOUR or made & FOUR_LENGTHS == FOUR_LENGTHS:
        return WIN
    value = LAID * worth(trip.length, left) + keeping(without(hand, trip.tickets), made, gone, left)
    return value + EXTRA_TURN if trip.extra_turn else value


def keeping(hand: Hand, made: int, gone: int, left: int) -> float:
    """What a hand is worth at the end of a turn: of seven tickets one has to go."""
    if len(hand) < FULL:
        return nearness(hand, made, gone, left)
    return max([nearness(without(hand, (kind,)), made, gone, left) for kind in set(hand)])


def worth(length: int, left: int) -> float:
    """What a round trip is worth with so many rounds left."""
    if left == CALM:
        return WORTH[length]
    return (left * WORTH[length] + (CALM - left) * A_TRIP[length]) / CALM


def nearness(hand: Hand, made: int, gone: int, left: int) -> float:
    """How near a hand comes to the round trips that are lacking, each weighed by its worth. After the last turn that is
    nothing."""
    if not left:
        return 0.0
    held = 0
    pair = 0.0
    for kind in hand:
        link = 1 << LINK[kind]
        if held & link:
            pair = 1.0
        elif not gone & link:
            pair = max(pair, IN_TIME[left] * EASE[LINK[kind]] / 2)
        held |= link
    near = near_rings(held, gone, left)
    value = worth(GRAND_TOUR, left) * near[GRAND_TOUR]
    for length in LENGTHS_TO_WIN:
        if not made >> length & 1:
            value += worth(length, left) * (pair if length == 2 else near[length])
    return value


def near_rings(held: int, gone: int, left: int) -> list[float]:
    """For each length from 3, how likely the links held become a round trip; what is missing must not be gone."""
    key = (held << len(LINKS) | gone) * (CALM + 1) + left
    if key in _near:
        return _near[key]
    near = [0.0] * (GRAND_TOUR + 1)
    for length in range(3, GRAND_TOUR + 1):
        best = 0.0
        total = 0.0
        for ring in RINGS[length]:
            missing = ring & ~held
            if not missing & gone:
                chance = CHANCE[left][missing]
                total += chance
                best = max(best, chance)
        near[length] = best if best == 1.0 else best + OTHER_WAYS * (total - best)
    if len(_near) >= LARGEST_MEMORY:
        _near.clear()
    _near[key] = near
    return near


def _chances(in_time: float) -> list[float]:
    """How likely each set of missing links is to come in time."""
    chances = [1.0]
    for ease in EASE:
        chances += [chance * in_time * ease for chance in chances]
    return chances


CHANCE: Final = [_chances(in_time) for in_time in IN_TIME]
