"""Plays games and records the winner and everything that the players had and chose."""

from bisect import bisect_right
from collections import Counter
from typing import NamedTuple

from grandtour.arena.play import ProgramSettings, play_out, starting_position
from grandtour.arena.simulation import Plan, seating_of
from grandtour.arena.tally import Forfeits
from grandtour.engine.catalogue import game
from grandtour.engine.state import State
from grandtour.engine.study import Log, Things

OFFERED_SAMPLE = 100
"""The number of games in which the available verbs are recorded, too, which takes time."""

PHASES = 20
"""The number of equal parts a game is divided into, to show what is chosen when."""


class Observed(NamedTuple):
    """One game. `players` are the plan's player indices by seat; `first` is the starting seat, if known."""

    moves: int
    players: tuple[int, ...]
    first: int | None
    shares: tuple[float, ...]
    scores: tuple[float, ...]
    ending: str
    things: Things
    chosen: dict[tuple[int, int], int]
    """How often each verb was chosen in each phase, counting only decisions with more than one legal move."""
    choices: int
    legal_moves: int
    """The total number of legal moves over these decisions."""
    offered: frozenset[int] = frozenset()
    """The verbs that were available at these decisions; recorded in the first games only."""
    forfeits: tuple[Forfeits, ...] = ()
    """By seat; empty if nobody forfeited a move."""


def observe(plan: Plan, index: int) -> Observed:
    """Play game number `index` of a plan, exactly as a simulation would."""
    found = game(plan.game)
    study = found.study
    seating = seating_of(plan, index)
    state = starting_position(found, plan.options, plan.seed, seating)
    first = study.first(state) if study else None
    dealt: Things = study.dealt(state) if study else [[] for _ in seating.players]
    firsts = [verb.first for verb in found.moves.verbs.values()]
    log: Log = []
    verbs: list[tuple[int, int]] = []
    widths: list[int] = []
    offered: set[int] = set()

    def on_move(_: State, seat: int, move: int, legal: list[int]) -> None:
        if len(legal) > 1:
            verbs.append((len(log), bisect_right(firsts, move) - 1))
            widths.append(len(legal))
            if index < OFFERED_SAMPLE:
                offered.update(bisect_right(firsts, one) - 1 for one in legal)
        log.append((seat, move))

    programs = ProgramSettings(plan.options, plan.deadline)
    result = play_out(found, state, plan.players, plan.seed, seating, on_move, programs)
    had = study.had(state, log) if study else dealt
    things = [sorted({*before, *after}) for before, after in zip(dealt, had, strict=True)]
    chosen = Counter((PHASES * number // len(log), verb) for number, verb in verbs)
    return Observed(
        result.moves,
        seating.players,
        first,
        result.shares,
        result.scores,
        study.ending(state) if study else "",
        things,
        dict(chosen),
        len(widths),
        sum(widths),
        frozenset(offered),
        result.forfeits,
    )
