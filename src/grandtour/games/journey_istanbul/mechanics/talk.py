# compiled
"""Money and statements between players, at any time: who may say what to whom, and its effects."""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.events import event
from grandtour.engine.state import write_run
from grandtour.games.journey_istanbul.mechanics.moves import (
    ACCEPT,
    AMOUNT,
    ANSWER,
    ASK,
    BUY,
    CLAIM,
    DENY,
    GIVE,
    HELP,
    HUSH,
    OFFER,
    POINT,
    REFUSE,
    REPLY,
    REQUEST,
    SELL,
    SHOW,
    STATE,
    TALK,
    TELL,
    WITHDRAW,
    WRITE,
)
from grandtour.games.journey_istanbul.mechanics.planner import Planner, name_of, square_of
from grandtour.games.journey_istanbul.parts import (
    ALL,
    AMOUNTS,
    ANSWER_PRICES,
    BILL,
    GIFT_AMOUNTS,
    MAX_TALKS_PER_DAY,
    N_CARDS,
    N_DAYS,
    OUT,
    PRICES,
    REQUEST_AMOUNTS,
    SLOTS,
    SQUARES,
    SUBJECTS,
    WEEKS,
    statement_name,
)
from grandtour.games.journey_istanbul.state import (
    ABOUT,
    ANSWERING,
    ASK_AT,
    ASK_NO,
    ASK_PRICE,
    ASK_TO,
    LAST_MESSAGE,
    MESSAGES,
    MONEY,
    NOTES_WRITTEN,
    OF_DAY,
    PAGE,
    REPLY_CARD,
    REPLY_TO,
    SELL_AT,
    SELL_CARD,
    SELL_PRICE,
    SELL_TO,
    STATEMENT,
    STATEMENT_OF,
    SUBJECT,
    TALK_SIZE,
    TALKS,
    TO,
)

MAX_TALKS: Final[i64] = MAX_TALKS_PER_DAY
GIFT_SUMS: Final = vec[i64](list(GIFT_AMOUNTS))
SALE_PRICES: Final = vec[i64](list(PRICES))
QUESTION_PRICES: Final = vec[i64](list(ANSWER_PRICES))
REQUEST_SUMS: Final = vec[i64](list(REQUEST_AMOUNTS))
SUBJECT_COUNT: Final[i64] = len(SUBJECTS)
SUM_COUNT: Final[i64] = len(AMOUNTS)

TOLD: Final = 0
SHOWN: Final = 1
OFFERED: Final = 2
ASKED: Final = 3
REFUSED: Final = 4
REQUESTED: Final = 5
DENIED: Final = 6
ANSWERED: Final = 7
SAYING: Final = 8 * 32 * 256 * 8  # the number of ways to store speaker, square, statement and price of a message
SAID: Final = ("told", "shown", "offered", "asked", "refused", "requested", "denied", "answering")


