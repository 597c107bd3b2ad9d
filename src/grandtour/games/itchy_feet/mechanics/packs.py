# compiled
"""A pack is any number of cards as one int, with a few bits for each kind, so that copying and comparing hands is fast.

Packs can be added and subtracted, as long as no kind gets more copies than the game has.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.itchy_feet.parts import CARDS, COUNTRIES, HAND_CARDS, ITEMS, KIND, KINDS

PASSPORT: Final[i64] = KIND["Passport"]
POSTCARD: Final[i64] = KIND["Postcard"]
FORBIDDEN: Final[i64] = KIND["Forbidden Item"]
FIRST_SPECIAL: Final[i64] = FORBIDDEN + 1
MOUSETRAP: Final[i64] = KIND["Mousetrap"]
CREDIT_CARD: Final[i64] = KIND["Mom's Credit Card"]
GUIDE: Final[i64] = KIND["Local Guide"]
POST: Final[i64] = KIND["Trading Post"]
MAP: Final[i64] = KIND["Poorly Drawn Map"]
RED_EYE: Final[i64] = KIND["Red-Eye Flight"]
BRIBE: Final[i64] = KIND["Customs Bribe"]
FOUND: Final[i64] = KIND["Lost and Found"]
CONTROL: Final[i64] = KIND["Passport Control"]
UNREST: Final[i64] = KIND["Civil Unrest"]
LUGGAGE: Final[i64] = KIND["Lost Luggage"]
MIX_UP: Final[i64] = KIND["Luggage Mix-Up"]

_widths: Final = [2] * len(ITEMS) + [3, 3, 2] + [1] * (len(CARDS) - len(ITEMS) - 3)
SHIFT: Final = vec[i64]([sum(_widths[:kind]) for kind in range(len(CARDS))])
MASK: Final = vec[i64]([(1 << width) - 1 for width in _widths])
ONE: Final = vec[i64]([1 << sum(_widths[:kind]) for kind in range(len(CARDS))])
"""A pack of a single card, by its kind."""

SINGLES: Final[i64] = sum(1 << sum(_widths[:kind]) for kind in range(len(CARDS)) if _widths[kind] == 1)
PAIRS: Final[i64] = sum(1 << sum(_widths[:kind]) for kind in range(len(CARDS)) if _widths[kind] == 2)
TRIPLES: Final[i64] = sum(1 << sum(_widths[:kind]) for kind in range(len(CARDS)) if _widths[kind] == 3)
LOWEST: Final[i64] = SINGLES | PAIRS | TRIPLES
"""The lowest bit of every kind."""
HIGHEST: Final[i64] = SINGLES | PAIRS << 1 | TRIPLES << 2
HIGHEST_OF: Final = vec[i64]([1 << sum(_widths[: kind + 1]) - 1 for kind in range(len(CARDS))])
"""The highest bit of a kind."""
TAKEABLE: Final[i64] = (1 << sum(_widths[: len(HAND_CARDS)])) - 1
"""All the bits of cards that are not events."""

OTHERS: Final[i64] = TAKEABLE - (1 << sum(_widths[: HAND_CARDS.index("Postcard")])) + 1
"""All the bits of the extensions' cards that can be in a hand: neither items nor passports nor events."""

NEEDS: Final = vec[i64]([sum(1 << sum(_widths[:kind]) for kind in country.items) for country in COUNTRIES])
"""What each country asks for, as a pack."""


def count(pack: i64, kind: i64) -> i64:
    """How many cards of a kind are in a pack."""
    return pack >> SHIFT[kind] & MASK[kind]


def present(pack: i64) -> i64:
    """A pack with one card of every kind that is in this one."""
    return (pack & SINGLES) | ((pack | pack >> 1) & PAIRS) | ((pack | pack >> 1 | pack >> 2) & TRIPLES)


def total(pack: i64) -> i64:
    """How many cards are in a pack. The bits of equal value are counted together for all kinds."""
    fours = pack >> 2 & TRIPLES
    return _ones(pack & LOWEST) + 2 * _ones(pack >> 1 & (PAIRS | TRIPLES)) + 4 * _ones(fours)


def _ones(bits: i64) -> i64:
    """How many bits are set."""
    twos = (bits & 0x5555555555555555) + (bits >> 1 & 0x5555555555555555)
    fours = (twos & 0x3333333333333333) + (twos >> 2 & 0x3333333333333333)
    bytes = fours + (fours >> 4) & 0x0F0F0F0F0F0F0F0F
    bytes += bytes >> 32
    bytes += bytes >> 16
    return (bytes + (bytes >> 8)) & 0xFF


def fewer(one: i64, other: i64) -> i64:
    """The highest bit of every kind of which `one` has fewer cards than `other`. These are the kinds for which
    `one - other` would have to borrow."""
    difference = ((one | HIGHEST) - (other & ~HIGHEST)) ^ ((one ^ ~other) & HIGHEST)
    return ((~one & other) | (~(one ^ other) & difference)) & HIGHEST


def within(small: i64, big: i64) -> bool:
    """Whether all the cards of one pack are in another."""
    return fewer(big, small) == 0


def nth(pack: i64, n: i64) -> i64:
    """The kind of a pack's n-th card, in the order of the kinds."""
    for kind in range(i64(KINDS)):
        n -= count(pack, kind)
        if n < 0:
            return kind
    raise AssertionError("the pack has fewer cards")


def listed(pack: i64) -> list[str]:
    """The names of a pack's cards, in the order of the kinds."""
    return [CARDS[kind] for kind in range(KINDS) for _ in range(count(pack, kind))]
