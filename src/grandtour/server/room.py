"""A table that is being played: the clients around it, the bots in its seats, and the order in which things happen.

Everything that changes a table goes through its lock, is stored, and only then told.
"""

import asyncio
import logging
import math
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from msgspec import Struct

from grandtour.engine.refusal import Refusal
from grandtour.engine.words import with_names
from grandtour.players import strength
from grandtour.players.normal import Normal
from grandtour.server import messages, records, telling
from grandtour.server.advisers import Advisers
from grandtour.server.limits import Bucket, too_much
from grandtour.server.messages import Ack, Hinted, HintedMove, TableMessage, Welcome
from grandtour.server.presence import Presence
from grandtour.server.rebuilding import rebuild
from grandtour.server.records import By, Moved, Over, Owner, Seated, SeatRecord, Started
from grandtour.server.settings import Rate, Settings
from grandtour.server.store import Store, not_stored
from grandtour.server.table import DEFAULT_BOT, Clock, Step, Table, bot_name, key_of, kind_of, person_name
from grandtour.server.thinkers import Thinkers
from grandtour.server.watcher import Watcher

log = logging.getLogger(__name__)

GRACE: Final = 30.0
"""Seconds that a clock still runs at least when a table comes back after a restart of the server."""
RETRY: Final = 1.0
"""Seconds before a bot, or the clock, tries again after its move could not be stored."""


BREATH: Final = 50
"""Events after which the telling of many pauses for others."""
STAND_IN: Final = Normal.name
"""The bot that moves for someone who is away: quick, and sensible."""
HINTED: Final = 3
"""Moves that a hint shows at most."""


