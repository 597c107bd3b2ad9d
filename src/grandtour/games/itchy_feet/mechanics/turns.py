# compiled
"""Itchy Feet: how cards are drawn, what events do, and how a turn continues and ends."""

from typing import Any, Final

from mypy_extensions import i64

from grandtour.engine.events import event
from grandtour.games.itchy_feet.knowledge import Knowledge
from grandtour.games.itchy_feet.mechanics.packs import FORBIDDEN, LUGGAGE, MIX_UP, ONE, PASSPORT, UNREST, count, nth
from grandtour.games.itchy_feet.parts import CARDS, COUNTRY_NAMES, IN_HAND, NEW_HAND_CARDS
from grandtour.games.itchy_feet.state import ACT, BY_LIMIT, HAGGLER, LIMIT, MIX, OVER, VIEWER_BITS

ACTING: Final = 0  # the turn's player chooses an action
BONUS: Final = 1  # the turn's player draws the bonus for a trade
DONE: Final = 2  # an action is complete
END: Final = 3  # the turn is over


class Turns(Knowledge):
    """The table with the rules for turns."""

    def say(self, name: str, private: dict[int, dict[str, Any]] | None = None, **public: Any) -> None:
        """Record an event. Called only when somebody is watching."""
        assert self.events is not None
        self.events.append(event(name, private, **public))

    def draw(self, seat: i64, cards: i64, why: str) -> bool:
        """Draw up to this many cards. Returns False if an event or four postcards ended the turn."""
        for _ in range(cards):
            card = self.take_top_card()
            if card < 0:
                break
            kind = card % VIEWER_BITS
            if kind >= IN_HAND:
                self._event(kind, why)
                return False
            self._gain_drawn_card(seat, card, why)
            if self.step == OVER:
                return False
        return True

    def _gain_drawn_card(self, seat: i64, card: i64, why: str) -> None:
        """Add a card from the draw pile, which is not an event, to a hand."""
        kind = card % VIEWER_BITS
        who = card // VIEWER_BITS
        if self.events is not None:
            knows = [int(viewer) for viewer in range(self.seats) if who >> viewer & 1 or viewer == seat]
            self.say("drew", {viewer: {"card": CARDS[kind]} for viewer in knows}, seat=int(seat), why=why)
        self.gain(seat, kind, who)

    def _event(self, kind: i64, why: str) -> None:
        self.discards += ONE[kind]
        if self.events is not None:
            self.say("event", seat=int(self.turn), card=CARDS[kind], why=why)
        if kind == UNREST:
            self._civil_unrest()
        elif kind == LUGGAGE:
            self._lost_luggage()
        elif kind == MIX_UP:
            self._begin_mix_up()
            return
        else:
            self._night_market()
        self.settle(END)

    def _civil_unrest(self) -> None:
        old = self.centre
        self.centre = self.next_country(old)
        if self.events is not None:
            self.say("new-centre", old=COUNTRY_NAMES[old], new=COUNTRY_NAMES[self.centre])

    def _lost_luggage(self) -> None:
        for i in range(self.seats):
            seat = (self.turn + i) % self.seats
            hand = self.hand[seat]
            passports = count(hand, PASSPORT)
            forbidden = count(hand, FORBIDDEN)
            safe = passports + forbidden
            if self.size[seat] > safe:
                hand -= passports * ONE[PASSPORT] + forbidden * ONE[FORBIDDEN]
                kind = nth(hand, self.dice.below(self.size[seat] - safe))
                self.discard(seat, kind)
                self.reveals += 1
                if self.events is not None:
                    self.say("discarded", seat=int(seat), cards=[CARDS[kind]], why="luggage")

    def _night_market(self) -> None:
        for i in range(self.seats):
            seat = (self.turn + i) % self.seats
            card = self.take_top_card()
            if card < 0:
                return
            kind = card % VIEWER_BITS
            if kind >= IN_HAND:
                self.discards += ONE[kind]
                if self.events is not None:
                    self.say("no-effect", seat=int(seat), card=CARDS[kind])
            else:
                self._gain_drawn_card(seat, card, "market")
                if self.step == OVER:
                    return

    def _begin_mix_up(self) -> None:
        for seat in range(self.seats):
            self.chosen[seat] = -1
        self.step = MIX
        self.mix_up()

    def still_choosing(self, seat: i64) -> bool:
        """Whether a seat has yet to choose a card for the Luggage Mix-Up."""
        return self.chosen[seat] < 0 and self.size[seat] > 0

    def mix_up(self) -> None:
        """Pass the chosen cards on, once everyone has chosen."""
        for seat in range(self.seats):
            if self.still_choosing(seat):
                return
        gone: list[i64] = []
        for giver in range(self.seats):
            kind = self.chosen[giver]
            gone.append(self.pass_unseen(giver, (giver + 1) % self.seats, kind) if kind >= 0 else 0)
        self.reveals += 1
        for giver in range(self.seats):
            kind = self.chosen[giver]
            if kind >= 0:
                taker = (giver + 1) % self.seats
                who = gone[giver]
                if self.events is not None:
                    knows = [int(v) for v in range(self.seats) if who >> v & 1]
                    private = {viewer: {"card": CARDS[kind]} for viewer in knows}
                    self.say("handed-on", private, seat=int(giver), to=int(taker))
                self.chosen[giver] = -1
                self.gain(taker, kind, who)
        self.settle(END)

    def settle(self, after: i64) -> None:
        """Check the hand limits, then continue the turn in the given way."""
        if self.step == OVER:
            return
        self.after = after
        for seat in range(self.seats):
            if self.above_limit(seat):
                self.step = LIMIT
                return
        self.continue_turn()

    def continue_turn(self) -> None:
        """Continue the turn, once all hands are within their limits."""
        if self.after == ACTING:
            self.step = ACT
        elif self.after == BONUS:
            if self.draw(self.turn, 2 if self.character[self.turn] == HAGGLER else 1, "bonus"):
                self.settle(DONE)
        elif self.after == DONE and self.actions > 1:
            self.actions -= 1
            self.acted = True
            self.step = ACT
            if self.events is not None:
                self.say("again", seat=int(self.turn))
        else:
            self._next_turn()

    def _next_turn(self) -> None:
        self.turn = (self.turn + 1) % self.seats
        if self.turn == self.starter:
            if self.round == self.turn_limit:
                self.end(self.most_countries(), BY_LIMIT)
                return
            self.round += 1
        self.begin_turn()

    def begin_turn(self) -> None:
        self.step = ACT
        self.actions = 1
        self.acted = False
        self.travelled = False
        self.smuggled = False
        self.flown = False
        self.offers = 0
        self.hushed = 0
        self.target = -1
        self.subject = -1
        self.asked = -1
        self.paid = 0
        self.pair = 0
        self.looked = 0
        if self.events is not None:
            self.say("turn", seat=int(self.turn), round=int(self.round))
        if self.size[self.turn] == 0 and self.draw(self.turn, NEW_HAND_CARDS, "empty"):
            self.settle(ACTING)
