"""Wording that every game needs: who does what, lists, numbers, and prompts.

A sentence is written for the seat that reads it: that player is "you", the others are called by name. Seat None
is a spectator.
"""

from collections.abc import Callable
from typing import Any, Final

from grandtour.engine.events import Event

Sentence = Callable[[Event, list[str], int | None], str]
"""An event in one sentence, given the players' names and the seat that reads it; "" when there is nothing to say."""

PLACEHOLDER_START: Final = "{seat:"
"""How the placeholder for a player's name begins."""


def no_sentence(event: Event, names: list[str], seat: int | None) -> str:
    """No sentence, for an event that is obvious from the table."""
    return ""


def prompt(text: str, *rules: str) -> dict[str, Any]:
    """What a seat should do now, with the paragraphs that explain it."""
    return {"text": text, "rules": list(rules)}


def possible(verbs: set[str], choices: tuple[tuple[str, str, str], ...]) -> tuple[str, list[str]]:
    """The wording and paragraphs of those choices (verb, words, paragraph) whose verb is possible: "draw or pass".
    Equal words are listed once."""
    found = [choice for choice in choices if choice[0] in verbs]
    return join_or(list(dict.fromkeys(words for _, words, _ in found))), [rule for _, _, rule in found]


def placeholder(seat: int) -> str:
    """The placeholder for a player's name in a prompt or a move."""
    return f"{PLACEHOLDER_START}{seat}}}"


def with_names(text: str, names: list[str]) -> str:
    """The text with players' names in place of the placeholders."""
    if PLACEHOLDER_START not in text:
        return text
    pieces = text.split(PLACEHOLDER_START)
    named = pieces[0]
    for piece in pieces[1:]:
        number, brace, rest = piece.partition("}")
        if brace and number.isdecimal():
            named += names[int(number)] + rest
        else:
            named += PLACEHOLDER_START + piece
    return named


def who(actor: int, names: list[str], seat: int | None, verb: str, others: str = "") -> str:
    """The start of a sentence: "You take", or "Ada takes"."""
    return f"{'You' if actor == seat else names[actor]} {does(actor, seat, verb, others)}"


def whom(other: int, names: list[str], seat: int | None) -> str:
    """A player later in a sentence: "you", or "Ada"."""
    return "you" if other == seat else names[other]


def does(actor: int, seat: int | None, verb: str, others: str = "") -> str:
    """A verb: "take" for the reader, "takes" for anyone else.

    `others` is the third person, for a verb that does not just add an s: "pass", "passes".
    """
    return verb if actor == seat else others or f"{verb}s"


def you_first(seats: list[int], seat: int | None, names: list[str] | None = None) -> list[str]:
    """Some players, starting with the reader: "you", "Ada". Without names, placeholders are used."""
    others = [other for other in seats if other != seat]
    return ["you"] * (seat in seats) + [names[other] if names is not None else placeholder(other) for other in others]


def win(winners: list[int], seat: int | None, names: list[str] | None = None) -> str:
    """Who wins: "you win", "Ada wins", "you and Ada share the win"."""
    verb = "share the win" if len(winners) > 1 else does(winners[0], seat, "win")
    return f"{join_and(you_first(winners, seat, names))} {verb}"


def join_and(words: list[str]) -> str:
    """A list with "and" before its last item."""
    return _listed(words, "and")


def join_or(words: list[str]) -> str:
    """A list with "or" before its last item."""
    return _listed(words, "or")


def _listed(words: list[str], link: str) -> str:
    return f"{', '.join(words[:-1])} {link} {words[-1]}" if len(words) > 1 else words[0]


def plural(count: int, word: str, zero: str = "0") -> str:
    """A number of things: "0 points", "1 point", "2 points", and "−2 points" with a true minus sign. With `zero="no"`,
    zero is "no points"."""
    number = str(count).replace("-", "−") if count else zero
    return f"{number} {word}" if count == 1 else f"{number} {word}s"


def capitalize(text: str) -> str:
    """The text with a capital first letter; the other letters stay as they are."""
    return text[0].upper() + text[1:]
