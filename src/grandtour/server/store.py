"""Where tables are kept: an append-only log of numbered records for each."""

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from grandtour.engine.refusal import Refusal

log = logging.getLogger(__name__)

GROUP: Final = 512
"""At most so many requests share one commit."""

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    made REAL NOT NULL,
    public INTEGER NOT NULL,
    card BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tables_made ON tables (public, made);
CREATE TABLE IF NOT EXISTS tested (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    time REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS log (
    id TEXT NOT NULL REFERENCES tables (id),
    n INTEGER NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (id, n)
) WITHOUT ROWID;
"""
FORMAT: Final = 1


class Row(NamedTuple):
    """A table as the lobby lists it: `card` is what is shown, and only a cache of the log."""

    table: str
    made: float
    public: bool
    card: bytes


class Store(Protocol):
    """What a server asks of its storage.

    Each call returns once it is done for good, and either all of it is done or nothing. The
    records of a table are numbered from 0 without gaps; a number that is taken is refused with `Taken`.
    """

    async def create(self, row: Row, records: list[bytes]) -> None:
        """A new table with its first records."""

    async def append(self, table: str, n: int, records: list[bytes], card: bytes | None = None) -> None:
        """The records n, n + 1, … of a table and, where it has changed, its card."""

    async def load(self, table: str) -> list[bytes]:
        """The records of a table in order; none when there is no such table."""

    async def tables(self, since: float, limit: int) -> list[Row]:
        """The public tables made since then, the newest first."""

    async def check(self) -> None:
        """Write something, to see whether that is possible."""

    @property
    def trouble(self) -> str | None:
        """Why nothing can be stored just now, in a few words for the operator; None where all is well."""

    async def close(self) -> None:
        """Finish what was asked for and let go of the storage."""


class Lost(Exception):
    """The storage has been taken away under the server."""


def not_stored() -> Refusal:
    """What everyone is told while nothing can be stored."""
    return Refusal("not-stored", "The server cannot store anything just now, so nobody can play until it can.")


class Taken(Exception):
    """That number of that table is in the store already."""


class _Job(NamedTuple):
    work: Callable[[sqlite3.Connection], Any]
    writes: bool
    future: asyncio.Future[Any]


class SqliteStore:
    """A store in one file. One thread owns it and commits in groups: many requests share the wait for the disk."""

    def __init__(self, file: Path) -> None:
        """Open or make the file. Only one server at a time may have it."""
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._db = _open(file)
        self._files: dict[Path, tuple[int, int] | None] = {
            path: _identity(path) for path in (file, file.with_name(file.name + "-wal"))
        }
        self._trouble: str | None = None
        self._closed = False
        # A daemon: a process that ends in the middle of a commit loses what it has not told anyone, and no more.
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str | None:
        return self._trouble

    async def check(self) -> None:
        await self._do(lambda db: db.execute("INSERT OR REPLACE INTO tested VALUES (1, ?)", (time.time(),)))

    async def create(self, row: Row, records: list[bytes]) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO tables VALUES (?, ?, ?, ?)", row)
            _insert(db, row.table, 0, records)

        await self._do(work)

    async def append(self, table: str, n: int, records: list[bytes], card: bytes | None = None) -> None:
        def work(db: sqlite3.Connection) -> None:
            _insert(db, table, n, records)
            if card is not None:
                db.execute("UPDATE tables SET card = ? WHERE id = ?", (card, table))

        await self._do(work)

    async def load(self, table: str) -> list[bytes]:
        def work(db: sqlite3.Connection) -> list[bytes]:
            return [record for (record,) in db.execute("SELECT record FROM log WHERE id = ? ORDER BY n", (table,))]

        return list(await self._do(work, writes=False))

    async def tables(self, since: float, limit: int) -> list[Row]:
        def work(db: sqlite3.Connection) -> list[Row]:
            found = db.execute(
                "SELECT id, made, public, card FROM tables WHERE public = 1 AND made >= ? ORDER BY made DESC LIMIT ?",
                (since, limit),
            )
            return [Row(table, made, bool(public), card) for table, made, public, card in found]

        return list(await self._do(work, writes=False))

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)

    async def _do(self, work: Callable[[sqlite3.Connection], Any], writes: bool = True) -> Any:
        if self._closed:
            raise RuntimeError("the store is closed")
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(work, writes, future))
        return await future

    def _run(self) -> None:
        going = True
        while going:
            first = self._jobs.get()
            if first is None:
                break
            jobs = [first]
            while len(jobs) < GROUP:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if job is None:
                    going = False
                    break
                jobs.append(job)
            self._commit(jobs)
        self._db.close()

    def _look_for_files(self) -> None:
        """What goes into a file that was deleted or replaced is gone with the server: nothing of it is stored."""
        for path, identity in self._files.items():
            if _identity(path) != identity:
                raise Lost(f"{path} has been deleted or replaced; the server has to be started again")

    def _note(self, trouble: str | None) -> None:
        if trouble is not None and self._trouble is None:
            log.critical("nothing can be stored: %s", trouble)
        elif trouble is None and self._trouble is not None:
            log.warning("things can be stored again")
        self._trouble = trouble

    def _commit(self, jobs: list[_Job]) -> None:
        """Do the jobs in one transaction. One that fails is undone alone; a failed commit fails them all."""
        outcomes: list[tuple[_Job, Any, Exception | None]] = []
        writes = any(job.writes for job in jobs)
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for job in jobs:
                if job.writes:
                    self._look_for_files()
                outcomes.append((job, *_attempt(self._db, job.work)))
            self._db.execute("COMMIT")
            if writes:
                self._look_for_files()
        except Exception as failure:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            outcomes = [(job, None, failure) for job in jobs]
            self._note(str(failure) or type(failure).__name__)
        else:
            if writes:
                self._note(None)
        # A loop that has ended has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            jobs[0].future.get_loop().call_soon_threadsafe(_tell, outcomes)


def _open(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # The file holds the dice of running matches: it is for its owner's eyes.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        # Exclusive: a second server on the same file would tell its players a different story.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found not in (0, FORMAT):
            raise Refusal("bad-store", f"The store {file} is of format {found}; this program reads format {FORMAT}.")
        db.executescript(SCHEMA)
        db.execute(f"PRAGMA user_version = {FORMAT}")
    except sqlite3.DatabaseError as error:
        db.close()
        if "locked" in str(error):
            raise Refusal("bad-store", f"Another server is using the store {file}.") from None
        raise Refusal("bad-store", f"The store {file} cannot be used: {error}.") from None
    except BaseException:
        db.close()
        raise
    return db


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file it is, whatever its name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _insert(db: sqlite3.Connection, table: str, n: int, records: Iterable[bytes]) -> None:
    rows = [(table, n + i, record) for i, record in enumerate(records)]
    db.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)


def _attempt(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], Any]) -> tuple[Any, Exception | None]:
    db.execute("SAVEPOINT job")
    try:
        value = work(db)
    except sqlite3.IntegrityError as error:
        db.execute("ROLLBACK TO job")
        return None, Taken(str(error))
    finally:
        db.execute("RELEASE job")
    return value, None


def _tell(outcomes: list[tuple[_Job, Any, Exception | None]]) -> None:
    for job, value, failure in outcomes:
        if job.future.cancelled():
            continue
        if failure is None:
            job.future.set_result(value)
        else:
            job.future.set_exception(failure)
