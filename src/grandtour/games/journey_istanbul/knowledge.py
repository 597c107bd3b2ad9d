# compiled
"""What a seat knows in The Journey: Istanbul. Everything else is dealt again or forgotten."""

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.games.journey_istanbul.parts import ALL, N_CARDS, N_DAYS, SLOTS, SQUARES, WEEKS
from grandtour.games.journey_istanbul.state import (
    ASK_AT,
    ASK_TO,
    BIT,
    DAY_OF,
    LAST_MESSAGE,
    MESSAGES,
    NOTES_WRITTEN,
    OF_DAY,
    REPLY_CARD,
    REPLY_TO,
    SELL_AT,
    SELL_CARD,
    SELL_TO,
    SHOWN_BIT,
    STATEMENT_OF,
    TALK_SIZE,
    TALKS,
    TO,
    Table,
)


class Knowledge(Table):
    """The table with the functions that imagine it from a seat's point of view."""

    def _redeal(self, me: i64, dice: Dice) -> None:
        """Deal everything again that a seat does not know, and forget what others said to each other."""
        self.buried = self.buried[:]
        sheet = self.sheet
        looked = self.looked
        knows = self.knows
        self.heard = self.heard[:]
        self.truths = self.truths[:]
        self.boxes = self.boxes[:]
        self.notes = self.notes[:]
        self.pages = self.pages[:]
        mine = i64(1) << me
        left: i64 = 0  # cards for the deck, one bit each
        deck: i64 = 0
        for i in range(self.drawn, i64(N_CARDS)):
            deck |= BIT[self.deck[i]]
        cards = vec[i64]([0] * N_DAYS)
        for row in range(i64(N_DAYS)):
            pool = deck
            for slot in range(SQUARES * row, SQUARES * row + SQUARES):
                if self.hidden(slot) and not knows[slot] & mine:
                    pool |= BIT[sheet[slot]]
            buried = self.buried[row] >= 0 and self.buried[N_DAYS + row] != me
            if buried:
                pool |= BIT[self.buried[row]]
            count: i64 = 0
            for rank in range(N_DAYS * row, N_DAYS * row + N_DAYS):
                card = OF_DAY[rank]
                if pool & BIT[card]:
                    cards[count] = card
                    count += 1
            dice.shuffle(cards, 0, count)
            used: i64 = 0
            for slot in range(SQUARES * row, SQUARES * row + SQUARES):
                if self.hidden(slot) and not knows[slot] & mine:
                    sheet[slot] = cards[used]
                    used += 1
            if buried:
                self.buried[row] = cards[used]
                used += 1
            for i in range(used, count):
                left |= BIT[cards[i]]
        self._deal_deck(left, dice)
        for slot in range(i64(SLOTS)):
            if sheet[slot] < 0:
                looked[slot] = 0
                knows[slot] = 0
            knows[slot] = looked[slot] | knows[slot] & mine
        for seat in range(self.seats):
            self._forget_whispers(me, seat, dice)
        self._forget_planners(me)
        self._forget_claims(me)

    def _forget_claims(self, me: i64) -> None:
        """Forget all statements except those to or by this seat about face-down cards, and all trust except its own."""
        heard = self.heard
        seats = self.seats
        for row in range(i64(N_DAYS)):
            lying: i64 = 0
            for square in range(i64(SQUARES)):
                if self.hidden(SQUARES * row + square):
                    lying |= 255 * BIT[8 * square]
            self.written[N_DAYS * me + row] &= lying
            at = row
            for seat in range(seats):
                for other in range(seats):
                    heard[at] &= lying if seat == me or other == me else 0
                    at += N_DAYS
        for pair in range(self.seats * self.seats):
            if pair // self.seats != me:
                self.truths[2 * pair] = 0
                self.truths[2 * pair + 1] = 0

    def _forget_planners(self, me: i64) -> None:
        """Forget all planner pages except those shown to this seat. The other planners are imagined empty, because
        nobody else knows what is in them now."""
        pages = self.pages
        for seat in range(self.seats):
            for other in range(self.seats):
                pair = 2 * WEEKS * (self.seats * seat + other)
                for week in range(pair, pair + WEEKS):
                    if seat != me or not pages[week + WEEKS] & BIT[SHOWN_BIT]:
                        pages[week] = 0
                        pages[week + WEEKS] = 0
        for seat in range(self.seats):
            if seat == me:
                continue
            for week in range(i64(WEEKS)):
                self.boxes[WEEKS * seat + week] = 0
                self.notes[WEEKS * seat + week] = 0
            for row in range(i64(N_DAYS)):
                self.written[N_DAYS * seat + row] = 0

    def _deal_deck(self, cards: i64, dice: Dice) -> None:
        """Shuffle the remaining cards into the deck. The back of the top card is visible, so it stays the same."""
        deck = self.deck
        # The places of drawn cards are cleared.
        for i in range(self.drawn):
            deck[i] = -1
        if self.drawn == N_CARDS:
            return
        back = DAY_OF[deck[self.drawn]]
        at = self.drawn
        tops: i64 = 0
        for card in range(i64(N_CARDS)):
            if cards & BIT[card]:
                deck[at] = card
                at += 1
                if DAY_OF[card] == back:
                    tops += 1
        skipped = dice.below(tops)
        top = self.drawn
        while DAY_OF[self.deck[top]] != back or skipped:
            if DAY_OF[self.deck[top]] == back:
                skipped -= 1
            top += 1
        card = self.deck[top]
        self.deck[top] = self.deck[self.drawn]
        self.deck[self.drawn] = card
        dice.shuffle(self.deck, self.drawn + 1, at)

    def _forget_whispers(self, me: i64, seat: i64, dice: Dice) -> None:
        """Forget another seat's talk except what was said to this seat. Statements that it offers are replaced by
        random ones."""
        at = TALK_SIZE * seat
        if seat != me:
            self.talk[at + TALKS] = 0
            self.talk[at + MESSAGES] = 0
            self.talk[at + NOTES_WRITTEN] = 0
            self.talk[at + LAST_MESSAGE] = -1
            self._stop_talking(seat)
            to = self.talk[at + ASK_TO]
            if to != me and to != ALL:
                self.talk[at + ASK_TO] = -1
            if self.talk[at + SELL_TO] == me:
                self.talk[at + SELL_CARD] = self._random_statement(self.talk[at + SELL_AT], dice)
            else:
                self.talk[at + SELL_TO] = -1
            # Everybody knows who has offered to answer, but not the answer.
            asker = self.talk[at + REPLY_TO]
            if asker >= 0:
                self.talk[at + REPLY_CARD] = self._random_statement(self.talk[TALK_SIZE * asker + ASK_AT], dice)
        if self.talk[at + TO] < 0:
            self._stop_talking(seat)
        self._clear_unaddressed(at + SELL_TO, at + ASK_TO)
        self._clear_unaddressed(at + ASK_TO, at + REPLY_TO)
        self._clear_unaddressed(at + REPLY_TO, at + TALK_SIZE)

    def _clear_unaddressed(self, first: i64, end: i64) -> None:
        """Clear offers and questions that are addressed to nobody."""
        if self.talk[first] < 0:
            for field in range(first, end):
                self.talk[field] = -1

    def _random_statement(self, slot: i64, dice: Dice) -> i64:
        """A random statement that may be true of the card on a square."""
        return STATEMENT_OF[OF_DAY[N_DAYS * (slot // SQUARES) + dice.below(N_DAYS)]]
