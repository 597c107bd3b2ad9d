"""What reports count in Word Traveler: maps and words dealt, places visited, and words used."""

from grandtour.engine.study import Kind, Log, Study, Things, count_things
from grandtour.games.word_traveler.parts import CITIES, DAYS, HAND, MAPS, MAX_ARROWS, PLACES, RATINGS, SIDES, WORDS
from grandtour.games.word_traveler.rules import State

CITY = Kind("city", "cities", "travelled there")
MAP = Kind("map card", "map cards", "were dealt it")
WORD = Kind("word dealt", "words dealt", "had it on the first day")
STOP = Kind("place", "places", "stopped there for points")
SAID = Kind("word said", "words used", "placed it under an arrow")


def dealt(state: State) -> Things:
    return [
        [
            (CITY.one, CITIES[state.city]),
            (MAP.one, MAPS[state.maps[seat]]),
            *((WORD.one, WORDS[word]) for word in state.hand[HAND * seat : HAND * seat + HAND]),
        ]
        for seat in range(state.seats)
    ]


def had(state: State, log: Log) -> Things:
    things: Things = []
    for seat in range(state.seats):
        stops: set[str] = set()
        said: set[str] = set()
        for day in range(DAYS):
            journey = state.seats * day + seat
            for arrow in range(MAX_ARROWS):
                if state.points[MAX_ARROWS * journey + arrow]:
                    stops.add(f"{PLACES[state.city][state.feet[MAX_ARROWS * journey + arrow]]}, {CITIES[state.city]}")
            for at in range(HAND * journey, HAND * journey + HAND):
                if state.put[at]:
                    said.add(SIDES[2 * state.hand[at] + (state.put[at] - 1) % 2])
        things.append([(STOP.one, name) for name in sorted(stops)] + [(SAID.one, name) for name in sorted(said)])
    return things


def figures(state: State, log: Log) -> list[dict[str, int]]:
    found = []
    for seat, things in enumerate(had(state, log)):
        first = [MAX_ARROWS * (state.seats * day + seat) for day in range(DAYS)]
        guessed = sum(state.points[at + arrow] > 0 for at in first for arrow in range(MAX_ARROWS))
        found.append({"stops guessed": guessed, "words used": count_things(SAID, things)})
    return found


def ending(state: State) -> str:
    return RATINGS[state.souvenirs()]


STUDY = Study(
    dealt=dealt,
    had=had,
    first=lambda state: int(state.starter),
    ending=ending,
    chance=(CITY, MAP, WORD),
    choice=(STOP, SAID),
    score=("point", "points"),
    figures=figures,
)
