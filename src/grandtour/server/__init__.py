"""The server: lobby, tables, sockets, storage. `docs/protocol.md` says how to speak with it."""

import os
import sys
from dataclasses import replace
from pathlib import Path


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    data: str | Path | None = None,
    open_browser: bool = False,
    *,
    bot_pause: float | None = None,
) -> None:
    """Run the server until Ctrl-C; the address is printed.

    What stands in the way is said in one sentence, and the exit code is 1. `data` is the folder with the store, by
    default the user's own; `bot_pause` is how many seconds a bot's move is held back. Bots think in processes of their
    own, so a script that calls this does so under `if __name__ == "__main__":`.
    """
    from grandtour.engine.refusal import Refusal
    from grandtour.server.run import run
    from grandtour.server.settings import Settings

    settings = Settings(Path(data) if data is not None else default_data())
    if bot_pause is not None:
        settings = replace(settings, bot_pause=bot_pause)
    try:
        run(settings, host, port, open_browser)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        raise SystemExit(1) from None


def default_data() -> Path:
    """Where a user's tables are kept."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "grandtour"
