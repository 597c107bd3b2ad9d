# compiled
"""A small network that has learned a game: what a position is worth to a seat, and how good its moves look.

It needs no other package. The input is what the seat sees, as the game's encoder writes it: mostly zeros, which the
first layer skips. A move's score is the sum of the scores of its parts, such as its verb and each of its arguments, so
that moves which have much in common are learned together.
"""

from math import exp, log
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from grandtour.engine.state import State
from grandtour.engine.vocabulary import Vocabulary
from grandtour.rl.encoder import Encoder

CERTAIN: Final = 0.001
"""Estimates are kept this far from 0 and 1, where the logit would be infinite."""


class Layer:
    """The weights of one layer: one row for each input, then one for the biases."""

    def __init__(self, inputs: int, outputs: int, numbers: list[float]) -> None:
        if len(numbers) != (inputs + 1) * outputs:
            raise ValueError(f"a layer of {inputs} and {outputs} has {len(numbers)} numbers")
        self.inputs: i64 = inputs
        self.outputs: i64 = outputs
        self.numbers = vec[float](numbers)
        self.sums = vec[float]([0.0] * outputs)

    def begin(self) -> None:
        """Start with the biases."""
        first = self.inputs * self.outputs
        for i in range(self.outputs):
            self.sums[i] = self.numbers[first + i]

    def add(self, place: i64, value: float) -> None:
        """Add an input."""
        sums = self.sums
        numbers = self.numbers
        first = place * self.outputs
        for i in range(self.outputs):
            sums[i] += value * numbers[first + i]


class Network:
    """A network trained for a game with one number of seats.

    `own` is the weight of the game's own evaluation of a position, which the network corrects.
    """

    def __init__(self, encoder: Encoder, parts: list[list[int]], layers: list[Layer], own: float) -> None:
        self.encoder: Final = encoder
        self.first: Final = layers[0]
        self.second: Final = layers[1]
        self.third: Final = layers[2]
        self.own: Final = own
        self.seen = vec[u8](bytes(int(encoder.size)))
        self.starts = vec[i64]([0] * (len(parts) + 1))
        flat: list[int] = []
        for move in range(len(parts)):
            flat += parts[move]
            self.starts[move + 1] = len(flat)
        self.parts = vec[i64](flat)

    def value(self, state: State, seat: i64, estimate: float) -> float:
        """The result that the seat can expect, from 0 to 1. `estimate` is what the game's own evaluation expects; it
        counts only if the network was trained to correct it."""
        self._look(state, seat)
        total = self._output(0)
        if self.own != 0.0:
            total += self.own * logit(estimate)
        return 1.0 / (1.0 + exp(-total))

    def scores(self, state: State, seat: i64, moves: list[int]) -> list[float]:
        """How good these moves look: the logarithms of their chances, up to a constant."""
        self._look(state, seat)
        found: list[float] = []
        for each in moves:
            move: i64 = each
            total = 0.0
            for i in range(self.starts[move], self.starts[move + 1]):
                total += self._output(1 + self.parts[i])
            found.append(total)
        return found

    def _look(self, state: State, seat: i64) -> None:
        """Compute the second hidden layer from what the seat sees."""
        seen = self.seen
        first = self.first
        self.encoder.encode(state, seat, seen, 0)
        first.begin()
        for place in range(self.encoder.size):
            number = seen[place]
            if number != 0:
                first.add(place, float(i64(number)))
                seen[place] = 0
        second = self.second
        second.begin()
        for place in range(first.outputs):
            value = first.sums[place]
            if value > 0.0:
                second.add(place, value)

    def _output(self, place: i64) -> float:
        """One number of the last layer."""
        third = self.third
        sums = self.second.sums
        total = third.numbers[third.inputs * third.outputs + place]
        for i in range(third.inputs):
            if sums[i] > 0.0:
                total += sums[i] * third.numbers[i * third.outputs + place]
        return total


def logit(chance: float) -> float:
    """The logarithm of the odds."""
    if chance < CERTAIN:
        chance = CERTAIN
    elif chance > 1.0 - CERTAIN:
        chance = 1.0 - CERTAIN
    return log(chance / (1.0 - chance))


def parts_of(moves: Vocabulary) -> list[list[int]]:
    """The numbers of the parts of every move: its verb, and each value of each argument."""
    numbers: dict[str, int] = {}
    found: list[list[int]] = []
    for move in range(moves.size):
        named = moves.name(move)
        verb = str(named["do"])
        words = [verb]
        for name, value in named.items():
            if name != "do":
                for each in value if isinstance(value, list) else [value]:
                    words.append(f"{verb} {name} {each}")
        found.append([numbers.setdefault(word, len(numbers)) for word in words])
    return found
