"""What the host can choose before a match: extensions, variants, limits."""

from collections.abc import Mapping
from typing import Any, Final

from grandtour.engine.refusal import Refusal, short

Options = dict[str, Any]

START: Final = "start"
"""The option that says who begins."""


class Option:
    """One option with its choices and default. `help` is a sentence that explains it to the host; `alone` is the
    default for one person who plays with bots, if it is another; `words` says how choices read that need words."""

    def __init__(
        self,
        name: str,
        label: str,
        help: str,
        choices: tuple[Any, ...],
        default: Any,
        alone: Any = None,
        words: Mapping[Any, str] | None = None,
    ) -> None:
        if default not in choices or (alone is not None and alone not in choices):
            raise ValueError(f"the default of {name} is not one of its choices")
        self.name: Final = name
        self.label: Final = label
        self.help: Final = help
        self.choices: Final = choices
        self.default: Final = default
        self.alone: Final = default if alone is None else alone
        self.words: Final = [(words or {}).get(choice, _in_words(choice)) for choice in choices]

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "label": self.label,
            "help": self.help,
            "choices": list(self.choices),
            "words": self.words,
            "default": self.default,
            "alone": self.alone,
        }


def _in_words(choice: Any) -> str:
    if isinstance(choice, bool):
        return "yes" if choice else "no"
    return str(choice)


def starter(
    max_players: int,
    default: str = "drawn",
    label: str = "Who begins",
    help: str = "The starting player is random, or the host names a seat.",
) -> Option:
    """The option for who starts: a seat, or as the rules say, which is the default."""
    seats = (str(seat + 1) for seat in range(max_players))
    return Option(START, label, help, (default, *seats), default, words={"drawn": "random"})


def named_starter(options: Options, seats: int) -> int:
    """The seat that the host chose to begin, or -1 if the rules decide. A seat that does not exist is refused."""
    start: str = options[START]
    if not start.isdigit():
        return -1
    if int(start) > seats:
        raise Refusal("bad-options", f"Seat {start} cannot begin: there are {seats} players.")
    return int(start) - 1


def check_options(known: tuple[Option, ...], given: object) -> Options:
    """All options with their values, with defaults filled in. An unknown option is refused."""
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise Refusal("bad-options", "Options are an object of names and values.")
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            some = ", ".join(names) or "none"
            raise Refusal("bad-options", f"There is no option {short(name)} here: the options are {some}.")
    values: Options = {}
    for option in known:
        value = given.get(option.name, option.default)
        # True == 1 in Python, and an option must not depend on that.
        if not any(value == choice and type(value) is type(choice) for choice in option.choices):
            some = ", ".join(str(choice) for choice in option.choices)
            raise Refusal("bad-options", f"The option {option.name} cannot be {short(value)}: it is one of {some}.")
        values[option.name] = value
    return values


def read_options(known: tuple[Option, ...], texts: list[str]) -> dict[str, Any]:
    """Parse options written as `turn_limit=20`. Case does not matter. A value that matches no choice is left as it is,
    for `check_options` to refuse."""
    choices = {option.name: {str(choice).lower(): choice for choice in option.choices} for option in known}
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise Refusal("bad-options", f"An option is written NAME=VALUE, not {short(text)}.")
        values[key] = choices.get(key, {}).get(value.lower(), value)
    return values
