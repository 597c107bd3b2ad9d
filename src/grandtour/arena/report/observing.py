"""Games looked at closely: not only who won, but what everybody had and chose on the way."""

from bisect import bisect_right
from collections import Counter
from typing import NamedTuple

from grandtour.arena.playing import Programs, deal_out, play_out
from grandtour.arena.simulation import Plan, seating_of
from grandtour.arena.tally import Forfeits
from grandtour.engine.catalogue import game
from grandtour.engine.state import State
from grandtour.engine.study import Log, Things

LOOKED_AT = 100
"""Games in which it is looked at what could have been chosen."""

PHASES = 20
"""Into so many parts of equal length a game is cut, to say what is chosen when."""


class Observed(NamedTuple):
    """One game. `players` are numbers in the plan's list, by seat; `first` is the seat that began, if that is known."""

    moves: int
    players: tuple[int, ...]
    first: int | None
    shares: tuple[float, ...]
    scores: tuple[float, ...]
    ending: str
    things: Things
    chosen: dict[tuple[int, int], int]
    """How often a verb was chosen in a phase, where there was more than one move."""
    choices: int
    open: int
    """How many moves were open at these choices, all together."""
    offered: frozenset[int] = frozenset()
    """The verbs that were open at these choices; looked at in the first games only, since it takes time."""
    forfeits: tuple[Forfeits, ...] = ()
    """By seat; empty when nobody forfeited anything."""


def observe(plan: Plan, index: int) -> Observed:
    """Game number `index` of a plan, as it is played in a simulation too."""
    found = game(plan.game)
    study = found.study
    seating = seating_of(plan, index)
    state = deal_out(found, plan.options, plan.seed, seating)
    first = study.first(state) if study else None
    dealt: Things = study.dealt(state) if study else [[] for _ in seating.players]
    firsts = [verb.first for verb in found.moves.verbs.values()]
    log: Log = []
    verbs: list[tuple[int, int]] = []
    widths: list[int] = []
    offered: set[int] = set()

    def note(_: State, seat: int, move: int, legal: list[int]) -> None:
        if len(legal) > 1:
            verbs.append((len(log), bisect_right(firsts, move) - 1))
            widths.append(len(legal))
            if index < LOOKED_AT:
                offered.update(bisect_right(firsts, one) - 1 for one in legal)
        log.append((seat, move))

    programs = Programs(plan.options, plan.deadline)
    ended = play_out(found, state, plan.players, plan.seed, seating, note, programs)
    had = study.had(state, log) if study else dealt
    things = [sorted({*before, *after}) for before, after in zip(dealt, had, strict=True)]
    chosen = Counter((PHASES * number // len(log), verb) for number, verb in verbs)
    return Observed(
        ended.moves,
        seating.players,
        first,
        ended.shares,
        ended.scores,
        study.ending(state) if study else "",
        things,
        dict(chosen),
        len(widths),
        sum(widths),
        frozenset(offered),
        ended.forfeits,
    )
