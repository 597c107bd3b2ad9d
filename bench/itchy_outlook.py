"""Fits the weights with which hard evaluates positions of Itchy Feet, and writes them to outlook.json.

`python -m bench.itchy_outlook` plays `normal` against itself, with three to six players and classic rules. Positions at
the start of turns are recorded with who won, and fitted as a choice among the players (a conditional logit), for each
number of players. One game in five is held out to evaluate the weights.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.options import check_options
from grandtour.games.itchy_feet.rules import State
from grandtour.games.itchy_feet.state import ACT
from grandtour.games.itchy_feet.strategy.evaluation import evaluate
from grandtour.games.itchy_feet.strategy.outlook import FEATURES, features

WEIGHTS = Path(__file__).parents[1] / "src/grandtour/games/itchy_feet/strategy/outlook.json"
ONE_TURN_IN = 3
HELD_OUT_ONE_IN = 5
RIDGE = 2.0
NEWTON_STEPS = 12

Numbers = NDArray[np.float64]


def play(seats: int, number: int) -> tuple[list[Numbers], list[list[float]], list[float]]:
    """The features of all seats at the start of some turns of a game, their present evaluations, and the result."""
    game = catalogue.game("itchy-feet")
    options = check_options(game.options, {})
    state = game.new(seats, options, QuickDice(number))
    dice = QuickDice(number + 1)
    rows: list[Numbers] = []
    before: list[list[float]] = []
    turn = 0
    while waiting := state.waiting():
        seat = waiting[0]
        assert isinstance(state, State)
        if state.step == ACT and not state.offers and not state.acted:
            turn += 1
            if turn % ONE_TURN_IN == number % ONE_TURN_IN:
                row = np.zeros((seats, int(FEATURES)))
                for other in range(seats):
                    row[other, [int(index) for index in features(state, other)]] = 1
                rows.append(row)
                before.append(evaluate(state))
        state.play(seat, game.choose(state.imagine(seat, dice), seat, dice))
    result = state.result()
    assert result is not None
    return rows, before, result


def predict(rows: Numbers, weights: Numbers) -> Numbers:
    values = rows @ weights
    likely = np.exp(values - values.max(axis=1, keepdims=True))
    chances: Numbers = likely / likely.sum(axis=1, keepdims=True)
    return chances


def log_loss(chances: Numbers, results: Numbers) -> float:
    return float(-(results * np.log(chances + 1e-9)).sum(axis=1).mean())


def fit(rows: Numbers, results: Numbers) -> Numbers:
    """The weights with the highest likelihood, by Newton's method."""
    weights = np.zeros(rows.shape[2])
    for _ in range(NEWTON_STEPS):
        chances = predict(rows, weights)
        slope = ((chances - results)[:, :, None] * rows).sum(axis=(0, 1)) + RIDGE * weights
        curve = RIDGE * np.eye(len(weights))
        for seat in range(rows.shape[1]):
            curve += (rows[:, seat] * chances[:, seat, None]).T @ rows[:, seat]
        expected = (chances[:, :, None] * rows).sum(axis=1)
        curve -= expected.T @ expected
        weights -= np.linalg.solve(curve, slope)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.itchy_outlook", description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=4000, help="games for each and set of cards")
    args = parser.parse_args()
    found: dict[str, list[float]] = {}
    for seats in range(3, 7):
        held_out: list[bool] = []
        rows: list[Numbers] = []
        before: list[list[float]] = []
        results: list[list[float]] = []
        for number in range(args.games):
            some, evaluated, result = play(seats, number)
            rows += some
            before += evaluated
            results += [result] * len(some)
            held_out += [number % HELD_OUT_ONE_IN == 0] * len(some)
        test = np.array(held_out)
        x, y = np.array(rows), np.array(results)
        weights = fit(x[~test], y[~test])
        found[str(seats)] = [round(float(weight), 3) for weight in weights]
        new, old = (log_loss(chances, y[test]) for chances in (predict(x[test], weights), np.array(before)[test]))
        print(f"{seats} players, {len(x):,} positions: log loss {new:.4f}, by evaluate {old:.4f}", flush=True)
    text = f"conditional logit of who won, on {args.games} games of normal for each number of players"
    WEIGHTS.write_text(json.dumps({"from": text, "weights": found}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
