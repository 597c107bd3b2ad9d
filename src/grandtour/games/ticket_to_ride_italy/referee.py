"""The referee: the rules written a second time, for people. It says why a move is refused, by paragraph of
`rulebook.md`.

It shares nothing with `rules.py`: every check reads the fields of the position and stands alone.
"""

from collections.abc import Callable, Iterator
from typing import Final

from grandtour.engine.refusal import Objection
from grandtour.engine.vocabulary import Named
from grandtour.games.ticket_to_ride_italy.parts import (
    CARDS,
    COLOURS,
    FIRST_KEPT,
    LATER_KEPT,
    LOCOMOTIVE,
    MAX_FERRY_CARDS,
    PARALLEL,
    ROUTE_NUMBERS,
    ROUTES,
    SINGLE_TRACK_SEATS,
    TICKETS,
    WAVES_PER_FERRY_CARD,
    Route,
)
from grandtour.games.ticket_to_ride_italy.rules import MOVES, State
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT, STEP_CHOOSE, STEP_KEEP, STEP_OVER, STEP_SECOND

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven")


def objection(state: State, seat: int, move: int) -> Objection | None:
    """Why a seat may not make a move: the first paragraph it breaks, or None if it is legal."""
    return next(_objections(state, seat, MOVES.name(move)), None)


def _objections(state: State, seat: int, named: Named) -> Iterator[Objection]:
    """All objections to a move. A later check may rely on the earlier ones."""
    do = named["do"]
    if state.step == STEP_OVER:
        yield Objection("TR-53", "The game is over.")
    if state.step == STEP_CHOOSE:
        if state.chosen & 2**seat:
            yield Objection("TR-18", "You have chosen your first tickets; the others are still choosing.")
        if do not in ("return", "keep"):
            yield Objection("TR-18", "Everyone chooses tickets first.")
    elif seat != state.turn:
        yield Objection("TR-3", "It is not your turn.")
    if state.step == STEP_ACT and do in ("return", "keep"):
        yield Objection("TR-49", "You have drawn no tickets to choose from.")
    if state.step == STEP_SECOND and do != "draw":
        yield Objection("TR-23", "You have drawn one train card: draw the second.")
    if state.step == STEP_KEEP and do not in ("return", "keep"):
        yield Objection("TR-49", "You have drawn tickets: choose which of them you keep.")
    yield from CHECKS[do](state, seat, named)


def _draw(state: State, seat: int, named: Named) -> Iterator[Objection]:
    card = named["card"]
    if card == "deck":
        if state.decked == 0:
            yield Objection("TR-31", "The deck is empty, and so are the discards.")
        return
    if CARDS.index(card) not in state.row:
        yield Objection("TR-23", f"There is no {card} card face up.")
    if card == "locomotive" and state.step == STEP_SECOND:
        yield Objection("TR-25", "A face-up locomotive can only be the first card you draw.")


