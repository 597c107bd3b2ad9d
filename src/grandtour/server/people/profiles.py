"""Profiles: the games somebody has played and won, their opponents, and their usual figures. A profile is private
unless its owner makes it public."""

from collections import defaultdict
from typing import Final

import msgspec

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.server.http.requests import Count, Opponent, PlayedGame, Profile
from grandtour.server.people.history import Report, compare_counts, rating_shown
from grandtour.server.people.passports import Holder, picture_of
from grandtour.server.people.ratings import Rating
from grandtour.server.storage import people_store
from grandtour.server.storage.database import Database as Db
from grandtour.server.storage.store import Store
from grandtour.server.tables.table import iso_time

MAX_OPPONENTS: Final = 20
MAX_REPORTS: Final = 100
"""The number of latest matches of a game from which usual figures are computed."""


class Profiles:
    """The profiles of all passports, read from the store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def own(self, holder: Holder) -> Profile:
        """The holder's own profile, with all opponents."""
        found = await self._store.run(lambda db: _profile(db, holder.passport, True), writes=False)
        assert found is not None
        return found

    async def public(self, id: str) -> Profile:
        """Somebody's profile as everyone sees it. A private profile is refused as if it did not exist."""
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
        # A public profile must not reveal opponents whose own profiles are private.
        if own or other.shown
    ]
    picture = picture_of(passport.picture)
    return Profile(passport.id, passport.name, picture, passport.shown, iso_time(passport.made), games, opponents)


def _game(
    db: Db, id: str, name: str, played: int, won: int, rating: tuple[float, float, int] | None = None
) -> PlayedGame:
    known = catalogue.games().get(name)
    team = known is not None and known.team
    rated = rating_shown(name, Rating(*rating)) if rating is not None else None
    return PlayedGame(
        name,
        known.title if known else name,
        played,
        None if team else won,
        rated,
        _usual_counts(db, id, name) if known else [],
    )


def _usual_counts(db: Db, id: str, name: str) -> list[Count]:
    """Somebody's average figures in their latest matches with their most frequent number of players, and the figures
    of the last of these matches."""
    sizes: dict[int, list[dict[str, int]]] = defaultdict(list)
    for _, seat, text in people_store.reports(db, id, name, MAX_REPORTS):
        report = msgspec.json.decode(text, type=Report)
        if report.counts:
            sizes[len(report.names)].append(report.counts[seat])
    if not sizes:
        return []
    size = max(sizes, key=lambda size: (len(sizes[size]), size))
    return compare_counts(name, size, sizes[size][0], sizes[size])
