"""Parses a game's rulebook.md into sections and numbered paragraphs."""

import re
from typing import Final, NamedTuple

_NUMBER: Final = re.compile(r"^\*\*([A-Z]+-\d+)\*\*\s*(\*\(ruling\)\*)?\s*", re.MULTILINE)
_TITLE: Final = re.compile(r"^(#{1,2}) +(.+?)\s*$", re.MULTILINE)


class Paragraph(NamedTuple):
    """A numbered paragraph. `text` is its Markdown without the number, `source` with it."""

    id: str
    ruling: bool
    text: str
    source: str


class Section(NamedTuple):
    title: str
    paragraphs: list[Paragraph]


class Rulebook(NamedTuple):
    """`short` is the text under the title: the game in a few lines, for newcomers."""

    title: str
    short: str
    sections: list[Section]

    def paragraphs(self) -> list[Paragraph]:
        return [paragraph for section in self.sections for paragraph in section.paragraphs]


def parse(text: str, title: str) -> Rulebook:
    """`# Title` and the game in short, then sections `## Title` of paragraphs: `**RT-1**` or `**RT-1** *(ruling)*`."""
    short = ""
    sections = []
    headings = list(_TITLE.finditer(text))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        body = text[heading.end() : following.start() if following is not None else None]
        if heading[1] == "#":
            title, short = heading[2], body.strip()
        else:
            sections.append(Section(heading[2], _paragraphs(body)))
    return Rulebook(title, short, sections)


def _paragraphs(body: str) -> list[Paragraph]:
    numbers = list(_NUMBER.finditer(body))
    found = []
    for number, following in zip(numbers, [*numbers[1:], None], strict=True):
        end = following.start() if following is not None else len(body)
        source, text = body[number.start() : end].strip(), body[number.end() : end].strip()
        found.append(Paragraph(number[1], number[2] is not None, text, source))
    return found
