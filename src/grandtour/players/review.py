"""Reviews moves: what the hard player thinks of them, given only what their seat knew."""

from collections import Counter
from collections.abc import Container
from itertools import pairwise
from math import sqrt
from statistics import mean, stdev
from time import perf_counter
from typing import Final, NamedTuple

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.state import State
from grandtour.players.hard import Hard, searches
from grandtour.players.search import NEVER, Search

MAX_HINTED: Final = 3
"""The maximum number of moves in a hint."""
SHOWN: Final = 8
"""How many turning points are shown per seat: those that cost most."""
VOTES: Final = 30
VOTE_TIME_SHARE: Final = 0.3
"""The number of imagined worlds in which the game's own bot chooses, and the fraction of the time for this when other
moves are compared too."""
MAX_COMPARED: Final = 4
MAX_OTHERS: Final = 2
"""How many moves are compared with the choice of the game's own bot, and how many of them are shown."""
WORLDS: Final = 200
MIN_WORLDS: Final = 20
"""The most and the fewest imagined worlds in which two moves are compared."""
MIN_CURVE_WORLDS: Final = 12
"""The fewest imagined worlds for a point of the win-chance curve."""
MAX_TURNING_POINTS: Final = 5
MIN_SWING: Final = 0.15
"""The maximum number of turning points of a curve, and the minimum change of a seat's chance at each."""
MIN_STANDARD_ERRORS: Final = 2.5
"""A cost is reported only if it is this many standard errors above zero."""
MIN_COST: Final = 0.01
"""Smaller costs are not reported."""


class Decision(NamedTuple):
    """A choice between moves. `n` is its step in the replay, `imagined` a position that its seat could imagine then."""

    n: int
    imagined: State
    move: int


class Position(NamedTuple):
    """A position of a match, after step `n` of its replay, as each seat could imagine it."""

    n: int
    imagined: list[State]


class Verdict(NamedTuple):
    """A better move than the one played, and how much of a win the played move gave away."""

    better: int
    cost: float


class Suggestion(NamedTuple):
    """A move, the share of the search spent on it, and how much of a win it gives away, if that was compared."""

    move: int
    share: float
    cost: float | None
    why: str = ""
    """A sentence about the move, if the game has one."""


class Advice(NamedTuple):
    """What the bot would do, best first, and how many times it looked ahead.

    With `from_bot`, the suggestions are the choices of the game's own bot in that many imagined worlds, followed by
    other moves with their costs.
    """

    from_bot: bool
    looked: int
    suggestions: list[Suggestion]


