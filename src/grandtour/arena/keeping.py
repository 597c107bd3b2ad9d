"""Matches of a tournament kept as `.tour` files: those that the first player lost, the longest ones, or all."""

import re
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import NamedTuple

from grandtour.arena.playing import Ended, Seating, chance
from grandtour.arena.tally import labels
from grandtour.engine.catalogue import game
from grandtour.engine.match import Match
from grandtour.engine.options import Options
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.tour import save

LOST, LONG, ALL = "lost", "long", "all"
RULES = (LOST, LONG, ALL)
LONGEST = 0.01
"""The part of all matches that counts as long."""

Log = list[tuple[int, int]]
"""Seats and moves."""


class Kept(NamedTuple):
    seating: Seating
    ended: Ended
    log: Log | None


class Keeper:
    """Writes matches into a folder. Those whose moves are not at hand any more are played again."""

    def __init__(
        self,
        rule: str,
        folder: Path,
        stem: str,
        planned: int,
        name: str,
        options: Options,
        players: tuple[str, ...],
        seed: int,
        again: Callable[[Seating], tuple[Ended, Log]],
    ) -> None:
        self.rule = rule
        self.folder = folder
        self.stem = stem
        self.planned = planned
        self.game = game(name)
        self.options = options
        self.players = players
        self.seed = seed
        self.again = again
        self.seen = 0
        self.written = 0
        self.different = 0  # came out otherwise when played again: players that do not depend on the seed alone
        self._long: list[Kept] = []

    def consider(self, seating: Seating, ended: Ended, log: Log | None) -> None:
        """A match that counts; they come in the order of the deals."""
        self.seen += 1
        if self.rule == LONG:
            self._long.append(Kept(seating, ended, log))
            if len(self._long) > 2 * _long(self.planned) + 100:
                self._shorten(self.planned)
        elif self.rule == ALL or self._lost(seating, ended):
            self._write(Kept(seating, ended, log))

    def finish(self) -> None:
        """Write what could not be known before the end."""
        self._shorten(self.seen)
        for kept in self._long:
            self._write(kept)

    def _shorten(self, matches: int) -> None:
        # Sorting keeps the order of equals: of matches that are equally long the first ones stay.
        self._long.sort(key=lambda kept: -kept.ended.moves)
        del self._long[_long(matches) :]

    def _lost(self, seating: Seating, ended: Ended) -> bool:
        own = [share for player, share in zip(seating.players, ended.shares, strict=True) if player == 0]
        best = 1.0 if self.game.team else max(ended.shares)
        return bool(own) and max(own) < best

    def _write(self, kept: Kept) -> None:
        names = [self.players[player] for player in kept.seating.players]
        plain = "-".join(re.sub(r"[^A-Za-z0-9]+", "_", name) for name in names)
        path = self.folder / f"{self.stem}-{kept.seating.deal + 1:05}-{plain}.tour"
        if path.exists():
            self.written += 1
            return
        log = kept.log
        if log is None:
            ended, log = self.again(kept.seating)
            if ended != kept.ended:
                self.different += 1
                return
        seed = chance(self.seed, kept.seating.deal, "cards")
        match = Match(self.game, len(names), self.options, seed)
        for seat, move in log:
            match.play(seat, self.game.moves.name(move))
        try:
            path.write_text(save(match, labels(names)), encoding="utf-8")
        except OSError as error:
            raise Refusal("bad-file", f"{short(str(path))} cannot be written: {error.strerror}.") from None
        self.written += 1


def _long(matches: int) -> int:
    return ceil(matches * LONGEST)


def check_folder(folder: Path) -> None:
    """Make sure that matches can be kept there, before anything is played."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal("bad-options", f"Nothing can be kept in {short(str(folder))}: {error.strerror}.") from None
