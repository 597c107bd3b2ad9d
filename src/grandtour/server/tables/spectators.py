"""The spectators of tables: how many there are, what they are called, and their own chat.

Players see that somebody watches, but not what is said until the match is over. The lines are kept in the store for as
long as the players' chat.
"""

import asyncio
from collections.abc import Mapping
from typing import Final

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.protocol.messages import GalleryLine
from grandtour.server.limits import Bucket, too_much
from grandtour.server.settings import Settings
from grandtour.server.storage import spectator_store
from grandtour.server.storage.spectator_store import Line
from grandtour.server.storage.store import Store
from grandtour.server.tables.client import Client, frame
from grandtour.server.tables.session import Session
from grandtour.server.tables.table import MAX_NAME_LENGTH, one_line

MAX_NAMES: Final = 12
"""Spectators who are named; the others are only counted."""
MAX_LINES: Final = 300
"""Lines of spectators that are kept at one table: the latest. Nobody can use them all up."""
TELL_EVERY: Final = 1.0
"""Seconds between two messages about who watches."""
NAMELESS: Final = "A spectator"


class _Table:
    """The spectators of one table. What they said is in the store only, however many tables are watched."""

    def __init__(self) -> None:
        self.watching: set[Client] = set()
        self.lock = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        self.told: tuple[int, list[str]] = (0, [])


class Spectators:
    """The spectators of all tables on this server."""

    def __init__(self, store: Store, settings: Settings, sessions: Mapping[str, Session]) -> None:
        self._store = store
        self._settings = settings
        self._sessions = sessions
        self._tables: dict[str, _Table] = {}
        self._pace: dict[Client, Bucket] = {}

    async def join(self, session: Session, client: Client, name: str) -> None:
        """Somebody has come. `name` is what a spectator without a passport wants to be called."""
        id = session.table.id
        if client.seat is None:
            client.name = client.name or one_line(name)[:MAX_NAME_LENGTH].strip()
            self._tables.setdefault(id, _Table()).watching.add(client)
            self._tell_soon(id)
        elif id in self._tables:
            client.tell(self._who(id))
        if self._may_read(session, client):
            lines = await self._lines(id)
            if lines:
                client.tell(_message(lines))

    def leave(self, session: Session, client: Client) -> None:
        self._pace.pop(client, None)
        table = self._tables.get(session.table.id)
        if table is not None and client in table.watching:
            table.watching.discard(client)
            self._tell_soon(session.table.id)

    async def say(self, session: Session, client: Client, asked: messages.Say) -> None:
        """A spectator says something to the others. The same request again changes nothing."""
        id = session.table.id
        if session.deleted:
            raise Refusal("unknown-table", "This table has been deleted.")
        if not self._pace.setdefault(client, Bucket(self._settings.limits.chat)).take():
            raise too_much("You are chatting too fast; wait a moment.")
        text = one_line(asked.text)
        if not text:
            raise Refusal("malformed", "There is nothing to say in this line.")
        name, passport = client.name or NAMELESS, client.passport
        async with self._tables.setdefault(id, _Table()).lock:
            line = await self._store.run(
                lambda db: spectator_store.add(db, id, asked.id, name, text, passport, MAX_LINES)
            )
        if line is not None:
            told = frame(messages.encode(_message([line])))
            for other in session.clients:
                if self._may_read(session, other):
                    other.tell_framed(told)

    async def open(self, session: Session) -> None:
        """The match is over: players may read what was said."""
        if lines := await self._lines(session.table.id):
            for client in session.clients:
                if client.seat is not None:
                    client.tell(_message(lines))

    def forget(self, passport: str) -> None:
        """Somebody is forgotten who may be watching."""
        for table in self._tables.values():
            for client in table.watching:
                if client.passport == passport:
                    client.name, client.passport = "", ""

    def _may_read(self, session: Session, client: Client) -> bool:
        return client.seat is None or session.table.phase == "over"

    async def _lines(self, id: str) -> list[Line]:
        return await self._store.run(lambda db: spectator_store.lines(db, id), writes=False)

    def _tell_soon(self, id: str) -> None:
        """Tell everyone who watches, once in a while however many come and go."""
        table = self._tables[id]
        if table.timer is None:
            table.timer = asyncio.get_running_loop().call_later(TELL_EVERY, self._tell, id)

    def _tell(self, id: str) -> None:
        table, session = self._tables[id], self._sessions.get(id)
        table.timer = None
        who = self._who(id)
        if session is not None and (who.count, who.names) != table.told:
            table.told = who.count, who.names
            told = frame(messages.encode(who))
            for client in session.clients:
                client.tell_framed(told)
        if not table.watching and not table.lock.locked():
            del self._tables[id]

    def _who(self, id: str) -> messages.Spectators:
        watching = self._tables[id].watching
        names = sorted({client.name for client in watching if client.name})[:MAX_NAMES]
        return messages.Spectators(len(watching), names)


def _message(lines: list[Line]) -> messages.GalleryMessage:
    return messages.GalleryMessage([GalleryLine(line.n, line.name, line.text) for line in lines])
