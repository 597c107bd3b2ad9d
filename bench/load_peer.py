"""boardgame.io's server under the same load: its package from npm, its own transport, its default storage in memory.

The package contains no game, so a minimal one is played: nine cells, of which each move marks one. The players are
socket.io clients in a separate process.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from bench.measure import Row

NAME = "boardgame.io"
VERSION = "0.50.2"
ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "load-peer"
SCRIPT = Path(__file__).with_suffix(".cjs")


def install() -> None:
    """Fetch the package, unless it is there."""
    if not (FOLDER / "node_modules" / NAME / "package.json").exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / "package.json").write_text('{"private": true}\n', "utf-8")
        subprocess.run(["npm", "install", "--silent", "--no-audit", f"{NAME}@{VERSION}"], cwd=FOLDER, check=True)


def measure(seats: int, tables: int, moves: int) -> Row:
    """The same figures as for our server. The script measures the server's process."""
    install()
    command = ["node", str(SCRIPT), str(FOLDER), str(seats), str(tables), str(moves)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: Row = json.loads(done.stdout.splitlines()[-1])
    return {"game": NAME, "seats": seats, "tables": tables, **found}
