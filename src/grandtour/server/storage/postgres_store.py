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
from grandtour.server.storage.leases import LEASE, RENEW_INTERVAL, Head
from grandtour.server.storage.postgres import PostgresDatabase
from grandtour.server.storage.store import (
    Cluster,
    NumberTaken,
    OnDone,
    PresentSeats,
    SharedStore,
    StoreUnavailable,
    TableDeleted,
    TableElsewhere,
    TableRow,
    create_table,
    resolve,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_BATCH: Final = 512
"""The maximum number of tables in one commit."""
QUERY_TIMEOUT: Final = 8.0
"""Seconds after which a connection is cut if the database does not respond."""

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
"""Appends the records of a batch of requests in one round trip. A table changes only if its last record and its fencing
number are those that the request expects."""


class _Append(NamedTuple):
    table: str
    n: int
    records: list[bytes]
    card: bytes | None
    done: OnDone


class PostgresStore(SharedStore):
    """A store in a PostgreSQL database. It commits in batches; threads wait for the database.

    Each server that uses it has an id and a lease, and owns tables; see `leases.py`.
    """

    def __init__(self, url: str, address: str = "", machine: str = "") -> None:
        """Connect, and set the database up if it is empty. Other servers reach this one at `address`."""
        self._write_error: str | None = None
        self.address = address
        self._machine = machine or socket.gethostname()
        self._owned: dict[str, Head] = {}
        self._waiting: deque[_Append] = deque()
        self._busy = False
        self._closed = False
        self.on_lease_lost = _do_nothing
        self.present_seats = dict
        first = postgres.open_store(url)
        with first.transaction():
            self.secret = leases.shared_secret(PostgresDatabase(first))
            self.server = self._register(PostgresDatabase(first))
            self.cluster = leases.read_cluster(PostgresDatabase(first), PostgresDatabase(first).now())
        self._appends = DatabaseThread("appends", url, self._set_write_error)
        self._general = DatabaseThread("store", url, self._set_write_error, first)
        self._lease_thread = DatabaseThread("lease", url, self._set_write_error)
        self._renewed = time.monotonic()
        self._lease_task: asyncio.Task[None] | None = None

    @property
    def write_error(self) -> str | None:
        return self._write_error

    async def create(self, row: TableRow, records: list[bytes]) -> None:
        server = self.server

        def work(db: PostgresDatabase) -> Head | None:
            create_table(db, row, records)
            return leases.claim(db, row.table, server, db.now())

        self._set_owned(row.table, await self._general.run(work))

    async def load(self, table: str) -> list[bytes]:
        server = self.server

        def work(db: PostgresDatabase) -> tuple[Head | None, list[bytes]]:
            head = leases.claim(db, table, server, db.now())
            return head, store_format.checked_records(db, table)

        head, records = await self._general.run(work)
        self._set_owned(table, head)
        return records

    def _set_owned(self, table: str, head: Head | None) -> None:
        self.start_renewing()
        if head is not None:
            self._owned[table] = head

    async def release(self, table: str, force: bool = False) -> None:
        head = self._owned.pop(table, None)
        if force:
            await self.run(lambda db: leases.set_fence(db, table, leases.next_fence(db, table)))
        elif head is not None:
            await self.run(lambda db: leases.release(db, table, self.server, head.fence))

    async def delete(self, table: str) -> None:
        await self.load(table)
        await super().delete(table)
        self._owned.pop(table, None)

    async def delete_chat(self, table: str) -> None:
        await self.load(table)
        await super().delete_chat(table)
        await self.release(table)

    async def present_seats_everywhere(self) -> PresentSeats:
        return await self._general.run(lambda db: leases.present_seats(db, db.now()), writes=False)

    async def servers_on_this_machine(self) -> list[str]:
        found = await self._general.run(lambda db: leases.live_servers(db, db.now()), writes=False)
        servers = [each.address for each in found if each.machine == self._machine and each.id != self.server]
        return servers + [each.address for each in self.cluster.bot_servers if each.machine == self._machine]

    async def run(self, work: Callable[[Database], T], writes: bool = True) -> T:
        return await self._general.run(work, writes)

    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: OnDone) -> None:
        if self._closed:
            raise RuntimeError("the store is closed")
        self._waiting.append(_Append(table, n, records, card, done))
        if not self._busy:
            self._busy = True
            # Other requests in this iteration of the event loop join the batch.
            asyncio.get_running_loop().call_soon(self._start_batch)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._lease_task is not None:
            self._lease_task.cancel()
        with contextlib.suppress(Exception):
            async with asyncio.timeout(LEASE):
                await self._general.run(lambda db: leases.unregister(db, self.server))
        for thread in (self._appends, self._general, self._lease_thread):
            await asyncio.to_thread(thread.close)

    def _start_batch(self) -> None:
        """Store the waiting requests, at most one for each table: a second one depends on the result of the first."""
        batch: dict[str, _Append] = {}
        later: deque[_Append] = deque()
        while self._waiting and len(batch) < MAX_BATCH:
            job = self._waiting.popleft()
            if job.table in batch:
                later.append(job)
            elif job.table not in self._owned:
                _report(job, TableElsewhere(job.table))
            else:
                batch[job.table] = job
        later.extend(self._waiting)
        self._waiting = later
        if not batch:
            self._busy = False
            return
        jobs = list(batch.values())
        heads = [self._owned[job.table] for job in jobs]
        task = asyncio.ensure_future(self._appends.run(lambda db: _append(db, jobs, heads)))
        task.add_done_callback(partial(self._finish_batch, jobs))

    def _finish_batch(self, jobs: list[_Append], task: "asyncio.Future[dict[str, Head | Exception]]") -> None:
        failure = None if task.cancelled() else task.exception()
        if failure is not None or task.cancelled():
            closed = RuntimeError("the store is closed")
            for job in jobs:
                _report(job, failure if isinstance(failure, Exception) else closed)
        else:
            for job in jobs:
                outcome = task.result()[job.table]
                if isinstance(outcome, Exception):
                    if not isinstance(outcome, NumberTaken):
                        self._owned.pop(job.table, None)
                    _report(job, outcome)
                else:
                    # The table may have been lost during the commit.
                    if job.table in self._owned:
                        self._owned[job.table] = outcome
                    _report(job, None)
        self._start_batch()

    def _register(self, db: PostgresDatabase) -> str:
        name = secrets.token_urlsafe(9)
        leases.register(db, leases.Server(name, self.address, self._machine), db.now())
        return name

    def start_renewing(self) -> None:
        if self._lease_task is None and not self._closed:
            self._lease_task = asyncio.create_task(self._keep_lease())

    async def _keep_lease(self) -> None:
        sent: bytes | None = None
        while True:
            began = time.monotonic()
            present = msgspec.json.encode(self.present_seats())
            server, change = self.server, present if present != sent else None
            try:
                async with asyncio.timeout(LEASE):
                    renewed, self.cluster = await self._lease_thread.run(partial(_renew, server=server, present=change))
            except Exception:
                renewed = None
            if renewed:
                self._renewed, sent = began, present
            elif renewed is False or time.monotonic() - self._renewed > LEASE:
                # Suspended, or cut off from the database, for too long: other servers may own the tables by now.
                self._lose_lease()
                sent = None
                with contextlib.suppress(Exception):
                    async with asyncio.timeout(LEASE):
                        self.server = await self._lease_thread.run(self._register)
                    self._renewed = time.monotonic()
            await asyncio.sleep(max(0.0, RENEW_INTERVAL - (time.monotonic() - began)))

    def _lose_lease(self) -> None:
        if self._owned:
            log.warning("the lease has expired; %d tables are given up", len(self._owned))
        self._owned.clear()
        self.on_lease_lost()

    def _set_write_error(self, write_error: str | None) -> None:
        if write_error is not None and self._write_error is None:
            log.critical("the store cannot be written: %s", write_error)
        elif write_error is None and self._write_error is not None:
            log.warning("the store can be written again")
        self._write_error = write_error


