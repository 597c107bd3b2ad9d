"""Players that are programs: each gets a position, imagines what its seat cannot see, and chooses a move."""

from collections.abc import Sequence
from typing import Final

from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.state import State
from grandtour.players.greedy import Greedy
from grandtour.players.player import Player
from grandtour.players.random import Random

PLAYERS: Final[dict[str, type[Player]]] = {kind.name: kind for kind in (Greedy, Random)}
"""Every player by its name, the one to offer first in front."""


def make(name: str) -> Player:
    """A player by its name."""
    if name not in PLAYERS:
        raise Refusal("unknown-player", f"There is no player {short(name)} here: the players are {', '.join(PLAYERS)}.")
    return PLAYERS[name]()


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


__all__ = ["PLAYERS", "Player", "make", "speakers"]
