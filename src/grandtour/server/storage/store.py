"""The interface of a store: an append-only log of numbered records for each table, and whatever else is kept."""

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


Here = dict[str, list[int]]
"""The seats with a connected person, by table."""


Done = Callable[[Exception | None], None]
"""What is called when something has been done, or with the reason why it failed."""


class BotServer(NamedTuple):
    """A bot server that is alive: its name, where servers reach it, the machine it runs on, its version of Grand Tour,
    the number of its bot processes, and how many moves it has been asked for."""

    id: str
    address: str
    machine: str
    version: str
    processes: int
    asked: int


class Alive(NamedTuple):
    """What a server learns when it renews its lease: where all servers are reached, and all bot servers."""

    servers: list[str]
    bot_servers: list[BotServer]


class Row(NamedTuple):
    """A table as the lobby lists it. `card` is what is shown; it is only a cache of the log."""

    table: str
    made: float
    public: bool
    card: bytes


class Store(Protocol):
    """The interface of a store.

    A call is atomic, and returns when its effect is durable. The records of a table are numbered from 0 without gaps; a
    number in use raises `Taken`, and a deleted table raises `Gone`. If several servers share the store, a table belongs
    to one of them at a time: for the others, reading or writing it raises `Elsewhere`. `Unavailable` means that the
    database could not be reached.
    """

    async def create(self, row: Row, records: list[bytes]) -> None:
        """Create a table with its first records. It belongs to this server."""

    async def append(self, table: str, n: int, records: list[bytes], card: bytes | None = None) -> None:
        """Append the records n, n + 1, … to a table, and update its card if it has changed."""

    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: Done) -> None:
        """The same, for callers that are no tasks: `done` is called when it has happened, or with what went wrong."""

    async def load(self, table: str) -> list[bytes]:
        """The records of a table in order; none if there is no such table. From now on the table belongs to this
        server. Raises `Damaged` if they are not what was stored."""

    async def read(self, table: str) -> list[bytes]:
        """The same without taking the table, whoever has it."""

    async def release(self, table: str, anyway: bool = False) -> None:
        """Another server may have the table now; with `anyway`, also if it is not this server's."""

    async def tables(self, since: float, limit: int) -> list[Row]:
        """The public tables opened since then, newest first."""

    async def last_used_before(self, time: float) -> list[str]:
        """The tables where nothing has happened since then."""

    async def with_chat_before(self, time: float) -> list[str]:
        """Those of them that still have chat in the store."""

    async def delete(self, table: str) -> None:
        """Delete everything about a table."""

    async def delete_chat(self, table: str) -> None:
        """Delete the chat of a table. Its events keep their numbers."""

    async def run(self, work: Callable[[Database], T], writes: bool = True) -> T:
        """Use the database in one transaction: `work` is called with a connection, in another thread, and its result is
        returned. It must be quick."""

    async def check(self) -> None:
        """Test whether the store can be written."""

    @property
    def trouble(self) -> str | None:
        """Why the store cannot be written, in a few words for the operator; None if it can."""

    async def close(self) -> None:
        """Finish pending requests and close the store."""


class SqlStore(ABC):
    """What a store does in SQL that both databases understand."""

    async def create(self, row: Row, records: list[bytes]) -> None:
        await self.run(lambda db: create_table(db, row, records))

    async def load(self, table: str) -> list[bytes]:
        return await self.read(table)

    async def read(self, table: str) -> list[bytes]:
        return await self.run(lambda db: store_format.checked_records(db, table), writes=False)

    async def tables(self, since: float, limit: int) -> list[Row]:
        def work(db: Database) -> list[Row]:
            found = db.execute(
                "SELECT id, made, public, card FROM tables WHERE public = 1 AND made >= ? ORDER BY made DESC LIMIT ?",
                (since, limit),
            )
            return [Row(table, made, bool(public), card) for table, made, public, card in found]

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
        self.append_soon(table, n, records, card, partial(settle, future, None))
        await future

    @abstractmethod
    def append_soon(self, table: str, n: int, records: list[bytes], card: bytes | None, done: Done) -> None: ...

    @abstractmethod
    async def release(self, table: str, anyway: bool = False) -> None: ...

    @abstractmethod
    async def run(self, work: Callable[[Database], T], writes: bool = True) -> T: ...

    @property
    @abstractmethod
    def trouble(self) -> str | None: ...

    @abstractmethod
    async def close(self) -> None: ...


class SharedStore(SqlStore):
    """A store that several servers use at the same time. Each has tables of its own."""

    secret: str
    """The secret by which the servers recognise each other."""
    on_lapse: Callable[[], None]
    """Called when this server has lost all its tables, because it was asleep or cut off from the store."""
    here: Callable[[], Here]
    """Returns who is at the public tables of this server."""
    address: str
    """Where other servers reach this one."""
    alive: Alive
    """All servers and bot servers, as of a second ago."""

    @property
    def others(self) -> list[str]:
        """The addresses of all other servers."""
        return [address for address in self.alive.servers if address != self.address]

    @abstractmethod
    def begin(self) -> None:
        """Begin to renew the lease, now that there is an event loop."""

    @abstractmethod
    async def here_everywhere(self) -> Here:
        """Who is at the public tables of all servers, as of a second ago."""

    @abstractmethod
    async def neighbours(self) -> list[str]:
        """The addresses of the other servers, and of the bot servers, on this machine."""


def create_table(db: Database, row: Row, records: list[bytes]) -> None:
    values = (row.table, row.made, int(row.public), row.card)
    db.execute("INSERT INTO tables (id, made, public, card) VALUES (?, ?, ?, ?)", values)
    last = store_format.insert_records(db, row.table, 0, store_format.first_sum(row.table), records)
    head = (row.table, len(records) - 1, last, time.time(), store_format.chat_lines(records))
    db.execute("INSERT INTO heads (id, n, sum, time, chat) VALUES (?, ?, ?, ?, ?)", head)


def not_stored() -> Refusal:
    """The refusal for everyone while the store cannot be written."""
    return Refusal("not-stored", "The server cannot save moves at the moment, so play is paused until it can.")


def settle(future: "asyncio.Future[Any]", value: Any, failure: Exception | None) -> None:
    """Give somebody who waits a value, or the reason why there is none. They may have stopped waiting."""
    if future.done():
        return
    if failure is None:
        future.set_result(value)
    else:
        future.set_exception(failure)


class Taken(Exception):
    """The table already has a record with this number."""


class Gone(Exception):
    """The table no longer exists."""


class Unavailable(Exception):
    """The database cannot be reached, or does not do what it is asked to. Whether it did is not known."""


class Elsewhere(Exception):
    """The table belongs to another server."""

    def __init__(self, table: str, address: str = "") -> None:
        super().__init__(f"table {table} belongs to another server")
        self.table = table
        self.address = address
        """Where that server can be reached, if it is known."""
