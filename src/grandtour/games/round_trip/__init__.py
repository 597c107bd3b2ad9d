"""Round Trip Italy, a card game by Brigitte and Wolfgang Ditt, for two to four players."""

from grandtour.engine.folder import folder
from grandtour.engine.game import Game
from grandtour.engine.options import Option, starter
from grandtour.games.round_trip import bot, quick, referee, rules, study, view

GAME = Game(
    title="Round Trip Italy",
    subtitle="Italy",
    summary="Gather tickets, swap them with your neighbours, and be first with four round trips.",
    players=(2, 4),
    minutes=30,
    place=1,
    options=(
        Option(
            "selection",
            "Selection cards",
            "How the 27 selection cards are made up: many pairs of cities, or more single ones and so less choice.",
            ("pairs", "singles"),
            "pairs",
        ),
        Option(
            "turn_limit",
            "Turn limit",
            "After this many turns each, whoever has made the most round trips wins.",
            (10, 20, 40, 60, 100, 200),
            60,
        ),
        starter(4),
    ),
    rank=quick.rank,
    quick=quick.choose,
    evaluate=quick.evaluate,
    own=quick.own,
    think=quick.think,
    study=study.STUDY,
    **folder(__name__, rules, referee, view, bot),
)
