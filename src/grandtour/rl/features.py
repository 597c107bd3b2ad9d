"""A view as numbers, for programs that learn.

A game's `features.py` says of every field of its view how it is written: a flag, a number, one of some names, a seat, a
list. Together they make a vector whose length depends on the number of seats alone, with a name for each place in it.
Seats are written as they are seen from the one who looks: itself first, then clockwise. Every number lies between 0
and 1, and nothing but the view goes in, so nothing can leak that the view does not show.
"""

from collections.abc import Mapping
from typing import Any, Final

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Feature:
    """How one value of a view is written. `size` is how many numbers it takes; all are 0 where there is no value."""

    def __init__(self, size: int) -> None:
        self.size: Final = size

    def names(self) -> list[str]:
        """What each of its numbers says; empty for a number that needs no name of its own."""
        raise NotImplementedError

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        """Write a value that is there, as the seat `you` sees it, into `out` from place `at` on, where zeros are."""
        raise NotImplementedError


class LeftOut(Feature):
    """A field that is not written, because it never changes or follows from others: `why` says which."""

    def __init__(self, why: str) -> None:
        super().__init__(0)
        self.why: Final = why

    def names(self) -> list[str]:
        return []

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        pass


class Flag(Feature):
    """True or false."""

    def __init__(self) -> None:
        super().__init__(1)

    def names(self) -> list[str]:
        return [""]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        out[at] = 1.0 if value else 0.0


class Number(Feature):
    """A number from 0 to `most`, divided by it. What is beyond is written as 0 or 1."""

    def __init__(self, most: float) -> None:
        super().__init__(1)
        self.most: Final = most

    def names(self) -> list[str]:
        return [""]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        out[at] = min(max(value / self.most, 0.0), 1.0)


class OneOf(Feature):
    """One of some values: a place for each, 1 for the one it is."""

    def __init__(self, values: Any) -> None:
        self.values: Final = list(values)
        super().__init__(len(self.values))
        self.places: Final = {value: place for place, value in enumerate(self.values)}

    def names(self) -> list[str]:
        return [str(value) for value in self.values]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        out[at + int(self.places[value])] = 1.0


class Kind(Feature):
    """One of some values of which several count as one kind: a place for each kind, 1 for the one it is."""

    def __init__(self, kinds: dict[Any, str]) -> None:
        self.kinds: Final = list(dict.fromkeys(kinds.values()))
        super().__init__(len(self.kinds))
        self.places: Final = {value: self.kinds.index(kind) for value, kind in kinds.items()}

    def names(self) -> list[str]:
        return list(self.kinds)

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        out[at + int(self.places[value])] = 1.0


class Index(Feature):
    """One of very many values in a single number: its place in the list, from 1, divided by their number."""

    def __init__(self, values: Any) -> None:
        super().__init__(1)
        self.places: Final = {value: place for place, value in enumerate(values)}

    def names(self) -> list[str]:
        return [""]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        out[at] = (int(self.places[value]) + 1) / len(self.places)


class Counts(Feature):
    """How many there are of each name, divided by `most`: from a list of names, or from a dict of counts.

    In a list, an item may also be a record of a name, under `key`, and its `count`.
    """

    def __init__(self, values: Any, most: float = 1, key: str = "") -> None:
        self.values: Final = list(values)
        super().__init__(len(self.values))
        self.places: Final = {value: place for place, value in enumerate(self.values)}
        self.most: Final = most
        self.key: Final = key

    def names(self) -> list[str]:
        return [str(value) for value in self.values]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        for item in value:
            if isinstance(value, dict):
                name, count = item, value[item]
            elif self.key:
                name, count = item[self.key], item["count"]
            else:
                name, count = item, 1
            place = at + int(self.places[name])
            out[place] = min(out[place] + count / self.most, 1.0)


class Ordered(Feature):
    """Some of these names in an order, at most `most` of them: 1 for the first, a little less for each later one."""

    def __init__(self, values: Any, most: int) -> None:
        self.values: Final = list(values)
        super().__init__(len(self.values))
        self.places: Final = {value: place for place, value in enumerate(self.values)}
        self.most: Final = most

    def names(self) -> list[str]:
        return [str(value) for value in self.values]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        for number, name in enumerate(value):
            out[at + int(self.places[name])] = (self.most - number) / self.most


