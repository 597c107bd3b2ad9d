"""Itchy Feet: each way the game can end, each event, special item and character, and other rare events."""

from collections.abc import Callable
from itertools import pairwise

from grandtour.engine.events import Event
from grandtour.testing import Golden

Steps = list[list[Event]]

ALL = {"events": True, "special_items": True, "forbidden_items": True, "postcards": True}
CHARACTERS = {**ALL, "characters": True}
BUCKET = {**ALL, "variant": "bucket-list"}
TWO = ("normal", "normal")
THREE = ("normal", "normal", "normal")
MIXED = ("normal", "random", "normal")


def of(steps: Steps, name: str) -> list[Event]:
    return [event for events in steps for event in events if event["event"] == name]


def ends(how: str, winners: int = 1) -> Callable[[Steps], bool]:
    def holds(steps: Steps) -> bool:
        (won,) = of(steps, "won")
        return won["how"] == how and len(won["seats"]) == winners

    return holds


def happens(name: str, **what: object) -> Callable[[Steps], bool]:
    """Something of this name happens, with these particulars."""
    return lambda steps: any(what.items() <= event.items() for event in of(steps, name))


def on_credit(steps: Steps) -> bool:
    return any("Mom's Credit Card" in event["cards"] for event in of(steps, "travelled"))


def for_one_card(steps: Steps) -> bool:
    """The Second-Hander recycles: the one card discarded leads straight to taking another."""
    second = {seat for event in of(steps, "set-up") for seat in whose(event, "The Second-Hander")}
    return any(event["why"] == "recycle" and event["seat"] in second for event in of(steps, "took"))


def whose(set_up: Event, character: str) -> list[int]:
    return [seat for seat, name in enumerate(set_up["characters"]) if name == character]


def two_bonus_cards(steps: Steps) -> bool:
    return any(sum(event.get("why") == "bonus" for event in events) == 2 for events in steps)


def more_than_seven(steps: Steps) -> bool:
    return any(len(event["hand"]) > 7 for event in of(steps, "showed"))


def counter_agreed(steps: Steps) -> bool:
    """A counter-offer is made, and the next that comes of it is a trade."""
    names = [event for events in steps for event in events if event["event"] in ("offering", "declined", "traded")]
    return any(
        one["event"] == "offering" and one["counter"] and two["event"] == "traded" for one, two in pairwise(names)
    )


NOW = [
    Golden("centre-reached", TWO, ends("centre")),
    Golden("six-players", ("normal",) * 6, ends("centre"), CHARACTERS),
    Golden("four-postcards", TWO, ends("postcards"), ALL),
    Golden("last-round-alone", ("normal", "random"), ends("limit"), {"turn_limit": 10}),
    Golden("last-round-shared", ("random", "random"), ends("limit", 2), {"turn_limit": 10}),
    Golden("bucket-list", THREE, ends("countries"), BUCKET),
    Golden("bucket-list-shared", THREE, ends("countries", 2), BUCKET),
    Golden("bucket-list-postcards", TWO, ends("postcards"), BUCKET),
    Golden("country-stolen", TWO, happens("stole-country"), BUCKET),
    Golden("civil-unrest", TWO, happens("new-centre"), {"events": True}),
    Golden("lost-luggage", TWO, happens("discarded", why="luggage"), {"events": True}),
    Golden("luggage-mix-up", THREE, happens("handed-on"), {"events": True}),
    Golden("night-market", TWO, happens("drew", why="market"), {"events": True}),
    Golden("mousetrap", MIXED, happens("interrupted", card="Mousetrap"), ALL),
    Golden("passport-control", TWO, happens("interrupted", card="Passport Control"), ALL),
    Golden("moms-credit-card", TWO, on_credit, ALL),
    Golden("local-guide", TWO, happens("took", why="guide"), ALL),
    Golden("trading-post", TWO, happens("drew", why="post"), ALL),
    Golden("poorly-drawn-map", MIXED, happens("new-country"), ALL),
    Golden("red-eye-flight", TWO, happens("again"), ALL),
    Golden("customs-bribe", TWO, happens("discarded", why="bribe"), ALL),
    Golden("lost-and-found", TWO, happens("took", why="found"), ALL),
    Golden("rid-of-it", TWO, happens("discarded", why="get-rid"), ALL),
    Golden("smuggler", TWO, happens("smuggled"), CHARACTERS),
    Golden("early-bird", TWO, happens("discarded", why="early-bird"), CHARACTERS),
    Golden("second-hander", TWO, for_one_card, CHARACTERS),
    Golden("pickpocket", MIXED, happens("looked-at"), CHARACTERS),
    Golden("haggler", THREE, two_bonus_cards, CHARACTERS),
    Golden("overpacker", THREE, more_than_seven, CHARACTERS),
    Golden("counter-offer-agreed", ("random", "random", "random"), counter_agreed, {"turn_limit": 40}),
    Golden("empty-hand", ("normal", "random"), happens("drew", why="empty")),
    Golden("new-draw-pile", THREE, happens("reshuffled")),
]

BEFORE = (
    *("four-postcards", "counter-offer-agreed", "mousetrap", "passport-control", "luggage-mix-up", "pickpocket"),
    *("bucket-list-postcards", "six-players"),
)
"""What was also recorded by the first version of the rules, and is kept."""

SCENARIOS = NOW + [
    golden._replace(name=f"version-1-{golden.name}", version=1) for golden in NOW if golden.name in BEFORE
]
