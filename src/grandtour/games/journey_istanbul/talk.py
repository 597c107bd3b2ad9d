# compiled
"""Money and words between players, at any time: who may say what to whom, and what comes of it."""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.events import event
from grandtour.games.journey_istanbul.board import (
    ABOUT,
    ALL,
    ASK_AT,
    ASK_NO,
    ASK_PRICE,
    ASK_TO,
    LAST,
    MONEY,
    OF_DAY,
    OUT,
    ROWS,
    SELL_AT,
    SELL_CARD,
    SELL_PRICE,
    SELL_TO,
    SIDE,
    SIZE,
    SLOTS,
    TALK_SIZE,
    TALKS,
    TO,
    WORDS,
    Board,
)
from grandtour.games.journey_istanbul.moves import (
    ANSWER,
    ASK,
    BUY,
    DENY,
    GIVE,
    HELP,
    HUSH,
    POINT,
    REFUSE,
    REQUEST,
    SELL,
    SHOW,
    TALK,
    TELL,
    WITHDRAW,
)
from grandtour.games.journey_istanbul.parts import ASKING, BILL, CARD_NAMES, DAYS, GIFTS, PRICES, REQUESTS, TALKS_A_DAY

LIMIT: Final[i64] = TALKS_A_DAY
GIFT: Final = vec[i64](list(GIFTS))
PRICE: Final = vec[i64](list(PRICES))
QUESTION: Final = vec[i64](list(ASKING))
WANTED: Final = vec[i64](list(REQUESTS))
WEEK_SIZE: Final = 6
LAST_WEEK: Final = 3

TOLD: Final = 0
SHOWN: Final = 1
OFFERED: Final = 2
ASKED: Final = 3
REFUSED: Final = 4
REQUESTED: Final = 5
DENIED: Final = 6
SAYING: Final = 8 * 32 * 64 * 8  # what is remembered of words: who said them, about which square, card and price
SAID: Final = ("told", "shown", "offered", "asked", "refused", "requested", "denied")


