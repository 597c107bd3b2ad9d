"""Runs games on a Dask cluster. If a worker is lost, its batches are played elsewhere and no game is missing."""

import logging
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from grandtour import __version__
from grandtour.arena.executor import BatchSizer, Done, Executor, Item, Plan, run_batch
from grandtour.engine.refusal import Refusal, short
from grandtour.players.pipe import end_idle

CONNECT_TIMEOUT = 10
MAX_LOST_BATCHES = 20
"""The maximum number of batches that the scheduler may abandon before the run gives up."""


def prepare_worker() -> str:
    """Prepare a worker for a new run and return its version of Grand Tour.

    Programs left idle by an earlier run are ended, since their files may have changed. Programs that are playing for
    another run are left alone.
    """
    end_idle()
    return __version__


class Cluster(Executor):
    """Runs items on the workers of the Dask scheduler at `dask://host:port`."""

    def __init__(self, where: str) -> None:
        address = urlsplit(where)
        try:
            port = address.port
        except ValueError:
            port = None
        if address.scheme != "dask" or not address.hostname or port is None:
            raise Refusal("bad-options", f"A cluster is written dask://HOST:PORT, not {short(where)}.")
        self.where = where
        self.address = f"tcp://{address.netloc}"
        self.client = self._connect()

    def _connect(self) -> Any:
        try:
            from distributed import Client
        except ImportError:
            raise Refusal(
                "bad-options", "To play on a cluster, install the extra: pip install 'grandtour[dask]'."
            ) from None
        # We report these errors ourselves.
        for name in ("distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            client: Any = Client(self.address, timeout=CONNECT_TIMEOUT, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError):
            raise Refusal("bad-options", f"There is no Dask scheduler at {self.where}.") from None
        try:
            self._check_workers(client)
        except BaseException:
            client.close()
            raise
        return client

    def _check_workers(self, client: Any) -> None:
        try:
            client.wait_for_workers(1, timeout=CONNECT_TIMEOUT)
        except TimeoutError:
            raise Refusal("bad-options", f"The cluster at {self.where} has no workers.") from None
        try:
            versions = set(client.run(prepare_worker).values())
        except Exception as wrong:
            reason = "has workers that cannot run Grand Tour" if _is_missing(wrong) else "sends unexpected responses"
            raise Refusal("bad-options", f"The cluster at {self.where} {reason}: {short(str(wrong))}.") from None
        others = versions - {__version__}
        if others:
            theirs = ", ".join(sorted(others))
            raise Refusal(
                "bad-options", f"The workers at {self.where} have Grand Tour {theirs}; here it is {__version__}."
            )

    def run(
        self, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterable[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        from concurrent.futures import CancelledError

        import distributed

        left = iter(items)
        sizer = BatchSizer()
        ready: Any = distributed.as_completed(loop=self.client.loop)  # type: ignore[no-untyped-call]
        pending: dict[Any, list[Item]] = {}

        def submit(some: list[Item]) -> None:
            # Not pure: Dask must not reuse a result from an earlier run.
            future = self.client.submit(run_batch, task, plan, some, pure=False)
            pending[future] = some
            ready.add(future)

        lost = 0
        try:
            # Run one item here to find out how many make a batch worth sending.
            for item in islice(left, 1):
                batch = run_batch(task, plan, [item])
                sizer.record(batch)
                yield [(item, batch.done[0])]
            while True:
                places = 2 * max(1, sum(self.client.nthreads().values()))
                while len(pending) < places and (some := list(islice(left, sizer.next()))):
                    submit(some)
                if not pending:
                    return
                future = next(ready)
                some = pending.pop(future)
                try:
                    batch = future.result()
                except distributed.scheduler.KilledWorker:
                    # The scheduler gives up on a batch that lost several workers. Blame the workers and send it again.
                    lost += 1
                    if lost > MAX_LOST_BATCHES:
                        raise Refusal("broken", f"Too many workers were lost at {self.where}.") from None
                    submit(some)
                    continue
                except Refusal as refusal:
                    raise Refusal(refusal.code, f"A worker at {self.where} reported: {refusal.reason}") from None
                except CancelledError:
                    raise Refusal("broken", f"The connection to the scheduler at {self.where} was lost.") from None
                sizer.record(batch)
                yield list(zip(batch.items, batch.done, strict=True))
        finally:
            self._disconnect(list(pending))

    def _disconnect(self, pending: list[Any]) -> None:
        """Cancel pending batches and end the programs that wait on the workers for their next game."""
        self.client.cancel(pending)
        # Missing workers do not matter, and a lost scheduler cannot be asked.
        if self.client.status == "running":
            with suppress(Exception):
                self.client.run(end_idle, on_error="ignore")
        self.client.close()


def _is_missing(wrong: BaseException) -> bool:
    return isinstance(wrong, ImportError) or "grandtour" in str(wrong)
