# compiled
"""The bot of Word Traveler.

As the traveler it looks for a path to valuable spaces whose stops its ten words can tell from the other places in
the same direction. As a local it weighs all paths along the arrows at once, by how well the words fit each stop. It has
its own taste in what words mean, so that two bots do not understand each other perfectly. It uses only its own map and
cards and what is public, never what is only imagined.
"""

from functools import lru_cache
from math import exp, fabs, pow
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.word_traveler.parts import (
    CENTRE,
    HAND,
    MAX_ARROWS,
    MAX_CHANGES,
    N_SURENESS,
    SIZE,
    SPACES,
    SYMBOLS,
    VALUES,
)
from grandtour.games.word_traveler.rules import (
    AGREE,
    AIM,
    DONE,
    FOOTPRINT,
    PLACE,
    READY,
    SURE,
    TAKE_BACK,
    State,
)
from grandtour.games.word_traveler.state import STEP_GUESS, STEP_PLAN, STEP_READY
from grandtour.games.word_traveler.strategy.beam import Beam, Best
from grandtour.games.word_traveler.strategy.taste import write_opinion

LOCAL_WEIGHT: Final = 0.9
"""The log odds that a local gets from one grade of a word."""
TRAVELER_WEIGHT: Final = 0.75
"""The same for a traveler, who does not know how the locals understand words."""
CENTRE_PRIOR: Final = 0.15
"""How often travelers stop in the centre, which scores nothing, compared with any other space."""
UNUSED_WEIGHT: Final = 0.12
"""The log odds against a place for an unused word that would fit it well."""
MIN_SURENESS_GAIN: Final = 0.03
"""How much more certain of a stop another word must make the locals."""
MIN_LIKELIHOOD_GAIN: Final = 0.02
"""How much more likely a word must make a stop."""
BLACK_SIDE_COST: Final = 0.04
"""How much lower the value of a black side is: what a place is not says less than what it is."""
MIN_GAIN_TO_MOVE: Final = 0.4
"""How many more correct stops a local must expect to move the footprints of others. If it decides, fewer are enough."""
MAX_ARGUMENTS: Final = 3
"""How often a local moves the footprints of others before it agrees."""
MAX_WORDS: Final = 3
BEAM_WIDTH: Final = 14
ROUNDING: Final = 1e-9
"""More than rounding errors can add to the value of a path."""
CHAIN_EXPONENT: Final = 0.7
"""How much the chance of a stop depends on the stops before it, from 0 (not at all) to 1 (completely)."""

Row = tuple[float, ...]
Clue = tuple[int, ...]
"""Sides of word cards: 2 * slot for the white side of the card in that slot, plus 1 for the black side."""
Plan = tuple[tuple[int, Clue], ...]
"""The stop and the clue of each arrow."""


def choose(state: State, seat: int, dice: Dice) -> int:
    """The move of the game's own bot. It does not use the dice: the same position always gives the same move."""
    if state.step == STEP_PLAN:
        return next_change(state, seat, plan_of(state, seat))
    if state.step == STEP_READY or state.unread() >> seat & 1:
        return int(READY)
    return local_move(state, seat, belief(state, taste_of(state, seat)))


def defers(state: State, seat: int, people: frozenset[int]) -> bool:
    """Whether a bot waits until the people among the locals have placed every footprint. A bot that has moved one goes
    on, because it may have to replace footprints that no longer fit."""
    if state.step != STEP_GUESS or state.deciding or state.steps[seat] or state.unread() >> seat & 1:
        return False
    traveler = int(state.traveler())
    if not people - {traveler}:
        return False
    journey = int(state.journey_of(traveler))
    return any(state.feet[MAX_ARROWS * journey + n] < 0 for n in range(int(state.used[journey])))


def taste_of(state: State, seat: int) -> int:
    """A player's taste, which depends on the seat and the map card."""
    return int(5 * state.maps[seat] + seat)


