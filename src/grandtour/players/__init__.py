"""Players that are programs: each gets a position, imagines what its seat cannot see, and chooses a move."""

from collections.abc import Sequence
from typing import Final

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.state import State
from grandtour.players.easy import Easy
from grandtour.players.hard import Hard
from grandtour.players.normal import Normal
from grandtour.players.pipe import Pipe
from grandtour.players.player import Player
from grandtour.players.random import Random

PLAYERS: Final[dict[str, type[Player]]] = {kind.name: kind for kind in (Normal, Hard, Easy, Random)}
"""Every player by its name, the one to offer first in front."""

STRENGTHS: Final = (Random.name, Easy.name, Normal.name, Hard.name)
"""The players that people may choose between, the weakest first."""

OTHER_NAMES: Final = {"greedy": Normal.name}


def strength(name: str) -> str:
    """The strength that a name stands for: one of the four, without a budget; a refusal for any other name."""
    known = OTHER_NAMES.get(name, name)
    if known not in STRENGTHS:
        raise Refusal("unknown-player", f"There is no bot {short(name)} here: there are {', '.join(STRENGTHS)}.")
    return known


def is_program(name: str) -> bool:
    """Whether a player's name is that of a program of its own, told by the slash in it."""
    return "/" in name


def make(name: str, deadline: float | None = None) -> Player:
    """A player by its name: `normal`, or with a budget `hard:400` (iterations) or `hard:250ms`.

    A name with a slash is a program. It is run only for a caller who gives a deadline in seconds: names that come from
    the network must never start anything.
    """
    if is_program(name):
        if deadline is None:
            raise Refusal("unknown-player", f"{short(name)} is a program: those play on the command line alone.")
        return Pipe(name, deadline)
    kind, colon, budget = name.partition(":")
    kind = OTHER_NAMES.get(kind, kind)
    if kind == Hard.name:
        return Hard(budget)
    if kind not in PLAYERS or colon:
        raise Refusal("unknown-player", f"There is no player {short(name)} here: the players are {', '.join(PLAYERS)}.")
    return PLAYERS[kind]()


def speakers(game: Game, state: State, names: Sequence[str | None]) -> list[int]:
    """The seats whose players want to move though the game does not wait for them; a seat without a name has none.

    The random player keeps silent until it is asked.
    """
    if game.speaks is None:
        return []
    waiting = state.waiting()
    return [
        seat
        for seat, name in enumerate(names)
        if name is not None and name != Random.name and seat not in waiting and game.speaks(state, seat)
    ]


__all__ = ["PLAYERS", "STRENGTHS", "Player", "is_program", "make", "speakers", "strength"]
