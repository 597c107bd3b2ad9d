"""Saves matches of a tournament as `.tour` files: those the first player lost, the longest ones, or all."""

import re
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import NamedTuple

from grandtour.arena.play import GameResult, Seating, derive_seed
from grandtour.arena.tally import labels
from grandtour.engine.catalogue import game
from grandtour.engine.match import Match
from grandtour.engine.options import Options
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.tour import save

LOST, LONG, ALL = "lost", "long", "all"
LONG_FRACTION = 0.01
"""The fraction of all matches that counts as long."""

Log = list[tuple[int, int]]
"""Seats and their moves, in order."""


class FinishedMatch(NamedTuple):
    seating: Seating
    result: GameResult
    log: Log | None


class MatchSaver:
    """Saves matches to a folder. If a match's moves were not recorded, the match is played again."""

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
        play_again: Callable[[Seating], tuple[GameResult, Log]],
    ) -> None:
        self.rule = rule
        self.folder = folder
        self.stem = stem
        self.planned = planned
        self.game = game(name)
        self.options = options
        self.players = players
        self.seed = seed
        self.play_again = play_again
        self.seen = 0
        self.written = 0
        self.different = 0  # ended differently when played again: a player does not depend on the seed alone
        self._long: list[FinishedMatch] = []

    def consider(self, seating: Seating, result: GameResult, log: Log | None) -> None:
        """Save a match if it qualifies. Matches arrive in the order of the deals."""
        self.seen += 1
        if self.rule == LONG:
            self._long.append(FinishedMatch(seating, result, log))
            if len(self._long) > 2 * _long(self.planned) + 100:
                self._drop_shorter(self.planned)
        elif self.rule == ALL or self._lost(seating, result):
            self._write(FinishedMatch(seating, result, log))

    def finish(self) -> None:
        """Save the longest matches, which are known only at the end."""
        self._drop_shorter(self.seen)
        for kept in self._long:
            self._write(kept)

    def _drop_shorter(self, matches: int) -> None:
        # Sorting is stable: of equally long matches, the earlier ones are kept.
        self._long.sort(key=lambda kept: -kept.result.moves)
        del self._long[_long(matches) :]

    def _lost(self, seating: Seating, result: GameResult) -> bool:
        own = [share for player, share in zip(seating.players, result.shares, strict=True) if player == 0]
        best = 1.0 if self.game.team else max(result.shares)
        return bool(own) and max(own) < best

    def _write(self, kept: FinishedMatch) -> None:
        names = [self.players[player] for player in kept.seating.players]
        plain = "-".join(re.sub(r"[^A-Za-z0-9]+", "_", name) for name in names)
        path = self.folder / f"{self.stem}-{kept.seating.deal + 1:05}-{plain}.tour"
        if path.exists():
            self.written += 1
            return
        log = kept.log
        if log is None:
            result, log = self.play_again(kept.seating)
            if result != kept.result:
                self.different += 1
                return
        seed = derive_seed(self.seed, kept.seating.deal, "cards")
        match = Match(self.game, len(names), self.options, seed)
        for seat, move in log:
            match.play(seat, self.game.moves.name(move))
        try:
            path.write_text(save(match, labels(names)), encoding="utf-8")
        except OSError as error:
            raise Refusal("bad-file", f"{short(str(path))} cannot be written: {error.strerror}.") from None
        self.written += 1


def _long(matches: int) -> int:
    return ceil(matches * LONG_FRACTION)


def check_folder(folder: Path) -> None:
    """Make sure the folder exists, before anything is played."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal("bad-options", f"Matches cannot be saved in {short(str(folder))}: {error.strerror}.") from None
