"""A match: a game, its options, its seed and its log of moves. Every move is checked here, no matter who sent it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from grandtour.engine.dice import make_dice
from grandtour.engine.events import Event
from grandtour.engine.game import Game
from grandtour.engine.options import check_options
from grandtour.engine.refusal import Refusal, short
from grandtour.engine.state import CLOCK, Result, State
from grandtour.engine.vocabulary import Named


class Entry(NamedTuple):
    """One line of the log."""

    seat: int
    move: int


class Step(NamedTuple):
    """One line of the log, replayed, with the position after the move. The position belongs to the replay: do not
    change it."""

    entry: Entry | None
    events: list[Event]
    state: State


class Change:
    """The effect of a move, or of taking one back (then `entry` is None), ready for `Match.apply`."""

    def __init__(self, moment: int, entry: Entry | None, state: State, events: list[Event]) -> None:
        self.moment: Final = moment
        self.entry: Final = entry
        self.state: Final = state
        self.events: Final = events


SNAPSHOT_EVERY: Final = 16
"""The number of moves between two stored snapshots, which make undo fast."""
SNAPSHOTS: Final = 8
"""The maximum number of snapshots. Undoing further back than they reach replays the match once."""


class Match:
    """A match can be rebuilt from its options, seed and log; the position is only a cache.

    `moment` counts everything that has happened, including moves taken back.
    A request says at which moment the player decided on it.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: object = None,
        seed: int | bytes = 0,
        version: int | None = None,
    ) -> None:
        self.game: Final = game
        self.seats: Final = seats
        self.options: Final = check_options(game.options, options)
        self.seed: Final = seed
        self.version: Final = version or game.version
        self.log: Final[list[Entry]] = []
        self.moment = 0
        self.opening: list[Event] = []
        self.state = self._begin()
        self._snapshots: list[tuple[int, State]] = []
        self._reveals: list[int] = []
        self._choices = self._all_choices()
        self._changed = [0] * seats

    @property
    def over(self) -> bool:
        return not self.state.waiting()

    def waiting(self) -> list[int]:
        return self.state.waiting()

    def result(self) -> Result | None:
        return self.state.result()

    def legal(self, seat: int) -> list[Named]:
        """What a seat may do now, by name."""
        return [self.game.moves.name(move) for move in self.state.legal(seat)]

    def choices(self, seat: int) -> list[int]:
        """The same by number. The list belongs to the match: do not change it."""
        return self._choices[seat]

    def fresh(self, seat: int, at: int) -> bool:
        """Whether a decision made at this moment is still valid: the seat has not moved since, and has the same
        choices."""
        return self._changed[seat] <= at <= self.moment

    def check(self, seat: object, named: object, at: int | None = None) -> int:
        """The number of a move that is legal now. Any other move is refused."""
        if not isinstance(seat, int) or isinstance(seat, bool) or not CLOCK <= seat < self.seats:
            raise Refusal("wrong-seat", f"There is no seat {short(seat)} at this table.")
        move = self.game.moves.number(named)
        if self.over:
            raise Refusal("over", "The game is over.")
        if at is not None and seat != CLOCK and not self.fresh(seat, at):
            raise Refusal("stale", "The game has moved on since you chose that; look again.")
        if seat == CLOCK or move not in self._choices[seat]:
            check_legal(self.game, self.state, seat, move)
        return move

    def decide(self, seat: object, named: object, at: int | None = None) -> Change:
        """Work out a move on a copy. Nothing changes before `apply`."""
        move = self.check(seat, named, at)
        assert isinstance(seat, int)
        # This is what `Entry(seat, move)` calls in the end, but that is interpreted.
        return self._after(tuple.__new__(Entry, (seat, move)))

    def decide_undo(self, seat: int) -> Change:
        """Work out taking back a seat's last move. Nothing changes before `apply`."""
        if not self.can_undo(seat):
            if self.log and self.log[-1].seat == seat:
                raise Refusal(
                    "not-legal",
                    "That move cannot be taken back: it has shown something hidden, or given something away.",
                )
            raise Refusal("not-legal", "There is no move of yours to take back.")
        return Change(self.moment, None, self._state_after(len(self.log) - 1), [])

    def apply(self, change: Change) -> None:
        """Make a change that was decided in the current position."""
        assert change.moment == self.moment, "the match has moved on since this change was decided on"
        entry = change.entry
        self.moment += 1
        if entry is None:
            self.log.pop()
            self._reveals.pop()
            while self._snapshots and self._snapshots[-1][0] > len(self.log):
                self._snapshots.pop()
            self.state = change.state
            self._choices = self._all_choices()
            self._changed = [self.moment] * self.seats
            return
        self._keep_snapshot(len(self.log), self.state)
        self._reveals.append(self.state.reveals)
        self.log.append(entry)
        self.state = change.state
        choices = self._all_choices()
        for seat in range(self.seats):
            if choices[seat] != self._choices[seat] or seat == entry.seat:
                self._changed[seat] = self.moment
        self._choices = choices

    def play(self, seat: object, named: object, at: int | None = None) -> list[Event]:
        """Make a move and return its events. A refusal changes nothing."""
        change = self.decide(seat, named, at)
        self.apply(change)
        return change.events

    def undo(self, seat: int) -> None:
        """Take back a seat's last move."""
        self.apply(self.decide_undo(seat))

    def can_undo(self, seat: int) -> bool:
        """Whether the last move was this seat's and can be taken back: it revealed nothing and gave nothing away for
        good."""
        return (
            bool(self.log) and self.log[-1].seat == seat and self._reveals[-1] == self.state.reveals and not self.over
        )

    def steps(self) -> Iterator[Step]:
        """Replay the whole match, starting with the set-up."""
        again = Match(self.game, self.seats, self.options, self.seed, self.version)
        yield Step(None, again.opening, again.state)
        for entry in self.log:
            change = again._after(entry)
            again.apply(change)
            yield Step(entry, change.events, again.state)

    def _begin(self) -> State:
        opening: list[Event] = []
        state: State = self.game.new(self.seats, self.options, make_dice(self.seed), opening, self.version)
        state.events = None
        self.opening = opening
        return state

    def _after(self, entry: Entry) -> Change:
        events: list[Event] = []
        state = self.state.clone()
        state.events = events
        state.play(entry.seat, entry.move)
        state.events = None
        return Change(self.moment, entry, state, events)

    def _state_after(self, n: int) -> State:
        """The position after n moves of the log, replayed from the nearest snapshot before it."""
        for start, snapshot in reversed(self._snapshots):
            if start <= n:
                state = snapshot.clone()
                break
        else:
            start, state = 0, self._begin()
            self._snapshots = []
        for number in range(start, n):
            self._keep_snapshot(number, state)
            state = state.clone()
            state.play(self.log[number].seat, self.log[number].move)
        return state

    def _keep_snapshot(self, n: int, state: State) -> None:
        """Store the position after n moves, unless there is a recent snapshot. It must not be changed afterwards."""
        if self._snapshots and n < self._snapshots[-1][0] + SNAPSHOT_EVERY:
            return
        self._snapshots.append((n, state))
        if len(self._snapshots) > SNAPSHOTS:
            self._snapshots.pop(0)

    def _all_choices(self) -> list[list[int]]:
        return [self.state.legal(seat) for seat in range(self.seats)]


def check_legal(game: Game, state: State, seat: int, move: int) -> None:
    """Refuse a move that a seat may not make in this position, with the referee's reason.

    Every move from outside is checked here: in matches, from programs over a pipe, and in learning environments.
    """
    legal = state.legal(seat)
    if move in legal:
        return
    code = "not-legal" if legal else "wrong-seat"
    objection = game.objection(state, seat, move) if seat != CLOCK else None
    if objection is None:
        raise Refusal(code, "That move is not possible now.")
    raise Refusal(code, objection.reason, objection.rule)
