"""A game's rulebook.md, cut into sections and numbered paragraphs and made into HTML."""

import re
from functools import cache
from typing import Final

from markdown_it import MarkdownIt

from grandtour.engine import catalogue
from grandtour.server.bodies import Paragraph, Rulebook, Section

_NUMBER: Final = re.compile(r"^\*\*([A-Z]+-\d+)\*\*\s*(\*\(ruling\)\*)?\s*", re.MULTILINE)
_TITLE: Final = re.compile(r"^(#{1,2}) +(.+?)\s*$", re.MULTILINE)


@cache
def rulebook(name: str) -> Rulebook:
    """The rulebook of a game."""
    game = catalogue.game(name)
    return parse(game.rulebook(), game.title)


def parse(text: str, title: str) -> Rulebook:
    """`# Title` and the game in short, then sections `## Title` of paragraphs: `**RT-1**` or `**RT-1** *(ruling)*`."""
    # No HTML of the rulebook's own comes through.
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    book = Rulebook(title, "", [])
    headings = list(_TITLE.finditer(text))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        body = text[heading.end() : following.start() if following is not None else None]
        if heading[1] == "#":
            book.title = heading[2]
            book.short = markdown.render(body.strip())
        else:
            book.sections.append(Section(heading[2], _paragraphs(body, markdown)))
    return book


def _paragraphs(body: str, markdown: MarkdownIt) -> list[Paragraph]:
    numbers = list(_NUMBER.finditer(body))
    return [
        Paragraph(
            number[1],
            number[2] is not None,
            markdown.render(body[number.end() : following.start() if following is not None else None].strip()),
        )
        for number, following in zip(numbers, [*numbers[1:], None], strict=True)
    ]
