"""The store in one SQLite file, or in memory: what `grandtour serve` uses by default."""

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from grandtour.engine.refusal import Refusal
from grandtour.server.storage import store_format
from grandtour.server.storage.database import Database
from grandtour.server.storage.store import Done, Gone, SqlStore, Taken, settle
from grandtour.server.storage.store_format import Damaged

log = logging.getLogger(__name__)

T = TypeVar("T")

FILE: Final = "grandtour.db"
GROUP: Final = 512
"""The maximum number of requests that share one commit."""

KNOWN_HEADS: Final = 10_000
"""Tables whose last record is remembered."""

WAIT: Final = 5.0
"""Seconds to wait for another program, such as `grandtour admin`, to finish writing."""


class Lost(Exception):
    """The file was deleted or replaced while the server was using it."""


@dataclass(slots=True)
class _Job:
    work: Callable[[sqlite3.Connection], Any]
    writes: bool
    quick: bool
    """Whether it takes microseconds, and checks before it changes anything. Then it is done by the event loop itself,
    which for so little is cheaper than to hand it to a thread: only the wait for the disk is left to that."""
    done: Callable[[Any, Exception | None], None]
    """Called with its value, or with what went wrong."""


_Outcomes = list[tuple[_Job, Any, Exception | None]]


class SqliteStore(SqlStore):
    """A store in one file. It commits in groups: many requests share the wait for the disk, which a thread does."""

    def __init__(self, file: Path | None) -> None:
        """Open or make the file. Only one server at a time may have it. Without a file, everything is in memory, and
        forgotten when the store is closed."""
        self._waiting: deque[_Job] = deque()
        self._busy = False
        self._drained: asyncio.Future[None] | None = None
        self._loop: asyncio.AbstractEventLoop
        self._heads: dict[str, tuple[int, bytes]] = {}
        """The last number and checksum of tables, where they are known. The file is the truth: others write to it."""
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._lock = hold(file) if file is not None else None
        try:
            self._db = _open(file) if file is not None else _in_memory()
            # The event loop does not wait for other programs; the thread does.
            self._db.execute("PRAGMA busy_timeout = 0")
        except BaseException:
            self._unlock()
            raise
        files = (file, file.with_name(file.name + "-wal")) if file is not None else ()
        self._files = {str(path): _identity(str(path)) for path in files}
        self._trouble: str | None = None
        self._closed = False
        # A daemon thread: a process that ends during a commit only loses what it has not announced yet.
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str | None:
        return self._trouble

    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: Done) -> None:
        self._ask(partial(self._append, table, n, records, card), True, True, partial(_tell_done, done))

    def _append(self, table: str, n: int, records: list[bytes], card: bytes | None, db: sqlite3.Connection) -> None:
        """Append records in the transaction that has begun."""
        known = self._heads.pop(table, None)
        if known is None or known[0] != n - 1 or not self._extend(db, table, known, records, card):
            head = db.execute("SELECT n, sum FROM heads WHERE id = ?", (table,)).fetchone()
            if head is None:
                raise Gone(table)
            if head[0] != n - 1:
                raise Taken(f"record {n} of table {table} cannot follow record {head[0]}")
            self._extend(db, table, head, records, card)

    def _extend(
        self, db: sqlite3.Connection, table: str, head: tuple[int, bytes], records: list[bytes], card: bytes | None
    ) -> bool:
        """Store records after the last one of a table; False when that is another, and nothing has changed."""
        n, last = head
        rows = []
        for number, record in enumerate(records, n + 1):
            last = store_format.next_sum(last, record)
            # sqlite3 asks around how to store bytes each time; a bytearray it knows.
            rows.append((table, number, bytearray(record), bytearray(last)))
        end = n + len(records)
        chat = store_format.chat_lines(records)
        changed = db.execute(
            "UPDATE heads SET n = ?, sum = ?, time = ?, chat = chat + ? WHERE id = ? AND n = ? AND sum = ?",
            (end, bytearray(last), time.time(), chat, table, n, bytearray(head[1])),
        )
        if changed.rowcount != 1:
            return False
        if len(rows) == 1:
            db.execute("INSERT INTO log VALUES (?, ?, ?, ?)", rows[0])
        else:
            db.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
        if card is not None:
            db.execute("UPDATE tables SET card = ? WHERE id = ?", (card, table))
        if len(self._heads) >= KNOWN_HEADS:
            self._heads.clear()
        self._heads[table] = (end, last)
        return True

    async def release(self, table: str, anyway: bool = False) -> None:
        """There is only one server."""

    async def run(self, work: Callable[[Database], T], writes: bool = True) -> T:
        found: T = await self._do(work, writes)
        return found

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            if self._busy:
                self._drained = asyncio.get_running_loop().create_future()
                await self._drained
            self._tasks.put(None)
            await asyncio.to_thread(self._thread.join)

    async def _do(self, work: Callable[[sqlite3.Connection], Any], writes: bool = True, quick: bool = False) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._ask(work, writes, quick, partial(settle, future))
        return await future

    def _ask(
        self, work: Callable[[sqlite3.Connection], Any], writes: bool, quick: bool, done: Callable[[Any, Any], None]
    ) -> None:
        if self._closed:
            raise RuntimeError("the store is closed")
        self._waiting.append(_Job(work, writes, quick, done))
        if not self._busy:
            self._busy = True
            self._loop = asyncio.get_running_loop()
            # Whatever else is asked for in this round of the loop joins the group.
            self._loop.call_soon(self._next_group)

    def _next_group(self) -> None:
        """Begin the next transaction, of quick jobs or of others, in the order in which they were asked for."""
        waiting = self._waiting
        if not waiting:
            self._busy = False
            if self._drained is not None and not self._drained.done():
                self._drained.set_result(None)
            return
        jobs = [waiting.popleft()]
        while waiting and waiting[0].quick == jobs[0].quick and len(jobs) < GROUP:
            jobs.append(waiting.popleft())
        if not jobs[0].quick:
            self._tasks.put(partial(self._commit, jobs))
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            # Another program is writing, or the disk fails: the thread waits, not the event loop.
            self._tasks.put(partial(self._commit, jobs))
            return
        outcomes = self._try_quick(jobs)
        if outcomes is None:
            # Once more, each by itself.
            self._tasks.put(partial(self._commit, jobs))
        else:
            self._tasks.put(partial(self._finish, jobs, outcomes, None))

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
            # Otherwise it would stay in memory, with its table, until the next job comes.
            del task
        self._db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()

    def _look_for_files(self) -> None:
        """Check that the file was not deleted or replaced: whatever is written to it then would be lost."""
        for path, identity in self._files.items():
            if _identity(path) != identity:
                raise Lost(f"{path} has been deleted or replaced; the server has to be started again")

    def _note(self, trouble: str | None) -> None:
        if trouble is not None and self._trouble is None:
            log.critical("the store cannot be written: %s", trouble)
        elif trouble is None and self._trouble is not None:
            log.warning("the store can be written again")
        self._trouble = trouble

    def _commit(self, jobs: list[_Job]) -> None:
        """Do the jobs in one transaction."""
        try:
            self._db.execute(f"PRAGMA busy_timeout = {int(1000 * WAIT)}")
            try:
                self._db.execute("BEGIN IMMEDIATE")
            finally:
                self._db.execute("PRAGMA busy_timeout = 0")
        except sqlite3.Error as failure:
            self._finish(jobs, [], failure)
        else:
            self._finish(jobs, *self._try_all(jobs))

    def _try_quick(self, jobs: list[_Job]) -> _Outcomes | None:
        """Do quick jobs, which need no undoing when they refuse. None if something else went wrong, and nothing has
        changed."""
        outcomes: _Outcomes = []
        try:
            self._look_for_files()
            for job in jobs:
                try:
                    outcomes.append((job, job.work(self._db), None))
                except (Taken, Gone) as refused:
                    outcomes.append((job, None, refused))
        except Exception:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            self._heads.clear()
            return None
        return outcomes

    def _try_all(self, jobs: list[_Job]) -> tuple[_Outcomes, Exception | None]:
        """Do the jobs. One that fails is undone alone; what else goes wrong fails them all."""
        outcomes: _Outcomes = []
        try:
            if any(job.writes for job in jobs):
                self._look_for_files()
            for job in jobs:
                outcomes.append((job, *_attempt(self._db, job.work)))
        except Exception as failure:
            return [], failure
        return outcomes, None

    def _finish(self, jobs: list[_Job], outcomes: _Outcomes, failure: Exception | None) -> None:
        """Commit what was done, and tell those who wait for it. A failed commit fails them all."""
        writes = any(job.writes for job in jobs)
        try:
            if failure is not None:
                raise failure
            self._db.execute("COMMIT")
            if writes:
                self._look_for_files()
        except Exception as reason:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            self._heads.clear()
            outcomes = [(job, None, reason) for job in jobs]
            self._note(str(reason) or type(reason).__name__)
        else:
            if writes:
                self._note(None)
        try:
            self._loop.call_soon_threadsafe(self._tell, outcomes)
        except RuntimeError:
            # A loop that has ended has nobody left to tell.
            self._busy = False

    def _tell(self, outcomes: _Outcomes) -> None:
        for job, value, failure in outcomes:
            try:
                job.done(value, failure)
            except Exception:
                log.exception("what was stored could not be told")
        self._next_group()


