"""The WebSocket between a client and its table."""

import asyncio
import contextlib
import logging
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.protocol.messages import (
    Ack,
    Admit,
    AskSeat,
    BotPause,
    Hello,
    Hint,
    JoinRoom,
    Look,
    Move,
    Ping,
    Pong,
    Rematch,
    Say,
    Show,
    Visible,
    refused,
)
from grandtour.server.limits import Bucket, address_of, too_much
from grandtour.server.registry import Registry
from grandtour.server.storage.store import StoreUnavailable, TableElsewhere
from grandtour.server.tables.client import Client
from grandtour.server.tables.connections import CONNECTION_KEY, SocketConnection
from grandtour.server.tables.incoming import MoveReader
from grandtour.server.tables.session import CLOSE_MOVED, CLOSE_POLICY, Session

log = logging.getLogger(__name__)

RETRY_CODES: Final = ("busy", "not-stored")
"""After a refusal with one of these codes, a client should connect again."""
MAX_CHAR_BYTES: Final = 4
"""The maximum number of bytes of a character in UTF-8."""


async def table_socket(websocket: WebSocket) -> None:
    """`GET /api/tables/ID/socket`."""
    registry: Registry = websocket.app.state.registry
    await websocket.accept()
    connection: SocketConnection = websocket.scope[CONNECTION_KEY]
    client = Client(registry.settings.limits.outbox_bytes, connection, registry.metrics.send)
    connection.on_writable, connection.on_lost = client.resume, client.connection_lost
    try:
        await _serve(connection, websocket, registry, client)
        await client.wait_until_sent()
        assert client.closing is not None
        # The client may be gone already.
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await websocket.close(*client.closing)
    except asyncio.CancelledError:
        # The server is shutting down and has waited long enough for its clients.
        connection.abort()


async def _serve(connection: SocketConnection, websocket: WebSocket, registry: Registry, client: Client) -> None:
    """Serve a client until it leaves or is refused, and set how its socket is closed."""
    try:
        await _join_table(connection, websocket, registry, client)
    except Refusal as refusal:
        registry.metrics.refusals.add(refusal.code)
        if refusal.code in RETRY_CODES:
            client.close(CLOSE_MOVED, refusal.code)
        client.send(refused(refusal))
        client.close(CLOSE_POLICY, refusal.code)
    except WebSocketDisconnect:
        client.close(1000, "")
    except (TableElsewhere, StoreUnavailable):
        client.close(CLOSE_MOVED, "moved")
    except Exception:
        log.exception("a socket failed")
        client.close(1011, "")


async def _join_table(connection: SocketConnection, websocket: WebSocket, registry: Registry, client: Client) -> None:
    address = address_of(websocket.scope.get("client"))
    client.address = address
    registry.addresses.request(address)
    await registry.addresses.socket_opened(address)
    try:
        hello = await _receive_hello(connection, registry)
        async with registry.visit(websocket.path_params["table"]) as session:
            try:
                key = await _passport_key(registry, session, client, hello)
                await session.join(client, hello.secret, hello.last, key)
                registry.seat_requests.send_requests(session, client)
                await registry.spectators.join(session, client, hello.name)
                listener = _Listener(connection, registry, session, client)
                connection.on_message = listener.moves.begin_move
                # In a task of its own, it is resumed directly and not through all layers of the application.
                await asyncio.create_task(listener.listen())
            finally:
                connection.on_message = None
                session.leave(client)
                registry.seat_requests.leave(session, client)
                registry.spectators.leave(session, client)
                registry.shared_replays.leave(client)
    finally:
        registry.addresses.socket_closed(address)


async def _receive_hello(connection: SocketConnection, registry: Registry) -> Hello:
    try:
        async with asyncio.timeout(registry.settings.hello_deadline):
            text = await _receive(connection, registry)
    except TimeoutError:
        raise Refusal("malformed", "No message has arrived; a client says hello first.") from None
    hello = messages.read(text)
    if not isinstance(hello, Hello):
        raise Refusal("malformed", "A client says hello first.")
    return hello


async def _passport_key(registry: Registry, session: Session, client: Client, hello: Hello) -> str | None:
    """The key of the seat that the client's passport has at this table."""
    if hello.passport is None:
        return None
    holder = await registry.passports.holder(hello.passport)
    client.device, client.passport, client.name = holder.device, holder.passport, holder.name
    return await registry.passports.key_at(holder, session.table.id)


