"""Checks whether the worlds that a seat imagines are possible and have the right probabilities, by listing all worlds.

    python -m bench.exact_worlds [GAME ...] [--runs N] [--worlds N]

The positions are small (`small_positions.py`): few cards are hidden, so every way to deal them can be listed. Random
moves are made from there. Each move is also made in every listed world, with every result of the dice, and the worlds
in which the seat would have been told or shown something different are dropped. The remaining worlds are exactly those
that are possible for the seat, each with its probability. After every move the worlds from `imagine` are compared with
them.

Only deals and dice count; no conclusions are drawn from other players' choices. A card that a player gives away, openly
or in secret, may have been any of their cards that looks the same to the seat, with equal probability. But if several
cards of a kind are seen to leave a hand, those that the seat knew leave first.

impossible  the share of imagined worlds that are not on the list: the whole arrangement is looked up, not single cards
off         the mean error of the frequency of a card in a place, in percentage points; beside it, the same error for
            as many worlds drawn from the list, which is due to chance alone
worst       the largest such error of any card in any position, measured again with 25 times as many worlds
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import accumulate
from math import prod
from typing import NamedTuple

from mypy_extensions import i64
from rich.console import Console
from rich.table import Table

from bench.small_positions import SMALL, Small
from grandtour.engine.dice import Dice, QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.state import State

Fact = tuple[Hashable, Hashable, int]
Beliefs = list[tuple[State, float]]
"""The worlds that are possible for a seat, and their probabilities."""

MAX_FALLS = 5_000
"""A run ends before a move with more ways for the dice to fall."""
MAX_WORLDS = 200_000
CLOSER_LOOK = 25


class TooManyWorldsError(Exception):
    """There are more results of the dice, or more worlds, than can be listed."""


class ScriptedDice(Dice):
    """Dice that roll given numbers and then 0. They record the number of sides of each roll."""

    def __init__(self, falls: list[int]) -> None:
        self.falls = falls
        self.sides: list[int] = []

    def below(self, n: i64) -> i64:
        self.sides.append(int(n))
        at = len(self.sides) - 1
        return self.falls[at] if at < len(self.falls) else 0

    def clone(self) -> ScriptedDice:
        return ScriptedDice(list(self.falls))

    def dump(self) -> list[object]:
        return []


class Compared(NamedTuple):
    """The result for one position: the share of impossible worlds, the mean and the largest error, and the same errors
    by chance."""

    worlds: int
    impossible: float
    off: float
    worst: float
    off_by_chance: float


class Found(NamedTuple):
    """The same for many positions."""

    positions: int
    most_worlds: int
    impossible: float
    positions_with_impossible: int
    off: float
    off_by_chance: float
    worst: float


def seen_events(state: State, acting: int, move: int, seat: int) -> list[Event]:
    """Make a move and return the events as a seat sees them."""
    state.events = []
    state.play(acting, move)
    events, state.events = state.events, None
    return [seen(event, seat) for event in events]


def all_outcomes(state: State, acting: int, move: int, seat: int) -> Iterator[tuple[State, float, list[Event]]]:
    """A move with every result of the dice: the position after it, its probability, and the events that a seat sees."""
    scripts: list[list[int]] = [[]]
    while scripts:
        script = ScriptedDice(scripts.pop())
        after = state.clone()
        after.dice = script
        story = seen_events(after, acting, move, seat)
        if prod(script.sides) > MAX_FALLS:
            raise TooManyWorldsError
        scripts += [
            [*script.falls, *[0] * (at - len(script.falls)), fall]
            for at in range(len(script.falls), len(script.sides))
            for fall in range(1, script.sides[at])
        ]
        after.dice = QuickDice(0)
        yield after, 1 / prod(script.sides), story


def follow(
    small: Small, beliefs: Beliefs, acting: int, move: int, story: list[Event], view: Mapping[str, object]
) -> Beliefs:
    """The worlds that are possible for a seat after a move, given the events and the view that it saw."""
    game, seat = small.game, small.seat
    verb = game.moves.verb(move).name
    secret = acting != seat and verb in small.secret
    merged: dict[str, tuple[State, float]] = {}
    for state, probability in beliefs:
        legal = state.legal(acting)
        moves = [other for other in legal if game.moves.verb(other).name == verb] if secret else [move]
        for like in moves:
            if like not in legal:
                continue
            copies = 1.0 if acting == seat else small.copies(state, acting, like)
            for after, chance, heard in all_outcomes(state, acting, like, seat):
                if heard == story and game.view(after, seat) == view:
                    dump = after.dump()
                    dump["dice"] = dump["reveals"] = 0
                    key = repr(dump)
                    before = merged[key][1] if key in merged else 0.0
                    merged[key] = (after, before + probability * copies * chance)
        if len(merged) > MAX_WORLDS:
            raise TooManyWorldsError
    total = sum(probability for _, probability in merged.values())
    return [(state, probability / total) for state, probability in merged.values()]


def facts(world: Hashable) -> Iterable[Fact]:
    """The number of each card in each place, without zeros."""
    assert isinstance(world, tuple)
    return ((place, card, many) for place, cards in world for card, many in Counter(cards).items())


def frequencies(worlds: Iterable[tuple[Hashable, float]]) -> dict[Fact, float]:
    found: dict[Fact, float] = {}
    for world, probability in worlds:
        for fact in facts(world):
            found[fact] = found.get(fact, 0.0) + probability
    return found


def errors(worlds: list[Hashable], true: dict[Fact, float]) -> list[float]:
    """The error of each fact's frequency among these worlds, without facts that are certain and correct."""
    here = frequencies((world, 1) for world in worlds)
    pairs = [(here.get(fact, 0) / len(worlds), true.get(fact, 0.0)) for fact in here.keys() | true.keys()]
    return [abs(one - two) for one, two in pairs if one < 1 or two < 1 - 1e-9]


