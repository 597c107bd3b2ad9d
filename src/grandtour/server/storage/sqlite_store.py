"""The store in one SQLite file, or in memory. `grandtour serve` uses it by default."""

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
from grandtour.server.storage.appends import Append, HeadCache
from grandtour.server.storage.database import Database
from grandtour.server.storage.store import NumberTaken, OnDone, SqlStore, TableDeleted, resolve
from grandtour.server.storage.store_format import DamagedRecord

log = logging.getLogger(__name__)

T = TypeVar("T")

FILE: Final = "grandtour.db"
MAX_BATCH: Final = 512
"""The maximum number of requests in one commit."""

FLUSH_AT: Final = 1000
"""The number of appends after which the recent records are flushed to the log. A higher number means fewer page writes
for each record, but the moves that arrive during a flush wait longer."""
BUSY_TIMEOUT: Final = 5.0
"""Seconds to wait for another program, such as `grandtour admin`, to finish writing."""


class FileReplaced(Exception):
    """The file was deleted or replaced while the server was using it."""


@dataclass(slots=True)
class _Job:
    """Work for the store's thread."""

    work: Callable[[sqlite3.Connection], Any]
    writes: bool
    """Whether it may change the database."""
    done: Callable[[Any, Exception | None], None]
    """Called with the result of the work or its exception."""
    value: Any = None
    failure: Exception | None = None

    def notify(self) -> None:
        self.done(self.value, self.failure)


_Jobs = list[_Job] | list[Append]
"""The contents of one transaction: only appends, only other writes, or only reads."""


class SqliteStore(SqlStore):
    """A store in one file. It commits in batches: many requests share one wait for the disk, and a thread does the
    waiting."""

    def __init__(self, file: Path | None) -> None:
        """Open or create the file. Only one server at a time can use it. Without a file, everything is in memory and
        lost when the store is closed."""
        self._waiting: deque[_Job | Append] = deque()
        self._busy = False
        self._drained: asyncio.Future[None] | None = None
        self._loop: asyncio.AbstractEventLoop
        self._heads = HeadCache()
        self._recent = 0
        """The number of appends since the last flush of the recent records."""
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._lock = lock_store(file) if file is not None else None
        try:
            self._db = _open(file) if file is not None else _in_memory()
            # The thread waits for other programs; the event loop must not.
            self._db.execute("PRAGMA busy_timeout = 0")
            self._reader = connect_read_only(file) if file is not None else self._db
        except BaseException:
            self._unlock()
            raise
        files = (file, file.with_name(file.name + "-wal")) if file is not None else ()
        self._files = {str(path): _identity(str(path)) for path in files}
        self._write_error: str | None = None
        self._closed = False
        # A daemon thread: if the process ends during a commit, only records that nobody has been sent are lost.
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    @property
    def write_error(self) -> str | None:
        return self._write_error

    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: OnDone) -> None:
        self._enqueue(Append(table, n, records, card, done))

    async def release(self, table: str, force: bool = False) -> None:
        """Does nothing, because there is only one server."""

    async def run(self, work: Callable[[Database], T], writes: bool = True) -> T:
        found: T = await self._submit(work, writes)
        return found

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            if self._busy:
                self._drained = asyncio.get_running_loop().create_future()
                await self._drained
            self._tasks.put(None)
            await asyncio.to_thread(self._thread.join)

    async def _submit(self, work: Callable[[sqlite3.Connection], Any], writes: bool = True) -> Any:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._enqueue(_Job(work, writes, partial(resolve, future)))
        return await future

    def _enqueue(self, job: _Job | Append) -> None:
        if self._closed:
            raise RuntimeError("the store is closed")
        self._waiting.append(job)
        if not self._busy:
            self._busy = True
            self._loop = asyncio.get_running_loop()
            # Other requests in this iteration of the event loop join the batch.
            self._loop.call_soon(self._start_batch)

    def _start_batch(self) -> None:
        """Begin the next transaction: of appends, of other writes or of reads, in the order of the requests.

        Appends take microseconds, so the event loop makes them itself, which is cheaper than handing them to a thread.
        Only the commit, which waits for the disk, is left to the thread."""
        waiting = self._waiting
        if not waiting:
            self._busy = False
            if self._drained is not None and not self._drained.done():
                self._drained.set_result(None)
            return
        batch: list[Append] = []
        jobs: list[_Job] = []
        while waiting and len(batch) + len(jobs) < MAX_BATCH:
            job = waiting[0]
            if isinstance(job, Append):
                if jobs:
                    break
                batch.append(job)
            else:
                if batch or (jobs and jobs[0].writes != job.writes):
                    break
                jobs.append(job)
            waiting.popleft()
        if jobs:
            self._tasks.put(partial(self._commit if jobs[0].writes else self._read, jobs))
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            # Another program is writing, or the disk has failed. The thread tries again and waits.
            self._tasks.put(partial(self._commit, batch))
            return
        if self._append(batch):
            self._recent += len(batch)
            self._tasks.put(partial(self._finish, batch, None))
        else:
            # Try again, each append under its own savepoint.
            self._tasks.put(partial(self._commit, batch))

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
            # Otherwise it would stay in memory, with its table, until the next task.
            del task
        with contextlib.suppress(sqlite3.Error):
            # If this fails, they are flushed at the next start.
            store_format.flush_all(self._db)
        self._reader.close()
        self._db.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()

    def _check_files(self) -> None:
        """Check that the file was not deleted or replaced, because then everything written to it would be lost."""
        for path, identity in self._files.items():
            if _identity(path) != identity:
                raise FileReplaced(f"{path} has been deleted or replaced; the server has to be started again")

    def _set_write_error(self, write_error: str | None) -> None:
        if write_error is not None and self._write_error is None:
            log.critical("the store cannot be written: %s", write_error)
        elif write_error is None and self._write_error is not None:
            log.warning("the store can be written again")
        self._write_error = write_error

    def _commit(self, jobs: _Jobs) -> None:
        """Run the jobs in one transaction and commit it."""
        try:
            self._db.execute(f"PRAGMA busy_timeout = {int(1000 * BUSY_TIMEOUT)}")
            try:
                self._db.execute("BEGIN IMMEDIATE")
            finally:
                self._db.execute("PRAGMA busy_timeout = 0")
        except sqlite3.Error as failure:
            self._finish(jobs, failure)
        else:
            self._finish(jobs, self._try_all(jobs))

    def _append(self, batch: list[Append]) -> bool:
        """Append in the current transaction. Returns False if it failed; then the transaction is rolled back."""
        try:
            self._check_files()
            self._heads.append(self._db, batch)
        except Exception:
            self._heads.clear()
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            return False
        return True

    def _try_all(self, jobs: _Jobs) -> Exception | None:
        """Run the jobs. If one of them fails, only its own changes are undone. A returned exception fails all of
        them."""
        try:
            self._check_files()
            if any(isinstance(job, _Job) for job in jobs):
                # Jobs expect all records in `log`.
                store_format.flush_recent(self._db)
            for job in jobs:
                work = partial(self._heads.append_one, request=job) if isinstance(job, Append) else job.work
                value, job.failure = _try_job(self._db, work)
                if isinstance(job, _Job):
                    job.value = value
                    if job.work is not _flush:
                        self._heads.clear()
        except Exception as failure:
            return failure
        return None

    def _finish(self, jobs: _Jobs, failure: Exception | None) -> None:
        """Commit the transaction, and notify the callers. If the commit fails, all jobs fail."""
        try:
            if failure is not None:
                raise failure
            self._db.execute("COMMIT")
            self._check_files()
        except Exception as reason:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            self._heads.clear()
            for job in jobs:
                job.failure = reason
            self._set_write_error(str(reason) or type(reason).__name__)
        else:
            self._set_write_error(None)
        self._call_back(jobs)

    def _read(self, jobs: list[_Job]) -> None:
        """Run jobs that only read. This works with a full disk, and does not wait for other programs that write."""
        in_memory = self._reader is self._db
        try:
            self._reader.execute("BEGIN")
            if in_memory:
                store_format.flush_recent(self._db)
            for job in jobs:
                job.value, job.failure = _try_job(self._reader, job.work)
            self._reader.execute("COMMIT")
        except Exception as failure:
            with contextlib.suppress(sqlite3.Error):
                self._reader.execute("ROLLBACK")
            for job in jobs:
                job.failure = failure
            self._set_write_error(str(failure) or type(failure).__name__)
        self._call_back(jobs)

    def _call_back(self, jobs: _Jobs) -> None:
        """Notify the callers of the jobs, in the event loop."""
        try:
            self._loop.call_soon_threadsafe(self._notify, jobs)
        except RuntimeError:
            # The event loop has ended, so nobody waits for the results.
            self._busy = False

    def _notify(self, jobs: _Jobs) -> None:
        for job in jobs:
            try:
                job.notify()
            except Exception:
                log.exception("the result of a write could not be handled")
        if self._recent >= FLUSH_AT:
            self._recent = 0
            self._waiting.append(_Job(_flush, True, _ignore))
        self._start_batch()


