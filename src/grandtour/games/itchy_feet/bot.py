# compiled
"""The bot of Itchy Feet.

It estimates the value of its hand (`strategy/evaluation.py`) and takes the action that raises it most. It also
considers its rivals: the closer a rival is to winning, the more that rival's gain counts as a loss. It uses only what
its seat knows, never what is only imagined.
"""

from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.itchy_feet.mechanics.actions import FOR_POST, FOR_RECYCLE, FOR_RIDDANCE, FOR_TRAVEL
from grandtour.games.itchy_feet.mechanics.packs import (
    BRIBE,
    CONTROL,
    CREDIT_CARD,
    FIRST_SPECIAL,
    FORBIDDEN,
    GUIDE,
    MAP,
    MOUSETRAP,
    NEEDS,
    ONE,
    PASSPORT,
    POST,
    RED_EYE,
    count,
    present,
)
from grandtour.games.itchy_feet.parts import IN_HAND, ITEMS_PER_COUNTRY, N_COUNTRIES, N_ITEMS
from grandtour.games.itchy_feet.rules import (
    M_ALLOW,
    M_DISCARD,
    M_DRAW,
    M_GET_RID,
    M_HAND_ON,
    M_PASS,
    M_PLAY,
    M_QUIET,
    M_RECYCLE,
    M_REDRAW,
    M_RETURN,
    M_SMUGGLE,
    M_STEAL,
    M_STEAL_COUNTRY,
    M_STOP,
    M_TAKE,
    M_TRADE,
    M_TRAVEL,
    M_TRAVEL_WITH,
    State,
)
from grandtour.games.itchy_feet.state import (
    ACT,
    ANSWER,
    EARLY_BIRD,
    LIMIT,
    LOOK,
    PAY,
    PICK,
    PICKPOCKET,
    REACT,
    REDRAW,
    RETURN,
    TAKE,
    TRAY,
    VIEWER_BITS,
)
from grandtour.games.itchy_feet.strategy.bargain import EVENT_VALUE, NEVER, URGENT, TradeEvaluation
from grandtour.games.itchy_feet.strategy.evaluation import DATA, JUDGED, hand_value, missing_for

WIN_VALUE: Final = 1000.0
RIVAL_LOSS_WEIGHT: Final[float] = DATA["behaviour"]["weight of a rival's loss by theft"]
ROUNDS_OF_FREE_THEFT: Final[float] = DATA["behaviour"]["rounds until thefts lose value"]
THEFT_COST_PER_ROUND: Final[float] = DATA["behaviour"]["value that a theft loses in each round after that"]
PICKPOCKET_BONUS: Final = 0.3


def choose(state: State, seat: int, dice: Dice) -> int:
    """The bot's move."""
    moves = state.legal(seat)
    return _best(moves, rank(state, seat, moves))


def quick(state: State, seat: int, dice: Dice) -> int:
    """A fast version of `choose` that offers no trades, because they take long and change little."""
    moves = state.legal(seat)
    evaluation = Evaluation(state, seat)
    evaluation.offers_disabled = True
    return _best(moves, evaluation.rank(moves))


def _best(moves: list[int], values: list[float]) -> int:
    best = 0
    for i in range(1, len(moves)):
        if values[i] > values[best]:
            best = i
    return moves[best]


def rank(state: State, seat: int, moves: list[int]) -> list[float]:
    """The bot's value of each legal move; its own choice has the highest."""
    if len(moves) == 1:
        return [0.0]
    return Evaluation(state, seat).rank(moves)


