# compiled
"""A deeper search for Word Traveler: how would the locals understand this plan?

The bot in `bot.py` assumes that others understand words as it does. Here the traveler tries its plans on imagined
locals, each of whom understands words a little differently, and improves the words of the best plans as long as that
scores more points. The imagined tastes are variations of its own, since it does not know the others' tastes. A local
plays like the bot in `bot.py`, because more search would not help it. It only counts what imagined people would choose,
to know how sure it can be.
"""

from functools import lru_cache
from typing import Final

from grandtour.engine.dice import Dice
from grandtour.engine.game import SearchHooks
from grandtour.games.word_traveler import bot
from grandtour.games.word_traveler.bot import Clue, Plan
from grandtour.games.word_traveler.parts import CENTRE, HAND, MAX_ARROWS, SPACES, SYMBOLS, VALUES
from grandtour.games.word_traveler.rules import AGREE, AIM, DONE, PLACE, READY, SURE, TAKE_BACK, State
from grandtour.games.word_traveler.state import STEP_PLAN, STEP_READY, direction_of

N_DRAFTS: Final = 60
"""The number of plans that are drafted and tried."""
N_IMPROVED: Final = 3
"""The number of drafts that are improved."""
FEW_LOCALS: Final = 12
"""The number of locals on whom a change is tried first. If it does not help with them, it is dropped."""
LOCALS_PER_EFFORT: Final = 6
"""The number of imagined locals for each unit of effort."""
VOTERS_PER_EFFORT: Final = 3
"""The number of imagined people who vote on a local's move, for each unit of effort."""
CONTINUATIONS: Final = 6
"""The number of continuations to try from each stop of the best plan."""
MAX_RIVALS: Final = 80
MAX_MOVES: Final = 3
"""The maximum number of plans that are compared with the best one, and of moves that are listed."""
VOTES_PER_LOCAL: Final = 6
"""The number of votes of a local, which one, two or three plans can share equally."""
MAX_ROUNDS: Final = 8
"""The maximum number of improvements to a plan."""
MAX_WORDS: Final = 4
MIN_POINTS_GAIN: Final = 0.02
"""The minimum gain in points by a change."""

Way = tuple[int, ...]
Reach = list[tuple[int, list[int]]]
"""The spaces that an arrow can lead to, and from which spaces each is reached."""
Tried = tuple[Plan, tuple[int, ...]]
"""A plan, and its points with each of the imagined locals."""


def think(state: State, seat: int, dice: Dice, effort: int) -> list[tuple[int, int]]:
    """The best moves, each with the number of votes from imagined people. More `effort` searches deeper. The dice are
    not used: the result is always the same."""
    if state.step == STEP_PLAN:
        return _think_as_traveler(state, seat, effort)
    if state.step == STEP_READY or state.unread() >> seat & 1:
        return [(int(READY), 1)]
    return _think_as_local(state, seat, effort)


def bot_decides(state: State, seat: int) -> bool:
    """Always true, because a tree search cannot tell what words mean."""
    return True


def _think_as_traveler(state: State, seat: int, effort: int) -> list[tuple[int, int]]:
    """The next moves of the best plan and of other plans that fit the cards on the table. Each imagined local votes for
    the plans with which it scores most."""
    plans = plans_of(state, seat, effort)
    moves = [bot.next_change(state, seat, plans[0][0])]
    points = [plans[0][1]]
    arrow = min(arrow_of(moves[0]), len(plans[0][0]) - 1)
    for plan, scored in plans[1:]:
        if len(moves) < MAX_MOVES and fits_plan(state, seat, plan):
            move = bot.next_change(state, seat, plan)
            if move not in moves and arrow_of(move) >= arrow:
                moves.append(move)
                points.append(scored)
    votes = [0] * len(moves)
    for n in range(len(points[0])):
        most = max([scored[n] for scored in points])
        best = [rival for rival in range(len(moves)) if points[rival][n] == most]
        for rival in best:
            votes[rival] += VOTES_PER_LOCAL // len(best)
    return _by_votes(moves, votes)


def _think_as_local(state: State, seat: int, effort: int) -> list[tuple[int, int]]:
    """The move of the normal bot, and those of people who understand the words a little differently."""
    taste = bot.taste_of(state, seat)
    moves: list[int] = []
    votes: list[int] = []
    for n in range(VOTERS_PER_EFFORT * effort + 1):
        move = bot.local_move(state, seat, bot.belief(state, 1000 * n + taste))
        if moves and SURE <= move < AGREE and SURE <= moves[0] < AGREE:
            votes[0] += 1  # saying how sure one is counts as the same move
        elif move in moves:
            votes[moves.index(move)] += 1
        else:
            moves.append(move)
            votes.append(1)
    return _by_votes(moves, votes)


def _by_votes(moves: list[int], votes: list[int]) -> list[tuple[int, int]]:
    """The first move, which is the choice, and the others with votes, most votes first."""
    others = [(-votes[n], n) for n in range(1, len(moves)) if votes[n]]
    others.sort()
    return [(moves[0], votes[0]), *[(moves[n], votes[n]) for _, n in others]]


def arrow_of(move: int) -> int:
    """The arrow that a planning move changes; `MAX_ARROWS` for the end of planning."""
    if move == DONE:
        return MAX_ARROWS
    if PLACE <= move < TAKE_BACK:
        return int(move - PLACE) % MAX_ARROWS
    return int(move - AIM) // SPACES if AIM <= move < PLACE else -1


def fits_plan(state: State, seat: int, plan: Plan) -> bool:
    """Whether all cards and aims of a seat belong to a plan."""
    journey = int(state.journey_of(seat))
    wanted = bot.planned_cards(plan)
    for slot in range(HAND):
        if state.put[HAND * journey + slot] and state.put[HAND * journey + slot] != wanted[slot]:
            return False
    for arrow in range(int(state.arrows())):
        aim = int(state.aim[MAX_ARROWS * journey + arrow])
        if aim >= 0 and (arrow >= len(plan) or aim != plan[arrow][0]):
            return False
    return True


