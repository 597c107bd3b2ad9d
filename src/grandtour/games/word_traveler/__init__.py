"""Word Traveler, a cooperative game by Thomas Dagenais-Lespérance, for two to five players."""

from grandtour.engine.folder import folder
from grandtour.engine.game import Game
from grandtour.engine.options import Option, starter
from grandtour.games.word_traveler import bot, referee, rules, study, thought, view
from grandtour.games.word_traveler.parts import CITIES

GAME = Game(
    title="Word Traveler",
    subtitle="New York, Paris, London or Tokyo",
    summary="Two days in a city, ten words each: ask the way so that your friends lead you where you want to go.",
    players=(2, 5),
    minutes=45,
    place=5,
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
        starter(
            5,
            label="First traveler",
            help="The dice draw the first traveler, or the host names a seat.",
        ),
    ),
    team=True,
    study=study.STUDY,
    own=thought.own,
    think=thought.think,
    **folder(__name__, rules, referee, view, bot, older={1: rules.new_by_first_version}),
)
