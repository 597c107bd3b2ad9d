"""The moves of a kit game: methods of its position, each with its wording and the referee's checks."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Final, NamedTuple, TypeVar

from grandtour.engine.vocabulary import Named, Numbers, Range, Vocabulary

Check = Iterator[tuple[str, str]]
"""What a check yields for each rule that the move would break: the paragraph, and a sentence to the player."""

Method = TypeVar("Method", bound=Callable[..., None])


class Player(Range):
    """An argument that is a player's seat, numbered from 0. With fewer players than `max_players`, the empty seats are
    refused."""

    def __init__(self, max_players: int) -> None:
        super().__init__(max_players)
        self.seats: Final = Numbers(0, max_players - 1)

    def name(self, number: int) -> Any:
        return self.seats.name(number)

    def number(self, value: object, argument: str) -> int:
        return self.seats.number(value, argument)


class Declaration(NamedTuple):
    """What `@move` says about a method."""

    words: str
    prompt: str
    rule: str
    arguments: dict[str, Range]


def move(words: str, prompt: str, rule: str, **arguments: Range) -> Callable[[Method], Method]:
    """Make a method of a position a move: `def take(self, seat, card)` is the move `{"do": "take", "card": …}`.

    words      the move on its button, "Take {card}"
    prompt     what the player is asked to do, "take a card"
    rule       the paragraph that allows it
    arguments  the values that each argument may have, in every position

    The method `check_take`, with the same arguments, is the referee: it yields a paragraph and a sentence for each rule
    that the move would break now. It need not check whose turn it is. Without it, the move is always allowed.
    """

    def mark(method: Method) -> Method:
        method.__dict__["declaration"] = Declaration(words, prompt, rule, arguments)
        return method

    return mark


class Verb(NamedTuple):
    """A move's name, what was declared about it, and its methods."""

    name: str
    declaration: Declaration
    play: Callable[..., None]
    check: Callable[..., Check]


class Choice(NamedTuple):
    """One move of the vocabulary, ready to be checked and played. It needs at least `seats` players."""

    verb: Verb
    named: Named
    values: tuple[Any, ...]
    seats: int


class Moves:
    """All moves of a kit game. Each is named after its method, with hyphens."""

    def __init__(self, kind: type) -> None:
        self.verbs: Final[list[Verb]] = []
        members = {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items()}
        for name, method in members.items():
            declaration = getattr(method, "declaration", None)
            if not isinstance(declaration, Declaration):
                continue
            check = members.get(f"check_{name}", _always_allowed)
            self.verbs.append(Verb(name.replace("_", "-"), declaration, method, check))
        for name in members:
            if name.startswith("check_") and not hasattr(members.get(name[6:]), "declaration"):
                raise TypeError(f"{kind.__name__} has {name}, but no move {name[6:]}")
        self.vocabulary: Final = Vocabulary({verb.name: verb.declaration.arguments for verb in self.verbs})
        self.choices: Final[list[Choice]] = []
        for verb in self.verbs:
            ranges = verb.declaration.arguments
            for values in product(*(map(each.name, range(each.size)) for each in ranges.values())):
                named: Named = {"do": verb.name, **dict(zip(ranges, values, strict=True))}
                players = [named[name] for name, each in ranges.items() if isinstance(each, Player)]
                self.choices.append(Choice(verb, named, values, max(players, default=-1) + 1))

    def verb(self, name: str) -> Verb:
        return next(verb for verb in self.verbs if verb.name == name)


def _always_allowed(position: object, seat: int, *values: object) -> Check:
    yield from ()
