# compiled
"""Itchy Feet: what a seat knows about hidden cards, and how it imagines them."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from grandtour.games.itchy_feet.mechanics import hidden
from grandtour.games.itchy_feet.mechanics.packs import MASK, ONE, OTHERS, PASSPORT, SHIFT, count, nth, total
from grandtour.games.itchy_feet.parts import IN_HAND, KINDS, N_ITEMS
from grandtour.games.itchy_feet.state import (
    ANSWER,
    LIMIT,
    LOOK,
    PAY,
    PICK,
    REACT,
    RETURN,
    TAKE,
    TRAY,
    VIEWER_BITS,
    Table,
)

PASSPORTS: Final[i64] = MASK[PASSPORT] << SHIFT[PASSPORT]


def elementwise_min(one: vec[i64], other: vec[i64]) -> vec[i64]:
    """The smaller number of each pair."""
    least = one[:]
    for i in range(i64(len(least))):
        if other[i] < least[i]:
            least[i] = other[i]
    return least


def total_slots(slots: vec[i64]) -> i64:
    """The number of slots in all hands together."""
    many: i64 = 0
    for slot in slots:
        many += slot
    return many


def nth_slot(slots: vec[i64], n: i64) -> i64:
    """The seat whose hand has the n-th slot."""
    for seat in range(i64(len(slots))):
        n -= slots[seat]
        if n < 0:
            return seat
    raise AssertionError("there are fewer slots")


class Knowledge(Table):
    """The table as each seat knows it."""

    def could_hold(self, seat: i64, kind: i64) -> bool:
        """Whether a seat may hold a unique extension card, judging from public knowledge."""
        if not self.in_play & ONE[kind] or self.discards & ONE[kind]:
            return False
        public = self.seats * self.seats
        for holder in range(self.seats):
            if self.known[public + holder] & ONE[kind]:
                return holder == seat
        row = self.unknown[public + seat]
        if self.version == 1:
            return hidden.cards(row) > 0
        if self.stock & ONE[kind] and total(self.stock) == self.left:
            return False  # it is in the draw pile, from which nothing has been drawn yet
        return hidden.others(row) > 0

    def redeal(self, me: i64) -> None:
        """Deal everything again that a seat has not seen, with the table's dice, and forget what others have seen."""
        n = self.seats
        pool = self.in_play - self.discards - self.hand[me]
        free = vec[i64]([0] * n)  # slots for unknown cards in each hand
        older = vec[i64]([0] * n)  # the slots whose card need not come from the current draw pile
        others = vec[i64]([0] * n)
        passports = vec[i64]([0] * n)
        for seat in range(n):
            if seat != me:
                at = n * me + seat
                self.hand[seat] = self.known[at]
                pool -= self.known[at]
                row = self.unknown[at]
                free[seat] = hidden.cards(row)
                older[seat] = hidden.cards(row) - hidden.drawn(row)
                others[seat] = hidden.others(row)
                passports[seat] = hidden.passports(row)
        if self.lot[me]:
            pool -= self.lot[me]
            self._deal_lot(me, passports, others, older, free)
        bound = self.stock
        places = vec[i64]()
        for place in range(self.left):
            kind = self.deck[place] % VIEWER_BITS
            if self.deck[place] // VIEWER_BITS >> me & 1:
                self.deck[place] = kind + (VIEWER_BITS << me)
                pool -= ONE[kind]
                bound -= ONE[kind]
            else:
                places = append(places, place)
        for place in range(self.left, i64(len(self.deck))):
            self.deck[place] = 0  # cards that have left the pile
        # First the cards that were never in this pile: they must be in a hand. Then the cards that only few places can
        # hold. Last the items, which can be anywhere. Events are never in a hand.
        for kind in range(i64(IN_HAND) - 1, -1, -1):
            surplus = count(pool, kind) - count(bound, kind)
            if surplus > 0:
                limit = free if kind < N_ITEMS else passports if kind == PASSPORT else others
                self._imagine_in_hands(kind, surplus, limit, older, free)
                pool -= surplus * ONE[kind]
        pile = vec[i64]([kind for kind in range(IN_HAND, KINDS) for _ in range(count(pool, kind))])
        room: i64 = len(places)
        if pool & PASSPORTS:
            pile = self._scatter(pool & PASSPORTS, passports, older, free, pile, room)
        if pool & OTHERS:
            pile = self._scatter(pool & OTHERS, others, older, free, pile, room)
        items = vec[i64]([kind for kind in range(N_ITEMS) for _ in range(count(pool, kind))])
        self.dice.shuffle(items, 0, len(items))
        used: i64 = 0
        for seat in range(n):
            for _ in range(free[seat]):
                self.hand[seat] += ONE[items[used]]
                used += 1
        for i in range(used, i64(len(items))):
            pile = append(pile, items[i])
        self.dice.shuffle(pile, 0, len(pile))
        for i in range(i64(len(places))):
            self.deck[places[i]] = pile[i]
        self._forget_what_others_know(me)
        self._imagine_choices(me)
        self._clear_unused_fields()

    def _deal_lot(self, me: i64, passports: vec[i64], others: vec[i64], older: vec[i64], free: vec[i64]) -> None:
        """Deal the cards of a seat's lot to the hands that may hold them. Every slot is equally likely."""
        slots = vec[i64]([self.lotted[self.seats * me + seat] for seat in range(self.seats)])
        for kind in range(i64(IN_HAND) - 1, -1, -1):
            for _ in range(count(self.lot[me], kind)):
                limit = free if kind < N_ITEMS else passports if kind == PASSPORT else others
                fit = vec[i64]([slots[seat] if limit[seat] else 0 for seat in range(self.seats)])
                places = total_slots(fit)
                if not places:
                    fit = slots
                    places = total_slots(fit)
                seat = nth_slot(fit, self.dice.below(places))
                self._put(seat, kind, limit, older, free)
                slots[seat] -= 1

    def _imagine_in_hands(self, kind: i64, many: i64, limit: vec[i64], older: vec[i64], free: vec[i64]) -> None:
        """Put cards into slots that may hold cards from outside the current draw pile, within the limits."""
        for _ in range(many):
            slots = elementwise_min(limit, older)
            places = total_slots(slots)
            if not places:
                slots = self._any_slots(older, free)
                places = total_slots(slots)
            seat = nth_slot(slots, self.dice.below(places))
            self._put(seat, kind, limit, older, free)

    def _scatter(
        self, pool: i64, limit: vec[i64], older: vec[i64], free: vec[i64], pile: vec[i64], room: i64
    ) -> vec[i64]:
        """Deal the cards of `pool` to the hands, within the limits, and to the pile. Every slot is equally likely."""
        slots = elementwise_min(limit, free)
        places = total_slots(slots)
        for kind in range(i64(N_ITEMS), i64(IN_HAND)):
            for _ in range(count(pool, kind)):
                space = room - len(pile)
                if not places and not space:
                    slots = self._any_slots(older, free)
                    places = total_slots(slots)
                place = self.dice.below(places + space) if places else places
                if place >= places:
                    pile = append(pile, kind)
                else:
                    seat = nth_slot(slots, place)
                    self._put(seat, kind, limit, older, free)
                    slots[seat] -= 1
                    places -= 1
        return pile

    def _any_slots(self, older: vec[i64], free: vec[i64]) -> vec[i64]:
        """The slots for a card when no allowed one is left. This can happen because the limits are only bounds."""
        return older[:] if total_slots(older) else free[:]

    def _put(self, seat: i64, kind: i64, limit: vec[i64], older: vec[i64], free: vec[i64]) -> None:
        self.hand[seat] += ONE[kind]
        free[seat] -= 1
        if older[seat] > 0:
            older[seat] -= 1
        if kind >= N_ITEMS and limit[seat] > 0:
            limit[seat] -= 1

    def _forget_what_others_know(self, me: i64) -> None:
        """In an imagined world, the others know only what everybody knows."""
        n = self.seats
        for seat in range(n):
            if seat != me:
                self.lot[seat] = 0
                for holder in range(n):
                    self.lotted[n * seat + holder] = 0
                    if holder != seat:
                        self.known[n * seat + holder] = self.known[n * n + holder]
                        self.unknown[n * seat + holder] = self.unknown[n * n + holder]

    def _imagine_choices(self, me: i64) -> None:
        """Imagine the secret choices of others and the countries that nobody has seen."""
        if self.step == PICK and me != self.turn:
            hand = self.hand[self.target]
            first = nth(hand, self.dice.below(self.size[self.target]))
            self.pair = ONE[first]
            self.pair += ONE[nth(hand - ONE[first], self.dice.below(self.size[self.target] - 1))]
        for seat in range(self.seats):
            if self.chosen[seat] >= 0 and seat != me:
                self.chosen[seat] = nth(self.hand[seat], self.dice.below(self.size[seat]))
        unseen = sorted([self.unused[i] for i in range(self.unseen)])
        for i in range(self.unseen):
            self.unused[i] = unseen[i]
        self.dice.shuffle(self.unused, 0, self.unseen)
        for i in range(self.spare, i64(len(self.unused))):
            self.unused[i] = 0

    def _clear_unused_fields(self) -> None:
        """Clear the fields that no later step reads."""
        step = self.step
        if step not in (PAY, TAKE, REACT, PICK):
            self.purpose = 0
            self.paid = 0
            self.target = -1
            self.subject = -1
        if step != PAY:
            self.need = 0
        if step != REACT:
            self.asked = -1
        if step != PICK:
            self.pair = 0
        if step not in (LOOK, RETURN):
            self.looked = 0
        if step not in (TRAY, ANSWER):
            self.partner = -1
            self.speaker = -1
            self.gives = 0
            self.wants = 0
            self.counters = 0
        if step != LIMIT:
            self.after = 0