def plans_of(state: State, seat: int, effort: int) -> tuple[Tried, ...]:
    """The best plans of a seat for today, the best first."""
    journey = int(state.journey_of(seat))
    hand = tuple(int(word) for word in state.hand[HAND * journey : HAND * journey + HAND])
    symbols = SYMBOLS[state.maps[seat]][state.day]
    taste = bot.taste_of(state, seat)
    return best_plans(taste, int(state.city), int(state.marker[seat]), symbols, hand, int(state.arrows()), effort)


@lru_cache(maxsize=512)
def best_plans(
    taste: int, city: int, start: int, symbols: str, hand: Clue, arrows: int, effort: int
) -> tuple[Tried, ...]:
    """The plan with which imagined locals score most, and its rivals: other drafts, and variations of it with other
    words or with other stops from some arrow on."""
    traveler = bot.Traveler(taste, city, start, symbols, hand)
    drafts = traveler.plans(arrows, N_DRAFTS)
    people = Locals(taste, city, start, symbols, hand, max(FEW_LOCALS, LOCALS_PER_EFFORT * effort))
    tried = [(people.points(plan, FEW_LOCALS), -n) for n, (_, plan) in enumerate(drafts[:N_DRAFTS])]
    tried.sort(reverse=True)
    best = -1.0
    found: Plan = ()
    for _, n in tried[:N_IMPROVED]:
        points, plan = people.improved(drafts[-n][1])
        if points > best:
            best, found = points, plan
    rivals = [(points, drafts[-n][1]) for points, n in tried]
    # A plan with one more word is not listed as a rival, because another word hardly ever hurts.
    rivals += [(people.points(plan, FEW_LOCALS), plan) for plan in changes(found) if words(plan) <= words(found)]
    for n in range(1, len(found)):
        later = traveler.plans(arrows, CONTINUATIONS, found[:n])
        rivals += [(people.points(plan, FEW_LOCALS), plan) for _, plan in later[:CONTINUATIONS]]
    rivals.sort(key=_points, reverse=True)
    others = [(plan, people.each(plan)) for _, plan in rivals[:MAX_RIVALS]]
    others.sort(key=_total, reverse=True)
    return ((found, people.each(found)), *others)


def _points(rival: tuple[float, Plan]) -> float:
    return rival[0]


def _total(tried: Tried) -> int:
    return sum(tried[1])


class Locals:
    """Imagined locals, on whom plans are tried."""

    def __init__(self, taste: int, city: int, start: int, symbols: str, hand: Clue, number: int) -> None:
        self.start = start
        self.value = [VALUES[symbol] for symbol in symbols]
        self.number = number
        self.grades = [[bot.opinion(1000 * (n + 1) + taste, city, word) for word in hand] for n in range(number)]
        self.heard: dict[Clue, list[list[float]]] = {}
        self.reaches: dict[Way, list[Reach]] = {}

    def improved(self, plan: Plan) -> tuple[float, Plan]:
        """A plan whose words were changed as long as that helped, and its average points."""
        points = self.points(plan, self.number)
        for _ in range(MAX_ROUNDS):
            glance = self.points(plan, FEW_LOCALS)
            best = points + MIN_POINTS_GAIN
            found: Plan = ()
            for other in changes(plan):
                if self.points(other, FEW_LOCALS) >= glance:
                    now = self.points(other, self.number)
                    if now > best:
                        best, found = now, other
            if not found:
                break
            points, plan = best, found
        return points, plan

    def points(self, plan: Plan, number: int) -> float:
        """The average points of a plan with the first `number` locals."""
        return sum(self._each(plan, number)) / number

    def each(self, plan: Plan) -> tuple[int, ...]:
        """The points of a plan with each of the locals."""
        return tuple(self._each(plan, self.number))

    def _each(self, plan: Plan, number: int) -> list[int]:
        directions: list[int] = []
        here = self.start
        rows: list[list[list[float]]] = []
        for there, clue in plan:
            directions.append(int(direction_of(here, there)))
            here = there
            rows.append(self._read(clue))
        reaches = self._reach(tuple(directions))
        return [self._guessed([row[n] for row in rows], reaches) for n in range(number)]

    def _read(self, clue: Clue) -> list[list[float]]:
        """How well a clue fits each space, for each of the locals."""
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

    def _reach(self, directions: Way) -> list[Reach]:
        """The spaces that each arrow can lead to, one arrow after another."""
        found = self.reaches.get(directions)
        if found is None:
            found = []
            before = [self.start]
            for to in directions:
                came: dict[int, list[int]] = {}
                for here in before:
                    for there in bot.LINES[4 * here + to]:
                        came.setdefault(there, []).append(here)
                found.append(list(came.items()))
                before = list(came)
            self.reaches[directions] = found
        return found

    def _guessed(self, rows: list[list[float]], reaches: list[Reach]) -> int:
        """The points of the path that a local would guess."""
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
    """The number of words in a plan."""
    return sum([len(clue) for _, clue in plan])


def changes(plan: Plan) -> list[Plan]:
    """All plans with one word fewer, one more, or one replaced."""
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
        if len(clue) < MAX_WORDS:
            clues += [(*clue, side) for side in free]
        for i in range(len(clue)):
            clues += [(*clue[:i], side, *clue[i + 1 :]) for side in free]
        found += [(*plan[:n], (stop, other), *plan[n + 1 :]) for other in clues]
    return found


HOOKS: Final = SearchHooks(bot_decides=bot_decides, think=think)