@lru_cache(maxsize=8192)
def opinion(taste: int, city: int, word: int) -> Row:
    """How well a word describes each space, in the opinion of a taste. Tastes from `FIRST_IMAGINED_TASTE` are imagined
    for others."""
    found = vec[float]([0.0] * SPACES)
    write_opinion(taste, city, word, found)
    return tuple(found)


def _lines() -> list[list[int]]:
    """The spaces in each direction from each space, the nearest first, at `4 * space + direction`."""
    found: list[list[int]] = []
    for space in range(SPACES):
        row, column = divmod(space, SIZE)
        found.append([SIZE * r + column for r in range(row - 1, -1, -1)])
        found.append([SIZE * row + c for c in range(column + 1, SIZE)])
        found.append([SIZE * r + column for r in range(row + 1, SIZE)])
        found.append([SIZE * row + c for c in range(column - 1, -1, -1)])
    return found


LINES: Final = _lines()
REACH: Final = vec[i64]([len(line) for line in LINES])
"""How many spaces there are in each line."""
STEP: Final = vec[i64]([-SIZE, 1, SIZE, -1])
"""The difference between neighbouring spaces, by direction."""
ONE: Final = vec[i64]([1 << bit for bit in range(SPACES)])
"""One bit per space or card. In compiled code, a literal 1 cannot be shifted by more than 31."""
SIDES: Final = 2 * HAND
PRIOR: Final = vec[float]([CENTRE_PRIOR if space == CENTRE else 1.0 for space in range(SPACES)])


def plan_of(state: State, seat: int) -> Plan:
    """The plan that a seat would like to make today."""
    journey = int(state.journey_of(seat))
    hand = tuple([int(word) for word in state.hand[HAND * journey : HAND * journey + HAND]])
    symbols = SYMBOLS[state.maps[seat]][state.day]
    return best_plan(
        taste_of(state, seat), int(state.city), int(state.marker[seat]), symbols, hand, int(state.arrows())
    )


@lru_cache(maxsize=512)
def best_plan(taste: int, city: int, start: int, symbols: str, hand: Clue, arrows: int) -> Plan:
    """The path and the words with the highest expected score."""
    return Traveler(taste, city, start, symbols, hand).plan(arrows)


