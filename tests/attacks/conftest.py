"""A fresh server for every attack."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.attacks.victim import Victim

Attacking = Callable[..., Victim]


@pytest.fixture
def attacking(tmp_path: Path) -> Iterator[Attacking]:
    """Start a server to be attacked; its store is in `tmp_path`."""
    started: list[Victim] = []

    def start(files: int = 1024, **settings: object) -> Victim:
        started.append(Victim(tmp_path, files, **settings))
        return started[-1]

    yield start
    for victim in started:
        victim.stop()
