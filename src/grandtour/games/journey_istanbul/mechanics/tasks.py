# compiled
"""The tasks on obstacle and opportunity cards: how they are completed, and each seat's progress."""

from typing import Any

from mypy_extensions import i64

from grandtour.engine.events import event
from grandtour.games.journey_istanbul import parts
from grandtour.games.journey_istanbul.mechanics.talk import Talk
from grandtour.games.journey_istanbul.parts import (
    BILL,
    BURDEN,
    DEBT_PAYMENTS,
    DOCUMENTS,
    FAMILY,
    FATIH,
    MEDICINE,
    N_PLACES,
    OBSTACLES,
    OPPORTUNITIES,
    PERMIT,
    SOURCE,
    SULTANAHMET,
    TAKSIM,
    TASK_PRICE,
    TRANSFER,
    TRANSFER_AMOUNT,
    TRANSFER_DAYS,
    USKUDAR,
)
from grandtour.games.journey_istanbul.state import EV_COMPLETED, Table
from grandtour.games.journey_istanbul.view_types import Progress


class Tasks(Talk):
    """The rules for the two cards in front of each player."""

    def _say(self, name: str, what: dict[str, Any]) -> None:
        if self.events is not None:
            self.events.append(event(name, **what))

    def _check_opportunity(self, me: i64, here: i64) -> None:
        """Complete the opportunity if being in this place does so."""
        card = self.opportunity[me]
        before = (i64(1) << self.day) - 1
        if card == TRANSFER:
            if here == TAKSIM and self.left[me] > 0 and self.day <= self.left[me] + TRANSFER_DAYS:
                self.bonus[me] = self.day
                self.money[me] += TRANSFER_AMOUNT
                self.bank -= TRANSFER_AMOUNT
        elif card == PERMIT:
            if here == TAKSIM and self.visits[N_PLACES * me + FATIH] & before:
                self.bonus[me] = self.day
        elif card == SOURCE and here == FATIH and self.visits[N_PLACES * me + USKUDAR] & before:
            self.bonus[me] = self.day

    def _check_obstacle(self, me: i64, here: i64) -> bool:
        """Complete the obstacle if being in this place does so. Returns whether a part has to be paid for."""
        card = self.obstacle[me]
        done = False
        if card == BURDEN:
            done = here == FATIH and (self.visits[N_PLACES * me + FATIH] << 1) >> self.day & 1 == 1
        elif card == DOCUMENTS:
            done = here == FATIH and (self.visits[N_PLACES * me + TAKSIM] << 2) >> self.day & 1 == 1
        elif card == FAMILY:
            seen = self.visits[N_PLACES * me + FATIH] != 0 and self.visits[N_PLACES * me + SULTANAHMET] != 0
            done = seen and self.visits[N_PLACES * me + USKUDAR] != 0
        elif card == MEDICINE:
            return here == SULTANAHMET and (self.visits[N_PLACES * me + USKUDAR] << 3) >> self.day & 7 != 0
        else:
            return here == TAKSIM
        if done:
            self.done |= i64(1) << me
        return False

    def _pay_part(self, me: i64) -> None:
        """Pay for a part of the obstacle, which may complete it."""
        before = self._circles(me)
        self.money[me] -= TASK_PRICE
        self.bank += TASK_PRICE
        self.paid[me] += 1
        if self.obstacle[me] == MEDICINE or self.paid[me] == DEBT_PAYMENTS:
            self.done |= i64(1) << me
        self._say("paid-part", {"seat": int(me), "price": TASK_PRICE * BILL})
        self._report_circles(me, before)

    def _complete_by_offer(self, opportunity: i64, place: i64, offered: i64) -> None:
        """Complete this opportunity for players who are in a place where work or a journey is offered."""
        if not offered >> place & 1:
            return
        for seat in range(self.seats):
            if self.opportunity[seat] == opportunity and self.place[seat] == place and self.bonus[seat] == 0:
                self.bonus[seat] = self.day
                self.evening[EV_COMPLETED] |= i64(1) << seat

    def _circles(self, me: i64) -> list[list[bool]]:
        if self.events is None:
            return []
        return [obstacle(self, int(me))["circles"], opportunity(self, int(me))["circles"]]

    def _report_circles(self, me: i64, before: list[list[bool]]) -> None:
        """Record events for newly marked circles."""
        if self.events is None:
            return
        names = (OBSTACLES[self.obstacle[me]], OPPORTUNITIES[self.opportunity[me]])
        for kind, name, old, now in zip(("obstacle", "opportunity"), names, before, self._circles(me), strict=True):
            if old != now and any(now):
                record = event("part", seat=int(me), kind=kind, card=name, circles=now, complete=all(now))
                if all(now) and name == OPPORTUNITIES[TRANSFER]:
                    record["amount"] = TRANSFER_AMOUNT * BILL
                self.events.append(record)


