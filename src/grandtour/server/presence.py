"""Who is at a table and who is away, and what follows from it: who is host, and for whom a bot moves."""

import math
import time
from typing import Final

from grandtour.server.settings import Settings
from grandtour.server.table import Table

RETURN_GRACE: Final = 30.0
"""Seconds that people have to come back once somebody is at the table again: after a restart, or a night's break."""
KNOWN_AWAY: Final = 12
"""For someone who has been stood in for and has not come back since, the others wait a twelfth of the usual time."""


class Presence:
    """Counts the time that people are away from their seats. Nothing of it is stored: after a restart nobody is known
    to have left, and the times at which the game began to wait, which are stored, decide."""

    def __init__(self, table: Table, settings: Settings) -> None:
        self.here: set[int] = set()
        """The seats somebody is connected to."""
        self._settings = settings
        self._patience = table.made.patience
        self._began = time.monotonic()
        self._together = self._began
        """Since when somebody has been here without a break."""
        self._left: dict[int, float] = {}
        self._stood_in_for = table.stood_in_for()

    def update(self, here: set[int]) -> None:
        """These seats have somebody now."""
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
        """Another person has the seat, and is about to connect."""
        self._stood_in_for.discard(seat)
        self._left[seat] = time.monotonic()

    def stood_in(self, seat: int) -> None:
        """A bot has moved for someone who is away."""
        self._stood_in_for.add(seat)

    def away(self, seat: int) -> float | None:
        """Seconds since somebody left this seat; None when they are here, or nobody knows."""
        left = self._left.get(seat)
        return None if left is None else time.monotonic() - left

    def absent_for(self, seat: int) -> float:
        """Seconds for which it is certain that nobody was here."""
        if seat in self.here:
            return 0.0
        return time.monotonic() - self._left.get(seat, self._began)

    def host(self, table: Table) -> int | None:
        """The first who sat down and is here, or was until just now; when all have gone, the first who sat down."""
        people = table.people()
        return next((seat for seat in people if self._may_host(seat)), people[0] if people else None)

    def overdue(self, table: Table) -> int | None:
        """A seat that a bot is to move for now, because its player is away and the others have waited long enough."""
        return next((seat for seat in self._awaited(table) if self._wait(table, seat) <= 0), None)

    def next_change(self, table: Table) -> float | None:
        """In how many seconds another may be host or a bot has to move; None when time alone changes nothing."""
        if not self.here:
            return None
        waits = [self._settings.host_grace - self.absent_for(seat) for seat in table.people() if seat not in self.here]
        waits += [self._wait(table, seat) for seat in self._awaited(table)]
        return min((wait for wait in waits if wait > 0), default=None)

    def _may_host(self, seat: int) -> bool:
        return seat in self.here or self.absent_for(seat) < self._settings.host_grace

    def _awaited(self, table: Table) -> list[int]:
        """The people whom the game waits for though they are away. When all are away, nobody waits for anyone."""
        if not self._patience or not self.here:
            return []
        people = table.people()
        return [
            seat for seat in table.asked if seat in people and seat not in self.here and table.seats[seat].bot is None
        ]

    def _wait(self, table: Table, seat: int) -> float:
        """Seconds until a bot moves for this seat."""
        wait = self._patience / KNOWN_AWAY if seat in self._stood_in_for else self._patience
        # A clock of the machine that was set back must not make anyone wait longer.
        asked = max(0.0, time.time() - table.asked[seat])
        away = self.away(seat)
        together = time.monotonic() - self._together
        grace = min(RETURN_GRACE, self._patience)
        return max(wait - min(asked, math.inf if away is None else away), grace - together)
