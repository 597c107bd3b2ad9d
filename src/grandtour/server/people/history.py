"""The games of a passport: running tables, whose turn it is at each, and the results of finished matches."""

import logging
import math
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from grandtour.engine import catalogue
from grandtour.engine.refusal import Refusal
from grandtour.players import strength
from grandtour.protocol import messages
from grandtour.protocol.position import final_of
from grandtour.server.http.requests import (
    Companion,
    Count,
    Forgotten,
    Invitation,
    MatchReport,
    MyGames,
    MyTable,
    Rated,
    ReplayNote,
)
from grandtour.server.people.forget import FORGOTTEN
from grandtour.server.people.passports import Holder, picture_of
from grandtour.server.people.ratings import NEW, Rating, after_match, plays_like, scale_of
from grandtour.server.storage import note_store, people_store, spectator_store
from grandtour.server.storage.database import Database as Db
from grandtour.server.storage.note_store import Note
from grandtour.server.storage.people_store import ListedPlace, Place
from grandtour.server.storage.store import Store, TableElsewhere
from grandtour.server.tables.rebuild import rebuild
from grandtour.server.tables.records import Over, Seated
from grandtour.server.tables.session import Session
from grandtour.server.tables.table import DEFAULT_BOT, MIN_RATED_PEOPLE, Table, iso_time, one_line

log = logging.getLogger(__name__)

MAX_RUNNING: Final = 40
MAX_FINISHED: Final = 60
"""The maximum number of tables listed."""
MAX_COMPANIONS: Final = 50
MAX_INVITED: Final = 12
"""The maximum number of people invited to one table."""
MAX_REPORTS: Final = 100
"""The number of earlier matches from which a player's usual figures are computed."""
MAX_NOTES: Final = 100
"""The maximum number of notes by one player about one match."""
LAST_PLACE: Final = -1.0
"""Lower than any share of a win."""
MAX_TURNS: Final = 10_000
"""The number of tables whose turns are cached."""

Visit = Callable[[str], AbstractAsyncContextManager[Session]]


class Report(Struct):
    """A finished match, as stored in the history of its players."""

    names: list[str]
    result: list[float]
    scores: list[float | None]
    counts: list[dict[str, int]] = []
    """The figures of each seat, from the game's study."""
    bots: list[str | None] = []
    """The bot in each seat; None for people."""
    rated: dict[str, list[Rating]] = {}
    """The ratings of people before and after the match, by seat."""
    left: list[int] = []
    """The seats of people for whom a bot played the match to its end."""


class Turn(NamedTuple):
    """The seats that a table waited for after event n, and when their clocks run out. It is valid as long as n is the
    last event."""

    n: int
    seats: list[int]
    ends: dict[int, float]


