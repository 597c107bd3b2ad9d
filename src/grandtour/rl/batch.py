# compiled
"""Many games that run together: one call makes a move in each and writes the next seat's observation."""

from collections.abc import Callable
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.state import State
from grandtour.rl.encoder import Encoder

STREAMS: Final = 1 << 32
"""The number of games in a batch whose dice differ for every seed."""
DENSE: Final = 60
"""If more than one in this many moves is legal, whole masks are cleared instead of single moves."""


class Batch:
    """Several games at the same time. A game that ends is replaced by a new one at once.

    All lists are flat, with one row per game, and are written in place: `observations` (set them to zero before a
    step), `masks` (one byte per move; empty if not wanted; if `many_legal`, set them to zero, too), `acting` (the seat
    to act), `rewards` (one number per seat), `over` (whether the last step ended a game), `estimates` (of the acting
    seats' results), and `actions`, which `sample` or `choose` writes and `step` plays.
    """

    def __init__(
        self, deal: Callable[[Dice], State], encoder: Encoder, seats: int, moves: int, count: int, masked: bool
    ) -> None:
        self.deal = deal
        self.encoder = encoder
        self.seats: i64 = seats
        self.moves: i64 = moves
        self.count: i64 = count
        self.masked = masked
        self.many_legal = False  # then it is quicker to clear whole masks than the moves that were legal
        self.listed: i64 = 0
        self.states: list[State] = []
        self.legal: list[list[int]] = [[] for _ in range(count)]
        self.deals: list[QuickDice] = []
        self.choices: list[QuickDice] = []
        self.observations = vec[u8](bytes(count * int(encoder.size)))
        self.masks = vec[u8](bytes(count * moves if masked else 0))
        self.acting = vec[i64]([0] * count)
        self.rewards = vec[float]([0.0] * (count * seats))
        self.over = vec[u8](bytes(count))
        self.actions = vec[i64]([0] * count)
        self.estimates = vec[float]([0.0] * count)
        self.starts = vec[i64]([0] * (count + 1))
        self.flat = vec[i64]([0] * count)

    def reset(self, seed: int, first: int) -> None:
        """Deal all games. The dice of each depend on the seed and on its number, counted from `first`."""
        self.many_legal = False
        self.deals = [QuickDice(2 * (seed * STREAMS + first + game)) for game in range(self.count)]
        self.choices = [QuickDice(2 * (seed * STREAMS + first + game) + 1) for game in range(self.count)]
        self.states = [self._dealt(game) for game in range(self.count)]
        for game in range(self.count):
            self._clear(game)
            self._turn(game, -1, self.states[game].waiting())

    def step(self) -> None:
        """Play `actions`, which must be legal."""
        self.listed = 0
        for game in range(self.count):
            if self.over[game]:
                self._clear(game)
            state = self.states[game]
            seat = self.acting[game]
            state.play(seat, self.actions[game])
            waiting = state.waiting()
            if waiting:
                self._turn(game, seat, waiting)
            else:
                self._finish(game, state)
        self.many_legal = self.listed * DENSE > self.moves * self.count

    def sample(self) -> None:
        """Write a random legal move for each game into `actions`."""
        for game in range(self.count):
            legal = self.legal[game]
            self.actions[game] = legal[self.choices[game].below(len(legal))]

    def choose(self, choose: Callable[[State, int, Dice], int]) -> None:
        """Write the move of the game's own bot for each game into `actions`. It knows only what its seat may know."""
        for game in range(self.count):
            legal = self.legal[game]
            if len(legal) == 1:
                self.actions[game] = legal[0]
            else:
                seat = int(self.acting[game])
                dice = self.choices[game]
                self.actions[game] = choose(self.states[game].imagine(seat, dice), seat, dice)

    def estimate(self, evaluate: Callable[[State], list[float]]) -> None:
        """Write the expected result of each acting seat to `estimates`, by the game's evaluation. It sees all cards."""
        for game in range(self.count):
            self.estimates[game] = evaluate(self.states[game])[int(self.acting[game])]

    def list_legal(self) -> None:
        """Write the legal moves of all games into `flat`; those of a game begin at `starts[game]`."""
        end: i64 = 0
        for game in range(self.count):
            self.starts[game] = end
            end += len(self.legal[game])
        self.starts[self.count] = end
        if end > len(self.flat):
            self.flat = vec[i64]([0] * (2 * end))
        place: i64 = 0
        for moves in self.legal:
            for move in moves:
                self.flat[place] = move
                place += 1

    def _dealt(self, game: i64) -> State:
        return self.deal(QuickDice(int(self.deals[game].below(SEEDS))))

    def _clear(self, game: i64) -> None:
        """Clear the result of the last game."""
        self.over[game] = 0
        for seat in range(self.seats):
            self.rewards[self.seats * game + seat] = 0.0

    def _finish(self, game: i64, state: State) -> None:
        """End a game: write its result and deal the next one."""
        result = state.result()
        if result is None:
            raise AssertionError("nobody is to move, but the game is not over")
        for seat in range(self.seats):
            self.rewards[self.seats * game + seat] = result[seat]
        self.over[game] = 1
        self.states[game] = self._dealt(game)
        self._turn(game, -1, self.states[game].waiting())

    def _turn(self, game: i64, last: i64, waiting: list[int]) -> None:
        """Find the seat that acts next, and write its observation and legal moves."""
        seat = next_of(waiting, last, self.seats)
        state = self.states[game]
        legal = state.legal(seat)
        if self.masked:
            masks = self.masks
            row = self.moves * game
            if not self.many_legal:
                for move in self.legal[game]:
                    masks[row + move] = 0
            for move in legal:
                masks[row + move] = 1
        self.legal[game] = legal
        self.listed += len(legal)
        self.acting[game] = seat
        self.encoder.encode(state, seat, self.observations, self.encoder.size * game)


def next_of(waiting: list[int], last: i64, seats: i64) -> i64:
    """The seat that acts next: the first one, clockwise from the seat that acted last, that the game is waiting for.

    So simultaneous choices are made one after another. No seat sees another's choice early, because views show the
    choices only after all have been made.
    """
    if len(waiting) == 1:
        return waiting[0]
    best: i64 = waiting[0]
    nearest = seats
    for each in waiting:
        seat: i64 = each
        away = (seat - last - 1 + seats) % seats
        if away < nearest:
            nearest = away
            best = seat
    return best
