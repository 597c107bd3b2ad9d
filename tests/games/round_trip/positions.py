"""Positions of Round Trip Italy in a few words, and a table at which to try moves."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from grandtour import testing
from grandtour.engine.events import Event
from grandtour.games.round_trip import GAME
from grandtour.games.round_trip.parts import PILES, TICKETS
from grandtour.games.round_trip.rules import MOVES, State

KIND = {ticket.name: kind for kind, ticket in enumerate(TICKETS)}
STEPS = ("take", "act", "lay", "give", "over")

PAIR = ["Milano-Venezia", "Venezia-Milano"]
TRIANGLE = ["Milano-Venezia", "Venezia-Napoli", "Milano-Napoli"]
TURINO_VENEZIA_ROMA_MILANO = ["Turino-Venezia", "Venezia-Roma", "Milano-Roma", "Milano-Turino"]
FIVE = ["Milano-Venezia", "Venezia-Napoli", "Napoli-Palermo", "Palermo-Turino", "Turino-Milano"]
GRAND_TOUR = ["Milano-Venezia", "Venezia-Napoli", "Napoli-Palermo", "Palermo-Turino", "Turino-Roma", "Milano-Roma"]
OF_LENGTH = {2: PAIR, 3: TRIANGLE, 4: TURINO_VENEZIA_ROMA_MILANO, 5: FIVE, 6: GRAND_TOUR}
"""A round trip of each length."""


class Table(testing.Table[State]):
    """A table with these hands, on seat 0's turn."""

    def __init__(self, hands: Sequence[Sequence[str]], *, seed: int = 0, **given: Any) -> None:
        super().__init__(GAME, len(hands), seed=seed, hands=hands, **given)

    def arrange(
        self,
        *,
        hands: Sequence[Sequence[str]],
        turn: int = 0,
        step: str = "act",
        card: Sequence[str] = PILES,
        piles: Mapping[str, Sequence[str]] | None = None,
        made: Mapping[int, Sequence[Sequence[str]]] | None = None,
        known: Mapping[tuple[int, int], Sequence[str]] | None = None,
        round: int = 1,
    ) -> None:
        """`made` are the round trips that lie before a seat, `known` what a first seat knows of a second one's hand. A
        pile named in `piles` holds just these tickets, the top one first; the others hold what is left of their
        sixteen, in the order of the dice.
        """
        seats = len(hands)
        out = Counter(KIND[name] for hand in hands for name in hand)
        lengths, trips = [0] * seats, [0] * (5 * seats)
        for seat, laid in (made or {}).items():
            for tickets in laid:
                lengths[seat] |= 1 << len(tickets)
                trips[5 * seat + len(tickets) - 2] = MOVES.move("lay", tickets=tickets) - MOVES.first("lay") + 1
                out.update(KIND[name] for name in tickets)
        counts, places = [0] * 5, [0] * 80
        for pile, city in enumerate(PILES):
            inside = [int(kind) for kind in self.state.pile[16 * pile : 16 * pile + 16]]
            for kind in [kind for kind in out.elements() if TICKETS[kind].pile == pile]:
                inside.remove(kind)
            if piles is not None and city in piles:
                inside = [KIND[name] for name in piles[city]]
            counts[pile] = len(inside)
            places[16 * pile : 16 * pile + len(inside)] = inside
        fronts = {pair: list(tickets) for pair, tickets in (known or {}).items()}
        pairs = [(seat, holder) for seat in range(seats) for holder in range(seats)]
        self.state.restore(
            {
                "turn": turn,
                "step": STEPS.index(step),
                "round": round,
                "pile": places,
                "count": counts,
                "hand": [list(hand).count(ticket.name) for hand in hands for ticket in TICKETS],
                "known": [fronts.get(pair, []).count(ticket.name) for pair in pairs for ticket in TICKETS],
                "lengths": lengths,
                "trips": trips,
                "card": sum(1 << PILES.index(city) for city in card),
            }
        )

    def hand(self, seat: int) -> list[str]:
        hand: list[str] = self.view(seat)["hand"]
        return hand


def names(events: list[Event]) -> list[str]:
    """What kinds of event happened, in order."""
    return [event["event"] for event in events]


def only(events: list[Event], name: str) -> Event:
    """The one event of a kind."""
    (found,) = (event for event in events if event["event"] == name)
    return found
