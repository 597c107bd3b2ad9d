"""Round Trip Italy, a card game by Brigitte and Wolfgang Ditt, for two to four players."""

from grandtour.engine.game import Game
from grandtour.engine.options import Option, starter
from grandtour.games.round_trip import bot, referee, rules, search, study, text, view, why

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
    package=__name__,
    moves=rules.MOVES,
    rules={1: rules.new},
    objection=referee.objection,
    view=view.view,
    prompt=view.prompt,
    describe=view.describe,
    describe_move=view.describe_move,
    words_by=lambda state: None,
    final=view.final,
    text=text.text,
    choose=bot.choose,
    search=search.HOOKS,
    study=study.STUDY,
    why=why.why,
)
