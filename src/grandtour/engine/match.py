"""A match: a game, its options, its seed and its log of moves. The one gate through which every move goes."""

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
    """One line of the log replayed: the position is as it stands after the move, and belongs to the replay."""

    entry: Entry | None
    events: list[Event]
    state: State


SNAPSHOT_EVERY: Final = 16
"""Moves between two positions that are kept for taking moves back."""
SNAPSHOTS: Final = 8
"""Positions that are kept at most; taking back more moves than lie between them costs one replay of the match."""


class Match:
    """(options, seed, log) rebuild everything. The position is only a cache of them.

    `moment` counts what has happened, taken-back moves included: whoever decides on a move says at which moment.
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

    def fresh(self, seat: int, at: int) -> bool:
        """Whether what a seat decided on at that moment still stands: it has not moved, and may do what it could."""
        return self._changed[seat] <= at <= self.moment

    def check(self, seat: object, named: object, at: int | None = None) -> int:
        """The number of a move that may be made now; a refusal for any other."""
        if not isinstance(seat, int) or isinstance(seat, bool) or not CLOCK <= seat < self.seats:
            raise Refusal("wrong-seat", f"There is no seat {short(seat)} at this table.")
        move = self.game.moves.number(named)
        if self.over:
            raise Refusal("over", "The game is over.")
        if at is not None and seat != CLOCK and not self.fresh(seat, at):
            raise Refusal("stale", "The game has moved on since you chose that; look again.")
        legal = self.state.legal(seat)
        if move in legal:
            return move
        code = "not-legal" if legal else "wrong-seat"
        objection = self.game.objection(self.state, seat, move) if seat != CLOCK else None
        if objection is None:
            raise Refusal(code, "That move is not possible now.")
        raise Refusal(code, objection.reason, objection.rule)

    def play(self, seat: object, named: object, at: int | None = None) -> list[Event]:
        """Make a move and say what happened. A refusal changes nothing."""
        move = self.check(seat, named, at)
        assert isinstance(seat, int)
        return self._play(Entry(seat, move))

    def can_undo(self, seat: int) -> bool:
        """Whether the last move is this seat's, and it has shown nothing hidden and given nothing away for good."""
        return (
            bool(self.log) and self.log[-1].seat == seat and self._reveals[-1] == self.state.reveals and not self.over
        )

    def undo(self, seat: int) -> None:
        """Take back one's last move."""
        if not self.can_undo(seat):
            if self.log and self.log[-1].seat == seat:
                raise Refusal(
                    "not-legal",
                    "That move cannot be taken back: it has shown something hidden, or given something away.",
                )
            raise Refusal("not-legal", "There is no move of yours to take back.")
        self.log.pop()
        self._reveals.pop()
        self._go_back()
        self._choices = self._all_choices()
        self.moment += 1
        self._changed = [self.moment] * self.seats

    def steps(self) -> Iterator[Step]:
        """The whole match again from the start, the set-up first."""
        again = Match(self.game, self.seats, self.options, self.seed, self.version)
        yield Step(None, again.opening, again.state)
        for entry in self.log:
            events = again._play(entry)
            yield Step(entry, events, again.state)

    def _begin(self) -> State:
        self.opening = []
        state = self.game.new(self.seats, self.options, make_dice(self.seed), self.opening, self.version)
        state.events = None
        return state

    def _go_back(self) -> None:
        """Set the position to what the log leads to, from the last snapshot before it."""
        while self._snapshots and self._snapshots[-1][0] > len(self.log):
            self._snapshots.pop()
        if self._snapshots:
            start, snapshot = self._snapshots[-1]
            self.state = snapshot.clone()
        else:
            start = 0
            self.state = self._begin()
        for n in range(start, len(self.log)):
            self._keep_snapshot(n)
            entry = self.log[n]
            self.state.play(entry.seat, entry.move)

    def _keep_snapshot(self, n: int) -> None:
        """Remember the position, which is that after n moves, unless there is a recent one."""
        if self._snapshots and n < self._snapshots[-1][0] + SNAPSHOT_EVERY:
            return
        self._snapshots.append((n, self.state.clone()))
        if len(self._snapshots) > SNAPSHOTS:
            self._snapshots.pop(0)

    def _all_choices(self) -> list[list[int]]:
        return [self.state.legal(seat) for seat in range(self.seats)]

    def _play(self, entry: Entry) -> list[Event]:
        events: list[Event] = []
        self._keep_snapshot(len(self.log))
        self._reveals.append(self.state.reveals)
        self.state.events = events
        self.state.play(entry.seat, entry.move)
        self.state.events = None
        self.log.append(entry)
        self.moment += 1
        choices = self._all_choices()
        for seat in range(self.seats):
            if choices[seat] != self._choices[seat] or seat == entry.seat:
                self._changed[seat] = self.moment
        self._choices = choices
        return events
