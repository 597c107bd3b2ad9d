"""Checks whether the worlds that a seat imagines are possible and have the right frequencies.

    python -m bench.worlds [GAME ...] [--deals N] [--worlds N]

At the opening, the hands in imagined worlds are compared with fresh deals. After that, each move is checked. Take the
worlds that a seat imagined before a move, make the move in each, and drop those in which the seat would have been told
or shown something different. The remaining worlds are the expected ones, and what the seat imagines after the move is
compared with them. If the opening is right and no move introduces an error, all worlds are right.

Only chance counts; no conclusions are drawn from others' choices. If a choice is hidden, any choice that looks the same
to the seat is made, with equal probability.

There are two figures, each beside the same figure for a second sample of the expected worlds, which differs only by
chance: the share of worlds with a card in a place where it never is in the expected worlds, and the mean error of the
frequency of a card in a place, in percentage points. A third figure is the largest error beyond chance of any card,
after the worst move. Only single cards in single places are compared, not combinations.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from grandtour.engine import catalogue
from grandtour.engine.dice import QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.options import START, Options, check_options
from grandtour.engine.state import State

Facts = set[tuple[Any, ...]]
FEWEST = 40
"""A move with fewer expected worlds is skipped."""


def counted(state: Any, me: int, kinds: int) -> Facts:
    """The number of cards of each kind in every other hand, for games in which hands are counts."""
    others = [seat for seat in range(state.seats) if seat != me]
    return {(seat, kind, int(state.hand[kinds * seat + kind])) for seat in others for kind in range(kinds)}


def train_cards(state: Any, me: int) -> Facts:
    others = [seat for seat in range(state.seats) if seat != me]
    tickets = {(seat, "ticket", ticket) for seat in others for ticket in range(56) if state.held[seat] >> ticket & 1}
    return counted(state, me, 9) | tickets


def packs(state: Any, me: int) -> Facts:
    """The hands in Itchy Feet, which are packed numbers that the game's own view unpacks."""
    view = catalogue.game("itchy-feet").view
    hands = {
        seat: Counter(str(card) for card in view(state, seat)["hand"]) for seat in range(state.seats) if seat != me
    }
    return {(seat, card, count) for seat, hand in hands.items() for card, count in hand.items()}


def sheet(state: Any, me: int) -> Facts:
    return {(slot, int(card)) for slot, card in enumerate(state.sheet)}


def words(state: Any, me: int) -> Facts:
    others = [seat for seat in range(state.seats) if seat != me]
    first = {seat: 10 * (state.seats * state.day + seat) for seat in others}
    hands = {(seat, int(state.hand[i])) for seat in others for i in range(first[seat], first[seat] + 10)}
    return hands | {(seat, "map", int(state.maps[seat])) for seat in others}


HIDDEN: dict[str, Callable[[Any, int], Facts]] = {
    "round-trip": lambda state, me: counted(state, me, 25),
    "ticket-to-ride-italy": train_cards,
    "itchy-feet": packs,
    "journey-istanbul": sheet,
    "word-traveler": words,
}
"""Of each game, what lies where that a seat cannot always see."""

OPTIONS: dict[str, Options] = {
    "itchy-feet": dict.fromkeys(("events", "special_items", "forbidden_items", "postcards", "characters"), True)
}
LENGTH = {"ticket-to-ride-italy": 300, "word-traveler": 40}
"""How many moves of a game are played, if not 120: in Ticket to Ride, until the deck is made again."""
MORE = {"ticket-to-ride-italy": 4}
"""How many times as many worlds are needed: where most moves turn up cards, few are left as they should be."""
OPEN = {"journey-istanbul"}
"""Games whose openings differ in what lies open, so that one fresh deal says little about another."""


class Apart(NamedTuple):
    """The difference between some worlds and the expected ones."""

    impossible: float
    off: float
    most: float


class Found(NamedTuple):
    """The imagined worlds and a second sample of the expected ones, both compared with the first sample."""

    looked: int
    imagined: Apart
    chance: Apart
    worst: float


def apart(worlds: list[Facts], true: list[Facts]) -> Apart:
    """The share of worlds with a fact that no true world has, and the mean and largest difference in frequency."""
    here, there = (Counter(fact for world in some for fact in world) for some in (worlds, true))
    unheard = sum(any(fact not in there for fact in world) for world in worlds) / len(worlds)
    facts = here.keys() | there.keys()
    off = [abs(here[fact] / len(worlds) - there[fact] / len(true)) for fact in facts]
    return Apart(unheard, sum(off) / len(off), max(off))


def average(all_of: list[Apart]) -> Apart:
    if not all_of:
        return Apart(0.0, 0.0, 0.0)
    return Apart(*(sum(each) / len(all_of) for each in zip(*all_of, strict=True)))


