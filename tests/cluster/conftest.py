"""One PostgreSQL for all tests that want one."""

import os
from collections.abc import Iterator

import pytest

from tests.cluster.database import Postgres, programs

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
