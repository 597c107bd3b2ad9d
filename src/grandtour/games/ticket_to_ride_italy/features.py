"""Encodes views of Ticket to Ride: Italy as numbers."""

from grandtour.games.ticket_to_ride_italy.parts import (
    CARDS,
    COPIES,
    FERRY_CARDS,
    FIRST_KEPT,
    MAX_FERRY_CARDS,
    ROUTES,
    ROW,
    TICKETS,
    TRAINS,
)
from grandtour.games.ticket_to_ride_italy.view import STEPS
from grandtour.rl.features import (
    ByName,
    BySeat,
    Counts,
    Each,
    Flag,
    LeftOut,
    Number,
    OneOf,
    Record,
    Seat,
    Seats,
)

MAX_CARDS = max(COPIES)
DECK = sum(COPIES)
SCORE = 200
NAMES = [(ticket.name,) for ticket in TICKETS]
ROUTE_NAMES = [route.name for route in ROUTES]
HERE = LeftOut("the place in the vector says it")
PRINTED = LeftOut("printed on the ticket")
AT_THE_END = LeftOut("shown only when the game is over")


def features(seats: int) -> Record:
    """The features for a table with this many seats."""
    player = {
        "score": Number(SCORE),
        "trains": Number(TRAINS),
        "cards": Number(DECK),
        "known": Counts(CARDS, MAX_CARDS),
        "ferries": Number(MAX_FERRY_CARDS),
        "tickets": Number(len(TICKETS)),
        "drawn": Number(len(TICKETS)),
        "chosen": Flag(),
        "barred": Counts(ROUTE_NAMES),
        "networks": LeftOut("the routes they own make them"),
        "bonus": Number(SCORE),
        "shown": AT_THE_END,
        "met": AT_THE_END,
    }
    held = {"ticket": HERE, "points": PRINTED, "met": Flag()}
    drawn = {**held, "back": Flag()}
    returned = {"ticket": HERE, "deck": Flag(), "seats": Seats(seats)}
    return Record(
        {
            "you": LeftOut("always the first seat"),
            "turn": Seat(seats),
            "step": OneOf(STEPS.values()),
            "starter": Seat(seats),
            "row": Each(ROW, OneOf(CARDS)),
            "swept": Counts(CARDS, MAX_CARDS),
            "deck": Number(DECK),
            "discards": Counts(CARDS, MAX_CARDS),
            "ferries": Number(FERRY_CARDS),
            "ticket_deck": Number(len(TICKETS)),
            "owners": ByName(ROUTE_NAMES, Seat(seats), always=True),
            "closed": Counts(ROUTE_NAMES),
            "last_round": Number(seats + 1),
            "players": BySeat(seats, player, always=True),
            "result": LeftOut("the reward"),
            "hand": Counts(CARDS, MAX_CARDS),
            "tickets": ByName(NAMES, Record(held), ("ticket",)),
            "drawn": ByName(NAMES, Record(drawn), ("ticket",)),
            "least": Number(FIRST_KEPT),
            "returned": ByName(NAMES, Record(returned), ("ticket",)),
        }
    )
