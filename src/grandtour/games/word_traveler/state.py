# compiled
"""The fields of a position of Word Traveler, and functions that read them.

Spaces, words and arrows are small ints (see `parts.py`); arrows and days count from 0 here and from 1 in names. What
belongs to a player on a day is in flat lists: `aim[MAX_ARROWS * journey + arrow]` with `journey = seats * day + seat`.
"""

from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.state import FastState as Position
from grandtour.games.word_traveler.parts import (
    FIRST_DAY_ARROWS,
    HAND,
    MAX_ARROWS,
    N_WORDS,
    PLACES,
    SIDES,
    SIZE,
    SOUVENIRS,
    WORDS,
)

if TYPE_CHECKING:
    from grandtour.engine.state import Shared

STEP_PLAN: Final = 0  # everyone plans at the same time
STEP_GUESS: Final = 1  # the locals guess the path of one traveler
STEP_OVER: Final = 2
STEP_READY: Final = 3  # before the sand timer starts

NORTH: Final = 0
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 3


class Table(Position):
    """A position of Word Traveler, without its rules."""

    def __init__(self) -> None:
        super().__init__()
        self.city: i64 = 0
        self.names = True  # whether the names of the places are shown
        self.timer: i64 = 0  # seconds to plan and to discuss; 0 for no limit
        self.discussion: i64 = 0
        self.starter: i64 = 0
        self.day: i64 = 0
        self.step: i64 = STEP_PLAN
        self.gone: i64 = 0  # how many journeys of this day are over
        self.score: i64 = 0
        self.maps: Shared = vec[i64]()  # all map cards; the first ones are the players'
        self.deck: Shared = vec[i64]()  # word cards; -1 where one has been drawn
        self.drawn: i64 = 0
        self.hand: Shared = vec[i64]()  # ten words per player and day, sorted
        self.put = vec[i64]()  # where each word is: 0 in the hand, otherwise 1 + 2 * arrow + side
        self.rank = vec[i64]()  # its number under its arrow, in the order placed; 0 in the hand
        self.aim = vec[i64]()  # where a player means to stop; -1 for no aim
        self.used = vec[i64]()  # how many arrows a player uses, once planning is over
        self.start = vec[i64]()  # where a player starts on a day
        self.marker = vec[i64]()
        self.changes = vec[i64]()
        self.done: i64 = 0  # one bit per seat: who is ready, then who is done planning
        self.feet = vec[i64]()  # where the footprints stand or stood; -1 for nowhere
        self.points = vec[i64]()  # the points of each stop
        self.way = vec[i64]()  # the directions of the traveler's arrows
        self.box = vec[i64]()  # where each footprint can stand: first and last row, first and last column
        self.placer = vec[i64]()  # who placed a footprint; -1 for nobody
        self.sure = vec[i64]()  # how sure that player is, plus one; 0 for not said
        self.steps = vec[i64]()  # how often each local has moved footprints
        self.agreed: i64 = 0  # who agrees with the footprints: one bit per seat
        self.deciding = False  # whether the left neighbour decides
        self.unseen: i64 = 0  # who is still looking at the last journey: one bit per seat; see `unread`
        self.again: i64 = 0  # which footprints the deciding player has placed beyond the limit: one bit each

    def memory(self, seat: int) -> dict[str, Any]:
        return {"no cards": [word < 0 for word in [*self.hand, *self.deck[self.drawn :]]]}

    def journey_of(self, seat: i64) -> i64:
        """The index of a player's journey of today, in lists by day and seat."""
        return self.seats * self.day + seat

    def arrows(self) -> i64:
        """The number of arrows that each player has today."""
        return MAX_ARROWS if self.day else FIRST_DAY_ARROWS

    def traveler(self) -> i64:
        """The seat whose journey it is."""
        return (self.starter + self.gone) % self.seats

    def left_neighbour(self) -> i64:
        """The seat that decides when the locals do not agree."""
        return (self.starter + self.gone + 1) % self.seats

    def decides(self, seat: i64) -> bool:
        """Whether a local decides alone, because it was asked to or is the only one."""
        return seat == self.left_neighbour() and (self.deciding or self.seats == 2)

    def unread(self) -> i64:
        """One bit per seat: the locals who are still looking at the last journey. Only the time to discuss waits for
        them."""
        if self.step != STEP_GUESS or self.version == 1 or self.deciding or self.seats == 2 or not self.discussion:
            return 0
        return self.unseen & ((i64(1) << self.seats) - 1) & ~(i64(1) << self.traveler())

    def turn_of(self, seat: i64) -> i64:
        """How many players travel before this one on each day."""
        return (seat - self.starter + self.seats) % self.seats

    def souvenirs(self) -> int:
        """The number of souvenirs that the team has collected."""
        found = 0
        for place in SOUVENIRS[int(self.seats)]:
            if self.score >= place:
                found += 1
        return found

    def words(self, journey: i64, arrow: i64) -> list[str]:
        """The sides under an arrow, in the order placed; for arrow -1, the unused words."""
        found: list[tuple[int, str]] = []
        for i in range(HAND * journey, HAND * journey + HAND):
            if (self.put[i] + 1) // 2 == arrow + 1:
                side = SIDES[2 * self.hand[i] + (self.put[i] - 1) % 2] if arrow >= 0 else WORDS[self.hand[i]]
                found.append((int(self.rank[i]), side))
        # In version 1 of the rules all ranks are 0, so the cards are in the order of the hand.
        return [side for _, side in sorted(found, key=_rank)]

    def put_card(self, journey: i64, i: i64, code: i64) -> None:
        """Place a card last under an arrow, turn it over in its place, or take it back (code 0)."""
        before = (self.put[i] + 1) // 2
        after = (code + 1) // 2
        self.put[i] = code
        if self.version == 1 or before == after:
            return
        rank = self.rank[i]
        last: i64 = 0
        for k in range(HAND * journey, HAND * journey + HAND):
            if self.put[k]:
                under = (self.put[k] + 1) // 2
                if under == after:
                    last += 1
                elif under == before and self.rank[k] > rank:
                    self.rank[k] -= 1
        self.rank[i] = last  # this card is counted, too, unless it is in the hand

    def place_name(self, space: i64) -> str | None:
        """What a space shows; None where names are hidden."""
        return PLACES[self.city][space] if self.names else None

    def census(self) -> list[int]:
        words = [0] * N_WORDS
        for i in range(self.drawn, i64(N_WORDS)):
            words[self.deck[i]] += 1
        for word in self.hand:
            if word >= 0:
                words[word] += 1
        return words + sorted(self.maps)

    def find_directions(self, journey: i64) -> None:
        """Set the arrows' directions, and where each footprint can stand so that all arrows can be followed."""
        used = self.used[journey]
        here = self.start[journey]
        top, bottom, first, last = here // SIZE, here // SIZE, here % SIZE, here % SIZE
        for n in range(used):
            there = self.aim[MAX_ARROWS * journey + n]
            self.way[n] = direction_of(here, there)
            here = there
            top, bottom = range_after(self.way[n], NORTH, SOUTH, top, bottom)
            first, last = range_after(self.way[n], WEST, EAST, first, last)
            self.set_box(n, top, bottom, first, last)
        top, bottom, first, last = 0, SIZE - 1, 0, SIZE - 1
        for back in range(used):
            n = used - 1 - back
            self.set_box(
                n,
                max(top, self.box[4 * n]),
                min(bottom, self.box[4 * n + 1]),
                max(first, self.box[4 * n + 2]),
                min(last, self.box[4 * n + 3]),
            )
            # Followed backwards, an arrow to the north leads south.
            top, bottom = range_after(self.way[n], SOUTH, NORTH, top, bottom)
            first, last = range_after(self.way[n], EAST, WEST, first, last)

    def clear_footprints(self) -> None:
        """Reset who has placed footprints and what was said about them."""
        for n in range(i64(MAX_ARROWS)):
            self.placer[n] = -1
            self.sure[n] = 0
        for seat in range(self.seats):
            self.steps[seat] = 0
        self.agreed = 0
        self.deciding = False
        self.again = 0

    def set_box(self, n: i64, top: i64, bottom: i64, first: i64, last: i64) -> None:
        self.box[4 * n] = top
        self.box[4 * n + 1] = bottom
        self.box[4 * n + 2] = first
        self.box[4 * n + 3] = last

    def can_stand(self, n: i64, space: i64) -> bool:
        """Whether arrow n can end on this space in some path along all arrows."""
        row = space // SIZE
        column = space % SIZE
        box = 4 * n
        return self.box[box] <= row <= self.box[box + 1] and self.box[box + 2] <= column <= self.box[box + 3]

    def can_lead(self, m: i64, here: i64, n: i64, there: i64) -> bool:
        """Whether the arrows after arrow m, up to arrow n, can lead from one space to another."""
        top, bottom, first, last = here // SIZE, here // SIZE, here % SIZE, here % SIZE
        for k in range(m + 1, n + 1):
            top, bottom = range_after(self.way[k], NORTH, SOUTH, top, bottom)
            first, last = range_after(self.way[k], WEST, EAST, first, last)
        return top <= there // SIZE <= bottom and first <= there % SIZE <= last

    def fits(self, journey: i64, n: i64, space: i64) -> bool:
        """Whether a footprint can be placed without removing any other."""
        for k in range(i64(MAX_ARROWS)):
            there = self.feet[MAX_ARROWS * journey + k]
            if there >= 0 and k != n:
                if k < n and not self.can_lead(k, there, n, space):
                    return False
                if k > n and not self.can_lead(n, space, k, there):
                    return False
        return True


def _rank(card: tuple[int, str]) -> int:
    return card[0]


def direction_of(here: i64, there: i64) -> i64:
    """The direction from a space to another one in line with it."""
    if here // SIZE == there // SIZE:
        return EAST if there > here else WEST
    return SOUTH if there > here else NORTH


def range_after(direction: i64, down: i64, up: i64, low: i64, high: i64) -> tuple[i64, i64]:
    """The range of rows (or columns) that an arrow can lead to from those between `low` and `high`."""
    if direction == down:
        return 0, high - 1
    if direction == up:
        return low + 1, SIZE - 1
    return low, high
