"""Ticket to Ride: Italy, the map of Italy for the game by Alan R. Moon, for two to five players."""

from grandtour.engine.game import Game
from grandtour.engine.options import starter
from grandtour.games.ticket_to_ride_italy import bot, referee, rules, search, study, text, view, why
from grandtour.games.ticket_to_ride_italy.parts import MAX_SEATS, MIN_SEATS

GAME = Game(
    title="Ticket to Ride: Italy",
    subtitle="Italy",
    summary="Claim routes, connect the cities on your tickets, and link as many regions as you can.",
    players=(MIN_SEATS, MAX_SEATS),
    minutes=60,
    place=2,
    options=(starter(MAX_SEATS),),
    package=__name__,
    moves=rules.MOVES,
    rules={1: rules.new},
    objection=referee.objection,
    view=view.view,
    views=view.views,
    prompt=view.prompt,
    describe=view.describe,
    describe_move=view.describe_move,
    words_key=lambda state: None,
    final=view.final,
    text=text.text,
    choose=bot.choose,
    search=search.HOOKS,
    study=study.STUDY,
    why=why.why,
)
