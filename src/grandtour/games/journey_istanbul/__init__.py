"""The Journey: Istanbul, a game about migration by Jakob Hultgren, for two to five players."""

from importlib.resources import files

from grandtour.engine.game import Game
from grandtour.engine.options import Option
from grandtour.games.journey_istanbul import bot, outlook, referee, rules, view

GAME = Game(
    name="journey-istanbul",
    title="The Journey: Istanbul",
    subtitle="Istanbul",
    summary="Stranded without papers: learn what is coming, trade what you know, and find a way to travel on.",
    players=(2, 5),
    minutes=60,
    options=(
        Option(
            "winner",
            "Winner",
            "The richest of those who travel out wins; or nobody does, and there are only those who made it.",
            ("richest", "none"),
            "richest",
        ),
        Option(
            "start",
            "Who begins",
            "The dice draw the starting player, or the host names a seat.",
            ("drawn", "1", "2", "3", "4", "5"),
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
    speaks=bot.speaks,
    evaluate=outlook.evaluate,
    rank=outlook.rank,
    own=outlook.own,
    quick=bot.quick,
    rulebook=lambda: files(__package__).joinpath("rulebook.md").read_text("utf-8"),
)
