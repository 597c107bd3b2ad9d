"""Rendezvous, the smallest game that uses every feature of the engine: simultaneous choices, a clock, secrets.

Everybody secretly chooses a place. When all have chosen, the choices are shown, and those in the fullest place win.
When the clock runs out, the dice choose for everyone who has not.
"""

from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from grandtour.engine.dice import Dice
from grandtour.engine.events import Event, event
from grandtour.engine.game import Game
from grandtour.engine.options import Option, Options
from grandtour.engine.refusal import Objection
from grandtour.engine.state import CLOCK, Result, State
from grandtour.engine.vocabulary import Named, Names, Numbers, Vocabulary

PLACES = ("Pier", "Square", "Station")
MOVES = Vocabulary({"meet": {"place": Names(*PLACES), "hour": Numbers(10, 12)}, "time-up": {}})
TIME_UP = MOVES.first("time-up")


class Rendezvous(State):
    def __init__(self) -> None:
        super().__init__()
        self.chosen = vec[i64]()

    def census(self) -> list[int]:
        return [len(self.chosen)]

    def waiting(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.chosen[seat] < 0]

    def legal(self, seat: int) -> list[int]:
        if seat == CLOCK:
            return [TIME_UP] if self.waiting() else []
        return list(range(TIME_UP)) if self.chosen[seat] < 0 else []

    def play(self, seat: int, move: int) -> None:
        if move == TIME_UP:
            for late in self.waiting():
                self.chosen[late] = self.dice.below(TIME_UP)
        else:
            self.chosen[seat] = move
            if self.events is not None:
                self.events.append(event("chose", {seat: {"place": PLACES[move // 3]}}, seat=seat))
        if not self.waiting():
            self.reveals += 1

    def imagine(self, seat: int, dice: Dice) -> "Rendezvous":
        copy = self.copy_with(dice)
        if self.waiting():
            for other in range(self.seats):
                if other != seat and self.chosen[other] >= 0:
                    copy.chosen[other] = dice.below(TIME_UP)
        return copy

    def result(self) -> Result | None:
        if self.waiting():
            return None
        places = [move // 3 for move in self.chosen]
        most = max(places.count(place) for place in places)
        won = [float(places.count(place) == most) for place in places]
        return [each / sum(won) for each in won]


def new(seats: int, options: Options, dice: Dice, events: list[Event] | None) -> Rendezvous:
    state = Rendezvous()
    state.seats, state.dice = seats, dice
    state.chosen = vec[i64]([-1] * seats)
    if events is not None:
        events.append(event("gathered", weather=options["weather"]))
    return state


def objection(state: State, seat: int, move: int) -> Objection | None:
    if move in state.legal(seat):
        return None
    return Objection("RV-2", "You have chosen already.")


def view(state: State, seat: int | None) -> dict[str, Any]:
    return {"waiting": state.waiting()}


def words(*_: Any) -> Any:
    return {"text": "Choose a place.", "rules": []}


def say(record: Event, names: list[str], seat: int | None) -> str:
    return f"{names[record['seat']]} has chosen." if record["event"] == "chose" else ""


def do(state: State, named: Named) -> str:
    return str(named["do"])


RENDEZVOUS = Game(
    name="rendezvous",
    title="Rendezvous",
    subtitle="",
    summary="",
    players=(2, 3),
    minutes=1,
    options=(
        Option("weather", "Weather", "", ("sun", "rain"), "sun"),
        Option("fast", "Fast", "", (False, True), False),
    ),
    moves=MOVES,
    rules={1: new, 2: new},
    objection=objection,
    view=view,
    prompt=words,
    describe=say,
    describe_move=do,
    final=lambda state: [],
    choose=lambda state, seat, dice: state.legal(seat)[0],
    rulebook=lambda: "",
)