class Talk(Planner):
    """The rules for talking and giving money, which is possible out of turn."""

    def _talk_moves(self, me: i64, moves: vec[i64], count: i64) -> i64:
        """Append the moves for talking, giving, answering and buying to the `count` moves already in the list."""
        talk = self.talk
        at = TALK_SIZE * me
        to = talk[at + TO]
        about = talk[at + ABOUT]
        if to < 0:
            if talk[at + TALKS] < MAX_TALKS:
                before = count
                for other in range(self.seats):
                    if other != me and self.place[other] != OUT:
                        moves[count] = TALK + other
                        count += 1
                if count > before:
                    moves[count] = TALK + ALL
                    count += 1
        elif about < 0:
            if to != ALL and to != me:
                for i in range(i64(len(GIFT_SUMS))):
                    if GIFT_SUMS[i] <= self.money[me]:
                        moves[count] = GIVE + i
                        count += 1
            weeks: i64 = 0 if self.version == 1 else 7
            for slot in range(i64(SLOTS)):
                if self.hidden(slot):
                    moves[count] = POINT + slot
                    count += 1
                    if weeks < 7 and self.knows[slot] >> me & 1:
                        weeks |= i64(1) << ((self.due(slot) - 1) // N_DAYS)
            if to != me:
                for week in range(i64(WEEKS)):
                    if weeks >> week & 1:
                        moves[count] = SHOW + week
                        count += 1
            moves[count] = HUSH
            count += 1
        else:
            if self.version == 1:
                first = N_DAYS * (about // SQUARES)
                for rank in range(first, first + N_DAYS):
                    moves[count] = TELL + OF_DAY[rank]
                    count += 1
                if to != ALL:
                    for rank in range(first, first + N_DAYS):
                        sell = SELL + len(SALE_PRICES) * OF_DAY[rank]
                        count = write_run(moves, count, sell, sell + len(SALE_PRICES))
            if to != me and talk[at + ANSWERING] < 0 and talk[at + SUBJECT] < 0:
                for i in range(i64(len(QUESTION_PRICES))):
                    if QUESTION_PRICES[i] <= self.money[me]:
                        moves[count] = ASK + i
                        count += 1
            moves[count] = HUSH
            count += 1
        if talk[at + SELL_TO] >= 0 or talk[at + ASK_TO] >= 0 or talk[at + REPLY_TO] >= 0:
            moves[count] = WITHDRAW
            count += 1
        count = self._reply_moves(me, moves, count)
        if to >= 0 and to != me and about < 0:
            count = write_run(moves, count, REQUEST, REQUEST + len(REQUEST_SUMS))
        count = self._request_moves(me, moves, count)
        if self.version > 1:
            count = self._statement_moves(me, moves, count)
            count = self._planner_moves(me, moves, count)
        return count

    def _statement_moves(self, me: i64, moves: vec[i64], count: i64) -> i64:
        """Write the moves for making a statement, and for offering an answer or accepting one."""
        talk = self.talk
        at = TALK_SIZE * me
        to = talk[at + TO]
        if 0 <= talk[at + ABOUT] < PAGE and (talk[at + ANSWERING] < 0 or self._can_pay_for_an_answer(to)):
            if talk[at + SUBJECT] < 0:
                count = write_run(moves, count, CLAIM, CLAIM + SUBJECT_COUNT)
            elif talk[at + STATEMENT] < 0:
                count = write_run(moves, count, AMOUNT, AMOUNT + SUM_COUNT)
            else:
                moves[count] = STATE
                count += 1
                if to != ALL:
                    count = write_run(moves, count, OFFER, OFFER + len(SALE_PRICES))
        if to < 0 and talk[at + TALKS] < MAX_TALKS:
            for other in range(self.seats):
                if self._asks_about_a_card(other, me) and self._can_pay_for_an_answer(other):
                    moves[count] = REPLY + other
                    count += 1
        if self._can_pay_for_an_answer(me):
            for other in range(self.seats):
                if talk[TALK_SIZE * other + REPLY_TO] == me:
                    moves[count] = ACCEPT + other
                    count += 1
        return count

    def _asks_about_a_card(self, asker: i64, me: i64) -> bool:
        to = self.talk[TALK_SIZE * asker + ASK_TO]
        about = self.talk[TALK_SIZE * asker + ASK_AT]
        return asker != me and to >= 0 and about != MONEY and (to == me or to == ALL)  # noqa: SIM109

    def _can_pay_for_an_answer(self, asker: i64) -> bool:
        return self.talk[TALK_SIZE * asker + ASK_PRICE] <= self.money[asker]

    def _reply_moves(self, me: i64, moves: vec[i64], count: i64) -> i64:
        talk = self.talk
        offers: i64 = 0
        questions: i64 = 0
        for other in range(self.seats):
            if talk[TALK_SIZE * other + SELL_TO] == me:
                offers |= i64(1) << other
            if self.version == 1 and self._asks_about_a_card(other, me):
                questions |= i64(1) << other
        if offers:
            for other in range(self.seats):
                if offers >> other & 1 and talk[TALK_SIZE * other + SELL_PRICE] <= self.money[me]:
                    moves[count] = BUY + other
                    count += 1
            for other in range(self.seats):
                if offers >> other & 1:
                    moves[count] = REFUSE + other
                    count += 1
        if questions:
            for other in range(self.seats):
                at = TALK_SIZE * other
                if questions >> other & 1 and self._can_pay_for_an_answer(other):
                    first = N_DAYS * (talk[at + ASK_AT] // SQUARES)
                    for rank in range(first, first + N_DAYS):
                        moves[count] = ANSWER + N_CARDS * other + OF_DAY[rank]
                        count += 1
        return count

    def _request_moves(self, me: i64, moves: vec[i64], count: i64) -> i64:
        """Write the moves for giving money to those who ask for it, and for refusing requests."""
        talk = self.talk
        asking: i64 = 0
        for other in range(self.seats):
            at = TALK_SIZE * other
            to = talk[at + ASK_TO]
            if to >= 0 and other != me and (to == me or to == ALL):  # noqa: SIM109
                asking |= i64(1) << other
                if talk[at + ASK_AT] == MONEY and talk[at + ASK_PRICE] <= self.money[me]:
                    moves[count] = HELP + other
                    count += 1
        if asking:
            for other in range(self.seats):
                if asking >> other & 1 and not talk[TALK_SIZE * other + ASK_NO] >> me & 1:
                    moves[count] = DENY + other
                    count += 1
        return count

    def _play_talk(self, me: i64, m: i64) -> None:
        at = TALK_SIZE * me
        to = self.talk[at + TO]
        slot = self.talk[at + ABOUT]
        if m >= CLAIM:
            if m >= WRITE:
                self._play_planner(me, m)
            else:
                self._play_statement(me, m)
            return
        if m < GIVE:
            self.talk[at + TALKS] += 1
            self.talk[at + TO] = m - TALK
            self._talk_in_private()
            return
        if m < HUSH:
            if POINT <= m < SHOW:
                self.talk[at + ABOUT] = m - POINT
                self._talk_in_private()
                return
            if m < POINT:
                self._hand_over(me, to, GIFT_SUMS[m - GIVE], False)
                self._talk_in_private()
            elif m < TELL:
                self._show(me, to, m - SHOW)
            elif m < SELL:
                self._tell(me, to, slot, STATEMENT_OF[m - TELL])
            elif m < ASK:
                said = STATEMENT_OF[(m - SELL) // len(SALE_PRICES)]
                self._sell(me, to, slot, said, SALE_PRICES[(m - SELL) % len(SALE_PRICES)])
            else:
                self._ask(me, to, slot, QUESTION_PRICES[m - ASK])
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
            self._request(me, to, REQUEST_SUMS[m - REQUEST])
        elif m >= ANSWER:
            self._answer(me, (m - ANSWER) // N_CARDS, STATEMENT_OF[(m - ANSWER) % N_CARDS])
            return
        else:
            self._talk_in_private()
        self._stop_talking(me)

    def _play_statement(self, me: i64, m: i64) -> None:
        at = TALK_SIZE * me
        to = self.talk[at + TO]
        slot = self.talk[at + ABOUT]
        if m < AMOUNT:
            self.talk[at + SUBJECT] = m - CLAIM
            self._talk_in_private()
        elif m < STATE:
            said = 1 + SUM_COUNT * self.talk[at + SUBJECT] + m - AMOUNT
            if to == me:
                self._write(me, slot, said)
                self._stop_talking(me)
                self._talk_in_private()
            elif self.talk[at + ANSWERING] >= 0:
                self._stop_talking(me)
                self._reply(me, to, said)
            else:
                self.talk[at + STATEMENT] = said
                self._talk_in_private()
        elif m < REPLY:
            said = self.talk[at + STATEMENT]
            if m == STATE:
                self._tell(me, to, slot, said)
            else:
                self._sell(me, to, slot, said, SALE_PRICES[m - OFFER])
            self._stop_talking(me)
        elif m < ACCEPT:
            self.talk[at + TALKS] += 1
            self.talk[at + TO] = m - REPLY
            self.talk[at + ABOUT] = self.talk[TALK_SIZE * (m - REPLY) + ASK_AT]
            self.talk[at + ANSWERING] = 1
            self._talk_in_private()
        else:
            self._answer(m - ACCEPT, me, self.talk[TALK_SIZE * (m - ACCEPT) + REPLY_CARD])

    def _reply(self, me: i64, asker: i64, said: i64) -> None:
        """Answer a question. If everybody was asked, for a price, the asker first chooses whose answer to pay for."""
        at = TALK_SIZE * asker
        if self.talk[at + ASK_TO] != ALL or self.talk[at + ASK_PRICE] == 0:
            self._answer(me, asker, said)
            return
        slot = self.talk[at + ASK_AT]
        self.talk[at + ASK_NO] &= ~(i64(1) << me)
        self.talk[TALK_SIZE * me + REPLY_TO] = asker
        self.talk[TALK_SIZE * me + REPLY_CARD] = said
        self._remember(ANSWERED, me, i64(1) << asker, slot, 0, self.talk[at + ASK_PRICE])
        if self.events is not None:
            private = {int(me): {"card": _name(slot, said)}}
            self.events.append(event("answering", private, seat=int(me), to=int(asker), **square_of(slot)))

    def _hand_over(self, seat: i64, to: i64, amount: i64, words: bool) -> None:
        """Move money from one player to another, which everybody sees. Only these two know whether it paid for
        information."""
        self.money[seat] -= amount
        self.money[to] += amount
        if self.version > 1:
            self.reveals += 1  # a gift cannot be taken back, although it reveals nothing
        if self.events is not None:
            private = {int(seat): {"words": words}, int(to): {"words": words}}
            self.events.append(event("gave", private, seat=int(seat), to=int(to), amount=int(amount) * BILL))

    def _remember(self, what: i64, speaker: i64, to: i64, about: i64, said: i64, price: i64) -> None:
        """Store the last message to each of these seats."""
        for seat in range(self.seats):
            if to >> seat & 1:
                self.talk[TALK_SIZE * seat + MESSAGES] += 1
                words = (speaker * 32 + about) * 256 + said
                self.talk[TALK_SIZE * seat + LAST_MESSAGE] = what * SAYING + words * 8 + price

    def _tell(self, me: i64, to: i64, slot: i64, said: i64) -> None:
        listeners = self._listeners(me, to)
        for other in range(self.seats):
            if listeners >> other & 1:
                self._hear(other, me, slot, said)
        self._remember(TOLD, me, listeners, slot, said, 0)
        self.reveals += 1
        if self.events is not None:
            words = {**_message("told", me, to, slot), "card": _name(slot, said)}
            self._whisper(listeners | i64(1) << me, words)

    def _show(self, me: i64, to: i64, week: i64) -> None:
        if self.version == 1:
            self._show_known(me, to, week)
        else:
            self._show_page(me, to, week)
        self._remember(SHOWN, me, self._listeners(me, to), week, 0, 0)
        self.reveals += 1

    def _sell(self, me: i64, to: i64, slot: i64, said: i64, price: i64) -> None:
        at = TALK_SIZE * me
        self.talk[at + SELL_TO] = to
        self.talk[at + SELL_AT] = slot
        self.talk[at + SELL_CARD] = said
        self.talk[at + SELL_PRICE] = price
        self._remember(OFFERED, me, i64(1) << to, slot, 0, price)
        if self.events is not None:
            words = {**_message("offered", me, to, slot), "price": int(price) * BILL}
            private = {int(me): {**words, "card": _name(slot, said)}, int(to): words}
            self.events.append(event("whisper", private))

    def _ask(self, me: i64, to: i64, slot: i64, price: i64) -> None:
        self._end_question(me)
        at = TALK_SIZE * me
        self.talk[at + ASK_TO] = to
        self.talk[at + ASK_AT] = slot
        self.talk[at + ASK_PRICE] = price
        self.talk[at + ASK_NO] = 0
        self._remember(ASKED, me, self._listeners(me, to), slot, 0, price)
        if self.events is not None:
            words = {**_message("asked", me, to, slot), "price": int(price) * BILL}
            if to == ALL:
                self.events.append(event("asked", **words))
            else:
                self._whisper(i64(1) << me | i64(1) << to, words)

    def _request(self, me: i64, to: i64, amount: i64) -> None:
        self._end_question(me)
        at = TALK_SIZE * me
        self.talk[at + ASK_TO] = to
        self.talk[at + ASK_AT] = MONEY
        self.talk[at + ASK_PRICE] = amount
        self.talk[at + ASK_NO] = 0
        self._remember(REQUESTED, me, self._listeners(me, to), 0, 0, 0)
        if self.events is not None:
            words = {"what": "requested", "seat": int(me), "to": name_of(to), "amount": int(amount) * BILL}
            if to == ALL:
                self.events.append(event("requested", **words))
            else:
                self._whisper(i64(1) << me | i64(1) << to, words)

    def _help(self, me: i64, asker: i64) -> None:
        self._hand_over(me, asker, self.talk[TALK_SIZE * asker + ASK_PRICE], False)
        self._talk_in_private()
        self._end_question(asker)

    def _next_to_help(self, asker: i64) -> i64:
        """The next player clockwise who was asked for money, has enough and has not refused; -1 for nobody."""
        at = TALK_SIZE * asker
        if self.talk[at + ASK_TO] == ALL and self.talk[at + ASK_AT] == MONEY:
            for ahead in range(i64(1), self.seats):
                other = (asker + ahead) % self.seats
                able = self.place[other] != OUT and self.money[other] >= self.talk[at + ASK_PRICE]
                if able and not self.talk[at + ASK_NO] >> other & 1:
                    return other
        return -1

    def _deny(self, me: i64, asker: i64) -> None:
        """Refuse a request or question. A question to everybody ends when everyone has refused."""
        at = TALK_SIZE * asker
        to = self.talk[at + ASK_TO]
        self.talk[at + ASK_NO] |= i64(1) << me
        if self.talk[TALK_SIZE * me + REPLY_TO] == asker:
            self._end_reply(me)
        self._remember(DENIED, me, i64(1) << asker, 0, 0, 0)
        if self.events is not None:
            words: dict[str, Any] = {"what": "denied", "seat": int(me), "to": int(asker)}
            if to == ALL:
                self.events.append(event("denied", **words))
            else:
                self._whisper(i64(1) << me | i64(1) << asker, words)
        if self._listeners(asker, to) & ~self.talk[at + ASK_NO] == 0:
            self._end_question(asker)

    def _withdraw(self, me: i64) -> None:
        """Withdraw a seat's open offer and question. The others see that these no longer exist."""
        self._end_offer(me)
        self._end_question(me)
        self._end_reply(me)
        self._whisper(i64(1) << me, {"what": "withdrawn", "seat": int(me)})

    def _buy(self, me: i64, seller: i64) -> None:
        at = TALK_SIZE * seller
        slot = self.talk[at + SELL_AT]
        said = self.talk[at + SELL_CARD]
        self._hand_over(me, seller, self.talk[at + SELL_PRICE], True)
        self._hear(me, seller, slot, said)
        self._remember(TOLD, seller, i64(1) << me, slot, said, 0)
        self.reveals += 1
        if self.events is not None:
            words = {**_message("told", seller, me, slot), "card": _name(slot, said)}
            self._whisper(i64(1) << me | i64(1) << seller, words)
        self._end_offer(seller)

    def _refuse(self, me: i64, seller: i64) -> None:
        self._remember(REFUSED, me, i64(1) << seller, 0, 0, 0)
        if self.events is not None:
            words = {"what": "refused", "seat": int(me), "to": int(seller)}
            self._whisper(i64(1) << me | i64(1) << seller, words)
        self._end_offer(seller)

    def _answer(self, me: i64, asker: i64, said: i64) -> None:
        """Tell the asker an answer, and take the price for it."""
        at = TALK_SIZE * asker
        slot = self.talk[at + ASK_AT]
        price = self.talk[at + ASK_PRICE]
        if price:
            self._hand_over(asker, me, price, True)
        self._hear(asker, me, slot, said)
        self._remember(TOLD, me, i64(1) << asker, slot, said, 0)
        self.reveals += 1
        public = self.talk[at + ASK_TO] == ALL
        if self.events is not None:
            words = {**_message("told", me, asker, slot), "card": _name(slot, said)}
            self._whisper(i64(1) << me | i64(1) << asker, words)
            if public:
                self.events.append(event("answered", seat=int(asker), by=int(me)))
        self._end_question(asker)

    def _end_question(self, asker: i64) -> None:
        """End a question, and all answers that are being prepared."""
        for field in range(TALK_SIZE * asker + ASK_TO, TALK_SIZE * asker + REPLY_TO):
            self.talk[field] = -1
        for other in range(self.seats):
            if self.talk[TALK_SIZE * other + REPLY_TO] == asker:
                self._end_reply(other)
            if self.talk[TALK_SIZE * other + ANSWERING] >= 0 and self.talk[TALK_SIZE * other + TO] == asker:
                self._stop_talking(other)

    def _end_reply(self, seat: i64) -> None:
        self.talk[TALK_SIZE * seat + REPLY_TO] = -1
        self.talk[TALK_SIZE * seat + REPLY_CARD] = -1

    def _end_offer(self, seller: i64) -> None:
        for field in range(TALK_SIZE * seller + SELL_TO, TALK_SIZE * seller + ASK_TO):
            self.talk[field] = -1

    def _end_talk_with(self, gone: i64) -> None:
        """End all talk with a seat that has travelled out."""
        self._end_question(gone)
        self._forget_talk(gone)
        for other in range(self.seats):
            at = TALK_SIZE * other
            if self.talk[at + TO] == gone:
                self._stop_talking(other)
            if self.talk[at + SELL_TO] == gone:
                self._end_offer(other)
            if self.talk[at + ASK_TO] == gone:
                self._end_question(other)

    def _end_talk_of_revealed_cards(self) -> None:
        """End all talks and requests for money, and the offers and questions about cards that have been turned up."""
        for seat in range(self.seats):
            at = TALK_SIZE * seat
            self._stop_talking(seat)
            if self.talk[at + SELL_TO] >= 0 and not self.hidden(self.talk[at + SELL_AT]):
                self._end_offer(seat)
            asked = self.talk[at + ASK_AT]
            if asked == MONEY or (asked >= 0 and not self.hidden(asked)):
                self._end_question(seat)

    def _end_talk_of_the_day(self) -> None:
        """Reset the number of talks per day, and end all requests for money."""
        for seat in range(self.seats):
            self.talk[TALK_SIZE * seat + TALKS] = 0
            self.talk[TALK_SIZE * seat + NOTES_WRITTEN] = 0
            if self.talk[TALK_SIZE * seat + ASK_AT] == MONEY:
                self._end_question(seat)


def _name(slot: i64, said: i64) -> str:
    """The name of a statement about the card on a square, in the form of a card's name."""
    return statement_name(int(slot // SQUARES), int(said))


def _message(what: str, seat: i64, to: i64, slot: i64) -> dict[str, Any]:
    return {"what": what, "seat": int(seat), "to": name_of(to), **square_of(slot)}
