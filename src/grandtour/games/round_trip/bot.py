# compiled
"""The bot of Round Trip Italy.

It estimates three things: how close a hand is to each missing round trip, how much a ticket from a pile or a neighbour
would add on average, and whether tickets are worth more on the table or in the hand. It uses only what its seat knows,
never what is only imagined.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.round_trip.parts import (
    GRAND_TOUR,
    KINDS,
    MIN_LENGTH,
    N_LENGTHS,
    N_LINKS,
    N_PILES,
    PER_PILE,
    PILE_SIZE,
)
from grandtour.games.round_trip.rules import DISCARD, END_TURN, EXCHANGE, GIVE, LAY, TAKE, TRIP_TICKETS, State
from grandtour.games.round_trip.state import COPIES, PILE, STEP_GIVE, STEP_TAKE
from grandtour.games.round_trip.strategy.hand_value import LINK, LINK_COPIES, MAX_ROUNDS_LEFT, Hand

EXCHANGE_COST: Final = 0.02
"""An exchange must gain at least this much, because it helps the neighbour, too."""
LOWEST_VALUE: Final = -1.0
"""Less than the value of any move."""
LINK_TICKETS: Final = vec[i64](LINK_COPIES)


def rounds_left(state: State) -> i64:
    """The number of rounds after this one, at most `MAX_ROUNDS_LEFT`."""
    left = state.turn_limit - state.round
    return left if left < MAX_ROUNDS_LEFT else MAX_ROUNDS_LEFT


def choose(state: State, seat: int, dice: Dice) -> int:
    """The bot's move. The dice decide between equally good moves."""
    legal = state.legal(seat)
    if len(legal) == 1:
        return legal[0]
    evaluation = Evaluation(state, seat)
    top = LOWEST_VALUE
    best: list[int] = []
    for move in legal:
        value = evaluation.value(move)
        if value > top:
            top = value
            best = [move]
        elif value == top:
            best.append(move)
    return best[dice.below(len(best))]


class Evaluation:
    """Evaluates moves from what a seat knows."""

    def __init__(self, state: State, seat: i64) -> None:
        self.state: Final = state
        self.seat: i64 = seat
        self.unseen = vec[i64]([0] * KINDS)
        """Of each kind, the number of tickets whose place this seat does not know."""
        accounted = vec[i64]([0] * N_LINKS)
        hand = Hand(state.lengths[seat], 0, rounds_left(state))
        self.hand: Final = hand
        for kind in range(i64(KINDS)):
            copies = state.hand[KINDS * seat + kind]
            self.unseen[kind] = COPIES[kind] - copies
            for _ in range(copies):
                hand.add(kind)
                accounted[LINK[kind]] += 1
        for at in range(N_LENGTHS * state.seats):
            trip = state.trips[at] - 1
            if trip >= 0:
                for i in range(GRAND_TOUR * trip, GRAND_TOUR * trip + MIN_LENGTH + at % N_LENGTHS):
                    kind = TRIP_TICKETS[i]
                    self.unseen[kind] -= 1
                    accounted[LINK[kind]] += 1
        for holder in range(state.seats):
            if holder != seat:
                for kind in range(i64(KINDS)):
                    self.unseen[kind] -= self.known_count(holder, kind)
        for pile in range(i64(N_PILES)):
            for above in range(state.count[pile]):
                kind = self.known_in_pile(pile, above)
                if kind >= 0:
                    self.unseen[kind] -= 1
        for link in range(i64(N_LINKS)):
            if accounted[link] == LINK_TICKETS[link]:
                hand.gone |= i64(1) << link

    def known_count(self, holder: i64, kind: i64) -> i64:
        """How many tickets of a kind this seat knows in another hand."""
        return self.state.known[KINDS * (self.state.seats * self.seat + holder) + kind]

    def known_in_pile(self, pile: i64, above: i64) -> i64:
        """The ticket in a pile that has `above` tickets on top of it, if this seat knows it, or -1."""
        place = PILE_SIZE * pile + (self.state.top[pile] + above) % PILE_SIZE
        return self.state.pile[place] if self.state.seen[place] >> self.seat & 1 else -1

    def value(self, move: i64) -> float:
        """The value of a legal move."""
        if self.state.step == STEP_TAKE:
            return self.value_of_taking(move - TAKE)
        if self.state.step == STEP_GIVE:
            return self.value_of_giving(move - GIVE)
        if move < GIVE:
            return self.value_of_exchange((move - EXCHANGE) >> 1, (move - EXCHANGE) & 1)
        if move < DISCARD:
            return self.hand.value_of_laying(move - LAY)
        if move < END_TURN:
            self.hand.remove(move - DISCARD)
            value = self.hand.value_of_keeping()
            self.hand.add(move - DISCARD)
            return value
        return self.hand.value_of_keeping()

    def value_of_taking(self, pile: i64) -> float:
        """The value after taking a ticket, averaged over the tickets that can be on top of the pile."""
        top = self.known_in_pile(pile, 0)
        if top >= 0:
            return self.value_with_ticket(top)
        total = 0.0
        weight: i64 = 0
        for kind in range(PER_PILE * pile, PER_PILE * pile + PER_PILE):
            copies = self.unseen[kind]
            if copies:
                total += float(copies) * self.value_with_ticket(kind)
                weight += copies
        return total / float(weight)

    def value_with_ticket(self, kind: i64) -> float:
        """The value of the hand with one more ticket."""
        self.hand.add(kind)
        value = self.hand.best_value()
        self.hand.remove(kind)
        return value

    def value_of_exchange(self, kind: i64, side: i64) -> float:
        """The value after an exchange, averaged over the tickets that can come back."""
        wanted = (PILE[kind] + (1 if side else N_PILES - 1)) % N_PILES
        chances = self.ticket_chances(self.state.neighbour(self.seat, side), wanted)
        total = 0.0
        self.hand.remove(kind)
        for i in range(i64(PER_PILE)):
            if chances[i] > 0.0:
                total += chances[i] * self.value_with_ticket(PER_PILE * wanted + i)
        self.hand.add(kind)
        return total - EXCHANGE_COST

    def value_of_giving(self, kind: i64) -> float:
        """The value after giving a ticket, averaged over the tickets that can be on offer."""
        pile = PILE[self.state.offer]
        chances = self.ticket_chances(self.state.turn, pile)
        total = 0.0
        self.hand.remove(kind)
        for i in range(i64(PER_PILE)):
            if chances[i] > 0.0:
                self.hand.add(PER_PILE * pile + i)
                total += chances[i] * self.hand.value_of_keeping()
                self.hand.remove(PER_PILE * pile + i)
        self.hand.add(kind)
        return total

    def ticket_chances(self, holder: i64, pile: i64) -> vec[float]:
        """For each of the five kinds of a pile, the chance that a ticket from a hand is of that kind."""
        backs = self.state.backs(holder, pile)
        unknown = backs
        unseen: i64 = 0
        for kind in range(PER_PILE * pile, PER_PILE * pile + PER_PILE):
            unknown -= self.known_count(holder, kind)
            unseen += self.unseen[kind]
        chances = vec[float]([0.0] * PER_PILE)
        for i in range(i64(PER_PILE)):
            share = float(self.known_count(holder, PER_PILE * pile + i))
            if unknown:
                share += float(unknown * self.unseen[PER_PILE * pile + i]) / float(unseen)
            chances[i] = share / float(backs)
        return chances
