# compiled
"""The expected result of a position of The Journey: Istanbul, and which moves look good: for players that search.

The rest of the day is played quickly: players who still have to move stay where they are. The next morning is judged by
a few figures per seat, such as the progress of its tasks, its money, the journeys and the work on the event sheet that
it can reach in time, and the days left. The weights of these figures were fitted to games of the normal bot and are in
`strategy/outlook.json`."""

import json
from importlib.resources import files
from math import exp
from typing import Final

from mypy_extensions import i64

from grandtour.engine.game import SearchHooks
from grandtour.games.journey_istanbul import bot
from grandtour.games.journey_istanbul.mechanics.moves import (
    DECLINE,
    END_LOOKING,
    LEAVE,
    MOVE,
    PAY,
    REMAIN,
    STAY,
    TALK,
    TRAVEL,
    WORK,
)
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
    LAST_DAY,
    LINES,
    MAX_SEATS,
    MEDICINE,
    N_CARDS,
    N_DAYS,
    N_PLACES,
    OUT,
    PERMIT,
    SLOTS,
    SOURCE,
    SULTANAHMET,
    TAKSIM,
    TRANSFER,
    TRANSFER_DAYS,
    USKUDAR,
    WORKSHOP,
)
from grandtour.games.journey_istanbul.rules import (
    AMOUNT,
    PLACE_OF,
    STEP_JOURNEY,
    STEP_LEAVE,
    STEP_LOOK,
    STEP_MOVE,
    STEP_OVER,
    STEP_PAY,
    State,
)
from grandtour.games.journey_istanbul.strategy.bargain import choose_talk
from grandtour.games.journey_istanbul.strategy.plan import RANK_HORIZON, Plan

N_FIGURES: Final = 40  # per seat, in the order of the weights
UNREACHABLE: Final = 99
NOT_TRIED: Final = float("-inf")


def _distances() -> list[int]:
    """The number of days between any two places, as a flat list."""
    far = [
        0 if a == b else 1 if (a, b) in LINES or (b, a) in LINES else UNREACHABLE
        for a in range(N_PLACES)
        for b in range(N_PLACES)
    ]
    for via in range(N_PLACES):
        for a in range(N_PLACES):
            for b in range(N_PLACES):
                far[N_PLACES * a + b] = min(far[N_PLACES * a + b], far[N_PLACES * a + via] + far[N_PLACES * via + b])
    return far


DISTANCES: Final[list[int]] = _distances()


