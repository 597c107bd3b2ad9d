"""Numbered lists of legal moves for a player who types."""

import unicodedata
from itertools import groupby
from typing import Final, NamedTuple

from grandtour.engine.refusal import Refusal
from grandtour.engine.vocabulary import Named
from grandtour.protocol.messages import LegalMove

MAX_PLAIN_LIST: Final = 12
"""Up to this many moves are listed one by one; more are grouped by their verb."""
MAX_UNGROUPED: Final = 3
MAX_LISTED: Final = 40


class Line(NamedTuple):
    """A line of a list: one or more numbers, and a text. A line without a number is a remark about the list."""

    label: str
    text: str


class Choices:
    """The moves that a player can make now. `single` is the only move that matched the last input, if there was one."""

    def __init__(self, legal: list[LegalMove]) -> None:
        self.legal: Final = legal
        self.single: Named | None = legal[0].move if len(legal) == 1 else None
        self._folded: Final = [fold(f"{each.move['do']} {each.text}") for each in legal]

    def everything(self) -> list[Line]:
        """All moves."""
        return [self._line(at) for at in range(len(self.legal))]

    def overview(self) -> list[Line]:
        """All moves, or if there are many, each verb with its number of moves."""
        if len(self.legal) <= MAX_PLAIN_LIST:
            return self.everything()
        lines = []
        for verb, group in groupby(range(len(self.legal)), lambda at: str(self.legal[at].move["do"])):
            alike = list(group)
            if len(alike) <= MAX_UNGROUPED:
                lines += [self._line(at) for at in alike]
            else:
                first, last = alike[0] + 1, alike[-1] + 1
                words = f"{verb}: {len(alike)} moves, the first: {self.legal[alike[0]].text}"
                lines.append(Line(f"{first}-{last}", words))
        return [*lines, Line("", "Type moves to list all, or a few letters to find one.")]

    def filter(self, typed: str) -> list[Line]:
        """The moves that contain all these words. If there is only one, it becomes `single`."""
        words = fold(typed).split()
        if len(words) == 1 and any(words[0] == each.move["do"] for each in self.legal):
            found = [at for at, each in enumerate(self.legal) if each.move["do"] == words[0]]
        else:
            found = [at for at, text in enumerate(self._folded) if all(word in text for word in words)]
        self.single = self.legal[found[0]].move if len(found) == 1 else None
        lines = [self._line(at) for at in found[:MAX_LISTED]]
        if len(found) > MAX_LISTED:
            lines.append(Line("", f"And {len(found) - MAX_LISTED} more: type more letters."))
        return [*lines, Line("", "Enter makes this move.")] if len(found) == 1 else lines

    def number(self, typed: str) -> Named:
        """The move with this number."""
        if len(typed) > 6 or not 1 <= int(typed) <= len(self.legal):
            raise Refusal("unknown-move", f"The moves are numbered 1 to {len(self.legal)}.")
        return self.legal[int(typed) - 1].move

    def _line(self, at: int) -> Line:
        return Line(str(at + 1), self.legal[at].text)


def fold(text: str) -> str:
    """A text for comparing: in lower case, without accents, and with a plain hyphen for every dash."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return plain.lower().replace("ı", "i").replace("–", "-")
