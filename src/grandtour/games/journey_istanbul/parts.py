"""The parts of The Journey: Istanbul: board, event cards, obstacles and opportunities.

The numbers are in `parts.json`, each with its source: printed, derived from what is printed, or invented to fill a gap.
Money is counted in bills of 1 000 TL, except in names. Places, days and cards are small ints.
"""

import json
from importlib.resources import files
from typing import Any, Final, NamedTuple

from grandtour.engine.refusal import Refusal, short
from grandtour.engine.vocabulary import Names, Range

PARTS: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("parts.json").read_text("utf-8"))

PLACES: Final = tuple(place["name"] for place in PARTS["neighbourhoods"])
N_PLACES: Final = 5
TAKSIM: Final = 0
FATIH: Final = 1
SULTANAHMET: Final = 2
USKUDAR: Final = 3
KADIKOY: Final = 4
JAIL: Final = N_PLACES  # in place of a neighbourhood
OUT: Final = N_PLACES + 1

DAYS: Final[tuple[str, ...]] = tuple(PARTS["sheet"]["days"])
N_DAYS: Final = 6
WEEKS: Final = 3
LAST_DAY: Final = WEEKS * N_DAYS
SQUARES: Final = 5
"""Squares for each day of the event sheet."""
SLOTS: Final = N_DAYS * SQUARES
DEALT: Final[int] = PARTS["sheet"]["dealt"]
JAIL_DAYS: Final = 3

BILL: Final = 1000
START_MONEY: Final[int] = PARTS["money"]["start"] // BILL
BANK_MONEY: Final = 1000
"""More than all wages, bonuses and transfers together, so that the bank never runs out of money."""

LINES: Final = [tuple(PLACES.index(name) for name in line["between"]) for line in PARTS["lines"]]
NEIGHBOURS: Final = [
    sorted({b for a, b in LINES if a == place} | {a for a, b in LINES if b == place}) for place in range(len(PLACES))
]
RAIDED_BY_ONE: Final = [PLACES.index(name) for name in PARTS["raided"]["one"]]
RAIDED_BY_MORE: Final = [PLACES.index(name) for name in PARTS["raided"]["more"]]

CARDS_PER_KIND: Final = 12
FIRST_JOURNEY: Final = CARDS_PER_KIND  # the cards of the police come first, then journeys, then work
FIRST_WORK: Final = 2 * CARDS_PER_KIND
N_CARDS: Final = 3 * CARDS_PER_KIND
KINDS: Final = ("police", "journey", "work")
POLICE: Final = 0
JOURNEY: Final = 1
WORK: Final = 2


class Card(NamedTuple):
    """An event card: its type, its day from 0, its place (-1 for a raid), and its fine, cost or wage in bills."""

    kind: int
    day: int
    place: int
    amount: int

    @property
    def name(self) -> str:
        where = f"{PLACES[self.place]}-" if self.place >= 0 else ""
        return f"{DAYS[self.day]}-{KINDS[self.kind]}-{where}{self.amount * BILL}"


