"""A server for each test that asks for one."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grandtour.engine import catalogue
from tests.engine.tiny import RENDEZVOUS
from tests.server.client import Api, Process, Server, settings_for

Serving = Callable[..., Api]
Starting = Callable[..., Process]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """Start a server: `serving(limits=...)`. A second call stops the first server and starts another on its store."""
    servers: list[Server] = []

    def serve(**changes: Any) -> Api:
        stop()
        servers.append(Server(settings_for(tmp_path, **changes)))
        return Api(servers[-1].url)

    def stop() -> None:
        while servers:
            servers.pop().stop()

    yield serve
    stop()


@pytest.fixture
def starting(tmp_path: Path) -> Iterator[Starting]:
    """Start a server in its own process, on this port or a free one. It is killed after the test."""
    started: list[Process] = []

    def start(port: int = 0, **settings: Any) -> Process:
        started.append(Process(tmp_path, port, **settings))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


@pytest.fixture(scope="session")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """A server that many tests share. Each opens its own tables."""
    server = Server(settings_for(tmp_path_factory.mktemp("api")))
    yield Api(server.url)
    server.stop()


@pytest.fixture
def rendezvous(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds a game with simultaneous choices, which can be undone until everyone has chosen."""
    monkeypatch.setitem(catalogue.games(), RENDEZVOUS.name, RENDEZVOUS)
