# compiled
"""What a sensible player of The Journey: Istanbul looks at.

It plans some days ahead: for each way through the city, what its task still needs, how likely the police are, what it
may earn, and which journeys it could take at what price, from the cards it knows and the chances of those it does not.
What it was told counts as much as its speaker has earned. It tells the truth, and sells it when that does no harm.
"""

from math import exp
from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.state import State as Position
from grandtour.games.journey_istanbul.board import (
    ABOUT,
    ALL,
    ASK_AT,
    ASK_PRICE,
    ASK_TO,
    JAIL,
    OUT,
    ROWS,
    SELL_AT,
    SELL_PRICE,
    SELL_TO,
    SIDE,
    SIZE,
    SLOTS,
    TALK_SIZE,
    TALKS,
    TO,
)
from grandtour.games.journey_istanbul.moves import (
    ANSWER,
    ASK,
    BUY,
    DECLINE,
    END_LOOKING,
    HUSH,
    LEAVE,
    LOOK,
    MOVE,
    PAY,
    POINT,
    REFUSE,
    REMAIN,
    SELL,
    SHOW,
    STAY,
    TALK,
    TRAVEL,
    WITHDRAW,
    WORK,
)
from grandtour.games.journey_istanbul.parts import CARDS, LAST_DAY, NEXT_TO, OF_DAY, PRICES, symbols
from grandtour.games.journey_istanbul.rules import (
    KADIKOY,
    STEP_JOURNEY,
    STEP_LEAVE,
    STEP_LOOK,
    STEP_MOVE,
    STEP_PAY,
    State,
)
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

FIRST_JOURNEY: Final = 12
FIRST_WORK: Final = 24

TRUST: Final = 0.75  # in a speaker nobody knows yet, who has seen the card
HEARSAY: Final = 0.4  # in one who has not
QUEUE: Final = 0.75  # the chance to come first where others may be too
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
SOON: Final[list[float]] = [0.05, 1.0, 0.9, 0.7, 0.5, 0.3, 0.1]
"""How much a card that is turned up so many days ahead is worth looking at."""


def choose(position: Position, seat: int, dice: Dice) -> int:
    """A sensible move, from nothing but what the seat may know."""
    assert isinstance(position, State)
    state: State = position
    talk = _talk(state, seat)
    if talk >= 0:
        return talk
    step = state.step
    if step == STEP_LOOK:
        return _look(state, seat)
    if step == STEP_PAY:
        return int(PAY if state.money[seat] > 0 else DECLINE)
    if step == STEP_MOVE:
        place = Plan(state, seat).best_today()
        return int(STAY if place == state.place[seat] else MOVE + place)
    if step == STEP_LEAVE:
        return _leave(state, seat)
    if step == STEP_JOURNEY:
        return _journey(state, seat)
    return int(WORK)


def _look(state: State, seat: int) -> int:
    """The card that matters soonest and is known least."""
    best = END_LOOKING
    most = 0.0
    for slot in range(i64(SLOTS)):
        if state.sheet[slot] >= 0 and not (state.looked[slot] | state.knows[slot]) >> seat & 1:
            due = state.due(slot)
            if due <= LAST_DAY and slot != state.talk[TALK_SIZE * seat + ASK_AT]:
                worth = SOON[due - state.day] * (1.0 - _belief(state, seat, slot)[1])
                if worth > most:
                    most = worth
                    best = LOOK + slot
    return int(best)


def _leave(state: State, seat: int) -> int:
    fine = CARDS[state.fine_card[seat]].amount
    free = state.day >= state.release[seat]
    if not free and state.money[seat] < fine + 3:
        return int(REMAIN)
    return int(LEAVE + Plan(state, seat).best_release(0 if free else fine))


def _journey(state: State, seat: int) -> int:
    cost = state.cost(seat, state.card)
    if state.money[seat] < cost:
        return int(DECLINE)
    plan = Plan(state, seat)
    if state.day == LAST_DAY or plan.out(float(state.money[seat] - cost)) >= plan.from_tomorrow():
        return int(TRAVEL)
    return int(DECLINE)


def _belief(state: State, seat: int, slot: i64) -> tuple[int, float]:
    """The card a seat has been told lies on a square, and how far it believes that; -1 when nobody said."""
    card = -1
    most = 0.0
    for other in range(state.seats):
        claim = state.claim(seat, other, slot)
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

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.day: int = state.day
        self.days = min(HORIZON, LAST_DAY - self.day + 1)
        self.obstacle: int = state.obstacle[seat]
        self.opportunity: int = state.opportunity[seat]
        self.eyes, self.draws = symbols(state.seats)
        others = 0
        for other in range(state.seats):
            if other != seat and state.place[other] != OUT:
                others += 1
        self.others = others
        self.first = QUEUE ** (others / 3.0)
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
                card, trust = _belief(state, self.seat, slot)
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
        earned = safe * self.first * (self.wage[ahead][place] + extra)
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
            for chance, price in self.journeys[ahead][place]:
                cost = max(price - discount, 0)
                if money >= cost:
                    out = self.out(money - cost)
                    if out > value:
                        value += safe * self.first * chance * (out - value)
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