class Room:
    """A table with everyone around it."""

    def __init__(
        self,
        table: Table,
        store: Store,
        thinkers: Thinkers,
        advisers: Advisers,
        settings: Settings,
        opened_by: str = "",
    ) -> None:
        """`opened_by` is the address that made the table, where it is known."""
        self.table = table
        self.watchers: set[Watcher] = set()
        self.visits = 0
        self.touched = time.monotonic()
        self.opened_by = opened_by
        self._store = store
        self._thinkers = thinkers
        self._advisers = advisers
        self._hinting: set[int] = set()
        self._settings = settings
        self._lock = asyncio.Lock()
        self._told = table.n
        self._spoiled = False
        self._requests: set[asyncio.Task[None]] = set()
        self._bots: asyncio.Task[None] | None = None
        self._clock: Clock | None = None
        self._ends = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._ringing: asyncio.Task[None] | None = None
        self._presence = Presence(table, settings)
        self._host = self._presence.host(table)
        self._lookout: asyncio.TimerHandle | None = None
        self._chat: dict[int, Bucket] = {}
        self._hints: dict[int, Bucket] = {}
        self._wind_clock(GRACE)
        self._wake_bots()

    @property
    def idle(self) -> bool:
        """Nobody is here and nothing is going on."""
        return not self.visits and (self._bots is None or self._bots.done()) and self._clock is None

    def here(self) -> set[int]:
        """The seats somebody is connected to."""
        return self._presence.here

    def info(self) -> messages.Table:
        presence = self._presence
        away = {seat: round(gone, 1) for seat in self.table.people() if (gone := presence.away(seat)) is not None}
        return self.table.info(presence.here, presence.host(self.table), away)

    async def join(self, watcher: Watcher, secret: str | None, last: int) -> None:
        """Welcome a client and tell it what it has missed since event `last`."""
        async with self._turn() as table:
            if last > table.n:
                raise Refusal("malformed", f"This table has {table.n} events, not {last}.")
            watcher.seat = table.holder(secret) if secret is not None else None
            if watcher.seat is not None:
                await self._reclaim(table, watcher.seat)
            self.watchers.add(watcher)
            changed = self._count_heads()
            watcher.tell(Welcome(self.info(), watcher.seat, table.n))
            for n in range(last + 1, table.n + 1):
                watcher.tell(telling.event_message(table, n, watcher.seat))
                if n % BREATH == 0:
                    # A long story is told without holding up the other tables.
                    await asyncio.sleep(0)
            self.tell_trouble(watcher)
            watcher.tell(self._now(watcher.seat))
            if changed:
                self._tell_table(but=watcher)
                self._look_around()

    def tell_trouble(self, *to: Watcher) -> None:
        """Tell these, or else everyone here, whether nothing can be stored just now."""
        trouble = self._store.trouble is not None
        if trouble or not to:
            message = messages.encode(messages.Notice(not_stored().reason if trouble else None))
            for watcher in to or self.watchers:
                watcher.tell_encoded(message)

    def leave(self, watcher: Watcher) -> None:
        self.watchers.discard(watcher)
        if self._count_heads():
            self._tell_table()
            self._look_around()

    async def ask(self, watcher: Watcher, asked: messages.Asked) -> None:
        """Carry out what a client asks for and acknowledge it; a refusal changes nothing.

        Once begun it is carried through, even when the client is gone meanwhile: the others wait for it.
        """
        task = asyncio.create_task(self._carry_out(watcher, asked))
        self._requests.add(task)
        task.add_done_callback(self._carried_out)
        await asyncio.shield(task)

    def _carried_out(self, task: asyncio.Task[None]) -> None:
        self._requests.discard(task)
        if not task.cancelled():
            # Looked at, so that what is refused to a client that is gone is no news in the log.
            task.exception()

    async def _carry_out(self, watcher: Watcher, asked: messages.Asked) -> None:
        seat = watcher.seat
        if seat is None:
            raise Refusal("wrong-seat", "You are looking on: sit down to take part.")
        async with self._turn() as table:
            n = table.done(seat, asked.id)
            if n is None:
                if isinstance(asked, messages.Say):
                    _take(self._chat, seat, self._settings.limits.chat, "That was much to say at once; wait a little.")
                if not isinstance(asked, messages.Move) and table.n >= self._settings.limits.events_a_table:
                    raise too_much("So much has happened at this table that it takes nothing but moves.")
                self._must_store()
                steps = self._steps(table, seat, asked)
                n = table.n
                await self._commit(table, steps)
                # Of a request that leads to several events, its own carries its id; one that changes nothing has none.
                n = table.done(seat, asked.id) or n
            watcher.tell(Ack(asked.id, n))

    async def hint(self, watcher: Watcher, id: str) -> None:
        """Tell a client, and nobody else, what the hard bot would do in its seat. Nothing changes at the table."""
        seat = watcher.seat
        if seat is None:
            raise Refusal("wrong-seat", "You are looking on: sit down to take part.")
        _take(self._hints, seat, self._settings.limits.hints, "That was many hints at once; wait a little.")
        async with self._turn() as table:
            if not table.made.hints:
                raise Refusal("not-offered", "At this table hints were switched off when it was opened.")
            if table.seats[seat].bot is not None:
                raise Refusal("wrong-seat", "A bot plays your seat; take it back first.")
            imagined = table.imagined(seat)
            if seat not in imagined.waiting():
                raise Refusal("wrong-seat", "It is not your turn: there is nothing to hint at.")
            n, moment = table.n, table.moment
        if seat in self._hinting:
            raise Refusal("busy", "The bot is thinking about your move already.")
        self._hinting.add(seat)
        try:
            own, looked, thoughts = await self._advisers.hint(table.game, imagined, seat, watcher.address)
        finally:
            self._hinting.discard(seat)
        async with self._turn() as table:
            if watcher.seat != seat or table.match is None or not table.match.fresh(seat, moment):
                raise Refusal("stale", "The game has moved on since you asked; ask again.")
            names = table.names()
            told = []
            for thought in thoughts[:HINTED]:
                move = table.game.moves.name(thought.move)
                text = with_names(table.game.describe_move(imagined, move), names)
                cost = None if thought.cost is None else round(thought.cost, 3)
                told.append(HintedMove(move, text, round(thought.share, 3), cost))
            watcher.tell(Hinted(id, n, own, looked, told))

    async def sit(self, name: str, seat: int | None, secret: str | None) -> tuple[int, str]:
        """Seat a person; the seat and its secret."""
        async with self._turn() as table:
            if secret is not None:
                held = table.holder(secret)
                await self._reclaim(table, held)
                return held, secret
            free = [number for number, now in enumerate(table.seats) if kind_of(now) != "person"]
            if seat in table.untried:
                raise Refusal(
                    "taken", f"{table.names()[seat]} has just taken over there: wait until the bot has moved."
                )
            free = [number for number in free if number not in table.untried]
            if seat is None:
                # An open seat is for a person; a bot's only when there is no other.
                seat = min(free, key=lambda number: (kind_of(table.seats[number]) == "bot", number), default=None)
                if seat is None:
                    raise Refusal("taken", "Every seat at this table is taken.")
            if seat >= len(table.seats):
                raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
            if seat not in free:
                raise Refusal("taken", f"{table.names()[seat]} sits there already.")
            if table.n >= self._settings.limits.events_a_table:
                raise too_much("So much has happened at this table that nobody else can sit down.")
            self._must_store()
            others = [now.name for number, now in enumerate(table.seats) if number != seat]
            secret = secrets.token_urlsafe(24)
            now = SeatRecord(person_name(name, others, seat), key_of(secret))
            self._presence.sat_down(seat)
            await self._commit(table, table.seat(seat, now, "sat"))
            return seat, secret

    async def _reclaim(self, table: Table, seat: int) -> None:
        """Give a seat that was given back to its owner again, who has just shown its secret."""
        if table.seats[seat].owner is not None:
            self._presence.sat_down(seat)
            await self._commit(table, table.reclaim(seat))

    async def close(self) -> None:
        for timer in (self._alarm, self._lookout):
            if timer is not None:
                timer.cancel()
        running = [task for task in (self._bots, self._ringing) if task is not None]
        for task in running:
            task.cancel()
        if running or self._requests:
            await asyncio.wait([*running, *self._requests])

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[Table]:
        """The table, to one at a time, and as it is in the store."""
        async with self._lock:
            if self._spoiled:
                log.warning("table %s is rebuilt from the store", self.table.id)
                self.table = await rebuild(self.table.id, await self._store.load(self.table.id))
                self._spoiled = False
                self._wind_clock()
                self._tell_news()
                self._look_around()
            try:
                yield self.table
            except Refusal:
                raise
            except BaseException:
                # The match may have moved on without the store.
                self._spoiled = True
                raise

    def _must_store(self) -> None:
        """Refuse what would have to be stored while nothing can be: before it has changed the match."""
        if self._store.trouble is not None:
            raise not_stored()

    def _steps(self, table: Table, seat: int, asked: messages.Asked) -> list[Step]:
        match asked:
            case messages.Move():
                if table.seats[seat].bot is not None:
                    raise Refusal("wrong-seat", "A bot plays your seat; take it back first.")
                return table.play(seat, asked.move, by="person", at=asked.at, id=asked.id)
            case messages.Undo():
                if table.seats[seat].bot is not None:
                    raise Refusal("wrong-seat", "A bot plays your seat; take it back first.")
                return table.undo(seat, asked.at, asked.id)
            case messages.Say():
                return table.say(seat, asked.text, asked.id)
            case messages.Start():
                if seat != self._presence.host(table):
                    raise Refusal("not-host", "Only the host may begin.")
                return table.start(id=asked.id, by=seat)
            case messages.Bot():
                return self._lend(table, seat, asked)
            case messages.Free():
                return self._free(table, seat, asked)

    def _lend(self, table: Table, by: int, asked: messages.Bot) -> list[Step]:
        """Let a bot play a seat, or take one's own back."""
        seat = asked.seat
        if seat >= len(table.seats):
            raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
        now = table.seats[seat]
        bot = strength(asked.bot) if asked.bot is not None else None
        if bot == now.bot:
            return []
        if seat == by:
            changed = SeatRecord(now.name, now.key, bot)
            return table.seat(seat, changed, "back" if bot is None else "bot", id=asked.id, by=by)
        if by != self._presence.host(table):
            raise Refusal("not-host", "Only the host may let a bot play another's seat.")
        if bot is None:
            raise Refusal("not-host", "Only the one who sits there may take the seat back.")
        if now.key is not None and seat in self.here():
            raise Refusal("taken", f"{now.name} is here and plays.")
        name = now.name or bot_name(other.name for other in table.seats)
        return table.seat(seat, SeatRecord(name, now.key, bot, now.owner), "bot", id=asked.id, by=by)

    def _free(self, table: Table, by: int, asked: messages.Free) -> list[Step]:
        """Give back the seat of someone who has left for good: an open one, or in a match a bot's, for anyone."""
        seat = asked.seat
        if seat >= len(table.seats):
            raise Refusal("wrong-seat", f"There is no seat {seat} at this table.")
        if by != self._presence.host(table):
            raise Refusal("not-host", "Only the host may give another's seat back.")
        now = table.seats[seat]
        if now.key is None:
            return []
        if seat in self.here():
            raise Refusal("taken", f"{now.name} is here.")
        left = self._settings.seat_grace - self._presence.absent_for(seat)
        if left > 0:
            reason = f"{now.name} may come back: the seat can be given back in {math.ceil(left)} seconds."
            raise Refusal("taken", reason)
        owner = Owner(now.name, now.key)
        freed = SeatRecord(owner=owner)
        if table.phase != "waiting":
            freed = SeatRecord(bot_name(other.name for other in table.seats), None, now.bot or DEFAULT_BOT, owner)
        return table.seat(seat, freed, "free", id=asked.id, by=by)

    async def _commit(self, table: Table, steps: list[Step]) -> None:
        """Store the steps, take them over, tell everyone."""
        if not steps:
            return
        listed = any(isinstance(step.record, Seated | Started | Over) for step in steps)
        card = messages.encode(table.card_after(steps)) if listed else None
        await self._store.append(table.id, table.n + 1, [records.encode(step.record) for step in steps], card)
        for step in steps:
            table.settle(step)
            if isinstance(step.record, Moved) and step.record.by == "stand-in":
                self._presence.stood_in(step.record.seat)
        self._wind_clock()
        self._tell_news()
        self._look_around()

    def _tell_news(self) -> None:
        """Tell everyone the events they have not been told yet."""
        table = self.table
        fresh = range(self._told + 1, table.n + 1)
        self._told = table.n
        seats_changed = any(isinstance(table.entries[n].record, Seated | Started | Over) for n in fresh)
        news: dict[int | None, list[bytes]] = {}
        for watcher in self.watchers:
            if watcher.seat not in news:
                told: list[Struct] = [telling.event_message(table, n, watcher.seat) for n in fresh]
                if seats_changed:
                    told.append(TableMessage(self.info()))
                told.append(self._now(watcher.seat))
                news[watcher.seat] = [messages.encode(message) for message in told]
            for message in news[watcher.seat]:
                watcher.tell_encoded(message)

    def _tell_table(self, but: Watcher | None = None) -> None:
        message = messages.encode(TableMessage(self.info()))
        for watcher in self.watchers:
            if watcher is not but:
                watcher.tell_encoded(message)

    def _now(self, seat: int | None) -> messages.Now:
        return telling.now_message(self.table, seat, self._time_left(), self._presence.host(self.table))

    def _count_heads(self) -> bool:
        """See who is here; whether that has changed."""
        here = {watcher.seat for watcher in self.watchers if watcher.seat is not None}
        changed = here != self._presence.here
        self._presence.update(here)
        return changed

    def _look_around(self) -> None:
        """See who is host now, and whether a bot is to move. It is done again when time alone may change that."""
        if self._lookout is not None:
            self._lookout.cancel()
            self._lookout = None
        # Before anything is looked at: what comes due meanwhile is then seen.
        wait = self._presence.next_change(self.table)
        host = self._presence.host(self.table)
        if host != self._host:
            self._host = host
            self._tell_table()
            if self.table.match is None:
                # The prompt says to the host that it may begin.
                for watcher in self.watchers:
                    watcher.tell(self._now(watcher.seat))
        self._wake_bots()
        if wait is not None:
            self._lookout = asyncio.get_running_loop().call_later(wait, self._look_around)

    def _wind_clock(self, least: float = 0.0) -> None:
        """Start the clock that the game says runs now, unless it is the one that runs already.

        It is measured from the event that set it going; `least` seconds it runs in any case, if it runs that long.
        """
        clock = self.table.clock
        if clock == self._clock:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._clock, self._alarm = clock, None
        if clock is not None:
            seconds: float = clock["seconds"]
            # A clock of the machine that was set back must not make this one run longer than it should.
            left = min(seconds, max(seconds - (time.time() - self.table.wound), least))
            self._ends = time.monotonic() + left
            self._alarm = asyncio.get_running_loop().call_later(left, self._ring)

    def _time_left(self) -> messages.Json | None:
        """The clock as clients are told of it."""
        if self._clock is None:
            return None
        return {**self._clock, "left": round(max(0.0, self._ends - time.monotonic()), 1)}

    def _ring(self) -> None:
        assert self._clock is not None
        self._ringing = asyncio.create_task(self._time_is_up(self._clock))

    async def _time_is_up(self, clock: Clock) -> None:
        """Make the clock's move, unless what it was to end is over meanwhile."""
        while True:
            try:
                async with self._turn() as table:
                    if table.clock == clock:
                        self._must_store()
                        await self._commit(table, table.time_up())
                return
            except Refusal:
                await asyncio.sleep(RETRY)
            except Exception:
                log.exception("the clock's move at table %s could not be made", self.table.id)
                await asyncio.sleep(RETRY)

    def _mover(self) -> tuple[int, str, By] | None:
        """The seat that a bot is to move for now, which bot, and whether it stands in for someone who is away."""
        table = self.table
        bot = table.bot_to_move()
        if bot is not None:
            return *bot, "bot"
        seat = self._presence.overdue(table)
        return None if seat is None else (seat, STAND_IN, "stand-in")

    def _wake_bots(self) -> None:
        if self._mover() is not None and (self._bots is None or self._bots.done()):
            self._bots = asyncio.create_task(self._play_bots())

    async def _play_bots(self) -> None:
        """Play for the bots until the game waits for a person."""
        while True:
            try:
                if not await self._play_bot():
                    return
            except Refusal:
                await asyncio.sleep(RETRY)
            except Exception:
                log.exception("a bot's move at table %s could not be made", self.table.id)
                await asyncio.sleep(RETRY)

    async def _play_bot(self) -> bool:
        """One move of one bot; False when there is none to make."""
        async with self._turn() as table:
            mover = self._mover()
            if mover is None:
                return False
            self._must_store()
            seat, bot, by = mover
            imagined = table.imagined(seat)
            moment = table.moment
        pause = asyncio.create_task(asyncio.sleep(self._settings.bot_pause))
        move, why = await self._thinkers.choose(bot, table.game, imagined, seat)
        await pause
        async with self._turn() as table:
            # While it thought, somebody may have taken the seat, come back to it, or moved.
            if table.moment == moment and self._mover() == mover:
                named = table.game.moves.name(move)
                await self._commit(table, table.play(seat, named, by=by, why=why))
        return True


def _take(buckets: dict[int, Bucket], seat: int, rate: Rate, reason: str) -> None:
    """Count what a seat asks for, over however many sockets, or refuse it."""
    if not buckets.setdefault(seat, Bucket(rate)).take():
        raise too_much(reason)
