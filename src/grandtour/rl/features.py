"""Encodes views as vectors of small whole numbers, for machine learning.

A game's `features.py` declares how each field of its view is encoded: a flag, a number, one of several names, a seat, a
list. Together they make a vector whose length depends only on the number of seats, with a name and a maximum for each
element: a number from 0 to its maximum, which is at most 255. Divided by the maxima, all are between 0 and 1. Seats are
relative to the observing seat: itself first, then clockwise. Only the view is encoded, so nothing hidden from the seat
can leak.
"""

from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import mypyc_attr

MAX_VALUE: Final = 255
"""The largest value of a number in an observation, which takes one byte."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Feature:
    """How one value of a view is encoded. `size` is how many numbers it takes; all are 0 if there is no value."""

    def __init__(self, size: int) -> None:
        self.size: Final = size

    def names(self) -> list[str]:
        """The name of each number; empty for a number that needs no name of its own."""
        raise NotImplementedError

    def maxima(self) -> list[int]:
        """The largest value of each number."""
        return [1] * self.size

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        """Write a value, as seen from the seat `you`, into `out` from index `at` on. `out` holds zeros there."""
        raise NotImplementedError


class LeftOut(Feature):
    """A field that is not encoded, because it is constant or implied by others; `why` is the reason."""

    def __init__(self, why: str) -> None:
        super().__init__(0)
        self.why: Final = why

    def names(self) -> list[str]:
        return []

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        pass


class Flag(Feature):
    """True or false."""

    def __init__(self) -> None:
        super().__init__(1)

    def names(self) -> list[str]:
        return [""]

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        out[at] = 1 if value else 0


class Number(Feature):
    """A number, clipped to 0 to `maximum`. If it only has multiples of `unit`, these are counted."""

    def __init__(self, maximum: int, unit: int = 1) -> None:
        super().__init__(1)
        self.maximum: Final = _small(maximum // unit)
        self.unit: Final = unit

    def names(self) -> list[str]:
        return [""]

    def maxima(self) -> list[int]:
        return [self.maximum]

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        out[at] = min(max(value // self.unit, 0), self.maximum)


class OneOf(Feature):
    """One of several values, one-hot."""

    def __init__(self, values: Any) -> None:
        self.values: Final = list(values)
        super().__init__(len(self.values))
        self.places: Final = {value: place for place, value in enumerate(self.values)}

    def names(self) -> list[str]:
        return [str(value) for value in self.values]

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        out[at + int(self.places[value])] = 1


class Kind(Feature):
    """The kind of a value, one-hot; several values may share a kind."""

    def __init__(self, kinds: dict[Any, str]) -> None:
        self.kinds: Final = list(dict.fromkeys(kinds.values()))
        super().__init__(len(self.kinds))
        self.places: Final = {value: self.kinds.index(kind) for value, kind in kinds.items()}

    def names(self) -> list[str]:
        return list(self.kinds)

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        out[at + int(self.places[value])] = 1


class Index(Feature):
    """One of very many values as a single number: its position in the list, from 1."""

    def __init__(self, values: Any) -> None:
        super().__init__(1)
        self.places: Final = {value: place for place, value in enumerate(values)}
        _small(len(self.places))

    def names(self) -> list[str]:
        return [""]

    def maxima(self) -> list[int]:
        return [len(self.places)]

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        out[at] = int(self.places[value]) + 1


class Counts(Feature):
    """The number of items with each name, at most `maximum`, from a list of names or a dict of counts.

    With `key`, the items of the list are records with a name under `key` and a `count`.
    """

    def __init__(self, values: Any, maximum: int = 1, key: str = "") -> None:
        self.values: Final = list(values)
        super().__init__(len(self.values))
        self.places: Final = {value: place for place, value in enumerate(self.values)}
        self.maximum: Final = _small(maximum)
        self.key: Final = key

    def names(self) -> list[str]:
        return [str(value) for value in self.values]

    def maxima(self) -> list[int]:
        return [self.maximum] * self.size

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        for item in value:
            if isinstance(value, dict):
                name, count = item, value[item]
            elif self.key:
                name, count = item[self.key], item["count"]
            else:
                name, count = item, 1
            place = at + int(self.places[name])
            out[place] = min(out[place] + int(count), self.maximum)


class Ordered(Feature):
    """An ordered list of at most `maximum` of these names: `maximum` for the first, one less for each later one."""

    def __init__(self, values: Any, maximum: int) -> None:
        self.values: Final = list(values)
        super().__init__(len(self.values))
        self.places: Final = {value: place for place, value in enumerate(self.values)}
        self.maximum: Final = _small(maximum)

    def names(self) -> list[str]:
        return [str(value) for value in self.values]

    def maxima(self) -> list[int]:
        return [self.maximum] * self.size

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        for number, name in enumerate(value):
            out[at + int(self.places[name])] = self.maximum - number


class Letters(Feature):
    """A text of fixed length in which each letter is a code: one-hot for each position."""

    def __init__(self, length: int, letters: str) -> None:
        super().__init__(length * len(letters))
        self.length: Final = length
        self.letters: Final = letters

    def names(self) -> list[str]:
        return [f"{position + 1} {letter}" for position in range(self.length) for letter in self.letters]

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        for position, letter in enumerate(value):
            out[at + position * len(self.letters) + self.letters.index(letter)] = 1


def seat_names(seats: int) -> list[str]:
    """How seats are named: `you`, then `+1` for the left neighbour, and so on."""
    return ["you", *(f"+{other}" for other in range(1, seats))]


class Seat(Feature):
    """A seat, one-hot; if `all` is given, that value means everyone."""

    def __init__(self, seats: int, all: str = "") -> None:
        super().__init__(seats + (1 if all else 0))
        self.seats: Final = seats
        self.all: Final = all

    def names(self) -> list[str]:
        return [*seat_names(self.seats), *([self.all] if self.all else [])]

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        out[at + (self.seats if value == self.all else (int(value) - you) % self.seats)] = 1


class Seats(Feature):
    """A set of seats."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)

    def names(self) -> list[str]:
        return seat_names(self.size)

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        for seat in value:
            out[at + (int(seat) - you) % self.size] = 1


