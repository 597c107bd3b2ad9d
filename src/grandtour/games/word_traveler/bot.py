# compiled
"""The bot of Word Traveler.

As the traveler it looks for a path of points of interest whose stops its ten words can tell from the other places in
the same direction. As a local it weighs all paths along the arrows at once, by how well the words fit each stop. It has
a taste of its own in what words mean, so that two of them do not read each other's minds. It reads its own map and
cards and what is public, never what is only imagined.
"""

from functools import lru_cache
from math import exp
from typing import Final

from grandtour.engine.dice import Dice, QuickDice
from grandtour.games.word_traveler import lexicon
from grandtour.games.word_traveler.parts import (
    CENTRE,
    HAND,
    MAX_ARROWS,
    N_SURENESS,
    SIZE,
    SPACES,
    SYMBOLS,
    VALUES,
    WORDS,
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

TASTE: Final = 0.35
"""How far a bot's opinion differs from the table (standard deviation) for a word that says nothing about a place."""
TEMPER: Final = 0.7
"""How much farther it differs for a word that says something, most of all for one that partly fits."""
STRANGERS: Final = 1.5
"""How much farther a bot expects others' opinions to be from its own."""
DOUBT: Final = 0.7
"""The part of its own opinion that a bot expects others to share."""
WEIGHT: Final = 0.9
"""How much one grade tells a local, in log odds."""
CAUTION: Final = 0.75
"""The same for a traveler, who does not know how the locals read."""
NOTHING: Final = 0.15
"""How often travelers stop in the centre, where nothing can be, compared with another space."""
UNSAID: Final = 0.12
"""How much an unused word that fits a place well counts against that place."""
WORTH_A_WORD: Final = 0.03
"""How much surer of a stop another word must make the locals to be worth using."""
WORTH_SAYING: Final = 0.02
"""How much more likely a word must make the stop."""
BLACK: Final = 0.04
"""How much less a black side is worth: what a place is says more than what it is not."""
DISSENT: Final = 0.4
"""How many more correct stops a local must expect before moving what others have placed; fewer if it decides."""
PATIENCE: Final = 3
"""How often a local argues before giving in."""
MOST_WORDS: Final = 3
BEAM: Final = 14
CHAIN: Final = 0.7
"""How much a stop depends on those before it, from 0 (not at all) to 1 (entirely)."""

Row = tuple[float, ...]
Clue = tuple[int, ...]
"""Sides, as 2 * slot + 1 for the black side of the card in that slot."""
Plan = tuple[tuple[int, Clue], ...]
"""Of each arrow the stop, and its clue."""
Weights = list[list[float]]


def choose(state: State, seat: int, dice: Dice) -> int:
    """The move of the game's own bot. It does not use the dice: the same position always gives the same move."""
    if state.step == STEP_PLAN:
        return toward(state, seat, plan_of(state, seat))
    if state.step == STEP_READY:
        return int(READY)
    return as_local(state, seat, belief(state, taste_of(state, seat)))


def defers(state: State, seat: int, people: frozenset[int]) -> bool:
    """Among locals who are people, a bot keeps its guesses to itself until they have placed every footprint. A bot that
    has moved one goes on: it may have to place those anew that no longer fit."""
    if state.step != STEP_GUESS or state.deciding or state.steps[seat]:
        return False
    traveler = int(state.traveler())
    if not people - {traveler}:
        return False
    own = int(state.own(traveler))
    return any(state.feet[MAX_ARROWS * own + n] < 0 for n in range(int(state.used[own])))


def taste_of(state: State, seat: int) -> int:
    """Each player's taste, which depends on the seat and the map card."""
    return int(5 * state.maps[seat] + seat)


@lru_cache(maxsize=8192)
def opinion(taste: int, city: int, word: int) -> Row:
    """How well a word describes each space for a taste. Tastes from 1000 on are those of others, as this player
    imagines them."""
    dice = QuickDice(1000 * taste + word)
    imagined = taste >= 1000
    plain = WORDS[word] in lexicon.lacks()
    found: list[float] = []
    for grade in opinion(taste % 1000, city, word) if imagined else lexicon.table(city)[word]:
        whim = (int(dice.below(1000)) + int(dice.below(1000)) - 999) / 408  # a standard deviation of 1
        if plain and grade == lexicon.LACKING and not imagined:
            found.append(grade)  # A clear grade is certain for oneself, but others may read it differently.
            continue
        centre = DOUBT * grade if imagined else grade
        room = TASTE + TEMPER * abs(centre) * (1 - abs(centre) / 4)
        if imagined:
            room *= STRANGERS
        found.append(max(-3.5, min(3.5, centre + whim * room)))
    return tuple(found)


def _lines() -> list[list[int]]:
    """The spaces in each of the four directions from each space, the nearest first: `4 * space + way`."""
    found: list[list[int]] = []
    for space in range(SPACES):
        row, column = divmod(space, SIZE)
        found.append([SIZE * r + column for r in range(row - 1, -1, -1)])
        found.append([SIZE * row + c for c in range(column + 1, SIZE)])
        found.append([SIZE * r + column for r in range(row + 1, SIZE)])
        found.append([SIZE * row + c for c in range(column - 1, -1, -1)])
    return found


LINES: Final = _lines()


def plan_of(state: State, seat: int) -> Plan:
    """What a seat would like to ask for today."""
    own = int(state.own(seat))
    hand = tuple(int(word) for word in state.hand[HAND * own : HAND * own + HAND])
    symbols = SYMBOLS[state.maps[seat]][state.day]
    return best_plan(
        taste_of(state, seat), int(state.city), int(state.marker[seat]), symbols, hand, int(state.arrows())
    )


@lru_cache(maxsize=512)
def best_plan(taste: int, city: int, start: int, symbols: str, hand: Clue, arrows: int) -> Plan:
    """The path and the words with the highest expected score."""
    return Traveler(taste, city, start, symbols, hand).plan(arrows)


class Traveler:
    """A beam search for a path, stop by stop."""

    def __init__(self, taste: int, city: int, start: int, symbols: str, hand: Clue) -> None:
        self.start = start
        self.value = [VALUES[symbol] for symbol in symbols]
        self.odds: Weights = []
        self.fits: Weights = []
        for word in hand:
            for sign in (1, -1):
                fits = [sign * grade for grade in opinion(taste, city, word)]
                self.fits.append(fits)
                self.odds.append([exp(CAUTION * grade) for grade in fits])
        self.clues: dict[tuple[int, int, int], tuple[float, Clue]] = {}
        self.promise = [self._promise(space) for space in range(SPACES)]

    def _promise(self, space: int) -> float:
        """What is in line with a space, which makes it worth stopping there."""
        best = 0
        for way in range(4):
            for there in LINES[4 * space + way]:
                best = max(best, self.value[there])
        return 0.25 * best

    def plan(self, arrows: int) -> Plan:
        best = self.plans(arrows, BEAM)
        return best[0][1] if best else ()

    def plans(self, arrows: int, width: int, begun: Plan = ()) -> list[tuple[float, Plan]]:
        """The best plans of every length that begin like this, with what they are worth from there, the best first."""
        used = 0
        for _, clue in begun:
            for side in clue:
                used |= 1 << (side // 2)
        # worth so far, chance of being on the path, used cards, the stops and their clues
        beam: list[tuple[float, float, int, Plan]] = [(0.0, 1.0, used, begun)]
        best: list[tuple[float, Plan]] = []
        for arrow in range(len(begun), arrows):
            grown: list[tuple[float, float, float, int, Plan]] = []
            for worth, chance, cards, path in beam:
                here = path[-1][0] if path else self.start
                for way in range(4):
                    line = LINES[4 * here + way]
                    for there in line:
                        value = self.value[there]
                        if value and any(there == stop for stop, _ in path):
                            value = 0
                        if not value and (arrow == arrows - 1 or self.promise[there] < 0.5):
                            continue
                        sure, clue = self.clue(here, way, there, cards)
                        if not clue:
                            continue
                        used = cards
                        for side in clue:
                            used |= 1 << (side // 2)
                        now = worth + value * chance * sure
                        later: float = chance * sure**CHAIN
                        rank = now + later * self.promise[there]
                        grown.append((rank, now, later, used, (*path, (there, clue))))
            grown.sort(key=_rank, reverse=True)
            beam = [(now, later, used, path) for _, now, later, used, path in grown[:width]]
            best += [(now, path) for now, _, _, path in beam]
        best.sort(key=_worth, reverse=True)
        return best

    def clue(self, here: int, way: int, there: int, cards: int) -> tuple[float, Clue]:
        """The cards not used yet that best tell a stop from the others in line, and how sure they make of it."""
        key = (there, 4 * here + way, cards)
        found = self.clues.get(key)
        if found is None:
            found = self.clues[key] = self._clue(LINES[4 * here + way], there, cards)
        return found

    def _clue(self, line: list[int], there: int, cards: int) -> tuple[float, Clue]:
        sure = 0.0
        clue: list[int] = []
        weights = [NOTHING if space == CENTRE else 1.0 for space in line]
        at = line.index(there)
        while len(clue) < MOST_WORDS:
            best = -1
            # A word that fits the whole line equally says nothing. For a place alone in its line, any word will do.
            share = weights[at] / sum(weights) if len(line) > 1 else -1.0
            best_sure = sure + WORTH_A_WORD if clue else 0.0
            for side in range(2 * HAND):
                if cards >> (side // 2) & 1:
                    continue
                fits = self.fits[side]
                if fits[there] < 1.0 and not (side % 2 and clue and fits[there] > -0.4 and self._rival(fits, line)):
                    continue
                odds = self.odds[side]
                total = 0.0
                for i in range(len(line)):
                    total += weights[i] * odds[line[i]]
                chance = weights[at] * odds[there] / total
                if chance < share + WORTH_SAYING:
                    continue
                # A word that says little about the stop itself is weak, even if it says less about the others.
                chance -= 0.03 * (3.0 - fits[there]) + BLACK * (side % 2)
                if chance > best_sure:
                    best_sure = chance
                    best = side
            if best < 0:
                break
            sure = best_sure
            clue.append(best)
            cards |= 1 << (best // 2)
            for i in range(len(line)):
                weights[i] *= self.odds[best][line[i]]
        return sure, tuple(clue)

    def _rival(self, fits: list[float], line: list[int]) -> bool:
        """Whether a side speaks clearly against one of the others in line."""
        return any(fits[space] < -1.5 for space in line)


def _rank(grown: tuple[float, float, float, int, Plan]) -> float:
    return grown[0]


def _worth(kept: tuple[float, Plan]) -> float:
    return kept[0]


def wanted(plan: Plan) -> list[int]:
    """Where a plan has the card in each slot, as `put` says it."""
    codes = [0] * HAND
    for arrow, (_, clue) in enumerate(plan):
        for side in clue:
            codes[side // 2] = 1 + 2 * arrow + side % 2
    return codes


def toward(state: State, seat: int, plan: Plan) -> int:
    """The next change that brings the cards on the table nearer to the plan."""
    own = int(state.own(seat))
    if state.legal(seat) == [DONE]:
        return DONE
    codes = wanted(plan)
    for slot in range(HAND):
        if state.put[HAND * own + slot] and not codes[slot]:
            return int(TAKE_BACK + state.hand[HAND * own + slot])
    for arrow, (stop, clue) in enumerate(plan):
        if state.aim[MAX_ARROWS * own + arrow] != stop:
            return int(AIM + SPACES * arrow + stop)
        for side in clue:  # the word that tells most is laid first
            slot = side // 2
            if state.put[HAND * own + slot] != codes[slot]:
                return int(PLACE + MAX_ARROWS * (2 * state.hand[HAND * own + slot] + side % 2) + arrow)
    return DONE


def as_local(state: State, seat: int, chances: tuple[Row, ...]) -> int:
    """Place what is missing, say how sure it is, change what seems clearly wrong, and otherwise agree."""
    own = int(state.own(state.traveler()))
    used = int(state.used[own])
    feet = tuple(int(space) for space in state.feet[MAX_ARROWS * own : MAX_ARROWS * own + used])
    legal = state.legal(seat)
    for n in range(used):
        if state.placer[n] == seat and not state.sure[n]:
            chance = chances[n][feet[n]]
            return int(SURE + N_SURENESS * n + (2 if chance >= 0.7 else 1 if chance >= 0.4 else 0))
    ways = tuple(int(way) for way in state.way[:used])
    start = int(state.start[own])
    if -1 in feet:
        path = likeliest(chances, start, ways, feet)
        return int(FOOTPRINT + SPACES * feet.index(-1) + path[feet.index(-1)])
    path = likeliest(chances, start, ways, (-1,) * used)
    others = [n for n in range(used) if path[n] != feet[n]]
    if others and state.steps[seat] < used + PATIENCE:
        gain = sum([chances[n][path[n]] - chances[n][feet[n]] for n in others])
        left = int(state.left_neighbour())
        respect = 0.5 if seat == left else 2.0 if any(state.placer[n] == left for n in others) else 1.0
        if gain > respect * DISSENT:
            return int(FOOTPRINT + SPACES * others[0] + path[others[0]])
    return int(AGREE) if AGREE in legal else legal[0]


def belief(state: State, taste: int) -> tuple[Row, ...]:
    """For each stop of the journey, the probability of each space for a local with this taste."""
    own = int(state.own(state.traveler()))
    used = int(state.used[own])
    said = tuple((int(state.put[i]), int(state.hand[i])) for i in range(HAND * own, HAND * own + HAND))
    ways = tuple(int(way) for way in state.way[:used])
    return marginals(taste, int(state.city), int(state.start[own]), ways, said)


@lru_cache(maxsize=512)
def marginals(
    taste: int, city: int, start: int, ways: tuple[int, ...], said: tuple[tuple[int, int], ...]
) -> tuple[Row, ...]:
    """For each stop, the probability of each space for somebody who hears these words."""
    return weigh(_fits(taste, city, len(ways), said), start, ways)


def weigh(fits: Weights, start: int, ways: tuple[int, ...]) -> tuple[Row, ...]:
    """Weighs all paths along the arrows at once, with a forward and a backward pass."""
    ahead: Weights = []
    before = [0.0] * SPACES
    before[start] = 1.0
    for n, way in enumerate(ways):
        after = [0.0] * SPACES
        for space in range(SPACES):
            if before[space]:
                for there in LINES[4 * space + way]:
                    after[there] += before[space]
        total = 0.0
        for space in range(SPACES):
            after[space] *= fits[n][space]
            total += after[space]
        after = [weight / total for weight in after]
        ahead.append(after)
        before = after
    behind = [1.0] * SPACES
    found: list[Row] = []
    for n in range(len(ways) - 1, -1, -1):
        both = [ahead[n][space] * behind[space] for space in range(SPACES)]
        total = sum(both)
        found.append(tuple(weight / total for weight in both))
        earlier = [0.0] * SPACES
        for space in range(SPACES):
            sum_ = 0.0
            for there in LINES[4 * space + ways[n]]:
                sum_ += fits[n][there] * behind[there]
            earlier[space] = sum_
        top = max(earlier) or 1.0
        behind = [weight / top for weight in earlier]
    return tuple(reversed(found))


def _fits(taste: int, city: int, used: int, said: tuple[tuple[int, int], ...]) -> Weights:
    """How well each stop's words fit each space, and how much what was not said tells against it."""
    logs = [[0.0] * SPACES for _ in range(used)]
    unsaid = [0.0] * SPACES
    for put, word in said:
        grades = opinion(taste, city, word)
        if put:
            log = logs[(put - 1) // 2]
            weight = WEIGHT if put % 2 else -WEIGHT
            for space in range(SPACES):
                log[space] += weight * grades[space]
        else:
            for space in range(SPACES):
                unsaid[space] += UNSAID * max(0.0, abs(grades[space]) - 2.0)
    found: Weights = []
    for log in logs:
        top = max(log)
        odds = [exp(log[space] - unsaid[space] - top) for space in range(SPACES)]
        odds[CENTRE] *= NOTHING
        found.append(odds)
    return found


def likeliest(chances: tuple[Row, ...], start: int, ways: tuple[int, ...], feet: tuple[int, ...]) -> tuple[int, ...]:
    """The path through the placed footprints with the most expected correct stops."""
    best: dict[int, tuple[float, tuple[int, ...]]] = {start: (0.0, ())}
    for n, way in enumerate(ways):
        grown: dict[int, tuple[float, tuple[int, ...]]] = {}
        for here, (so_far, path) in best.items():
            for there in LINES[4 * here + way]:
                if feet[n] in (-1, there):
                    now = so_far + chances[n][there]
                    if there not in grown or now > grown[there][0]:
                        grown[there] = (now, (*path, there))
        best = grown
    return max(best.values())[1]
