# compiled
"""What a viewer can tell about the unknown cards in a hand, as one int with four counts:

cards       how many they are
others      the maximum number that are neither items nor passports
passports   the maximum number of passports
drawn       the minimum number that came from the current draw pile

These are bounds, not everything that could be deduced. If a hand passes a card on unseen, its known cards are tracked
as a lot (`state.py`). Two things are not tracked, because they would take a history of each hand: that only one of two
hands can hold what was drawn before a theft, and whether a discarded item came from the starting hand or from the pile.
`docs/players.md` says how little this loses. The bounds are never wrong, and they are exact for a hand that has only
drawn and discarded.
"""

from typing import Final

from mypy_extensions import i64

from grandtour.games.itchy_feet.mechanics.packs import OTHERS, PASSPORT, count
from grandtour.games.itchy_feet.parts import N_ITEMS

CARD: Final = 1
OTHER: Final = 1 << 8
PAPERS: Final = 1 << 16
DRAWN: Final = 1 << 24
"""What one more card, other card, passport or drawn card adds to the number."""
_COUNT: Final = 255

# Clues about a card that moves unseen, as bits. All but `FROM_PILE` are the index of the first bit of several, one for
# each viewer.
MAYBE_OTHER: Final = 8
MAYBE_PASSPORT: Final = 16
FROM_PILE: Final = 1 << 24
FROM_LOT: Final = 25  # the card may belong to the viewer's lot (`state.py`)


def cards(row: i64) -> i64:
    return row & _COUNT


def others(row: i64) -> i64:
    return row >> 8 & _COUNT


def passports(row: i64) -> i64:
    return row >> 16 & _COUNT


def drawn(row: i64) -> i64:
    return row >> 24


def _row(cards: i64, others: i64, passports: i64, drawn: i64) -> i64:
    """The four counts in one number, none of them below zero or above the number of cards."""
    row = cards
    row += (0 if others < 0 else others if others < cards else cards) * OTHER
    row += (0 if passports < 0 else passports if passports < cards else cards) * PAPERS
    return row + (0 if drawn < 0 else drawn if drawn < cards else cards) * DRAWN


def after_learning(row: i64, kind: i64, in_pile: bool) -> i64:
    """The counts after an unknown card was seen, or left openly. `in_pile`: its kind may have come from the pile."""
    other: i64 = 1 if kind >= N_ITEMS and kind != PASSPORT else 0
    paper: i64 = 1 if kind == PASSPORT else 0
    lately: i64 = 1 if in_pile else 0
    return _row(cards(row) - 1, others(row) - other, passports(row) - paper, drawn(row) - lately)


def after_forgetting(row: i64, known: i64) -> i64:
    """The counts after known cards, each of another kind, have become uncertain."""
    more, papers = _count_bits(known), count(known, PASSPORT)
    return _row(cards(row) + more, others(row) + _count_bits(known & OTHERS), passports(row) + papers, drawn(row))


def _count_bits(number: i64) -> i64:
    bits: i64 = 0
    while number:
        number &= number - 1
        bits += 1
    return bits


def after_unseen_loss(row: i64) -> i64:
    """The counts after a card has left unseen, which may have been any."""
    return _row(cards(row) - 1, others(row), passports(row), drawn(row) - 1)


def clues_from_hand(row: i64, viewer: i64) -> i64:
    """What a viewer can tell about a card that leaves such a hand unseen."""
    clues: i64 = 0
    if others(row):
        clues |= i64(1) << MAYBE_OTHER + viewer
    if passports(row):
        clues |= i64(1) << MAYBE_PASSPORT + viewer
    return clues


def clues_from_pile(stock: i64, everyone: i64) -> i64:
    """What everyone can tell about a card drawn from a pile into which `stock` was shuffled."""
    clues: i64 = FROM_PILE
    if stock & OTHERS:
        clues |= everyone << MAYBE_OTHER
    if count(stock, PASSPORT):
        clues |= everyone << MAYBE_PASSPORT
    return clues


def after_unseen_gain(row: i64, clues: i64, viewer: i64) -> i64:
    """The counts after the hand gains an unseen card, about which the viewer has these clues."""
    row += CARD
    row += (clues >> MAYBE_OTHER + viewer & 1) * OTHER
    row += (clues >> MAYBE_PASSPORT + viewer & 1) * PAPERS
    return row + (DRAWN if clues & FROM_PILE else 0)


def after_reshuffle(row: i64) -> i64:
    """The counts after a reshuffle: nothing has been drawn from the new pile."""
    return row & (DRAWN - 1)
