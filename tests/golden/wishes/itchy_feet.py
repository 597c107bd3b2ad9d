"""Itchy Feet: each way the game can end, each event, special item and character, and what is rare besides."""

from collections.abc import Callable
from itertools import pairwise

from grandtour.engine.events import Event
from tests.golden.wish import Wish

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
    Wish("centre-reached", TWO, ends("centre")),
    Wish("six-players", ("normal",) * 6, ends("centre"), CHARACTERS),
    Wish("four-postcards", TWO, ends("postcards"), ALL),
    Wish("last-round-alone", ("normal", "random"), ends("limit"), {"turn_limit": 10}),
    Wish("last-round-shared", ("random", "random"), ends("limit", 2), {"turn_limit": 10}),
    Wish("bucket-list", THREE, ends("countries"), BUCKET),
    Wish("bucket-list-shared", THREE, ends("countries", 2), BUCKET),
    Wish("bucket-list-postcards", TWO, ends("postcards"), BUCKET),
    Wish("country-stolen", TWO, happens("stole-country"), BUCKET),
    Wish("civil-unrest", TWO, happens("new-centre"), {"events": True}),
    Wish("lost-luggage", TWO, happens("discarded", why="luggage"), {"events": True}),
    Wish("luggage-mix-up", THREE, happens("handed-on"), {"events": True}),
    Wish("night-market", TWO, happens("drew", why="market"), {"events": True}),
    Wish("mousetrap", MIXED, happens("interrupted", card="Mousetrap"), ALL),
    Wish("passport-control", TWO, happens("interrupted", card="Passport Control"), ALL),
    Wish("moms-credit-card", TWO, on_credit, ALL),
    Wish("local-guide", TWO, happens("took", why="guide"), ALL),
    Wish("trading-post", TWO, happens("drew", why="post"), ALL),
    Wish("poorly-drawn-map", MIXED, happens("new-country"), ALL),
    Wish("red-eye-flight", TWO, happens("again"), ALL),
    Wish("customs-bribe", TWO, happens("discarded", why="bribe"), ALL),
    Wish("lost-and-found", TWO, happens("took", why="found"), ALL),
    Wish("rid-of-it", TWO, happens("discarded", why="get-rid"), ALL),
    Wish("smuggler", TWO, happens("smuggled"), CHARACTERS),
    Wish("early-bird", TWO, happens("discarded", why="early-bird"), CHARACTERS),
    Wish("second-hander", TWO, for_one_card, CHARACTERS),
    Wish("pickpocket", MIXED, happens("looked-at"), CHARACTERS),
    Wish("haggler", THREE, two_bonus_cards, CHARACTERS),
    Wish("overpacker", THREE, more_than_seven, CHARACTERS),
    Wish("counter-offer-agreed", ("random", "random", "random"), counter_agreed, {"turn_limit": 40}),
    Wish("empty-hand", ("normal", "random"), happens("drew", why="empty")),
    Wish("new-draw-pile", THREE, happens("reshuffled")),
]

BEFORE = (
    *("four-postcards", "counter-offer-agreed", "mousetrap", "passport-control", "luggage-mix-up", "pickpocket"),
    *("bucket-list-postcards", "six-players"),
)
"""What was also recorded by the first version of the rules, and is kept."""

WISHES = NOW + [wish._replace(name=f"version-1-{wish.name}", version=1) for wish in NOW if wish.name in BEFORE]
