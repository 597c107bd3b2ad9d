"""Code that runs in worker processes: bots thinking, and reviews of played moves."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Final, TypeVar

from grandtour import players
from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.engine.state import State
from grandtour.players import review
from grandtour.players.hard import Hard
from grandtour.players.program import kill_programs
from grandtour.players.review import Advice, Verdict

T = TypeVar("T")

BACKGROUND_NICENESS: Final = 4
"""The niceness of processes that do background work, so that they yield to those people are waiting for."""


def submit(pool: ProcessPoolExecutor, work: Callable[..., T], *given: object) -> Future[T]:
    """Submit work to a pool. Ctrl-C must not reach a process that is started for it, not even while it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        return pool.submit(work, *given)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(work, *given)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin() -> None:
    """Set up a new process: it leaves Ctrl-C to its parent and does not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def begin_in_background() -> None:
    """Set up a new process for background work."""
    begin()
    # Load what every task needs before lowering the priority.
    catalogue.games()
    if hasattr(os, "nice"):
        os.nice(BACKGROUND_NICENESS)


PREPARE_SECONDS: Final = 30.0
"""Seconds a process may take to prepare for a game."""
_prepared: set[str] = set()


def prepare(game: str, seconds: float = PREPARE_SECONDS) -> int:
    """Let the hard player compute what it needs once per process and game (such as lookup tables), by searching any
    position. Returns the process id. The process is killed if this takes longer than `seconds`."""
    if game not in _prepared:
        with ending_after(seconds):
            found, dice = catalogue.game(game), QuickDice(0)
            state = found.new(found.players[0], check_options(found.options, None), dice)
            Hard("1").ponder(found, state, state.waiting()[0], dice)
        _prepared.add(game)
    return os.getpid()


def think(player: str, game: str, state: State, seat: int, seed: int, seconds: float) -> int:
    """The move a player chooses. The process is killed if this takes longer than `seconds`, not counting the hard
    player's preparation."""
    if player.partition(":")[0] == Hard.name:
        prepare(game)
    with ending_after(seconds):
        return players.make(player).choose(catalogue.game(game), state, seat, QuickDice(seed))


def ponder(player: str, game: str, state: State, seat: int, seed: int, seconds: float) -> Advice:
    """What a hard player such as `hard:250ms` would do in this seat, and why. Killed after `seconds`, as above."""
    with ending_after(seconds):
        hard = players.make(player)
        assert isinstance(hard, Hard)
        return review.hint(hard, catalogue.game(game), state, seat, QuickDice(seed))


def judge(player: str, game: str, state: State, seat: int, played: int, seed: int, seconds: float) -> Verdict | None:
    """The move the hard player prefers to the one played, if any. Killed after `seconds`, as above."""
    with ending_after(seconds):
        hard = players.make(player)
        assert isinstance(hard, Hard)
        return review.judge(hard, catalogue.game(game), state, seat, played, QuickDice(seed))


def chances(player: str, game: str, imagined: list[State], seed: int, seconds: float) -> list[float]:
    """The chance of each seat to win. Killed after `seconds`, as above."""
    with ending_after(seconds):
        hard = players.make(player)
        assert isinstance(hard, Hard)
        return review.chances(hard, catalogue.game(game), imagined, QuickDice(seed))


def ready() -> bool:
    """Return True, which shows that the process is up."""
    return True


@contextmanager
def ending_after(seconds: float) -> Iterator[None]:
    """Kill this process if the block takes longer than `seconds`."""
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
        # Children of a process pool hold both ends of their queue, so they would not notice otherwise.
        wait([parent.sentinel])
        kill_programs()
        os._exit(1)
