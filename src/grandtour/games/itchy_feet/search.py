# compiled
"""The hard player's search with three or more players and without extensions: what to offer to whom.

It plays the moves of the normal bot, but makes other offers. An offer costs nothing if it is declined, so each is
compared with the best other move only in the imagined worlds in which the partner, who is expected to answer like the
normal bot, would accept. There the quick player plays on until the seat's next turn begins, and the position is
evaluated (`strategy/outlook.py`). With two players, with extensions and in Bucket List, a tree search is used
(`players/search.py`).
"""

from math import sqrt
from time import perf_counter
from typing import Final

from mypy_extensions import i64

from grandtour.engine.dice import SEEDS, Dice, QuickDice
from grandtour.engine.game import SearchHooks
from grandtour.games.itchy_feet import bot
from grandtour.games.itchy_feet.mechanics.packs import ONE, PASSPORT, count, within
from grandtour.games.itchy_feet.parts import IN_HAND, N_ITEMS
from grandtour.games.itchy_feet.rules import (
    M_ACCEPT,
    M_GET_RID,
    M_GIVE,
    M_PROPOSE,
    M_TRADE,
    M_WANT,
    M_WITHDRAW,
    State,
)
from grandtour.games.itchy_feet.state import ACT, ANSWER, OVER, TRAY
from grandtour.games.itchy_feet.strategy.bargain import NEVER, URGENT
from grandtour.games.itchy_feet.strategy.evaluation import CARD, JUDGED, WEIGHT, evaluate
from grandtour.games.itchy_feet.strategy.outlook import CLASSIC, outlook

MAX_OFFERS: Final = 6
MAX_DECISIONS: Final = 400
MIN_WORLDS: Final = 4
"""The minimum number of worlds needed to judge an offer."""
MIN_STANDARD_ERRORS: Final = 0.7
"""The number of standard errors by which an offer must beat the bot's move."""
OFFER_WORLDS: Final = 10
"""The number of worlds in which partners are asked whether they would accept."""
USEFUL: Final = 0.05
"""A card is useful if it is worth more than any card by this much."""
REPEATED_IMAGINING: Final = 3
"""How often a world is imagined again if a player holds a card there that it would not give."""


class Option:
    """A move or an offer, and its results so far compared with the move to beat."""

    def __init__(self, move: i64, partner: i64, want: i64, gives: i64, prior: float) -> None:
        self.move: Final = move
        self.partner: Final = partner
        self.want: Final = want
        self.gives: Final = gives
        self.prior: Final = prior
        self.worlds: i64 = 0
        self.accepted: i64 = 0
        self.total: float = 0.0
        self.ahead: float = 0.0
        self.squares: float = 0.0

    def add(self, value: float, baseline: float) -> None:
        """Add the result in one more world, and that of the move to beat in the same world."""
        self.worlds += 1
        self.total += value
        self.ahead += value - baseline
        self.squares += (value - baseline) * (value - baseline)

    def average(self) -> float:
        return self.total / float(self.worlds) if self.worlds else 0.5

    def lead(self, errors: float) -> float:
        """The mean lead over the move to beat, or 0 if it is less than this many standard errors."""
        if self.worlds < MIN_WORLDS:
            return 0.0
        worlds = float(self.worlds)
        mean = self.ahead / worlds
        variance = self.squares / worlds - mean * mean
        return mean if mean > errors * sqrt((variance if variance > 0.0 else 0.0) / (worlds - 1.0)) else 0.0


def bot_decides(state: State, seat: int) -> bool:
    """Whether the bot decides without a search: about answers, and about all but offers where offers are searched."""
    if searches_offers(state):
        return state.turn != seat or (state.step != ACT and state.step != TRAY)
    return state.step == TRAY or state.step == ANSWER


def searches_offers(state: State) -> bool:
    """Whether offers are searched instead of moves."""
    return state.seats > 2 and not state.bucket and not state.in_play & ~CLASSIC


def own_search(
    state: State, seat: int, dice: Dice, trials: int, seconds: float, sees_all: bool = False
) -> list[tuple[int, int, float]]:
    """The moves worth considering, best first, each with the number of worlds in which it was tried and its expected
    result. Empty where the tree search plays, which is also stronger if all cards are seen."""
    if sees_all or not searches_offers(state):
        return []
    search = OwnSearch(state, seat, dice)
    return search.tray(trials, seconds) if state.step == TRAY else search.act(trials, seconds)


