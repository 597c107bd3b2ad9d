"""A tournament's results file: text, one line a game, only ever added to.

The first line says which tournament it is, each other one who sat where and how it ended. What was cut off in the
middle of its last line by a crash is whole up to there. A file of another tournament is left alone.
"""

import json
import os
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from grandtour.arena.playing import Ended, Seating
from grandtour.engine.refusal import Refusal, short

FORMAT = 1
SECONDS = 1.0
"""How long a game may be in the system's hands before it is on the disk."""

Header = dict[str, Any]


class Ledger:
    """The file, open to be added to. `games` is what it held when it was opened."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.games: dict[Seating, Ended] = {}
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
        """Take the games over; how many bytes are whole lines."""
        whole = held.rfind(b"\n") + 1
        for number, line in enumerate(held[:whole].splitlines(), 1):
            try:
                row = json.loads(line)
                if number == 1:
                    self._compare(row, wanted)
                    continue
                seating = Seating(row["deal"], tuple(row["seats"]))
                forfeits = tuple(map(tuple, row.get("forfeits", ())))
                ended = Ended(row["moves"], tuple(row["shares"]), tuple(row["scores"]), forfeits)
            except (ValueError, KeyError, TypeError):
                wrong = f"cannot be read in line {number}" if number > 1 else "is no results file of a tournament"
                raise Refusal("bad-file", f"{short(str(self.path))} {wrong}.") from None
            self.games.setdefault(seating, ended)
        return whole

    def _compare(self, row: object, wanted: Header) -> None:
        if not isinstance(row, dict) or row.get("grandtour") != "tournament":
            raise Refusal("bad-file", f"{short(str(self.path))} is no results file of a tournament.")
        for key, value in wanted.items():
            if row.get(key) != value:
                raise Refusal(
                    "bad-file",
                    f"{short(str(self.path))} holds another tournament, with {key} {short(row.get(key))} instead of "
                    f"{short(value)}: name another file.",
                )

    def add(self, games: list[tuple[Seating, Ended]]) -> None:
        """Write games down; they are on the disk a moment later."""
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
        if monotonic() - self._synced >= SECONDS:
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
