"""What runs in a process of its own while a bot thinks."""

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import wait

from grandtour import players
from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.state import State
from grandtour.players.program import strike_programs


def begin() -> None:
    """Prepare a fresh process: Ctrl-C is its parent's business, and it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def think(player: str, game: str, state: State, seat: int, seed: int, seconds: float) -> int:
    """The move a player chooses. A process that thinks longer than `seconds` is ended, however deep in its thoughts."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return players.make(player).choose(catalogue.game(game), state, seat, QuickDice(seed))
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def ready() -> bool:
    """True, once the process is up."""
    return True


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        # A process pool's children hold both ends of their queue: nothing else would tell them.
        wait([parent.sentinel])
        strike_programs()
        os._exit(1)