def _ferry(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.ferries[seat] >= MAX_FERRY_CARDS:
        yield Objection("TR-35", "You already hold two ferry cards.")


def _free(state: State, seat: int, route: int) -> Iterator[Objection]:
    """Why a route cannot be claimed with any payment."""
    track = ROUTES[route]
    if state.owner[route] >= 0:
        whose = "yours" if state.owner[route] == seat else "taken"
        yield Objection("TR-38", f"{track.words} is already {whose}.")
    owners = [state.owner[other] for other in PARALLEL[route] if state.owner[other] >= 0]
    if state.seats <= SINGLE_TRACK_SEATS and owners:
        yield Objection(
            "TR-48", f"Another track of {track.words} is taken, and with two or three players this one is closed."
        )
    if seat in owners:
        yield Objection("TR-47", f"You own another track of {track.words}.")
    if state.trains[seat] < track.length:
        yield Objection("TR-39", f"{track.words} takes {track.length} trains, and you have {state.trains[seat]} left.")


def _claim(state: State, seat: int, named: Named) -> Iterator[Objection]:
    route = ROUTE_NUMBERS[named["route"]]
    yield from _free(state, seat, route)
    track = ROUTES[route]
    if named["locomotives"] > track.length:
        yield Objection("TR-37", f"{track.words} has {NUMBERS[track.length]} spaces: that is too many cards.")
    yield from _holding(state, seat, "locomotive", named["locomotives"])
    yield from _holding(state, seat, COLOURS[track.colour], track.length - named["locomotives"])


def _sail(state: State, seat: int, named: Named) -> Iterator[Objection]:
    route = ROUTE_NUMBERS[named["route"]]
    yield from _free(state, seat, route)
    track = ROUTES[route]
    pay = dict(named["pay"])
    locomotives, ferries = pay.pop("locomotive", 0), pay.pop("ferry", 0)
    yield from _fitting(track, sum(pay.values()), locomotives, ferries)
    for colour, count in pay.items():
        yield from _holding(state, seat, colour, count)
    yield from _holding(state, seat, "locomotive", locomotives)
    if ferries > state.ferries[seat]:
        yield Objection(
            "TR-42", f"You hold {NUMBERS[state.ferries[seat]]} ferry card{'' if state.ferries[seat] == 1 else 's'}."
        )


def _fitting(track: Route, cards: int, locomotives: int, ferries: int) -> Iterator[Objection]:
    """Why a fare does not fit a ferry, for any player."""
    plain = track.length - track.waves
    if cards > plain:
        yield Objection("TR-42", f"Only {NUMBERS[plain]} spaces of {track.words} have no wave.")
    by_ferry = track.length - cards - locomotives
    if by_ferry < 0:
        yield Objection("TR-37", f"{track.words} has {NUMBERS[track.length]} spaces: that is too many cards.")
    if by_ferry > WAVES_PER_FERRY_CARD * ferries:
        yield Objection("TR-43", f"That does not pay for all {NUMBERS[track.length]} spaces of {track.words}.")
    if by_ferry > track.waves:
        yield Objection("TR-44", f"Only {NUMBERS[track.waves]} spaces of {track.words} have a wave.")
    if by_ferry < ferries:
        yield Objection("TR-45", "There is no wave left for that ferry card.")


def _holding(state: State, seat: int, card: str, needed: int) -> Iterator[Objection]:
    held = state.hand[len(CARDS) * seat + CARDS.index(card)]
    if held < needed:
        yield Objection("TR-37", f"This takes {needed} {card} card{'' if needed == 1 else 's'}, and you hold {held}.")


def _tickets(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.left == 0:
        yield Objection("TR-50", "There are no tickets left to draw.")


def _return(state: State, seat: int, named: Named) -> Iterator[Objection]:
    number = [ticket.name for ticket in TICKETS].index(named["ticket"])
    first = state.step == STEP_CHOOSE
    choice = state.held[seat] if first else state.drawn
    if not choice & 2**number:
        yield Objection("TR-18" if first else "TR-49", "You were not offered that ticket.")
    if state.aside[seat] & 2**number:
        yield Objection("TR-18" if first else "TR-49", "You are already giving that ticket back.")
    kept = bin(choice & ~state.aside[seat]).count("1")
    if first and kept <= FIRST_KEPT:
        yield Objection("TR-18", "You must keep at least three tickets.")
    if not first and kept <= LATER_KEPT:
        yield Objection("TR-49", "You must keep at least one ticket.")


def _keep(state: State, seat: int, named: Named) -> Iterator[Objection]:
    yield from ()


def _pass(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.decked or any(card >= 0 for card in state.row):
        yield Objection("TR-22", "You can still draw train cards.")
    if state.ferries[seat] < MAX_FERRY_CARDS:
        yield Objection("TR-22", "You can still draw a ferry card.")
    if state.left:
        yield Objection("TR-22", "You can still draw tickets.")
    for route, track in enumerate(ROUTES):
        if next(_free(state, seat, route), None) is None and _could_pay(state, seat, track):
            yield Objection("TR-22", f"You can still claim {track.words}.")


def _could_pay(state: State, seat: int, track: Route) -> bool:
    """Whether a seat could pay for a route. Ferry cards are used first, because they have no other use."""
    hand = [int(count) for count in state.hand[len(CARDS) * seat : len(CARDS) * (seat + 1)]]
    waves = max(track.waves - WAVES_PER_FERRY_CARD * int(state.ferries[seat]), 0)
    locomotives = hand[LOCOMOTIVE] - waves
    cards = max(hand[:LOCOMOTIVE]) if track.ferry else hand[track.colour]
    return locomotives >= 0 and cards + locomotives >= track.length - track.waves


CHECKS: Final[dict[str, Callable[[State, int, Named], Iterator[Objection]]]] = {
    "draw": _draw,
    "ferry": _ferry,
    "claim": _claim,
    "sail": _sail,
    "tickets": _tickets,
    "return": _return,
    "keep": _keep,
    "pass": _pass,
}
