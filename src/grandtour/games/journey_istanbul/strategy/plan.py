# compiled
"""The coming days as a seat of The Journey: Istanbul expects them, and the value of each route through the city."""

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
    NEIGHBOURS,
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
from grandtour.games.journey_istanbul.state import CARD_STATED, OF_DAY, RANK, STATEMENTS

HORIZON: Final = 5
"""The number of days to plan, including today."""

RANK_HORIZON: Final = 4
"""The same for ranking moves before a search."""

QUICK_HORIZON: Final = 2
"""The same for a quick move."""


TRUST_IF_SEEN: Final = 0.75  # initial trust in a speaker who has seen the card
TRUST_IF_NOT_SEEN: Final = 0.4  # initial trust in a speaker who has not seen it
CHANCE_TO_BE_FIRST: Final = 0.75  # the chance to be asked first in a place where others may be, too
CHANCE_WANTED_IF_MOVED: Final = 0.9  # the chance that a player who has moved here today wants what is offered
CHANCE_WANTED_IF_NOT_MOVED: Final = 0.5  # the same for a player who has not moved yet
MIN_JOURNEY_MONEY: Final = 5  # players with less money are not expected to want a journey
CARDS_DRAWN_PER_DAY: Final = 1.2
TRAVELLED_OUT_VALUE: Final = 0.6  # the value of having travelled out without money
MONEY_SCALE: Final = 15.0
DAYS_SCALE: Final = 4.0
EYE_VALUE: Final = 0.006
DRAW_VALUE: Final = 0.008  # the value of drawing a card, which brings the end closer, to a player who is ready to leave
DRAW_VALUE_UNREADY: Final = -0.004  # the same to a player who is not ready
PLAYERS_PER_JOURNEY: Final = 0.8  # how many players share the chance of each journey still to come
DRIVER_VALUE: Final = 0.12
WORKSHOP_VALUE: Final = 0.05
SOURCE_FACTOR: Final = 1.08  # how much a trusted source improves the chances


N_DESTINATIONS: Final = 5
DESTINATIONS: Final = vec[i64](
    [there for at in range(N_PLACES) for there in [at, *NEIGHBOURS[at], -1, -1, -1, -1][:N_DESTINATIONS]]
)
"""Where a player can be on the next day, for each place: the same place first, then its neighbours, then -1."""

ALL_PLACES: Final = vec[i64]([0, 1, 2, 3, 4, -1])
PLACE_OF: Final = vec[i64]([max(card.place, 0) for card in CARDS])
AMOUNT_OF: Final = vec[i64]([card.amount for card in CARDS])


