"""A table of The Journey: Istanbul in a few words, for tests."""

from collections.abc import Sequence
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from grandtour import testing
from grandtour.engine.events import Event
from grandtour.games.journey_istanbul import GAME, rules
from grandtour.games.journey_istanbul.parts import (
    CARD_NAMES,
    CARDS,
    DAYS,
    JAIL,
    OBSTACLES,
    OPPORTUNITIES,
    OUT,
    PLACES,
    date,
    statement,
)
from grandtour.games.journey_istanbul.rules import State

FILLERS = {
    "1st": "1st-journey-Üsküdar-11000",
    "2nd": "2nd-journey-Fatih-11000",
    "3rd": "3rd-journey-Sultanahmet-10000",
    "4th": "4th-journey-Üsküdar-13000",
    "5th": "5th-journey-Fatih-10000",
    "6th": "6th-journey-Üsküdar-12000",
}
"""A card that keeps a row from being empty and matters to nobody whose task is open."""


def day(text: str) -> int:
    """An absolute day: day("3rd, week 2") is 9."""
    name, week = text.split(", week ")
    return DAYS.index(name) + 1 + len(DAYS) * (int(week) - 1)


class Table(testing.Table[State]):
    """A position built from a few words, and what is played on it."""

    def __init__(self, *at: str, version: int = 2, **given: Any) -> None:
        """`at` says where each seat stands, the pile in their order."""
        super().__init__(GAME, len(at), seed=1, version=version, at=at, **given)

    def arrange(
        self,
        *,
        at: Sequence[str],
        on: str = "1st, week 1",
        money: list[int] | None = None,
        obstacle: list[str] | None = None,
        opportunity: list[str] | None = None,
        done: list[int] | None = None,
        sheet: dict[str, list[str]] | None = None,
        deck: list[str] | None = None,
    ) -> None:
        """Set up a position. A card on the sheet with a ~ lies sideways."""
        state = self.state
        seats = len(at)
        state.day = day(on)
        for seat, place in enumerate(at):
            state.place[seat] = {"jail": JAIL, "out": OUT}.get(place, PLACES.index(place) if place in PLACES else 0)
            state.arrived[seat] = seat + 1
        for seat, cash in enumerate(money or []):
            state.bank += state.money[seat] - cash // 1000
            state.money[seat] = cash // 1000
        wanted = obstacle or ["Documents", "Medicine", "Scattered family", "Burden of memories", "Old debt"][:seats]
        state.obstacle = vec[i64]([OBSTACLES.index(name) for name in wanted])
        chances = ["Knowing the Driver", "Cousin's workshop", "Trusted source", "Work Permit", "Money Transfer"]
        state.opportunity = vec[i64]([OPPORTUNITIES.index(name) for name in opportunity or chances[:seats]])
        state.done = sum(1 << seat for seat in done or [])
        self._lay({**{name: [card] for name, card in FILLERS.items()}, **(sheet or {})}, deck or [])
        state._begin_turn()

    def _lay(self, sheet: dict[str, list[str]], deck: list[str]) -> None:
        state = self.state
        state.sheet = vec[i64]([-1] * 30)
        state.looked = vec[i64]([0] * 30)
        state.knows = vec[i64]([0] * 30)
        state.buried = vec[i64]([-1] * 12)
        used = []
        for row, name in enumerate(DAYS):
            for square, card in enumerate(sheet[name]):
                number = CARD_NAMES.numbers[card.lstrip("~")]
                used.append(number)
                state.sheet[5 * row + square] = number
                state.sideways |= int(card.startswith("~")) << (5 * row + square)
        top = [CARD_NAMES.numbers[card] for card in deck]
        rest = [card for card in range(36) if card not in used and card not in top]
        state.deck = vec[i64](used + rest + top)
        state.drawn = len(used) + len(rest)
        state.gone = sum(1 << card for card in rest)

    def see(self, seat: int, name: str, square: int = 1) -> None:
        """A seat has looked at a card; its planner says so."""
        slot = 5 * DAYS.index(name) + square - 1
        self.state.looked[slot] |= 1 << seat
        self.state.knows[slot] |= 1 << seat
        self.state._write(seat, slot, statement(CARDS[self.state.sheet[slot]]))

    def put(self, seat: int, card: str) -> None:
        """Put a statement together."""
        subject, amount = card.split("-", 1)[1].rsplit("-", 1)
        self.plays(seat, f"claim: {subject}", f"amount: {amount}")

    def tell(self, seat: int, card: str) -> None:
        self.put(seat, card)
        self.play(seat, "state")

    def sell(self, seat: int, card: str, price: int) -> None:
        self.put(seat, card)
        self.play(seat, "offer", price=price)

    def answer(self, seat: int, to: int, card: str) -> None:
        self.play(seat, "reply", to=to)
        self.put(seat, card)

    def write(self, seat: int, name: str, square: int, card: str) -> None:
        """Write in a planner what a card is, or is not."""
        self.plays(seat, "write", f"point: {name}, {square}")
        self.put(seat, card)

    @property
    def step(self) -> str:
        return rules.STEPS[self.state.step]

    @property
    def date(self) -> str:
        return date(int(self.state.day)).replace(" day", "")

    def money(self, seat: int) -> int:
        return int(self.state.money[seat]) * 1000

    def done(self, seat: int) -> bool:
        return bool(self.state.done >> seat & 1)

    def where(self, seat: int) -> str:
        place = int(self.state.place[seat])
        return {JAIL: "jail", OUT: "out"}.get(place) or PLACES[place]

    def bonus(self, seat: int) -> bool:
        return self.state.bonus[seat] > 0

    def row(self, name: str, seat: int | None = None) -> list[Any]:
        """What a seat sees of a row: None for an empty square, "?" for a card it does not know; ~ for sideways."""
        squares = self.view(seat)["sheet"][DAYS.index(name)]["squares"]
        return [("~" * s["sideways"] + (s["card"] or "?")) if s["lies"] else None for s in squares]

    def turn(self, seat: int, to: str | None = None) -> None:
        """A whole turn without looking: move or stay, decline to pay, draw."""
        assert self.state.turn == seat, f"it is the turn of {self.state.turn}"
        today = self.state.day
        if self.step == "move":
            self.play(seat, "stay") if to in (None, self.where(seat)) else self.play(seat, "move", to=to)
        if self.step == "pay" and self.state.turn == seat:
            self.play(seat, "decline")
        if self.step == "look" and self.state.turn == seat and self.state.day == today:
            self.play(seat, "end-looking")
        if self.step == "leave" and self.state.turn == seat:
            self.play(seat, "remain")

    def evening(self) -> list[Event]:
        """Everyone who still has a turn stays. Returns what happened in the evening."""
        before = len(self.past)
        today = self.state.day
        while self.step in ("move", "look", "pay", "leave") and self.state.day == today:
            self.turn(int(self.state.turn))
        return self.past[before:]

    def next_day(self, *moves: str | None) -> None:
        """A whole day: where each seat goes, in the order of play (None: stays); offers are declined."""
        today = self.state.day
        for to in moves:
            self.turn(int(self.state.turn), to)
        while self.state.day == today and self.step != "over":
            if self.step in ("journey", "work"):
                self.play(int(self.state.turn), "decline")
            else:
                self.turn(int(self.state.turn))

    def heard(self, seat: int | None) -> list[Event]:
        """The words that reached a seat."""
        return [event for event in self.happened("whisper", seat) if "what" in event]
