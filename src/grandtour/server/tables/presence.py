# compiled
"""Who is at a table and who is away. This decides who is host and for whom a bot moves."""

import math
import time
from typing import Final

from grandtour.server.settings import Settings
from grandtour.server.tables.table import MIN_RATED_PEOPLE, Table, reserved_for

RETURN_GRACE: Final = 30.0
"""Seconds that the others have to return once somebody is back at an empty table, for example after a restart."""
KNOWN_AWAY_DIVISOR: Final = 12
"""Once a bot has moved for an absent player, the usual wait is divided by this number."""


class Presence:
    """Measures how long people are away from their seats.

    This is not stored. After a restart, nobody is known to have left; only how long the game has been waiting counts,
    which is computed from stored records."""

    def __init__(self, table: Table, settings: Settings) -> None:
        self.here: set[int] = set()
        """The seats with a connected person."""
        self._settings = settings
        self._patience = table.made.patience
        self._began = time.monotonic()
        self._occupied_since = self._began
        """The time since which the table has not been empty."""
        self._left: dict[int, float] = {}
        self._absent_seats = table.absent_seats()

    def update(self, here: set[int]) -> None:
        """Note which seats have a connected person now."""
        now = time.monotonic()
        if here and not self.here:
            self._occupied_since = now
        for seat in self.here - here:
            self._left[seat] = now
        for seat in here - self.here:
            self._left.pop(seat, None)
            self._absent_seats.discard(seat)
        self.here = set(here)

    def sat_down(self, seat: int) -> None:
        """Another person has taken the seat and is about to connect."""
        self._absent_seats.discard(seat)
        self._left[seat] = time.monotonic()

    def note_stand_in(self, seat: int) -> None:
        """A bot has moved for someone who is away."""
        self._absent_seats.add(seat)

    def away_for(self, seat: int) -> float | None:
        """Seconds since the person left this seat; None if they are here, or if it is not known."""
        left = self._left.get(seat)
        return None if left is None else time.monotonic() - left

    def absent_for(self, seat: int) -> float:
        """For how many seconds the seat has certainly been without its person."""
        if seat in self.here:
            return 0.0
        return time.monotonic() - self._left.get(seat, self._began)

    def host(self, table: Table) -> int | None:
        """The host's seat: of the people who are here, or were until recently, the first who sat down. If there is none
        of them, the first who sat down at all."""
        people = table.people()
        return next((seat for seat in people if self._may_host(seat)), people[0] if people else None)

    def settled_host(self, table: Table) -> int | None:
        """The host, if all seats are people's who are here and have no clocks: then no bot has to move, and nothing
        changes by waiting. Otherwise None."""
        if len(self.here) < len(table.seats) or not table.only_people or table.phase == "waiting":
            return None
        return table.people()[0] if table.clocks.control is None else None

    def overdue_seat(self, table: Table) -> int | None:
        """A seat whose player is away and for which a bot should move, because the others have waited long enough."""
        return next((seat for seat in self._awaited(table) if self._wait_for(table, seat) <= 0), None)

    def late_seat(self, table: Table) -> int | None:
        """A seat whose time has run out."""
        found = self._next_late_seat(table)
        return found[0] if found is not None and found[1] <= 0 else None

    def bots_fill_in(self, table: Table) -> bool:
        """Whether bots should now take the seats that are reserved after a rematch, or free at a quick match."""
        wait = self._seconds_until_bots(table)
        if wait is None or wait > 0 or not self.here:
            return False
        return not table.made.rated or len(table.people()) >= MIN_RATED_PEOPLE

    def next_change(self, table: Table) -> float | None:
        """Seconds until the host may change or a bot must move; None if neither happens by waiting."""
        late = self._next_late_seat(table)
        waits = [late[1]] if late is not None else []
        if self.here:
            for seat in table.people():
                if seat not in self.here:
                    waits.append(self._settings.host_grace - self.absent_for(seat))
            for seat in self._awaited(table):
                waits.append(self._wait_for(table, seat))
            if (fill := self._seconds_until_bots(table)) is not None:
                waits.append(fill)
        first: float | None = None
        for wait in waits:
            if wait > 0 and (first is None or wait < first):
                first = wait
        return first

    def _seconds_until_bots(self, table: Table) -> float | None:
        """Seconds until bots take reserved seats, or free ones at a quick match; None if they will not."""
        if table.phase != "waiting" or not (table.made.quick or any(map(reserved_for, table.seats))):
            return None
        waited = max(0.0, time.time() - table.made.made)
        return (self._settings.quick_wait if table.made.quick else self._settings.rematch_wait) - waited

    def _next_late_seat(self, table: Table) -> tuple[int, float] | None:
        """The seat whose time runs out next, and the seconds until then.

        With a clock for the whole match, no time runs out while everybody is away, and people who come back have a
        moment to get ready."""
        control, first = table.clocks.control, table.clocks.next_to_run_out(time.time())
        if control is None or first is None or control.kind == "move":
            return first
        if not self.here:
            return None
        together = time.monotonic() - self._occupied_since
        return first[0], max(first[1], min(RETURN_GRACE, control.seconds) - together)

    def _may_host(self, seat: int) -> bool:
        return seat in self.here or self.absent_for(seat) < self._settings.host_grace

    def _awaited(self, table: Table) -> list[int]:
        """The people the game waits for who are away. If everybody is away, nobody is waiting."""
        if not self._patience or not self.here or table.clocks.paused:
            return []
        people = table.people()
        return [
            seat
            for seat in table.waiting_since
            if seat not in self.here and seat in people and table.seats[seat].bot is None
        ]

    def _wait_for(self, table: Table, seat: int) -> float:
        """Seconds until a bot moves for this seat."""
        wait = self._patience / KNOWN_AWAY_DIVISOR if seat in self._absent_seats else self._patience
        # The machine's clock may have been set back; nobody should wait longer because of that.
        waited = max(0.0, time.time() - table.waiting_since[seat])
        away = self.away_for(seat)
        together = time.monotonic() - self._occupied_since
        grace = min(RETURN_GRACE, self._patience)
        return max(wait - min(waited, math.inf if away is None else away), grace - together)
