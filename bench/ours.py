"""Measures the speed of our games.

    python -m bench.ours SEED BUDGET

It measures the `grandtour` that this interpreter imports: the installed, compiled one, or the sources if they are in
PYTHONPATH. Every game is set up from scratch, legal moves are computed at every decision, and moves are drawn from
separate dice. The loop is measured twice: inside the engine (`playout`) and here, in Python.
"""

from __future__ import annotations

import random
import sys

from bench.measure import Row, measure_game, measure_speed, print_rows
from grandtour import __version__
from grandtour.engine import playout as loops
from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State

LARGE_TABLE = 4
"""Games are measured with their smallest number of players and with this many."""


def compiled() -> bool:
    """Whether the imported engine is compiled."""
    return not str(loops.__file__).endswith(".py")


def all_options_on(game: Game, seats: int) -> Options:
    """The options with everything switched on, if the game can be played that way; otherwise the defaults."""
    on = {option.name: True for option in game.options if set(option.choices) == {False, True}}
    for wanted in (on, {}):
        options = check_options(game.options, wanted)
        try:
            game.new(seats, options, QuickDice(0))
        except Refusal:
            continue
        break
    return options


def rows(played: Game, seats: int, seed: int, budget: float) -> list[Row]:
    options = all_options_on(played, seats)
    choosing = QuickDice(seed)

    def start(rng: random.Random) -> State:
        state: State = played.new(seats, options, QuickDice(rng.getrandbits(48)))
        return state

    def in_engine(rng: random.Random, limit: int) -> tuple[int, int, State]:
        state = start(rng)
        return loops.playout(state, choosing), 0, state

    def in_python(rng: random.Random, limit: int) -> tuple[int, int, State]:
        state = start(rng)
        decisions = 0
        while decisions != limit:
            waiting = state.waiting()
            if not waiting:
                break
            seat = waiting[0]
            moves = state.legal(seat)
            state.play(seat, moves[choosing.below(len(moves))])
            decisions += 1
        return decisions, 0, state

    row = measure_game(played.name, seats, in_python, lambda state: state.clone(), seed, budget)
    return [{**row, **measure_speed(in_engine, seed, budget), "loop": "library"}, row]


def main(seed: str, budget: str) -> None:
    measured = [
        row
        for played in games().values()
        for seats in sorted({played.players[0], LARGE_TABLE})
        for row in rows(played, seats, int(seed), float(budget))
    ]
    library = "grandtour" if compiled() else "grandtour, interpreted"
    print_rows([{"library": library, "version": __version__, **row} for row in measured])


if __name__ == "__main__":
    main(*sys.argv[1:])
