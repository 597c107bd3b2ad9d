# compiled
"""The table of Word Traveler, and what can be read off it: the fields of its position.

Spaces, words and arrows are small ints (see `parts.py`); arrows and days count from 0 here and from 1 in names. What
belongs to a player on a day lies flat: `aim[MAX_ARROWS * own + arrow]` with `own = seats * day + seat`.
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

STEP_PLAN: Final = 0  # all at once
STEP_GUESS: Final = 1  # the locals, for one traveler
STEP_OVER: Final = 2
STEP_READY: Final = 3  # before the sand timer starts

NORTH: Final = 0
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 3


class Table(Position):
    """Everything there is in a match of Word Traveler."""

    def __init__(self) -> None:
        super().__init__()
        self.city: i64 = 0
        self.names = True  # whether the names of the places are shown
        self.timer: i64 = 0  # seconds to plan, to discuss; 0 for no limit
        self.discussion: i64 = 0
        self.starter: i64 = 0
        self.day: i64 = 0
        self.step: i64 = STEP_PLAN
        self.gone: i64 = 0  # journeys that are over on this day
        self.score: i64 = 0
        self.maps: Shared = vec[i64]()  # all map cards; the first ones are the players'
        self.deck: Shared = vec[i64]()  # word cards; -1 where one has been drawn
        self.drawn: i64 = 0
        self.hand: Shared = vec[i64]()  # ten words a player and day, sorted
        self.put = vec[i64]()  # where each lies: 0 in the hand, else 1 + 2 * arrow + side
        self.rank = vec[i64]()  # which one it is under its arrow, in the order laid; 0 in the hand
        self.aim = vec[i64]()  # where a player means to stop; -1 for no aim
        self.used = vec[i64]()  # how many arrows a player uses, once planning is over
        self.start = vec[i64]()  # where a player starts on a day
        self.marker = vec[i64]()
        self.changes = vec[i64]()
        self.done: i64 = 0  # one bit per seat: who is ready, then who is done planning
        self.feet = vec[i64]()  # where the footprints stand or stood; -1 for nowhere
        self.points = vec[i64]()  # what each stop brought
        self.way = vec[i64]()  # of the traveler's arrows
        self.box = vec[i64]()  # where each footprint can stand: first and last row, first and last column
        self.placer = vec[i64]()  # who placed a footprint; -1 for nobody
        self.sure = vec[i64]()  # how sure that one is, plus one; 0 for not said
        self.steps = vec[i64]()  # how often each local has moved footprints
        self.agreed: i64 = 0  # one bit per seat
        self.deciding = False  # the left neighbour decides
        self.unseen: i64 = 0  # one bit per seat: who still looks at the journey before; see `unread`
        self.again: i64 = 0  # one bit per footprint: the one who decides has placed it once more, beyond the limit

    def memory(self, seat: int) -> dict[str, Any]:
        return {"no cards": [word < 0 for word in [*self.hand, *self.deck[self.drawn :]]]}

    def own(self, seat: i64) -> i64:
        """Where a player's part of today's lists begins, in players."""
        return self.seats * self.day + seat

    def arrows(self) -> i64:
        """How many arrows each player has today."""
        return MAX_ARROWS if self.day else FIRST_DAY_ARROWS

    def traveler(self) -> i64:
        """Whose journey it is."""
        return (self.starter + self.gone) % self.seats

    def left_neighbour(self) -> i64:
        """Who decides when the locals do not agree."""
        return (self.starter + self.gone + 1) % self.seats

    def decides(self, seat: i64) -> bool:
        """Whether a local has the last word: when asked to, or as the only one."""
        return seat == self.left_neighbour() and (self.deciding or self.seats == 2)

    def unread(self) -> i64:
        """One bit per seat: the locals who still read how the journey before went. The time to discuss waits for them,
        and nothing else does."""
        if self.step != STEP_GUESS or self.version == 1 or self.deciding or self.seats == 2 or not self.discussion:
            return 0
        return self.unseen & ((i64(1) << self.seats) - 1) & ~(i64(1) << self.traveler())

    def turn_of(self, seat: i64) -> i64:
        """How many travel before a player on each day."""
        return (seat - self.starter + self.seats) % self.seats

    def souvenirs(self) -> int:
        """How many the team has collected."""
        found = 0
        for place in SOUVENIRS[int(self.seats)]:
            if self.score >= place:
                found += 1
        return found

    def words(self, own: i64, arrow: i64) -> list[str]:
        """The sides that lie under an arrow, in the order laid; with -1, the cards not used."""
        found: list[tuple[int, str]] = []
        for i in range(HAND * own, HAND * own + HAND):
            if (self.put[i] + 1) // 2 == arrow + 1:
                side = SIDES[2 * self.hand[i] + (self.put[i] - 1) % 2] if arrow >= 0 else WORDS[self.hand[i]]
                found.append((int(self.rank[i]), side))
        # Under the first version of the rules nobody remembered the order: cards lie there as in the hand.
        return [side for _, side in sorted(found, key=_rank)]

    def put_card(self, own: i64, i: i64, code: i64) -> None:
        """Lay a card under an arrow, as the last one there; turned over it keeps its place; 0 takes it back."""
        before = (self.put[i] + 1) // 2
        after = (code + 1) // 2
        self.put[i] = code
        if self.version == 1 or before == after:
            return
        rank = self.rank[i]
        last: i64 = 0
        for k in range(HAND * own, HAND * own + HAND):
            if self.put[k]:
                under = (self.put[k] + 1) // 2
                if under == after:
                    last += 1
                elif under == before and self.rank[k] > rank:
                    self.rank[k] -= 1
        self.rank[i] = last  # itself among them; none in the hand

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

    def find_ways(self, own: i64) -> None:
        """Set the arrows' directions, and where each footprint can stand so that all arrows can be followed."""
        used = self.used[own]
        here = self.start[own]
        top, bottom, first, last = here // SIZE, here // SIZE, here % SIZE, here % SIZE
        for n in range(used):
            there = self.aim[MAX_ARROWS * own + n]
            self.way[n] = way(here, there)
            here = there
            top, bottom = onward(self.way[n], NORTH, SOUTH, top, bottom)
            first, last = onward(self.way[n], WEST, EAST, first, last)
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
            # Seen from behind, an arrow to the north comes from the south.
            top, bottom = onward(self.way[n], SOUTH, NORTH, top, bottom)
            first, last = onward(self.way[n], EAST, WEST, first, last)

    def clear_footprints(self) -> None:
        """Nobody has placed a footprint, nor said anything about one."""
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

    def stands(self, n: i64, space: i64) -> bool:
        """Whether some path along all arrows stops here with its nth."""
        row = space // SIZE
        column = space % SIZE
        box = 4 * n
        return self.box[box] <= row <= self.box[box + 1] and self.box[box + 2] <= column <= self.box[box + 3]

    def leads(self, m: i64, here: i64, n: i64, there: i64) -> bool:
        """Whether the arrows after the mth, up to the nth, can lead from one space to another."""
        top, bottom, first, last = here // SIZE, here // SIZE, here % SIZE, here % SIZE
        for k in range(m + 1, n + 1):
            top, bottom = onward(self.way[k], NORTH, SOUTH, top, bottom)
            first, last = onward(self.way[k], WEST, EAST, first, last)
        return top <= there // SIZE <= bottom and first <= there % SIZE <= last

    def fits(self, own: i64, n: i64, space: i64) -> bool:
        """Whether a footprint can be placed and all the others stay."""
        for k in range(i64(MAX_ARROWS)):
            there = self.feet[MAX_ARROWS * own + k]
            if there >= 0 and k != n:
                if k < n and not self.leads(k, there, n, space):
                    return False
                if k > n and not self.leads(n, space, k, there):
                    return False
        return True


def _rank(card: tuple[int, str]) -> int:
    return card[0]


def way(here: i64, there: i64) -> i64:
    """The direction from a space to another one in line with it."""
    if here // SIZE == there // SIZE:
        return EAST if there > here else WEST
    return SOUTH if there > here else NORTH


def onward(way: i64, down: i64, up: i64, low: i64, high: i64) -> tuple[i64, i64]:
    """From rows (or columns) low to high, those that an arrow leads to: fewer, more or the same."""
    if way == down:
        return 0, high - 1
    if way == up:
        return low + 1, SIZE - 1
    return low, high
