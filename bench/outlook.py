"""Fits the weights with which hard evaluates a morning of The Journey: Istanbul, and writes them to outlook.json.

`python -m bench.outlook` plays `normal` against itself, with two to five players, with and without a winner. One
decision in twelve is random, so that unusual positions are covered too. Every morning is recorded together with how
the game ended. Who wins, or that nobody does, is fitted as one choice among the players and nobody (a conditional
logit); in games without a winner, who gets out is fitted player by player. One game in five is held out to evaluate the
weights.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.games.journey_istanbul.mechanics.moves import TALK
from grandtour.games.journey_istanbul.parts import MAX_SEATS, OUT
from grandtour.games.journey_istanbul.rules import STEP_MOVE, State
from grandtour.games.journey_istanbul.search import N_FIGURES, Morning
from grandtour.players import speakers

WEIGHTS: Final = Path(__file__).parents[1] / "src/grandtour/games/journey_istanbul/strategy/outlook.json"
MIN_SEATS: Final = 2
RANDOM_ONE_IN: Final = 12
HELD_OUT_ONE_IN: Final = 5
RIDGE: Final = 1.0
"""The strength of the ridge penalty on the weights, in observations."""
NEWTON_STEPS: Final = 12

Numbers = NDArray[np.float64]


class Dataset(NamedTuple):
    """Observed mornings: the features of each choice, whether the choice exists, and its share of the outcome."""

    figures: Numbers
    there: NDArray[np.bool_]
    came: Numbers


def chances(weights: Numbers, seen: Dataset) -> Numbers:
    """The probability of each choice under these weights."""
    promise = np.where(seen.there, seen.figures @ weights, -np.inf)
    shares = np.exp(promise - promise.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def fit(seen: Dataset) -> Numbers:
    """The maximum-likelihood weights with a ridge penalty, by Newton's method."""
    size = seen.figures.shape[2]
    weights = np.zeros(size)
    for _ in range(NEWTON_STEPS):
        expected = chances(weights, seen)
        slope = np.einsum("na,nak->k", seen.came - expected * seen.came.sum(axis=1, keepdims=True), seen.figures)
        mean = np.einsum("na,nak->nk", expected, seen.figures)
        flat = seen.figures.reshape(-1, size)
        bend = flat.T @ (flat * expected.reshape(-1, 1)) - mean.T @ mean
        weights += np.linalg.solve(bend + RIDGE * np.eye(size), slope - RIDGE * weights)
    return weights


def error(seen: Dataset, expected: Numbers, choices: int) -> float:
    """The mean squared error of the predictions for the first `choices` choices."""
    there = seen.there[:, :choices]
    return float(np.mean(((expected - seen.came)[:, :choices] ** 2)[there]))


def mornings(seats: int, winner: str, seed: int) -> tuple[list[tuple[State, Morning]], list[float]]:
    """Play a game of `normal` against itself: its mornings and its result."""
    game = catalogue.game("journey-istanbul")
    state = game.new(seats, {"winner": winner, "start": "random"}, QuickDice(seed))
    assert isinstance(state, State)
    dice = QuickDice(seed + 1)
    found: list[tuple[State, Morning]] = []
    day = 0
    while waiting := speakers(game, state, ["normal"] * seats)[:1] or state.waiting():
        if state.step == STEP_MOVE and state.turn == state.starter and state.day > day:
            day = int(state.day)
            copy = state.clone()
            found.append((copy, Morning(copy)))
        seat = waiting[0]
        plain = [move for move in state.legal(seat) if move < TALK]
        if plain and dice.below(RANDOM_ONE_IN) == 0:
            state.play(seat, plain[dice.below(len(plain))])
        else:
            state.play(seat, game.choose(state.imagine(seat, dice), seat, dice))
    result = state.result()
    assert result is not None
    return found, result


