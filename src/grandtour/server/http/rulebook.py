"""Rulebooks as HTML, for the page."""

from functools import cache

from grandtour.engine import catalogue
from grandtour.protocol.rulebook import parse
from grandtour.server.http.requests import Paragraph, Rulebook, Section


@cache
def rulebook(name: str) -> Rulebook:
    """The rulebook of a game."""
    game = catalogue.game(name)
    return as_html(game.rulebook(), game.title)


def as_html(text: str, title: str) -> Rulebook:
    """A rulebook.md rendered as HTML. HTML in the file itself is escaped."""
    from markdown_it import MarkdownIt  # Imported here, because it would slow the start of the server by a tenth.

    html = MarkdownIt("commonmark", {"html": False}).enable("table").render
    book = parse(text, title)
    sections = [
        Section(section.title, [Paragraph(each.id, each.ruling, html(each.text)) for each in section.paragraphs])
        for section in book.sections
    ]
    return Rulebook(book.title, html(book.short), sections)
