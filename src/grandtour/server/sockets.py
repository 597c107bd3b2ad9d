"""The WebSocket between a client and its table."""

import asyncio
import contextlib
import logging
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from grandtour.engine.refusal import Refusal
from grandtour.protocol import messages
from grandtour.protocol.messages import Ack, Admit, AskSeat, Hello, Hint, Look, Move, Ping, Pong, Rematch, Say, refused
from grandtour.server.client import Client
from grandtour.server.connections import CONNECTION, SocketConnection
from grandtour.server.limits import Bucket, address_of, too_much
from grandtour.server.registry import Registry
from grandtour.server.session import MOVED_AWAY, POLICY, Session
from grandtour.server.store import Elsewhere, Unavailable

log = logging.getLogger(__name__)

LATER: Final = ("busy", "not-stored")
"""After these refusals a client should connect again, and not give up."""


async def table_socket(websocket: WebSocket) -> None:
    """`GET /api/tables/ID/socket`."""
    registry: Registry = websocket.app.state.registry
    await websocket.accept()
    connection: SocketConnection = websocket.scope[CONNECTION]
    client = Client(registry.settings.limits.outbox_bytes, connection, registry.metrics.send)
    connection.on_writable, connection.on_lost = client.resume, client.gone
    await _serve(connection, websocket, registry, client)
    await client.emptied()
    assert client.closing is not None
    # Gone already, or else it is told why.
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await websocket.close(*client.closing)


async def _serve(connection: SocketConnection, websocket: WebSocket, registry: Registry, client: Client) -> None:
    """Hear a client out, and see to it that its socket is closed in the end."""
    try:
        await _attend(connection, websocket, registry, client)
    except Refusal as refusal:
        registry.metrics.refusals.add(refusal.code)
        if refusal.code in LATER:
            client.close(MOVED_AWAY, refusal.code)
        client.tell(refused(refusal))
        client.close(POLICY, refusal.code)
    except WebSocketDisconnect:
        client.close(1000, "")
    except (Elsewhere, Unavailable):
        client.close(MOVED_AWAY, "moved")
    except Exception:
        log.exception("a socket failed")
        client.close(1011, "")


async def _attend(connection: SocketConnection, websocket: WebSocket, registry: Registry, client: Client) -> None:
    address = address_of(websocket.scope.get("client"))
    client.address = address
    registry.addresses.request(address)
    registry.addresses.socket_opened(address)
    try:
        hello = await _hello(connection, registry)
        async with registry.visit(websocket.path_params["table"]) as session:
            try:
                key = await _passport_key(registry, session, client, hello)
                await session.join(client, hello.secret, hello.last, key)
                registry.waitlist.tell(session, client)
                await _listen(connection, registry, session, client)
            finally:
                session.leave(client)
                registry.waitlist.leave(session, client)
    finally:
        registry.addresses.socket_closed(address)


async def _hello(connection: SocketConnection, registry: Registry) -> Hello:
    try:
        async with asyncio.timeout(registry.settings.hello_deadline):
            text = await _receive(connection, registry)
    except TimeoutError:
        raise Refusal("malformed", "Nothing was heard; a client says hello first.") from None
    hello = messages.read(text)
    if not isinstance(hello, Hello):
        raise Refusal("malformed", "A client says hello first.")
    return hello


async def _passport_key(registry: Registry, session: Session, client: Client, hello: Hello) -> str | None:
    """The key of the seat that the client's passport has at this table."""
    if hello.passport is None:
        return None
    holder = await registry.passports.holder(hello.passport)
    client.device = holder.device
    return await registry.passports.key_at(holder, session.table.id)


async def _listen(connection: SocketConnection, registry: Registry, session: Session, client: Client) -> None:
    """Take requests one after another until the client leaves or asks for too much."""
    limits = registry.settings.limits
    pace = Bucket(limits.messages)
    thinking: set[asyncio.Task[None]] = set()
    while client.closing is None:
        text = await _receive(connection, registry)
        if not pace.take():
            raise too_much("That was too many messages at once.")
        try:
            message = messages.read(text)
            if isinstance(message, Move):
                await session.ask(client, message)
            elif isinstance(message, Ping):
                client.tell(Pong())
            elif isinstance(message, Look):
                session.look(client)
            elif isinstance(message, Hello):
                raise Refusal("malformed", "Hello has been said.")
            elif isinstance(message, AskSeat | Admit):
                await _seat_request(registry, session, client, message)
            elif isinstance(message, Hint):
                # Not awaited: the client may move or cancel in the meantime.
                task = asyncio.create_task(_hint(registry, session, client, message))
                thinking.add(task)
                task.add_done_callback(thinking.discard)
                # It begins before the next message is read: it is a hint about the position in which it was asked for.
                await asyncio.sleep(0)
            else:
                if isinstance(message, Say):
                    registry.addresses.chat(client.address)
                elif isinstance(message, Rematch):
                    registry.addresses.table(client.address)
                await session.ask(client, message)
        except Refusal as refusal:
            registry.metrics.refusals.add(refusal.code)
            client.tell(refused(refusal, messages.id_in(text)))
        except Exception:
            log.exception("a request at table %s failed", session.table.id)
            registry.metrics.refusals.add("not-stored")
            failure = Refusal("not-stored", "That could not be stored; nothing has changed. Try again.")
            client.tell(refused(failure, messages.id_in(text)))


async def _seat_request(registry: Registry, session: Session, client: Client, asked: AskSeat | Admit) -> None:
    """A spectator asks for a seat, or the host answers one."""
    if isinstance(asked, AskSeat):
        registry.addresses.chat(client.address)
        registry.waitlist.ask(session, client, asked)
    else:
        await registry.waitlist.answer(session, client, asked)
    client.tell(Ack(asked.id, session.table.n))


async def _hint(registry: Registry, session: Session, client: Client, asked: Hint) -> None:
    try:
        await session.hint(client, asked.id)
    except Refusal as refusal:
        registry.metrics.refusals.add(refusal.code)
        client.tell(refused(refusal, asked.id))
    except Exception:
        log.exception("a hint at table %s failed", session.table.id)
        client.tell(refused(Refusal("failed", "No hint is available at the moment."), asked.id))


async def _receive(connection: SocketConnection, registry: Registry) -> str | bytes:
    """The next message, not too long."""
    text = await connection.receive_message()
    most = registry.settings.limits.message_bytes
    # A letter has at most four bytes.
    if len(text) * 4 > most and (len(text) > most or (isinstance(text, str) and len(text.encode()) > most)):
        raise too_much(f"A message has at most {most} bytes.")
    return text
