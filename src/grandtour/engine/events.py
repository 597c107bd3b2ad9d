"""What happened, as small named records: `{"event": "took", "seat": 1, "pile": "Milano"}`.

What only some seats may see is stored separately under "private", by seat. A seat sees the public part plus its own
private part.
"""

from typing import Any

Event = dict[str, Any]


def event(name: str, private: dict[int, dict[str, Any]] | None = None, **public: Any) -> Event:
    """A record of what happened. `private` maps a seat to what only it may see."""
    record: Event = {"event": name, **public}
    if private:
        record["private"] = {str(seat): part for seat, part in private.items()}
    return record


def seen(record: Event, seat: int | None) -> Event:
    """The record as a seat may see it; None is a spectator. It must not be changed: it may be the record itself."""
    if "private" not in record:
        return record
    shown = record.copy()
    private = shown.pop("private")
    if seat is not None and (mine := private.get(str(seat))):
        shown.update(mine)
    return shown
