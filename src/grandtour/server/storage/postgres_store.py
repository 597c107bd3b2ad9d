"""The store in PostgreSQL, which several servers can share."""

import asyncio
import contextlib
import logging
import os
import queue
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from grandtour.server.storage import leases, postgres, store_format
from grandtour.server.storage.database import Database
from grandtour.server.storage.leases import LEASE, RENEW, Head
from grandtour.server.storage.postgres import PostgresDatabase
from grandtour.server.storage.store import (
    Alive,
    Done,
    Elsewhere,
    Gone,
    Here,
    Row,
    SharedStore,
    Taken,
    Unavailable,
    create_table,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

GROUP: Final = 512
"""The maximum number of tables that share one commit."""
STUCK: Final = 8.0
"""Seconds after which a connection whose database does not answer is cut."""

APPEND: Final = """
WITH asked AS (
    SELECT * FROM unnest(%b::text[], %b::int8[], %b::bytea[], %b::int8[], %b::int8[], %b::bytea[], %b::int8[])
    AS asked (id, fence, was_sum, was, n, sum, chat)
), moved AS (
    UPDATE heads SET n = asked.n, sum = asked.sum, time = %b, chat = heads.chat + asked.chat FROM asked
    WHERE heads.id = asked.id AND heads.fence = asked.fence AND heads.n = asked.was AND heads.sum = asked.was_sum
    RETURNING heads.id
), stored AS (
    INSERT INTO log (id, n, record, sum) SELECT fresh.id, fresh.n, fresh.record, fresh.sum
    FROM unnest(%b::text[], %b::int8[], %b::bytea[], %b::bytea[]) AS fresh (id, n, record, sum) JOIN moved USING (id)
), shown AS (
    UPDATE tables SET card = cards.card FROM unnest(%b::text[], %b::bytea[]) AS cards (id, card) JOIN moved USING (id)
    WHERE tables.id = cards.id
)
SELECT id FROM moved
"""
"""Everything that a group of requests appends, in one round trip. A table changes only if its last record and its fence
are those that the request was made for."""


class _Append(NamedTuple):
    table: str
    n: int
    records: list[bytes]
    card: bytes | None
    done: Done


class PostgresStore(SharedStore):
    """A store in a PostgreSQL database. It commits in groups, as SQLite's does; a thread waits for the database.

    Each server that uses it has a name and a lease, and holds tables; see `leases.py`.
    """

    def __init__(self, url: str, address: str = "", machine: str = "") -> None:
        """Connect, and set the database up if it is empty. `address` is where other servers reach this one."""
        self._trouble: str | None = None
        self.address = address
        self._machine = machine or socket.gethostname()
        self._own: dict[str, Head] = {}
        self._waiting: deque[_Append] = deque()
        self._busy = False
        self._closed = False
        self.on_lapse = _nothing
        self.here = dict
        first = postgres.open_store(url)
        with first.transaction():
            self.secret = leases.shared_secret(PostgresDatabase(first))
            self.server = self._register(PostgresDatabase(first))
            self.alive = leases.everyone(PostgresDatabase(first), PostgresDatabase(first).now())
        self._appends = Lane("appends", url, self._note)
        self._others = Lane("store", url, self._note, first)
        self._heart = Lane("lease", url, self._note)
        self._renewed = time.monotonic()
        self._beating: asyncio.Task[None] | None = None

    @property
    def trouble(self) -> str | None:
        return self._trouble

    async def create(self, row: Row, records: list[bytes]) -> None:
        server = self.server

        def work(db: PostgresDatabase) -> Head | None:
            create_table(db, row, records)
            return leases.claim(db, row.table, server, db.now())

        self._hold(row.table, await self._others.do(work))

    async def load(self, table: str) -> list[bytes]:
        server = self.server

        def work(db: PostgresDatabase) -> tuple[Head | None, list[bytes]]:
            head = leases.claim(db, table, server, db.now())
            return head, store_format.checked_records(db, table)

        head, records = await self._others.do(work)
        self._hold(table, head)
        return records

    def _hold(self, table: str, head: Head | None) -> None:
        self.begin()
        if head is not None:
            self._own[table] = head

    async def release(self, table: str, anyway: bool = False) -> None:
        head = self._own.pop(table, None)
        if anyway:
            await self.run(lambda db: leases.fence_off(db, table, leases.fence_after(db, table)))
        elif head is not None:
            await self.run(lambda db: leases.release(db, table, self.server, head.fence))

    async def delete(self, table: str) -> None:
        await self.load(table)
        await super().delete(table)
        self._own.pop(table, None)

    async def delete_chat(self, table: str) -> None:
        await self.load(table)
        await super().delete_chat(table)
        await self.release(table)

    async def here_everywhere(self) -> Here:
        return await self._others.do(lambda db: leases.here(db, db.now()), writes=False)

    async def neighbours(self) -> list[str]:
        found = await self._others.do(lambda db: leases.alive(db, db.now()), writes=False)
        servers = [each.address for each in found if each.machine == self._machine and each.id != self.server]
        return servers + [each.address for each in self.alive.bot_servers if each.machine == self._machine]

    async def run(self, work: Callable[[Database], T], writes: bool = True) -> T:
        return await self._others.do(work, writes)

    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: Done) -> None:
        if self._closed:
            raise RuntimeError("the store is closed")
        self._waiting.append(_Append(table, n, records, card, done))
        if not self._busy:
            self._busy = True
            # Whatever else is asked for in this round of the loop joins the group.
            asyncio.get_running_loop().call_soon(self._next_group)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._beating is not None:
            self._beating.cancel()
        with contextlib.suppress(Exception):
            async with asyncio.timeout(LEASE):
                await self._others.do(lambda db: leases.unregister(db, self.server))
        for lane in (self._appends, self._others, self._heart):
            await asyncio.to_thread(lane.close)

    def _next_group(self) -> None:
        """Store what is waiting, at most one request of each table: the second can only follow the first."""
        group: dict[str, _Append] = {}
        later: deque[_Append] = deque()
        while self._waiting and len(group) < GROUP:
            job = self._waiting.popleft()
            if job.table in group:
                later.append(job)
            elif job.table not in self._own:
                _report(job, Elsewhere(job.table))
            else:
                group[job.table] = job
        later.extend(self._waiting)
        self._waiting = later
        if not group:
            self._busy = False
            return
        jobs = list(group.values())
        heads = [self._own[job.table] for job in jobs]
        task = asyncio.ensure_future(self._appends.do(lambda db: _append(db, jobs, heads)))
        task.add_done_callback(partial(self._tell, jobs))

    def _tell(self, jobs: list[_Append], task: "asyncio.Future[dict[str, Head | Exception]]") -> None:
        failure = None if task.cancelled() else task.exception()
        if failure is not None or task.cancelled():
            closed = RuntimeError("the store is closed")
            for job in jobs:
                _report(job, failure if isinstance(failure, Exception) else closed)
        else:
            for job in jobs:
                outcome = task.result()[job.table]
                if isinstance(outcome, Exception):
                    if not isinstance(outcome, Taken):
                        self._own.pop(job.table, None)
                    _report(job, outcome)
                else:
                    # Unless it was lost while the commit was under way.
                    if job.table in self._own:
                        self._own[job.table] = outcome
                    _report(job, None)
        self._next_group()

    def _register(self, db: PostgresDatabase) -> str:
        name = secrets.token_urlsafe(9)
        leases.register(db, leases.Server(name, self.address, self._machine), db.now())
        return name

    def begin(self) -> None:
        if self._beating is None and not self._closed:
            self._beating = asyncio.create_task(self._keep_lease())

    async def _keep_lease(self) -> None:
        told: bytes | None = None
        while True:
            began = time.monotonic()
            here = msgspec.json.encode(self.here())
            server, news = self.server, here if here != told else None
            try:
                async with asyncio.timeout(LEASE):
                    renewed, self.alive = await self._heart.do(partial(_renew, server=server, here=news))
            except Exception:
                renewed = None
            if renewed:
                self._renewed, told = began, here
            elif renewed is False or time.monotonic() - self._renewed > LEASE:
                # Asleep for too long, or without the database: others may have the tables by now.
                self._lapse()
                told = None
                with contextlib.suppress(Exception):
                    async with asyncio.timeout(LEASE):
                        self.server = await self._heart.do(self._register)
                    self._renewed = time.monotonic()
            await asyncio.sleep(max(0.0, RENEW - (time.monotonic() - began)))

    def _lapse(self) -> None:
        if self._own:
            log.warning("the lease has run out; %d tables are let go", len(self._own))
        self._own.clear()
        self.on_lapse()

    def _note(self, trouble: str | None) -> None:
        if trouble is not None and self._trouble is None:
            log.critical("the store cannot be written: %s", trouble)
        elif trouble is None and self._trouble is not None:
            log.warning("the store can be written again")
        self._trouble = trouble


