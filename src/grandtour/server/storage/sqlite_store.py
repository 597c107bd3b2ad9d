"""The store in one SQLite file, or in memory: what `grandtour serve` uses by default."""

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from grandtour.engine.refusal import Refusal
from grandtour.server.storage import store_format
from grandtour.server.storage.appends import Append, Heads
from grandtour.server.storage.database import Database
from grandtour.server.storage.store import Done, Gone, SqlStore, Taken, settle
from grandtour.server.storage.store_format import Damaged

log = logging.getLogger(__name__)

T = TypeVar("T")

FILE: Final = "grandtour.db"
GROUP: Final = 512
"""The maximum number of requests that share one commit."""

FILE_AT: Final = 1000
"""The number of recent records at which they are filed. With more of them, each costs fewer pages to write, but the
next group of moves waits longer."""
WAIT: Final = 5.0
"""Seconds to wait for another program, such as `grandtour admin`, to finish writing."""


class Lost(Exception):
    """The file was deleted or replaced while the server was using it."""


@dataclass(slots=True)
class _Job:
    """Something to be done in a thread."""

    work: Callable[[sqlite3.Connection], Any]
    writes: bool
    """Whether it may change anything."""
    done: Callable[[Any, Exception | None], None]
    """Called with its value, or with what went wrong."""
    value: Any = None
    failure: Exception | None = None

    def tell(self) -> None:
        self.done(self.value, self.failure)


_Jobs = list[_Job] | list[Append]
"""What shares a transaction: only appends, only other writes, or only reads."""


