"""Games on the machines of a Dask cluster. A worker that is lost loses no game: its portions are played elsewhere."""

import logging
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from grandtour import __version__
from grandtour.arena.workplace import Done, Item, Plan, Portion, Sizes, Workplace, do_portion
from grandtour.engine.refusal import Refusal, short

if TYPE_CHECKING:
    from distributed import Client

SECONDS_TO_ANSWER = 10
TIMES = 20
"""How often a portion may be on a worker that is lost before it is taken for the reason."""


def here() -> str:
    """The version of Grand Tour wherever this is called."""
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

    def _connect(self) -> "Client":
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
            client = Client(self.address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
        except (OSError, TimeoutError):
            raise Refusal("bad-options", f"No Dask scheduler answers at {self.where}.") from None
        try:
            self._check_workers(client)
        except BaseException:
            client.close()
            raise
        return client

    def _check_workers(self, client: "Client") -> None:
        try:
            versions = set(client.run(here).values())
        except Exception as wrong:
            reason = "has workers that cannot run Grand Tour" if _is_missing(wrong) else "does not answer as it should"
            raise Refusal("bad-options", f"The cluster at {self.where} {reason}: {short(str(wrong))}.") from None
        if not versions:
            raise Refusal("bad-options", f"The cluster at {self.where} has no workers.")
        others = versions - {__version__}
        if others:
            theirs = ", ".join(sorted(others))
            raise Refusal(
                "bad-options", f"The workers at {self.where} have Grand Tour {theirs}; here it is {__version__}."
            )

    def each(
        self, task: Callable[[Plan, Item], Done], plan: Plan, items: Iterable[Item]
    ) -> Generator[list[tuple[Item, Done]]]:
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        left = iter(items)
        sizes = Sizes()
        ready = as_completed()
        portions: dict[str, list[Item]] = {}

        def hand_out(some: list[Any]) -> None:
            # Not pure: a portion that has to be played again must not find an old answer under its name.
            future = self.client.submit(do_portion, task, plan, some, pure=False, retries=TIMES)
            portions[future.key] = some
            ready.add(future)

        lost = 0
        try:
            while True:
                places = 2 * max(1, sum(self.client.nthreads().values()))
                while len(portions) < places and (some := list(islice(left, sizes.next()))):
                    hand_out(some)
                if not portions:
                    return
                future = next(ready)
                some = portions.pop(future.key)
                try:
                    portion: Portion = future.result()
                except KilledWorker:
                    lost += 1
                    if lost > TIMES:
                        raise Refusal("broken", "Too many workers were lost; what was played is kept.") from None
                    hand_out(some)
                    continue
                sizes.learn(portion)
                yield list(zip(portion.items, portion.done, strict=True))
        finally:
            self.client.cancel([future for future in ready.futures])
            self.client.close()


def _is_missing(wrong: BaseException) -> bool:
    return isinstance(wrong, ImportError) or "grandtour" in str(wrong)
