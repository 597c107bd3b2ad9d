# compiled
"""How the bot of Itchy Feet values cards, and which trades it would make."""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from grandtour.games.itchy_feet.mechanics import hidden
from grandtour.games.itchy_feet.mechanics.packs import FORBIDDEN, HIGHEST_OF, ONE, PASSPORT, count, fewer
from grandtour.games.itchy_feet.parts import IN_HAND, KINDS, N_ITEMS
from grandtour.games.itchy_feet.rules import (
    M_ACCEPT,
    M_COUNTER,
    M_DECLINE,
    M_GET_RID,
    M_GIVE,
    M_PROPOSE,
    M_TRADE,
    M_WANT,
    M_WITHDRAW,
    State,
)
from grandtour.games.itchy_feet.state import HAGGLER
from grandtour.games.itchy_feet.strategy.evaluation import DATA, JUDGED, chances, hand_value

MIN_OFFER_VALUE: Final[float] = DATA["behaviour"]["minimum expected value of an offer"]
MIN_TRADE_GAIN: Final[float] = DATA["behaviour"]["minimum gain of a trade"]
PARTNER_GAIN_WEIGHT: Final[float] = DATA["behaviour"]["weight of a partner's gain from a trade"]
ONLY_RIVAL_GAIN_WEIGHT: Final[float] = DATA["behaviour"]["weight of the only rival's gain from a trade"]
ACCEPT_CHANCE_WITHOUT_GAIN: Final[float] = DATA["behaviour"]["chance that an offer without gain is accepted"]
GAIN_TO_ACCEPT_SURELY: Final[float] = DATA["behaviour"]["gain at which an offer is certainly accepted"]
EVENT_VALUE: Final = -0.1
NOT_COMPUTED: Final = -1e9
NEVER: Final = -50.0
URGENT: Final = 50.0  # the value of actions that come before all others

BASE: Final = 32
"""An offer is a number of four digits in this base: partner, card wanted, card given, second card given."""
WANTED: Final = BASE * BASE
PARTNER: Final = BASE * BASE * BASE
NO_CARD: Final = 31
"""The last digit of an offer without a second card."""


