"""Runs games in this process, in several processes or on a cluster. The results are the same everywhere.

Work is a list of items, each of which depends only on itself and the plan. Items are sent out in batches of about
`MIN_BATCH_SECONDS` seconds each: large enough to keep the overhead low, small enough to lose little when a run stops.
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
from grandtour.players.worker import begin, submit

MIN_BATCH_SECONDS = 0.2
"""The duration of a batch in seconds. Below about 0.1 s, distributing the work costs more than it saves."""

MAX_BATCH_SIZE = 5_000
"""The maximum number of items in a batch."""

Plan = TypeVar("Plan")
Item = TypeVar("Item")
Done = TypeVar("Done")


class Batch(NamedTuple):
    """Finished items with their results, and the seconds they took together."""

    items: list[Any]
    done: list[Any]
    seconds: float


class BatchSizer:
    """Chooses the size of the next batch by the duration of the last ones."""

    def __init__(self) -> None:
        self.items = 0.0
        self.seconds = 0.0

    def next(self) -> int:
        if not self.seconds:
            return 1
        return min(MAX_BATCH_SIZE, max(1, ceil(MIN_BATCH_SECONDS * self.items / self.seconds)))

    def record(self, batch: Batch) -> None:
        # Older batches count for less: the machine may become busier during a run.
        self.items = self.items / 2 + len(batch.items)
        self.seconds = self.seconds / 2 + batch.seconds


def run_batch(task: Callable[[Any, Any], Any], plan: Any, items: list[Any]) -> Batch:
    started = perf_counter()
    done = [task(plan, item) for item in items]
    return Batch(items, done, perf_counter() - started)


class Executor:
    """Runs everything in this process, one item after another."""

    def run(
        self, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterable[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        """Run every item, in any order, and yield results as they finish. Close the generator to stop early."""
        for item in items:
            yield [(item, task(plan, item))]


class ProcessExecutor(Executor):
    """Runs items in several processes on this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def run(
        self, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterable[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        # Processes are spawned: this works on every system and does not copy the progress bar's thread.
        context = multiprocessing.get_context("spawn")
        before = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(self.jobs, context, initializer=begin)
        try:
            yield from self._run_in_pool(pool, task, plan, iter(items))
        except BrokenProcessPool:
            raise Refusal("broken", "A worker process was killed. Run the command again.") from None
        except BaseException:
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()
            # A worker that was sending a result has left half of it. The pool would wait for the other half for as long
            # as somebody could still send it, and that is only this process.
            pool._result_queue._writer.close()  # type: ignore[attr-defined]
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _run_in_pool(
        self, pool: ProcessPoolExecutor, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterator[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        sizer = BatchSizer()
        running: set[Future[Batch]] = set()
        while True:
            while len(running) < 2 * self.jobs and (some := list(islice(items, sizer.next()))):
                running.add(submit(pool, run_batch, task, plan, some))
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                running.remove(future)
                batch = future.result()
                sizer.record(batch)
                yield list(zip(batch.items, batch.done, strict=True))


def make_executor(jobs: int, on: str | None = None) -> Executor:
    """An executor for the cluster `on` (such as dask://host:8786), or for `jobs` processes on this machine."""
    if on is not None:
        from grandtour.arena.cluster import Cluster

        return Cluster(on)
    return ProcessExecutor(jobs) if jobs > 1 else Executor()
