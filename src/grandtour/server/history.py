"""What a passport has played and plays: its running tables, whose turn it is, and how its matches ended."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Final

import msgspec
from msgspec import Struct

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.players import strength
from grandtour.protocol import messages
from grandtour.protocol.position import final_of
from grandtour.server import people_store
from grandtour.server.database import Database as Db
from grandtour.server.forget import FORGOTTEN
from grandtour.server.passports import Holder, picture_of
from grandtour.server.people_store import Listed, Place
from grandtour.server.ratings import NEW, Rating, after_match, plays_like, scale_of
from grandtour.server.rebuild import rebuild
from grandtour.server.requests import Companion, Count, Forgotten, Invitation, MatchReport, MyGames, MyTable, Rated
from grandtour.server.session import Session
from grandtour.server.store import Elsewhere, Store
from grandtour.server.table import DEFAULT_BOT, RATED_PEOPLE, Table, iso_time

log = logging.getLogger(__name__)

MAX_RUNNING: Final = 40
MAX_FINISHED: Final = 60
"""Tables that are listed."""
MAX_COMPANIONS: Final = 50
MAX_INVITED: Final = 12
"""People who can be invited to one table."""
MAX_REPORTS: Final = 100
"""Earlier matches that show what is usual."""
MAX_TURNS: Final = 10_000
"""Tables of which it is remembered whose turn it is."""

Visit = Callable[[str], AbstractAsyncContextManager[Session]]


class Report(Struct):
    """A finished match, as the history of those who played it has it."""

    names: list[str]
    result: list[float]
    scores: list[float | None]
    counts: list[dict[str, int]] = []
    """How many things of each kind that the game's study knows each seat had."""
    rated: dict[str, list[Rating]] = {}
    """The ratings of people before and after the match, by seat."""


