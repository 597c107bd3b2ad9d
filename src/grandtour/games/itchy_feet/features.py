"""Encodes views of Itchy Feet as numbers."""

from grandtour.games.itchy_feet.mechanics.actions import WHY
from grandtour.games.itchy_feet.parts import (
    CARDS,
    CHARACTERS,
    COUNTRY_NAMES,
    GUIDE_CARDS,
    HAND_CARDS,
    MAX_COUNTERS,
    OVERPACKER_LIMIT,
)
from grandtour.games.itchy_feet.view import STEPS
from grandtour.rl.features import (
    ByName,
    BySeat,
    Counts,
    Each,
    Flag,
    Index,
    LeftOut,
    Number,
    OneOf,
    Record,
    Seat,
)

DECK = 90
"""A maximum: more cards than there are with every extension."""
COPIES = 8
"""A maximum: more copies than there are of any card."""
TURNS = 200
ACTIONS = 4
OFFERS = 5
HERE = LeftOut("the place in the vector says it")


def features(seats: int) -> Record:
    """The features for a table with this many seats."""
    extensions = ("events", "special_items", "forbidden_items", "postcards", "characters")
    player = {
        "cards": Number(2 * OVERPACKER_LIMIT),
        "limit": Number(OVERPACKER_LIMIT),
        "known": Counts(HAND_CARDS, COPIES),
        "unknown": Record({name: Number(2 * OVERPACKER_LIMIT) for name in ("cards", "others", "passports", "drawn")}),
        "character": OneOf(CHARACTERS),
        "quiet": Flag(),
        "chosen": Flag(),
        "country": OneOf(COUNTRY_NAMES),
        "visited": Flag(),
        "passport": OneOf(COUNTRY_NAMES),
        "countries": Counts(COUNTRY_NAMES),
    }
    payment = {
        "for": OneOf(WHY),
        "paid": Counts(HAND_CARDS, COPIES),
        "left": Number(OVERPACKER_LIMIT),
        "whom": Seat(seats),
        "country": OneOf(COUNTRY_NAMES),
    }
    trade = {
        "from": Seat(seats),
        "to": Seat(seats),
        "gives": Counts(HAND_CARDS, COPIES),
        "wants": Counts(HAND_CARDS, COPIES),
        "counters": Number(MAX_COUNTERS),
        "counters_left": LeftOut("the rest of the counters"),
    }
    reaction = {
        "asked": Seat(seats),
        "to": OneOf(("steal", "travel")),
        "seat": Seat(seats),
        "card": LeftOut("what is reacted to says it"),
        "country": OneOf(COUNTRY_NAMES),
    }
    return Record(
        {
            "you": LeftOut("always the first seat"),
            "variant": OneOf(("classic", "bucket-list")),
            "extensions": Record({name: Flag() for name in extensions}),
            "turn": Seat(seats),
            "step": OneOf(STEPS.values()),
            "round": Number(TURNS),
            "turn_limit": Number(TURNS),
            "starter": Seat(seats),
            "actions": Number(ACTIONS),
            "offers_left": Number(OFFERS),
            "centre": OneOf(COUNTRY_NAMES),
            "unused": Record(
                {"count": Number(len(COUNTRY_NAMES)), "bottom": Each(len(COUNTRY_NAMES), OneOf(COUNTRY_NAMES))}
            ),
            "draw_pile": Record({"count": Number(DECK), "shuffled_in": Counts(CARDS, COPIES, "card")}),
            "discards": Counts(CARDS, COPIES, "card"),
            "players": BySeat(seats, player, always=True),
            "payment": Record(payment),
            "trade": Record(trade),
            "reaction": Record(reaction),
            "result": LeftOut("the reward"),
            "ended": LeftOut("the reward comes with it"),
            "hand": Counts(HAND_CARDS, COPIES),
            "top": ByName(
                [(above,) for above in range(DECK)],
                Record({"above": HERE, "card": Index(CARDS)}),
                ("above",),
                always=True,
            ),
            "looking": Each(GUIDE_CARDS, OneOf(CARDS)),
            "handing_on": OneOf(HAND_CARDS),
        }
    )
