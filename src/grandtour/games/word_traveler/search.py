# compiled
"""A deeper search for Word Traveler: how would the locals understand this plan?

The bot in `bot.py` assumes that others read words as it does. Here the traveler tries its plans on imagined locals,
each of whom reads words a little differently, and improves the words of the best plans as long as that scores more
points. The imagined tastes are variations of its own, since it does not know the others' tastes. A local plays like the
bot in `bot.py`: more search would tell it nothing new. It only counts what imagined people would choose, to know how
sure it can be."""

from functools import lru_cache
from typing import Final

from grandtour.engine.dice import Dice
from grandtour.engine.game import SearchHooks
from grandtour.games.word_traveler import bot
from grandtour.games.word_traveler.bot import Clue, Plan
from grandtour.games.word_traveler.parts import CENTRE, HAND, MAX_ARROWS, SPACES, SYMBOLS, VALUES
from grandtour.games.word_traveler.rules import AGREE, AIM, DONE, PLACE, READY, SURE, TAKE_BACK, State
from grandtour.games.word_traveler.state import STEP_PLAN, STEP_READY, way

WIDTH: Final = 60
"""How many plans are drafted and tried."""
KEPT: Final = 3
"""How many of them are improved."""
GLANCE: Final = 12
"""How many locals a change is tried on first; if it does not help with them, it is dropped."""
READERS: Final = 6
"""How many locals are imagined for each unit of effort."""
VOICES: Final = 3
"""How many imagined people choose as a local, for each unit of effort."""
DETOURS: Final = 6
"""How many continuations to try from each of its stops."""
RIVALS: Final = 80
MOVES: Final = 3
"""How many plans are compared with the best one, and how many moves are listed."""
SHARED: Final = 6
"""The votes of a local: a number that one, two or three plans can share equally."""
ROUNDS: Final = 8
"""The maximum number of improvements to a plan."""
MOST_WORDS: Final = 4
WORTH_A_CHANGE: Final = 0.02
"""How many points more a change must bring."""

Way = tuple[int, ...]
Reach = list[tuple[int, list[int]]]
"""Where an arrow can lead, and from where."""
Tried = tuple[Plan, tuple[int, ...]]
"""A plan, and its points with each of the imagined locals."""


def think(state: State, seat: int, dice: Dice, effort: int) -> list[tuple[int, int]]:
    """The best moves, each with how many imagined people are for it. More `effort` searches deeper. The result is
    always the same: no dice are needed."""
    if state.step == STEP_PLAN:
        return _as_traveler(state, seat, effort)
    if state.step == STEP_READY or state.unread() >> seat & 1:
        return [(int(READY), 1)]
    return _as_local(state, seat, effort)


def own(state: State, seat: int) -> bool:
    """Always: a tree of moves cannot tell what words mean."""
    return True


def _as_traveler(state: State, seat: int, effort: int) -> list[tuple[int, int]]:
    """What brings the table nearer to the best plan, and to others that go on from the table: with how many locals each
    of them scores most. Each local has as many votes as can be shared by all plans that are equal."""
    plans = plans_of(state, seat, effort)
    moves = [bot.toward(state, seat, plans[0][0])]
    points = [plans[0][1]]
    arrow = min(arrow_of(moves[0]), len(plans[0][0]) - 1)
    for plan, scored in plans[1:]:
        if len(moves) < MOVES and goes_on(state, seat, plan):
            move = bot.toward(state, seat, plan)
            if move not in moves and arrow_of(move) >= arrow:
                moves.append(move)
                points.append(scored)
    votes = [0] * len(moves)
    for n in range(len(points[0])):
        most = max([scored[n] for scored in points])
        best = [rival for rival in range(len(moves)) if points[rival][n] == most]
        for rival in best:
            votes[rival] += SHARED // len(best)
    return _ordered(moves, votes)


def _as_local(state: State, seat: int, effort: int) -> list[tuple[int, int]]:
    """What the normal bot does, and what people would do who read the words a little differently."""
    taste = bot.taste_of(state, seat)
    moves: list[int] = []
    votes: list[int] = []
    for n in range(VOICES * effort + 1):
        move = bot.as_local(state, seat, bot.belief(state, 1000 * n + taste))
        if moves and SURE <= move < AGREE and SURE <= moves[0] < AGREE:
            votes[0] += 1  # How sure others would be is no other suggestion.
        elif move in moves:
            votes[moves.index(move)] += 1
        else:
            moves.append(move)
            votes.append(1)
    return _ordered(moves, votes)


