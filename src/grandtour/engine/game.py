"""A game as the rest of the house sees it: its name, and the functions of its folder."""

from collections.abc import Callable
from typing import Any, Final

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event
from grandtour.engine.options import Option, Options
from grandtour.engine.refusal import Objection, Refusal
from grandtour.engine.state import State
from grandtour.engine.study import Study
from grandtour.engine.vocabulary import Named, Vocabulary
from grandtour.engine.words import Sentence

New = Callable[[int, Options, Dice, list[Event] | None], State]
"""Set a game up: seats, options, dice, and where to say what happened (None when nobody watches)."""
Objects = Callable[[State, int, int], Objection | None]
Shows = Callable[[State, int | None], dict[str, Any]]
SaysMove = Callable[[State, Named], str]
Scores = Callable[[State], list[dict[str, Any]]]
Chooses = Callable[[State, int, Dice], int]
Evaluate = Callable[[State], list[float]]
Rank = Callable[[State, int, list[int]], list[float]]
Thinks = Callable[[State, int, Dice, int], list[tuple[int, int]]]
Weighs = Callable[[State, int, Dice, int, float], list[tuple[int, int, float]]]


class Game:
    """Everything that is known of a game.

    rules       the set-up for each version of the rules that can still be played; the highest is for new matches
    objection   the referee: why a seat may not make a move, or None
    view        what a seat may see (None: an onlooker), as JSON
    prompt      what the seat should do now: {"text", "rules"}; "{seat:1}" stands for a player's name
    describe    an event, as seen by a seat, in one sentence, with the players' names
    describe_move   a named move in a few words, where it can be made; "{seat:1}" stands for a player's name
    final       how each seat's result came to be, once it is over
    choose      the sensible player: given an imagined position, a legal move
    rulebook    the text of rulebook.md
    speaks      whether the sensible player wants to move in a seat that the game does not wait for: an answer, a gift;
                from nothing but what the seat may know
    place       where it stands on the shelf, from 1 on; a game without a place comes after all that have one
    team        whether all players are one team, and the result is the team's
    study       what is worth counting in it, for reports
    package     the Python package it is in, where its optional files are looked for

    What helps a player that searches, where a game has it:

    evaluate    each seat's expected result in a position in which everything is known: quick, from 0 to 1
    rank        how much a seat likes each of these moves at first sight: the higher the better, on any scale; minus
                infinity for one that a search is not to try
    own         whether a tree says nothing here (a clue, a statement): then the game's own bot decides
    think       the game's own bot with more thought, for where `own` is true: the moves it thought of, its choice
                first, each with how many of its thoughts were for it; `effort` times as much thought as `choose`
    quick       a quicker player than `choose`, to play on from the end of a search's tree
    horizon     how many decisions are played on before `evaluate` is asked
    weigh       the game's own way to think ahead, in place of the tree: for an imagined position, a seat, dice, so many
                trials and so many seconds (0: no limit), the moves worth a thought, the best first, each with how often
                it was tried and the result to expect
    """

    def __init__(
        self,
        *,
        name: str,
        title: str,
        subtitle: str,
        summary: str,
        players: tuple[int, int],
        minutes: int,
        options: tuple[Option, ...],
        moves: Vocabulary,
        rules: dict[int, New],
        objection: Objects,
        view: Shows,
        prompt: Shows,
        describe: Sentence,
        describe_move: SaysMove,
        final: Scores,
        choose: Chooses,
        rulebook: Callable[[], str],
        speaks: Callable[[State, int], bool] | None = None,
        place: int | None = None,
        team: bool = False,
        study: Study | None = None,
        package: str | None = None,
        evaluate: Evaluate | None = None,
        rank: Rank | None = None,
        own: Callable[[State, int], bool] | None = None,
        think: Thinks | None = None,
        quick: Chooses | None = None,
        horizon: int = 0,
        weigh: Weighs | None = None,
    ) -> None:
        self.name: Final = name
        self.title: Final = title
        self.subtitle: Final = subtitle
        self.summary: Final = summary
        self.players: Final = players
        self.minutes: Final = minutes
        self.options: Final = options
        self.moves: Final = moves
        self.rules: Final = rules
        self.version: Final = max(rules)
        self.objection: Final = objection
        self.view: Final = view
        self.prompt: Final = prompt
        self.describe: Final = describe
        self.describe_move: Final = describe_move
        self.final: Final = final
        self.choose: Final = choose
        self.rulebook: Final = rulebook
        self.speaks: Final = speaks
        self.place: Final = place
        self.team: Final = team
        self.study: Final = study
        self.package: Final = package
        self.evaluate: Final = evaluate
        self.rank: Final = rank
        self.own: Final = own
        self.think: Final = think
        self.quick: Final = choose if quick is None else quick
        self.horizon: Final = horizon
        self.weigh: Final = weigh

    def new(
        self,
        seats: int,
        options: Options,
        dice: Dice,
        events: list[Event] | None = None,
        version: int | None = None,
    ) -> State:
        """A position at the start of a match. `options` are complete, as `check_options` gives them."""
        low, high = self.players
        if not low <= seats <= high:
            raise Refusal("bad-options", f"{self.title} is for {low} to {high} players, not {seats}.")
        version = version or self.version
        if version not in self.rules:
            raise Refusal("bad-options", f"Version {version} of the rules of {self.title} is not known here.")
        state = self.rules[version](seats, options, dice, events)
        state.version = version
        return state
