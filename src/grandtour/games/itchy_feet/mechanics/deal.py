# compiled
"""Itchy Feet: the set-up of countries, characters and cards."""

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.options import Options
from grandtour.games.itchy_feet.mechanics.hidden import CARD, OTHER
from grandtour.games.itchy_feet.mechanics.packs import (
    BRIBE,
    FIRST_SPECIAL,
    FORBIDDEN,
    MAP,
    ONE,
    PASSPORT,
    POSTCARD,
    UNREST,
)
from grandtour.games.itchy_feet.parts import (
    CHARACTERS,
    COUNTRIES,
    EVENTS,
    FORBIDDEN_ITEMS,
    IN_HAND,
    ITEM_COPIES,
    ITEMS,
    NEW_HAND_CARDS,
    PASSPORTS,
    POSTCARDS,
)
from grandtour.games.itchy_feet.state import SMUGGLER, Table


def lay_countries(table: Table) -> None:
    seats = table.seats
    countries = vec[i64](range(len(COUNTRIES)))
    table.dice.shuffle(countries, 0, len(countries))
    table.centre = countries[0]
    if table.bucket:
        table.owner = vec[i64]([-1] * len(COUNTRIES))
        passports = vec[i64](PASSPORTS)
        table.dice.shuffle(passports, 0, len(passports))
        table.passport = passports[:seats]
        table.unused = countries[1:]
    else:
        table.country = countries[1 : seats + 1]
        table.unused = countries[seats + 1 :]
    table.spare = len(table.unused)
    table.unseen = table.spare


def choose_characters(table: Table, options: Options) -> None:
    table.character = vec[i64]([-1] * table.seats)
    if options["characters"]:
        who = vec[i64]([c for c in range(len(CHARACTERS)) if c != SMUGGLER or options["forbidden_items"]])
        table.dice.shuffle(who, 0, len(who))
        for seat in range(table.seats):
            table.character[seat] = who[seat]


def deal(table: Table, options: Options) -> None:
    seats = table.seats
    early = [kind for kind in range(len(ITEMS)) for _ in range(ITEM_COPIES)]
    late: list[int] = []
    if options["special_items"]:
        unfit = [MAP] if table.bucket else []
        unfit += [] if options["forbidden_items"] else [BRIBE]
        late += [kind for kind in range(int(FIRST_SPECIAL), IN_HAND) if kind not in unfit]
    if options["forbidden_items"]:
        late += [int(FORBIDDEN)] * FORBIDDEN_ITEMS
    if options["postcards"]:
        late += [int(POSTCARD)] * POSTCARDS
    if table.bucket:
        early, late = early + late, []
    if options["events"]:
        late += [IN_HAND + i for i in range(len(EVENTS)) if not (table.bucket and IN_HAND + i == UNREST)]
    cards = vec[i64](early)
    table.dice.shuffle(cards, 0, len(cards))
    table.hand = vec[i64]([ONE[PASSPORT]] * seats)
    table.size = vec[i64]([1 + NEW_HAND_CARDS] * seats)
    table.known = vec[i64]([0 if at // seats == at % seats else ONE[PASSPORT] for at in range(seats * (seats + 1))])
    dealt = NEW_HAND_CARDS * (CARD + OTHER if table.bucket else CARD)
    table.unknown = vec[i64]([0 if at // seats == at % seats else dealt for at in range(seats * (seats + 1))])
    table.lot = vec[i64]([0] * seats)
    table.lotted = vec[i64]([0] * (seats * seats))
    table.chosen = vec[i64]([-1] * seats)
    for i in range(NEW_HAND_CARDS * seats):
        table.hand[i // NEW_HAND_CARDS] += ONE[cards[i]]
    left = [cards[i] for i in range(NEW_HAND_CARDS * seats, len(cards))] + late
    table.left = len(left)
    table.deck = vec[i64](left + [0] * (len(cards) + len(late) + seats - len(left)))
    table.dice.shuffle(table.deck, 0, table.left)
    for kind in early + late:
        table.in_play += ONE[kind]
    table.stock = table.in_play
    table.in_play += seats * ONE[PASSPORT]
