"""Count the instructions that a move costs the server: `python -m bench.instructions round-trip:2`.

Processor time depends on other load of the machine; the number of instructions hardly does. valgrind, which must be
installed, runs the server and counts its instructions in user space, while random players play over real sockets. The
work of the operating system, such as sending and syncing, is not counted.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
import uvloop

from bench import load

TOTAL = re.compile(r"([\d,]+) \(100.0%\)\s+PROGRAM TOTALS")
LINE = re.compile(r"\s*([\d,]+) \(\s*[\d.]+%\)\s+(\S+)")


class Counted(load.Load):
    """Switches counting on during the measured moves."""

    pid = 0

    async def play(self, moves: int) -> None:
        measured = self.goal > 0
        if measured:
            switch(self.pid, "on")
        await super().play(moves)
        if measured:
            switch(self.pid, "off")


def switch(pid: int, to: str) -> None:
    subprocess.run(["callgrind_control", "-i", to, str(pid)], check=True, capture_output=True)


def count(python: str, game: str, seats: int, tables: int, moves: int, of: str) -> list[tuple[int, str]]:
    """Instructions per move, in total and for the functions whose names match."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "counted")
        command = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}"]
        with load.server(python, before=command) as (url, pid):
            Counted.pid = pid
            row = uvloop.run(load.measure(url, pid, game, seats, tables, moves, None, kind=Counted))
        report = subprocess.run(
            ["callgrind_annotate", "--inclusive=yes", str(out)], check=True, capture_output=True, text=True
        ).stdout
    total = TOTAL.search(report)
    if total is None:
        raise SystemExit("valgrind counted nothing")
    made = int(row["moves"])
    found = [(_number(total[1]) // made, "in all")]
    for line in report.splitlines():
        part = LINE.match(line)
        if part and of and re.search(of, part[2]) and "'" not in part[2]:
            found.append((_number(part[1]) // made, part[2].rpartition(":")[2]))
    return found


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def main(
    games: Annotated[list[str], typer.Argument(help="Games, each with its number of seats.")],
    tables: Annotated[int, typer.Option(min=1, help="Tables that are played at, at the same time.")] = 8,
    moves: Annotated[int, typer.Option(min=1, help="Moves at each table that are counted.")] = 25,
    of: Annotated[str, typer.Option(help="Also show the functions whose names match this, such as CPyDef.")] = "",
    python: Annotated[str, typer.Option(help="The Python that runs the server.")] = sys.executable,
) -> None:
    """Count the instructions that a move costs the server, in user space."""
    if shutil.which("valgrind") is None:
        raise SystemExit("valgrind is not installed.")
    for wanted in games:
        game, _, seats = wanted.partition(":")
        for instructions, what in count(python, game, int(seats or 2), tables, moves, of):
            print(f"{instructions:12,} {wanted} {what}")


if __name__ == "__main__":
    typer.run(main)
