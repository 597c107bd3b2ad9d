# compiled
"""What a seat remembers of the tickets in other hands.

`known[KINDS * (seats * viewer + holder) + kind]` is what a viewer is certain of. When a ticket leaves such a hand
unseen, those of its city in that hand get *mixed*: the viewer still knows which they are, and how
many are where.
From `mixed[LOT * (N_PILES * viewer + pile)]` on stand how many there are of each kind in the pile, how many more that
the viewer does not know, and how many of them all each seat holds.

That is exact for the tickets of one hand, however they move on. When two such lots meet they become one, which forgets
who of them cannot have what: to keep every lot apart would cost more in a search than it tells.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.round_trip.parts import KINDS, MAX_SEATS, N_PILES, PER_PILE

OTHERS: Final[i64] = PER_PILE
HOLDERS: Final[i64] = PER_PILE + 1
LOT: Final[i64] = PER_PILE + 1 + MAX_SEATS


def learn(known: vec[i64], seats: i64, viewer: i64, holder: i64, kind: i64) -> None:
    known[KINDS * (seats * viewer + holder) + kind] += 1


def depart(
    known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, holder: i64, to: i64, kind: i64, backs: i64, sees: bool
) -> bool:
    """A ticket is about to leave a hand with this many of its city, for another seat or -1. Returns whether the viewer
    knows it."""
    if viewer == holder:
        return True
    at = KINDS * (seats * viewer + holder)
    first = at + kind // PER_PILE * PER_PILE
    lot = LOT * (N_PILES * viewer + kind // PER_PILE)
    certain: i64 = 0
    for i in range(i64(PER_PILE)):
        certain += known[first + i]
    free = backs - certain - mixed[lot + HOLDERS + holder]
    if sees or known[at + kind] == backs:
        if known[at + kind]:
            known[at + kind] -= 1
        elif mixed[lot + HOLDERS + holder]:
            _take_out(known, mixed, seats, viewer, holder, kind, free)
        return True
    if certain or mixed[lot + HOLDERS + holder]:
        for i in range(i64(PER_PILE)):
            mixed[lot + i] += known[first + i]
            known[first + i] = 0
        mixed[lot + OTHERS] += free
        mixed[lot + HOLDERS + holder] = backs - 1
        if to >= 0:
            mixed[lot + HOLDERS + to] += 1
        else:
            # Under a pile it is lost from sight. It may have been any of them, so one fewer of each kind is certain.
            mixed[lot + OTHERS] -= 1
            for i in range(i64(PER_PILE)):
                if mixed[lot + i]:
                    mixed[lot + i] -= 1
                    mixed[lot + OTHERS] += 1
        _settle(known, mixed, seats, viewer, kind // PER_PILE)
    return False


def _take_out(known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, holder: i64, kind: i64, free: i64) -> None:
    """A ticket that is seen leaves a hand in which there are mixed ones, and `free` ones that nothing is known of."""
    lot = LOT * (N_PILES * viewer + kind // PER_PILE)
    if free and not mixed[lot + kind % PER_PILE] and not mixed[lot + OTHERS]:
        return
    # It may be a mixed one or a free one; then the free ones may be any of the lot.
    mixed[lot + OTHERS] += free
    mixed[lot + HOLDERS + holder] += free - 1
    mixed[lot + (kind % PER_PILE if mixed[lot + kind % PER_PILE] else OTHERS)] -= 1
    _settle(known, mixed, seats, viewer, kind // PER_PILE)


def _settle(known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, pile: i64) -> None:
    """Be certain again where all mixed tickets are in one hand or all of one kind; forget them where none is known."""
    lot = LOT * (N_PILES * viewer + pile)
    kinds: i64 = 0
    for i in range(i64(PER_PILE)):
        if mixed[lot + i]:
            kinds += 1
    hands: i64 = 0
    for seat in range(seats):
        if mixed[lot + HOLDERS + seat]:
            hands += 1
    alike = kinds == 1 and not mixed[lot + OTHERS]
    if kinds and hands > 1 and not alike:
        return
    for seat in range(seats):
        if mixed[lot + HOLDERS + seat]:
            for i in range(i64(PER_PILE)):
                if mixed[lot + i]:
                    sure = mixed[lot + HOLDERS + seat] if alike else mixed[lot + i]
                    known[KINDS * (seats * viewer + seat) + PER_PILE * pile + i] += sure
    for i in range(lot, lot + LOT):
        mixed[i] = 0


def deal_mixed(
    mixed: vec[i64], seats: i64, me: i64, pile: i64, hand: vec[i64], left: vec[i64], sizes: vec[i64], dice: Dice
) -> None:
    """Deal the tickets of a pile that a seat knows to be in some hands together.

    `left` are the tickets of the pile still to be dealt, by kind, and `sizes` how many each hand still wants of them.
    """
    lot = LOT * (N_PILES * me + pile)
    # Where nothing is mixed, which is mostly so, there are no holders either.
    held: i64 = 0
    for seat in range(seats):
        held += mixed[lot + HOLDERS + seat]
    if not held:
        return
    some = vec[i64]([i for i in range(HOLDERS) for _ in range(mixed[lot + i])])
    dice.shuffle(some, 0, len(some))
    used: i64 = 0
    for seat in range(seats):
        for _ in range(mixed[lot + HOLDERS + seat]):
            i = some[used]
            used += 1
            if i < OTHERS:
                hand[KINDS * seat + PER_PILE * pile + i] += 1
                left[i] -= 1
                sizes[seat] -= 1
