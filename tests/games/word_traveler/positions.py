"""Positions of Word Traveler in a few words."""

from collections.abc import Mapping
from typing import Any

import pytest

from grandtour.engine.events import Event, seen
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.engine.state import CLOCK
from grandtour.games.word_traveler import GAME
from grandtour.games.word_traveler.parts import HAND, MAPS, SPACE_NAMES, WORDS
from grandtour.games.word_traveler.rules import State

Stop = tuple[str, ...]
"""A space and the words under its arrow: ("F4", "Busy", "Not Comfortable")."""


class Trip:
    """A match in New York in which seat 0 travels first, with the cards a test needs, and without a sand timer."""

    def __init__(self, seats: int = 2, seed: int = 1, version: int | None = None, **options: Any) -> None:
        self.match = Match(GAME, seats, {"city": "New York", "start": "1", "timer": 0, **options}, seed, version)
        self.heard: list[Event] = []

    @property
    def state(self) -> State:
        state = self.match.state
        assert isinstance(state, State)
        return state

    def view(self, seat: int | None) -> Mapping[str, Any]:
        return GAME.view(self.state, seat)

    def holds(self, seat: int, *words: str) -> "Trip":
        """Give a player these cards among their ten, by swapping with the players who have them."""
        state = self.state
        first = HAND * int(state.own(seat))
        wanted = [WORDS.index(word) for word in words]
        mine = range(first, first + HAND)
        for word in wanted:
            if word not in list(state.hand[first : first + HAND]):
                at = next(i for i in mine if state.hand[i] not in wanted)
                for cards in (state.deck, state.hand):
                    for i, other in enumerate(cards):
                        if other == word:
                            cards[i] = state.hand[at]
                state.hand[at] = word
        for own in range(2 * state.seats):
            ten = sorted(state.hand[HAND * own : HAND * own + HAND])
            for i, word in enumerate(ten):
                state.hand[HAND * own + i] = word
        return self

    def map(self, seat: int, card: str) -> "Trip":
        maps = self.state.maps
        at = list(maps).index(MAPS.index(card))
        maps[at], maps[seat] = maps[seat], maps[at]
        return self

    def stands(self, seat: int, space: str) -> "Trip":
        """Put a player's marker somewhere before planning."""
        self.state.marker[seat] = SPACE_NAMES.index(space)
        self.state.start[self.state.own(seat)] = SPACE_NAMES.index(space)
        return self

    def play(self, seat: int, do: str, **arguments: Any) -> list[Event]:
        events = self.match.play(seat, {"do": do, **arguments})
        self.heard += events
        return events

    def may(self, seat: int, do: str, **arguments: Any) -> bool:
        return {"do": do, **arguments} in self.match.legal(seat)

    def refused(self, seat: int, do: str, **arguments: Any) -> str:
        """The paragraph by which a move is refused."""
        with pytest.raises(Refusal) as refusal:
            self.match.play(seat, {"do": do, **arguments})
        return str(refusal.value.rule)

    def plan(self, seat: int, *stops: Stop) -> "Trip":
        """Aim arrows and place words; the cards are found somewhere first."""
        self.holds(seat, *(word.removeprefix("Not ") for _, *words in stops for word in words))
        for arrow, (space, *words) in enumerate(stops, 1):
            self.play(seat, "aim", arrow=arrow, space=space)
            for word in words:
                self.play(seat, "place", word=word, arrow=arrow)
        return self

    def ready(self, *seats: int) -> "Trip":
        for seat in seats or range(self.match.seats):
            self.play(seat, "ready")
        return self

    def done(self, *seats: int) -> "Trip":
        for seat in seats or range(self.match.seats):
            self.play(seat, "done")
        return self

    def time_up(self) -> list[Event]:
        return self.play(CLOCK, "time-up")

    def guess(self, seat: int, *spaces: str) -> "Trip":
        for number, space in enumerate(spaces, 1):
            self.play(seat, "footprint", number=number, space=space)
        return self

    def agree(self, *seats: int) -> "Trip":
        for seat in seats:
            self.play(seat, "agree")
        return self

    def footprints(self) -> list[str | None]:
        return [arrow["footprint"] for arrow in self.view(None)["journey"]["arrows"]]

    def events(self, name: str, seat: int | None = None) -> list[Event]:
        """The events with this name, as a seat sees them."""
        return [seen(event, seat) for event in self.heard if event["event"] == name]

    def sentences(self, seat: int | None = None) -> list[str]:
        names = [f"Player {n}" for n in range(self.match.seats)]
        return [text for event in self.heard if (text := GAME.describe(seen(event, seat), names, seat))]


def jayden(seats: int = 2, **settings: Any) -> Trip:
    """The rulebook's example: Jayden, in seat 0, wants the subway car, the ice rink and baseball."""
    trip = Trip(seats, **settings).map(0, "M02")
    return trip.plan(
        0,
        ("F4", "Busy", "Not Comfortable"),
        ("F2", "Cool", "Refreshing", "Slippery"),
        ("C2", "Active", "Circular"),
    )