class Evaluation(TradeEvaluation):
    """Evaluates all moves of one seat in one position."""

    def rank(self, moves: list[int]) -> list[float]:
        step = self.state.step
        if step == ACT:
            return self._action_values(moves)
        if step == TRAY:
            return self.tray_values(moves)
        if step == ANSWER:
            return self.answer_values(moves)
        values: list[float] = []
        for move in moves:
            m: i64 = move
            if m >= M_QUIET:
                values.append(NEVER)
            elif step in (PAY, LIMIT):
                values.append(self._discard_value(m))
            elif step in (TAKE, LOOK, PICK):
                values.append(self._take_value(m))
            elif step == REACT:
                values.append(0.0 if m == M_ALLOW else self._reaction_value())
            elif step == REDRAW:
                values.append(self._redraw_value(m - M_REDRAW))
            elif step == RETURN:
                values.append(self._card_gain(m - M_RETURN))
            else:
                values.append(self._pass_on_value(m - M_HAND_ON))
        return values

    def _card_gain(self, kind: i64) -> float:
        return self.gain[kind] if kind < IN_HAND else EVENT_VALUE

    def _pass_on_value(self, kind: i64) -> float:
        left = (self.me + 1) % self.state.seats
        return self.loss(kind) - self.share[left] * self.rival_gain(left, kind)

    def _take_value(self, m: i64) -> float:
        if m == M_STOP:
            return 0.0
        kind = m - M_TAKE
        value = self.gain[kind]
        if self.state.step == PICK:
            value -= self.share[self.state.target] * self.rival_loss(self.state.target, kind)
        return value

    def _discard_value(self, m: i64) -> float:
        state = self.state
        if m == M_STOP:
            return 0.0
        kind = m - M_DISCARD
        if state.step == LIMIT:
            return self.loss(kind)
        if state.purpose == FOR_POST:
            return self.loss(kind) + 0.8 * self.draw_value(1)
        if state.purpose == FOR_RECYCLE:
            return self._best_discard(ONE[kind], 1)
        if state.purpose == FOR_RIDDANCE:
            return self.worth(self.hand - ONE[FORBIDDEN] - ONE[kind], -2) - self.now
        return self.loss(kind)

    def _action_values(self, moves: list[int]) -> list[float]:
        """The values of the actions. Offering a trade is evaluated last, compared with the best other action."""
        values: list[float] = []
        best = NEVER
        for move in moves:
            m: i64 = move
            value = NEVER if m >= M_QUIET or M_TRADE <= m < M_GET_RID else self._action_value(m)
            values.append(value)
            if value > best:
                best = value
        self.trade_values(moves, values, best)
        return values

    def _action_value(self, m: i64) -> float:
        """The expected gain by an action."""
        if m == M_DRAW:
            return self._draw_value()
        if m == M_RECYCLE:
            return self._recycle_value()
        if m < M_TRADE:
            return self._steal_value(m - M_STEAL)
        if m == M_GET_RID:
            return self._payment_value(1, 0, ONE[FORBIDDEN], -1)
        if m < M_TRAVEL_WITH:
            return self._travel_value(0.0 if m == M_TRAVEL else -0.5)
        if m < M_STEAL_COUNTRY:
            paid = m - M_TRAVEL_WITH
            return self._bucket_travel_value(paid if paid < N_ITEMS else CREDIT_CARD)
        if m < M_PLAY:
            return self._steal_country_value(m - M_STEAL_COUNTRY)
        if m < M_SMUGGLE:
            return self._special_value(m - M_PLAY + FIRST_SPECIAL)
        if m < M_PASS:
            return URGENT + 2.0 + self.share[m - M_SMUGGLE]
        return NEVER

    def _draw_value(self) -> float:
        """The value of drawing: that of the top card if the seat knows it, otherwise the average."""
        state = self.state
        if state.left:
            top = state.deck[state.left - 1]
            if top // VIEWER_BITS >> self.me & 1:
                return self._card_gain(top % VIEWER_BITS)
        return self.draw_value(2 if state.character[self.me] == EARLY_BIRD else 1)

    def _payment_value(self, cards: i64, gets: i64, loses: i64, more: i64) -> float:
        """The change in value when this many of the least useful cards are given up, in addition to the cards gained
        and lost anyway."""
        hand = self.hand + gets - loses
        value = self.worth(hand, more)
        for _ in range(cards):
            best = NEVER
            given: i64 = -1
            for kind in range(i64(IN_HAND)):
                # Cards gained later cannot be used to pay.
                if kind != FORBIDDEN and count(hand - gets, kind):
                    value = self.worth(hand - ONE[kind], more - 1)
                    if value > best:
                        best = value
                        given = kind
            if given < 0:
                return NEVER
            hand -= ONE[given]
            more -= 1
            value = best
        return value - self.now

    def _best_discard(self, loses: i64, cards: i64) -> float:
        """The gain by taking the best card of the discard pile after giving up these cards."""
        best = NEVER
        for kind in range(i64(IN_HAND)):
            if count(self.state.discards - self.state.paid, kind):
                value = self.worth(self.hand + ONE[kind] - loses, 1 - cards) - self.now
                if value > best:
                    best = value
        return best

    def _recycle_value(self) -> float:
        best = NEVER
        for kind in range(i64(IN_HAND)):
            if count(self.state.discards, kind):
                value = self._payment_value(self.state.recycle_cost(self.me), ONE[kind], 0, 1)
                if value > best:
                    best = value
        return best

    def _steal_value(self, victim: i64) -> float:
        """The value of paying a card and taking a random one, averaged over known and unseen cards."""
        state = self.state
        paid = self._least_useful_card()
        size = state.size[victim]
        if paid < 0 or not size:
            return NEVER
        known = self.known(victim)
        rival_weight = RIVAL_LOSS_WEIGHT * self.share[victim]
        value = 0.0
        certain: i64 = 0
        for kind in range(i64(IN_HAND)):
            copies = count(known, kind)
            if copies:
                certain += copies
                value += float(copies) * (self.swap_gain(kind, paid) - rival_weight * self.rival_loss(victim, kind))
        if certain < size and self.unseen_in_hands:
            chance = float(size - certain) / float(self.unseen_in_hands)
            for kind in range(i64(IN_HAND)):
                if self.unseen[kind] > 0:
                    gain = self.swap_gain(kind, paid) - rival_weight * self.rival_loss(victim, kind)
                    value += chance * float(self.unseen[kind]) * gain
        value /= float(size)
        if state.character[self.me] == PICKPOCKET and size > 1:
            value += PICKPOCKET_BONUS
        # A player without a passport has few alternatives, so thefts lose value later.
        free_rounds = ROUNDS_OF_FREE_THEFT if count(self.hand, PASSPORT) else 2.0 * ROUNDS_OF_FREE_THEFT
        return value - self._theft_cost(free_rounds)

    def _theft_cost(self, free_rounds: float) -> float:
        """How much value a theft has lost by now. Otherwise players might steal back and forth without end."""
        rounds = float(self.state.round) - free_rounds
        return THEFT_COST_PER_ROUND * rounds if rounds > 0.0 else 0.0

    def _least_useful_card(self) -> i64:
        """The least useful card that can be discarded, or -1."""
        best = NEVER
        least: i64 = -1
        for kind in self.held:
            if kind != FORBIDDEN and self.loss(kind) > best:
                best = self.loss(kind)
                least = kind
        return least

    def _travel_value(self, cost: float) -> float:
        if self.state.visited >> self.me & 1:
            return WIN_VALUE
        return URGENT + cost

    def _bucket_travel_value(self, paid: i64) -> float:
        state = self.state
        mine = state.countries(self.me) + 1
        if state.spare:
            return self._country_value(-1) + self.loss(paid) + self.draw_value(1)
        level = 1.0
        for other in range(state.seats):
            if other != self.me:
                theirs = state.countries(other)
                # Ending a lost game is better than drawing cards forever.
                if theirs > mine and float(state.round) < 2.0 * ROUNDS_OF_FREE_THEFT:
                    return NEVER
                if theirs == mine:
                    level += 1.0
        return WIN_VALUE / level

    def _country_value(self, owner: i64) -> float:
        """The value of one more country in Bucket List, which is higher if a rival loses it."""
        state = self.state
        mine = state.countries(self.me)
        value = hand_value(state, self.me, self.hand, self.cards, mine + 1, JUDGED) - self.now
        return value * (1.0 + self.share[owner]) if owner >= 0 else value

    def _steal_country_value(self, country: i64) -> float:
        owner = self.state.owner[country]
        paid: i64 = 0
        for _ in range(2):
            best = NEVER
            given: i64 = -1
            for kind in range(i64(N_ITEMS)):
                if NEEDS[country] & ~paid & ONE[kind] and count(self.hand, kind) and self.loss(kind) > best:
                    best = self.loss(kind)
                    given = kind
            if given < 0:
                return NEVER
            paid += ONE[given]
        return (
            self._country_value(owner)
            + self.worth(self.hand - paid, -2)
            - self.now
            - self._theft_cost(ROUNDS_OF_FREE_THEFT)
        )

    def _special_value(self, kind: i64) -> float:
        state = self.state
        if kind == RED_EYE:
            return URGENT + 1.0 if self._two_actions_help() else NEVER
        if kind == BRIBE:
            return URGENT + 2.0
        own = self.loss(kind)
        if kind == GUIDE:
            return self.draw_value(4) + own
        if kind == POST:
            return self._payment_value(2, 0, ONE[kind], -1) + 3.0 * 0.8 * self.draw_value(1)
        if kind == MAP:
            best = NEVER
            for seat in range(state.seats):
                if not state.visited >> seat & 1 and self._redraw_value(seat) > best:
                    best = self._redraw_value(seat)
            return best + own
        return self._best_discard(ONE[kind], 1)

    def _two_actions_help(self) -> bool:
        """A second action is best when the first brings the last thing needed, or the hand is getting full."""
        state = self.state
        if state.bucket:
            return True
        return missing_for(self.hand, state.destination(self.me)) < 2 or self.cards >= state.limit(self.me) - 1

    def _redraw_value(self, seat: i64) -> float:
        """The average value to this seat of replacing a player's country."""
        state = self.state
        out: i64 = 0
        for other in range(state.seats):
            out |= i64(1) << state.country[other]
        out |= i64(1) << state.centre
        mine = seat == self.me
        hand = self.hand if mine else self.known(seat)
        cards = self.cards if mine else state.size[seat]
        old = state.country[seat]
        before = hand_value(state, seat, hand, cards, 0, JUDGED)
        value = 0.0
        fresh: i64 = 0
        for country in range(i64(N_COUNTRIES)):
            if not out >> country & 1:
                state.country[seat] = country
                value += hand_value(state, seat, hand, cards, 0, JUDGED) - before
                fresh += 1
        state.country[seat] = old
        value /= float(fresh)
        return value if mine else -self.share[seat] * value

    def _reaction_value(self) -> float:
        """The value of playing a special item now instead of keeping it."""
        state = self.state
        if state.purpose != FOR_TRAVEL:
            lost = 0.0
            for kind in range(i64(IN_HAND)):
                copies = count(self.hand, kind)
                if copies:
                    gained = self.share[state.turn] * self.rival_gain(state.turn, kind)
                    lost += float(copies) * (self.loss(kind) - gained)
            return -lost / float(self.cards) + self.loss(MOUSETRAP)
        traveller = state.turn
        if state.bucket:
            gain = self._country_value(-1)
        elif state.visited >> traveller & 1:
            return WIN_VALUE
        else:
            hand = self.known(traveller)
            used = present(hand) & NEEDS[state.country[traveller]]
            before = hand_value(state, traveller, hand, state.size[traveller], 0, JUDGED)
            gain = (
                hand_value(state, traveller, hand - used, state.size[traveller] - ITEMS_PER_COUNTRY, 1, JUDGED) - before
            )
        return self.share[traveller] * gain + self.loss(CONTROL)
