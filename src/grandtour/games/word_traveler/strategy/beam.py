# compiled
"""What a beam search over a traveler's paths keeps."""

from librt.vecs import append, vec
from mypy_extensions import i64


class Beam:
    """Paths, each with its worth so far, the chance of being on it, the cards it uses and its stops as bits; and for a
    path that was continued: from which one, to where, and with which clue."""

    def __init__(self) -> None:
        self.worth = vec[float]()
        self.chance = vec[float]()
        self.cards = vec[i64]()
        self.stops = vec[i64]()
        self.parent = vec[i64]()
        self.there = vec[i64]()
        self.clue = vec[i64]()

    def add(self, worth: float, chance: float, cards: i64, stops: i64, parent: i64, there: i64, clue: i64) -> None:
        self.worth = append(self.worth, worth)
        self.chance = append(self.chance, chance)
        self.cards = append(self.cards, cards)
        self.stops = append(self.stops, stops)
        self.parent = append(self.parent, parent)
        self.there = append(self.there, there)
        self.clue = append(self.clue, clue)


class Best:
    """The numbers with the highest ranks, the highest first; of equals the first to come."""

    def __init__(self, width: i64) -> None:
        self.width: i64 = width
        self.size: i64 = 0
        self.ranks = vec[float]([0.0] * int(width))
        self.numbers = vec[i64]([0] * int(width))

    def add(self, rank: float, number: i64) -> bool:
        """Whether a number is among the highest so far."""
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
