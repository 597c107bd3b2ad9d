"""Measures the speed of searching players: iterations per CPU second, and the time per simulated move.

    python -m bench.search_speed grandtour|open_spiel SEED BUDGET

Ours is the search of `hard`, on every game with its smallest number of players. OpenSpiel's is its information-set
search (`ISMCTSBot`) with default settings, in C++ and in Python, with random rollouts, on those of its games that it
works with. All searches start halfway through random games. OpenSpiel does not report how many moves it simulates: an
iteration is taken to be one random game from the position to its end, whose length is measured separately. The same
goes for those of our games that weigh moves in their own way, except that their games are continued by the normal
player.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

from bench.measure import Row, print_rows

ITERATIONS = 50
POSITIONS = 8
OPEN_SPIEL = ("kuhn_poker", "leduc_poker", "gin_rummy")


def measure_search(positions: list[Any], search: Callable[[Any], float], budget: float) -> Row:
    """Search from each position in turn for at least `budget` CPU seconds. `search` returns the number of its moves."""
    search(positions[0])  # one-time initialization is not timed
    made = 0
    moves = 0.0
    spent = 0.0
    while spent < budget or made < ITERATIONS * len(positions):
        started = process_time()
        moves += search(positions[made // ITERATIONS % len(positions)])
        spent += process_time() - started
        made += ITERATIONS
    return {
        "iterations_per_second": made / spent,
        "moves_per_iteration": moves / made,
        "iteration_us": spent / made * 1e6,
        "move_us": spent / moves * 1e6,
    }


def grandtour(seed: int, budget: float) -> list[Row]:
    from bench.ours import all_options_on, compiled
    from grandtour import __version__
    from grandtour.engine.catalogue import games
    from grandtour.engine.dice import QuickDice
    from grandtour.engine.game import Game
    from grandtour.players.search import Search

    def halfway(game: Game, number: int) -> Any:
        """A position halfway through a random game."""
        seats = game.players[0]
        line = [game.new(seats, all_options_on(game, seats), QuickDice(seed + number))]
        dice = QuickDice(number)
        while line[-1].waiting():
            state = line[-1].clone()
            seat = state.waiting()[0]
            moves = state.legal(seat)
            state.play(seat, moves[dice.below(len(moves))])
            line.append(state)
        before = line[: len(line) // 2 + 1]
        bot_decides = game.search.bot_decides
        thinks = [state for state in before if bot_decides is None or not bot_decides(state, state.waiting()[0])]
        return (thinks or before)[-1]

    def length(game: Game, state: Any) -> int:
        """The number of decisions that the normal player makes from here to the end."""
        world = state.imagine(state.waiting()[0], QuickDice(seed))
        dice = QuickDice(seed)
        made = 0
        while world.waiting():
            mover = world.waiting()[0]
            world.play(mover, game.choose(world, mover, dice))
            made += 1
        return made

    rows = []
    for game in games().values():
        positions = [halfway(game, number) for number in range(POSITIONS)]
        rest = {id(state): length(game, state) for state in positions} if game.search.own_search else {}

        def search(state: Any, game: Game = game, rest: dict[int, int] = rest) -> float:
            own_search = game.search.own_search
            if own_search is not None:
                found = own_search(state, state.waiting()[0], QuickDice(seed), ITERATIONS, 0.0, False)
                return float(rest[id(state)] * sum(trials for _, trials, _ in found))
            tree = Search(game)
            tree.ponder(state, state.waiting()[0], QuickDice(seed), ITERATIONS)
            return float(tree.moves)

        row = measure_search(positions, search, budget)
        kind = "compiled" if compiled() else "interpreted"
        rows.append({"library": "grandtour", "version": __version__, "name": game.name, "kind": kind, **row})
    return rows


def open_spiel(seed: int, budget: float) -> list[Row]:
    from importlib.metadata import version

    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts

    rng = random.Random(seed)

    def played(state: Any, limit: int) -> tuple[Any, int]:
        """Play `limit` random decisions, and on to the next decision. Returns the state and the number of decisions."""
        made = 0
        while not state.is_terminal() and (made != limit or state.is_chance_node()):
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                made += 1
        return state, made

    rows = []
    for name in OPEN_SPIEL:
        game = pyspiel.load_game(name)
        positions: list[Any] = []
        while len(positions) < POSITIONS:
            length = played(game.new_initial_state(), -1)[1]
            state, _ = played(game.new_initial_state(), length // 2)
            if not state.is_terminal():
                positions.append(state)
        rest = {id(state): sum(played(state.clone(), -1)[1] for _ in range(20)) / 20 for state in positions}
        bots = {
            "C++": pyspiel.ISMCTSBot(seed, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, ITERATIONS),
            "Python": ismcts.ISMCTSBot(
                game=game,
                evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed)),
                uct_c=2.0,
                max_simulations=ITERATIONS,
                random_state=np.random.RandomState(seed),
            ),
        }
        for kind, bot in bots.items():

            def search(state: Any, bot: Any = bot, rest: dict[int, float] = rest) -> float:
                bot.step(state)
                return rest[id(state)] * ITERATIONS

            row = measure_search(positions, search, budget)
            rows.append({"library": "open_spiel", "version": version("open_spiel"), "name": name, "kind": kind, **row})
    return rows


def main(library: str, seed: str, budget: str) -> None:
    print_rows({"grandtour": grandtour, "open_spiel": open_spiel}[library](int(seed), float(budget)))


if __name__ == "__main__":
    main(*sys.argv[1:])
