# compiled
"""The days ahead as a seat of The Journey: Istanbul sees them, and what each way through the city is worth."""

from math import exp
from typing import Final

from mypy_extensions import i64

from grandtour.games.journey_istanbul.board import JAIL, MEANT, OUT, ROWS, SIDE, SIZE, STATEMENTS
from grandtour.games.journey_istanbul.parts import CARDS, LAST_DAY, NEXT_TO, OF_DAY, symbols
from grandtour.games.journey_istanbul.rules import KADIKOY, State
from grandtour.games.journey_istanbul.tasks import (
    BURDEN,
    DOCUMENTS,
    DRIVER,
    FAMILY,
    FATIH,
    MEDICINE,
    PERMIT,
    SOURCE,
    SULTANAHMET,
    TAKSIM,
    TRANSFER,
    USKUDAR,
    WORKSHOP,
)

HORIZON: Final = 5
"""Days planned ahead, today among them."""

AT_FIRST_SIGHT: Final = 4
"""The same for a first sight of each move."""

NEAR: Final = 2
"""The same for one in a hurry."""

FIRST_JOURNEY: Final = 12
FIRST_WORK: Final = 24

TRUST: Final = 0.75  # in a speaker nobody knows yet, who has seen the card
HEARSAY: Final = 0.4  # in one who has not
QUEUE: Final = 0.75  # the chance to come first where others may be too
SETTLED: Final = 0.9  # how surely one who stands there for today wants what is offered
STAYS: Final = 0.5  # the same for one who may still go away
CHEAP: Final = 5  # money with which somebody may hope for a journey
MORE_CARDS: Final = 1.2  # drawn on a day
OUT_AT_ALL: Final = 0.6  # what travelling out is worth with no money left
RICH: Final = 15.0
PATIENCE: Final = 4.0
EYE: Final = 0.006
DRAWN: Final = 0.008  # what a card drawn is worth to one who is ready to go; every card brings the end nearer
UNREADY: Final = -0.004  # and to one who is not
CROWD: Final = 0.8  # how far journeys still to come go round
DRIVER_WORTH: Final = 0.12
WORKSHOP_WORTH: Final = 0.05
INFORMED: Final = 1.08  # how much better the chances are with a trusted source


