"""The player that comes with every kit game: it plays each of its moves out in worlds that it imagines."""

from typing import Final

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.kit.view import ours
from grandtour.engine.playout import playout
from grandtour.engine.state import State

BUDGET: Final = 400
"""Decisions that are played out for one move."""


def choose(state: State, seat: int, dice: Dice) -> int:
    """The move that comes out best on average when everybody plays on at random. Every move is tried in the same
    worlds, so that luck favours none."""
    legal = state.legal(seat)
    totals = [0.0] * len(legal)
    spent = 0
    while len(legal) > 1 and spent < BUDGET:
        world = state.imagine(seat, QuickDice(dice.below(SEEDS)))
        seed = dice.below(SEEDS)
        for at, move in enumerate(legal):
            trial = world.clone()
            trial.play(seat, move)
            spent += 1 + playout(trial, QuickDice(seed))
            totals[at] += outcome(trial, seat)
    return legal[totals.index(max(totals))]


def outcome(state: State, seat: int) -> float:
    """What the end of a game is worth to a seat: above all to win, but also by how much."""
    position = ours(state)
    result = position.result()
    assert result is not None
    scores = [sum(position.score(each).values()) for each in range(position.seats)]
    best = max(score for each, score in enumerate(scores) if each != seat)
    return result[seat] + 0.05 * (scores[seat] - best)


def quick(state: State, seat: int, dice: Dice) -> int:
    """Any legal move, for playing on inside a search."""
    legal = state.legal(seat)
    return legal[dice.below(len(legal))]


def rank(state: State, seat: int, moves: list[int]) -> list[float]:
    """No move looks better than another at first sight."""
    return [0.0] * len(moves)
