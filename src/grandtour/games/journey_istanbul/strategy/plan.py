# compiled
"""The coming days as a seat of The Journey: Istanbul expects them, and what each route through the city is worth."""

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.journey_istanbul.parts import (
    BURDEN,
    CARDS,
    DISCOUNT,
    DOCUMENTS,
    DRIVER,
    FAMILY,
    FATIH,
    FIRST_JOURNEY,
    FIRST_WORK,
    JAIL,
    JAIL_DAYS,
    KADIKOY,
    LAST_DAY,
    MEDICINE,
    N_CARDS,
    N_DAYS,
    N_PLACES,
    NEXT_TO,
    OUT,
    PERMIT,
    SOURCE,
    SQUARES,
    SULTANAHMET,
    TAKSIM,
    TRANSFER,
    TRANSFER_DAYS,
    USKUDAR,
    WORKSHOP,
)
from grandtour.games.journey_istanbul.rules import DRAWS, EYES, State
from grandtour.games.journey_istanbul.state import MEANT, OF_DAY, RANK, STATEMENTS

HORIZON: Final = 5
"""Days planned ahead, today among them."""

AT_FIRST_SIGHT: Final = 4
"""The same for a first estimate of each move."""

NEAR: Final = 2
"""The same for a quick move."""


TRUST: Final = 0.75  # trust in an unknown speaker who has seen the card
HEARSAY: Final = 0.4  # trust in one who has not seen it
QUEUE: Final = 0.75  # the chance to be first where others may be too
SETTLED: Final = 0.9  # the chance that a player who stays there today wants what is offered
STAYS: Final = 0.5  # the same for a player who may still leave
CHEAP: Final = 5  # enough money to hope for a journey
MORE_CARDS: Final = 1.2  # drawn on a day
OUT_AT_ALL: Final = 0.6  # the value of travelling out with no money left
RICH: Final = 15.0
PATIENCE: Final = 4.0
EYE: Final = 0.006
DRAWN: Final = 0.008  # the value of drawing a card to a player who is ready to leave; every card brings the end nearer
UNREADY: Final = -0.004  # the same to a player who is not ready
CROWD: Final = 0.8  # how many players can hope for each journey still to come
DRIVER_WORTH: Final = 0.12
WORKSHOP_WORTH: Final = 0.05
INFORMED: Final = 1.08  # how much better the chances are with a trusted source


WAYS: Final = 5
ONWARD: Final = vec[i64](
    [there for at in range(N_PLACES) for there in [at, *NEXT_TO[at], *[-1] * (WAYS - 1 - len(NEXT_TO[at]))]]
)
"""Where one can be on the day after, for each place: the same place first; -1 for no more."""

ANYWHERE: Final = vec[i64]([0, 1, 2, 3, 4, -1])
PLACE_OF: Final = vec[i64]([max(card.place, 0) for card in CARDS])
AMOUNT_OF: Final = vec[i64]([card.amount for card in CARDS])