class Talk(Board):
    """The part of the rules that does not wait for anyone's turn."""

    def _talk_moves(self, me: i64, moves: list[int]) -> None:
        """What a seat that is still in Istanbul may say, give, answer or buy now."""
        at = TALK_SIZE * me
        to = self.talk[at + TO]
        if to < 0:
            if self.talk[at + TALKS] < LIMIT:
                anybody = False
                for other in range(self.seats):
                    if other != me and self.place[other] != OUT:
                        moves.append(TALK + other)
                        anybody = True
                if anybody:
                    moves.append(TALK + ALL)
        elif self.talk[at + ABOUT] < 0:
            if to != ALL:
                for i in range(i64(len(GIFT))):
                    if GIFT[i] <= self.money[me]:
                        moves.append(GIVE + i)
            weeks: i64 = 0
            for slot in range(i64(SLOTS)):
                if self.hidden(slot):
                    moves.append(POINT + slot)
                    if self.knows[slot] >> me & 1:
                        weeks |= i64(1) << ((self.due(slot) - 1) // WEEK_SIZE)
            for week in range(i64(LAST_WEEK)):
                if weeks >> week & 1:
                    moves.append(SHOW + week)
            moves.append(HUSH)
        else:
            first = ROWS * (self.talk[at + ABOUT] // SIDE)
            for rank in range(first, first + ROWS):
                moves.append(TELL + OF_DAY[rank])
            if to != ALL:
                for rank in range(first, first + ROWS):
                    for i in range(i64(len(PRICE))):
                        moves.append(SELL + len(PRICE) * OF_DAY[rank] + i)
            for i in range(i64(len(QUESTION))):
                if QUESTION[i] <= self.money[me]:
                    moves.append(ASK + i)
            moves.append(HUSH)
        if self.talk[at + SELL_TO] >= 0 or self.talk[at + ASK_TO] >= 0:
            moves.append(WITHDRAW)
        self._replies(me, moves)
        if to >= 0 and self.talk[at + ABOUT] < 0:
            for i in range(i64(len(WANTED))):
                moves.append(REQUEST + i)
        self._answers(me, moves)

    def _replies(self, me: i64, moves: list[int]) -> None:
        offers: i64 = 0
        questions: i64 = 0
        for other in range(self.seats):
            if self.talk[TALK_SIZE * other + SELL_TO] == me:
                offers |= i64(1) << other
            to = self.talk[TALK_SIZE * other + ASK_TO]
            asked = to >= 0 and other != me and (to == me or to == ALL)  # noqa: SIM109
            if asked and self.talk[TALK_SIZE * other + ASK_AT] != MONEY:
                questions |= i64(1) << other
        if offers:
            for other in range(self.seats):
                if offers >> other & 1 and self.talk[TALK_SIZE * other + SELL_PRICE] <= self.money[me]:
                    moves.append(BUY + other)
            for other in range(self.seats):
                if offers >> other & 1:
                    moves.append(REFUSE + other)
        if questions:
            for other in range(self.seats):
                at = TALK_SIZE * other
                if questions >> other & 1 and self.talk[at + ASK_PRICE] <= self.money[other]:
                    first = ROWS * (self.talk[at + ASK_AT] // SIDE)
                    for rank in range(first, first + ROWS):
                        moves.append(ANSWER + SIZE * other + OF_DAY[rank])

    def _answers(self, me: i64, moves: list[int]) -> None:
        """Help with money where it is asked for, or say no to what is asked."""
        asking: i64 = 0
        for other in range(self.seats):
            at = TALK_SIZE * other
            to = self.talk[at + ASK_TO]
            if to >= 0 and other != me and (to == me or to == ALL):  # noqa: SIM109
                asking |= i64(1) << other
                if self.talk[at + ASK_AT] == MONEY and self.talk[at + ASK_PRICE] <= self.money[me]:
                    moves.append(HELP + other)
        if asking:
            for other in range(self.seats):
                if asking >> other & 1 and not self.talk[TALK_SIZE * other + ASK_NO] >> me & 1:
                    moves.append(DENY + other)

    def _play_talk(self, me: i64, m: i64) -> None:
        at = TALK_SIZE * me
        to = self.talk[at + TO]
        slot = self.talk[at + ABOUT]
        if m < GIVE:
            self.talk[at + TALKS] += 1
            self.talk[at + TO] = m - TALK
            self._whisper(0, {})
            return
        if m < HUSH:
            if POINT <= m < SHOW:
                self.talk[at + ABOUT] = m - POINT
                self._whisper(0, {})
                return
            if m < POINT:
                self._hand_over(me, to, GIFT[m - GIVE], False)
                self._whisper(0, {})
            elif m < TELL:
                self._show(me, to, m - SHOW)
            elif m < SELL:
                self._tell(me, to, slot, m - TELL)
            elif m < ASK:
                self._sell(me, to, slot, (m - SELL) // len(PRICE), PRICE[(m - SELL) % len(PRICE)])
            else:
                self._ask(me, to, slot, QUESTION[m - ASK])
        elif m == WITHDRAW:
            self._withdraw(me)
            return
        elif BUY <= m < REFUSE:
            self._buy(me, m - BUY)
            return
        elif REFUSE <= m < ANSWER:
            self._refuse(me, m - REFUSE)
            return
        elif m >= DENY:
            self._deny(me, m - DENY)
            return
        elif m >= HELP:
            self._help(me, m - HELP)
            return
        elif m >= REQUEST:
            self._request(me, to, WANTED[m - REQUEST])
        elif m >= ANSWER:
            self._answer(me, (m - ANSWER) // SIZE, (m - ANSWER) % SIZE)
            return
        else:
            self._whisper(0, {})
        self.talk[at + TO] = -1
        self.talk[at + ABOUT] = -1

    def _hand_over(self, seat: i64, to: i64, amount: i64, words: bool) -> None:
        """Money changes hands for good and for all to see; whether it was for words, only the two know."""
        self.money[seat] -= amount
        self.money[to] += amount
        if self.version > 1:
            self.reveals += 1  # money given is given, though nothing hidden was shown
        if self.events is not None:
            private = {int(seat): {"words": words}, int(to): {"words": words}}
            self.events.append(event("gave", private, seat=int(seat), to=int(to), amount=int(amount) * BILL))

    def _whisper(self, seats: i64, words: dict[str, Any]) -> None:
        """Tell only some seats what was said. The others are told the same whatever it was, or was going to be."""
        if self.events is not None:
            private: dict[int, dict[str, Any]] = {int(s): words for s in range(self.seats) if seats >> s & 1}
            self.events.append(event("whisper", private))

    def _said(self, what: i64, speaker: i64, to: i64, about: i64, card: i64, price: i64) -> None:
        """Remember, for each of some seats, that something was said to it, and what."""
        for seat in range(self.seats):
            if to >> seat & 1:
                self.talk[TALK_SIZE * seat + WORDS] += 1
                said = (speaker * 32 + about) * 64 + card + 1
                self.talk[TALK_SIZE * seat + LAST] = what * SAYING + said * 8 + price

    def _listeners(self, me: i64, to: i64) -> i64:
        """The seats spoken to; those who have travelled out hear nothing."""
        if to != ALL:
            return i64(1) << to
        seats: i64 = 0
        for other in range(self.seats):
            if other != me and self.place[other] != OUT:
                seats |= i64(1) << other
        return seats

    def _tell(self, me: i64, to: i64, slot: i64, card: i64) -> None:
        listeners = self._listeners(me, to)
        for other in range(self.seats):
            if listeners >> other & 1:
                self._hear(other, me, slot, card)
        self._said(TOLD, me, listeners, slot, card, 0)
        self.reveals += 1
        if self.events is not None:
            words = {**_words("told", me, to, slot), "card": CARD_NAMES.name(card)}
            self._whisper(listeners | i64(1) << me, words)

    def _show(self, me: i64, to: i64, week: i64) -> None:
        """Show a week of the planner; each is told those cards of it that it did not know."""
        listeners = self._listeners(me, to)
        shown: dict[int, dict[str, Any]] = {}
        if self.events is not None:
            words = {"what": "shown", "seat": int(me), "to": _name(to), "week": int(week) + 1}
            shown = {s: {**words, "cards": []} for s in range(self.seats) if (listeners | i64(1) << me) >> s & 1}
        for slot in range(i64(SLOTS)):
            card = self.known(me, slot)
            if card >= 0 and (self.due(slot) - 1) // WEEK_SIZE == week:
                for seat, told in shown.items():
                    if not self.knows[slot] >> seat & 1:
                        told["cards"].append({**_square(slot), "card": CARD_NAMES.name(card)})
                self.knows[slot] |= listeners
                if to == ALL:
                    self.looked[slot] |= listeners | i64(1) << me
        self._said(SHOWN, me, listeners, week, -1, 0)
        self.reveals += 1
        if self.events is not None:
            self.events.append(event("whisper", shown))

    def _sell(self, me: i64, to: i64, slot: i64, card: i64, price: i64) -> None:
        at = TALK_SIZE * me
        self.talk[at + SELL_TO] = to
        self.talk[at + SELL_AT] = slot
        self.talk[at + SELL_CARD] = card
        self.talk[at + SELL_PRICE] = price
        self._said(OFFERED, me, i64(1) << to, slot, -1, price)
        if self.events is not None:
            words = {**_words("offered", me, to, slot), "price": int(price) * BILL}
            private = {int(me): {**words, "card": CARD_NAMES.name(card)}, int(to): words}
            self.events.append(event("whisper", private))

    def _ask(self, me: i64, to: i64, slot: i64, price: i64) -> None:
        at = TALK_SIZE * me
        self.talk[at + ASK_TO] = to
        self.talk[at + ASK_AT] = slot
        self.talk[at + ASK_PRICE] = price
        self.talk[at + ASK_NO] = 0
        self._said(ASKED, me, self._listeners(me, to), slot, -1, price)
        if self.events is not None:
            words = {**_words("asked", me, to, slot), "price": int(price) * BILL}
            if to == ALL:
                self.events.append(event("asked", **words))
            else:
                self._whisper(i64(1) << me | i64(1) << to, words)

    def _request(self, me: i64, to: i64, amount: i64) -> None:
        at = TALK_SIZE * me
        self.talk[at + ASK_TO] = to
        self.talk[at + ASK_AT] = MONEY
        self.talk[at + ASK_PRICE] = amount
        self.talk[at + ASK_NO] = 0
        self._said(REQUESTED, me, self._listeners(me, to), 0, -1, 0)
        if self.events is not None:
            words = {"what": "requested", "seat": int(me), "to": _name(to), "amount": int(amount) * BILL}
            if to == ALL:
                self.events.append(event("requested", **words))
            else:
                self._whisper(i64(1) << me | i64(1) << to, words)

    def _help(self, me: i64, asker: i64) -> None:
        self._hand_over(me, asker, self.talk[TALK_SIZE * asker + ASK_PRICE], False)
        self._whisper(0, {})
        self._end_question(asker)

    def _next_to_help(self, asker: i64) -> i64:
        """The next one clockwise of all those asked for money who could give it and has not said no; -1 for nobody."""
        at = TALK_SIZE * asker
        if self.talk[at + ASK_TO] == ALL and self.talk[at + ASK_AT] == MONEY:
            for ahead in range(i64(1), self.seats):
                other = (asker + ahead) % self.seats
                able = self.place[other] != OUT and self.money[other] >= self.talk[at + ASK_PRICE]
                if able and not self.talk[at + ASK_NO] >> other & 1:
                    return other
        return -1

    def _deny(self, me: i64, asker: i64) -> None:
        """Say no. A question to one is over with that; one to all, when all have said so."""
        at = TALK_SIZE * asker
        to = self.talk[at + ASK_TO]
        self.talk[at + ASK_NO] |= i64(1) << me
        self._said(DENIED, me, i64(1) << asker, 0, -1, 0)
        if self.events is not None:
            words: dict[str, Any] = {"what": "denied", "seat": int(me), "to": int(asker)}
            if to == ALL:
                self.events.append(event("denied", **words))
            else:
                self._whisper(i64(1) << me | i64(1) << asker, words)
        if self._listeners(asker, to) & ~self.talk[at + ASK_NO] == 0:
            self._end_question(asker)

    def _withdraw(self, me: i64) -> None:
        """Take back one's offer and one's question, as far as they are open; the others see them gone."""
        for field in range(TALK_SIZE * me + SELL_TO, TALK_SIZE * (me + 1)):
            self.talk[field] = -1
        self._whisper(i64(1) << me, {"what": "withdrawn", "seat": int(me)})

    def _buy(self, me: i64, seller: i64) -> None:
        at = TALK_SIZE * seller
        slot = self.talk[at + SELL_AT]
        card = self.talk[at + SELL_CARD]
        self._hand_over(me, seller, self.talk[at + SELL_PRICE], True)
        self._hear(me, seller, slot, card)
        self._said(TOLD, seller, i64(1) << me, slot, card, 0)
        self.reveals += 1
        if self.events is not None:
            words = {**_words("told", seller, me, slot), "card": CARD_NAMES.name(card)}
            self._whisper(i64(1) << me | i64(1) << seller, words)
        self._end_offer(seller)

    def _refuse(self, me: i64, seller: i64) -> None:
        self._said(REFUSED, me, i64(1) << seller, 0, -1, 0)
        if self.events is not None:
            words = {"what": "refused", "seat": int(me), "to": int(seller)}
            self._whisper(i64(1) << me | i64(1) << seller, words)
        self._end_offer(seller)

    def _answer(self, me: i64, asker: i64, card: i64) -> None:
        at = TALK_SIZE * asker
        slot = self.talk[at + ASK_AT]
        price = self.talk[at + ASK_PRICE]
        if price:
            self._hand_over(asker, me, price, True)
        self._hear(asker, me, slot, card)
        self._said(TOLD, me, i64(1) << asker, slot, card, 0)
        self.reveals += 1
        public = self.talk[at + ASK_TO] == ALL
        if self.events is not None:
            words = {**_words("told", me, asker, slot), "card": CARD_NAMES.name(card)}
            self._whisper(i64(1) << me | i64(1) << asker, words)
            if public:
                self.events.append(event("answered", seat=int(asker), by=int(me)))
        self._end_question(asker)

    def _end_question(self, asker: i64) -> None:
        for field in range(TALK_SIZE * asker + ASK_TO, TALK_SIZE * (asker + 1)):
            self.talk[field] = -1

    def _end_offer(self, seller: i64) -> None:
        for field in range(TALK_SIZE * seller + SELL_TO, TALK_SIZE * seller + ASK_TO):
            self.talk[field] = -1

    def _nobody_hears(self, gone: i64) -> None:
        """A seat has travelled out: what it said, and what was being said to it alone, is dropped."""
        self._forget_talk(gone)
        for other in range(self.seats):
            at = TALK_SIZE * other
            if self.talk[at + TO] == gone:
                self.talk[at + TO] = -1
                self.talk[at + ABOUT] = -1
            if self.talk[at + SELL_TO] == gone:
                self._end_offer(other)
            if self.talk[at + ASK_TO] == gone:
                self._end_question(other)

    def _talk_of_revealed_cards_is_over(self) -> None:
        """What is about a card that has been turned up, or about money, lapses; nobody is talking any more."""
        for seat in range(self.seats):
            at = TALK_SIZE * seat
            self.talk[at + TO] = -1
            self.talk[at + ABOUT] = -1
            if self.talk[at + SELL_TO] >= 0 and not self.hidden(self.talk[at + SELL_AT]):
                self._end_offer(seat)
            asked = self.talk[at + ASK_AT]
            if asked == MONEY or (asked >= 0 and not self.hidden(asked)):
                self._end_question(seat)

    def _talk_of_the_day_is_over(self) -> None:
        """Everybody may turn to others again; who asked for money asked for it today."""
        for seat in range(self.seats):
            self.talk[TALK_SIZE * seat + TALKS] = 0
            if self.talk[TALK_SIZE * seat + ASK_AT] == MONEY:
                self._end_question(seat)


def _name(to: i64) -> Any:
    return "all" if to == ALL else int(to)


def _square(slot: i64) -> dict[str, Any]:
    return {"day": DAYS[slot // SIDE], "square": int(slot % SIDE) + 1}


def _words(what: str, seat: i64, to: i64, slot: i64) -> dict[str, Any]:
    return {"what": what, "seat": int(seat), "to": _name(to), **_square(slot)}
