"""Prints a rulebook, or one paragraph of it."""

from rich.console import Console
from rich.markdown import Markdown

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short
from grandtour.protocol.rulebook import parse


def paragraph(game: Game, number: str) -> str:
    """The text of one paragraph, by its number: RT-14, rt-14 or 14."""
    found = {each.id: each.source for each in parse(game.rulebook(), game.title).paragraphs()}
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
    """Print Markdown: formatted in a terminal, unchanged in a file or pipe."""
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        console.file.write(text.rstrip() + "\n")
