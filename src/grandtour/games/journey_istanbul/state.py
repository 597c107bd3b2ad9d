# compiled
"""The fields of a position of The Journey: Istanbul: what is on the table, and who has seen it.

Money is counted in bills of 1 000 TL. The event sheet is a row of squares for each day, -1 for an empty one. A set of
seats, of days or of cards is an int with a bit for each.
"""

from typing import TYPE_CHECKING, Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.state import FastState as Position
from grandtour.games.journey_istanbul.parts import (
    ALL,
    BILL,
    JAIL_DAYS,
    N_CARDS,
    N_DAYS,
    N_PLACES,
    OPPORTUNITIES,
    PLACES,
    POLICE,
    RAIDED_BY_MORE,
    RAIDED_BY_ONE,
    SLOTS,
    SQUARES,
    WEEKS,
    date,
    ordinal_day,
    statement,
)
from grandtour.games.journey_istanbul.parts import CARDS as ALL_CARDS
from grandtour.games.journey_istanbul.parts import OF_DAY as ALL_OF_DAY
from grandtour.games.journey_istanbul.view_types import Evening

if TYPE_CHECKING:
    from grandtour.engine.state import Shared

SQUARE_BASE: Final = 32
"""`peeked` is a number in this base: one digit for each square looked at in a turn, counted from 1."""
SHOWN_BIT: Final = 40
"""The bit of a page's notes that is set when it is shown."""
STATEMENTS: Final = 256
"""More than the highest number of a statement."""

# The fields of a seat's talk, stored one after another in `talk`: how often it has talked to others today; how many
# messages it got; how often it wrote in its planner; the last message; whom it is talking to (itself if it writes in
# its planner), about which square, the subject and the whole of its statement, and whether that answers a question; its
# offer; its question or request for money, and who has refused; the question that it offers to answer, and the answer.
TALK_SIZE: Final = 19
TALKS: Final = 0
MESSAGES: Final = 1
NOTES_WRITTEN: Final = 2
LAST_MESSAGE: Final = 3
TO: Final = 4
ABOUT: Final = 5
SUBJECT: Final = 6
STATEMENT: Final = 7
ANSWERING: Final = 8
SELL_TO: Final = 9
SELL_AT: Final = 10
SELL_CARD: Final = 11
SELL_PRICE: Final = 12
ASK_TO: Final = 13
ASK_AT: Final = 14
ASK_PRICE: Final = 15
ASK_NO: Final = 16
REPLY_TO: Final = 17
REPLY_CARD: Final = 18
MONEY: Final[i64] = SLOTS  # in place of a square: a request for money
PAGE: Final = 40  # in place of a square: this number plus an absolute day is a day of the planner

# The fields of `evening`, the last evening: its day, the cards turned up, the seats affected in each way, and the card
# on each square (its rank from 1, three bits per square).
EVENING_SIZE: Final = 7
EV_DAY: Final = 0
EV_CARDS: Final = 1
EV_COMPLETED: Final = 2
EV_FINED: Final = 3
EV_JAILED: Final = 4
EV_SPARED: Final = 5
EV_SQUARES: Final = 6

DAY_OF: Final = vec[i64]([card.day for card in ALL_CARDS])
OF_DAY: Final = vec[i64]([card for day in ALL_OF_DAY for card in day])
RANK: Final = vec[i64]([ALL_OF_DAY[card.day].index(number) for number, card in enumerate(ALL_CARDS)])
"""The index of a card among the six of its day."""
BIT: Final = vec[i64]([2**i for i in range(60)])
"""A set of one card. In compiled code a shifted literal has only 32 bits, enough for seats, days and squares."""
STATEMENT_OF: Final = vec[i64]([statement(card) for card in ALL_CARDS])
"""The statement that describes each card."""
CARD_STATED: Final = vec[i64](
    [
        next((card for card in day if statement(ALL_CARDS[card]) == said), -1)
        for day in ALL_OF_DAY
        for said in range(STATEMENTS)
    ]
)
"""The card that a statement about a card of a day describes, at `STATEMENTS * day + statement`; -1 if there is none."""


