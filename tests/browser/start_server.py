"""The server for browser tests: bots move at once, and the number of tables is not limited."""

import hashlib
import secrets
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from grandtour.server import registry
from grandtour.server.run import run
from grandtour.server.settings import Limits, Rate, Settings
from grandtour.server.tables import rematch
from grandtour.server.tables.guide import bot_seed
from grandtour.server.tables.table import Table

TEST_NAME = "test-name.txt"
"""The file, beside the data, with the name of the running test."""


class FixedDeals:
    """Derives every deal from the name of the running test, so that its tables are the same in every run.

    What bots choose at a table depends on its deal and on how often they have moved.
    """

    def __init__(self, test_name: Path) -> None:
        self._file = test_name
        self._test = ""
        self._dealt = 0

    def secret(self, size: int) -> bytes:
        test = self._file.read_text("utf-8") if self._file.exists() else ""
        self._dealt = self._dealt + 1 if test == self._test else 1
        self._test = test
        return hashlib.shake_256(f"{test} {self._dealt}".encode()).digest(size)

    def use(self) -> None:
        instead = SimpleNamespace(**{**vars(secrets), "token_bytes": self.secret})
        for dealer in (registry, rematch):
            patch.object(dealer, "secrets", instead).start()
        patch.object(Table, "bot_seed", _bot_seed).start()


def _bot_seed(table: Table, seat: int) -> int:
    assert table.match is not None
    return bot_seed(table.dice, seat, sum(entry.seat == seat for entry in table.match.log))


def start(data: str, **changes: Any) -> None:
    plenty = Rate(1000, 1000)
    limits = Limits(tables=plenty, requests=plenty, all_requests=plenty, messages=plenty)
    settings = Settings(
        Path(data),
        port=0,
        bot_pause=0.0,
        bot_processes=1,
        bot_deadline=60.0,
        limits=limits,
        hint_budget="20",
        hint_deadline=30.0,
        review_budget="20ms",
        review_decisions=12,
        curve_budget="5ms",
        patiences=(0, 1, 60, 120, 300, 600),
        host_grace=1.0,
        rematch_wait=600.0,
        min_time=1.0,
        **changes,
    )
    if not (settings.page / "index.html").is_file():
        raise SystemExit("The page is not built: run make setup.")
    FixedDeals(Path(data).with_name(TEST_NAME)).use()
    run(settings, False)
