"""Word Traveler: each line of the final chart, and each thing that does not happen in every game."""

from collections.abc import Callable

from grandtour.engine.events import Event
from grandtour.games.word_traveler.parts import MAX_STEPS
from grandtour.testing import Golden

Steps = list[list[Event]]


def of(steps: Steps, name: str) -> list[Event]:
    return [event for events in steps for event in events if event["event"] == name]


def ends_with(souvenirs: int) -> Callable[[Steps], bool]:
    return lambda steps: of(steps, "ended")[0]["souvenirs"] == souvenirs


def unmeant(steps: Steps) -> bool:
    """A stop scores although it was not meant."""
    return any(stop["points"] and stop["meant"] != stop["space"] for stop in of(steps, "stop"))


def twice(steps: Steps) -> bool:
    """A point of interest is visited twice in a journey and scores once."""
    stops = of(steps, "stop")
    for n, stop in enumerate(stops):
        journey = stops[n - stop["number"] + 1 : n]
        if any(earlier["points"] and earlier["space"] == stop["space"] for earlier in journey):
            return True
    return False


def argued(steps: Steps) -> bool:
    """A local moves a footprint that another one has placed, and another is lifted with it."""
    placed: dict[int, int] = {}
    for event in (event for events in steps for event in events):
        if event["event"] == "journey":
            placed.clear()
        if event["event"] == "footprint":
            if event["came"] and placed[event["number"]] != event["seat"] and event["lifted"]:
                return True
            placed[event["number"]] = event["seat"]
    return False


def stays(steps: Steps) -> bool:
    return any(not journey["arrows"] for journey in of(steps, "journey"))


def not_waited_for(steps: Steps) -> bool:
    """The sand timer starts although a player is not ready."""
    return any(events[0]["event"] == "planning" for events in steps if events)


def carried_along(steps: Steps) -> bool:
    """An arrow is aimed again, and a later one keeps its direction."""
    planned = [event["private"][str(event["seat"])] for event in of(steps, "planned")]
    return any(arrow["space"] for plan in planned for arrow in plan.get("moved", []))


def placed_once_more(steps: Steps) -> bool:
    """The one who decides moves a footprint after having moved forty already."""
    moved = 0
    for event in (event for events in steps for event in events):
        if event["event"] == "journey":
            moved = 0
        if event["event"] == "footprint":
            moved += 1
            if moved > MAX_STEPS and event["came"]:
                return True
    return False


def time_up(of_what: str) -> Callable[[Steps], bool]:
    return lambda steps: any(event["of"] == of_what for event in of(steps, "time-up"))


NORMAL = ("normal", "normal", "normal")

RATINGS = [
    Golden("0-lost-luggage", ("random", "random"), ends_with(0), {"timer": 120, "city": "New York"}, 60),
    Golden("1-jet-lagged", ("random", "random"), ends_with(1), {"timer": 120, "city": "Paris"}, 90),
    Golden("2-day-trippers", ("normal", "random"), ends_with(2), {"city": "London"}, 40),
    Golden("3-map-readers", ("normal", "random"), ends_with(3), {"city": "Tokyo"}, 40),
    Golden("4-sightseers", ("normal", "normal"), ends_with(4), {"city": "New York"}, 40),
    Golden("5-globetrotters", ("normal", "normal", "normal"), ends_with(5), {"city": "Paris"}),
    Golden("6-word-travelers", ("normal", "normal", "normal", "normal", "normal"), ends_with(6), {"city": "London"}),
]

SCENARIOS = [
    *RATINGS,
    Golden("scores-unmeant", ("normal", "normal"), unmeant, {"city": "Tokyo", "start": "2"}),
    Golden("scores-once", ("normal", "random"), twice, {"names": "hidden"}, 60),
    Golden("stays", ("normal", "normal", "normal"), stays, {"city": "Paris"}, 25),
    Golden("argued", ("normal", "normal", "normal", "normal"), argued),
    Golden("neighbour-decides", ("normal", "normal", "random"), lambda steps: bool(of(steps, "asked")), {}, 50),
    Golden("time-up-planning", ("normal", "normal", "normal"), time_up("planning"), {"timer": 120}, 30),
    Golden(
        "time-up-discussion", ("normal", "normal", "normal"), time_up("discussion"), {"discussion": 120, "timer": 0}, 50
    ),
    Golden("host-starts", NORMAL, not_waited_for, {"city": "Tokyo"}, 27),
    Golden("arrows-carried-along", ("random", "normal"), carried_along, {"city": "Paris", "timer": 120}, 50),
    Golden("placed-once-more", ("random", "normal"), placed_once_more, {"timer": 0}),
    Golden("version-1-lost-luggage", ("random", "random"), ends_with(0), {"timer": 120, "city": "New York"}, 60, 1),
    Golden("version-1-word-travelers", (*NORMAL, "normal", "normal"), ends_with(6), {"city": "London"}, 0, 1),
    Golden("version-1-time-up-planning", NORMAL, time_up("planning"), {"timer": 120}, 30, 1),
    Golden("version-1-asked", ("normal", "normal", "random"), lambda steps: bool(of(steps, "asked")), {}, 50, 1),
]
