"""Moves of a kit game: methods of its position, each with the words for it and the checks of the referee."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, Final, NamedTuple, TypeVar

from grandtour.engine.vocabulary import Named, Numbers, Range, Vocabulary

Check = Iterator[tuple[str, str]]
"""What a referee's check gives: for each rule that the move breaks its paragraph, and a sentence to the player."""

Method = TypeVar("Method", bound=Callable[..., None])


class Player(Range):
    """An argument that is a player's seat, from 0 on. The referee says which of them are at the table."""

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

    Beside it stands the method `check_take` with the same arguments: the referee. It yields a paragraph and a sentence
    for each rule that the move breaks now. Whose turn it is is checked already.
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
    """One move of the vocabulary, ready to be checked and played."""

    verb: Verb
    named: Named
    values: tuple[Any, ...]


class Moves:
    """All moves of a kit game. Their names are those of the methods, with hyphens."""

    def __init__(self, kind: type) -> None:
        self.verbs: Final[list[Verb]] = []
        members = {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items()}
        for name, method in members.items():
            declaration = getattr(method, "declaration", None)
            if not isinstance(declaration, Declaration):
                continue
            check = members.get(f"check_{name}")
            if check is None:
                raise TypeError(f"{kind.__name__} has the move {name} but no check_{name}, its referee")
            self.verbs.append(Verb(name.replace("_", "-"), declaration, method, check))
        self.vocabulary: Final = Vocabulary({verb.name: verb.declaration.arguments for verb in self.verbs})
        self.choices: Final[list[Choice]] = []
        for verb in self.verbs:
            ranges = verb.declaration.arguments
            for values in product(*(map(each.name, range(each.size)) for each in ranges.values())):
                named: Named = {"do": verb.name, **dict(zip(ranges, values, strict=True))}
                self.choices.append(Choice(verb, named, values))

    def verb(self, name: str) -> Verb:
        return next(verb for verb in self.verbs if verb.name == name)
