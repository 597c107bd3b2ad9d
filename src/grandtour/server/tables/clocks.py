# compiled
"""The players' clocks: how much time each seat has left, computed from the times of the stored records.

A clock runs while the match waits for a person, unless the clocks are paused or the game's own timer is running. A
clock that has run out does not end the match: a bot makes the move.
"""

from collections.abc import Collection
from typing import Final

from grandtour.engine.refusal import Refusal
from grandtour.protocol.messages import TimeControl, Times
from grandtour.server.tables.records import PauseChange

OVERTIME: Final = 10.0
"""Seconds for each move of a player whose time is used up."""
MAX_LATE_MOVES: Final = 2
"""Once the clock has made this many moves in a row for a person, a bot takes over the seat."""
MAX_MATCH_SECONDS: Final = 6 * 3600.0
MAX_ADDED_SECONDS: Final = 300.0
MAX_MOVE_SECONDS: Final = 30 * 24 * 3600.0


def check_time_control(wanted: TimeControl, least: float) -> None:
    """Refuse an invalid time control. `least` is the shortest allowed time in seconds."""
    if wanted.kind == "match":
        if not least <= wanted.seconds <= MAX_MATCH_SECONDS or not 0 <= wanted.added <= MAX_ADDED_SECONDS:
            raise Refusal(
                "bad-options",
                f"A clock for the match gives each player from {least:g} seconds to {MAX_MATCH_SECONDS / 3600:g} "
                f"hours, and adds at most {MAX_ADDED_SECONDS:g} seconds after each turn.",
            )
    elif not least <= wanted.seconds <= MAX_MOVE_SECONDS or wanted.added:
        raise Refusal(
            "bad-options",
            f"A clock for each move gives from {least:g} seconds to {MAX_MOVE_SECONDS / (24 * 3600):g} days, "
            "and adds nothing.",
        )


class Clocks:
    """The clocks of all seats. Times are in seconds since the epoch, as in the records."""

    def __init__(self, control: TimeControl | None, seats: int) -> None:
        self.control = control
        self.paused = False
        self.pause_wishes: set[int] = set()
        """The seats that have asked for a pause."""
        self.late_moves = [0] * seats
        """For each seat, how many moves in a row the clock has made until now."""
        self.running: frozenset[int] = frozenset()
        self._left = [control.seconds if control is not None else 0.0] * seats
        self._at = 0.0
        """The time up to which the running clocks have been charged."""

    def advance(self, time: float) -> None:
        """Charge the running clocks up to this time."""
        # If the machine's clock was set back, nobody gains time.
        spent = 0.0 if self.paused else max(0.0, time - self._at)
        for seat in self.running:
            self._left[seat] = max(0.0, self._left[seat] - spent)
        self._at = time

    def skip(self, seconds: float) -> None:
        """Do not charge the next `seconds`: the server was down."""
        self._at += seconds

    def run(self, running: Collection[int], mover: int | None = None, undone: bool = False) -> None:
        """Run only these clocks from now on. `mover` is the seat that has just moved or undone a move."""
        control = self.control
        if control is None:
            return
        begun = {seat for seat in running if seat not in self.running or seat == mover}
        if mover is not None and control.kind == "match":
            if undone and mover in running and mover not in self.running:
                self._left[mover] = max(0.0, self._left[mover] - control.added)
            elif not undone and mover in self.running and mover not in running:
                self._left[mover] += control.added
        for seat in begun:
            least = control.seconds if control.kind == "move" else min(OVERTIME, control.seconds)
            self._left[seat] = max(self._left[seat], least)
        self.running = frozenset(running)

    def pause(self, seat: int, how: PauseChange) -> None:
        """Apply a change of the pause, or of a seat's request for one."""
        if how == "asked":
            self.pause_wishes.add(seat)
        elif how == "withdrew":
            self.pause_wishes.discard(seat)
        else:
            self.paused = how == "agreed"
            self.pause_wishes.clear()

    @property
    def since(self) -> float | None:
        """The time up to which the running clocks have been charged; None if no clock runs."""
        return self._at if self.control is not None and self.running and not self.paused else None

    def left(self, seat: int, time: float) -> float:
        """The seconds that a seat has left at this time."""
        runs = seat in self.running and not self.paused
        return max(0.0, self._left[seat] - (max(0.0, time - self._at) if runs else 0.0))

    def next_to_run_out(self, time: float) -> tuple[int, float] | None:
        """The seat whose clock runs out next, and the seconds until then; None if no clock runs."""
        if self.control is None or self.paused or not self.running:
            return None
        left, seat = min((self.left(seat, time), seat) for seat in self.running)
        return seat, left

    def times(self, time: float) -> Times | None:
        """The clocks at this time, as they are sent to clients; None if the table has none."""
        if self.control is None and not self.paused and not self.pause_wishes:
            return None
        left = [] if self.control is None else [round(self.left(seat, time), 1) for seat in range(len(self._left))]
        return Times(left, sorted(self.running), self.paused, sorted(self.pause_wishes))