def belief(state: State, seat: int, slot: i64) -> tuple[int, float]:
    """The card that a seat believes to be on a square because it was told so, and its trust in that; -1 for none.

    What it read in another planner counts like a statement of that player. A card that does not exist is ignored.
    """
    card = -1
    most = 0.0
    for other in range(state.seats):
        claim: int = CARD_STATED[STATEMENTS * (slot // SQUARES) + state.claim(seat, other, slot)]
        if claim >= 0 and other != seat:
            pair = 2 * (state.seats * seat + other)
            true = float(state.truths[pair])
            false = float(state.truths[pair + 1])
            prior = TRUST_IF_SEEN if state.looked[slot] >> other & 1 else TRUST_IF_NOT_SEEN
            trust = (2.0 * prior + true) / (2.0 + true + 2.0 * false)
            if trust > most:
                most = trust
                card = claim
    return card, most


class Plan:
    """What a seat expects of the coming days."""

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
        self.first: float = CHANCE_TO_BE_FIRST ** (float(others) / 3.0)
        self.first_to_work = vec[float]([self._chance_to_be_first(place, False) for place in range(N_PLACES)])
        self.first_to_travel = vec[float]([self._chance_to_be_first(place, True) for place in range(N_PLACES)])
        journeys: i64 = 0
        for card in range(i64(FIRST_JOURNEY), i64(FIRST_WORK)):
            if not (state.gone | state.revealed) >> card & 1:
                journeys += 1
        self.per_day = float(journeys) / float(days)
        # For each day:
        self.raid_one = vec[float]([0.0] * HORIZON)
        self.raid_more = vec[float]([0.0] * HORIZON)
        self.fine = vec[float]([0.0] * HORIZON)
        # For each day and place: the chance of work, its average wage; the number of journeys, their chances and costs.
        self.work = vec[float]([0.0] * (N_PLACES * HORIZON))
        self.wage = vec[float]([0.0] * (N_PLACES * HORIZON))
        self.journeys = vec[i64]([0] * (N_PLACES * HORIZON))
        self.chance = vec[float]([0.0] * (N_PLACES * HORIZON * N_DAYS))
        self.cost = vec[i64]([0] * (N_PLACES * HORIZON * N_DAYS))
        # The progress of the two tasks along the route that is being evaluated: the days of the visits to each place,
        # one bit per day; the day on which Taksim was left; the payments made; what is complete; the last place.
        self.visits = vec[i64]([0] * N_PLACES)
        self.left: i64 = 0
        self.paid: i64 = 0
        self.done = False
        self.bonus = False
        self.last: i64 = -1
        # The last two exponentials, of the days left and of the money, which similar routes share.
        self.last_left = 0.0
        self.last_chance = 0.0
        self.last_money = 0.0
        self.last_out: float = TRAVELLED_OUT_VALUE
        # The value of each place's eye and card symbols to a player who is ready to leave, and to one who is not.
        self.ready = self._symbol_values(DRAW_VALUE)
        self.unready = self._symbol_values(DRAW_VALUE_UNREADY)
        for ahead in range(self.days):
            self._predict(ahead)

    def _symbol_values(self, drawn: float) -> vec[float]:
        at = N_PLACES * self.state.seats
        return vec[float]([EYE_VALUE * float(EYES[at + i]) + drawn * float(DRAWS[at + i]) for i in range(N_PLACES)])

    def _chance_to_be_first(self, place: i64, journey: bool) -> float:
        """The chance that nobody is asked before this seat in a place tonight. Players who are there already may leave
        if they have not moved yet. Players who come later are asked later."""
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
            if journey and (not state.done >> other & 1 or state.money[other] < MIN_JOURNEY_MONEY):
                continue
            moved = (other - state.starter + state.seats) % state.seats < mine
            chance *= 1.0 - (CHANCE_WANTED_IF_MOVED if moved else CHANCE_WANTED_IF_NOT_MOVED)
        return chance

    def _predict(self, ahead: i64) -> None:
        """Predict the cards that are turned up this many days from now."""
        state = self.state
        row = (self.day - 1 + ahead) % N_DAYS
        first = N_DAYS * row
        pool: i64 = 0  # the ranks of the day's cards that may still come, one bit each
        for rank in range(i64(N_DAYS)):
            if not (state.gone | state.revealed) >> OF_DAY[first + rank] & 1:
                pool |= i64(1) << rank
        may: i64 = pool
        order = vec[i64]([0] * N_DAYS)  # the ranks of the cards that have a chance, in the order found
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
        weight = 0.0  # the expected number of unknown cards that nobody has described
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
            drawn = CARDS_DRAWN_PER_DAY * float(ahead) / float(N_CARDS - state.drawn)
            weight += float(size - unknown) * min(1.0, drawn)
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

    def value_of_travelling_out(self, money: float) -> float:
        """The value of having travelled out with this much money."""
        if not self.state.ranked:
            return 1.0
        if money != self.last_money:
            self.last_money = money
            self.last_out = TRAVELLED_OUT_VALUE + (1.0 - TRAVELLED_OUT_VALUE) * (1.0 - exp(-money / MONEY_SCALE))
        return self.last_out

    def best_today(self) -> int:
        """The best place to go today."""
        return self._best(
            N_DESTINATIONS * self.state.place[self.seat], DESTINATIONS, float(self.state.money[self.seat]), True
        )

    def best_release(self, fine: i64) -> int:
        """The best place to go from jail."""
        return self._best(0, ALL_PLACES, float(self.state.money[self.seat] - fine), fine == 0)

    def value_of_going(self, place: i64, fine: i64) -> float:
        """The value of being in a place today, after paying this fine (or 0) to get there."""
        self._reset_progress()
        return self._value(0, place, float(self.state.money[self.seat] - fine), fine == 0)

    def _best(self, at: i64, places: vec[i64], money: float, free: bool) -> int:
        """The best of the places listed from index `at` on."""
        self._reset_progress()
        best = places[at]
        most = -1.0
        while places[at] >= 0:
            value = self._value(0, places[at], money, free)
            if value > most:
                most = value
                best = places[at]
            at += 1
        return int(best)

    def value_of_staying(self) -> float:
        """The value of staying in the city until tomorrow, starting from the current place."""
        if self.days < 2:
            return 0.0
        self._reset_progress()
        return self._best_next(1, self.state.place[self.seat], float(self.state.money[self.seat]))

    def _reset_progress(self) -> None:
        """Set the progress of the tasks to the current one."""
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
        """The value of being in a place this many days from now and playing well from there."""
        day = self.day + ahead
        # The progress of the tasks is restored at the end.
        visits, left, paid, last = self.visits[place], self.left, self.paid, self.last
        done_before, bonus_before = self.done, self.bonus
        money = self._visit(day, place, money)
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
            info += EYE_VALUE * 2.0
        if not bonus:
            if opportunity == DRIVER and place == TAKSIM:
                for i in range(N_DAYS * at, N_DAYS * at + self.journeys[at]):
                    info += DRIVER_VALUE * self.chance[i]
            elif opportunity == WORKSHOP and place == SULTANAHMET:
                info += WORKSHOP_VALUE * self.work[at]
        if ahead + 1 < self.days:
            value = self._best_next(ahead + 1, place, money + earned - lost)
        else:
            value = self._estimate_rest(day, money + earned - lost)
        if done and safe > 0.0:
            discount: i64 = DISCOUNT if opportunity == DRIVER and bonus else 0
            first = self.first if ahead else self.first_to_travel[place]
            for i in range(N_DAYS * at, N_DAYS * at + self.journeys[at]):
                cost = float(self.cost[i] - discount)
                if cost < 0.0:
                    cost = 0.0
                if money >= cost:
                    out = self.value_of_travelling_out(money - cost)
                    if out > value:
                        value += safe * first * self.chance[i] * (out - value)
        if jail > 0.0:
            # The estimate is optimistic about days beyond the plan, so jail must not lead there sooner.
            free_again = max(day + JAIL_DAYS, self.day + self.days)
            value = (1.0 - jail) * value + jail * 0.9 * self._estimate_rest(free_again, money)
        self.visits[place] = visits
        self.left = left
        self.paid = paid
        self.last = last
        self.done = done_before
        self.bonus = bonus_before
        return value + info

    def _best_next(self, ahead: i64, place: i64, money: float) -> float:
        """The value of the best place to be this many days from now, coming from this one."""
        most = self._value(ahead, place, money, True)
        for i in range(N_DESTINATIONS * place + 1, N_DESTINATIONS * place + N_DESTINATIONS):
            if DESTINATIONS[i] < 0:
                break
            value = self._value(ahead, DESTINATIONS[i], money, True)
            if value > most:
                most = value
        return most

    def _visit(self, day: i64, place: i64, money: float) -> float:
        """Visit a place: update the progress of the two tasks. Returns the money afterwards."""
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

    def _estimate_rest(self, day: i64, money: float) -> float:
        """The estimated value at the end of the plan: the chance to get out in the days left, and the money then."""
        left = float(LAST_DAY - day)
        bonus = self.bonus
        if not self.done:
            left -= self._days_for_obstacle(day)
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
            self.last_chance = 1.0 - exp(-left / DAYS_SCALE)
            self.last_chance *= 1.0 - exp(-PLAYERS_PER_JOURNEY * self.per_day * left / self.crowd)
        chance = self.last_chance
        if bonus and self.opportunity == SOURCE:
            chance *= SOURCE_FACTOR
        rest = max(money - cost, 0.0) + 0.25 * left
        return chance * self.value_of_travelling_out(rest)

    def _days_for_obstacle(self, day: i64) -> float:
        """An estimate of the days that the obstacle still takes."""
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
