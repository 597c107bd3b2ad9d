"""Ticket to Ride: Italy, the map of Italy for the game by Alan R. Moon, for two to five players."""

from grandtour.engine.folder import folder
from grandtour.engine.game import Game
from grandtour.engine.options import starter
from grandtour.games.ticket_to_ride_italy import bot, foresight, referee, rules, study, view

GAME = Game(
    title="Ticket to Ride: Italy",
    subtitle="Italy",
    summary="Claim routes, join the two ends of your tickets, and bring as many regions together as you can.",
    players=(2, 5),
    minutes=60,
    place=2,
    options=(starter(5),),
    study=study.STUDY,
    rank=bot.rank,
    own=bot.own,
    weigh=foresight.weigh,
    **folder(__name__, rules, referee, view, bot),
)
