"""The deal of the day: one deal per game and day, the same for everyone, against the same bots.

The dice of a day are derived from a secret of the server, so nobody can predict them. A person's first attempt counts.
The bots also play the deal once among themselves; their result is called par.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, date, datetime, timedelta
from typing import Final

from grandtour.engine import catalogue
from grandtour.engine.game import Game
from grandtour.engine.match import Match
from grandtour.engine.refusal import Refusal
from grandtour.players.names import bot_name
from grandtour.players.normal import Normal
from grandtour.protocol.position import final_of
from grandtour.server.http.requests import DailyDeal, DailyResult, OpenedTable
from grandtour.server.people.passports import Holder
from grandtour.server.storage import deal_store, people_store
from grandtour.server.storage.database import Database as Db
from grandtour.server.storage.deal_store import Attempt
from grandtour.server.storage.store import Store, TableElsewhere
from grandtour.server.tables.records import Made, Moved, SeatRecord
from grandtour.server.tables.session import Session
from grandtour.server.tables.table import Table, hash_secret

SECRET_NAME: Final = "deal of the day"
"""The name of the server's secret from which the dice are derived."""
SEATS: Final = 3
"""The number of seats of a deal, if the game allows it."""
BOT: Final = Normal.name
PAR: Final = "Par"
MAX_RESULTS: Final = 50
MAX_DAYS: Final = 30
"""The number of days for which results are shown."""
FIRST_SEAT: Final = 0


class Daily:
    """The deals of all games and days.

    `open_table` opens a table, `sat_down` records whose seat it is, and `visit` loads a table."""

    def __init__(
        self,
        store: Store,
        open_table: Callable[[Made, str], Awaitable[Table]],
        sat_down: Callable[[Holder, Table, int], Awaitable[None]],
        visit: Callable[[str], AbstractAsyncContextManager[Session]],
    ) -> None:
        self._store = store
        self._open = open_table
        self._sat_down = sat_down
        self._visit = visit
        self._opening = asyncio.Lock()

    async def play(self, game_name: str, holder: Holder, address: str) -> OpenedTable:
        """A table with today's deal. It is the table of an attempt that is not finished yet, or else a new one; after
        the first finished attempt, further ones are practice."""
        game, day = catalogue.game(game_name), today()
        async with self._opening:
            first = await self._store.run(
                lambda db: deal_store.attempt_of(db, game.name, day, holder.passport), writes=False
            )
            if (
                first is not None
                and first.stored
                and first.share is None
                and not await self._settle_if_over(first.table)
            ):
                return OpenedTable(first.table, FIRST_SEAT, None)
            await self._play_par(game, day)
            secret = secrets.token_urlsafe(24)
            person = SeatRecord(holder.name, hash_secret(secret))
            table = await self._open(await self._new_table(game, day, person), address)
            await self._sat_down(holder, table, FIRST_SEAT)
            await self._store.run(
                lambda db: deal_store.add_attempt(db, game.name, day, holder.passport, holder.name, table.id)
            )
        return OpenedTable(table.id, FIRST_SEAT, secret)

    async def settle(self, table: Table) -> None:
        """Record the result of a finished deal. A person for whom a bot moved gets no points."""
        if table.match is None or table.result is None:
            return
        final = {row.seat: row for row in final_of(table.game, table.match.state)}
        shares = table.result
        keys = [_sort_key(share, final[seat].score) for seat, share in enumerate(shares)]
        place = 0 if table.game.team else 1 + sum(key > keys[FIRST_SEAT] for key in keys)
        score, share = final[FIRST_SEAT].score, shares[FIRST_SEAT]
        moves = [entry.record for entry in table.entries if isinstance(entry.record, Moved)]
        person = table.seats[FIRST_SEAT].key is not None
        if person and any(move.seat == FIRST_SEAT and move.by not in ("person", "clock") for move in moves):
            place, score, share = place and len(shares), None, 0.0
        await self._store.run(lambda db: deal_store.set_result(db, table.id, place, score, share))

    async def results(self, holder: Holder | None, day: str | None) -> list[DailyDeal]:
        """The results of a day, for every game."""
        wanted = day or today()
        if not earliest() <= wanted <= today():
            raise Refusal("malformed", f"Only the deals of the last {MAX_DAYS} days are shown.")
        names = list(catalogue.games())
        me = holder.passport if holder is not None else ""

        def work(db: Db) -> tuple[list[DailyDeal], list[str]]:
            found = [_deal(db, name, wanted, me) for name in names]
            return [deal for deal, _ in found], [table for _, open in found for table in open]

        deals, unsettled = await self._store.run(work, writes=False)
        if any([await self._settle_if_over(table) for table in unsettled]):
            deals, _ = await self._store.run(work, writes=False)
        return deals

    async def _settle_if_over(self, table: str) -> bool:
        """Record a result that is missing because the server was stopped; True if the match is over. Visiting an
        interrupted table also lets its bots play on."""
        try:
            async with self._visit(table) as session:
                over = session.table.phase == "over"
                if over:
                    await self.settle(session.table)
                return over
        except (TableElsewhere, Refusal):
            # Another server has the table, or it cannot be loaded now.
            return False

    async def _play_par(self, game: Game, day: str) -> None:
        """Let the bots play the deal, unless they have done so already."""
        if await self._store.run(lambda db: deal_store.attempt_of(db, game.name, day, None), writes=False) is None:
            par = SeatRecord(PAR, None, BOT)
            table = await self._open(await self._new_table(game, day, par), "")
            await self._store.run(lambda db: deal_store.add_attempt(db, game.name, day, None, PAR, table.id))

    async def _new_table(self, game: Game, day: str, first: SeatRecord) -> Made:
        seats = [first]
        while len(seats) < min(game.players[1], max(game.players[0], SEATS)):
            seats.append(SeatRecord(bot_name([record.name for record in seats]), None, BOT))
        fresh = secrets.token_hex(32)
        secret = await self._store.run(lambda db: people_store.server_secret(db, SECRET_NAME, fresh))
        dice = dice_of(bytes.fromhex(secret), game.name, day)
        options = {option.name: option.alone for option in game.options}
        match = Match(game, len(seats), options, dice)
        return Made(
            game.name, match.version, match.options, seats, False, time.time(), dice.hex(), hints=False, daily=day
        )


