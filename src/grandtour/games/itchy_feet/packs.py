# compiled
"""A pack: any number of cards as one int, a few bits for each kind. A hand is copied and searched as fast as a number.

Adding and taking away packs adds and takes away cards, as long as no kind gets more copies than the game has.
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
TAKEABLE: Final[i64] = (1 << sum(_widths[: len(HAND_CARDS)])) - 1
"""All the bits of cards that are no events."""

OTHERS: Final[i64] = TAKEABLE - (1 << sum(_widths[: HAND_CARDS.index("Postcard")])) + 1
"""All the bits of cards that are neither items, passports nor events: the extensions' cards that can be in a hand."""

NEEDS: Final = vec[i64]([sum(1 << sum(_widths[:kind]) for kind in country.items) for country in COUNTRIES])
"""What each country asks for, as a pack."""


def count(pack: i64, kind: i64) -> i64:
    """How many cards of a kind are in a pack."""
    return pack >> SHIFT[kind] & MASK[kind]


def present(pack: i64) -> i64:
    """A pack with one card of every kind that is in this one."""
    return (pack & SINGLES) | ((pack | pack >> 1) & PAIRS) | ((pack | pack >> 1 | pack >> 2) & TRIPLES)


def total(pack: i64) -> i64:
    """How many cards are in a pack."""
    cards: i64 = 0
    for kind in range(i64(KINDS)):
        cards += pack >> SHIFT[kind] & MASK[kind]
    return cards


def merged(one: i64, other: i64) -> i64:
    """The smallest pack that holds either."""
    pack: i64 = 0
    for kind in range(i64(KINDS)):
        a = count(one, kind)
        b = count(other, kind)
        pack += (a if a > b else b) * ONE[kind]
    return pack


def within(small: i64, big: i64) -> bool:
    """Whether all the cards of one pack are in another."""
    return merged(small, big) == big


def nth(pack: i64, n: i64) -> i64:
    """The kind of a pack's n-th card, counted by kinds."""
    for kind in range(i64(KINDS)):
        n -= count(pack, kind)
        if n < 0:
            return kind
    raise AssertionError("the pack has fewer cards")


def listed(pack: i64) -> list[str]:
    """The names of a pack's cards, by kinds."""
    return [CARDS[kind] for kind in range(KINDS) for _ in range(count(pack, kind))]
