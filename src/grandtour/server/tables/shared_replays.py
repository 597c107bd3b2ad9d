"""Watching a finished match together: one person leads, and the others see what the leader looks at.

A room belongs to the table of the match; its code is part of its link. Rooms are kept in memory only. The server tells
everyone where the leader is. Each page decides whether to follow.
"""

import asyncio
from typing import Final

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.server.tables.client import Client, frame
from grandtour.server.tables.session import Session
from grandtour.server.tables.spectators import NAMELESS

MAX_ROOMS: Final = 20
"""The number of rooms at one table."""
MAX_PEOPLE: Final = 50
"""The number of people in one room."""
MAX_NAMES: Final = 12
SEND_INTERVAL: Final = 0.1
"""The minimum number of seconds between two messages to one room, even if many people keep taking the lead."""


class _Room:
    def __init__(self) -> None:
        self.people: list[Client] = []
        self.leader: Client | None = None
        self.step = 0
        self.viewer = "none"
        self.last_sent = -SEND_INTERVAL
        self.timer: asyncio.TimerHandle | None = None


class SharedReplays:
    """The rooms in which finished matches are watched, at all tables."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, _Room]] = {}
        self._inside: dict[Client, tuple[str, str]] = {}

    def join(self, session: Session, client: Client, asked: messages.JoinRoom) -> None:
        """Enter a room, or take the lead in it. A room that does not exist is opened, and its first person leads."""
        table = session.table
        if table.phase != "over":
            raise Refusal("not-over", "A match can be watched together once it is over.")
        rooms = self._tables.get(table.id, {})
        room = rooms.get(asked.room)
        if room is None and len(rooms) >= MAX_ROOMS:
            raise Refusal("too-much", "Many groups watch this match already: join one of them.")
        if room is not None and client not in room.people and len(room.people) >= MAX_PEOPLE:
            raise Refusal("too-much", "This group is full.")
        if self._inside.get(client) not in (None, (table.id, asked.room)):
            self.leave(client)
        room = self._tables.setdefault(table.id, {}).setdefault(asked.room, room or _Room())
        if client not in room.people:
            room.people.append(client)
            self._inside[client] = table.id, asked.room
        if room.leader is None or asked.lead:
            room.leader = client
        self._send_soon(room)

    def show(self, session: Session, client: Client, asked: messages.Show) -> None:
        """Show the others the moment that the leader looks at now."""
        table, name = self._inside.get(client, ("", ""))
        room = self._tables.get(table, {}).get(name)
        if room is None or room.leader is not client:
            raise Refusal("not-legal", "Only the one who leads shows the others where to look.")
        match = session.table.match
        if match is not None and asked.step > len(match.log):
            raise Refusal("malformed", f"This match has {len(match.log)} steps.")
        room.step, room.viewer = asked.step, asked.viewer
        self._send_soon(room)

    def leave(self, client: Client) -> None:
        """Remove a client that has disconnected. If it was the leader, the next one leads."""
        table, name = self._inside.pop(client, ("", ""))
        room = self._tables.get(table, {}).get(name)
        if room is None:
            return
        room.people.remove(client)
        if room.leader is client:
            room.leader = room.people[0] if room.people else None
        if room.people:
            self._send_soon(room)
        else:
            if room.timer is not None:
                room.timer.cancel()
            del self._tables[table][name]
            if not self._tables[table]:
                del self._tables[table]

    def _send_soon(self, room: _Room) -> None:
        """Send everyone in a room where the leader is: at once, or after `SEND_INTERVAL` since the last message."""
        if room.timer is None:
            loop = asyncio.get_running_loop()
            wait = room.last_sent + SEND_INTERVAL - loop.time()
            if wait > 0:
                room.timer = loop.call_later(wait, self._send, room)
            else:
                self._send(room)

    def _send(self, room: _Room) -> None:
        room.timer, room.last_sent = None, asyncio.get_running_loop().time()
        names = sorted(client.name for client in room.people if client.name)[:MAX_NAMES]
        leader = (room.leader.name if room.leader is not None else "") or NAMELESS
        leads, follows = (
            frame(
                messages.encode(messages.RoomMessage(len(room.people), names, leader, leading, room.step, room.viewer))
            )
            for leading in (True, False)
        )
        for client in room.people:
            client.send_frames(leads if client is room.leader else follows)