class History:
    """The history of all passports. `visit` loads a table; `sessions` are those in memory."""

    def __init__(self, store: Store, visit: Visit, sessions: Mapping[str, Session]) -> None:
        self._store = store
        self._visit = visit
        self._sessions = sessions
        self._turns: dict[str, Turn] = {}

    async def games(self, holder: Holder) -> MyGames:
        """The tables of a passport: running ones, invitations and finished ones."""

        def work(db: Db) -> tuple[list[ListedPlace], list[ListedPlace], list[people_store.SentInvitation]]:
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
                # The server was stopped before the result was recorded.
                await self.record_result(place.table)
                continue
            if card.seats[place.seat].kind == "open":
                by = next((seat.name for seat in card.seats if seat.kind == "person"), "")
                invitations.append(Invitation(card, by, iso_time(place.sat)))
                continue
            now = await self._turn(place.table, listed.n) if card.state == "playing" else None
            turn = now is not None and place.seat in now.seats
            end = now.ends.get(place.seat) if now is not None else None
            left = None if end is None else round(max(0.0, end - time.time()), 1)
            running.append(MyTable(card, place.seat, turn, left, None, False, iso_time(place.sat)))
        for sent in asked:
            card = msgspec.json.decode(sent.card, type=messages.Card)
            if card.state == "waiting":
                invitations.append(Invitation(card, sent.inviter, iso_time(sent.sent)))
        running.sort(key=lambda mine: (not mine.turn, math.inf if mine.left is None else mine.left))
        return MyGames(running, invitations, [_finished(listed) for listed in over])

    async def companions(self, holder: Holder) -> list[Companion]:
        """The people with whom the holder has played, most frequent first."""
        found = await self._store.run(
            lambda db: people_store.companions(db, holder.passport, MAX_COMPANIONS), writes=False
        )
        return [Companion(id, name, picture_of(picture), games) for id, name, picture, games in found]

    async def invite(self, holder: Holder, to: str, table: str, inviter: str) -> tuple[str, bool]:
        """Invite somebody with whom the holder has played. Returns their name, and whether it is the first time."""

        def work(db: Db) -> tuple[str, bool] | Refusal:
            known = {id: name for id, name, _, _ in people_store.companions(db, holder.passport, MAX_COMPANIONS)}
            if to not in known:
                return Refusal("unknown-person", "You can only invite people you have finished a game with.")
            if people_store.place(db, to, table) is not None:
                return Refusal("taken", f"{known[to]} sits at this table already.")
            if people_store.count_invitations(db, table) >= MAX_INVITED:
                return Refusal("too-much", f"{MAX_INVITED} people can be invited to a table; send the others its link.")
            return known[to], people_store.add_invitation(db, to, table, inviter, time.time())

        done = await self._store.run(work)
        if isinstance(done, Refusal):
            raise done
        return done

    async def record_result(self, table: str) -> None:
        """Record the result of a match for everyone who has a passport. Doing it again changes nothing."""
        try:
            async with self._visit(table) as session:
                await self.settle(session.table)
        except TableElsewhere:
            await self.settle(await rebuild(table, await self._store.read(table)))

    async def settle(self, table: Table) -> None:
        """Record the result of a match whose table is in memory."""
        places = await self._store.run(lambda db: people_store.places_at(db, table.id), writes=False)
        played = [place for place in places if place.ended is None]
        if not played or table.match is None or table.result is None:
            return
        final = final_of(table.game, table.match.state)
        scores = [row.score for row in sorted(final, key=lambda row: row.seat)]
        left, _ = left_to_bots(table)
        report = Report(table.names(), table.result, scores, _counts(table), _bots(table), left=sorted(left))

        def work(db: Db) -> None:
            there = [place for place in played if table.seat_by_key(place.key) == place.seat]
            for place in played:
                if place not in there:
                    # Somebody else has taken the seat since.
                    people_store.delete_place(db, place.passport, place.table)
            # Another server may have recorded it in the meantime.
            if all(now.ended is None for now in people_store.places_at(db, table.id)):
                report.rated = _rate(db, table, there)
                text = msgspec.json.encode(report).decode()
                # A win by a bot in a person's seat does not count for the person.
                shares = [0.0 if seat in left else share for seat, share in enumerate(report.result)]
                branch = table.made.branch is not None
                ends = [(place.passport, None if branch else shares[place.seat], text) for place in there]
                people_store.set_results(db, table.id, time.time(), ends)

        await self._store.run(work)

    async def report(self, holder: Holder, table: str) -> MatchReport:
        """The holder's figures in a finished match, beside their usual figures and those of bots."""

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
        own = mine.counts[place.seat] if mine.counts else {}
        counts = compare_counts(place.game, seats, own, usual)
        rated = [rating_shown(place.game, one) for one in mine.rated.get(str(place.seat), [])]
        before, after = rated if len(rated) == 2 else (None, None)
        return MatchReport(place.seat, after is not None, before, after, counts, _similar_bot(place, mine))

    async def notes(self, table: Table) -> list[ReplayNote]:
        """What players wrote about a finished match."""
        if table.phase != "over":
            raise Refusal("not-over", "Notes can be written once the game is over.")
        found = await self._store.run(lambda db: note_store.notes(db, table.id), writes=False)
        names = table.names()
        return [ReplayNote(note.step, note.seat, names[note.seat], note.text) for note in found]

    async def write_note(self, holder: Holder, table: Table, step: int, text: str) -> list[ReplayNote]:
        """Write, change or delete (with an empty text) a note about a step of a match that the holder played."""
        if table.phase != "over" or table.match is None:
            raise Refusal("not-over", "Notes can be written once the game is over.")
        if step > len(table.match.log):
            raise Refusal("malformed", f"This match has steps 0 to {len(table.match.log)}.")

        def work(db: Db) -> Refusal | None:
            place = people_store.place(db, holder.passport, table.id)
            if place is None:
                return Refusal("wrong-seat", "Only those who played this match can write notes about it.")
            mine = {note.step for note in note_store.notes(db, table.id) if note.passport == holder.passport}
            if text and step not in mine and len(mine) >= MAX_NOTES:
                return Refusal("too-much", f"You can write {MAX_NOTES} notes about a match: delete one first.")
            note_store.set_note(db, table.id, Note(holder.passport, step, place.seat, one_line(text)))
            return None

        refusal = await self._store.run(work)
        if refusal is not None:
            raise refusal
        return await self.notes(table)

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
        names_used: list[tuple[str, str]] = []
        for table, (keys, seats) in tables.items():
            try:
                # If another server has the table, take it over; its players reconnect to this one.
                await self._take_over(table)
                async with self._visit(table) as session:
                    names, held = session.table.names(), map(session.table.seat_by_key, keys)
                    names_used += [(table, names[seat]) for seat in held if seat is not None]
                    lines += await session.forget(keys, seats)
                    found += 1
            except Refusal as refusal:
                # A deleted table has no names. A table that can no longer be loaded is deleted, and the names with it.
                if refusal.code == "old-table":
                    await self._store.delete(table)
                elif refusal.code != "unknown-table":
                    raise

        def erase(db: Db) -> int:
            for table, name in names_used:
                people_store.withdraw_invitations(db, table, name)
            for place in places:
                for other in people_store.places_at(db, place.table):
                    if other.report is not None:
                        report = msgspec.json.decode(other.report, type=Report)
                        report.names[place.seat] = FORGOTTEN
                        people_store.change_report(db, other, msgspec.json.encode(report).decode())
            people_store.erase(db, holder.passport)
            return spectator_store.erase(db, holder.passport)

        return Forgotten(found, lines + await self._store.run(erase))

    async def _turn(self, table: str, n: int | None) -> Turn | None:
        """The people a table waits for, without those for whom a bot plays."""
        session = self._sessions.get(table)
        known = self._turns.get(table)
        if session is None and known is not None and known.n == n:
            return known
        try:
            async with self._visit(table) as session:
                return self._note_turn(session.table)
        except TableElsewhere:
            return self._note_turn(await rebuild(table, await self._store.read(table)))
        except Refusal:
            return None

    def _note_turn(self, table: Table) -> Turn:
        waiting = table.match.waiting() if table.match is not None else []
        asked = [seat for seat in waiting if seat >= 0 and table.seats[seat].bot is None]
        if len(self._turns) >= MAX_TURNS:
            self._turns.clear()
        now = time.time()
        clocks = table.clocks
        running = clocks.running if clocks.control is not None and not clocks.paused else ()
        found = self._turns[table.id] = Turn(table.n, asked, {seat: now + clocks.left(seat, now) for seat in running})
        return found

    async def _take_over(self, table: str) -> None:
        """Take a table from the server that has it, if it is another one."""
        try:
            async with self._visit(table):
                pass
        except TableElsewhere:
            await self._store.release(table, force=True)


