"""Word Traveler, a cooperative game by Thomas Dagenais-Lespérance, for two to five players."""

from importlib.resources import files

from grandtour.engine.game import Game
from grandtour.engine.options import Option
from grandtour.games.word_traveler import bot, referee, rules, study, view
from grandtour.games.word_traveler.parts import CITIES

GAME = Game(
    name="word-traveler",
    title="Word Traveler",
    subtitle="New York, Paris, London or Tokyo",
    summary="Two days in a city, ten words each: ask the way so that your friends lead you where you want to go.",
    players=(2, 5),
    minutes=45,
    options=(
        Option("city", "City", "Where the trip goes, or let the dice draw it.", ("drawn", *CITIES), "drawn"),
        Option(
            "timer",
            "Sand timer",
            "Seconds to plan a day; 0 to plan without a clock.",
            (0, 120, 240, 480),
            240,
        ),
        Option(
            "discussion",
            "Time to discuss",
            "Seconds the locals have for a journey before the traveler's left neighbour decides; 0 for no limit.",
            (0, 120, 300),
            0,
        ),
        Option(
            "names",
            "Names of the places",
            "Show the name of every place, or only its picture as on the printed board.",
            ("shown", "hidden"),
            "shown",
        ),
        Option(
            "start",
            "First traveler",
            "The dice draw the first traveler, or the host names a seat.",
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
    rulebook=lambda: files(__package__).joinpath("rulebook.md").read_text("utf-8"),
    study=study.STUDY,
    team=True,
)
