"""Where games are played: in this process, in several, or on other machines. The results are the same everywhere.

Work is a list of items, each of which depends on nothing but itself and the plan. A portion is as many of them as take
about `LEAST` seconds: handing one out costs little then, and little is lost when a run is stopped.
"""

import multiprocessing
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from math import ceil
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from grandtour.engine.refusal import Refusal
from grandtour.players.thinking import begin

LEAST = 0.2
"""Seconds a portion should take: twice the tenth below which sharing out costs more than it brings."""

LARGEST = 5_000
"""Items in a portion, however quick they are."""

Plan = TypeVar("Plan")
Item = TypeVar("Item")
Done = TypeVar("Done")


class Portion(NamedTuple):
    """Items that were done, each with what came of it, and the seconds it took."""

    items: list[Any]
    done: list[Any]
    seconds: float


class Sizes:
    """How many items the next portion has, from how long the last ones took."""

    def __init__(self) -> None:
        self.items = 0.0
        self.seconds = 0.0

    def next(self) -> int:
        if not self.seconds:
            return 1
        return min(LARGEST, max(1, ceil(LEAST * self.items / self.seconds)))

    def learn(self, portion: Portion) -> None:
        # Older portions count for less: players may slow down as others join the machine.
        self.items = self.items / 2 + len(portion.items)
        self.seconds = self.seconds / 2 + portion.seconds


def do_portion(task: Callable[[Any, Any], Any], plan: Any, items: list[Any]) -> Portion:
    started = perf_counter()
    done = [task(plan, item) for item in items]
    return Portion(items, done, perf_counter() - started)


class Workplace:
    """This process alone, one item after another."""

    def each(
        self, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterable[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        """Do every item, in any order, and give what is done as soon as it is. Whoever has enough may close it."""
        for item in items:
            yield [(item, task(plan, item))]


class Processes(Workplace):
    """Several processes on this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def each(
        self, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterable[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        # Spawned, not forked: the same on every system, and no thread of the progress bar is copied.
        context = multiprocessing.get_context("spawn")
        before = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(self.jobs, context, initializer=begin)
        try:
            yield from self._share_out(pool, task, plan, iter(items))
        except BrokenProcessPool:
            raise Refusal("broken", "A process that played was ended from outside; start again.") from None
        except BaseException:
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _share_out(
        self, pool: ProcessPoolExecutor, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterator[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        sizes = Sizes()
        running: set[Future[Portion]] = set()
        while True:
            while len(running) < 2 * self.jobs and (some := list(islice(items, sizes.next()))):
                running.add(pool.submit(do_portion, task, plan, some))
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                running.remove(future)
                portion = future.result()
                sizes.learn(portion)
                yield list(zip(portion.items, portion.done, strict=True))


def find_workplace(jobs: int, on: str | None = None) -> Workplace:
    """Where to play: `on` names a cluster such as dask://host:8786, `jobs` is for this machine."""
    if on is not None:
        from grandtour.arena.cluster import Cluster

        return Cluster(on)
    return Processes(jobs) if jobs > 1 else Workplace()
