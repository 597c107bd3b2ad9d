"""Round Trip Italy, a card game by Brigitte and Wolfgang Ditt, for two to four players."""

from grandtour.engine.game import Game
from grandtour.engine.options import Option, starter
from grandtour.games.round_trip import bot, edits, referee, rules, search, study, text, view, why
from grandtour.games.round_trip.parts import MAX_SEATS, MIN_SEATS, SELECTION_CARDS

GAME = Game(
    title="Round Trip Italy",
    subtitle="Italy",
    summary="Gather tickets, swap them with your neighbours, and be first with four round trips.",
    players=(MIN_SEATS, MAX_SEATS),
    minutes=30,
    place=1,
    options=(
        Option(
            "selection",
            "Selection cards",
            f"The {SELECTION_CARDS} selection cards: mostly pairs of cities, or more single cities for less choice.",
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
        starter(MAX_SEATS),
    ),
    package=__name__,
    moves=rules.MOVES,
    rules={1: rules.new},
    objection=referee.objection,
    view=view.view,
    edits=edits.edits,
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
