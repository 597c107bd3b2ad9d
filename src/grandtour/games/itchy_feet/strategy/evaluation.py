# compiled
"""The value of a hand in Itchy Feet, and each seat's chance to win.

A seat's value is a sum of weights from `weights.json`. Its chance to win is the softmax of all seats' values. There are
two sets of weights. The bot decides by the judged ones, which were set by hand and say how far a seat is from winning.
The fitted ones were fitted to the outcomes of the bot's games and give the chance to win.
"""

import json
from importlib.resources import files
from math import exp
from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.games.itchy_feet.mechanics.actions import FOR_TRAVEL
from grandtour.games.itchy_feet.mechanics.packs import (
    CREDIT_CARD,
    FIRST_SPECIAL,
    FORBIDDEN,
    NEEDS,
    ONE,
    OTHERS,
    PASSPORT,
    POSTCARD,
    SHIFT,
    count,
    present,
)
from grandtour.games.itchy_feet.parts import (
    IN_HAND,
    N_COUNTRIES,
    N_ITEMS,
    POSTCARDS_TO_WIN,
)
from grandtour.games.itchy_feet.rules import State
from grandtour.games.itchy_feet.state import ACT, PAY, REACT, TAKE, Table

_layout: Final = (
    ("own country, by items missing for it", 4),
    ("own country, by items missing for the centre", 4),
    ("centre, by items missing", 4),
    ("no passport, by items missing for the own country", 4),
    ("no passport, by items missing for the centre", 4),
    ("forbidden items", 4),
    ("a forbidden item, by items missing for the own country", 4),
    ("a forbidden item, by items missing for the centre", 4),
    ("postcards", 4),
    ("special items", 9),
    ("a card", 1),
    ("a second copy for the own country", 1),
    ("another passport", 1),
    ("characters", 6),
    ("the sooner it is one's turn", 1),
    ("step of the own turn", 13),
    ("purpose of a payment", 9),
    ("ready to travel, to the own country or to the centre", 2),
    ("ready, and it is one's turn", 2),
    ("Bucket List: a country ahead, by how many are left", 14),
    ("Bucket List: an item for the country on top", 1),
    ("Bucket List: ready to travel, the sooner it is one's turn", 1),
    ("Bucket List: an item for all the countries below", 1),
    ("Bucket List: a kind of item", 1),
    ("Bucket List: no passport", 1),
    ("Bucket List: no passport, for each country left", 1),
)
_offsets: Final = [sum(size for _, size in _layout[:at]) for at in range(len(_layout) + 1)]
OWN_COUNTRY: Final[i64] = _offsets[0]
CENTRE_LATER: Final[i64] = _offsets[1]
CENTRE: Final[i64] = _offsets[2]
NO_PASSPORT_OWN: Final[i64] = _offsets[3]
NO_PASSPORT_CENTRE: Final[i64] = _offsets[4]
FORBIDDEN_ITEMS: Final[i64] = _offsets[5]
FORBIDDEN_OWN: Final[i64] = _offsets[6]
FORBIDDEN_CENTRE: Final[i64] = _offsets[7]
POSTCARDS: Final[i64] = _offsets[8]
SPECIAL_ITEMS: Final[i64] = _offsets[9]
CARD: Final[i64] = _offsets[10]
SECOND_COPY: Final[i64] = _offsets[11]
EXTRA_PASSPORT: Final[i64] = _offsets[12]
CHARACTER: Final[i64] = _offsets[13]
TURN_ORDER: Final[i64] = _offsets[14]
STEP: Final[i64] = _offsets[15]
PURPOSE: Final[i64] = _offsets[16]
READY: Final[i64] = _offsets[17]
READY_ON_TURN: Final[i64] = _offsets[18]
COUNTRY_AHEAD: Final[i64] = _offsets[19]
FITS_TOP: Final[i64] = _offsets[20]
READY_FOR_TOP: Final[i64] = _offsets[21]
FITS_BELOW: Final[i64] = _offsets[22]
ITEM_KINDS: Final[i64] = _offsets[23]
BUCKET_NO_PASSPORT: Final[i64] = _offsets[24]
BUCKET_NO_PASSPORT_LEFT: Final[i64] = _offsets[25]
WEIGHTS_PER_VARIANT: Final[i64] = _offsets[26]
"""The number of weights of a variant. The weights of Bucket List come after the classic ones."""