def _bots(table: Table) -> list[str | None]:
    return [None if now.key is not None else strength(now.bot or DEFAULT_BOT) for now in table.seats]


def left_to_bots(table: Table) -> tuple[set[int], set[int]]:
    """The seats of people for whom a bot finished the match, and the seats of those who asked for a bot or conceded,
    even if they came back."""
    bots: set[int] = set()
    asked: set[int] = set()
    for entry in table.entries:
        record = entry.record
        if isinstance(record, Over):
            break
        if isinstance(record, Seated):
            seat = record.seat
            if record.now.key is None or record.how == "sat":
                # The seat is a bot's own, or another person's from now on.
                asked.discard(seat)
            elif record.how == "conceded" or (record.how == "bot" and record.by == seat):
                asked.add(seat)
            bots.discard(seat)
            if record.now.key is not None and record.now.bot is not None:
                bots.add(seat)
    return bots, asked


def _similar_bot(place: Place, report: Report) -> str | None:
    """The bot that somebody plays like, judged by this match alone. None if no bot in it has been measured, or if a bot
    finished the match for them."""
    players: list[Rating | str] = [NEW if bot is None else bot for bot in report.bots]
    if (
        place.seat in report.left
        or catalogue.game(place.game).team
        or not any(bot in scale_of(place.game).bots for bot in report.bots)
    ):
        return None
    after = after_match(place.game, players, report.result)[place.seat]
    return None if after is None else plays_like(place.game, after)


