"""A view as plain text. It fits a terminal, can be read aloud, and contains everything that is in the view."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

from grandtour.engine.game import Game
from grandtour.engine.text import Section

WIDTH: Final = 80
INDENT: Final = "  "
_UNBREAKABLE: Final = re.compile(r"(?<=\d) (?=\d{3}\b|TL\b|x )|(?<=\d x) ")
"""Spaces at which a line is not broken: in 12 000 TL and 3 x Fig."""


def sections_of(game: Game, view: Mapping[str, Any], names: list[str], seat: int | None) -> list[Section]:
    """The text of a view in sections. It depends only on the view, the players' names and the seat."""
    if game.text is not None:
        return game.text(view, names, seat)
    return [Section("Table", list(_lines(view)))]


def view_text(
    game: Game, view: Mapping[str, Any], names: list[str], seat: int | None, width: int = WIDTH, brief: bool = False
) -> str:
    """The text of a view, with lines of at most `width` characters. `brief` leaves out long sections that rarely
    change."""
    blocks = [
        "\n".join([*wrapped(section.title, width), *layout(section, width)])
        for section in sections_of(game, view, names, seat)
        if section.lines and not (brief and section.detail)
    ]
    return "\n\n".join(blocks)


def layout(section: Section, width: int = WIDTH) -> list[str]:
    """The lines of a section, wrapped and indented."""
    return [part for line in section.lines for part in wrapped(line, width, INDENT, INDENT * 2)]


def wrapped(text: str, width: int = WIDTH, first: str = "", later: str = "") -> list[str]:
    """A line, wrapped to the width."""
    kept = _UNBREAKABLE.sub("\u00a0", text)
    lines = textwrap.wrap(kept, width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in lines] or [first.rstrip()]


def _lines(value: Any, name: str = "") -> Iterator[str]:
    """Any JSON value in words, for games without a `text.py`."""
    label = name.replace("_", " ")
    if isinstance(value, Mapping) or (isinstance(value, list) and any(isinstance(each, dict | list) for each in value)):
        if name:
            yield f"{label}:"
        within = value.items() if isinstance(value, Mapping) else ((str(at), each) for at, each in enumerate(value, 1))
        for key, each in within:
            yield from (f"- {line}" if name else line for line in _lines(each, str(key)))
    elif isinstance(value, list):
        yield f"{label}: {', '.join(map(_plain, value)) or 'none'}"
    else:
        yield f"{label}: {_plain(value)}"


def _plain(value: Any) -> str:
    if value is None:
        return "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
