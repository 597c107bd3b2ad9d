"""The match object that `grandtour.play` and `grandtour.load` return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import randbits
from typing import Any

from grandtour import players
from grandtour.engine import catalogue, match, tour
from grandtour.engine.dice import QuickDice
from grandtour.engine.events import seen
from grandtour.engine.game import Game
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import Result, State
from grandtour.engine.vocabulary import Named

SEED_BITS = 63


class Match:
    """One match of a game, from the first move to the last.

    A move is a dictionary with its name under `"do"`: `{"do": "take", "pile": "Milano"}`. Seats are numbered from 0.
    A program sees everything; `view(seat)` is what a player in that seat may see.
    """

    def __init__(self, played: match.Match, names: Sequence[str]) -> None:
        self._match = played
        self.names = list(names)
        """The players' names."""

    @property
    def game(self) -> Game:
        """The game that is played: its title, options, rulebook."""
        return self._match.game

    @property
    def state(self) -> State:
        """The position itself, including everything hidden. Its moves are numbers, for fast loops."""
        return self._match.state

    @property
    def waiting(self) -> list[int]:
        """The seats the game waits for: one, several when choices are simultaneous, none when it is over."""
        return self._match.waiting()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._match.over

    @property
    def result(self) -> Result | None:
        """One number per seat once it is over: 1 for a win, 0 for a loss, shared wins split; in a team game, the
        team's score. None while it runs."""
        return self._match.result()

    @property
    def log(self) -> list[tuple[int, Named]]:
        """The moves made so far, each with its seat."""
        return [(seat, self.game.moves.name(move)) for seat, move in self._match.log]

    def legal(self, seat: int | None = None) -> list[Named]:
        """All moves that this seat may make now; by default the first one the game waits for. Empty when it is over."""
        return [] if self.over else self._match.legal(self._seat(seat))

    def play(self, move: Named, seat: int | None = None) -> list[str]:
        """Make a move, by default for the first seat the game waits for. Returns what happened, in sentences.

        A move that is not legal raises `Refusal`, with the reason and the rulebook's paragraph, and changes nothing.
        """
        events = self._match.play(self._seat(seat), move)
        told = [self.game.describe(seen(event, None), self.names, None) for event in events]
        return [sentence for sentence in told if sentence]

    def view(self, seat: int | None = None) -> Mapping[str, Any]:
        """What a seat may see; None is a spectator."""
        return self.game.view(self._match.state, seat)

    def suggest(self, player: str = "normal", seat: int | None = None) -> Named:
        """The move that a bot would make here: `random`, `easy`, `normal`, `hard`, or `hard:400` with 400 iterations.

        The bot knows only what the seat may know, and chooses the same move for the same position.
        """
        mover = self._seat(seat)
        dice = QuickDice(len(self._match.log))
        move = players.make(player).choose(self.game, self._match.state, mover, dice)
        return self.game.moves.name(move)

    def save(self, path: str | Path) -> None:
        """Write the match to a `.tour` file, a readable text that `grandtour.load` reads.

        It contains the seed, and therefore everything hidden.
        """
        Path(path).write_text(tour.save(self._match, self.names), "utf-8")

    def __repr__(self) -> str:
        now = f"result {self.result}" if self.over else f"waiting for {', '.join(map(str, self.waiting))}"
        return f"<{self.game.title}, {len(self._match.log)} moves, {now}>"

    def _seat(self, seat: int | None) -> int:
        if seat is not None:
            return seat
        waiting = self.waiting
        if not waiting:
            raise Refusal("over", "The game is over.")
        return waiting[0]


def begin(game: str, seats: int, seed: int | bytes | None, options: dict[str, Any]) -> Match:
    """A new match."""
    chance = randbits(SEED_BITS) if seed is None else seed
    played = match.Match(catalogue.game(game), seats, options, chance)
    return Match(played, [f"Player {seat + 1}" for seat in range(seats)])


def read(path: str | Path) -> Match:
    """A match from a file."""
    return Match(*tour.load(Path(path).read_text("utf-8")))