class History:
    """The history of all passports. `visit` opens a table; `sessions` are those in memory."""

    def __init__(self, store: Store, visit: Visit, sessions: Mapping[str, Session]) -> None:
        self._store = store
        self._visit = visit
        self._sessions = sessions
        self._turns: dict[str, tuple[int, list[int]]] = {}
        """The seats that a table waited for after event n. It is right as long as that is the last one."""

    async def games(self, holder: Holder) -> MyGames:
        """The tables of a passport: running ones, invitations and finished ones."""

        def work(db: Db) -> tuple[list[Listed], list[Listed], list[people_store.Sent]]:
            return (
                people_store.running(db, holder.passport, MAX_RUNNING),
                people_store.finished(db, holder.passport, MAX_FINISHED),
                people_store.invitations(db, holder.passport, MAX_RUNNING),
            )

        going, over, asked = await self._store.run(work, writes=False)
        running: list[MyTable] = []
        invitations: list[Invitation] = []
        for listed in going:
            card = _card(listed)
            place = listed.place
            if card.state == "over":
                # The server was stopped before it could be noted.
                await self.note_end(place.table)
                continue
            if card.seats[place.seat].kind == "open":
                by = next((seat.name for seat in card.seats if seat.kind == "person"), "")
                invitations.append(Invitation(card, by, iso_time(place.sat)))
                continue
            turn = card.state == "playing" and place.seat in await self._waiting(place.table, listed.n)
            running.append(MyTable(card, place.seat, turn, None, False, iso_time(place.sat)))
        for sent in asked:
            card = msgspec.json.decode(sent.card, type=messages.Card)
            if card.state == "waiting":
                invitations.append(Invitation(card, sent.inviter, iso_time(sent.sent)))
        running.sort(key=lambda mine: not mine.turn)
        return MyGames(running, invitations, [_finished(listed) for listed in over])

    async def companions(self, holder: Holder) -> list[Companion]:
        """Those with whom somebody has played, the most frequent first."""
        found = await self._store.run(
            lambda db: people_store.companions(db, holder.passport, MAX_COMPANIONS), writes=False
        )
        return [Companion(id, name, picture_of(picture), games) for id, name, picture, games in found]

    async def invite(self, holder: Holder, to: str, table: str, inviter: str) -> str:
        """Invite somebody with whom the holder has played, and return their name. Inviting again changes nothing."""

        def work(db: Db) -> str | Refusal:
            known = {id: name for id, name, _, _ in people_store.companions(db, holder.passport, MAX_COMPANIONS)}
            if to not in known:
                return Refusal("unknown-person", "You can invite those with whom you have finished a game.")
            if people_store.place(db, to, table) is not None:
                return Refusal("taken", f"{known[to]} sits at this table already.")
            if people_store.invited(db, table) >= MAX_INVITED:
                return Refusal("too-much", f"{MAX_INVITED} people can be invited to a table; send the others its link.")
            people_store.add_invitation(db, to, table, inviter, time.time())
            return known[to]

        done = await self._store.run(work)
        if isinstance(done, Refusal):
            raise done
        return done

    async def note_end(self, table: str) -> None:
        """Note how a match ended, for everyone who has a passport. Doing it again changes nothing."""
        try:
            async with self._visit(table) as session:
                await self.settle(session.table)
        except Elsewhere:
            await self.settle(await rebuild(table, await self._store.read(table)))

    async def settle(self, table: Table) -> None:
        """The same for a table in memory whose match is over."""
        places = await self._store.run(lambda db: people_store.places_at(db, table.id), writes=False)
        played = [place for place in places if place.ended is None]
        if not played or table.match is None or table.result is None:
            return
        final = final_of(table.game, table.match.state)
        scores = [row.score for row in sorted(final, key=lambda row: row.seat)]
        report = Report(table.names(), table.result, scores, _counts(table))

        def work(db: Db) -> None:
            there = [place for place in played if table.seat_with(place.key) == place.seat]
            for place in played:
                if place not in there:
                    # Somebody else has taken the seat since.
                    people_store.delete_place(db, place.passport, place.table)
            # Nothing else may have noted it in the meantime.
            if all(now.ended is None for now in people_store.places_at(db, table.id)):
                report.rated = _rate(db, table, there)
                text = msgspec.json.encode(report).decode()
                ends = [(place.passport, report.result[place.seat], text) for place in there]
                people_store.finish(db, table.id, time.time(), ends)

        await self._store.run(work)

    async def report(self, holder: Holder, table: str) -> MatchReport:
        """What the holder's seat did in a finished match, beside what it usually does and what bots do."""

        def work(db: Db) -> tuple[Place | None, list[tuple[str, int, str]]]:
            place = people_store.place(db, holder.passport, table)
            game = place.game if place is not None else ""
            return place, people_store.reports(db, holder.passport, game, MAX_REPORTS)

        place, earlier = await self._store.run(work, writes=False)
        if place is None:
            raise Refusal("wrong-seat", "You had no seat at this table.")
        if place.report is None:
            raise Refusal("not-over", "There are statistics once the game is over.")
        mine = msgspec.json.decode(place.report, type=Report)
        seats = len(mine.names)
        usual: list[dict[str, int]] = []
        for other, seat, text in earlier:
            found = msgspec.json.decode(text, type=Report)
            if other != table and len(found.names) == seats and found.counts:
                usual.append(found.counts[seat])
        bots = scale_of(place.game).counts.get(str(seats), {})
        kinds = catalogue.game(place.game).study
        counts = []
        for kind in kinds.choice if kinds is not None else ():
            own = mine.counts[place.seat].get(kind.one, 0) if mine.counts else 0
            mean = round(sum(one.get(kind.one, 0) for one in usual) / len(usual), 2) if usual else None
            counts.append(Count(kind.many, own, mean, {bot: had.get(kind.one, 0.0) for bot, had in bots.items()}))
        rated = [_rated(place.game, one) for one in mine.rated.get(str(place.seat), [])]
        before, after = rated if len(rated) == 2 else (None, None)
        return MatchReport(place.seat, after is not None, before, after, counts)

    async def forget(self, holder: Holder) -> Forgotten:
        """Remove a person for good: name, chat lines, seats, history and passport."""

        def work(db: Db) -> tuple[list[Place], list[tuple[str, int]]]:
            return people_store.all_places(db, holder.passport), people_store.mentions(db, holder.passport)

        places, mentions = await self._store.run(work, writes=False)
        tables: dict[str, tuple[set[str], set[int]]] = {}
        for place in places:
            tables.setdefault(place.table, (set(), set()))[0].add(place.key)
        for table, seat in mentions:
            tables.setdefault(table, (set(), set()))[1].add(seat)
        lines = found = 0
        for table, (keys, seats) in tables.items():
            try:
                # Wherever it is played: those who are there come back to it.
                await self._bring_here(table)
                async with self._visit(table) as session:
                    lines += await session.forget(keys, seats)
                    found += 1
            except Refusal as refusal:
                # A table that is gone has no names. One that nobody can open any more goes with those in it.
                if refusal.code == "old-table":
                    await self._store.delete(table)
                elif refusal.code != "unknown-table":
                    raise

        def erase(db: Db) -> None:
            for place in places:
                for other in people_store.places_at(db, place.table):
                    if other.report is not None:
                        report = msgspec.json.decode(other.report, type=Report)
                        report.names[place.seat] = FORGOTTEN
                        people_store.change_report(db, other, msgspec.json.encode(report).decode())
            people_store.erase(db, holder.passport)

        await self._store.run(erase)
        return Forgotten(found, lines)

    async def _waiting(self, table: str, n: int | None) -> list[int]:
        """The seats that a table waits for. Whoever has let a bot play is not waited for."""
        session = self._sessions.get(table)
        known = self._turns.get(table)
        if session is None and known is not None and known[0] == n:
            return known[1]
        try:
            async with self._visit(table) as session:
                return self._note_turn(session.table)
        except Elsewhere:
            return self._note_turn(await rebuild(table, await self._store.read(table)))
        except Refusal:
            return []

    def _note_turn(self, table: Table) -> list[int]:
        waiting = table.match.waiting() if table.match is not None else []
        asked = [seat for seat in waiting if seat >= 0 and table.seats[seat].bot is None]
        if len(self._turns) >= MAX_TURNS:
            self._turns.clear()
        self._turns[table.id] = (table.n, asked)
        return asked

    async def _bring_here(self, table: str) -> None:
        """Take a table from the server that has it."""
        try:
            async with self._visit(table):
                pass
        except Elsewhere:
            await self._store.release(table, anyway=True)


