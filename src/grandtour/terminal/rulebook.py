"""A rulebook in the terminal, whole or one paragraph."""

import re

from rich.console import Console
from rich.markdown import Markdown

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short

PARAGRAPH = re.compile(r"^\*\*([A-Z]+-\d+)\*\*.*?(?=^\*\*[A-Z]+-\d+\*\*|^#|\Z)", re.MULTILINE | re.DOTALL)


def paragraph(game: Game, number: str) -> str:
    """The text of one paragraph, by its number: RT-14, or rt-14, or 14."""
    found = {match[1]: match[0].strip() for match in PARAGRAPH.finditer(game.rulebook())}
    wanted = number.upper()
    for name, text in found.items():
        if wanted in (name, name.partition("-")[2]):
            return text
    first, *_, last = found
    raise Refusal(
        "unknown-paragraph",
        f"The rulebook of {game.title} has no paragraph {short(number)}: it has {first} to {last}.",
    )


def show(console: Console, text: str) -> None:
    """Markdown drawn for a terminal; as it is written where it goes into a file or a pipe."""
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        console.file.write(text.rstrip() + "\n")
