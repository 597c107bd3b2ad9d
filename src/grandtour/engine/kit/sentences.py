"""Sentences from templates: "{seat.take} {card.a} from {of.player}." reads "You take a Fig from Ada."

{seat.take}    who does something: "You take", or "Ada takes"
{seat:pass}    a further verb of the same player: "pass", or "passes"
{of.player}    a player later in a sentence: "you", or "Ada"
{of.whose}     the possessive: "your", or "Ada's"
{card.a}       a name with its article: "a Fig", "an Orange"
{cards#card}   the length of a list, or a number: "1 card", "3 cards"
{count}        anything else, unchanged; a list has "and" before its last item
"""

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, Final

from grandtour.engine import words as say
from grandtour.engine.events import Event

Sentences = Mapping[str, str | Sequence[str]]
"""For each event, a template, or several, of which the first is used that needs no more than the reader may know."""

_FORMATTER: Final = Formatter()


def fields(template: str) -> list[str]:
    """The fields of a template: the parts in braces."""
    return [field for _, field, _, _ in _FORMATTER.parse(template) if field]


def choose(templates: str | Sequence[str], record: Event) -> str:
    """The first template whose fields are all in the record, or "" if there is none."""
    for template in (templates,) if isinstance(templates, str) else templates:
        if all(re.split("[.#]", field)[0] in record for field in fields(template)):
            return template
    return ""


def fill(template: str, values: dict[str, Any], names: list[str], seat: int | None) -> str:
    """Fill in a template for the seat that reads it, starting with a capital letter."""
    parts = []
    for text, field, verb, _ in _FORMATTER.parse(template):
        parts.append(text)
        if verb:
            parts.append(say.does(values[field or ""], seat, verb, third_person(verb)))
        elif field:
            parts.append(_word(field, values, names, seat))
    sentence = "".join(parts)
    return say.capitalize(sentence) if sentence else ""


def _word(field: str, values: dict[str, Any], names: list[str], seat: int | None) -> str:
    key, _, noun = field.partition("#")
    if noun:
        return say.plural(values[key] if isinstance(values[key], int) else len(values[key]), noun)
    key, _, form = field.partition(".")
    value = values[key]
    if form == "a":
        return f"{'an' if str(value)[0] in 'AEIOUaeiou' else 'a'} {value}"
    if form == "player":
        return say.whom(value, names, seat)
    if form == "whose":
        return "your" if value == seat else f"{names[value]}'s"
    if form:
        return f"{say.whom(value, names, seat)} {say.does(value, seat, form, third_person(form))}"
    if isinstance(value, list):
        return say.join_and([str(each) for each in value]) if value else "nothing"
    return str(value)


def third_person(verb: str) -> str:
    """The third person of a verb: "takes", "passes", "carries"."""
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"
