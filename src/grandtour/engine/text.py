# interpreted
"""Helpers for writing a view as text.

A game's `text.py` turns a view into sections, using only the view. `grandtour.protocol.text` lays them out.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class Section(NamedTuple):
    """A part of the table: a title, and lines of any length."""

    title: str
    lines: list[str]
    detail: bool = False
    """Whether the section is long or hardly ever changes. It is left out where space is short."""


def player(seat: int, names: list[str], viewer: int | None) -> str:
    """A player's name at the start of a line: "You", or "Ada"."""
    return "You" if seat == viewer else names[seat]


def whose(seat: int, names: list[str], viewer: int | None) -> str:
    """The possessive at the start of a line: "Your", or "Ada's"."""
    return "Your" if seat == viewer else f"{names[seat]}'s"


def people(seats: Iterable[int], names: list[str], viewer: int | None) -> str:
    """Several players: "Ada, you"."""
    return listed("you" if seat == viewer else names[seat] for seat in seats)


def listed(words: Iterable[str]) -> str:
    """Words separated by commas; "none" when there are none."""
    return ", ".join(words) or "none"


def bundle(cards: Iterable[str]) -> str:
    """Cards, equal ones counted: "Fig, 2 x Orange"."""
    return amounts(Counter(cards))


def amounts(counts: dict[str, int]) -> str:
    """How many there are of each thing: "Fig, 2 x Orange"."""
    return listed(name if count == 1 else f"{count} x {name}" for name, count in counts.items() if count)


def result(shares: list[float] | None, names: list[str], viewer: int | None) -> list[str]:
    """The result in one line; nothing before the end of the game."""
    if shares is None:
        return []
    return ["Result: " + listed(f"{player(at, names, viewer)} {share:g}" for at, share in enumerate(shares)) + "."]
