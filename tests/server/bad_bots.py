"""Positions that break any bot. They are in a module, because the bot's process loads them by name."""

import os
import time

from grandtour.engine import catalogue
from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.state import State
from grandtour.players import make, worker
from tests.engine.tiny import Rendezvous


class Endless(Rendezvous):
    """A position about which a bot thinks forever."""

    def imagine(self, seat: int, dice: Dice) -> Rendezvous:
        while True:
            time.sleep(60)


class Crashing(Rendezvous):
    """A position that kills the bot's process."""

    def imagine(self, seat: int, dice: Dice) -> Rendezvous:
        os._exit(3)


class Failing(Rendezvous):
    """A position that raises an error in the bot."""

    def imagine(self, seat: int, dice: Dice) -> Rendezvous:
        raise ValueError("what is this?")


def cheat(*_: object) -> int:
    """A move that does not exist."""
    return 10**6


def fail_to_think_ahead(player: str, game: str, state: State, seat: int, seed: int, seconds: float) -> int:
    """Like `worker.think`, but thinking ahead fails."""
    if player.startswith("hard"):
        raise ValueError("too deep")
    return make(player).choose(catalogue.game(game), state, seat, QuickDice(seed))


def prepared_here() -> tuple[int, list[str]]:
    """This process, and the games it has prepared for. It sleeps first, so that every process gets a turn."""
    time.sleep(0.3)
    return os.getpid(), sorted(worker._prepared)


def die(*_: object) -> None:
    """Kill the process."""
    os._exit(3)
