"""Words that every game needs: who does what, lists, numbers, and the shape of a prompt.

A sentence is told to a seat: whoever sits there is "you", all others go by their names. None is an onlooker.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from grandtour.engine.events import Event

Sentence = Callable[[Event, list[str], int | None], str]
"""An event in one sentence, given the players' names and the seat that reads it; "" when there is nothing to say."""

_TOKEN: Final = re.compile(r"\{seat:(\d+)\}")


def nothing(event: Event, names: list[str], seat: int | None) -> str:
    """The sentence for an event that is seen on the table and needs no words."""
    return ""


def prompt(text: str, *rules: str) -> dict[str, Any]:
    """What a seat should do now, with the paragraphs that say more."""
    return {"text": text, "rules": list(rules)}


def possible(verbs: set[str], choices: tuple[tuple[str, str, str], ...]) -> tuple[str, list[str]]:
    """Of some choices (verb, words, paragraph) those whose verb is possible: "draw or pass", and their paragraphs.
    Verbs with the same words are named once."""
    found = [choice for choice in choices if choice[0] in verbs]
    return any_of(list(dict.fromkeys(words for _, words, _ in found))), [rule for _, _, rule in found]


def token(seat: int) -> str:
    """Stands for a player's name in a prompt or a move."""
    return f"{{seat:{seat}}}"


def with_names(text: str, names: list[str]) -> str:
    """The players' names put in where tokens stand for them."""
    parts = _TOKEN.split(text)
    return "".join(names[int(part)] if at % 2 else part for at, part in enumerate(parts))


def who(actor: int, names: list[str], seat: int | None, verb: str, others: str = "") -> str:
    """Who does something, to begin a sentence: "You take", or "Ada takes"."""
    return f"{'You' if actor == seat else names[actor]} {does(actor, seat, verb, others)}"


def whom(other: int, names: list[str], seat: int | None) -> str:
    """A player within a sentence: "you", or "Ada"."""
    return "you" if other == seat else names[other]


def does(actor: int, seat: int | None, verb: str, others: str = "") -> str:
    """The verb for what somebody does: "take", or "takes" when it is not the one who reads.

    `others` is what the others do, for a verb that does not just add an s: "pass", "passes".
    """
    return verb if actor == seat else others or f"{verb}s"


def you_first(seats: list[int], seat: int | None, names: list[str] | None = None) -> list[str]:
    """Some players, beginning with the one who reads: "you", "Ada". Without names, tokens stand for them."""
    others = [other for other in seats if other != seat]
    return ["you"] * (seat in seats) + [names[other] if names is not None else token(other) for other in others]


def win(winners: list[int], seat: int | None, names: list[str] | None = None) -> str:
    """Who wins: "you win", "Ada wins", "you and Ada share the win"."""
    verb = "share the win" if len(winners) > 1 else does(winners[0], seat, "win")
    return f"{all_of(you_first(winners, seat, names))} {verb}"


def all_of(words: list[str]) -> str:
    """A list with "and" before its last word."""
    return _listed(words, "and")


def any_of(words: list[str]) -> str:
    """A list with "or" before its last word."""
    return _listed(words, "or")


def _listed(words: list[str], link: str) -> str:
    return f"{', '.join(words[:-1])} {link} {words[-1]}" if len(words) > 1 else words[0]


def plural(count: int, word: str) -> str:
    """How many there are of something: "0 points", "1 point", "2 points", and "−2 points" with a true minus sign."""
    number = str(count).replace("-", "−")
    return f"{number} {word}" if count == 1 else f"{number} {word}s"


def counted(count: int, word: str) -> str:
    """The same, for a sentence that reads "no points" when there are none."""
    return plural(count, word) if count else f"no {word}s"


def first_up(text: str) -> str:
    """The text with a capital first letter, to begin a sentence."""
    return text[0].upper() + text[1:]
