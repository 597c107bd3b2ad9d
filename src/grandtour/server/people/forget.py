"""Removes a person's name and chat from the log of a table. The match and the numbers of its events stay the same."""

from collections.abc import Iterable

from msgspec import structs

from grandtour.server.storage.retention import REMOVED_TEXT
from grandtour.server.tables.records import Made, Record, Said, Seated, SeatRecord
from grandtour.server.tables.table import person_name

FORGOTTEN = "Traveller"
"""The name that replaces a removed person's name."""


def without_person(log: Iterable[Record], keys: set[str], mentioned: set[int]) -> tuple[list[Record], int]:
    """A table's log without a person, and how many chat lines were removed.

    The person had the seats with these keys, and seats `mentioned` have their name."""
    seats: list[SeatRecord] = []
    cleaned: list[Record] = []
    lines = 0
    for record in log:
        match record:
            case Made():
                seats = list(record.seats)
                for seat, now in enumerate(seats):
                    seats[seat] = _cleaned(seats, seat, now, keys, seat in mentioned)
                cleaned.append(structs.replace(record, seats=list(seats)))
            case Seated():
                seats[record.seat] = _cleaned(seats, record.seat, record.now, keys, False)
                cleaned.append(structs.replace(record, now=seats[record.seat]))
            case Said() if seats[record.seat].key in keys:
                lines += 1
                cleaned.append(structs.replace(record, text=REMOVED_TEXT))
            case _:
                cleaned.append(record)
    return cleaned, lines


def _cleaned(seats: list[SeatRecord], seat: int, now: SeatRecord, keys: set[str], mentioned: bool) -> SeatRecord:
    owner = now.owner
    if owner is not None and owner.key in keys:
        # A seat that is reserved for its owner has the owner's name.
        name = FORGOTTEN if now.name == owner.name else now.name
        now = structs.replace(now, name=name, owner=structs.replace(owner, name=FORGOTTEN))
    if now.key in keys or mentioned:
        others = [other.name for number, other in enumerate(seats) if number != seat]
        now = structs.replace(now, name=person_name(FORGOTTEN, others, seat))
    return now
