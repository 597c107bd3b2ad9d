# compiled
"""Counters and histograms in the text format of Prometheus. They are updated several times per move."""

import time
from collections.abc import Iterator
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

SECONDS: Final[tuple[float, ...]] = (
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
)
"""The upper bounds of every histogram's buckets."""
_BOUNDS: Final = vec[float](SECONDS)
_BUCKETS: Final[i64] = len(SECONDS)


class Counter:
    """A counter with at most one label."""

    def __init__(self, name: str, about: str, label: str = "") -> None:
        self.name = name
        self.about = about
        self.label = label
        self.counts: dict[str, int] = {} if label else {"": 0}

    def add(self, value: str = "", times: int = 1) -> None:
        self.counts[value] = self.counts.get(value, 0) + times

    def lines(self) -> Iterator[str]:
        yield from head(self.name, self.about, "counter")
        for value, count in sorted(self.counts.items()):
            yield f"{self.name}{labels(self.label, value)} {count}"


class Timer:
    """A context manager that measures the time of its block."""

    def __init__(self, histogram: "Histogram") -> None:
        self.histogram = histogram

    def __enter__(self) -> None:
        self.began = time.monotonic()

    def __exit__(self, *failure: object) -> None:
        self.histogram.observe(time.monotonic() - self.began)


class Histogram:
    """A histogram of durations in seconds."""

    def __init__(self, name: str, about: str) -> None:
        self.name = name
        self.about = about
        self.counts = [0] * (len(SECONDS) + 1)
        self.sum = 0.0
        self.longest = 0.0

    def observe(self, seconds: float) -> None:
        place: i64 = 0
        while place < _BUCKETS and seconds > _BOUNDS[place]:
            place += 1
        self.counts[place] += 1
        self.sum += seconds
        if seconds > self.longest:
            self.longest = seconds

    def timer(self) -> Timer:
        """Measure the time of a block, even if it fails."""
        return Timer(self)

    def lines(self) -> Iterator[str]:
        yield from head(self.name, self.about, "histogram")
        total = 0
        for bound, count in zip((*map(str, SECONDS), "+Inf"), self.counts, strict=True):
            total += count
            yield f'{self.name}_bucket{{le="{bound}"}} {total}'
        yield f"{self.name}_sum {self.sum!r}"
        yield f"{self.name}_count {total}"


def head(name: str, about: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {about}", f"# TYPE {name} {kind}"


def labels(label: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{{{label}="{escaped}"}}' if label else ""
