"""The schedule of a tournament: who plays whom, and in which seats.

Every deal is played by every grouping of the players in every seating, so that nobody is lucky with cards or seats. If
a grouping has more than `MAX_SEATINGS` seatings, a deal draws one table order and plays all its rotations: everybody
still has every seat once, and over many deals every seating comes up.
"""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations

from grandtour.arena.play import Seating, derive_seed
from grandtour.engine.dice import QuickDice

MAX_SEATINGS = 24

Seats = tuple[int, ...]


def groupings(field: int, seats: int, team: bool) -> list[Seats]:
    """Every group of players that can share a table.

    In a team game one player fills all seats. If there are fewer players than seats, players fill several seats.
    """
    if team:
        return [(player,) * seats for player in range(field)]
    if field >= seats:
        return list(combinations(range(field), seats))
    return [group for group in combinations_with_replacement(range(field), seats) if len(set(group)) > 1]


def seatings(group: Seats) -> list[Seats]:
    """Every distinct way to seat a grouping."""
    return sorted(set(permutations(group)))


def rotations(group: Seats) -> list[list[Seats]]:
    """The seatings by table order: each list holds the rotations of one order."""
    found: dict[Seats, list[Seats]] = {}
    for seating in seatings(group):
        first = min(seating[turn:] + seating[:turn] for turn in range(len(seating)))
        found.setdefault(first, []).append(seating)
    return list(found.values())


class Schedule:
    """Which games are played with each deal, in order."""

    def __init__(self, field: int, seats: int, seed: int, team: bool) -> None:
        self.seed = seed
        self.tables: list[list[list[Seats]]] = []
        for group in groupings(field, seats, team):
            every = seatings(group)
            self.tables.append([every] if len(every) <= MAX_SEATINGS else rotations(group))
        sizes = [{len(order) for order in orders} for orders in self.tables]
        # If all table orders of every grouping have equally many seatings, all deals have equally many games.
        self._size = sum(map(max, sizes)) if all(len(size) == 1 for size in sizes) else 0

    def deal(self, number: int) -> list[Seating]:
        """The games played with one deal."""
        dice = QuickDice(derive_seed(self.seed, number, "table order"))
        chosen = (orders[dice.below(len(orders))] for orders in self.tables)
        return [Seating(number, seating) for seats in chosen for seating in seats]

    def deals(self, games: int) -> int:
        """How many whole deals it takes to play at least this many games."""
        if self._size:
            return -(-games // self._size)
        number = count = 0
        while count < games:
            count += len(self.deal(number))
            number += 1
        return number

    def count(self, deals: int) -> int:
        """How many games the first `deals` deals have."""
        return self._size * deals if self._size else sum(1 for _ in self.games(deals))

    def games(self, deals: int) -> Iterator[Seating]:
        """The games of the first `deals` deals."""
        for number in range(deals):
            yield from self.deal(number)
