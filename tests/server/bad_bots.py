"""Positions in which a bot comes to grief while it thinks. Here, because its process has to load them by name."""

import os
import time

from grandtour.engine.dice import Dice
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
