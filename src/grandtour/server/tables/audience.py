# compiled
"""The clients at a table, and what has been sent to them."""

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
    """Sends all clients what they do not have yet. A message that several clients get is encoded once."""

    def __init__(self, table: Table, presence: Presence, clock: GameClock) -> None:
        self.clients: set[Client] = set()
        self._presence = presence
        self._clock = clock
        self._table = table
        self._last_sent = table.n
        self._sent = render.SentPositions(table)

    def replace(self, table: Table) -> None:
        """Replace the table by a rebuilt one, and send everyone the whole position."""
        self._table = table
        self._sent = render.SentPositions(table)
        self.send_table()
        for client in self.clients:
            self.send_position(client)

    def leave(self, client: Client) -> None:
        self.clients.discard(client)
        if not any(other.seat == client.seat for other in self.clients):
            self._sent.forget(client.seat)

    def info(self) -> messages.Table:
        """The table as everyone may see it."""
        table, presence = self._table, self._presence
        away = {seat: round(gone, 1) for seat in table.people() if (gone := presence.away_for(seat)) is not None}
        return table.info(presence.here, presence.host(table), away)

    def broadcast(self, message: messages.Outgoing, except_for: Client | None = None) -> None:
        """Send everyone the same message."""
        frames = frame(messages.encode(message))
        for client in self.clients:
            if client is not except_for:
                client.send_frames(frames)

    def send_table(self, except_for: Client | None = None) -> None:
        """Send everyone the description of the table: who sits where, who is host."""
        self.broadcast(TableMessage(self.info()), except_for)

    def send_events(self) -> None:
        """Send everyone the new events and the changes of the position."""
        table = self._table
        first, last = self._last_sent + 1, table.n
        self._last_sent = last
        info = b""
        for n in range(first, last + 1):
            record = table.entries[n].record
            # Nearly all records are moves. This first comparison is much cheaper than `isinstance` with a tuple.
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
        self._send_each(news)

    def send_changes(self) -> None:
        """Send everyone the changes of the position, although there is no new event."""
        self._send_each({seat: frame(change) for seat, change in self._changes().items()})

    def send_position(self, client: Client) -> None:
        """Send a client the whole position.

        Other clients of its seat get it, too: a later change refers to the last list of moves, which must be the same
        for all of them. Spectators have no list of moves, so only the new one gets it."""
        seat = client.seat
        client.has_position = True
        table, clock = self._table, self._clock
        times = table.clocks.times(time.time())
        position = self._sent.full(seat, clock.running, clock.message(), self._presence.host(table), times)
        frames = frame(messages.encode(position))
        if seat is None:
            client.send_frames(frames)
            return
        for other in self.clients:
            if other.seat == seat:
                other.send_frames(frames)

    def hold(self) -> None:
        """Hold back messages until `flush`, which must be called before anything else happens."""
        for client in self.clients:
            client.held = True

    def flush(self) -> None:
        """Give the network all messages that were held back."""
        for client in self.clients:
            client.flush()

    def _send_each(self, frames: dict[int | None, Frames]) -> None:
        for client in self.clients:
            if client.has_position:
                client.send_frames(frames[client.seat])

    def _changes(self) -> dict[int | None, bytes]:
        """For each seat with a connected client, and for spectators, the encoded message with what has changed since
        the last one."""
        table, clock = self._table, self._clock
        host = self._presence.host(table) if table.match is None else None
        times = table.clocks.times(time.time())
        return self._sent.changes(clock.running, clock.message(), host, times)
