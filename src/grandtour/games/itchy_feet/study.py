"""What reports count in Itchy Feet: countries, items dealt, characters, special items played."""

from grandtour.engine.study import Kind, Log, Study, Things, count_moves, count_things
from grandtour.games.itchy_feet import state as table
from grandtour.games.itchy_feet.mechanics.packs import count
from grandtour.games.itchy_feet.parts import CHARACTERS, COUNTRY_NAMES, ITEMS, SPECIALS
from grandtour.games.itchy_feet.rules import MOVES, State

HOME = Kind("country dealt", "countries dealt", "had it in front of them")
ITEM = Kind("item dealt", "items dealt", "held it from the start")
CHARACTER = Kind("character", "characters", "were dealt it")
BEEN = Kind("country reached", "countries reached", "travelled there")
PLAYED = Kind("special item", "special items", "played it")
ACTION = Kind("kind of action", "kinds of action", "did it at least once")

PLAY = MOVES.first("play")
ACTIONS = {
    "stealing a card": "steal",
    "accepting a trade": "accept",
    "offering a trade": "propose",
    "taking from the discards": "recycle",
    "getting rid of cards": "get-rid",
}
ENDINGS = {
    table.BY_CENTRE: "the country in the centre",
    table.BY_POSTCARDS: "four postcards",
    table.BY_COUNTRIES: "all countries travelled to",
    table.BY_LIMIT: "the turn limit",
}


def dealt(state: State) -> Things:
    things: Things = []
    for seat in range(state.seats):
        mine = [] if state.bucket else [(HOME.one, COUNTRY_NAMES[state.country[seat]])]
        mine += [(ITEM.one, name) for kind, name in enumerate(ITEMS) if count(state.hand[seat], kind)]
        mine += [(CHARACTER.one, CHARACTERS[state.character[seat]])] if state.character[seat] >= 0 else []
        things.append(mine)
    return things


def had(state: State, log: Log) -> Things:
    verbs = {name: MOVES.verbs[verb] for name, verb in ACTIONS.items()}
    things: Things = []
    for seat in range(state.seats):
        moves = {move for who, move in log if who == seat}
        if state.bucket:
            been = [name for name, owner in zip(COUNTRY_NAMES, state.owner, strict=True) if owner == seat]
        else:
            been = [COUNTRY_NAMES[state.country[seat]]] if state.visited >> seat & 1 else []
        mine = [(BEEN.one, name) for name in been]
        mine += [(PLAYED.one, name) for card, name in enumerate(SPECIALS) if PLAY + card in moves]
        mine += [(ACTION.one, name) for name, verb in verbs.items() if count_moves(log, seat, verb)]
        things.append(mine)
    return things


def figures(state: State, log: Log) -> list[dict[str, int]]:
    return [
        {
            "countries reached": count_things(BEEN, things),
            "special items played": count_things(PLAYED, things),
            "trades offered": count_moves(log, seat, MOVES.verbs["propose"]),
            "trades accepted": count_moves(log, seat, MOVES.verbs["accept"]),
            "cards stolen": count_moves(log, seat, MOVES.verbs["steal"]),
        }
        for seat, things in enumerate(had(state, log))
    ]


def ending(state: State) -> str:
    return ENDINGS[int(state.how)]


STUDY = Study(
    dealt=dealt,
    had=had,
    first=lambda state: int(state.starter),
    ending=ending,
    chance=(HOME, ITEM, CHARACTER),
    choice=(BEEN, PLAYED, ACTION),
    score=("country", "countries"),
    figures=figures,
)
