"""Who meets whom, and in which seats: every grouping of a field at tables of some size, in every seating.

A deal is played by every grouping and in every seating, so that nobody is lucky with cards or seats. Where a grouping
has more than `MOST` seatings, a deal is played round one table order, each time one seat further, and the deal's own
dice draw which order: everybody still has every seat once, and in time every seating comes up.
"""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations

from grandtour.arena.playing import Seating, chance
from grandtour.engine.dice import QuickDice

MOST = 24

Seats = tuple[int, ...]


def groupings(field: int, seats: int, team: bool) -> list[Seats]:
    """The tables of a field of players. In a team game a player has all the seats; a small field sits down again."""
    if team:
        return [(player,) * seats for player in range(field)]
    if field >= seats:
        return list(combinations(range(field), seats))
    return [group for group in combinations_with_replacement(range(field), seats) if len(set(group)) > 1]


def seatings(group: Seats) -> list[Seats]:
    """All different ways to seat a grouping."""
    return sorted(set(permutations(group)))


def rounds(group: Seats) -> list[list[Seats]]:
    """The seatings by table order: those of one list are each other's, some seats further."""
    found: dict[Seats, list[Seats]] = {}
    for seating in seatings(group):
        first = min(seating[turn:] + seating[:turn] for turn in range(len(seating)))
        found.setdefault(first, []).append(seating)
    return list(found.values())


class Schedule:
    """The games of every deal, in order."""

    def __init__(self, field: int, seats: int, seed: int, team: bool) -> None:
        self.seed = seed
        self.tables: list[list[list[Seats]]] = []
        for group in groupings(field, seats, team):
            every = seatings(group)
            self.tables.append([every] if len(every) <= MOST else rounds(group))
        sizes = [{len(order) for order in orders} for orders in self.tables]
        # Where all table orders of a grouping have as many seatings, all deals have as many games.
        self._size = sum(map(max, sizes)) if all(len(size) == 1 for size in sizes) else 0

    def deal(self, number: int) -> list[Seating]:
        """The games that are played with one deal."""
        dice = QuickDice(chance(self.seed, number, "table order"))
        chosen = (orders[dice.below(len(orders))] for orders in self.tables)
        return [Seating(number, seating) for seats in chosen for seating in seats]

    def deals(self, games: int) -> int:
        """How many whole deals hold at least so many games."""
        if self._size:
            return -(-games // self._size)
        number = count = 0
        while count < games:
            count += len(self.deal(number))
            number += 1
        return number

    def count(self, deals: int) -> int:
        """How many games the first deals hold."""
        return self._size * deals if self._size else sum(1 for _ in self.games(deals))

    def games(self, deals: int) -> Iterator[Seating]:
        """All the games of the first deals."""
        for number in range(deals):
            yield from self.deal(number)
