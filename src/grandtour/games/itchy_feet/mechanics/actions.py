# compiled
"""Itchy Feet: what the actions, the special items and the reactions do."""

from typing import Final, Literal

from mypy_extensions import i64

from grandtour.games.itchy_feet.mechanics.packs import (
    BRIBE,
    CONTROL,
    CREDIT_CARD,
    FORBIDDEN,
    FOUND,
    GUIDE,
    MAP,
    MOUSETRAP,
    ONE,
    POST,
    RED_EYE,
    listed,
    nth,
)
from grandtour.games.itchy_feet.mechanics.trade import Trading
from grandtour.games.itchy_feet.mechanics.turns import ACTING, DONE, END
from grandtour.games.itchy_feet.parts import CARDS, COUNTRIES, COUNTRY_NAMES, GUIDE_CARDS, N_ITEMS, TRADING_POST_CARDS
from grandtour.games.itchy_feet.state import (
    BY_CENTRE,
    BY_COUNTRIES,
    EARLY_BIRD,
    LIMIT,
    LOOK,
    OVER,
    PAY,
    PICK,
    PICKPOCKET,
    REACT,
    REDRAW,
    RETURN,
    SECOND_HANDER,
    TAKE,
    VIEWER_BITS,
)
from grandtour.games.itchy_feet.view_types import Purpose

FOR_RECYCLE: Final = 1  # purposes
FOR_STEAL: Final = 2
FOR_RIDDANCE: Final = 3
FOR_COUNTRY: Final = 4
FOR_POST: Final = 5
FOR_EARLY_BIRD: Final = 6
FOR_FOUND: Final = 7
FOR_TRAVEL: Final = 8
WHY: Final[tuple[Purpose | Literal[""], ...]] = (
    "",
    "recycle",
    "steal",
    "get-rid",
    "country",
    "post",
    "early-bird",
    "found",
    "travel",
)


