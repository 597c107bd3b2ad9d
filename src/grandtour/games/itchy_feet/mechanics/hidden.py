# compiled
"""What a viewer can tell about the unknown cards in a hand, as one int with four counts:

cards       how many they are
others      the maximum number that are neither items nor passports
passports   the maximum number of passports
drawn       the minimum number that came from the current draw pile

These are bounds, not everything that could be deduced. Cards that were known before one of them was passed on unseen
are tracked as a lot (`state.py`). Two things are not tracked, because they would take a history of each hand: that only
one of two hands can hold what was drawn before a theft, and whether a discarded item came from the starting hand or
from the pile. `docs/players.md` says how little is lost. The bounds are never wrong, and in a hand that only drew and
discarded they are exact.
"""

from typing import Final

from mypy_extensions import i64

from grandtour.games.itchy_feet.mechanics.packs import OTHERS, PASSPORT, count
from grandtour.games.itchy_feet.parts import N_ITEMS

CARD: Final = 1
OTHER: Final = 1 << 8
PAPERS: Final = 1 << 16
DRAWN: Final = 1 << 24
_COUNT: Final = 255

PERHAPS_OTHER: Final = 8  # where the bits begin, one a viewer, in what is told of a card on its way into a hand
PERHAPS_PASSPORT: Final = 16
FROM_PILE: Final = 1 << 24
FROM_LOT: Final = 25  # where the bits begin, one a seat, of those that know what it may be: see `table.py`


def cards(row: i64) -> i64:
    return row & _COUNT


def others(row: i64) -> i64:
    return row >> 8 & _COUNT


def passports(row: i64) -> i64:
    return row >> 16 & _COUNT


def drawn(row: i64) -> i64:
    return row >> 24


def _row(cards: i64, others: i64, passports: i64, drawn: i64) -> i64:
    """The four counts, none below zero and none larger than there are cards."""
    row = cards
    row += (0 if others < 0 else others if others < cards else cards) * OTHER
    row += (0 if passports < 0 else passports if passports < cards else cards) * PAPERS
    return row + (0 if drawn < 0 else drawn if drawn < cards else cards) * DRAWN


def learned(row: i64, kind: i64, in_pile: bool) -> i64:
    """One of the cards is now known, or gone, and was of this kind, which may have been in the draw pile or not."""
    other: i64 = 1 if kind >= N_ITEMS and kind != PASSPORT else 0
    paper: i64 = 1 if kind == PASSPORT else 0
    lately: i64 = 1 if in_pile else 0
    return _row(cards(row) - 1, others(row) - other, passports(row) - paper, drawn(row) - lately)


def mixed(row: i64, known: i64) -> i64:
    """So many known cards, each of another kind, are not certain any more: they are among the others."""
    more, papers = _bits(known), count(known, PASSPORT)
    return _row(cards(row) + more, others(row) + _bits(known & OTHERS), passports(row) + papers, drawn(row))


def _bits(number: i64) -> i64:
    bits: i64 = 0
    while number:
        number &= number - 1
        bits += 1
    return bits


def one_fewer(row: i64) -> i64:
    """One of the cards is gone, and it may have been any."""
    return _row(cards(row) - 1, others(row), passports(row), drawn(row) - 1)


def told(row: i64, viewer: i64) -> i64:
    """What a viewer is told of a card that leaves such a hand unseen."""
    perhaps: i64 = 0
    if others(row):
        perhaps |= i64(1) << PERHAPS_OTHER + viewer
    if passports(row):
        perhaps |= i64(1) << PERHAPS_PASSPORT + viewer
    return perhaps


def told_of_pile(stock: i64, everyone: i64) -> i64:
    """What all are told of a card that is drawn from a pile of such cards."""
    perhaps: i64 = FROM_PILE
    if stock & OTHERS:
        perhaps |= everyone << PERHAPS_OTHER
    if count(stock, PASSPORT):
        perhaps |= everyone << PERHAPS_PASSPORT
    return perhaps


def arrived(row: i64, perhaps: i64, viewer: i64) -> i64:
    """A card comes into the hand, and this is what the viewer was told of it."""
    row += CARD
    row += (perhaps >> PERHAPS_OTHER + viewer & 1) * OTHER
    row += (perhaps >> PERHAPS_PASSPORT + viewer & 1) * PAPERS
    return row + (DRAWN if perhaps & FROM_PILE else 0)


def with_new_pile(row: i64) -> i64:
    """A new draw pile is made: nothing has been drawn from it."""
    return row & (DRAWN - 1)
