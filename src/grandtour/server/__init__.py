"""The server: lobby, tables, sockets, storage. `docs/protocol.md` says how to speak with it."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path


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

    What stands in the way is said in one sentence, and the exit code is 1. `data` is the folder with the store, by
    default the user's own. Any other setting can be given by its name (`bot_pause=0.0`), in `settings` by the name it
    has in a file (`{"limits.sockets": 10}`), in the file `config` or in the environment; `docs/operate.md` lists them.
    With `check` nothing is run, and what is in force is printed. Bots think in processes of their own, so a script that
    calls this does so under `if __name__ == "__main__":`.
    """
    from grandtour.engine.refusal import Refusal
    from grandtour.server.configuration import configure, in_force
    from grandtour.server.run import run

    flags = {**(settings or {}), **more, "host": host, "port": port, "data": data}
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        configuration = configure(Path(config) if config is not None else None, os.environ, given)
        if check:
            print(in_force(configuration), end="")
        else:
            run(configuration.settings, open_browser)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        raise SystemExit(1) from None
