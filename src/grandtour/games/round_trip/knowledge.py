# compiled
"""What a seat remembers of the tickets in other hands.

`known[KINDS * (seats * viewer + holder) + kind]` is the number of tickets that a viewer is certain of. When a ticket
leaves such a hand unseen, those of its city in that hand are *mixed*: the viewer still knows which they are and how
many each seat holds, but not who holds which.

A viewer has one lot of mixed tickets for each pile. It begins at `mixed[MIXED_SIZE * (N_PILES * viewer + pile)]`: first
the number of tickets of each kind, then (`OTHERS_AT`) the number of tickets that the viewer does not know, then
(`HOLDERS_AT`) how many of them each seat holds.

This is exact for the tickets of one hand, wherever they go. If tickets of a second hand are mixed in, it is no longer
known which of the players cannot hold which ticket. Separate lots would cost a search more time than they are worth.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.round_trip.parts import KINDS, MAX_SEATS, N_PILES, PER_PILE

OTHERS_AT: Final[i64] = PER_PILE
HOLDERS_AT: Final[i64] = PER_PILE + 1
MIXED_SIZE: Final[i64] = PER_PILE + 1 + MAX_SEATS

NOBODY: Final[i64] = 0
EVERYONE: Final[i64] = -1


def learn(known: vec[i64], seats: i64, holder: i64, kind: i64, viewers: i64) -> None:
    """Update when a ticket comes into a hand. `viewers`, one bit for each seat, know which it is."""
    for viewer in range(seats):
        if viewers >> viewer & 1 and viewer != holder:
            at = KINDS * (seats * viewer + holder) + kind
            known[at] += 1


def depart(
    known: vec[i64], mixed: vec[i64], seats: i64, holder: i64, to: i64, kind: i64, backs: i64, watchers: i64
) -> i64:
    """Update when a ticket is about to leave a hand. The hand has `backs` tickets of its city, and `to` is another seat
    or -1. `watchers`, one bit for each seat, see which ticket it is. Returns the seats that know it, including the
    holder."""
    knowing = i64(1) << holder
    pile = kind // PER_PILE
    for viewer in range(seats):
        if viewer == holder:
            continue
        at = KINDS * (seats * viewer + holder) + kind
        held = MIXED_SIZE * (N_PILES * viewer + pile) + HOLDERS_AT + holder
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
    """The number of tickets of a pile in a hand that a viewer is certain of."""
    first = KINDS * (seats * viewer + holder) + PER_PILE * pile
    certain: i64 = 0
    for at in range(first, first + PER_PILE):
        certain += known[at]
    return certain


def _mix(
    known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, holder: i64, to: i64, pile: i64, backs: i64
) -> None:
    """Update when an unseen ticket leaves a hand in which the viewer knows some tickets of that pile."""
    first = KINDS * (seats * viewer + holder) + PER_PILE * pile
    lot = MIXED_SIZE * (N_PILES * viewer + pile)
    free = backs - _certain(known, seats, viewer, holder, pile) - mixed[lot + HOLDERS_AT + holder]
    for i in range(i64(PER_PILE)):
        mixed[lot + i] += known[first + i]
        known[first + i] = 0
    mixed[lot + OTHERS_AT] += free
    mixed[lot + HOLDERS_AT + holder] = backs - 1
    if to >= 0:
        mixed[lot + HOLDERS_AT + to] += 1
    else:
        # It goes under a pile. It may be any of them, so one fewer of each kind is certain.
        mixed[lot + OTHERS_AT] -= 1
        for i in range(i64(PER_PILE)):
            if mixed[lot + i]:
                mixed[lot + i] -= 1
                mixed[lot + OTHERS_AT] += 1
    _settle(known, mixed, seats, viewer, pile)


def _take_out(known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, holder: i64, kind: i64, backs: i64) -> None:
    """Update when a seen ticket leaves a hand that has mixed tickets and perhaps unknown ones."""
    lot = MIXED_SIZE * (N_PILES * viewer + kind // PER_PILE)
    free = backs - _certain(known, seats, viewer, holder, kind // PER_PILE) - mixed[lot + HOLDERS_AT + holder]
    if free and not mixed[lot + kind % PER_PILE] and not mixed[lot + OTHERS_AT]:
        return
    # It may be a mixed or an unknown one, so the unknown ones join the lot.
    mixed[lot + OTHERS_AT] += free
    mixed[lot + HOLDERS_AT + holder] += free - 1
    mixed[lot + (kind % PER_PILE if mixed[lot + kind % PER_PILE] else OTHERS_AT)] -= 1
    _settle(known, mixed, seats, viewer, kind // PER_PILE)


def _settle(known: vec[i64], mixed: vec[i64], seats: i64, viewer: i64, pile: i64) -> None:
    """Make mixed tickets certain again if all are in one hand or of one kind. Forget the lot if none is known."""
    lot = MIXED_SIZE * (N_PILES * viewer + pile)
    kinds: i64 = 0
    for i in range(lot, lot + PER_PILE):
        if mixed[i]:
            kinds += 1
    hands: i64 = 0
    for holder in range(lot + HOLDERS_AT, lot + HOLDERS_AT + seats):
        if mixed[holder]:
            hands += 1
    alike = kinds == 1 and not mixed[lot + OTHERS_AT]
    if kinds and hands > 1 and not alike:
        return
    for seat in range(seats):
        if mixed[lot + HOLDERS_AT + seat]:
            for i in range(i64(PER_PILE)):
                if mixed[lot + i]:
                    sure = mixed[lot + HOLDERS_AT + seat] if alike else mixed[lot + i]
                    known[KINDS * (seats * viewer + seat) + PER_PILE * pile + i] += sure
    for i in range(lot, lot + MIXED_SIZE):
        mixed[i] = 0


def deal_mixed(
    mixed: vec[i64], seats: i64, me: i64, pile: i64, hand: vec[i64], left: vec[i64], sizes: vec[i64], dice: Dice
) -> None:
    """Deal the mixed tickets of a pile to the hands that hold them, as far as a seat knows.

    `left` has the tickets of the pile still to be dealt, by kind, and `sizes` how many of them each hand still needs.
    """
    lot = MIXED_SIZE * (N_PILES * me + pile)
    # Usually nothing is mixed.
    held: i64 = 0
    for seat in range(seats):
        held += mixed[lot + HOLDERS_AT + seat]
    if not held:
        return
    some = vec[i64]([i for i in range(HOLDERS_AT) for _ in range(mixed[lot + i])])
    dice.shuffle(some, 0, len(some))
    used: i64 = 0
    for seat in range(seats):
        for _ in range(mixed[lot + HOLDERS_AT + seat]):
            i = some[used]
            used += 1
            if i < OTHERS_AT:
                hand[KINDS * seat + PER_PILE * pile + i] += 1
                left[i] -= 1
                sizes[seat] -= 1
