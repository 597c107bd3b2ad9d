"""The referee: the rules written a second time, for people. It says why a move is refused, by paragraph of
`rulebook.md`.

It shares nothing with `rules.py`: every check reads the fields of the position and stands alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from grandtour.engine.refusal import Objection
from grandtour.engine.vocabulary import Named
from grandtour.games.round_trip.parts import MAX_HAND, N_PILES, PILES, TICKETS
from grandtour.games.round_trip.rules import MOVES, State
from grandtour.games.round_trip.state import STEP_GIVE, STEP_LAY, STEP_OVER, STEP_TAKE

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven")


def objection(state: State, seat: int, move: int) -> Objection | None:
    """Why a seat may not make a move: the first paragraph it breaks, or None if it is legal."""
    return next(_objections(state, seat, MOVES.name(move)), None)


def _objections(state: State, seat: int, named: Named) -> Iterator[Objection]:
    """All objections to a move. A later check may rely on the earlier ones."""
    if state.step == STEP_OVER:
        yield Objection("RT-49", "The game is over.")
    if state.step == STEP_GIVE:
        yield from _while_a_ticket_is_on_offer(state, seat, named)
    else:
        yield from _on_a_turn(state, seat, named)
    yield from CHECKS[named["do"]](state, seat, named)


def _while_a_ticket_is_on_offer(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if seat == state.turn:
        yield Objection("RT-36", "Your partner first chooses which ticket to give you.")
    if seat != state.partner:
        yield Objection("RT-18", "It is not your turn.")
    if named["do"] != "give":
        yield Objection("RT-36", f"You cannot refuse: give a {wanted_city(state)} ticket back.")


def _on_a_turn(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if named["do"] == "give":
        yield Objection("RT-36", "Nobody is waiting for a ticket from you.")
    if seat != state.turn:
        yield Objection("RT-18", "It is not your turn.")
    if state.step == STEP_TAKE and named["do"] != "take":
        yield Objection("RT-20", "A turn begins with taking a ticket.")
    if state.step != STEP_TAKE and named["do"] == "take":
        yield Objection("RT-20", "You have already taken a ticket this turn.")


def _take(state: State, seat: int, named: Named) -> Iterator[Objection]:
    city = named["pile"]
    shown = [name for number, name in enumerate(PILES) if state.card & 2**number]
    if city not in shown:
        yield Objection("RT-21", f"The selection card shows {' and '.join(shown)}, not {city}.")
    if state.count[PILES.index(city)] == 0:
        yield Objection("RT-23", f"The {city} pile is empty.")


def _exchange(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if state.step == STEP_LAY:
        yield Objection("RT-29", "You have already exchanged a ticket this turn.")
    side = named["with"]
    if state.seats == 2 and seat == state.starter and side != "left":
        yield Objection("RT-31", "With two players, the starting player uses only the black circle, on the left.")
    if state.seats == 2 and seat != state.starter and side != "right":
        yield Objection("RT-31", "With two players, the second player uses only the grey circle, on the right.")
    ticket = named["ticket"]
    if not hand(state, seat)[ticket]:
        yield Objection("RT-28", f"You hold no {title(ticket)} ticket.")
    wanted = circle(ticket, side)
    if not any(back(held) == wanted for held in hand(state, beside(state, seat, side))):
        who = "The other player" if state.seats == 2 else f"Your {side} neighbour"
        yield Objection("RT-33", f"{who} holds no {wanted} ticket.")


def _give(state: State, seat: int, named: Named) -> Iterator[Objection]:
    ticket = named["ticket"]
    if back(ticket) != wanted_city(state):
        yield Objection(
            "RT-36", f"You are asked for a {wanted_city(state)} ticket; {title(ticket)} is a {back(ticket)} one."
        )
    if not hand(state, seat)[ticket]:
        yield Objection("RT-36", f"You hold no {title(ticket)} ticket.")


def _lay(state: State, seat: int, named: Named) -> Iterator[Objection]:
    held = hand(state, seat)
    tickets: list[str] = named["tickets"]
    for ticket, needed in Counter(tickets).items():
        if held[ticket] < needed:
            yield Objection(
                "RT-38", f"You hold {NUMBERS[held[ticket]]} {title(ticket)}, and this takes {NUMBERS[needed]}."
            )
    length = len(tickets)
    if state.lengths[seat] & 2**length:
        yield Objection("RT-43", f"You already made a round trip of length {length}.")


def _discard(state: State, seat: int, named: Named) -> Iterator[Objection]:
    held = hand(state, seat)
    size = held.total()
    if size < MAX_HAND:
        tickets = "ticket" if size == 1 else "tickets"
        yield Objection("RT-45", f"You hold {NUMBERS[size]} {tickets}; only with seven do you discard one.")
    if not held[named["ticket"]]:
        yield Objection("RT-45", f"You hold no {title(named['ticket'])} ticket.")


def _end_turn(state: State, seat: int, named: Named) -> Iterator[Objection]:
    if hand(state, seat).total() == MAX_HAND:
        yield Objection("RT-45", "You hold seven tickets: make a round trip, or discard one.")


CHECKS: Final[dict[str, Callable[[State, int, Named], Iterator[Objection]]]] = {
    "take": _take,
    "exchange": _exchange,
    "give": _give,
    "lay": _lay,
    "discard": _discard,
    "end-turn": _end_turn,
}


def hand(state: State, seat: int) -> Counter[str]:
    """The tickets a seat holds."""
    counts = state.hand[len(TICKETS) * seat : len(TICKETS) * (seat + 1)]
    return Counter({ticket.name: int(count) for ticket, count in zip(TICKETS, counts, strict=True) if count})


def back(ticket: str) -> str:
    """The city on a ticket's back, which its name begins with (RT-7)."""
    return ticket.split("-")[0]


def title(ticket: str) -> str:
    """A ticket's name in a sentence."""
    return ticket.replace("-", "–")


def circle(ticket: str, side: str) -> str:
    """The city in the circle on one side of a ticket: the one before it in the ring (left) or after (right, RT-12)."""
    place = PILES.index(back(ticket))
    return PILES[(place - 1) % N_PILES] if side == "left" else PILES[(place + 1) % N_PILES]


def beside(state: State, seat: int, side: str) -> int:
    """The neighbour on one side. Clockwise is to the left (RT-3). With two players, both are the other player."""
    return int((seat + 1) % state.seats if side == "left" else (seat - 1) % state.seats)


def wanted_city(state: State) -> str:
    """The city of the ticket that the ticket on offer asks for."""
    offered = TICKETS[state.offer].name
    if state.seats == 2:
        side = "left" if state.turn == state.starter else "right"
    else:
        side = "left" if state.partner == beside(state, int(state.turn), "left") else "right"
    return circle(offered, side)
