"""The server that browser tests visit: bots move at once, and anyone may open as many tables as they like."""

from pathlib import Path

from grandtour.server.run import run
from grandtour.server.settings import Limits, Rate, Settings


def start(data: str) -> None:
    plenty = Rate(1000, 1000)
    limits = Limits(tables=plenty, requests=plenty, all_requests=plenty, messages=plenty)
    settings = Settings(
        Path(data),
        port=0,
        bot_pause=0.0,
        bot_processes=1,
        limits=limits,
        hint_budget="20",
        hint_deadline=30.0,
        review_budget="20ms",
        review_decisions=12,
        patiences=(0, 1, 60, 120, 300, 600),
        host_grace=1.0,
        rematch_wait=600.0,
    )
    if not (settings.page / "index.html").is_file():
        raise SystemExit("The page is not built: make setup does it.")
    run(settings, False)
