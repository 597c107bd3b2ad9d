"""Fits the weights by which a searching player judges a morning of The Journey: Istanbul, and writes them again.

`python -m bench.outlook` plays the sensible player against its like, with two to five players, with a winner and
without, one decision in twelve at random so that odd positions are seen too. Every morning is kept with how the game
ended. Who wins, or that nobody does, is fitted as one choice among the players and nobody (a conditional logit); who
gets out, where nobody wins, player by player. One game in five is kept apart to say how good the weights are.
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
from grandtour.games.journey_istanbul.board import OUT
from grandtour.games.journey_istanbul.moves import TALK
from grandtour.games.journey_istanbul.outlook import FIGURES, Morning
from grandtour.games.journey_istanbul.parts import MOST_SEATS
from grandtour.games.journey_istanbul.rules import STEP_MOVE, State
from grandtour.players import speakers

WEIGHTS: Final = Path(__file__).parents[1] / "src/grandtour/games/journey_istanbul/outlook.json"
FEWEST: Final = 2
AT_RANDOM: Final = 12
APART: Final = 5
RIDGE: Final = 1.0
"""How strongly a weight is drawn to nothing, in sightings."""
STEPS: Final = 12

Numbers = NDArray[np.float64]


class Sightings(NamedTuple):
    """Mornings: the figures of each choice, whether there is such a choice, and how far each came true."""

    figures: Numbers
    there: NDArray[np.bool_]
    came: Numbers


def chances(weights: Numbers, seen: Sightings) -> Numbers:
    """How likely each choice is, by these weights."""
    promise = np.where(seen.there, seen.figures @ weights, -np.inf)
    shares = np.exp(promise - promise.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def fit(seen: Sightings) -> Numbers:
    """The weights under which what came true was likeliest, by Newton's method."""
    size = seen.figures.shape[2]
    weights = np.zeros(size)
    for _ in range(STEPS):
        expected = chances(weights, seen)
        slope = np.einsum("na,nak->k", seen.came - expected * seen.came.sum(axis=1, keepdims=True), seen.figures)
        mean = np.einsum("na,nak->nk", expected, seen.figures)
        flat = seen.figures.reshape(-1, size)
        bend = flat.T @ (flat * expected.reshape(-1, 1)) - mean.T @ mean
        weights += np.linalg.solve(bend + RIDGE * np.eye(size), slope - RIDGE * weights)
    return weights


def error(seen: Sightings, expected: Numbers, choices: int) -> float:
    """The mean squared error of what was expected of the first choices."""
    there = seen.there[:, :choices]
    return float(np.mean(((expected - seen.came)[:, :choices] ** 2)[there]))


def mornings(seats: int, winner: str, seed: int) -> tuple[list[tuple[State, Morning]], list[float]]:
    """A game of the sensible player against its like: its mornings, and its result."""
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
        if plain and dice.below(AT_RANDOM) == 0:
            state.play(seat, plain[dice.below(len(plain))])
        else:
            state.play(seat, game.choose(state.imagine(seat, dice), seat, dice))
    result = state.result()
    assert result is not None
    return found, result


def to_win(seats: int, seed: int) -> Iterator[tuple[Numbers, NDArray[np.bool_], Numbers]]:
    """The mornings of a game with a winner: each seat is a choice, and nobody is the last."""
    found, result = mornings(seats, "richest", seed)
    for state, morning in found:
        figures = np.zeros((MOST_SEATS + 1, FIGURES + MOST_SEATS))
        there = np.zeros(MOST_SEATS + 1, np.bool_)
        came = np.zeros(MOST_SEATS + 1)
        for seat in range(seats):
            figures[seat, :FIGURES] = morning.figures(seat)
            there[seat] = state.place[seat] != OUT or float(state.money[seat]) >= morning.best_out
        came[:seats] = result
        there[MOST_SEATS] = morning.best_out < 0.0
        came[MOST_SEATS] = 1.0 - sum(result)
        figures[MOST_SEATS, FIGURES] = morning.end - morning.day
        figures[MOST_SEATS, FIGURES + seats - 1] = 1.0
        yield figures, there, came


def to_get_out(seats: int, seed: int) -> Iterator[tuple[Numbers, NDArray[np.bool_], Numbers]]:
    """The mornings of a game without a winner: each seat gets out, or does not."""
    found, result = mornings(seats, "none", seed)
    for state, morning in found:
        for seat in range(seats):
            if state.place[seat] != OUT:
                figures = np.zeros((2, FIGURES))
                figures[0] = morning.figures(seat)
                yield figures, np.ones(2, np.bool_), np.array([result[seat], 1.0 - result[seat]])


def gather(kind: str, games: range, seed: int) -> Sightings:
    of_a_game = to_win if kind == "win" else to_get_out
    rows = [row for n in games for row in of_a_game(FEWEST + n % (MOST_SEATS - FEWEST + 1), seed + 2 * n)]
    return Sightings(*(np.array(column) for column in zip(*rows, strict=True)))


def fitted(kind: str, games: int, seed: int) -> tuple[Numbers, float, float]:
    """The weights; then on games kept apart their mean squared error, and that of a constant."""
    kept = games // APART
    seen = gather(kind, range(games - kept), seed)
    weights = fit(seen)
    choices = MOST_SEATS if kind == "win" else 1
    constant = np.full_like(seen.came, seen.came[:, :choices][seen.there[:, :choices]].mean())
    del seen
    apart = gather(kind, range(games - kept, games), seed)
    return weights, error(apart, chances(weights, apart), choices), error(apart, constant[: len(apart.came)], choices)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of The Journey: Istanbul again.")
    parser.add_argument("--games", type=int, default=6000, help="of each kind, with a winner and without")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    data = json.loads(WEIGHTS.read_text("utf-8"))
    names = list(data["win"])
    win, win_error, win_constant = fitted("win", asked.games, asked.seed)
    out, out_error, out_constant = fitted("out", asked.games, asked.seed)
    players = [f"{players} players" for players in range(FEWEST, MOST_SEATS + 1)]
    nobody = ["days left", *players]
    told = (
        f"How much each figure of outlook.py says. Fitted by `python -m bench.outlook --games {asked.games}"
        f" --seed {asked.seed}` on games of the sensible player; on games kept apart the mean squared error is"
        f" {win_error:.3f} where a constant has {win_constant:.3f} (who wins), and {out_error:.3f} where a constant has"
        f" {out_constant:.3f} (who gets out, where nobody wins)."
    )
    weights = {
        "about": told,
        "win": dict(zip(names, _round(win[:FIGURES]), strict=True)),
        "nobody": dict(zip(nobody, _round(win[FIGURES:]), strict=True)),
        "out": dict(zip(names, _round(out), strict=True)),
    }
    WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", "utf-8")
    print(told)


def _round(weights: Numbers) -> list[float]:
    return [round(float(weight), 3) + 0.0 for weight in weights]


if __name__ == "__main__":
    main()