class _Listener:
    """Handles a client's requests one after another, until it leaves or exceeds a limit."""

    def __init__(self, connection: SocketConnection, registry: Registry, session: Session, client: Client) -> None:
        self._connection = connection
        self._registry = registry
        self._session = session
        self._client = client
        self._pace = Bucket(registry.settings.limits.messages)
        short = registry.settings.limits.message_bytes // MAX_CHAR_BYTES
        self.moves = MoveReader(client, session, self._pace, short, self._refuse, connection.handled)
        self._hint_tasks: set[asyncio.Task[None]] = set()

    def _refuse(self, failure: Exception, id: str | None) -> None:
        """Tell the client why its request failed."""
        if not isinstance(failure, Refusal):
            log.error("a request at table %s failed", self._session.table.id, exc_info=failure)
            failure = Refusal("not-stored", "That could not be stored; nothing has changed. Try again.")
        self._registry.metrics.refusals.add(failure.code)
        self._client.send(refused(failure, id))

    async def listen(self) -> None:
        """Handle requests until the client leaves."""
        while self._client.closing is None:
            text = await _receive(self._connection, self._registry)
            if not self._pace.take():
                raise too_much("That was too many messages at once.")
            try:
                await self._answer(messages.read(text))
            except Exception as failure:
                self._refuse(failure, messages.id_in(text))

    async def _answer(self, message: messages.Incoming) -> None:
        registry, session, client = self._registry, self._session, self._client
        if isinstance(message, Move):
            await session.ask(client, message)
        elif isinstance(message, Ping):
            client.send(Pong())
        elif isinstance(message, Look):
            session.resend_position(client)
        elif isinstance(message, Show):
            registry.shared_replays.show(session, client, message)
        elif isinstance(message, JoinRoom):
            registry.shared_replays.join(session, client, message)
            client.send(Ack(message.id, session.table.n))
        elif isinstance(message, Visible):
            client.visible = message.on
        elif isinstance(message, BotPause):
            client.bot_pause = message.on
        elif isinstance(message, Hello):
            raise Refusal("malformed", "This client has already said hello.")
        elif isinstance(message, AskSeat | Admit):
            await _seat_request(registry, session, client, message)
        elif isinstance(message, Hint):
            # Not awaited: the client may move or cancel in the meantime.
            task = asyncio.create_task(_hint(registry, session, client, message))
            self._hint_tasks.add(task)
            task.add_done_callback(self._hint_tasks.discard)
            # It starts before the next message is read, so that it is about the position in which it was requested.
            await asyncio.sleep(0)
        elif isinstance(message, Say) and client.seat is None:
            registry.addresses.chat(client.address)
            await registry.spectators.say(session, client, message)
            client.send(Ack(message.id, session.table.n))
        else:
            if isinstance(message, Say):
                registry.addresses.chat(client.address)
            elif isinstance(message, Rematch):
                await registry.addresses.table(client.address)
            await session.ask(client, message)


async def _seat_request(registry: Registry, session: Session, client: Client, asked: AskSeat | Admit) -> None:
    """Handle a spectator's request for a seat, or the host's answer."""
    if isinstance(asked, AskSeat):
        registry.addresses.chat(client.address)
        registry.seat_requests.ask(session, client, asked)
    else:
        await registry.seat_requests.answer(session, client, asked)
    client.send(Ack(asked.id, session.table.n))


async def _hint(registry: Registry, session: Session, client: Client, asked: Hint) -> None:
    try:
        await session.hint(client, asked.id)
    except Refusal as refusal:
        registry.metrics.refusals.add(refusal.code)
        client.send(refused(refusal, asked.id))
    except Exception:
        log.exception("a hint at table %s failed", session.table.id)
        client.send(refused(Refusal("failed", "No hint is available at the moment."), asked.id))


async def _receive(connection: SocketConnection, registry: Registry) -> str | bytes:
    """The next message. Refuses one that is too long."""
    text = await connection.receive_message()
    most = registry.settings.limits.message_bytes
    size = len(text.encode()) if isinstance(text, str) and len(text) * MAX_CHAR_BYTES > most else len(text)
    if size > most:
        raise too_much(f"A message has at most {most} bytes.")
    return text