class Maybe(Feature):
    """A value that may be missing, preceded by whether it is there, for values that may be all zeros."""

    def __init__(self, feature: Feature) -> None:
        super().__init__(1 + feature.size)
        self.feature: Final = feature

    def names(self) -> list[str]:
        return ["there", *self.feature.names()]

    def maxima(self) -> list[int]:
        return [1, *self.feature.maxima()]

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        out[at] = 1
        self.feature.write(value, you, out, at + 1)


class Record(Feature):
    """An object. Every field it can have must be declared; an undeclared field is an error."""

    def __init__(self, fields: Mapping[str, Feature]) -> None:
        self.fields: Final = fields
        self.places: Final[dict[str, int]] = {}
        size = 0
        for name, feature in fields.items():
            self.places[name] = size
            size += feature.size
        super().__init__(size)

    def names(self) -> list[str]:
        return _under(list(self.fields), list(self.fields.values()))

    def maxima(self) -> list[int]:
        return [maximum for feature in self.fields.values() for maximum in feature.maxima()]

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        for name, inner in value.items():
            feature = self.fields.get(name)
            if feature is None:
                raise ValueError(
                    f"features.py does not declare the field {name!r}; it declares {', '.join(self.fields)}"
                )
            if inner is not None:
                feature.write(inner, you, out, at + self.places[name])


class Each(Feature):
    """A list of up to `maximum` values in order, each preceded by whether it is there."""

    def __init__(self, maximum: int, feature: Feature) -> None:
        self.maximum: Final = maximum
        self.feature: Final = Maybe(feature)
        super().__init__(maximum * self.feature.size)

    def names(self) -> list[str]:
        return _under([str(place + 1) for place in range(self.maximum)], [self.feature] * self.maximum)

    def maxima(self) -> list[int]:
        return self.feature.maxima() * self.maximum

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        if len(value) > self.maximum:
            raise ValueError(f"features.py has room for {self.maximum} items in a list, not for {len(value)}")
        for place, item in enumerate(value):
            if item is not None:
                self.feature.write(item, you, out, at + place * self.feature.size)


class BySeat(Feature):
    """A list of records, at most one per seat, ordered by the seat that each has under `key`."""

    def __init__(self, seats: int, fields: Mapping[str, Feature], key: str = "seat", always: bool = False) -> None:
        self.key: Final = key
        self.seats: Final = seats
        record = Record({key: LeftOut("implied by the position"), **fields})
        self.feature: Final[Feature] = record if always else Maybe(record)
        super().__init__(seats * self.feature.size)

    def names(self) -> list[str]:
        return _under(seat_names(self.seats), [self.feature] * self.seats)

    def maxima(self) -> list[int]:
        return self.feature.maxima() * self.seats

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        for item in value:
            self.feature.write(item, you, out, at + (int(item[self.key]) - you) % self.seats * self.feature.size)


class ByName(Feature):
    """Values by name: from a dict, or from a list of records identified by their values under `keys`."""

    def __init__(self, values: Any, feature: Feature, keys: tuple[str, ...] = (), always: bool = False) -> None:
        self.values: Final = list(values)
        self.keys: Final = keys
        self.feature: Final = feature if always else Maybe(feature)
        super().__init__(len(self.values) * self.feature.size)
        self.places: Final = {value: place * self.feature.size for place, value in enumerate(self.values)}

    def names(self) -> list[str]:
        names = [" ".join(str(part) for part in value) if self.keys else str(value) for value in self.values]
        return _under(names, [self.feature] * len(names))

    def maxima(self) -> list[int]:
        return self.feature.maxima() * len(self.values)

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        for item in value:
            if self.keys:
                place = int(self.places[tuple([item[key] for key in self.keys])])
                self.feature.write(item, you, out, at + place)
            else:
                self.feature.write(value[item], you, out, at + int(self.places[item]))


class Translated(Feature):
    """A value that a table translates into another one, which is encoded in its place."""

    def __init__(self, table: Mapping[Any, Any], feature: Feature) -> None:
        super().__init__(feature.size)
        self.table: Final = table
        self.feature: Final = feature

    def names(self) -> list[str]:
        return self.feature.names()

    def maxima(self) -> list[int]:
        return self.feature.maxima()

    def write(self, value: Any, you: int, out: list[int], at: int) -> None:
        self.feature.write(self.table[value], you, out, at)


def _small(maximum: int) -> int:
    """A maximum that fits into a byte."""
    if not 1 <= maximum <= MAX_VALUE:
        raise ValueError(f"features.py declares a number of up to {maximum}, but one of at most {MAX_VALUE} is written")
    return maximum


def _under(names: list[str], features: list[Feature]) -> list[str]:
    """The names of features' numbers, each prefixed with the feature's own name."""
    found: list[str] = []
    for name, feature in zip(names, features, strict=True):
        for inner in feature.names():
            found.append(f"{name}.{inner}" if inner else name)
    return found
