# compiled
"""Writes what a seat knows of talk and notes in The Journey: Istanbul as numbers (see `encoder.py`)."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from grandtour.games.journey_istanbul.features import CLAIMED, features
from grandtour.games.journey_istanbul.mechanics.planner import BOX_COUNT, NOTE_BITS
from grandtour.games.journey_istanbul.mechanics.talk import DENIED, REQUESTED, SAID, SHOWN
from grandtour.games.journey_istanbul.parts import (
    ALL,
    AMOUNTS,
    MAX_NOTES_PER_DAY,
    MAX_TALKS_PER_DAY,
    N_DAYS,
    SQUARES,
    SUBJECTS,
    WEEKS,
    statement_name,
)
from grandtour.games.journey_istanbul.rules import State
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
    PAGE,
    REPLY_CARD,
    REPLY_TO,
    SELL_AT,
    SELL_CARD,
    SELL_PRICE,
    SELL_TO,
    SHOWN_BIT,
    STATEMENT,
    STATEMENTS,
    SUBJECT,
    TALK_SIZE,
    TALKS,
    TO,
)
from grandtour.rl.encoder import Encoder as Base


class TalkEncoder(Base):
    def __init__(self, seats: int) -> None:
        super().__init__(features(seats))
        first = self.place("planner.1st 1.written")
        claims: list[int] = [0] * (N_DAYS * STATEMENTS)
        for day in range(N_DAYS):
            for said in range(1, len(SUBJECTS) * len(AMOUNTS) + 1):
                kind = CLAIMED[statement_name(day, said)]
                claims[STATEMENTS * day + said] = self.place(f"planner.1st 1.written.{kind}") - first
        self.claims = vec[i64](claims)  # which of its day's cards a statement is about
        self.written: i64 = first
        self.heard: i64 = self.place("planner.1st 1.heard")
        self.told: i64 = self.place("planner.1st 1.told")
        self.entry: i64 = self.place("planner.1st 2") - first
        self.saying: i64 = self.place("planner.1st 1.heard.+1") - self.heard
        self.true: i64 = self.place("trust.you.true")
        self.false: i64 = self.place("trust.you.false")
        self.trust: i64 = self.place("trust.+1") - self.place("trust.you")
        self.sale: i64 = self.place("offers.you.there")
        self.sale_to: i64 = self.place("offers.you.to") - self.sale
        self.sale_at: i64 = self.place("offers.you.day") - self.sale
        self.sale_price: i64 = self.place("offers.you.price")
        self.sale_card: i64 = self.place("offers.you.card") - self.sale
        self.sales: i64 = self.place("offers.+1") - self.sale
        self.question: i64 = self.place("questions.you.there")
        self.asked_to: i64 = self.place("questions.you.to") - self.question
        self.noes: i64 = self.place("questions.you.noes") - self.question
        self.asked_at: i64 = self.place("questions.you.day") - self.question
        self.price: i64 = self.place("questions.you.price")
        self.answers: i64 = self.place("questions.you.answers") - self.question
        self.questions: i64 = self.place("questions.+1") - self.question
        self.request: i64 = self.place("requests.you.there")
        self.amount: i64 = self.place("requests.you.amount")
        self.requests: i64 = self.place("requests.+1") - self.request
        self.reply: i64 = self.place("reply.there")
        self.reply_to: i64 = self.place("reply.to")
        self.reply_at: i64 = self.place("reply.day")
        self.reply_card: i64 = self.place("reply.card")
        self.talks_left: i64 = self.place("talks_left")
        self.notes_left: i64 = self.place("notes_left")
        self.notes: i64 = self.place("notes.1.boxes")
        self.note: i64 = self.place("notes.1.note") - self.notes
        self.noted: i64 = self.place("notes.2") - self.notes
        self.page: i64 = self.place("pages.you.there")
        self.weeks: i64 = self.place("pages.you.weeks") - self.page
        self.days: i64 = self.place("pages.you.days") - self.page
        self.pages: i64 = self.place("pages.+1") - self.page
        self.dialogue: i64 = self.place("dialogue.there")
        self.listener: i64 = self.place("dialogue.to")
        self.about: i64 = self.place("dialogue.about.day")
        self.about_page: i64 = self.place("dialogue.page")
        self.subject: i64 = self.place("dialogue.subject")
        self.statement: i64 = self.place("dialogue.statement")
        self.answering: i64 = self.place("dialogue.answering")
        self.words: i64 = self.place("words.count")
        self.what: i64 = self.place(f"words.last.what.{SAID[0]}")
        self.speaker: i64 = self.place("words.last.from")
        self.week: i64 = self.place("words.last.week")
        self.last_at: i64 = self.place("words.last.day")
        self.last_card: i64 = self.place("words.last.card")
        self.last_price: i64 = self.place("words.last.price")

    def encode_talk(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        seats = state.seats
        for other in range(seats):
            turn = (other - me + seats) % seats
            pair = 2 * (seats * me + other)
            self.put(out, at, self.true + self.trust * turn, state.truths[pair])
            self.put(out, at, self.false + self.trust * turn, state.truths[pair + 1])
            self._claims(state, state.heard, N_DAYS * (seats * me + other), self.heard + self.saying * turn, out, at)
            self._claims(state, state.heard, N_DAYS * (seats * other + me), self.told + self.saying * turn, out, at)
            self._asked(state, me, other, out, at)
            self._sale(state, me, other, out, at)
            self._shown(state, me, other, out, at)
        self._claims(state, state.written, N_DAYS * me, self.written, out, at)
        for week in range(i64(WEEKS)):
            n = WEEKS * me + week
            self._notes(state.boxes[n], state.notes[n], out, at + self.notes + self.noted * N_DAYS * week)
        mine = TALK_SIZE * me
        self.put(out, at, self.talks_left, MAX_TALKS_PER_DAY - state.talk[mine + TALKS])
        if state.version > 1:
            self.put(out, at, self.notes_left, MAX_NOTES_PER_DAY - state.talk[mine + NOTES_WRITTEN])
        self.put(out, at, self.words, state.talk[mine + MESSAGES])
        self._reply(state, me, out, at)
        self._dialogue(state, me, out, at)
        self._last_words(state, me, out, at)

    def _claims(self, state: State, said: vec[i64], first: i64, place: i64, out: vec[u8], at: i64) -> None:
        """Write what was said or noted about the face-down cards."""
        for row in range(i64(N_DAYS)):
            line = said[first + row]
            slot = SQUARES * row
            while line:
                claim = line & 255
                if claim and state.hidden(slot):
                    there = at + place + self.entry * slot
                    if place != self.written:
                        out[there] = 1
                        there += 1
                    out[there + self.claims[STATEMENTS * row + claim]] = 1
                line >>= 8
                slot += 1

    def _square(self, slot: i64, out: vec[u8], place: i64) -> None:
        out[place + slot // SQUARES] = 1
        out[place + N_DAYS + slot % SQUARES] = 1

    def _claim(self, slot: i64, statement: i64, out: vec[u8], place: i64) -> None:
        if statement:
            out[place + self.claims[STATEMENTS * (slot // SQUARES) + statement]] = 1

    def _whom(self, state: State, me: i64, to: i64, out: vec[u8], place: i64) -> None:
        """Write whom a player is talking to: a seat or everybody."""
        out[place + (state.seats if to == ALL else (to - me + state.seats) % state.seats)] = 1

    def _asked(self, state: State, me: i64, asker: i64, out: vec[u8], at: i64) -> None:
        """Write a question or a request for money: to everybody, to this seat, or its own."""
        first = TALK_SIZE * asker
        to = state.talk[first + ASK_TO]
        if to < 0 or (to != ALL and to != me and asker != me):
            return
        seats = state.seats
        turn = (asker - me + seats) % seats
        money = state.talk[first + ASK_AT] == MONEY
        place = at + (self.request + self.requests * turn if money else self.question + self.questions * turn)
        out[place] = 1
        self._whom(state, me, to, out, place + self.asked_to)
        for other in range(seats):
            if state.talk[first + ASK_NO] >> other & 1:
                out[place + self.noes + (other - me + seats) % seats] = 1
        if money:
            self.put(out, at, self.amount + self.requests * turn, state.talk[first + ASK_PRICE])
            return
        self._square(state.talk[first + ASK_AT], out, place + self.asked_at)
        self.put(out, at, self.price + self.questions * turn, state.talk[first + ASK_PRICE])
        for other in range(seats):
            if state.talk[TALK_SIZE * other + REPLY_TO] == asker:
                out[place + self.answers + (other - me + seats) % seats] = 1

    def _sale(self, state: State, me: i64, seller: i64, out: vec[u8], at: i64) -> None:
        """Write an offer to this seat, or its own."""
        first = TALK_SIZE * seller
        to = state.talk[first + SELL_TO]
        if to < 0 or (to != me and seller != me):
            return
        turn = (seller - me + state.seats) % state.seats
        place = at + self.sale + self.sales * turn
        slot = state.talk[first + SELL_AT]
        out[place] = 1
        self._whom(state, me, to, out, place + self.sale_to)
        self._square(slot, out, place + self.sale_at)
        self.put(out, at, self.sale_price + self.sales * turn, state.talk[first + SELL_PRICE])
        if seller == me:
            self._claim(slot, state.talk[first + SELL_CARD], out, place + self.sale_card)

    def _shown(self, state: State, me: i64, other: i64, out: vec[u8], at: i64) -> None:
        """Write the pages of another planner that this seat was shown."""
        first = 2 * WEEKS * (state.seats * me + other)
        place = at + self.page + self.pages * ((other - me + state.seats) % state.seats)
        for week in range(i64(WEEKS)):
            notes = state.pages[first + WEEKS + week]
            if notes >> SHOWN_BIT & 1:
                out[place] = 1
                out[place + self.weeks + week] = 1
                self._notes(state.pages[first + week], notes, out, place + self.days + self.noted * N_DAYS * week)

    def _notes(self, boxes: i64, notes: i64, out: vec[u8], place: i64) -> None:
        """Write the boxes and notes of a week."""
        if not boxes and not notes:
            return
        for day in range(i64(N_DAYS)):
            for box in range(BOX_COUNT):
                out[place + box] = u8(boxes >> (BOX_COUNT * day + box) & 1)
            note = notes >> (NOTE_BITS * day) & 31
            if note:
                out[place + self.note + note - 1] = 1
            place += self.noted

    def _reply(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        """Write the answer that this seat offers to a question."""
        asker = state.talk[TALK_SIZE * me + REPLY_TO]
        if asker < 0:
            return
        slot = state.talk[TALK_SIZE * asker + ASK_AT]
        out[at + self.reply] = 1
        self._whom(state, me, asker, out, at + self.reply_to)
        self._square(slot, out, at + self.reply_at)
        self._claim(slot, state.talk[TALK_SIZE * me + REPLY_CARD], out, at + self.reply_card)

    def _dialogue(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        """Write whom this seat is talking to, about what, and the statement it is making."""
        mine = TALK_SIZE * me
        to = state.talk[mine + TO]
        if to < 0:
            return
        out[at + self.dialogue] = 1
        if to != me:
            self._whom(state, me, to, out, at + self.listener)
        about = state.talk[mine + ABOUT]
        if about > PAGE:
            out[at + self.about_page + about - PAGE - 1] = 1
        elif about >= 0:
            self._square(about, out, at + self.about)
        if state.talk[mine + SUBJECT] >= 0:
            out[at + self.subject + state.talk[mine + SUBJECT]] = 1
        if state.talk[mine + STATEMENT] > 0:
            self._claim(about, state.talk[mine + STATEMENT], out, at + self.statement)
        if state.talk[mine + ANSWERING] >= 0:
            out[at + self.answering] = 1

    def _last_words(self, state: State, me: i64, out: vec[u8], at: i64) -> None:
        """Write the last message to this seat."""
        said = state.talk[TALK_SIZE * me + LAST_MESSAGE]
        if said < 0:
            return
        price = said % 8
        card = said // 8 % STATEMENTS
        about = said // (8 * STATEMENTS) % 32
        speaker = said // (256 * STATEMENTS) % 8
        what = said // (2048 * STATEMENTS)
        out[at + self.what + what] = 1
        self._whom(state, me, speaker, out, at + self.speaker)
        if what == SHOWN:
            self.put(out, at, self.week, about + 1)
        elif what != REQUESTED and what != DENIED:
            self._square(about, out, at + self.last_at)
            self._claim(about, card, out, at + self.last_card)
            self.put(out, at, self.last_price, price)
