"""The text of a view fits the terminal, and shows neither more nor less than the view."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.state import State
from grandtour.players import speakers
from grandtour.protocol.text import WIDTH, view_text, wrapped
from grandtour.testing.conformance import mover

NAMES = ["Ada", "Blaise", "Carl", "Dora"]
SAMPLES = 6
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "itchy-feet": [
        dict.fromkeys(("events", "special_items", "forbidden_items", "postcards", "characters"), True),
        {"variant": "bucket-list"},
    ],
    "journey-istanbul": [{}, {"winner": "none"}],
    "word-traveler": [{"discussion": 120}, {"names": "hidden"}],
}
UNSAID = {
    "you": "the reader is addressed as you",
    "clock.run": "a number that only tells two clocks apart",
    "layout[].kind": "everything else in the section depends on it",
    "kinds[]": "all cards that exist, which the rulebook lists",
    "least": "said only while tickets are chosen",
    "players[].unknown.cards": "not said of one's own hand, like the next three",
    "players[].unknown.others": "",
    "players[].unknown.passports": "",
    "players[].unknown.drawn": "",
    "trust[].seat": "not said of those who have proved nothing yet",
    "sheet[].squares[].square": "not said of squares without a card",
    "evening.fine": "not said without a raid, like the next",
    "evening.until": "",
    "planner[].heard[].card": "its day is that of the square, like that of the next three",
    "planner[].told[].card": "",
    "evening.cards[]": "",
    "evening.squares[].card": "",
}
"""Parts of a view that the text may leave out, at least at times, and why."""


class Sample(NamedTuple):
    """A view of a position, and the seat that sees it."""

    game: Game
    state: State
    seat: int | None

    @property
    def view(self) -> Any:
        return self.game.view(self.state, self.seat)

    def text(self, view: Any = None, width: int = WIDTH) -> str:
        return view_text(self.game, view or self.view, NAMES[: self.state.seats], self.seat, width)


@cache
def samples(name: str) -> list[Sample]:
    """Positions of two games, one played by bots and one at random, each from one seat."""
    game = games()[name]
    found = []
    for seed, options in enumerate(OPTIONS.get(name, [{}, {}])):
        for sensible in (True, False):
            line = list(played(game, 3, options, seed, sensible))
            some = [line[at * (len(line) - 1) // (SAMPLES - 1)] for at in range(SAMPLES)]
            found += [Sample(game, state, None if at % 5 == 4 else at % 3) for at, state in enumerate(some)]
    return found


def played(game: Game, seats: int, options: dict[str, Any], seed: int, sensible: bool) -> Iterator[State]:
    """Every position of a game."""
    dice = QuickDice(seed)
    state: State = game.new(seats, check_options(game.options, options), QuickDice(seed))
    yield state.clone()
    while state.waiting():
        if sensible:
            seat = [*speakers(game, state, ["normal"] * seats), *state.waiting()][0]
            state.play(seat, game.choose(state.imagine(seat, dice), seat, dice))
        else:
            seat = mover(state, dice)
            moves = state.legal(seat)
            state.play(seat, moves[dice.below(len(moves))])
        yield state.clone()


@pytest.mark.parametrize("name", games())
def test_no_line_is_longer_than_a_terminal_is_wide(name: str) -> None:
    for each in samples(name):
        for width in (WIDTH, 60):
            longest = max(each.text(width=width).split("\n"), key=len)
            assert len(longest) <= width, f"{name} has a line of {len(longest)} characters: {longest}"


@pytest.mark.parametrize("name", games())
def test_two_worlds_that_a_seat_cannot_tell_apart_have_the_same_text(name: str) -> None:
    for number, each in enumerate(samples(name)):
        if each.seat is not None:
            other = each.state.imagine(each.seat, QuickDice(number))
            text = each._replace(state=other).text()
            assert text == each.text(), f"{name}: the text for seat {each.seat} depends on hidden information"


Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every single value in a view, with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
    else:
        yield path, value


def kind(path: Path) -> str:
    """The path of a value, without indices and names: players[].cards, owners.*."""
    steps = ("[]" if isinstance(step, int) else step if step.islower() else "*" for step in path)
    return ".".join(steps).replace(".[]", "[]")


def changed(view: Any, path: Path, value: Any) -> Any:
    """A copy of a view with another value at a path; unchanged parts are shared."""
    if not path:
        return value
    copy = view.copy()
    copy[path[0]] = changed(view[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("name", games())
def test_any_change_of_a_view_changes_its_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace one value with another from the same field: the text must change."""
    # Most lines do not change, and wrapping them takes nearly all the time.
    monkeypatch.setattr("grandtour.protocol.text.wrapped", cache(wrapped))
    seen: dict[str, list[Any]] = defaultdict(list)
    for each in samples(name):
        for path, value in leaves(each.view):
            if value not in seen[kind(path)]:
                seen[kind(path)].append(value)
    tried: Counter[str] = Counter()
    untold: Counter[str] = Counter()
    for number, each in enumerate(samples(name)):
        view, text = each.view, each.text()
        here: Counter[str] = Counter()
        for path, value in leaves(view):
            what = kind(path)
            others = [other for other in seen[what] if type(other) is type(value) and other != value]
            here[what] += 1
            if others and here[what] <= 2 and what not in UNSAID:
                tried[what] += 1
                other = changed(view, path, others[number % len(others)])
                if each.text(other) == text:
                    untold[what] += 1
    assert len(tried) > 5, "hardly anything was tried"
    assert not untold, f"{name} does not say everything: {dict(untold)} of { ({what: tried[what] for what in untold}) }"