class Traveler:
    """A beam search for a path, stop by stop.

    `fits` and `odds` have at `SPACES * side + space` how well a side fits a space, and the odds that follow from it.
    """

    def __init__(self, taste: int, city: int, start: int, symbols: str, hand: Clue) -> None:
        self.start: Final = start
        self.value = vec[i64]([VALUES[symbol] for symbol in symbols])
        self.fits = vec[float]([0.0] * (SIDES * SPACES))
        self.odds = vec[float]([0.0] * (SIDES * SPACES))
        # For each space, one bit for each side: sides that fit it, black sides that do not contradict it, and black
        # sides that clearly do.
        self.fitting = vec[i64]([0] * SPACES)
        self.passing = vec[i64]([0] * SPACES)
        self.against = vec[i64]([0] * SPACES)
        # For each space, how sure a clue can make the locals at most.
        self.surest = vec[float]([0.0] * SPACES)
        self._grade_cards(taste, city, hand)
        # The clues found, as a linked list for each pair of spaces: the cards used before, and the next clue.
        self.chains = vec[i64]([-1] * (SPACES * SPACES))
        self.without = vec[i64]()
        self.next = vec[i64]()
        self.said: list[Clue] = []
        self.sure = vec[float]()
        self.weights = vec[float]([0.0] * SPACES)
        self.best_in_line = vec[float]([self._best_in_line(space) for space in range(SPACES)])
        # The maximum value of the stops after a space, for a path that is certain up to there.
        self.onward = vec[float](
            [self.best_in_line[space] * pow(self.surest[space], CHAIN_EXPONENT) for space in range(SPACES)]
        )

    def _grade_cards(self, taste: int, city: int, hand: Clue) -> None:
        """Compute how well each side of each card fits each space."""
        fits = self.fits
        odds = self.odds
        grades = vec[float]([0.0] * SPACES)
        side: i64 = 0
        for word in hand:
            write_opinion(taste, city, word, grades)
            at = SPACES * side
            for space in range(i64(SPACES)):
                grade = grades[space]
                fits[at + space] = grade
                fits[at + SPACES + space] = -grade
                odds[at + space] = exp(TRAVELER_WEIGHT * grade)
                odds[at + SPACES + space] = exp(TRAVELER_WEIGHT * -grade)
                if grade >= 1.0:
                    self.fitting[space] |= ONE[side]
                    self.surest[space] = max(self.surest[space], weakened(1.0, grade, side) + ROUNDING)
                elif grade < 0.4:
                    self.passing[space] |= ONE[side + 1]
                    self.surest[space] = max(self.surest[space], weakened(1.0, -grade, side + 1) + ROUNDING)
                    if grade <= -1.0:
                        self.fitting[space] |= ONE[side + 1]
                if grade > 1.5:
                    self.against[space] |= ONE[side + 1]
            side += 2

    def _best_in_line(self, space: i64) -> float:
        """A quarter of the best value of the spaces in line with this one, which a stop here could reach next."""
        best: i64 = 0
        for direction in range(i64(4)):
            there = space
            for _ in range(REACH[4 * space + direction]):
                there += STEP[direction]
                best = max(best, self.value[there])
        return 0.25 * float(best)

    def plan(self, arrows: int) -> Plan:
        best = self.plans(arrows, BEAM_WIDTH)
        return best[0][1] if best else ()

    def plans(self, arrows: int, width: int, begun: Plan = ()) -> list[tuple[float, Plan]]:
        """The best plans of every length that begin with `begun`, and their values from there on, the best first."""
        beam = Beam()
        beam.add(0.0, 1.0, _used(begun), _stops(begun), 0, 0, 0)
        paths: list[Plan] = [begun]
        best: list[tuple[float, Plan]] = []
        for arrow in range(len(begun), arrows):
            grown = Beam()
            kept = Best(width)
            for n in range(i64(len(paths))):
                path = paths[n]
                here: i64 = path[-1][0] if path else self.start
                self._extend(beam, n, here, arrow == arrows - 1, grown, kept)
            beam = Beam()
            longer: list[Plan] = []
            for place in range(kept.size):
                n = kept.numbers[place]
                clue = self.said[grown.clue[n]]
                beam.add(grown.values[n], grown.chance[n], grown.cards[n] | _cards(clue), grown.stops[n], 0, 0, 0)
                longer.append((*paths[grown.parent[n]], (int(grown.there[n]), clue)))
                best.append((grown.values[n], longer[-1]))
            paths = longer
        best.sort(key=_plan_value, reverse=True)
        return best

    def _extend(self, beam: "Beam", n: i64, here: i64, last: bool, grown: "Beam", kept: "Best") -> None:
        """Extend one path of the beam by every possible stop."""
        total, chance, cards, stops = beam.values[n], beam.chance[n], beam.cards[n], beam.stops[n]
        for direction in range(i64(4)):
            there = here
            for _ in range(REACH[4 * here + direction]):
                there += STEP[direction]
                if not self.fitting[there]:
                    continue  # no word fits it
                value = self.value[there]
                if stops >> there & 1:
                    value = 0
                if not value and (last or self.best_in_line[there] < 0.5):
                    continue
                most = total + chance * (float(value) * self.surest[there] + self.onward[there])
                if kept.size == kept.width and most <= kept.ranks[kept.width - 1]:
                    continue  # no clue can make it good enough
                clue = self._clue(here, direction, there, cards)
                if not self.said[clue]:
                    continue
                sure = self.sure[clue]
                now = total + float(value) * chance * sure
                later = chance * pow(sure, CHAIN_EXPONENT)
                if kept.add(now + later * self.best_in_line[there], len(grown.values)):
                    grown.add(now, later, cards, stops | ONE[there], n, there, clue)

    def _clue(self, here: i64, direction: i64, there: i64, cards: i64) -> i64:
        """The number of the clue, made of unused cards, that best tells a stop from the other spaces in line."""
        pair = SPACES * here + there
        found = self.chains[pair]
        while found >= 0:
            if self.without[found] == cards:
                return found
            found = self.next[found]
        found = len(self.said)
        self.without = append(self.without, cards)
        self.next = append(self.next, self.chains[pair])
        self.chains[pair] = found
        self._find_clue(here, direction, there, cards)
        return found

    def _find_clue(self, here: i64, direction: i64, there: i64, cards: i64) -> None:
        """Add the best clue for a stop, and how sure of it the locals become."""
        step = STEP[direction]
        first = here + step
        reach = REACH[4 * here + direction]
        end = first + reach * step
        sure = 0.0
        clue: list[int] = []
        weights = self.weights
        fits = self.fits
        odds = self.odds
        rivals: i64 = 0  # black sides that clearly contradict one of the other spaces in line
        space = first
        while space != end:
            weights[space] = PRIOR[space]
            rivals |= self.against[space]
            space += step
        while len(clue) < MAX_WORDS:
            best: i64 = -1
            # A word that fits the whole line equally is useless. If the line has only one space, any word will do.
            share = -1.0
            if reach > 1:
                total = 0.0
                space = first
                while space != end:
                    total += weights[space]
                    space += step
                share = weights[there] / total
            best_sure = sure + MIN_SURENESS_GAIN if clue else 0.0
            sides = self.fitting[there]
            if clue:
                sides |= self.passing[there] & rivals
            side: i64 = -1
            while sides:
                side += 1
                untried = sides & 1
                sides >>= 1
                if not untried or cards >> (side >> 1) & 1:
                    continue
                at = SPACES * side
                total = 0.0
                space = first
                while space != end:
                    total += weights[space] * odds[at + space]
                    space += step
                chance = weights[there] * odds[at + there] / total
                if chance < share + MIN_LIKELIHOOD_GAIN:
                    continue
                chance = weakened(chance, fits[at + there], side)
                if chance > best_sure:
                    best_sure = chance
                    best = side
            if best < 0:
                break
            sure = best_sure
            clue.append(int(best))
            cards |= ONE[best >> 1]
            space = first
            while space != end:
                weights[space] *= odds[SPACES * best + space]
                space += step
        self.said.append(tuple(clue))
        self.sure = append(self.sure, sure)


