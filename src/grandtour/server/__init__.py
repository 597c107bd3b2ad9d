"""The server: lobby, tables, sockets, storage. `docs/protocol.md` describes its protocol."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grandtour.server.settings import Settings


def serve(
    host: str | None = None,
    port: int | None = None,
    data: str | Path | None = None,
    open_browser: bool = False,
    *,
    config: str | Path | None = None,
    check: bool = False,
    settings: Mapping[str, object] | None = None,
    **more: object,
) -> None:
    """Run the server until Ctrl-C; the address is printed.

    If the server cannot start, it prints one sentence and exits with code 1. `data` is the folder with the store; the
    default is a folder in the user's home. Other settings can be given as keywords (`bot_pause=0.0`), in `settings`
    under their names in a file (`{"limits.sockets": 10}`), in the file `config` or in the environment;
    `docs/operate.md` lists them. With `check`, the settings in force are printed and nothing is started. Bots run in
    separate processes, so a script must call this under `if __name__ == "__main__":`.
    """

    def start(found: "Settings") -> None:
        from grandtour.server.run import run

        run(found, open_browser)

    _start(start, config, check, {**(settings or {}), **more, "host": host, "port": port, "data": data})


def serve_bots(
    *,
    config: str | Path | None = None,
    check: bool = False,
    settings: Mapping[str, object] | None = None,
    **more: object,
) -> None:
    """Run a bot server until Ctrl-C. It chooses bots' moves for the servers of the database `store`.

    Settings are given as for `serve`. A script must call this under `if __name__ == "__main__":`, too."""

    def start(found: "Settings") -> None:
        from grandtour.server.run import run_bot_server

        run_bot_server(found)

    _start(start, config, check, {**(settings or {}), **more})


def _start(
    start: Callable[["Settings"], None], config: str | Path | None, check: bool, flags: Mapping[str, object]
) -> None:
    from grandtour.engine.refusal import Refusal
    from grandtour.server.configuration import configure, settings_in_force

    given = {name: value for name, value in flags.items() if value is not None}
    try:
        configuration = configure(Path(config) if config is not None else None, os.environ, given)
        if check:
            print(settings_in_force(configuration), end="")
        else:
            start(configuration.settings)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        raise SystemExit(1) from None