def decisions_of(match: Match, seat: int, limit: int, dice: Dice, skipped: Container[int] = ()) -> list[Decision]:
    """At most `limit` decisions of a seat, spread evenly over the match. Steps in `skipped` were played by another
    player. `dice` are used to imagine the positions."""
    found: list[Decision] = []
    for n, (entry, (_, _, state)) in enumerate(zip(match.log, match.steps(), strict=False), 1):
        if entry.seat == seat and n not in skipped and seat in state.waiting() and len(state.legal(seat)) > 1:
            found.append(Decision(n, state.imagine(seat, dice), entry.move))
    if len(found) <= limit:
        return found
    return [found[index * len(found) // limit] for index in range(limit)]


def positions_of(match: Match, limit: int, dice: Dice) -> list[Position]:
    """At most `limit` positions of a match, spread evenly over it, as each seat could imagine them. In a team game,
    only the first seat imagines them."""
    last = len(match.log)
    wanted = {index * last // limit for index in range(limit)} if last > limit else set(range(last))
    seats = 1 if match.game.team else match.seats
    found = []
    for n, (_, _, state) in enumerate(match.steps()):
        if n in wanted:
            found.append(Position(n, [state.imagine(seat, dice) for seat in range(seats)]))
    return found


def chances(hard: Hard, game: Game, imagined: list[State], dice: Dice) -> list[float]:
    """Each seat's own estimate of its chance to win: its average result in the worlds it can imagine."""
    search, until = Search(game), perf_counter() + hard.seconds
    won = [0.0] * len(imagined)
    worlds = 0
    while worlds < MIN_CURVE_WORLDS or (worlds < WORLDS and perf_counter() < until):
        world = dice.below(SEEDS)
        for seat, state in enumerate(imagined):
            won[seat] += search.chance(state, seat, QuickDice(world))
        worlds += 1
    return [min(1.0, max(0.0, each / worlds)) for each in won]


def turning_points(points: list[tuple[int, list[float]]]) -> list[int]:
    """The steps, in order, at which the chances changed most since the previous point."""
    changes = [
        (max(abs(now - then) for now, then in zip(after, before, strict=True)), n)
        for (_, before), (n, after) in pairwise(points)
    ]
    return sorted(n for change, n in sorted(changes, reverse=True)[:MAX_TURNING_POINTS] if change >= MIN_SWING)


def hint(hard: Hard, game: Game, state: State, seat: int, dice: Dice) -> Advice:
    """A hint for a player who asks: the best moves in the opinion of the hard player, and why."""
    from_bot, looked, suggestions = ponder(hard, game, state, seat, dice)
    why = game.why
    if why is not None:
        imagined = state.imagine(seat, dice)
        suggestions = [each._replace(why=why(imagined, seat, each.move)) for each in suggestions[:MAX_HINTED]]
    return Advice(from_bot, looked, suggestions[:MAX_HINTED])


def ponder(hard: Hard, game: Game, state: State, seat: int, dice: Dice) -> Advice:
    """What the hard player thinks of the legal moves."""
    started = perf_counter()
    if not _bot_decides(game, state, seat, dice):
        searched = hard.ponder(game, state, seat, dice)
        looked = sum(one.visits for one in searched)
        return Advice(False, looked, [Suggestion(one.move, one.share, None) for one in searched])
    votes = _votes(hard, game, state, seat, dice, VOTE_TIME_SHARE)
    looked = votes.total()
    chosen = [Suggestion(move, count / looked, None) for move, count in votes.most_common()]
    until = started + hard.seconds if hard.seconds else 0.0
    return Advice(True, looked, chosen + _others(game, state, seat, list(votes), dice, until))


def _bot_decides(game: Game, state: State, seat: int, dice: Dice) -> bool:
    """Whether the game's own bot decides here."""
    return not searches(game, state.imagine(seat, dice), seat)


def _votes(hard: Hard, game: Game, state: State, seat: int, dice: Dice, part: float = 1.0) -> Counter[int]:
    """How often the game's own bot chooses each move in many imagined worlds, using this part of the time."""
    until = perf_counter() + part * hard.seconds
    votes: Counter[int] = Counter()
    while not votes or (votes.total() < VOTES and (hard.seconds == 0 or perf_counter() < until)):
        votes.update({one.move: one.visits for one in hard.ponder(game, state, seat, dice)})
    return votes


def _others(game: Game, state: State, seat: int, chosen: list[int], dice: Dice, until: float) -> list[Suggestion]:
    """Moves that the game ranks high but its own bot did not choose, with their cost compared with its choice. The cost
    is 0 where the difference may be chance. Empty for a game without a ranking."""
    left = [move for move in state.legal(seat) if move not in chosen]
    rank = game.search.rank
    if not left or rank is None:
        return []
    ranks = rank(state.imagine(seat, dice), seat, left)
    ranked = sorted(zip(ranks, left, strict=True), reverse=True)[:MAX_COMPARED]
    tried = [move for value, move in ranked if value > NEVER]
    search = Search(game)
    costs: list[list[float]] = [[] for _ in tried]
    for _ in range(WORLDS if until else MIN_WORLDS):
        world = dice.below(SEEDS)
        gained = search.expect(state, seat, chosen[0], QuickDice(world))
        for place, move in enumerate(tried):
            costs[place].append(gained - search.expect(state, seat, move, QuickDice(world)))
        if until and perf_counter() >= until:
            break
    if not tried or len(costs[0]) < MIN_WORLDS:
        return []
    best = sorted(range(len(tried)), key=lambda place: mean(costs[place]))[:MAX_OTHERS]
    shown = [mean(costs[place]) if _beyond_chance(costs[place]) else 0.0 for place in best]
    return [Suggestion(tried[place], 0.0, cost) for place, cost in zip(best, shown, strict=True)]


def _beyond_chance(costs: list[float]) -> bool:
    return mean(costs) > MIN_STANDARD_ERRORS * stdev(costs) / sqrt(len(costs))


def judge(hard: Hard, game: Game, state: State, seat: int, played: int, dice: Dice) -> Verdict | None:
    """The move the hard player prefers, and the cost of the played move in the same imagined worlds. None if it would
    have played the same, or the cost is tiny or may be chance."""
    if _bot_decides(game, state, seat, dice):
        better = _votes(hard, game, state, seat, dice).most_common(1)[0][0]
    else:
        better = hard.ponder(game, state, seat, dice)[0].move
    if better == played:
        return None
    search, until = Search(game), perf_counter() + hard.seconds
    costs: list[float] = []
    while len(costs) < WORLDS and (hard.seconds == 0 or len(costs) < MIN_WORLDS or perf_counter() < until):
        world = dice.below(SEEDS)
        gained = search.expect(state, seat, better, QuickDice(world))
        costs.append(gained - search.expect(state, seat, played, QuickDice(world)))
    cost = mean(costs)
    return Verdict(better, cost) if cost >= MIN_COST and _beyond_chance(costs) else None