DATA: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("weights.json").read_text("utf-8"))
WEIGHT: Final = vec[float](
    [
        weight
        for weights in ("judged", "fitted")
        for variant in ("classic", "bucket-list")
        for name, many in _layout
        for weight in DATA[weights][variant].get(name, [0.0] * many)
    ]
)
JUDGED: Final[i64] = 0
FITTED: Final[i64] = 2 * WEIGHTS_PER_VARIANT

WINNING_HAND_VALUE: Final = 12.0
"""The value of a hand that wins."""

ANY_SPECIAL: Final[i64] = sum(1 << int(SHIFT[kind]) for kind in range(int(FIRST_SPECIAL), IN_HAND))
ANY_ITEM: Final[i64] = sum(1 << int(SHIFT[kind]) for kind in range(N_ITEMS))


def evaluate(state: State) -> list[float]:
    """Each seat's chance to win in a position where all hands are known."""
    result = state.result()
    if result is not None:
        return result
    values = vec[float]([0.0] * state.seats)
    for seat in range(state.seats):
        value = hand_value(state, seat, state.hand[seat], state.size[seat], state.countries(seat), FITTED)
        values[seat] = value + turn_value(state, seat)
    return chances(values)


def chances(values: vec[float]) -> list[float]:
    """Each seat's chance to win, from the values of all seats."""
    likely = [exp(value) for value in values]
    whole = sum(likely)
    return [chance / whole for chance in likely]


def hand_value(table: Table, seat: i64, hand: i64, cards: i64, countries: i64, weights: i64) -> float:
    """The value of a hand to a seat that has reached this many countries. `weights` is `JUDGED` or `FITTED`."""
    at = weights + WEIGHTS_PER_VARIANT if table.bucket else weights
    postcards: i64 = 0
    forbidden: i64 = 0
    if hand & OTHERS:
        postcards = count(hand, POSTCARD)
        if postcards >= POSTCARDS_TO_WIN:
            return WINNING_HAND_VALUE
        forbidden = count(hand, FORBIDDEN)
    value = WEIGHT[at + FORBIDDEN_ITEMS + forbidden] + WEIGHT[at + POSTCARDS + postcards]
    value += float(cards - forbidden) * WEIGHT[at + CARD]
    passports = count(hand, PASSPORT)
    if passports > 1:
        value += WEIGHT[at + EXTRA_PASSPORT]
    if hand & ANY_SPECIAL:
        for kind in range(FIRST_SPECIAL, i64(IN_HAND)):
            if hand & ONE[kind]:
                value += WEIGHT[at + SPECIAL_ITEMS + kind - FIRST_SPECIAL]
    if table.bucket:
        return value + _bucket_list_value(table, hand, passports, countries, at)
    return value + _classic_value(table, seat, hand, passports, forbidden, countries, at)


def missing_for(hand: i64, country: i64) -> i64:
    """How many of a country's items are not in a hand."""
    # The lower bit of an item: needs are items, of which there are at most three copies.
    return _bits(NEEDS[country] & ~(hand | hand >> 1))


def _bits(rest: i64) -> i64:
    """The number of bits that are set. They are few, so they are counted one by one."""
    bits: i64 = 0
    while rest:
        rest &= rest - 1
        bits += 1
    return bits