def compare(small: Small, state: State, beliefs: Beliefs, worlds: int, seed: int) -> Compared:
    """Compare what a seat imagines in a position with its possible worlds."""
    true: dict[Hashable, float] = {}
    for possible, probability in beliefs:
        world = small.world(possible, small.seat)
        true[world] = true.get(world, 0.0) + probability
    expected = frequencies(true.items())
    imagined = imagine(small, state, worlds, seed)
    off = errors(imagined, expected)
    by_chance = errors(drawn(true, worlds, QuickDice(seed)), expected)
    largest = max(off, default=0.0)
    if largest > CLOSE_ENOUGH:
        largest = max(errors(imagine(small, state, CLOSER_LOOK * worlds, seed + 1), expected))
    return Compared(
        worlds=len(true),
        impossible=sum(world not in true for world in imagined) / worlds,
        off=sum(off) / max(len(off), 1),
        worst=largest,
        off_by_chance=sum(by_chance) / max(len(by_chance), 1),
    )


CLOSE_ENOUGH = 0.08
"""A larger error is measured again with more worlds: it may be chance."""


def imagine(small: Small, state: State, worlds: int, seed: int) -> list[Hashable]:
    return [small.world(state.imagine(small.seat, QuickDice(1_000_003 * seed + n)), small.seat) for n in range(worlds)]


def drawn(true: dict[Hashable, float], worlds: int, dice: QuickDice) -> list[Hashable]:
    """This many worlds, drawn by their probabilities."""
    names, sums = list(true), list(accumulate(true.values()))
    found = []
    for _ in range(worlds):
        at = dice.below(1 << 30) / (1 << 30)
        found.append(next((name for name, upto in zip(names, sums, strict=True) if at < upto), names[-1]))
    return found


def random_move(small: Small, state: State, dice: QuickDice) -> tuple[int, int] | None:
    """A random move of any player. All verbs are equally likely, because some have many more moves than others."""
    moves: dict[tuple[int, str], list[int]] = {}
    for acting in state.waiting():
        for move in state.legal(acting):
            verb = small.game.moves.verb(move).name
            mine = acting == small.seat
            if (small.verbs is None or verb in small.verbs) and (mine or verb not in small.left_out):
                moves.setdefault((acting, verb), []).append(move)
    if not moves:
        return None
    seats = sorted({acting for acting, _ in moves})
    seat = seats[dice.below(len(seats))]
    verbs = sorted(verb for acting, verb in moves if acting == seat)
    some = moves[seat, verbs[dice.below(len(verbs))]]
    return seat, some[dice.below(len(some))]


def fitting(small: Small, view: Mapping[str, object]) -> Beliefs:
    """The deals that look like this to the seat."""
    times = Counter(id(deal) for deal in small.deals)
    different = {id(deal): deal for deal in small.deals}
    like = {key: deal for key, deal in different.items() if small.game.view(deal, small.seat) == view}
    many = sum(times[key] for key in like)
    return [(deal, times[key] / many) for key, deal in like.items()]


def run(small: Small, seed: int, worlds: int, moves: int) -> Iterator[Compared]:
    """A random game from a small position, compared before the first and after every move."""
    dice = QuickDice(seed)
    state = small.deals[dice.below(len(small.deals))].clone()
    view = small.game.view(state, small.seat)
    beliefs = fitting(small, view)
    yield compare(small, state, beliefs, worlds, seed)
    for number in range(moves):
        chosen = random_move(small, state, dice)
        if chosen is None:
            return
        state.dice = QuickDice(dice.below(1 << 30))
        story = seen_events(state, *chosen, small.seat)
        try:
            beliefs = follow(small, beliefs, *chosen, story, small.game.view(state, small.seat))
        except TooManyWorldsError:
            return
        if not state.waiting():
            return
        yield compare(small, state, beliefs, worlds, 1000 * seed + number)


def measure(small: Small, runs: int, worlds: int, moves: int | None = None) -> Found:
    """Play random games, each with as many moves as the position says unless `moves` is given."""
    length = small.moves if moves is None else moves
    return summed([found for seed in range(runs) for found in run(small, seed, worlds, length)])


def summed(found: list[Compared]) -> Found:
    many = len(found)
    return Found(
        positions=many,
        most_worlds=max(each.worlds for each in found),
        impossible=sum(each.impossible for each in found) / many,
        positions_with_impossible=sum(each.impossible > 0 for each in found),
        off=sum(each.off for each in found) / many,
        off_by_chance=sum(each.off_by_chance for each in found) / many,
        worst=max(each.worst for each in found),
    )


def show(rows: Iterable[tuple[Small, Found]]) -> Table:
    table = Table(title="Imagined worlds against all possible ones; in brackets, by chance")
    for column in ("game", "small position", "positions", "worlds, up to", "impossible", "off", "worst"):
        table.add_column(column)
    for small, found in rows:
        off = f"{100 * found.off:.2f} ({100 * found.off_by_chance:.2f})"
        impossible = f"{found.impossible:.2%} in {found.positions_with_impossible}"
        sizes = (str(found.positions), f"{found.most_worlds:,}")
        table.add_row(small.game.title, small.what, *sizes, impossible, off, f"{100 * found.worst:.1f}")
    return table


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.exact_worlds", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("games", nargs="*", default=list(SMALL), metavar="GAME")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--worlds", type=int, default=400)
    chosen = parser.parse_args(arguments)
    smalls = [small() for name in chosen.games for small in SMALL[name]]
    Console().print(show([(small, measure(small, chosen.runs, chosen.worlds)) for small in smalls]))


if __name__ == "__main__":
    main(sys.argv[1:])