def _counts(table: Table) -> list[dict[str, int]]:
    """How many things of each kind every seat had, as the game's study counts them."""
    study, match = table.game.study, table.match
    if study is None or match is None:
        return []
    log = [(entry.seat, entry.move) for entry in match.log]
    return [dict(Counter(kind for kind, _ in things)) for things in study.had(match.state, log)]


def _rate(db: Db, table: Table, there: list[Place]) -> dict[str, list[Rating]]:
    """Rate a match: the ratings of people before and after it, by seat. Nothing unless two people have a passport."""
    people = {place.seat: place.passport for place in there}
    if not table.made.rated or len(people) < RATED_PEOPLE or table.result is None:
        return {}
    players: list[Rating | str] = []
    for seat, now in enumerate(table.seats):
        if seat in people:
            known = people_store.rating(db, people[seat], table.game.name)
            players.append(NEW if known is None else Rating(*known))
        else:
            # Whoever has no passport plays like somebody new.
            players.append(NEW if now.key is not None else strength(now.bot or DEFAULT_BOT))
    found: dict[str, list[Rating]] = {}
    for seat, after in enumerate(after_match(table.game.name, players, table.result)):
        before = players[seat]
        if seat in people and after is not None and isinstance(before, Rating):
            people_store.set_rating(db, people[seat], table.game.name, *after)
            found[str(seat)] = [before, after]
    return found


def _rated(game: str, rating: Rating) -> Rated:
    return Rated(round(rating.mu, 2), round(rating.sigma, 2), rating.games, plays_like(game, rating))


def _card(listed: Listed) -> messages.Card:
    assert listed.card is not None
    return msgspec.json.decode(listed.card, type=messages.Card)


def _finished(listed: Listed) -> MyTable:
    place = listed.place
    assert place.report is not None
    assert place.ended is not None
    report = msgspec.json.decode(place.report, type=Report)
    when = iso_time(place.ended)
    if listed.card is not None:
        return MyTable(_card(listed), place.seat, False, report.result, True, when)
    known = catalogue.games().get(place.game)
    seats = [messages.Seat(seat, name, "person", None, False) for seat, name in enumerate(report.names)]
    card = messages.Card(place.table, place.game, known.title if known else place.game, seats, "over", when)
    return MyTable(card, place.seat, False, report.result, False, when)
