"""The base class for the position of a game."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Self, cast

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from grandtour.engine.dice import Dice, restore_dice
from grandtour.engine.events import Event

if TYPE_CHECKING:
    Shared = vec[i64]
    """A list that is never changed in place, only replaced, so that copies of a position can share it."""

CLOCK: Final = -1
"""The seat of the clock. When a sand timer runs out, this seat moves."""

Result = list[float]

ENGINE_FIELDS: Final = ("seats", "version", "reveals", "dice", "events")
"""The fields that the engine gives every position."""
NO_DICE: Final = Dice()
MAX_MOVES: Final = 1 << 13
"""The maximum number of legal moves in a `FastState`, and the maximum size of its vocabulary."""
MOVE_NUMBERS: Final[list[object]] = list(range(MAX_MOVES))
"""All move numbers as Python objects, created once."""


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """A position of a game.

    Seats are numbered clockwise from 0; the left neighbour of seat i is i + 1. Moves are numbers of the game's
    vocabulary. A subclass declares its fields once, in its `__init__`, which takes no arguments: ints, bools, strings,
    and `vec[i64]`, `Shared` or lists of them. Copying, comparing, saving and pickling follow from that.
    """

    def __init__(self) -> None:
        self.seats: i64 = 0
        self.version: i64 = 1
        self.reveals: i64 = 0
        self.dice: Dice = NO_DICE
        self.events: list[Event] | None = None

    def waiting(self) -> list[int]:
        """The seats the game waits for: one, several when choices are simultaneous, none when it is over."""
        raise NotImplementedError

    def legal(self, seat: int) -> list[int]:
        """Every move this seat may make now, including moves out of turn, sorted. `CLOCK` is a valid seat here."""
        raise NotImplementedError

    def allows(self, seat: int, move: int) -> bool:
        """Whether a move is one of the legal moves of this seat."""
        return move in self.legal(seat)

    def random_move(self, seat: int, dice: Dice) -> i64:
        """A random legal move of this seat, all equally likely. The seat must have one."""
        moves = self.legal(seat)
        return moves[dice.below(len(moves))]

    def play(self, seat: int, move: int) -> None:
        """Make a legal move, drawing random numbers from `dice`.

        Increment `reveals` whenever something hidden is shown to anyone, or something is given away for good: such a
        move cannot be taken back. If `events` is a list, append what happened.
        The move is not checked here: it must come from a match or from `legal`.
        """
        raise NotImplementedError

    def clone(self) -> Self:
        """An independent copy, with a copy of the dice and no event list."""
        return self.copy_with(self.dice.clone())

    def copy_with(self, dice: Dice) -> Self:
        """An independent copy with these dice and no event list.

        Before compiling, `tools/positions.py` writes this out field by field for each game's `State`.
        """
        kind = type(self)
        if kind not in _copiers:
            _copiers[kind] = _copier(self)
        copy: Self = _copiers[kind](self, dice)
        return copy

    def imagine(self, seat: int, dice: Dice) -> "State":
        """A position that this seat cannot tell from the real one: what it has seen stays, the rest is dealt again.

        It depends only on what the seat has seen and on `dice`, which the new position keeps.
        """
        raise NotImplementedError

    def memory(self, seat: int) -> dict[str, Any]:
        """What this seat knows although its view does not show it: what it was told or shown before, and what follows
        from what it sees, such as counters, caches and fields that are not in use now.

        `imagine` may depend on this, on the view, prompt and legal moves, and on nothing else. Only tests ask for it.
        """
        return {}

    def result(self) -> Result | None:
        """None until the game is over, then one number per seat: 1 win, 0 loss, shared wins split; in a team game, the
        score."""
        raise NotImplementedError

    def census(self) -> list[int]:
        """The number of each component in the box: cards of each kind, money, trains. It never changes."""
        raise NotImplementedError

    def fields(self) -> tuple[str, ...]:
        """The names of the fields that the subclass declares."""
        names = dict.fromkeys(name for kind in type(self).__mro__ for name in getattr(kind, "__mypyc_attrs__", ()))
        names.update(dict.fromkeys(getattr(self, "__dict__", ())))
        return tuple(name for name in names if name not in ENGINE_FIELDS and not name.startswith("__"))

    def dump(self) -> dict[str, Any]:
        """Every field as plain JSON, including hidden ones: for comparing, pickling and tests. Never shown to
        players."""
        names = ("seats", "version", "reveals", *self.fields())
        return {**{name: _plain(getattr(self, name)) for name in names}, "dice": self.dice.dump()}

    def restore(self, data: dict[str, Any]) -> None:
        """Set the fields from a `dump`. Fields missing from it keep their values."""
        for name, value in data.items():
            if name == "dice":
                self.dice = restore_dice(value)
            else:
                setattr(self, name, _shaped(getattr(self, name), value))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (restored, (type(self), self.dump()))


class FastState(State):
    """A position that writes its legal moves as plain numbers, without creating a Python object for each."""

    def write_legal(self, seat: i64, moves: vec[i64]) -> i64:
        """Write every legal move of this seat into `moves`, sorted, and return how many there are."""
        raise NotImplementedError

    def legal(self, seat: int) -> list[int]:
        buffer = _take_buffer()
        count = self.write_legal(seat, buffer.moves)
        found: list[object] = MOVE_NUMBERS[:count]
        for n in range(count):
            found[n] = MOVE_NUMBERS[buffer.moves[n]]
        _free_buffers.append(buffer)
        return cast(list[int], found)

    def legal_numbers(self, seat: i64) -> vec[i64]:
        """The same as `legal`, as plain numbers."""
        buffer = _take_buffer()
        count = self.write_legal(seat, buffer.moves)
        found = buffer.moves[:count]
        _free_buffers.append(buffer)
        return found

    def allows(self, seat: int, move: int) -> bool:
        if not 0 <= move < MAX_MOVES:
            return False
        wanted: i64 = move
        buffer = _take_buffer()
        moves = buffer.moves
        found = False
        for n in range(self.write_legal(seat, moves)):
            if moves[n] == wanted:
                found = True
                break
        _free_buffers.append(buffer)
        return found

    def random_move(self, seat: int, dice: Dice) -> i64:
        buffer = _take_buffer()
        move = buffer.moves[dice.below(self.write_legal(seat, buffer.moves))]
        _free_buffers.append(buffer)
        return move


class _MoveBuffer:
    """A list to write legal moves into. It is reused, by one thread at a time."""

    def __init__(self) -> None:
        self.moves = vec[i64]([0] * MAX_MOVES)


_free_buffers: Final = [_MoveBuffer() for _ in range(3)]
"""Those not in use. From a list of three, one can be taken and put back without the list being resized."""


def _take_buffer() -> _MoveBuffer:
    return _free_buffers.pop() if _free_buffers else _MoveBuffer()


def write_run(moves: vec[i64], count: i64, first: i64, end: i64) -> i64:
    """Append the moves from `first` up to `end` to a list that holds `count` moves. Returns the new count."""
    for move in range(first, end):
        moves[count] = move
        count += 1
    return count


def restored(kind: type[State], data: dict[str, Any]) -> State:
    """A position of this class from a `dump`."""
    state = kind()
    state.restore(data)
    return state


def shared(winners: i64, seats: i64) -> Result:
    """The result when these seats win (a bit mask): 1 for a single winner, split equally among several."""
    won = [float(winners >> seat & 1) for seat in range(seats)]
    share = sum(won)
    return [each / share for each in won]


def unchanged(now: vec[i64], before: vec[i64], first: i64 = 0, end: i64 = -1) -> bool:
    """Whether a list, or its part from `first` up to `end`, is the same as in an earlier position."""
    if end < 0:
        end = len(now)
        if len(before) != end:
            return False
    return all(now[place] == before[place] for place in range(first, end))


def _copier(state: State) -> Callable[[State, Dice], Any]:
    """A function that copies positions of this class field by field, generated the way `dataclasses` does it. Looking
    the fields up at every copy would take ten times as long."""
    lines = [
        "def copy_with(self, dice):",
        "    copy = new(kind)",
        *(f"    copy.{name} = self.{name}" for name in ("seats", "version", "reveals")),
        "    copy.dice = dice",
        "    copy.events = None",
    ]
    for name in state.fields():
        value = getattr(state, name)
        is_list = not (value is None or isinstance(value, (int, str, float)))
        lines.append(f"    copy.{name} = self.{name}{'[:]' if is_list else ''}")
    lines.append("    return copy")
    kind = type(state)
    names: dict[str, Any] = {"kind": kind, "new": kind.__new__}
    exec("\n".join(lines), names)
    copy_with: Callable[[State, Dice], Any] = names["copy_with"]
    return copy_with


_copiers: dict[type, Callable[[State, Dice], Any]] = {}


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (int, str)) else list(value)


def _shaped(like: Any, value: Any) -> Any:
    if isinstance(value, list) and not isinstance(like, list):
        return vec[i64](value)
    return list(value) if isinstance(value, list) else value
