"""What reports count in Round Trip Italy: tickets laid, the lengths of round trips, how matches end."""

from grandtour.engine.study import Kind, Log, Study, Things, count_moves, count_things
from grandtour.games.round_trip.parts import GRAND_TOUR, N_LENGTHS, PILES, TICKETS, TRIPS
from grandtour.games.round_trip.rules import MOVES, State
from grandtour.games.round_trip.state import BY_FOUR, BY_GRAND_TOUR

TRIP = Kind("round trip", "round trips", "made it")
TICKET = Kind("ticket laid", "tickets laid", "laid it in a round trip")
PILE = Kind("first pile", "first piles", "took their first ticket there")
TAKE = MOVES.first("take")


def dealt(state: State) -> Things:
    """Nothing, because a match begins with empty hands."""
    return [[] for _ in range(state.seats)]


def had(state: State, log: Log) -> Things:
    things: Things = []
    for seat in range(state.seats):
        trips = [TRIPS[trip - 1] for trip in state.trips[N_LENGTHS * seat : N_LENGTHS * seat + N_LENGTHS] if trip]
        tickets = sorted({kind for trip in trips for kind in trip.tickets})
        mine = [(TRIP.one, "grand tour" if trip.length == GRAND_TOUR else f"length {trip.length}") for trip in trips]
        mine += [(TICKET.one, TICKETS[kind].title) for kind in tickets]
        first = next((move - TAKE for who, move in log if who == seat and TAKE <= move < TAKE + len(PILES)), None)
        mine += [(PILE.one, PILES[first])] if first is not None else []
        things.append(mine)
    return things


def figures(state: State, log: Log) -> list[dict[str, int]]:
    return [
        {
            "round trips": count_things(TRIP, things),
            "tickets laid": count_things(TICKET, things),
            "tickets taken": count_moves(log, seat, MOVES.verbs["take"]),
            "exchanges": count_moves(log, seat, MOVES.verbs["exchange"]),
        }
        for seat, things in enumerate(had(state, log))
    ]


def ending(state: State) -> str:
    how = state.how
    return "four round trips" if how == BY_FOUR else "a grand tour" if how == BY_GRAND_TOUR else "the turn limit"


STUDY = Study(
    dealt=dealt,
    had=had,
    first=lambda state: int(state.starter),
    ending=ending,
    chance=(),
    choice=(TRIP, TICKET, PILE),
    score=("round trip", "round trips"),
    figures=figures,
)
