"""The same stopwatch for players that search: how many iterations a CPU second, and what a simulated move costs.

    python -m bench.searching grandtour|open_spiel SEED BUDGET

Ours is the search of `hard`, on every game with two players or as few as it takes. OpenSpiel's is its information-set
search (`ISMCTSBot`) as it comes, in C++ and in Python, with random rollouts, on those of its games that it works with.
All search from positions half-way through random games. The moves that OpenSpiel simulates are not told: an iteration
is taken to be one random game from the position to its end, whose length is measured off the clock. The same goes for
a game of ours that weighs moves in its own way, but that its games are played on by the sensible player.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

from bench.measure import Row, hand_over

ITERATIONS = 50
POSITIONS = 8
OPEN_SPIEL = ("kuhn_poker", "leduc_poker", "gin_rummy")


def searching(positions: list[Any], search: Callable[[Any], float], budget: float) -> Row:
    """Search from each position in turn for at least `budget` CPU seconds; `search` gives the moves it simulated."""
    search(positions[0])  # what is worked out once, at first use, is not the search's pace
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
    from bench.ours import compiled, fullest
    from grandtour import __version__
    from grandtour.engine.catalogue import games
    from grandtour.engine.dice import QuickDice
    from grandtour.engine.game import Game
    from grandtour.players.search import Search

    def halfway(game: Game, number: int) -> Any:
        """A random game from its start to its middle."""
        seats = game.players[0]
        line = [game.new(seats, fullest(game, seats), QuickDice(seed + number))]
        dice = QuickDice(number)
        while line[-1].waiting():
            state = line[-1].clone()
            seat = state.waiting()[0]
            moves = state.legal(seat)
            state.play(seat, moves[dice.below(len(moves))])
            line.append(state)
        before = line[: len(line) // 2 + 1]
        thinks = [state for state in before if game.own is None or not game.own(state, state.waiting()[0])]
        return (thinks or before)[-1]

    def length(game: Game, state: Any) -> int:
        """How many decisions of the sensible player it takes from here to the end."""
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
        rest = {id(state): length(game, state) for state in positions} if game.weigh else {}

        def search(state: Any, game: Game = game, rest: dict[int, int] = rest) -> float:
            if game.weigh is not None:
                weighed = game.weigh(state, state.waiting()[0], QuickDice(seed), ITERATIONS, 0.0)
                return float(rest[id(state)] * sum(trials for _, trials, _ in weighed))
            thoughts = Search(game)
            thoughts.ponder(state, state.waiting()[0], QuickDice(seed), ITERATIONS)
            return float(thoughts.moves)

        row = searching(positions, search, budget)
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
        """Random play for so many decisions, on to a seat's move; how many there were."""
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

            row = searching(positions, search, budget)
            rows.append({"library": "open_spiel", "version": version("open_spiel"), "name": name, "kind": kind, **row})
    return rows


def main(library: str, seed: str, budget: str) -> None:
    hand_over({"grandtour": grandtour, "open_spiel": open_spiel}[library](int(seed), float(budget)))


if __name__ == "__main__":
    main(*sys.argv[1:])