def weakened(chance: float, fit: float, side: i64) -> float:
    """How certain of a stop a word makes the locals. A word that says little about the stop itself is weak, even if it
    says less about the other spaces."""
    return chance - (0.03 * (3.0 - fit) + BLACK_SIDE_COST * float(side & 1))


def _cards(clue: Clue) -> i64:
    """The cards of a clue, one bit each."""
    cards: i64 = 0
    for side in clue:
        cards |= ONE[side >> 1]
    return cards


def _used(plan: Plan) -> i64:
    """The cards that a plan uses, one bit each."""
    cards: i64 = 0
    for _, clue in plan:
        cards |= _cards(clue)
    return cards


def _stops(plan: Plan) -> i64:
    """The stops of a plan, one bit each."""
    stops: i64 = 0
    for stop, _ in plan:
        stops |= ONE[stop]
    return stops


def _plan_value(kept: tuple[float, Plan]) -> float:
    return kept[0]


def planned_cards(plan: Plan) -> list[int]:
    """The place of each card in a plan, coded as in the field `put`."""
    codes = [0] * HAND
    for arrow, (_, clue) in enumerate(plan):
        for side in clue:
            codes[side // 2] = 1 + 2 * arrow + side % 2
    return codes


def next_change(state: State, seat: int, plan: Plan) -> int:
    """The next move that brings the cards on the table closer to the plan."""
    journey = int(state.journey_of(seat))
    if state.changes[seat] >= MAX_CHANGES:
        return DONE
    codes = planned_cards(plan)
    for slot in range(HAND):
        if state.put[HAND * journey + slot] and not codes[slot]:
            return int(TAKE_BACK + state.hand[HAND * journey + slot])
    for arrow, (stop, clue) in enumerate(plan):
        if state.aim[MAX_ARROWS * journey + arrow] != stop:
            return int(AIM + SPACES * arrow + stop)
        for side in clue:  # the most informative word comes first
            slot = side // 2
            if state.put[HAND * journey + slot] != codes[slot]:
                return int(PLACE + MAX_ARROWS * (2 * state.hand[HAND * journey + slot] + side % 2) + arrow)
    return DONE


def local_move(state: State, seat: int, chances: vec[float]) -> int:
    """The move of a local: place missing footprints, say how sure it is of them, move footprints that are clearly
    wrong, and otherwise agree. `chances` come from `belief`."""
    journey = int(state.journey_of(state.traveler()))
    used = int(state.used[journey])
    feet = tuple([int(space) for space in state.feet[MAX_ARROWS * journey : MAX_ARROWS * journey + used]])
    for n in range(used):
        if state.placer[n] == seat and not state.sure[n]:
            chance = chances[SPACES * n + feet[n]]
            return int(SURE + N_SURENESS * n + (2 if chance >= 0.7 else 1 if chance >= 0.4 else 0))
    directions = tuple([int(direction) for direction in state.way[:used]])
    start = int(state.start[journey])
    if -1 in feet:
        path = most_likely_path(chances, start, directions, feet)
        return int(FOOTPRINT + SPACES * feet.index(-1) + path[feet.index(-1)])
    path = most_likely_path(chances, start, directions, (-1,) * used)
    others = [n for n in range(used) if path[n] != feet[n]]
    if others and state.steps[seat] < used + MAX_ARGUMENTS:
        gain = sum([chances[SPACES * n + path[n]] - chances[SPACES * n + feet[n]] for n in others])
        left = int(state.left_neighbour())
        respect = 0.5 if seat == left else 2.0 if any(state.placer[n] == left for n in others) else 1.0
        if gain > respect * MIN_GAIN_TO_MOVE:
            return int(FOOTPRINT + SPACES * others[0] + path[others[0]])
    return int(AGREE) if state.allows(seat, AGREE) else state.legal(seat)[0]


def belief(state: State, taste: int) -> vec[float]:
    """For each stop of the journey, the probability of each space for a local with this taste: at `SPACES * stop +
    space`."""
    journey = int(state.journey_of(state.traveler()))
    used = int(state.used[journey])
    said = tuple([(int(state.put[i]), int(state.hand[i])) for i in range(HAND * journey, HAND * journey + HAND)])
    directions = tuple([int(direction) for direction in state.way[:used]])
    return marginals(taste, int(state.city), int(state.start[journey]), directions, said)


@lru_cache(maxsize=512)
def marginals(
    taste: int, city: int, start: int, directions: tuple[int, ...], said: tuple[tuple[int, int], ...]
) -> vec[float]:
    """For each stop, the probability of each space for a local who hears these words, as in `belief`."""
    return path_marginals(_fits(taste, city, len(directions), said), start, directions)


def path_marginals(fits: vec[float], start: i64, directions: tuple[int, ...]) -> vec[float]:
    """The probability of each space for each stop, summed over all paths along the arrows by a forward and a backward
    pass. `fits` has a row of spaces for each arrow."""
    count = len(directions)
    ahead = vec[float]([0.0] * (count * SPACES))
    found = vec[float]([0.0] * (count * SPACES))
    before = vec[float]([0.0] * SPACES)
    before[start] = 1.0
    n: i64 = 0
    for direction in directions:
        at = SPACES * n
        n += 1
        step = STEP[direction]
        for space in range(i64(SPACES)):
            weight = before[space]
            if weight:
                there = space
                for _ in range(REACH[4 * space + direction]):
                    there += step
                    ahead[at + there] += weight
        total = 0.0
        for space in range(i64(SPACES)):
            ahead[at + space] *= fits[at + space]
            total += ahead[at + space]
        for space in range(i64(SPACES)):
            ahead[at + space] /= total
            before[space] = ahead[at + space]
    behind = vec[float]([1.0] * SPACES)
    for direction in reversed(directions):
        n -= 1
        at = SPACES * n
        step = STEP[direction]
        total = 0.0
        for space in range(i64(SPACES)):
            before[space] = ahead[at + space] * behind[space]
            total += before[space]
        for space in range(i64(SPACES)):
            found[at + space] = before[space] / total
        top = 0.0
        for space in range(i64(SPACES)):
            sum_ = 0.0
            there = space
            for _ in range(REACH[4 * space + direction]):
                there += step
                sum_ += fits[at + there] * behind[there]
            before[space] = sum_
            top = max(top, sum_)
        top = top or 1.0
        for space in range(i64(SPACES)):
            behind[space] = before[space] / top
    return found


def _fits(taste: int, city: int, used: int, said: tuple[tuple[int, int], ...]) -> vec[float]:
    """How well each stop's words fit each space, reduced by unused words that would fit it."""
    found = vec[float]([0.0] * (used * SPACES))
    unsaid = vec[float]([0.0] * SPACES)
    grades = vec[float]([0.0] * SPACES)
    for put, word in said:
        write_opinion(taste, city, word, grades)
        if put:
            at: i64 = SPACES * ((put - 1) // 2)
            weight = LOCAL_WEIGHT if put % 2 else -LOCAL_WEIGHT
            for space in range(i64(SPACES)):
                found[at + space] += weight * grades[space]
        else:
            for space in range(i64(SPACES)):
                beyond = fabs(grades[space]) - 2.0
                if beyond > 0.0:
                    unsaid[space] += UNUSED_WEIGHT * beyond
    for n in range(i64(used)):
        at = SPACES * n
        top = found[at]
        for space in range(i64(SPACES)):
            top = max(top, found[at + space])
        for space in range(i64(SPACES)):
            found[at + space] = exp(found[at + space] - unsaid[space] - top)
        found[at + CENTRE] *= CENTRE_PRIOR
    return found


def most_likely_path(
    chances: vec[float], start: int, directions: tuple[int, ...], feet: tuple[int, ...]
) -> tuple[int, ...]:
    """The path through the placed footprints with the most expected correct stops."""
    came = vec[i64]([-1] * (len(directions) * SPACES))
    so_far = vec[float]([0.0] * SPACES)
    ends = vec[i64]([start])
    n: i64 = 0
    for direction in directions:
        foot: i64 = feet[n]
        at = SPACES * n
        n += 1
        step = STEP[direction]
        now = vec[float]([0.0] * SPACES)
        grown = vec[i64]()
        for here in ends:
            there = here
            for _ in range(REACH[4 * here + direction]):
                there += step
                if foot in (-1, there):
                    value = so_far[here] + chances[at + there]
                    if came[at + there] < 0:
                        grown = append(grown, there)
                    elif value <= now[there]:
                        continue
                    now[there] = value
                    came[at + there] = here
        so_far = now
        ends = grown
    best = max([so_far[end] for end in ends])
    # Among equal paths, take the one through the later spaces.
    return max([_path(came, end, n) for end in ends if so_far[end] == best])


def _path(came: vec[i64], end: i64, length: i64) -> tuple[int, ...]:
    """The stops of a path, traced back from its end."""
    stops: list[int] = []
    while length:
        length -= 1
        stops.append(int(end))
        end = came[SPACES * length + end]
    return tuple(reversed(stops))
