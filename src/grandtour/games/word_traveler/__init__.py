"""Word Traveler, a cooperative game by Thomas Dagenais-Lespérance, for two to five players."""

from grandtour.engine.game import Game
from grandtour.engine.options import Option, starter
from grandtour.games.word_traveler import bot, referee, rules, search, study, text, view, why
from grandtour.games.word_traveler.parts import CITIES, MAX_SEATS, MIN_SEATS

GAME = Game(
    title="Word Traveler",
    subtitle="New York, Paris, London or Tokyo",
    summary="Two days in a city, ten words each: ask the way so that your friends lead you where you want to go.",
    players=(MIN_SEATS, MAX_SEATS),
    minutes=45,
    place=5,
    options=(
        Option(
            "city",
            "City",
            "Where the trip goes: a random city, or one of these.",
            ("drawn", *CITIES),
            "drawn",
            words={"drawn": "random"},
        ),
        Option(
            "timer",
            "Sand timer",
            "How long you have to plan a day.",
            (0, 120, 240, 480),
            240,
            alone=0,
            words={0: "none", 120: "2 minutes", 240: "4 minutes", 480: "8 minutes"},
        ),
        Option(
            "discussion",
            "Time to discuss",
            "How long the locals have for a journey before the traveler's left neighbour decides.",
            (0, 120, 300),
            0,
            words={0: "no limit", 120: "2 minutes", 300: "5 minutes"},
        ),
        Option(
            "names",
            "Names of the places",
            "Show the name of every place, or only its picture as on the printed board.",
            ("shown", "hidden"),
            "shown",
        ),
        starter(
            MAX_SEATS,
            label="First traveler",
            help="The first traveler is random, or the host names a seat.",
        ),
    ),
    team=True,
    package=__name__,
    moves=rules.MOVES,
    rules={1: rules.new_by_first_version, 2: rules.new},
    objection=referee.objection,
    view=view.view,
    prompt=view.prompt,
    describe=view.describe,
    describe_move=view.describe_move,
    words_key=lambda state: (int(state.city), bool(state.names)),
    final=view.final,
    text=text.text,
    choose=bot.choose,
    defers=bot.defers,
    clock=view.clock,
    silent=view.silent,
    search=search.HOOKS,
    study=study.STUDY,
    why=why.why,
)