def _tell_done(done: Done, value: None, failure: Exception | None) -> None:
    done(failure)


def hold(file: Path) -> sqlite3.Connection:
    """Take the lock of a store, which is a separate file: other programs may read the store while a server runs, but
    there must not be a second server. Closing the returned file, or ending the process, releases the lock."""
    lock = file.with_name(file.name + ".lock")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.touch(0o600)
        held = sqlite3.connect(lock, isolation_level=None, check_same_thread=False, timeout=0)
    except (OSError, sqlite3.Error) as error:
        raise Refusal("bad-store", f"The store {file} cannot be used: {error}.") from None
    try:
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        held.close()
        if "locked" in str(error):
            raise Refusal("bad-store", f"Another server is using the store {file}.") from None
        raise Refusal("bad-store", f"The store {file} cannot be used: {error}.") from None
    return held


def connect(file: Path) -> sqlite3.Connection:
    """A connection to a store that others may use, too. Deleted data is overwritten, and commits are synced to disk."""
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=WAIT)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")
    except BaseException:
        db.close()
        raise
    return db


def _open(file: Path) -> sqlite3.Connection:
    # The file contains the dice of running matches, so only its owner may read it.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        db = connect(file)
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise Refusal("bad-store", f"Another server is using the store {file}.") from None
        raise Refusal("bad-store", f"The store {file} cannot be used: {error}.") from None
    try:
        store_format.prepare(db, file)
    except sqlite3.DatabaseError as error:
        db.close()
        raise Refusal("bad-store", f"The store {file} cannot be used: {error}.") from None
    except BaseException:
        db.close()
        raise
    return db


def _in_memory() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA foreign_keys = ON")
    store_format.create(db)
    return db


def _identity(path: str) -> tuple[int, int] | None:
    """The identity of a file, independent of its name."""
    try:
        found = os.stat(path)  # noqa: PTH116 - twice for each commit, and a `Path` takes longer
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _attempt(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], Any]) -> tuple[Any, Exception | None]:
    db.execute("SAVEPOINT job")
    try:
        value = work(db)
    except sqlite3.IntegrityError as error:
        db.execute("ROLLBACK TO job")
        return None, Taken(str(error))
    except (Taken, Gone, Damaged) as error:
        db.execute("ROLLBACK TO job")
        return None, error
    finally:
        db.execute("RELEASE job")
    return value, None
