# compiled
"""The data of a beam search over a traveler's paths."""

from librt.vecs import append, vec
from mypy_extensions import i64


class Beam:
    """Paths as parallel lists. Each has its value so far, the chance that the locals follow it, and its cards and stops
    as bits. An extended path also has its parent, its last stop and the clue for that."""

    def __init__(self) -> None:
        self.values = vec[float]()
        self.chance = vec[float]()
        self.cards = vec[i64]()
        self.stops = vec[i64]()
        self.parent = vec[i64]()
        self.there = vec[i64]()
        self.clue = vec[i64]()

    def add(self, value: float, chance: float, cards: i64, stops: i64, parent: i64, there: i64, clue: i64) -> None:
        self.values = append(self.values, value)
        self.chance = append(self.chance, chance)
        self.cards = append(self.cards, cards)
        self.stops = append(self.stops, stops)
        self.parent = append(self.parent, parent)
        self.there = append(self.there, there)
        self.clue = append(self.clue, clue)


class Best:
    """The numbers with the highest ranks, the highest first. Among equals, the first one added wins."""

    def __init__(self, width: i64) -> None:
        self.width: i64 = width
        self.size: i64 = 0
        self.ranks = vec[float]([0.0] * int(width))
        self.numbers = vec[i64]([0] * int(width))

    def add(self, rank: float, number: i64) -> bool:
        """Add a number if it is among the highest so far. Returns whether it is."""
        if self.size == self.width:
            if rank <= self.ranks[self.size - 1]:
                return False
        else:
            self.size += 1
        at = self.size - 1
        while at and self.ranks[at - 1] < rank:
            self.ranks[at] = self.ranks[at - 1]
            self.numbers[at] = self.numbers[at - 1]
            at -= 1
        self.ranks[at] = rank
        self.numbers[at] = number
        return True