def _limited(connection: Any) -> PostgresDatabase:
    """A connection whose transactions end if this process is suspended for longer than its lease: other servers that
    take its tables must not wait for its locks."""
    connection.execute(f"SET idle_in_transaction_session_timeout = {LEASE * 1000:.0f}")
    return PostgresDatabase(connection)


class Lane:
    """A thread with a connection of its own. It does one thing after another, each in a transaction."""

    def __init__(self, name: str, url: str, note: Callable[[str | None], None], connection: Any = None) -> None:
        self._url = url
        self._note = note
        self._db = _limited(connection) if connection is not None else None
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        # A daemon thread: a process that ends during a commit only loses what it has not announced yet.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[PostgresDatabase], T], writes: bool = True) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._tasks.put(partial(self._do, loop, work, writes, future))
        guard = loop.call_later(STUCK, self._cut)
        try:
            return await asyncio.shield(future)
        finally:
            guard.cancel()

    def close(self) -> None:
        self._tasks.put(None)
        self._thread.join(STUCK)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
        self._forget()

    def _do(
        self, loop: asyncio.AbstractEventLoop, work: Callable[[PostgresDatabase], T], writes: bool, future: Any
    ) -> None:
        value: T | None = None
        failure: Exception | None = None
        trouble: str | None = None
        try:
            if self._db is None:
                self._db = _limited(postgres.connect(self._url))
            with self._db.connection.transaction():
                value = work(self._db)
        except postgres.IntegrityError as error:
            failure = Taken(str(error))
        except postgres.Error as error:
            trouble = postgres.first_line(error)
            failure = Unavailable(trouble)
            # Whatever is wrong with it, a fresh connection is not worse.
            self._forget()
        except Exception as error:
            failure = error
        # A loop that has ended has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(self._tell, future, value, failure)
            if writes or trouble is not None:
                loop.call_soon_threadsafe(self._note, trouble)

    def _tell(self, future: "asyncio.Future[Any]", value: Any, failure: Exception | None) -> None:
        if future.done():
            return
        if failure is not None:
            future.set_exception(failure)
            # Whoever asked may have stopped waiting.
            future.exception()
        else:
            future.set_result(value)

    def _forget(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            with contextlib.suppress(Exception):
                db.connection.close()

    def _cut(self) -> None:
        """Cut a connection that does not answer, so that the thread goes on."""
        db = self._db
        with contextlib.suppress(Exception):
            assert db is not None
            with socket.socket(fileno=os.dup(db.connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)


def _append(db: PostgresDatabase, jobs: list[_Append], heads: list[Head]) -> dict[str, Head | Exception]:
    """Append what a group asks for. What became of each table: its head now, or why nothing was stored."""
    outcomes: dict[str, Head | Exception] = {}
    pending = []
    for job, head in zip(jobs, heads, strict=True):
        if head.n == job.n - 1:
            pending.append((job, head))
        else:
            outcomes[job.table] = Taken(f"record {job.n} of table {job.table} cannot follow record {head.n}")
    outcomes |= _extend(db, pending)
    # The checksum may have changed although nothing was played: an old chat line was deleted.
    again = []
    for job, head in pending:
        if job.table not in outcomes:
            found = db.execute("SELECT fence, n, sum FROM heads WHERE id = ?", (job.table,)).fetchone()
            if found is None:
                outcomes[job.table] = Gone(job.table)
            elif found[0] != head.fence:
                outcomes[job.table] = Elsewhere(job.table)
            elif found[1] != head.n:
                outcomes[job.table] = Taken(f"record {job.n} of table {job.table} cannot follow record {found[1]}")
            else:
                again.append((job, Head(*found)))
    outcomes |= _extend(db, again)
    return outcomes


def _extend(db: PostgresDatabase, pending: list[tuple[_Append, Head]]) -> dict[str, Head | Exception]:
    """Store records after the last ones of these tables; the new heads of those where that is what it was."""
    if not pending:
        return {}
    after: dict[str, Head | Exception] = {}
    rows, fresh, cards = [], [], []
    for job, head in pending:
        last = head.sum
        for n, record in enumerate(job.records, job.n):
            last = store_format.next_sum(last, record)
            fresh.append((job.table, n, record, last))
        n = head.n + len(job.records)
        after[job.table] = Head(head.fence, n, last)
        rows.append((job.table, head.fence, head.sum, head.n, n, last, store_format.chat_lines(job.records)))
        if job.card is not None:
            cards.append((job.table, job.card))
    values = (*_columns(rows, 7), time.time(), *_columns(fresh, 4), *_columns(cards, 2))
    moved = {table for (table,) in db.connection.execute(APPEND, values, binary=True)}
    return {table: head for table, head in after.items() if table in moved}


def _columns(rows: list[Any], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def _renew(db: PostgresDatabase, server: str, here: bytes | None) -> tuple[bool | None, Alive]:
    now = db.now()
    return leases.renew(db, server, now, here), leases.everyone(db, now)


def _report(job: _Append, failure: Exception | None) -> None:
    try:
        job.done(failure)
    except Exception:
        log.exception("what was stored could not be told")


def _nothing() -> None:
    """Does nothing: for calls whose result nobody waits for."""
