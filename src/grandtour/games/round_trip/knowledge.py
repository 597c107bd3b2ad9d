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

NOBODY: Final[i64] = 0
EVERYONE: Final[i64] = -1


def learn(known: vec[i64], seats: i64, holder: i64, kind: i64, viewers: i64) -> None:
    """A ticket comes into a hand. `viewers`, one bit for each seat, know which it is."""
    for viewer in range(seats):
        if viewers >> viewer & 1 and viewer != holder:
            at = KINDS * (seats * viewer + holder) + kind
            known[at] += 1


def depart(
    known: vec[i64], mixed: vec[i64], seats: i64, holder: i64, to: i64, kind: i64, backs: i64, watchers: i64
) -> i64:
    """A ticket is about to leave a hand with this many of its city, for another seat or -1. `watchers`, one bit for
    each seat, see which it is. Returns those that know it, the holder among them."""
    knowing = i64(1) << holder
    pile = kind // PER_PILE
    for viewer in range(seats):
        if viewer == holder:
            continue
        at = KINDS * (seats * viewer + holder) + kind
        held = LOT * (N_PILES * viewer + pile) + HOLDERS + holder
        if watchers >> viewer & 1 or known[at] == backs:
            knowing |= i64(1) << viewer
            if known[at]:
                known[at] -= 1
            elif mixed[held]:
                _take_out(known, mixed, seats, viewer, holder, kind, backs)
        elif mixed[held] or _certain(known, seats, viewer, holder, pile):
            _mix(known, mixed, seats, viewer, holder, to, pile, backs)
    return knowing


def _certain(known: vec[i64], seats: i64, viewer: i64, holder: i64, pile: i64) -> i64:
    """How many tickets of a pile a viewer is certain of in a hand."""
    first = KINDS * (seats * viewer + holder) + PER_PILE * pile
    certain: i64 = 0
    for at in range(first, first + PER_PILE):
        certain += known[at]
    return certain


def _mix(
    known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, holder: i64, to: i64, pile: i64, backs: i64
) -> None:
    """A ticket that is not seen leaves a hand in which the viewer knows some of that pile."""
    first = KINDS * (seats * viewer + holder) + PER_PILE * pile
    lot = LOT * (N_PILES * viewer + pile)
    free = backs - _certain(known, seats, viewer, holder, pile) - mixed[lot + HOLDERS + holder]
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
    _settle(known, mixed, seats, viewer, pile)


def _take_out(known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, holder: i64, kind: i64, backs: i64) -> None:
    """A ticket that is seen leaves a hand in which there are mixed ones, and perhaps some of which nothing is known."""
    lot = LOT * (N_PILES * viewer + kind // PER_PILE)
    free = backs - _certain(known, seats, viewer, holder, kind // PER_PILE) - mixed[lot + HOLDERS + holder]
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
    for i in range(lot, lot + PER_PILE):
        if mixed[i]:
            kinds += 1
    hands: i64 = 0
    for holder in range(lot + HOLDERS, lot + HOLDERS + seats):
        if mixed[holder]:
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