def dice_of(secret: bytes, game: str, day: str) -> bytes:
    """The secret of a deal's dice. It reveals nothing about the dice of other days."""
    return hmac.digest(secret, f"{game} {day}".encode(), hashlib.sha256)


def today() -> str:
    """The day by UTC, as in `2026-11-18`."""
    return datetime.now(UTC).date().isoformat()


def earliest() -> str:
    return (date.fromisoformat(today()) - timedelta(days=MAX_DAYS)).isoformat()


def _deal(db: Db, game: str, day: str, me: str) -> tuple[DailyDeal, list[str]]:
    """A deal as somebody sees it, and the tables among their own and the bots' that have no result yet.

    Only the best results are read, however many people have played the deal."""
    over = day < today()
    best = deal_store.attempts(db, game, day, MAX_RESULTS)
    own = deal_store.attempt_of(db, game, day, me) if me else None
    par = deal_store.attempt_of(db, game, day, None)
    done = own is not None and own.share is not None
    people, better = deal_store.counts(db, game, day, own)
    # Equal results have the same rank.
    keys = [(attempt.share, attempt.score) for attempt in best]
    deal = DailyDeal(
        game,
        catalogue.game(game).title,
        day,
        own.table if own is not None and not done and own.stored and not over else None,
        people,
        _result(own, 1 + better, True, True) if own is not None and done else None,
        _result(par, 0, over, False) if par is not None and par.share is not None else None,
        [
            _result(attempt, 1 + keys.index(key), over, attempt.passport == me)
            for attempt, key in zip(best, keys, strict=True)
        ],
    )
    return deal, [each.table for each in (own, par) if each is not None and each.stored and each.share is None]


def _sort_key(share: float, score: float | None) -> tuple[float, float]:
    """The key by which results are sorted: the share of the win first, then the score."""
    return share, score if score is not None else -1e9


def _result(attempt: Attempt, rank: int, linked: bool, mine: bool) -> DailyResult:
    """A result, with a link to its match if `linked`. Other people's matches are linked only after the day is over."""
    table = attempt.table if linked and attempt.stored else None
    return DailyResult(attempt.name, rank, attempt.place or 0, attempt.score, attempt.share or 0.0, table, mine)