class Actions(Trading):
    """The table with all actions on it."""

    def recycle_cost(self, seat: i64) -> i64:
        return 1 if self.character[seat] == SECOND_HANDER else 2

    def destination(self, seat: i64) -> i64:
        """Where a seat travels next."""
        return self.centre if self.bucket or self.visited >> seat & 1 else self.country[seat]

    def draw_action(self, me: i64) -> None:
        if self.character[me] != EARLY_BIRD:
            if self.draw(me, 1, "draw"):
                self.settle(DONE)
            return
        before = self.size[me]
        if self.draw(me, 2, "draw"):
            if self.size[me] == before + 2 and self.discardable(me):
                self.pay(FOR_EARLY_BIRD, 1)
            else:
                self.settle(DONE)

    def pay(self, purpose: i64, cards: i64) -> None:
        self.purpose = purpose
        self.need = cards
        self.paid = 0
        self.step = PAY

    def discard_card(self, me: i64, kind: i64) -> None:
        limit = self.step == LIMIT
        if self.events is not None:
            self.say("discarded", seat=int(me), cards=[CARDS[kind]], why="limit" if limit else WHY[self.purpose])
        self.discard(me, kind)
        if limit:
            for seat in range(self.seats):
                if self.above_limit(seat):
                    return
            self.continue_turn()
            return
        self.paid += ONE[kind]
        self.need -= 1
        if self.need and (self.purpose != FOR_POST or self.discardable(me)):
            return
        if self.purpose == FOR_RECYCLE:
            self.step = TAKE
        elif self.purpose == FOR_STEAL:
            self._ask_victim()
        elif self.purpose == FOR_POST:
            self.stop()
        else:
            if self.purpose == FOR_RIDDANCE:
                if self.events is not None:
                    self.say("discarded", seat=int(me), cards=[CARDS[FORBIDDEN]], why="get-rid")
                self.discard(me, FORBIDDEN)
            elif self.purpose == FOR_COUNTRY:
                if self.events is not None:
                    owner = int(self.owner[self.target])
                    country = COUNTRY_NAMES[self.target]
                    self.say("stole-country", seat=int(me), whom=owner, country=country)
                self.owner[self.target] = me
            self.settle(DONE)

    def take(self, kind: i64) -> None:
        me = self.turn
        if self.step == PICK:
            self._take_stolen_card(kind)
        elif self.step == LOOK:
            self._take_looked(kind)
        else:
            if self.events is not None:
                self.say("took", seat=int(me), card=CARDS[kind], why=WHY[self.purpose])
            self.discards -= ONE[kind]
            self.gain(me, kind, self.everyone())
            self.settle(DONE)

    def _ask_victim(self) -> None:
        victim = self.target
        if self.could_hold(victim, MOUSETRAP) and not self.quiet >> victim & 1:
            self.asked = victim
            self.step = REACT
        else:
            self._steal()

    def _steal(self) -> None:
        hand = self.hand[self.target]
        cards = self.size[self.target]
        first = nth(hand, self.dice.below(cards))
        self.reveals += 1
        if self.character[self.turn] != PICKPOCKET or cards == 1:
            self._take_stolen_card(first)
            return
        self.pair = ONE[first]
        self.pair += ONE[nth(hand - ONE[first], self.dice.below(cards - 1))]
        self.learn_cards(self.turn, self.target, self.pair)
        self.step = PICK
        if self.events is not None:
            private = {int(self.turn): {"cards": listed(self.pair)}}
            self.say("looked-at", private, seat=int(self.turn), whom=int(self.target))

    def _take_stolen_card(self, kind: i64) -> None:
        thief = self.turn
        victim = self.target
        self.pair = 0
        who = self.pass_unseen(victim, thief, kind)
        if self.events is not None:
            private = {int(v): {"card": CARDS[kind]} for v in range(self.seats) if who >> v & 1}
            self.say("stole", private, seat=int(thief), whom=int(victim))
        self.gain(thief, kind, who)
        self.settle(DONE)

    def travel(self, me: i64) -> None:
        self.purpose = FOR_TRAVEL
        self.travelled = True
        self.show_hand(me)
        if self.events is not None:
            country = COUNTRY_NAMES[self.destination(me)]
            self.say("showed", seat=int(me), hand=listed(self.hand[me]), country=country)
        self._ask_from(me + 1)

    def _ask_from(self, seat: i64) -> None:
        """Ask the others for Passport Control, clockwise from this seat. The travel happens if nobody is left."""
        for i in range(seat, self.turn + self.seats):
            other = i % self.seats
            if self.could_hold(other, CONTROL) and not self.quiet >> other & 1:
                self.asked = other
                self.step = REACT
                return
        self._arrive()

    def _arrive(self) -> None:
        me = self.turn
        country = self.destination(me)
        used: list[str] = []
        for item in COUNTRIES[country].items:
            if not self.bucket or self.subject == item:
                kind: i64 = CREDIT_CARD if not self.bucket and item == self.subject else item
                self.discard(me, kind)
                used.append(CARDS[kind])
        if self.bucket and self.subject == N_ITEMS:
            self.discard(me, CREDIT_CARD)
            used.append(CARDS[CREDIT_CARD])
        if self.events is not None:
            self.say("travelled", seat=int(me), country=COUNTRY_NAMES[country], cards=used)
        if self.bucket:
            self.owner[country] = me
            self.centre = self.next_country(-1) if self.spare else -1
            if self.centre < 0:
                self.end(self.most_countries(), BY_COUNTRIES)
                return
            if self.events is not None:
                self.say("turned", country=COUNTRY_NAMES[self.centre])
        elif self.visited >> me & 1:
            self.end(i64(1) << me, BY_CENTRE)
            return
        else:
            self.visited |= i64(1) << me
        if self.draw(me, 1, "free"):
            self.settle(DONE)

    def allow(self) -> None:
        if self.purpose == FOR_STEAL:
            self._steal()
        else:
            last = self.asked if self.asked > self.turn else self.asked + self.seats
            self._ask_from(last + 1)

    def play_special(self, me: i64, kind: i64) -> None:
        if self.events is not None:
            self.say("played", seat=int(me), card=CARDS[kind])
        self.discard(me, kind)
        if kind in (MOUSETRAP, CONTROL):
            if self.events is not None:
                self.say("interrupted", seat=int(me), card=CARDS[kind], whom=int(self.turn))
            self.settle(END)
        elif kind == GUIDE:
            self._look_at_top_cards()
        elif kind == POST:
            self.pay(FOR_POST, TRADING_POST_CARDS)
        elif kind == MAP:
            self.step = REDRAW
        elif kind == RED_EYE:
            self.flown = True
            self.actions = 2
        elif kind == BRIBE:
            if self.events is not None:
                self.say("discarded", seat=int(me), cards=[CARDS[FORBIDDEN]], why="bribe")
            self.discard(me, FORBIDDEN)
        else:
            self.purpose = FOR_FOUND
            self.paid = ONE[FOUND]
            self.step = TAKE

    def _look_at_top_cards(self) -> None:
        me = self.turn
        if not self.left:
            self.reshuffle()
        self.looked = self.left if self.left < GUIDE_CARDS else GUIDE_CARDS
        for place in range(self.left - self.looked, self.left):
            # Nobody else knows the order any more.
            self.deck[place] = self.deck[place] % VIEWER_BITS + (VIEWER_BITS << me)
        self.reveals += 1
        self.step = LOOK
        if self.events is not None:
            seen = [CARDS[self.deck[place] % VIEWER_BITS] for place in range(self.left - self.looked, self.left)]
            self.say("looked", {int(me): {"cards": seen[::-1]}}, seat=int(me), count=int(self.looked))

    def _take_looked(self, kind: i64) -> None:
        self._move_looked_card(kind, self.left)
        who = self.remove_top_card()
        self.looked -= 1
        if self.events is not None:
            self.say("took", {int(self.turn): {"card": CARDS[kind]}}, seat=int(self.turn), why="guide")
        self.gain(self.turn, kind, who)
        self._finish_look()

    def _move_looked_card(self, kind: i64, to: i64) -> None:
        """Move one of the cards looked at to just below place `to`, shifting those in between."""
        place = self.left - self.looked
        while self.deck[place] % VIEWER_BITS != kind:
            place += 1
        card = self.deck[place]
        for i in range(place, to - 1):
            self.deck[i] = self.deck[i + 1]
        self.deck[to - 1] = card

    def _finish_look(self) -> None:
        if self.looked > 1 and self.step != OVER:
            self.step = RETURN
        else:
            self.looked = 0
            self.settle(DONE)

    def put_back(self, kind: i64) -> None:
        """Put a card back on the pile, under the cards that are still to be put back."""
        first = self.left - self.looked
        place = first
        while self.deck[place] % VIEWER_BITS != kind:
            place += 1
        card = self.deck[place]
        for i in range(place, first, -1):
            self.deck[i] = self.deck[i - 1]
        self.deck[first] = card
        self.looked -= 1
        if self.events is not None:
            self.say("returned", {int(self.turn): {"card": CARDS[kind]}}, seat=int(self.turn))
        self._finish_look()

    def stop(self) -> None:
        """Stop discarding at the Trading Post, or looking at a guide's cards that are all events."""
        if self.step == LOOK:
            self._finish_look()
        elif self.draw(self.turn, TRADING_POST_CARDS - self.need + 1, "post"):
            self.settle(DONE)

    def redraw(self, seat: i64) -> None:
        old = self.country[seat]
        self.country[seat] = self.next_country(old)
        if self.events is not None:
            new = COUNTRY_NAMES[self.country[seat]]
            self.say("new-country", seat=int(seat), old=COUNTRY_NAMES[old], new=new)
        self.settle(DONE)

    def smuggle(self, to: i64) -> None:
        self.smuggled = True
        if self.events is not None:
            self.say("smuggled", seat=int(self.turn), to=int(to))
        self.lose(self.turn, FORBIDDEN)
        self.gain(to, FORBIDDEN, self.everyone())
        self.settle(ACTING)

    def choose_card_to_pass(self, me: i64, kind: i64) -> None:
        self.chosen[me] = kind
        if self.events is not None:
            self.say("chose", {int(me): {"card": CARDS[kind]}}, seat=int(me))
        self.mix_up()

    def set_quiet(self, me: i64, quiet: bool) -> None:
        self.quiet ^= i64(1) << me
        self.hushed |= i64(1) << me
        if self.events is not None:
            self.say("hushed", seat=int(me), quiet=quiet)
