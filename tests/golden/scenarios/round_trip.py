"""Round Trip Italy: each way the game can end, and each thing that does not happen in every game."""

from collections import Counter
from itertools import pairwise

from grandtour.engine.events import Event
from grandtour.testing import Golden


def of(steps: list[list[Event]], name: str) -> list[Event]:
    return [event for events in steps for event in events if event["event"] == name]


def ends(steps: list[list[Event]], how: str, winners: int = 1) -> bool:
    (won,) = of(steps, "won")
    return won["how"] == how and len(won["seats"]) == winners


def made(steps: list[list[Event]]) -> list[tuple[int, int]]:
    """How many round trips and how many tickets each seat that laid any has laid, the most first."""
    trips: Counter[int] = Counter()
    tickets: Counter[int] = Counter()
    for laid in of(steps, "laid"):
        trips[laid["seat"]] += 1
        tickets[laid["seat"]] += laid["length"]
    return sorted(((trips[seat], tickets[seat]) for seat in trips), reverse=True)


def by_tickets(steps: list[list[Event]]) -> bool:
    return ends(steps, "limit") and len(table := made(steps)) > 1 and table[0][0] == table[1][0]


def by_trips(steps: list[list[Event]]) -> bool:
    return ends(steps, "limit") and len(table := made(steps)) > 1 and table[0][0] > table[1][0]


def in_a_row(steps: list[list[Event]]) -> bool:
    return any(one["extra"] and two["extra"] for one, two in pairwise(of(steps, "turn")))


def chooses(steps: list[list[Event]]) -> bool:
    """Some exchange takes two moves, for the partner has several tickets; both neighbours are asked."""
    answers = [events for events in steps if events and events[0]["event"] == "exchanged"]
    return bool(answers) and {offer["with"] for offer in of(steps, "offered")} == {"left", "right"}


def turned_on(steps: list[list[Event]]) -> bool:
    return any(turned["passed"] for turned in of(steps, "turned"))


SCENARIOS = [
    Golden("four-trips", ("random", "random"), lambda steps: ends(steps, "four")),
    Golden("grand-tour", ("normal", "normal", "normal"), lambda steps: ends(steps, "grand")),
    Golden("limit-most-trips", ("random", "random"), by_trips, {"turn_limit": 10}),
    Golden("limit-most-tickets", ("random", "random", "random"), by_tickets, {"turn_limit": 10}),
    Golden("limit-shared", ("random", "random"), lambda steps: ends(steps, "limit", 2), {"turn_limit": 10}),
    Golden("extra-turn", ("normal", "random"), lambda steps: any(turn["extra"] for turn in of(steps, "turn"))),
    Golden("extra-turns-in-a-row", ("random", "random"), in_a_row, {"selection": "singles"}),
    Golden("exchange-with-a-choice", ("normal", "normal", "normal", "normal"), chooses, {"start": "3"}),
    Golden("seventh-ticket", ("normal", "random"), lambda steps: bool(of(steps, "discarded"))),
    Golden("empty-piles", ("random",) * 4, turned_on, {"selection": "singles"}),
    Golden("selection-shuffled", ("normal", "normal", "random", "random"), lambda steps: bool(of(steps, "shuffled"))),
]
