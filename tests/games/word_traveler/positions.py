"""Positions of Word Traveler in a few words."""

from typing import Any

from grandtour import testing
from grandtour.games.word_traveler import GAME
from grandtour.games.word_traveler.parts import HAND, MAPS, SPACE_NAMES, WORDS
from grandtour.games.word_traveler.rules import State

Stop = tuple[str, ...]
"""A space and the words under its arrow: ("F4", "Busy", "Not Comfortable")."""


class Table(testing.Table[State]):
    """A table in New York at which seat 0 travels first, with the cards a test needs, and without a sand timer."""

    def __init__(self, seats: int = 2, seed: int = 1, version: int | None = None, **given: Any) -> None:
        super().__init__(GAME, seats, {"city": "New York", "timer": 0}, seed, version=version, **given)

    def arrange(self, *, maps: dict[int, str] | None = None, markers: dict[int, str] | None = None) -> None:
        """Give players these maps, by swapping with those who have them, and put markers on these spaces."""
        state = self.state
        for seat, card in (maps or {}).items():
            at = list(state.maps).index(MAPS.index(card))
            state.maps[at], state.maps[seat] = state.maps[seat], state.maps[at]
        for seat, space in (markers or {}).items():
            state.marker[seat] = state.start[state.journey_of(seat)] = SPACE_NAMES.index(space)

    def holds(self, seat: int, *words: str) -> "Table":
        """Give a player these cards among their ten, by swapping with the players who have them."""
        state = self.state
        first = HAND * int(state.journey_of(seat))
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
        for journey in range(2 * state.seats):
            ten = sorted(state.hand[HAND * journey : HAND * journey + HAND])
            for i, word in enumerate(ten):
                state.hand[HAND * journey + i] = word
        return self

    def plan(self, seat: int, *stops: Stop) -> "Table":
        """Aim arrows and place words; the cards are found somewhere first."""
        self.holds(seat, *(word.removeprefix("Not ") for _, *words in stops for word in words))
        for arrow, (space, *words) in enumerate(stops, 1):
            self.plays(seat, f"aim: {arrow}, {space}", *(f"place: {word}, {arrow}" for word in words))
        return self

    def all_play(self, do: str, *seats: int) -> "Table":
        """These seats, or all, make the same move."""
        for seat in seats or range(self.state.seats):
            self.play(seat, do)
        return self

    def ready(self, *seats: int) -> "Table":
        return self.all_play("ready", *seats)

    def done(self, *seats: int) -> "Table":
        return self.all_play("done", *seats)

    def agree(self, *seats: int) -> "Table":
        return self.all_play("agree", *seats)

    def guess(self, seat: int, *spaces: str) -> "Table":
        """Place a footprint for each arrow."""
        self.plays(seat, *(f"footprint: {number}, {space}" for number, space in enumerate(spaces, 1)))
        return self

    def footprints(self) -> list[str | None]:
        return [arrow["footprint"] for arrow in self.view(None)["journey"]["arrows"]]


def jayden(seats: int = 2, **settings: Any) -> Table:
    """The rulebook's example: Jayden, in seat 0, wants the subway car, the ice rink and baseball."""
    trip = Table(seats, maps={0: "M02"}, **settings)
    return trip.plan(
        0,
        ("F4", "Busy", "Not Comfortable"),
        ("F2", "Cool", "Refreshing", "Slippery"),
        ("C2", "Active", "Circular"),
    )
