"""Encodes views of Round Trip Italy as numbers."""

from grandtour.games.round_trip.parts import (
    CITIES,
    GRAND_TOUR,
    MAX_HAND,
    PILE_SIZE,
    PILES,
    SELECTION_CARDS,
    TICKETS,
)
from grandtour.games.round_trip.view import STEPS
from grandtour.rl.features import (
    ByName,
    BySeat,
    Counts,
    Flag,
    Index,
    LeftOut,
    Number,
    OneOf,
    Record,
    Seat,
)

NAMES = [ticket.name for ticket in TICKETS]
COPIES = max(ticket.copies for ticket in TICKETS)
TURNS = 200
HERE = LeftOut("the place in the vector says it")


def features(seats: int) -> Record:
    """The features for a table with this many seats."""
    trip = {
        "length": HERE,
        "tickets": Counts(NAMES, COPIES),
        "cities": LeftOut("those of the tickets"),
        "extra": LeftOut("whether the tickets come from different piles"),
    }
    player = {
        "tickets": LeftOut("as many as backs"),
        "backs": Counts(PILES, MAX_HAND),
        "trips": ByName([(length,) for length in range(2, GRAND_TOUR + 1)], Record(trip), ("length",)),
        "known": Counts(NAMES, COPIES),
    }
    offer = {
        "from": LeftOut("the one whose turn it is"),
        "to": Seat(seats),
        "back": OneOf(CITIES),
        "wanted": OneOf(CITIES),
        "ticket": OneOf(NAMES),
    }
    pile = {"city": HERE, "count": Number(PILE_SIZE)}
    lying = {"pile": HERE, "above": HERE, "ticket": Index(NAMES)}
    places = [(city, above) for city in PILES for above in range(PILE_SIZE)]
    return Record(
        {
            "you": LeftOut("always the first seat"),
            "turn": Seat(seats),
            "step": OneOf(STEPS.values()),
            "round": Number(TURNS),
            "turn_limit": Number(TURNS),
            "extra": Flag(),
            "starter": Seat(seats),
            "selection": Record({"cities": Counts(PILES), "left": Number(SELECTION_CARDS)}),
            "piles": ByName([(city,) for city in PILES], Record(pile), ("city",), always=True),
            "players": BySeat(seats, player, always=True),
            "offer": Record(offer),
            "result": LeftOut("the reward"),
            "hand": Counts(NAMES, COPIES),
            "mixed": LeftOut("a finer point of what is known, and rare"),
            "bottoms": ByName(places, Record(lying), ("pile", "above"), always=True),
            "neighbours": LeftOut("who sits where"),
        }
    )
