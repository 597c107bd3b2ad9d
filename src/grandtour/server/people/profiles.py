"""Profiles: what somebody has played and won, against whom, and what they usually do. They are private unless their
owner makes them public."""

from collections import defaultdict
from typing import Final

import msgspec

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.server.http.requests import Count, Opponent, PlayedGame, Profile
from grandtour.server.people.history import Report, compared, rated_as
from grandtour.server.people.passports import Holder, picture_of
from grandtour.server.people.ratings import Rating
from grandtour.server.storage import people_store
from grandtour.server.storage.database import Database as Db
from grandtour.server.storage.people_store import Passport
from grandtour.server.storage.store import Store
from grandtour.server.tables.table import iso_time

MAX_OPPONENTS: Final = 20
MAX_REPORTS: Final = 100
"""Matches of a game that say what somebody usually does."""


class Profiles:
    """The profiles of all passports, read from the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def own(self, holder: Holder) -> Profile:
        """One's own profile, with everyone one has played with."""
        found = await self._store.run(lambda db: _profile(db, holder.passport, True), writes=False)
        assert found is not None
        return found

    async def public(self, id: str) -> Profile:
        """Somebody's profile as everyone sees it. A private one looks as if there were none."""
        found = await self._store.run(lambda db: _profile(db, id, False), writes=False)
        if found is None:
            raise Refusal("unknown-person", "There is no public profile at this address.")
        return found


def _profile(db: Db, id: str, own: bool) -> Profile | None:
    passport = people_store.passport(db, id)
    if passport is None or not (own or passport.shown):
        return None
    ratings = people_store.ratings(db, id)
    games = [_game(db, id, *row, ratings.get(row[0])) for row in people_store.played(db, id)]
    opponents = [
        Opponent(other.id if other.shown else None, other.name, picture_of(other.picture), met, lost)
        for other, met, lost in people_store.opponents(db, id, MAX_OPPONENTS)
        # Others decide for themselves whether everyone may see whom they play with.
        if own or other.shown
    ]
    return _named(passport, games, opponents)


def _named(passport: Passport, games: list[PlayedGame], opponents: list[Opponent]) -> Profile:
    picture = picture_of(passport.picture)
    return Profile(passport.id, passport.name, picture, passport.shown, iso_time(passport.made), games, opponents)


def _game(
    db: Db, id: str, name: str, played: int, won: int, rating: tuple[float, float, int] | None = None
) -> PlayedGame:
    known = catalogue.games().get(name)
    team = known is not None and known.team
    rated = rated_as(name, Rating(*rating)) if rating is not None else None
    return PlayedGame(
        name,
        known.title if known else name,
        played,
        None if team else won,
        rated,
        _usual(db, id, name) if known else [],
    )


def _usual(db: Db, id: str, name: str) -> list[Count]:
    """What somebody had on average in their latest matches, with as many players as mostly, and in the last one."""
    sizes: dict[int, list[dict[str, int]]] = defaultdict(list)
    for _, seat, text in people_store.reports(db, id, name, MAX_REPORTS):
        report = msgspec.json.decode(text, type=Report)
        if report.counts:
            sizes[len(report.names)].append(report.counts[seat])
    if not sizes:
        return []
    size = max(sizes, key=lambda size: (len(sizes[size]), size))
    return compared(name, size, sizes[size][0], sizes[size])
