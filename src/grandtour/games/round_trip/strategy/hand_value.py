# compiled
"""The value of a hand of Round Trip Italy: how close it is to each missing round trip, and what it can lay now."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.round_trip.parts import GRAND_TOUR, KINDS, MAX_HAND, N_LINKS, TICKETS, TRIPS
from grandtour.games.round_trip.rules import CHILDREN, PLACE, TRIP_EXTRA, TRIP_LENGTH, TRIP_TICKETS, TWICE, WHERE
from grandtour.games.round_trip.state import FOUR_LENGTHS

TRIP_VALUE: Final = [0.0, 0.0, 1.0, 1.5, 2.2, 3.0, 8.0]
"""The value of a round trip of each length. The grand tour wins the game alone, so its value is close to a win."""

MAX_ROUNDS_LEFT: Final = 6
"""With at least this many rounds left, the end of the game does not matter yet, so more are not counted."""

CHANCE_FACTOR: Final = [0.0, 0.45, 0.62, 0.75, 0.85, 0.93, 1.0]
"""By rounds left: the factor by which the chance to get a missing link in time is lower."""

LAST_ROUND_VALUE: Final = [0.0, 0.0, 2.0, 2.1, 2.2, 2.3, 8.0]
"""The value of a round trip of each length in the last round: the most round trips win, and longer ones break ties."""

LAID_FACTOR: Final = 1.15
"""The value of a round trip on the table, relative to one in the hand, whose tickets also count for other trips."""

EXTRA_TURN_VALUE: Final = 0.9
WIN_VALUE: Final = 1000.0
ALTERNATIVE_FACTOR: Final = 0.05
"""The value of a second way to make a round trip, relative to the best way."""

LINKS: Final = sorted({tuple(sorted(ticket[:2])) for ticket in TICKETS})
"""The fifteen pairs of cities. For a round trip it does not matter from which of its two piles a ticket came."""

LINK: Final = vec[i64]([LINKS.index(tuple(sorted(ticket[:2]))) for ticket in TICKETS])
LINK_COPIES: Final = [
    sum([ticket.copies for kind, ticket in enumerate(TICKETS) if LINK[kind] == link]) for link in range(len(LINKS))
]
LINK_CHANCE: Final = [{10: 0.62, 4: 0.40, 2: 0.30}[copies] for copies in LINK_COPIES]
"""The chance to get a missing link in time, by the number of its tickets in the game."""

LINK_CHANCES: Final = sorted(set(LINK_CHANCE), reverse=True)
LINKS_BY_CHANCE: Final = vec[i64](
    [sum([1 << link for link in range(len(LINKS)) if LINK_CHANCE[link] == chance]) for chance in LINK_CHANCES]
)
"""The links with each chance, the highest chance first, one bit per link."""

PAIR_CHANCE: Final = vec[float]([in_time * chance / 2 for in_time in CHANCE_FACTOR for chance in LINK_CHANCES])
"""By rounds left and by the easiest link held: the chance to get a second ticket for it."""

TRIPS_AS_LINKS: Final = [
    sorted({sum([1 << LINK[kind] for kind in trip.tickets]) for trip in TRIPS if trip.length == length})
    for length in range(GRAND_TOUR + 1)
]
"""The round trips of each length from 3 as sets of links, one bit per link."""

TRIP_LINKS: Final = vec[i64]([ring for length in range(3, GRAND_TOUR + 1) for ring in TRIPS_AS_LINKS[length]])
TRIP_LINKS_LENGTH: Final = vec[i64]([length for length in range(3, GRAND_TOUR + 1) for _ in TRIPS_AS_LINKS[length]])

VALUE_BY_ROUNDS: Final = vec[float](
    [
        TRIP_VALUE[length]
        if left == MAX_ROUNDS_LEFT
        else (left * TRIP_VALUE[length] + (MAX_ROUNDS_LEFT - left) * LAST_ROUND_VALUE[length]) / MAX_ROUNDS_LEFT
        for left in range(MAX_ROUNDS_LEFT + 1)
        for length in range(GRAND_TOUR + 1)
    ]
)
"""The value of a round trip by rounds left and length."""


def _chances(in_time: float) -> list[float]:
    """The chance that each set of missing links comes in time."""
    chances = [1.0]
    for link_chance in LINK_CHANCE:
        chances += [chance * in_time * link_chance for chance in chances]
    return chances


CHANCE: Final = vec[float]([chance for in_time in CHANCE_FACTOR for chance in _chances(in_time)])

CACHE_ROWS: Final = 1 << 15
_row_keys: Final = vec[i64]([-1] * CACHE_ROWS)
_length_chances: Final = vec[float]([0.0] * (4 * CACHE_ROWS))
_complete_lengths: Final = vec[i64]([0] * CACHE_ROWS)
"""The cache of `_row`: the key of each row, the chances of lengths 3 to 6, and the lengths that are complete."""


class Hand:
    """A hand of tickets. Tickets are added and removed while moves are tried.

    made    the lengths of the seat's round trips, one bit each
    gone    the links that nobody can get any more, one bit each
    left    the number of rounds after this one, at most `MAX_ROUNDS_LEFT`
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

    def best_value(self) -> float:
        """The value of the best choice between laying a round trip now and keeping the hand."""
        best = self.value_of_keeping()
        complete = _complete_lengths[_row(self.held, self.gone, self.left)]
        if self.doubles:
            complete |= 4
        if complete & ~self.made:
            rest = self.kinds_held
            while rest:
                bit = rest & -rest
                kind = PLACE[bit % 37]
                rest ^= bit
                if self.kinds[kind] > 1 and not self.made & 4:
                    best = max(best, self.value_of_laying(TWICE[kind]))
                if CHILDREN[0] & bit:
                    best = self._best_below(WHERE[kind], best)
        return best

    def _best_below(self, node: i64, best: float) -> float:
        rest = self.kinds_held & CHILDREN[node]
        while rest:
            bit = rest & -rest
            rest ^= bit
            there = WHERE[KINDS * node + PLACE[bit % 37]]
            if there >= 0:
                best = self._best_below(there, best)
            elif not self.made >> TRIP_LENGTH[-1 - there] & 1:
                best = max(best, self.value_of_laying(-1 - there))
        return best

    def value_of_laying(self, trip: i64) -> float:
        """The value of laying a round trip and keeping the other tickets."""
        length = TRIP_LENGTH[trip]
        made = self.made | i64(1) << length
        if length == GRAND_TOUR or made & FOUR_LENGTHS == FOUR_LENGTHS:
            return WIN_VALUE
        self._remove_trip(trip)
        value = LAID_FACTOR * VALUE_BY_ROUNDS[7 * self.left + length] + self.trip_chances_value(made)
        self._add_trip_back(trip)
        return value + EXTRA_TURN_VALUE if TRIP_EXTRA[trip] else value

    def held_without(self, trip: i64) -> i64:
        """The links that are left after laying a round trip, one bit each."""
        self._remove_trip(trip)
        held = self.held
        self._add_trip_back(trip)
        return held

    def _remove_trip(self, trip: i64) -> None:
        for i in range(GRAND_TOUR * trip, GRAND_TOUR * trip + TRIP_LENGTH[trip]):
            self._remove_link(LINK[TRIP_TICKETS[i]])

    def _add_trip_back(self, trip: i64) -> None:
        for i in range(GRAND_TOUR * trip, GRAND_TOUR * trip + TRIP_LENGTH[trip]):
            self._add_link(LINK[TRIP_TICKETS[i]])

    def value_of_keeping(self) -> float:
        """The value of the hand at the end of a turn, when one of seven tickets has to be discarded."""
        if self.size < MAX_HAND:
            return self.trip_chances_value(self.made)
        best = 0.0
        rest = self.held
        while rest:
            bit = rest & -rest
            link = PLACE[bit % 37]
            rest ^= bit
            self._remove_link(link)
            best = max(best, self.trip_chances_value(self.made))
            self._add_link(link)
        return best

    def trip_chances_value(self, made: i64) -> float:
        """The chances to complete the missing round trips, each weighted by its value. Zero after the last turn."""
        left = self.left
        if not left:
            return 0.0
        row = 4 * _row(self.held, self.gone, left)
        value = VALUE_BY_ROUNDS[7 * left + 6] * _length_chances[row + 3]
        if not made & 4:
            value += VALUE_BY_ROUNDS[7 * left + 2] * self._pair_chance()
        if not made & 8:
            value += VALUE_BY_ROUNDS[7 * left + 3] * _length_chances[row]
        if not made & 16:
            value += VALUE_BY_ROUNDS[7 * left + 4] * _length_chances[row + 1]
        if not made & 32:
            value += VALUE_BY_ROUNDS[7 * left + 5] * _length_chances[row + 2]
        return value

    def _pair_chance(self) -> float:
        """The chance to get two tickets of one link."""
        if self.doubles:
            return 1.0
        links = self.held & ~self.gone
        for rank in range(i64(3)):
            if links & LINKS_BY_CHANCE[rank]:
                return PAIR_CHANCE[3 * self.left + rank]
        return 0.0


def _row(held: i64, gone: i64, left: i64) -> i64:
    """The cache row with the chances that these links become a round trip of each length from 3. It is computed if
    necessary. Missing tickets must still be available."""
    key = (held << 15 | gone) << 3 | left
    row = (held + 10007 * gone + 4999 * left) % CACHE_ROWS
    if _row_keys[row] == key:
        return row
    _row_keys[row] = key
    complete: i64 = 0
    i: i64 = 0
    for length in range(i64(3), i64(GRAND_TOUR + 1)):
        best = 0.0
        total = 0.0
        while i < len(TRIP_LINKS) and TRIP_LINKS_LENGTH[i] == length:
            missing = TRIP_LINKS[i] & ~held
            if not missing & gone:
                chance = CHANCE[left << 15 | missing]
                total += chance
                best = max(best, chance)
            i += 1
        if best == 1.0:
            complete |= i64(1) << length
            _length_chances[4 * row + length - 3] = best
        else:
            _length_chances[4 * row + length - 3] = best + ALTERNATIVE_FACTOR * (total - best)
    _complete_lengths[row] = complete
    return row
