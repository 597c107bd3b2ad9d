"""The type of a view of Word Traveler. `make types` generates the page's types from it."""

from typing import Literal, NotRequired, TypedDict

Step = Literal["ready", "plan", "guess", "over"]
Way = Literal["north", "east", "south", "west"]
Side = Literal["white", "black"]
Sureness = Literal["guessing", "fairly sure", "certain"]
Timed = Literal["planning", "discussion"]


class Limits(TypedDict):
    """Seconds to plan and to discuss; 0 for no limit."""

    planning: int
    discussion: int


class Clock(TypedDict):
    """The running clock, and the seconds it was set to."""

    of: Timed
    seconds: int
    run: int
    """Changes each time it restarts."""


class Silence(TypedDict):
    """The seats that may not talk now, and why."""

    seats: list[int]
    rule: str
    reason: str


class Souvenir(TypedDict):
    at: int
    collected: bool


class Player(TypedDict):
    seat: int
    marker: str
    ready: bool
    done: bool
    traveled: bool
    moved: int


class Card(TypedDict):
    """A word card in the viewer's hand; null until it is placed under an arrow."""

    word: str
    arrow: int | None
    side: Side | None
    rank: int | None
    """Its number under its arrow, in the order placed."""


class PlannedArrow(TypedDict):
    arrow: int
    aim: str | None
    to: Way | None
    words: list[str]


class Plan(TypedDict):
    start: str
    arrows: list[PlannedArrow]
    hand: list[Card]
    used: int
    """How many arrows would be read if planning ended now."""
    lacks: str | None
    changes_left: int


class ReadArrow(TypedDict):
    """An arrow as the traveler announces it."""

    arrow: int
    to: Way
    words: list[str]


class AskedArrow(ReadArrow):
    footprint: str | None
    placed_by: int | None
    sure: Sureness | None
    again: bool
    """Whether the deciding player has placed it once more, beyond the limit."""
    keeps: list[str]
    """Where it can be placed without removing any other footprint."""


class Journey(TypedDict):
    seat: int
    start: str
    arrows: list[AskedArrow]
    unused: list[str]
    agreed: list[int]
    left_neighbour: int
    deciding: bool


class Stop(ReadArrow):
    meant: str
    guess: str
    points: int


class Sheet(TypedDict):
    """A journey that is over."""

    day: int
    seat: int
    start: str
    map: str
    arrows: list[Stop]
    unused: list[str]
    points: int


class BestClue(ReadArrow):
    day: int
    seat: int
    space: str
    choices: int
    points: int


class View(TypedDict):
    """A position as one seat may see it. A spectator's view ends with `result`."""

    city: str
    places: list[str] | None
    day: int
    step: Step
    arrows: int
    first: int
    gone: int
    """The number of journeys of the day that are over."""
    limits: Limits
    clock: Clock | None
    silent: Silence | None
    score: int
    souvenirs: list[Souvenir]
    rating: str
    players: list[Player]
    journey: Journey | None
    sheets: list[Sheet]
    chart: list[str]
    """The names for the team, from no souvenir to all six."""
    best_clue: BestClue | None
    result: list[float] | None
    you: NotRequired[int]
    map: NotRequired[str | None]
    """The viewer's own map; null until the sand timer starts."""
    plan: NotRequired[Plan]
