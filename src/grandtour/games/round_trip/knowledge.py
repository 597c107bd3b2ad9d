# compiled
"""What a seat remembers of the tickets in other hands.

`known[25 * (seats * viewer + holder) + kind]` is what a viewer is certain of. When a ticket leaves such a hand unseen,
those of its city in that hand get *mixed*: the viewer still knows which they are, and how many of them are where.
`mixed[10 * (5 * viewer + pile)]` holds how many there are of each of the pile's five kinds, how many more that it does
not know, and how many of them all each of four seats holds.

That is exact for the tickets of one hand, however they move on. When two such lots meet they become one, which forgets
who of them cannot have what: to keep every lot apart would cost more in a search than it tells.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.round_trip.parts import KINDS

LOT: Final = 10
OTHERS: Final = 5
HOLDERS: Final = 6


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
    first = at + kind // 5 * 5
    lot = LOT * (5 * viewer + kind // 5)
    certain: i64 = 0
    for i in range(i64(5)):
        certain += known[first + i]
    free = backs - certain - mixed[lot + HOLDERS + holder]
    if sees or known[at + kind] == backs:
        if known[at + kind]:
            known[at + kind] -= 1
        elif mixed[lot + HOLDERS + holder]:
            _take_out(known, mixed, seats, viewer, holder, kind, free)
        return True
    if certain or mixed[lot + HOLDERS + holder]:
        for i in range(i64(5)):
            mixed[lot + i] += known[first + i]
            known[first + i] = 0
        mixed[lot + OTHERS] += free
        mixed[lot + HOLDERS + holder] = backs - 1
        if to >= 0:
            mixed[lot + HOLDERS + to] += 1
        else:
            # Under a pile it is lost from sight. It may have been any of them, so one fewer of each kind is certain.
            mixed[lot + OTHERS] -= 1
            for i in range(i64(5)):
                if mixed[lot + i]:
                    mixed[lot + i] -= 1
                    mixed[lot + OTHERS] += 1
        _settle(known, mixed, seats, viewer, kind // 5)
    return False


def _take_out(known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, holder: i64, kind: i64, free: i64) -> None:
    """A ticket that is seen leaves a hand in which there are mixed ones, and `free` ones that nothing is known of."""
    lot = LOT * (5 * viewer + kind // 5)
    if free and not mixed[lot + kind % 5] and not mixed[lot + OTHERS]:
        return
    # It may be a mixed one or a free one; then the free ones may be any of the lot.
    mixed[lot + OTHERS] += free
    mixed[lot + HOLDERS + holder] += free - 1
    mixed[lot + (kind % 5 if mixed[lot + kind % 5] else OTHERS)] -= 1
    _settle(known, mixed, seats, viewer, kind // 5)


def _settle(known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, pile: i64) -> None:
    """Be certain again where all mixed tickets are in one hand or all of one kind; forget them where none is known."""
    lot = LOT * (5 * viewer + pile)
    kinds: i64 = 0
    for i in range(i64(5)):
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
            for i in range(i64(5)):
                if mixed[lot + i]:
                    sure = mixed[lot + HOLDERS + seat] if alike else mixed[lot + i]
                    known[KINDS * (seats * viewer + seat) + 5 * pile + i] += sure
    for i in range(lot, lot + LOT):
        mixed[i] = 0


def deal_mixed(
    mixed: vec[i64], seats: i64, me: i64, pile: i64, hand: vec[i64], left: vec[i64], sizes: vec[i64], dice: Dice
) -> None:
    """Deal the tickets of a pile that a seat knows to be in some hands together.

    `left` are the tickets of the pile still to be dealt, by kind, and `sizes` how many each hand still wants of them.
    """
    lot = LOT * (5 * me + pile)
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
                hand[KINDS * seat + 5 * pile + i] += 1
                left[i] -= 1
                sizes[seat] -= 1
