"""The wiring of a game: what the files of its folder give, for `Game`."""

from collections.abc import Callable
from importlib.resources import files
from typing import Protocol, TypedDict

from grandtour.engine.game import Chooses, New, Objects, SaysMove, Scores, Shows
from grandtour.engine.vocabulary import Vocabulary
from grandtour.engine.words import Sentence


class Rules(Protocol):
    """What `rules.py` has."""

    @property
    def MOVES(self) -> Vocabulary: ...
    @property
    def new(self) -> New: ...


class Referee(Protocol):
    """What `referee.py` has."""

    @property
    def objection(self) -> Objects: ...


class View(Protocol):
    """What `view.py` has."""

    @property
    def view(self) -> Shows: ...
    @property
    def prompt(self) -> Shows: ...
    @property
    def describe(self) -> Sentence: ...
    @property
    def describe_move(self) -> SaysMove: ...
    @property
    def final(self) -> Scores: ...


class Bot(Protocol):
    """What `bot.py` has."""

    @property
    def choose(self) -> Chooses: ...


class Wiring(TypedDict):
    """The part of a `Game` that its folder says by itself."""

    name: str
    package: str
    moves: Vocabulary
    rules: dict[int, New]
    objection: Objects
    view: Shows
    prompt: Shows
    describe: Sentence
    describe_move: SaysMove
    final: Scores
    choose: Chooses
    rulebook: Callable[[], str]


def folder(
    package: str, rules: Rules, referee: Referee, view: View, bot: Bot, older: dict[int, New] | None = None
) -> Wiring:
    """The wiring of the game in this package: `Game(title=…, **folder(__name__, …))`.

    `older` are the set-ups of earlier versions of its rules, that matches begun under them need; `rules.new` is for
    the version after those.
    """
    versions = dict(older or {})
    return {
        "name": package.rpartition(".")[2].replace("_", "-"),
        "package": package,
        "moves": rules.MOVES,
        "rules": {**versions, max(versions, default=0) + 1: rules.new},
        "objection": referee.objection,
        "view": view.view,
        "prompt": view.prompt,
        "describe": view.describe,
        "describe_move": view.describe_move,
        "final": view.final,
        "choose": bot.choose,
        "rulebook": lambda: files(package).joinpath("rulebook.md").read_text("utf-8"),
    }
