"""Round Trip Italy, a card game by Brigitte and Wolfgang Ditt, for two to four players."""

from importlib.resources import files

from grandtour.engine.game import Game
from grandtour.engine.options import Option
from grandtour.games.round_trip import bot, quick, referee, rules, view

GAME = Game(
    name="round-trip",
    title="Round Trip Italy",
    subtitle="Italy",
    summary="Gather tickets, swap them with your neighbours, and be first with four round trips.",
    players=(2, 4),
    minutes=30,
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
        Option(
            "start",
            "Who begins",
            "The dice draw the starting player, or the host names a seat.",
            ("drawn", "1", "2", "3", "4"),
            "drawn",
        ),
    ),
    moves=rules.MOVES,
    rules={1: rules.new},
    objection=referee.objection,
    view=view.view,
    prompt=view.prompt,
    describe=view.describe,
    describe_move=view.describe_move,
    final=view.final,
    choose=bot.choose,
    rank=bot.rank,
    quick=quick.choose,
    evaluate=quick.evaluate,
    horizon=8,
    rulebook=lambda: files(__package__).joinpath("rulebook.md").read_text("utf-8"),
)
