"""The laws about what a seat may and must not know, for any game.

Two of them look for leaks. One changes a single element of a position. The other compares a position with a *twin*: a
position that a seat imagined some moves ago and in which the same moves were made since. As long as the seat was told
and shown the same in both, it cannot tell them apart, so with the same dice it must imagine the same world in both,
byte for byte. So a game need not declare what is hidden.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, islice, product
from typing import Any, NamedTuple

from grandtour.engine.dice import QuickDice
from grandtour.engine.events import Event, seen
from grandtour.engine.game import Game
from grandtour.engine.state import State
from grandtour.engine.vocabulary import Named
from grandtour.testing.conformance import Setup, mover, step

STEPS = 4
"""How many moves are played with a twin."""

CHANGES = 60
"""How many changes are tried in each position, for each seat."""

DICE = 99

FIXED = ("seats", "version", "dice")
"""Fields that are not changed: everyone knows the first two, and nothing may depend on the dice."""

IMPOSSIBLE = (ArithmeticError, AssertionError, LookupError, StopIteration, ValueError)
"""Exceptions that a game may raise for an impossible position."""


class Twin(NamedTuple):
    """A position, and one that a seat cannot tell from it by anything it has ever seen."""

    seat: int
    state: State
    other: State


class Tried(NamedTuple):
    """How many changes the seat did not notice, how many it noticed, and how many gave an invalid position."""

    changes: int
    noticed: int
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


def differences(one: dict[str, Any], two: dict[str, Any]) -> list[tuple[str, int | None]]:
    """The elements in which two dumps differ: the field, and the index in its list."""
    found: list[tuple[str, int | None]] = []
    for name, value in one.items():
        if isinstance(value, list) and len(value) == len(two[name]):
            found += [(name, i) for i in range(len(value)) if value[i] != two[name][i]]
        elif value != two[name]:
            found.append((name, None))
    return found


class Ranges:
    """All values that each field takes in a list of positions."""

    def __init__(self, states: list[State]) -> None:
        found: dict[str, set[Any]] = {}
        for state in states:
            for name, value in state.dump().items():
                if name not in FIXED:
                    found.setdefault(name, set()).update(value if isinstance(value, list) else [value])
        self._values = {name: sorted(values) for name, values in found.items() if len(values) > 1}
        self._picked: Counter[str] = Counter()
        self.unnoticed: Counter[str] = Counter()

    def pick(self, dump: dict[str, Any], dice: QuickDice) -> tuple[str, int | None, Any]:
        """An element of a position, and another value for it. The more often changes to a field were noticed, the less
        often it is picked."""
        names = list(self._values)
        sizes = [len(dump[name]) if isinstance(dump[name], list) else 1 for name in names]
        weights = [
            min(size, 1) + 20 * size * (1 + self.unnoticed[name]) // (1 + self._picked[name])
            for name, size in zip(names, sizes, strict=True)
        ]
        number = bisect(list(accumulate(weights)), dice.below(sum(weights)))
        name = names[number]
        self._picked[name] += 1
        values = self._values[name]
        place = dice.below(sizes[number]) if isinstance(dump[name], list) else None
        return name, place, values[dice.below(len(values))]


def changed(
    state: State, dump: dict[str, Any], box: list[int], name: str, place: int | None, value: Any, dice: QuickDice
) -> State:
    """A copy with one element of a field changed. Two elements are swapped if the change would add or lose a card,
    since everyone knows the contents of the box."""
    copy = state.clone()
    if place is None:
        copy.restore({name: value})
    else:
        old = dump[name]
        new = [*old[:place], value, *old[place + 1 :]]
        copy.restore({name: new})
        if copy.census() == box:
            return copy
        places = [other for other, there in enumerate(old) if there == value]
        new[places[dice.below(len(places))]] = old[place]
        copy.restore({name: new})
    if copy.census() != box:
        raise LookupError("some card is now missing")
    return copy


def twins_are_imagined_alike(setup: Setup, states: list[State], enough: int = 50) -> int:
    """A seat imagines the same worlds for a position and for its twin, and remembers the same.

    So nothing hidden is in what `State.memory` declares to be known. Returns the number of twins; stops after `enough`.
    """
    found = 0
    for seat, state, other in islice(twins(setup, states), enough):
        found += 1
        worlds = [each.imagine(seat, QuickDice(DICE)).dump() for each in (state, other)]
        _assert_same_world(setup, seat, worlds[0], worlds[1], "another position that it cannot tell from this one")
        memory, another = state.memory(seat), other.memory(seat)
        secret = [name for name, value in memory.items() if value != another[name]]
        assert not secret, f"{setup}: seat {seat} remembers {', '.join(secret)}, which it cannot know"
    return found


def an_imagined_world_shows_nothing_hidden(setup: Setup, states: list[State], enough: int = 300) -> Tried:
    """A seat imagines the same world for a position and for the position with one element changed, if it cannot tell
    them apart.

    Any element of any field is changed to any value that the field takes in these positions. If the seat's view,
    prompt and legal moves stay the same, and what it remembers (`State.memory`), then it must imagine the same world,
    byte for byte. Changes that make no valid position are skipped and counted, and so are changes that the seat
    notices. Stops after `enough` others.
    """
    game = setup.rules
    tried: Counter[str] = Counter()
    dice = QuickDice(setup.seed)
    ranges = Ranges(states)
    for state, seat in sorted(product(states, range(setup.seats)), key=lambda _: dice.below(1 << 20)):
        if tried["changes"] >= enough:
            break
        if not state.waiting():
            continue
        imagined = state.imagine(seat, QuickDice(DICE)).dump()
        memory, dump, box, now = state.memory(seat), state.dump(), state.census(), None
        for _ in range(CHANGES):
            name, place, value = ranges.pick(dump, dice)
            if value == (dump[name] if place is None else dump[name][place]):
                continue
            try:
                copy = changed(state, dump, box, name, place, value, dice)
                noticed = copy.reveals != state.reveals or copy.memory(seat) != memory
                world = imagined if noticed else copy.imagine(seat, QuickDice(DICE)).dump()
                if world != imagined:
                    # Views are slow, and only compared now. They are the same if the worlds are: see
                    # `a_seat_cannot_tell_an_imagined_position_from_the_real_one`.
                    now = now or shown(game, state, seat)
                    noticed = shown(game, copy, seat) != now
            except IMPOSSIBLE:
                tried["skipped"] += 1
                continue
            tried["noticed" if noticed else "changes"] += 1
            if not noticed:
                ranges.unnoticed[name] += 1
                where = name if place is None else f"{name}[{place}]"
                _assert_same_world(setup, seat, imagined, world, f"a position in which {where} is {value}")
    return Tried(tried["changes"], tried["noticed"], tried["skipped"])


def _assert_same_world(setup: Setup, seat: int, one: dict[str, Any], two: dict[str, Any], what: str) -> None:
    if one != two:
        where = ", ".join(f"{name}" if place is None else f"{name}[{place}]" for name, place in differences(one, two))
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
    """Whether the same events could have come from other dice rolls."""
    for n in range(20):
        again = state.clone()
        again.dice = QuickDice(n)
        if told(again, maker, maker, move) == record:
            return True
    return False


WORLDS = 24
"""How many worlds are imagined to find out which worlds are possible for a seat."""

CONFIRMATIONS = 300
"""How many worlds are imagined to confirm that a seat is certain of something."""


def facts(game: Game, state: State, seat: int) -> set[str]:
    """The facts in a seat's view: every string in it, with its path."""
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
            _assert_facts(setup, after, seat, other, game.moves.name(move), [after, *possible])
    return looked


def _assert_facts(setup: Setup, after: State, seat: int, other: int, what: Named, possible: list[State]) -> None:
    game = setup.rules
    sure: set[str] | None = None
    doubtful: set[str] = set()
    could_be = [facts(game, world, other) for world in possible]
    for n in range(CONFIRMATIONS):
        imagined = facts(game, after.imagine(seat, QuickDice(n)), other)
        sure = imagined if sure is None else sure & imagined
        doubtful = {fact for fact in sure if not all(fact in true for true in could_be)}
        if not doubtful:
            return
    raise AssertionError(
        f"{setup}: after {what} seat {seat} is certain of {sorted(doubtful)} in the view of seat {other}, "
        "and may be wrong"
    )
