# compiled
"""The bot of Round Trip Italy.

It estimates how close a hand is to each missing round trip, how much a ticket from a pile or a neighbour would add on
average, and whether tickets are worth more on the table or in the hand. It uses only the seat's own hand, what is
public and what the seat knows, never what is only imagined.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.round_trip.parts import (
    GRAND_TOUR,
    KINDS,
    N_LENGTHS,
    N_LINKS,
    N_PILES,
    PER_PILE,
    PILE_SIZE,
    SHORTEST,
)
from grandtour.games.round_trip.rules import DISCARD, END_TURN, EXCHANGE, GIVE, LAY, TAKE, TRIP_TICKETS, State
from grandtour.games.round_trip.state import COPIES, PILE, STEP_GIVE, STEP_TAKE
from grandtour.games.round_trip.strategy.worth import CALM, LINK, LINK_COPIES, Hand

SWAP: Final = 0.02  # an exchange helps the neighbour, too, so it must gain at least this
NEVER: Final = -1.0

OF_LINK: Final = vec[i64](LINK_COPIES)


def rounds_left(state: State) -> i64:
    """The number of rounds after this one, capped where more make no difference."""
    left = state.turn_limit - state.round
    return left if left < CALM else CALM


def choose(state: State, seat: int, dice: Dice) -> int:
    """A good legal move for a seat that has one. The dice decide between equally good moves."""
    legal = state.legal(seat)
    if len(legal) == 1:
        return legal[0]
    thought = Thought(state, seat)
    top = NEVER
    best: list[int] = []
    for move in legal:
        value = thought.value(move)
        if value > top:
            top = value
            best = [move]
        elif value == top:
            best.append(move)
    return best[dice.below(len(best))]


class Thought:
    """Evaluates moves from what a seat knows."""

    def __init__(self, state: State, seat: i64) -> None:
        self.state: Final = state
        self.seat: i64 = seat
        self.unseen = vec[i64]([0] * KINDS)
        """How many tickets of each kind this seat has not seen and cannot place."""
        lying = vec[i64]([0] * N_LINKS)
        hand = Hand(state.lengths[seat], 0, rounds_left(state))
        self.hand: Final = hand
        for kind in range(i64(KINDS)):
            copies = state.hand[KINDS * seat + kind]
            self.unseen[kind] = COPIES[kind] - copies
            for _ in range(copies):
                hand.add(kind)
                lying[LINK[kind]] += 1
        for at in range(N_LENGTHS * state.seats):
            trip = state.trips[at] - 1
            if trip >= 0:
                for i in range(GRAND_TOUR * trip, GRAND_TOUR * trip + SHORTEST + at % N_LENGTHS):
                    kind = TRIP_TICKETS[i]
                    self.unseen[kind] -= 1
                    lying[LINK[kind]] += 1
        for holder in range(state.seats):
            if holder != seat:
                for kind in range(i64(KINDS)):
                    self.unseen[kind] -= self.known(holder, kind)
        for pile in range(i64(N_PILES)):
            for above in range(state.count[pile]):
                kind = self.known_in_pile(pile, above)
                if kind >= 0:
                    self.unseen[kind] -= 1
        for link in range(i64(N_LINKS)):
            if lying[link] == OF_LINK[link]:
                hand.gone |= i64(1) << link

    def known(self, holder: i64, kind: i64) -> i64:
        """How many tickets of a kind this seat knows in another hand."""
        return self.state.known[KINDS * (self.state.seats * self.seat + holder) + kind]

    def known_in_pile(self, pile: i64, above: i64) -> i64:
        """The ticket in a pile that has `above` tickets on top of it, if this seat knows it, or -1."""
        place = PILE_SIZE * pile + (self.state.top[pile] + above) % PILE_SIZE
        return self.state.pile[place] if self.state.seen[place] >> self.seat & 1 else -1

    def value(self, move: i64) -> float:
        """The value of a legal move."""
        if self.state.step == STEP_TAKE:
            return self.taking(move - TAKE)
        if self.state.step == STEP_GIVE:
            return self.giving(move - GIVE)
        if move < GIVE:
            return self.exchanging((move - EXCHANGE) >> 1, (move - EXCHANGE) & 1)
        if move < DISCARD:
            return self.hand.laying(move - LAY)
        if move < END_TURN:
            self.hand.remove(move - DISCARD)
            value = self.hand.keeping()
            self.hand.add(move - DISCARD)
            return value
        return self.hand.keeping()

    def taking(self, pile: i64) -> float:
        """The value of laying or keeping after taking a ticket, averaged over what can be on top of the pile."""
        top = self.known_in_pile(pile, 0)
        if top >= 0:
            return self.with_one_more(top)
        total = 0.0
        weight: i64 = 0
        for kind in range(PER_PILE * pile, PER_PILE * pile + PER_PILE):
            copies = self.unseen[kind]
            if copies:
                total += float(copies) * self.with_one_more(kind)
                weight += copies
        return total / float(weight)

    def with_one_more(self, kind: i64) -> float:
        """The value of laying or keeping with one more ticket."""
        self.hand.add(kind)
        value = self.hand.prospect()
        self.hand.remove(kind)
        return value

    def exchanging(self, kind: i64, side: i64) -> float:
        """The value of laying or keeping after an exchange, averaged over the tickets that can come back."""
        wanted = (PILE[kind] + (1 if side else N_PILES - 1)) % N_PILES
        chances = self.likely(self.state.neighbour(self.seat, side), wanted)
        total = 0.0
        self.hand.remove(kind)
        for i in range(i64(PER_PILE)):
            if chances[i] > 0.0:
                total += chances[i] * self.with_one_more(PER_PILE * wanted + i)
        self.hand.add(kind)
        return total - SWAP

    def giving(self, kind: i64) -> float:
        """The value of the hand after giving a ticket, averaged over the tickets that can be on offer."""
        pile = PILE[self.state.offer]
        chances = self.likely(self.state.turn, pile)
        total = 0.0
        self.hand.remove(kind)
        for i in range(i64(PER_PILE)):
            if chances[i] > 0.0:
                self.hand.add(PER_PILE * pile + i)
                total += chances[i] * self.hand.keeping()
                self.hand.remove(PER_PILE * pile + i)
        self.hand.add(kind)
        return total

    def likely(self, holder: i64, pile: i64) -> vec[float]:
        """For each of the five kinds of a pile, the chance that a ticket from a hand is of that kind."""
        backs = self.state.backs(holder, pile)
        unknown = backs
        unseen: i64 = 0
        for kind in range(PER_PILE * pile, PER_PILE * pile + PER_PILE):
            unknown -= self.known(holder, kind)
            unseen += self.unseen[kind]
        chances = vec[float]([0.0] * PER_PILE)
        for i in range(i64(PER_PILE)):
            share = float(self.known(holder, PER_PILE * pile + i))
            if unknown:
                share += float(unknown * self.unseen[PER_PILE * pile + i]) / float(unseen)
            chances[i] = share / float(backs)
        return chances
