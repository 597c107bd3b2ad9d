# compiled
"""A search without a tree. Each move is tried in the same imagined worlds, played on for a while, and valued by the
game's evaluation or by a trained network.

The move that is ranked highest is the one to beat. In each round, the worse half of the other moves is dropped. Another
move is chosen only if it did better by more than chance explains. So this search is hardly ever worse than the ranking,
while a tree with few visits can be.
"""

from math import sqrt
from time import perf_counter
from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.players.network import Network
from grandtour.players.search import MAX_DECISIONS, Candidate, imagined

WIDTH: Final = 8
MIN_WORLDS: Final = 8
"""The number of worlds needed to judge a move."""


class Option:
    """A move, and its results so far compared with those of the move to beat."""

    def __init__(self, move: int, rank: float) -> None:
        self.move: Final = move
        self.rank: Final = rank
        self.worlds: i64 = 0
        self.total: float = 0.0
        self.ahead: float = 0.0
        self.squares: float = 0.0

    def add(self, value: float, best: float) -> None:
        """Add the result in one more world, and that of the move to beat in the same world."""
        self.worlds += 1
        self.total += value
        self.ahead += value - best
        self.squares += (value - best) * (value - best)

    def min_lead(self, errors: float) -> float:
        """A lower bound of its lead over the move to beat: the mean lead minus this many standard errors."""
        if self.worlds < MIN_WORLDS:
            return -1.0
        worlds = float(self.worlds)
        mean = self.ahead / worlds
        variance = self.squares / worlds - mean * mean
        return mean - errors * sqrt((variance if variance > 0.0 else 0.0) / (worlds - 1.0))


class Lookahead:
    """Searches for one seat's best move.

    width       how many moves are tried, those that are ranked highest
    depth       how many decisions the seat makes in each world before its position is valued; in a game that defines
                `turn_begins`, the position is valued at the seat's next turn
    errors      by how many standard errors a move must be better than the one that is ranked highest
    careful     whether all seats are played on by the game's own bot, not by its quick player
    """

    def __init__(
        self,
        game: Game,
        network: Network | None,
        width: int = WIDTH,
        depth: int = 1,
        errors: float = 1.0,
        careful: bool = False,
        sees_all: bool = False,
    ) -> None:
        self.width: Final = width
        self.depth: Final = depth
        self.errors: Final = errors
        self.sees_all: Final = sees_all
        self._network: Final = network
        self._rank: Final = game.search.rank
        self._evaluate: Final = game.search.evaluate
        self._turn_begins: Final = game.search.turn_begins
        self._quick: Final = game.choose if careful else game.search.quick or game.choose

    def ponder(self, state: State, seat: int, dice: Dice, iterations: int, seconds: float = 0.0) -> list[Candidate]:
        """The moves worth considering, best first. Stops after `iterations`, or after `seconds` if given, whichever
        comes first, but tries every move in at least one world."""
        options = self._options(imagined(state, seat, dice, self.sees_all), seat)
        alive = options[:]
        rounds: i64 = 1
        while (i64(1) << rounds) < len(options):
            rounds += 1
        started = perf_counter()
        made: i64 = 0
        for past in range(rounds):
            due = iterations * (past + 1) // rounds
            until = started + seconds * float(past + 1) / float(rounds)
            while not made or (made + len(alive) <= due and (seconds <= 0.0 or perf_counter() < until)):
                number = int(dice.below(SEEDS))
                world = imagined(state, seat, QuickDice(number), self.sees_all)
                best = self._outcome(world.clone(), seat, alive[0].move, number)
                alive[0].add(best, best)
                for option in alive[1:]:
                    option.add(self._outcome(world.clone(), seat, option.move, number), best)
                made += len(alive)
            if len(alive) > 2:
                alive = [alive[0], *sorted(alive[1:], key=_best_first)[: len(alive) // 2]]
        chosen = alive[0]
        highest = 0.0
        for option in alive[1:]:
            lead = option.min_lead(self.errors)
            if lead > highest:
                highest = lead
                chosen = option
        others = sorted([option for option in options if option is not chosen], key=_best_first)
        return [
            Candidate(one.move, int(one.worlds), float(one.worlds) / float(made), one.total / float(one.worlds))
            for one in [chosen, *others]
            if one.worlds > 0
        ]

    def _options(self, world: State, seat: int) -> list[Option]:
        """The moves to try, the highest ranked first."""
        legal = world.legal(seat)
        rank = self._rank
        network = self._network
        if rank is not None:
            ranks = rank(world, seat, legal)
        else:
            assert network is not None
            ranks = network.scores(world, seat, legal)
        found = [Option(legal[i], ranks[i]) for i in range(len(legal))]
        return sorted(found, key=_by_rank)[: self.width]

    def _outcome(self, world: State, seat: int, move: int, number: int) -> float:
        """The result of a move in an imagined world, which is played on with dice seeded from this number."""
        world.play(seat, move)
        dice = QuickDice(number + 1)
        turn_begins = self._turn_begins
        left = self.depth
        for _ in range(MAX_DECISIONS):
            waiting = world.waiting()
            if not waiting:
                result = world.result()
                assert result is not None
                return result[seat]
            mover = seat if seat in waiting else waiting[0]
            if turn_begins is not None and turn_begins(world, seat):
                break
            legal = world.legal(mover)
            if len(legal) == 1:
                world.play(mover, legal[0])
                continue
            if mover == seat and turn_begins is None:
                if left <= 0:
                    break
                left -= 1
            world.play(mover, self._quick(world, mover, dice))
        evaluate = self._evaluate
        estimate = 0.5 if evaluate is None else evaluate(world)[seat]
        network = self._network
        return estimate if network is None else network.value(world, seat, estimate)


def _by_rank(option: Option) -> float:
    return -option.rank


def _best_first(option: Option) -> tuple[int, float]:
    """A sort key. The moves that were tried most often were dropped last."""
    return (-int(option.worlds), -option.total)
