#!/usr/bin/env python3
"""Learn Round Trip Italy from nothing but its results, in about a minute on one core, and draw the curve.

    python examples/train.py --out curve.png

Policy gradient (REINFORCE) with numpy alone. A move's score is the sum of what its parts are worth in this position:
the verb (`lay`), and the verb with each argument (`lay Milano-Roma`). So a move that was never played before is not
unknown. The opponent plays at random. docs/learning.md says what comes of it.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from grandtour import rl

BATCH = 16
RATE = 0.003
HOPE_RATE = 0.01
LENIENCE = 0.005  # how much variety is worth: a policy that is sure too early learns nothing more


def parts_of(env):
    """For each move of the game the numbers of its parts, and how many parts there are."""
    numbers, table = {}, []
    for action in range(env.game.moves.size):
        move = env.describe_action(action)
        words = [move["do"]]
        for name, value in move.items():
            values = value if isinstance(value, list) else [value]
            words += [f"{move['do']} {name} {each}" for each in values if name != "do"]
        table.append([numbers.setdefault(word, len(numbers)) for word in words])
    return table, len(numbers)


class Policy:
    """Chances of moves from what each part of a move is worth, which is linear in the observation."""

    def __init__(self, env, rng):
        self.parts, count = parts_of(env)
        self.worth = np.zeros((count, len(env.describe_observation()) + 1), np.float32)
        self.hope = np.zeros(self.worth.shape[1], np.float32)  # the result to expect, linear in the observation too
        self.rng = rng
        self.steps, self.mean, self.square = 0, np.zeros_like(self.worth), np.zeros_like(self.worth)

    def choose(self, seen, legal):
        """A move, and what there is to learn from it later."""
        sums = np.zeros((len(legal), len(self.worth)), np.float32)
        for row, action in enumerate(legal):
            np.add.at(sums[row], self.parts[action], 1)
        used = np.flatnonzero(sums.any(axis=0))
        sums = sums[:, used]
        seen = np.append(seen, np.float32(1))
        scores = sums @ (self.worth[used] @ seen)
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        row = self.rng.choice(len(legal), p=chances)
        return legal[row], (seen, used, sums, chances, row)

    def learn(self, games):
        """Make the moves of games that went better than hoped more likely, and those of the others less (with Adam)."""
        slope = np.zeros_like(self.worth)
        for result, moves in games:
            for seen, used, sums, chances, row in moves:
                advantage = result - 0.5 - self.hope @ seen
                self.hope += HOPE_RATE * advantage * seen / (seen @ seen)
                toward = -chances * advantage
                toward[row] += advantage
                surprise = -np.log(chances + 1e-9)
                toward += LENIENCE * chances * (surprise - chances @ surprise)
                slope[used] += np.outer(toward @ sums, seen)
        self.steps += 1
        slope /= len(games)
        self.mean += 0.1 * (slope - self.mean)
        self.square += 0.001 * (slope**2 - self.square)
        scale = np.sqrt(self.square / (1 - 0.999**self.steps)) + 1e-8
        self.worth += RATE * self.mean / (1 - 0.9**self.steps) / scale


def play(env, policy, seat, rng, seed):
    """One game of the policy in this seat against chance: its result, and what there is to learn."""
    env.reset(seed=seed)
    moves = []
    while not any(env.terminations.values()):
        agent = env.agent_selection
        legal = np.flatnonzero(env.infos[agent]["action_mask"])
        if agent == f"seat_{seat}" and len(legal) > 1:
            action, lesson = policy.choose(env.observe(agent)["observation"], legal)
            moves.append(lesson)
        else:
            action = rng.choice(legal)
        env.step(int(action))
    return env.rewards[f"seat_{seat}"], moves


def train(seconds, games, seed):
    """The results of all games in their order."""
    rng = np.random.default_rng(seed)
    env = rl.Environment("round-trip", seats=2, options={"turn_limit": 20})
    policy, results, batch = Policy(env, rng), [], []
    begun = time.monotonic()
    while len(results) < games and time.monotonic() - begun < seconds:
        result, moves = play(env, policy, len(results) % 2, rng, seed * 1_000_000 + len(results))
        results.append(result)
        batch.append((result, moves))
        if len(batch) == BATCH:
            policy.learn(batch)
            batch = []
    return results


def draw(results, out):
    """The rate of wins, averaged over a window."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    window = max(1, min(100, len(results) // 5))
    curve = np.convolve(results, np.ones(window) / window, "valid")
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot(np.arange(len(curve)) + window, curve)
    axes.axhline(0.5, linestyle="--", color="grey")
    axes.set(
        xlabel="games", ylabel=f"wins, mean of {window} games", ylim=(0, 1), title="Round Trip Italy against chance"
    )
    figure.savefig(out, dpi=120, bbox_inches="tight")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=60.0, help="how long to learn")
    options.add_argument("--games", type=int, default=100_000, help="how many games at most")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=Path("curve.png"), help="where to draw the curve")
    given = options.parse_args()
    results = train(given.seconds, given.games, given.seed)
    draw(results, given.out)
    tenth = max(1, len(results) // 10)
    first, last = np.mean(results[:tenth]), np.mean(results[-tenth:])
    print(f"{len(results)} games: {first:.1%} of the first tenth won, {last:.1%} of the last. {given.out}")


if __name__ == "__main__":
    main()
