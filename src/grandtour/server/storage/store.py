"""The interface of a store: an append-only log of numbered records for each table, and all other stored data."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from grandtour.engine.refusal import Refusal
from grandtour.server.storage import retention, store_format
from grandtour.server.storage.database import Database

T = TypeVar("T")


PresentSeats = dict[str, list[int]]
"""The seats of people who are connected, by table."""


OnDone = Callable[[Exception | None], None]
"""Called with None when a request has been carried out, or with the error if it failed."""


class BotServer(NamedTuple):
    """A running bot server: its id, its internal address, the machine it runs on, its version of Grand Tour, the number
    of its bot processes, and the number of moves in progress or waiting."""

    id: str
    address: str
    machine: str
    version: str
    processes: int
    pending: int


class Cluster(NamedTuple):
    """All running servers of a store: the addresses of the servers, and the bot servers."""

    servers: list[str]
    bot_servers: list[BotServer]


class TableRow(NamedTuple):
    """A table as the lobby lists it. `card` is what the lobby shows: a cache of what the log says."""

    table: str
    made: float
    public: bool
    card: bytes


class Store(Protocol):
    """The interface of a store.

    Each call is atomic, and its effect is durable when it returns. The records of a table are numbered from 0 without
    gaps. Appending a number that exists raises `NumberTaken`; appending to a deleted table raises `TableDeleted`. If
    several servers share the store, each table has one owner at a time, and all other servers get `TableElsewhere` when
    they load it or write to it. `StoreUnavailable` means that the database could not be reached.
    """

    async def create(self, row: TableRow, records: list[bytes]) -> None:
        """Create a table with its first records. This server owns it."""

    async def append(self, table: str, n: int, records: list[bytes], card: bytes | None = None) -> None:
        """Append the records n, n + 1, … to a table, and update its card if it has changed."""

    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: OnDone) -> None:
        """Like `append`, for callers that cannot await: `done` is called when the records are stored or the request has
        failed."""

    async def load(self, table: str) -> list[bytes]:
        """The records of a table in order; none if there is no such table. This server becomes the table's owner.
        Raises `DamagedRecord` if the records are not what was stored."""

    async def read(self, table: str) -> list[bytes]:
        """Like `load`, but the owner of the table stays the same. Any server may read any table."""

    async def release(self, table: str, force: bool = False) -> None:
        """Give up a table, so that another server can own it; with `force`, even if another server owns it."""

    async def tables(self, since: float, limit: int) -> list[TableRow]:
        """The public tables opened since then, newest first."""

    async def last_used_before(self, time: float) -> list[str]:
        """The tables without events since then."""

    async def with_chat_before(self, time: float) -> list[str]:
        """The tables without events since then that have chat."""

    async def delete(self, table: str) -> None:
        """Delete everything about a table."""

    async def delete_chat(self, table: str) -> None:
        """Delete the chat of a table. Its events keep their numbers."""

    async def run(self, work: Callable[[Database], T], writes: bool = True) -> T:
        """Call `work` with a database connection, in one transaction and in another thread, and return its result. It
        must be quick."""

    async def check(self) -> None:
        """Write something, to test whether that works."""

    @property
    def write_error(self) -> str | None:
        """Why the store cannot be written, in a few words for the operator; None if the last write succeeded."""

    async def close(self) -> None:
        """Finish pending requests and close the store."""


class SqlStore(ABC):
    """The part of a store that is the same for SQLite and PostgreSQL."""

    async def create(self, row: TableRow, records: list[bytes]) -> None:
        await self.run(lambda db: create_table(db, row, records))

    async def load(self, table: str) -> list[bytes]:
        return await self.read(table)

    async def read(self, table: str) -> list[bytes]:
        return await self.run(lambda db: store_format.checked_records(db, table), writes=False)

    async def tables(self, since: float, limit: int) -> list[TableRow]:
        def work(db: Database) -> list[TableRow]:
            rows = db.execute(
                "SELECT id, made, public, card FROM tables WHERE public = 1 AND made >= ? ORDER BY made DESC LIMIT ?",
                (since, limit),
            )
            return [TableRow(table, made, bool(public), card) for table, made, public, card in rows]

        return await self.run(work, writes=False)

    async def last_used_before(self, time: float) -> list[str]:
        return await self.run(lambda db: retention.last_used_before(db, time), writes=False)

    async def with_chat_before(self, time: float) -> list[str]:
        return await self.run(lambda db: retention.with_chat_before(db, time), writes=False)

    async def delete(self, table: str) -> None:
        await self.run(lambda db: retention.delete_table(db, table))

    async def delete_chat(self, table: str) -> None:
        await self.run(lambda db: retention.delete_chat(db, table))

    async def check(self) -> None:
        test = "INSERT INTO tested VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET time = excluded.time"
        await self.run(lambda db: db.execute(test, (time.time(),)))

    async def append(self, table: str, n: int, records: list[bytes], card: bytes | None = None) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.append_soon(table, n, records, card, partial(resolve, future, None))
        await future

    @abstractmethod
    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: OnDone) -> None: ...

    @abstractmethod
    async def release(self, table: str, force: bool = False) -> None: ...

    @abstractmethod
    async def run(self, work: Callable[[Database], T], writes: bool = True) -> T: ...

    @property
    @abstractmethod
    def write_error(self) -> str | None: ...

    @abstractmethod
    async def close(self) -> None: ...


class SharedStore(SqlStore):
    """A store that several servers use at the same time. Each server owns some of the tables."""

    secret: str
    """The secret with which the servers authenticate requests to each other."""
    on_lease_lost: Callable[[], None]
    """Called when this server has lost all its tables, because it was suspended or cut off from the store."""
    present_seats: Callable[[], PresentSeats]
    """Returns who is connected to the public tables of this server."""
    address: str
    """The address at which other servers reach this one."""
    cluster: Cluster
    """All servers and bot servers, as of a second ago."""

    @property
    def other_servers(self) -> list[str]:
        """The addresses of all other servers."""
        return [address for address in self.cluster.servers if address != self.address]

    @abstractmethod
    def start_renewing(self) -> None:
        """Start to renew the lease. This needs an event loop."""

    @abstractmethod
    async def present_seats_everywhere(self) -> PresentSeats:
        """Who is connected to the public tables of all servers, as of a second ago."""

    @abstractmethod
    async def servers_on_this_machine(self) -> list[str]:
        """The addresses of the other servers and of the bot servers on this machine."""


def create_table(db: Database, row: TableRow, records: list[bytes]) -> None:
    values = (row.table, row.made, int(row.public), row.card)
    db.execute("INSERT INTO tables (id, made, public, card) VALUES (?, ?, ?, ?)", values)
    last = store_format.insert_records(db, row.table, 0, store_format.first_sum(row.table), records)
    head = (row.table, len(records) - 1, last, time.time(), store_format.count_chat_lines(records))
    db.execute("INSERT INTO heads (id, n, sum, time, chat) VALUES (?, ?, ?, ?, ?)", head)


def not_stored() -> Refusal:
    """The refusal of all changes while the store cannot be written."""
    return Refusal("not-stored", "The server cannot save moves at the moment, so play is paused until it can.")


def resolve(future: "asyncio.Future[Any]", value: Any, failure: Exception | None) -> None:
    """Set the result or the exception of a future, unless it has been cancelled."""
    if future.done():
        return
    if failure is None:
        future.set_result(value)
    else:
        future.set_exception(failure)


class NumberTaken(Exception):
    """The table already has a record with this number."""


class TableDeleted(Exception):
    """The table no longer exists."""


class StoreUnavailable(Exception):
    """The database cannot be reached, or the request failed. It is unknown whether the change was made."""


class TableElsewhere(Exception):
    """Another server owns the table."""

    def __init__(self, table: str, address: str = "") -> None:
        super().__init__(f"table {table} belongs to another server")
        self.table = table
        self.address = address
        """The address of that server; empty if it is not known."""
