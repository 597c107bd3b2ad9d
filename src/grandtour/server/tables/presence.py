# compiled
"""Who is at a table and who is away, and so who is host and for whom a bot moves."""

import math
import time
from typing import Final

from grandtour.server.settings import Settings
from grandtour.server.tables.table import RATED_PEOPLE, Table, kept_for

RETURN_GRACE: Final = 30.0
"""Seconds that people have to return after somebody is at the table again, for example after a restart."""
KNOWN_AWAY: Final = 12
"""If a bot has already moved for an absent player, the others wait only this fraction of the usual time."""


class Presence:
    """Measures how long people are away from their seats. This is not stored: after a restart nobody is known to have
    left, and only the times when the game began to wait, which are stored, count."""

    def __init__(self, table: Table, settings: Settings) -> None:
        self.here: set[int] = set()
        """The seats with a connected person."""
        self._settings = settings
        self._patience = table.made.patience
        self._began = time.monotonic()
        self._together = self._began
        """The time since which somebody has always been here."""
        self._left: dict[int, float] = {}
        self._stood_in_for = table.stood_in_for()

    def update(self, here: set[int]) -> None:
        """Note which seats have a connected person now."""
        now = time.monotonic()
        if here and not self.here:
            self._together = now
        for seat in self.here - here:
            self._left[seat] = now
        for seat in here - self.here:
            self._left.pop(seat, None)
            self._stood_in_for.discard(seat)
        self.here = set(here)

    def sat_down(self, seat: int) -> None:
        """Another person has taken the seat and is about to connect."""
        self._stood_in_for.discard(seat)
        self._left[seat] = time.monotonic()

    def stood_in(self, seat: int) -> None:
        """A bot has moved for someone who is away."""
        self._stood_in_for.add(seat)

    def away(self, seat: int) -> float | None:
        """Seconds since the person left this seat; None if they are here, or if it is not known."""
        left = self._left.get(seat)
        return None if left is None else time.monotonic() - left

    def absent_for(self, seat: int) -> float:
        """How many seconds nobody has been here for certain."""
        if seat in self.here:
            return 0.0
        return time.monotonic() - self._left.get(seat, self._began)

    def host(self, table: Table) -> int | None:
        """The first person to have sat down who is here, or was until recently; if nobody is, the first to have sat
        down."""
        people = table.people()
        return next((seat for seat in people if self._may_host(seat)), people[0] if people else None)

    def overdue(self, table: Table) -> int | None:
        """A seat that a bot should move for now, because its player is away and the others have waited long enough."""
        return next((seat for seat in self._awaited(table) if self._wait(table, seat) <= 0), None)

    def late(self, table: Table) -> int | None:
        """A seat whose time has run out."""
        found = self._next_late(table)
        return found[0] if found is not None and found[1] <= 0 else None

    def bots_fill_in(self, table: Table) -> bool:
        """Whether bots should take the seats of those who have not come to a rematch, or that are free at a quick
        match."""
        wait = self._fill_in(table)
        if wait is None or wait > 0 or not self.here:
            return False
        return not table.made.rated or len(table.people()) >= RATED_PEOPLE

    def next_change(self, table: Table) -> float | None:
        """Seconds until the host may change or a bot must move; None if nothing changes just by waiting."""
        late = self._next_late(table)
        waits = [late[1]] if late is not None else []
        if self.here:
            for seat in table.people():
                if seat not in self.here:
                    waits.append(self._settings.host_grace - self.absent_for(seat))
            for seat in self._awaited(table):
                waits.append(self._wait(table, seat))
            if (fill := self._fill_in(table)) is not None:
                waits.append(fill)
        first: float | None = None
        for wait in waits:
            if wait > 0 and (first is None or wait < first):
                first = wait
        return first

    def _fill_in(self, table: Table) -> float | None:
        """Seconds until bots take the seats that are kept for people, or free at a quick match; None if they do not."""
        if table.phase != "waiting" or not (table.made.quick or any(map(kept_for, table.seats))):
            return None
        waited = max(0.0, time.time() - table.made.made)
        return (self._settings.quick_wait if table.made.quick else self._settings.rematch_wait) - waited

    def _next_late(self, table: Table) -> tuple[int, float] | None:
        """The seat whose time runs out first, and the seconds until then. If the time is for the match, nothing
        happens while everybody is away, and those who come back have a moment."""
        control, first = table.clocks.control, table.clocks.first(time.time())
        if control is None or first is None or control.kind == "move":
            return first
        if not self.here:
            return None
        together = time.monotonic() - self._together
        return first[0], max(first[1], min(RETURN_GRACE, control.seconds) - together)

    def _may_host(self, seat: int) -> bool:
        return seat in self.here or self.absent_for(seat) < self._settings.host_grace

    def _awaited(self, table: Table) -> list[int]:
        """The people the game waits for who are away. If everybody is away, nobody is waiting."""
        if not self._patience or not self.here or table.clocks.paused:
            return []
        people = table.people()
        return [
            seat for seat in table.asked if seat not in self.here and seat in people and table.seats[seat].bot is None
        ]

    def _wait(self, table: Table, seat: int) -> float:
        """Seconds until a bot moves for this seat."""
        wait = self._patience / KNOWN_AWAY if seat in self._stood_in_for else self._patience
        # If the machine's clock was set back, nobody should wait longer.
        asked = max(0.0, time.time() - table.asked[seat])
        away = self.away(seat)
        together = time.monotonic() - self._together
        grace = min(RETURN_GRACE, self._patience)
        return max(wait - min(asked, math.inf if away is None else away), grace - together)
