"""Random play to the end, inside the compiled engine: the yardstick of speed, and a search's quickest guess."""

import hashlib
import json

from mypy_extensions import i64

from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import Options
from grandtour.engine.state import State


def playout(state: State, dice: Dice) -> int:
    """Play random moves until the game is over; how many decisions it took. `dice` choose moves, never cards."""
    decisions: i64 = 0
    while True:
        waiting = state.waiting()
        if not waiting:
            return decisions
        seat = waiting[0] if len(waiting) == 1 else waiting[dice.below(len(waiting))]
        moves = state.legal(seat)
        state.play(seat, moves[dice.below(len(moves))])
        decisions += 1


def fingerprint(game: Game, seats: int, options: Options, games: int, seed: int = 0) -> str:
    """A hash over the last positions of random games: the same wherever the rules are the same, compiled or not."""
    hash = hashlib.sha256()
    for number in range(games):
        state = game.new(seats, options, QuickDice(seed + number))
        playout(state, QuickDice(seed - 1 - number))
        hash.update(json.dumps(state.dump(), sort_keys=True).encode())
    return hash.hexdigest()


def playouts(game: Game, seats: int, options: Options, games: int, seed: int = 0) -> int:
    """Play whole random games, set-up included; how many decisions they took."""
    dice = QuickDice(seed)
    decisions = 0
    for number in range(games):
        decisions += playout(game.new(seats, options, QuickDice(seed + number)), dice)
    return decisions
