"""The laws about what a seat may and must not know, for any game.

They compare a position with a *twin*: a position that a seat imagined some moves ago and in which the same moves were
made since. As long as the seat was told and shown the same in both, it cannot tell them apart, so with the same dice it
must imagine the same world in both, byte for byte. Where the two differ, something is hidden from the seat. So a game
need not declare what is hidden.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.engine.vocabulary import Named
from grandtour.testing.conformance import Setup, mover, step

STEPS = 4
"""How many moves are played with a twin."""

CHANGES = 10
"""How many single changes are tried in each position that has a twin."""

DICE = 99


class Twin(NamedTuple):
    """A position, and one that a seat cannot tell from it by anything it has ever seen."""

    seat: int
    state: State
    other: State


class Tried(NamedTuple):
    """How often a law was tested: with whole twins, with single changes, and changes that made no valid position."""

    twins: int
    changes: int
    skipped: int


def shown(game: Game, state: State, seat: int) -> tuple[Any, ...]:
    """Everything the seat is shown now."""
    return game.view(state, seat), game.prompt(state, seat), state.legal(seat)


def told(state: State, seat: int, mover: int, move: int) -> list[Event]:
    """Make a move, and return what this seat is told about it."""
    return [seen(record, seat) for record in step(state, mover, move)]


def twins(setup: Setup, states: list[State]) -> Iterator[Twin]:
    """Twins for every seat, from a few moves after each of these positions."""
    game = setup.rules
    order = QuickDice(setup.seed)
    for number, start in sorted(enumerate(states), key=lambda _: order.below(1 << 20)):
        for seat in range(setup.seats):
            dice = QuickDice(1000 * number + seat)
            state, other = start.clone(), start.imagine(seat, QuickDice(number))
            for _ in range(STEPS):
                if not state.waiting():
                    break
                acting = mover(state, dice)
                also = set(other.legal(acting))
                moves = [move for move in state.legal(acting) if move in also]
                if not moves:
                    break
                move = moves[dice.below(len(moves))]
                if told(state, seat, acting, move) != told(other, seat, acting, move):
                    break
                if shown(game, state, seat) != shown(game, other, seat):
                    break
                yield Twin(seat, state, other)


def differences(one: dict[str, Any], two: dict[str, Any]) -> list[tuple[str, int | None, Any]]:
    """The elements in which two dumps differ: the field, the index in its list, and the value in the second."""
    found: list[tuple[str, int | None, Any]] = []
    for name, value in one.items():
        if isinstance(value, list) and len(value) == len(two[name]):
            found += [(name, i, two[name][i]) for i in range(len(value)) if value[i] != two[name][i]]
        elif value != two[name]:
            found.append((name, None, two[name]))
    return found


def changed(state: State, name: str, place: int | None, value: Any, hidden: list[tuple[str, int | None, Any]]) -> State:
    """A copy with one element of a field changed, or two swapped if the change would add or lose a card."""
    copy = state.clone()
    if place is None:
        copy.restore({name: value})
        return copy
    old = state.dump()[name]
    new = [*old[:place], value, *old[place + 1 :]]
    copy.restore({name: new})
    if copy.census() != state.census():
        there = next(at for other, at, _ in hidden if other == name and at is not None and old[at] == value)
        new[there] = old[place]
        copy.restore({name: new})
        if copy.census() != state.census():
            raise LookupError("some card is now missing")
    return copy


def an_imagined_world_shows_nothing_hidden(setup: Setup, states: list[State], enough: int = 1000) -> Tried:
    """A seat imagines the same worlds for a position, for its twin, and for the position with one hidden element
    changed.

    An element is hidden from a seat if a twin has a different value there. It is changed to that value, or to any value
    that a twin has had there. If the seat is still shown the same, it must imagine the same world. The contents of the
    box are no secret: if a change would add or lose a card, two elements are swapped instead. Changes that make no
    valid position are skipped and counted. Stops after `enough` changes.
    """
    game = setup.rules
    tried: Counter[str] = Counter()
    dice = QuickDice(setup.seed)
    values: dict[tuple[str, int | None], list[Any]] = {}
    for seat, state, other in twins(setup, states):
        if tried["changes"] >= enough:
            break
        tried["twins"] += 1
        imagined = state.imagine(seat, QuickDice(DICE)).dump()
        world = other.imagine(seat, QuickDice(DICE)).dump()
        _alike(setup, seat, imagined, world, "another position that it cannot tell from this one")
        dump = state.dump()
        hidden = [each for each in differences(dump, other.dump()) if each[0] != "dice"]
        for name, place, value in hidden:
            there = values.setdefault((name, place), [])
            if value not in there:
                there.append(value)
        for _ in range(CHANGES if hidden else 0):
            name, place, value = hidden[dice.below(len(hidden))]
            if dice.below(2):
                value = values[name, place][dice.below(len(values[name, place]))]
            if value == (dump[name] if place is None else dump[name][place]):
                continue
            try:
                copy = changed(state, name, place, value, hidden)
                world = copy.imagine(seat, QuickDice(DICE)).dump()
                # Views are slow, and need no comparison if the world is the same.
                noticed = world != imagined and shown(game, copy, seat) != shown(game, state, seat)
            except (ArithmeticError, AssertionError, LookupError, StopIteration, ValueError):
                tried["skipped"] += 1
                continue
            if not noticed:
                tried["changes"] += 1
                where = name if place is None else f"{name}[{place}]"
                _alike(setup, seat, imagined, world, f"a position in which {where} is {value}")
    return Tried(tried["twins"], tried["changes"], tried["skipped"])


def _alike(setup: Setup, seat: int, one: dict[str, Any], two: dict[str, Any], what: str) -> None:
    if one != two:
        where = ", ".join(
            f"{name}" if place is None else f"{name}[{place}]" for name, place, _ in differences(one, two)
        )
        raise AssertionError(f"{setup}: seat {seat} imagines {what} differently, in {where}")


def what_a_move_reveals_is_counted_and_remembered(setup: Setup, states: list[State]) -> int:
    """A move that teaches its player something unforeseeable counts as a reveal, and what was learned is remembered.

    Before the move, the player cannot tell the position from one that it imagines. If the move is told or shown to the
    player differently in the two, cards or dice have revealed something. The position must count this as a reveal.
    Afterwards the player must know the difference: its view shows it, or it imagines different worlds with the same
    dice, unless it was told something that only chance decided. Returns the number of such moves.
    """
    game = setup.rules
    found = 0
    for number, state in enumerate(states):
        for maker in state.waiting():
            other = state.imagine(maker, QuickDice(number))
            moves = state.legal(maker)
            for move in moves if len(moves) < 8 else [*moves[:4], *moves[-4:]]:
                one, two = state.clone(), other.clone()
                record, another = told(one, maker, maker, move), told(two, maker, maker, move)
                alike = game.view(one, maker) == game.view(two, maker)
                if alike and record == another:
                    continue
                found += 1
                name = f"{setup}: {game.moves.name(move)}"
                assert one.reveals > state.reveals or not one.waiting(), (
                    f"{name} shows seat {maker} what it could not foresee, and does not count as a reveal"
                )
                if alike and not _by_chance(other, maker, move, record):
                    worlds = [each.imagine(maker, QuickDice(DICE)).dump() for each in (one, two)]
                    assert worlds[0] != worlds[1], f"{name} tells seat {maker} {record}, which it forgets at once"
    return found


def _by_chance(state: State, maker: int, move: int, record: list[Event]) -> bool:
    """Whether the move could be told like this with other dice."""
    for n in range(20):
        again = state.clone()
        again.dice = QuickDice(n)
        if told(again, maker, maker, move) == record:
            return True
    return False


WORLDS = 24
"""How many worlds are imagined to find out what a seat believes."""

CERTAIN = 300
"""How many more worlds confirm that a seat is certain of something."""


def facts(game: Game, state: State, seat: int) -> set[str]:
    """The facts in a seat's view: every word in it, with its place."""
    found: set[str] = set()

    def walk(value: Any, path: str) -> None:
        found.add(path)
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, f"{path}.{key}")
        elif isinstance(value, list):
            for inner in value:
                walk(inner, path)
        elif isinstance(value, str):
            found.add(f"{path}: {value}")

    walk(game.view(state, seat), "view")
    return found


