"""What happened, as small named records: `{"event": "took", "seat": 1, "pile": "Milano"}`.

The part that only some seats may see is kept apart under "private", by seat. Nothing is ever removed from a record:
what a seat may see is built up from the public part and its own.
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
    """The record as a seat may see it; None is an onlooker."""
    public = {key: value for key, value in record.items() if key != "private"}
    mine = record.get("private", {}).get(str(seat)) if seat is not None else None
    return {**public, **mine} if mine else public
