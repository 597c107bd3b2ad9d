"""A kit for small games: cards, counts and tokens, players in turn, each of whom may see something else.

A game is one file. It derives a `Position`, declares what lies on the table, writes a method for each move, and calls
`make_game`. Set-up, copies, memory, imagined worlds, views, words, a bot and a board come from the declarations.
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
