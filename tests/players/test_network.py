"""The network that the hard player uses, and its files."""

import json
import random
import struct

import pytest

from grandtour.engine.catalogue import game, games
from grandtour.engine.dice import QuickDice
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import State
from grandtour.players import weights
from grandtour.players.hard import Hard
from grandtour.players.lookahead import Lookahead
from grandtour.players.network import Network, logit, parts_of
from grandtour.rl.encoding import features_of, has_features

HIDDEN = (5, 4)
LEARNABLE = [name for name, found in games().items() if has_features(found)]


def position(found: Game, seats: int, moves: int = 30) -> State:
    """A position after some random moves."""
    dice = QuickDice(7)
    state: State = found.new(seats, check_options(found.options, None), QuickDice(3))
    for _ in range(moves):
        seat = state.waiting()[0]
        legal = state.legal(seat)
        state.play(seat, legal[dice.below(len(legal))])
    return state


def made(found: Game, seats: int, own: float = 0.7) -> tuple[weights.Header, list[list[float]]]:
    """Random weights that 16-bit floats can represent."""
    header = weights.new_header(found, seats, HIDDEN, own, 1, "grandtour train it")
    rng = random.Random(5)
    layers = [[rng.gauss(0, 0.5) for _ in range((ins + 1) * outs)] for ins, outs in header.shapes()]
    return header, [list(struct.unpack(f"<{len(each)}e", struct.pack(f"<{len(each)}e", *each))) for each in layers]


def reference(found: Game, state: State, seat: int, header: weights.Header, layers: list[list[float]]) -> list[float]:
    """The output of the last layer, computed in the simplest way from the view."""
    features = features_of(found, header.seats)
    numbers = [0] * features.size
    features.write(found.view(state, seat), seat, numbers, 0)
    inputs = [number / most for number, most in zip(numbers, features.maxima(), strict=True)]
    for place, ((ins, outs), layer) in enumerate(zip(header.shapes(), layers, strict=True)):
        sums = [
            layer[ins * outs + out] + sum(inputs[i] * layer[i * outs + out] for i in range(ins)) for out in range(outs)
        ]
        inputs = sums if place == 2 else [max(0.0, each) for each in sums]
    return inputs


@pytest.mark.parametrize("name", LEARNABLE)
def test_a_network_computes_what_the_plain_formula_says(name: str) -> None:
    found = game(name)
    seats = found.players[0]
    state = position(found, seats)
    seat = state.waiting()[0]
    header, layers = made(found, seats)
    network = weights.network(found, seats, header, layers)
    for _ in range(2):  # no state is left over from the previous position
        outputs = reference(found, state, seat, header, layers)
        assert logit(network.value(state, seat, 0.3)) == pytest.approx(outputs[0] + 0.7 * logit(0.3), abs=1e-6)
        legal = state.legal(seat)
        parts = parts_of(found.moves)
        expected = [sum(outputs[1 + part] for part in parts[move]) for move in legal]
        assert network.scores(state, seat, legal) == pytest.approx(expected)
        state.play(seat, legal[0])
        seat = state.waiting()[0]


def test_moves_share_their_parts() -> None:
    found = game("round-trip")
    parts = parts_of(found.moves)
    milano, napoli = (found.moves.move("take", pile=pile) for pile in ("Milano", "Napoli"))
    assert parts[milano][0] == parts[napoli][0], "both take"
    assert parts[milano] != parts[napoli]
    assert len({tuple(sorted(each)) for each in parts}) == len(parts), "no two moves look the same"


def test_a_file_holds_what_was_written() -> None:
    found = game("round-trip")
    header, layers = made(found, 3)
    network = weights.read(weights.write(header, layers), found, 3)
    state = position(found, 3)
    direct = weights.network(found, 3, header, layers)
    assert network.value(state, 0, 0.4) == direct.value(state, 0, 0.4)


def torn(data: bytes) -> bytes:
    return data[:-1]


def changed(data: bytes) -> bytes:
    return data[:-2] + b"xy"


