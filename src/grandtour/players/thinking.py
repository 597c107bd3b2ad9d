"""What runs in a process of its own while a bot thinks."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Final

from grandtour import players
from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.engine.state import State
from grandtour.players import judging
from grandtour.players.hard import Hard
from grandtour.players.judging import Advice, Verdict
from grandtour.players.program import strike_programs

GENTLY: Final = 4
"""How far a process that thinks for fun steps back behind those that others wait for."""


def begin() -> None:
    """Prepare a fresh process: Ctrl-C is its parent's business, and it does not outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def begin_gently() -> None:
    """The same for a process whose thoughts can wait."""
    begin()
    # What every thought needs is there before it steps back.
    catalogue.games()
    if hasattr(os, "nice"):
        os.nice(GENTLY)


PREPARED_WITHIN: Final = 30.0
"""Seconds that a process may take to prepare for a game."""
_prepared: set[str] = set()


def prepare(game: str, seconds: float = PREPARED_WITHIN) -> int:
    """Have the hard player work out what it needs to know of a game once a process, such as a table, by a first thought
    about any position; which process it was. Ended after `seconds`, as below."""
    if game not in _prepared:
        with ending_after(seconds):
            found, dice = catalogue.game(game), QuickDice(0)
            state = found.new(found.players[0], check_options(found.options, None), dice)
            Hard("1").ponder(found, state, state.waiting()[0], dice)
        _prepared.add(game)
    return os.getpid()


def think(player: str, game: str, state: State, seat: int, seed: int, seconds: float) -> int:
    """The move a player chooses. A process that thinks longer than `seconds` is ended, however deep in its thoughts;
    the time that it takes a hard player to prepare is not counted."""
    if player.partition(":")[0] == Hard.name:
        prepare(game)
    with ending_after(seconds):
        return players.make(player).choose(catalogue.game(game), state, seat, QuickDice(seed))


def ponder(player: str, game: str, state: State, seat: int, seed: int, seconds: float) -> Advice:
    """What the hard player, `hard:250ms`, thinks of the moves there are. Ended after `seconds`, as above."""
    with ending_after(seconds):
        hard = players.make(player)
        assert isinstance(hard, Hard)
        return judging.ponder(hard, catalogue.game(game), state, seat, QuickDice(seed))


def judge(player: str, game: str, state: State, seat: int, played: int, seed: int, seconds: float) -> Verdict | None:
    """What the hard player would rather have done than what was played, if anything. Ended
    after `seconds`, as above."""
    with ending_after(seconds):
        hard = players.make(player)
        assert isinstance(hard, Hard)
        return judging.judge(hard, catalogue.game(game), state, seat, played, QuickDice(seed))


def ready() -> bool:
    """True, once the process is up."""
    return True


@contextmanager
def ending_after(seconds: float) -> Iterator[None]:
    """End this process when what is inside takes longer."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        # A process pool's children hold both ends of their queue: nothing else would tell them.
        wait([parent.sentinel])
        strike_programs()
        os._exit(1)
