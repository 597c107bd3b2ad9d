"""The Journey: Istanbul: each way the game can end, each obstacle and opportunity, jail, and words for money."""

from collections.abc import Callable

from grandtour.engine.events import Event
from grandtour.games.journey_istanbul.parts import OBSTACLES, OPPORTUNITIES
from grandtour.testing import Golden

Steps = list[list[Event]]

PLAIN = ("normal", "normal", "normal")
FULL = ("normal", "normal", "normal", "normal")


def of(steps: Steps, name: str) -> list[Event]:
    return [event for events in steps for event in events if event["event"] == name]


def ends(how: str, out: int | None = None, winners: int | None = None) -> Callable[[Steps], bool]:
    def holds(steps: Steps) -> bool:
        (over,) = of(steps, "over")
        fits = over["how"] == how and out in (None, len(over["out"]))
        return fits and winners in (None, len(over["winners"]))

    return holds


def completed(card: str) -> Callable[[Steps], bool]:
    """The card is completed, and its owner travels out."""

    def holds(steps: Steps) -> bool:
        (dealt,) = of(steps, "dealt")
        cards = dealt["obstacles"] + dealt["opportunities"]
        if card not in cards:
            return False
        seat = cards.index(card) % len(dealt["obstacles"])
        done = any(part["card"] == card and part["complete"] for part in of(steps, "part"))
        done = done or any(seat in evening["completed"] for evening in of(steps, "evening"))
        return done and any(travel["seat"] == seat for travel in of(steps, "travelled"))

    return holds


def any_event(name: str, **wanted: object) -> Callable[[Steps], bool]:
    return lambda steps: any(all(event[key] == value for key, value in wanted.items()) for event in of(steps, name))


def released(fine: bool) -> Callable[[Steps], bool]:
    return lambda steps: any(bool(event["fine"]) == fine for event in of(steps, "released"))


def spared(steps: Steps) -> bool:
    return any(evening["spared"] for evening in of(steps, "evening"))


def said(what: str) -> Callable[[Steps], bool]:
    """A player told, offered or showed something."""
    return lambda steps: any(
        words.get("what") == what for event in of(steps, "whisper") for words in event.get("private", {}).values()
    )


def helped(steps: Steps) -> bool:
    """A player asked everyone for money, got it, and travelled with it."""
    told = [event for events in steps for event in events if event["event"] in ("requested", "gave", "travelled")]
    names = [event["event"] for event in told]
    return any(names[at : at + 3] == ["requested", "gave", "travelled"] for at in range(len(names)))


def chosen(steps: Steps) -> bool:
    """Two players offered to answer the same question before the asker paid one of them."""
    told = [event for events in steps for event in events if event["event"] in ("asked", "answering", "answered")]
    names = [event["event"] for event in told]
    return any(names[at : at + 3] == ["answering", "answering", "answered"] for at in range(len(names)))


def lied(steps: Steps) -> bool:
    """A page that has boxes or notes was shown."""
    private = (words for event in of(steps, "whisper") for words in event.get("private", {}).values())
    return any(words.get("what") == "shown" and words["days"] for words in private)


def slug(name: str) -> str:
    return name.lower().replace("'", "").replace(" ", "-")


SCENARIOS = [
    Golden("all-out", PLAIN, ends("all")),
    Golden("no-more-cards", FULL, ends("cards")),
    Golden("three-weeks", ("normal", "random"), ends("days", out=1)),
    Golden("nobody-out", ("random", "random"), ends("days", out=0)),
    Golden("shared-win", FULL, lambda steps: len(of(steps, "over")[0]["winners"]) > 1),
    Golden("no-winner", FULL, lambda steps: len(of(steps, "over")[0]["out"]) > 2, {"winner": "none"}),
    *(Golden(slug(card), PLAIN, completed(card)) for card in (*OBSTACLES, *OPPORTUNITIES)),
    Golden("work-permit-shown", FULL, spared),
    Golden("release-day", ("random", "random"), released(fine=False)),
    Golden("fine-paid-to-leave-jail", ("random", "random", "random"), released(fine=True)),
    Golden("full-row", FULL, any_event("drew", square=None)),
    Golden("sideways", PLAIN, any_event("drew", sideways=True)),
    Golden("words-for-money", FULL, lambda steps: bool(of(steps, "gave")) and said("offered")(steps)),
    Golden("question-answered", FULL, any_event("answered")),
    Golden("answer-chosen", FULL, chosen),
    Golden("planner-written-and-shown", ("random", "random"), lied),
    Golden("help-asked-and-given", FULL, helped, {"winner": "none"}),
    Golden("planner-shown", PLAIN, said("shown"), {"winner": "none"}),
]
