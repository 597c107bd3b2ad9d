"""A golden game is wished for: who plays what, and what must happen in it. The writer finds one; the tests replay it.

The wishes for a game stand in `wishes/<its folder>.py`, the games beside them in a folder with the game's name: as a
`.tour` file, and as the story of it in sentences.
"""

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from grandtour import players
from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.options import Options
from grandtour.engine.state import CLOCK

HERE = Path(__file__).parent
NAMES = ["Ada", "Bea", "Cem", "Dan", "Eli", "Flo"]


class Wish(NamedTuple):
    """A game to keep. `holds` looks at all that happened, move by move, the set-up first."""

    name: str
    players: tuple[str, ...]
    holds: Callable[[list[list[Event]]], bool]
    options: Options = {}  # noqa: RUF012  (a tuple's field, never changed)
    clock: int = 0
    """After every so many moves the clock makes one, where it may; 0 for a clock that never runs out."""
    version: int | None = None
    """Of the rules; None for the newest."""

    def tour(self, game: Game) -> Path:
        return HERE / game.name / f"{self.name}.tour"

    def story(self, game: Game) -> Path:
        return HERE / game.name / f"{self.name}.txt"


@cache
def wishes(game: Game) -> list[Wish]:
    """What is wished for of a game: nothing where there is no file of wishes."""
    module = f"tests.golden.wishes.{game.name.replace('-', '_')}"
    if find_spec(module) is None:
        return []
    found: list[Wish] = importlib.import_module(module).WISHES
    return found


def all_wishes() -> Iterator[tuple[Game, Wish]]:
    for game in catalogue.games().values():
        for wish in wishes(game):
            yield game, wish


def happened(match: Match) -> list[list[Event]]:
    """What happened in the set-up of a match and in each of its moves."""
    return [step.events for step in match.steps()]


def played(game: Game, wish: Wish, seed: int) -> Match:
    """The match that the wished-for players play with this seed."""
    match = Match(game, len(wish.players), wish.options, seed, wish.version)
    minds = [players.make(name) for name in wish.players]
    dice = [QuickDice(-1 - seed - 1000 * seat) for seat in range(match.seats)]
    while not match.over:
        if wish.clock and len(match.log) % wish.clock == wish.clock - 1 and match.state.legal(CLOCK):
            match.play(CLOCK, game.moves.name(match.state.legal(CLOCK)[0]))
            continue
        seat = (players.speakers(game, match.state, wish.players) or match.waiting())[0]
        move = minds[seat].choose(game, match.state, seat, dice[seat])
        match.play(seat, game.moves.name(move))
    return match


def story(match: Match, names: list[str]) -> str:
    """A match in sentences, as an onlooker would tell it, and how it came out."""
    lines = []
    for step in match.steps():
        said = (match.game.describe(seen(event, None), names, None) for event in step.events)
        lines += [text for text in said if text]
    for row in match.game.final(match.state):
        reached = row["outcome"] if row["score"] is None else row["score"]
        lines += ["", f"{names[row['seat']]}: {reached}{', won' if row['won'] else ''}"]
        lines += [f"  {line['label']}: {line['value']}" for line in row["lines"]]
    return "\n".join(lines) + "\n"
