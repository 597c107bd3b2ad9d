"""Itchy Feet: the Travel Game, by Malachi Ray Rempen and Maxime Rioux, for two to six players."""

from grandtour.engine.game import Game
from grandtour.engine.options import Option, starter
from grandtour.games.itchy_feet import bot, referee, rules, search, study, text, view, why
from grandtour.games.itchy_feet.parts import MAX_SEATS, MIN_SEATS

GAME = Game(
    title="Itchy Feet",
    subtitle="the Travel Game",
    summary="Pack your backpack by drawing, trading and stealing, and be first to travel to the country in the centre.",
    players=(MIN_SEATS, MAX_SEATS),
    minutes=30,
    place=3,
    options=(
        Option(
            "variant",
            "Variant",
            "The classic game, or Bucket List: one pile of countries, and whoever travels to the most of them wins.",
            ("classic", "bucket-list"),
            "classic",
            words={"bucket-list": "Bucket List"},
        ),
        Option("events", "Events", "Four cards that affect everybody the moment they are drawn.", (False, True), False),
        Option(
            "special_items",
            "Special items",
            "Nine cards with different effects. Some are played on other players' turns.",
            (False, True),
            False,
        ),
        Option(
            "forbidden_items", "Forbidden items", "Three cards that keep you from travelling.", (False, True), False
        ),
        Option("postcards", "Postcards", "Six cards, and four of them in one hand win at once.", (False, True), False),
        Option("characters", "Characters", "An ability for each player, for the whole game.", (False, True), False),
        Option("offers", "Offers per turn", "How many offers to trade you can make on your turn.", (1, 2, 3, 5), 3),
        Option(
            "turn_limit",
            "Turn limit",
            "After this many rounds, whoever has travelled to the most countries wins.",
            (10, 20, 40, 60, 100, 200),
            60,
        ),
        starter(
            MAX_SEATS,
            default="closest",
            help="The player whose country is closest to the centre, or a seat that the host names.",
        ),
    ),
    package=__name__,
    moves=rules.MOVES,
    rules={1: rules.new, 2: rules.new},
    objection=referee.objection,
    view=view.view,
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