def nobody_is_certain_of_what_may_be_false(setup: Setup, states: list[State]) -> int:
    """What is true in every world a seat imagines is true in every world that is possible for it.

    The possible worlds after a move are the worlds the seat imagined before it, with the move made in each, except
    those in which it would have been told or shown something else. What another player sees in all the worlds the seat
    imagines now, that player must also see in all the possible ones. Returns the number of moves examined.
    """
    game = setup.rules
    looked = 0
    dice = QuickDice(setup.seed + 3)
    for state in states:
        if not state.waiting():
            continue
        acting = state.waiting()[dice.below(len(state.waiting()))]
        seat = dice.below(setup.seats)
        moves = state.legal(acting)
        move = moves[dice.below(len(moves))]
        after = state.clone()
        record, view = told(after, seat, acting, move), None
        possible: list[State] = []
        for n in range(WORLDS):
            world = state.imagine(seat, QuickDice(n))
            if move in world.legal(acting) and told(world, seat, acting, move) == record:
                view = view or game.view(after, seat)
                if game.view(world, seat) == view:
                    possible.append(world)
        others = [other for other in range(setup.seats) if other != seat]
        other = acting if acting != seat and dice.below(2) else others[dice.below(len(others))]
        if possible:
            looked += 1
            _hold_true(setup, after, seat, other, game.moves.name(move), [after, *possible])
    return looked


def _hold_true(setup: Setup, after: State, seat: int, other: int, what: Named, possible: list[State]) -> None:
    game = setup.rules
    sure: set[str] | None = None
    doubtful: set[str] = set()
    could_be = [facts(game, world, other) for world in possible]
    for n in range(CERTAIN):
        imagined = facts(game, after.imagine(seat, QuickDice(n)), other)
        sure = imagined if sure is None else sure & imagined
        doubtful = {fact for fact in sure if not all(fact in true for true in could_be)}
        if not doubtful:
            return
    raise AssertionError(
        f"{setup}: after {what} seat {seat} is certain of {sorted(doubtful)} in the view of seat {other}, "
        "and may be wrong"
    )
