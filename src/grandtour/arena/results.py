"""A tournament's results file: text, one line per game, append-only.

The first line identifies the tournament; every other line says who sat where and how the game ended. If a crash cut
off the last line, everything before it is still used. A file of another tournament is never touched.
"""

import json
import os
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from grandtour.arena.play import GameResult, Seating
from grandtour.engine.refusal import Refusal, short

FORMAT = 1
SYNC_SECONDS = 1.0
"""Seconds between syncs to disk."""

Header = dict[str, Any]


class ResultsFile:
    """The open file. `games` holds the results that were in it when it was opened."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.games: dict[Seating, GameResult] = {}
        wanted = {"grandtour": "tournament", "format": FORMAT, **header}
        try:
            held = path.read_bytes() if path.exists() else b""
            whole = self._read(held, wanted)
            self._file: BinaryIO = path.open("ab")
        except OSError as error:
            raise Refusal("bad-file", f"{short(str(path))} cannot be used: {error.strerror}.") from None
        if whole < len(held):
            self._file.truncate(whole)
        if not whole:
            self._write([wanted])
        self._synced = monotonic()

    def _read(self, held: bytes, wanted: Header) -> int:
        """Read the games; return how many bytes are complete lines."""
        whole = held.rfind(b"\n") + 1
        for number, line in enumerate(held[:whole].splitlines(), 1):
            try:
                row = json.loads(line)
                if number == 1:
                    self._compare(row, wanted)
                    continue
                seating = Seating(row["deal"], tuple(row["seats"]))
                forfeits = tuple(map(tuple, row.get("forfeits", ())))
                result = GameResult(row["moves"], tuple(row["shares"]), tuple(row["scores"]), forfeits)
            except (ValueError, KeyError, TypeError):
                wrong = f"cannot be read in line {number}" if number > 1 else "is not a tournament results file"
                raise Refusal("bad-file", f"{short(str(self.path))} {wrong}.") from None
            self.games.setdefault(seating, result)
        return whole

    def _compare(self, row: object, wanted: Header) -> None:
        if not isinstance(row, dict) or row.get("grandtour") != "tournament":
            raise Refusal("bad-file", f"{short(str(self.path))} is not a tournament results file.")
        for key, value in wanted.items():
            if row.get(key) != value:
                raise Refusal(
                    "bad-file",
                    f"{short(str(self.path))} belongs to another tournament, with {key} {short(row.get(key))} "
                    f"instead of {short(value)}. Choose another file.",
                )

    def add(self, games: list[tuple[Seating, GameResult]]) -> None:
        """Append games; they are synced to disk within about a second."""
        self._write(
            [
                {
                    "deal": s.deal,
                    "seats": s.players,
                    "moves": e.moves,
                    "shares": e.shares,
                    "scores": e.scores,
                    **({"forfeits": e.forfeits} if e.forfeits else {}),
                }
                for s, e in games
            ]
        )
        if monotonic() - self._synced >= SYNC_SECONDS:
            self._sync()

    def close(self) -> None:
        self._sync()
        self._file.close()

    def _write(self, rows: list[dict[str, Any]]) -> None:
        try:
            self._file.write(b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows))
            self._file.flush()
        except OSError as error:
            raise Refusal("bad-file", f"{short(str(self.path))} cannot be written: {error.strerror}.") from None

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = monotonic()