def _classic_value(
    table: Table, seat: i64, hand: i64, passports: i64, forbidden: i64, countries: i64, at: i64
) -> float:
    credit: i64 = 1 if hand & ONE[CREDIT_CARD] else 0
    if countries:
        missing = missing_for(hand, table.centre)
        if missing and credit:
            missing -= 1
        value = WEIGHT[at + CENTRE + missing]
        if forbidden:
            value += WEIGHT[at + FORBIDDEN_CENTRE + missing]
        return value if passports else value + WEIGHT[at + NO_PASSPORT_CENTRE + missing]
    needs = NEEDS[table.country[seat]]
    used = needs & (hand | hand >> 1)
    missing = _bits(needs ^ used)
    rest = hand - used
    later = missing_for(rest, table.centre)
    value = 0.0
    twice = needs & (rest | rest >> 1)
    while twice:
        twice &= twice - 1
        value += WEIGHT[at + SECOND_COPY]
    if credit:
        if missing:
            missing -= 1
        elif later:
            later -= 1
    value += WEIGHT[at + OWN_COUNTRY + missing] + WEIGHT[at + CENTRE_LATER + later]
    if forbidden:
        value += WEIGHT[at + FORBIDDEN_OWN + missing]
    return value if passports else value + WEIGHT[at + NO_PASSPORT_OWN + missing]


def _bucket_list_value(table: Table, hand: i64, passports: i64, countries: i64, at: i64) -> float:
    """The value in Bucket List. Items that fit many countries count, too, because the top country may soon be taken."""
    left: i64 = table.spare + 1 if table.centre >= 0 else 0
    ahead = float(countries) - float(N_COUNTRIES - left) / float(table.seats)
    value = ahead * WEIGHT[at + COUNTRY_AHEAD + left]
    kinds = present(hand) & ANY_ITEM
    credit = hand & ONE[CREDIT_CARD] != 0
    if table.centre >= 0 and (kinds & NEEDS[table.centre] or credit):
        value += WEIGHT[at + FITS_TOP]
    coming: i64 = 0
    fitting: i64 = 0
    for country in range(i64(N_COUNTRIES)):
        if table.owner[country] < 0 and country != table.centre:
            coming += 1
            if kinds & NEEDS[country] or credit:
                fitting += 1
    if coming:
        value += float(fitting) / float(coming) * WEIGHT[at + FITS_BELOW]
    many: i64 = 0
    for kind in range(i64(N_ITEMS)):
        if kinds & ONE[kind]:
            many += 1
    value += float(many) * WEIGHT[at + ITEM_KINDS]
    if not passports:
        value += WEIGHT[at + BUCKET_NO_PASSPORT] + float(left) * WEIGHT[at + BUCKET_NO_PASSPORT_LEFT]
    return value


def can_travel(table: Table, seat: i64, hand: i64) -> bool:
    """Whether a seat could travel with this hand."""
    if not count(hand, PASSPORT) or count(hand, FORBIDDEN):
        return False
    credit: i64 = 1 if hand & ONE[CREDIT_CARD] else 0
    if table.bucket:
        return table.centre >= 0 and (credit > 0 or present(hand) & NEEDS[table.centre] != 0)
    goal = table.centre if table.visited >> seat & 1 else table.country[seat]
    return missing_for(hand, goal) <= credit


def turn_value(table: Table, seat: i64) -> float:
    """The value of how soon it is a seat's turn, and of its character."""
    at = FITTED + WEIGHTS_PER_VARIANT if table.bucket else FITTED
    away = seat - table.turn
    if away < 0:
        away += table.seats
    acting = away == 0 and table.step == ACT and not table.travelled
    if away == 0 and not acting:
        away = table.seats
    sooner = float(table.seats - away) / float(table.seats)
    value = sooner * WEIGHT[at + TURN_ORDER]
    if seat == table.turn:
        value += WEIGHT[at + STEP + table.step]
        if table.step in (PAY, TAKE, REACT):
            value += WEIGHT[at + PURPOSE + (table.purpose if table.purpose < FOR_TRAVEL else FOR_TRAVEL)]
    if table.character[seat] >= 0:
        value += WEIGHT[at + CHARACTER + table.character[seat]]
    if can_travel(table, seat, table.hand[seat]):
        if table.bucket:
            value += WEIGHT[at + READY_FOR_TOP] * sooner
        else:
            stage = table.visited >> seat & 1
            value += WEIGHT[at + READY + stage] * sooner
            if acting:
                value += WEIGHT[at + READY_ON_TURN + stage]
    return value
