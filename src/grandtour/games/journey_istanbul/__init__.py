"""The Journey: Istanbul, a game about migration by Jakob Hultgren, for two to five players."""

from grandtour.engine.folder import folder
from grandtour.engine.game import Game
from grandtour.engine.options import Option, starter
from grandtour.games.journey_istanbul import bot, outlook, referee, rules, study, view

wiring = folder(__name__, rules, referee, view, bot)
wiring["rules"] = {1: rules.new, 2: rules.new}  # the position knows its version, and the rules ask it

GAME = Game(
    title="The Journey: Istanbul",
    subtitle="Istanbul",
    summary="Stranded without papers: learn what is coming, trade what you know, and find a way to travel on.",
    players=(2, 5),
    minutes=60,
    place=4,
    options=(
        Option(
            "winner",
            "Winner",
            "The richest of those who travel out wins; or nobody does, and there are only those who made it.",
            ("richest", "none"),
            "richest",
        ),
        starter(5),
    ),
    study=study.STUDY,
    speaks=bot.speaks,
    evaluate=outlook.evaluate,
    rank=outlook.rank,
    own=outlook.own,
    quick=bot.quick,
    horizon=12,
    **wiring,
)
