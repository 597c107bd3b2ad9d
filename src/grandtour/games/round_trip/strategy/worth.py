# compiled
"""What a hand of Round Trip Italy is worth: how close it is to each missing round trip, and what it can lay now."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.round_trip.parts import GRAND_TOUR, KINDS, LARGEST_HAND, N_LINKS, TICKETS, TRIPS
from grandtour.games.round_trip.rules import CHILDREN, PLACE, TRIP_EXTRA, TRIP_LENGTH, TRIP_TICKETS, TWICE, WHERE
from grandtour.games.round_trip.state import FOUR_LENGTHS

WORTH: Final = [0.0, 0.0, 1.0, 1.5, 2.2, 3.0, 8.0]
"""The value of a round trip of each length. The grand tour wins the game by itself, so it counts for most of a win."""

CALM: Final = 6
"""With at least this many rounds left there is time for everything."""

IN_TIME: Final = [0.0, 0.45, 0.62, 0.75, 0.85, 0.93, 1.0]
"""By rounds left: the chance that a missing link comes before the last round, relative to unlimited time."""

A_TRIP: Final = [0.0, 0.0, 2.0, 2.1, 2.2, 2.3, 8.0]
"""The value of round trips when rounds run out: the most round trips win, and longer ones break ties."""

LAID: Final = 1.15
"""A round trip is worth more on the table than in the hand, although there its tickets also count towards others."""

EXTRA_TURN: Final = 0.9
WIN: Final = 1000.0
OTHER_WAYS: Final = 0.05  # the value of a second way to make a round trip, relative to the best

LINKS: Final = sorted({tuple(sorted(ticket[:2])) for ticket in TICKETS})
"""The fifteen pairs of cities. For a round trip it does not matter from which of two piles a ticket came."""

LINK: Final = vec[i64]([LINKS.index(tuple(sorted(ticket[:2]))) for ticket in TICKETS])
LINK_COPIES: Final = [
    sum([ticket.copies for kind, ticket in enumerate(TICKETS) if LINK[kind] == link]) for link in range(len(LINKS))
]
EASE: Final = [{10: 0.62, 4: 0.40, 2: 0.30}[copies] for copies in LINK_COPIES]
"""The chance that a missing link comes in time, by the number of tickets there are."""

EASES: Final = sorted(set(EASE), reverse=True)
EASY: Final = vec[i64]([sum([1 << link for link in range(len(LINKS)) if EASE[link] == ease]) for ease in EASES])
"""The links that come with each chance, the easiest first, one bit per link."""

PAIRED: Final = vec[float]([in_time * ease / 2 for in_time in IN_TIME for ease in EASES])
"""By rounds left and by the easiest link held: the chance of a second ticket."""

RINGS: Final = [
    sorted({sum([1 << LINK[kind] for kind in trip.tickets]) for trip in TRIPS if trip.length == length})
    for length in range(GRAND_TOUR + 1)
]
"""The round trips of each length from 3 as sets of links, one bit per link."""

RING: Final = vec[i64]([ring for length in range(3, GRAND_TOUR + 1) for ring in RINGS[length]])
RING_LENGTH: Final = vec[i64]([length for length in range(3, GRAND_TOUR + 1) for _ in RINGS[length]])

WORTH_OF: Final = vec[float](
    [
        WORTH[length] if left == CALM else (left * WORTH[length] + (CALM - left) * A_TRIP[length]) / CALM
        for left in range(CALM + 1)
        for length in range(GRAND_TOUR + 1)
    ]
)
"""The value of a round trip by rounds left and length."""


def _chances(in_time: float) -> list[float]:
    """The chance that each set of missing links comes in time."""
    chances = [1.0]
    for ease in EASE:
        chances += [chance * in_time * ease for chance in chances]
    return chances


CHANCE: Final = vec[float]([chance for in_time in IN_TIME for chance in _chances(in_time)])

ROWS: Final = 1 << 15
_keys: Final = vec[i64]([-1] * ROWS)
_near: Final = vec[float]([0.0] * (4 * ROWS))
_whole: Final = vec[i64]([0] * ROWS)
"""What `_row` remembers: of each row whose it is, the chances of lengths 3 to 6, and the lengths that are complete."""


class Hand:
    """A hand of tickets. Tickets are added and removed while moves are tried.

    `made` has one bit per length of the seat's round trips, `gone` one per link that nobody can get any more, `left` is
    the number of rounds after this one, at most `CALM`.
    """

    def __init__(self, made: i64, gone: i64, left: i64) -> None:
        self.made: i64 = made
        self.gone: i64 = gone
        self.left: i64 = left
        self.kinds = vec[i64]([0] * KINDS)
        self.links = vec[i64]([0] * N_LINKS)
        self.kinds_held: i64 = 0  # one bit per kind
        self.held: i64 = 0  # one bit per link
        self.doubles: i64 = 0  # links held more than once
        self.size: i64 = 0

    def add(self, kind: i64) -> None:
        self.kinds[kind] += 1
        self.kinds_held |= i64(1) << kind
        self.size += 1
        self._add_link(LINK[kind])

    def remove(self, kind: i64) -> None:
        self.kinds[kind] -= 1
        if not self.kinds[kind]:
            self.kinds_held ^= i64(1) << kind
        self.size -= 1
        self._remove_link(LINK[kind])

    def _add_link(self, link: i64) -> None:
        copies = self.links[link]
        self.links[link] = copies + 1
        if copies == 0:
            self.held |= i64(1) << link
        elif copies == 1:
            self.doubles += 1

    def _remove_link(self, link: i64) -> None:
        copies = self.links[link] - 1
        self.links[link] = copies
        if copies == 0:
            self.held ^= i64(1) << link
        elif copies == 1:
            self.doubles -= 1

    def prospect(self) -> float:
        """The best of laying a round trip now and keeping the hand."""
        best = self.keeping()
        whole = _whole[_row(self.held, self.gone, self.left)]
        if self.doubles:
            whole |= 4
        if whole & ~self.made:
            rest = self.kinds_held
            while rest:
                bit = rest & -rest
                kind = PLACE[bit % 37]
                rest ^= bit
                if self.kinds[kind] > 1 and not self.made & 4:
                    best = max(best, self.laying(TWICE[kind]))
                if CHILDREN[0] & bit:
                    best = self._branch(WHERE[kind], best)
        return best

    def _branch(self, node: i64, best: float) -> float:
        rest = self.kinds_held & CHILDREN[node]
        while rest:
            bit = rest & -rest
            rest ^= bit
            there = WHERE[KINDS * node + PLACE[bit % 37]]
            if there >= 0:
                best = self._branch(there, best)
            elif not self.made >> TRIP_LENGTH[-1 - there] & 1:
                best = max(best, self.laying(-1 - there))
        return best

    def laying(self, trip: i64) -> float:
        """What a round trip and the tickets left over are worth."""
        length = TRIP_LENGTH[trip]
        made = self.made | i64(1) << length
        if length == GRAND_TOUR or made & FOUR_LENGTHS == FOUR_LENGTHS:
            return WIN
        self._part(trip)
        value = LAID * WORTH_OF[7 * self.left + length] + self.nearness(made)
        self._rejoin(trip)
        return value + EXTRA_TURN if TRIP_EXTRA[trip] else value

    def held_without(self, trip: i64) -> i64:
        """The links that are left after laying a round trip, one bit each."""
        self._part(trip)
        held = self.held
        self._rejoin(trip)
        return held

    def _part(self, trip: i64) -> None:
        for i in range(GRAND_TOUR * trip, GRAND_TOUR * trip + TRIP_LENGTH[trip]):
            self._remove_link(LINK[TRIP_TICKETS[i]])

    def _rejoin(self, trip: i64) -> None:
        for i in range(GRAND_TOUR * trip, GRAND_TOUR * trip + TRIP_LENGTH[trip]):
            self._add_link(LINK[TRIP_TICKETS[i]])

    def keeping(self) -> float:
        """What a hand is worth at the end of a turn: of seven tickets one has to go."""
        if self.size < LARGEST_HAND:
            return self.nearness(self.made)
        best = 0.0
        rest = self.held
        while rest:
            bit = rest & -rest
            link = PLACE[bit % 37]
            rest ^= bit
            self._remove_link(link)
            best = max(best, self.nearness(self.made))
            self._add_link(link)
        return best

    def nearness(self, made: i64) -> float:
        """How close the links held are to the missing round trips, each weighted by its value. Zero after the last
        turn."""
        left = self.left
        if not left:
            return 0.0
        row = 4 * _row(self.held, self.gone, left)
        value = WORTH_OF[7 * left + 6] * _near[row + 3]
        if not made & 4:
            value += WORTH_OF[7 * left + 2] * self._pair()
        if not made & 8:
            value += WORTH_OF[7 * left + 3] * _near[row]
        if not made & 16:
            value += WORTH_OF[7 * left + 4] * _near[row + 1]
        if not made & 32:
            value += WORTH_OF[7 * left + 5] * _near[row + 2]
        return value

    def _pair(self) -> float:
        """The chance of two tickets of one link."""
        if self.doubles:
            return 1.0
        links = self.held & ~self.gone
        for ease in range(i64(3)):
            if links & EASY[ease]:
                return PAIRED[3 * self.left + ease]
        return 0.0


def _row(held: i64, gone: i64, left: i64) -> i64:
    """The row that says, for each length from 3, what the chance is that the links held become a round trip. Missing
    tickets must still be available."""
    key = (held << 15 | gone) << 3 | left
    row = (held + 10007 * gone + 4999 * left) % ROWS
    if _keys[row] == key:
        return row
    _keys[row] = key
    whole: i64 = 0
    i: i64 = 0
    for length in range(i64(3), i64(GRAND_TOUR + 1)):
        best = 0.0
        total = 0.0
        while i < len(RING) and RING_LENGTH[i] == length:
            missing = RING[i] & ~held
            if not missing & gone:
                chance = CHANCE[left << 15 | missing]
                total += chance
                best = max(best, chance)
            i += 1
        if best == 1.0:
            whole |= i64(1) << length
            _near[4 * row + length - 3] = best
        else:
            _near[4 * row + length - 3] = best + OTHER_WAYS * (total - best)
    _whole[row] = whole
    return row
