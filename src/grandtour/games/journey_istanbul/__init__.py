"""The Journey: Istanbul, a game about migration by Jakob Hultgren, for two to five players."""

from grandtour.engine.game import Game
from grandtour.engine.options import Option, starter
from grandtour.games.journey_istanbul import bot, referee, rules, search, study, text, view, why
from grandtour.games.journey_istanbul.parts import MAX_SEATS, MIN_SEATS

GAME = Game(
    title="The Journey: Istanbul",
    subtitle="Istanbul",
    summary="Stranded without papers: learn what is coming, trade what you know, and find a way to travel on.",
    players=(MIN_SEATS, MAX_SEATS),
    minutes=60,
    place=4,
    options=(
        Option(
            "winner",
            "Winner",
            "The richest player who travels out wins, or there is no winner: what counts is making it out.",
            ("richest", "none"),
            "richest",
            words={"richest": "the richest", "none": "nobody"},
        ),
        starter(MAX_SEATS),
    ),
    package=__name__,
    moves=rules.MOVES,
    rules={1: rules.new, 2: rules.new},
    objection=referee.objection,
    view=view.view,
    views=view.views,
    prompt=view.prompt,
    prompt_for_view=view.prompt_for_view,
    describe=view.describe,
    describe_move=view.describe_move,
    words_key=lambda state: None,
    final=view.final,
    text=text.text,
    choose=bot.choose,
    speaks=bot.speaks,
    search=search.HOOKS,
    study=study.STUDY,
    why=why.why,
)