def belief(state: State, seat: int, slot: i64) -> tuple[int, float]:
    """The card a seat has been told lies on a square, and how far it believes that; -1 when nobody said.

    What was read in somebody's planner is believed like what that player said; a card that does not exist is not.
    """
    card = -1
    most = 0.0
    for other in range(state.seats):
        claim: int = MEANT[STATEMENTS * (slot // SQUARES) + state.claim(seat, other, slot)]
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
    """The coming days as a seat expects them."""

    def __init__(self, state: State, seat: i64, horizon: i64) -> None:
        self.state: Final = state
        self.seat: i64 = seat
        self.day: i64 = state.day
        days = LAST_DAY - self.day + 1
        self.days: i64 = horizon if horizon < days else days
        self.obstacle: i64 = state.obstacle[seat]
        self.opportunity: i64 = state.opportunity[seat]
        others: i64 = 0
        for other in range(state.seats):
            if other != seat and state.place[other] != OUT:
                others += 1
        self.crowd = 1.0 + 0.5 * float(others)
        self.first: float = QUEUE ** (float(others) / 3.0)
        self.first_to_work = vec[float]([self._comes_first(place, False) for place in range(N_PLACES)])
        self.first_to_travel = vec[float]([self._comes_first(place, True) for place in range(N_PLACES)])
        journeys: i64 = 0
        for card in range(i64(FIRST_JOURNEY), i64(FIRST_WORK)):
            if not (state.gone | state.revealed) >> card & 1:
                journeys += 1
        self.per_day = float(journeys) / float(days)
        # Of each day:
        self.raid_one = vec[float]([0.0] * HORIZON)
        self.raid_more = vec[float]([0.0] * HORIZON)
        self.fine = vec[float]([0.0] * HORIZON)
        # Of each day and place: the chance of work, what it brings on average; how many journeys, their chances, costs.
        self.work = vec[float]([0.0] * (N_PLACES * HORIZON))
        self.wage = vec[float]([0.0] * (N_PLACES * HORIZON))
        self.journeys = vec[i64]([0] * (N_PLACES * HORIZON))
        self.chance = vec[float]([0.0] * (N_PLACES * HORIZON * N_DAYS))
        self.cost = vec[i64]([0] * (N_PLACES * HORIZON * N_DAYS))
        # The progress of the two tasks along the route that is being looked at: the days of visits to each of the
        # places, one bit per day; the day on which Taksim was left; what was paid; what is complete; the last place.
        self.visits = vec[i64]([0] * N_PLACES)
        self.left: i64 = 0
        self.paid: i64 = 0
        self.done = False
        self.bonus = False
        self.last: i64 = -1
        # The latest exponentials, which most neighbouring routes share: of the days left, and of the money.
        self.last_left = 0.0
        self.last_chance = 0.0
        self.last_money = 0.0
        self.last_out: float = OUT_AT_ALL
        # The value of each place's eyes and cards to a player who is ready to leave, and to one who is not.
        self.ready = self._symbols(DRAWN)
        self.unready = self._symbols(UNREADY)
        for ahead in range(self.days):
            self._foresee(ahead)

    def _symbols(self, drawn: float) -> vec[float]:
        at = N_PLACES * self.state.seats
        return vec[float]([EYE * float(EYES[at + i]) + drawn * float(DRAWS[at + i]) for i in range(N_PLACES)])

    def _comes_first(self, place: i64, journey: bool) -> float:
        """The chance that nobody is asked before this seat tonight, in a place: who stands there already may go away
        only if their turn is still to come, and who comes later is asked later."""
        state = self.state
        me = self.seat
        privilege: i64 = DRIVER if journey else WORKSHOP
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

    def _foresee(self, ahead: i64) -> None:
        """What may be turned up that many days from now."""
        state = self.state
        row = (self.day - 1 + ahead) % N_DAYS
        first = N_DAYS * row
        pool: i64 = 0  # of the day's cards by rank, one bit each: those that may still come
        for rank in range(i64(N_DAYS)):
            if not (state.gone | state.revealed) >> OF_DAY[first + rank] & 1:
                pool |= i64(1) << rank
        may: i64 = pool
        order = vec[i64]([0] * N_DAYS)  # the ranks of the cards that have a chance, as they came up
        chances = vec[float]([-1.0] * N_DAYS)
        found: i64 = 0
        unknown: i64 = 0
        for slot in range(SQUARES * row, SQUARES * row + SQUARES):
            if state.hidden(slot):
                if state.knows[slot] >> self.seat & 1:
                    rank = RANK[state.sheet[slot]]
                    may &= ~(i64(1) << rank)
                    if state.due(slot) == self.day + ahead:
                        order[found] = rank
                        found += 1
                        chances[rank] = 1.0
                else:
                    unknown += 1
        if state.buried[row] >= 0 and state.buried[N_DAYS + row] == self.seat:
            may &= ~(i64(1) << RANK[state.buried[row]])
        weight = 0.0  # of unknown cards that nobody spoke of
        for slot in range(SQUARES * row, SQUARES * row + SQUARES):
            if state.hidden(slot) and not state.knows[slot] >> self.seat & 1 and state.due(slot) == self.day + ahead:
                told, trust = belief(state, self.seat, slot)
                if told >= 0 and may >> RANK[told] & 1:
                    rank = RANK[told]
                    if chances[rank] < 0.0:
                        order[found] = rank
                        found += 1
                        chances[rank] = 0.0
                    chances[rank] = min(1.0, chances[rank] + trust)
                    weight += 1.0 - trust
                else:
                    weight += 1.0
        size: i64 = 0
        for rank in range(i64(N_DAYS)):
            size += may >> rank & 1
        if ahead and state.drawn < N_CARDS and size > unknown:
            weight += float(size - unknown) * min(1.0, MORE_CARDS * float(ahead) / float(N_CARDS - state.drawn))
        if size:
            each = min(1.0, weight / float(size))
            for rank in range(i64(N_DAYS)):
                if may >> rank & 1:
                    if chances[rank] < 0.0:
                        order[found] = rank
                        found += 1
                        chances[rank] = 0.0
                    chances[rank] = min(1.0, chances[rank] + each)
        none = 1.0
        one = 0.0
        fine = 0.0
        total = 0.0
        for i in range(found):
            chance = chances[order[i]]
            card = OF_DAY[first + order[i]]
            at = N_PLACES * ahead + PLACE_OF[card]
            amount = float(AMOUNT_OF[card])
            if card < FIRST_JOURNEY:
                one = one * (1.0 - chance) + none * chance
                none *= 1.0 - chance
                fine += chance * amount
                total += chance
            elif card < FIRST_WORK:
                self.chance[N_DAYS * at + self.journeys[at]] = chance
                self.cost[N_DAYS * at + self.journeys[at]] = AMOUNT_OF[card]
                self.journeys[at] += 1
            else:
                self.work[at] = max(self.work[at], chance)
                self.wage[at] += chance * amount
        self.raid_one[ahead] = 1.0 - none
        self.raid_more[ahead] = 1.0 - none - one
        self.fine[ahead] = fine / total if total > 0.0 else 0.0

    def out(self, money: float) -> float:
        """The value of having travelled out with this much money."""
        if not self.state.ranked:
            return 1.0
        if money != self.last_money:
            self.last_money = money
            self.last_out = OUT_AT_ALL + (1.0 - OUT_AT_ALL) * (1.0 - exp(-money / RICH))
        return self.last_out

    def best_today(self) -> int:
        """Where to go today."""
        return self._best(WAYS * self.state.place[self.seat], ONWARD, float(self.state.money[self.seat]), True)

    def best_release(self, fine: i64) -> int:
        """Where to go from jail."""
        return self._best(0, ANYWHERE, float(self.state.money[self.seat] - fine), fine == 0)

    def worth(self, place: i64, fine: i64) -> float:
        """The value of being in a place today, whether or not the seat paid a fine to get there."""
        self._begin()
        return self._value(0, place, float(self.state.money[self.seat] - fine), fine == 0)

    def _best(self, at: i64, places: vec[i64], money: float, free: bool) -> int:
        """The best of the places listed from there on."""
        self._begin()
        best = places[at]
        most = -1.0
        while places[at] >= 0:
            value = self._value(0, places[at], money, free)
            if value > most:
                most = value
                best = places[at]
            at += 1
        return int(best)

    def from_tomorrow(self) -> float:
        """The value of staying another day where the marker is."""
        if self.days < 2:
            return 0.0
        self._begin()
        return self._onward(1, self.state.place[self.seat], float(self.state.money[self.seat]))

    def _begin(self) -> None:
        """How far the tasks have come now."""
        state = self.state
        seat = self.seat
        for place in range(i64(N_PLACES)):
            self.visits[place] = state.visits[N_PLACES * seat + place]
        self.left = state.left[seat]
        self.paid = state.paid[seat]
        self.done = state.done >> seat & 1 == 1
        self.bonus = state.bonus[seat] > 0
        self.last = state.place[seat] if state.place[seat] < JAIL else -1

    def _value(self, ahead: i64, place: i64, money: float, free: bool) -> float:
        """The value of being in a place that many days from now and playing well from there."""
        day = self.day + ahead
        # What it does for the tasks is taken back at the end.
        visits, left, paid, last = self.visits[place], self.left, self.paid, self.last
        done_before, bonus_before = self.done, self.bonus
        money = self._arrive(day, place, money)
        opportunity = self.opportunity
        at = N_PLACES * ahead + place
        done = self.done
        bonus = self.bonus
        raid = 0.0
        if place == TAKSIM:
            raid = self.raid_one[ahead]
        elif place != KADIKOY:
            raid = self.raid_more[ahead]
        if opportunity == PERMIT and bonus:
            raid *= 1.0 - self.work[at]
        fine = self.fine[ahead]
        jail = raid if money < fine else 0.0
        safe = 1.0 - raid if free else 0.0
        extra = 3.0 * self.work[at] if opportunity == WORKSHOP and bonus else 0.0
        first = self.first if ahead else self.first_to_work[place]
        earned = safe * first * (self.wage[at] + extra)
        lost = raid * fine if jail == 0.0 else 0.0
        info = self.ready[place] if done and money >= 8.0 else self.unready[place]
        if bonus and opportunity == SOURCE:
            info += EYE * 2.0
        if not bonus:
            if opportunity == DRIVER and place == TAKSIM:
                for i in range(N_DAYS * at, N_DAYS * at + self.journeys[at]):
                    info += DRIVER_WORTH * self.chance[i]
            elif opportunity == WORKSHOP and place == SULTANAHMET:
                info += WORKSHOP_WORTH * self.work[at]
        if ahead + 1 < self.days:
            value = self._onward(ahead + 1, place, money + earned - lost)
        else:
            value = self._guess(day, money + earned - lost)
        if done and safe > 0.0:
            discount: i64 = DISCOUNT if opportunity == DRIVER and bonus else 0
            first = self.first if ahead else self.first_to_travel[place]
            for i in range(N_DAYS * at, N_DAYS * at + self.journeys[at]):
                cost = float(self.cost[i] - discount)
                if cost < 0.0:
                    cost = 0.0
                if money >= cost:
                    out = self.out(money - cost)
                    if out > value:
                        value += safe * first * self.chance[i] * (out - value)
        if jail > 0.0:
            # The estimate is optimistic about days that are not planned: jail must not look like a short cut.
            free_again = max(day + JAIL_DAYS, self.day + self.days)
            value = (1.0 - jail) * value + jail * 0.9 * self._guess(free_again, money)
        self.visits[place] = visits
        self.left = left
        self.paid = paid
        self.last = last
        self.done = done_before
        self.bonus = bonus_before
        return value + info

    def _onward(self, ahead: i64, place: i64, money: float) -> float:
        """What it is worth to go on from a place on the day that many days from now."""
        most = self._value(ahead, place, money, True)
        for i in range(WAYS * place + 1, WAYS * place + WAYS):
            if ONWARD[i] < 0:
                break
            value = self._value(ahead, ONWARD[i], money, True)
            if value > most:
                most = value
        return most

    def _arrive(self, day: i64, place: i64, money: float) -> float:
        """Be in a place on a day: what it does for the two tasks, and the money afterwards."""
        visits = self.visits
        if self.last == TAKSIM and place != TAKSIM:
            self.left = day - 1
        self.last = place
        if not self.bonus:
            earlier = (i64(1) << day) - 1
            opportunity = self.opportunity
            if opportunity == TRANSFER:
                if place == TAKSIM and self.left > 0 and day <= self.left + TRANSFER_DAYS:
                    self.bonus = True
                    money += 10.0
            elif opportunity == PERMIT:
                if place == TAKSIM and visits[FATIH] & earlier != 0:
                    self.bonus = True
            elif opportunity == SOURCE and place == FATIH and visits[USKUDAR] & earlier != 0:
                self.bonus = True
        if not visits[place] >> day & 1:
            visits[place] |= i64(1) << day
            if not self.done:
                money = self._overcome(day, place, money)
        return money

    def _overcome(self, day: i64, place: i64, money: float) -> float:
        visits = self.visits
        obstacle = self.obstacle
        if obstacle == BURDEN:
            self.done = place == FATIH and visits[FATIH] << 1 >> day & 1 == 1
        elif obstacle == DOCUMENTS:
            self.done = place == FATIH and visits[TAKSIM] << 2 >> day & 1 == 1
        elif obstacle == FAMILY:
            self.done = visits[FATIH] > 0 and visits[SULTANAHMET] > 0 and visits[USKUDAR] > 0
        elif money >= 1.0:
            if obstacle == MEDICINE:
                if place == SULTANAHMET and visits[USKUDAR] << 3 >> day & 7 != 0:
                    self.done = True
                    money -= 1.0
            elif place == TAKSIM:
                self.paid += 1
                self.done = self.paid == 2
                money -= 1.0
        return money

    def _guess(self, day: i64, money: float) -> float:
        """What a course is worth where the plan ends: the chance to get out in the days that are left, and how rich."""
        left = float(LAST_DAY - day)
        bonus = self.bonus
        if not self.done:
            left -= self._steps(day)
        cost = 10.5
        if bonus and self.opportunity == DRIVER:
            cost -= 5.0
        elif not bonus:
            if self.opportunity == TRANSFER:
                near = self.left + 2 >= day or self.last == TAKSIM
                money += 6.0 if near else 4.0
            elif self.opportunity == DRIVER:
                money += 0.5
        short = cost - money
        if short > 0.0:
            left -= 0.6 * short
        if left <= 0.0:
            return 0.0
        if left != self.last_left:
            self.last_left = left
            self.last_chance = 1.0 - exp(-left / PATIENCE)
            self.last_chance *= 1.0 - exp(-CROWD * self.per_day * left / self.crowd)
        chance = self.last_chance
        if bonus and self.opportunity == SOURCE:
            chance *= INFORMED
        rest = max(money - cost, 0.0) + 0.25 * left
        return chance * self.out(rest)

    def _steps(self, day: i64) -> float:
        """About how many days the obstacle will still take."""
        visits = self.visits
        obstacle = self.obstacle
        if obstacle == BURDEN:
            return 1.0 if self.last == FATIH else 2.7
        if obstacle == DOCUMENTS:
            return 1.5 if visits[TAKSIM] << 1 >> day & 3 != 0 else 3.5
        if obstacle == FAMILY:
            missing = 0.3
            for place in range(i64(FATIH), i64(USKUDAR + 1)):
                if visits[place] == 0:
                    missing += 1.2
            return missing
        if obstacle == MEDICINE:
            return 1.8 if visits[USKUDAR] << 2 >> day & 7 != 0 else 3.2
        return 1.5 * float(2 - self.paid)