def another(**fields: object) -> object:
    def change(data: bytes) -> bytes:
        head, _, body = data.partition(b"\n")
        return json.dumps({**json.loads(head), **fields}).encode() + b"\n" + body

    return change


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (torn, "cut short or changed"),
        (changed, "cut short or changed"),
        (lambda data: b"", "not a file of weights"),
        (lambda data: b"\x00" * 9999, "not a file of weights"),
        (lambda data: b"[1]\n", "not a file of weights"),
        (another(format="weights 9"), "not a file of weights"),
        (another(format="grandtour weights 9"), "another version: its format is 'grandtour weights 9', not grandtour"),
        (another(hidden=[64]), "first line is incomplete"),
        (another(hidden=["a", 2]), "first line is incomplete"),
        (another(hidden=[10**9, 2]), "first line is incomplete"),
        (another(own="much"), "first line is incomplete"),
        (another(game="itchy-feet"), "for the game 'itchy-feet', not round-trip"),
        (another(rules=99), "for version of the rules 99, not 1"),
        (another(seats=4), "for this many seats: 4, not 3"),
        (another(inputs=1), "observations of this size: 1, not 650"),
        (another(parts=1), "moves with this many parts: 1, not"),
        (another(hidden=[6, 4]), "as many weights as its layers need"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(spoil: object, said: str) -> None:
    found = game("round-trip")
    data = weights.write(*made(found, 3))
    assert callable(spoil)
    with pytest.raises(Refusal, match=said) as refused:
        weights.read(spoil(data), found, 3)
    assert str(refused.value).endswith(".")


def test_weights_that_are_not_numbers_are_refused() -> None:
    found = game("round-trip")
    header, layers = made(found, 3)
    layers[0][3] = float("nan")
    with pytest.raises(Refusal, match="not numbers"):
        weights.read(weights.write(header, layers), found, 3)


def test_weights_are_at_most_a_megabyte() -> None:
    found = game("word-traveler")
    header = weights.new_header(found, 2, (64, 32), 0.0, 1, "")
    with pytest.raises(Refusal, match="use smaller layers"):
        weights.write(header, [])


@pytest.mark.parametrize("name", games())
def test_the_weights_in_a_games_folder_can_be_played_with(name: str) -> None:
    found = game(name)
    for seats in range(found.players[0], found.players[1] + 1):
        network = weights.learned(found, seats)
        if network is not None:
            state: State = found.new(seats, check_options(found.options, None), QuickDice(1))
            assert 0.0 < network.value(state, state.waiting()[0], 0.5) < 1.0


def network_of(found: Game, seats: int) -> Network:
    return weights.network(found, seats, *made(found, seats))


def test_a_lookahead_returns_legal_moves_and_depends_only_on_its_dice() -> None:
    found = game("itchy-feet")
    state = position(found, 3)
    seat = state.waiting()[0]
    search = Lookahead(found, network_of(found, 3))
    first = search.ponder(state, seat, QuickDice(2), 60)
    again = search.ponder(state, seat, QuickDice(2), 60)
    assert [(each.move, each.visits, each.value) for each in first] == [
        (each.move, each.visits, each.value) for each in again
    ]
    assert {each.move for each in first} <= set(state.legal(seat))
    assert sum(each.visits for each in first) <= 60


def test_a_lookahead_sees_only_what_its_seat_may_see() -> None:
    found = game("itchy-feet")
    state = position(found, 3)
    seat = state.waiting()[0]
    search = Lookahead(found, network_of(found, 3))
    twin = state.imagine(seat, QuickDice(99))
    chosen = [search.ponder(each, seat, QuickDice(4), 60)[0].move for each in (state, twin)]
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("name", ["itchy-feet", "round-trip"])
def test_a_player_that_sees_all_searches_the_true_position(name: str) -> None:
    found = game(name)

    class Seer(Hard):
        sees_all = True

    state = position(found, 3, 0)
    seat = state.waiting()[0]
    values = []
    for world in (state, state.imagine(seat, QuickDice(99))):
        values.append([(each.move, each.value) for each in Seer("50").ponder(found, world, seat, QuickDice(4))])
    assert values[0] != values[1], "other hidden cards make a difference"