def _ordered(moves: list[int], votes: list[int]) -> list[tuple[int, int]]:
    """The first is the choice; the others come by their votes, and none without any."""
    others = [(-votes[n], n) for n in range(1, len(moves)) if votes[n]]
    others.sort()
    return [(moves[0], votes[0]), *[(moves[n], votes[n]) for _, n in others]]


def arrow_of(move: int) -> int:
    """The arrow that a move of the plan is about; for the end of planning one beyond them all."""
    if move == DONE:
        return MAX_ARROWS
    if PLACE <= move < TAKE_BACK:
        return int(move - PLACE) % MAX_ARROWS
    return int(move - AIM) // SPACES if AIM <= move < PLACE else -1


def goes_on(state: State, seat: int, plan: Plan) -> bool:
    """Whether everything a seat has on the table belongs to a plan."""
    own = int(state.own(seat))
    wanted = bot.wanted(plan)
    for slot in range(HAND):
        if state.put[HAND * own + slot] and state.put[HAND * own + slot] != wanted[slot]:
            return False
    for arrow in range(int(state.arrows())):
        aim = int(state.aim[MAX_ARROWS * own + arrow])
        if aim >= 0 and (arrow >= len(plan) or aim != plan[arrow][0]):
            return False
    return True


def plans_of(state: State, seat: int, effort: int) -> tuple[Tried, ...]:
    """The best plans of a seat for today, the best first."""
    own = int(state.own(seat))
    hand = tuple(int(word) for word in state.hand[HAND * own : HAND * own + HAND])
    symbols = SYMBOLS[state.maps[seat]][state.day]
    taste = bot.taste_of(state, seat)
    return best_plans(taste, int(state.city), int(state.marker[seat]), symbols, hand, int(state.arrows()), effort)


@lru_cache(maxsize=512)
def best_plans(
    taste: int, city: int, start: int, symbols: str, hand: Clue, arrows: int, effort: int
) -> tuple[Tried, ...]:
    """The plan with which imagined locals score most, and its rivals: other drafts, and itself with other words or
    other stops from some arrow on."""
    traveler = bot.Traveler(taste, city, start, symbols, hand)
    drafts = traveler.plans(arrows, WIDTH)
    people = Locals(taste, city, start, symbols, hand, max(GLANCE, READERS * effort))
    tried = [(people.points(plan, GLANCE), -n) for n, (_, plan) in enumerate(drafts[:WIDTH])]
    tried.sort(reverse=True)
    best = -1.0
    found: Plan = ()
    for _, n in tried[:KEPT]:
        points, plan = people.mended(drafts[-n][1])
        if points > best:
            best, found = points, plan
    rivals = [(points, drafts[-n][1]) for points, n in tried]
    # One more word hardly ever hurts, so such a plan is not listed as a rival.
    rivals += [(people.points(plan, GLANCE), plan) for plan in changes(found) if words(plan) <= words(found)]
    for n in range(1, len(found)):
        later = traveler.plans(arrows, DETOURS, found[:n])
        rivals += [(people.points(plan, GLANCE), plan) for _, plan in later[:DETOURS]]
    rivals.sort(key=_points, reverse=True)
    others = [(plan, people.each(plan)) for _, plan in rivals[:RIVALS]]
    others.sort(key=_total, reverse=True)
    return ((found, people.each(found)), *others)


def _points(rival: tuple[float, Plan]) -> float:
    return rival[0]


def _total(tried: Tried) -> int:
    return sum(tried[1])