class Morning:
    """The figures of a position in the morning. The journeys, work and raids to come are read once for all seats."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.day: int = state.day
        self.end: int = LAST_DAY
        if state.drawn == N_CARDS:
            self.end = self.day
        raids = [0] * (N_DAYS + 1)
        self.cards: list[int] = []  # journeys and work; `ahead` says in how many days they come
        self.ahead: list[int] = []
        for slot in range(i64(SLOTS)):
            if not state.hidden(slot):
                continue
            card: int = state.sheet[slot]
            ahead: int = state.due(slot) - state.day
            if state.drawn == N_CARDS and self.day + ahead > self.end:
                self.end = min(self.day + ahead, LAST_DAY)
            if self.day + ahead > LAST_DAY:
                continue
            if card < FIRST_JOURNEY:
                raids[ahead] += 1
            else:
                self.cards.append(card)
                self.ahead.append(ahead)
        self.raids = raids
        deck = 0
        for at in range(state.drawn, i64(N_CARDS)):
            if FIRST_JOURNEY <= state.deck[at] < FIRST_WORK:
                deck += 1
        self.deck = deck
        self.best_out = -1.0
        staying = 0
        for seat in range(state.seats):
            if state.place[seat] == OUT:
                self.best_out = max(self.best_out, float(state.money[seat]))
            else:
                staying += 1
        self.staying = staying

    def _arrival(self, seat: int, place: int) -> int:
        """The number of days until a seat can be in a place; 0 is today."""
        here: int = self.state.place[seat]
        if here == JAIL:
            return max(int(self.state.release[seat]) - self.day, 0)
        return max(DISTANCES[N_PLACES * here + place] - 1, 0)

    def ready(self, seat: int) -> tuple[int, int, int]:
        """When a seat can complete its obstacle (in days from today), where, and what it still costs."""
        state = self.state
        if state.done >> seat & 1:
            return 0, -1, 0
        day = self.day
        obstacle = state.obstacle[seat]
        visits = state.visits
        at = N_PLACES * seat
        if obstacle == BURDEN:
            if visits[at + FATIH] >> (day - 1) & 1 and state.place[seat] == FATIH:
                return 0, FATIH, 0
            return self._arrival(seat, FATIH) + 1, FATIH, 0
        if obstacle == DOCUMENTS:
            if day >= 2 and visits[at + TAKSIM] >> (day - 2) & 1 and self._arrival(seat, FATIH) == 0:
                return 0, FATIH, 0
            if visits[at + TAKSIM] >> (day - 1) & 1 and self._arrival(seat, FATIH) <= 1:
                return 1, FATIH, 0
            return self._arrival(seat, TAKSIM) + 2, FATIH, 0
        if obstacle == FAMILY:
            return self._family(seat)
        if obstacle == MEDICINE:
            soon = self._arrival(seat, SULTANAHMET)
            since = 0
            for back in range(1, 4):
                if day - back >= 1 and visits[at + USKUDAR] >> (day - back) & 1 and since == 0:
                    since = 4 - back
            if since > soon:
                return soon, SULTANAHMET, 1
            return self._arrival(seat, USKUDAR) + 2, SULTANAHMET, 1
        return self._arrival(seat, TAKSIM) + 1 - int(state.paid[seat]), TAKSIM, 2 - int(state.paid[seat])

    def _family(self, seat: int) -> tuple[int, int, int]:
        visits = self.state.visits
        missing = [place for place in (FATIH, SULTANAHMET, USKUDAR) if visits[N_PLACES * seat + place] == 0]
        best = UNREACHABLE
        last = FATIH
        for first in missing:
            days = self._arrival(seat, first)
            at = first
            left = [place for place in missing if place != first]
            while left:
                nearest = left[0]
                if len(left) > 1 and DISTANCES[N_PLACES * at + left[1]] < DISTANCES[N_PLACES * at + left[0]]:
                    nearest = left[1]
                days += DISTANCES[N_PLACES * at + nearest]
                at = nearest
                left = [place for place in left if place != nearest]
            if days < best:
                best = days
                last = at
        return best, last, 0

    def safe(self, seat: int, place: int, ahead: int, work: bool) -> bool:
        """Whether a seat is safe from the police in a place this many days ahead, according to the sheet."""
        raids = self.raids[ahead]
        if raids == 0 or (raids == 1 and place != TAKSIM):
            return True
        state = self.state
        return work and state.opportunity[seat] == PERMIT and state.bonus[seat] > 0

    def figures(self, seat: int) -> list[float]:
        """The figures that describe a seat's chances."""
        state = self.state
        out = [0.0] * N_FIGURES
        left = float(self.end - self.day + 1)
        out[0] = 1.0
        if state.place[seat] == OUT:
            out[1] = 1.0
            out[2] = 0.1 * float(state.money[seat])
            out[3] = 0.1 * left
            out[4] = 0.1 * self.staying
            return out
        opportunity = state.opportunity[seat]
        bonus = state.bonus[seat] > 0
        days, where, price = self.ready(seat)
        money: float = float(state.money[seat] - price)
        discount = DISCOUNT if opportunity == DRIVER and bonus else 0
        extra = 3.0 if opportunity == WORKSHOP and bonus else 0.0
        soon = UNREACHABLE
        rest = 0.0
        count = 0
        nearly = 0
        gap = 10.0
        jobs = 0
        best_job = 0.0
        for i in range(len(self.cards)):
            card = self.cards[i]
            ahead = self.ahead[i]
            place = PLACE_OF[card]
            if card < FIRST_WORK:
                reach = self._arrival(seat, place) if where < 0 else days + DISTANCES[N_PLACES * where + place]
                if reach > ahead or not self.safe(seat, place, ahead, False):
                    continue
                cost = float(max(AMOUNT[card] - discount, 0))
                if money >= cost:
                    count += 1
                    soon = min(soon, ahead)
                    rest = max(rest, money - cost)
                else:
                    nearly += 1
                    gap = min(gap, cost - money)
            elif self._arrival(seat, place) <= ahead and self.safe(seat, place, ahead, True):
                jobs += 1
                wage = float(AMOUNT[card]) + extra
                best_job = max(best_job, wage - 0.5 * ahead)
        need = 10.5 - discount
        short = max(need - money, 0.0)
        done = where < 0
        late = max(left - days, 0.0)
        out[5] = 1.0 if done else 0.0
        out[6] = 0.0 if done else 0.2 * days
        out[7] = 0.1 * min(money, 25.0)
        out[8] = 0.1 * max(money - need, 0.0)
        out[9] = 0.1 * short
        out[10] = 0.1 * late
        out[11] = 0.1 * short * min(1.0, 3.0 / (late + 1.0))
        out[12] = 1.0 if late < 3.0 else 0.0
        out[13] = 1.0 if late < 1.0 else 0.0
        if count:
            out[14] = 1.0
            out[15] = 1.0 / (1.0 + soon)
            out[16] = 0.1 * rest
            out[17] = 0.5 * min(count - 1, 2)
            out[18] = 3.0 / (left + 2.0)
        elif nearly:
            out[19] = 1.0
            out[20] = 0.1 * gap
        out[21] = 0.3 * min(jobs, 3)
        out[22] = 0.1 * best_job
        out[23] = 0.1 * best_job * min(short, 6.0) * 0.2
        out[24] = 0.2 * self.deck
        out[25] = 0.05 * self.deck * min(left, 10.0) * (1.0 if money >= need else 0.5)
        if state.place[seat] == JAIL:
            out[26] = 1.0
            out[27] = 0.3 * max(int(state.release[seat]) - self.day, 0)
        if bonus:
            if opportunity == DRIVER:
                out[28] = 1.0
            elif opportunity == WORKSHOP:
                out[29] = 1.0
            elif opportunity == PERMIT:
                out[30] = 1.0
            elif opportunity == SOURCE:
                out[31] = 1.0
        elif opportunity == TRANSFER:
            out[32] = 1.0
            away = state.left[seat] + TRANSFER_DAYS - self.day
            if state.place[seat] == TAKSIM or away >= self._arrival(seat, TAKSIM):
                out[33] = 1.0
            out[34] = 0.1 * max(left - 3.0, 0.0)
        elif opportunity == DRIVER:
            out[35] = 0.1 * left
        if self.best_out >= 0.0:
            ahead_by = money - need - self.best_out
            out[36] = 1.0
            out[37] = 0.1 * min(max(ahead_by, -10.0), 10.0)
            out[38] = 1.0 if ahead_by + 0.6 * late < 0.0 else 0.0
        known = 0
        for slot in range(i64(SLOTS)):
            if state.known(seat, slot) >= 0:
                known += 1
        out[39] = 0.1 * known
        return out


