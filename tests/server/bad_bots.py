"""Positions in which a bot comes to grief while it thinks. Here, because its process has to load them by name."""

import os
import time

from grandtour.engine import catalogue
from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.state import State
from grandtour.players import make, worker
from tests.engine.tiny import Rendezvous


class Endless(Rendezvous):
    """Thinking about it never ends."""

    def imagine(self, seat: int, dice: Dice) -> Rendezvous:
        while True:
            time.sleep(60)


class Deadly(Rendezvous):
    """Thinking about it brings the process down."""

    def imagine(self, seat: int, dice: Dice) -> Rendezvous:
        os._exit(3)


class Puzzling(Rendezvous):
    """Thinking about it fails."""

    def imagine(self, seat: int, dice: Dice) -> Rendezvous:
        raise ValueError("what is this?")


def cheat(*_: object) -> int:
    """A move that is in no vocabulary."""
    return 10**6


def think_no_further_than_normal(player: str, game: str, state: State, seat: int, seed: int, seconds: float) -> int:
    """Like `worker.think`, but thinking ahead fails."""
    if player.startswith("hard"):
        raise ValueError("too deep")
    return make(player).choose(catalogue.game(game), state, seat, QuickDice(seed))


def prepared_here() -> tuple[int, list[str]]:
    """This process, and the games it has prepared for. It takes a while, so that every process gets to answer."""
    time.sleep(0.3)
    return os.getpid(), sorted(worker._prepared)


def die(*_: object) -> None:
    """Bring the process down."""
    os._exit(3)
