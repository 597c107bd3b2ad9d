"""Why a hint suggests a move in Ticket to Ride: Italy, in a sentence, from what the seat knows."""

from grandtour.engine import words as say
from grandtour.games.ticket_to_ride_italy.bot import has_incomplete_ticket, next_path, route_of
from grandtour.games.ticket_to_ride_italy.knowledge import tickets_in
from grandtour.games.ticket_to_ride_italy.mechanics.board import GROUP, LENGTH, ONE, POINTS, TICKET_A, TICKET_B, regions
from grandtour.games.ticket_to_ride_italy.parts import BLIND, CARDS, KINDS, LOCOMOTIVE, ROUTES, TICKETS
from grandtour.games.ticket_to_ride_italy.rules import CLAIM, DRAW, DRAW_TICKETS, FERRY, KEEP, RETURN, State
from grandtour.games.ticket_to_ride_italy.state import STEP_CHOOSE
from grandtour.games.ticket_to_ride_italy.strategy.plan import WAVES, Planner, ticket_gains, turns_left

ANY_EFFORT = 2000
"""In tenths of a turn, more than any path across the map takes."""


def why(state: State, seat: int, move: int) -> str:
    """A reason for a legal move."""
    if move < FERRY:
        return _reason_to_draw(state, seat, int(move - DRAW))
    if move == FERRY:
        return _reason_for_ferry(state, seat)
    if CLAIM <= move < DRAW_TICKETS:
        return _reason_to_claim(state, seat, int(route_of(move)))
    if move == DRAW_TICKETS:
        if has_incomplete_ticket(state, seat):
            return "Your network may already connect the cities of a new ticket."
        return "All your tickets are completed, and new ones may fit your network."
    if RETURN <= move < RETURN + len(TICKETS) or move == KEEP:
        return _reason_to_choose(state, seat, move)
    return "Nothing else is possible."


def _reason_to_claim(state: State, seat: int, route: int) -> str:
    after = state.clone()
    after.occupy(seat, route)
    done = tickets_in(after.tickets_met(seat) & ~state.tickets_met(seat))
    if done:
        points = say.plural(sum(TICKETS[ticket].points for ticket in done), "point")
        return f"It completes {say.join_and([_title(ticket) for ticket in done])} ({points})."
    before, later = Planner(state, seat, ANY_EFFORT), Planner(after, seat, ANY_EFFORT)
    helped: list[tuple[int, int]] = []
    for ticket in tickets_in(state.held[seat] & ~state.tickets_met(seat)):
        was, left = _trains_to_build(before, ticket), _trains_to_build(later, ticket)
        if left is not None and (was is None or left < was):
            helped.append((left, ticket))
    if helped:
        left, ticket = min(helped)
        return f"It brings you closer to {_title(ticket)}: {say.plural(left, 'train')} to go."
    grown = regions(later.main_network()) - regions(before.main_network())
    points = say.plural(int(POINTS[route]), "point")
    if grown > 0:
        return f"It adds {say.plural(int(grown), 'region')} to your largest network and scores {points}."
    return f"It scores {points} at once."


def _trains_to_build(planner: Planner, ticket: int) -> int | None:
    """The number of trains still needed for a ticket on the easiest path, or None if there is none."""
    place = planner.search(TICKET_A[ticket], TICKET_B[ticket], ANY_EFFORT)
    if place < 0:
        return None
    return sum(int(LENGTH[planner.track[connection]]) for connection in planner.path_to(place))


def _reason_to_draw(state: State, seat: int, card: int) -> str:
    if card == LOCOMOTIVE:
        return "A locomotive stands in for a card of any colour."
    hand = state.hand[KINDS * seat : KINDS * (seat + 1)]
    wanted: dict[int, str] = {}
    for route in next_path(state, seat).routes:
        colour = int(GROUP[route])
        lacking = int(LENGTH[route]) - int(hand[colour])
        if colour != LOCOMOTIVE and lacking > 0 and colour not in wanted:
            wanted[colour] = f"You need {CARDS[colour]} for {ROUTES[route].words}, and you are {lacking} short."
    if card == BLIND:
        if any(up in wanted for up in state.row):
            return "The deck may hold a locomotive or a colour you need."
        return "None of the face-up cards is a colour you need, so the deck is just as good."
    if card in wanted:
        return wanted[card]
    held = int(hand[card])
    if held:
        return f"It adds to the {held} {CARDS[card]} {'card' if held == 1 else 'cards'} you hold."
    return "It keeps more routes open to you later."


def _reason_for_ferry(state: State, seat: int) -> str:
    for route in next_path(state, seat).routes:
        if GROUP[route] == LOCOMOTIVE:
            return f"{ROUTES[route].words} has {say.plural(int(WAVES[route]), 'wave')}, and a ferry card pays for two."
    return "A ferry card pays for two waves on any ferry route."


def _reason_to_choose(state: State, seat: int, move: int) -> str:
    first = state.step == STEP_CHOOSE
    choice = state.held[seat] if first else state.drawn
    effort = (9 if first else 6) * turns_left(state)
    plan = Planner(state, seat, effort).plan(ticket_gains(0 if first else state.held[seat], choice))
    if move == KEEP:
        kept = choice & ~state.aside[seat]
        if kept & plan.tickets == kept:
            return "These tickets can all be completed with the trains you have."
        return "These go together best, although there may not be time for all of them."
    ticket = int(move - RETURN)
    if plan.tickets & ONE[ticket]:
        return f"It is a detour for only {say.plural(TICKETS[ticket].points, 'point')}."
    return "It does not fit your other tickets, and a ticket that is not completed costs points."


def _title(ticket: int) -> str:
    return TICKETS[ticket].name.replace("-", "–")