def _talk(state: State, seat: int) -> int:
    """What to say or to answer now; -1 for nothing."""
    at = TALK_SIZE * seat
    to = state.talk[at + TO]
    if to >= 0:
        return _go_on(state, seat, to)
    if state.talk[at + ASK_TO] >= 0 and state.knows[state.talk[at + ASK_AT]] >> seat & 1:
        return int(WITHDRAW)
    reply = _reply(state, seat)
    if reply >= 0 or state.step != STEP_MOVE or state.talk[at + TALKS] >= 2 or not _others(state, seat):
        return reply
    if not state.ranked:
        return int(TALK + ALL) if _page(state, seat) >= 0 else -1
    for other in range(state.seats):
        if other != seat and _for_sale(state, seat, other) >= 0 and state.talk[at + SELL_TO] < 0:
            return int(TALK + other)
    if state.talk[at + ASK_TO] < 0 and _wanted(state, seat) >= 0:
        return int(TALK + ALL)
    return -1


def _go_on(state: State, seat: int, to: i64) -> int:
    """Finish what was begun."""
    at = TALK_SIZE * seat
    slot = state.talk[at + ABOUT]
    if slot < 0:
        if to == ALL and not state.ranked:
            page = _page(state, seat)
            return int(SHOW + page) if page >= 0 else int(HUSH)
        about = _wanted(state, seat) if to == ALL else _for_sale(state, seat, to)
        return int(POINT + about) if about >= 0 else int(HUSH)
    if to == ALL:
        return int(ASK + 1) if state.money[seat] > 0 else int(HUSH)
    card = state.known(seat, slot)
    return int(SELL + len(PRICES) * card) if card >= 0 else int(HUSH)


def _others(state: State, seat: int) -> bool:
    return any(other != seat and state.place[other] != OUT for other in range(state.seats))


def _page(state: State, seat: int) -> int:
    """A week of the planner that has something not everybody has seen; -1 for none."""
    for slot in range(i64(SLOTS)):
        due = state.due(slot)
        if state.known(seat, slot) >= 0 and state.day < due <= LAST_DAY:
            for other in range(state.seats):
                if state.place[other] != OUT and not state.looked[slot] >> other & 1:
                    return int((due - 1) // ROWS)
    return -1


def _harmless(state: State, seat: int, card: i64) -> bool:
    """Whether others may know of a card: not of a journey or of work one may want for oneself."""
    return card < FIRST_JOURNEY or (card < FIRST_WORK and not state.done >> seat & 1 and state.money[seat] < 8)


def _for_sale(state: State, seat: int, other: i64) -> int:
    """The square of a card that another may pay for; -1 for none."""
    if state.place[other] >= JAIL or state.money[other] < 4:
        return -1
    for slot in range(i64(SLOTS)):
        card = state.known(seat, slot)
        if card >= 0 and not state.looked[slot] >> other & 1 and state.claim(other, seat, slot) < 0:
            ahead = state.due(slot) - state.day
            if 1 <= ahead <= 3 and state.due(slot) <= LAST_DAY and _harmless(state, seat, card):
                return int(slot)
    return -1


def _wanted(state: State, seat: int) -> int:
    """The square of a card worth asking about: it matters soon, and somebody has seen it; -1 for none."""
    if state.money[seat] < 7:
        return -1
    for slot in range(i64(SLOTS)):
        if state.hidden(slot) and not state.knows[slot] >> seat & 1 and state.looked[slot]:
            ahead = state.due(slot) - state.day
            if 1 <= ahead <= 2 and state.due(slot) <= LAST_DAY and _belief(state, seat, slot)[1] < 0.5:
                return int(slot)
    return -1


def _reply(state: State, seat: int) -> int:
    """An answer to an offer or a question; -1 for none."""
    for other in range(state.seats):
        at = TALK_SIZE * other
        if other != seat and state.talk[at + SELL_TO] == seat:
            slot = state.talk[at + SELL_AT]
            price = state.talk[at + SELL_PRICE]
            ahead = state.due(slot) - state.day
            new = not state.knows[slot] >> seat & 1 and _belief(state, seat, slot)[1] < 0.5
            pair = 2 * (state.seats * seat + other)
            honest = state.truths[pair + 1] == 0 and state.looked[slot] >> other & 1 == 1
            if new and honest and price == 1 and 1 <= ahead <= 3 and state.money[seat] >= 5:
                return int(BUY + other)
            return int(REFUSE + other)
    for other in range(state.seats):
        at = TALK_SIZE * other
        to = state.talk[at + ASK_TO]
        if other != seat and to in (seat, ALL):
            card = state.known(seat, state.talk[at + ASK_AT])
            price = state.talk[at + ASK_PRICE]
            willing = not state.ranked or (price > 0 and _harmless(state, seat, card))
            if card >= 0 and price <= state.money[other] and willing:
                return int(ANSWER + SIZE * other + card)
    return -1
