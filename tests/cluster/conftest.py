"""One PostgreSQL server for all tests that need it."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.database import Postgres, programs
from tests.server.client import PATIENCE, Api, Process

Cluster = Callable[..., list[Api]]
CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    found = programs()
    if found is None:
        sentence = "PostgreSQL is not installed (apt-get install postgresql), so nothing is tested with it."
        if CI:
            pytest.fail(sentence)
        pytest.skip(sentence)
    server = Postgres(found)
    yield server
    server.stop()


@pytest.fixture
def url(postgres: Postgres) -> str:
    """An empty store in PostgreSQL."""
    return postgres.empty()


@pytest.fixture
def started() -> list[Process]:
    """The servers of this test."""
    return []


@pytest.fixture
def cluster(url: str, tmp_path: Path, started: list[Process]) -> Iterator[Cluster]:
    """Start this many servers, which start bot processes only when they need them."""

    def start(count: int, **settings: Any) -> list[Api]:
        for _ in range(count):
            found = Process(tmp_path, store=url, metrics_from="127.0.0.1", **{"bot_processes": 0, **settings})
            assert found.url, found.said
            threading.Thread(target=found.process.communicate, daemon=True).start()
            started.append(found)
        return [Api(each.url) for each in started]

    yield start
    for each in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(each.process.pid, signal.SIGKILL)
        each.process.wait(PATIENCE)
