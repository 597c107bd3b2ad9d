# interpreted
"""A game as the rest of the project sees it: its name and description, and the functions in its folder."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from typing import Any, Generic

from typing_extensions import ReadOnly, TypedDict

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event
from grandtour.engine.options import Option, Options
from grandtour.engine.refusal import Objection, Refusal
from grandtour.engine.study import S, Study
from grandtour.engine.text import Section
from grandtour.engine.vocabulary import Named, Vocabulary
from grandtour.engine.words import Sentence


class Clock(TypedDict):
    """A running clock: what it is for, and how many seconds it was set to. `run` changes each time it restarts."""

    of: ReadOnly[str]
    seconds: ReadOnly[float]
    run: ReadOnly[int]


class Silence(TypedDict):
    """The seats that may not talk now, the paragraph that says so, and why."""

    seats: ReadOnly[list[int]]
    rule: ReadOnly[str]
    reason: ReadOnly[str]


@dataclass(frozen=True, kw_only=True, eq=False)
class SearchHooks(Generic[S]):
    """Functions that help a searching player. All of them are optional."""

    evaluate: Callable[[S], list[float]] | None = None
    """A fast estimate of each seat's result, from 0 to 1, in a position with nothing hidden."""
    rank: Callable[[S, int, list[int]], list[float]] | None = None
    """A quick score for each of these moves, on any scale, higher is better. Minus infinity keeps a search from trying
    the move."""
    bot_decides: Callable[[S, int], bool] | None = None
    """Whether the game's own bot decides here, because a tree search is no help (choosing a clue, making a
    statement)."""
    think: Callable[[S, int, Dice, int], list[tuple[int, int]]] | None = None
    """The game's own bot with a larger budget, used where `bot_decides` is true. It returns the moves it
    considered, its choice first, each with its number of votes. The last argument multiplies the budget of `choose`."""
    quick: Callable[[S, int, Dice], int] | None = None
    """A faster player than `choose`, to play on from the leaves of a search tree."""
    horizon: int = 0
    """How many decisions `quick` plays before `evaluate` is called."""
    turn_begins: Callable[[S, int], bool] | None = None
    """Whether a turn of this seat begins here. A game that has this, `rank` and `evaluate` is searched without a tree:
    each move is played on by `quick` until the seat's next turn, and evaluated there."""
    imagine_likely: Callable[[S, int, Dice], S] | None = None
    """An imagined position in which the other seats hold what they probably hold, judged by how they have played. It is
    used instead of `imagine` to estimate results."""
    own_search: Callable[[S, int, Dice, int, float, bool], list[tuple[int, int, float]]] | None = None
    """The game's own search, used instead of the tree. It gets an imagined position, a seat, dice, a number of trials,
    a time limit in seconds (0 means none), and whether the position is the true one and to be searched as it is. It
    returns the moves worth considering, best first, each with its number of trials and its expected result; none where
    the tree is to be used after all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[S]):
    """Everything the project needs to know about a game. Each part is declared once, here; the game's `__init__.py`
    fills it in."""

    title: str
    subtitle: str = ""
    summary: str
    players: tuple[int, int]
    """The minimum and the maximum."""
    minutes: int
    options: tuple[Option, ...] = ()
    place: int | None = None
    """Its position in the lobby, starting at 1. Games without one come last."""
    team: bool = False
    """Whether all players form one team with one result."""

    package: str | None = None
    """Its Python package, where its optional files are looked for."""
    name: str = ""
    """The name in links and files. By default the last part of the package, with hyphens."""
    rulebook: Callable[[], str] = str
    """The text of the rulebook. By default the package's `rulebook.md`."""

    moves: Vocabulary
    rules: dict[int, Callable[[int, Options, Dice, list[Event] | None], S]]
    """The set-up function of each version of the rules that can still be played; new matches use the highest. It gets
    the number of seats, complete options, dice, and a list to append events to (None if nobody is watching)."""
    objection: Callable[[S, int, int], Objection | None]
    """The referee: why a seat may not make a move, or None."""
    view: Callable[[S, int | None], Mapping[str, Any]]
    """What a seat may see, as JSON. Seat None is a spectator."""
    views: Callable[[S, Sequence[int | None], S | None, Sequence[Any]], Sequence[Mapping[str, Any]]] | None = None
    """The views of several seats at once. It also gets an earlier position of the match and the views that these seats
    had then, or None and an empty list; parts that have not changed can be reused. Views may share lists and records,
    so they must never be modified."""
    edits: Callable[[S, S, Sequence[int | None]], Sequence[bytes]] | None = None
    """What changes in the views of these seats from the second position to the first: for each seat a patch as JSON
    (`grandtour.engine.edits`), or nothing if its view stays the same. Both are positions of one match, in any order.
    With this, the server builds a view only for a client that has none yet."""
    prompt: Callable[[S, int | None], Mapping[str, Any]]
    """What the seat should do now: `{"text", "rules"}`, with `{seat:1}` for a player's name."""
    prompt_for_view: Callable[[Any, int | None], Mapping[str, Any]] | None = None
    """The same prompt, read from a view that has been built already."""
    describe: Sentence
    """One sentence for an event, as seen by a seat, with the players' names."""
    describe_move: Callable[[S, Named], str]
    """A named move in a few words, with `{seat:1}` for a player's name. It gets the position, because places may have
    names."""
    words_key: Callable[[S], Hashable] | None = None
    """Everything that `describe_move` reads from a position, so that words can be cached: as long as this is the same,
    so are the words of every move. None if that would be too much."""
    final: Callable[[S], list[dict[str, Any]]]
    """How each seat's result is made up, when the match is over."""
    text: Callable[[Any, list[str], int | None], list[Section]] | None = None
    """A view in words, for the names of the players and the seat that reads it; without it, the view's own names are
    shown."""
    clock: Callable[[S], Clock | None] = lambda state: None
    """The clock that is running now. When it runs out, the seat `CLOCK` moves."""
    silent: Callable[[S], Silence | None] = lambda state: None
    """Who may not talk now."""

    choose: Callable[[S, int, Dice], int]
    """The game's own bot: returns a legal move for an imagined position."""
    speaks: Callable[[S, int], bool] | None = None
    """Whether the bot wants to move in a seat that the game is not waiting for, to answer or to give something. It may
    use only what the seat knows."""
    defers: Callable[[S, int, frozenset[int]], bool] = lambda state, seat, people: False
    """Whether a bot in this seat lets these people go first although the game waits for it, too. It may use only what
    everyone can see."""
    search: SearchHooks[S] = field(default_factory=SearchHooks)
    why: Callable[[S, int, int], str] | None = None
    """One sentence on why a seat might want to make a legal move, for hints, with `{seat:1}` for a player's name. It
    gets an imagined position and may use only what the seat knows, as `choose` does."""
    study: Study[S] | None = None
    """What reports count in this game."""

    def __post_init__(self) -> None:
        if self.package is not None:
            if not self.name:
                object.__setattr__(self, "name", self.package.rpartition(".")[2].replace("_", "-"))
            if self.rulebook is str:
                object.__setattr__(self, "rulebook", partial(_rulebook, self.package))

    @property
    def version(self) -> int:
        """The version of the rules that new matches use."""
        return max(self.rules)

    def new(
        self,
        seats: int,
        options: Options,
        dice: Dice,
        events: list[Event] | None = None,
        version: int | None = None,
    ) -> S:
        """The position at the start of a match. `options` must be complete, as returned by `check_options`."""
        low, high = self.players
        if not low <= seats <= high:
            raise Refusal("bad-options", f"{self.title} is for {low} to {high} players, not {seats}.")
        version = version or self.version
        if version not in self.rules:
            raise Refusal("bad-options", f"Version {version} of the rules of {self.title} is not known here.")
        state = self.rules[version](seats, options, dice, events)
        state.version = version
        return state

    def view_each(
        self,
        state: S,
        seats: Sequence[int | None],
        before: S | None = None,
        known: Sequence[Mapping[str, Any]] = (),
    ) -> Sequence[Mapping[str, Any]]:
        """What each of these seats may see. If the views of the same seats of an earlier position are known, it is
        faster."""
        if self.views is not None:
            return self.views(state, seats, before, known)
        return [self.view(state, seat) for seat in seats]


def _rulebook(package: str) -> str:
    return files(package).joinpath("rulebook.md").read_text("utf-8")
