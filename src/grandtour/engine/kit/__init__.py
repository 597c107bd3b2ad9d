"""A kit for small turn-based games with cards, counts and tokens, in which each player may see something different.

A game is one file. It subclasses `Position`, declares what is on the table, writes a method for each move, and calls
`make_game`. The kit derives the rest from the declarations: set-up, copies, memory, imagined worlds, views, sentences,
a bot and a board.
"""

from grandtour.engine.kit.build import make_game
from grandtour.engine.kit.moves import Check, Player, move
from grandtour.engine.kit.position import Card, Position
from grandtour.engine.kit.zones import EVERYONE, NOBODY, OWNER, Cards, Count, Counts, Display, Hand, Pile, Row, Track
from grandtour.engine.options import Option, Options
from grandtour.engine.vocabulary import Names, Numbers

__all__ = [
    "EVERYONE",
    "NOBODY",
    "OWNER",
    "Card",
    "Cards",
    "Check",
    "Count",
    "Counts",
    "Display",
    "Hand",
    "Names",
    "Numbers",
    "Option",
    "Options",
    "Pile",
    "Player",
    "Position",
    "Row",
    "Track",
    "make_game",
    "move",
]