class SqliteStore(SqlStore):
    """A store in one file. It commits in groups: many requests share the wait for the disk, which a thread does."""

    def __init__(self, file: Path | None) -> None:
        """Open or make the file. Only one server at a time may have it. Without a file, everything is in memory, and
        forgotten when the store is closed."""
        self._waiting: deque[_Job | Append] = deque()
        self._busy = False
        self._drained: asyncio.Future[None] | None = None
        self._loop: asyncio.AbstractEventLoop
        self._heads = Heads()
        self._recent = 0
        """The number of appends since the recent records were last filed."""
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._lock = hold(file) if file is not None else None
        try:
            self._db = _open(file) if file is not None else _in_memory()
            # The event loop does not wait for other programs; the thread does.
            self._db.execute("PRAGMA busy_timeout = 0")
            self._reader = connect_to_read(file) if file is not None else self._db
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
        self._ask(Append(table, n, records, card, done))

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

    async def _do(self, work: Callable[[sqlite3.Connection], Any], writes: bool = True) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._ask(_Job(work, writes, partial(settle, future)))
        return await future

    def _ask(self, job: _Job | Append) -> None:
        if self._closed:
            raise RuntimeError("the store is closed")
        self._waiting.append(job)
        if not self._busy:
            self._busy = True
            self._loop = asyncio.get_running_loop()
            # Whatever else is asked for in this round of the loop joins the group.
            self._loop.call_soon(self._next_group)

    def _next_group(self) -> None:
        """Begin the next transaction, of appends, other writes or reads, in the order in which they were asked for.

        Appends take microseconds and check before they change anything. They are done by the event loop itself, which
        for so little is cheaper than to hand them to a thread: only the wait for the disk is left to that."""
        waiting = self._waiting
        if not waiting:
            self._busy = False
            if self._drained is not None and not self._drained.done():
                self._drained.set_result(None)
            return
        group: list[Append] = []
        jobs: list[_Job] = []
        while waiting and len(group) + len(jobs) < GROUP:
            job = waiting[0]
            if isinstance(job, Append):
                if jobs:
                    break
                group.append(job)
            else:
                if group or (jobs and jobs[0].writes != job.writes):
                    break
                jobs.append(job)
            waiting.popleft()
        if jobs:
            self._tasks.put(partial(self._commit if jobs[0].writes else self._read, jobs))
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            # Another program is writing, or the disk fails: the thread waits, not the event loop.
            self._tasks.put(partial(self._commit, group))
            return
        if self._append(group):
            self._recent += len(group)
            self._tasks.put(partial(self._finish, group, None))
        else:
            # Once more, each by itself.
            self._tasks.put(partial(self._commit, group))

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
            # Otherwise it would stay in memory, with its table, until the next job comes.
            del task
        with contextlib.suppress(sqlite3.Error):
            # Otherwise they are filed at the next start.
            store_format.file_all(self._db)
        self._reader.close()
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

    def _commit(self, jobs: _Jobs) -> None:
        """Do the jobs in one transaction."""
        try:
            self._db.execute(f"PRAGMA busy_timeout = {int(1000 * WAIT)}")
            try:
                self._db.execute("BEGIN IMMEDIATE")
            finally:
                self._db.execute("PRAGMA busy_timeout = 0")
        except sqlite3.Error as failure:
            self._finish(jobs, failure)
        else:
            self._finish(jobs, self._try_all(jobs))

    def _append(self, group: list[Append]) -> bool:
        """Append in the transaction that has begun. False if something went wrong, and nothing has changed."""
        try:
            self._look_for_files()
            self._heads.append(self._db, group)
        except Exception:
            self._heads.clear()
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            return False
        return True

    def _try_all(self, jobs: _Jobs) -> Exception | None:
        """Do the jobs. One that fails is undone alone; what is returned fails them all."""
        try:
            self._look_for_files()
            if any(isinstance(job, _Job) for job in jobs):
                # Jobs see all records where they belong.
                store_format.file_recent(self._db)
            for job in jobs:
                work = partial(self._heads.append_alone, one=job) if isinstance(job, Append) else job.work
                value, job.failure = _attempt(self._db, work)
                if isinstance(job, _Job):
                    job.value = value
                    if job.work is not _file:
                        self._heads.clear()
        except Exception as failure:
            return failure
        return None

    def _finish(self, jobs: _Jobs, failure: Exception | None) -> None:
        """Commit what was done, and tell those who wait for it. A failed commit fails them all."""
        try:
            if failure is not None:
                raise failure
            self._db.execute("COMMIT")
            self._look_for_files()
        except Exception as reason:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            self._heads.clear()
            for job in jobs:
                job.failure = reason
            self._note(str(reason) or type(reason).__name__)
        else:
            self._note(None)
        self._call_back(jobs)

    def _read(self, jobs: list[_Job]) -> None:
        """Do jobs that only read. They need no room on the disk, and do not wait for other programs that write."""
        in_memory = self._reader is self._db
        try:
            self._reader.execute("BEGIN")
            if in_memory:
                store_format.file_recent(self._db)
            for job in jobs:
                job.value, job.failure = _attempt(self._reader, job.work)
            self._reader.execute("COMMIT")
        except Exception as failure:
            with contextlib.suppress(sqlite3.Error):
                self._reader.execute("ROLLBACK")
            for job in jobs:
                job.failure = failure
            self._note(str(failure) or type(failure).__name__)
        self._call_back(jobs)

    def _call_back(self, jobs: _Jobs) -> None:
        """Let the event loop tell those who wait for the jobs."""
        try:
            self._loop.call_soon_threadsafe(self._tell, jobs)
        except RuntimeError:
            # A loop that has ended has nobody left to tell.
            self._busy = False

    def _tell(self, jobs: _Jobs) -> None:
        for job in jobs:
            try:
                job.tell()
            except Exception:
                log.exception("what was stored could not be told")
        if self._recent >= FILE_AT:
            self._recent = 0
            self._waiting.append(_Job(_file, True, _ignore))
        self._next_group()


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


def connect_to_read(file: Path) -> sqlite3.Connection:
    """A connection that only reads, and to which all records seem to be filed."""
    db = connect(file)
    try:
        db.executescript(store_format.READ)
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
        store_format.file_all(db)
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


def _file(db: sqlite3.Connection) -> None:
    """A job that does nothing, since the recent records are filed before any job that writes."""


def _ignore(value: Any, failure: Exception | None) -> None:
    """Nobody waits for records to be filed."""


def _identity(path: str) -> tuple[int, int] | None:
    """The identity of a file, independent of its name."""
    try:
        found = os.stat(path)  # noqa: PTH116 - twice for each commit, and a `Path` takes longer
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _attempt(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], Any]) -> tuple[Any, Exception | None]:
    """What some work returns, or its failure if it alone is undone. Other failures end the transaction; after some,
    such as a full disk, SQLite has ended it already."""
    db.execute("SAVEPOINT job")
    value: Any = None
    failure: Exception | None = None
    try:
        value = work(db)
    except sqlite3.IntegrityError as error:
        failure = Taken(str(error))
    except (Taken, Gone, Damaged) as error:
        failure = error
    if failure is not None:
        db.execute("ROLLBACK TO job")
    db.execute("RELEASE job")
    return value, failure
