"""Views as numbers: fixed length, named, lossless, relative to the observing seat, and without leaks."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from grandtour.engine.catalogue import game as find
from grandtour.engine.catalogue import games
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import Options, check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.rl.encoding import features_of, has_features
from grandtour.rl.features import (
    ByName,
    BySeat,
    Counts,
    Each,
    Feature,
    Flag,
    Index,
    Kind,
    LeftOut,
    Letters,
    Maybe,
    Number,
    OneOf,
    Ordered,
    Record,
    Seat,
    Seats,
    Translated,
)

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = [game for game in games().values() if has_features(game)]
ALL = [pytest.param(game, seats, id=f"{game.name}-{seats}") for game in GAMES for seats in game.players]


EXTENSIONS = {"events": True, "special_items": True, "forbidden_items": True, "postcards": True}
OPTIONS: dict[str, list[Options]] = {
    "itchy-feet": [{"variant": "bucket-list", **EXTENSIONS}, {"characters": True, **EXTENSIONS}],
    "journey-istanbul": [{"winner": "none"}],
    "round-trip": [{"selection": "singles", "turn_limit": 200}],
    "word-traveler": [{"names": "hidden", "timer": 0, "discussion": 120}],
}
"""Options that make views contain more than by default; other games use their defaults."""


def nonzero_numbers(feature: Feature, value: object, you: int = 0) -> dict[str, int]:
    """The non-zero numbers, by name."""
    out = [0] * feature.size
    feature.write(value, you, out, 0)
    return {name: number for name, number in zip(feature.names(), out, strict=True) if number}


@pytest.mark.parametrize(
    ("feature", "value", "expected"),
    [
        (Flag(), True, {"": 1}),
        (Flag(), False, {}),
        (Number(4), 3, {"": 3}),
        (Number(4), 9, {"": 4}),
        (Number(4), -1, {}),
        (Number(4000, 1000), 3000, {"": 3}),
        (OneOf(["red", "blue"]), "blue", {"blue": 1}),
        (Kind({"a": "vowel", "e": "vowel", "b": "other"}), "e", {"vowel": 1}),
        (Index(["a", "b", "c", "d"]), "b", {"": 2}),
        (Counts(["red", "blue"], 4), ["red", "blue", "red"], {"red": 2, "blue": 1}),
        (Counts(["red", "blue"], 4), {"blue": 3}, {"blue": 3}),
        (Counts(["red", "blue"], 4, "card"), [{"card": "blue", "count": 2}], {"blue": 2}),
        (Counts(["red", "blue"], 4), {"blue": 9}, {"blue": 4}),
        (Ordered(["red", "blue", "grey"], 4), ["blue", "red"], {"red": 3, "blue": 4}),
        (Letters(3, ".o"), ".o.", {"1 .": 1, "2 o": 1, "3 .": 1}),
        (Seat(4), 1, {"+2": 1}),
        (Seat(4), 3, {"you": 1}),
        (Seat(2, "all"), "all", {"all": 1}),
        (Seats(4), [0, 3], {"you": 1, "+1": 1}),
        (Maybe(Number(2)), 0, {"there": 1}),
        (Each(3, Number(2)), [1, 0], {"1.there": 1, "1": 1, "2.there": 1}),
        (BySeat(4, {"wins": Number(2)}), [{"seat": 0, "wins": 2}], {"+1.there": 1, "+1.wins": 2}),
        (ByName(["x", "y"], Flag()), {"y": True}, {"y.there": 1, "y": 1}),
        (
            ByName(
                [("x", 1), ("x", 2)], Record({"a": LeftOut("place"), "b": LeftOut("place"), "c": Flag()}), ("a", "b")
            ),
            [{"a": "x", "b": 2, "c": True}],
            {"x 2.there": 1, "x 2.c": 1},
        ),
        (Translated({"Roma": {"rank": 3}}, Record({"rank": Number(5)})), "Roma", {"rank": 3}),
        (Record({"a": Flag(), "b": Number(2), "c": LeftOut("said by a")}), {"a": True, "b": None, "c": 7}, {"a": 1}),
    ],
)
def test_features_encode_values(feature: Feature, value: object, expected: dict[str, float]) -> None:
    """Seat 3 observes, at a table of four where seats matter."""
    you = 3 if feature.size != 3 or not isinstance(feature, Seat) else 0
    assert nonzero_numbers(feature, value, you) == expected


def test_an_undeclared_field_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not declare the field 'new'; it declares old"):
        nonzero_numbers(Record({"old": Flag()}), {"old": True, "new": True})


def test_a_list_that_is_too_long_is_an_error() -> None:
    with pytest.raises(ValueError, match="room for 1 items in a list, not for 2"):
        nonzero_numbers(Each(1, Flag()), [True, True])


def positions(game: Game, seats: int) -> Iterator[tuple[int, State]]:
    """Positions from random games with various options, each with the number of its game."""
    for number, options in enumerate([{}, *OPTIONS.get(game.name, [])]):
        state = game.new(seats, check_options(game.options, options), QuickDice(seats + number))
        dice = QuickDice(number)
        for _ in range(100):
            waiting = state.waiting()
            if not waiting:
                break
            yield number, state
            seat = waiting[dice.below(len(waiting))]
            moves = state.legal(seat)
            state.play(seat, moves[dice.below(len(moves))])


@pytest.mark.parametrize(("game", "seats"), ALL)
def test_every_number_has_a_unique_name(game: Game, seats: int) -> None:
    features = features_of(game, seats)
    names = features.names()
    assert len(names) == features.size
    assert len(set(names)) == len(names)
    assert len(features.maxima()) == features.size


def test_a_number_that_does_not_fit_into_a_byte_is_an_error() -> None:
    with pytest.raises(ValueError, match="a number of up to 330, but one of at most 255"):
        Number(330)


@pytest.mark.parametrize(("game", "seats"), ALL)
def test_the_encoding_keeps_all_a_seat_sees_and_nothing_else(game: Game, seats: int) -> None:
    features = features_of(game, seats)
    maxima = features.maxima()
    seen: dict[tuple[object, ...], Mapping[str, object]] = {}
    for count, (number, state) in enumerate(positions(game, seats)):
        seat = count % seats
        view = game.view(state, seat)
        out = [0] * features.size
        features.write(view, seat, out, 0)
        assert all(0 <= number <= most for number, most in zip(out, maxima, strict=True))
        before = seen.setdefault((number, seat, *out), view)
        assert before == view, f"two views have the same numbers: {[key for key in view if view[key] != before[key]]}"
        if count % 5:
            continue
        imagined = [0] * features.size
        features.write(game.view(state.imagine(seat, QuickDice(count)), seat), seat, imagined, 0)
        assert imagined == out, "it shows what the seat must not see"


def test_a_seat_comes_first_and_its_left_neighbour_next() -> None:
    game = find("round-trip")
    features = features_of(game, 3)
    state = game.new(3, check_options(game.options, {"start": "2"}), QuickDice(1))
    state.play(1, state.legal(1)[0])
    taken = [
        {name for name in nonzero_numbers(features, game.view(state, seat), seat) if ".backs." in name}
        for seat in range(3)
    ]
    where = [name.split(".")[1] for names in taken for name in names]
    assert where == ["+1", "you", "+2"]


def test_features_are_optional() -> None:
    game = next(game for game in games().values() if not has_features(game))
    with pytest.raises(Refusal, match=r"has no features\.py"):
        features_of(game, 2)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_sizes_in_the_docs_are_correct(game: Game) -> None:
    low, high = game.players
    sizes = ", ".join(f"{features_of(game, seats).size:,}" for seats in range(low, high + 1))
    row = f"| `{game.name}` | {game.moves.size:,} | {sizes} |"
    assert row in (ROOT / "docs" / "learning.md").read_text("utf-8"), f"docs/learning.md should say {row}"
