#!/usr/bin/env python3
"""Learn Round Trip Italy from results alone, in one minute on one core, and plot the learning curve.

    python examples/train.py --out curve.png

Proximal policy optimization in plain numpy, on a batch of games that step together. A move's score is the sum of the
scores of its parts in this position: the verb (`lay`), and the verb with each argument (`lay Milano-Roma`). So what it
learns also applies to moves it has never played. The opponent plays at random. docs/learning.md shows the results.
"""

import argparse
import os
import time
from pathlib import Path

for library in ("OPENBLAS", "OMP", "MKL"):  # before numpy is loaded; threads that wait cost CPU time, too
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np  # noqa: E402

from grandtour import rl  # noqa: E402

HIDDEN = 96
MOVES_PER_UPDATE = 4_000
EPOCHS = 3
MINIBATCHES = 4
CLIP = 0.2
LEARNING_RATE = 0.002
ENTROPY_BONUS = 0.003  # a policy that becomes certain too early stops learning
VALUE_WEIGHT = 0.5


def parts_of(envs):
    """The numbers of each move's parts, padded with the number after the last one, and the number of parts."""
    numbers, table = {}, []
    for action in range(envs.single_action_space.n):
        move = envs.describe_action(action)
        words = [move["do"]]
        for name, value in move.items():
            values = value if isinstance(value, list) else [value]
            words += [f"{move['do']} {name} {each}" for each in values if name != "do"]
        table.append([numbers.setdefault(word, len(numbers)) for word in words])
    longest = max(map(len, table))
    return np.array([row + [len(numbers)] * (longest - len(row)) for row in table]), len(numbers)


