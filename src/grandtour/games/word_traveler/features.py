"""Encodes views of Word Traveler as numbers.

The words under the arrows that have to be guessed now, and the viewer's own words, have a place for each side. The
words of earlier journeys are written as indices, because otherwise most of the vector would be about the past.
"""

from grandtour.games.word_traveler.parts import (
    CITIES,
    DAYS,
    DIRECTIONS,
    HAND,
    MAX_ARROWS,
    MAX_CHANGES,
    MAX_STEPS,
    SIDES,
    SOUVENIRS,
    SPACE_NAMES,
    SPACES,
    SURENESS,
    VALUES,
    WORDS,
)
from grandtour.games.word_traveler.view import STEPS
from grandtour.rl.features import (
    BySeat,
    Counts,
    Each,
    Flag,
    Index,
    LeftOut,
    Letters,
    Number,
    OneOf,
    Ordered,
    Record,
    Seat,
    Seats,
    Translated,
)

SYMBOLS = "".join(VALUES)
MAX_MOVED = MAX_STEPS + MAX_ARROWS * MAX_ARROWS
"""Beyond the limit, each footprint can be placed once more, and so can those that were removed with it."""
SIDE = {side: {"word": WORDS[number // 2], "not": number % 2} for number, side in enumerate(SIDES)}
AT_THE_END = LeftOut("shown only when the game is over")


def features(seats: int) -> Record:
    """The features for a table with this many seats."""
    arrow = {"arrow": LeftOut("arrows come in their order"), "to": OneOf(DIRECTIONS)}
    announced = {
        **arrow,
        "words": Ordered(SIDES, HAND),
        "footprint": OneOf(SPACE_NAMES),
        "placed_by": Seat(seats),
        "sure": OneOf(SURENESS),
        "again": Flag(),
        "keeps": Counts(SPACE_NAMES),
    }
    journey = {
        "seat": Seat(seats),
        "start": OneOf(SPACE_NAMES),
        "arrows": Each(MAX_ARROWS, Record(announced)),
        "unused": Counts(WORDS),
        "agreed": Seats(seats),
        "left_neighbour": LeftOut("the one after the traveler"),
        "deciding": Flag(),
    }
    read = {
        **arrow,
        "words": Each(HAND, Translated(SIDE, Record({"word": Index(WORDS), "not": Flag()}))),
        "meant": OneOf(SPACE_NAMES),
        "guess": OneOf(SPACE_NAMES),
        "points": Number(4),
    }
    sheet = {
        "day": LeftOut("the place in the vector says it"),
        "seat": Seat(seats),
        "start": OneOf(SPACE_NAMES),
        "map": Letters(SPACES, SYMBOLS),
        "arrows": Each(MAX_ARROWS, Record(read)),
        "unused": Each(HAND, Index(WORDS)),
        "points": LeftOut("those of the arrows together"),
    }
    planned = {**arrow, "aim": OneOf(SPACE_NAMES), "words": LeftOut("the hand says where each card lies")}
    card = {
        "word": OneOf(WORDS),
        "arrow": OneOf(range(1, MAX_ARROWS + 1)),
        "side": OneOf(("white", "black")),
        "rank": Number(HAND),
    }
    plan = {
        "start": OneOf(SPACE_NAMES),
        "arrows": Each(MAX_ARROWS, Record(planned)),
        "hand": Each(HAND, Record(card)),
        "used": Number(MAX_ARROWS),
        "lacks": LeftOut("what the arrows lack"),
        "changes_left": Number(MAX_CHANGES),
    }
    player = {
        "marker": OneOf(SPACE_NAMES),
        "ready": Flag(),
        "done": Flag(),
        "traveled": Flag(),
        "moved": Number(MAX_MOVED),
    }
    return Record(
        {
            "you": LeftOut("always the first seat"),
            "city": OneOf(CITIES),
            "places": LeftOut("the city says them"),
            "day": OneOf(range(1, DAYS + 1)),
            "step": OneOf(STEPS.values()),
            "arrows": LeftOut("the day says it"),
            "first": Seat(seats),
            "gone": LeftOut("the players say who has traveled"),
            "limits": LeftOut("nobody plays against the clock here"),
            "clock": LeftOut("nobody plays against the clock here"),
            "silent": LeftOut("the one who travels"),
            "score": Number(max(SOUVENIRS[seats])),
            "souvenirs": LeftOut("the score says which are collected"),
            "rating": LeftOut("the score says it"),
            "players": BySeat(seats, player, always=True),
            "journey": Record(journey),
            "sheets": Each(DAYS * seats, Record(sheet)),
            "chart": LeftOut("always the same"),
            "best_clue": AT_THE_END,
            "result": LeftOut("the reward"),
            "map": Letters(SPACES, SYMBOLS),
            "plan": Record(plan),
        }
    )
