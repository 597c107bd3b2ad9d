"""What lies on the table: places for cards, numbers and tokens, each declared once with who may see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, overload

if TYPE_CHECKING:
    from grandtour.engine.kit.position import Position

Sees = Literal["everyone", "owner", "nobody"]
EVERYONE: Final = "everyone"
OWNER: Final = "owner"
NOBODY: Final = "nobody"

END: Final = "|"
"""Marks the end of each place's cards in a dump."""

SPECTATOR: Final = -1
"""The viewer who has no seat."""


def bit(viewer: int) -> int:
    """The bit of a viewer in the numbers that say who knows a card."""
    return 1 << viewer + 1


SPECTATORS: Final = bit(SPECTATOR)
"""What spectators know, everyone knows."""


class Cards:
    """The names of the cards in one place, and who knows each of them there. Games must not change it: the methods of
    the position move cards and keep track of who has seen what.

    `known` has one number for each card, with the bits of the viewers who have seen it.
    """

    __slots__ = ("known", "names", "owner", "zone")

    def __init__(self, zone: Zone, owner: int | None, names: Sequence[str] = (), known: Sequence[int] = ()) -> None:
        self.zone = zone
        self.owner = owner
        self.names = list(names)
        self.known = list(known)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, at: int) -> str:
        return self.names[at]

    def __repr__(self) -> str:
        return f"{self.zone.name}{self.names}"

    def count(self, name: str) -> int:
        """How many cards of this name lie here."""
        return self.names.count(name)

    def open_to(self, viewer: int) -> bool:
        """Whether a viewer may look at all of these cards at any time. Spectators are no seat's owner."""
        return self.zone.sees == EVERYONE or (self.zone.sees == OWNER and viewer == self.owner)

    def copy(self) -> Cards:
        return Cards(self.zone, self.owner, self.names, self.known)


class Declared:
    """Something that a position declares. It has the name of the attribute it is declared as, and a title to show."""

    def __init__(self, title: str, per_seat: bool) -> None:
        self.title = title
        self.per_seat: Final = per_seat
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.title = self.title or name.replace("_", " ").capitalize()


class Zone(Declared):
    """A place for cards.

    sees     who may look at the cards: everyone, the owner or nobody
    ordered  whether it matters which card lies where: in piles and rows, not in hands
    cards    what it holds at first, shuffled: names, and how many there are of each
    deal     how many cards are dealt into it at first, from the first pile that has cards
    """

    def __init__(
        self,
        title: str,
        sees: Sees,
        per_seat: bool,
        ordered: bool,
        cards: Mapping[str, int] | None = None,
        deal: int = 0,
    ) -> None:
        super().__init__(title, per_seat)
        self.sees: Final = sees
        self.ordered: Final = ordered
        self.cards: Final = dict(cards or {})
        self.deal: Final = deal


class _TableZone(Zone):
    @overload
    def __get__(self, position: None, kind: type) -> _TableZone: ...
    @overload
    def __get__(self, position: Position, kind: type) -> Cards: ...
    def __get__(self, position: Position | None, kind: type) -> _TableZone | Cards:
        return self if position is None else Cards(self, None)


class _SeatZone(Zone):
    @overload
    def __get__(self, position: None, kind: type) -> _SeatZone: ...
    @overload
    def __get__(self, position: Position, kind: type) -> list[Cards]: ...
    def __get__(self, position: Position | None, kind: type) -> _SeatZone | list[Cards]:
        return self if position is None else []


class Pile(_TableZone):
    """A deck that nobody may look into, or a discard pile that everyone may. The last card is on top."""

    def __init__(self, title: str = "", sees: Sees = NOBODY, cards: Mapping[str, int] | None = None) -> None:
        super().__init__(title, sees, per_seat=False, ordered=True, cards=cards)


class Row(_TableZone):
    """Cards in the middle of the table, face up."""

    def __init__(
        self, title: str = "", sees: Sees = EVERYONE, cards: Mapping[str, int] | None = None, deal: int = 0
    ) -> None:
        super().__init__(title, sees, per_seat=False, ordered=True, cards=cards, deal=deal)


class Hand(_SeatZone):
    """Cards that each player holds; only the owner sees them."""

    def __init__(self, title: str = "", sees: Sees = OWNER, deal: int = 0) -> None:
        super().__init__(title, sees, per_seat=True, ordered=False, deal=deal)


class Display(_SeatZone):
    """Cards that lie in front of each player, face up."""

    def __init__(self, title: str = "", sees: Sees = EVERYONE, deal: int = 0) -> None:
        super().__init__(title, sees, per_seat=True, ordered=False, deal=deal)


class Count(Declared):
    """A number on the table that everyone sees."""

    def __init__(self, title: str = "", start: int = 0) -> None:
        super().__init__(title, per_seat=False)
        self.start: Final = start

    @overload
    def __get__(self, position: None, kind: type) -> Count: ...
    @overload
    def __get__(self, position: Position, kind: type) -> int: ...
    def __get__(self, position: Position | None, kind: type) -> Count | int:
        return self if position is None else self.start

    if TYPE_CHECKING:

        def __set__(self, position: Position, value: int) -> None: ...


class Counts(Declared):
    """A number for each player that everyone sees: coins, points."""

    def __init__(self, title: str = "", start: int = 0) -> None:
        super().__init__(title, per_seat=True)
        self.start: Final = start

    @overload
    def __get__(self, position: None, kind: type) -> Counts: ...
    @overload
    def __get__(self, position: Position, kind: type) -> list[int]: ...
    def __get__(self, position: Position | None, kind: type) -> Counts | list[int]:
        return self if position is None else []


class Track(Declared):
    """A line of places with one token for each player: `track[seat]` is the number of the place where it stands."""

    def __init__(self, places: Sequence[str], title: str = "", start: int = 0) -> None:
        super().__init__(title, per_seat=False)
        self.places: Final = tuple(places)
        self.start: Final = start

    @overload
    def __get__(self, position: None, kind: type) -> Track: ...
    @overload
    def __get__(self, position: Position, kind: type) -> list[int]: ...
    def __get__(self, position: Position | None, kind: type) -> Track | list[int]:
        return self if position is None else []
