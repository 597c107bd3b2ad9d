"""The rules of The Journey: Istanbul, written for speed; `referee.py` has the same rules, written for people.

The fields of the position are in `state.py`, money and talk between players in `mechanics/talk.py`, the two cards in
front of each player in `mechanics/tasks.py`. A day is a round. It has turns (move, perhaps pay for a part of a task,
look, draw) and an evening (reveal and police in one step, journeys, work).
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event, event
from grandtour.engine.options import Options, named_starter
from grandtour.engine.state import Result, write_run
from grandtour.games.journey_istanbul.mechanics.moves import (
    DECLINE,
    END_LOOKING,
    LEAVE,
    LOOK,
    MOVE,
    MOVES,
    PAY,
    REMAIN,
    STAY,
    TALK,
    TRAVEL,
    WORK,
)
from grandtour.games.journey_istanbul.mechanics.tasks import Tasks
from grandtour.games.journey_istanbul.parts import (
    BANK_MONEY,
    BILL,
    CARD_NAMES,
    CARDS,
    DAYS,
    DEALT,
    DISCOUNT,
    DRIVER,
    EXTRA_LOOKS,
    EXTRA_WAGE,
    FIRST_JOURNEY,
    FIRST_WORK,
    JAIL,
    JAIL_DAYS,
    KADIKOY,
    LAST_DAY,
    MAX_SEATS,
    N_CARDS,
    N_DAYS,
    N_PLACES,
    NEIGHBOURS,
    OBSTACLES,
    OPPORTUNITIES,
    OUT,
    PERMIT,
    PLACES,
    RAIDED_BY_MORE,
    RAIDED_BY_ONE,
    SLOTS,
    SOURCE,
    SQUARES,
    START_MONEY,
    SULTANAHMET,
    TAKSIM,
    TASK_PRICE,
    WORKSHOP,
    date,
    symbols,
)
from grandtour.games.journey_istanbul.state import (
    BIT,
    DAY_OF,
    EV_CARDS,
    EV_DAY,
    EV_FINED,
    EV_JAILED,
    EV_SPARED,
    EV_SQUARES,
    EVENING_SIZE,
    RANK,
    SQUARE_BASE,
    STATEMENT_OF,
    last_evening,
)

__all__ = ["MOVES", "State", "new"]

STEP_MOVE: Final = 0
STEP_PAY: Final = 1  # deciding whether to pay for a part of the obstacle
STEP_LOOK: Final = 2
STEP_LEAVE: Final = 3  # in jail, after looking
STEP_JOURNEY: Final = 4
STEP_WORK: Final = 5
STEP_OVER: Final = 6
STEPS: Final = ("move", "pay", "look", "leave", "journey", "work", "over")

AFTER_ALL_ARRIVALS: Final = 1_000_000  # added to the arrival of markers that are asked last

FINAL_DAY: Final[i64] = LAST_DAY

PLACE_OF: Final = vec[i64]([card.place for card in CARDS])
AMOUNT: Final = vec[i64]([card.amount for card in CARDS])
NEXT: Final = vec[i64]([sum(1 << there for there in NEIGHBOURS[here]) for here in range(len(PLACES))])
RAID_ONE: Final[i64] = sum(1 << place for place in RAIDED_BY_ONE)
RAID_MORE: Final[i64] = sum(1 << place for place in RAIDED_BY_MORE)
EYES: Final = vec[i64]([count for seats in range(MAX_SEATS + 1) for count in symbols(seats)[0]])
DRAWS: Final = vec[i64]([count for seats in range(MAX_SEATS + 1) for count in symbols(seats)[1]])


class State(Tasks):
    """A position of The Journey: Istanbul."""

    def imagine(self, seat: int, dice: Dice) -> "State":
        copy = self.copy_with(dice)
        copy._redeal(seat, dice)
        return copy

    def waiting(self) -> list[int]:
        if self.step == STEP_OVER:
            return []
        asked = self.asked_for_help()
        return [self.turn if asked < 0 else asked]

    def asked_for_help(self) -> i64:
        """The seat that the game waits for when the turn's player has asked everybody for money; -1 for none."""
        return self._next_to_help(self.turn) if self.short(self.turn) > 0 else -1

    def result(self) -> Result | None:
        if self.step != STEP_OVER:
            return None
        out = [self.place[seat] == OUT for seat in range(self.seats)]
        if not self.ranked:
            return [float(each) for each in out]
        most = max([self.money[seat] for seat in range(self.seats) if out[seat]], default=-1)
        won = [out[seat] and self.money[seat] == most for seat in range(self.seats)]
        return [1 / sum(won) if each else 0.0 for each in won]

    def cost(self, seat: i64, card: i64) -> i64:
        """What a journey costs a seat today."""
        discount: i64 = DISCOUNT if self._has_bonus(seat, DRIVER) else 0
        return max(AMOUNT[card] - discount, 0)

    def wage(self, seat: i64, card: i64) -> i64:
        """What work pays a seat today."""
        extra: i64 = EXTRA_WAGE if self._has_bonus(seat, WORKSHOP) else 0
        return AMOUNT[card] + extra

    def eyes(self, seat: i64) -> i64:
        """How many cards a seat may look at in its turn, in its current place."""
        if self.place[seat] == JAIL:
            return 1
        extra: i64 = EXTRA_LOOKS if self._has_bonus(seat, SOURCE) else 0
        return EYES[N_PLACES * self.seats + self.place[seat]] + extra

    def short(self, seat: i64) -> i64:
        """How much money a seat lacks to travel, to pay for its task or to leave jail now."""
        price: i64 = 0
        if self.place[seat] == JAIL:
            if self.day < self.release[seat]:
                price = AMOUNT[self.fine_card[seat]]
        elif seat == self.turn and self.step == STEP_JOURNEY:
            price = self.cost(seat, self.card)
        elif seat == self.turn and self.step == STEP_PAY:
            price = TASK_PRICE
        return max(price - self.money[seat], 0)

    def _has_bonus(self, seat: i64, opportunity: i64) -> bool:
        """Whether a seat has the bonus of an opportunity that starts on the day after it was completed."""
        return self.opportunity[seat] == opportunity and 0 < self.bonus[seat] < self.day

    def write_legal(self, seat: i64, moves: vec[i64]) -> i64:
        count: i64 = 0
        if seat < 0 or self.step == STEP_OVER or self.place[seat] == OUT:
            return count
        if seat == self.turn:
            step = self.step
            if step == STEP_MOVE:
                near = NEXT[self.place[seat]]
                for place in range(i64(N_PLACES)):
                    if near >> place & 1:
                        moves[count] = MOVE + place
                        count += 1
                moves[count] = STAY
                count += 1
            elif step == STEP_LOOK:
                for slot in range(i64(SLOTS)):
                    if self._may_look(seat, slot):
                        moves[count] = LOOK + slot
                        count += 1
                moves[count] = END_LOOKING
                count += 1
            elif step == STEP_PAY:
                if self.money[seat] >= TASK_PRICE:
                    moves[count] = PAY
                    count += 1
                moves[count] = DECLINE
                count += 1
            elif step == STEP_LEAVE:
                free = self.day >= self.release[seat]
                if free or self.money[seat] >= AMOUNT[self.fine_card[seat]]:
                    count = write_run(moves, count, LEAVE, LEAVE + N_PLACES)
                if not free:
                    moves[count] = REMAIN
                    count += 1
            else:
                moves[count] = DECLINE
                count += 1
                if step == STEP_WORK:
                    moves[count] = WORK
                    count += 1
                elif self.money[seat] >= self.cost(seat, self.card):
                    moves[count] = TRAVEL
                    count += 1
        return self._talk_moves(seat, moves, count)

    def play(self, seat: int, move: int) -> None:
        m: i64 = move
        me: i64 = seat
        if m >= TALK:
            self._play_talk(me, m)
        elif m <= STAY:
            self._move(self.place[me] if m == STAY else m - MOVE)
        elif LOOK <= m < END_LOOKING:
            self._look(m - LOOK)
        elif m == END_LOOKING:
            self._end_looking()
        elif m == PAY:
            self._pay_part(me)
            self._after_presence()
        elif m == DECLINE:
            self._decline()
        elif m < REMAIN:
            self._leave(m - LEAVE)
        elif m == REMAIN:
            if self.events is not None:
                self._say("remained", {"seat": int(me)})
            self._next_turn()
        elif m == TRAVEL:
            self._travel()
        else:
            self._work()

    def _begin_turn(self) -> None:
        self.freed = False
        if self.events is not None:
            jail = self.place[self.turn] == JAIL
            first = self.turn == self.starter
            day = int(self.day)
            who = int(self.turn)
            self.events.append(event("turn", seat=who, jail=jail, first=first, day=day, date=date(day)))
        if self.place[self.turn] == JAIL:
            self._begin_looking()
        else:
            self.step = STEP_MOVE

    def _move(self, to: i64) -> None:
        me = self.turn
        here = self.place[me]
        if self.events is not None:
            if to == here:
                self._say("stayed", {"seat": int(me), "place": PLACES[here]})
            else:
                self._say("moved", {"seat": int(me), "from": PLACES[here], "to": PLACES[to]})
        if to != here:
            if here == TAKSIM:
                self.left[me] = self.day - 1
            self._arrive(to)
        self._apply_presence()

    def _arrive(self, to: i64) -> None:
        self.arrivals += 1
        self.arrived[self.turn] = self.arrivals
        self.place[self.turn] = to

    def _apply_presence(self) -> None:
        """Apply where the turn's player is today to its tasks: first to the opportunity, then to the obstacle."""
        me = self.turn
        here = self.place[me]
        before = self._circles(me)
        self.visits[N_PLACES * me + here] |= i64(1) << self.day
        if self.bonus[me] == 0:
            self._check_opportunity(me, here)
        asked = False
        if not self.done >> me & 1:
            asked = self._check_obstacle(me, here)
        self._report_circles(me, before)
        if asked:
            self.step = STEP_PAY
            if self.events is not None:
                self._say("part-offered", {"seat": int(me), "price": TASK_PRICE * BILL})
        else:
            self._after_presence()

    def _after_presence(self) -> None:
        if self.freed:
            self._next_turn()
        else:
            self._begin_looking()

    def _begin_looking(self) -> None:
        self.peeked[self.turn] = 0
        self.looks = self.eyes(self.turn)
        self._continue_looking()

    def _continue_looking(self) -> None:
        """Wait for another look if the seat has one left and there is a card to look at."""
        if self.looks:
            for slot in range(i64(SLOTS)):
                if self._may_look(self.turn, slot):
                    self.step = STEP_LOOK
                    return
        self._end_looking()

    def _look(self, slot: i64) -> None:
        me = self.turn
        if self.version > 1 and not self.looked[slot] >> me & 1:
            self._write(me, slot, STATEMENT_OF[self.sheet[slot]])
        self.looked[slot] |= i64(1) << me
        self.knows[slot] |= i64(1) << me
        self.peeked[me] = SQUARE_BASE * self.peeked[me] + slot + 1
        self.looks -= 1
        self.reveals += 1
        if self.events is not None:
            private = {int(me): {"card": CARD_NAMES.name(self.sheet[slot])}}
            square = int(slot % SQUARES) + 1
            self.events.append(event("looked", private, seat=int(me), day=DAYS[slot // SQUARES], square=square))
        self._continue_looking()

    def _end_looking(self) -> None:
        self.looks = 0
        if self.place[self.turn] == JAIL:
            self.step = STEP_LEAVE
            return
        for _ in range(DRAWS[N_PLACES * self.seats + self.place[self.turn]]):
            if self.drawn < N_CARDS:
                self.reveals += 1
                self._add(self.turn)
        self._next_turn()

    def _add(self, drawer: i64) -> None:
        """Add the top card of the deck to the sheet. During the set-up, `drawer` is -1."""
        card = self.deck[self.drawn]
        self.deck[self.drawn] = -1
        self.drawn += 1
        row = DAY_OF[card]
        place = SQUARES * row
        while place < SQUARES * row + SQUARES and self.sheet[place] >= 0:
            place += 1
        square: int | None = None
        sideways = False
        if place == SQUARES * row + SQUARES:
            self.buried = self.buried[:]
            self.buried[row] = card
            self.buried[N_DAYS + row] = drawer
        else:
            who = i64(1) << drawer if drawer >= 0 else 0
            self.sheet[place] = card
            self.looked[place] = who
            self.knows[place] = who
            if drawer >= 0 and self.version > 1:
                self._write(drawer, place, STATEMENT_OF[card])
            sideways = drawer >= 0 and row == self.row()
            if sideways:
                self.sideways |= i64(1) << place
            square = int(place % SQUARES) + 1
        if self.events is not None and drawer >= 0:
            private = {int(drawer): {"card": CARD_NAMES.name(card)}}
            what = {"seat": int(drawer), "day": DAYS[row], "square": square, "sideways": sideways}
            self.events.append(event("drew", private, **what))

    def _leave(self, to: i64) -> None:
        """Leave jail: free on the release day, for the fine before it."""
        me = self.turn
        fine: i64 = 0
        if self.day < self.release[me]:
            fine = AMOUNT[self.fine_card[me]]
            self.money[me] -= fine
            self.bank += fine
            self.fined |= i64(1) << me
        self.fine_card[me] = -1
        self.release[me] = 0
        self.freed = True
        self._say("released", {"seat": int(me), "to": PLACES[to], "fine": int(fine) * BILL})
        self._arrive(to)
        self._apply_presence()

    def _next_turn(self) -> None:
        seat = (self.turn + 1) % self.seats
        while seat != self.starter and self.place[seat] == OUT:
            seat = (seat + 1) % self.seats
        if seat == self.starter:
            self._evening()
        else:
            self.turn = seat
            self._begin_turn()

    def _evening(self) -> None:
        """Turn up the cards of the day and apply the police raids."""
        first = SQUARES * self.row()
        raids: i64 = 0
        smallest: i64 = -1
        journeys: i64 = 0  # places
        works: i64 = 0
        squares: i64 = 0
        for slot in range(first, first + SQUARES):
            card = self.sheet[slot]
            if card >= 0 and not self.sideways >> slot & 1:
                self._judge(slot)
                self.revealed |= BIT[card]
                squares |= (RANK[card] + 1) << 3 * (slot - first)
                if card >= FIRST_WORK:
                    works |= i64(1) << PLACE_OF[card]
                elif card >= FIRST_JOURNEY:
                    journeys |= i64(1) << PLACE_OF[card]
                else:
                    raids += 1
                    if smallest < 0 or AMOUNT[card] < AMOUNT[smallest]:
                        smallest = card
        self.reveals += 1
        for field in range(i64(EVENING_SIZE)):
            self.evening[field] = 0
        self.evening[EV_DAY] = self.day
        self.evening[EV_CARDS] = self.revealed
        self.evening[EV_SQUARES] = squares
        self._end_talk_of_revealed_cards()
        self._complete_by_offer(DRIVER, TAKSIM, journeys)
        self._complete_by_offer(WORKSHOP, SULTANAHMET, works)
        if raids:
            self._raid(RAID_ONE if raids == 1 else RAID_MORE, smallest, works)
        if self.events is not None:
            self.events.append(event("evening", **last_evening(self)))
        self.card = FIRST_JOURNEY - 1
        self._next_card()

    def _raid(self, where: i64, card: i64, works: i64) -> None:
        fine = AMOUNT[card]
        for seat in range(self.seats):
            here = self.place[seat]
            if here >= JAIL or not where >> here & 1:
                continue
            if self.opportunity[seat] == PERMIT and self.bonus[seat] and works >> here & 1:
                self.evening[EV_SPARED] |= i64(1) << seat
            elif self.money[seat] >= fine:
                self.money[seat] -= fine
                self.bank += fine
                self.fined |= i64(1) << seat
                self.evening[EV_FINED] |= i64(1) << seat
            else:
                if here == TAKSIM:
                    self.left[seat] = self.day
                self.place[seat] = JAIL
                self.release[seat] = self.day + JAIL_DAYS
                self.fine_card[seat] = card
                self.evening[EV_JAILED] |= i64(1) << seat

    def _next_card(self) -> None:
        """Offer the next journey or work that a player may want. After the last one, the day is over."""
        self.asked = 0
        while self.card < N_CARDS - 1:
            self.card += 1
            if self.revealed >> self.card & 1 and self._next_asked():
                return
        self._next_day()

    def _next_asked(self) -> bool:
        """Offer the card to the next player in the pile, players with priority first. Returns False if nobody is
        left."""
        journey = self.card < FIRST_WORK
        place = PLACE_OF[self.card]
        best: i64 = -1
        lowest: i64 = 2 * AFTER_ALL_ARRIVALS
        for seat in range(self.seats):
            if self.place[seat] != place or (self.asked | self.fined) >> seat & 1:
                continue
            if journey and not self.done >> seat & 1:
                continue
            order = self.arrived[seat]
            if not self._has_bonus(seat, DRIVER if journey else WORKSHOP):
                order += AFTER_ALL_ARRIVALS
            if order < lowest:
                lowest = order
                best = seat
        if best < 0:
            return False
        self.turn = best
        self.step = STEP_JOURNEY if journey else STEP_WORK
        if self.events is not None:
            amount = self.cost(best, self.card) if journey else self.wage(best, self.card)
            what = {"seat": int(best), "card": CARD_NAMES.name(self.card), "amount": int(amount) * BILL}
            self.events.append(event("journey" if journey else "work", **what, place=PLACES[place]))
        return True

    def _decline(self) -> None:
        if self.events is not None:
            kind = "part" if self.step == STEP_PAY else "journey" if self.step == STEP_JOURNEY else "work"
            self._say("declined", {"seat": int(self.turn), "kind": kind})
        if self.step == STEP_PAY:
            self._after_presence()
            return
        self.asked |= i64(1) << self.turn
        if not self._next_asked():
            self._next_card()

    def _travel(self) -> None:
        me = self.turn
        cost = self.cost(me, self.card)
        self.money[me] -= cost
        self.bank += cost
        self.out_day = self.out_day[:]
        self.out_cost = self.out_cost[:]
        self.out_day[me] = self.day
        self.out_cost[me] = cost
        where = PLACES[self.place[me]]
        self.place[me] = OUT
        self._end_talk_with(me)
        if self.events is not None:
            what = {"seat": int(me), "place": where, "cost": int(cost) * BILL, "money": int(self.money[me]) * BILL}
            self.events.append(event("travelled", **what))
        for seat in range(self.seats):
            if self.place[seat] != OUT:
                self._next_card()
                return
        self._discard()
        self._end("all")

    def _work(self) -> None:
        me = self.turn
        wage = self.wage(me, self.card)
        self.money[me] += wage
        self.bank -= wage
        if self.events is not None:
            self._say("worked", {"seat": int(me), "place": PLACES[self.place[me]], "wage": int(wage) * BILL})
        self._next_card()

    def _next_day(self) -> None:
        self._discard()
        self.fined = 0
        self._end_talk_of_the_day()
        if self.day == FINAL_DAY:
            self._end("days")
            return
        if self.drawn == N_CARDS and max(self.sheet) < 0:
            self._end("cards")
            return
        self.day += 1
        self.starter = (self.starter + 1) % self.seats
        while self.place[self.starter] == OUT:
            self.starter = (self.starter + 1) % self.seats
        self.turn = self.starter
        self._begin_turn()

    def _end(self, how: str) -> None:
        self.step = STEP_OVER
        if self.events is not None:
            out = [int(seat) for seat in range(self.seats) if self.place[seat] == OUT]
            won = [seat for seat, share in enumerate(self.result() or []) if share > 0 and self.ranked]
            self.events.append(event("over", how=how, out=out, winners=won, ranked=self.ranked))


def new(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> State:
    """Set up a match."""
    named = named_starter(options, seats)
    state = State()
    state.seats = seats
    state.dice = dice
    state.events = events
    state.ranked = options["winner"] == "richest"
    state.bank = BANK_MONEY - START_MONEY * seats
    state._lay_out()
    state.place = vec[i64]([KADIKOY] * seats)
    state.money = vec[i64]([START_MONEY] * seats)
    obstacles = vec[i64](list(range(len(OBSTACLES))))
    dice.shuffle(obstacles, 0, len(obstacles))
    state.obstacle = obstacles[:seats]
    opportunities = vec[i64](list(range(len(OPPORTUNITIES))))
    dice.shuffle(opportunities, 0, len(opportunities))
    state.opportunity = opportunities[:seats]
    dice.shuffle(state.deck, 0, N_CARDS)
    state.starter = dice.below(seats) if named < 0 else named
    for seat in range(seats):
        state.arrived[(state.starter + seat) % seats] = seat + 1
    state.arrivals = seats
    for _ in range(DEALT):
        state._add(-1)
    state.turn = state.starter
    if events is not None:
        cards = [OBSTACLES[state.obstacle[seat]] for seat in range(seats)]
        chances = [OPPORTUNITIES[state.opportunity[seat]] for seat in range(seats)]
        events.append(event("dealt", obstacles=cards, opportunities=chances))
    state._begin_turn()
    return state
