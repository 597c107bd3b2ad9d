"""Measures observed steps: a random legal action, then the next player's observation and legal actions as numbers.

    python -m bench.observed grandtour|envpool|pgx|open_spiel|pettingzoo SEED BUDGET [SEATS]

Our games are measured with the smallest number of players, or with SEATS players if the game allows it.
EnvPool, pgx and our vector environment step many games in one call; OpenSpiel's tensors, PettingZoo's games and our
PettingZoo environment step one game at a time. Times are CPU seconds of this process. A library that is not installed
gives no rows, because EnvPool and pgx are not available for every machine.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from time import process_time
from typing import Any

from bench.measure import Row, print_rows

BATCH = 256
ENVPOOL = ("LeducHoldem-v1", "KuhnPoker-v1", "Backgammon-v1")
PGX = ("leduc_holdem", "kuhn_poker", "backgammon")
OPEN_SPIEL = ("leduc_poker", "kuhn_poker", "backgammon")
CLASSICS = ("leduc_holdem_v4", "connect_four_v3", "texas_holdem_v4")


def pace(name: str, batch: int, step: Callable[[], object], budget: float) -> Row:
    """Steps per CPU second; the first calls, which may compile something, are not counted."""
    for _ in range(3):
        step()
    calls = 0
    begun = process_time()
    spent = 0.0
    while spent < budget:
        for _ in range(10 if batch > 1 else 200):
            step()
            calls += 1
        spent = process_time() - begun
    return {"name": name, "batch": batch, "steps_per_second": calls * batch / spent}


def grandtour(seed: int, budget: float, seats: int | None = None) -> list[Row]:
    from grandtour import rl
    from grandtour.engine.catalogue import games
    from grandtour.rl.encoding import has_features

    rows = []
    for game in games().values():
        if has_features(game) and (seats is None or game.players[0] <= seats <= game.players[1]):
            envs = rl.vector(game.name, BATCH, seats, seed=seed)
            envs.reset()
            rows.append(pace(game.name, BATCH, lambda envs=envs: envs.step(envs.sample()), budget))  # type: ignore[misc]
            env = rl.env(game.name, seats)
            env.reset(seed=seed)
            rows.append(pace(game.name, 1, lambda env=env: _turn(env, env.sample), budget))  # type: ignore[misc]
    return rows


def _turn(env: Any, sample: Callable[[], int]) -> None:
    """A turn of a PettingZoo environment, which is reset when its game is over."""
    _, _, ended, cut, _ = env.last()
    if ended or cut:
        env.reset()
    else:
        env.step(sample())


def pettingzoo(seed: int, budget: float) -> list[Row]:
    from importlib import import_module

    rng = random.Random(seed)
    rows = []
    for name in CLASSICS:
        env = import_module(f"pettingzoo.classic.{name}").raw_env()
        env.reset(seed=seed)

        def step(env: Any = env) -> None:
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.reset()
            else:
                env.step(rng.choice(seen["action_mask"].nonzero()[0].tolist()))

        rows.append(pace(name, 1, step, budget))
    return rows


def open_spiel(seed: int, budget: float) -> list[Row]:
    import pyspiel

    rng = random.Random(seed)
    rows = []
    for name in OPEN_SPIEL:
        game = pyspiel.load_game(name)
        states = [game.new_initial_state()]
        tensor = (
            "information_state_tensor" if game.get_type().provides_information_state_tensor else "observation_tensor"
        )

        def step(game: Any = game, states: list[Any] = states, tensor: str = tensor) -> None:
            state = states[0]
            while state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
            if state.is_terminal():
                states[0] = game.new_initial_state()
                return step(game, states, tensor)
            getattr(state, tensor)(state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
            return None

        rows.append(pace(name, 1, step, budget))
    return rows


def envpool(seed: int, budget: float) -> list[Row]:
    import envpool
    import numpy as np

    rng = np.random.default_rng(seed)
    rows = []
    for name in ENVPOOL:
        envs = envpool.make_gymnasium(name, num_envs=BATCH, num_threads=1, seed=seed)
        last = [envs.reset()[1]]

        def step(envs: Any = envs, last: list[Any] = last) -> None:
            mask = np.asarray(last[0]["legal_action_mask"]).reshape(BATCH, -1)
            noise = rng.random(mask.shape) * (mask > 0)
            last[0] = envs.step(noise.argmax(axis=1).astype(np.int32))[-1]

        rows.append(pace(name, BATCH, step, budget))
    return rows


def pgx(seed: int, budget: float) -> list[Row]:
    import jax
    import jax.numpy as jnp
    import pgx

    rows = []
    for name in PGX:
        env = pgx.make(name)
        from pgx.experimental import auto_reset

        def turn(state: Any, key: Any, env: Any = env) -> Any:
            scores = jax.random.uniform(key, state.legal_action_mask.shape) * state.legal_action_mask
            actions = jnp.argmax(scores, axis=1)
            return jax.vmap(auto_reset(env.step, env.init))(state, actions, jax.random.split(key, BATCH))

        key = jax.random.PRNGKey(seed)
        held = [jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH)), key]

        compiled = jax.jit(turn)

        def step(held: list[Any] = held, turn: Any = compiled) -> None:
            held[1], key = jax.random.split(held[1])
            held[0] = turn(held[0], key)
            held[0].observation.block_until_ready()

        rows.append(pace(name, BATCH, step, budget))
    return rows


LIBRARIES: dict[str, Callable[[int, float], list[Row]]] = {
    "grandtour": grandtour,
    "envpool": envpool,
    "pgx": pgx,
    "open_spiel": open_spiel,
    "pettingzoo": pettingzoo,
}


def main(library: str, seed: str, budget: str, seats: str | None = None) -> None:
    try:
        label = version(library)
    except PackageNotFoundError:
        print_rows([])
        return
    if seats is not None and library == "grandtour":
        rows = grandtour(int(seed), float(budget), int(seats))
    else:
        rows = LIBRARIES[library](int(seed), float(budget))
    print_rows([{"library": library, "version": label, **row} for row in rows])


if __name__ == "__main__":
    main(*sys.argv[1:])
