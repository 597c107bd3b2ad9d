"""Replays a saved match in the terminal, move by move, as a seat or a spectator saw it."""

import re
from typing import Any

from rich.console import Console
from rich.pretty import Pretty
from rich.table import Table
from rich.text import Text

from grandtour.engine.dice import seal
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.protocol.replay import check_seat, steps

KEYS = "Enter next · p previous · j N jump to N · v show position · q quit"


class Replay:
    """A match as `seat` saw it; None is a spectator. Page 0 is the set-up, page n shows the effect of move n."""

    def __init__(self, match: Match, names: list[str], seat: int | None) -> None:
        check_seat(match, seat)
        self.match = match
        self.names = [printable(name) for name in names]
        self.pages = list(steps(match, self.names, seat))

    def print_all(self, console: Console) -> None:
        """Print the whole match in sentences."""
        self.print_title(console)
        for number in range(len(self.pages)):
            self.print_page(console, number)
        self.print_final(console)

    def step_through(self, console: Console) -> None:
        """Let the user step through the match until they quit."""
        self.print_title(console)
        console.print(KEYS, style="dim", markup=False)
        number = 0
        self.print_page(console, number)
        while True:
            try:
                key = console.input(Text(f"{number}/{len(self.pages) - 1} > ", "dim")).strip()
            except (EOFError, KeyboardInterrupt):
                console.print()
                return
            if key == "q":
                return
            if key == "v":
                console.print(Pretty(self.pages[number].view, expand_all=False))
                continue
            wanted = self._page_after(key, number)
            if wanted is None:
                console.print(KEYS, style="dim", markup=False)
            elif 0 <= wanted < len(self.pages):
                number = wanted
                self.print_page(console, number)
                self.print_prompt(console, number)
            else:
                console.print(f"The match has pages 0 to {len(self.pages) - 1}.", style="dim")

    def _page_after(self, key: str, number: int) -> int | None:
        if key in ("", "n"):
            return number + 1
        if key == "p":
            return number - 1
        jump = re.fullmatch(r"j\s*(\d{1,9})", key)
        return int(jump[1]) if jump else None

    def print_title(self, console: Console) -> None:
        options = ", ".join(f"{name} {value}" for name, value in self.match.options.items())
        console.print(Text(f"{self.match.game.title}: {', '.join(self.names)}", "bold"))
        console.print(Text(f"Rules {self.match.version}, {options}.", "dim"))

    def print_page(self, console: Console, number: int) -> None:
        mark = f"{number:>4}"
        page = self.pages[number]
        for line in [*page.text, *([page.note] if page.note else [])]:
            if console.is_terminal:
                lines = Table.grid("", "", padding=(0, 2, 0, 0))
                lines.add_row(Text(mark, "dim"), Text(line))
                console.print(lines)
            else:
                # One sentence per line, however long, so that files and pipes are easy to read.
                console.print(Text(f"{mark}  {line}"), soft_wrap=True)
            mark = "    "

    def print_prompt(self, console: Console, number: int) -> None:
        if number == len(self.pages) - 1:
            self.print_final(console)
        else:
            console.print(Text(f"      {self.pages[number].prompt.text}", "dim italic"))

    def print_final(self, console: Console) -> None:
        """Print the final scores with their parts, or that the match was not finished."""
        if not self.match.over:
            console.print("The match was not finished.", style="dim")
            return
        table = Table("", "score", "how")
        for row in self.match.game.final(self.match.state):
            name = Text(self.names[row["seat"]], "bold" if row["won"] else "")
            how = "; ".join(f"{line['label']}: {line['value']}" for line in row["lines"])
            table.add_row(name + (" (won)" if row["won"] else ""), _score(row), Text(how))
        console.print(table)


def _score(row: dict[str, Any]) -> str:
    """A seat's score, or its outcome in words where there are no scores."""
    return str(row["outcome"] if row["score"] is None else row["score"])


def verdict(match: Match, expected_seal: str | None) -> str:
    """What was verified about a match that has been loaded and replayed, in one sentence.

    `expected_seal` is the seal shown at the table before the first card was dealt.
    """
    if isinstance(match.seed, bytes):
        shown = seal(match.seed)
        if expected_seal is not None and expected_seal.strip().lower() != shown:
            raise Refusal("bad-file", f"The secret in this file does not match that seal: its own seal is {shown}.")
        fits = "matches the seal you gave" if expected_seal is not None else f"has the seal {shown}"
        dice = f"and all chance came from the secret that {fits}"
    elif expected_seal is not None:
        raise Refusal("bad-file", "This match was played with quick dice, which have no seal.")
    else:
        dice = "and all chance came from quick dice with the seed in the file, which have no seal"
    moves = f"all {len(match.log)} moves are legal"
    end = "they lead to the result stated" if match.over else "the game is not over after them"
    return f"The match is valid: {moves}, {end}, {dice}."


def printable(name: str) -> str:
    """A name from a file, without control characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in name)