def next_morning(state: State) -> State:
    """A copy, played quickly to the next morning or to the end."""
    world = state.clone()
    day = world.day
    fresh = world.step == STEP_MOVE and world.turn == world.starter
    while world.step != STEP_OVER and world.day == day and not fresh:
        seat: int = world.turn
        step = world.step
        if step == STEP_MOVE:
            move = STAY
        elif step == STEP_LOOK:
            move = END_LOOKING
        elif step == STEP_PAY:
            move = PAY if world.money[seat] > 0 else DECLINE
        elif step == STEP_LEAVE:
            move = LEAVE + TAKSIM if world.day >= world.release[seat] else REMAIN
        elif step == STEP_JOURNEY:
            move = TRAVEL if world.money[seat] >= world.cost(seat, world.card) else DECLINE
        else:
            move = WORK
        world.play(seat, int(move))
    return world


def _load() -> list[list[float]]:
    """The weights for a win, for no winner (days left, then one per number of players), and for travelling out."""
    data = json.loads(files("grandtour.games.journey_istanbul.strategy").joinpath("outlook.json").read_text("utf-8"))
    nobody = data["nobody"]
    by_players = [float(nobody.get(f"{players} players", 0.0)) for players in range(1, MAX_SEATS + 1)]
    win = [float(weight) for weight in data["win"].values()]
    return [win, [float(nobody["days left"]), *by_players], [float(weight) for weight in data["out"].values()]]


WEIGHTS: Final[list[list[float]]] = _load()


def evaluate(state: State) -> list[float]:
    """Each seat's expected result, in a position in which everything is known."""
    world = next_morning(state)
    over = world.result()
    if over is not None:
        return over
    morning = Morning(world)
    seats: int = world.seats
    if not world.ranked:
        chances = [1.0] * seats
        for seat in range(seats):
            if world.place[seat] != OUT:
                chances[seat] = 1.0 / (1.0 + exp(-_sum(WEIGHTS[2], morning.figures(seat))))
        return chances
    shares = [0.0] * seats
    total = 0.0
    if morning.best_out < 0.0:
        total = exp(WEIGHTS[1][seats] + WEIGHTS[1][0] * (morning.end - morning.day))
    for seat in range(seats):
        if world.place[seat] != OUT or float(world.money[seat]) >= morning.best_out:
            shares[seat] = exp(_sum(WEIGHTS[0], morning.figures(seat)))
            total += shares[seat]
    return [share / total for share in shares]


def _sum(weights: list[float], figures: list[float]) -> float:
    total = 0.0
    for i in range(N_FIGURES):
        total += weights[i] * figures[i]
    return total


def rank(state: State, seat: int, moves: list[int]) -> list[float]:
    """A quick rank for each move. Talking is left to the game's own bot."""
    ranks = [NOT_TRIED] * len(moves)
    plan: Plan | None = None
    for i in range(len(moves)):
        move = moves[i]
        if move >= TALK:
            continue
        if MOVE <= move <= STAY or LEAVE <= move < REMAIN:
            if plan is None:
                plan = Plan(state, seat, RANK_HORIZON)
            if move >= LEAVE:
                free = state.day >= state.release[seat]
                ranks[i] = plan.value_of_going(move - int(LEAVE), 0 if free else CARDS[state.fine_card[seat]].amount)
            else:
                ranks[i] = plan.value_of_going(int(state.place[seat]) if move == STAY else move - int(MOVE), 0)
        else:
            ranks[i] = 0.5 if move == DECLINE else 0.6 if move == REMAIN else 1.0
    return ranks


def bot_decides(state: State, seat: int) -> bool:
    """Whether the game's own bot decides. It does so about talking, about looking, and if only one move is sensible."""
    if seat != state.turn:
        return True
    step = state.step
    weighed = step in (STEP_LEAVE, STEP_MOVE) or (step == STEP_JOURNEY and state.ranked)
    return not weighed or choose_talk(state, seat) >= 0


HOOKS: Final = SearchHooks(evaluate=evaluate, rank=rank, bot_decides=bot_decides, quick=bot.quick, horizon=12)
