"""The bot that every kit game has: it plays each of its moves out to the end in worlds that it imagines."""

from typing import Final

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.kit.position import Position
from grandtour.engine.playout import playout

BUDGET: Final = 4500
"""The work allowed for one choice, counted in referee checks of about 3 µs each: some 12 ms, and at most
twice that if the last world takes longest. A count gives the same choice on every machine; a time limit would not."""
WORLD_COST: Final = 20
TRIAL_COST: Final = 8
"""What it costs to imagine a world, and to copy and score one, in referee checks."""


def choose(position: Position, seat: int, dice: Dice) -> int:
    """The move with the best average outcome when everyone continues at random. All moves are tried in the same worlds,
    so that none is luckier than another. If the budget is too small to finish the game, playouts are cut off."""
    legal = position.legal(seat)
    totals = [0.0] * len(legal)
    checks = len(position.moves.choices)
    depth = BUDGET // (checks * len(legal))
    spent = world_cost = 0
    while len(legal) > 1 and spent + world_cost <= BUDGET:
        world = position.imagine(seat, QuickDice(dice.below(SEEDS)))
        seed = dice.below(SEEDS)
        before = spent
        spent += WORLD_COST
        for at, move in enumerate(legal):
            trial = world.clone()
            trial.play(seat, move)
            spent += TRIAL_COST + checks * playout(trial, QuickDice(seed), depth)
            totals[at] += outcome(trial, seat)
        world_cost = max(world_cost, spent - before)
    return legal[totals.index(max(totals))]


def outcome(position: Position, seat: int) -> float:
    """What a position is worth to a seat if the game ends here: mostly the win, plus a little for the margin."""
    winners = position.winners()
    scores = [sum(position.score(each).values()) for each in range(position.seats)]
    best = max(score for each, score in enumerate(scores) if each != seat)
    return (seat in winners) / len(winners) + 0.05 * (scores[seat] - best)


def quick(position: Position, seat: int, dice: Dice) -> int:
    """A random legal move, for playouts inside a search."""
    legal = position.legal(seat)
    return legal[dice.below(len(legal))]


def rank(position: Position, seat: int, moves: list[int]) -> list[float]:
    """The kit gives all moves the same rank."""
    return [0.0] * len(moves)
