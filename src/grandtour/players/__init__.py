"""Bots. Each gets a position, imagines what its seat cannot see, and chooses a move."""

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
"""The built-in players by name, the default first."""

STRENGTHS: Final = (Random.name, Easy.name, Normal.name, Hard.name)
"""The players people can choose from, weakest first."""

OTHER_NAMES: Final = {"greedy": Normal.name}


def strength(name: str) -> str:
    """The strength with this name or alias. Refuses any other name, including one with a budget."""
    known = OTHER_NAMES.get(name, name)
    if known not in STRENGTHS:
        raise Refusal("unknown-player", f"There is no bot {short(name)} here: the bots are {', '.join(STRENGTHS)}.")
    return known


def is_program(name: str) -> bool:
    """Whether a player's name is the path of an external program: it contains a slash."""
    return "/" in name


def make(name: str, deadline: float | None = None) -> Player:
    """Make a player from its name: `normal`, or with a budget `hard:400` (iterations) or `hard:250ms`.

    A name with a slash is an external program. It runs only if the caller passes a deadline in seconds: a name that
    comes from the network must never start a program.
    """
    if is_program(name):
        if deadline is None:
            raise Refusal("unknown-player", f"{short(name)} is a program: programs can play on the command line only.")
        return Pipe(name, deadline)
    kind, colon, budget = name.partition(":")
    kind = OTHER_NAMES.get(kind, kind)
    if kind == Hard.name:
        return Hard(budget)
    if kind not in PLAYERS or colon:
        raise Refusal("unknown-player", f"There is no player {short(name)} here: the players are {', '.join(PLAYERS)}.")
    return PLAYERS[kind]()


def speakers(game: Game, state: State, names: Sequence[str | None]) -> list[int]:
    """The seats whose bots want to move although the game is not waiting for them. A seat without a bot has no name.

    The random player never moves out of turn.
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