def lock_store(file: Path) -> sqlite3.Connection:
    """Take the lock of a store, so that no second server can use it. The lock is a separate file, because other
    programs may read the store while a server runs. Closing the returned connection, or ending the process, releases
    the lock."""
    lock = file.with_name(file.name + ".lock")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.touch(0o600)
        connection = sqlite3.connect(lock, isolation_level=None, check_same_thread=False, timeout=0)
    except (OSError, sqlite3.Error) as error:
        raise Refusal("bad-store", f"The store {file} cannot be used: {error}.") from None
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if "locked" in str(error):
            raise Refusal("bad-store", f"Another server is using the store {file}.") from None
        raise Refusal("bad-store", f"The store {file} cannot be used: {error}.") from None
    return connection


def connect(file: Path) -> sqlite3.Connection:
    """Connect to a store that other programs may use, too. Deleted data is overwritten, and commits are synced to
    disk."""
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")
    except BaseException:
        db.close()
        raise
    return db


def connect_read_only(file: Path) -> sqlite3.Connection:
    """Connect to a store for reading only. In its views, `log` includes the recent records."""
    db = connect(file)
    try:
        db.executescript(store_format.READ_ONLY_VIEWS)
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
        store_format.flush_all(db)
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


def _flush(db: sqlite3.Connection) -> None:
    """A job that does nothing itself: the recent records are flushed before any job that writes."""


def _ignore(value: Any, failure: Exception | None) -> None:
    """The callback of a flush, whose result nobody waits for."""


def _identity(path: str) -> tuple[int, int] | None:
    """The device and inode of a file, to notice that it has been replaced; None if it does not exist."""
    try:
        found = os.stat(path)  # noqa: PTH116 - twice for each commit, and a `Path` takes longer
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _try_job(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], Any]) -> tuple[Any, Exception | None]:
    """The result of the work, or its exception if only its own changes had to be undone. Other exceptions are raised
    and end the transaction; after some, such as a full disk, SQLite has ended it already."""
    db.execute("SAVEPOINT job")
    value: Any = None
    failure: Exception | None = None
    try:
        value = work(db)
    except sqlite3.IntegrityError as error:
        failure = NumberTaken(str(error))
    except (NumberTaken, TableDeleted, DamagedRecord) as error:
        failure = error
    if failure is not None:
        db.execute("ROLLBACK TO job")
    db.execute("RELEASE job")
    return value, failure
