# compiled
"""Each seat's chance to win at the start of a turn of the classic game without extensions, for `hard`.

A seat's value is a sum of weights from `outlook.json`, which `python -m bench.itchy_outlook` fits for each number of
players. Its chance to win is the softmax of all seats' values.
"""

import json
from importlib.resources import files
from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from grandtour.games.itchy_feet.mechanics.packs import NEEDS, PASSPORT, SHIFT, count
from grandtour.games.itchy_feet.parts import MAX_SEATS
from grandtour.games.itchy_feet.rules import State
from grandtour.games.itchy_feet.state import Table
from grandtour.games.itchy_feet.strategy.evaluation import chances, missing_for

# Where the weights of each feature begin.
OWN_COUNTRY: Final[i64] = 0  # items missing for the own country, and for the centre
CENTRE: Final[i64] = 16  # items missing for the centre, after the own country
CARDS: Final[i64] = 20  # cards in the hand, before and after the own country
NO_PASSPORT: Final[i64] = 40  # items missing for the next country, before and after the own country
AWAY: Final[i64] = 48  # turns until the own turn, by items missing for the next country (3: no passport)
FEATURES: Final[i64] = 80
MAX_CARDS: Final = 9
MAX_AWAY: Final = 3

CLASSIC: Final[i64] = (1 << int(SHIFT[PASSPORT + 1])) - 1
"""All the bits of items and passports in a pack."""
_data: Final[dict[str, Any]] = json.loads(files(__package__).joinpath("outlook.json").read_text("utf-8"))
WEIGHT: Final = vec[float](
    [weight for seats in range(MAX_SEATS + 1) for weight in _data["weights"].get(str(seats), [0.0] * int(FEATURES))]
)


def features(table: Table, seat: i64) -> vec[i64]:
    """The indices of the weights that apply to a seat."""
    hand = table.hand[seat]
    away = seat - table.turn
    if away < 0:
        away += table.seats
    if away > MAX_AWAY:
        away = MAX_AWAY
    stage = table.visited >> seat & 1
    found = vec[i64]()
    if stage:
        missing = missing_for(hand, table.centre)
        found = append(found, CENTRE + missing)
    else:
        needs = NEEDS[table.country[seat]]
        missing = missing_for(hand, table.country[seat])
        later = missing_for(hand - (needs & (hand | hand >> 1)), table.centre)
        found = append(found, OWN_COUNTRY + 4 * missing + later)
    found = append(found, CARDS + 10 * stage + (table.size[seat] if table.size[seat] < MAX_CARDS else MAX_CARDS))
    if not count(hand, PASSPORT):
        found = append(found, NO_PASSPORT + 4 * stage + missing)
        missing = 3
    return append(found, AWAY + 16 * stage + 4 * missing + away)


def outlook(state: State) -> list[float]:
    """Each seat's chance to win in a position where all hands are known."""
    result = state.result()
    if result is not None:
        return result
    values = vec[float]([0.0] * state.seats)
    for seat in range(state.seats):
        value = 0.0
        for index in features(state, seat):
            value += WEIGHT[FEATURES * state.seats + index]
        values[seat] = value
    return chances(values)