def belief(state: State, seat: int, slot: i64) -> tuple[int, float]:
    """The card a seat has been told lies on a square, and how far it believes that; -1 when nobody said.

    What was read in somebody's planner is believed like what that player said; a card that does not exist is not.
    """
    card = -1
    most = 0.0
    for other in range(state.seats):
        claim: int = MEANT[STATEMENTS * (slot // SIDE) + state.claim(seat, other, slot)]
        if claim >= 0 and other != seat:
            pair = 2 * (state.seats * seat + other)
            true = float(state.truths[pair])
            false = float(state.truths[pair + 1])
            prior = TRUST if state.looked[slot] >> other & 1 else HEARSAY
            trust = (2.0 * prior + true) / (2.0 + true + 2.0 * false)
            if trust > most:
                most = trust
                card = claim
    return card, most


class Plan:
    """The days ahead as a seat sees them."""

    def __init__(self, state: State, seat: int, horizon: int) -> None:
        self.state = state
        self.seat = seat
        self.day: int = state.day
        self.days = min(horizon, LAST_DAY - self.day + 1)
        self.obstacle: int = state.obstacle[seat]
        self.opportunity: int = state.opportunity[seat]
        self.eyes, self.draws = symbols(state.seats)
        others = 0
        for other in range(state.seats):
            if other != seat and state.place[other] != OUT:
                others += 1
        self.others = others
        self.first = QUEUE ** (others / 3.0)
        self.first_to_work = [self._comes_first(place, False) for place in range(5)]
        self.first_to_travel = [self._comes_first(place, True) for place in range(5)]
        journeys = 0
        for card in range(FIRST_JOURNEY, FIRST_WORK):
            if not (state.gone | state.revealed) >> card & 1:
                journeys += 1
        self.per_day = journeys / float(LAST_DAY - self.day + 1)
        self.raid_one: list[float] = []
        self.raid_more: list[float] = []
        self.fine: list[float] = []
        self.journeys: list[list[list[tuple[float, int]]]] = []  # of each day, of each place: chance and cost
        self.work: list[list[float]] = []  # the chance of work, and what it brings on average
        self.wage: list[list[float]] = []
        for ahead in range(self.days):
            self._foresee(ahead)

    def _comes_first(self, place: int, journey: bool) -> float:
        """The chance that nobody is asked before this seat tonight, in a place: who stands there already may go away
        only if their turn is still to come, and who comes later is asked later."""
        state = self.state
        me = self.seat
        privilege = DRIVER if journey else WORKSHOP
        if state.opportunity[me] == privilege and 0 < state.bonus[me] < self.day:
            return 1.0
        chance = 1.0
        mine = (me - state.starter + state.seats) % state.seats
        for other in range(state.seats):
            if other == me or state.place[other] != place:
                continue
            behind = state.place[me] == place and state.arrived[me] < state.arrived[other]
            prior = state.opportunity[other] == privilege and 0 < state.bonus[other] < self.day
            if behind and not prior:
                continue
            if journey and (not state.done >> other & 1 or state.money[other] < CHEAP):
                continue
            moved = (other - state.starter + state.seats) % state.seats < mine
            chance *= 1.0 - (SETTLED if moved else STAYS)
        return chance

    def _foresee(self, ahead: int) -> None:
        """What may be turned up that many days from now."""
        state = self.state
        row = (self.day - 1 + ahead) % ROWS
        known: list[int] = []
        unknown: list[int] = []
        for slot in range(SIDE * row, SIDE * row + SIDE):
            if state.hidden(slot):
                if state.knows[slot] >> self.seat & 1:
                    known.append(slot)
                else:
                    unknown.append(slot)
        pool = [card for card in OF_DAY[row] if not (state.gone | state.revealed) >> card & 1]
        for slot in known:
            if state.sheet[slot] in pool:
                pool.remove(state.sheet[slot])
        if state.buried[row] >= 0 and state.buried[ROWS + row] == self.seat and state.buried[row] in pool:
            pool.remove(state.buried[row])
        chances: dict[int, float] = {}
        for slot in known:
            if state.due(slot) == self.day + ahead:
                chances[state.sheet[slot]] = 1.0
        weight = 0.0  # of unknown cards that nobody spoke of
        for slot in unknown:
            if state.due(slot) == self.day + ahead:
                card, trust = belief(state, self.seat, slot)
                if card in pool:
                    chances[card] = min(1.0, chances.get(card, 0.0) + trust)
                    weight += 1.0 - trust
                else:
                    weight += 1.0
        coming = max(0, len(pool) - len(unknown))
        if ahead and state.drawn < SIZE:
            weight += coming * min(1.0, MORE_CARDS * ahead / float(SIZE - state.drawn))
        if pool:
            each = min(1.0, weight / len(pool))
            for card in pool:
                chances[card] = min(1.0, chances.get(card, 0.0) + each)
        self._sum_up(chances)

    def _sum_up(self, chances: dict[int, float]) -> None:
        none = 1.0
        one = 0.0
        fine = 0.0
        total = 0.0
        journeys: list[list[tuple[float, int]]] = [[] for _ in range(5)]
        work = [0.0] * 5
        wage = [0.0] * 5
        for card, chance in chances.items():
            what = CARDS[card]
            if card < FIRST_JOURNEY:
                one = one * (1.0 - chance) + none * chance
                none *= 1.0 - chance
                fine += chance * what.amount
                total += chance
            elif card < FIRST_WORK:
                journeys[what.place].append((chance, what.amount))
            else:
                work[what.place] = max(work[what.place], chance)
                wage[what.place] += chance * what.amount
        self.raid_one.append(1.0 - none)
        self.raid_more.append(1.0 - none - one)
        self.fine.append(fine / total if total > 0.0 else 0.0)
        self.journeys.append(journeys)
        self.work.append(work)
        self.wage.append(wage)

    def out(self, money: float) -> float:
        """What it is worth to be out with this much money."""
        if not self.state.ranked:
            return 1.0
        return OUT_AT_ALL + (1.0 - OUT_AT_ALL) * (1.0 - exp(-money / RICH))

    def best_today(self) -> int:
        """Where to go today."""
        here: int = self.state.place[self.seat]
        return self._best([here, *NEXT_TO[here]], 0, float(self.state.money[self.seat]), True)

    def best_release(self, fine: int) -> int:
        """Where to go from jail."""
        return self._best(list(range(5)), 0, float(self.state.money[self.seat] - fine), fine == 0)

    def worth(self, place: int, fine: int) -> float:
        """What it is worth to be in a place today, having paid a fine to get there or not."""
        return self._value(0, place, float(self.state.money[self.seat] - fine), self._begin(), fine == 0)

    def _best(self, places: list[int], ahead: int, money: float, free: bool) -> int:
        best = places[0]
        most = -1.0
        for place in places:
            value = self._value(ahead, place, money, self._begin(), free)
            if value > most:
                most = value
                best = place
        return best

    def from_tomorrow(self) -> float:
        """What it is worth to stay another day, where the marker stands."""
        here: int = self.state.place[self.seat]
        if self.days < 2:
            return 0.0
        money = float(self.state.money[self.seat])
        return max([self._value(1, place, money, self._begin(), True) for place in [here, *NEXT_TO[here]]])

    def _begin(self) -> "Course":
        state = self.state
        seat = self.seat
        course = Course()
        course.visits = [state.visits[5 * seat + place] for place in range(5)]
        course.left = state.left[seat]
        course.paid = state.paid[seat]
        course.done = state.done >> seat & 1 == 1
        course.bonus = state.bonus[seat] > 0
        course.last = state.place[seat] if state.place[seat] < JAIL else -1
        return course

    def _value(self, ahead: int, place: int, money: float, before: "Course", free: bool) -> float:
        """What it is worth to be in a place that many days from now, going on as well as possible."""
        day = self.day + ahead
        course = before.copy()
        money = self._arrive(course, day, place, money)
        opportunity = self.opportunity
        raid = 0.0
        if place == TAKSIM:
            raid = self.raid_one[ahead]
        elif place != KADIKOY:
            raid = self.raid_more[ahead]
        if opportunity == PERMIT and course.bonus:
            raid *= 1.0 - self.work[ahead][place]
        fine = self.fine[ahead]
        jail = raid if money < fine else 0.0
        safe = 1.0 - raid if free else 0.0
        extra = 3.0 * self.work[ahead][place] if opportunity == WORKSHOP and course.bonus else 0.0
        first = self.first if ahead else self.first_to_work[place]
        earned = safe * first * (self.wage[ahead][place] + extra)
        lost = raid * fine if jail == 0.0 else 0.0
        ready = course.done and money >= 8.0
        info = EYE * self.eyes[place] + (DRAWN if ready else UNREADY) * self.draws[place]
        if course.bonus and opportunity == SOURCE:
            info += EYE * 2.0
        if not course.bonus:
            if opportunity == DRIVER and place == TAKSIM:
                for chance, _ in self.journeys[ahead][place]:
                    info += DRIVER_WORTH * chance
            elif opportunity == WORKSHOP and place == SULTANAHMET:
                info += WORKSHOP_WORTH * self.work[ahead][place]
        later = self._later(ahead, place, money + earned - lost, course)
        value = later
        if course.done and safe > 0.0:
            discount = 5 if opportunity == DRIVER and course.bonus else 0
            first = self.first if ahead else self.first_to_travel[place]
            for chance, price in self.journeys[ahead][place]:
                cost = max(price - discount, 0)
                if money >= cost:
                    out = self.out(money - cost)
                    if out > value:
                        value += safe * first * chance * (out - value)
        if jail > 0.0:
            # The guess is hopeful about days it has not looked at: it must not make jail look like a short cut.
            free_again = max(day + 3, self.day + self.days)
            value = (1.0 - jail) * value + jail * 0.9 * self._guess(free_again, place, money, course)
        return value + info

    def _later(self, ahead: int, place: int, money: float, course: "Course") -> float:
        if ahead + 1 >= self.days:
            return self._guess(self.day + ahead, place, money, course)
        most = self._value(ahead + 1, place, money, course, True)
        for there in NEXT_TO[place]:
            value = self._value(ahead + 1, there, money, course, True)
            if value > most:
                most = value
        return most

    def _arrive(self, course: "Course", day: int, place: int, money: float) -> float:
        """Be in a place on a day: what it does for the two tasks, and the money afterwards."""
        if course.last == TAKSIM and place != TAKSIM:
            course.left = day - 1
        course.last = place
        earlier = (1 << day) - 1
        if not course.bonus:
            opportunity = self.opportunity
            if opportunity == TRANSFER:
                if place == TAKSIM and course.left > 0 and day <= course.left + 3:
                    course.bonus = True
                    money += 10.0
            elif opportunity == PERMIT:
                course.bonus = place == TAKSIM and course.visits[FATIH] & earlier != 0
            elif opportunity == SOURCE:
                course.bonus = place == FATIH and course.visits[USKUDAR] & earlier != 0
        if not course.visits[place] >> day & 1:
            course.visits[place] |= 1 << day
            if not course.done:
                money = self._overcome(course, day, place, money)
        return money

    def _overcome(self, course: "Course", day: int, place: int, money: float) -> float:
        obstacle = self.obstacle
        if obstacle == BURDEN:
            course.done = place == FATIH and course.visits[FATIH] << 1 >> day & 1 == 1
        elif obstacle == DOCUMENTS:
            course.done = place == FATIH and course.visits[TAKSIM] << 2 >> day & 1 == 1
        elif obstacle == FAMILY:
            course.done = course.visits[FATIH] > 0 and course.visits[SULTANAHMET] > 0 and course.visits[USKUDAR] > 0
        elif money >= 1.0:
            if obstacle == MEDICINE:
                if place == SULTANAHMET and course.visits[USKUDAR] << 3 >> day & 7 != 0:
                    course.done = True
                    money -= 1.0
            elif place == TAKSIM:
                course.paid += 1
                course.done = course.paid == 2
                money -= 1.0
        return money

    def _guess(self, day: int, place: int, money: float, course: "Course") -> float:
        """What a course is worth where the plan ends: the chance to get out in the days that are left, and how rich."""
        left = float(LAST_DAY - day)
        if not course.done:
            left -= self._steps(course, day)
        cost = 10.5
        if course.bonus and self.opportunity == DRIVER:
            cost -= 5.0
        elif not course.bonus:
            if self.opportunity == TRANSFER:
                money += 6.0 if course.left + 2 >= day or course.last == TAKSIM else 4.0
            elif self.opportunity == DRIVER:
                money += 0.5
        short = cost - money
        if short > 0.0:
            left -= 0.6 * short
        if left <= 0.0:
            return 0.0
        chance = 1.0 - exp(-left / PATIENCE)
        chance *= 1.0 - exp(-CROWD * self.per_day * left / (1.0 + 0.5 * self.others))
        if course.bonus and self.opportunity == SOURCE:
            chance *= INFORMED
        rest = max(money - cost, 0.0) + 0.25 * left
        return chance * self.out(rest)

    def _steps(self, course: "Course", day: int) -> float:
        """About how many days the obstacle still takes."""
        obstacle = self.obstacle
        if obstacle == BURDEN:
            return 1.0 if course.last == FATIH else 2.7
        if obstacle == DOCUMENTS:
            return 1.5 if course.visits[TAKSIM] << 1 >> day & 3 != 0 else 3.5
        if obstacle == FAMILY:
            missing = 0.3
            for place in (FATIH, SULTANAHMET, USKUDAR):
                if course.visits[place] == 0:
                    missing += 1.2
            return missing
        if obstacle == MEDICINE:
            return 1.8 if course.visits[USKUDAR] << 2 >> day & 7 != 0 else 3.2
        return 1.5 * (2 - course.paid)


class Course:
    """How far the two tasks have come along a way through the city."""

    def __init__(self) -> None:
        self.visits: list[int] = []
        self.left = 0
        self.paid = 0
        self.done = False
        self.bonus = False
        self.last = -1

    def copy(self) -> "Course":
        other = Course()
        other.visits = self.visits[:]
        other.left = self.left
        other.paid = self.paid
        other.done = self.done
        other.bonus = self.bonus
        other.last = self.last
        return other
