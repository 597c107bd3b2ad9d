"""What the hard player thinks of moves that were played, knowing what their seat knew."""

from collections import Counter
from math import sqrt
from statistics import mean, stdev
from time import perf_counter
from typing import Final, NamedTuple

from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.state import State
from grandtour.players.hard import Hard
from grandtour.players.search import SEED, Candidate, Search

SHOWN: Final = 8
"""Moments of a seat that are told: those that cost most."""
VOTES: Final = 30
"""Worlds that the game's own bot is asked about."""
WORLDS: Final = 200
FEWEST: Final = 20
"""Worlds in which two moves are compared, when there is time and when there is none."""
CERTAIN: Final = 2.5
"""Standard errors by which a cost has to differ from nothing to be told."""
LEAST: Final = 0.01
"""A smaller cost is not worth telling."""


class Decision(NamedTuple):
    """A move that was one of several. `n` is its step of the replay, `imagined` what its seat could imagine then."""

    n: int
    imagined: State
    move: int


class Verdict(NamedTuple):
    """A move that is better than the one that was played, and by how much of a result."""

    better: int
    cost: float


def decisions_of(match: Match, seat: int, most: int, dice: Dice) -> list[Decision]:
    """The decisions of a seat in a match, as many as may be, spread over all of it. `dice` draw what is imagined."""
    found: list[Decision] = []
    for n, (entry, (_, _, state)) in enumerate(zip(match.log, match.steps(), strict=False), 1):
        if entry.seat == seat and seat in state.waiting() and len(state.legal(seat)) > 1:
            found.append(Decision(n, state.imagine(seat, dice), entry.move))
    if len(found) <= most:
        return found
    return [found[index * len(found) // most] for index in range(most)]


def ponder(hard: Hard, game: Game, state: State, seat: int, dice: Dice) -> tuple[bool, list[Candidate]]:
    """The moves worth a thought to the hard player, the best first; and whether they are the choices of the game's own
    bot. Then it is asked about many imagined worlds: a move's share is the part of them in which it chose it."""
    own = game.own is not None and game.own(state.imagine(seat, dice), seat)
    candidates = hard.ponder(game, state, seat, dice)
    if not own:
        return False, candidates
    until = perf_counter() + hard.seconds
    votes = Counter([candidates[0].move])
    while votes.total() < VOTES and (hard.seconds == 0 or perf_counter() < until):
        votes[hard.ponder(game, state, seat, dice)[0].move] += 1
    return True, [Candidate(move, count, count / votes.total(), 0.0) for move, count in votes.most_common()]


def judge(hard: Hard, game: Game, state: State, seat: int, played: int, dice: Dice) -> Verdict | None:
    """What the hard player would rather have done, and what the move that was played cost in the same imagined worlds;
    None where it would have done the same, or the cost is tiny or may be chance."""
    better = ponder(hard, game, state, seat, dice)[1][0].move
    if better == played:
        return None
    search, until = Search(game), perf_counter() + hard.seconds
    costs: list[float] = []
    while len(costs) < WORLDS and (hard.seconds == 0 or len(costs) < FEWEST or perf_counter() < until):
        world = dice.below(SEED)
        gained = search.expect(state, seat, better, QuickDice(world))
        costs.append(gained - search.expect(state, seat, played, QuickDice(world)))
    cost = mean(costs)
    beyond_chance = cost > CERTAIN * stdev(costs) / sqrt(len(costs))
    return Verdict(better, cost) if cost >= LEAST and beyond_chance else None