class TradeEvaluation:
    """Evaluates cards and trades for one seat in one position."""

    def __init__(self, state: State, me: i64) -> None:
        self.state = state
        self.me = me
        self.hand = state.hand[me]
        self.cards = state.size[me]
        self.countries = state.countries(me)
        self.partner_weight = ONLY_RIVAL_GAIN_WEIGHT if state.seats == 2 else PARTNER_GAIN_WEIGHT
        self.now = hand_value(state, me, self.hand, self.cards, self.countries, JUDGED)
        self.unseen = vec[i64]([0] * KINDS)
        self.unseen_in_hands: i64 = 0  # unseen cards that can be in a hand
        self.unseen_events: i64 = 0
        self.packs = vec[i64]([0] * state.seats)  # what the others are assumed to hold
        self.worths = vec[float]([0.0] * state.seats)
        self.share = vec[float]([0.0] * state.seats)  # the chance that each rival wins if this seat does not
        self.share_feared = vec[float]([0.0] * state.seats)  # the chance that this seat wins if that rival does not
        self.gain = vec[float]([0.0] * IN_HAND)  # the gain by a card of each kind
        self.held = vec[i64]([kind for kind in range(IN_HAND) if count(self.hand, kind)])
        # Caches: how values change by losing a card, and how rivals' values change by a card more or less.
        self.losses = vec[float]([NOT_COMPUTED] * IN_HAND)
        self.rival_gains = vec[float]([NOT_COMPUTED] * (IN_HAND * state.seats))
        self.rival_losses = vec[float]([NOT_COMPUTED] * (IN_HAND * state.seats))
        self.swaps = vec[float]([NOT_COMPUTED] * (IN_HAND * IN_HAND))  # for exchanges, at `IN_HAND * wanted + given`
        self._count_unseen_cards()
        self._evaluate_rivals()
        self._evaluate_cards()
        self.draw = self.draw_value(1)
        self.codes = vec[i64]()  # all offers that would help
        self.asks = vec[float]()  # the expected gain of each
        self.nets = vec[float]()  # the gain of each if it is accepted
        self.planned: i64 = -1  # the index of the chosen offer
        self.offers_disabled = False

    def _count_unseen_cards(self) -> None:
        state = self.state
        pool = state.in_play - state.discards - self.hand
        for other in range(state.seats):
            if other != self.me:
                pool -= self.known(other)
        for kind in range(i64(KINDS)):
            many = count(pool, kind)
            self.unseen[kind] = many
            if kind < IN_HAND:
                self.unseen_in_hands += many
            else:
                self.unseen_events += many

    def known(self, other: i64) -> i64:
        """The cards that this seat knows in another hand."""
        return self.state.known[self.state.seats * self.me + other]

    def _evaluate_rivals(self) -> None:
        state = self.state
        for seat in range(state.seats):
            if seat == self.me:
                self.worths[seat] = self.now
                continue
            pack = self.known(seat)
            if not count(pack, PASSPORT) and self.unseen[PASSPORT] > 0 and self.hidden(seat, PASSPORT):
                pack += ONE[PASSPORT]
            self.packs[seat] = pack
            self.worths[seat] = hand_value(state, seat, pack, state.size[seat], state.countries(seat), JUDGED)
        likely = chances(self.worths)
        for seat in range(state.seats):
            if seat != self.me:
                self.share[seat] = likely[seat] / (1.0 - likely[self.me] + 1e-9)
                self.share_feared[seat] = likely[self.me] / (1.0 - likely[seat] + 1e-9)

    def hidden(self, other: i64, kind: i64) -> i64:
        """How many unknown cards in another hand could be of this kind."""
        row = self.state.unknown[self.state.seats * self.me + other]
        if kind < N_ITEMS:
            return hidden.cards(row)
        return hidden.passports(row) if kind == PASSPORT else hidden.others(row)

    def _evaluate_cards(self) -> None:
        spared = 0.0
        if self.cards >= self.state.limit(self.me):
            spared = NEVER
            for kind in self.held:
                if kind != FORBIDDEN and self.loss(kind) > spared:
                    spared = self.loss(kind)
        more = fewer(self.hand, self.state.in_play)
        for kind in range(i64(IN_HAND)):
            if more & HIGHEST_OF[kind]:
                gain = self.worth(self.hand + ONE[kind], 1) - self.now + spared
                self.gain[kind] = gain if spared == 0.0 or gain > 0.0 or kind == FORBIDDEN else 0.0

    def worth(self, hand: i64, more: i64) -> float:
        """The value of a hand to this seat. `more` is how many more cards it has than the current one."""
        return hand_value(self.state, self.me, hand, self.cards + more, self.countries, JUDGED)

    def loss(self, kind: i64) -> float:
        """How the hand's value changes when a card leaves it: negative for a useful card."""
        if self.losses[kind] == NOT_COMPUTED:
            self.losses[kind] = self.worth(self.hand - ONE[kind], -1) - self.now
        return self.losses[kind]

    def swap_gain(self, wanted: i64, given: i64) -> float:
        """How the hand's value changes when one card is exchanged for another."""
        place = IN_HAND * wanted + given
        if self.swaps[place] == NOT_COMPUTED:
            self.swaps[place] = self.worth(self.hand + ONE[wanted] - ONE[given], 0) - self.now
        return self.swaps[place]

    def rival_gain(self, rival: i64, kind: i64) -> float:
        """The estimated gain of a rival by a card."""
        place = IN_HAND * rival + kind
        if self.rival_gains[place] == NOT_COMPUTED:
            if count(self.packs[rival], kind) < count(self.state.in_play, kind):
                self.rival_gains[place] = self._rival_change(rival, ONE[kind], 1)
            else:
                self.rival_gains[place] = 0.0
        return self.rival_gains[place]

    def rival_loss(self, rival: i64, kind: i64) -> float:
        """The estimated change of a rival's hand when a card leaves it."""
        place = IN_HAND * rival + kind
        if self.rival_losses[place] == NOT_COMPUTED:
            if count(self.packs[rival], kind):
                self.rival_losses[place] = self._rival_change(rival, -ONE[kind], -1)
            else:
                self.rival_losses[place] = -self.rival_gain(rival, kind)
        return self.rival_losses[place]

    def _rival_change(self, rival: i64, cards: i64, more: i64) -> float:
        """How the estimated value of a rival's hand changes by these cards, which may be negative."""
        state = self.state
        hand = self.packs[rival] + cards
        size = state.size[rival] + more
        return hand_value(state, rival, hand, size, state.countries(rival), JUDGED) - self.worths[rival]

    def draw_value(self, draws: i64) -> float:
        """The expected value of the best of this many unseen cards."""
        cards = self.unseen_in_hands + self.unseen_events
        if not cards:
            return 0.0
        if draws == 1:
            value = float(self.unseen_events) * EVENT_VALUE
            for kind in range(i64(IN_HAND)):
                value += float(self.unseen[kind]) * self.gain[kind]
            return value / float(cards)
        gains = [(EVENT_VALUE, int(self.unseen_events))]
        for kind in range(i64(IN_HAND)):
            gains.append((self.gain[kind], int(self.unseen[kind])))
        gains.sort()
        value = 0.0
        before = 0.0
        below = 0
        for gain, many in gains:
            below += many
            chance = (below / int(cards)) ** int(draws)
            value += gain * (chance - before)
            before = chance
        return value

    def chance(self, rival: i64, kind: i64) -> float:
        """The chance that a rival holds a card."""
        if count(self.known(rival), kind):
            return 1.0
        if self.unseen[kind] <= 0:
            return 0.0
        other = 1.0 - float(self.unseen[kind]) / float(self.unseen_in_hands + self.unseen_events)
        without = 1.0
        for _ in range(self.hidden(rival, kind)):
            without *= other
        return 1.0 - without

    def _add_offers_to(self, partner: i64) -> None:
        """Find all useful offers to a partner: one card for another, or two cards for a passport that is needed."""
        if not self.state.size[partner]:
            return
        needs_passport = not count(self.hand, PASSPORT)
        bonus = self._bonus(partner)
        partner_weight = self.partner_weight * self.share[partner]
        held = self.held
        brings = vec[float]([self.rival_gain(partner, kind) for kind in held])
        for want in range(i64(IN_HAND)):
            if self.gain[want] <= 0.0:
                continue
            chance = self.chance(partner, want)
            if chance <= 0.0:
                continue
            missed = self.rival_loss(partner, want)
            row = IN_HAND * want
            for i in range(i64(len(held))):
                first = held[i]
                if first == want:
                    continue
                place = row + first
                gain = self.swaps[place]
                if gain == NOT_COMPUTED:
                    gain = self.swap_gain(want, first)
                theirs = brings[i] + missed
                net = gain + bonus - partner_weight * theirs
                if net > MIN_TRADE_GAIN:
                    self._add_offer(partner, want, first, NO_CARD, gain, chance, theirs, net)
                if needs_passport and want == PASSPORT:
                    for second in range(first, i64(IN_HAND)):
                        if count(self.hand - ONE[first], second):
                            gain = self.worth(self.hand + ONE[want] - ONE[first] - ONE[second], -1) - self.now
                            theirs = brings[i] + self.rival_gain(partner, second) + missed
                            net = gain + bonus - partner_weight * theirs
                            if net > MIN_TRADE_GAIN:
                                self._add_offer(partner, want, first, second, gain, chance, theirs, net)

    def _add_offer(
        self, partner: i64, want: i64, first: i64, second: i64, gain: float, chance: float, theirs: float, net: float
    ) -> None:
        likely = chance * self._chance_to_accept(theirs - self.partner_weight * self.share_feared[partner] * gain)
        if likely <= 0.0 or net <= self._value_without_trade():
            return
        code = partner * PARTNER + want * WANTED + first * BASE + second
        ask = likely * (net - self._value_without_trade()) * _variation(self.state.round * 1048576 + code)
        self.codes = append(self.codes, code)
        self.asks = append(self.asks, ask)
        self.nets = append(self.nets, net)

    def _chance_to_accept(self, gain: float) -> float:
        """The chance that a partner accepts an offer with this estimated gain. The estimate may be wrong."""
        chance = ACCEPT_CHANCE_WITHOUT_GAIN + (1.0 - ACCEPT_CHANCE_WITHOUT_GAIN) * gain / GAIN_TO_ACCEPT_SURELY
        return 0.0 if chance < 0.0 else 1.0 if chance > 1.0 else chance

    def _bonus(self, partner: i64) -> float:
        """The value to this seat of the bonus card that the player whose turn it is draws after a trade."""
        if self.me != self.state.turn:
            return -self.partner_weight * self.share[partner] * self.draw
        return 2.0 * self.draw if self.state.character[self.me] == HAGGLER else self.draw

    def _value_without_trade(self) -> float:
        """The value without a trade: on its own turn, the seat can at least draw a card."""
        return self.draw if self.me == self.state.turn else 0.0

    def plan(self, partner: i64, place: i64) -> bool:
        """Plan the best offer to a partner (-1: to anyone), or the next best one after `place` better ones. Returns
        whether there is one."""
        if not len(self.codes):
            for other in range(self.state.seats):
                if other != self.me and (partner < 0 or other == partner):
                    self._add_offers_to(other)
        tried = vec[i64]()
        for _ in range(place + 1):
            best: i64 = -1
            for i in range(i64(len(self.codes))):
                if (best < 0 or self.asks[i] > self.asks[best]) and not self._repeats(self.codes[i], tried):
                    best = i
            if best < 0:
                return False
            tried = append(tried, self.codes[best])
            self.planned = best
        return True

    def _repeats(self, code: i64, tried: vec[i64]) -> bool:
        """Whether an offer is too similar to an earlier one: it asks again for a card that may not be there."""
        repeats = False
        for old in tried:
            repeats = repeats or old == code or (old // WANTED == code // WANTED and not self._certain(code))
        return repeats

    def _certain(self, code: i64) -> bool:
        return count(self.known(code // PARTNER), code // WANTED % BASE) > 0

    def trade_values(self, moves: list[int], values: list[float], best: float) -> None:
        """Set the values of offering a trade. `best` is the best other action, which remains after a refusal."""
        state = self.state
        partner: i64 = -1
        value = best - 1.0
        if (
            not self.offers_disabled
            and state.offers < state.offer_limit
            and best < URGENT
            and self.plan(-1, state.offers)
        ):
            net = self.nets[self.planned]
            ask = self.asks[self.planned] * (net - best) / (net - self.draw)
            # A second and third offer in a turn must promise more; otherwise bots would be annoying.
            if ask > MIN_OFFER_VALUE * float(1 + 2 * state.offers):
                partner = self.codes[self.planned] // PARTNER
                value = best + ask
        for i in range(len(moves)):
            m: i64 = moves[i]
            if M_TRADE <= m < M_GET_RID:
                values[i] = value if m - M_TRADE == partner else best - 1.0

    def tray_values(self, moves: list[int]) -> list[float]:
        """Put the planned cards on the tray, the wanted one first, then propose. Withdraw if the plan has changed."""
        step = self._next_step()
        values: list[float] = []
        for move in moves:
            m: i64 = move
            values.append(1.0 if m == step else 0.0 if m == M_WITHDRAW else NEVER)
        return values

    def _next_step(self) -> i64:
        state = self.state
        # The first offer of a turn is the best of all, and so the best to this partner. Later ones are the next best.
        best_to_partner = state.counters > 0 or state.offers == 1
        if not (self.plan(state.listener(), 0) if best_to_partner else self.plan(-1, state.offers - 1)):
            return M_WITHDRAW
        code = self.codes[self.planned]
        want = code // WANTED % BASE
        first = code // BASE % BASE
        second = code % BASE
        if not state.wants:
            return M_WITHDRAW if state.gives else M_WANT + want
        if state.wants != ONE[want]:
            return M_WITHDRAW
        if not state.gives:
            return M_GIVE + first
        if second == NO_CARD:
            return M_PROPOSE if state.gives == ONE[first] else M_WITHDRAW
        if state.gives == ONE[first]:
            return M_GIVE + second
        return M_PROPOSE if state.gives == ONE[first] + ONE[second] else M_WITHDRAW

    def answer_values(self, moves: list[int]) -> list[float]:
        """Accept an offer that helps this seat more than the rival. Counter an offer that names only one side."""
        values: list[float] = []
        for move in moves:
            m: i64 = move
            if m == M_ACCEPT:
                values.append(self._value_of_accepting() - MIN_TRADE_GAIN - self._value_without_trade())
            elif m == M_COUNTER:
                values.append(self._value_of_countering())
            else:
                values.append(0.0 if m == M_DECLINE else NEVER)
        return values

    def _value_of_accepting(self) -> float:
        """The value of accepting the offer on the tray."""
        state = self.state
        speaker = state.speaker
        theirs = 0.0
        more: i64 = 0
        for kind in range(i64(IN_HAND)):
            given = count(state.gives, kind)
            taken = count(state.wants, kind)
            if given:
                theirs += float(given) * self.rival_loss(speaker, kind)
            if taken:
                theirs += float(taken) * self.rival_gain(speaker, kind)
            more += given - taken
        mine = self.worth(self.hand + state.gives - state.wants, more) - self.now
        return mine + self._bonus(speaker) - self.partner_weight * self.share[speaker] * theirs

    def _value_of_countering(self) -> float:
        """The value of a counter-offer. It is only made if the offer names one side only."""
        state = self.state
        if (state.gives and state.wants) or not self.plan(state.speaker, 0):
            return -1.0
        return self.asks[self.planned]


def _variation(number: i64) -> float:
    """A pseudo-random factor from 0.7 to 1.3, so that a declined offer is not repeated forever."""
    return 0.7 + 0.6 * float((number * 2654435761 + 12345) % 4294967296 % 1000) / 1000.0