class Locals:
    """Imagined locals, who are told of plans."""

    def __init__(self, taste: int, city: int, start: int, symbols: str, hand: Clue, number: int) -> None:
        self.start = start
        self.value = [VALUES[symbol] for symbol in symbols]
        self.number = number
        self.grades = [[bot.opinion(1000 * (n + 1) + taste, city, word) for word in hand] for n in range(number)]
        self.heard: dict[Clue, list[list[float]]] = {}
        self.reaches: dict[Way, list[Reach]] = {}

    def mended(self, plan: Plan) -> tuple[float, Plan]:
        """A plan whose words were changed as long as that helped, and the points it brings."""
        points = self.points(plan, self.number)
        for _ in range(ROUNDS):
            glance = self.points(plan, GLANCE)
            best = points + WORTH_A_CHANGE
            found: Plan = ()
            for other in changes(plan):
                if self.points(other, GLANCE) >= glance:
                    now = self.points(other, self.number)
                    if now > best:
                        best, found = now, other
            if not found:
                break
            points, plan = best, found
        return points, plan

    def points(self, plan: Plan, number: int) -> float:
        """The average points that a plan brings with the first few locals."""
        return sum(self._each(plan, number)) / number

    def each(self, plan: Plan) -> tuple[int, ...]:
        """The points that a plan brings with each of the locals."""
        return tuple(self._each(plan, self.number))

    def _each(self, plan: Plan, number: int) -> list[int]:
        ways: list[int] = []
        here = self.start
        rows: list[list[list[float]]] = []
        for there, clue in plan:
            ways.append(int(way(here, there)))
            here = there
            rows.append(self._read(clue))
        reaches = self._reach(tuple(ways))
        return [self._guessed([row[n] for row in rows], reaches) for n in range(number)]

    def _read(self, clue: Clue) -> list[list[float]]:
        """How well a clue fits each space, to each of the locals."""
        found = self.heard.get(clue)
        if found is None:
            found = []
            for grades in self.grades:
                fits = [0.0] * SPACES
                fits[CENTRE] = -2.0
                for side in clue:
                    row = grades[side // 2]
                    if side % 2:
                        for space in range(SPACES):
                            fits[space] -= row[space]
                    else:
                        for space in range(SPACES):
                            fits[space] += row[space]
                found.append(fits)
            self.heard[clue] = found
        return found

    def _reach(self, ways: Way) -> list[Reach]:
        """Where the arrows can lead, one after another."""
        found = self.reaches.get(ways)
        if found is None:
            found = []
            before = [self.start]
            for to in ways:
                came: dict[int, list[int]] = {}
                for here in before:
                    for there in bot.LINES[4 * here + to]:
                        came.setdefault(there, []).append(here)
                found.append(list(came.items()))
                before = list(came)
            self.reaches[ways] = found
        return found

    def _guessed(self, rows: list[list[float]], reaches: list[Reach]) -> int:
        """The points of the path that fits one local's reading best."""
        best = [0.0] * SPACES
        came: list[list[int]] = []
        for n in range(len(rows)):
            row = rows[n]
            now = [-1000.0] * SPACES
            back = [0] * SPACES
            for there, heres in reaches[n]:
                top = -1000.0
                for here in heres:
                    fit = best[here]
                    if fit > top:
                        top = fit
                        back[there] = here
                now[there] = top + row[there]
            best = now
            came.append(back)
        here = best.index(max(best))
        stops: list[int] = []
        points = 0
        for n in range(len(rows) - 1, -1, -1):
            if here not in stops:
                points += self.value[here]
                stops.append(here)
            here = came[n][here]
        return points


def words(plan: Plan) -> int:
    """How many words a plan uses."""
    return sum([len(clue) for _, clue in plan])


def changes(plan: Plan) -> list[Plan]:
    """The plans with one word less, one more, or another one."""
    used = [False] * HAND
    for _, clue in plan:
        for side in clue:
            used[side // 2] = True
    free = [side for side in range(2 * HAND) if not used[side // 2]]
    found: list[Plan] = []
    for n in range(len(plan)):
        stop, clue = plan[n]
        clues: list[Clue] = []
        if len(clue) > 1:
            clues += [clue[:i] + clue[i + 1 :] for i in range(len(clue))]
        if len(clue) < MOST_WORDS:
            clues += [(*clue, side) for side in free]
        for i in range(len(clue)):
            clues += [(*clue[:i], side, *clue[i + 1 :]) for side in free]
        found += [(*plan[:n], (stop, other), *plan[n + 1 :]) for other in clues]
    return found


HOOKS: Final = SearchHooks(own=own, think=think)
