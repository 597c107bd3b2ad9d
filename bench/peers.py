"""Measures the speed of other libraries' games, in their own environment.

    python -m bench.peers open_spiel|rlcard|pettingzoo|catanatron SEED BUDGET

Each library is driven as in its own documentation, in the fastest way that yields the legal moves:
OpenSpiel with `legal_actions` and `apply_action` (and with its own C++ loop, `evaluate_bots`),
RLCard with `env.step`, PettingZoo with `last` and `step` of the unwrapped environment, catanatron with `play_tick`.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

from bench.measure import Row, measure_game, print_rows

OPEN_SPIEL = ("leduc_poker", "crazy_eights", "gin_rummy", "hanabi")
RLCARD = ("uno", "gin-rummy")
BATCH = 50


def open_spiel(seed: int, budget: float) -> list[Row]:
    import pyspiel

    rows = []
    for name in OPEN_SPIEL:
        game = pyspiel.load_game(name)

        def playout(rng: random.Random, limit: int, game: Any = game) -> tuple[int, int, Any]:
            state = game.new_initial_state()
            decisions = chance = 0
            while not state.is_terminal() and decisions != limit:
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    actions, weights = zip(*outcomes, strict=True)
                    state.apply_action(rng.choices(actions, weights)[0])
                    chance += 1
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                    decisions += 1
            return decisions, chance, state

        players = game.num_players()
        row = measure_game(name, players, playout, lambda state: state.clone(), seed, budget)
        rows.append(row)
        rows.append({**row, **cpp_loop(game, seed, budget), "loop": "library"})
    return rows


def cpp_loop(game: Any, seed: int, budget: float) -> Row:
    """The speed of OpenSpiel's C++ loop. Decisions are counted afterwards, in the histories, without being timed."""
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(game.num_players())]
    games = decisions = chance = 0
    spent = 0.0
    while spent < budget:
        started = process_time()
        states = [game.new_initial_state() for _ in range(BATCH)]
        for number, state in enumerate(states):
            pyspiel.evaluate_bots(state, bots, seed * 1_000_003 + games + number)
        spent += process_time() - started
        games += BATCH
        for state in states:
            for step in state.full_history():
                if step.player >= 0:
                    decisions += 1
                else:
                    chance += 1
    return {
        "games": games,
        "decisions": decisions,
        "seconds": spent,
        "per_second": decisions / spent,
        "chance_per_second": chance / spent,
    }


def rlcard(seed: int, budget: float) -> list[Row]:
    import rlcard

    rows = []
    for name in RLCARD:
        env = rlcard.make(name, config={"seed": seed})

        def playout(rng: random.Random, limit: int, env: Any = env) -> tuple[int, int, Any]:
            state, _ = env.reset()
            decisions = 0
            while not env.is_over() and decisions != limit:
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                decisions += 1
            return decisions, 0, env.game if limit < 0 else copy.deepcopy(env.game)

        rows.append(measure_game(name, env.num_players, playout, copy.deepcopy, seed, budget))
    return rows


def pettingzoo(seed: int, budget: float) -> list[Row]:
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.raw_env()

    def playout(rng: random.Random, limit: int) -> tuple[int, int, Any]:
        env.reset()
        decisions = 0
        while decisions != limit:
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                break
            env.step(rng.choice(seen["action_mask"].nonzero()[0].tolist()))
            decisions += 1
        return decisions, 0, env if limit < 0 else copy.deepcopy(env)

    return [measure_game("connect_four_v3", 2, playout, copy.deepcopy, seed, budget)]


def catanatron(seed: int, budget: float) -> list[Row]:
    from catanatron import Color, Game, RandomPlayer

    max_turns = 1000
    # Its random players use the global random generator.
    random.seed(seed)

    def playout(rng: random.Random, limit: int) -> tuple[int, int, Any]:
        game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=rng.getrandbits(32))
        decisions = 0
        while decisions != limit and game.winning_color() is None and game.state.num_turns < max_turns:
            game.play_tick()
            decisions += 1
        return decisions, 0, game

    return [measure_game("catan", 2, playout, lambda game: game.copy(), seed, budget)]


LIBRARIES: dict[str, Callable[[int, float], list[Row]]] = {
    "open_spiel": open_spiel,
    "rlcard": rlcard,
    "pettingzoo": pettingzoo,
    "catanatron": catanatron,
}


def main(library: str, seed: str, budget: str) -> None:
    from importlib.metadata import version

    rows = LIBRARIES[library](int(seed), float(budget))
    print_rows([{"library": library, "version": version(library), **row} for row in rows])


if __name__ == "__main__":
    main(*sys.argv[1:])
