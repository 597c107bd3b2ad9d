"""Players that are programs: each gets a position, imagines what its seat cannot see, and chooses a move."""

from typing import Final

from grandtour.engine.refusal import Refusal, short
from grandtour.players.easy import Easy
from grandtour.players.hard import Hard
from grandtour.players.normal import Normal
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


def make(name: str) -> Player:
    """A player by its name: `normal`, or with a budget `hard:400` (iterations) or `hard:250ms`."""
    kind, colon, budget = name.partition(":")
    kind = OTHER_NAMES.get(kind, kind)
    if kind == Hard.name:
        return Hard(budget)
    if kind not in PLAYERS or colon:
        raise Refusal("unknown-player", f"There is no player {short(name)} here: the players are {', '.join(PLAYERS)}.")
    return PLAYERS[kind]()


__all__ = ["PLAYERS", "STRENGTHS", "Player", "make", "strength"]