def _counts(table: Table) -> list[dict[str, int]]:
    """The figures of every seat, from the game's study."""
    study, match = table.game.study, table.match
    if study is None or match is None:
        return []
    return study.figures_of(match.state, [(entry.seat, entry.move) for entry in match.log])


def compare_counts(game: str, seats: int, own: dict[str, int], usual: list[dict[str, int]]) -> list[Count]:
    """Somebody's figures in a match, beside their means in other matches and the means of bots."""
    bots = scale_of(game).counts.get(str(seats), {})
    counts = []
    for kind, mine in own.items():
        others = [match[kind] for match in usual if kind in match]
        mean = round(sum(others) / len(others), 2) if others else None
        counts.append(Count(kind, mine, mean, {bot: means[kind] for bot, means in bots.items() if kind in means}))
    return counts


def _rate(db: Db, table: Table, there: list[Place]) -> dict[str, list[Rating]]:
    """Rate a match: the ratings of people before and after it, by seat. Empty unless two people have a passport.

    People who conceded or let a bot play come last: a bot's moves say nothing about a person.
    """
    people = {place.seat: place.passport for place in there}
    if not table.made.rated or len(people) < MIN_RATED_PEOPLE or table.result is None:
        return {}
    players: list[Rating | str] = []
    for seat, now in enumerate(table.seats):
        if seat in people:
            known = people_store.rating(db, people[seat], table.game.name)
            players.append(NEW if known is None else Rating(*known))
        else:
            # A person without a passport is rated like a new player.
            players.append(NEW if now.key is not None else strength(now.bot or DEFAULT_BOT))
    left = set.union(*left_to_bots(table))
    shares = [LAST_PLACE if seat in left else share for seat, share in enumerate(table.result)]
    found: dict[str, list[Rating]] = {}
    for seat, after in enumerate(after_match(table.game.name, players, shares)):
        before = players[seat]
        if seat in people and after is not None and isinstance(before, Rating):
            people_store.set_rating(db, people[seat], table.game.name, *after)
            found[str(seat)] = [before, after]
    return found


def rating_shown(game: str, rating: Rating) -> Rated:
    """A rating, and the bot that plays like it."""
    return Rated(round(rating.mu, 2), round(rating.sigma, 2), rating.games, plays_like(game, rating))


def _card(listed: ListedPlace) -> messages.Card:
    assert listed.card is not None
    return msgspec.json.decode(listed.card, type=messages.Card)


def _finished(listed: ListedPlace) -> MyTable:
    place = listed.place
    assert place.report is not None
    assert place.ended is not None
    report = msgspec.json.decode(place.report, type=Report)
    when = iso_time(place.ended)
    if listed.card is not None:
        return MyTable(_card(listed), place.seat, False, None, report.result, True, when)
    known = catalogue.games().get(place.game)
    seats = [messages.Seat(seat, name, "person", None, False) for seat, name in enumerate(report.names)]
    card = messages.Card(place.table, place.game, known.title if known else place.game, seats, "over", when)
    return MyTable(card, place.seat, False, None, report.result, False, when)
