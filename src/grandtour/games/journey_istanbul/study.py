"""What reports count in The Journey: Istanbul: obstacles, opportunities, places, and who gets out when."""

from grandtour.engine.study import Kind, Log, Study, Things, count_moves, count_things
from grandtour.games.journey_istanbul.mechanics.moves import MOVES
from grandtour.games.journey_istanbul.parts import DAYS, JAIL, OBSTACLES, OPPORTUNITIES, OUT, PLACES
from grandtour.games.journey_istanbul.rules import State

OBSTACLE = Kind("obstacle", "obstacles", "were dealt it")
OPPORTUNITY = Kind("opportunity", "opportunities", "were dealt it")
TAKEN = Kind("opportunity used", "opportunities used", "completed it")
BEHIND = Kind("obstacle overcome", "obstacles overcome", "overcame it")
STAYED = Kind("neighbourhood", "neighbourhoods", "spent more days there than anywhere else")
LEFT = Kind("week of leaving", "weeks of leaving", "travelled out in it")
ACTION = Kind("kind of action", "kinds of action", "did it at least once")

NUMBERS = ("nobody", "one", "two", "three", "four", "five")

ACTIONS = {
    "working": "work",
    "buying information": "buy",
    "selling information": "offer",
    "asking a question": "ask",
    "giving money away": "give",
}


def dealt(state: State) -> Things:
    return [
        [(OBSTACLE.one, OBSTACLES[state.obstacle[seat]]), (OPPORTUNITY.one, OPPORTUNITIES[state.opportunity[seat]])]
        for seat in range(state.seats)
    ]


def had(state: State, log: Log) -> Things:
    verbs = {name: MOVES.verbs[verb] for name, verb in ACTIONS.items()}
    things: Things = []
    for seat in range(state.seats):
        mine: list[tuple[str, str]] = []
        if state.bonus[seat]:
            mine.append((TAKEN.one, OPPORTUNITIES[state.opportunity[seat]]))
        if state.done >> seat & 1:
            mine.append((BEHIND.one, OBSTACLES[state.obstacle[seat]]))
        days = [int(state.visits[len(PLACES) * seat + place]).bit_count() for place in range(len(PLACES))]
        mine.append((STAYED.one, PLACES[days.index(max(days))]))
        if state.place[seat] == OUT:
            mine.append((LEFT.one, f"week {(state.out_day[seat] - 1) // len(DAYS) + 1}"))
        mine += [(ACTION.one, name) for name, verb in verbs.items() if count_moves(log, seat, verb)]
        things.append(mine)
    return things


def figures(state: State, log: Log) -> list[dict[str, int]]:
    found = []
    for seat, things in enumerate(had(state, log)):
        days = {verb: count_moves(log, seat, MOVES.verbs[verb]) for verb in ("leave", "remain", "work", "buy", "ask")}
        found.append(
            {
                "obstacles overcome": count_things(BEHIND, things),
                "opportunities used": count_things(TAKEN, things),
                "days of work": days["work"],
                "questions asked": days["ask"],
                "pieces of information bought": days["buy"],
                # A stay ends with leaving jail or with the match, and each day of remaining adds a night to the first.
                "nights in jail": days["leave"] + days["remain"] + int(state.place[seat] == JAIL),
            }
        )
    return found


def ending(state: State) -> str:
    out = sum(place == OUT for place in state.place)
    if out == state.seats:
        return "everybody travels out"
    if not out:
        return f"{NUMBERS[out]} travels out"
    return f"{NUMBERS[out]} of {NUMBERS[state.seats]} travel{'s' if out == 1 else ''} out"


STUDY = Study(
    dealt=dealt,
    had=had,
    first=lambda state: int(state.starter),
    ending=ending,
    chance=(OBSTACLE, OPPORTUNITY),
    choice=(BEHIND, TAKEN, STAYED, LEFT, ACTION),
    score=("TL", "TL"),
    figures=figures,
)
