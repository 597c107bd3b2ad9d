"""Plays the games to learn from: games of the game's own bot, or of the network against itself."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from grandtour.engine.dice import SEEDS, QuickDice
from grandtour.engine.options import Options
from grandtour.rl.model import Lessons, Model
from grandtour.rl.vector_env import VectorEnvironment, vector

Array = NDArray[Any]
MAX_ENVS: Final = 64
"""The maximum number of games that step together."""
RANDOM_MOVE_RATE: Final = 0.1
"""The rate of random moves in games of the game's own bot, so that the network also sees other positions."""
MAX_LESSONS: Final = 40_000
"""The maximum number of decisions per round to learn from."""


class Table(NamedTuple):
    """The game, seats and options that are played."""

    game: str
    seats: int
    options: Options


class _Decision(NamedTuple):
    observation: Array
    legal: Array
    seat: int
    move: int
    chosen: int
    """The index of the move in `legal`; -1 for a random move, which is not to be learned."""
    estimate: float
    chance: float
    value: float


def play(table: Table, games: int, seed: int, model: Model | None) -> Lessons:
    """Play games with the model in all seats, or with the game's own bot if the model is None. The same seed gives the
    same lessons."""
    at_once = min(MAX_ENVS, games)
    rounds = -(-games // at_once)
    envs = vector(table.game, at_once, table.seats, table.options, seed, masks="lists")
    rng = np.random.default_rng(seed)
    pending: list[list[_Decision]] = [[] for _ in range(at_once)]
    found: list[tuple[_Decision, float]] = []
    ended = np.zeros(at_once, np.int64)
    observations, infos = envs.reset()
    while ended.min() < rounds:
        decisions = list(_decide(envs, observations, infos, model, rng))
        actions = np.array([decision.move for decision in decisions])
        for lane, decision in enumerate(decisions):
            if len(decision.legal) > 1 and ended[lane] < rounds:
                pending[lane].append(decision)
        observations, rewards, over, _, infos = envs.step(actions)
        for env in np.flatnonzero(over):
            found += [(decision, float(rewards[env, decision.seat])) for decision in pending[env]]
            pending[env] = []
            ended[env] += 1
    envs.close()
    if len(found) > MAX_LESSONS:
        found = [found[n] for n in np.sort(rng.choice(len(found), MAX_LESSONS, replace=False))]
    return _lessons(found)


def _decide(
    envs: VectorEnvironment, observations: Array, infos: dict[str, Any], model: Model | None, rng: np.random.Generator
) -> Iterator[_Decision]:
    """The decision in each game."""
    starts, legal, seats = infos["legal_starts"].copy(), infos["legal"].copy(), infos["seat"].copy()
    estimated = envs.estimate()
    estimates = np.full(envs.num_envs, 0.5) if estimated is None else estimated.copy()
    if model is None:
        moves = envs.choose().copy()
        explores = rng.random(envs.num_envs) < RANDOM_MOVE_RATE
        moves = np.where(explores, envs.sample(), moves)
        chances = values = np.ones(envs.num_envs)
    else:
        picked, chances, values = pick(model, observations, legal, starts, estimates, rng)
        moves, explores = legal[picked], np.zeros(envs.num_envs, bool)
    for env in range(envs.num_envs):
        own, move = legal[starts[env] : starts[env + 1]], int(moves[env])
        chosen = -1 if explores[env] else int(np.searchsorted(own, move))
        seen = observations[env].copy()
        yield _Decision(seen, own, int(seats[env]), move, chosen, float(estimates[env]), chances[env], values[env])


def pick(
    model: Model, observations: Array, legal: Array, starts: Array, estimates: Array, rng: np.random.Generator | None
) -> tuple[Array, Array, Array]:
    """The indices in `legal` of the network's moves, their probabilities, and the results that the network expects.
    Without random numbers, the moves are the most probable ones."""
    with torch.no_grad():
        lengths = torch.from_numpy(np.diff(starts))
        seen = torch.from_numpy(observations), torch.from_numpy(estimates.astype(np.float32))
        values, scores = model.evaluate(*seen)
        chances, rows = model.chances(scores, torch.from_numpy(legal), lengths)
    logs = chances.numpy()
    # The maximum of the log probabilities with Gumbel noise is a sample from the distribution.
    noisy = logs + rng.gumbel(size=len(logs)) if rng is not None else logs.astype(np.float64)
    top = np.maximum.reduceat(noisy, starts[:-1])
    hits = np.flatnonzero(noisy == top[rows.numpy()])
    picked = hits[np.searchsorted(hits, starts[:-1])]
    return picked, np.exp(logs[picked]), torch.sigmoid(values).numpy()


def _lessons(found: list[tuple[_Decision, float]]) -> Lessons:
    decisions = [decision for decision, _ in found]
    return Lessons(
        np.array([decision.observation for decision in decisions]),
        np.concatenate([decision.legal for decision in decisions]),
        np.array([len(decision.legal) for decision in decisions]),
        np.array([decision.chosen for decision in decisions]),
        np.array([result for _, result in found], np.float32),
        np.array([decision.estimate for decision in decisions], np.float32),
        np.array([decision.chance for decision in decisions], np.float32),
        np.array([decision.value for decision in decisions], np.float32),
    )


def against_normal(table: Table, model: Model, games: int, seed: int) -> tuple[float, float]:
    """The network's share of the wins in one seat against the game's own bot in the others, and half the width of its
    95 % interval. The network plays its most probable moves. In a team game, the figure is the team's result."""
    at_once = min(MAX_ENVS, games)
    envs = vector(table.game, at_once, table.seats, table.options, seed, masks="lists")
    dice = QuickDice(int(seed) % SEEDS)
    mine = np.array([int(dice.below(table.seats)) for _ in range(at_once)])
    rounds = -(-games // at_once)
    ended = np.zeros(at_once, np.int64)
    results: list[float] = []
    observations, infos = envs.reset()
    while ended.min() < rounds:
        actions = envs.choose().copy()
        acts = np.flatnonzero(infos["seat"] == mine)
        if len(acts):
            estimated = envs.estimate()
            estimates = np.full(at_once, 0.5) if estimated is None else estimated
            legal = infos["legal"]
            picked, _, _ = pick(model, observations, legal, infos["legal_starts"], estimates, None)
            actions[acts] = legal[picked[acts]]
        observations, rewards, over, _, infos = envs.step(actions)
        for env in np.flatnonzero(over):
            if ended[env] < rounds:
                results.append(float(rewards[env, mine[env]]))
            ended[env] += 1
    envs.close()
    return float(np.mean(results)), float(1.96 * np.std(results) / len(results) ** 0.5)