class OwnSearch:
    """The search of one seat in one position."""

    def __init__(self, state: State, me: i64, dice: Dice) -> None:
        self.state: Final = state
        self.me: Final = me
        self.dice: Final = dice
        self.made: i64 = 0

    def act(self, trials: i64, seconds: float) -> list[tuple[int, int, float]]:
        """The best offer, if one is better than no offer, then the bot's move without an offer."""
        started = perf_counter() if seconds > 0.0 else 0.0
        best = self._best_move()
        offers = self._offers(-1, 0) if best.prior < URGENT else []
        chosen = self._compare_offers(offers, best, trials, started, seconds) if offers else None
        if not best.worlds:
            for _ in range(MIN_WORLDS):
                number = int(self.dice.below(SEEDS))
                value = self._outcome(self._world(QuickDice(number)), best, number)
                best.add(value, value)
        found = [best] if chosen is None else [chosen, best]
        return [(int(one.move), int(one.worlds), one.average()) for one in found]

    def tray(self, trials: i64, seconds: float) -> list[tuple[int, int, float]]:
        """The next card to put on the tray. The cards to give come first, then the card wanted, which completes the
        offer."""
        state = self.state
        bots = [(bot.choose(state, int(self.me), self.dice), 1, 0.5)]
        if state.turn != self.me or state.counters:
            return bots
        if state.wants:
            return [(int(M_PROPOSE), 1, 0.5)] if state.gives else bots
        if state.gives and not within(state.gives, state.hand[self.me]):
            return bots
        offers = self._offers(state.partner, state.gives)
        if not offers:
            return [(int(M_WITHDRAW), 1, 0.5)]
        chosen = offers[0]
        if len(offers) > 1:
            started = perf_counter() if seconds > 0.0 else 0.0
            best = self._best_move_after_withdrawing()
            found = self._compare_offers(offers, best, trials // 4, started, seconds / 4.0)
            if found is not None:
                chosen = found
        rest = chosen.gives - state.gives
        if not rest:
            return [(int(M_WANT + chosen.want), 1, 0.5)]
        for kind in range(i64(IN_HAND)):
            if count(rest, kind):
                return [(int(M_GIVE + kind), 1, 0.5)]
        return bots

    def _best_move(self) -> Option:
        """The bot's move on the seat's turn, offers aside."""
        state = self.state
        legal = [move for move in state.legal(int(self.me)) if not M_TRADE <= move < M_GET_RID]
        evaluation = bot.Evaluation(state, self.me)
        evaluation.offers_disabled = True
        ranks = evaluation.rank(legal)
        best = 0
        for i in range(1, len(legal)):
            if ranks[i] > ranks[best]:
                best = i
        return Option(legal[best], -1, -1, 0, ranks[best])

    def _best_move_after_withdrawing(self) -> Option:
        position = self.state.clone()
        position.play(int(self.me), int(M_WITHDRAW))
        return OwnSearch(position, self.me, self.dice)._best_move()

    def _world(self, dice: Dice) -> State:
        """An imagined world. Players who have just declined to give a card are expected not to hold it."""
        state = self.state
        world = state.imagine(int(self.me), dice)
        if state.refused:
            for _ in range(REPEATED_IMAGINING):
                if not self._holds_refused(world):
                    break
                world = state.imagine(int(self.me), dice)
        return world

    def _holds_refused(self, world: State) -> bool:
        for seat in range(world.seats):
            if seat != self.me:
                bits = self.state.refused >> N_ITEMS * seat & (1 << N_ITEMS) - 1
                for kind in range(i64(N_ITEMS)):
                    if bits >> kind & 1 and count(world.hand[seat], kind):
                        return True
        return False

    def _compare_offers(
        self, offers: list[Option], best: Option, trials: i64, started: float, seconds: float
    ) -> Option | None:
        """The offer that gains most over the best move, weighted by how often it is accepted; None if none gains."""
        tested: i64 = 0
        alive = offers[:]
        halved = False
        while self.made < trials or not tested:
            if seconds > 0.0 and tested and perf_counter() >= started + seconds:
                break
            number = int(self.dice.below(SEEDS))
            world = self._world(QuickDice(number))
            tested += 1
            baseline = NEVER
            for offer in alive:
                offered = self._accepted(world, offer)
                if offered is not None:
                    if baseline == NEVER:
                        baseline = self._outcome(world, best, number)
                        best.add(baseline, baseline)
                        self.made += 1
                    offer.add(self._play_on(offered, number), baseline)
                    self.made += 1
            if baseline == NEVER:
                self.made += 1
            for offer in alive:
                offer.accepted += 1
            if not halved and 2 * self.made > trials and len(alive) > 3:
                alive = sorted(alive, key=_most_gained)[: len(alive) // 2]
                halved = True
        chosen: Option | None = None
        highest = 0.0
        for offer in alive:
            gained = offer.lead(MIN_STANDARD_ERRORS) * float(offer.worlds) / float(offer.accepted)
            if gained > highest:
                highest = gained
                chosen = offer
        return chosen

    def _outcome(self, world: State, option: Option, number: int) -> float:
        copy = world.clone()
        copy.play(int(self.me), int(option.move))
        return self._play_on(copy, number)

    def _play_on(self, world: State, number: int) -> float:
        """The seat's chance to win when its next turn begins. The quick player moves for all seats until then."""
        me = self.me
        dice = QuickDice(number + 1)
        away = world.turn != me
        for _ in range(MAX_DECISIONS):
            if world.step == OVER:
                break
            if world.turn != me:
                away = True
            elif away and world.step == ACT:
                break
            mover = world.waiting()[0]
            legal = world.legal(mover)
            world.play(mover, legal[0] if len(legal) == 1 else bot.quick(world, mover, dice))
        return outlook(world)[me]

    def _accepted(self, world: State, offer: Option) -> State | None:
        """The world after an offer was accepted, or None if the partner would decline."""
        if not count(world.hand[offer.partner], offer.want):
            return None
        copy = world.clone()
        if copy.step == ACT:
            copy.play(int(self.me), int(M_TRADE + offer.partner))
        for kind in range(i64(IN_HAND)):
            for _ in range(count(offer.gives, kind) - count(copy.gives, kind)):
                copy.play(int(self.me), int(M_GIVE + kind))
        copy.play(int(self.me), int(M_WANT + offer.want))
        copy.play(int(self.me), int(M_PROPOSE))
        if bot.choose(copy, int(offer.partner), self.dice) != M_ACCEPT:
            return None
        copy.play(int(offer.partner), int(M_ACCEPT))
        return copy

    def _offers(self, partner: i64, given: i64) -> list[Option]:
        """The most promising offers, to one partner or (-1) to anyone, that give at least these cards: the best price
        for each card wanted, and the most promising of these."""
        state = self.state
        me = self.me
        found: list[Option] = []
        if partner < 0 and state.offers >= state.offer_limit:
            return found
        evaluation = bot.Evaluation(state, me)
        prices = self._prices(evaluation, given)
        if not prices:
            return found
        worlds = [self._world(QuickDice(int(self.dice.below(SEEDS)))) for _ in range(OFFER_WORLDS)]
        card = WEIGHT[JUDGED + CARD]
        for want in range(i64(PASSPORT) + 1):
            if evaluation.worth(evaluation.hand + ONE[want], 1) - evaluation.now - card < USEFUL:
                continue
            for other in range(state.seats):
                if other == me or (partner >= 0 and other != partner) or self._refused(other, want):
                    continue
                holders = [world for world in worlds if count(world.hand[other], want)]
                if not holders:
                    continue
                best: Option | None = None
                for price in prices:
                    if count(price, want):
                        continue
                    cards = _cards(price)
                    net = evaluation.worth(evaluation.hand + ONE[want] - price, 1 - cards) - evaluation.now
                    if net <= 0.0:
                        continue
                    offer = Option(M_TRADE + other, other, want, price, 0.0)
                    accepted = 0.0
                    for world in holders:
                        if self._accepted(world, offer) is not None:
                            accepted += 1.0
                    prior = accepted / float(OFFER_WORLDS) * net
                    if prior > 0.0 and (best is None or prior > best.prior):
                        best = Option(M_TRADE + other, other, want, price, prior)
                if best is not None:
                    found.append(best)
        return sorted(found, key=_by_prior)[:MAX_OFFERS]

    def _refused(self, seat: i64, kind: i64) -> bool:
        """Whether a seat has declined to give this card, lately."""
        if kind >= N_ITEMS:
            return self.state.offers > 1
        return (self.state.refused | self.state.refused_before) >> N_ITEMS * seat + kind & 1 != 0

    def _prices(self, evaluation: bot.Evaluation, given: i64) -> list[i64]:
        """What the seat may give for a card: one card of no great use, or the two or three least useful."""
        card = WEIGHT[JUDGED + CARD]
        spare = sorted([(-evaluation.loss(kind), int(kind)) for kind in evaluation.held if kind <= PASSPORT])
        cheap: list[i64] = []
        for loss, name in spare:
            kind: i64 = name
            if loss - card < 3.0 * USEFUL:
                for _ in range(count(evaluation.hand, kind)):
                    cheap.append(ONE[kind])
        found: list[i64] = []
        for i in range(len(cheap)):
            if i < 6:
                _add_price(found, cheap[i], given)
        for i in range(len(cheap)):
            for j in range(i):
                if i < 4:
                    _add_price(found, cheap[i] + cheap[j], given)
        if len(cheap) > 2:
            _add_price(found, cheap[0] + cheap[1] + cheap[2], given)
        return found


def _add_price(prices: list[i64], price: i64, given: i64) -> None:
    if price not in prices and within(given, price):
        prices.append(price)


def _cards(pack: i64) -> i64:
    cards: i64 = 0
    for kind in range(i64(IN_HAND)):
        cards += count(pack, kind)
    return cards


def _by_prior(option: Option) -> float:
    return -option.prior


def _most_gained(option: Option) -> float:
    return -option.ahead


HOOKS: Final = SearchHooks(
    evaluate=evaluate,
    rank=bot.rank,
    bot_decides=bot_decides,
    quick=bot.quick,
    horizon=6,
    own_search=own_search,
)
