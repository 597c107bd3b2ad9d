"""Games on the machines of a Dask cluster. A worker that is lost loses no game: its portions are played elsewhere."""

import logging
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from grandtour import __version__
from grandtour.arena.workplace import Done, Item, Plan, Sizes, Workplace, do_portion
from grandtour.engine.refusal import Refusal, short
from grandtour.players.pipe import end_idle

SECONDS_TO_ANSWER = 10
TIMES = 20
"""How many portions may be given up by the scheduler before we give up too."""


def arrive() -> str:
    """Make a worker ready for another run; its version of Grand Tour.

    A program that waits there since an earlier run may have been changed: it is started anew. One that plays now, for
    somebody else, is left alone.
    """
    end_idle()
    return __version__


class Cluster(Workplace):
    """The workers of a scheduler that is running at `dask://host:port`."""

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
        # What goes wrong is said in our own sentences.
        for name in ("distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            client: Any = Client(self.address, timeout=SECONDS_TO_ANSWER, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError):
            raise Refusal("bad-options", f"No Dask scheduler answers at {self.where}.") from None
        try:
            self._check_workers(client)
        except BaseException:
            client.close()
            raise
        return client

    def _check_workers(self, client: Any) -> None:
        try:
            client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
        except TimeoutError:
            raise Refusal("bad-options", f"The cluster at {self.where} has no workers.") from None
        try:
            versions = set(client.run(arrive).values())
        except Exception as wrong:
            reason = "has workers that cannot run Grand Tour" if _is_missing(wrong) else "does not answer as it should"
            raise Refusal("bad-options", f"The cluster at {self.where} {reason}: {short(str(wrong))}.") from None
        others = versions - {__version__}
        if others:
            theirs = ", ".join(sorted(others))
            raise Refusal(
                "bad-options", f"The workers at {self.where} have Grand Tour {theirs}; here it is {__version__}."
            )

    def each(
        self, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterable[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        from concurrent.futures import CancelledError

        import distributed

        left = iter(items)
        sizes = Sizes()
        ready: Any = distributed.as_completed(loop=self.client.loop)  # type: ignore[no-untyped-call]
        out: dict[Any, list[Item]] = {}

        def hand_out(some: list[Item]) -> None:
            # Not pure: a portion is not looked up among those of an earlier run.
            future = self.client.submit(do_portion, task, plan, some, pure=False)
            out[future] = some
            ready.add(future)

        lost = 0
        try:
            # One is done here, to know how many make a portion that is worth sending.
            for item in islice(left, 1):
                portion = do_portion(task, plan, [item])
                sizes.learn(portion)
                yield [(item, portion.done[0])]
            while True:
                places = 2 * max(1, sum(self.client.nthreads().values()))
                while len(out) < places and (some := list(islice(left, sizes.next()))):
                    hand_out(some)
                if not out:
                    return
                future = next(ready)
                some = out.pop(future)
                try:
                    portion = future.result()
                except distributed.scheduler.KilledWorker:
                    # The scheduler gives a portion up after a few workers; it is rather the workers than the portion.
                    lost += 1
                    if lost > TIMES:
                        raise Refusal("broken", f"Too many workers were lost at {self.where}.") from None
                    hand_out(some)
                    continue
                except Refusal as refusal:
                    raise Refusal(refusal.code, f"A worker at {self.where} refuses: {refusal.reason}") from None
                except CancelledError:
                    raise Refusal("broken", f"The scheduler at {self.where} was lost.") from None
                sizes.learn(portion)
                yield list(zip(portion.items, portion.done, strict=True))
        finally:
            self._leave(list(out))

    def _leave(self, out: list[Any]) -> None:
        """Take back what was handed out, and let no program wait at the workers for games that do not come."""
        self.client.cancel(out)
        # A worker that left does not matter, and a scheduler that was lost is not asked.
        if self.client.status == "running":
            with suppress(Exception):
                self.client.run(end_idle, on_error="ignore")
        self.client.close()


def _is_missing(wrong: BaseException) -> bool:
    return isinstance(wrong, ImportError) or "grandtour" in str(wrong)
