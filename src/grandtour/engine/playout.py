"""Random play to the end, in compiled code: used to measure speed, and for a search's fastest estimate."""

import hashlib
import json

from mypy_extensions import i64

from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import Options
from grandtour.engine.state import State


def playout(state: State, dice: Dice, limit: i64 = 1 << 31) -> int:
    """Play random moves until the game is over, or for `limit` decisions, and return the number of decisions. `dice`
    choose the moves, not the cards."""
    decisions: i64 = 0
    while decisions < limit:
        waiting = state.waiting()
        if not waiting:
            break
        seat = waiting[0] if len(waiting) == 1 else waiting[dice.below(len(waiting))]
        state.play(seat, state.random_move(seat, dice))
        decisions += 1
    return decisions


def fingerprint(game: Game, seats: int, options: Options, games: int, seed: int = 0) -> str:
    """A hash of the final positions of random games. It changes only if the rules do, compiled or not."""
    hash = hashlib.sha256()
    for number in range(games):
        state = game.new(seats, options, QuickDice(seed + number))
        playout(state, QuickDice(seed - 1 - number))
        hash.update(json.dumps(state.dump(), sort_keys=True).encode())
    return hash.hexdigest()
