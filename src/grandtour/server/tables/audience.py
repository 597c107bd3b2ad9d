# compiled
"""The clients at a table, and what they have been told of it."""

import time

from librt.strings import BytesWriter

from grandtour.protocol import messages
from grandtour.protocol.messages import TableMessage
from grandtour.server.tables import render
from grandtour.server.tables.client import Client, Frames, frame, write_frame
from grandtour.server.tables.game_clock import GameClock
from grandtour.server.tables.presence import Presence
from grandtour.server.tables.records import Moved, Over, Seated, Started
from grandtour.server.tables.table import Table


class Audience:
    """Tells everyone what they do not know yet. Each message is encoded once for all who get the same."""

    def __init__(self, table: Table, presence: Presence, clock: GameClock) -> None:
        self.clients: set[Client] = set()
        self._presence = presence
        self._clock = clock
        self._table = table
        self._told = table.n
        self._shown = render.Shown(table)

    def replace(self, table: Table) -> None:
        """The table was built again, and everyone is told the whole position."""
        self._table = table
        self._shown = render.Shown(table)
        self.tell_table()
        for client in self.clients:
            self.tell_position(client)

    def leave(self, client: Client) -> None:
        self.clients.discard(client)
        if not any(other.seat == client.seat for other in self.clients):
            self._shown.forget(client.seat)

    def info(self) -> messages.Table:
        """The table as everyone may see it."""
        table, presence = self._table, self._presence
        away = {seat: round(gone, 1) for seat in table.people() if (gone := presence.away_for(seat)) is not None}
        return table.info(presence.here, presence.host(table), away)

    def tell(self, message: messages.Outgoing, but: Client | None = None) -> None:
        """Tell everyone the same."""
        told = frame(messages.encode(message))
        for client in self.clients:
            if client is not but:
                client.tell_framed(told)

    def tell_table(self, but: Client | None = None) -> None:
        """Tell everyone who sits where."""
        self.tell(TableMessage(self.info()), but)

    def tell_news(self) -> None:
        """Send everyone the events they do not have yet, and what has changed."""
        table = self._table
        first, last = self._told + 1, table.n
        self._told = last
        info = b""
        for n in range(first, last + 1):
            record = table.entries[n].record
            # Nearly all of them are moves. To find out that something is none of several messages takes much longer.
            if type(record) is not Moved and isinstance(record, (Seated, Started, Over)):
                info = frame(messages.encode(TableMessage(self.info())))
                break
        changes = self._changes()
        moves: list[render.MoveMessages | None] = []
        for n in range(first, last + 1):
            record = table.entries[n].record
            moves.append(render.MoveMessages(table, n, record) if type(record) is Moved else None)
        news: dict[int | None, Frames] = {}
        for seat, change in changes.items():
            out = BytesWriter()
            for n, move in enumerate(moves, first):
                if move is None:
                    write_frame(out, messages.encode(render.event_message(table, n, seat)))
                else:
                    write_frame(out, move.encoded(seat))
            out.write(info)
            write_frame(out, change)
            news[seat] = out.getvalue()
        self._tell_each(news)

    def tell_changes(self) -> None:
        """Send everyone what has changed although nothing has happened."""
        self._tell_each({seat: frame(change) for seat, change in self._changes().items()})

    def tell_position(self, client: Client) -> None:
        """Tell a client the whole position. Others in its seat are told again too, so that a change means the same to
        all of them; spectators have no moves, so to them it does anyway."""
        seat = client.seat
        client.welcome = True
        table, clock = self._table, self._clock
        times = table.clocks.times(time.time())
        position = self._shown.whole(seat, clock.running, clock.told(), self._presence.host(table), times)
        told = frame(messages.encode(position))
        if seat is None:
            client.tell_framed(told)
            return
        for other in self.clients:
            if other.seat == seat:
                other.tell_framed(told)

    def hold(self) -> None:
        """Let what everyone is told from now on wait for `flush`, which must be called before anything else happens."""
        for client in self.clients:
            client.held = True

    def flush(self) -> None:
        """Hand over what everyone has been told to the network."""
        for client in self.clients:
            client.flush()

    def _tell_each(self, told: dict[int | None, Frames]) -> None:
        for client in self.clients:
            if client.welcome:
                client.tell_framed(told[client.seat])

    def _changes(self) -> dict[int | None, bytes]:
        """What has changed for each seat that somebody is connected to, and for spectators, since they were last told
        of the position: messages, encoded."""
        table, clock = self._table, self._clock
        host = self._presence.host(table) if table.match is None else None
        times = table.clocks.times(time.time())
        return self._shown.changes(clock.running, clock.told(), host, times)