def measure(game: Game, deals: int, worlds: int, looks: int = 60) -> tuple[Found, Found]:
    """Check openings and moves of random games, with the maximum number of players up to four."""
    seats = min(4, game.players[1])
    start = {START: "1"} if any(option.name == START for option in game.options) else {}
    options = check_options(game.options, {**start, **OPTIONS.get(game.name, {})})
    worlds *= MORE.get(game.name, 1)
    fresh = [game.new(seats, options, QuickDice(1_000_000 + n)) for n in range(2 * worlds)]
    openings: list[tuple[Apart, Apart]] = []
    later: list[tuple[Apart, Apart]] = []
    for deal in range(deals):
        state = game.new(seats, options, QuickDice(deal))
        if game.name not in OPEN:
            openings += compare(game, fresh, state, 0, worlds)
        later += play(game, state, worlds, looks, QuickDice(deal))
    return summed(openings), summed(later)


def play(game: Game, state: State, worlds: int, looks: int, dice: QuickDice) -> list[tuple[Apart, Apart]]:
    """Play a random game and check this many of its moves."""
    found = []
    length = LENGTH.get(game.name, 120)
    for number in range(length):
        waiting = state.waiting()
        if not waiting:
            break
        acting = waiting[dice.below(len(waiting))]
        before, move = state.clone(), random_move(game, state.legal(acting), dice)
        if number * looks // length != (number + 1) * looks // length:
            seat = int(dice.below(state.seats))
            told = step(state, acting, move, seat)
            true = expected_worlds(game, before, state, seat, acting, move, told, worlds)
            found += compare(game, true, state, seat, worlds)
        else:
            state.play(acting, move)
    return found


def random_move(game: Game, legal: list[int], dice: QuickDice) -> int:
    """A random move. All verbs are equally likely, because some have many more moves than others."""
    verbs = sorted({game.moves.verb(move).name for move in legal})
    verb = verbs[dice.below(len(verbs))]
    moves = [move for move in legal if game.moves.verb(move).name == verb]
    return moves[dice.below(len(moves))]


def summed(found: list[tuple[Apart, Apart]]) -> Found:
    worst = max((one.most - two.most for one, two in found), default=0.0)
    return Found(len(found), average([one for one, _ in found]), average([two for _, two in found]), worst)


def compare(game: Game, true: list[State], state: State, seat: int, worlds: int) -> list[tuple[Apart, Apart]]:
    """Compare what a seat imagines, and half of the expected worlds, with the other half of the expected worlds."""
    if len(true) < FEWEST:
        return []
    hidden = HIDDEN[game.name]
    half = len(true) // 2
    some, others = ([hidden(world, seat) for world in part] for part in (true[:half], true[half : 2 * half]))
    imagined = [hidden(state.imagine(seat, QuickDice(2 * worlds + n)), seat) for n in range(half)]
    return [(apart(imagined, some), apart(others, some))]


def step(state: State, acting: int, move: int, seat: int) -> list[Event]:
    """Make a move and return the events as a seat sees them."""
    state.events = []
    state.play(acting, move)
    events, state.events = state.events, None
    return [seen(event, seat) for event in events]


def expected_worlds(
    game: Game, before: State, after: State, seat: int, acting: int, move: int, told: list[Event], worlds: int
) -> list[State]:
    """The expected worlds: those from before the move in which the move, or one that looks the same, gives the seat the
    same events and view."""
    view = game.view(after, seat)
    verb = game.moves.verb(move).name
    found = []
    for n in range(2 * worlds):
        dice = QuickDice(n)
        world = before.imagine(seat, dice)
        moves = [move] if acting == seat else [m for m in world.legal(acting) if game.moves.verb(m).name == verb]
        for like in sorted(moves, key=lambda _: dice.below(1 << 20))[:12]:
            copy = world.clone()
            if step(copy, acting, like, seat) == told and game.view(copy, seat) == view:
                found.append(copy)
                break
    return found


def show(rows: Iterable[tuple[Game, tuple[Found, Found]]]) -> Table:
    table = Table(title="Imagined worlds against those as they should be; in brackets, by chance")
    for column in ("game", "opening: impossible", "off", "moves", "later: impossible", "off", "worst"):
        table.add_column(column)
    for game, (opening, later) in rows:
        cells = []
        for looked, one, two, _ in (opening, later):
            cells.append(f"{one.impossible:.1%} ({two.impossible:.1%})" if looked else "–")
            cells.append(f"{100 * one.off:.1f} ({100 * two.off:.1f})" if looked else "–")
        table.add_row(game.title, *cells[:2], str(later.looked), *cells[2:], f"{100 * later.worst:.0f}")
    return table


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.worlds", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("games", nargs="*", default=list(HIDDEN), metavar="GAME")
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--worlds", type=int, default=200)
    chosen = parser.parse_args(arguments)
    games = [catalogue.game(name) for name in chosen.games]
    Console().print(show([(game, measure(game, chosen.deals, chosen.worlds)) for game in games]))


if __name__ == "__main__":
    main(sys.argv[1:])