def _cards() -> list[Card]:
    """All 36 cards: raids; journeys by place, the cheapest first; work by place, the best paid first.

    At the end of a round they take effect in this order.
    """
    events = PARTS["events"]
    police = [Card(POLICE, DAYS.index(c["day"]), -1, c["fine"] // BILL) for c in events["police"]]
    journeys = [
        Card(JOURNEY, DAYS.index(c["day"]), PLACES.index(c["place"]), c["cost"] // BILL) for c in events["journey"]
    ]
    work = [Card(WORK, DAYS.index(c["day"]), PLACES.index(c["place"]), c["wage"] // BILL) for c in events["work"]]
    return [
        *sorted(police, key=lambda card: (card.day, card.amount)),
        *sorted(journeys, key=lambda card: (card.place, card.amount, card.day)),
        *sorted(work, key=lambda card: (card.place, -card.amount, card.day)),
    ]


CARDS: Final = _cards()
CARD_NAMES: Final = Names(*(card.name for card in CARDS))
OF_DAY: Final = [[number for number, card in enumerate(CARDS) if card.day == day] for day in range(len(DAYS))]
"""The six cards for each day."""

SUBJECTS: Final = ("police", *(f"{kind}-{place}" for kind in ("journey", "work") for place in PLACES))
"""What a statement may be about: a raid, or a journey or work in any neighbourhood, even if no card shows it."""
AMOUNTS: Final = tuple(sorted({card.amount for card in CARDS}))
"""Every amount printed on a card, in bills."""


def statement(card: Card) -> int:
    """The statement that describes a card: its subject and its amount, as a number from 1."""
    where = f"-{PLACES[card.place]}" if card.place >= 0 else ""
    return 1 + len(AMOUNTS) * SUBJECTS.index(KINDS[card.kind] + where) + AMOUNTS.index(card.amount)


def statement_name(day: int, number: int) -> str:
    """The name of a statement about a card of a day (from 0), like a card's name: 3rd-journey-Fatih-12000."""
    subject, amount = divmod(number - 1, len(AMOUNTS))
    return f"{DAYS[day]}-{SUBJECTS[subject]}-{AMOUNTS[amount] * BILL}"


OBSTACLES: Final = [card["name"] for card in PARTS["obstacles"]]
BURDEN: Final = 0
DOCUMENTS: Final = 1
FAMILY: Final = 2
MEDICINE: Final = 3
DEBT: Final = 4
OPPORTUNITIES: Final = [card["name"] for card in PARTS["opportunities"]]
TRANSFER: Final = 0
DRIVER: Final = 1
PERMIT: Final = 2
SOURCE: Final = 3
WORKSHOP: Final = 4

TRANSFER_AMOUNT: Final = 10
TRANSFER_DAYS: Final = 3
DEBT_PAYMENTS: Final = 2
DISCOUNT: Final = 5
EXTRA_WAGE: Final = 3
EXTRA_LOOKS: Final = 2
TASK_PRICE: Final = 1

GIFT_AMOUNTS: Final = (1, 2, 5, 10)
PRICES: Final = tuple(price // BILL for price in PARTS["talk"]["prices"])
ANSWER_PRICES: Final = (0, *PRICES)
REQUEST_AMOUNTS: Final = (1, 2, 3, 4, 5, 7, 10)
MAX_TALKS_PER_DAY: Final = 20
MAX_NOTES_PER_DAY: Final = 15
BOXES: Final = (
    "raid-1",
    "raid-2",
    *(f"{kind}-{PLACES[place]}" for kind in ("journey", "work") for place in RAIDED_BY_MORE),
)
"""The boxes printed for each day of a planner."""
NOTES: Final = tuple(PARTS["planner"]["notes"])
"""The notes that can be made for a day, in the space for free notes."""
MIN_SEATS: Final = 2
MAX_SEATS: Final = 5
ALL: Final = MAX_SEATS
"""Stands for everybody in place of a seat."""


def symbols(seats: int) -> tuple[list[int], list[int]]:
    """The eye and card symbols of each neighbourhood, with the pieces for this number of players in place."""
    eyes = [place["eyes"] for place in PARTS["neighbourhoods"]]
    cards = [place["cards"] for place in PARTS["neighbourhoods"]]
    for piece in PARTS["alterations"]:
        if seats in piece["players"]:
            eyes[PLACES.index(piece["covers"])] = piece["eyes"]
            cards[PLACES.index(piece["covers"])] = piece["cards"]
    return eyes, cards


class Amounts(Range):
    """A few sums of money, in TL."""

    def __init__(self, bills: tuple[int, ...]) -> None:
        super().__init__(len(bills))
        self.sums = [count * BILL for count in bills]

    def name(self, number: int) -> Any:
        return self.sums[number]

    def number(self, value: object, argument: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value not in self.sums:
            some = ", ".join(str(each) for each in self.sums)
            raise Refusal("unknown-move", f"{short(value)} is not a valid {argument}: it is one of {some}.")
        return self.sums.index(value)


class Listeners(Range):
    """A seat, or "all"."""

    def __init__(self) -> None:
        super().__init__(MAX_SEATS + 1)

    def name(self, number: int) -> Any:
        return "all" if number == ALL else number

    def number(self, value: object, argument: str) -> int:
        if value == "all":
            return ALL
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_SEATS:
            return value
        raise Refusal("unknown-move", f"You cannot talk to {short(value)}: give a seat, or all.")


def money(bills: int) -> str:
    """A sum of money in words: 12 000 TL."""
    return f"{bills * BILL:,} TL".replace(",", " ")


def ordinal_day(day: int) -> int:
    """The position of an absolute day (from 1) in its week: 0 to 5."""
    return (day - 1) % len(DAYS)


def date(day: int) -> str:
    """An absolute day in words: 3rd day, week 2."""
    return f"{DAYS[ordinal_day(day)]} day, week {(day - 1) // len(DAYS) + 1}"