def next_presence(state: Table, seat: int) -> int:
    """The next day on which this seat's place counts: today if it has not moved yet."""
    today = any(state.visits[N_PLACES * seat + place] >> state.day & 1 for place in range(N_PLACES))
    turn_over = today or state.step in (4, 5) or (state.place[seat] == parts.JAIL and _has_acted(state, seat))
    return int(state.day) + int(turn_over)


def _has_acted(state: Table, seat: int) -> bool:
    """Whether a seat has already had its turn today."""
    places = [(other - state.starter) % state.seats for other in (seat, int(state.turn))]
    return places[0] < places[1]


def _was_in(state: Table, seat: int, place: int) -> list[int]:
    days = state.visits[N_PLACES * seat + place]
    return [day for day in range(1, parts.LAST_DAY + 1) if days >> day & 1]


def _part(marked: list[bool], place: int | None, days: list[int] | None) -> Progress:
    """The progress of a task: marked circles, the place of the next part, and its days (None: any)."""
    return {"circles": marked, "place": None if place is None else parts.PLACES[place], "days": days}


def _within(starts: list[int], soonest: int, first: int, last: int) -> list[int]:
    """The days, not before `soonest`, that are `first` to `last` days after one of the starts."""
    days = {start + after for start in starts for after in range(first, last + 1)}
    return sorted(day for day in days if soonest <= day <= parts.LAST_DAY)


def obstacle(state: Table, seat: int) -> Progress:
    """A seat's progress with its obstacle."""
    card = state.obstacle[seat]
    if state.done >> seat & 1:
        return _part([True] * len(parts.PARTS["obstacles"][card]["circles"]), None, None)
    soonest = next_presence(state, seat)
    if card == parts.BURDEN:
        days = _within(_was_in(state, seat, parts.FATIH), soonest, 1, 1)
        return _part([bool(days), False], parts.FATIH, days or None)
    if card == parts.DOCUMENTS:
        days = _within(_was_in(state, seat, parts.TAKSIM), soonest, 2, 2)
        return _part([bool(days), False], parts.FATIH if days else parts.TAKSIM, days or None)
    if card == parts.FAMILY:
        wanted = (parts.FATIH, parts.SULTANAHMET, parts.USKUDAR)
        marked = [bool(_was_in(state, seat, place)) for place in wanted]
        return _part(marked, wanted[marked.index(False)], None)
    if card == parts.MEDICINE:
        days = _within(_was_in(state, seat, parts.USKUDAR), soonest, 1, 3)
        return _part([bool(days), False], parts.SULTANAHMET if days else parts.USKUDAR, days or None)
    return _part([state.paid[seat] > 0, False], parts.TAKSIM, None)


def opportunity(state: Table, seat: int) -> Progress:
    """A seat's progress with its opportunity."""
    card = state.opportunity[seat]
    if state.bonus[seat]:
        return _part([True] * len(parts.PARTS["opportunities"][card]["circles"]), None, None)
    soonest = next_presence(state, seat)
    if card == parts.TRANSFER:
        starts = [int(state.left[seat])] if state.left[seat] else []
        if state.place[seat] == parts.TAKSIM:
            # The seat has to leave Taksim first. The time counts from its last day there.
            latest = _was_in(state, seat, parts.TAKSIM)[-1:]
            days = _within(latest, soonest + 1, 2, 3)
            return _part([True, False], parts.TAKSIM, days)
        days = _within(starts, soonest, 1, 3)
        return _part([bool(days), False], parts.TAKSIM, days or None)
    if card == parts.PERMIT:
        begun = bool(_was_in(state, seat, parts.FATIH))
        return _part([begun, False], parts.TAKSIM if begun else parts.FATIH, None)
    if card == parts.SOURCE:
        begun = bool(_was_in(state, seat, parts.USKUDAR))
        return _part([begun, False], parts.FATIH if begun else parts.USKUDAR, None)
    return _part([False], parts.TAKSIM if card == parts.DRIVER else parts.SULTANAHMET, None)
