"""Spectators who ask the host for a seat, and the host's answers. They are kept in memory only."""

from typing import Final, NamedTuple

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.server.tables.client import Client
from grandtour.server.tables.session import Session
from grandtour.server.tables.table import MAX_NAME_LENGTH, one_line

MAX_WAITING: Final = 8
"""The number of people who may be waiting for an answer at one table."""


class Waiting(NamedTuple):
    client: Client
    name: str


class SeatRequests:
    """The open requests of all tables, by table and by number."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[int, Waiting]] = {}
        self._last = 0

    def ask(self, session: Session, client: Client, asked: messages.AskSeat) -> None:
        """Ask the host for a seat. Asking again changes the name."""
        table = session.table
        if client.seat is not None:
            raise Refusal("wrong-seat", "You already have a seat at this table.")
        if table.phase != "playing":
            raise Refusal("not-legal", "You can ask for a seat while the game is being played.")
        if not any(now.key is None for now in table.seats):
            raise Refusal("taken", "People sit in every seat at this table.")
        people = self._tables.setdefault(table.id, {})
        before = next((number for number, waiting in people.items() if waiting.client is client), None)
        if before is None and len(people) >= MAX_WAITING:
            raise Refusal("too-much", "Many people have asked the host for a seat already.")
        if before is None:
            self._last += 1
            before = self._last
        people[before] = Waiting(client, one_line(asked.name)[:MAX_NAME_LENGTH].strip() or "A spectator")
        self.send_requests(session)

    async def answer(self, session: Session, client: Client, answered: messages.Admit) -> None:
        """Carry out the host's answer: give the spectator a bot's seat, or decline."""
        if client.seat is None or client.seat != session.info().host:
            raise Refusal("not-host", "Only the host may say who sits down.")
        waiting = self._tables.get(session.table.id, {}).get(answered.ask)
        if waiting is None:
            raise Refusal("stale", "They have left, or somebody has answered them.")
        if answered.seat is None:
            declined = Refusal("declined", "The host would rather not change the seats now.")
            waiting.client.send(messages.Admitted(None, None, declined.reason))
        else:
            seat, secret = await session.sit(waiting.name, answered.seat, None, admitted=True)
            waiting.client.send(messages.Admitted(seat, secret, "The host has given you a seat."))
        self._tables[session.table.id].pop(answered.ask, None)
        self.send_requests(session)

    def leave(self, session: Session, client: Client) -> None:
        """Withdraw the requests of a client that has disconnected."""
        people = self._tables.get(session.table.id)
        if people is None:
            return
        left = [number for number, waiting in people.items() if waiting.client is client]
        for number in left:
            del people[number]
        if left:
            self.send_requests(session)
        if not people:
            self._tables.pop(session.table.id, None)

    def send_requests(self, session: Session, *to: Client) -> None:
        """Send the open requests to the host; with `to`, only to those of these clients that are the host's."""
        people = self._tables.get(session.table.id)
        if people is None:
            return
        asking = messages.Asking([messages.Asker(number, waiting.name) for number, waiting in people.items()])
        host = session.info().host
        for client in to or session.clients:
            if client.seat is not None and client.seat == host:
                client.send(asking)