class Letters(Feature):
    """A text of a fixed length in which each letter stands for something: a place for each letter in each position."""

    def __init__(self, length: int, letters: str) -> None:
        super().__init__(length * len(letters))
        self.length: Final = length
        self.letters: Final = letters

    def names(self) -> list[str]:
        return [f"{position + 1} {letter}" for position in range(self.length) for letter in self.letters]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        for position, letter in enumerate(value):
            out[at + position * len(self.letters) + self.letters.index(letter)] = 1.0


def seat_names(seats: int) -> list[str]:
    """What seats are called in the names of numbers: `you`, then `+1` for the left neighbour and so on."""
    return ["you", *(f"+{other}" for other in range(1, seats))]


class Seat(Feature):
    """A seat; where `all` is given, that word may stand for everybody."""

    def __init__(self, seats: int, all: str = "") -> None:
        super().__init__(seats + (1 if all else 0))
        self.seats: Final = seats
        self.all: Final = all

    def names(self) -> list[str]:
        return [*seat_names(self.seats), *([self.all] if self.all else [])]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        out[at + (self.seats if value == self.all else (int(value) - you) % self.seats)] = 1.0


class Seats(Feature):
    """A set of seats."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)

    def names(self) -> list[str]:
        return seat_names(self.size)

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        for seat in value:
            out[at + (int(seat) - you) % self.size] = 1.0


class Maybe(Feature):
    """A value that may be missing: first whether it is there, for where that is not plain from the rest."""

    def __init__(self, feature: Feature) -> None:
        super().__init__(1 + feature.size)
        self.feature: Final = feature

    def names(self) -> list[str]:
        return ["there", *self.feature.names()]

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        out[at] = 1.0
        self.feature.write(value, you, out, at + 1)


class Record(Feature):
    """An object: every field that it can have is named here, and a field that is not is an error."""

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

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        for name, inner in value.items():
            feature = self.fields.get(name)
            if feature is None:
                raise ValueError(
                    f"features.py does not say how {name!r} is written; known are {', '.join(self.fields)}"
                )
            if inner is not None:
                feature.write(inner, you, out, at + self.places[name])


class Each(Feature):
    """A list of up to `most` values in their order, each with whether it is there."""

    def __init__(self, most: int, feature: Feature) -> None:
        self.most: Final = most
        self.feature: Final = Maybe(feature)
        super().__init__(most * self.feature.size)

    def names(self) -> list[str]:
        return _under([str(place + 1) for place in range(self.most)], [self.feature] * self.most)

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        if len(value) > self.most:
            raise ValueError(f"features.py has room for {self.most} in a list, not for {len(value)}")
        for place, item in enumerate(value):
            if item is not None:
                self.feature.write(item, you, out, at + place * self.feature.size)


class BySeat(Feature):
    """A list of records, at most one a seat: each is written where its seat, which it names under `key`, belongs."""

    def __init__(self, seats: int, fields: Mapping[str, Feature], key: str = "seat", always: bool = False) -> None:
        self.key: Final = key
        self.seats: Final = seats
        record = Record({key: LeftOut("the place says it"), **fields})
        self.feature: Final[Feature] = record if always else Maybe(record)
        super().__init__(seats * self.feature.size)

    def names(self) -> list[str]:
        return _under(seat_names(self.seats), [self.feature] * self.seats)

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        for item in value:
            self.feature.write(item, you, out, at + (int(item[self.key]) - you) % self.seats * self.feature.size)


class ByName(Feature):
    """Values by name: from a dict, or from a list of records that are told apart by what stands under `keys`."""

    def __init__(self, values: Any, feature: Feature, keys: tuple[str, ...] = (), always: bool = False) -> None:
        self.values: Final = list(values)
        self.keys: Final = keys
        self.feature: Final = feature if always else Maybe(feature)
        super().__init__(len(self.values) * self.feature.size)
        self.places: Final = {value: place * self.feature.size for place, value in enumerate(self.values)}

    def names(self) -> list[str]:
        names = [" ".join(str(part) for part in value) if self.keys else str(value) for value in self.values]
        return _under(names, [self.feature] * len(names))

    def write(self, value: Any, you: int, out: list[float], at: int) -> None:
        for item in value:
            if self.keys:
                place = int(self.places[tuple([item[key] for key in self.keys])])
                self.feature.write(item, you, out, at + place)
            else:
                self.feature.write(value[item], you, out, at + int(self.places[item]))


def _under(names: list[str], features: list[Feature]) -> list[str]:
    """The names of some features, each below its own."""
    found: list[str] = []
    for name, feature in zip(names, features, strict=True):
        for inner in feature.names():
            found.append(f"{name}.{inner}" if inner else name)
    return found
