"""The position: what a game's `rules.py` derives its own `State` from."""

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from grandtour.engine.dice import Dice, restore_dice
from grandtour.engine.events import Event

CLOCK: Final = -1
"""The seat of the clock. A sand timer that runs out is a move of this seat."""

Result = list[float]


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position of a game.

    Seats are numbered clockwise from 0; the left neighbour of seat i is i + 1. Moves are numbers of the game's
    vocabulary. A subclass names its own fields in `fields`: that is all it takes to be dumped, restored and pickled.
    """

    def __init__(self) -> None:
        self.seats: i64 = 0
        self.version: i64 = 1
        self.reveals: i64 = 0
        self.dice: Dice = Dice()
        self.events: list[Event] | None = None

    def waiting(self) -> list[int]:
        """The seats the game waits for: one, several when choices are simultaneous, none when it is over."""
        raise NotImplementedError

    def legal(self, seat: int) -> list[int]:
        """Every move this seat may make now, out of turn too: sorted and complete. `CLOCK` may ask as well."""
        raise NotImplementedError

    def play(self, seat: int, move: int) -> None:
        """Make a legal move; chance is drawn from `dice`.

        Count `reveals` up whenever something hidden is shown to anyone, or something is given away for good: such a
        move cannot be taken back. While `events` is a list, append what happened.
        Played only through a match or with a move taken from `legal`: it is not checked again here.
        """
        raise NotImplementedError

    def clone(self) -> "State":
        """A copy that shares nothing that changes, with dice that go on alike, unwatched."""
        raise NotImplementedError

    def imagine(self, seat: int, dice: Dice) -> "State":
        """A position that this seat cannot tell from this one: what it has seen stays, the rest is dealt anew.

        It depends on nothing but what the seat has seen and on `dice`, which the new position keeps.
        """
        raise NotImplementedError

    def result(self) -> Result | None:
        """None while it runs; then a number a seat: 1 win, 0 loss, shared wins split; in a team game the score."""
        raise NotImplementedError

    def census(self) -> list[int]:
        """How many there are of everything, wherever it lies: cards of each kind, money, trains. It never changes."""
        raise NotImplementedError

    def fields(self) -> tuple[str, ...]:
        """The names of the subclass's own fields: ints, bools, strings, and `vec[i64]` or lists of them."""
        raise NotImplementedError

    def dump(self) -> dict[str, Any]:
        """Every field in plain JSON, hidden ones too: for equality, pickling and tests, never for anyone's eyes."""
        names = ("seats", "version", "reveals", *self.fields())
        return {**{name: _plain(getattr(self, name)) for name in names}, "dice": self.dice.dump()}

    def restore(self, data: dict[str, Any]) -> None:
        """Take over what `dump` gave; a field that is left out keeps its value."""
        for name, value in data.items():
            if name == "dice":
                self.dice = restore_dice(value)
            else:
                setattr(self, name, _shaped(getattr(self, name), value))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (restored, (type(self), self.dump()))


def restored(kind: type[State], data: dict[str, Any]) -> State:
    """A position of this kind from what `dump` gave."""
    state = kind()
    state.restore(data)
    return state


def shared(winners: i64, seats: i64) -> Result:
    """The result when these win, a bit a seat: 1 for one alone, shared equally by several."""
    won = [float(winners >> seat & 1) for seat in range(seats)]
    share = sum(won)
    return [each / share for each in won]


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (int, str)) else list(value)


def _shaped(like: Any, value: Any) -> Any:
    if isinstance(value, list) and not isinstance(like, list):
        return vec[i64](value)
    return list(value) if isinstance(value, list) else value