class Policy:
    """One hidden layer that scores the parts of moves and estimates the result."""

    def __init__(self, envs, rng):
        self.parts, self.count = parts_of(envs)
        size, outputs = len(envs.maxima) + 1, self.count + 1
        self.scale = 1 / envs.maxima.astype(np.float32)
        self.weights = [
            rng.normal(0, size**-0.5, (size, HIDDEN)).astype(np.float32),
            rng.normal(0, 0.1 * HIDDEN**-0.5, (HIDDEN, outputs)).astype(np.float32),
        ]
        self.steps, self.means, self.squares = 0, *([np.zeros_like(each) for each in self.weights] for _ in range(2))

    def forward(self, observations, legal, rows):
        """The input, the hidden layer, the estimated result, and the score of each legal move of each row."""
        seen = np.hstack([observations * self.scale, np.ones((len(observations), 1), np.float32)])
        hidden = np.maximum(seen @ self.weights[0], 0)
        scores = hidden @ self.weights[1]
        values = scores[:, self.count].copy()
        scores[:, self.count] = 0  # that column is also the padding of the parts
        return seen, hidden, values, scores[rows[:, None], self.parts[legal]].sum(axis=1)

    def learn(self, batch):
        """One step of Adam, which makes moves more probable if their game went better than expected."""
        observations, legal, lengths, chosen, results, old, expected = batch
        starts = np.cumsum(lengths) - lengths
        rows = np.repeat(np.arange(len(lengths)), lengths)
        seen, hidden, values, scores = self.forward(observations, legal, rows)
        chances = softmax(scores, starts, rows)
        picked = starts + chosen
        gain = results - expected
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        ratio = chances[picked] / old
        pull = np.where((gain > 0) & (ratio > 1 + CLIP) | (gain < 0) & (ratio < 1 - CLIP), 0, gain * ratio)
        surprise = -np.log(chances + 1e-9)
        push = -chances * pull[rows]
        push[picked] += pull
        push += ENTROPY_BONUS * chances * (surprise - np.add.reduceat(chances * surprise, starts)[rows])
        # Every part of a move gets the gradient of the move.
        width = self.count + 1
        places = (rows[:, None] * width + self.parts[legal]).ravel()
        pushes = np.bincount(places, np.repeat(push, self.parts.shape[1]), len(lengths) * width)
        pushes = pushes.reshape(len(lengths), width).astype(np.float32) / len(lengths)
        pushes[:, self.count] = VALUE_WEIGHT * (results - values) / len(lengths)
        below = pushes @ self.weights[1].T * (hidden > 0)
        self.steps += 1
        for weights, mean, square, gradient in zip(
            self.weights, self.means, self.squares, (seen.T @ below, hidden.T @ pushes), strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            scale = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            weights += LEARNING_RATE * mean / (1 - 0.9**self.steps) / scale


def softmax(scores, starts, rows):
    powers = np.exp(scores - np.maximum.reduceat(scores, starts)[rows])
    return powers / np.add.reduceat(powers, starts)[rows]


def choose(policy, observations, infos, mine, rng):
    """Moves for the games in which it is the learner's turn, and for each of them the data to learn from it."""
    lengths = np.diff(infos["legal_starts"])
    legal = infos["legal"][np.repeat(mine, lengths)]
    lengths = lengths[mine]
    starts, rows = np.cumsum(lengths) - lengths, np.repeat(np.arange(len(lengths)), lengths)
    seen = observations[mine]
    _, _, values, scores = policy.forward(seen, legal, rows)
    # The maximum of the scores with Gumbel noise is a sample from their softmax.
    noisy = scores + rng.gumbel(size=len(scores))
    picked = np.flatnonzero(noisy == np.maximum.reduceat(noisy, starts)[rows])
    chances = softmax(scores, starts, rows)[picked]
    lists = np.split(legal, starts[1:])
    lessons = list(zip(seen, lists, picked - starts, chances, values, strict=True))
    return legal[picked], lessons


def update(policy, games, rng):
    """Learn from some games, in several passes."""
    lessons = [(*lesson, result) for result, moves in games for lesson in moves]
    for _ in range(EPOCHS):
        for part in np.array_split(rng.permutation(len(lessons)), MINIBATCHES):
            seen, lists, chosen, chances, values, results = zip(*(lessons[n] for n in part), strict=True)
            lengths = np.array([len(each) for each in lists])
            numbers = [np.array(each, np.float32) for each in (results, chances, values)]
            policy.learn((np.array(seen), np.concatenate(lists), lengths, np.array(chosen), *numbers))


def train(seconds, games, seed, at_once):
    """Train, and return the results of all games in order."""
    rng = np.random.default_rng(seed)
    envs = rl.vector("round-trip", at_once, seats=2, options={"turn_limit": 20}, seed=seed, masks="lists")
    policy, results, batch, lessons = Policy(envs, rng), [], [], 0
    learner = np.arange(at_once) % 2  # its seat in each of the games
    moves = [[] for _ in range(at_once)]
    observations, infos = envs.reset()
    begun = time.process_time()
    while len(results) < games and time.process_time() - begun < seconds:
        actions = envs.sample()
        mine = infos["seat"] == learner
        if mine.any():
            actions[mine], learned = choose(policy, observations, infos, mine, rng)
            for game, lesson in zip(np.flatnonzero(mine), learned, strict=True):
                moves[game].append(lesson)
        observations, rewards, ended, _, infos = envs.step(actions)
        for game in np.flatnonzero(ended):
            results.append(float(rewards[game, learner[game]]))
            batch.append((results[-1], moves[game]))
            lessons += len(moves[game])
            moves[game] = []
        if lessons >= MOVES_PER_UPDATE:
            update(policy, batch, rng)
            batch, lessons = [], 0
    return results[:games]


def draw(results, out):
    """Plot the win rate, averaged over a window."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    window = max(1, min(500, len(results) // 5))
    curve = np.convolve(results, np.ones(window) / window, "valid")
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot(np.arange(len(curve)) + window, curve)
    axes.axhline(0.5, linestyle="--", color="grey")
    axes.set(
        xlabel="games", ylabel=f"win rate, mean of {window} games", ylim=(0, 1), title="Round Trip Italy against random"
    )
    figure.savefig(out, dpi=120, bbox_inches="tight")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=60.0, help="how many CPU seconds to train")
    options.add_argument("--games", type=int, default=1_000_000, help="maximum number of games")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--at-once", type=int, default=256, help="how many games step together")
    options.add_argument("--out", type=Path, default=Path("curve.png"), help="where to save the plot")
    given = options.parse_args()
    results = train(given.seconds, given.games, given.seed, given.at_once)
    draw(results, given.out)
    tenth = max(1, len(results) // 10)
    first, last = np.mean(results[:tenth]), np.mean(results[-tenth:])
    print(f"{len(results)} games: won {first:.1%} of the first tenth and {last:.1%} of the last. See {given.out}.")


if __name__ == "__main__":
    main()
