"""The spectators of tables: their number, their names, and their own chat.

Players see who watches, but they can read the spectators' chat only when the match is over. It is stored for as long as
the players' chat.
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
"""The number of spectators whose names are sent; the others are only counted."""
MAX_LINES: Final = 300
"""The number of lines that are kept at one table. A new line replaces the oldest."""
SEND_INTERVAL: Final = 1.0
"""The minimum number of seconds between two messages about who watches."""
NAMELESS: Final = "A spectator"


class _Table:
    """The spectators of one table. Their chat is not in memory, only in the store."""

    def __init__(self) -> None:
        self.watching: set[Client] = set()
        self.lock = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        self.last_sent: tuple[int, list[str]] = (0, [])


class Spectators:
    """The spectators of all tables on this server."""

    def __init__(self, store: Store, settings: Settings, sessions: Mapping[str, Session]) -> None:
        self._store = store
        self._settings = settings
        self._sessions = sessions
        self._tables: dict[str, _Table] = {}
        self._pace: dict[Client, Bucket] = {}

    async def join(self, session: Session, client: Client, name: str) -> None:
        """Register a client that has connected. `name` is for spectators without a passport."""
        id = session.table.id
        if client.seat is None:
            client.name = client.name or one_line(name)[:MAX_NAME_LENGTH].strip()
            self._tables.setdefault(id, _Table()).watching.add(client)
            self._send_soon(id)
        elif id in self._tables:
            client.send(self._who(id))
        if self._may_read(session, client):
            lines = await self._lines(id)
            if lines:
                client.send(_message(lines))

    def leave(self, session: Session, client: Client) -> None:
        self._pace.pop(client, None)
        table = self._tables.get(session.table.id)
        if table is not None and client in table.watching:
            table.watching.discard(client)
            self._send_soon(session.table.id)

    async def say(self, session: Session, client: Client, asked: messages.Say) -> None:
        """Store a spectator's line and send it to the others. The same request again changes nothing."""
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
            frames = frame(messages.encode(_message([line])))
            for other in session.clients:
                if self._may_read(session, other):
                    other.send_frames(frames)

    async def open(self, session: Session) -> None:
        """Send the spectators' chat to the players, because the match is over."""
        if lines := await self._lines(session.table.id):
            for client in session.clients:
                if client.seat is not None:
                    client.send(_message(lines))

    def forget(self, passport: str) -> None:
        """Remove the name of a person who is being forgotten."""
        for table in self._tables.values():
            for client in table.watching:
                if client.passport == passport:
                    client.name, client.passport = "", ""

    def _may_read(self, session: Session, client: Client) -> bool:
        return client.seat is None or session.table.phase == "over"

    async def _lines(self, id: str) -> list[Line]:
        return await self._store.run(lambda db: spectator_store.lines(db, id), writes=False)

    def _send_soon(self, id: str) -> None:
        """Schedule a message to everyone about who watches. Several changes share one message."""
        table = self._tables[id]
        if table.timer is None:
            table.timer = asyncio.get_running_loop().call_later(SEND_INTERVAL, self._send, id)

    def _send(self, id: str) -> None:
        table, session = self._tables[id], self._sessions.get(id)
        table.timer = None
        who = self._who(id)
        if session is not None and (who.count, who.names) != table.last_sent:
            table.last_sent = who.count, who.names
            frames = frame(messages.encode(who))
            for client in session.clients:
                client.send_frames(frames)
        if not table.watching and not table.lock.locked():
            del self._tables[id]

    def _who(self, id: str) -> messages.Spectators:
        watching = self._tables[id].watching
        names = sorted({client.name for client in watching if client.name})[:MAX_NAMES]
        return messages.Spectators(len(watching), names)


def _message(lines: list[Line]) -> messages.GalleryMessage:
    return messages.GalleryMessage([GalleryLine(line.n, line.name, line.text) for line in lines])
