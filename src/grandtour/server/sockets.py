"""One socket: a client's way to its table and back."""

import asyncio
import logging

from starlette.websockets import WebSocket, WebSocketDisconnect

from grandtour.engine.refusal import Refusal
from grandtour.server import messages
from grandtour.server.house import House
from grandtour.server.limits import Bucket, address_of, too_much
from grandtour.server.messages import Hello, Hint, Ping, Pong, Say, refused
from grandtour.server.room import Room
from grandtour.server.watcher import Watcher

log = logging.getLogger(__name__)

POLICY = 1008
"""The close code for a client that does not keep to the protocol."""


async def table_socket(websocket: WebSocket) -> None:
    """`GET /api/tables/ID/socket`."""
    house: House = websocket.app.state.house
    await websocket.accept()
    watcher = Watcher(house.settings.limits.outbox_bytes)
    listener = asyncio.create_task(_serve(websocket, house, watcher))
    sender = asyncio.create_task(_send(websocket, watcher))
    watcher.give_up = sender.cancel
    try:
        await asyncio.wait((listener, sender), return_when=asyncio.FIRST_COMPLETED)
    finally:
        # Whichever goes on alone has nobody left to speak with; the sender says a last word by itself.
        if not listener.done():
            listener.cancel()
        await asyncio.wait((listener, sender))


async def _serve(websocket: WebSocket, house: House, watcher: Watcher) -> None:
    """Hear a client out, and see to it that its socket is closed in the end."""
    try:
        await _attend(websocket, house, watcher)
    except Refusal as refusal:
        watcher.tell(refused(refusal))
        watcher.close(POLICY, refusal.code)
    except WebSocketDisconnect:
        watcher.close(1000, "")
    except Exception:
        log.exception("a socket failed")
        watcher.close(1011, "")


async def _attend(websocket: WebSocket, house: House, watcher: Watcher) -> None:
    address = address_of(websocket.scope.get("client"))
    watcher.address = address
    house.addresses.request(address)
    house.addresses.socket_opened(address)
    try:
        hello = await _hello(websocket, house)
        async with house.visit(websocket.path_params["table"]) as room:
            try:
                await room.join(watcher, hello.secret, hello.last)
                await _listen(websocket, house, room, watcher)
            finally:
                room.leave(watcher)
    finally:
        house.addresses.socket_closed(address)


async def _hello(websocket: WebSocket, house: House) -> Hello:
    try:
        async with asyncio.timeout(house.settings.hello_deadline):
            text = await _receive(websocket, house)
    except TimeoutError:
        raise Refusal("malformed", "Nothing was heard; a client says hello first.") from None
    hello = messages.read(text)
    if not isinstance(hello, Hello):
        raise Refusal("malformed", "A client says hello first.")
    return hello


async def _listen(websocket: WebSocket, house: House, room: Room, watcher: Watcher) -> None:
    """Take requests one after another until the client leaves or asks for too much."""
    limits = house.settings.limits
    pace = Bucket(limits.messages)
    thinking: set[asyncio.Task[None]] = set()
    while watcher.closing is None:
        text = await _receive(websocket, house)
        if not pace.take():
            raise too_much("That was too many messages at once.")
        try:
            message = messages.read(text)
            if isinstance(message, Ping):
                watcher.tell(Pong())
            elif isinstance(message, Hello):
                raise Refusal("malformed", "Hello has been said.")
            elif isinstance(message, Hint):
                # Meanwhile the client may move, or think better of it.
                task = asyncio.create_task(_hint(room, watcher, message))
                thinking.add(task)
                task.add_done_callback(thinking.discard)
            else:
                if isinstance(message, Say):
                    house.addresses.chat(watcher.address)
                await room.ask(watcher, message)
        except Refusal as refusal:
            watcher.tell(refused(refusal, messages.id_in(text)))
        except Exception:
            log.exception("a request at table %s failed", room.table.id)
            failure = Refusal("not-stored", "That could not be stored; nothing has changed. Try again.")
            watcher.tell(refused(failure, messages.id_in(text)))


async def _hint(room: Room, watcher: Watcher, asked: Hint) -> None:
    try:
        await room.hint(watcher, asked.id)
    except Refusal as refusal:
        watcher.tell(refused(refusal, asked.id))
    except Exception:
        log.exception("a hint at table %s failed", room.table.id)
        watcher.tell(refused(Refusal("failed", "There is no hint to be had just now."), asked.id))


async def _receive(websocket: WebSocket, house: House) -> str | bytes:
    """The next message, not too long."""
    received = await websocket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    text: str | bytes = received["text"] if received.get("text") is not None else received["bytes"]
    most = house.settings.limits.message_bytes
    if len(text) > most or (isinstance(text, str) and len(text.encode()) > most):
        raise too_much(f"A message has at most {most} bytes.")
    return text


async def _send(websocket: WebSocket, watcher: Watcher) -> None:
    """Send what is in the outbox until the socket is to be closed or the client is gone."""
    try:
        while True:
            message = await watcher.next()
            if message is None:
                break
            await websocket.send_text(message.decode())
        assert watcher.closing is not None
        await websocket.close(*watcher.closing)
    except (WebSocketDisconnect, RuntimeError):
        # Gone already; the receiving side has been told the same.
        watcher.close(1000, "")
