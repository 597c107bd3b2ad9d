"""The server's metrics, in the text format of Prometheus.

Counting takes well under a microsecond: plain integers, changed only by the event loop's thread. Gauges, such as the
number of tables, are read on request.
"""

import asyncio
import contextlib
import gc
import ipaddress
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import Scope

from grandtour.engine.refusal import Refusal
from grandtour.server.http.proxies import read_address
from grandtour.server.metric_types import SECONDS as SECONDS
from grandtour.server.metric_types import Counter, head, labels
from grandtour.server.metric_types import Histogram as Histogram

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
LAG_INTERVAL: Final = 0.1
"""Seconds between two measurements of the event loop's lag."""
FORWARDED: Final = ("x-forwarded-for", "forwarded", "via")


class Metrics:
    """All metrics of a server."""

    def __init__(self) -> None:
        self.moves = Counter("grandtour_moves_total", "Moves that were stored, by who made them.", "by")
        self.refusals = Counter("grandtour_refusals_total", "Requests that were refused, by code.", "code")
        self.bot_failures = Counter(
            "grandtour_bot_failures_total", "Moves that a bot did not find itself, by reason.", "why"
        )
        self.bot_requests = Counter(
            "grandtour_bot_requests_total", "Moves requested from bot servers, by outcome.", "outcome"
        )
        self.dropped = Counter("grandtour_tables_dropped_total", "Tables that were unloaded, by reason.", "why")
        self.store = Histogram("grandtour_store_seconds", "From the request to store records until they are stored.")
        self.send = Histogram("grandtour_send_seconds", "From a message being ready until it is handed to the network.")
        self.bots = Histogram(
            "grandtour_bot_seconds", "From the request for a bot's move until it is chosen, including waiting."
        )
        self.lag = Histogram("grandtour_loop_lag_seconds", "How late the event loop runs scheduled work.")
        self.collections = Histogram(
            "grandtour_gc_seconds", "Processor time of each garbage collection, during which everyone waits."
        )
        self._collecting = 0.0

    def text(self, gauges: Mapping[str, tuple[str, object]]) -> str:
        """All metrics as text, including these gauges: by name, a description and a number or numbers by label."""
        lines: list[str] = []
        for each in (self.moves, self.refusals, self.bot_failures, self.bot_requests, self.dropped):
            lines += each.lines()
        for timed in (self.store, self.send, self.bots, self.lag, self.collections):
            lines += timed.lines()
        lines += head("grandtour_loop_lag_max_seconds", "The longest lag since the last request.", "gauge")
        lines.append(f"grandtour_loop_lag_max_seconds {self.lag.longest!r}")
        self.lag.longest = 0.0
        for name, (about, value) in {**gauges, **_process()}.items():
            lines += head(name, about, "counter" if name.endswith("_total") else "gauge")
            if isinstance(value, Mapping):
                ((label, by_value),) = value.items()
                lines += [f"{name}{labels(label, key)} {number}" for key, number in sorted(by_value.items())]
            else:
                lines.append(f"{name} {value}")
        return "\n".join(lines) + "\n"

    async def watch_lag(self) -> None:
        """Measure the event loop's lag until cancelled."""
        while True:
            due = time.monotonic() + LAG_INTERVAL
            await asyncio.sleep(LAG_INTERVAL)
            self.lag.observe(max(0.0, time.monotonic() - due))

    def watch_gc(self) -> None:
        """Measure every pause of the garbage collector. Only for a process that runs a single server."""
        gc.callbacks.append(self._collected)

    def _collected(self, phase: str, info: Mapping[str, int]) -> None:
        now = time.thread_time()
        if phase == "start":
            self._collecting = now
        else:
            self.collections.observe(now - self._collecting)


class MetricsReaders:
    """Checks whether a client may read the metrics: only from these networks, and not through a proxy."""

    def __init__(self, networks: Iterable[str]) -> None:
        try:
            self._networks = [ipaddress.ip_network(network, strict=False) for network in networks]
        except ValueError as error:
            raise Refusal("bad-settings", f"Metrics are read from an address or a network: {error}.") from None

    def may_read(self, scope: Scope) -> bool:
        # Behind an undeclared proxy on this machine, every request would seem to come from this machine.
        if any(name in Headers(scope=scope) for name in FORWARDED):
            return False
        client = scope.get("client")
        address = read_address(client[0]) if client else None
        return address is not None and any(address in network for network in self._networks)


def merge_servers(texts: Mapping[str, str]) -> str:
    """The metrics of several servers as one text, in which every line has the label `server`."""
    heads: dict[str, list[str]] = {}
    lines: dict[str, list[str]] = {}
    for server, text in texts.items():
        name = ""
        for line in text.splitlines():
            if line.startswith("#"):
                name = line.split(" ", 3)[2]
                if len(heads.setdefault(name, [])) < 2:
                    heads[name].append(line)
            else:
                labelled, _, value = line.rpartition(" ")
                metric, _, labels = labelled.partition("{")
                labels = f"{labels.removesuffix('}')}," if labels else ""
                lines.setdefault(name, []).append(f'{metric}{{{labels}server="{server}"}} {value}')
    return "\n".join(line for name in heads for line in (*heads[name], *lines.get(name, ()))) + "\n"


def count_refusal(scope: Scope, refusal: Refusal) -> None:
    """Count a refusal, in the metrics of the server that got the request."""
    scope["app"].state.registry.metrics.refusals.add(refusal.code)


def _process() -> dict[str, tuple[str, Any]]:
    """Metrics of this process, under their standard names."""
    times = os.times()
    found: dict[str, tuple[str, Any]] = {
        "process_cpu_seconds_total": ("Processor time used, in seconds.", round(times.user + times.system, 2))
    }
    with contextlib.suppress(OSError, AttributeError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        found["process_resident_memory_bytes"] = ("Memory in use.", pages * os.sysconf("SC_PAGE_SIZE"))
        found["process_open_fds"] = ("Open file descriptors.", sum(1 for _ in Path("/proc/self/fd").iterdir()))
    return found
