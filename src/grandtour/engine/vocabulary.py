"""The moves of a game: numbers for speed, names for people.

A game declares its verbs and the ranges of their arguments once. A number and a named move such as
`{"do": "take", "pile": "Milano"}` are two ways to write the same move, in every position.
"""

from typing import Any, Final

from mypy_extensions import mypyc_attr

from grandtour.engine.refusal import Refusal, short

Named = dict[str, Any]


@mypyc_attr(allow_interpreted_subclasses=True)
class Range:
    """The values an argument may have, numbered from 0."""

    def __init__(self, size: int) -> None:
        self.size: Final = size

    def name(self, number: int) -> Any:
        """The value with this number, as JSON."""
        raise NotImplementedError

    def number(self, value: object, argument: str) -> int:
        """The number of a value that came from outside. An invalid value is refused."""
        raise NotImplementedError


class Names(Range):
    """A list of names."""

    def __init__(self, *names: str) -> None:
        super().__init__(len(names))
        self.names: Final = names
        self.numbers: Final = {name: i for i, name in enumerate(names)}

    def name(self, number: int) -> Any:
        return self.names[number]

    def number(self, value: object, argument: str) -> int:
        found = self.numbers.get(value) if isinstance(value, str) else None
        if found is None:
            some = ", ".join(self.names[:6]) + (", …" if len(self.names) > 6 else "")
            raise Refusal("unknown-move", f"{short(value)} is not a valid {argument}: it is one of {some}.")
        return found


class Numbers(Range):
    """Whole numbers from `low` to `high`, both included."""

    def __init__(self, low: int, high: int, step: int = 1) -> None:
        super().__init__((high - low) // step + 1)
        self.low: Final = low
        self.high: Final = high
        self.step: Final = step

    def name(self, number: int) -> Any:
        return self.low + number * self.step

    def number(self, value: object, argument: str) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
            steps, rest = divmod(value - self.low, self.step)
            if rest == 0:
                return steps
        by = f" in steps of {self.step}" if self.step > 1 else ""
        raise Refusal(
            "unknown-move",
            f"{short(value)} is not a valid {argument}: it is a number from {self.low} to {self.high}{by}.",
        )


class Verb:
    """One line of the table: the verb, its arguments, and the range of move numbers it covers."""

    def __init__(self, name: str, arguments: dict[str, Range], first: int) -> None:
        self.name: Final = name
        self.arguments: Final = arguments
        self.first: Final = first
        size = 1
        for values in arguments.values():
            size *= values.size
        self.size: Final = size


class Vocabulary:
    """The table of a game's moves. `size` is how many there are: the action space."""

    def __init__(self, table: dict[str, dict[str, Range]]) -> None:
        self.verbs: Final[dict[str, Verb]] = {}
        first = 0
        for name, arguments in table.items():
            verb = Verb(name, arguments, first)
            self.verbs[name] = verb
            first += verb.size
        self.size: Final = first

    def first(self, verb: str) -> int:
        """The lowest number of a verb's moves. The last argument varies fastest."""
        return self.verbs[verb].first

    def verb(self, move: int) -> Verb:
        """What a move does."""
        for verb in self.verbs.values():
            if verb.first <= move < verb.first + verb.size:
                return verb
        raise Refusal("unknown-move", f"There is no move with the number {short(move)}.")

    def verbs_of(self, moves: list[int]) -> frozenset[str]:
        """The names of the verbs of these moves, which are sorted."""
        found: list[str] = []
        at = 0
        for verb in self.verbs.values():
            end = verb.first + verb.size
            begin = at
            while at < len(moves) and moves[at] < end:
                at += 1
            if at > begin:
                found.append(verb.name)
        return frozenset(found)

    def name(self, move: int) -> Named:
        """A move as people write it."""
        verb = self.verb(move)
        rest = move - verb.first
        values: list[tuple[str, Any]] = []
        for argument, choices in reversed(verb.arguments.items()):
            rest, number = divmod(rest, choices.size)
            values.append((argument, choices.name(number)))
        named: Named = {"do": verb.name}
        named.update(reversed(values))
        return named

    def number(self, named: object) -> int:
        """The number of a move that came from outside. An invalid move is refused."""
        do = named.get("do") if isinstance(named, dict) else None
        if not isinstance(named, dict) or not isinstance(do, str):
            raise Refusal("malformed", 'A move is an object with a verb, such as {"do": "pass"}.')
        verb = self.verbs.get(do)
        if verb is None:
            known = ", ".join(self.verbs)
            raise Refusal("unknown-move", f"There is no move {short(do)} here: the moves are {known}.")
        if len(named) != 1 + len(verb.arguments) or not all(argument in named for argument in verb.arguments):
            wanted = " and ".join(verb.arguments) or "nothing else"
            raise Refusal("malformed", f"The move {verb.name!r} names {wanted}.")
        number = 0
        for argument, choices in verb.arguments.items():
            number = number * choices.size + choices.number(named[argument], argument)
        return verb.first + number

    def move(self, do: str, **arguments: object) -> int:
        """`move("take", pile="Milano")`, for code and tests. An argument named like a Python keyword ends in `_`."""
        return self.number({"do": do, **{name.rstrip("_"): value for name, value in arguments.items()}})