class Table(Position):
    """A position of The Journey: Istanbul, without its rules."""

    def __init__(self) -> None:
        super().__init__()
        self.ranked = True  # whether a winner is declared
        self.day: i64 = 1  # from 1 to 18
        self.starter: i64 = 0
        self.turn: i64 = 0  # whose turn it is, or who is offered something
        self.step: i64 = 0
        self.looks: i64 = 0  # how many cards can still be looked at in this turn
        self.freed = False  # whether the turn's player left jail in this turn
        self.bank: i64 = 0
        self.sheet = vec[i64]()
        self.looked = vec[i64]()  # who has looked at the card on a square or drew it, which everybody knows
        self.knows = vec[i64]()  # who knows the card, including from a planner
        self.peeked = vec[i64]()  # the squares that each seat looked at in its last turn, as digits from 1 in base 32
        self.sideways: i64 = 0  # the squares whose card lies sideways
        self.revealed: i64 = 0  # the cards turned up today
        self.gone: i64 = 0  # the cards discarded face up or put beside the board
        self.deck = vec[i64]()
        self.drawn: i64 = 0
        self.buried: Shared = vec[i64]()  # for each day, the card that found its row full; then who drew each
        self.place = vec[i64]()
        self.arrived = vec[i64]()  # when each marker arrived; later ones lie higher in the pile
        self.arrivals: i64 = 0
        self.money = vec[i64]()
        self.obstacle: Shared = vec[i64]()
        self.opportunity: Shared = vec[i64]()
        self.visits = vec[i64]()  # the days on which each seat was in each place
        self.left = vec[i64]()  # each seat's last day in Taksim before leaving it; 0 for never
        self.paid = vec[i64]()  # how often a part of the obstacle was paid for
        self.done: i64 = 0  # the seats that have completed their obstacle
        self.bonus = vec[i64]()  # the day on which the opportunity was completed; 0 for not yet
        self.release = vec[i64]()
        self.fine_card = vec[i64]()  # the raid a jailed seat's marker lies on
        self.fined: i64 = 0  # seats that paid a fine today
        self.out_day: Shared = vec[i64]()
        self.out_cost: Shared = vec[i64]()
        self.evening = vec[i64]()
        self.card: i64 = -1  # the journey or work on offer
        self.asked: i64 = 0  # the seats that were offered it
        self.talk = vec[i64]()
        self.heard: Shared = vec[i64]()  # what each seat was told by each: one int per row, eight bits per square
        self.truths: Shared = vec[i64]()  # how many of these proved true, and how many false
        self.written = vec[i64]()  # what each seat has in its planner about each square, like `heard`
        self.boxes: Shared = vec[i64]()  # the boxes that each seat has ticked: one int per week, ten bits per day
        self.notes: Shared = vec[i64]()  # what each seat has noted: one int per week, five bits per day
        self.pages: Shared = vec[i64]()  # what each seat was shown of each planner last: boxes of the weeks, then notes

    def _lay_out(self) -> None:
        """Set up an empty table for this number of seats, with the deck in order."""
        seats: int = self.seats
        self.sheet = vec[i64]([-1] * SLOTS)
        self.looked = vec[i64]([0] * SLOTS)
        self.knows = vec[i64]([0] * SLOTS)
        self.peeked = vec[i64]([0] * seats)
        self.deck = vec[i64](list(range(N_CARDS)))
        self.buried = vec[i64]([-1] * (2 * N_DAYS))
        self.arrived = vec[i64]([0] * seats)
        self.visits = vec[i64]([0] * (N_PLACES * seats))
        self.left = vec[i64]([0] * seats)
        self.paid = vec[i64]([0] * seats)
        self.bonus = vec[i64]([0] * seats)
        self.release = vec[i64]([0] * seats)
        self.out_day = vec[i64]([0] * seats)
        self.out_cost = vec[i64]([0] * seats)
        self.fine_card = vec[i64]([-1] * seats)
        self.evening = vec[i64]([0] * EVENING_SIZE)
        silence: list[int] = ([0] * LAST_MESSAGE + [-1] * (TALK_SIZE - LAST_MESSAGE)) * seats
        self.talk = vec[i64](silence)
        self.heard = vec[i64]([0] * (N_DAYS * seats * seats))
        self.truths = vec[i64]([0] * (2 * seats * seats))
        self.written = vec[i64]([0] * (N_DAYS * seats))
        self.boxes = vec[i64]([0] * (WEEKS * seats))
        self.notes = vec[i64]([0] * (WEEKS * seats))
        self.pages = vec[i64]([0] * (2 * WEEKS * seats * seats))

    def memory(self, seat: int) -> dict[str, Any]:
        return {
            "order of arrival": (self.arrivals, list(self.arrived)),
            "stays": [list(self.visits), list(self.left), list(self.paid)],
            "jail": [list(self.release), list(self.fine_card), self.freed],
            "those who left": [list(self.out_day), list(self.out_cost)],
            "evening": list(self.evening),
            "cards turned": (self.card, self.asked, self.revealed, self.sideways),
            "backs": [-1 if card < 0 else DAY_OF[card] for card in self.sheet],
            "cards known": [know >> seat & 1 for know in self.knows],
            "own talk": list(self.talk[TALK_SIZE * seat : TALK_SIZE * (seat + 1)]),
            "who said no": [
                self.talk[at + ASK_NO] if self.talk[at + ASK_TO] in (seat, ALL) else None
                for at in range(0, TALK_SIZE * self.seats, TALK_SIZE)
            ],
            "who would answer whom": [self.talk[TALK_SIZE * other + REPLY_TO] for other in range(self.seats)],
        }

    def row(self) -> i64:
        """The row of the current day."""
        return (self.day - 1) % N_DAYS

    def due(self, slot: i64) -> i64:
        """The day on which a card on this square will be turned up."""
        ahead = (slot // SQUARES - self.row() + N_DAYS) % N_DAYS
        if ahead == 0 and self.sideways >> slot & 1:
            ahead = N_DAYS
        return self.day + ahead

    def hidden(self, slot: i64) -> bool:
        """Whether a card lies face down on this square."""
        card = self.sheet[slot]
        return card >= 0 and not self.revealed >> card & 1

    def _may_look(self, seat: i64, slot: i64) -> bool:
        """Any card may be looked at, even again; under version 1 of the rules, only one not looked at yet."""
        return self.sheet[slot] >= 0 and (self.version > 1 or not self.looked[slot] >> seat & 1)

    def known(self, seat: i64, slot: i64) -> i64:
        """The card that lies face down on this square, if the seat knows it; otherwise -1."""
        if self.hidden(slot) and self.knows[slot] >> seat & 1:
            return self.sheet[slot]
        return -1

    def claim(self, listener: i64, speaker: i64, slot: i64) -> i64:
        """What a speaker has told a listener about the card on a square, as a statement; 0 for nothing."""
        return self.heard[N_DAYS * (self.seats * listener + speaker) + slot // SQUARES] >> (8 * (slot % SQUARES)) & 255

    def entry(self, seat: i64, slot: i64) -> i64:
        """What a seat has written in its planner about the card on a square, true or not; 0 for nothing."""
        return self.written[N_DAYS * seat + slot // SQUARES] >> (8 * (slot % SQUARES)) & 255

    def _hear(self, listener: i64, speaker: i64, slot: i64, said: i64) -> None:
        at = N_DAYS * (self.seats * listener + speaker) + slot // SQUARES
        shift = 8 * (slot % SQUARES)
        heard = self.heard[:]
        heard[at] = heard[at] & ~(255 * BIT[shift]) | said << shift
        self.heard = heard

    def _write(self, seat: i64, slot: i64, said: i64) -> None:
        at = N_DAYS * seat + slot // SQUARES
        shift = 8 * (slot % SQUARES)
        self.written[at] = self.written[at] & ~(255 * BIT[shift]) | said << shift

    def _judge(self, slot: i64) -> None:
        """Turn up a card: record who told the truth about it, and drop what was said and written about it."""
        for listener in range(self.seats):
            for speaker in range(self.seats):
                said = self.claim(listener, speaker, slot)
                if said:
                    true = said == STATEMENT_OF[self.sheet[slot]]
                    truths = self.truths[:]
                    truths[2 * (self.seats * listener + speaker) + (0 if true else 1)] += 1
                    self.truths = truths
                    self._hear(listener, speaker, slot, 0)
            self._write(listener, slot, 0)

    def _discard(self) -> None:
        """Take the cards that lie face up off the sheet and turn the others upright."""
        for slot in range(SQUARES * self.row(), SQUARES * self.row() + SQUARES):
            card = self.sheet[slot]
            if card >= 0 and self.revealed >> card & 1:
                self.gone |= BIT[card]
                self.sheet[slot] = -1
                self.looked[slot] = 0
                self.knows[slot] = 0
        self.sideways = 0
        self.revealed = 0
        self.card = -1
        self.asked = 0

    def census(self) -> list[int]:
        cards = [0] * N_CARDS
        for card in [*self.sheet, *self.deck[self.drawn :], *self.buried[:N_DAYS]]:
            if card >= 0:
                cards[card] += 1
        for number in range(N_CARDS):
            cards[number] += self.gone >> number & 1
        return [*cards, self.bank + sum(self.money)]

    def _stop_talking(self, seat: i64) -> None:
        """End the talk of a seat."""
        for field in range(TALK_SIZE * seat + TO, TALK_SIZE * seat + SELL_TO):
            self.talk[field] = -1

    def _forget_talk(self, seat: i64) -> None:
        """Drop a seat's statement, offer and question."""
        for field in range(TALK_SIZE * seat + TO, TALK_SIZE * (seat + 1)):
            self.talk[field] = -1


def last_evening(state: Table) -> Evening:
    """The events of the last evening: the cards turned up, and whom the police fined, jailed or spared."""
    evening = state.evening
    day = int(evening[EV_DAY])
    up = [card for number, card in enumerate(ALL_CARDS) if evening[EV_CARDS] >> number & 1]
    fines = [card.amount for card in up if card.kind == POLICE]
    where: list[int] = [] if not fines else RAIDED_BY_ONE if len(fines) == 1 else RAIDED_BY_MORE
    ranks = [int(evening[EV_SQUARES] >> 3 * square & 7) for square in range(SQUARES)]
    of_day = ALL_OF_DAY[ordinal_day(day)]
    lay = [(square, of_day[rank - 1]) for square, rank in enumerate(ranks, 1) if rank]
    return {
        "day": day,
        "date": date(day) if day else "",
        "cards": [card.name for card in up],
        "squares": [{"square": square, "card": ALL_CARDS[card].name} for square, card in lay],
        "raids": len(fines),
        "fine": min(fines, default=0) * BILL,
        "raided": [PLACES[place] for place in where],
        "until": day + JAIL_DAYS,
        "cards_completed": [
            OPPORTUNITIES[state.opportunity[seat]] for seat in range(state.seats) if evening[EV_COMPLETED] >> seat & 1
        ],
        "completed": _seats(state, EV_COMPLETED),
        "fined": _seats(state, EV_FINED),
        "jailed": _seats(state, EV_JAILED),
        "spared": _seats(state, EV_SPARED),
    }


def _seats(state: Table, field: int) -> list[int]:
    """The seats in one field of the last evening."""
    return [seat for seat in range(state.seats) if state.evening[field] >> seat & 1]