def winner_data(seats: int, seed: int) -> Iterator[tuple[Numbers, NDArray[np.bool_], Numbers]]:
    """The mornings of a game with a winner: each seat is a choice, and "nobody" is the last choice."""
    found, result = mornings(seats, "richest", seed)
    for state, morning in found:
        figures = np.zeros((MAX_SEATS + 1, N_FIGURES + MAX_SEATS))
        there = np.zeros(MAX_SEATS + 1, np.bool_)
        came = np.zeros(MAX_SEATS + 1)
        for seat in range(seats):
            figures[seat, :N_FIGURES] = morning.figures(seat)
            there[seat] = state.place[seat] != OUT or float(state.money[seat]) >= morning.best_out
        came[:seats] = result
        there[MAX_SEATS] = morning.best_out < 0.0
        came[MAX_SEATS] = 1.0 - sum(result)
        figures[MAX_SEATS, N_FIGURES] = morning.end - morning.day
        figures[MAX_SEATS, N_FIGURES + seats - 1] = 1.0
        yield figures, there, came


def escape_data(seats: int, seed: int) -> Iterator[tuple[Numbers, NDArray[np.bool_], Numbers]]:
    """The mornings of a game without a winner: each seat gets out or does not."""
    found, result = mornings(seats, "none", seed)
    for state, morning in found:
        for seat in range(seats):
            if state.place[seat] != OUT:
                figures = np.zeros((2, N_FIGURES))
                figures[0] = morning.figures(seat)
                yield figures, np.ones(2, np.bool_), np.array([result[seat], 1.0 - result[seat]])


def gather(kind: str, games: range, seed: int) -> Dataset:
    of_a_game = winner_data if kind == "win" else escape_data
    rows = [row for n in games for row in of_a_game(MIN_SEATS + n % (MAX_SEATS - MIN_SEATS + 1), seed + 2 * n)]
    return Dataset(*(np.array(column) for column in zip(*rows, strict=True)))


def fitted(kind: str, games: int, seed: int) -> tuple[Numbers, float, float]:
    """The weights, and the mean squared errors of the weights and of a constant on held-out games."""
    held_out_games = games // HELD_OUT_ONE_IN
    seen = gather(kind, range(games - held_out_games), seed)
    weights = fit(seen)
    choices = MAX_SEATS if kind == "win" else 1
    constant = np.full_like(seen.came, seen.came[:, :choices][seen.there[:, :choices]].mean())
    del seen
    held_out = gather(kind, range(games - held_out_games, games), seed)
    return (
        weights,
        error(held_out, chances(weights, held_out), choices),
        error(held_out, constant[: len(held_out.came)], choices),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights for The Journey: Istanbul again.")
    parser.add_argument("--games", type=int, default=6000, help="games of each kind, with and without a winner")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    data = json.loads(WEIGHTS.read_text("utf-8"))
    names = list(data["win"])
    win, win_error, win_constant = fitted("win", args.games, args.seed)
    out, out_error, out_constant = fitted("out", args.games, args.seed)
    players = [f"{players} players" for players in range(MIN_SEATS, MAX_SEATS + 1)]
    nobody = ["days left", *players]
    about = (
        f"The weights of the figures in search.py. Fitted by `python -m bench.outlook --games {args.games}"
        f" --seed {args.seed}` on games of normal; on held-out games the mean squared error is"
        f" {win_error:.3f} where a constant has {win_constant:.3f} (who wins), and {out_error:.3f} where a constant has"
        f" {out_constant:.3f} (who gets out, where nobody wins)."
    )
    weights = {
        "about": about,
        "win": dict(zip(names, _round(win[:N_FIGURES]), strict=True)),
        "nobody": dict(zip(nobody, _round(win[N_FIGURES:]), strict=True)),
        "out": dict(zip(names, _round(out), strict=True)),
    }
    WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", "utf-8")
    print(about)


def _round(weights: Numbers) -> list[float]:
    return [round(float(weight), 3) + 0.0 for weight in weights]


if __name__ == "__main__":
    main()
