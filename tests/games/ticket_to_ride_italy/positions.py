"""Positions of Ticket to Ride: Italy in a few words, and a table at which to try moves."""

from typing import Any

from grandtour import testing
from grandtour.games.ticket_to_ride_italy import GAME, parts
from grandtour.games.ticket_to_ride_italy.knowledge import dealt, slots
from grandtour.games.ticket_to_ride_italy.mechanics.board import size
from grandtour.games.ticket_to_ride_italy.rules import State
from grandtour.games.ticket_to_ride_italy.state import STEP_ACT

ROW = "red blue green white black"


class Table(testing.Table[State]):
    """A position with people around it who make moves and are refused."""

    def __init__(self, seats: int = 2, *, seed: int = 1, state: State | None = None, **given: Any) -> None:
        super().__init__(GAME, seats, seed=seed, state=state, **given)

    def arrange(
        self,
        *,
        hands: dict[int, str] | None = None,
        row: str = ROW,
        deck: str | None = None,
        discards: str = "",
        ferries: dict[int, int] | None = None,
        routes: dict[int, str] | None = None,
        trains: dict[int, int] | None = None,
        tickets: dict[int, list[str]] | None = None,
        ticket_deck: list[str] | None = None,
    ) -> None:
        """Seat 0 is to play. Cards are written "3 red, locomotive", routes as their names or as "Roma-Napoli".

        Cards not mentioned are in the deck; when the deck is given, the last seat holds them. Tickets not mentioned
        lie in their deck in the order of the list; when that deck is given, the last seat holds them.
        """
        state = self.state
        seats = int(state.seats)
        kinds = len(parts.CARDS)
        hand = [0] * (kinds * seats)
        for seat, words in (hands or {}).items():
            hand[kinds * seat : kinds * (seat + 1)] = counts(words)
        face_up = [parts.CARDS.index(card) for card in row.split()]
        thrown = counts(discards)
        rest = [
            copies - sum(hand[card::kinds]) - face_up.count(card) - thrown[card]
            for card, copies in enumerate(parts.COPIES)
        ]
        left = rest if deck is None else counts(deck)
        for card in range(kinds):
            hand[kinds * (seats - 1) + card] += rest[card] - left[card]
        held = {seat: sum(1 << number(name) for name in names) for seat, names in (tickets or {}).items()}
        queue = [ticket for ticket in range(parts.N_TICKETS) if not sum(held.values()) >> ticket & 1]
        if ticket_deck is not None:
            wanted = [number(name) for name in ticket_deck]
            held[seats - 1] = held.get(seats - 1, 0) | sum(1 << ticket for ticket in queue if ticket not in wanted)
            queue = wanted
        state.restore(
            {
                "step": STEP_ACT,
                "chosen": 2**seats - 1,
                "hand": hand,
                "known": [0] * len(hand),
                "blind": [0] * len(hand),
                "drew": [0] * seats,
                "stock": left,
                "deck": left,
                "decked": sum(left),
                "discards": thrown,
                "row": face_up + [-1] * (parts.ROW - len(face_up)),
                "ferries": [(ferries or {}).get(seat, 0) for seat in range(seats)],
                "held": [held.get(seat, 0) for seat in range(seats)],
                "queue": queue + [0] * (parts.N_TICKETS - len(queue)),
                "top": 0,
                "left": len(queue),
            }
        )
        dealt(state.maybe, seats, state.held, slots(0, len(queue)))
        for seat, words in (routes or {}).items():
            for name in words.split():
                state.occupy(seat, route(name))
        for seat, count in (trains or {}).items():
            state.trains[seat] = count

    def refusal(self, seat: int, do: str, **arguments: object) -> str | None:
        """The paragraph by which a move is refused; None if it is allowed."""
        return None if self.may(seat, do, **arguments) else self.refused(seat, do, **arguments).rule

    def fares(self, seat: int, route: str) -> list[dict[str, int]]:
        """Every way in which a seat can pay for a ferry now."""
        return self.choices(seat, "sail", route=route)

    def hand(self, seat: int) -> dict[str, int]:
        found: dict[str, int] = self.view(seat)["hand"]
        return found

    def held(self, seat: int) -> int:
        """How many tickets a seat holds."""
        return int(size(self.state.held[seat]))

    def finish(self) -> None:
        """Seat 0 takes a ferry card as the last turn of the game."""
        self.state.last = 1
        self.play(0, "ferry")
        assert self.over


def counts(words: str) -> list[int]:
    """Cards as counts: "3 red, locomotive"."""
    found = [0] * len(parts.CARDS)
    for word in filter(None, words.split(", ")):
        *many, card = word.split()
        found[parts.CARDS.index(card)] += int(many[0]) if many else 1
    return found


def route(name: str) -> int:
    """A route by its name, or the first between two places: "Roma-Napoli", "Torino-Francia"."""
    if name in parts.ROUTE_NUMBERS:
        return parts.ROUTE_NUMBERS[name]
    ends = set(name.split("-"))
    between = [track.name for track in parts.ROUTES if {parts.place_name(p) for p in (track.a, track.b)} == ends]
    return parts.ROUTE_NUMBERS[min(between)]


def number(ticket: str) -> int:
    return [printed.name for printed in parts.TICKETS].index(ticket)
