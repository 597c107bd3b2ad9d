"""Our games under the same stopwatch as the peers.

    python -m bench.ours SEED BUDGET

What is measured is the `grandtour` that this interpreter imports: the installed, compiled one, or the sources
where PYTHONPATH names them. Every game is set up anew, its legal moves are asked for at every decision, and the
moves are drawn from dice of their own. The loop is run twice: inside the engine (`playout`) and here, in Python.
"""

from __future__ import annotations

import random
import sys

from bench.measure import Row, hand_over, pace, whole
from grandtour import __version__
from grandtour.engine import playout as loops
from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State

MANY = 4
"""Besides its smallest number of players, a game is measured with this many."""


def compiled() -> bool:
    """Whether the engine that was imported is a compiled one."""
    return not str(loops.__file__).endswith(".py")


def fullest(game: Game, seats: int) -> Options:
    """Everything that can be switched on, as far as the game can be played so."""
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
    options = fullest(played, seats)
    choosing = QuickDice(seed)

    def start(rng: random.Random) -> State:
        return played.new(seats, options, QuickDice(rng.getrandbits(48)))

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

    row = whole(played.name, seats, in_python, lambda state: state.clone(), seed, budget)
    return [{**row, **pace(in_engine, seed, budget), "loop": "library"}, row]


def main(seed: str, budget: str) -> None:
    measured = [
        row
        for played in games().values()
        for seats in sorted({played.players[0], MANY})
        for row in rows(played, seats, int(seed), float(budget))
    ]
    library = "grandtour" if compiled() else "grandtour, interpreted"
    hand_over([{"library": library, "version": __version__, **row} for row in measured])


if __name__ == "__main__":
    main(*sys.argv[1:])
