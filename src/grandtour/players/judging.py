"""What the hard player thinks of moves that were played, knowing what their seat knew."""

from collections import Counter
from collections.abc import Container
from math import sqrt
from statistics import mean, stdev
from time import perf_counter
from typing import Final, NamedTuple

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.state import State
from grandtour.players.hard import Hard
from grandtour.players.search import NEVER, Search

SHOWN: Final = 8
"""Moments of a seat that are told: those that cost most."""
VOTES: Final = 30
VOTING: Final = 0.3
"""Worlds that the game's own bot is asked about, and the part of the time for that when others are compared too."""
TRIED: Final = 4
OTHERS: Final = 2
"""Moves that are compared with the choice of the game's own bot, and how many of them are told."""
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


class Thought(NamedTuple):
    """A move, its share of all thoughts, and the part of a result that it gives away, where that was compared."""

    move: int
    share: float
    cost: float | None


class Advice(NamedTuple):
    """What the bot would do, the best first, and how often it looked ahead. `own`: these are the choices of the game's
    own bot in so many imagined worlds, and after them others with what they cost."""

    own: bool
    looked: int
    thoughts: list[Thought]


def decisions_of(match: Match, seat: int, most: int, dice: Dice, skipped: Container[int] = ()) -> list[Decision]:
    """The decisions of a seat in a match, as many as may be, spread over all of it; those skipped, by their step, were
    somebody else's. `dice` draw what is imagined."""
    found: list[Decision] = []
    for n, (entry, (_, _, state)) in enumerate(zip(match.log, match.steps(), strict=False), 1):
        if entry.seat == seat and n not in skipped and seat in state.waiting() and len(state.legal(seat)) > 1:
            found.append(Decision(n, state.imagine(seat, dice), entry.move))
    if len(found) <= most:
        return found
    return [found[index * len(found) // most] for index in range(most)]


def ponder(hard: Hard, game: Game, state: State, seat: int, dice: Dice) -> Advice:
    """What the hard player thinks of the moves there are."""
    started = perf_counter()
    if not _own(game, state, seat, dice):
        searched = hard.ponder(game, state, seat, dice)
        looked = sum(one.visits for one in searched)
        return Advice(False, looked, [Thought(one.move, one.share, None) for one in searched])
    votes = _votes(hard, game, state, seat, dice, VOTING)
    looked = votes.total()
    chosen = [Thought(move, count / looked, None) for move, count in votes.most_common()]
    until = started + hard.seconds if hard.seconds else 0.0
    return Advice(True, looked, chosen + _others(game, state, seat, list(votes), dice, until))


def _own(game: Game, state: State, seat: int, dice: Dice) -> bool:
    """Whether the game's own bot decides here."""
    return game.own is not None and game.own(state.imagine(seat, dice), seat)


def _votes(hard: Hard, game: Game, state: State, seat: int, dice: Dice, part: float = 1.0) -> Counter[int]:
    """How often the game's own bot thought of each move in many imagined worlds, in a part of the time."""
    until = perf_counter() + part * hard.seconds
    votes: Counter[int] = Counter()
    while not votes or (votes.total() < VOTES and (hard.seconds == 0 or perf_counter() < until)):
        votes.update({one.move: one.visits for one in hard.ponder(game, state, seat, dice)})
    return votes


def _others(game: Game, state: State, seat: int, chosen: list[int], dice: Dice, until: float) -> list[Thought]:
    """Moves that the game ranks high though its own bot did not choose them, with what they cost against its choice:
    nothing where that may be chance. A game without a ranking has none."""
    left = [move for move in state.legal(seat) if move not in chosen]
    if not left or game.rank is None:
        return []
    ranks = game.rank(state.imagine(seat, dice), seat, left)
    tried = [move for rank, move in sorted(zip(ranks, left, strict=True), reverse=True) if rank > NEVER][:TRIED]
    search = Search(game)
    costs: list[list[float]] = [[] for _ in tried]
    for _ in range(WORLDS if until else FEWEST):
        world = dice.below(SEEDS)
        gained = search.expect(state, seat, chosen[0], QuickDice(world))
        for place, move in enumerate(tried):
            costs[place].append(gained - search.expect(state, seat, move, QuickDice(world)))
        if until and perf_counter() >= until:
            break
    if not tried or len(costs[0]) < FEWEST:
        return []
    best = sorted(range(len(tried)), key=lambda place: mean(costs[place]))[:OTHERS]
    return [Thought(tried[place], 0.0, mean(costs[place]) if _beyond_chance(costs[place]) else 0.0) for place in best]


def _beyond_chance(costs: list[float]) -> bool:
    return mean(costs) > CERTAIN * stdev(costs) / sqrt(len(costs))


def judge(hard: Hard, game: Game, state: State, seat: int, played: int, dice: Dice) -> Verdict | None:
    """What the hard player would rather have done, and what the move that was played cost in the same imagined worlds;
    None where it would have done the same, or the cost is tiny or may be chance."""
    if _own(game, state, seat, dice):
        better = _votes(hard, game, state, seat, dice).most_common(1)[0][0]
    else:
        better = hard.ponder(game, state, seat, dice)[0].move
    if better == played:
        return None
    search, until = Search(game), perf_counter() + hard.seconds
    costs: list[float] = []
    while len(costs) < WORLDS and (hard.seconds == 0 or len(costs) < FEWEST or perf_counter() < until):
        world = dice.below(SEEDS)
        gained = search.expect(state, seat, better, QuickDice(world))
        costs.append(gained - search.expect(state, seat, played, QuickDice(world)))
    cost = mean(costs)
    return Verdict(better, cost) if cost >= LEAST and _beyond_chance(costs) else None
