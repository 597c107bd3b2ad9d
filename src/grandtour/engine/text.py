# interpreted
"""Helpers for writing a view as text.

A game's `text.py` turns a view into sections, from nothing but the view. `grandtour.protocol.text` lays them out.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class Section(NamedTuple):
    """A part of the table: a title, and lines of any length."""

    title: str
    lines: list[str]
    detail: bool = False
    """Long, or it hardly ever changes: read once, and left out where there is little room."""


def player(seat: int, names: list[str], viewer: int | None) -> str:
    """A player, to begin a line: "You", or "Ada"."""
    return "You" if seat == viewer else names[seat]


def whose(seat: int, names: list[str], viewer: int | None) -> str:
    """What is a player's, to begin a line: "Your", or "Ada's"."""
    return "Your" if seat == viewer else f"{names[seat]}'s"


def people(seats: Iterable[int], names: list[str], viewer: int | None) -> str:
    """Some players in a row: "Ada, you"."""
    return listed("you" if seat == viewer else names[seat] for seat in seats)


def listed(words: Iterable[str]) -> str:
    """Words in a row; "none" when there are none."""
    return ", ".join(words) or "none"


def bundle(cards: Iterable[str]) -> str:
    """Cards in a row, equal ones counted: "Fig, 2 x Orange"."""
    return amounts(Counter(cards))


def amounts(counts: dict[str, int]) -> str:
    """How many there are of each thing: "Fig, 2 x Orange"."""
    return listed(name if count == 1 else f"{count} x {name}" for name, count in counts.items() if count)


def result(shares: list[float] | None, names: list[str], viewer: int | None) -> list[str]:
    """The result, once there is one, in a line."""
    if shares is None:
        return []
    return ["Result: " + listed(f"{player(at, names, viewer)} {share:g}" for at, share in enumerate(shares)) + "."]