def _with_timeout(connection: Any) -> PostgresDatabase:
    """A connection whose transactions are ended if this process is suspended for longer than its lease, because other
    servers that take over its tables must not wait for its locks."""
    connection.execute(f"SET idle_in_transaction_session_timeout = {LEASE * 1000:.0f}")
    return PostgresDatabase(connection)


class DatabaseThread:
    """A thread with its own database connection. It runs functions one after another, each in a transaction."""

    def __init__(
        self, name: str, url: str, set_write_error: Callable[[str | None], None], connection: Any = None
    ) -> None:
        """`set_write_error` is called after each write, with the error or None."""
        self._url = url
        self._set_write_error = set_write_error
        self._db = _with_timeout(connection) if connection is not None else None
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        # A daemon thread: if the process ends during a commit, only records that nobody has been sent are lost.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[PostgresDatabase], T], writes: bool = True) -> T:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._tasks.put(partial(self._run_one, loop, work, writes, future))
        guard = loop.call_later(QUERY_TIMEOUT, self._cut_connection)
        try:
            return await asyncio.shield(future)
        finally:
            guard.cancel()

    def close(self) -> None:
        self._tasks.put(None)
        self._thread.join(QUERY_TIMEOUT)

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
        self._close_connection()

    def _run_one(
        self, loop: asyncio.AbstractEventLoop, work: Callable[[PostgresDatabase], T], writes: bool, future: Any
    ) -> None:
        value: T | None = None
        failure: Exception | None = None
        write_error: str | None = None
        try:
            if self._db is None:
                self._db = _with_timeout(postgres.connect(self._url))
            with self._db.connection.transaction():
                value = work(self._db)
        except postgres.IntegrityError as error:
            failure = NumberTaken(str(error))
        except postgres.Error as error:
            write_error = postgres.first_line(error)
            failure = StoreUnavailable(write_error)
            # The next request opens a new connection.
            self._close_connection()
        except Exception as error:
            failure = error
        # If the event loop has ended, nobody waits for the result.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(self._resolve, future, value, failure)
            if writes or write_error is not None:
                loop.call_soon_threadsafe(self._set_write_error, write_error)

    def _resolve(self, future: "asyncio.Future[Any]", value: Any, failure: Exception | None) -> None:
        resolve(future, value, failure)
        if failure is not None and not future.cancelled():
            # The caller may have been cancelled, and an exception that nobody reads is logged.
            future.exception()

    def _close_connection(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            with contextlib.suppress(Exception):
                db.connection.close()

    def _cut_connection(self) -> None:
        """Cut a connection that does not respond, so that the thread continues."""
        db = self._db
        with contextlib.suppress(Exception):
            assert db is not None
            with socket.socket(fileno=os.dup(db.connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)


def _append(db: PostgresDatabase, jobs: list[_Append], heads: list[Head]) -> dict[str, Head | Exception]:
    """Append a batch. Returns for each table its new head, or the reason why nothing was stored."""
    outcomes: dict[str, Head | Exception] = {}
    pending = []
    for job, head in zip(jobs, heads, strict=True):
        if head.n == job.n - 1:
            pending.append((job, head))
        else:
            outcomes[job.table] = _number_taken(job, head.n)
    outcomes |= _extend(db, pending)
    # The checksum may have changed without a new record, because chat was deleted.
    again = []
    for job, head in pending:
        if job.table not in outcomes:
            found = db.execute("SELECT fence, n, sum FROM heads WHERE id = ?", (job.table,)).fetchone()
            if found is None:
                outcomes[job.table] = TableDeleted(job.table)
            elif found[0] != head.fence:
                outcomes[job.table] = TableElsewhere(job.table)
            elif found[1] != head.n:
                outcomes[job.table] = _number_taken(job, found[1])
            else:
                again.append((job, Head(*found)))
    outcomes |= _extend(db, again)
    return outcomes


def _extend(db: PostgresDatabase, pending: list[tuple[_Append, Head]]) -> dict[str, Head | Exception]:
    """Append records to the tables whose heads are still the expected ones. Returns the new heads of these tables."""
    if not pending:
        return {}
    after: dict[str, Head | Exception] = {}
    rows, new_records, cards = [], [], []
    for job, head in pending:
        last = head.sum
        for n, record in enumerate(job.records, job.n):
            last = store_format.next_sum(last, record)
            new_records.append((job.table, n, record, last))
        n = head.n + len(job.records)
        after[job.table] = Head(head.fence, n, last)
        rows.append((job.table, head.fence, head.sum, head.n, n, last, store_format.count_chat_lines(job.records)))
        if job.card is not None:
            cards.append((job.table, job.card))
    values = (*_columns(rows, 7), time.time(), *_columns(new_records, 4), *_columns(cards, 2))
    extended = {table for (table,) in db.connection.execute(APPEND, values, binary=True)}
    return {table: head for table, head in after.items() if table in extended}


def _number_taken(job: _Append, last: int) -> NumberTaken:
    return NumberTaken(f"record {job.n} of table {job.table} cannot follow record {last}")


def _columns(rows: list[Any], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def _renew(db: PostgresDatabase, server: str, present: bytes | None) -> tuple[bool | None, Cluster]:
    now = db.now()
    return leases.renew(db, server, now, present), leases.read_cluster(db, now)


def _report(job: _Append, failure: Exception | None) -> None:
    try:
        job.done(failure)
    except Exception:
        log.exception("the result of a write could not be handled")


def _do_nothing() -> None:
    """The default of `on_lease_lost`."""
