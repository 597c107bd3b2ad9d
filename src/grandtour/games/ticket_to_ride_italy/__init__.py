"""Ticket to Ride: Italy, the map of Italy for the game by Alan R. Moon, for two to five players."""

from importlib.resources import files

from grandtour.engine.game import Game
from grandtour.engine.options import Option
from grandtour.games.ticket_to_ride_italy import bot, prospects, referee, rules, view

GAME = Game(
    name="ticket-to-ride-italy",
    title="Ticket to Ride: Italy",
    subtitle="Italy",
    summary="Claim routes, join the two ends of your tickets, and bring as many regions together as you can.",
    players=(2, 5),
    minutes=60,
    options=(
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
    evaluate=prospects.evaluate,
    rank=bot.rank,
    own=bot.own,
    horizon=8,
    rulebook=lambda: files(__package__).joinpath("rulebook.md").read_text("utf-8"),
)
